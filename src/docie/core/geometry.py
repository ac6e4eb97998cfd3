"""The areas that boxes cover, and their overlaps, for all units and labels of a document at once.

Boxes are arrays of n × 4 corners. Beside them stand whether each is expected, and the number of its unit or label.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

Corners = NDArray[np.float64]
Flags = NDArray[np.bool_]
Numbers = NDArray[np.integer[Any]]
ROUNDING = 1e-12  # 0.1 and the like are not exact: an IoU that equals a threshold must reach it
_BLOCK = 2**19  # edges or pairs at a time: what is computed of them takes no more than 50 MB


def hulls(boxes: Corners, units: Numbers) -> tuple[Numbers, Corners]:
    """The units that have boxes, rising, and the smallest box around those of each.

    >>> [part.tolist() for part in hulls(np.array([[0, 0, 2, 1], [9, 9, 10, 10], [5, 0, 9, 3]]), np.array([4, 7, 4]))]
    [[4, 7], [[0, 0, 9, 3], [9, 9, 10, 10]]]
    """
    order = units.argsort(kind="stable")
    found, starts = np.unique(units[order], return_index=True)
    low, high = boxes[order, :2], boxes[order, 2:]
    return found, np.hstack([np.minimum.reduceat(low, starts), np.maximum.reduceat(high, starts)])


def iou(first: Corners, second: Corners) -> NDArray[np.float64]:
    """The intersection over union of each box with the one at its place.

    >>> iou(np.array([[0, 0, 2, 2], [0, 0, 2, 2]]), np.array([[1, 0, 3, 2], [2, 0, 3, 1]])).round(3).tolist()
    [0.333, 0.0]
    """
    x0, y0, x1, y1 = first.T
    left, top, right, bottom = second.T
    width, height = np.minimum(x1, right) - np.maximum(x0, left), np.minimum(y1, bottom) - np.maximum(y0, top)
    overlap = width.clip(0) * height.clip(0)
    result: NDArray[np.float64] = overlap / ((x1 - x0) * (y1 - y0) + (right - left) * (bottom - top) - overlap)
    return result


def covered_areas(boxes: Corners, is_expected: Flags, units: Numbers) -> NDArray[np.float64]:
    """The area that predicted boxes cover, that expected ones cover, and that both cover, in a row for each unit.

    Overlaps on one side count once. Exact for whole numbers (areas below 2^53).

    Every unit is cut into strips at the upper and lower edges of its boxes. Along a strip, from each left or right edge
    to the next, it is known how many boxes of each side are open.

    >>> boxes = np.array([[0, 0, 2, 2], [1, 0, 3, 2], [2, 0, 4, 2]])
    >>> covered_areas(boxes, np.array([False, False, True]), np.array([0, 0, 0])).tolist()
    [[6.0, 4.0, 2.0]]
    """
    if not len(boxes):
        return np.empty((0, 3))
    y, unit_of_y = boxes[:, 1::2].ravel(), units.repeat(2)
    order = np.lexsort((y, unit_of_y))
    y, unit_of_y = y[order], unit_of_y[order]
    is_strip = np.append(True, (y[1:] != y[:-1]) | (unit_of_y[1:] != unit_of_y[:-1]))
    strips = np.empty_like(order)
    strips[order] = is_strip.cumsum() - 1
    tops, bottoms = strips[::2], strips[1::2]
    heights, unit_of_strip = np.diff(y[is_strip], append=0), unit_of_y[is_strip]  # below a unit's last edge is nothing
    order = boxes[:, 0::2].argsort(axis=None)
    edges, box = boxes[:, 0::2].ravel()[order], order // 2
    steps = 1 - 2 * (order % 2).astype(np.int8)  # 1 opens a box, -1 closes it
    steps_of_side = steps * (is_expected[box] == [[False], [True]])
    areas = np.zeros((3, unit_of_strip[-1] + 1))
    for first, last in _blocks(np.cumsum(np.bincount(tops, minlength=len(heights)) - np.bincount(bottoms))):
        edge, strip = _expanded(tops[box].clip(first, last), bottoms[box].clip(first, last))
        order = (strip - first).astype(np.uint16).argsort(kind="stable")
        edge, strip = edge[order], strip[order]
        pieces = np.diff(edges[edge], append=0) * heights[strip]
        predicted, expected = steps_of_side[:, edge].cumsum(axis=1, dtype=np.int32) > 0
        unit = unit_of_strip[strip]
        starts = np.flatnonzero(np.diff(unit, prepend=-1))
        for side, is_covered in enumerate((predicted, expected, predicted & expected)):
            areas[side, unit[starts]] += np.add.reduceat(pieces * is_covered, starts)
    return areas.T


class Overlaps(NamedTuple):
    """Pairs of a predicted and an expected box that overlap, by their places, in the order of rows.

    `levels` is the number of thresholds that each reaches.
    """

    rows: Numbers
    columns: Numbers
    levels: NDArray[np.uint8]


def overlaps(boxes: Corners, is_expected: Flags, labels: Numbers, thresholds: Sequence[float]) -> Overlaps:
    """The pairs of one label whose intersection over union reaches a threshold.

    Args:
        boxes, is_expected, labels: the boxes.
        thresholds: rising, above 0, at most 255.

    >>> boxes = np.array([[0, 0, 2, 2], [4, 0, 6, 2], [4, 0, 5, 2], [0, 1, 2, 3]])
    >>> pairs = overlaps(boxes, np.arange(4) >= 2, np.zeros(4, int), [0.2, 0.4])
    >>> [part.tolist() for part in pairs]
    [[0, 1], [3, 2], [1, 2]]
    """
    number = len(boxes)
    is_top = np.arange(2 * number) >= number
    order = np.lexsort((is_top, boxes[:, [3, 1]].T.ravel(), np.tile(labels, 2)))
    tops_before = np.empty_like(order)
    tops_before[order] = is_top[order].cumsum()
    by_top = (order[is_top[order]] - number).astype(np.int32)
    begin, end = tops_before[number:][by_top], tops_before[:number][by_top]  # a box, and those that begin beside it
    found = [(by_top[:0], by_top[:0], np.empty(0, np.uint8))]
    for first, last in _blocks(end - begin):
        one, other = _expanded(begin[first:last], end[first:last])
        pair = np.stack([by_top[first:last][one], by_top[other]])
        pair = pair[:, is_expected[pair[0]] != is_expected[pair[1]]]
        rows, columns = np.where(is_expected[pair[0]], pair[::-1], pair)
        levels = np.searchsorted(thresholds, iou(boxes[rows], boxes[columns]), side="right").astype(np.uint8)
        is_near = levels > 0
        found.append((rows[is_near], columns[is_near], levels[is_near]))
    rows, columns, levels = map(np.concatenate, zip(*found, strict=True))
    order = rows.astype(np.min_scalar_type(number)).argsort(kind="stable")  # of two bytes: ten times as fast
    return Overlaps(rows[order], columns[order], levels[order])


def _blocks(sizes: Numbers) -> Iterator[tuple[int, int]]:
    """Where blocks begin and end that have together no more than so much, nor more places than two bytes count."""
    until, first = sizes.cumsum(), 0
    while first < len(sizes):
        before = until[first - 1] if first else 0
        last = max(first + 1, min(first + 2**16, int(until.searchsorted(before + _BLOCK, side="right"))))
        yield first, last
        first = last


def _expanded(begin: Numbers, end: Numbers) -> tuple[Numbers, Numbers]:
    """The numbers from each beginning up to its end, after the places of their ranges.

    >>> [part.tolist() for part in _expanded(np.array([3, 7]), np.array([5, 8]))]
    [[0, 0, 1], [3, 4, 7]]
    """
    lengths = end - begin
    place = np.arange(len(lengths)).repeat(lengths)
    return place, np.arange(len(place)) + (end - lengths.cumsum())[place]
