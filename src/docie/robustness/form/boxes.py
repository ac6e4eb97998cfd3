"""Boxes [x0, y0, x1, y1] on a page, with y growing downwards."""

from __future__ import annotations

from collections.abc import Iterable

Box = tuple[float, float, float, float]
Page = tuple[float, float]
LEAST = 1 / 1000
"""The least width and height of a box, as a share of the page: one unit of the grid on which LayoutLM puts boxes."""


def fitted(box: Box, page: Page) -> Box:
    """The nearest box that lies on the page and has an area.

    Edges in the wrong order are exchanged, what hangs over the page is cut off, and a box of no width or height becomes
    a thousandth of the page wide or high.

    Args:
        box (tuple of float): x0, y0, x1, y1.
        page (tuple of float): width and height of the page.

    Returns:
        tuple of float: the box, with 0 <= x0 < x1 <= width and 0 <= y0 < y1 <= height.

    >>> fitted((-5, 20, 30, 10), (100, 200)), fitted((100, 7, 120, 7), (100, 200))
    ((0, 10, 30, 20), (99.9, 7, 100.0, 7.2))
    """
    x0, x1 = _span(box[0], box[2], page[0])
    y0, y1 = _span(box[1], box[3], page[1])
    return x0, y0, x1, y1


def _span(first: float, second: float, size: float) -> tuple[float, float]:
    start, end = (first, second) if first <= second else (second, first)
    start, end = (start if start > 0 else 0), (end if end < size else size)
    least = size * LEAST
    if end - start >= least:
        return start, end
    if end <= least:
        return 0, least
    start = min(start, size - least)
    return start, min(start + least, size)


def hull(boxes: Iterable[Box]) -> Box:
    """The smallest box around boxes, of which there is at least one.

    Args:
        boxes (iterable of tuple): the boxes.

    Returns:
        tuple of float: the box around them.

    >>> hull([(0, 0, 2, 1), (5, 0, 9, 3)])
    (0, 0, 9, 3)
    """
    left, top, right, bottom = zip(*boxes, strict=True)
    return min(left), min(top), max(right), max(bottom)


def shared_area(first: Box, second: Box) -> float:
    """The area that two boxes share."""
    width = min(first[2], second[2]) - max(first[0], second[0])
    height = min(first[3], second[3]) - max(first[1], second[1])
    return width * height if width > 0 and height > 0 else 0.0


def area(box: Box) -> float:
    """The area of a box."""
    return (box[2] - box[0]) * (box[3] - box[1])


def iou(first: Box, second: Box) -> float:
    """Intersection over union of two boxes.

    Args:
        first (tuple of float): a box with an area.
        second (tuple of float): another one.

    Returns:
        float: between 0 (they share nothing) and 1 (they are equal).

    >>> iou((0, 0, 2, 2), (1, 0, 3, 2)), iou((0, 0, 2, 2), (0, 0, 2, 2)), iou((0, 0, 1, 1), (1, 1, 2, 2))
    (0.3333333333333333, 1.0, 0.0)
    """
    if first == second:
        return 1.0
    shared = shared_area(first, second)
    return shared / (area(first) + area(second) - shared)
