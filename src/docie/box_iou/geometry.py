"""The areas that boxes cover, and how much boxes overlap."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from docie.documents import Corners

_STRIP = 64  # edges at a time: some lines of text
_ROWS = 256  # boxes at a time in a table of pairs


class Areas(NamedTuple):
    """What predicted boxes cover, what reference boxes cover, and what both cover. Overlaps of a side count once."""

    prediction: float
    reference: float
    overlap: float

    @property
    def iou(self) -> float:
        """Intersection over union; 0.0 where nothing is covered.

        >>> Areas(6.0, 4.0, 2.0).iou
        0.25
        """
        union = self.prediction + self.reference - self.overlap
        return self.overlap / union if union else 0.0


def hull(boxes: Sequence[Corners]) -> Corners:
    """The smallest box around all boxes, of which there is at least one.

    >>> hull([(0, 0, 1, 1), (3, 2, 4, 3)])
    (0, 0, 4, 3)
    """
    x0, y0, x1, y1 = zip(*boxes, strict=True)
    return min(x0), min(y0), max(x1), max(y1)


def covered_areas(prediction: Sequence[Corners], reference: Sequence[Corners]) -> Areas:
    """The areas of the unions of both sides' boxes, and of the intersection of these unions.

    Exact for whole numbers (areas below 2^53).

    >>> covered_areas([(0, 0, 2, 2), (1, 0, 3, 2)], [(2, 0, 4, 2)])
    Areas(prediction=6.0, reference=4.0, overlap=2.0)
    """
    if len(prediction) <= 1 and len(reference) <= 1:
        overlap = _overlap(prediction[0], reference[0]) if prediction and reference else 0.0
        return Areas(sum(map(_area, prediction), 0.0), sum(map(_area, reference), 0.0), overlap)
    boxes = np.array([*prediction, *reference])
    is_predicted = np.arange(len(boxes)) < len(prediction)
    total = np.zeros(3)
    edges = np.unique(boxes[:, 1::2])
    for start in range(0, len(edges) - 1, _STRIP):  # in strips: the whole grid may have millions of cells
        ys = edges[start : start + _STRIP + 1]
        is_inside = (boxes[:, 1] < ys[-1]) & (boxes[:, 3] > ys[0])
        xs = np.unique(boxes[is_inside, 0::2])
        predicted, expected = (_covered(boxes[is_inside & side], xs, ys) for side in (is_predicted, ~is_predicted))
        total += [np.diff(ys) @ (cells @ np.diff(xs)) for cells in (predicted, expected, predicted & expected)]
    return Areas(*total.tolist())


def _covered(boxes: NDArray[np.float64], xs: NDArray[np.float64], ys: NDArray[np.float64]) -> NDArray[np.bool_]:
    """Which cells of the grid of `ys` and `xs` lie in a box: sums of +1 and -1 at the corners of the boxes."""
    corners = np.zeros((len(ys), len(xs)), dtype=np.int32)
    x0, x1 = xs.searchsorted(boxes[:, 0]), xs.searchsorted(boxes[:, 2])
    y0, y1 = (ys.searchsorted(boxes[:, column].clip(ys[0], ys[-1])) for column in (1, 3))
    for rows, columns, sign in ((y0, x0, 1), (y1, x1, 1), (y0, x1, -1), (y1, x0, -1)):
        np.add.at(corners, (rows, columns), sign)
    return corners.cumsum(0).cumsum(1)[:-1, :-1] > 0


def overlapping_pairs(
    prediction: Sequence[Corners], reference: Sequence[Corners], least: float
) -> tuple[NDArray[np.intp], NDArray[np.intp], NDArray[np.float64]]:
    """The pairs of a predicted and a reference box whose intersection over union is at least `least` > 0.

    Returns:
        Three arrays: the places of the predicted boxes, those of the reference boxes, and the intersections over union.

    >>> rows, columns, ious = overlapping_pairs([(0, 0, 2, 2), (4, 0, 6, 2)], [(4, 0, 5, 2), (0, 1, 2, 3)], 0.4)
    >>> list(zip(rows.tolist(), columns.tolist(), ious.tolist()))
    [(1, 0, 0.5)]
    """
    predicted, expected = (np.array(side, dtype=np.float64).reshape(-1, 4) for side in (prediction, reference))
    order = predicted[:, 1].argsort(kind="stable")  # from top to bottom, so that few reference boxes are near
    parts: list[tuple[Any, Any, Any]] = []
    for start in range(0, len(predicted), _ROWS):
        rows = order[start : start + _ROWS]
        is_near = (expected[:, 1] < predicted[rows, 3].max()) & (expected[:, 3] > predicted[rows, 1].min())
        columns = is_near.nonzero()[0]
        table = iou_table(predicted[rows], expected[columns])
        row, column = (table >= least).nonzero()
        parts.append((rows[row], columns[column], table[row, column]))
    if not parts:
        return np.empty(0, np.intp), np.empty(0, np.intp), np.empty(0)
    rows, columns, ious = (np.concatenate(arrays) for arrays in zip(*parts, strict=True))
    return rows, columns, ious


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


def _area(box: Corners) -> float:
    x0, y0, x1, y1 = box
    return (x1 - x0) * (y1 - y0)


def _overlap(predicted: Corners, expected: Corners) -> float:
    width = min(predicted[2], expected[2]) - max(predicted[0], expected[0])
    height = min(predicted[3], expected[3]) - max(predicted[1], expected[1])
    return width * height if width > 0 and height > 0 else 0.0
