"""Documents: a JSON object → ungrouped entities and groups of entities.

A key with a scalar or a list of scalars holds ungrouped entities of that type; a key with an object or a list of
objects holds groups. Inside a group, nested objects belong to the group. The type of an entity is its dotted path from
the root. `docie.documents.leaves` says what a single value is.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import chain
from typing import Any

from docie.core.errors import DocumentError, json_kind, located_errors
from docie.core.values.json_text import MAX_DEPTH
from docie.core.values.plain import JSON_TYPES, NO_CONFIDENCE, key_text, plain_value, read_confidence, scalar_text
from docie.documents.leaves import (
    PLACE_KEYS,
    LocatedConfidence,
    OneOf,
    Walk,
    alternatives_of,
    answers_of,
    is_leaf,
    is_one_of_object,
)

Value = Any  # str | OneOf: the second in references only
Entity = tuple[str, Value, float]
"""Entity type, value, and confidence (NO_CONFIDENCE if there is none)."""
Group = list[Entity]


@dataclass(slots=True)
class Document:
    """The entities of one document.

    Attributes:
        ungrouped: the entities outside of all groups.
        groups: the groups of each group type.
        has_one_of: whether a value is a `OneOf`.
        has_confidences: whether an entity has a confidence.
    """

    ungrouped: Group = field(default_factory=list)
    groups: dict[str, list[Group]] = field(default_factory=dict)
    has_one_of: bool = False
    has_confidences: bool = False

    def all_groups(self) -> Iterator[Group]:
        """The ungrouped entities, then every group."""
        return chain((self.ungrouped,), *self.groups.values())

    def entities(self) -> Group:
        """All entities, whatever their group."""
        return [*chain(self.ungrouped, *chain(*self.groups.values()))]


def parse_document(
    value: object,
    side: str,
    *,
    normalize: Callable[[str, str], str] | None = None,
    ontology: Collection[str] | None = None,
    keep_empty_groups: bool = False,
    located: bool = False,
) -> Document:
    """Read a JSON object as a document.

    Args:
        value (dict): the object. In a prediction, anything else is read as the empty document.
        side (str): "prediction" or "reference".
        normalize: a function (entity type, text) → text, applied to every value.
        ontology (collection of str): the entity types to keep; None keeps all.
        keep_empty_groups (bool): keep objects without any entity as groups.
        located (bool): make every confidence a `LocatedConfidence`, which says where in the object its entity stands.

    Returns:
        Document: its entities.

    Raises:
        DocumentError: for a reference that is no object, a confidence outside of [0, 1], a value that JSON does not
            have, or nesting of more than 1,000 levels; it names the entity.

    >>> document = parse_document({"shop": "Kedai", "menu": [{"nm": "Latte", "sub": {"nm": "oat"}}]}, "reference")
    >>> [entity[:2] for entity in document.ungrouped]
    [('shop', 'Kedai')]
    >>> [entity[:2] for entity in document.groups["menu"][0]]
    [('menu.nm', 'Latte'), ('menu.sub.nm', 'oat')]
    """
    if not isinstance(value, dict) and not isinstance(value, Mapping):  # Mapping is slow to test
        if side == "prediction":
            return Document()
        raise DocumentError(f"{side} must be a JSON object, got {json_kind(value)}", side=side)
    document = _Reader(side, located=located).read(value)
    if located:
        _locate(document)
    if normalize is not None:
        _replace_entities(document, lambda group: _normalized(group, normalize))
    if ontology is not None:
        _restrict(document, ontology)
    for name, groups in list(document.groups.items()):
        if not keep_empty_groups and not all(groups):
            groups = document.groups[name] = [group for group in groups if group]
        if not groups:
            del document.groups[name]
    return document


_OBJECTS = {dict}


class _Reader(Walk):
    """Walks one document without recursion, so that only MAX_DEPTH bounds its depth."""

    def __init__(self, side: str, *, located: bool = False) -> None:
        super().__init__(side)
        self.located, self.document = located, Document()

    def read(self, value: Mapping[str, object]) -> Document:
        document = self.document
        for name, child in value.items():
            key = name if type(name) is str else key_text(name)
            if type(child) is str:
                if child and not child.isspace():
                    document.ungrouped.append((key, child, NO_CONFIDENCE))
                continue
            for element in self._elements(key, child):
                if is_leaf(element, self.side):
                    self._add_entity(document.ungrouped, key, element)
                else:
                    document.groups.setdefault(key, []).append(self._group(key, element))
        return document

    def _elements(self, key: str, value: object) -> Iterable[object]:
        """What stands at a key of the root: an object, or the elements of a list."""
        if type(value) is dict:
            return (value,)
        if type(value) is list and _OBJECTS.issuperset(map(type, value)):
            self.enter(value, key, 1)
            return value
        return self._flattened(key, value)

    def _flattened(self, key: str, value: object) -> Iterator[object]:
        """The elements of a list at the root in order, nested lists flattened."""
        stack = [(value, 1)]
        while stack:
            element, depth = stack.pop()
            if type(element) not in JSON_TYPES:
                element = self._plain(key, element)
            if isinstance(element, list | tuple) and not is_leaf(element, self.side):
                self.enter(element, key, depth)
                stack += [(inner, depth + 1) for inner in reversed(element)]
            else:
                yield element

    def _group(self, path: str, value: Any) -> Group:
        """All entities of a group, which stands at the top-level key `path`, in document order."""
        group: Group = []
        root, left = path + ".", self.left
        stack = [(path, value, 1)]
        while stack:
            path, value, depth = stack.pop()
            if depth > 1:  # the group itself is no leaf
                if type(value) not in JSON_TYPES:
                    value = self._plain(path, value)
                if is_leaf(value, self.side):
                    self._add_entity(group, path, value)
                    continue
            left -= len(value)
            if depth > MAX_DEPTH or left < 0:  # as in `enter`, without a call for every object
                raise self.refusal(path, depth)
            if not isinstance(value, dict):
                stack += [(path, child, depth + 1) for child in reversed(value)]
                continue
            later: list[tuple[str, object, int]] = []
            for name, child in value.items():
                key = name if type(name) is str else key_text(name)
                if not key.startswith(root):  # as in `longer_path`, without a call for every value
                    key = f"{path}.{key}"
                if later or type(child) is not str:
                    later.append((key, child, depth + 1))
                elif child and not child.isspace():
                    group.append((key, child, NO_CONFIDENCE))
            if later:
                later.reverse()
                stack += later
        self.left = left
        return group

    def _add_entity(self, group: Group, path: str, leaf: object) -> None:
        entity = self._entity(path, leaf)
        if entity is not None:
            group.append(entity)

    def _entity(self, path: str, leaf: object) -> Entity | None:
        """The entity of a leaf; None if its value is absent."""
        confidence = NO_CONFIDENCE
        if isinstance(leaf, dict):
            if is_one_of_object(leaf, self.side):
                leaf = tuple(alternatives_of(leaf, path, self.side))
            else:
                with located_errors(path, self.side):
                    confidence = read_confidence(leaf["confidence"])
                if self.located:
                    confidence = LocatedConfidence(confidence, **{key: leaf.get(key) for key in PLACE_KEYS})
                self.document.has_confidences = True
                leaf = leaf["value"]
        if isinstance(leaf, tuple):
            value: object = self._one_of(path, leaf)
            return None if value is None else (path, value, confidence)
        with located_errors(path, self.side):
            text = scalar_text(leaf)
        return None if not text or text.isspace() else (path, text, confidence)

    def _one_of(self, path: str, alternatives: Any) -> object:
        """The value of alternatives. Absent ones are dropped; a single one is a plain value."""
        texts = []
        for alternative in alternatives:
            if type(alternative) not in JSON_TYPES:
                alternative = self._plain(path, alternative)
            if isinstance(alternative, list | tuple) or not is_leaf(alternative, self.side):
                raise self.error(path, f"alternatives must be single values, got {json_kind(alternative)}")
            entity = self._entity(path, alternative)
            if entity is not None:
                texts.append(entity[1])
        if len(set(texts)) > 1:
            self.document.has_one_of = True
            return OneOf.of(texts)
        return texts[0] if texts else None

    def _plain(self, path: str, value: object) -> object:
        with located_errors(path, self.side):
            return plain_value(value)


def _locate(document: Document) -> None:
    """Note the value and the place of every entity, before anything is changed or dropped."""
    for groups in ([document.ungrouped], *document.groups.values()):
        for number, group in enumerate(groups):
            for position, (entity_type, value, confidence) in enumerate(group):
                located = confidence if isinstance(confidence, LocatedConfidence) else LocatedConfidence(confidence)
                located.value, located.group = value, None if group is document.ungrouped else number
                located.position = position
                group[position] = entity_type, value, located


def _normalized(group: Group, normalize: Callable[[str, str], str]) -> Group:
    """The group with its values normalised. A value that is blank afterwards is absent."""
    result: Group = []
    for entity_type, value, confidence in group:
        texts = [normalize(entity_type, alternative) for alternative in answers_of(value)]
        texts = [text for text in texts if text and not text.isspace()]
        if texts:
            result.append((entity_type, OneOf.of(texts) if len(set(texts)) > 1 else texts[0], confidence))
    return result


def _restrict(document: Document, ontology: Collection[str]) -> None:
    """Keep the entities of the ontology's types. A group that loses all of its entities goes too."""
    for name, groups in document.groups.items():
        is_scored = any(entity_type.startswith(f"{name}.") for entity_type in ontology)
        document.groups[name] = [
            group
            for group in groups
            if any(entity_type in ontology for entity_type, _, _ in group) or (is_scored and not group)
        ]
    _replace_entities(document, lambda group: [entity for entity in group if entity[0] in ontology])


def _replace_entities(document: Document, change: Callable[[Group], Group]) -> None:
    document.ungrouped = change(document.ungrouped)
    for name, groups in document.groups.items():
        document.groups[name] = [change(group) for group in groups]
