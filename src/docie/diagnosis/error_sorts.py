"""Sorts of errors: each is a function that finds its errors in a document, and what they have in common."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from itertools import chain

from docie.core.counts import Counts
from docie.core.normalizers.amounts import read_amount_text
from docie.core.normalizers.confusions import confusion
from docie.core.normalizers.dates import read_date
from docie.core.normalizers.same_value import form_key
from docie.core.normalizers.signs import differences
from docie.core.phrases import enumerated
from docie.documents.document import Document, Entity
from docie.documents.leaves import answers_of
from docie.inputs.fit.told.contains import rest_of
from docie.metrics.kieval.corrections import ErrorRow

LONGEST_PART = 20
"""The most characters by which parts of values are told apart."""
SHORT = 2
"""The length of texts that two types may share by chance, such as quantities and the numbers of lines."""
_DATE = re.compile(r"(?=.*\d).{4,40}")
_WITH_YEAR = "{0}.{1}", "{0}{1}", "{0}-{1}", "{0}/{1}", "{0} {1}", "{1}-{0}", "{1}/{0}"
_WITH_DAY = "{1}.{0}", "{1}/{0}", "{1} {0}", "{0}-{1}"
_TRUTHS = frozenset({"true", "false"})

Rows = Mapping[int, ErrorRow]
"""The errors of a document that no sort has found yet, by their place."""
Found = tuple[tuple[str, ...], list[int], int]
"""What errors have in common, their places, and how often it occurs."""


class Read:
    """A document with its errors, as sorts look at it."""

    def __init__(self, rows: Sequence[ErrorRow], counts: Counts, reference: Document) -> None:
        self.rows, self.counts, self.reference = rows, counts, reference

    @cached_property
    def missing(self) -> dict[str, str]:
        """The types of values that are missing or incorrect, by their texts."""
        return _known((row.reference, row.entity_type) for row in self.rows if row.reference is not None)

    @cached_property
    def wrong(self) -> dict[str, str]:
        """The types of predicted values that are incorrect or spurious, by their texts."""
        return _known((row.prediction, row.entity_type) for row in self.rows if row.prediction is not None)

    @cached_property
    def _alone(self) -> dict[str, str]:
        """The types of values outside of lists, by their meaning."""
        single = (groups[0] for groups in self.reference.groups.values() if len(groups) == 1)
        return _types(chain(self.reference.ungrouped, *single))

    def type_of(self, row: ErrorRow) -> str | None:
        """The type whose value was predicted: in the same group, or outside of lists."""
        key = "" if row.prediction is None or len(row.prediction) <= SHORT else form_key(row.prediction)
        if len(key) <= SHORT or key in _TRUTHS:
            return None
        is_in_group = row.group_type is not None and row.reference_group is not None
        here = self.reference.groups[str(row.group_type)][row.reference_group or 0] if is_in_group else ()
        name = _types(here).get(key, self._alone.get(key))
        return name if name != row.entity_type else None


def _known(types: Iterable[tuple[str, str]]) -> dict[str, str]:
    """The types of values; nothing for a value of two types, of which one does not know which was taken."""
    found: dict[str, str] = {}
    for key, name in types:
        found[key] = name if found.get(key, name) == name else ""
    return found


def _types(group: Iterable[Entity]) -> dict[str, str]:
    """The types of values by their meaning."""
    return _known((form_key(answer), name) for name, value, _ in group for answer in answers_of(value))


def no_answer(document: Read, rows: Rows) -> Iterator[Found]:
    """All values of an answer without any."""
    if rows and ("failed",) in document.counts.rows:
        yield (), [*rows], 1


def cut(document: Read, rows: Rows) -> Iterator[Found]:
    """The last groups of a type, of which nothing was predicted."""
    lost: defaultdict[tuple[str, int | None], list[int]] = defaultdict(list)
    for place, row in rows.items():
        if row.group_type is not None and row.predicted_group is None:
            lost[row.group_type, row.reference_group].append(place)
    for row in document.rows if lost else ():  # what stands elsewhere is not lost
        if row.group_type is not None and row.kind in ("group", "type"):
            lost.pop((row.group_type, row.reference_group), None)
    for group_type in sorted({name for name, _ in lost}):
        number = len(document.reference.groups.get(group_type, ()))
        last = number
        while (group_type, last - 1) in lost:
            last -= 1
        if last < number:
            places = [*chain(*(lost[group_type, each] for each in range(last, number)))]
            yield (group_type, "all" if last == 0 else "the last"), places, number - last


def exchanged(_: Read, rows: Rows) -> Iterator[Found]:
    """Two values that stand under each other's type."""
    waiting: dict[tuple[str, str], int] = {}
    for place, row in rows.items():
        if row.reference is None or row.prediction is None or row.kind not in ("type", "value"):
            continue
        keys = form_key(row.reference), form_key(row.prediction)
        other = waiting.pop((keys[1], keys[0]), None)
        if other is not None and rows[other].entity_type != row.entity_type:
            yield tuple(sorted((row.entity_type, rows[other].entity_type))), [other, place], 1
        elif min(map(len, keys)) > SHORT:
            waiting[keys] = place


