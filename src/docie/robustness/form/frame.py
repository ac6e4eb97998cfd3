"""A drawing of boxes: where they are in its own units."""

from __future__ import annotations

from typing import NamedTuple

from docie.documents.boxes import Corners

SIZE = 1_000
"""The longer side of a drawing, in its own units."""
MARGIN = SIZE * 0.04
"""Around boxes that may lie at its edge."""
LEAST_SIDE = SIZE / 8
"""Of a drawing: a line of text alone would be too low to be seen."""


class Rectangle(NamedTuple):
    """A box in units of a drawing."""

    x: float
    y: float
    width: float
    height: float

    @property
    def center(self) -> tuple[float, float]:
        """The middle of the box."""
        return round(self.x + self.width / 2, 1), round(self.y + self.height / 2, 1)


class Frame:
    """A drawing of what a box holds, with a margin in its own units. Its longer side has 1,000 of these, without it.

    >>> frame = Frame((0, 0, 50, 100))
    >>> frame.width, frame.height, frame.drawn((0, 50, 25, 100))
    (580.0, 1080.0, Rectangle(x=40.0, y=540.0, width=250.0, height=500.0))
    """

    def __init__(self, around: Corners, *, margin: float = MARGIN) -> None:
        left, top, right, bottom = around
        self.margin, self.origin, extents = margin, (left, top), (right - left, bottom - top)
        self.scale = SIZE / max(extents)
        sides = (max(extent * self.scale, LEAST_SIDE) + 2 * margin for extent in extents)
        self.width, self.height = (round(side, 1) for side in sides)

    def drawn(self, box: Corners) -> Rectangle:
        """A box in units of the drawing."""
        places = zip(box, self.origin * 2, strict=True)
        x0, y0, x1, y1 = (round((value - low) * self.scale + self.margin, 1) for value, low in places)
        return Rectangle(x0, y0, round(x1 - x0, 1), round(y1 - y0, 1))
