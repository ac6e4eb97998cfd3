"""JSON trees: what the families read that compare a JSON value as it stands (ANLS*, nTED).

A node is None (an absent value: null, blank text), text (numbers and booleans as JSON writes them), a list of nodes, a
dict of nodes, or, in a reference, an AnyOf. Scored leaves (`{"value": ..., "confidence": ...}`) are unwrapped.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from docie.document import checked, is_scored_leaf, longer_path
from docie.errors import DocumentError, shortened
from docie.jsontext import MAX_DEPTH, with_room
from docie.values import ANY_OF, JSON_TYPES, doubt_of, key_text, plain_value, scalar_text

Node = Any  # None | str | list[Node] | dict[str, Node] | AnyOf
Result = tuple[float, int]
"""A score of ANLS*, and the length that it is out of."""


class AnyOf:
    """The alternatives of a reference, at least two, in the order in which they were given.

    No tuple, so that its JSON is not a list's.
    """

    __slots__ = ("nodes",)

    def __init__(self, nodes: list[Node]) -> None:
        self.nodes = nodes

    def __repr__(self) -> str:
        return f"AnyOf({self.nodes})"


def read(
    value: object, side: str, *, normalize: Callable[[str, str], str] | None = None, single_answers: bool = False
) -> Node:
    """The tree of a JSON value; `side` is "prediction" or "reference".

    `normalize(path, text)` is applied to every text; its path is the entity type that a document's value has there.
    With `single_answers`, alternatives may be texts only.

    Raises DocumentError, naming the path, for a confidence outside [0, 1], a value that JSON does not have, or nesting
    beyond 1,000 levels.

    >>> read({"total": ("12.00", 12), "menu": [{"nm": {"value": "Latte", "confidence": 0.9}}, "  "]}, "reference")
    {'total': AnyOf(['12.00', '12']), 'menu': [{'nm': 'Latte'}, None]}
    """
    reader = _Reader(side, normalize, single_answers)
    return with_room(partial(reader.node, value, "", "", 0))


def size(node: Node) -> int:
    """The number of texts in a tree (equation 4 of the ANLS* paper); of alternatives, that of the largest."""
    if isinstance(node, AnyOf):
        return max(map(size, node.nodes))
    if isinstance(node, dict):
        return sum(map(size, node.values()))
    return sum(map(size, node)) if isinstance(node, list) else 1


class _Reader:
    def __init__(self, side: str, normalize: Callable[[str, str], str] | None, single_answers: bool) -> None:
        self.side, self.normalize, self.single_answers = side, normalize, single_answers

    def node(self, value: Any, path: str, prefix: str, depth: int) -> Node:
        kind = type(value)
        if kind is str:
            return self.text(value, path)
        if kind not in JSON_TYPES:
            value = checked(plain_value, value, path, self.side)
        if isinstance(value, dict):
            return self.object(value, path, prefix, depth)
        if isinstance(value, list):
            return self.children(value, path, prefix, depth)
        if isinstance(value, tuple):
            children = self.children(value, path, prefix, depth)
            return children if self.side == "prediction" else self.any_of(children, path)
        return self.text(value, path)

    def object(self, value: dict[Any, Any], path: str, prefix: str, depth: int) -> Node:
        if is_scored_leaf(value):
            checked(doubt_of, value["confidence"], path, self.side)
            return self.node(value["value"], path, prefix, depth)
        if len(value) == 1 and ANY_OF in value and self.side == "reference":
            alternatives = value[ANY_OF]
            if not isinstance(alternatives, list | tuple):
                raise self._error(path, f"{ANY_OF} must hold a list, got {shortened(alternatives)}")
            return self.any_of(self.children(alternatives, path, prefix, depth), path)
        self._check_depth(path, depth)
        nodes = {}
        for name, child in value.items():
            key = name if type(name) is str else key_text(name)
            inner = longer_path(path, prefix, key) if prefix else key
            nodes[key] = self.node(child, inner, prefix or key + ".", depth + 1)
        return nodes

    def children(self, values: list[Any] | tuple[Any, ...], path: str, prefix: str, depth: int) -> list[Node]:
        self._check_depth(path, depth)
        return [self.node(child, path, prefix, depth + 1) for child in values]

    def any_of(self, nodes: list[Node], path: str) -> Node:
        """One alternative is itself, none an absent value."""
        if self.single_answers:
            for node in nodes:
                if node is not None and not isinstance(node, str):
                    raise self._error(path, f"alternatives must be single values, got {_name(node)}")
        return AnyOf(nodes) if len(nodes) > 1 else nodes[0] if nodes else None

    def text(self, value: Any, path: str) -> str | None:
        text: str | None = value if type(value) is str else checked(scalar_text, value, path, self.side)
        if text and not text.isspace() and self.normalize is not None:
            text = self.normalize(path, text)
        return None if not text or text.isspace() else text

    def _check_depth(self, path: str, depth: int) -> None:
        if depth > MAX_DEPTH:
            raise self._error(path, f"nested more than {MAX_DEPTH} levels deep")

    def _error(self, path: str, problem: str) -> DocumentError:
        return DocumentError(problem, entity=path or None, side=self.side)


def _name(node: Node) -> str:
    return "tuple" if isinstance(node, AnyOf) else type(node).__name__
