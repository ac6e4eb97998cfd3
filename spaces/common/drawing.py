"""From the drawings of an explanation to HTML, limited to the size of a page, with differences marked."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from docie.core.explanation import Boxes, Drawing, Explanation, Fields, Node, Pair, Root, Tags, Tree, pairs_of
from docie.core.phrases import counted
from docie.documents.boxes import Corners, hull
from docie.show import report
from docie.show.report.differences import Part as TextPart
from docie.show.report.differences import readable_differences, sides_of
from docie.show.report.differences import shortened as shortened_parts
from docie.show.report.fields import LOOKS
from docie.show.report.frame import Frame
from docie.show.report.scans import on_page
from docie.show.section import Scan

from .rendering import render

MOST_ROWS, MOST_NODES, MOST_WORDS, MOST_BOXES, MOST_NUMBERS = 200, 300, 1_000, 400, 100
"""The most that a page shows: rows of errors, and as many of correct values; nodes of a tree, pieces of a tagged text,
boxes in a list, numbers."""
DEEPEST = 40
"""Levels of a tree that a page shows."""


class Part(NamedTuple):
    """A section of a page: its heading, and its content as HTML, in which texts are escaped.

    It is about the document that is shown, or `is_of_all` documents.
    """

    title: str
    html: str
    is_of_all: bool = False


def drawn(drawing: Drawing, scans: Sequence[Scan] = (), boxed: Sequence[Pair] = ()) -> str:
    """A drawing of an explanation as HTML, in which all texts are escaped.

    Boxes are drawn on the first of the `scans`. Pairs whose boxes are drawn elsewhere on the page (`boxed`) have rows
    that light up with them.

    >>> from docie.core.explanation import Group, Pair
    >>> pair = Pair("Header", "total", "12.80", "12.50", "incorrect", 0.8)
    >>> "<ins>5</ins>" in drawn(Fields("Values", [Group("Header", [pair], "0 of 1 right")]))
    True
    """
    if isinstance(drawing, Fields):
        pairs = pairs_of(drawing.groups)
        explanation, numbers = Explanation("", pairs, [drawing]), pairs == [*boxed]
        return report.explanation_view(explanation, most_entities=MOST_ROWS, folds=True, numbers=numbers)
    if isinstance(drawing, Tree):
        return render("tree.html.j2", tree=drawing, looks=LOOKS, roots=[*map(_limited, drawing.roots)])
    if isinstance(drawing, Tags):
        sides = [
            (title, pieces[:MOST_WORDS], _left(len(pieces) - MOST_WORDS, "piece")) for title, pieces in drawing.sides
        ]
        return render("tags.html.j2", tags=drawing, sides=sides, looks=LOOKS)
    return _boxes(drawing, scans)


def _left(number: int, noun: str, verb: str = "shown") -> str:
    return f"Not {verb}: {counted(number, noun)}." if number > 0 else ""


# trees


class _Shown(NamedTuple):
    """A node with the parts of its texts; it is folded if all nodes below are correct."""

    node: Node
    parts: list[TextPart]
    children: list[_Shown]
    is_folded: bool


def _limited(root: Root) -> tuple[str, _Shown, str]:
    """The title of a tree, as much of it as a page shows, and what is not shown."""
    left = MOST_NODES

    def shown(node: Node, levels: int) -> _Shown:
        nonlocal left
        left -= 1
        children = [shown(child, levels - 1) for child in (node.children if levels else ()) if left]
        is_correct = node.verdict in ("correct", None) and all(child.is_folded for child in children)
        return _Shown(node, _texts(node, root), children, is_correct)

    tree = shown(root.node, DEEPEST)
    return root.title, tree, _left(_size(root.node) - (MOST_NODES - left), "node")


def _size(root: Node) -> int:
    return 1 + sum(map(_size, root.children))


def _texts(node: Node, root: Root) -> list[TextPart]:
    """The text of a node, with differences: from one tree, or from both."""
    if root.side != "both":
        is_correct = node.verdict in ("correct", None)
        expected, predicted = sides_of(node.predicted, node.expected, is_correct=is_correct)
        return predicted if root.side == "prediction" else expected
    if node.verdict == "incorrect" and node.predicted is not None and node.expected is not None:
        return readable_differences(node.predicted, node.expected)
    text = node.expected if node.predicted is None else node.predicted
    if text is None:
        return []
    part = TextPart(
        "insert" if node.verdict == "missing" else "delete" if node.verdict == "spurious" else "equal", text
    )
    return shortened_parts([part])


# boxes


class _Box(NamedTuple):
    """A box, or the one around a group; by its number it lights up with its partner and its row."""

    label: str
    corners: Corners
    number: int | None
    is_hull: bool = False


def _boxes(boxes: Boxes, scans: Sequence[Scan]) -> str:
    """Both sides' boxes on one page, over its picture if there is one; nothing but the sentence without boxes."""
    sizes = len(boxes.expected), len(boxes.predicted)
    if not any(sizes):
        return render("boxes.html.j2", lead=boxes.lead, frame=None)
    sides = {
        "reference": _numbered(boxes.expected, ((label, expected) for label, _, expected in boxes.found)),
        "prediction": _numbered(boxes.predicted, ((label, predicted) for label, predicted, _ in boxes.found)),
    }
    paper = [(0.0, 0.0, scan.width, scan.height) for scan in scans[:1]]
    places = {each.corners: each.corners for side in sides.values() for each in side}
    if scans:
        places = dict(zip(places, on_page([*places], scans[0]), strict=True))
    frame = Frame(hull([*places.values(), *paper]))
    drawn = {each: frame.drawn(place) for each, place in places.items()}
    return render(
        "boxes.html.j2",
        lead=boxes.lead,
        frame=frame,
        pictures=[(scan.url, frame.drawn(corners)) for scan, corners in zip(scans, paper, strict=False)],
        sides=sides,
        drawn=drawn,
        has_hulls=any(each.is_hull for side in sides.values() for each in side),
        numbers=[
            (number, drawn[corners], expected is None)
            for number, (_, predicted, expected) in enumerate(boxes.found[:MOST_NUMBERS], 1)
            if (corners := expected or predicted) in drawn
        ],
        title=f"{counted(sizes[0], 'box')} of the reference and {sizes[1]:,} predicted",
        omitted=_left(sum(max(0, size - MOST_BOXES) for size in sizes), "box", "drawn"),
    )


def _numbered(boxes: Sequence[tuple[str, Corners]], items: Iterable[tuple[str, Corners | None]]) -> list[_Box]:
    """The boxes of a side, behind those around its groups: items that are no box. Boxes in groups have no number."""
    numbers: dict[tuple[str, Corners], list[int]] = {}
    for number, (label, corners) in enumerate(items):
        if corners:
            numbers.setdefault((label, corners), []).append(number)
    own = [_Box(*box, numbers[box].pop(0) if numbers.get(box) else None) for box in boxes]
    hulls = [_Box(*item, number, is_hull=True) for item, left in numbers.items() for number in left]
    return hulls[:MOST_BOXES] + own[:MOST_BOXES]
