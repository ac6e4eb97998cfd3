"""A document side by side, as data to show: what is right and what is wrong, in words, and no more than fits a page."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

from docie.core.errors import shortened as shortened_value
from docie.metrics import kieval
from docie.metrics.kieval import AlignedGroups, ErrorRow, RightValue
from docie.show.report.differences import Part, readable_differences, shortened
from docie.show.section import brief, counted

UNGROUPED = "Values outside of groups"
ACTIONS = {"substitution": "to replace", "addition": "to add", "deletion": "to delete"}
PARTS = ("correction", "right value", "empty group")
"""What a document consists of."""
ELSEWHERE = ("group", "type", "duplicate")
"""Errors whose value stands elsewhere in the document too."""


class Outcome(NamedTuple):
    """What became of a value: its name in style sheets, a mark, and words."""

    name: str
    mark: str
    label: str


OUTCOMES = {
    outcome.name: outcome
    for outcome in (
        Outcome("right", "✓", "right"),
        Outcome("form", "≈", "form only"),
        Outcome("group", "⇄", "wrong group"),
        Outcome("type", "⇅", "wrong type"),
        Outcome("duplicate", "×2", "duplicate"),
        Outcome("value", "≠", "wrong value"),
        Outcome("missed", "+", "missed"),
        Outcome("invented", "−", "invented"),
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
        notes: its confidence, page and box, in words, and whether it is right though it is written differently.
    """

    name: str
    outcome: Outcome
    operation: str
    reference: list[Part]
    prediction: list[Part]
    notes: str

    @property
    def action(self) -> str:
        """What a person would do with it; "" for nothing."""
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
        note: where it is in the prediction, or that it is missing on a side.
        numbers: how many values are right, and what is to be done, in words.
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
        sentence: what the figures mean for this document.
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
    """What there is to show of a document.

    Args:
        prediction (dict): the predicted document. Anything else counts as the empty document, and the view says so.
        reference (dict): the reference document.
        settings (kieval.Settings): the options of KIEval; None for the defaults.
        document (str or int): its name, as a title; None for no title.
        most_entities (int): at most so many errors are shown, and at most so many right values. The view says how many
            are not.

    Returns:
        View: texts and numbers, without markup.

    Raises:
        DocumentError: for a document that cannot be read.
        ValueError: if `most_entities` is less than 1.

    >>> view_of({"nm": "Latte", "price": "4.80"}, {"nm": "Latte", "price": "4.50"}).sentence
    '1 of 2 values is right in its place; 1 correction: 1 to replace.'
    """
    if most_entities < 1:
        raise ValueError(f"most_entities must be at least 1, got {most_entities}")
    aligned = kieval.aligned_groups(prediction, reference, settings)
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
    """The number of errors by operation, and of right values."""
    names = Counter(entity.operation if isinstance(entity, ErrorRow) else "right" for entity in entities)
    right = names.pop("right", 0)
    return names, right


def _problem(prediction: object) -> str:
    if isinstance(prediction, Mapping):
        return ""
    got = "nothing" if prediction is None else shortened_value(prediction)
    return f"The prediction is no JSON object but {got}, so it counts as empty."


def _sentence(right: int, errors: Counter[str]) -> str:
    """What a person would have to do, with the numbers of this document."""
    expected = right + errors["substitution"] + errors["addition"]
    if not expected:
        found = "The reference has no values"
    elif right == expected:
        found = f"All {expected:,} values are right in their place" if expected > 1 else "The only value is right"
    elif expected == 1:
        found = "The only value is not right"
    else:
        found = f"{right:,} of {expected:,} values {'is right in its' if right == 1 else 'are right in their'} place"
    number = errors.total()
    todo = f"{counted(number, 'correction')}: {_actions(errors)}" if number else "nothing to correct"
    return f"{found}; {todo}."


def _actions(errors: Counter[str]) -> str:
    return ", ".join(f"{errors[name]:,} {action}" for name, action in ACTIONS.items() if errors[name])


def _blocks(aligned: Iterable[AlignedGroups], most: int, shown: Counter[str]) -> Iterator[Block]:
    """The groups, with at most so many errors and right values. `shown` counts those that are shown."""
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
    name, note = _place(groups)
    return Block(name, note, _numbers_in_words(right, errors), _is_right(groups), entities)


def _is_right(groups: AlignedGroups) -> bool:
    """Whether nothing is to be done."""
    is_alone = groups.group_type is not None and None in (groups.predicted_group, groups.reference_group)
    return not is_alone and not any(isinstance(entity, ErrorRow) for entity in groups.entities)


def _place(groups: AlignedGroups) -> tuple[str, str]:
    """The name of a pair of groups, and a note."""
    if groups.group_type is None:
        return UNGROUPED, ""
    predicted, expected = (
        None if number is None else f"{groups.group_type}[{number}]"
        for number in (groups.predicted_group, groups.reference_group)
    )
    if expected is None:
        return predicted or groups.group_type, "only in the prediction"
    if predicted is None:
        return expected, "only in the reference"
    return expected, "" if predicted == expected else f"predicted as {predicted}"


def _numbers_in_words(right: int, errors: Counter[str]) -> str:
    if not errors:
        return f"all {right:,} right" if right > 1 else "right" if right else "empty"
    expected = right + errors["substitution"] + errors["addition"]
    return f"{right:,} of {expected:,} right · {_actions(errors)}" if expected else _actions(errors)


def _entity(entity: RightValue | ErrorRow, group_type: str | None) -> Entity:
    kind, operation = (entity.kind, entity.operation) if isinstance(entity, ErrorRow) else ("right", "")
    reference, prediction = _parts(entity.prediction, entity.reference, is_right=kind == "right")
    return Entity(
        entity.entity_type if group_type is None else entity.entity_type.removeprefix(f"{group_type}."),
        OUTCOMES[kind],
        operation,
        reference,
        prediction,
        _notes(entity),
    )


def _parts(prediction: str | None, reference: str | None, *, is_right: bool) -> tuple[list[Part], list[Part]]:
    """The parts of the reference and of the prediction."""
    if is_right or prediction is None or reference is None:
        expected, predicted = ([] if text is None else [Part("equal", text)] for text in (reference, prediction))
        return shortened(expected), shortened(predicted)
    parts = readable_differences(prediction, reference)
    expected, predicted = ([part for part in parts if part.operation != other] for other in ("delete", "insert"))
    return expected, predicted


def _notes(entity: RightValue | ErrorRow) -> str:
    """Where a predicted value stands, how sure the model was, and what is right though it is written differently."""
    notes = [] if isinstance(entity, ErrorRow) or entity.reference == entity.prediction else ["counts as equal"]
    notes += [] if entity.confidence is None else [f"confidence {brief(entity.confidence, 3)}"]
    for name, value in (("page", entity.page), ("box", entity.box)):
        if value is not None:
            text = value if isinstance(value, str) else json.dumps(value, default=repr, ensure_ascii=False)
            notes.append(f"{name} {text if len(text) <= 60 else text[:60] + '…'}")
    return ", ".join(notes)
