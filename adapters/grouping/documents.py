"""Flat entities ↔ documents with groups."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cache
from typing import Any, NamedTuple

from docie.core.errors import shortened
from docie.core.values.plain import JsonObject
from docie.documents.leaves import answers_of
from docie.documents.values import values_of

GroupTypes = Iterable[str] | Mapping[str, Iterable[str]]


class Entity(NamedTuple):
    """One extracted value: its entity type, its text, and a confidence in [0, 1] and a group id if it has them."""

    type: str
    value: Any
    confidence: float | None = None
    group: str | int | None = None


def checked_entities(place: str, entities: Iterable[object]) -> Iterator[Entity]:
    """The entities. Raises ValueError if one is malformed."""
    for number, entity in enumerate(checked_iterable(f"{place}entities", entities)):
        try:
            checked = Entity(*entity)
            hash(checked.group)
        except TypeError:
            checked = Entity(None, None)  # type: ignore[arg-type]
        if not isinstance(checked.type, str) or isinstance(entity, str):
            expected = "a type, a value, a confidence and a group id"
            raise ValueError(f"{place}entity {number} must be {expected}, got {shortened(entity)}")
        yield checked


def checked_iterable(name: str, values: Any) -> Iterator[Any]:
    """Begin to iterate over a user's list.

    Args:
        name: the name of the list in the message.
        values: any value.

    Returns:
        iterator: over the values.

    Raises:
        ValueError: if it is a text, an object, or not iterable.

    >>> list(checked_iterable("groups", ["items"]))
    ['items']
    >>> checked_iterable("groups", "items")
    Traceback (most recent call last):
    ...
    ValueError: groups must be a list, got 'items'
    """
    try:
        elements: Iterator[Any] | None = None if isinstance(values, str | bytes | Mapping) else iter(values)
    except TypeError:
        elements = None
    if elements is None:
        raise ValueError(f"{name} must be a list, got {shortened(values)}")
    return elements


def group_type_finder(groups: GroupTypes) -> Callable[[str], str | None]:
    """The function from an entity type to its group type, or None."""
    if isinstance(groups, Mapping):
        lists = {name: entity_types for name, entity_types in groups.items() if are_texts(entity_types)}
        if len(lists) < len(groups) or not are_texts(groups):
            raise ValueError(f"groups must map each group type to a list of entity types, got {shortened(groups)}")
        return {entity_type: name for name, entity_types in lists.items() for entity_type in entity_types}.get
    names = groups if isinstance(groups, str) else list(checked_iterable("groups", groups))
    if not are_texts(names):
        raise ValueError(f"groups must be a list of group types, got {shortened(groups)}")
    order = {name: number for number, name in reversed([*enumerate(names)])}
    longest = max(map(len, order), default=0)

    @cache
    def group_type_of(entity_type: str) -> str | None:
        """The first group type that precedes a dot in the entity type."""
        dots = [match.start() for match in re.finditer(r"\.", entity_type[: longest + 1])]
        found = [entity_type[:dot] for dot in dots if entity_type[:dot] in order]
        return min(found, key=order.__getitem__) if found else None

    return group_type_of


def are_texts(values: Any) -> bool:
    """Whether something is a list of texts."""
    try:
        return not isinstance(values, str) and all(isinstance(each, str) for each in values)
    except TypeError:  # not a list
        return False


def slot_filling(entities: Iterable[Entity], groups: GroupTypes) -> JsonObject:
    """Group entities by filling slots, in order.

    Each group type has one current group. An entity whose type it already has starts the next group.

    Source: Khang et al., KIEval (2025), section 5.3.

    Args:
        entities (iterable of Entity): the entities, in order.
        groups (list of str, or dict): the group types (an entity type `menu.nm` belongs to `menu`), or a mapping from
            each group type to its entity types. Entities outside all group types stay ungrouped.

    Returns:
        dict: a document.

    Raises:
        ValueError: if an entity is malformed, or if `groups` are not group types.

    >>> words = [Entity("menu.nm", "Latte"), Entity("menu.price", "4.50"), Entity("menu.nm", "Mocha")]
    >>> slot_filling(words, ["menu"])
    {'menu': [{'menu.nm': 'Latte', 'menu.price': '4.50'}, {'menu.nm': 'Mocha'}]}
    """
    current: dict[str, tuple[list[Entity], set[str]]] = {}
    grouped: list[tuple[str, list[Entity]]] = []
    members, ungrouped = _split(entities, groups)
    for group_type, entity in members:
        if group_type not in current or entity.type in current[group_type][1]:
            current[group_type] = [], set()
            grouped.append((group_type, current[group_type][0]))
        group, types = current[group_type]
        group.append(entity)
        types.add(entity.type)
    return _document(grouped, ungrouped)


def by_group_id(entities: Iterable[Entity], groups: GroupTypes) -> JsonObject:
    """Group entities by their `group` id, separately for each group type.

    Args:
        entities (iterable of Entity): the entities. Those of a group type without an id (None or "") form one group.
        groups: as in `slot_filling`.

    Returns:
        dict: a document.

    Raises:
        ValueError: for the same reasons as `slot_filling`.

    >>> words = [Entity("menu.nm", "Latte", 0.9, 1), Entity("menu.nm", "Mocha", 0.8, 2), ("menu.cnt", "2", None, 1)]
    >>> by_group_id(words, ["menu"])["menu"][0]
    {'menu.nm': {'value': 'Latte', 'confidence': 0.9}, 'menu.cnt': '2'}
    """
    grouped: dict[tuple[str, str | int | None], list[Entity]] = {}
    members, ungrouped = _split(entities, groups)
    for group_type, entity in members:
        group_id = None if entity.group == "" else entity.group
        grouped.setdefault((group_type, group_id), []).append(entity)
    return _document([(group_type, group) for (group_type, _), group in grouped.items()], ungrouped)


def to_document(grouped: Iterable[tuple[str, Iterable[Entity]]], ungrouped: Iterable[Entity] = ()) -> JsonObject:
    """The document with these groups and ungrouped entities.

    Args:
        grouped (iterable of (str, list of Entity)): the group type and the entities of each group.
        ungrouped (iterable of Entity): the other entities.

    Returns:
        dict: a document. Several entities of one type become a list; an entity with a confidence becomes a scored leaf.

    Raises:
        ValueError: if a group or an entity is malformed.

    >>> to_document([("menu", [Entity("menu.nm", "Latte")])], [Entity("date", "2023-12-31", 0.5)])
    {'menu': [{'menu.nm': 'Latte'}], 'date': {'value': '2023-12-31', 'confidence': 0.5}}
    """
    groups = []
    for number, group in enumerate(checked_iterable("grouped", grouped)):
        if not (isinstance(group, list | tuple) and len(group) == 2 and isinstance(group[0], str)):
            raise ValueError(f"group {number} must be a group type and its entities, got {shortened(group)}")
        groups.append((group[0], list(checked_entities(f"group {number}, ", group[1]))))
    return _document(groups, checked_entities("", ungrouped))


def _document(grouped: Iterable[tuple[str, Iterable[Entity]]], ungrouped: Iterable[Entity]) -> JsonObject:
    document: JsonObject = {}
    for group_type, entities in grouped:
        document.setdefault(group_type, []).append(_object(entities))
    for name, value in _object(ungrouped).items():
        document[name] = [*document[name], value] if name in document else value
    return document


def entities(document: object, *, side: str = "reference") -> Any:
    """The flat entities of a document, as input for the metrics of entity lists: the inverse of `by_group_id`.

    Args:
        document (dict): a document.
        side (str): "reference" or "prediction". If a reference has alternatives, the first one is used.

    Returns:
        list of Entity: the ungrouped entities, then those of each group, with its number within its group type. A value
        that is not an object (an invalid prediction) is returned as it is.

    Raises:
        DocumentError: if the document cannot be read.

    >>> entities({"menu": [{"nm": "Latte"}, {"nm": "Mocha", "cnt": 2}], "date": "2023-12-31"})[1:]
    [Entity(type='menu.nm', value='Latte', confidence=None, group=1),
     Entity(type='menu.nm', value='Mocha', confidence=None, group=2),
     Entity(type='menu.cnt', value='2', confidence=None, group=2)]
    """
    if not isinstance(document, Mapping):
        return document
    values = values_of(document, side)
    numbered = (part for groups in values.groups.values() for part in enumerate(filter(None, groups), 1))
    return [
        Entity(
            leaf.type,
            answers_of(leaf.text)[0],
            leaf.known_confidence,
            number,
        )
        for number, group in ((None, values.ungrouped), *numbered)
        for leaf in group
    ]


def _object(entities: Iterable[Entity]) -> JsonObject:
    leaves: dict[str, list[object]] = {}
    for entity_type, value, confidence, _ in entities:
        leaf = value if confidence is None else {"value": value, "confidence": confidence}
        leaves.setdefault(entity_type, []).append(leaf)
    return {entity_type: values[0] if len(values) == 1 else values for entity_type, values in leaves.items()}


def _split(entities: Iterable[Entity], groups: GroupTypes) -> tuple[list[tuple[str, Entity]], list[Entity]]:
    """The entities of group types, each with its group type, and the others; both in order."""
    group_type_of = group_type_finder(groups)
    members, others = [], []
    for entity in checked_entities("", entities):
        group_type = group_type_of(entity.type)
        if group_type is None:
            others.append(entity)
        else:
            members.append((group_type, entity))
    return members, others