def confused(_: Read, rows: Rows) -> Iterator[Found]:
    """Characters that were read for others."""
    for place, row in rows.items():
        found = row.reference and row.prediction and confusion(row.reference, row.prediction)
        if found:
            yield found, [place], 1


def part(_: Read, rows: Rows) -> Iterator[Found]:
    """Values that lack a part of the correct one, or have something beside it."""
    for place, row in rows.items():
        if row.kind in ("type", "group") or row.reference is None or row.prediction is None:
            continue
        sides = (row.reference, row.prediction, "missing"), (row.prediction, row.reference, "added")
        for longer, shorter, verb in sides:
            if len(longer) > len(shorter) and (rest := part_of(longer, shorter)):
                yield (verb, rest), [place], 1


def part_of(longer: str, shorter: str) -> str:
    """What a value has that a shorter one lacks, if this is all in which they differ, or all but the format.

    >>> part_of("09/15/2024", "Sep 15"), part_of("2.", "2"), part_of("4,70", "470"), part_of("12 pcs", "12")
    ('the year', "'.'", "','", "'pcs'")
    >>> part_of("Roller", "Rolle"), part_of("tea ", "Tea"), part_of("Tea", "Cake")
    ('one character', 'a blank', '')
    """
    if found := _part_of_date(longer, shorter):
        return f"the {found}"
    if (rest := _beside(longer, shorter)) and longer.strip() != shorter.strip():
        return repr(rest if len(rest) <= LONGEST_PART else f"{rest[:LONGEST_PART]}…")
    signs = _signs(longer), _signs(shorter)
    if signs[0][0] == signs[1][0] and len(more := signs[0][1] - signs[1][1]) == 1 and not signs[1][1] - signs[0][1]:
        [sign] = more
        return "a blank" if sign.isspace() else repr(sign)
    if len(longer) == len(shorter) + 1 and len(shorter) > SHORT:
        start = next((place for place, sign in enumerate(shorter) if sign != longer[place]), len(shorter))
        return "one character" if longer[start + 1 :] == shorter[start:] else ""
    return ""


def _beside(longer: str, shorter: str) -> str:
    """What stands beside a value in a longer one; nothing if the value has it, too, or another unit in its place."""
    rest = rest_of(longer, shorter)
    if not rest or any(longer.count(each) <= shorter.count(each) for each in rest.split("…")):
        return ""
    return "" if any(amount.unit for mark in ".," if (amount := read_amount_text(shorter, mark))) else rest


def _signs(text: str) -> tuple[str, Counter[str]]:
    """The letters and digits of a text, and its other signs."""
    return "".join(filter(str.isalnum, text)).casefold(), Counter(sign for sign in text if not sign.isalnum())


