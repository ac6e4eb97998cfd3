"""Labelled boxes: reading them, the areas that they cover, which of them overlap."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from docie.errors import DocumentError, shortened
from docie.values import as_list, is_list

Corners = tuple[float, float, float, float]
"""x0, y0, x1, y1 with x0 < x1 and y0 < y1, in any unit."""
_LARGEST, _SMALLEST_AREA = 1e100, 1e-100  # beyond these, products of coordinates leave what a double can hold
_STRIP = 64  # edges at a time: some lines of text
_ROWS = 256  # boxes at a time in a table of pairs


class Box(NamedTuple):
    """A labelled rectangle, of a group if it has an id."""

    label: str
    group: str | None
    corners: Corners


class Areas(NamedTuple):
    """What two sets of boxes cover, each set's own overlaps counted once, and what both cover."""

    left: float
    right: float
    overlap: float


def read(value: Any, side: str) -> list[Box] | None:
    """The boxes of one document.

    `value` is a list of objects with `label` (text), either `box` ([x0, y0, x1, y1]) or `quad` (four points, or their
    eight numbers), which stands for the smallest upright box around it, and perhaps `group` (text or a whole number,
    `1` being `"1"`; None or "" for none). Other keys do not matter.
    Numpy arrays are lists. `side` is "prediction", for which what is no list gives None, or "reference".

    Raises DocumentError for a reference that is no list and, naming the box, for one that cannot be read or has no
    area.

    >>> read([{"label": "total", "quad": [[0, 1], [4, 0], [4, 2], [0, 3]], "group": 7, "text": "9.00"}], "prediction")
    [Box(label='total', group='7', corners=(0.0, 0.0, 4.0, 3.0))]
    """
    if not is_list(value):
        if side == "reference":
            raise DocumentError(f"reference must be a list of boxes, got {type(value).__name__}", side=side)
        return None
    boxes = []
    for number, item in enumerate(as_list(value)):
        try:
            boxes.append(_box(item))
        except ValueError as error:
            raise DocumentError(str(error), item=f"box {number}", side=side) from None
    return boxes


def _box(item: Any) -> Box:
    if not isinstance(item, Mapping):
        raise ValueError(f"expected an object with label and box, got {type(item).__name__}")
    label, box, quad = item.get("label"), item.get("box"), item.get("quad")
    if not isinstance(label, str) or not label:
        raise ValueError(f"label must be text, got {shortened(label)}")
    if (box is None) == (quad is None):
        raise ValueError(f"expected either box or quad, got {'neither' if box is None else 'both'}")
    return Box(str.__str__(label), _group(item.get("group")), _of_box(box) if quad is None else _of_quad(quad))


def _group(value: Any) -> str | None:
    """A group's id as text."""
    if isinstance(value, np.generic):
        value = value.item()
    if isinstance(value, float) and value.is_integer():  # as tables write whole numbers beside missing ones
        value = int(value)
    if value is None or isinstance(value, str):
        return str.__str__(value) if value else None
    if isinstance(value, bool) or not isinstance(value, int):
        raise ValueError(f"group must be text or a whole number, got {shortened(value)}")
    return str(value)


def _of_box(value: Any) -> Corners:
    numbers = _plain(value)
    if not isinstance(numbers, list | tuple) or len(numbers) != 4 or not all(map(_is_number, numbers)):
        raise ValueError(f"box must be four numbers [x0, y0, x1, y1], got {shortened(value)}")
    x0, y0, x1, y1 = _floats(numbers)
    if not (x0 < x1 and y0 < y1):
        raise ValueError(f"box must have x0 < x1 and y0 < y1, got {shortened(value)}")
    return _of_some_size((x0, y0, x1, y1))


def _of_quad(value: Any) -> Corners:
    points = [_plain(point) for point in plain] if isinstance(plain := _plain(value), list | tuple) else []
    if len(points) == 4 and all(isinstance(point, list | tuple) and len(point) == 2 for point in points):
        points = [number for point in points for number in point]
    if len(points) != 8 or not all(map(_is_number, points)):
        raise ValueError(f"quad must be four points [x, y] or eight numbers, got {shortened(value)}")
    numbers = _floats(points)
    corners = min(numbers[::2]), min(numbers[1::2]), max(numbers[::2]), max(numbers[1::2])
    if not (corners[0] < corners[2] and corners[1] < corners[3]):
        raise ValueError(f"quad must have a width and a height, got {shortened(value)}")
    return _of_some_size(corners)


def _of_some_size(corners: Corners) -> Corners:
    if _area(corners) < _SMALLEST_AREA:
        raise ValueError(f"its area must be at least {_SMALLEST_AREA}, got {_area(corners)}")
    return corners


def _plain(value: Any) -> Any:
    return value.tolist() if isinstance(value, np.ndarray) else value


def _is_number(value: Any) -> bool:
    return isinstance(value, float | int | np.floating | np.integer) and not isinstance(value, bool)


def _floats(numbers: Sequence[Any]) -> list[float]:
    result = []
    for number in numbers:
        try:
            value = float(number)
        except OverflowError:  # of a whole number
            value = math.inf
        if not abs(value) <= _LARGEST:
            raise ValueError(f"coordinates must be finite numbers below {_LARGEST}, got {shortened(number)}")
        result.append(value)
    return result


