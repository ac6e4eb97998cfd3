"""The answers of all systems to one document: which values differ from the reference, and which are correct in all."""

from __future__ import annotations

import itertools
import operator
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from docie.core.explanation import Explanation, Fields, Pair
from docie.core.normalizers import same_value
from docie.diagnosis.suspect_labels import Suspect
from docie.show.report.differences import Part, shortened
from docie.show.report.fields import Row, row_of


class Place(NamedTuple):
    """Where values stand: the group of the reference that they are compared with, or, without one, the type of theirs;
    the field, and what the reference has there. Values of all systems are compared within a place."""

    group: str
    is_alone: bool
    field: str
    expected: str | None

    @classmethod
    def of_suspect(cls, suspect: Suspect) -> Place:
        """The place of a suspected label."""
        kind, number = suspect.group_type or "", suspect.group
        group = kind if number is None else f"{kind}[{number}]"
        field = suspect.entity_type.removeprefix(f"{kind}.")
        return cls(group, bool(kind) and number is None, field, suspect.reference)


class Beside(NamedTuple):
    """A value in all systems: the title of its group, its place, and the pair of each system; None without one."""

    title: str
    place: Place
    pairs: list[Pair | None]

    @property
    def is_correct(self) -> bool:
        """Whether it is correct in all systems."""
        return all(pair and pair.is_correct for pair in self.pairs)


class Line(NamedTuple):
    """A value that is not correct in all systems, with the answer of each system.

    The expected value is empty if the reference has none, and an answer None if the system has none, as the reference.
    """

    group: str
    field: str
    expected: list[Part]
    answers: list[Row | None]
    place: Place

    @property
    def type(self) -> str:
        """The entity type: the field with the type of its group."""
        kind = self.place.group if self.place.is_alone else self.place.group.rpartition("[")[0]
        return f"{kind}.{self.field}" if kind else self.field

    @property
    def is_suspect(self) -> bool:
        """Whether all systems have the same value, and not that of the reference, as `docie.corpus.suspects` says."""
        incorrect = [
            each.pair for each in self.answers if each and not each.pair.is_correct and each.pair.kind != "format"
        ]
        said = [pair.predicted for pair in incorrect if pair.predicted is not None]
        if len({pair.expected for pair in incorrect}) > 1:  # accepted values, each close to another system
            return False
        return len(said) == len(self.answers) and all(itertools.starmap(same_value, itertools.combinations(said, 2)))


class Run(NamedTuple):
    """Values that are correct in all systems, with their fields."""

    values: list[tuple[str, str]]


def lines_of(explanations: Sequence[Explanation]) -> list[Line | Run]:
    """The values of a document in the order of the reference, each with the answers of all systems.

    Values that are correct in all systems are runs. What only predictions have follows its group.

    >>> from docie import kieval
    >>> reference = {"date": "7", "total": "9"}
    >>> run, line = lines_of([kieval.explain(each, reference) for each in (reference, {"date": "7", "total": "8"})])
    >>> run.values, line.field, [answer.look.mark for answer in line.answers]
    ([('date', '7')], 'total', ['✓', '≠'])
    """
    found, values = list[Line | Run](), beside_each_other(explanations)
    for is_correct, rows in itertools.groupby(values, key=lambda row: row.is_correct):
        if is_correct:
            found.append(Run([(f"{row.title} {row.place.field}".strip(), _expected(row.pairs)) for row in rows]))
        else:
            found += map(_line, rows)
    return found


def to_correct(explanation: Explanation) -> int:
    """How many values of a document are to be corrected."""
    return sum(not pair.is_correct for pair in explanation.pairs)


def line_of(suspect: Suspect, lines: Sequence[Line | Run], taken: set[int]) -> int | None:
    """The number of the line of a suspected label, other than those taken; None if there is none."""
    place = Place.of_suspect(suspect)
    for number, line in enumerate(lines):
        if number not in taken and isinstance(line, Line) and line.place == place and line.is_suspect:
            first = line.answers[0]
            if first and first.pair.predicted == suspect.agreed:
                return number
    return None


