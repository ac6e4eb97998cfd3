"""The automation curve: the cost and the benefit of review by confidence (Khang et al., KIEval, appendix C).

At a threshold, a predicted entity with a lower confidence is reviewed. An entity without a confidence never is. Review
corrects substitutions and deletions, never additions.
"""

from __future__ import annotations

import bisect
import math
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from docie.core.counts import Counts, Key, Number, Row, ratio
from docie.core.errors import warn
from docie.core.matching.assignment import assign
from docie.core.rules.pairs import pairs_by_rule, similarities
from docie.documents.leaves import answers_of
from docie.documents.multisets import Token, Tokens

COMPARED_CHARACTERS = 1000
ALWAYS_REVIEWED = -1.0
"""The highest threshold at which a document skips review, if it never does."""
DENSE = 9_000_000  # pairs of values, 72 MB: up to this many, their assignment is the best one
NO_CONFIDENCES = (
    "no prediction has a confidence, so nothing is reviewed at any threshold. "
    'A value with a confidence is {"value": ..., "confidence": ...}'
)


class Confidences(NamedTuple):
    """The confidences of predicted entities, by the effect of a review on them."""

    correct: list[float]
    substituted: list[float]
    deleted: list[float]


@dataclass(slots=True)
class Bin(Row):
    """Columns of the ("automation", threshold) rows: entities that are reviewed from this requested threshold on.

    The threshold "inf" is for entities that are never reviewed. `documents` are those that are reviewed as a whole from
    this threshold on; `correct_documents` are those without an error among them.
    """

    predicted: Number = 0
    substitutions: Number = 0
    deletions: Number = 0
    documents: Number = 0
    correct_documents: Number = 0


@dataclass(slots=True)
class WithConfidence(Row):
    """Column of the ("with_confidence",) row: the number of predicted entities with a confidence."""

    entities: Number = 0


class AutomationCurve(NamedTuple):
    """Three arrays of equal length: the rising thresholds, and the automation rate and the aligned score at each."""

    thresholds: NDArray[np.float64]
    automation_rates: NDArray[np.float64]
    aligned: NDArray[np.float64]


def split_incorrect(
    predicted: Tokens, incorrect: Iterable[Token], missing: Iterable[Token]
) -> tuple[list[float], list[float]]:
    """The confidences of the incorrect values of a pair: those of substitutions, and those of deletions.

    For each entity type, min(incorrect, missing) values are substitutions. If more are incorrect than missing, those
    most similar to the missing ones are. Values are compared by their first 1,000 characters.
    """
    substituted: list[float] = []
    deleted: list[float] = []
    for incorrect_values, missing_values in _by_type(predicted, incorrect, missing):
        chosen = {*incorrect_values}
        if len(incorrect_values) > len(missing_values):
            chosen = {token for token, _ in _most_similar(incorrect_values, missing_values)}
        for token in incorrect_values:
            (substituted if token in chosen else deleted).append(predicted[token])
    return substituted, deleted


def pair_substitutions(
    predicted: Tokens, incorrect: Iterable[Token], missing: Iterable[Token]
) -> list[tuple[Token, Token]]:
    """Which incorrect value of a pair substitutes which missing one: those of `split_incorrect`, as pairs."""
    parts = _by_type(predicted, incorrect, missing)
    return [
        pair for incorrect_values, missing_values in parts for pair in _most_similar(incorrect_values, missing_values)
    ]


def _by_type(
    predicted: Tokens, incorrect: Iterable[Token], missing: Iterable[Token]
) -> Iterator[tuple[list[Token], list[Token]]]:
    """The incorrect and the missing values of each entity type, by text; of equal ones the most confident first."""
    incorrect_by_type: defaultdict[str, list[Token]] = defaultdict(list)
    missing_by_type: defaultdict[str, list[Token]] = defaultdict(list)
    for token in incorrect:
        incorrect_by_type[token[0]].append(token)
    for token in missing:
        missing_by_type[token[0]].append(token)
    for entity_type, tokens in incorrect_by_type.items():
        tokens.sort(key=lambda token: (token[1], -predicted[token], token[2]))
        yield tokens, sorted(missing_by_type.get(entity_type, ()))


