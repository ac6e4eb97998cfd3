"""Values side by side, as data to show: what became of each, in words, and no more than fits a page."""

from __future__ import annotations

import functools
import json
from collections import Counter
from collections.abc import Iterable
from itertools import groupby
from typing import NamedTuple

from rapidfuzz.distance import Levenshtein

from docie.core.explanation import Fields, Group, Pair, Verdict
from docie.core.normalizers.specs import normalizer_of
from docie.core.phrases import counted, verb
from docie.inputs.fit.hypotheses.formats import SAME_AMOUNT, Spec, specs_for
from docie.show.error_kinds import KIND_NAMES
from docie.show.report.differences import COMPARED, Part, sides_of
from docie.show.section import brief


class Look(NamedTuple):
    """The look of a verdict: its tone, which is a class in style sheets; a mark; and words."""

    tone: str
    mark: str
    label: str


LOOKS: dict[Verdict | None, Look] = {
    "correct": Look("correct", "✓", "correct"),
    "incorrect": Look("substitution", "≠", "incorrect"),
    "missing": Look("addition", "+", "missing"),
    "spurious": Look("deletion", "−", "spurious"),
    None: Look("", "", ""),
}
MARKS = {"format": "≈", "group": "⇄", "type": "⇅", "duplicate": "×2", "value": "≠", "missing": "+", "spurious": "−"}
KINDS = {kind: (mark, KIND_NAMES[kind]) for kind, mark in MARKS.items()}
"""The mark and the words of an error whose kind is known."""
ELSEWHERE = ("group", "type", "duplicate")
"""Errors whose value stands elsewhere in the document too."""
LONGEST = 60
"""The most characters of a value in a sentence."""
TOLD = {
    "group": "The value belongs to another row",
    "type": "The value belongs under another name",
    "duplicate": "The value stands here once too often",
    "missing": "The prediction lacks it",
    "spurious": "The reference has no such value",
}
"""The problem of an error, by its kind or its verdict."""
EMPTY = "empty group"


class Row(NamedTuple):
    """A pair as it is shown.

    Attributes:
        pair: the pair.
        look: what became of it.
        expected, predicted: the parts of both values; empty where there is none.
        absence: why one of the values is empty.
        remark: the confidence, the page and the box of the predicted value, and whether it only counts as equal.
        words: what is wrong, and what would be correct; "" if nothing is wrong with the text.
    """

    pair: Pair
    look: Look
    expected: list[Part]
    predicted: list[Part]
    absence: str
    remark: str
    words: str

    @property
    def is_correct(self) -> bool:
        """Whether the value is correct."""
        return self.pair.is_correct

    @property
    def partner(self) -> str:
        """What this row and the one where its value stands have in common; "" if the value stands nowhere else."""
        return (self.pair.predicted or self.pair.expected or "") if self.pair.kind in ELSEWHERE else ""


class Block(NamedTuple):
    """A group with the rows that are shown."""

    group: Group
    rows: list[Row]

    @property
    def is_correct(self) -> bool:
        """Whether there is nothing to correct."""
        return self.group.is_correct


def runs(shown: Iterable[Row | Block]) -> list[tuple[bool, list[Row | Block]]]:
    """Rows or groups in order, in runs that are all correct (True) or all in error."""
    return [(is_correct, [*run]) for is_correct, run in groupby(shown, key=lambda each: each.is_correct)]


def blocks_of(fields: Fields, most: int) -> tuple[list[Block], str]:
    """The groups with at most so many errors, correct values and groups without values, and what is left out, in words.

    >>> pairs = [Pair("", "total", "12.80", "12.50", "incorrect", 0.0)] * 3
    >>> [block], omitted = blocks_of(Fields("Values", [Group("", pairs)]), 2)
    >>> [part.text for part in block.rows[0].expected], omitted
    (['12.', '5', '0'], 'Not shown: 1 error.')
    """
    blocks, seen, correct = [], Counter[str](), f"correct {fields.noun}"
    for group in fields.groups:
        named: list[tuple[str, Pair | None]] = [
            (correct if pair.is_correct else "error" if pair.verdict else fields.noun, pair) for pair in group.pairs
        ]
        shown = list[Pair | None]()
        for name, pair in named or [(EMPTY, None)]:
            seen[name] += 1
            if seen[name] <= most:
                shown.append(pair)
        if shown:
            rows = [row_of(pair, fields.marks_scattered) for pair in shown if pair is not None]
            blocks.append(Block(group, rows))
    omitted = [counted(seen[name] - most, name) for name in ("error", correct, fields.noun, EMPTY) if seen[name] > most]
    return blocks, f"Not shown: {', '.join(omitted)}." if omitted else ""