def _part_of_date(longer: str, shorter: str) -> str:
    """Which part of a date a shorter text lacks: the year, the day or the time.

    >>> _part_of_date("2024-09-15 10:30", "15.9.2024"), _part_of_date("2024-09-15", "09/2024"), _part_of_date("9", "")
    ('time', 'day', '')
    """
    if not _DATE.fullmatch(longer) or not _DATE.fullmatch(shorter):
        return ""
    for day_first in (None, True, False):
        if found := read_date(longer, day_first):
            day, time = found
            if time and read_date(shorter, day_first) == (day, ""):
                return "time"
            for name, forms, rest in (("year", _WITH_YEAR, day[:4]), ("day", _WITH_DAY, day[-2:])):
                whole = (form.format(shorter.strip(" ,./-"), rest) for form in forms)
                if any(read_date(text, day_first) == (day, "") for text in whole):
                    return name
    return ""


def other_type(document: Read, rows: Rows) -> Iterator[Found]:
    """Values of one type that are predicted as another one. Short ones only beside longer ones, of the same objects."""
    found: defaultdict[tuple[str, str], list[int]] = defaultdict(list)
    for place, row in rows.items():
        here, there = row.entity_type, str(row.elsewhere)
        if row.kind == "type" and document.missing.get(row.prediction or "") == there:
            found[there, here].append(place)
        elif row.kind == "type" and document.wrong.get(row.reference or "") == there:
            found[here, there].append(place)
        elif row.kind not in ("type", "group", "duplicate", "format") and (name := document.type_of(row)):
            found[name, here].append(place)
    sure = {_objects(key) for key, places in found.items() if any(_is_long(rows[place], key) for place in places)}
    for key, places in found.items():
        if _objects(key) in sure:
            predicted = sum(rows[place].entity_type == key[1] for place in places)
            yield key, places, max(predicted, len(places) - predicted)


def _objects(types: tuple[str, str]) -> tuple[str, ...]:
    """The objects that two types belong to."""
    return tuple(name.rpartition(".")[0] for name in types)


def _is_long(row: ErrorRow, types: tuple[str, str]) -> bool:
    """Whether the value that has the wrong type is no text that types share by chance."""
    text = row.prediction if row.entity_type == types[1] else row.reference
    return len(text or "") > SHORT


def row_off(_: Read, rows: Rows) -> Iterator[Found]:
    """Values of a column that stand in the row before or behind theirs. Short ones only beside longer ones."""
    missing: defaultdict[tuple[str, str | None], list[int]] = defaultdict(list)
    off = {place: row for place, row in rows.items() if row.kind == "group"}
    for place, row in off.items():
        missing[row.entity_type, row.reference].append(place)
    found: defaultdict[str, list[list[int]]] = defaultdict(list)
    for place, row in off.items():
        others = missing.get((row.entity_type, row.prediction), ()) if row.prediction is not None else ()
        if (other := next((other for other in others if _are_next(row, off[other])), None)) is not None:
            found[str(row.group_type)].append([place, other])
    for group_type, pairs in found.items():
        if any(len(rows[place].prediction or "") > SHORT for place, _ in pairs):
            yield from (((group_type,), pair, 1) for pair in pairs)


def _are_next(one: ErrorRow, other: ErrorRow) -> bool:
    """Whether the groups of two errors are neighbours, in the reference or in the prediction."""
    numbers = (one.reference_group, other.reference_group), (one.predicted_group, other.predicted_group)
    return any(mine is not None and yours is not None and abs(mine - yours) == 1 for mine, yours in numbers)


def written(_: Read, rows: Rows) -> Iterator[Found]:
    """Values in another format, and texts that differ in signs only."""
    for place, row in rows.items():
        if row.kind in ("type", "group") or row.reference is None or row.prediction is None:
            continue
        if kinds := differences(row.reference, row.prediction):
            yield (enumerated(kinds),), [place], 1
        elif row.kind == "format":
            is_date = any(read_date(row.reference, day_first) for day_first in (None, True, False))
            yield ("date" if is_date else "",), [place], 1


SORTS: Mapping[str, Callable[[Read, Rows], Iterator[Found]]] = {
    "no_answer": no_answer,
    "cut": cut,
    "exchanged": exchanged,
    "confused": confused,
    "part": part,
    "other_type": other_type,
    "row_off": row_off,
    "format": written,
}
"""The sorts, in the order in which they are asked; behind them comes "one_document"."""