def _most_similar(incorrect: list[Token], missing: list[Token]) -> list[tuple[Token, Token]]:
    """The pairs of an assignment by 1 − Levenshtein / max length; of alternatives, the most similar one counts."""
    if not incorrect or not missing:
        return []
    if len(incorrect) == len(missing) == 1:
        return [(incorrect[0], missing[0])]
    texts = [value[:COMPARED_CHARACTERS] for _, value, _ in incorrect]
    answers = [[answer[:COMPARED_CHARACTERS] for answer in answers_of(value)] for _, value, _ in missing]
    if len(texts) * len(answers) > DENSE:
        pairs = pairs_by_rule(texts, answers, None)
    else:
        starts = np.cumsum([0, *map(len, answers[:-1])])
        similarity = similarities(texts, [*chain.from_iterable(answers)], None)
        rows, columns = assign(np.maximum.reduceat(similarity, starts, axis=1))
        pairs = [*zip(rows.tolist(), columns.tolist(), strict=True)]
    return [(incorrect[row], missing[column]) for row, column in pairs]


def rows_of(confidences: Confidences, thresholds: Sequence[float], *, is_correct: bool) -> dict[Key, Row]:
    """The rows of one document; `is_correct`: whether it has no error."""
    names = [*map(repr, thresholds), "inf"]
    bins = {name: Bin() for name in names}

    def bin_of(confidence: float) -> Bin:
        return bins[names[bisect.bisect_right(thresholds, confidence)]]

    for confidence in chain.from_iterable(confidences):
        bin_of(confidence).predicted += 1
    for confidence in confidences.substituted:
        bin_of(confidence).substitutions += 1
    for confidence in confidences.deleted:
        bin_of(confidence).deletions += 1
    reviewed = bin_of(_least(confidences))
    reviewed.documents += 1
    reviewed.correct_documents += is_correct
    known = sum(confidence < math.inf for part in confidences for confidence in part)
    return {("with_confidence",): WithConfidence(known), **{("automation", name): row for name, row in bins.items()}}


def _least(confidences: Confidences) -> float:
    """The highest threshold at which a document skips review as a whole; below 0 if it is always reviewed.

    A document skips review only if it has a value and each of its values has a confidence: nothing vouches for an
    empty answer or for a value without a confidence.
    """
    values = [*chain.from_iterable(confidences)]
    return min(values) if values and max(values) < math.inf else ALWAYS_REVIEWED


def least_of_documents(confidences: NDArray[np.float64], sizes: NDArray[np.int64]) -> NDArray[np.float64]:
    """The highest threshold at which each document skips review as a whole, as `_least` says of one.

    Args:
        confidences: those of all predicted entities, document by document.
        sizes: their number in each document.

    >>> least_of_documents(np.array([0.9, 0.5, 0.8, math.inf]), np.array([2, 0, 2])).tolist()
    [0.5, -1.0, -1.0]
    """
    least, starts = np.full(len(sizes), ALWAYS_REVIEWED), (np.cumsum(sizes) - sizes)[sizes > 0]
    if len(starts):
        highest = np.maximum.reduceat(confidences, starts)
        least[sizes > 0] = np.where(highest < math.inf, np.minimum.reduceat(confidences, starts), ALWAYS_REVIEWED)
    return least


