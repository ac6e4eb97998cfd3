"""HTML tables → the trees of their tags. Ends of cells and rows may be missing, as in browsers."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from docie.documents.markup.html import SPAN, TAG, unescaped

_HOLDERS = {
    "tr": ("table", "thead", "tbody", "tfoot"), "td": ("tr",), "th": ("tr",),
    "thead": ("table",), "tbody": ("table",), "tfoot": ("table",),
}  # fmt: skip
_NAME = re.compile(r"</?(\w+)")
_VOID = ("br", "hr", "img", "input", "wbr")


@dataclass(slots=True)
class Node:
    """A part of a table: its tag, columns and rows, its children, and what is in a cell, as characters and tags."""

    label: tuple[str, int, int]
    children: list[Node] = field(default_factory=list)
    tokens: list[str] | None = None


def table_of(text: str) -> Node | None:
    """The first table of a text, as a tree; None if there is none.

    >>> table = table_of("<table><tr><td colspan=2>1<b>2</b></table>")
    >>> table.children[0].children[0]
    Node(label=('td', 2, 1), children=[], tokens=['1', '<b>', '2', '</b>'])
    """
    tags = [*TAG.finditer(text)]
    root, stack, nested = None, list[Node](), 0
    for tag, end in zip(tags, [*(tag.start() for tag in tags[1:]), len(text)], strict=False):
        found = _NAME.match(tag[0])
        name, is_end = found[1].lower() if found else "", bool(tag[1])
        tokens = stack[-1].tokens if stack else None
        is_inline = name not in _HOLDERS and (name, is_end) != ("table", True)
        if tokens is not None and found and (nested or is_inline):
            nested += (name == "table") * (-1 if is_end else 1)
            tokens += [f"</{name}>"] if is_end else [f"<{name}>", *[f"</{name}>"] * (name in _VOID)]
        elif is_end:
            while any(node.label[0] == name for node in stack) and stack.pop().label[0] != name:
                pass
        elif name == "table" and not stack:
            root = Node((name, 1, 1))
            stack.append(root)
        elif name in _HOLDERS and stack:
            _open(name, tag[4], stack)
        if root is not None and not stack:
            break
        if stack and (tokens := stack[-1].tokens) is not None:
            tokens += unescaped(text[tag.end() : end])
    return root


def _open(name: str, attributes: str, stack: list[Node]) -> None:
    """Begin a row, a cell or a part of a table, in the nearest node that may hold it."""
    while len(stack) > 1 and stack[-1].label[0] not in _HOLDERS[name]:
        stack.pop()
    is_cell = name in ("td", "th")
    spans = {kind.lower(): int(digits[:6]) for kind, digits in SPAN.findall(attributes)} if is_cell else {}
    node = Node((name, spans.get("col", 1), spans.get("row", 1)), tokens=[] if is_cell else None)
    stack[-1].children.append(node)
    stack.append(node)
