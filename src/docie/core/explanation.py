"""The explanation of a document's score: pairs of values, the verdict on each, and drawings of them.

The `explain` function of every family returns an `Explanation`. Code that shows documents uses these types and needs to
know no family.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, NamedTuple

from docie.core.errors import shortened
from docie.core.phrases import counted, figure
from docie.core.scores import Score

Verdict = Literal["correct", "incorrect", "missing", "spurious"]
"""The verdict on a value. "missing": only the reference has it; "spurious": only the prediction has it. A value may be
"correct" although its text differs, since both count as equal."""
Corners = tuple[float, float, float, float]


class Pair(NamedTuple):
    """A predicted value and the reference value that it is compared with.

    Attributes:
        group: the group: a line item such as "menu[1]", a label or an attack; "" outside all groups.
        entity_type: the field, entity type or key.
        predicted, expected: the texts; None if one is missing.
        verdict: the verdict on the value; None for what the family measures and does not judge.
        credit: the credit that the family gives it, in [0, 1].
        note: the numbers that the family computes for this pair, as text.
        kind: the kind of an error, where the family distinguishes kinds.
        confidence, box, page: those of the predicted value; None if it has none, or if the family does not read them.
        expected_box, expected_page: those of the reference value.
    """

    group: str
    entity_type: str
    predicted: str | None
    expected: str | None
    verdict: Verdict | None
    credit: float
    note: str = ""
    kind: str = ""
    confidence: float | None = None
    box: Any = None
    page: Any = None
    expected_box: Any = None
    expected_page: Any = None

    @property
    def is_correct(self) -> bool:
        """Whether the value is correct, also where the texts differ."""
        return self.verdict == "correct"


class Group(NamedTuple):
    """Pairs that belong together, such as those of a line item.

    Attributes:
        name: the name of the group.
        pairs: the pairs that were compared.
        numbers: what the family measures of the group beside its pairs, as text.
        note: the name of the group in the prediction, or that one of the two is missing.
        is_alone: whether a side lacks it.
        type: what its entity types begin with; "" outside of groups.
    """

    name: str
    pairs: list[Pair]
    numbers: str = ""
    note: str = ""
    is_alone: bool = False
    type: str = ""

    @property
    def heading(self) -> str:
        """What is said beside its name: how many of its values are correct, and what the family measures."""
        return " · ".join(filter(None, (in_numbers(self.pairs), self.numbers))) or "empty"

    @property
    def is_correct(self) -> bool:
        """Whether there is nothing to correct."""
        return not self.is_alone and all(pair.is_correct for pair in self.pairs)


@dataclass(frozen=True)
class Fields:
    """Reference and predicted values next to each other, group by group.

    Attributes:
        title: the heading.
        groups: the pairs, in groups.
        lead: a sentence above them.
        noun: what a pair is called.
        marks_scattered: whether everything that two texts share is marked as equal, however scattered it is (their
            longest common subsequence). Otherwise differences are marked as a reader would mark them.
    """

    title: str
    groups: Sequence[Group]
    lead: str = ""
    noun: str = "field"
    marks_scattered: bool = False


@dataclass
class Node:
    """A node of a tree.

    Attributes:
        name: the key, or the position in a list; "" for a text.
        verdict: the verdict on the node; None if it has none.
        label: the verdict in words.
        predicted, expected: the texts; None if one is missing.
        numbers: the counts of the node, as text.
        note: a further note.
        children: the nodes below.
    """

    name: str
    verdict: Verdict | None = None
    label: str = ""
    predicted: str | None = None
    expected: str | None = None
    numbers: str = ""
    note: str = ""
    children: list[Node] = field(default_factory=list)


class Root(NamedTuple):
    """A tree: its title, its root, and whether it shows the texts of the prediction, the reference or both."""

    title: str
    node: Node
    side: Literal["both", "prediction", "reference"] = "both"


@dataclass(frozen=True)
class Tree:
    """One tree for prediction and reference, or one tree for each."""

    title: str
    roots: Sequence[Root]
    lead: str = ""


class Piece(NamedTuple):
    """A piece of text: an entity with its type, number and verdict, or words outside all entities."""

    text: str
    entity_type: str = ""
    number: int = 0
    verdict: Verdict | None = "correct"


@dataclass(frozen=True)
class Tags:
    """The texts of reference and prediction with their entities marked: a title and pieces for each."""

    title: str
    sides: Sequence[tuple[str, Sequence[Piece]]]
    lead: str = ""


@dataclass(frozen=True)
class Boxes:
    """Boxes on a page.

    Attributes:
        title: the heading.
        predicted, expected: all boxes of the prediction, and of the reference, with their labels.
        found: the numbered items, from 1, in the order of the explanation's pairs: a label, a predicted and an expected
            box, or the smallest ones around a group; None where one is missing.
        lead: a sentence above them.
    """

    title: str
    predicted: Sequence[tuple[str, Corners]]
    expected: Sequence[tuple[str, Corners]]
    found: Sequence[tuple[str, Corners | None, Corners | None]]
    lead: str = ""


Drawing = Fields | Tree | Tags | Boxes


class Explanation(NamedTuple):
    """The explanation of a document's score.

    Attributes:
        sentence: what the score means for this document, with its numbers.
        pairs: the pairs that were compared.
        drawings: how to draw them, the most important drawing first.
        problem: why the prediction counts as empty; "" if it does not.
    """

    sentence: str
    pairs: list[Pair]
    drawings: Sequence[Drawing]
    problem: str = ""


def verdict_of(predicted: str | None, expected: str | None, *, is_correct: bool) -> Verdict:
    """The verdict on a predicted and an expected value; None for a missing one.

    >>> verdict_of("12.00", "12", is_correct=True), verdict_of(None, "12", is_correct=False)
    ('correct', 'missing')
    """
    if expected is None:
        return "spurious"
    if predicted is None:
        return "missing"
    return "correct" if is_correct else "incorrect"


def place_of(group_type: str, predicted: int | None, expected: int | None) -> tuple[str, str]:
    """The name of two groups that are compared, and a note.

    >>> place_of("menu", 2, 1), place_of("menu", None, 1)
    (('menu[1]', 'predicted as menu[2]'), ('menu[1]', 'only in the reference'))
    """
    if expected is None:
        return f"{group_type}[{predicted}]", "only in the prediction"
    if predicted is None:
        return f"{group_type}[{expected}]", "only in the reference"
    return f"{group_type}[{expected}]", "" if predicted == expected else f"predicted as {group_type}[{predicted}]"


def path_of(group_type: str | None, predicted: int | None, expected: int | None, entity_type: str) -> str:
    """The place of a value in a reference, from the numbers of its two groups: as `place_of` names them, and its field.

    A predicted group that the reference lacks has a plus before its number, since it has none there.

    >>> path_of(None, None, None, "total"), path_of("menu", 2, 1, "menu.sub.nm"), path_of("menu", 2, None, "menu.nm")
    ('total', 'menu[1].sub.nm', 'menu[+2].nm')
    """
    if group_type is None:
        return entity_type
    number = f"+{predicted}" if expected is None else f"{expected}"
    return f"{group_type}[{number}].{entity_type.removeprefix(f'{group_type}.')}"


class Tally(NamedTuple):
    """Numbers of values: correct, incorrect (one in place of another), missing and spurious."""

    correct: int
    incorrect: int
    missing: int
    spurious: int

    @property
    def expected(self) -> int:
        """The number of values in the reference."""
        return self.correct + self.incorrect + self.missing


def tally(pairs: Iterable[Pair]) -> Tally:
    """The numbers of verdicts. Values that count as equal are correct.

    >>> tally([Pair("", "total", "12.00", "12", "correct", 1.0), Pair("", "tax", None, "1", "missing", 0.0)])
    Tally(correct=1, incorrect=0, missing=1, spurious=0)
    """
    verdicts: list[object] = [pair.verdict for pair in pairs]
    return Tally(*map(verdicts.count, Tally._fields))


def in_numbers(pairs: Iterable[Pair], noun: str = "") -> str:
    """How many values are correct, and how many are not, in words; "" without values that are judged.

    >>> pairs = [Pair("", "total", "12.00", "12", "correct", 1.0), Pair("", "tax", None, "1", "missing", 0.0)]
    >>> in_numbers(pairs, "value"), in_numbers(pairs[:1])
    ('1 of 2 values correct, 1 missing', '1 of 1 correct')
    """
    correct, *others = found = tally(pairs)
    expected = counted(found.expected, noun) if noun else f"{found.expected:,}"
    said = [f"{correct:,} of {expected} correct"] if found.expected else []
    names = zip(others, ("incorrect", "missing", "spurious"), strict=True)
    return ", ".join([*said, *(f"{number:,} {name}" for number, name in names if number)])


def explained(
    pairs: list[Pair],
    drawings: Sequence[Drawing],
    scores: Iterable[Score],
    figures: Mapping[str, float],
    *names: str,
    noun: str = "value",
    problem: str = "",
) -> Explanation:
    """The explanation with these pairs and drawings, and its sentence: their numbers, and the named scores.

    Args:
        pairs (list of Pair): the pairs.
        drawings (list): how to draw them.
        scores (list of Score): the `SCORES` of the family.
        figures (dict): the scores of the document, from the name to the value.
        *names (str): those that the sentence tells.
        noun (str): what the pairs are.
        problem (str): why the prediction counts as empty.

    Returns:
        Explanation: all of it.

    >>> pair = Pair("", "nm", "Late", "Latte", "incorrect", 0.8)
    >>> rate = Score("cer", "lower", "rate", "Character error rate.")
    >>> explained([pair], [], [rate], {"cer": 0.2}, "cer").sentence
    '0 of 1 value correct, 1 incorrect: cer 0.2000 (0 is best).'
    """
    lowest = [score for score in scores if score.better == "lower"]
    told = (
        f"{name} {figure(figures[name])}{' (0 is best)' * any(score.names(name) for score in lowest)}"
        for name in names
        if name in figures
    )
    said = in_numbers(pairs, noun) or f"no {noun} on either side"
    return Explanation(f"{said[0].upper()}{said[1:]}: {', '.join(told)}.", pairs, drawings, problem)


def no_document(prediction: object) -> str:
    """Why a prediction counts as empty that is no JSON object; "" for a document.

    >>> no_document(None), no_document({})
    ('The prediction is not a JSON object but nothing, so it counts as empty.', '')
    """
    if isinstance(prediction, Mapping):
        return ""
    got = "nothing" if prediction is None else shortened(prediction)
    return f"The prediction is not a JSON object but {got}, so it counts as empty."


def pairs_of(groups: Iterable[Group]) -> list[Pair]:
    """The pairs of all groups."""
    return [pair for group in groups for pair in group.pairs]


def pieces_of(
    words: Sequence[str], spans: Iterable[tuple[str, int, int]], verdicts: Sequence[Verdict | None]
) -> list[Piece]:
    """The pieces of tagged words: the entities of some spans, each with its verdict, and the words between them.

    >>> [(piece.text, piece.number) for piece in pieces_of(["at", "Juniper", "Cafe"], [("shop", 1, 2)], ["correct"])]
    [('at', 0), ('Juniper Cafe', 1)]
    """
    pieces, end = list[Piece](), 0
    for number, ((entity_type, first, last), verdict) in enumerate(zip(spans, verdicts, strict=True), 1):
        pieces += [Piece(word) for word in words[end:first]]
        end = last + 1
        pieces.append(Piece(" ".join(words[first:end]), entity_type, number, verdict))
    return pieces + [Piece(word) for word in words[end:]]
