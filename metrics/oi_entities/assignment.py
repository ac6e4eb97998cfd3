"""Which predicted entity is compared with which reference entity, whatever their order."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from rapidfuzz.distance import Levenshtein
from scipy.optimize import linear_sum_assignment

from docie.documents.entity_lists import parse_entities
from docie.metrics.oi_entities.alignment import Pairs
from docie.metrics.oi_entities.metric import DEFAULT, Settings


class Assigned(NamedTuple):
    """Two entities of one category that are compared, or one without a counterpart.

    Attributes:
        category: their category.
        reference, prediction: their texts; None for a side that has none.
        reference_place, predicted_place: their places in the lists, from 0; None likewise.
        cer, wer: the error rates of the two texts, in characters and in words, at most 1; None without a counterpart.
        is_match: whether the pair counts in OINerval: its CER is at most the threshold.
    """

    category: str
    reference: str | None
    prediction: str | None
    reference_place: int | None
    predicted_place: int | None
    cer: float | None = None
    wer: float | None = None
    is_match: bool = False


def assignment(prediction: object, reference: object, settings: Settings = DEFAULT) -> list[Assigned]:
    """The cheapest one-to-one assignment of entities, by CER: the one that OIECER is made of.

    Its distance is the sum of the pairs' CER, and 1 for every entity without a counterpart on the side that has more of
    these: an entity of one side replaces one of the other for 1. (OIEWER may have another assignment, by WER.)

    Args:
        prediction (list or dict): as in `count`.
        reference (list or dict): as in `count`.
        settings (Settings): the options.

    Returns:
        list of Assigned: those with a reference in its order, then what was only predicted.

    Raises:
        DocumentError: as in `count`.

    >>> for each in assignment([["date", "1771"], ["place", "Vic"]], [["serie", "X1A"], ["date", "1770"]]):
    ...     print(each.category, each.reference, each.prediction, each.cer, each.is_match)
    serie X1A None None False
    date 1770 1771 0.25 True
    place None Vic None False
    """
    expected = parse_entities(reference, "reference", normalize=settings.normalizer)
    predicted = parse_entities(prediction, "prediction", normalize=settings.normalizer)
    references, predictions = (side.entities if side else [] for side in (expected, predicted))
    partners = _partners(Pairs(references, predictions, settings.nerval_threshold))
    result = []
    for place, (category, text) in enumerate(references):
        if place in partners:
            other = predictions[partners[place]][1]
            cer, wer = _error_rate(other, text), _error_rate(other.split(), text.split())
            is_match = cer <= settings.nerval_threshold
            result.append(Assigned(category, text, other, place, partners[place], cer, wer, is_match))
        else:
            result.append(Assigned(category, text, None, place, None))
    invented = sorted(set(range(len(predictions))) - set(partners.values()))
    return result + [Assigned(*predictions[place][:1], None, predictions[place][1], None, place) for place in invented]


def _partners(pairs: Pairs) -> dict[int, int]:
    """From the places of references to those of predictions. Only pairs of one category are kept."""
    partners = {}
    for block in pairs.blocks:
        savings = np.array([row[0] for row in block.savings.rows()])
        rows, columns = linear_sum_assignment(savings, maximize=True)
        for row, column in zip(rows.tolist(), columns.tolist(), strict=True):
            if block.row_categories[row] == block.column_categories[column]:
                partners[block.rows[row]] = block.columns[column]
    return partners


def _error_rate(prediction: str | list[str], reference: str | list[str]) -> float:
    """min(1, distance / length of the reference); from an empty one to any other it is 1."""
    distance = Levenshtein.distance(prediction, reference)
    return min(1.0, distance / (len(reference) or 1))