def hull(boxes: Sequence[Corners]) -> Corners:
    """The smallest box around all boxes, of which there is at least one.

    >>> hull([(0, 0, 1, 1), (3, 2, 4, 3)])
    (0, 0, 4, 3)
    """
    x0, y0, x1, y1 = zip(*boxes, strict=True)
    return min(x0), min(y0), max(x1), max(y1)


def areas(left: Sequence[Corners], right: Sequence[Corners]) -> Areas:
    """The areas of the unions of `left` and of `right`, and of what both unions have in common.

    Exact for whole numbers (below 2^53 in area). Overlaps of one side are not counted twice.

    >>> areas([(0, 0, 2, 2), (1, 0, 3, 2)], [(2, 0, 4, 2)])
    Areas(left=6.0, right=4.0, overlap=2.0)
    """
    if len(left) <= 1 and len(right) <= 1:
        overlap = _overlap(left[0], right[0]) if left and right else 0.0
        return Areas(sum(map(_area, left), 0.0), sum(map(_area, right), 0.0), overlap)
    boxes = np.array([*left, *right])
    is_left = np.arange(len(boxes)) < len(left)
    total = np.zeros(3)
    edges = np.unique(boxes[:, 1::2])
    for start in range(0, len(edges) - 1, _STRIP):  # in strips: the whole grid may have millions of cells
        ys = edges[start : start + _STRIP + 1]
        inside = (boxes[:, 1] < ys[-1]) & (boxes[:, 3] > ys[0])
        xs = np.unique(boxes[inside, 0::2])
        one, other = (_covered(boxes[inside & side], xs, ys) for side in (is_left, ~is_left))
        total += [np.diff(ys) @ (cells @ np.diff(xs)) for cells in (one, other, one & other)]
    return Areas(*total.tolist())


def _covered(boxes: NDArray[np.float64], xs: NDArray[np.float64], ys: NDArray[np.float64]) -> NDArray[np.bool_]:
    """Which cells of the grid between `ys` and `xs` lie in some box: sums of +1 and -1 at the boxes' corners."""
    corners = np.zeros((len(ys), len(xs)), dtype=np.int32)
    x0, x1 = xs.searchsorted(boxes[:, 0]), xs.searchsorted(boxes[:, 2])
    y0, y1 = (ys.searchsorted(boxes[:, column].clip(ys[0], ys[-1])) for column in (1, 3))
    for rows, columns, sign in ((y0, x0, 1), (y1, x1, 1), (y0, x1, -1), (y1, x0, -1)):
        np.add.at(corners, (rows, columns), sign)
    return corners.cumsum(0).cumsum(1)[:-1, :-1] > 0


def iou(found: Areas) -> float:
    """Intersection over union, 0.0 where nothing is covered.

    >>> iou(Areas(6.0, 4.0, 2.0))
    0.25
    """
    union = found.left + found.right - found.overlap
    return found.overlap / union if union else 0.0


def overlapping(
    left: Sequence[Corners], right: Sequence[Corners], least: float
) -> tuple[NDArray[np.intp], NDArray[np.intp], NDArray[np.float64]]:
    """The pairs of single boxes with an intersection over union of at least `least` > 0: positions, and their IoU.

    >>> rows, columns, ious = overlapping([(0, 0, 2, 2), (4, 0, 6, 2)], [(4, 0, 5, 2), (0, 1, 2, 3)], 0.4)
    >>> list(zip(rows.tolist(), columns.tolist(), ious.tolist()))
    [(1, 0, 0.5)]
    """
    one, other = (np.array(side, dtype=np.float64).reshape(-1, 4) for side in (left, right))
    order = one[:, 1].argsort(kind="stable")  # from top to bottom: few boxes of the other side are near
    found: list[tuple[Any, Any, Any]] = []
    for start in range(0, len(one), _ROWS):
        rows = order[start : start + _ROWS]
        near = (other[:, 1] < one[rows, 3].max()) & (other[:, 3] > one[rows, 1].min())
        columns = near.nonzero()[0]
        table = ious(one[rows], other[columns])
        row, column = (table >= least).nonzero()
        found.append((rows[row], columns[column], table[row, column]))
    if not found:
        return np.empty(0, np.intp), np.empty(0, np.intp), np.empty(0)
    rows, columns, values = (np.concatenate(parts) for parts in zip(*found, strict=True))
    return rows, columns, values


def ious(left: NDArray[np.float64], right: NDArray[np.float64]) -> NDArray[np.float64]:
    """The table of intersection over union of boxes (n × 4) against boxes (m × 4).

    >>> ious(np.array([[0, 0, 2, 2]]), np.array([[0, 0, 2, 2], [1, 0, 3, 2], [2, 0, 3, 1]])).round(3).tolist()
    [[1.0, 0.333, 0.0]]
    """
    one, other = left[:, None], right[None]
    width, height = (
        np.minimum(one[..., high], other[..., high]) - np.maximum(one[..., low], other[..., low])
        for low, high in ((0, 2), (1, 3))
    )
    overlap = width.clip(0) * height.clip(0)
    areas = [(side[..., 2] - side[..., 0]) * (side[..., 3] - side[..., 1]) for side in (one, other)]
    result: NDArray[np.float64] = overlap / (areas[0] + areas[1] - overlap)
    return result


def _area(box: Corners) -> float:
    x0, y0, x1, y1 = box
    return (x1 - x0) * (y1 - y0)


def _overlap(one: Corners, other: Corners) -> float:
    width = min(one[2], other[2]) - max(one[0], other[0])
    height = min(one[3], other[3]) - max(one[1], other[1])
    return width * height if width > 0 and height > 0 else 0.0
