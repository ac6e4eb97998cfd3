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
    texts,
)
from writing_dates import Day, day_of, flagged


class Control(NamedTuple):
    """A model that is wrong: its name, how it answers, and the sides as they would be without it."""

    name: str
    write: Callable[[Rows, random.Random], Rows | None]
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
CONTROLS = [
    Control(
        "another currency code", replaced(r"^(EUR|USD|GBP)$", lambda m: {"EUR": "USD", "USD": "GBP"}.get(m[1], "EUR"))
    ),
    Control("another currency sign", replaced("€", "$"), priced("€{:.2f}")),
    Control("another currency behind", replaced("CHF", "SEK"), priced("{:.2f} CHF")),
    Control("currency converted", other_amounts(lambda number: f"{float(number) * 1.1:.2f}")),
    Control("leading zeros lost", replaced(r"^0+(?=\d+$)", ""), same_text("article", "00{}{}")),
    Control(
        "leading zeros lost, as numbers",
        all_values(lambda path, value: int(value) if path[-1] == "article" else value),
        same_text("article", "0{}1{}"),
    ),
    Control("thousandfold", other_amounts(lambda number: f"{number * 1000:.2f}")),
    Control("a thousandth", amounts(lambda number: f"{float(number) / 1000:g}"), priced("{:.2f}")),
    Control("a hundredfold", other_amounts(lambda number: f"{number * 100:.0f}"), priced("{:.2f}")),
    Control("1.240 for 1240", replaced(r"^(\d)(\d{3})$", r"\1.\2"), same_text("meter", "{}24{}")),
    Control("decimal mark lost", replaced(r"(?<=\d)[.,](?=\d\d?\b)", ""), same_text("weight", "{}.{} kg")),
    Control("digits swapped", some_values(0.5, digits_swapped)),
    Control("last digit lost", replaced(r"(?<=\d)[1-9]$", "")),
    Control("6 for 8", replaced("8", "6")),
    Control(
        "letters for digits",
        some_values(0.4, lambda value, dice: value.translate(_LOOKALIKE) if isinstance(value, str) else value),
    ),
    Control("misread", some_values(0.4, wrongly_read)),
    Control("cut off", some_values(0.6, lambda value, dice: value[: len(value) // 2] if is_name(value) else value)),
    Control("rounded", amounts(rounded), priced("{:.2f}")),
    Control("sign lost", amounts(lambda number: f"{abs(number):.2f}"), priced("-{:.2f}")),
    Control("sign invented", amounts(lambda number: f"-{number:.2f}"), priced("{:.2f}")),
    Control("brackets invented", amounts(lambda number: f"({number:.2f})"), priced("{:.2f}")),
    Control("one day later", days(lambda day: day + _NEXT)),
    Control("another year", days(lambda day: Day(day.year - 1, day.month, min(day.day, 28)))),
    Control("another century", days(lambda day: Day(day.year - 100, day.month, min(day.day, 28)))),
    Control("day for month", days(day_for_month)),
    Control("another time", replaced(r"^(\d\d):(\d\d)$", r"\2:\1"), same_text("time", "1{}:2{}")),
    Control("morning for evening", replaced("pm", "am"), same_text("time", "{}:1{} pm")),
    Control("grade without its sign", replaced(r"[+-]$", ""), same_text("grade", "A{}+")),
    Control("plus for minus", replaced(r"\+$", "-"), same_text("grade", "B{}+")),
    Control("powers", replaced("²", "2"), same_text("area", "{}{}²")),
    Control("fractions", replaced("½", "12"), same_text("size", "{}½")),
    Control("sharp lost", replaced("#", ""), same_text("key", "C{}#")),
    Control("boxes confused", replaced("☑", "☐"), same_text("tick", "☑")),
    Control("truth inverted", all_values(lambda path, value: not value if isinstance(value, bool) else value), flagged),
    Control("address turned", replaced(r"(\d+)\.(\d+)$", r"\2.\1"), same_text("host", "192.168.{}.1{}")),
    Control("unit confused", replaced("kg", "lb"), same_text("weight", "{}.{} kg")),
    Control("net for total", swapped({"net": "total", "subtotal": "total", "subtotal_price": "total_price"})),
    Control("price for amount", swapped({"unit_price": "amount", "unitprice": "price", "ItemUnitValue": "ItemTotal"})),
    Control("quantity for amount", swapped({"quantity": "amount", "cnt": "price", "ItemUnitCount": "ItemTotal"})),
    Control(
        "seller for currency", swapped({"vendor": "currency", "supplier": "currency", "InvoiceNumber": "IssuedDate"})
    ),
    Control("paid for change", swapped({"paid": "change", "cashprice": "changeprice", "invoice_date": "due_date"})),
    Control("next column", in_records(turned_columns)),
    Control("amounts of the next row", in_records(shifted())),
    Control("two columns of the next row", in_records(shifted(columns=2))),
    Control("columns sorted", in_records(sorted_columns)),
    Control("items dropped", in_records(lambda records: records[::2])),
    Control("first item only", in_records(lambda records: records[:1])),
    Control("items merged", in_records(merged)),
    Control("items continued", in_records(continued)),
    Control("items twice", in_records(lambda records: [each for each in records for _ in range(2)])),
    Control("the same item", in_records(lambda records: [records[0]] * len(records))),
    Control("other documents", lambda rows, dice: others(rows, 1)),
    Control("far other documents", lambda rows, dice: others(rows, len(rows) // 2)),
    Control("answer before", previous),
    Control("always one answer", lambda rows, dice: [{**row, "document": rows[0]["document"]} for row in rows]),
    Control("values of other documents", from_others),
    Control("half empty", failing),
    Control("invented constants", invented(status="paid", terms="net 30", country="US", email="info@example.com")),
    Control("invented copies", documents(invented_from)),
    Control("invented in place", documents(renamed_wrongly)),
    Control("names for values", all_values(lambda path, value: path[-1].title() if is_name(value) else value)),
    Control("the example of the prompt", texts(lambda text: "Example Company Ltd")),
    Control("words turned", texts(lambda text: " ".join(reversed(text.split())))),
    Control("words lost", texts(lambda text: text.split()[0])),
    Control("quantity always 1", replaced(r"^[2-9]\d*$", "1")),
]
