"""The automation curve: what review by confidence costs and brings (Khang et al., KIEval, appendix C).

A predicted entity is reviewed at a threshold if its confidence is below it; one without a confidence never is.
Review repairs substitutions and deletions, never additions.
"""

from __future__ import annotations

import bisect
import math
from collections import defaultdict
from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from rapidfuzz.distance import Levenshtein
from rapidfuzz.process import cdist
from scipy.optimize import linear_sum_assignment

from docie.counts import Counts, Number, ratio
from docie.matching import Token, Tokens

COMPARED_CHARACTERS = 1000


class Reviewed(NamedTuple):
    """Predicted entities by what review would do to them, each as its doubt (minus its confidence)."""

    right: list[float]
    substituted: list[float]
    deleted: list[float]


class Bin(NamedTuple):
    """Columns of the "automation" rows: what is first reviewed at the row's threshold; "inf": what never is.

    `documents` are those of which something is first reviewed there, `correct_documents` those of them without error.
    """

    predicted: Number = 0
    substitutions: Number = 0
    deletions: Number = 0
    documents: Number = 0
    correct_documents: Number = 0


class AutomationCurve(NamedTuple):
    """`thresholds` ascending, and for each the automation rate and the aligned score after review, in [0, 1]."""

    thresholds: NDArray[np.float64]
    automation_rates: NDArray[np.float64]
    aligned: NDArray[np.float64]


def split_wrong(predicted: Tokens, wrong: Iterable[Token], missed: Iterable[Token]) -> tuple[list[float], list[float]]:
    """The doubts of a pair's wrong values, substitutions apart from deletions, min(wrong, missed) a type of the former.

    Where a type has more wrong values than misses, the most similar ones are the substitutions. Values are compared by
    their first 1,000 characters.
    """
    wrong_by_type: defaultdict[str, list[tuple[str, float]]] = defaultdict(list)
    missed_by_type: defaultdict[str, list[str]] = defaultdict(list)
    for token in wrong:
        wrong_by_type[token[0]].append((token[1], predicted[token]))
    for kind, value, _ in missed:
        missed_by_type[kind].append(value)
    substituted: list[float] = []
    deleted: list[float] = []
    for kind, values in wrong_by_type.items():
        misses = missed_by_type[kind]
        chosen = set(range(len(values)))
        if len(values) > len(misses):
            values.sort()
            chosen = _most_similar([value for value, _ in values], sorted(misses))
        for position, (_, doubt) in enumerate(values):
            (substituted if position in chosen else deleted).append(doubt)
    return substituted, deleted


def _most_similar(wrong: list[str], missed: list[str]) -> set[int]:
    """Positions of the wrong values that an assignment by 1 − Levenshtein / max length gives to the misses."""
    if not missed:
        return set()
    texts = [[value[:COMPARED_CHARACTERS] for value in values] for values in (wrong, missed)]
    similarity = cdist(*texts, scorer=Levenshtein.normalized_similarity, dtype=np.float64)
    return set(linear_sum_assignment(similarity, maximize=True)[0].tolist())


def add_bins(counts: Counts, reviewed: Reviewed, thresholds: Sequence[float], *, correct: bool) -> None:
    """Add one document's bins to its counts."""
    names = [*map(repr, thresholds), "inf"]
    bins = {name: [0, 0, 0, 0, 0] for name in names}

    def first_reviewed(doubt: float) -> list[int]:
        return bins[names[bisect.bisect_right(thresholds, -doubt)]]

    for column, doubts in ((None, reviewed.right), (1, reviewed.substituted), (2, reviewed.deleted)):
        for doubt in doubts:
            row = first_reviewed(doubt)
            row[0] += 1
            if column:
                row[column] += 1
    everything = [*reviewed.right, *reviewed.substituted, *reviewed.deleted]
    row = first_reviewed(max(everything, default=-math.inf))
    row[3] += 1
    row[4] += correct
    counts.rows.update({("automation", name): row for name, row in bins.items()})


def table(counts: Counts, additions: int) -> list[dict[str, Any]]:
    """The automation figures at each threshold, from the bins."""
    bins = counts.by("automation", 1, Bin)
    ordered = sorted(((float(str(name)), numbers) for name, numbers in bins.items()))
    if not ordered:
        return []
    sums = np.cumsum([numbers for _, numbers in ordered], axis=0)
    total = Bin(*sums[-1].tolist())
    rows = []
    for (threshold, _), numbers in zip(ordered[:-1], sums, strict=False):
        reviewed = Bin(*numbers.tolist())
        straight = total.documents - reviewed.documents
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
                "straight_through_rate": ratio(straight, total.documents),
                "straight_through_accuracy": ratio(total.correct_documents - reviewed.correct_documents, straight),
            }
        )
    return rows


def curve(reviewed: Reviewed, additions: int) -> AutomationCurve:
    """The whole curve: every threshold at which something changes, from one sort of the confidences.

    The last threshold lies just above the highest confidence: everything with a confidence is reviewed there.
    """
    doubts = np.array([*reviewed.right, *reviewed.substituted, *reviewed.deleted])
    outcomes = np.repeat([0, 1, 2], [len(group) for group in reviewed])
    order = np.argsort(-doubts, kind="stable")
    confidences, outcomes = -doubts[order], outcomes[order]
    given = int(np.searchsorted(confidences, math.inf))
    distinct = confidences[:given][np.diff(confidences[:given], prepend=0.0) > 0]
    last = [np.nextafter(confidences[given - 1], math.inf)] if given else []
    thresholds = np.concatenate([[0.0], distinct, last])
    below = np.searchsorted(confidences, thresholds)  # how many are reviewed
    substitutions, deletions = (np.concatenate([[0], np.cumsum(outcomes == kind)]) for kind in (1, 2))
    aligned = _aligned(
        substitutions[-1] - substitutions[below],
        deletions[-1] - deletions[below],
        additions,
        len(doubts) - deletions[below],
    )
    return AutomationCurve(thresholds, 1.0 - ratio(below, np.full(len(below), len(doubts))), aligned)


def _aligned(substitutions: Number, deletions: Number, additions: Number, remaining: Number) -> Number:
    """Equation 14, 1 − (Subs + Del + Add) / (N(PR*) + Add) of what is left after review, on one fraction bar.

    Without anything left or missed, all that was predicted was removed in review, or there was nothing: 1.0.
    """
    return ratio(remaining - substitutions - deletions, remaining + additions, empty=1.0)
