"""What is found in answers by its path; where a value stands: pages and boxes in the spellings of services."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping
from functools import cache
from typing import Any

from docie.core.values.plain import JsonObject, is_number
from docie.documents.boxes import Corners, hull

Paths = tuple[str, ...]
"""Paths with dots in an answer, where a number is a place in a list and "" is the whole. The first one counts that
leads to something."""
_SIDES = (  # of a box: its beginning, its end and its length, from left to right and from top to bottom
    (("left", "l", "x", "xmin"), ("right", "r", "xmax"), ("width", "w")),
    (("top", "t", "y", "ymin"), ("bottom", "b", "ymax"), ("height", "h")),
)
_CAPITAL = re.compile("[A-Z]")
_SOURCE = re.compile(r"D\((\d{1,9})((?:,-?\d+\.?\d*(?:[eE]-?\d+)?)*)\)")


def found_at(node: Any, path: str) -> Any:
    """What a path leads to in an answer; None if there is nothing.

    Services write names in camel case, and their Python packages in snake case: a path in camel case leads to both.

    >>> found_at({"pages": [{"page_number": 2}]}, "pages.0.pageNumber")
    2
    """
    for key in path.split(".") if path else ():
        if isinstance(node, list) and key.isdecimal():
            node = node[int(key)] if int(key) < len(node) else None
        elif isinstance(node, Mapping):
            node = node[key] if key in node else node.get(in_snake_case(key))
        else:
            return None
    return node


@cache
def in_snake_case(key: str) -> str:
    """A name in snake case. One that begins with a capital stays.

    >>> in_snake_case("boundingRegions"), in_snake_case("SummaryFields")
    ('bounding_regions', 'SummaryFields')
    """
    return key if key[:1].isupper() else _CAPITAL.sub(lambda found: f"_{found[0].lower()}", key)


def first(node: Any, paths: Paths) -> Any:
    """What the first of these paths leads to that leads to something. Empty texts, lists and objects are nothing."""
    found = (found_at(node, path) for path in paths)
    return next((each for each in found if each is not None and each not in ("", [], {})), None)


def objects_in(holder: Any, key: str, issues: Counter[str]) -> list[JsonObject]:
    """The objects in a list. What else is there is dropped."""
    found = found_at(holder, key)
    elements = found if isinstance(found, list) else [] if found is None else [None]
    objects = [each for each in elements if isinstance(each, dict)]
    issues[f"dropped what is no object in a list at {key!r}"] += len(elements) - len(objects)
    return objects


def label_of(text: object) -> str:
    """A printed label as a name."""
    return " ".join(text.split()).rstrip(": ") if isinstance(text, str) else ""


def page_number(value: Any) -> int | None:
    """A whole number, which services also write as text; None for anything else."""
    if isinstance(value, str) and value.isdecimal() and len(value) < 10:
        return int(value)
    return int(value) if is_number(value) and value == int(value) else None


def corners(shape: Any) -> Corners | None:
    """The upright box around a shape; None for what is no shape.

    Args:
        shape: the numbers x, y, x, y, ...; a list of points or of shapes; an object with two corners, or with one
            corner, a width and a height. A point is a pair or an object, where a coordinate that is 0 may be left out.

    >>> corners([0, 1, 4, 0, 4, 2, 0, 3]), corners({"Left": 0.25, "Top": 0.5, "Width": 0.5, "Height": 0.25})
    ((0, 0, 4, 3), (0.25, 0.5, 0.75, 0.75))
    >>> corners([{"y": 2}, {"x": 4, "y": 5}]), corners("4")
    ((0, 2, 4, 5), None)
    """
    if isinstance(shape, Mapping):
        return _of_object({str(key).lower(): value for key, value in shape.items()})
    if not isinstance(shape, list) or not shape:
        return None
    if len(shape) >= 4 and len(shape) % 2 == 0 and all(map(is_number, shape)):
        shape = [*zip(shape[::2], shape[1::2], strict=True)]
    shape = [
        {"x": part[0], "y": part[1]} if isinstance(part, list | tuple) and len(part) == 2 else part for part in shape
    ]
    parts = [corners(part) for part in shape if isinstance(part, Mapping)]
    known = [part for part in parts if part is not None]
    return hull(known) if len(known) == len(shape) else None


def _of_object(shape: dict[str, Any]) -> Corners | None:
    if shape.keys() <= {"x", "y"}:  # a point
        shape = {"x": 0, "y": 0, "width": 0, "height": 0, **shape}
    sides = []
    for names in _SIDES:
        start, end, length = (first(shape, each) for each in names)
        if end is None and is_number(start) and is_number(length):
            end = start + length
        if not (is_number(start) and is_number(end)):
            return None
        sides.append((min(start, end), max(start, end)))
    (x0, x1), (y0, y1) = sides
    return x0, y0, x1, y1


def regions_in_text(text: str) -> list[dict[str, Any]]:
    """The regions in Content Understanding's spelling.

    >>> regions_in_text("D(1,0,0,2,0,2,1,0,1);D(2)")
    [{'page': 1, 'polygon': [0.0, 0.0, 2.0, 0.0, 2.0, 1.0, 0.0, 1.0]}, {'page': 2, 'polygon': []}]
    """
    return [
        {"page": int(page), "polygon": [float(number) for number in numbers.split(",")[1:]]}
        for page, numbers in _SOURCE.findall(text)
    ]


def page_sizes(pages: Any) -> dict[int, tuple[float, float]]:
    """The widths and heights of pages, by their numbers from 1.

    >>> page_sizes([{"pageNumber": 2, "width": 8.5, "height": 11, "unit": "inch"}])
    {2: (8.5, 11)}
    """
    sizes = {}
    listed = pages.values() if isinstance(pages, Mapping) else pages if isinstance(pages, list) else ()
    for position, page in enumerate(listed, 1):
        number = page_number(first(page, ("pageNumber", "page_no", "page")))
        size = size_in(first(page, ("dimension", "size", "")))
        if size:
            sizes[position if number is None else number] = size
    return sizes


def size_in(value: Any) -> tuple[float, float] | None:
    """The width and the height that an object names; None if one is no length."""
    width, height = first(value, ("width", "pageWidth")), first(value, ("height", "pageHeight"))
    return (width, height) if is_number(width) and is_number(height) and width > 0 and height > 0 else None


def scalar_of(value: JsonObject) -> object:
    """An amount of money or a date as one value; None for any other object.

    >>> scalar_of({"currencyCode": "USD", "units": "3", "nanos": 500000000}), scalar_of({"amount": 7.5})
    (3.5, 7.5)
    >>> scalar_of({"year": 2024, "month": 2, "day": 1}), scalar_of({"city": "Trier"})
    ('2024-02-01', None)
    """
    if "amount" in value:
        return None if isinstance(value["amount"], dict | list) else value["amount"]
    if value.keys() & {"units", "nanos"}:
        units, nanos = value.get("units", 0), value.get("nanos", 0)
        try:
            return float(units) + float(nanos) / 10**9
        except (TypeError, ValueError, OverflowError):
            return None
    year, month, day = (page_number(value.get(key)) for key in ("year", "month", "day"))
    return f"{year:04}-{month:02}-{day:02}" if year and month and day else None
