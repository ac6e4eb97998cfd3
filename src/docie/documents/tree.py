"""JSON trees: what the families read that compare a JSON value as it stands (ANLS*, nTED).

A node is None (an absent value: null, blank text), text (numbers and booleans as JSON writes them), a list of nodes, a
dict of nodes or, in a reference, a `OneOf` of nodes. A scored leaf is read as its value.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from docie.core.errors import json_kind, located_errors
from docie.core.values.json_text import ANY_OF, MAX_DEPTH
from docie.core.values.plain import JSON_TYPES, key_text, longer_path, plain_value, read_confidence, scalar_text
from docie.documents.leaves import OneOf, Walk, alternatives_of, is_one_of_object, is_scored_leaf

Node = Any  # None | str | list[Node] | dict[str, Node] | OneOf


def parse_tree(
    value: object,
    side: str,
    *,
    normalize: Callable[[str, str], str] | None = None,
    only_text_alternatives: bool = False,
) -> Node:
    """Read a JSON value as a tree.

    Args:
        value: the JSON value.
        side (str): "prediction" or "reference".
        normalize: a function (path, text) → text, applied to every text. The path is the entity type that a document
            has there.
        only_text_alternatives (bool): refuse alternatives that are objects or lists.

    Returns:
        The node at the root.

    Raises:
        DocumentError: for a confidence outside of [0, 1], a value that JSON does not have, or nesting of more than
            100 levels; it names the path.

    >>> parse_tree({"total": ("12.00", 12), "menu": [{"nm": {"value": "Latte", "confidence": 0.9}}, "  "]}, "reference")
    {'total': OneOf('12.00', '12'), 'menu': [{'nm': 'Latte'}, None]}
    """
    return _Reader(side, normalize, only_text_alternatives).node(value, "", "", 0)


class TreeSizes:
    """The numbers of texts in trees (equation 4 of the ANLS* paper). Of alternatives, the largest counts.

    What was counted is remembered by identity, so the trees must live as long as this does.

    >>> TreeSizes().of({"nm": "Latte", "sub": ["hot", None]})
    3
    """

    def __init__(self) -> None:
        self._known: dict[int, int] = {}

    def of(self, node: Node) -> int:
        """The number of texts in a tree."""
        if node is None or isinstance(node, str):
            return 1
        known = self._known.get(id(node))
        if known is not None:
            return known
        size = 0
        if isinstance(node, OneOf):
            for alternative in node.alternatives:
                size = max(size, self.of(alternative))
        else:
            for child in node.values() if isinstance(node, dict) else node:
                size += 1 if isinstance(child, str) else self.of(child)  # most children are texts: saves a call
        self._known[id(node)] = size
        return size


def tree_leaves(tree: Node) -> Iterator[Node]:
    """Every leaf of a tree, alternatives being one.

    >>> list(tree_leaves({"total": "9", "menu": [{"nm": OneOf(["Tea", "Latte"])}, None]}))
    ['9', OneOf('Tea', 'Latte'), None]
    """
    stack = [tree]
    while stack:
        node = stack.pop()
        if isinstance(node, dict | list):
            stack += reversed(node.values() if isinstance(node, dict) else node)
        else:
            yield node


class _Reader(Walk):
    def __init__(self, side: str, normalize: Callable[[str, str], str] | None, only_text_alternatives: bool) -> None:
        super().__init__(side)
        self.normalize, self.only_text_alternatives = normalize, only_text_alternatives

    def node(self, value: object, path: str, root: str, depth: int) -> Node:
        if type(value) is str:
            return self.text(value, path)
        if type(value) is dict:
            return self.object(value, path, root, depth)
        if type(value) not in JSON_TYPES:
            with located_errors(path, self.side):
                value = plain_value(value)
        if isinstance(value, dict):
            return self.object(value, path, root, depth)
        if isinstance(value, list):
            return self.children(value, path, root, depth)
        if isinstance(value, tuple):
            children = self.children(value, path, root, depth)
            return children if self.side == "prediction" else self.one_of(children, path)
        return self.text(value, path)

    def object(self, value: dict[Any, Any], path: str, root: str, depth: int) -> Node:
        if "confidence" in value and is_scored_leaf(value):  # saves most calls
            with located_errors(path, self.side):
                read_confidence(value["confidence"])
            return self.node(value["value"], path, root, depth)
        if ANY_OF in value and is_one_of_object(value, self.side):
            alternatives = alternatives_of(value, path, self.side)
            return self.one_of(self.children(alternatives, path, root, depth), path)
        self.left -= len(value)
        if depth >= MAX_DEPTH or self.left < 0:  # as in `enter`, without a call for every object
            raise self.refusal(path, depth)
        nodes: dict[str, Node] = {}
        for name, child in value.items():
            key = name if type(name) is str else key_text(name)
            if type(child) is str and self.normalize is None:  # most values: saves two calls
                nodes[key] = child if child and not child.isspace() else None
                continue
            inner = longer_path(path, root, key) if root else key
            nodes[key] = self.node(child, inner, root or key + ".", depth + 1)
        return nodes

    def children(self, values: list[Any] | tuple[Any, ...], path: str, root: str, depth: int) -> list[Node]:
        self.enter(values, path, depth)
        return [self.node(child, path, root, depth + 1) for child in values]

    def one_of(self, alternatives: list[Node], path: str) -> Node:
        """The node of alternatives: a single one is itself, none at all is an absent value."""
        if self.only_text_alternatives:
            for node in alternatives:
                if node is not None and not isinstance(node, str):
                    kind = "alternatives" if isinstance(node, OneOf) else json_kind(node)
                    raise self.error(path, f"alternatives must be single values, got {kind}")
        return OneOf(alternatives) if len(alternatives) > 1 else alternatives[0] if alternatives else None

    def text(self, value: Any, path: str) -> str | None:
        if type(value) is str:
            text: str | None = value
        else:
            with located_errors(path, self.side):
                text = scalar_text(value)
        if text and not text.isspace() and self.normalize is not None:
            text = self.normalize(path, text)
        return None if not text or text.isspace() else text
