"""From the drawings of an explanation to HTML, limited to the size of a page, with differences marked."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

from docie.core.explanation import Boxes, Corners, Drawing, Explanation, Fields, Node, Root, Tags, Tree
from docie.core.phrases import counted
from docie.documents.boxes import hull
from docie.show import report
from docie.show.report import LOOKS, Frame, TextPart, readable_differences, shortened_parts, sides_of

from .rendering import render

if TYPE_CHECKING:
    from docie.show.report.forms import Rectangle

MOST_ROWS, MOST_NODES, MOST_WORDS, MOST_BOXES, MOST_NUMBERS = 200, 300, 1_000, 400, 100
"""The most that a page shows: rows of errors, and as many of correct values; nodes of a tree, pieces of a tagged text,
boxes in a list, numbers."""
DEEPEST = 40
"""Levels of a tree that a page shows."""


class Part(NamedTuple):
    """A section of a page.

    Attributes:
        title: its heading.
        html: its content; texts in it are escaped.
    """

    title: str
    html: str


def drawn(drawing: Drawing) -> str:
    """A drawing as HTML.

    Args:
        drawing: a drawing of an explanation.

    Returns:
        str: a fragment of HTML. All texts in it are escaped.

    >>> from docie.core.explanation import Group, Pair
    >>> pair = Pair("Header", "total", "12.80", "12.50", "wrong", 0.8)
    >>> "<ins>5</ins>" in drawn(Fields("Values", [Group("Header", [pair], "0 of 1 right")]))
    True
    """
    if isinstance(drawing, Fields):
        return report.explanation_view(Explanation("", [], [drawing]), most_entities=MOST_ROWS)
    if isinstance(drawing, Tree):
        return render("tree.html.j2", tree=drawing, looks=LOOKS, roots=[*map(_limited_tree, drawing.roots)])
    if isinstance(drawing, Tags):
        sides = [
            (title, pieces[:MOST_WORDS], _left(len(pieces) - MOST_WORDS, "piece")) for title, pieces in drawing.sides
        ]
        return render("tags.html.j2", tags=drawing, sides=sides, looks=LOOKS)
    return render("boxes.html.j2", lead=drawing.lead, page=_page(drawing))


def _left(number: int, noun: str, verb: str = "shown") -> str:
    return f"Not {verb}: {counted(number, noun)}." if number > 0 else ""


# trees


class _Shown(NamedTuple):
    """A node with the parts of its texts; it is folded if all nodes below are correct."""

    node: Node
    parts: list[TextPart]
    children: list[_Shown]
    is_folded: bool


def _limited_tree(root: Root) -> tuple[str, _Shown, str]:
    shown, left = _limited(root.node, MOST_NODES, DEEPEST)
    omitted = _size(root.node) - (MOST_NODES - left)
    return root.title, _shown(shown, root), _left(omitted, "node")


def _size(root: Node) -> int:
    total, stack = 0, [root]
    while stack:
        total += 1
        stack += stack.pop().children
    return total


def _limited(node: Node, left: int, levels: int) -> tuple[Node, int]:
    left -= 1
    children = []
    for child in node.children if levels else ():
        if not left:
            break
        limited, left = _limited(child, left, levels - 1)
        children.append(limited)
    return replace(node, children=children), left


def _shown(node: Node, root: Root) -> _Shown:
    children = [_shown(child, root) for child in node.children]
    is_right = node.verdict in ("right", "form", None) and all(child.is_folded for child in children)
    return _Shown(node, _texts(node, root), children, is_right)


def _texts(node: Node, root: Root) -> list[TextPart]:
    """The text of a node, with differences: from one tree, or from both."""
    if root.side != "both":
        is_right = node.verdict in ("right", "form", None)
        expected, predicted = sides_of(node.predicted, node.expected, is_right=is_right)
        return predicted if root.side == "prediction" else expected
    if node.verdict == "wrong" and node.predicted is not None and node.expected is not None:
        return readable_differences(node.predicted, node.expected)
    text = node.expected if node.predicted is None else node.predicted
    if text is None:
        return []
    if node.verdict == "missed":
        return shortened_parts([TextPart("insert", text)])
    return shortened_parts([TextPart("delete" if node.verdict == "invented" else "equal", text)])


# boxes


class _Page(NamedTuple):
    """The boxes of reference and prediction in units of the drawing, those around groups, the numbers, and its size."""

    width: float
    height: float
    sides: list[tuple[str, list[tuple[str, Rectangle]], list[Rectangle]]]
    numbers: list[tuple[int, Rectangle, bool]]
    has_hulls: bool
    title: str
    omitted: str


def _page(boxes: Boxes) -> _Page | None:
    """The drawing of boxes; None if there are none."""
    sides = boxes.expected, boxes.predicted
    if not any(sides):
        return None
    known = {corners for side in sides for _, corners in side}
    frame = Frame(hull([*known]))
    shown = boxes.found[:MOST_NUMBERS]
    around = [[each for each in side if each is not None and each not in known] for side in zip(*shown, strict=True)]
    numbers = [
        (number, frame.drawn(_either(expected, predicted)), expected is None)
        for number, (predicted, expected) in enumerate(shown, 1)
    ]
    hulls = [[*map(frame.drawn, side)] for side in around[::-1]] or [[], []]
    left = sum(max(0, len(side) - MOST_BOXES) for side in sides)
    return _Page(
        width=frame.width,
        height=frame.height,
        sides=[
            (name, [(label, frame.drawn(corners)) for label, corners in side[:MOST_BOXES]], hull_of_side)
            for name, side, hull_of_side in zip(("reference", "prediction"), sides, hulls, strict=True)
        ],
        numbers=numbers,
        has_hulls=any(hulls),
        title=f"{counted(len(sides[0]), 'box')} of the reference and {len(sides[1]):,} predicted",
        omitted=_left(left, "box", "drawn"),
    )


def _either(expected: Corners | None, predicted: Corners | None) -> Corners:
    corners = predicted if expected is None else expected
    assert corners is not None
    return corners