def look_of(pair: Pair) -> Look:
    """The look of a pair: all of its names in style sheets, its mark, and its words."""
    look = LOOKS[pair.verdict]
    tones = " ".join(f"docie-{name}" for name in (pair.kind, look.tone) if name)
    return Look(tones, *KINDS.get(pair.kind, look[1:]))


def row_of(pair: Pair, marks_scattered: bool = False) -> Row:
    """A pair as it is shown: what differs is marked, long texts are shortened.

    With `marks_scattered`, the family counts characters in its own way, and its note has their numbers.
    """
    said, is_incorrect = (pair.predicted, pair.expected), not pair.is_correct and pair.verdict is not None
    expected, predicted = sides_of(*said, is_correct=not is_incorrect, marks_scattered=marks_scattered)
    absence = "not here" if pair.kind in ELSEWHERE else "not predicted" if expected else "not in the reference"
    said_of_it = in_words(pair, counts=not marks_scattered) if is_incorrect and pair.predicted != pair.expected else ""
    return Row(pair, look_of(pair), expected, predicted, absence, ", ".join(_remarks(pair)), said_of_it)


def in_words(pair: Pair, *, counts: bool = True) -> str:
    """What is wrong with a value, and what would be correct; with the number of characters that differ if it `counts`.

    >>> in_words(Pair("", "total", "12.80", "12.50", "incorrect", 0.8))
    '1 of 5 characters differs; correct would be “12.50”.'
    >>> in_words(Pair("", "date", "14 Mar 2026", "2026-03-14", "incorrect", 0.0, kind="format"))
    'The same value in a different format; it would be correct with the normalizer date.'
    """
    predicted, expected = pair.predicted, pair.expected
    correct = "to leave it out" if expected is None else f"“{expected[:LONGEST]}{'…' if expected[LONGEST:] else ''}”"
    if predicted is None or expected is None or pair.kind in ELSEWHERE:
        problem = TOLD.get(pair.kind) or TOLD[str(pair.verdict)]
    elif pair.kind == "format":
        problem = "The same value in a different format"
        if names := normalizer_for(predicted, expected):
            return f"{problem}; it would be correct with the normalizer {', '.join(names)}."
    elif not counts:
        return f"Correct would be {correct}."
    else:
        texts = predicted[:COMPARED], expected[:COMPARED]
        number = Levenshtein.distance(*texts)
        problem = f"{number:,} of {counted(max(map(len, texts)), 'character')} {verb(number, 'differs', 'differ')}"
    return f"{problem}; correct would be {correct}."


@functools.lru_cache(1000)
def normalizer_for(predicted: str, expected: str) -> Spec:
    """The first of the usual normalizers under which two texts are equal; empty if there is none.

    >>> normalizer_for("14 Mar 2026", "2026-03-14"), normalizer_for("€ 5", "5.00"), normalizer_for("Latte", "Mocha")
    (('date',), ('money(currency="EUR")',), ())
    """
    for spec in specs_for((predicted, expected)):
        if spec == SAME_AMOUNT:
            continue
        normalizer = normalizer_of(spec)
        if normalizer and normalizer("", predicted) == normalizer("", expected):
            return spec
    return ()


def _remarks(pair: Pair) -> list[str]:
    remarks = ["counts as equal"] if pair.is_correct and pair.predicted != pair.expected else []
    remarks += [] if pair.confidence is None else [f"confidence {brief(pair.confidence, 3)}"]
    for name, value in (("page", pair.page), ("box", pair.box)):
        if value is not None:
            text = value if isinstance(value, str) else json.dumps(value, default=repr, ensure_ascii=False)
            remarks.append(f"{name} {text if len(text) <= 60 else text[:60] + '…'}")
    return remarks
