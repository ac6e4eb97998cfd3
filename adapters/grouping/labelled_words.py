"""Labelled words → documents with groups, and labelled boxes."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Sequence

from docie.core.errors import shortened
from docie.core.settings import check_flag, check_list
from docie.core.values.plain import JsonObject, as_list, is_list, plain_value

from .documents import Entity, GroupTypes, by_group_id, checked_iterable, slot_filling

OUTSIDE = ("", "O", None)
"""The labels of words outside all entities."""


def from_words(
    words: Sequence[str],
    labels: Sequence[str | None],
    *,
    groups: GroupTypes,
    line_numbers: Sequence[str | int | None] | None = None,
    confidences: Sequence[float | None] | None = None,
    join_words: bool = False,
) -> JsonObject:
    """The document of labelled words.

    Every word is a separate entity, because words are often whole values here (text boxes of an OCR), and values that
    were joined by mistake cannot be separated again. For a model that labels single words, use `join_words`.

    Args:
        words (list of str): the words.
        labels (list of str): the entity type of each word. Words labelled "", "O" or None are left out.
        groups: as in `slot_filling`, which is used if there are no line numbers.
        line_numbers (list): the line item of each word; None or "" for none. `by_group_id` groups by them.
        confidences (list of float): the confidence of each word, in [0, 1], or None.
        join_words (bool): join the words with the same label and line number to one entity, separated by blanks, with
            the smallest of their confidences. It needs line numbers: without them, the names of two line items would be
            joined.

    Returns:
        dict: a document.

    Raises:
        ValueError: if lists have different lengths, if a label is not a text, or if `join_words` lacks line numbers.

    >>> words, labels, lines = ["Iced", "Latte", "Mocha"], ["menu.nm"] * 3, [1, 1, 2]
    >>> from_words(words, labels, groups=["menu"], line_numbers=lines, join_words=True)
    {'menu': [{'menu.nm': 'Iced Latte'}, {'menu.nm': 'Mocha'}]}
    >>> from_words(words, labels, groups=["menu"])
    {'menu': [{'menu.nm': 'Iced'}, {'menu.nm': 'Latte'}, {'menu.nm': 'Mocha'}]}
    """
    check_flag("join_words", join_words)
    if join_words and line_numbers is None:
        raise ValueError("join_words needs line_numbers")
    check_lengths("words", words, labels=labels, line_numbers=line_numbers, confidences=confidences)
    unknown = [None] * len(words)
    labelled = [
        Entity(label, word, _known(confidence), _group_id(line))  # type: ignore[arg-type]  # None is outside
        for word, label, confidence, line in zip(
            words,
            labels,
            unknown if confidences is None else confidences,
            unknown if line_numbers is None else line_numbers,
            strict=True,
        )
        if not _is_outside(label, OUTSIDE)
    ]
    if join_words and not all(isinstance(entity.value, str) for entity in labelled):
        raise ValueError("join_words needs words that are texts")
    if line_numbers is None:
        return slot_filling(labelled, groups)
    return by_group_id(_merged(labelled) if join_words else labelled, groups)


def _merged(entities: Iterable[Entity]) -> list[Entity]:
    """One entity for all with the same type and group, at the position of the first."""
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
    """The confidence of a value with several parts: the lowest one.

    Args:
        confidences (iterable of float): the confidences of the parts; None for unknown ones.

    Returns:
        float: the smallest; None if all are unknown.

    Raises:
        ValueError: if confidences cannot be compared.

    >>> least_confidence([0.9, None, 0.7])
    0.7
    """
    if not isinstance(confidences, list):
        confidences = list(checked_iterable("confidences", confidences))
    known = [confidence for confidence in confidences if confidence is not None]
    try:
        return min(known, default=None)
    except (TypeError, ValueError):
        raise ValueError(f"confidences must be numbers or None, got {shortened(known)}") from None


def labelled_boxes(
    labels: Sequence[str | None],
    boxes: Sequence[Sequence[object]],
    groups: Sequence[str | int | None] | None = None,
    *,
    outside: Collection[str | None] = OUTSIDE,
) -> list[JsonObject]:
    """The boxes of labelled words, as input for the metric box_iou.

    Args:
        labels (list of str): the label of each word.
        boxes (list): the box of each word: four numbers [x0, y0, x1, y1], four points [x, y] or eight numbers.
        groups (list): the group id of each word; None or "" for none.
        outside (collection): the labels of words that are left out.

    Returns:
        list of dict: labelled boxes.

    Raises:
        ValueError: if lists have different lengths, or if a box has another shape.

    >>> labelled_boxes(["menu.nm", "O", "total"], [[0, 0, 9, 2], [9, 0, 10, 2], [0, 5, 9, 5, 9, 7, 0, 7]], [1, 1, ""])
    [{'label': 'menu.nm', 'box': [0, 0, 9, 2], 'group': 1}, {'label': 'total', 'quad': [0, 5, 9, 5, 9, 7, 0, 7]}]
    """
    check_lengths("labels", labels, boxes=boxes, groups=groups)
    outside = list(checked_iterable("outside", outside))
    if not all(isinstance(label, str | None) for label in outside):
        raise ValueError(f"outside must be labels, got {shortened(outside)}")
    result = []
    ids = [None] * len(labels) if groups is None else groups
    for number, (label, box, group_id) in enumerate(zip(labels, boxes, ids, strict=True)):
        if _is_outside(label, outside):
            continue
        labelled: dict[str, object] = {"label": label, _shape(number, box): box}
        group = _group_id(group_id)
        if group is not None:
            labelled["group"] = group
        result.append(labelled)
    return result


def _shape(number: int, box: Sequence[object]) -> str:
    parts = as_list(box) if is_list(box) else ()
    sizes = [len(as_list(part)) if is_list(part) else 1 for part in parts]
    if sizes == [1] * 4:
        return "box"
    if sizes in ([1] * 8, [2] * 4):
        return "quad"
    raise ValueError(f"box {number}: expected four numbers, four points or eight numbers, got {shortened(box)}")


def _is_outside(label: object, outside: Collection[str | None]) -> bool:
    """Whether a word with this label is outside all entities. Raises ValueError if it is not a label."""
    label = _known(label)
    if label is not None and not isinstance(label, str):
        raise ValueError(f"labels must be texts or None, got {shortened(label)}")
    return label in outside


def _group_id(value: object) -> object:
    """The id of a group; None for none."""
    known = _known(value)
    if known is not None and not isinstance(known, str | int | float):
        raise ValueError(f"group ids and line numbers must be texts, numbers or None, got {shortened(known)}")
    return None if known == "" else known


def _known(value: object) -> object:
    """A text, a number or None. NaN and other empty cells of tables are None."""
    if value is None or isinstance(value, str | int):
        return value
    try:
        plain = plain_value(value)
    except TypeError:
        return value
    return None if isinstance(plain, float) and math.isnan(plain) else plain


def check_lengths(name: str, first: Sequence[object], **others: Sequence[object] | None) -> None:
    """Raise ValueError unless all are lists or None, and the lists have the same length."""
    check_list(name, first)
    for other, values in others.items():
        if values is None and other not in ("labels", "tags", "boxes"):
            continue
        check_list(other, values)
        if values is not None and len(values) != len(first):
            raise ValueError(f"expected as many {other} as {name}, got {len(values)} and {len(first)}")
