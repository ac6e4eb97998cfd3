"""A document side by side, as data to show: which values are correct, in words, and no more than fits a page."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

from docie.core.errors import shortened as shortened_value
from docie.core.explanation import place_of
from docie.documents.leaves import PLACE_KEYS
from docie.metrics import kieval
from docie.metrics.kieval.corrections import ErrorRow
from docie.metrics.kieval.explanation import AlignedGroups, RightValue, aligned_groups
from docie.show.report.differences import Part, sides_of
from docie.show.section import brief, counted

UNGROUPED = "Values outside of groups"
ACTIONS = {"substitution": "to replace", "addition": "to add", "deletion": "to delete"}
PARTS = ("correction", "correct value", "empty group")
"""What a document consists of."""
ELSEWHERE = ("group", "type", "duplicate")
"""Errors whose value stands elsewhere in the document too."""


class Outcome(NamedTuple):
    """The outcome of a value: its name in style sheets, a mark, and words."""

    name: str
    mark: str
    label: str


OUTCOMES = {
    outcome.name: outcome
    for outcome in (
        Outcome("right", "✓", "correct"),
        Outcome("form", "≈", "different format"),
        Outcome("group", "⇄", "wrong group"),
        Outcome("type", "⇅", "wrong type"),
        Outcome("duplicate", "×2", "duplicate"),
        Outcome("value", "≠", "incorrect value"),
        Outcome("missed", "+", "missing"),
        Outcome("invented", "−", "spurious"),
    )
}
"""The outcomes by name: "right", and the kinds of errors."""


class Entity(NamedTuple):
    """A value as it is shown.

    Attributes:
        name: the entity type inside of its group: "price" for "menu.price".
        outcome: what became of it.
        operation: the correction that it needs; "" if none.
        reference, prediction: the parts of both values; empty where there is none.
        notes: its confidence, page and box, in words, and whether it is correct in a different format.
    """

    name: str
    outcome: Outcome
    operation: str
    reference: list[Part]
    prediction: list[Part]
    notes: str

    @property
    def action(self) -> str:
        """The correction that it needs; "" for none."""
        return ACTIONS.get(self.operation, "")

    @property
    def absence(self) -> str:
        """Why one of the values is empty."""
        if self.outcome.name in ELSEWHERE:
            return "not here"
        return "not predicted" if self.reference else "not in the reference"


class Block(NamedTuple):
    """Two groups that were compared, or one without a counterpart, or the values outside of all groups.

    Attributes:
        name: the place in the reference, such as "menu[0]"; in the prediction, if it is only there.
        note: where it is in the prediction, or that only the reference or the prediction has it.
        numbers: how many values are correct, and the corrections, in words.
        is_right: whether nothing is to be done.
        entities: those that are shown.
    """

    name: str
    note: str
    numbers: str
    is_right: bool
    entities: list[Entity]


class View(NamedTuple):
    """A document as it is shown.

    Attributes:
        document: its name; "" if it has none.
        problem: why the prediction counts as empty; "" if it does not.
        sentence: what the scores mean for this document.
        is_right: whether nothing is to be done.
        blocks: the groups.
        omitted: what is not shown, in words; "" if all is.
    """

    document: str
    problem: str
    sentence: str
    is_right: bool
    blocks: list[Block]
    omitted: str


def view_of(
    prediction: object,
    reference: object,
    settings: kieval.Settings | None = None,
    *,
    document: str | int | None = None,
    most_entities: int = 500,
) -> View:
    """What to show of a document.

    Args:
        prediction (dict): the predicted document. Anything else counts as the empty document, and the view says so.
        reference (dict): the reference document.
        settings (kieval.Settings): the options of KIEval; None for the defaults.
        document (str or int): its name, as a title; None for no title.
        most_entities (int): at most so many errors are shown, and as many correct values. The view says how many
            are not.

    Returns:
        View: texts and numbers, without markup.

    Raises:
        DocumentError: for a document that cannot be read.
        ValueError: if `most_entities` is less than 1.

    >>> view_of({"nm": "Latte", "price": "4.80"}, {"nm": "Latte", "price": "4.50"}).sentence
    '1 of 2 values is correct in its place; 1 correction: 1 to replace.'
    """
    if most_entities < 1:
        raise ValueError(f"most_entities must be at least 1, got {most_entities}")
    aligned = aligned_groups(prediction, reference, settings)
    errors, right = _numbers(entity for groups in aligned for entity in groups.entities)
    shown: Counter[str] = Counter()
    blocks = [*_blocks(aligned, most_entities, shown)]
    rest = Counter(name for groups in aligned for name, _ in _parts_of(groups)) - shown
    omitted = ", ".join(counted(rest[name], name) for name in PARTS if rest[name])
    return View(
        "" if document is None else str(document),
        _problem(prediction),
        _sentence(right, errors),
        all(map(_is_right, aligned)),
        blocks,
        f"Not shown: {omitted}." if omitted else "",
    )


def _numbers(entities: Iterable[RightValue | ErrorRow]) -> tuple[Counter[str], int]:
    """The number of errors by operation, and of correct values."""
    names = Counter(entity.operation if isinstance(entity, ErrorRow) else "right" for entity in entities)
    right = names.pop("right", 0)
    return names, right


def _problem(prediction: object) -> str:
    if isinstance(prediction, Mapping):
        return ""
    got = "nothing" if prediction is None else shortened_value(prediction)
    return f"The prediction is not a JSON object but {got}, so it counts as empty."


def _sentence(right: int, errors: Counter[str]) -> str:
    """The corrections that this document needs, with their numbers."""
    expected = right + errors["substitution"] + errors["addition"]
    if not expected:
        found = "The reference has no values"
    elif right == expected:
        found = f"All {expected:,} values are correct in their place" if expected > 1 else "The only value is correct"
    elif expected == 1:
        found = "The only value is not correct"
    else:
        found = (
            f"{right:,} of {expected:,} values {'is correct in its' if right == 1 else 'are correct in their'} place"
        )
    number = errors.total()
    todo = f"{counted(number, 'correction')}: {_actions(errors)}" if number else "nothing to correct"
    return f"{found}; {todo}."


def _actions(errors: Counter[str]) -> str:
    return ", ".join(f"{errors[name]:,} {action}" for name, action in ACTIONS.items() if errors[name])


def _blocks(aligned: Iterable[AlignedGroups], most: int, shown: Counter[str]) -> Iterator[Block]:
    """The groups, with at most so many errors and correct values. `shown` counts those that are shown."""
    for groups in aligned:
        entities = []
        for name, entity in _parts_of(groups):
            if shown[name] < most:
                shown[name] += 1
                entities.append(entity)
        if entities:
            yield _block(groups, [_entity(entity, groups.group_type) for entity in entities if entity is not None])


def _parts_of(groups: AlignedGroups) -> Iterator[tuple[str, RightValue | ErrorRow | None]]:
    """The values of a group, each with what it is; None for a group without any."""
    for entity in groups.entities:
        yield PARTS[0] if isinstance(entity, ErrorRow) else PARTS[1], entity
    if not groups.entities:
        yield PARTS[2], None


def _block(groups: AlignedGroups, entities: list[Entity]) -> Block:
    errors, right = _numbers(groups.entities)
    name, note = UNGROUPED, ""
    if groups.group_type is not None:
        name, note = place_of(groups.group_type, groups.predicted_group, groups.reference_group)
    return Block(name, note, _numbers_in_words(right, errors), _is_right(groups), entities)


def _is_right(groups: AlignedGroups) -> bool:
    """Whether nothing is to be done."""
    is_alone = groups.group_type is not None and None in (groups.predicted_group, groups.reference_group)
    return not is_alone and not any(isinstance(entity, ErrorRow) for entity in groups.entities)


def _numbers_in_words(right: int, errors: Counter[str]) -> str:
    if not errors:
        return f"all {right:,} correct" if right > 1 else "correct" if right else "empty"
    expected = right + errors["substitution"] + errors["addition"]
    return f"{right:,} of {expected:,} correct · {_actions(errors)}" if expected else _actions(errors)


def _entity(entity: RightValue | ErrorRow, group_type: str | None) -> Entity:
    kind, operation = (entity.kind, entity.operation) if isinstance(entity, ErrorRow) else ("right", "")
    reference, prediction = sides_of(entity.prediction, entity.reference, is_right=kind == "right")
    return Entity(
        entity.entity_type if group_type is None else entity.entity_type.removeprefix(f"{group_type}."),
        OUTCOMES[kind],
        operation,
        reference,
        prediction,
        _notes(entity),
    )


def _notes(entity: RightValue | ErrorRow) -> str:
    """The place of a predicted value, its confidence, and whether it is correct in a different format."""
    notes = [] if isinstance(entity, ErrorRow) or entity.reference == entity.prediction else ["counts as equal"]
    notes += [] if entity.confidence is None else [f"confidence {brief(entity.confidence, 3)}"]
    for name in reversed(PLACE_KEYS):
        if (value := getattr(entity, name)) is not None:
            text = value if isinstance(value, str) else json.dumps(value, default=repr, ensure_ascii=False)
            notes.append(f"{name} {text if len(text) <= 60 else text[:60] + '…'}")
    return ", ".join(notes)
