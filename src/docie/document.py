"""Documents: JSON → ungrouped entities and groups of entities.

A document is one JSON object. A key with a scalar or a list of scalars holds ungrouped entities of that type; a key
with an object or a list of objects holds groups. Inside a group, nested objects belong to the group, and an entity's
type is its dotted path from the root. `{"value": ..., "confidence": ...}` is a scored leaf: one entity with a
confidence. In a reference, a tuple or `{"$any_of": [...]}` means that any one of its values is right.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, TypeVar

import numpy as np

from docie.errors import DocumentError, shortened
from docie.jsontext import MAX_DEPTH
from docie.values import ANY_OF, JSON_TYPES, NO_DOUBT, doubt_of, key_text, plain_value, scalar_text

T = TypeVar("T")

Entity = tuple[str, str, float]
"""(entity type, value, doubt): so entities sort by type, value and falling confidence, those without one first."""
Group = list[Entity]

_TOO_DEEP = f"nested more than {MAX_DEPTH} levels deep"
_LEAF_KEYS = {"value", "confidence", "box", "page"}


class OneOf(str):
    """The value of a reference entity with several right answers; its text only sorts it and tells it from others."""

    alternatives: tuple[str, ...]

    @classmethod
    def of(cls, alternatives: Iterable[str]) -> OneOf:
        """The value that stands for `alternatives`; they keep their order, and make equal values in any."""
        distinct = dict.fromkeys(alternatives)
        value = cls("\0" + json.dumps(sorted(distinct)))  # no extracted text begins so
        value.alternatives = tuple(distinct)
        return value

    def __reduce__(self) -> tuple[object, ...]:
        return (OneOf.of, (self.alternatives,))


@dataclass(slots=True)
class Document:
    """The entities of one document: those outside every group, and the groups of each group type."""

    ungrouped: Group = field(default_factory=list)
    groups: dict[str, list[Group]] = field(default_factory=dict)
    one_of: bool = False

    def parts(self) -> Iterator[Group]:
        """The ungrouped entities, then every group."""
        yield self.ungrouped
        for groups in self.groups.values():
            yield from groups


def parse(
    value: object,
    side: str,
    *,
    normalize: Callable[[str, str], str] | None = None,
    ontology: Collection[str] | None = None,
    keep_empty_groups: bool = False,
) -> Document:
    """Read a JSON object as a document.

    `side` is "prediction" (what is not an object becomes the empty document) or "reference" (it is an error).
    `normalize(entity_type, text)` is applied to every value, `ontology` keeps only the named entity types, and
    `keep_empty_groups` keeps objects without any entity as groups.

    Raises DocumentError, naming the entity, for a confidence outside [0, 1], a value that JSON does not have, or
    nesting beyond 1,000 levels.

    >>> document = parse({"company": "Kedai Kopi", "menu": [{"nm": "Latte", "sub": {"nm": "oat"}}]}, "reference")
    >>> [entity[:2] for entity in document.ungrouped]
    [('company', 'Kedai Kopi')]
    >>> [entity[:2] for entity in document.groups["menu"][0]]
    [('menu.nm', 'Latte'), ('menu.sub.nm', 'oat')]
    """
    if not isinstance(value, Mapping):
        if side == "prediction":
            return Document()
        raise DocumentError(f"{side} must be a JSON object, got {type(value).__name__}", side=side)
    document = _Reader(side).read(value)
    if normalize is not None:
        _replace_entities(document, lambda group: _normalized(group, normalize))
    if ontology is not None:
        _restrict(document, ontology)
    for name, groups in list(document.groups.items()):
        document.groups[name] = groups if keep_empty_groups else [group for group in groups if group]
        if not document.groups[name]:
            del document.groups[name]
    return document


class _Reader:
    """Walks one document, without recursion: depth is bounded by MAX_DEPTH alone."""

    def __init__(self, side: str) -> None:
        self.side = side
        self.document = Document()

    def read(self, value: Mapping[Any, Any]) -> Document:
        document = self.document
        for name, child in value.items():
            key = name if type(name) is str else key_text(name)
            if type(child) is str:
                if child and not child.isspace():
                    document.ungrouped.append((key, child, NO_DOUBT))
                continue
            for element in (child,) if type(child) is dict else self._elements(key, child):
                if isinstance(element, dict) and not self._is_value(element):
                    document.groups.setdefault(key, []).append(self._entities(key, element))
                else:
                    document.ungrouped += self._entities(key, element)
        return document

    def _elements(self, key: str, value: Any) -> Iterator[Any]:
        """The elements of a list at the root, nested lists flattened, in order."""
        stack = [(value, 1)]
        while stack:
            element, depth = stack.pop()
            if type(element) not in JSON_TYPES:
                element = self._plain(key, element)
            if isinstance(element, list | tuple) and not self._is_value(element):
                if depth > MAX_DEPTH:
                    raise self._error(key, _TOO_DEEP)
                stack += [(inner, depth + 1) for inner in reversed(element)]
            else:
                yield element

    def _entities(self, path: str, value: Any) -> Group:
        """All entities in `value`, which stands at the top-level key `path`, in document order."""
        entities: Group = []
        prefix = path + "."
        stack = [(path, value, 1)]
        while stack:
            path, value, depth = stack.pop()
            if type(value) not in JSON_TYPES:
                value = self._plain(path, value)
            if self._is_value(value):
                entity = self._entity(path, value)
                if entity is not None:
                    entities.append(entity)
                continue
            if depth > MAX_DEPTH:
                raise self._error(path, _TOO_DEEP)
            if not isinstance(value, dict):
                stack += [(path, child, depth + 1) for child in reversed(value)]
                continue
            later: list[tuple[str, Any, int]] = []
            for name, child in value.items():
                key = name if type(name) is str else key_text(name)
                key = longer_path(path, prefix, key)
                if later or type(child) is not str:
                    later.append((key, child, depth + 1))
                elif child and not child.isspace():
                    entities.append((key, child, NO_DOUBT))
            if later:
                later.reverse()
                stack += later
        return entities

    def _is_value(self, value: Any) -> bool:
        """Whether `value` is one value: a scalar, a scored leaf or, in a reference, a one-of."""
        if isinstance(value, dict):
            return is_scored_leaf(value) or (ANY_OF in value and len(value) == 1 and self.side == "reference")
        return not isinstance(value, list) and not (isinstance(value, tuple) and self.side != "reference")

    def _entity(self, path: str, value: Any) -> Entity | None:
        doubt = NO_DOUBT
        if isinstance(value, dict):
            if ANY_OF in value:
                if not isinstance(value[ANY_OF], list | tuple):
                    raise self._error(path, f"{ANY_OF} must hold a list, got {shortened(value[ANY_OF])}")
                value = tuple(value[ANY_OF])
            else:
                doubt = checked(doubt_of, value["confidence"], path, self.side)
                value = value["value"]
        text = self._one_of(path, value) if isinstance(value, tuple) else checked(scalar_text, value, path, self.side)
        if text is None or not text or text.isspace():
            return None
        return path, text, doubt

    def _one_of(self, path: str, values: Any) -> str | None:
        """One value with several right answers; absent answers are dropped, and a single one is a plain value."""
        answers = []
        for value in values:
            if isinstance(value, list | tuple) or not self._is_value(value):
                raise self._error(path, f"alternatives must be single values, got {type(value).__name__}")
            answer = self._entity(path, value)
            if answer is not None:
                answers.append(answer[1])
        if len(set(answers)) > 1:
            self.document.one_of = True
            return OneOf.of(answers)
        return answers[0] if answers else None

    def _plain(self, path: str, value: Any) -> Any:
        return checked(plain_value, value, path, self.side)

    def _error(self, path: str, problem: str) -> DocumentError:
        return DocumentError(problem, entity=path, side=self.side)


def checked(read: Callable[[Any], T], value: Any, path: str, side: str) -> T:
    """`read(value)`; what it finds wrong with the value raises DocumentError, naming the path."""
    try:
        return read(value)
    except (TypeError, ValueError) as error:
        raise DocumentError(str(error), entity=path or None, side=side) from None


def longer_path(path: str, prefix: str, key: str) -> str:
    """The path of `key` inside `path`. A key that starts with `prefix`, the top-level key and a dot, is absolute.

    >>> longer_path("menu.sub", "menu.", "nm"), longer_path("menu.sub", "menu.", "menu.sub_nm")
    ('menu.sub.nm', 'menu.sub_nm')
    """
    return key if key.startswith(prefix) else f"{path}.{key}"


def is_scored_leaf(value: Mapping[Any, Any]) -> bool:
    """Whether an object is one entity with a confidence, and no group.

    >>> is_scored_leaf({"value": "12.00", "confidence": 0.9}), is_scored_leaf({"value": "12.00", "unit": "kg"})
    (True, False)
    """
    if "confidence" not in value or "value" not in value:
        return False
    return value.keys() <= _LEAF_KEYS and not isinstance(value["value"], Mapping | list | tuple | np.ndarray)


def _normalized(group: Group, normalize: Callable[[str, str], str]) -> Group:
    """The group with its values normalised; what a normaliser leaves blank is absent, as any blank text."""
    result: Group = []
    for kind, value, doubt in group:
        answers = value.alternatives if isinstance(value, OneOf) else (value,)
        left = [text for text in (normalize(kind, answer) for answer in answers) if text and not text.isspace()]
        if left:
            result.append((kind, OneOf.of(left) if len(set(left)) > 1 else left[0], doubt))
    return result


def _restrict(document: Document, ontology: Collection[str]) -> None:
    """Keep the entities of the ontology's types; a group that loses all of its entities goes too."""
    for name, groups in document.groups.items():
        scored = any(kind.startswith(f"{name}.") for kind in ontology)
        document.groups[name] = [
            group for group in groups if any(kind in ontology for kind, _, _ in group) or (scored and not group)
        ]
    _replace_entities(document, lambda group: [entity for entity in group if entity[0] in ontology])


def _replace_entities(document: Document, change: Callable[[Group], Group]) -> None:
    document.ungrouped = change(document.ungrouped)
    for name, groups in document.groups.items():
        document.groups[name] = [change(group) for group in groups]
