"""Documents: a JSON object → ungrouped entities and groups of entities.

A key with a scalar or a list of scalars holds ungrouped entities of that type; a key with an object or a list of
objects holds groups. Inside a group, nested objects belong to the group. The type of an entity is its dotted path from
the root. `docie.documents.leaves` says what a single value is.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import chain
from typing import Any, TypeGuard

from docie.core.errors import DocumentError, json_kind
from docie.core.values.plain import JSON_TYPES, NO_CONFIDENCE, key_text, longer_path
from docie.documents.leaves import LeafReader, OneOf, answers_of, is_leaf, is_scored_leaf

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
        has_places: whether one has a box or a page.
        nulls: what is written without a value: each type with the group that it stands in, or that of all ungrouped
            values. A group without any value is not among the groups.
    """

    ungrouped: Group = field(default_factory=list)
    groups: dict[str, list[Group]] = field(default_factory=dict)
    has_one_of: bool = False
    has_confidences: bool = False
    has_places: bool = False
    nulls: list[tuple[Group, str]] = field(default_factory=list, repr=False, compare=False)

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


MOST_NAMES = 1000
"""Entity types are kept for so many objects, each with so many keys; more have keys that are data, such as ids."""


class _Types(dict[str, str]):
    """The entity types of the keys of an object. Types repeat in all documents; here each is one text, hashed once."""

    def __init__(self, path: str, root: str) -> None:
        self.path, self.root = path, root

    def __missing__(self, key: str) -> str:
        entity_type = longer_path(self.path, self.root, key) if self.root else key
        if len(self) < MOST_NAMES:
            self[key] = entity_type
        return entity_type


_types_at = lru_cache(maxsize=MOST_NAMES)(_Types)


class _Reader(LeafReader):
    """Walks through one document in its order."""

    def read(self, value: Mapping[str, object]) -> Document:
        self.document = Document()
        self._read_object("", "", value, 0, self.document.ungrouped)
        self.document.has_one_of, self.document.has_confidences = self.has_one_of, self.has_confidences
        self.document.has_places = self.has_places
        return self.document

    def _read_object(self, path: str, root: str, value: Mapping[str, Any], depth: int, group: Group) -> None:
        """Add the entities of an object to its group."""
        self.enter(value, path, depth)
        types = _types_at(path, root)
        for name, child in value.items():
            entity_type = types[name if type(name) is str else key_text(name)]
            if type(child) is str:
                if child and not child.isspace():
                    group.append((entity_type, child, NO_CONFIDENCE))
                else:
                    self.document.nulls.append((group, entity_type))
                continue
            if type(child) is dict and "confidence" in child:  # most scored leaves, without the tests of `entity`
                text, confidence = child.get("value"), child["confidence"]
                is_alone = len(child) == 2 or is_scored_leaf(child)
                if is_alone and type(text) is str and type(confidence) is float and 0 <= confidence <= 1:
                    self.has_confidences = True
                    self.has_places = self.has_places or len(child) > 2
                    if text and not text.isspace():
                        group.append((entity_type, text, confidence))
                    else:
                        self.document.nulls.append((group, entity_type))
                    continue
            self._read(entity_type, root or f"{entity_type}.", child, depth + 1, group)

    def _read(self, path: str, root: str, value: Any, depth: int, group: Group) -> None:
        """Add the entities of what stands at a key, or in a list. At the root, each object is a group of its own."""
        if type(value) not in JSON_TYPES:
            value = self.plain(path, value)
        if is_leaf(value, self.side):
            entity = self.entity(path, value)
            if entity is not None:
                group.append(entity)
            else:
                self.document.nulls.append((group, path))
        elif not value:
            self.enter(value, path, depth)
            self.document.nulls.append((group, path))
            if isinstance(value, dict) and group is self.document.ungrouped:
                self.document.groups.setdefault(path, []).append([])
        elif isinstance(value, dict):
            if group is self.document.ungrouped:
                group = []
                self.document.groups.setdefault(path, []).append(group)
            self._read_object(path, root, value, depth, group)
        else:
            self.enter(value, path, depth)
            for element in value:
                self._read(path, root, element, depth + 1, group)


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
    for group in (document.ungrouped, *chain(*document.groups.values())):  # in place: `nulls` names them
        group[:] = change(group)
