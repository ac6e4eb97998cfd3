"""The keys of a document, matched to the properties of a JSON Schema."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any, NamedTuple, cast

from docie.documents import is_scored_leaf
from docie.errors import shortened
from docie.rules import schema_root, shape_of
from docie.values import with_deep_recursion

from ..parsed import issue_lines, object_of
from ..scorable import Path, path_text

__all__ = ["renamer"]

Rename = Callable[[dict[str, Any]], tuple[dict[str, Any], list[str]]]


class _Shape(NamedTuple):
    """What schemas say of the objects in a value.

    Attributes:
        properties: the schemas of each property.
        others: the schemas of other keys; None if there may be none.
        folded: from the folded name of each property to its name.
    """

    properties: dict[str, tuple[Any, ...]]
    others: tuple[Any, ...] | None
    folded: dict[str, str]


def renamer(schema: object) -> Rename:
    """The function that gives the keys of a document the names that a schema has for them.

    A key stands for the property of that name, else for the first one that equals it in lower case without what is
    neither letter nor digit. The path of the group may stand before it (`menu.nm` in `menu`), and stands for it where
    the group is missing (`menu.nm` alone). Other keys are dropped, unless the schema has `additionalProperties` or
    `patternProperties`. But if no key is a property's, and exactly one object among the values has such keys, that one
    is the document. Values stay as they are: one object may stand for a list, and a list for its elements.

    Args:
        schema: a JSON Schema, or a class with `model_json_schema()`, as pydantic's models have.

    Returns:
        The function: document → (renamed document, a line for everything that was dropped).

    Raises:
        ValueError: for anything else.

    >>> items = {"type": "array", "items": {"properties": {"unit_price": {"type": "string"}}}}
    >>> renamer({"properties": {"items": items}})({"Items": {"Unit-Price": "4.50", "mood": "fine"}})
    ({'items': {'unit_price': '4.50'}}, ["dropped 'items.mood', which the schema does not have"])
    """
    root = schema_root(schema)
    shapes = _Shapes(root)

    def rename(document: dict[str, Any]) -> tuple[dict[str, Any], list[str]]:
        issues: Counter[str] = Counter()
        inner = shapes.unwrapped(document, (root,), issues)
        renamed = shapes.rename(inner, (root,), None, "", issues)
        return renamed, issue_lines(issues)

    return lambda document: with_deep_recursion(partial(rename, document))


class _Shapes:
    """The shapes of schemas. Each is made once, since a schema may refer to itself."""

    def __init__(self, root: Mapping[str, Any]) -> None:
        self.root = root
        self.known: dict[tuple[int, ...], _Shape] = {}

    def unwrapped(self, document: dict[str, Any], schemas: tuple[Any, ...], issues: Counter[str]) -> dict[str, Any]:
        """The document, or the only object in it that has the properties, if it has none itself."""
        shape = self.shape(schemas)

        def fits(value: Any) -> bool:
            return isinstance(value, dict) and any(
                _property(shape, key, "") or _property(shape, key.partition(".")[0], "") for key in value
            )

        inner = [key for key, value in document.items() if fits(value)]
        if shape.others is not None or len(inner) != 1 or fits(document):
            return document
        issues[f"took only what is in {shortened(inner[0])}"] += 1
        return cast(dict[str, Any], document[inner[0]])

    def rename(self, value: Any, schemas: tuple[Any, ...], path: Path, before: str, issues: Counter[str]) -> Any:
        """The value with the names of the schemas; `before` are the folded names on the way to it."""
        if isinstance(value, list):
            return [self.rename(element, schemas, path, before, issues) for element in value]
        if not isinstance(value, dict) or (path is not None and is_scored_leaf(value)):
            return value
        shape = self.shape(schemas)
        if not shape.properties and shape.others is None:
            return value
        pairs = []
        for key, child in _without_paths(shape, value, before):
            name = _property(shape, key, before)
            inner = shape.others if name is None else shape.properties[name]
            if inner is None:
                issues[f"dropped {path_text((path, key))}, which the schema does not have"] += 1
                continue
            place = key if name is None else name
            pairs.append((place, self.rename(child, inner, (path, place), before + _folded(place), issues)))
        return object_of(pairs, issues)

    def shape(self, schemas: tuple[Any, ...]) -> _Shape:
        key = tuple(map(id, schemas))
        if key not in self.known:
            properties, others = shape_of(self.root, schemas)
            folded = {_folded(name): name for name in reversed(properties)}
            folded.pop("", None)  # names of signs alone are not alike
            self.known[key] = _Shape(properties, others, folded)
        return self.known[key]


def _without_paths(shape: _Shape, value: dict[str, Any], before: str) -> list[tuple[str, Any]]:
    """Keys and values. Keys that are paths (`total.tax`) go into an object for the property that they start with."""
    pairs, objects = [], dict[str, dict[str, Any]]()
    for key, child in value.items():
        first, dot, rest = key.partition(".")
        name = _property(shape, first, before) if dot and _property(shape, key, before) is None else None
        if name is not None:
            objects.setdefault(name, {})[rest] = child
        else:
            pairs.append((key, child))
    return [*pairs, *objects.items()]


def _property(shape: _Shape, key: str, before: str) -> str | None:
    """The property that a key stands for."""
    if key in shape.properties:
        return key
    folded = _folded(key)
    return shape.folded.get(folded) or shape.folded.get(folded.removeprefix(before))


def _folded(name: object) -> str:
    return "".join(character for character in str(name).casefold() if character.isalnum())
