"""The answers of all systems to a document, each beside the value of the reference that it answers."""

from __future__ import annotations

import itertools
import operator
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, NamedTuple

from docie.core.normalizers import same_value
from docie.metrics.kieval.corrections import CORRECT

Answer = Any
"""0 for a value that is as in the reference, else `[predicted, kind, more]`, as `docie.show.page.data` says."""
ONLY_PREDICTED = "not in the reference"


class Place(NamedTuple):
    """Where values stand: the group of the reference, or the type of one that it lacks; the field, and its value there.

    Answers are compared within a place.
    """

    group: str
    is_alone: bool
    field: str
    expected: str | None


class Line(NamedTuple):
    """A value with the answers of all systems; None for those that have no such value, as the reference."""

    title: str
    place: Place
    answers: list[Answer | None]

    def texts(self) -> list[str | None]:
        """What the systems say that say anything."""
        return [_text(self.place, answer) for answer in self.answers if answer is not None]

    def pair(self) -> list[Any]:
        """The value as a page has it."""
        answers = [answer or 0 for answer in self.answers]
        while answers and not answers[-1]:
            answers.pop()
        return [self.place.field, self.place.expected, *answers]


def aligned(systems: Sequence[Sequence[Any]]) -> list[Any]:
    """The groups of several predictions for one reference, as a page has them, with all answers to each value.

    They are in the order of the reference. What only predictions have follows its group, or the groups of its type;
    equal values stand in one line, in whichever order and in whichever of their own groups they are.

    >>> good, poor = [["total", "9"]], [["total", "9", ["8", "value"]], ["tax", None, ["1", "spurious"]]]
    >>> aligned([[["", "", "", 0, pairs]] for pairs in (good, poor)])
    [['', '', '', 0, [['total', '9', 0, ['8', 'value']], ['tax', None, 0, ['1', 'spurious']]]]]
    """
    lines: dict[Place, list[Line]] = defaultdict(list)
    groups: dict[tuple[str, bool], tuple[str, list[Line]]] = {}
    shown: dict[str, list[list[Any]]] = {}
    for column, of_system in enumerate(systems):
        found: dict[Place, list[tuple[str, Answer]]] = {}
        for title, kind, _, is_alone, pairs in of_system:
            own = [pair for pair in pairs if pair[1] is not None]
            is_extra = bool(is_alone and not own)
            if pairs:
                groups.setdefault((title, is_extra), (kind, []))
            first = iter(shown.setdefault(title, own) if own else ())
            for pair in pairs:
                expected, answer = (None, pair[2]) if pair[1] is None else _as_first(pair, next(first, pair))
                place = Place(kind if is_extra else title, is_extra, pair[0], expected)
                found.setdefault(place, []).append((title, answer))
        for place, values in found.items():
            known = lines[place]
            for title, answer in _without_line(known, values, column):
                line = Line(title, place, [None] * len(systems))
                line.answers[column] = answer
                known.append(line)
                groups[title, place.is_alone][1].append(line)
    types = [*dict.fromkeys(kind for kind, _ in groups.values())]
    return [
        [title, kind, ONLY_PREDICTED if is_extra else "", int(is_extra), [line.pair() for line in _in_order(each)]]
        for (title, is_extra), (kind, each) in sorted(groups.items(), key=lambda group: types.index(group[1][0]))
        if each
    ]


def _in_order(lines: Iterable[Line]) -> list[Line]:
    return sorted(lines, key=lambda line: line.place.expected is None)


def _as_first(pair: Sequence[Any], first: Sequence[Any]) -> tuple[str, Answer]:
    """The expected value as the first system is shown it, and the answer, with a note if it is shown another one that
    is accepted."""
    answer: Answer = pair[2] if len(pair) > 2 else 0
    if pair[:2] == first[:2] or pair[0] != first[0]:
        return pair[1], answer
    predicted, kind, *more = answer or (pair[1], "")
    return first[1], [predicted, kind, {**(more[0] if more else {}), "n": f"compared with {pair[1]}"}]


def _without_line(
    lines: Sequence[Line], values: Sequence[tuple[str, Answer]], column: int
) -> Iterator[tuple[str, Answer]]:
    """Put the answers of a system into the lines of their place, and give those for which there is none.

    An answer stands where all systems so far say the same, else where some do, else in any line of its group.
    """
    if not lines:
        yield from values
        return
    if len(lines) == len(values) == 1 and lines[0].place.expected is not None:
        lines[0].answers[column] = values[0][1]
        return
    left = [*values]
    complete = [line for line in lines if None not in line.answers[:column]]
    for candidates, is_same in itertools.product((complete, lines), (operator.eq, _is_same)):
        for line in candidates:
            said = line.texts()
            matches = (each for each in left if all(is_same(_text(line.place, each[1]), text) for text in said))
            if line.answers[column] is None and (value := next(matches, None)):
                line.answers[column] = value[1]
                left.remove(value)
    for value in left:
        free = (line for line in lines if line.answers[column] is None)
        if line := next((line for line in free if line.place.expected is not None or line.title == value[0]), None):
            line.answers[column] = value[1]
        else:
            yield value


def _text(place: Place, answer: Answer) -> str | None:
    """What an answer says."""
    return answer[0] if answer else place.expected


def _is_same(one: str | None, other: str | None) -> bool:
    return one is not None and other is not None and same_value(one, other)


def is_right(answer: Answer) -> bool:
    """Whether an answer is correct, or absent as in the reference."""
    return not answer or answer[1] in CORRECT


def is_suspect(pair: Sequence[Any], systems: int) -> bool:
    """Whether all systems have the same value, and not that of the reference, as `docie.corpus.suspects` says.

    >>> is_suspect(["total", "9", ["8", "value"], ["8.0", "value"]], 2)
    True
    """
    answers = pair[2:]
    if len(answers) < systems or any(is_right(each) or each[0] is None or each[1] == "format" for each in answers):
        return False
    if any("n" in more for _, _, *other in answers for more in other):  # accepted values, each close to another system
        return False
    return all(itertools.starmap(same_value, itertools.combinations([each[0] for each in answers], 2)))
