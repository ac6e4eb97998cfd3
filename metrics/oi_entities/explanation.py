"""OIECER, explained: which predicted entity is compared with which reference entity, in any order."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
from rapidfuzz.distance import Levenshtein

from docie.core.counts import Counts
from docie.core.explanation import (
    Explanation,
    Fields,
    Group,
    Pair,
    Piece,
    Tags,
    Verdict,
    explained,
    pairs_of,
    pieces_of,
    tally,
    verdict_of,
)
from docie.core.matching.assignment import assign
from docie.core.phrases import counted, figure
from docie.core.scores import Headline, rounded
from docie.documents.tagging import find_spans
from docie.documents.tagging.tagged_words import parse_tagged_words
from docie.metrics.oi_entities.alignment import Entity, Pairs, by_category
from docie.metrics.oi_entities.entity_lists import parse_entities
from docie.metrics.oi_entities.metric import DEFAULT, Entities, Settings, count, score
from docie.metrics.oi_entities.scores import SCORES


class _Assigned(NamedTuple):
    """A pair with the positions of its entities in both lists; None for a missing one."""

    pair: Pair
    predicted_place: int | None
    expected_place: int | None


def explain(prediction: object, reference: object, settings: Settings = DEFAULT) -> Explanation:
    """The cheapest one-to-one assignment of entities, by CER: the one behind OIECER.

    Its distance is the sum of the pairs' CER, plus 1 for every entity without a counterpart in the list that has more
    of
    them: an entity of one list replaces one of the other for 1. (OIEWER may have another assignment, by WER.)

    Source: as in `count`.

    Args:
        prediction (list or dict): as in `count`.
        reference (list or dict): as in `count`.
        settings (Settings): the options.

    Returns:
        Explanation: the pairs by category, in the order of the reference. Their credit is 1 - CER.

    Raises:
        DocumentError: as in `count`.

    >>> explanation = explain([["date", "1771"], ["place", "Vic"]], [["serie", "X1A"], ["date", "1770"]])
    >>> [(pair.group, pair.verdict, pair.credit) for pair in explanation.pairs]
    [('serie', 'missing', 0.0), ('date', 'incorrect', 0.75), ('place', 'spurious', 0.0)]
    """
    figures = score(count(prediction, reference, settings))
    predicted, expected = (
        found.entities if (found := parse_entities(side, name, normalize=settings.normalizer)) else []
        for side, name in ((prediction, "prediction"), (reference, "reference"))
    )
    assigned = _assigned(predicted, expected, settings.nerval_threshold)
    groups = []
    for category, pairs in by_category((each.pair.group, each.pair) for each in assigned).items():
        groups.append(Group(category, pairs))
    pairs = pairs_of(groups)
    drawings: list[Tags | Fields] = []
    if parse_tagged_words(reference) is not None:
        expected_verdicts = {each.expected_place: each.pair.verdict for each in assigned}
        predicted_verdicts = {each.predicted_place: each.pair.verdict for each in assigned}
        sides = [
            ("Reference", _pieces(reference, expected_verdicts)),
            ("Prediction", _pieces(prediction, predicted_verdicts)),
        ]
        drawings.append(Tags("Tagged text", sides))
    drawings.append(Fields("Which entity is compared with which", groups, _lead(pairs), noun="entity"))
    return explained(pairs, drawings, SCORES, figures, "oi_ecer", "ecer", noun="entity")


def _assigned(predicted: Sequence[Entity], expected: Sequence[Entity], threshold: float) -> list[_Assigned]:
    """All entities, those with a reference in its order, then spurious ones."""
    partners = _partners(Pairs(expected, predicted, threshold))
    places: list[tuple[int | None, int | None]] = [(partners.get(place), place) for place in range(len(expected))]
    places += [(place, None) for place in sorted(set(range(len(predicted))) - set(partners.values()))]
    return [
        _Assigned(
            _pair(None if row is None else predicted[row], None if column is None else expected[column],
                  _name(row, column), threshold),
            row, column,
        )
        for row, column in places
    ]  # fmt: skip


def _partners(pairs: Pairs) -> dict[int, int]:
    """From the positions of references to those of predictions. Only pairs of one category are kept."""
    partners = {}
    for block in pairs.blocks:
        savings = np.array([row[0] for row in block.savings.rows()])
        rows, columns = assign(savings)
        for row, column in zip(rows.tolist(), columns.tolist(), strict=True):
            if block.row_categories[row] == block.column_categories[column]:
                partners[block.rows[row]] = block.columns[column]
    return partners


def _pair(predicted: Entity | None, expected: Entity | None, name: str, threshold: float) -> Pair:
    category, _ = predicted or expected or ("", "")
    texts = None if predicted is None else predicted[1], None if expected is None else expected[1]
    if predicted is None or expected is None:
        return Pair(category, name, *texts, verdict_of(*texts, is_correct=False), 0.0)
    cer = _error_rate(predicted[1], expected[1])
    wer = _error_rate(predicted[1].split(), expected[1].split())
    is_correct = predicted[1] == expected[1]
    note = f"CER {figure(cer)} · WER {figure(wer)} · {'match' if cer <= threshold else 'no match'}"
    return Pair(category, name, *texts, verdict_of(*texts, is_correct=is_correct), 1 - cer, "" if is_correct else note)


def _name(predicted: int | None, expected: int | None) -> str:
    if expected is None or predicted is None:
        return f"predicted no. {(predicted or 0) + 1}" if expected is None else f"no. {expected + 1}"
    return f"no. {expected + 1}" + (f" with no. {predicted + 1}" if predicted != expected else "")


def _error_rate(prediction: str | list[str], reference: str | list[str]) -> float:
    """min(1, distance / length of the reference); 1 from an empty reference to any other text."""
    distance = Levenshtein.distance(prediction, reference)
    return min(1.0, distance / (len(reference) or 1))


def _pieces(value: object, assigned: Mapping[int | None, Verdict | None]) -> list[Piece]:
    """The text of a prediction or reference, from the places of its entities to their verdicts."""
    tagged = parse_tagged_words(value)
    if tagged is None:
        return []
    spans = find_spans(tagged.tags, sentences=tagged.sentences)
    return pieces_of([*map(str, tagged.words)], spans, [assigned[place] for place in range(len(spans))])


def _lead(pairs: Sequence[Pair]) -> str:
    """The terms of the distance, in words."""
    _, _, missing, spurious = found = tally(pairs)
    rates = [1 - pair.credit for pair in pairs if None not in (pair.predicted, pair.expected)]
    alone, total = max(missing, spurious), sum(rates) + max(missing, spurious)
    return (
        f"In the cheapest assignment, the character error rates (CER) of {counted(len(rates), 'pair')} add up to "
        f"{figure(sum(rates))}, and entities without a counterpart cost {alone:,}: OIECER is "
        f"{figure(total)} / {found.expected:,}. A missing and a spurious one cost 1 together."
    )


def headlines(counts: Counts, figures: Mapping[str, Any]) -> Iterator[Headline]:
    """The errors of an entity, in any order and in reading order.

    Args:
        counts (Counts): the counts of a document or of a corpus.
        figures (dict): their scores.

    Returns:
        iterator of Headline: the scores, each with its sentence.

    >>> from docie.metrics.oi_entities import count, score
    >>> counts = count([["date", "1771"]], [["date", "1770"]])
    >>> [each.sentence for each in headlines(counts, score(counts))][0]
    'errors per entity, in any order: 0.2 for 1 entity; 0 is best'
    """
    row = Entities(*counts.rows.get(("entities", None), ()))
    entities = counted(row.references, "entity")
    for name, order in (("oi_ecer", "any order"), ("ecer", "reading order")):
        errors = rounded(getattr(row, name), 1)
        yield Headline(name, f"errors per entity, in {order}: {errors} for {entities}; 0 is best")
