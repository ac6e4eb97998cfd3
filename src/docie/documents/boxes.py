"""Boxes: their areas; labelled boxes: reading and checking them."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from itertools import chain
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from docie.core.errors import DocumentError, in_json, json_kind, located_errors
from docie.core.geometry import covered_areas
from docie.core.phrases import counted
from docie.core.values.plain import as_list, identity_text, is_list

Corners = tuple[float, float, float, float]
"""x0, y0, x1, y1 with x0 < x1 and y0 < y1, in any unit."""
_LARGEST, _SMALLEST_AREA = 1e100, 1e-100  # beyond these, a product of coordinates is more than a double can hold


def hull(boxes: Iterable[Corners]) -> Corners:
    """The smallest box around at least one box.

    >>> hull([(0, 0, 2, 1), (5, 0, 9, 3)])
    (0, 0, 9, 3)
    """
    left, top, right, bottom = zip(*boxes, strict=True)
    return min(left), min(top), max(right), max(bottom)


def area(box: Corners) -> float:
    """The area of a box."""
    return (box[2] - box[0]) * (box[3] - box[1])


def shared_area(first: Corners, second: Corners) -> float:
    """The area of the intersection of two boxes."""
    width = min(first[2], second[2]) - max(first[0], second[0])
    height = min(first[3], second[3]) - max(first[1], second[1])
    return width * height if width > 0 and height > 0 else 0.0


def iou_of_unions(predicted: Sequence[Corners], expected: Sequence[Corners]) -> float:
    """The intersection over union of what the boxes of each side cover together.

    Args:
        predicted, expected: at least one box each.

    >>> iou_of_unions([(0, 0, 1, 2), (1, 0, 2, 2)], [(0, 0, 2, 1)])
    0.5
    """
    if len(predicted) == len(expected) == 1:  # as most: without numpy, in a fiftieth of the time
        both = shared_area(predicted[0], expected[0])
        return both / (area(predicted[0]) + area(expected[0]) - both)
    boxes = np.array([*predicted, *expected], dtype=np.float64)
    is_expected = np.arange(len(boxes)) >= len(predicted)
    [[one, other, both]] = covered_areas(boxes, is_expected, np.zeros(len(boxes), np.int64)).tolist()
    return float(both / (one + other - both))


class Boxes(NamedTuple):
    """Labelled rectangles, each in a group if it has an id; their corners are an array n × 4."""

    labels: list[str]
    groups: list[str | None]
    corners: NDArray[np.float64]


def parse_boxes(value: object, side: str) -> Boxes | None:
    """Read the boxes of one document.

    Args:
        value (list of dict): objects with `label` (text) and either `box` ([x0, y0, x1, y1]) or `quad` (four points, or
            their eight numbers). A quad stands for the smallest upright box around it. They may have a `group` (text or
            a whole number, 1 being the same as "1"; None or "" for none). Other keys do not matter. Lists may be numpy
            arrays.
        side (str): "prediction" or "reference".

    Returns:
        Boxes: the boxes; None for a prediction that is no list.

    Raises:
        DocumentError: for a reference that is no list, and for a box that cannot be read or has no area; it names the
            box.

    >>> total = {"label": "total", "quad": [[0, 1], [4, 0], [4, 2], [0, 3]], "group": 7, "text": "9.00"}
    >>> labels, groups, corners = parse_boxes([total], "prediction")
    >>> labels, groups, corners.tolist()
    (['total'], ['7'], [[0.0, 0.0, 4.0, 3.0]])
    """
    if not is_list(value):
        if side == "reference":
            raise DocumentError(f"reference must be a list of boxes, got {json_kind(value)}", side=side)
        return None
    items = as_list(value)
    boxes = _plain_boxes(items)
    if boxes is not None:
        return boxes
    rows = []
    for number, item in enumerate(items):
        with located_errors(item=f"box {number}", side=side):
            rows.append(_box(item))
    return Boxes([row[0] for row in rows], [row[1] for row in rows], np.array([row[2] for row in rows]).reshape(-1, 4))


def boxes_on_pages(box: object, page: object = None) -> dict[str, list[Corners]]:
    """Where a value stands: the boxes of a scored leaf by their pages.

    Args:
        box: [x0, y0, x1, y1], a quad (four points, or eight numbers), or a list of these; None for none.
        page: text or a whole number, or a list with the page of each box. A box without a page is on page 1.

    Raises:
        ValueError: for what is no box, or has no area; unless there is a page for all boxes, or one for each.

    >>> boxes_on_pages([[0, 0, 4, 1], [0, 1, 2, 2]], 2), boxes_on_pages([[0, 0, 4, 1], [0, 1, 2, 2]], [2, 3])
    ({'2': [(0.0, 0.0, 4.0, 1.0), (0.0, 1.0, 2.0, 2.0)]}, {'2': [(0.0, 0.0, 4.0, 1.0)], '3': [(0.0, 1.0, 2.0, 2.0)]})
    """
    value, pages = _plain(box), _plain(page)
    if value is None or (isinstance(value, list | tuple) and not value):
        return {}
    parts = [_plain(each) for each in value] if isinstance(value, list | tuple) else []
    is_several = bool(parts) and all(isinstance(each, list | tuple) and len(each) != 2 for each in parts)
    boxes = parts if is_several else [value]
    if not isinstance(pages, list | tuple):
        pages = [pages] * len(boxes)
    if len(pages) != len(boxes):
        raise ValueError(f"expected a page for each of {counted(len(boxes), 'box')}, got {in_json(page)}")
    found: dict[str, list[Corners]] = {}
    for each, on in zip(boxes, pages, strict=True):
        is_quad = isinstance(each, list | tuple) and (len(each) == 8 or (len(each) == 4 and not _is_number(each[0])))
        corners = _corners_of_quad(each) if is_quad else _corners_of_box(each)
        found.setdefault(identity_text("page", on) or "1", []).append(corners)
    return found


def pages_named(page: object) -> set[str]:
    """The pages that a scored leaf names: one or a list; none for None.

    >>> sorted(pages_named([2, "3", 2.0]))
    ['2', '3']
    """
    pages = _plain(page)
    names = (identity_text("page", each) for each in (pages if isinstance(pages, list | tuple) else [pages]))
    return {name for name in names if name}


def _plain_boxes(items: Sequence[Any]) -> Boxes | None:
    """The boxes if each has four plain numbers, as nearly all have, read at once; None otherwise, or for an error."""
    if {*map(type, items)} != {dict} or any(item.get("quad") is not None for item in items):
        return None
    labels, groups, boxes = ([item.get(name) for item in items] for name in ("label", "group", "box"))
    if {*map(type, labels)} != {str} or "" in labels or not {*map(type, boxes)} <= {list, tuple}:
        return None
    if {*map(len, boxes)} != {4} or not {*map(type, chain.from_iterable(boxes))} <= {float, int}:
        return None
    try:
        groups = [None if group is None else identity_text("group", group) or None for group in groups]
        corners = np.fromiter(chain.from_iterable(boxes), np.float64, 4 * len(boxes)).reshape(-1, 4)
    except (OverflowError, ValueError):
        return None
    sizes = corners[:, 2:] - corners[:, :2]
    is_read = np.abs(corners).max() <= _LARGEST and sizes.min() > 0 and sizes.prod(axis=1).min() >= _SMALLEST_AREA
    return Boxes(labels, groups, corners) if is_read else None


def _box(item: object) -> tuple[str, str | None, Corners]:
    if not isinstance(item, Mapping):
        raise ValueError(f"expected an object with label and box, got {json_kind(item)}")
    label, box, quad = item.get("label"), item.get("box"), item.get("quad")
    if not isinstance(label, str) or not label:
        raise ValueError(f"label must be text, got {in_json(label)}")
    if (box is None) == (quad is None):
        raise ValueError(f"expected either box or quad, got {'neither' if box is None else 'both'}")
    corners = _corners_of_box(box) if quad is None else _corners_of_quad(quad)
    return str.__str__(label), identity_text("group", item.get("group")) or None, corners


def _corners_of_box(value: object) -> Corners:
    numbers = _plain(value)
    if not isinstance(numbers, list | tuple) or len(numbers) != 4 or not all(map(_is_number, numbers)):
        raise ValueError(f"box must be four numbers [x0, y0, x1, y1], got {in_json(value)}")
    x0, y0, x1, y1 = _floats(numbers)
    if not (x0 < x1 and y0 < y1):
        raise ValueError(f"box must have x0 < x1 and y0 < y1, got {in_json(value)}")
    return _checked_area((x0, y0, x1, y1))


def _corners_of_quad(value: object) -> Corners:
    points = [_plain(point) for point in plain] if isinstance(plain := _plain(value), list | tuple) else []
    if len(points) == 4 and all(isinstance(point, list | tuple) and len(point) == 2 for point in points):
        points = [number for point in points for number in point]
    if len(points) != 8 or not all(map(_is_number, points)):
        raise ValueError(f"quad must be four points [x, y] or eight numbers, got {in_json(value)}")
    numbers = _floats(points)
    corners = min(numbers[::2]), min(numbers[1::2]), max(numbers[::2]), max(numbers[1::2])
    if not (corners[0] < corners[2] and corners[1] < corners[3]):
        raise ValueError(f"quad must have a width and a height, got {in_json(value)}")
    return _checked_area(corners)


def _checked_area(corners: Corners) -> Corners:
    if area(corners) < _SMALLEST_AREA:
        raise ValueError(f"its area must be at least {_SMALLEST_AREA}, got {area(corners)}")
    return corners


def _plain(value: object) -> Any:
    return value.tolist() if isinstance(value, np.ndarray) else value


def _is_number(value: object) -> bool:
    return isinstance(value, float | int | np.floating | np.integer) and not isinstance(value, bool)


def _floats(numbers: Sequence[Any]) -> list[float]:
    result = []
    for number in numbers:
        try:
            value = float(number)
        except OverflowError:  # of a whole number
            value = math.inf
        if not abs(value) <= _LARGEST:
            raise ValueError(f"coordinates must be finite numbers below {_LARGEST}, got {in_json(number)}")
        result.append(value)
    return result
