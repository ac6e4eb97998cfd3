"""Models that are really wrong: no advice may raise their scores.

A control takes the rows of both sides, and dice, and gives predictions that are wrong; or both sides, with documents
that have what it gets wrong. None where there is nothing to get wrong. Nothing of docie is imported.
"""

from __future__ import annotations

import copy
import datetime
import random
import re
from collections.abc import Callable
from decimal import Decimal
from typing import Any, NamedTuple

from planted_sources import Document, Path_, mapped, misread, values
from writing_cases import (
    Rows,
    Sides,
    Write,
    all_values,
    amounts,
    both,
    documents,
    fields_of,
    in_groups,
    is_name,
    is_year,
    number_of,
)
from writing_values import Day, day_of


class Control(NamedTuple):
    """A model that is wrong: its name, how it answers, and the sides as they would be without it."""

    name: str
    write: Write
    prepare: Callable[[Sides], Sides] | None = None


def control_of(control: Control, plain: Sides) -> tuple[Sides, Sides] | None:
    """The sides with a right model, as it was, and with the wrong one; None where there is nothing to get wrong."""
    if control.prepare:
        plain = control.prepare(plain)
    rows = control.write(copy.deepcopy(plain.predictions), random.Random(control.name))
    if rows is None or sum(one != other for one, other in zip(rows, plain.predictions, strict=True)) < 3:
        return None
    return plain, plain._replace(predictions=rows)


# sound documents that have what is got wrong


def same_text(name: str, form: str) -> Callable[[Sides], Sides]:
    """A field of the root, and of records, whose text has the number of the document: the same on both sides."""

    def write(rows: Rows, _: random.Random) -> Rows:
        written = []
        for number, row in enumerate(rows):
            text = form.format(number % 9 + 1, number % 7 + 1)
            lines = in_groups(lambda records, _, text=text: [{**each, name: text} for each in records])  # type: ignore[misc]
            [done] = lines([row], random.Random(0)) or [row]
            written.append({**done, "document": {name: text, **done["document"]}})
        return written

    return both(write)


def priced(form: str) -> Callable[[Sides], Sides]:
    return both(amounts(lambda number: form.format(number)))


def other_amounts(function: Callable[[Decimal], str]) -> Write:
    """Each amount another one. 0 stays as it is written: only its format could be another one."""

    def changed(_: Path_, value: Any) -> Any:
        number = number_of(value)
        return function(number) if number and not is_year(number) else value

    return all_values(changed)


# what is got wrong


def replaced(pattern: str, by: str | Callable[[re.Match[str]], str], *, only: str = "") -> Write:
    """A pattern in texts replaced."""

    def written(path: Path_, value: Any) -> Any:
        is_meant = isinstance(value, str) and (not only or path[-1] == only)
        return re.sub(pattern, by, value) if is_meant else value

    return all_values(written)


def some_values(share: float, change: Callable[[Any, random.Random], Any]) -> Write:
    """A share of the values written anew."""

    def write(rows: Rows, dice: random.Random) -> Rows:
        def written(_: Path_, value: Any) -> Any:
            return change(value, dice) if value not in (None, "") and dice.random() < share else value

        return [{**row, "document": mapped(row["document"], written)} for row in rows]

    return write


def days(change: Callable[[Day], Day]) -> Write:
    """Each date another one, as it was written."""

    def written(_: Path_, value: Any) -> Any:
        day = day_of(value)
        return value if day is None else change(day).strftime("%d.%m.%Y" if "." in value else "%Y-%m-%d")

    return all_values(written)


def day_for_month(day: Day) -> Day:
    return Day(day.year, day.day, day.month) if day.day <= 12 != day.month else day + datetime.timedelta(days=31)


def swapped(pairs: dict[str, str]) -> Write:
    """The values of fields of an object stand under each other's names."""
    names = {**pairs, **{other: name for name, other in pairs.items()}}

    def written(value: Any) -> Any:
        if isinstance(value, list):
            return [written(each) for each in value]
        if not isinstance(value, dict):
            return value
        are_there = {name for name in names if name in value and names[name] in value}
        return {key: value[names[key]] if key in are_there else written(child) for key, child in value.items()}

    return documents(written)


def in_records(function: Callable[[list[Document]], list[Document]]) -> Write:
    return in_groups(lambda records, _: function(records))


