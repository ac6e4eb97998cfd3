"""Two sides of the same documents, one of them as some tool, service, spreadsheet or person would write it.

A difference rewrites the rows `{"id": ..., "document": {...}}` of one side without changing what is said. Each has a
sort, a name, and a pattern: what `docie check`, or a warning of `docie score`, must say to name the cause. Nothing of
docie is imported.
"""

from __future__ import annotations

import copy
import functools
import json
import random
import re
from collections import Counter
from collections.abc import Callable
from decimal import Decimal
from pathlib import Path
from typing import Any, NamedTuple

from planted_sources import DOCUBENCH, Document, Path_, mapped, shared, source, source_names, values

Rows = list[Any]
REFERENCES, PREDICTIONS = SIDES = ("references", "predictions")
LARGEST = 60  # documents of a source
SHIPPED = ("receipts-careful", "invoices-shipped")
LEFT_OUT = ("receipts-hasty", "invoices-whole", "cord-line-items", *(f"docubench-{each}" for each in DOCUBENCH[:-1]))


class Sides(NamedTuple):
    """The rows of both sides, as they are meant or as they are written."""

    references: Rows
    predictions: Rows


class Files(NamedTuple):
    """The paths of both sides."""

    references: str
    predictions: str


def json_lines(sides: Sides, folder: Path) -> Files:
    """Both sides as JSON Lines."""
    paths = [folder / f"{side}.jsonl" for side in SIDES]
    for path, rows in zip(paths, sides, strict=True):
        path.write_text("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows), encoding="utf-8")
    return Files(*map(str, paths))


def stored(side: str, store: Callable[[Rows, Path], Path]) -> Callable[[Sides, Path], Files]:
    """Both sides as JSON Lines, but one that is stored in another way."""

    def write(sides: Sides, folder: Path) -> Files:
        files = json_lines(sides, folder)
        (folder / "other").mkdir()
        return files._replace(**{side: str(store(getattr(sides, side), folder / "other"))})

    return write


class Difference(NamedTuple):
    """One way in which a side comes to be written differently.

    Attributes:
        sort: the sort of difference.
        name: what tells it from others of its sort.
        write: from the rows of a side, and dice, to the rows as they are written; None where there is nothing to write.
        told: the pattern of a text that names the cause. Texts of findings begin with their kind, those of warnings
            with "warning", and those of errors with "error".
        side: the side that is written so.
        other: how the other side is written, where that is not as it is meant either.
        prepare: makes sound sides that have what the difference is about.
        sound: the sides as they are meant, if these are not the ones before, and others that would be as sound.
        names_types: whether the text must also name a type whose values are written differently.
        store: writes files of both sides.
    """

    sort: str
    name: str
    write: Callable[[Rows, random.Random], Rows | None]
    told: str
    side: str = PREDICTIONS
    other: Callable[[Rows, random.Random], Rows | None] | None = None
    prepare: Callable[[Sides], Sides] | None = None
    sound: Callable[[Sides, random.Random], list[Sides]] | None = None
    names_types: bool = False
    store: Callable[[Sides, Path], Files] = json_lines


class Case(NamedTuple):
    """A difference in the documents of a source.

    Attributes:
        name: what makes the case again.
        difference: what is written.
        written: the rows as they are written.
        sound: the rows as they are meant, in one or several ways.
        types: the types whose values are written differently, where names and structure stay.
    """

    name: str
    difference: Difference
    written: Sides
    sound: list[Sides]
    types: frozenset[str]


def sources() -> list[str]:
    """The names of the sources that this machine has, the shipped ones first."""
    return [name for name in source_names() if name not in LEFT_OUT]


def sides_of(name: str) -> Sides:
    """The plain rows of a source."""
    items = source(name)[:LARGEST]
    return Sides(
        [{"id": item.id, "document": item.reference} for item in items],
        [{"id": item.id, "document": item.prediction} for item in items],
    )


def case_of(difference: Difference, where: str) -> Case | None:
    """The difference in a source; None where there is nothing to write, or where too few values concerned are right."""
    plain = sides_of(where)
    if difference.prepare:
        plain = difference.prepare(plain)
    name = f"{where}/{difference.sort}/{difference.name}@{difference.side}"
    rows = getattr(plain, difference.side)
    written_rows = difference.write(copy.deepcopy(rows), random.Random(name))
    if written_rows is None or (repr(written_rows) == repr(rows) and difference.store is json_lines):
        return None
    types = frozenset[str]()
    if difference.names_types:
        types = _types(plain, difference.side, written_rows)
        if not types:
            return None
    written = plain._replace(**{difference.side: written_rows})
    if difference.other:
        other = REFERENCES if difference.side == PREDICTIONS else PREDICTIONS
        others = difference.other(getattr(plain, other), random.Random(f"{name}, other"))
        written = written._replace(**{other: others or []})
    sound = difference.sound(copy.deepcopy(plain), random.Random(name)) if difference.sound else [plain]
    return Case(name, difference, written, sound, types)


def _types(plain: Sides, side: str, written: Rows) -> frozenset[str]:
    """The types of values that are written differently, if three of these and half of them are right."""
    other = {row["id"]: row["document"] for row in plain[1 - SIDES.index(side)]}
    types, concerned, right = set[str](), 0, 0
    for before, after in zip(getattr(plain, side), written, strict=True):
        kept = _counted(after["document"])
        gone = {
            each: n - kept.get(each, 0) for each, n in _counted(before["document"]).items() if n > kept.get(each, 0)
        }
        found = shared(other[before["id"]], before["document"])
        for (path, _), number in gone.items():
            types.add(path[-1])
            concerned += number
            right += min(found[path], number)
    return frozenset(types) if right >= 3 and 2 * right >= concerned else frozenset()


def _counted(document: Document) -> Counter[tuple[Path_, str]]:
    return Counter((path, repr(value)) for path, value in values(document))


# what writes rows


Write = Callable[[Rows, random.Random], Rows | None]


def as_it_is(rows: Rows, _: random.Random) -> Rows:
    return rows


def rows_as(function: Callable[[Document, int], Any]) -> Write:
    """Each row written anew, from the row and its number."""
    return lambda rows, dice: [function(row, number) for number, row in enumerate(rows)]


def documents(function: Callable[[Document], Any]) -> Write:
    """Each document written anew."""
    return lambda rows, dice: [{**row, "document": function(row["document"])} for row in rows]


def both(write: Write) -> Callable[[Sides], Sides]:
    """Both sides written so."""
    return lambda sides: Sides(*(write(copy.deepcopy(rows), random.Random(0)) or rows for rows in sides))


def all_values(function: Callable[[Path_, Any], Any]) -> Write:
    """Each value that is there written anew, from its keys and itself."""

    def changed(path: Path_, value: Any) -> Any:
        return value if value is None or value == "" else function(path, value)

    return documents(functools.partial(mapped, change=changed))


def with_keys(function: Callable[[str], str]) -> Write:
    """Each key written anew."""
    return documents(functools.partial(_with_keys, function))


def _with_keys(function: Callable[[str], str], value: Any) -> Any:
    if isinstance(value, dict):
        return {function(key): _with_keys(function, child) for key, child in value.items()}
    return [_with_keys(function, child) for child in value] if isinstance(value, list) else value


def groups_of(document: Document) -> list[str]:
    """The keys of the root that hold lists of objects."""
    return [
        name
        for name, child in document.items()
        if isinstance(child, list) and child and all(isinstance(each, dict) for each in child)
    ]


def in_groups(function: Callable[[list[Document], str], Any]) -> Write:
    """Each list of records written anew, from its records and its name."""

    def written(document: Document) -> Document:
        names = groups_of(document)
        return {key: function(child, key) if key in names else child for key, child in document.items()}

    def write(rows: Rows, dice: random.Random) -> Rows | None:
        return documents(written)(rows, dice) if any(groups_of(row["document"]) for row in rows) else None

    return write


def fields_of(document: Document) -> Document:
    """The plain values of the root."""
    return {name: child for name, child in document.items() if not isinstance(child, dict | list)}


# what values say


_NUMBER = re.compile(r"-?\d{1,3}(?:(?P<mark>[.,])\d{3})*(?:(?!(?P=mark))[.,]\d{1,2})?|-?\d+(?:[.,]\d{1,2})?")


def number_of(value: Any) -> Decimal | None:
    """The number that an amount says: a text with two decimals or marks of thousands, or a number of JSON."""
    if isinstance(value, bool):
        return None
    if isinstance(value, int | float):
        return Decimal(repr(value))
    if not isinstance(value, str) or not re.fullmatch(r"-?\d[\d.,]*\d", value):
        return None
    if match := re.fullmatch(r"(-?[\d.,]*)[.,](\d\d)", value):
        return Decimal(re.sub(r"[.,]", "", match[1]) + "." + match[2])
    if re.fullmatch(r"-?\d{1,3}([.,]\d{3})+", value):
        return Decimal(re.sub(r"[.,]", "", value))
    return None


def is_year(number: Decimal) -> bool:
    """Whether a number may be a year."""
    return 1900 <= number <= 2100 and number == int(number)


def amounts(function: Callable[[Decimal], Any]) -> Write:
    """Each amount written anew."""

    def written(path: Path_, value: Any) -> Any:
        number = number_of(value)
        return value if number is None or is_year(number) else function(number)

    return all_values(written)


def is_name(value: Any) -> bool:
    """Whether a value is a text with four letters in a row and no digits."""
    return isinstance(value, str) and re.search(r"[^\W\d_]{4}", value) is not None and not re.search(r"\d", value)


def texts(function: Callable[[str], Any]) -> Write:
    """Each text that is no amount, date or code written anew."""
    return all_values(lambda path, value: function(value) if is_name(value) else value)