def beside_each_other(explanations: Sequence[Explanation]) -> Iterator[Beside]:
    """The pairs of several predictions for one reference, value by value.

    The values are in the order of the reference; what only predictions have follows its group, and equal values of
    theirs stand beside each other, in whichever order and in whichever of their own groups they are.
    """
    rows: dict[tuple[str, bool], list[Beside]] = {}
    places: dict[Place, list[Beside]] = {}
    references: dict[tuple[str, str], list[str]] = {}
    for column, explanation in enumerate(explanations):
        found: dict[Place, list[tuple[str, Pair]]] = {}
        for title, place, pair in _placed(explanation, references):
            found.setdefault(place, []).append((title, pair))
        for place, values in found.items():
            known = places.setdefault(place, [])
            for title, pair in _without_row(known, values, column):
                row = Beside(title, place, [None] * len(explanations))
                row.pairs[column] = pair
                known.append(row)
                rows.setdefault((title, place.is_alone), []).append(row)
    for group in rows.values():
        yield from sorted(group, key=lambda row: row.place.expected is None)


def _placed(
    explanation: Explanation, references: dict[tuple[str, str], list[str]]
) -> Iterator[tuple[str, Place, Pair]]:
    """The pairs with the titles of their groups and their places.

    `references` has the values of each field in each group as the first system is shown them: of several accepted
    values, another system may be shown another one.
    """
    seen = Counter[tuple[str, str]]()
    for group in (group for drawing in explanation.drawings if isinstance(drawing, Fields) for group in drawing.groups):
        is_alone = group.is_alone and all(pair.expected is None for pair in group.pairs)
        for pair in group.pairs:
            kind = pair.group.rpartition("[")[0] if is_alone else pair.group
            title = f"{pair.group}, not in the reference" if is_alone else pair.group
            expected, field = pair.expected, (kind, pair.entity_type)
            if expected is not None:
                texts, number = references.setdefault(field, []), seen[field]
                texts += [expected] if number == len(texts) else []
                expected = texts[number]
                seen[field] += 1
            yield title, Place(kind, is_alone, pair.entity_type, expected), pair


def _without_row(rows: Sequence[Beside], values: Sequence[tuple[str, Pair]], column: int) -> Iterator[tuple[str, Pair]]:
    """Put the values of a system into the rows of their place, and give those for which there is none.

    A value stands where all systems so far say the same, else where some do, else in any row of its group.
    """
    left = [*values]

    def put(row: Beside, value: tuple[str, Pair]) -> None:
        row.pairs[column] = value[1]
        left.remove(value)

    complete = [row for row in rows if None not in row.pairs[:column]]
    is_plain = len(rows) == len(left) == 1 and rows[0].place.expected is not None
    for candidates, is_same in () if is_plain else itertools.product((complete, rows), (operator.eq, _is_same)):
        for row in candidates:
            said = [pair.predicted for pair in row.pairs if pair is not None]
            matches = (each for each in left if all(is_same(each[1].predicted, text) for text in said))
            if row.pairs[column] is None and (value := next(matches, None)):
                put(row, value)
    for value in [*left]:
        free = (row for row in rows if row.pairs[column] is None)
        if row := next((row for row in free if row.place.expected is not None or row.title == value[0]), None):
            put(row, value)
        else:
            yield value


def _is_same(one: str | None, other: str | None) -> bool:
    return one is not None and other is not None and same_value(one, other)


def _expected(pairs: Sequence[Pair | None]) -> str:
    return next((pair.expected for pair in pairs if pair and pair.expected is not None), "")


def _line(row: Beside) -> Line:
    said = _expected(row.pairs)
    answers = [None if pair is None else row_of(pair) for pair in row.pairs]
    return Line(row.title, row.place.field, shortened([Part("equal", said)]) if said else [], answers, row.place)
