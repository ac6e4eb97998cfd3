"""Which boxes belong together: the pairs that detection counts, and the units that IoU_G and IoU_C are means of."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np
from scipy.sparse import csr_matrix
from scipy.sparse.csgraph import maximum_bipartite_matching

from docie.documents.boxes import Corners, parse_boxes
from docie.metrics.box_iou.geometry import covered_areas, hull, overlaps
from docie.metrics.box_iou.metric import ROUNDING, by_label, instances_of


class Unit(NamedTuple):
    """The boxes of one label and one group id, on both sides.

    Attributes:
        label, group: what they have in common; the group None is that of boxes without one.
        prediction, reference: their boxes.
        iou_grouped: the intersection over union of the smallest boxes around them; 0.0 if a side has none.
        iou_constituent: that of what they cover.
    """

    label: str
    group: str | None
    prediction: list[Corners]
    reference: list[Corners]
    iou_grouped: float
    iou_constituent: float


class Detected(NamedTuple):
    """What detection looks for, a box without a group or the smallest box around a group, and what was found.

    Attributes:
        label: the label.
        reference, prediction: the two boxes; None for a side that has none.
        iou: their intersection over union; None without a counterpart.
    """

    label: str
    reference: Corners | None
    prediction: Corners | None
    iou: float | None = None


def units(prediction: object, reference: object) -> list[Unit]:
    """The units of one document: `iou_grouped` and `iou_constituent` are the means over them.

    Args:
        prediction (list of dict): as in `count`.
        reference (list of dict): as in `count`.

    Returns:
        list of Unit: by label and group as they come, those of the reference first.

    Raises:
        DocumentError: as in `count`.

    >>> words = [{"label": "nm", "box": [0, 0, 4, 2]}, {"label": "nm", "box": [5, 0, 9, 2]}]
    >>> [(unit.label, unit.iou_grouped) for unit in units([{"label": "nm", "box": [0, 0, 9, 2]}], words)]
    [('nm', 1.0)]
    """
    predicted, expected = _read(prediction, reference)
    return [
        _unit(label, group, predicted.get(label, {}).get(group, []), expected.get(label, {}).get(group, []))
        for label in expected | predicted
        for group in {**expected.get(label, {}), **predicted.get(label, {})}
    ]


def detections(prediction: object, reference: object, threshold: float = 0.5) -> list[Detected]:
    """The most pairs of boxes that detection finds at a threshold, and what is left over on both sides.

    Args:
        prediction (list of dict): as in `count`.
        reference (list of dict): as in `count`.
        threshold (float): the least intersection over union of a pair, above 0 and at most 1.

    Returns:
        list of Detected: label by label, what the reference has in its order, then what was only predicted.

    Raises:
        DocumentError: as in `count`.

    >>> boxes = [{"label": "total", "box": [0, 0, 4, 1]}, {"label": "total", "box": [0, 5, 4, 6]}]
    >>> [each.iou for each in detections([{"label": "total", "box": [1, 5, 4, 6]}], boxes)]
    [None, 0.75]
    """
    predicted, expected = _read(prediction, reference)
    return [
        found
        for label in expected | predicted
        for found in _detected(
            label, instances_of(predicted.get(label, {})), instances_of(expected.get(label, {})), threshold
        )
    ]


def _read(prediction: object, reference: object) -> tuple[Any, Any]:
    """The boxes of both sides by label, and by group."""
    sides = parse_boxes(prediction, "prediction"), parse_boxes(reference, "reference")
    predicted, expected = (by_label(side or []) for side in sides)
    return predicted, expected


def _unit(label: str, group: str | None, predicted: list[Corners], expected: list[Corners]) -> Unit:
    if not predicted or not expected:
        return Unit(label, group, predicted, expected, 0.0, 0.0)
    grouped = covered_areas([hull(predicted)], [hull(expected)]).iou
    return Unit(label, group, predicted, expected, grouped, covered_areas(predicted, expected).iou)


def _detected(
    label: str, predictions: Sequence[Corners], references: Sequence[Corners], threshold: float
) -> Iterator[Detected]:
    pairs = overlaps(predictions, references, [threshold - ROUNDING])
    graph = csr_matrix(
        (np.ones(len(pairs.columns), np.int8), pairs.columns, pairs.starts), shape=(len(predictions), len(references))
    )
    matched = maximum_bipartite_matching(graph, perm_type="row")  # of each column its row, -1 for none
    order = sorted(range(len(predictions)), key=lambda place: predictions[place][1])  # the rows are from top to bottom
    partners = {column: order[row] for column, row in enumerate(matched.tolist()) if row >= 0}
    for column, reference in enumerate(references):
        row = partners.get(column)
        if row is None:
            yield Detected(label, reference, None)
        else:
            iou = covered_areas([predictions[row]], [reference]).iou
            yield Detected(label, reference, predictions[row], iou)
    for row in sorted(set(range(len(predictions))) - set(partners.values())):
        yield Detected(label, None, predictions[row])
