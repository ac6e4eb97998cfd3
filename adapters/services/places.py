"""Where a value stands: pages and boxes in the spellings of services → a page from 1, and corners."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from docie.core.values.plain import is_number
from docie.documents.boxes import Corners, hull

Paths = tuple[str, ...]
"""Paths with dots in an answer, where a number is a place in a list and "" is the whole. The first one counts that
leads to something."""
_X0, _Y0 = ("left", "l", "x", "xmin"), ("top", "t", "y", "ymin")
_X1, _Y1 = ("right", "r", "xmax"), ("bottom", "b", "ymax")
_WIDTH, _HEIGHT = ("width", "w"), ("height", "h")
_SOURCE = re.compile(r"D\(([^()]*)\)")


def found_at(node: Any, path: str) -> Any:
    """What a path leads to in an answer; None if there is nothing.

    >>> found_at({"pages": [{"width": 8.5}]}, "pages.0.width")
    8.5
    """
    for key in path.split(".") if path else ():
        if isinstance(node, list) and key.isdecimal():
            node = node[int(key)] if int(key) < len(node) else None
        else:
            node = node.get(key) if isinstance(node, Mapping) else None
    return node


def first(node: Any, paths: Paths) -> Any:
    """What the first of these paths leads to that leads to something. Empty texts, lists and objects are nothing."""
    for path in paths:
        found = found_at(node, path)
        if found is not None and found not in ("", [], {}):
            return found
    return None


def page_number(value: Any) -> int | None:
    """A whole number, which services also write as text; None for anything else."""
    if isinstance(value, str) and value.isdecimal() and len(value) < 10:
        return int(value)
    return int(value) if is_number(value) and value == int(value) else None


def corners(shape: Any) -> Corners | None:
    """The upright box around a shape; None for what is no shape.

    Args:
        shape: the numbers x, y, x, y, ...; a list of points or of shapes; an object with two corners, or with one
            corner, a width and a height. Of a point, a coordinate that is 0 may be left out.

    >>> corners([0, 1, 4, 0, 4, 2, 0, 3]), corners({"Left": 0.25, "Top": 0.5, "Width": 0.5, "Height": 0.25})
    ((0, 0, 4, 3), (0.25, 0.5, 0.75, 0.75))
    >>> corners([{"y": 2}, {"x": 4, "y": 5}]), corners("4")
    ((0, 2, 4, 5), None)
    """
    if isinstance(shape, Mapping):
        return _of_object({str(key).lower(): value for key, value in shape.items()})
    if not isinstance(shape, list) or not shape:
        return None
    if all(map(is_number, shape)):
        return (
            (min(shape[::2]), min(shape[1::2]), max(shape[::2]), max(shape[1::2]))
            if len(shape) >= 4 and len(shape) % 2 == 0
            else None
        )
    parts = [corners(part) for part in shape if isinstance(part, Mapping)]
    known = [part for part in parts if part is not None]
    return hull(known) if len(known) == len(shape) else None


def _of_object(shape: dict[str, Any]) -> Corners | None:
    if shape.keys() <= {"x", "y"}:
        x, y = shape.get("x", 0), shape.get("y", 0)
        return (x, y, x, y) if is_number(x) and is_number(y) else None
    x0, y0, x1, y1 = (first(shape, names) for names in (_X0, _Y0, _X1, _Y1))
    width, height = first(shape, _WIDTH), first(shape, _HEIGHT)
    if not (is_number(x0) and is_number(y0)):
        return None
    x1 = x0 + width if x1 is None and is_number(width) else x1
    y1 = y0 + height if y1 is None and is_number(height) else y1
    if not (is_number(x1) and is_number(y1)):
        return None
    return min(x0, x1), min(y0, y1), max(x0, x1), max(y0, y1)


def regions_in_text(text: str) -> list[dict[str, Any]]:
    """The regions in Content Understanding's spelling.

    >>> regions_in_text("D(1,0,0,2,0,2,1,0,1);D(2)")
    [{'page': 1.0, 'polygon': [0.0, 0.0, 2.0, 0.0, 2.0, 1.0, 0.0, 1.0]}, {'page': 2.0, 'polygon': []}]
    """
    regions = []
    for match in _SOURCE.finditer(text):
        try:
            page, *polygon = map(float, match[1].split(","))
        except ValueError:
            continue
        regions.append({"page": page, "polygon": polygon})
    return regions


def page_sizes(pages: Any) -> dict[int, tuple[float, float]]:
    """The widths and heights of pages, by their numbers from 1.

    >>> page_sizes([{"pageNumber": 2, "width": 8.5, "height": 11, "unit": "inch"}])
    {2: (8.5, 11)}
    """
    sizes = {}
    for position, page in enumerate(_values(pages), 1):
        number = page_number(first(page, ("pageNumber", "page_number", "page_no")))
        size = size_in(first(page, ("dimension", "size", "")))
        if size:
            sizes[position if number is None else number] = size
    return sizes


def size_in(value: Any) -> tuple[float, float] | None:
    """The width and the height that an object names; None if one is no length."""
    width, height = first(value, ("width", "pageWidth")), first(value, ("height", "pageHeight"))
    return (width, height) if is_number(width) and is_number(height) and width > 0 and height > 0 else None


def _values(pages: Any) -> Iterator[Any]:
    """The elements of a list, or the values of an object."""
    children: Iterable[Any] = pages if isinstance(pages, list) else ()
    yield from pages.values() if isinstance(pages, Mapping) else children
