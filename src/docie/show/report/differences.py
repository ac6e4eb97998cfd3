"""In which characters two values differ."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from itertools import groupby
from typing import Literal, NamedTuple

from rapidfuzz.distance import LCSseq, Levenshtein, Opcode, Postfix, Prefix

from docie.show.report.output import imported

COMPARED = 1000
"""Characters of what two values do not begin or end with alike; what is behind them counts as all different."""
CONTEXT = 40
"""Equal characters to show at each side of a difference."""
MOST_PARTS = 40
"""Parts to show: more of them cannot be read."""
LONGEST = 400
"""Characters to show of a part that differs, or of a value alone."""


Operation = Literal["equal", "delete", "insert", "omitted"]


class Part(NamedTuple):
    """A part of two values: "equal" in both, to "delete" from the prediction, or to "insert" from the reference.

    The text of a part that is "omitted" is "…": it stands for characters that are not shown.
    """

    operation: Operation
    text: str


_EQUAL: tuple[Operation, ...] = ("equal",)
_CHANGES: tuple[Operation, ...] = ("delete", "insert")
OMITTED = Part("omitted", "…")


def graphemes(text: str) -> list[str]:
    """The characters of a text as a reader sees them: marks stay with their letters, emoji sequences stay whole.

    >>> [len(character) for character in graphemes("e\\u0301a")]
    [2, 1]
    """
    if text.isascii() and "\r" not in text:
        return [*text]
    found: list[str] = imported("regex").findall(r"\X", text)
    return found


def differences(prediction: str, reference: str) -> list[Part]:
    """The fewest characters to delete and to insert that turn the prediction into the reference.

    A replaced character is one deleted and one inserted; their number is the Levenshtein distance. Values that differ
    in more than 1,000 characters are compared by these, so that the work is bounded. The equal and the deleted parts
    are the prediction, the equal and the inserted ones the reference.

    >>> [tuple(part) for part in differences("Cobb Salod", "Cobb Salad")]
    [('equal', 'Cobb Sal'), ('delete', 'o'), ('insert', 'a'), ('equal', 'd')]
    """
    return _edited(graphemes(prediction), graphemes(reference), Levenshtein.opcodes)


def _edited(predicted: Sequence[str], expected: Sequence[str], opcodes: Callable[..., Iterable[Opcode]]) -> list[Part]:
    before = Prefix.similarity(predicted, expected)
    behind = Postfix.similarity(predicted[before:], expected[before:])
    middles = predicted[before : len(predicted) - behind], expected[before : len(expected) - behind]
    beginnings = [middle[:COMPARED] for middle in middles]
    parts = [Part("equal", "".join(predicted[:before]))]
    for edit in opcodes(*beginnings):
        deleted, inserted = middles[0][edit.src_start : edit.src_end], middles[1][edit.dest_start : edit.dest_end]
        if edit.tag == "equal":
            parts.append(Part("equal", "".join(deleted)))
        else:
            parts += [Part("delete", "".join(deleted)), Part("insert", "".join(inserted))]
    parts += [Part("delete", "".join(middles[0][COMPARED:])), Part("insert", "".join(middles[1][COMPARED:]))]
    parts.append(Part("equal", "".join(predicted[len(predicted) - behind :])))
    return _joined(parts)


def _joined(parts: Iterable[Part]) -> list[Part]:
    """The parts without empty ones; of those between two equal parts, all that is deleted comes first."""
    result: list[Part] = []
    for is_equal, run in groupby(parts, key=lambda part: part.operation == "equal"):
        alike = [*run]
        for operation in _EQUAL if is_equal else _CHANGES:
            text = "".join(part.text for part in alike if part.operation == operation)
            if text:
                result.append(Part(operation, text))
    return result


def readable_differences(prediction: str, reference: str) -> list[Part]:
    """The `differences` as they fit a page: `readable`, and `shortened`.

    >>> [part.text for part in readable_differences("12.80", "12.50")]
    ['12.', '8', '5', '0']
    """
    return shortened(readable(differences(prediction, reference)))


def sides_of(
    prediction: str | None, reference: str | None, *, is_correct: bool, marks_scattered: bool = False
) -> tuple[list[Part], list[Part]]:
    """The parts of the reference and of the prediction: what differs is marked unless it is correct.

    With `marks_scattered`, all that they share counts as equal, however scattered it is.

    >>> [[part.text for part in side] for side in sides_of("12.80", "12.50", is_correct=False)]
    [['12.', '5', '0'], ['12.', '8', '0']]
    """
    if is_correct or prediction is None or reference is None:
        alone = ([] if text is None else [Part("equal", text)] for text in (reference, prediction))
        expected, predicted = map(shortened, alone)
        return expected, predicted
    if marks_scattered:
        parts = shortened(_edited(prediction, reference, LCSseq.opcodes))
    else:
        parts = readable_differences(prediction, reference)
    expected, predicted = ([part for part in parts if part.operation != other] for other in ("delete", "insert"))
    return expected, predicted


def readable(parts: list[Part]) -> list[Part]:
    """The parts, or fewer and larger ones: what differs in nearly everything is marked as a whole.

    >>> [part.text for part in readable(differences("Tea with milk", "1.000,00"))]
    ['Tea with milk', '1.000,00']
    """
    alike, deleted, inserted = (
        sum(len(part.text) for part in parts if part.operation == name) for name in ("equal", *_CHANGES)
    )
    if alike < max(deleted, inserted):
        return _as_a_whole(parts)
    if len(parts) > MOST_PARTS:
        start, end = int(parts[0].operation == "equal"), len(parts) - int(parts[-1].operation == "equal")
        return [*parts[:start], *_as_a_whole(parts[start:end]), *parts[end:]]
    return parts


def _as_a_whole(parts: list[Part]) -> list[Part]:
    """All of the prediction deleted, and all of the reference inserted."""
    texts = ((name, "".join(part.text for part in parts if part.operation in ("equal", name))) for name in _CHANGES)
    return [Part(name, text) for name, text in texts if text]


def shortened(parts: list[Part]) -> list[Part]:
    """The parts, with "…" for the middle of long ones: of equal ones what is far from all differences.

    >>> [len(part.text) for part in shortened([Part("equal", "a" * 5000), Part("delete", "b")])]
    [40, 1, 40, 1]
    """
    result: list[Part] = []
    for operation, text in parts:
        length = CONTEXT if operation == "equal" and len(parts) > 1 else LONGEST // 2
        if len(text) <= 3 * length:
            result.append(Part(operation, text))
            continue
        ends = graphemes(text[: 8 * length])[:length], graphemes(text[-8 * length :])[-length:]
        result += [Part(operation, "".join(ends[0])), OMITTED, Part(operation, "".join(ends[1]))]
    return result
