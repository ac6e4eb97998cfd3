"""Flat entities and labelled words, as sequence labelling gives them → documents with groups, and labelled boxes."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from docie.document import OneOf, parse
from docie.errors import shortened
from docie.values import NO_DOUBT

__all__ = [
    "Entity",
    "by_group_id",
    "entities",
    "from_words",
    "labelled_boxes",
    "slot_filling",
    "to_document",
]

GroupTypes = Iterable[str] | Mapping[str, Iterable[str]]
OUTSIDE = ("", "O", None)
"""Labels of words that belong to no entity."""


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


def entities(document: Any, *, side: str = "reference") -> Any:
    """The flat entities of a document, as the metrics of entity lists read them: the way back from `by_group_id`.

    Ungrouped entities come first, then those of each group, with its number within its group type; of several right
    answers, which a "reference" may have and a "prediction" not, the first is taken. What is not an object (an invalid
    prediction) stays as it is. Raises DocumentError for a document that cannot be read.

    >>> entities({"menu": [{"nm": "Latte"}, {"nm": "Mocha", "cnt": 2}], "date": "2023-12-31"})[1:]
    [Entity(type='menu.nm', value='Latte', confidence=None, group=1),
     Entity(type='menu.nm', value='Mocha', confidence=None, group=2),
     Entity(type='menu.cnt', value='2', confidence=None, group=2)]
    """
    if not isinstance(document, Mapping):
        return document
    parsed = parse(document, side)
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


def from_words(
    words: Sequence[str],
    labels: Sequence[str | None],
    *,
    groups: GroupTypes,
    line_numbers: Sequence[str | int | None] | None = None,
    confidences: Sequence[float | None] | None = None,
    join_words: bool = False,
) -> dict[str, Any]:
    """The document of labelled words; those labelled "", "O" or None are left out.

    `groups` as in `slot_filling`, which groups the entities where there are no line numbers. With `line_numbers` (of
    line items; None or "" for none) `by_group_id` does.

    Every word is an entity, next to others or not, since words here are often whole values (text boxes of an OCR), and
    one too many cannot be taken apart again. For a model that labels single words, `join_words` makes those of one
    label and line number (or of none) one entity, with blanks between them, its confidence the smallest of theirs: a
    value is as sure as its least sure word. It needs line numbers, without which two items' names would be one.

    Raises ValueError for lists of unequal lengths.

    >>> words, labels, lines = ["Iced", "Latte", "Mocha"], ["menu.nm"] * 3, [1, 1, 2]
    >>> from_words(words, labels, groups=["menu"], line_numbers=lines, join_words=True)
    {'menu': [{'menu.nm': 'Iced Latte'}, {'menu.nm': 'Mocha'}]}
    >>> from_words(words, labels, groups=["menu"])
    {'menu': [{'menu.nm': 'Iced'}, {'menu.nm': 'Latte'}, {'menu.nm': 'Mocha'}]}
    """
    if join_words and line_numbers is None:
        raise ValueError("join_words needs line_numbers")
    _check_lengths("words", words, labels=labels, line_numbers=line_numbers, confidences=confidences)
    nothing = [None] * len(words)
    sure, lines = nothing if confidences is None else confidences, nothing if line_numbers is None else line_numbers
    labelled = [
        Entity(label, word, confidence, None if line == "" else line)
        for word, label, confidence, line in zip(words, labels, sure, lines, strict=True)
        if label is not None and label not in OUTSIDE
    ]
    if line_numbers is None:
        return slot_filling(labelled, groups)
    return by_group_id(_joined(labelled) if join_words else labelled, groups)


def _joined(entities: Iterable[Entity]) -> list[Entity]:
    """One entity of those that have type and group in common, in the place of the first."""
    parts: dict[tuple[str, str | int | None], list[Entity]] = {}
    for entity in entities:
        parts.setdefault((entity.type, entity.group), []).append(entity)
    result = []
    for (kind, group), found in parts.items():
        sure = [entity.confidence for entity in found if entity.confidence is not None]
        result.append(Entity(kind, " ".join(entity.value for entity in found), min(sure, default=None), group))
    return result


def labelled_boxes(
    labels: Sequence[str | None],
    boxes: Sequence[Sequence[Any]],
    groups: Sequence[str | int | None] | None = None,
    *,
    outside: Collection[str | None] = OUTSIDE,
) -> list[dict[str, Any]]:
    """The boxes of labelled words, as the metric box_iou takes them.

    A box is four numbers [x0, y0, x1, y1], four points [x, y] or eight numbers. Words whose label is in `outside` are
    left out; a group of None or "" is none.

    Raises ValueError for lists of unequal lengths and for a box of another shape.

    >>> labelled_boxes(["menu.nm", "O", "total"], [[0, 0, 9, 2], [9, 0, 10, 2], [0, 5, 9, 5, 9, 7, 0, 7]], [1, 1, ""])
    [{'label': 'menu.nm', 'box': [0, 0, 9, 2], 'group': 1}, {'label': 'total', 'quad': [0, 5, 9, 5, 9, 7, 0, 7]}]
    """
    _check_lengths("labels", labels, boxes=boxes, groups=groups)
    result = []
    for number, (label, box) in enumerate(zip(labels, boxes, strict=True)):
        if label in outside:
            continue
        found: dict[str, Any] = {"label": label, _shape(number, box): box}
        if groups is not None and groups[number] is not None and groups[number] != "":
            found["group"] = groups[number]
        result.append(found)
    return result


def _shape(number: int, box: Sequence[Any]) -> str:
    parts = box if hasattr(box, "__len__") else ()
    sizes = [len(part) if hasattr(part, "__len__") else 1 for part in parts]
    if sizes == [1] * 4:
        return "box"
    if sizes in ([1] * 8, [2] * 4):
        return "quad"
    raise ValueError(f"box {number}: expected four numbers, four points or eight numbers, got {shortened(box)}")


def _check_lengths(name: str, first: Sequence[Any], **others: Sequence[Any] | None) -> None:
    """Raise ValueError unless all lists that are given have one length."""
    for other, values in others.items():
        if values is not None and len(values) != len(first):
            raise ValueError(f"expected as many {other} as {name}, got {len(values)} and {len(first)}")


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
