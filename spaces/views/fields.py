"""Fields of both sides, one beside the other: rows of texts, with what differs in them marked."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from itertools import takewhile
from typing import Literal, NamedTuple

from rapidfuzz.distance import LCSseq

from docie.show.report import TextPart, readable_differences, shortened_parts

from .numbers import counted
from .rendering import render

MOST_ROWS = 200
"""Rows that a view shows."""
_COMPARED = 1000
"""Characters between what two texts begin and end with, up to which they are compared one by one."""

Outcome = Literal["right", "changed", "missed", "invented"]


class _Look(NamedTuple):
    """How a row with some outcome looks: its tone, a class of the aligned view; a mark; and words."""

    tone: str
    mark: str
    label: str


_LOOKS = {
    "right": _Look("right", "✓", "right"),
    "changed": _Look("substitution", "≠", "differs"),
    "missed": _Look("addition", "+", "missed"),
    "invented": _Look("deletion", "−", "invented"),
}


@dataclass
class Row:
    """A field, and what became of it.

    Attributes:
        name: its name.
        outcome: right, changed, missed (only the reference has it) or invented (only the prediction has it).
        reference, prediction: the parts of both texts; empty where a side has none.
        numbers: what the metric counts here, in words.
        label: words in place of those of the outcome.
    """

    name: str
    outcome: Outcome
    reference: list[TextPart]
    prediction: list[TextPart]
    numbers: str = ""
    label: str = ""

    @property
    def look(self) -> _Look:
        """Its tone, its mark and its words."""
        look = _LOOKS[self.outcome]
        return look._replace(label=self.label) if self.label else look


@dataclass
class Block:
    """Rows that belong together, such as a line item.

    Attributes:
        name: its name.
        numbers: what the metric counts here, in words.
        rows: its fields.
        note: where it is in the prediction, or that a side lacks it.
    """

    name: str
    numbers: str
    rows: list[Row] = field(default_factory=list)
    note: str = ""

    @property
    def is_right(self) -> bool:
        """Whether all rows are right: then it is folded."""
        return all(row.outcome == "right" for row in self.rows)


def render_fields(blocks: Iterable[Block], *, lead: str = "", most: int = MOST_ROWS, noun: str = "field") -> str:
    """The blocks as HTML.

    Args:
        blocks: what to show.
        lead (str): a sentence before them.
        most (int): at most so many rows are shown; the view says how many are not.
        noun (str): what a row is.

    Returns:
        str: a fragment of HTML.

    >>> row = Row("total", "changed", *compared_parts("12.80", "12.50"))
    >>> "<ins>5</ins>" in render_fields([Block("Header", "", [row])])
    True
    """
    shown, left = [], most
    total = 0
    for block in blocks:
        total += len(block.rows)
        if left > 0 or not block.rows:
            shown.append(Block(block.name, block.numbers, block.rows[: max(left, 0)], block.note))
            left -= len(block.rows)
    omitted = f"Not shown: {counted(total - most, noun)}." if total > most else ""
    return render("views/templates/fields.html.j2", blocks=shown, lead=lead, omitted=omitted, noun=noun)


def compared_parts(prediction: str | None, reference: str | None) -> tuple[list[TextPart], list[TextPart]]:
    """The parts of the reference and of the prediction: what differs is marked, long texts are shortened.

    >>> [part.text for part in compared_parts("12.80", "12.50")[0]], compared_parts(None, "a")[1]
    (['12.', '5', '0'], [])
    """
    if prediction is None or reference is None or prediction == reference:
        return _alone(reference), _alone(prediction)
    return _sides(readable_differences(prediction, reference))


def shared_parts(prediction: str | None, reference: str | None) -> tuple[list[TextPart], list[TextPart]]:
    """As `compared_parts`, but what is equal is the longest common subsequence, however scattered it is.

    >>> reference, prediction = shared_parts("abxcd", "acbd")
    >>> "".join(part.text for part in reference if part.operation == "equal")
    'abd'
    """
    if prediction is None or reference is None or prediction == reference:
        return _alone(reference), _alone(prediction)
    start = _in_common(prediction, reference)
    end = _in_common(prediction[start:][::-1], reference[start:][::-1])
    predicted, expected = prediction[start : len(prediction) - end], reference[start : len(reference) - end]
    if max(len(predicted), len(expected)) > _COMPARED:
        return compared_parts(prediction, reference)
    parts = [TextPart("equal", prediction[:start])]
    for edit in LCSseq.opcodes(predicted, expected):
        if edit.tag == "equal":
            parts.append(TextPart("equal", predicted[edit.src_start : edit.src_end]))
        else:
            parts.append(TextPart("delete", predicted[edit.src_start : edit.src_end]))
            parts.append(TextPart("insert", expected[edit.dest_start : edit.dest_end]))
    parts.append(TextPart("equal", prediction[len(prediction) - end :]))
    return _sides(shortened_parts([part for part in parts if part.text]))


def place_of(group_type: str, predicted: int | None, expected: int | None) -> tuple[str, str]:
    """The name of a pair of groups, and a note.

    >>> place_of("menu", 2, 1), place_of("menu", None, 1)
    (('menu[1]', 'predicted as menu[2]'), ('menu[1]', 'only in the reference'))
    """
    if expected is None:
        return f"{group_type}[{predicted}]", "only in the prediction"
    if predicted is None:
        return f"{group_type}[{expected}]", "only in the reference"
    return f"{group_type}[{expected}]", "" if predicted == expected else f"predicted as {group_type}[{predicted}]"


def outcome_of(prediction: object, reference: object, *, is_right: bool) -> Outcome:
    """What became of a field; None for a side that lacks it."""
    if reference is None:
        return "invented"
    if prediction is None:
        return "missed"
    return "right" if is_right else "changed"


def places(items: Iterable[Mapping[str, str]]) -> dict[int, int]:
    """The places of items in their list, by identity: equal items are not the same."""
    return {id(item): place for place, item in enumerate(items)}


def _alone(text: str | None) -> list[TextPart]:
    return [] if text is None else shortened_parts([TextPart("equal", text)])


def _sides(parts: list[TextPart]) -> tuple[list[TextPart], list[TextPart]]:
    expected, predicted = ([part for part in parts if part.operation != other] for other in ("delete", "insert"))
    return expected, predicted


def _in_common(one: str, other: str) -> int:
    """How many characters two texts begin with alike."""
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(one, other, strict=False)))
