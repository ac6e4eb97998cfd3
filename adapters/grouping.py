"""Flat entities, as sequence labelling gives them → documents with groups."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any, NamedTuple

from docie.document import OneOf, parse
from docie.values import NO_DOUBT

__all__ = ["Entity", "by_group_id", "entities", "slot_filling", "to_document"]

GroupTypes = Iterable[str] | Mapping[str, Iterable[str]]


class Entity(NamedTuple):
    """One extracted value: its entity type, its text, a confidence in [0, 1] if there is one, and a group id."""

    type: str
    value: Any
    confidence: float | None = None
    group: str | int | None = None


def slot_filling(entities: Iterable[Entity], groups: GroupTypes) -> dict[str, Any]:
    """Group entities by filling slots in the given order; returns a document.

    `groups` names the group types (an entity type `menu.nm` belongs to `menu`), or maps each to its entity types. Each
    group type has one current group; an entity whose type is already filled in it starts the next one. Entities outside
    every group type stay ungrouped.

    Source: Khang et al., KIEval (2025), section 5.3.

    >>> words = [Entity("menu.nm", "Latte"), Entity("menu.price", "4.50"), Entity("menu.nm", "Mocha")]
    >>> slot_filling(words, ["menu"])
    {'menu': [{'menu.nm': 'Latte', 'menu.price': '4.50'}, {'menu.nm': 'Mocha'}]}
    """
    current: dict[str, list[Entity]] = {}
    grouped: list[tuple[str, list[Entity]]] = []
    members, ungrouped = _split(entities, groups)
    for group_type, entity in members:
        group = current.get(group_type)
        if group is None or any(other.type == entity.type for other in group):
            group = current[group_type] = []
            grouped.append((group_type, group))
        group.append(entity)
    return to_document(grouped, ungrouped)


def by_group_id(entities: Iterable[Entity], groups: GroupTypes) -> dict[str, Any]:
    """Group entities by their `group` id within each group type; returns a document.

    `groups` as in `slot_filling`. The entities of a group type without an id (None or "") form one group.

    >>> words = [Entity("menu.nm", "Latte", 0.9, 1), Entity("menu.nm", "Mocha", 0.8, 2), ("menu.cnt", "2", None, 1)]
    >>> by_group_id(words, ["menu"])["menu"][0]
    {'menu.nm': {'value': 'Latte', 'confidence': 0.9}, 'menu.cnt': '2'}
    """
    grouped: dict[tuple[str, str | int | None], list[Entity]] = {}
    members, ungrouped = _split(entities, groups)
    for group_type, entity in members:
        number = None if entity.group == "" else entity.group
        grouped.setdefault((group_type, number), []).append(entity)
    return to_document([(group_type, group) for (group_type, _), group in grouped.items()], ungrouped)


def to_document(grouped: Iterable[tuple[str, Iterable[Entity]]], ungrouped: Iterable[Entity] = ()) -> dict[str, Any]:
    """The document of groups, each with its group type, and of ungrouped entities.

    Several entities of one type become a list; an entity with a confidence becomes a scored leaf.

    >>> to_document([("menu", [Entity("menu.nm", "Latte")])], [Entity("date", "2023-12-31", 0.5)])
    {'menu': [{'menu.nm': 'Latte'}], 'date': {'value': '2023-12-31', 'confidence': 0.5}}
    """
    document: dict[str, Any] = {}
    for group_type, entities in grouped:
        document.setdefault(group_type, []).append(_object(entities))
    for name, value in _object(ungrouped).items():
        document[name] = [*document[name], value] if name in document else value
    return document


def entities(document: Any) -> Any:
    """The flat entities of a document, as the metrics of entity lists read them: the way back from `by_group_id`.

    Ungrouped entities come first, then those of each group, with its number within its group type; of several right
    answers the first is taken. What is not an object (an invalid prediction) stays as it is. Raises DocumentError for
    a document that cannot be read.

    >>> entities({"menu": [{"nm": "Latte"}, {"nm": "Mocha", "cnt": 2}], "date": "2023-12-31"})[1:]
    [Entity(type='menu.nm', value='Latte', confidence=None, group=1),
     Entity(type='menu.nm', value='Mocha', confidence=None, group=2),
     Entity(type='menu.cnt', value='2', confidence=None, group=2)]
    """
    if not isinstance(document, Mapping):
        return document
    parsed = parse(document, "reference")
    parts = [(None, parsed.ungrouped), *(part for groups in parsed.groups.values() for part in enumerate(groups, 1))]
    return [
        Entity(
            kind,
            value.alternatives[0] if isinstance(value, OneOf) else value,
            None if doubt == NO_DOUBT else -doubt,
            number,
        )
        for number, group in parts
        for kind, value, doubt in group
    ]


def _object(entities: Iterable[Entity]) -> dict[str, Any]:
    values: dict[str, list[Any]] = {}
    for kind, value, confidence, _ in entities:
        leaf = value if confidence is None else {"value": value, "confidence": confidence}
        values.setdefault(kind, []).append(leaf)
    return {kind: found[0] if len(found) == 1 else found for kind, found in values.items()}


def _split(entities: Iterable[Entity], groups: GroupTypes) -> tuple[list[tuple[str, Entity]], list[Entity]]:
    """The entities of group types, each with its group type, and the others; both in order."""
    group_type_of = _membership(groups)
    members, others = [], []
    for entity in (Entity(*entity) for entity in entities):
        group_type = group_type_of(entity.type)
        if group_type is None:
            others.append(entity)
        else:
            members.append((group_type, entity))
    return members, others


def _membership(groups: GroupTypes) -> Callable[[str], str | None]:
    """The function entity type → its group type, or None."""
    if isinstance(groups, str):
        raise ValueError(f"groups must be a list of group types, got {groups!r}")
    if isinstance(groups, Mapping):
        if any(isinstance(kinds, str) for kinds in groups.values()):
            raise ValueError(f"groups must map each group type to a list of entity types, got {groups!r}")
        return {kind: name for name, kinds in groups.items() for kind in kinds}.get
    names = list(groups)
    return lambda kind: next((name for name in names if kind.startswith(f"{name}.")), None)
