"""Each predicted value of a document with its confidence, and whether KIEval counts it as correct."""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Mapping
from typing import NamedTuple

from docie.core.counts import Counts
from docie.metrics.kieval.metric import DEFAULT, Comparison, compare, rows_of
from docie.metrics.kieval.options import Settings


class Judged(NamedTuple):
    """The predicted values of a document, as three lists of equal length.

    Attributes:
        entity_types: the entity type of each value.
        confidences: the confidence of each value; infinity if it has none.
        right: 1 if the value is a true positive, else 0.
    """

    entity_types: tuple[str, ...]
    confidences: array[float]
    right: bytes


def count_judged(prediction: object, reference: object, settings: Settings = DEFAULT) -> Counts:
    """Count one document, and judge its predicted values.

    Args:
        prediction, reference, settings: as in `count`.

    Returns:
        Counts: those of `count`. `listed` holds one element, the `Judged` of the document.

    Raises:
        DocumentError: for a document that cannot be read.

    >>> [judged] = count_judged({"a": {"value": "1", "confidence": 0.9}, "b": "2"}, {"a": "1"}).listed
    >>> judged.entity_types, judged.confidences.tolist(), [*judged.right]
    (('a', 'b'), [0.9, inf], [1, 0])
    """
    comparisons = list(compare(prediction, reference, settings))
    counts = Counts.of_document(rows_of(comparisons, settings), valid=isinstance(prediction, Mapping))
    counts.listed.append(judged(comparisons))
    return counts


def judged(comparisons: Iterable[Comparison]) -> Judged:
    """The predicted values of the groups of a document."""
    rows = [
        (token[0], predicted[token], is_right)
        for _, predicted, _, right, wrong, _ in comparisons
        if predicted
        for tokens, is_right in ((right, 1), (wrong, 0))
        for token in tokens
    ]
    entity_types, confidences, right = zip(*rows, strict=True) if rows else ((), (), ())
    return Judged(entity_types, array("d", confidences), bytes(right))
