"""The keys of a document, matched to the properties of a JSON Schema."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple, cast

from docie.core.errors import shortened
from docie.core.rules.schemas import schema_root, shape_of
from docie.core.values.json_text import MAX_DEPTH
from docie.core.values.plain import JsonObject
from docie.documents.leaves import is_scored_leaf

from ..parsed import Path, issue_lines, object_of, path_text

Rename = Callable[[JsonObject], tuple[JsonObject, list[str]]]


_LONGEST_NAME = 200  # characters of a key that may be a property's name in different case or punctuation


class _Place(NamedTuple):
    """The location of a value: its path, the folded names on the way to it, and its level of nesting."""

    path: Path = None
    before: str = ""
    depth: int = 0


class _Shape(NamedTuple):
    """What schemas say about the objects in a value.

    Attributes:
        properties: the schemas of each property.
        others: the schemas of other keys; None if no other keys are allowed.
        folded: from the folded name of each property to its name.
    """

    properties: dict[str, tuple[Any, ...]]
    others: tuple[Any, ...] | None
    folded: dict[str, str]


def renamer(schema: object) -> Rename:
    """The function that renames the keys of a document to the names in a schema.

    A key stands for the property of that name, or else for the first one that equals it in lower case without
    punctuation and blanks. The path of the group may precede it (`menu.nm` in `menu`), and replaces the group if that
    is missing (`menu.nm` alone). Other keys are dropped, unless the schema has `additionalProperties` or
    `patternProperties`. If no key is a property's, and exactly one object among the values has such keys, that object
    is the document. Values stay as they are: one object may stand for a list, and a list for its elements.
    Args:
        schema: a JSON Schema, or a class with `model_json_schema()`, such as a pydantic model.

    Returns:
        The function: document → (renamed document, a line for each dropped key).

    Raises:
        ValueError: if it is anything else.

    >>> items = {"type": "array", "items": {"properties": {"unit_price": {"type": "string"}}}}
    >>> renamer({"properties": {"items": items}})({"Items": {"Unit-Price": "4.50", "mood": "fine"}})
    ({'items': {'unit_price': '4.50'}}, ["dropped 'items.mood', which the schema does not have"])
    """
    root = schema_root(schema)
    shapes = _Shapes(root)

    def rename(document: JsonObject) -> tuple[JsonObject, list[str]]:
        issues: Counter[str] = Counter()
        inner = shapes.unwrapped(document, (root,), issues)
        renamed = shapes.rename(inner, (root,), _Place(), issues)
        return cast(JsonObject, renamed), issue_lines(issues)

    return rename


class _Shapes:
    """The shapes of schemas. Each is computed once, since a schema may refer to itself."""

    def __init__(self, root: Mapping[str, object]) -> None:
        self.root = root
        self.known: dict[tuple[int, ...], _Shape] = {}

    def unwrapped(self, document: dict[str, object], schemas: tuple[object, ...], issues: Counter[str]) -> JsonObject:
        """The document, or the only object in it with the properties, if it has none itself."""
        shape = self.shape(schemas)

        def fits(value: object) -> bool:
            return isinstance(value, dict) and any(
                _property(shape, key, "") or _property(shape, key.partition(".")[0], "") for key in value
            )

        inner = [key for key, value in document.items() if fits(value)]
        if shape.others is not None or len(inner) != 1 or fits(document):
            return document
        issues[f"used only the value of {shortened(inner[0])}"] += 1
        return cast(JsonObject, document[inner[0]])

    def rename(self, value: object, schemas: tuple[object, ...], place: _Place, issues: Counter[str]) -> object:
        """The value with the names of the schemas. Values nested too deep to be scored stay as they are."""
        path, before, depth = place
        if depth >= MAX_DEPTH:
            return value
        if isinstance(value, list):
            inside = _Place(path, before, depth + 1)
            return [
                self.rename(element, schemas, inside, issues) if isinstance(element, dict | list) else element
                for element in value
            ]
        if not isinstance(value, dict) or (path is not None and is_scored_leaf(value)):
            return value
        shape = self.shape(schemas)
        if not shape.properties and shape.others is None:
            return value
        pairs = []
        for key, name, child in _members(shape, value, before, issues):
            inner = shape.others if name is None else shape.properties[name]
            if inner is None:
                issues[f"dropped {path_text((path, key))}, which the schema does not have"] += 1
                continue
            known = key if name is None else name
            if isinstance(child, dict | list):
                names = before if len(before) > _LONGEST_NAME else before + _folded(known)
                child = self.rename(child, inner, _Place((path, known), names, depth + 1), issues)
            pairs.append((known, child))
        return object_of(pairs, issues)

    def shape(self, schemas: tuple[object, ...]) -> _Shape:
        key = tuple(map(id, schemas))
        if key not in self.known:
            properties, others = shape_of(self.root, schemas)
            folded = {_folded(name): name for name in reversed(properties)}
            folded.pop("", None)  # names without letters and digits are not alike
            self.known[key] = _Shape(properties, others, folded)
        return self.known[key]


def _members(
    shape: _Shape, value: Mapping[str, object], before: str, issues: Counter[str]
) -> list[tuple[str, str | None, object]]:
    """Keys, the properties that they stand for, and values.

    Keys that are paths (`total.tax`) go into an object for the property at their start.
    """
    members, objects = [], dict[str, list[tuple[str, Any]]]()
    for key, child in value.items():
        name = _property(shape, key, before)
        if name is None and "." in key and key.count(".") <= MAX_DEPTH:
            first, _, rest = key.partition(".")
            name = _property(shape, first, before)
            if name is not None:
                objects.setdefault(name, []).append((rest, child))
                continue
        members.append((key, name, child))
    return [*members, *((name, name, object_of(pairs, issues)) for name, pairs in objects.items())]


def _property(shape: _Shape, key: str, before: str) -> str | None:
    """The property that a key stands for."""
    if key in shape.properties:
        return key
    folded = _folded(key)
    return shape.folded.get(folded) or shape.folded.get(folded.removeprefix(before))


def _folded(name: object) -> str:
    """The letters and digits of a name, in lower case; empty for a name that is too long to have variants."""
    text = str(name)
    return "".join(filter(str.isalnum, text.casefold())) if len(text) <= _LONGEST_NAME else ""