def rows_of_corpus(
    confidences: NDArray[np.float64],
    sizes: NDArray[np.int64],
    *,
    correct: NDArray[np.bool_],
    substituted: Sequence[float],
    correct_documents: NDArray[np.bool_],
    thresholds: Sequence[float],
) -> dict[Key, list[Number]]:
    """The rows of all documents together: faster than the sum of `rows_of`.

    Args:
        confidences: those of all predicted entities, document by document.
        sizes: their number in each document.
        correct: whether each of them is correct.
        substituted: the confidences of those that are substitutions.
        correct_documents: whether each document has no error.
        thresholds: the thresholds.
    """

    def binned(values: NDArray[np.float64] | Sequence[float]) -> NDArray[np.int64]:
        return np.bincount(np.searchsorted(thresholds, values, side="right"), minlength=len(thresholds) + 1)

    least = least_of_documents(confidences, sizes)
    substitutions = binned(substituted)
    deletions = binned(confidences[~correct]) - substitutions
    documents = binned(least), binned(least[correct_documents])
    columns = np.array([binned(confidences), substitutions, deletions, *documents])
    names = [*map(repr, thresholds), "inf"]
    rows: dict[Key, list[Number]] = {
        ("automation", name): row for name, row in zip(names, columns.T.tolist(), strict=True)
    }
    return {("with_confidence",): [int((confidences < math.inf).sum())], **rows}


def table(counts: Counts, additions: int) -> list[dict[str, Any]]:
    """The automation scores at each threshold, from the bins."""
    bins = counts.by("automation", 1, Bin)
    ordered = sorted((float(str(name)), row.numbers()) for name, row in bins.items())
    if not ordered:
        return []
    sums = np.cumsum([numbers for _, numbers in ordered], axis=0)
    total = Bin(*sums[-1].tolist())
    if total.predicted and not counts.total("with_confidence", WithConfidence).entities:
        warn(NO_CONFIDENCES)
    rows = []
    for (threshold, _), numbers in zip(ordered[:-1], sums, strict=False):
        reviewed = Bin(*numbers.tolist())
        straight_through = total.documents - reviewed.documents
        correct = total.correct_documents - reviewed.correct_documents
        rows.append(
            {
                "threshold": threshold,
                "automation_rate": 1.0 - ratio(reviewed.predicted, total.predicted),
                "aligned": _aligned(
                    total.substitutions - reviewed.substitutions,
                    total.deletions - reviewed.deletions,
                    additions,
                    total.predicted - reviewed.deletions,
                ),
                "straight_through_rate": ratio(straight_through, total.documents),
                "straight_through_accuracy": ratio(correct, straight_through),
            }
        )
    return rows


def curve(confidences: Confidences, additions: int) -> AutomationCurve:
    """The whole curve, with every threshold at which something changes, from one sort of the confidences.

    The last threshold is just above the highest confidence. There, every entity with a confidence is reviewed.
    """
    values = np.array([*confidences.correct, *confidences.substituted, *confidences.deleted])
    outcomes = np.repeat([0, 1, 2], [len(part) for part in confidences])
    order = np.argsort(values, kind="stable")
    values, outcomes = values[order], outcomes[order]
    known = values[: int(np.searchsorted(values, math.inf))]
    if len(values) and not len(known):
        warn(NO_CONFIDENCES)
    distinct = known[np.diff(known, prepend=0.0) > 0]
    last = [np.nextafter(known[-1], math.inf)] if len(known) else []
    thresholds = np.concatenate([[0.0], distinct, last])
    reviewed = np.searchsorted(values, thresholds)  # the number of reviewed entities
    substitutions, deletions = (np.concatenate([[0], np.cumsum(outcomes == outcome)]) for outcome in (1, 2))
    aligned = _aligned(
        substitutions[-1] - substitutions[reviewed],
        deletions[-1] - deletions[reviewed],
        additions,
        len(values) - deletions[reviewed],
    )
    return AutomationCurve(thresholds, 1.0 - ratio(reviewed, np.full(len(reviewed), len(values))), aligned)


def _aligned(substitutions: Number, deletions: Number, additions: Number, remaining: Number) -> Number:
    """Equation 14, 1 − (Subs + Del + Add) / (N(PR*) + Add) for the entities after review, as one fraction.

    If no entity is left and none was missing, review removed all predictions, or there were none: 1.0.
    """
    return ratio(remaining - substitutions - deletions, remaining + additions, empty=1.0)
