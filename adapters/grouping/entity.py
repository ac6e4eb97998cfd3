"""Entities and group types, as they are handed over: what is none is an error."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cache
from typing import Any, NamedTuple

from docie.core.errors import shortened

GroupTypes = Iterable[str] | Mapping[str, Iterable[str]]


class Entity(NamedTuple):
    """One extracted value: its entity type, its text, a confidence in [0, 1] if there is one, and a group id."""

    type: str
    value: Any
    confidence: float | None = None
    group: str | int | None = None


def checked_entities(place: str, entities: Iterable[Any]) -> Iterator[Entity]:
    """The entities. Raises ValueError for what is none."""
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
    """Begin to read a list that a user gave.

    Args:
        name: what the list is called in the message.
        values: any value.

    Returns:
        iterator: over the values.

    Raises:
        ValueError: for a text, an object, and what cannot be iterated.

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
    """The function entity type → its group type, or None."""
    if isinstance(groups, Mapping):
        lists = {name: entity_types for name, entity_types in groups.items() if _are_texts(entity_types)}
        if len(lists) < len(groups) or not _are_texts(groups):
            raise ValueError(f"groups must map each group type to a list of entity types, got {shortened(groups)}")
        return {entity_type: name for name, entity_types in lists.items() for entity_type in entity_types}.get
    names = groups if isinstance(groups, str) else list(checked_iterable("groups", groups))
    if not _are_texts(names):
        raise ValueError(f"groups must be a list of group types, got {shortened(groups)}")
    order = {name: number for number, name in reversed([*enumerate(names)])}
    longest = max(map(len, order), default=0)

    @cache
    def group_type_of(entity_type: str) -> str | None:
        """The first of the group types that stands before a dot of the entity type."""
        dots = [match.start() for match in re.finditer(r"\.", entity_type[: longest + 1])]
        found = [entity_type[:dot] for dot in dots if entity_type[:dot] in order]
        return min(found, key=order.__getitem__) if found else None

    return group_type_of


def _are_texts(values: Any) -> bool:
    """Whether something is a list of texts."""
    try:
        return not isinstance(values, str) and all(isinstance(each, str) for each in values)
    except TypeError:  # no list at all
        return False