def shifted(*, columns: int | None = None, by: int = 1) -> Callable[[list[Document]], list[Document]]:
    """Some columns of the records are those of the next record."""

    def write(records: list[Document]) -> list[Document]:
        names = list(dict.fromkeys(name for each in records for name in each))[-(columns or 1) :]
        turned = [*records[by:], *records[:by]]
        return [{**each, **{n: other.get(n) for n in names}} for each, other in zip(records, turned, strict=True)]

    return write


def sorted_columns(records: list[Document]) -> list[Document]:
    names = list(dict.fromkeys(name for each in records for name in each))
    columns = {name: sorted((each.get(name) for each in records), key=str) for name in names}
    return [{name: columns[name][n] for name in names} for n in range(len(records))]


def turned_columns(records: list[Document]) -> list[Document]:
    """The plain values of a record under the next column."""
    written = []
    for each in records:
        plain = fields_of(each)
        turned = [*list(plain.values())[1:], *list(plain.values())[:1]]
        written.append({**each, **dict(zip(plain, turned, strict=True))})
    return written


def merged(records: list[Document]) -> list[Document]:
    """Two records in one."""
    written = []
    for one, other in zip(records[::2], [*records[1::2], {}], strict=False):
        names = [*one, *(name for name in other if name not in one)]
        flat = {n: " ".join(str(each[n]) for each in (one, other) if each.get(n) not in (None, "")) for n in names}
        written.append(flat if other else one)
    return written


def continued(records: list[Document]) -> list[Document]:
    """Long names continue in a record of their own."""
    written = []
    for each in records:
        name = next((key for key, child in each.items() if isinstance(child, str) and " " in child), None)
        head, _, rest = each[name].partition(" ") if name else ("", "", "")
        written += [{**each, name: head}, {name: rest}] if name else [each]
    return written


def others(rows: Rows, by: int) -> Rows:
    """The answers to other documents."""
    answers = [row["document"] for row in rows]
    return [{**row, "document": answer} for row, answer in zip(rows, [*answers[by:], *answers[:by]], strict=True)]


def previous(rows: Rows, dice: random.Random) -> Rows:
    """Some answers repeat the one before."""
    return [
        {**row, "document": rows[max(0, n - 1)]["document"]} if dice.random() < 0.4 else row
        for n, row in enumerate(rows)
    ]


def from_others(rows: Rows, dice: random.Random) -> Rows:
    """Half of the values are those of other documents."""
    known: dict[Path_, list[Any]] = {}
    for row in rows:
        for path, value in values(row["document"]):
            known.setdefault(path, []).append(value)
    changed = some_of_others(known, dice)
    return [{**row, "document": mapped(row["document"], changed)} for row in rows]


def some_of_others(known: dict[Path_, list[Any]], dice: random.Random) -> Callable[[Path_, Any], Any]:
    return lambda path, value: dice.choice(known[path]) if path in known and dice.random() < 0.5 else value


def invented(**fields: Any) -> Write:
    """Fields that no document has."""
    return documents(lambda document: {**document, **fields})


def invented_from(document: Document) -> Document:
    """Further names for values of other fields, as models invent them."""
    texts_of = [child for child in fields_of(document).values() if is_name(child)]
    return {**document, "customer": texts_of[0] if texts_of else "Cash customer", "ship_to": "same as above"}


def renamed_wrongly(document: Document) -> Document:
    """One field is missing, and another one holds the value of a third."""
    written = {key: child for key, child in document.items() if key not in ("vendor", "supplier", "TotalPrice")}
    return {**written, "sold_to": next((v for v in fields_of(written).values() if v not in (None, "")), "")}


def failing(rows: Rows, dice: random.Random) -> Rows:
    return [{**row, "document": {}} if dice.random() < 0.5 else row for row in rows]


def wrongly_read(value: Any, dice: random.Random) -> Any:
    """A value with another character, not only in another case."""
    other = misread(value, dice)
    return f"{value}x" if f"{other}".casefold() == f"{value}".casefold() else other


def rounded(number: Decimal) -> str:
    return f"{number:.2f}" if number == int(number) else f"{number:.0f}"


def digits_swapped(value: Any, dice: random.Random) -> Any:
    found = re.search(r"(\d)(?!\1)(\d)", value) if isinstance(value, str) else None
    return f"{value[: found.start()]}{found[2]}{found[1]}{value[found.end() :]}" if found else value


_NEXT = datetime.timedelta(days=1)
_LOOKALIKE = str.maketrans("015869", "OlSBbg")
