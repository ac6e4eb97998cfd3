"""The areas that boxes cover, and their overlap."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from docie.documents.boxes import Corners, area, shared_area

_STRIP = 64  # edges at a time: a few lines of text
_ROWS = 256  # boxes at a time in a table of pairs
_CELLS = 65536  # pairs at a time: more than the processor's cache holds is slow


class Areas(NamedTuple):
    """The areas covered by predicted boxes, by reference boxes, and by both. Overlaps within each count once."""

    prediction: float
    reference: float
    overlap: float

    @property
    def iou(self) -> float:
        """Intersection over union; 0.0 if nothing is covered.

        >>> Areas(6.0, 4.0, 2.0).iou
        0.25
        """
        union = self.prediction + self.reference - self.overlap
        return self.overlap / union if union else 0.0


def covered_areas(prediction: Sequence[Corners], reference: Sequence[Corners]) -> Areas:
    """The areas of the unions of predicted and of reference boxes, and of the intersection of these unions.

    Exact for whole numbers (areas below 2^53).

    >>> covered_areas([(0, 0, 2, 2), (1, 0, 3, 2)], [(2, 0, 4, 2)])
    Areas(prediction=6.0, reference=4.0, overlap=2.0)
    """
    if len(prediction) <= 1 and len(reference) <= 1:
        overlap = shared_area(prediction[0], reference[0]) if prediction and reference else 0.0
        return Areas(sum(map(area, prediction), 0.0), sum(map(area, reference), 0.0), overlap)
    boxes = np.array([*prediction, *reference])
    is_expected = (np.arange(len(boxes)) >= len(prediction)).astype(np.intp)
    total = np.zeros(3)
    edges = np.unique(boxes[:, 1::2])
    for start in range(0, len(edges) - 1, _STRIP):  # in strips: the whole grid may have millions of cells
        ys = edges[start : start + _STRIP + 1]
        is_inside = (boxes[:, 1] < ys[-1]) & (boxes[:, 3] > ys[0])
        xs = np.unique(boxes[is_inside, 0::2])
        total += _covered_in_strip(boxes[is_inside], is_expected[is_inside], xs, ys)
    return Areas(*total.tolist())


def _covered_in_strip(
    boxes: NDArray[np.float64], is_expected: NDArray[np.intp], xs: NDArray[np.float64], ys: NDArray[np.float64]
) -> list[float]:
    """The three areas in a strip: cells of its grid inside a box, by sums of +1 and -1 at the boxes' corners.

    A box may extend beyond the strip.
    """
    corners = np.zeros((2, len(ys), len(xs)), dtype=np.int32)
    x0, x1 = (xs.searchsorted(boxes[:, side]) for side in (0, 2))
    y0, y1 = (ys.searchsorted(boxes[:, side].clip(ys[0], ys[-1])) for side in (1, 3))
    for rows, columns, sign in ((y0, x0, 1), (y1, x1, 1), (y0, x1, -1), (y1, x0, -1)):
        np.add.at(corners, (is_expected, rows, columns), sign)
    predicted, expected = corners.cumsum(1).cumsum(2)[:, :-1, :-1] > 0
    heights, widths = ys[1:] - ys[:-1], xs[1:] - xs[:-1]
    return [heights @ (cells @ widths) for cells in (predicted, expected, predicted & expected)]


class Overlaps(NamedTuple):
    """Pairs of boxes that overlap, as a sparse matrix in rows, five bytes a pair.

    The pairs of row r are `columns[starts[r] : starts[r + 1]]`; `levels` is the number of thresholds that each reaches.
    """

    starts: NDArray[np.int64]
    columns: NDArray[np.int32]
    levels: NDArray[np.uint8]


def overlaps(prediction: Sequence[Corners], reference: Sequence[Corners], thresholds: Sequence[float]) -> Overlaps:
    """The pairs of a predicted and a reference box whose intersection over union reaches a threshold.

    Args:
        prediction, reference: the boxes. Predicted ones are the rows, from top to bottom; reference ones the columns.
        thresholds: rising, above 0, at most 255.

    >>> pairs = overlaps([(0, 0, 2, 2), (4, 0, 6, 2)], [(4, 0, 5, 2), (0, 1, 2, 3)], [0.2, 0.4])
    >>> [part.tolist() for part in pairs]
    [[0, 1, 2], [1, 0], [1, 2]]
    """
    predicted, expected = (np.array(side, dtype=np.float64).reshape(-1, 4) for side in (prediction, reference))
    order = predicted[:, 1].argsort(kind="stable")  # from top to bottom, so that few reference boxes are near
    size = max(1, min(_ROWS, _CELLS // max(1, len(expected))))
    numbers, found = [np.zeros(1, np.int64)], [(np.empty(0, np.int32), np.empty(0, np.uint8))]
    for start in range(0, len(predicted), size):
        rows = order[start : start + size]
        is_near = (expected[:, 1] < predicted[rows, 3].max()) & (expected[:, 3] > predicted[rows, 1].min())
        columns = is_near.nonzero()[0]
        table = iou_table(predicted[rows], expected[columns])
        row, column = (table >= thresholds[0]).nonzero()
        levels = np.searchsorted(thresholds, table[row, column], side="right")
        numbers.append(np.bincount(row, minlength=len(rows)))
        found.append((columns[column].astype(np.int32), levels.astype(np.uint8)))
    columns, levels = (np.concatenate(arrays) for arrays in zip(*found, strict=True))
    return Overlaps(np.concatenate(numbers).cumsum(), columns, levels.astype(np.uint8, copy=False))


def iou_table(prediction: NDArray[np.float64], reference: NDArray[np.float64]) -> NDArray[np.float64]:
    """The intersections over union of n boxes (n × 4) with m boxes (m × 4), as an array n × m.

    >>> iou_table(np.array([[0, 0, 2, 2]]), np.array([[0, 0, 2, 2], [1, 0, 3, 2], [2, 0, 3, 1]])).round(3).tolist()
    [[1.0, 0.333, 0.0]]
    """
    predicted, expected = prediction[:, None], reference[None]
    width, height = (
        np.minimum(predicted[..., high], expected[..., high]) - np.maximum(predicted[..., low], expected[..., low])
        for low, high in ((0, 2), (1, 3))
    )
    overlap = width.clip(0) * height.clip(0)
    areas = [(side[..., 2] - side[..., 0]) * (side[..., 3] - side[..., 1]) for side in (predicted, expected)]
    result: NDArray[np.float64] = overlap / (areas[0] + areas[1] - overlap)
    return result
