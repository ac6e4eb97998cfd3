"""Documents: a JSON object → ungrouped entities and groups of entities.

A key with a scalar or a list of scalars holds ungrouped entities of that type; a key with an object or a list of
objects holds groups. Inside a group, nested objects belong to the group. The type of an entity is its dotted path from
the root. `docie.documents.leaves` says what a single value is.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain
from typing import Any, TypeGuard

from docie.core.errors import DocumentError, json_kind
from docie.core.values.json_text import MAX_DEPTH
from docie.core.values.plain import JSON_TYPES, NO_CONFIDENCE, key_text
from docie.documents.leaves import LeafReader, OneOf, answers_of, is_leaf

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
) -> Document:
    """Read a JSON object as a document, to count its entities. `values_of` also says where they stand.

    Args:
        value (dict): the object. In a prediction, anything else is read as the empty document.
        side (str): "prediction" or "reference".
        normalize: a function (entity type, text) → text, applied to every value.
        ontology (collection of str): the entity types to keep; None keeps all.
        keep_empty_groups (bool): keep objects without any entity as groups.

    Returns:
        Document: its entities.

    Raises:
        DocumentError: for a reference that is no object, a confidence outside of [0, 1], a value that JSON does not
            have, or nesting of more than 100 levels; it names the entity.

    >>> document = parse_document({"shop": "Kedai", "menu": [{"nm": "Latte", "sub": {"nm": "oat"}}]}, "reference")
    >>> [entity[:2] for entity in document.ungrouped]
    [('shop', 'Kedai')]
    >>> [entity[:2] for entity in document.groups["menu"][0]]
    [('menu.nm', 'Latte'), ('menu.sub.nm', 'oat')]
    """
    if not is_object(value, side):
        return Document()
    document = _Reader(side).read(value)
    if normalize is not None:
        _replace_entities(document, lambda group: _normalized(group, normalize))
    for name, groups in list(document.groups.items()):
        if ontology is not None or not all(groups):
            groups = [group for group in groups if is_counted(name, group, ontology, keep_empty=keep_empty_groups)]
        if groups:
            document.groups[name] = groups
        else:
            del document.groups[name]
    if ontology is not None:
        _replace_entities(document, lambda group: [entity for entity in group if entity[0] in ontology])
    return document


def is_object(value: object, side: str) -> TypeGuard[Mapping[str, object]]:
    """Whether a document is a JSON object.

    Raises:
        DocumentError: for a reference that is none.
    """
    is_one = type(value) is dict or isinstance(value, Mapping)  # Mapping is slow to test
    if not is_one and side != "prediction":
        raise DocumentError(f"{side} must be a JSON object, got {json_kind(value)}", side=side)
    return is_one


def is_counted(
    name: str, group: Sequence[tuple[Any, ...]], ontology: Collection[str] | None, *, keep_empty: bool
) -> bool:
    """Whether a group counts: one with an entity of the ontology; an empty one if these are kept and of its types."""
    if group:
        return ontology is None or any(entity[0] in ontology for entity in group)
    return keep_empty and (ontology is None or any(kind.startswith(f"{name}.") for kind in ontology))


_OBJECTS = {dict}


class _Reader(LeafReader):
    """Walks one document without recursion, so that only MAX_DEPTH bounds its depth.

    Attributes:
        depth: that of the element of the root that is read.
    """

    depth = 1

    def read(self, value: Mapping[str, object]) -> Document:
        document = Document()
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
        document.has_one_of, document.has_confidences = self.has_one_of, self.has_confidences
        return document

    def _elements(self, key: str, value: object) -> Iterable[object]:
        """What stands at a key of the root: an object, or the elements of a list."""
        self.depth = 1
        if type(value) is dict:
            return (value,)
        if type(value) is list and _OBJECTS.issuperset(map(type, value)):
            self.enter(value, key, 1)
            self.depth = 2
            return value
        return self._flattened(key, value)

    def _flattened(self, key: str, value: object) -> Iterator[object]:
        """The elements of a list at the root in order, nested lists flattened."""
        stack = [(value, 1)]
        while stack:
            element, depth = stack.pop()
            if type(element) not in JSON_TYPES:
                element = self.plain(key, element)
            if isinstance(element, list | tuple) and not is_leaf(element, self.side):
                self.enter(element, key, depth)
                stack += [(inner, depth + 1) for inner in reversed(element)]
            else:
                self.depth = depth
                yield element

    def _group(self, path: str, value: Any) -> Group:
        """All entities of a group, which stands at the top-level key `path`, in document order."""
        group: Group = []
        root, left, start = path + ".", self.left, self.depth
        stack = [(path, value, start)]
        while stack:
            path, value, depth = stack.pop()
            if depth > start:  # the group itself is no leaf
                if type(value) not in JSON_TYPES:
                    value = self.plain(path, value)
                if is_leaf(value, self.side):
                    self._add_entity(group, path, value)
                    continue
            left -= len(value)
            if depth >= MAX_DEPTH or left < 0:  # as in `enter`, without a call for every object
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
        entity = self.entity(path, leaf)
        if entity is not None:
            group.append(entity)


def _normalized(group: Group, normalize: Callable[[str, str], str]) -> Group:
    """The group with its values normalised. A value that is blank afterwards is absent."""
    values = [(kind, normalized(kind, value, normalize), confidence) for kind, value, confidence in group]
    return [entity for entity in values if entity[1] is not None]


def normalized(entity_type: str, value: Value, normalize: Callable[[str, str], str]) -> Value | None:
    """A value, normalised; None if nothing is left of it."""
    texts = [normalize(entity_type, alternative) for alternative in answers_of(value)]
    texts = [text for text in texts if text and not text.isspace()]
    return None if not texts else OneOf.of(texts) if len(set(texts)) > 1 else texts[0]


def _replace_entities(document: Document, change: Callable[[Group], Group]) -> None:
    document.ungrouped = change(document.ungrouped)
    for name, groups in document.groups.items():
        document.groups[name] = [change(group) for group in groups]
