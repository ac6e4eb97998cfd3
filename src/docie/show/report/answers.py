"""The answers of all systems to one document: which values differ from the reference, and which all have right."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from typing import NamedTuple

from docie.core.explanation import Explanation, Pair, beside_each_other
from docie.core.normalizers import same_value
from docie.show.report.differences import Part, shortened
from docie.show.report.fields import Row, row_of


class Line(NamedTuple):
    """A value that a system does not have right, with the answer of each system.

    The expected value is empty if the reference has none, and an answer None if the system has none, as the reference.
    """

    group: str
    field: str
    expected: list[Part]
    answers: list[Row | None]

    @property
    def is_suspect(self) -> bool:
        """Whether all systems have the same value, and not that of the reference, as `docie.corpus.suspects` says."""
        wrong = [each.pair for each in self.answers if each and not each.pair.is_right and each.pair.kind != "form"]
        said = [pair.predicted for pair in wrong if pair.predicted is not None]
        return len(said) == len(self.answers) and all(itertools.starmap(same_value, itertools.combinations(said, 2)))


class Run(NamedTuple):
    """Values that all systems have right, with their fields."""

    values: list[tuple[str, str]]


def lines_of(explanations: Sequence[Explanation]) -> list[Line | Run]:
    """The values of a document in the order of the reference, each with the answers of all systems.

    Values that all systems have right are runs. What only predictions have follows its group.

    >>> from docie import kieval
    >>> reference = {"date": "7", "total": "9"}
    >>> run, line = lines_of([kieval.explain(each, reference) for each in (reference, {"date": "7", "total": "8"})])
    >>> run.values, line.field, [answer.look.mark for answer in line.answers]
    ([('date', '7')], 'total', ['✓', '≠'])
    """
    found, values = list[Line | Run](), beside_each_other(explanations)
    for is_right, lines in itertools.groupby(values, key=lambda each: all(pair and pair.is_right for pair in each[2])):
        if is_right:
            found.append(Run([(f"{group} {field}".strip(), _expected(pairs)) for group, field, pairs in lines]))
        else:
            found += [_line(*each) for each in lines]
    return found


def to_correct(explanation: Explanation) -> int:
    """How many values of a document are to be corrected."""
    return sum(not pair.is_right for pair in explanation.pairs)


def _expected(pairs: Sequence[Pair | None]) -> str:
    return next((pair.expected for pair in pairs if pair and pair.expected is not None), "")


def _line(group: str, field: str, pairs: Sequence[Pair | None]) -> Line:
    said = _expected(pairs)
    rows = [None if pair is None else row_of(pair) for pair in pairs]
    return Line(group, field, shortened([Part("equal", said)]) if said else [], rows)
