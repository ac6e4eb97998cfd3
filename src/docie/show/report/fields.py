"""Values side by side, as data to show: what became of each, in words, and no more than fits a page."""

from __future__ import annotations

import json
from collections import Counter
from typing import NamedTuple

from docie.core.explanation import Fields, Group, Pair, Verdict
from docie.core.phrases import counted
from docie.show.report.differences import Part, sides_of
from docie.show.section import brief


class Look(NamedTuple):
    """The look of a verdict: its tone, which is a class in style sheets; a mark; and words."""

    tone: str
    mark: str
    label: str


LOOKS: dict[Verdict | None, Look] = {
    "right": Look("right", "✓", "correct"),
    "form": Look("form", "≈", "counts as equal"),
    "wrong": Look("substitution", "≠", "incorrect"),
    "missed": Look("addition", "+", "missing"),
    "invented": Look("deletion", "−", "spurious"),
    None: Look("", "", ""),
}
KINDS = {
    "form": ("≈", "different format"),
    "group": ("⇄", "wrong group"),
    "type": ("⇅", "wrong type"),
    "duplicate": ("×2", "duplicate"),
    "value": ("≠", "incorrect value"),
    "missed": LOOKS["missed"][1:],
    "invented": LOOKS["invented"][1:],
}
"""The mark and the words of an error whose kind is known."""
ACTIONS: dict[Verdict, str] = {"wrong": "to replace", "missed": "to add", "invented": "to delete"}
ELSEWHERE = ("group", "type", "duplicate")
"""Errors whose value stands elsewhere in the document too."""
EMPTY = "empty group"


class Row(NamedTuple):
    """A pair as it is shown.

    Attributes:
        pair: the pair.
        classes: its names in style sheets.
        mark, label: what became of it.
        action: the correction that it needs; "" for none, and if the family does not name errors.
        expected, predicted: the parts of both values; empty where there is none.
        absence: why one of the values is empty.
        remark: the confidence, the page and the box of the predicted value, and whether it only counts as equal.
    """

    pair: Pair
    classes: str
    mark: str
    label: str
    action: str
    expected: list[Part]
    predicted: list[Part]
    absence: str
    remark: str


class Block(NamedTuple):
    """A group with the rows that are shown."""

    group: Group
    rows: list[Row]


def blocks_of(fields: Fields, most: int) -> tuple[list[Block], str]:
    """The groups with at most so many errors, correct values and groups without values, and what is left out, in words.

    >>> pairs = [Pair("", "total", "12.80", "12.50", "wrong", 0.0)] * 3
    >>> [block], omitted = blocks_of(Fields("Values", [Group("", pairs, "")]), 2)
    >>> [part.text for part in block.rows[0].expected], omitted
    (['12.', '5', '0'], 'Not shown: 1 error.')
    """
    blocks, seen, right = [], Counter[str](), f"correct {fields.noun}"
    for group in fields.groups:
        named: list[tuple[str, Pair | None]] = [(right if pair.is_right else "error", pair) for pair in group.pairs]
        shown = list[Pair | None]()
        for name, pair in named or [(EMPTY, None)]:
            seen[name] += 1
            if seen[name] <= most:
                shown.append(pair)
        if shown:
            blocks.append(Block(group, [row_of(pair, fields) for pair in shown if pair is not None]))
    omitted = [counted(seen[name] - most, name) for name in ("error", right, EMPTY) if seen[name] > most]
    return blocks, f"Not shown: {', '.join(omitted)}." if omitted else ""


def row_of(pair: Pair, fields: Fields) -> Row:
    """A pair as it is shown: what differs is marked, long texts are shortened."""
    look = LOOKS["right" if pair.is_right else pair.verdict]
    mark, label = KINDS.get(pair.kind, look[1:])
    expected, predicted = sides_of(
        pair.predicted, pair.expected, is_right=pair.is_right, marks_scattered=fields.marks_scattered
    )
    return Row(
        pair,
        " ".join(f"docie-{name}" for name in (pair.kind, look.tone) if name),
        mark,
        label,
        ACTIONS.get(pair.verdict, "") if pair.kind else "",
        expected,
        predicted,
        "not here" if pair.kind in ELSEWHERE else "not predicted" if expected else "not in the reference",
        ", ".join(_remarks(pair)),
    )


def _remarks(pair: Pair) -> list[str]:
    remarks = [LOOKS["form"].label] if pair.verdict == "form" else []
    remarks += [] if pair.confidence is None else [f"confidence {brief(pair.confidence, 3)}"]
    for name, value in (("page", pair.page), ("box", pair.box)):
        if value is not None:
            text = value if isinstance(value, str) else json.dumps(value, default=repr, ensure_ascii=False)
            remarks.append(f"{name} {text if len(text) <= 60 else text[:60] + '…'}")
    return remarks
