"""Trees of values, with what became of each of them."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from docie.show.report import TextPart

from .numbers import counted

MOST_NODES = 300
"""Nodes that a view shows of a tree."""
DEEPEST = 40
"""Levels that it shows."""


@dataclass
class TreeNode:
    """A node as it is shown.

    Attributes:
        name: its key, or its place in a list; "" for a leaf.
        tone: a class of the aligned view: right, form, substitution, addition, deletion; "" for what is neither.
        mark, label: what became of it, as a sign and in words.
        parts: the parts of its text; empty for an inner node.
        numbers: what the metric counts here, in words.
        note: what else there is to say.
        children: the nodes below.
        is_folded: whether it is closed until it is opened.
    """

    name: str
    tone: str = ""
    mark: str = ""
    label: str = ""
    parts: list[TextPart] = field(default_factory=list)
    numbers: str = ""
    note: str = ""
    children: list[TreeNode] = field(default_factory=list)
    is_folded: bool = False


def size(node: TreeNode) -> int:
    """The number of nodes of a tree."""
    total, stack = 0, [node]
    while stack:
        total += 1
        stack += stack.pop().children
    return total


def limited(root: TreeNode, most: int = MOST_NODES) -> tuple[TreeNode, str]:
    """A tree as far as it is shown, and in words what is not.

    >>> limited(TreeNode("", children=[TreeNode("a"), TreeNode("b")]), most=2)[1]
    'Not shown: 1 node.'
    """
    shown, left = _limited(root, most, DEEPEST)
    omitted = size(root) - (most - left)
    return shown, f"Not shown: {counted(omitted, 'node')}." if omitted else ""


def _limited(node: TreeNode, left: int, levels: int) -> tuple[TreeNode, int]:
    left -= 1
    children = []
    for child in node.children if levels else ():
        if not left:
            break
        limited_child, left = _limited(child, left, levels - 1)
        children.append(limited_child)
    return replace(node, children=children), left
