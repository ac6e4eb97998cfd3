"""Repairs of predictions by error rows, and the kinds of error rows as a textbook would find them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from docie.core.normalizers import same_value
from docie.documents.document import parse_document
from docie.documents.leaves import OneOf
from docie.metrics.kieval.corrections import ErrorRow

Cell = tuple[str | None, int | None, str, Any]
"""Group type, number of the group, entity type, value."""


def cells(document: Any, side: str) -> list[Cell]:
    """Every value of a document as it stands there, with its place."""
    parsed = parse_document(document, side, keep_empty_groups=True)
    found: list[Cell] = [(None, None, entity_type, value) for entity_type, value, _ in parsed.ungrouped]
    for group_type, groups in parsed.groups.items():
        for place, group in enumerate(groups):
            found += [(group_type, place, entity_type, value) for entity_type, value, _ in group]
    return found


def repaired(prediction: Any, rows: Iterable[ErrorRow]) -> dict[str, Any]:
    """The prediction with these errors repaired: wrong values replaced, those too many removed, missed ones added.

    Groups that are empty afterwards go unless they had been empty, or have a counterpart.
    """
    parsed = parse_document(prediction, "prediction", keep_empty_groups=True)
    ungrouped = [[entity_type, str(value)] for entity_type, value, _ in parsed.ungrouped]
    groups: dict[tuple[str, Any], list[list[str]]] = {
        (group_type, place): [[entity_type, str(value)] for entity_type, value, _ in group]
        for group_type, each in parsed.groups.items()
        for place, group in enumerate(each)
    }
    gone = set()
    for row in rows:
        entities = ungrouped
        if row.group_type is not None:
            is_new = row.predicted_group is None
            place = (row.group_type, ("new", row.reference_group) if is_new else row.predicted_group)
            entities = groups.setdefault(place, [])
            if row.reference_group is None:
                gone.add(place)
        if row.prediction is not None:
            entities.remove([row.entity_type, row.prediction])
        if row.reference is not None:
            entities.append([row.entity_type, row.reference])
    document: dict[str, Any] = {}
    for entity_type, value in ungrouped:
        document.setdefault(entity_type, []).append(value)
    for place, entities in groups.items():
        group: dict[str, list[str]] = {}
        for entity_type, value in entities:
            group.setdefault(entity_type, []).append(value)
        if group or place not in gone:
            document.setdefault(place[0], []).append(group)
    return document


def explained(rows: list[ErrorRow], prediction: Any, reference: Any) -> list[tuple[str, int | str | None]]:
    """Of each row of a document its kind, by the words of the definition and without any index, and `elsewhere`.

    What is wrong and what is missed is taken from the rows; what is right is every other predicted value. For values
    that are compared as they stand.
    """
    return [_explained(row, rows, _right(rows, prediction), cells(reference, "reference")) for row in rows]


def _right(rows: list[ErrorRow], prediction: Any) -> list[Cell]:
    rest = cells(prediction, "prediction")
    for row in rows:
        if row.prediction is not None:
            rest.remove((row.group_type, row.predicted_group, row.entity_type, row.prediction))
    return rest


def _explained(
    row: ErrorRow, rows: list[ErrorRow], right: list[Cell], reference: list[Cell]
) -> tuple[str, int | str | None]:
    value, answers = row.prediction, _answers_of(row, reference)
    if value is not None and any(same_value(value, answer) for answer in answers):
        return "format", None
    others = [other for other in rows if _place(other) != _place(row) and other.group_type == row.group_type]
    same_type = [other for other in others if other.entity_type == row.entity_type]
    other_type = [other for other in rows if other.entity_type != row.entity_type]
    for kind, candidates in (("group", same_type), ("type", other_type)):
        missed_there = [other for other in candidates if value in _answers_of(other, reference)]
        if missed_there:
            return kind, min(_name(other, kind, other.reference_group) for other in missed_there)
        for answer in answers:
            predicted_there = [other for other in candidates if other.prediction == answer]
            if predicted_there:
                return kind, min(_name(other, kind, other.predicted_group) for other in predicted_there)
    if row.operation == "deletion" and any(cell[2:] == (row.entity_type, value) for cell in right):
        return "duplicate", None
    return {"substitution": "value", "addition": "missing", "deletion": "spurious"}[row.operation], None


def _name(row: ErrorRow, kind: str, group: int | None) -> Any:
    return group if kind == "group" else row.entity_type


def _place(row: ErrorRow) -> tuple[int | None, int | None]:
    return row.predicted_group, row.reference_group


def _answers_of(row: ErrorRow, reference: list[Cell]) -> tuple[str, ...]:
    """All right answers of a row; it shows one of them. Equal ones of a place cannot be told apart by a row alone."""
    if row.reference is None:
        return ()
    place = (row.group_type, row.reference_group, row.entity_type)
    values = [cell[3] for cell in reference if cell[:3] == place]
    sets = [value.alternatives if isinstance(value, OneOf) else (value,) for value in values]
    return next(answers for answers in sets if row.reference in answers)
