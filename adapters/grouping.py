"""Flat entities and labelled words, as sequence labelling gives them → documents with groups, and labelled boxes."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from docie.documents import OneOf, parse_document
from docie.errors import shortened
from docie.values import NO_CONFIDENCE

__all__ = [
    "Entity",
    "by_group_id",
    "entities",
    "from_words",
    "labelled_boxes",
    "least_confidence",
    "slot_filling",
    "to_document",
]

GroupTypes = Iterable[str] | Mapping[str, Iterable[str]]
OUTSIDE = ("", "O", None)
"""The labels of words that belong to no entity."""


class Entity(NamedTuple):
    """One extracted value: its entity type, its text, a confidence in [0, 1] if there is one, and a group id."""

    type: str
    value: Any
    confidence: float | None = None
    group: str | int | None = None


def slot_filling(entities: Iterable[Entity], groups: GroupTypes) -> dict[str, Any]:
    """Group entities by filling slots in the given order.

    Each group type has one current group. An entity whose type is already in it starts the next one.

    Source: Khang et al., KIEval (2025), section 5.3.

    Args:
        entities (iterable of Entity): the entities, in order.
        groups (list of str, or dict): the group types (an entity type `menu.nm` belongs to `menu`), or a mapping from
            each group type to its entity types. Entities outside of all group types stay ungrouped.

    Returns:
        dict: a document.

    Raises:
        ValueError: for a text instead of a list of group types or of entity types.

    >>> words = [Entity("menu.nm", "Latte"), Entity("menu.price", "4.50"), Entity("menu.nm", "Mocha")]
    >>> slot_filling(words, ["menu"])
    {'menu': [{'menu.nm': 'Latte', 'menu.price': '4.50'}, {'menu.nm': 'Mocha'}]}
    """
    current: dict[str, list[Entity]] = {}
    grouped: list[tuple[str, list[Entity]]] = []
    members, ungrouped = _split(entities, groups)
    for group_type, entity in members:
        group = current.get(group_type)
        if group is None or any(member.type == entity.type for member in group):
            group = current[group_type] = []
            grouped.append((group_type, group))
        group.append(entity)
    return to_document(grouped, ungrouped)


def by_group_id(entities: Iterable[Entity], groups: GroupTypes) -> dict[str, Any]:
    """Group entities by their `group` id within each group type.

    Args:
        entities (iterable of Entity): the entities. Those of a group type without an id (None or "") form one group.
        groups: as in `slot_filling`.

    Returns:
        dict: a document.

    Raises:
        ValueError: as in `slot_filling`.

    >>> words = [Entity("menu.nm", "Latte", 0.9, 1), Entity("menu.nm", "Mocha", 0.8, 2), ("menu.cnt", "2", None, 1)]
    >>> by_group_id(words, ["menu"])["menu"][0]
    {'menu.nm': {'value': 'Latte', 'confidence': 0.9}, 'menu.cnt': '2'}
    """
    grouped: dict[tuple[str, str | int | None], list[Entity]] = {}
    members, ungrouped = _split(entities, groups)
    for group_type, entity in members:
        group_id = None if entity.group == "" else entity.group
        grouped.setdefault((group_type, group_id), []).append(entity)
    return to_document([(group_type, group) for (group_type, _), group in grouped.items()], ungrouped)


def to_document(grouped: Iterable[tuple[str, Iterable[Entity]]], ungrouped: Iterable[Entity] = ()) -> dict[str, Any]:
    """The document of groups and ungrouped entities.

    Args:
        grouped (iterable of (str, list of Entity)): the group type and the entities of each group.
        ungrouped (iterable of Entity): the other entities.

    Returns:
        dict: a document. Several entities of one type become a list; an entity with a confidence becomes a scored leaf.

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

    Args:
        document (dict): a document.
        side (str): "reference" or "prediction". Of the alternatives that a reference may have, the first is taken.

    Returns:
        list of Entity: the ungrouped entities, then those of each group, with its number within its group type. What is
        not an object (an invalid prediction) comes back as it is.

    Raises:
        DocumentError: for a document that cannot be read.

    >>> entities({"menu": [{"nm": "Latte"}, {"nm": "Mocha", "cnt": 2}], "date": "2023-12-31"})[1:]
    [Entity(type='menu.nm', value='Latte', confidence=None, group=1),
     Entity(type='menu.nm', value='Mocha', confidence=None, group=2),
     Entity(type='menu.cnt', value='2', confidence=None, group=2)]
    """
    if not isinstance(document, Mapping):
        return document
    parsed = parse_document(document, side)
    parts = [(None, parsed.ungrouped), *(part for groups in parsed.groups.values() for part in enumerate(groups, 1))]
    return [
        Entity(
            entity_type,
            value.alternatives[0] if isinstance(value, OneOf) else value,
            None if confidence == NO_CONFIDENCE else confidence,
            number,
        )
        for number, group in parts
        for entity_type, value, confidence in group
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
    """The document of labelled words.

    Every word is an entity by itself, because words are often whole values here (text boxes of an OCR), and values that
    were joined by mistake cannot be taken apart again. For a model that labels single words, use `join_words`.

    Args:
        words (list of str): the words.
        labels (list of str): the entity type of each word. Words labelled "", "O" or None are left out.
        groups: as in `slot_filling`, which groups the entities if there are no line numbers.
        line_numbers (list): the line item of each word; None or "" for none. `by_group_id` groups by them.
        confidences (list of float): the confidence of each word, in [0, 1], or None.
        join_words (bool): make one entity of the words with the same label and line number, with blanks between them
            and the smallest of their confidences. It needs line numbers: without them, the names of two items would be
            joined.

    Returns:
        dict: a document.

    Raises:
        ValueError: for lists of unequal lengths, and for `join_words` without line numbers.

    >>> words, labels, lines = ["Iced", "Latte", "Mocha"], ["menu.nm"] * 3, [1, 1, 2]
    >>> from_words(words, labels, groups=["menu"], line_numbers=lines, join_words=True)
    {'menu': [{'menu.nm': 'Iced Latte'}, {'menu.nm': 'Mocha'}]}
    >>> from_words(words, labels, groups=["menu"])
    {'menu': [{'menu.nm': 'Iced'}, {'menu.nm': 'Latte'}, {'menu.nm': 'Mocha'}]}
    """
    if join_words and line_numbers is None:
        raise ValueError("join_words needs line_numbers")
    _check_lengths("words", words, labels=labels, line_numbers=line_numbers, confidences=confidences)
    unknown = [None] * len(words)
    labelled = [
        Entity(label, word, confidence, None if line == "" else line)
        for word, label, confidence, line in zip(
            words,
            labels,
            unknown if confidences is None else confidences,
            unknown if line_numbers is None else line_numbers,
            strict=True,
        )
        if label is not None and label not in OUTSIDE
    ]
    if line_numbers is None:
        return slot_filling(labelled, groups)
    return by_group_id(_joined(labelled) if join_words else labelled, groups)


def _joined(entities: Iterable[Entity]) -> list[Entity]:
    """One entity for all that share type and group, in the place of the first."""
    parts: dict[tuple[str, str | int | None], list[Entity]] = {}
    for entity in entities:
        parts.setdefault((entity.type, entity.group), []).append(entity)
    return [
        Entity(
            entity_type,
            " ".join(part.value for part in members),
            least_confidence(part.confidence for part in members),
            group,
        )
        for (entity_type, group), members in parts.items()
    ]


def least_confidence(confidences: Iterable[float | None]) -> float | None:
    """The confidence of a value that has several parts: that of its least sure part.

    Args:
        confidences (iterable of float): the confidences of the parts; None where it is not known.

    Returns:
        float: the smallest; None if none is known.

    >>> least_confidence([0.9, None, 0.7])
    0.7
    """
    return min((confidence for confidence in confidences if confidence is not None), default=None)


def labelled_boxes(
    labels: Sequence[str | None],
    boxes: Sequence[Sequence[Any]],
    groups: Sequence[str | int | None] | None = None,
    *,
    outside: Collection[str | None] = OUTSIDE,
) -> list[dict[str, Any]]:
    """The boxes of labelled words, as the metric box_iou reads them.

    Args:
        labels (list of str): the label of each word.
        boxes (list): the box of each word: four numbers [x0, y0, x1, y1], four points [x, y] or eight numbers.
        groups (list): the group id of each word; None or "" for none.
        outside (collection): the labels of words to leave out.

    Returns:
        list of dict: labelled boxes.

    Raises:
        ValueError: for lists of unequal lengths, and for a box of another shape.

    >>> labelled_boxes(["menu.nm", "O", "total"], [[0, 0, 9, 2], [9, 0, 10, 2], [0, 5, 9, 5, 9, 7, 0, 7]], [1, 1, ""])
    [{'label': 'menu.nm', 'box': [0, 0, 9, 2], 'group': 1}, {'label': 'total', 'quad': [0, 5, 9, 5, 9, 7, 0, 7]}]
    """
    _check_lengths("labels", labels, boxes=boxes, groups=groups)
    result = []
    for number, (label, box) in enumerate(zip(labels, boxes, strict=True)):
        if label in outside:
            continue
        labelled: dict[str, Any] = {"label": label, _shape(number, box): box}
        if groups is not None and groups[number] is not None and groups[number] != "":
            labelled["group"] = groups[number]
        result.append(labelled)
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
    leaves: dict[str, list[Any]] = {}
    for entity_type, value, confidence, _ in entities:
        leaf = value if confidence is None else {"value": value, "confidence": confidence}
        leaves.setdefault(entity_type, []).append(leaf)
    return {entity_type: values[0] if len(values) == 1 else values for entity_type, values in leaves.items()}


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
        if any(isinstance(entity_types, str) for entity_types in groups.values()):
            raise ValueError(f"groups must map each group type to a list of entity types, got {groups!r}")
        return {entity_type: name for name, entity_types in groups.items() for entity_type in entity_types}.get
    names = list(groups)
    return lambda entity_type: next((name for name in names if entity_type.startswith(f"{name}.")), None)
