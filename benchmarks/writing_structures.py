"""What writes documents: other names and nesting, objects in place of values, line items of other structures."""

from __future__ import annotations

import functools
import random
import re
from collections.abc import Callable
from typing import Any

from planted_sources import Document, Path_, mapped
from writing_cases import (
    Rows,
    Sides,
    Write,
    both,
    documents,
    fields_of,
    groups_of,
    in_groups,
    number_of,
)

# names


def words(name: str) -> list[str]:
    """The words of a name in any style, in small letters."""
    return [word.lower() for word in re.findall(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+", name)] or [name]


def camel(name: str) -> str:
    first, *rest = words(name)
    return first + "".join(word.capitalize() for word in rest)


def pascal(name: str) -> str:
    return "".join(word.capitalize() for word in words(name))


def joined(mark: str, change: Callable[[str], str] = str) -> Callable[[str], str]:
    return lambda name: mark.join(change(word) for word in words(name))


OTHER = {
    "vendor": "merchant", "supplier": "seller_name", "currency": "ccy", "items": "purchased_goods", "name": "title",
    "amount": "line_sum", "quantity": "count", "unit_price": "rate", "date": "issued_on", "summary": "footer",
    "subtotal": "before_tax", "total": "sum_due", "payment": "tender", "method": "paid_with", "paid": "given",
    "change": "returned", "line_items": "positions", "description": "what", "net": "excluding_vat", "tax": "vat",
    "invoice_number": "bill_no", "invoice_date": "issued", "due_date": "payable_until", "purchase_order": "po",
    "menu": "dishes", "nm": "label", "price": "cost", "cnt": "qty", "unitprice": "each", "sub_total": "sums",
    "subtotal_price": "food", "total_price": "overall", "cashprice": "cash", "changeprice": "back", "tax_price": "vat",
    "LineItem": "Rows", "ItemDescription": "Text", "ItemTotal": "Price", "InvoiceNumber": "Ref", "IssuedDate": "Day",
    "TotalAmount": "Due", "ItemUnitCount": "Pcs", "ItemUnitValue": "Each",
}  # fmt: skip
GERMAN = {
    "vendor": "Händler", "supplier": "Lieferant", "currency": "Währung", "items": "Positionen", "name": "Bezeichnung",
    "amount": "Betrag", "quantity": "Menge", "unit_price": "Einzelpreis", "date": "Datum", "total": "Gesamtbetrag",
    "subtotal": "Zwischensumme", "payment": "Zahlung", "method": "Zahlungsart", "line_items": "Positionen",
    "description": "Beschreibung", "net": "Netto", "tax": "MwSt", "invoice_number": "Rechnungsnummer",
    "invoice_date": "Rechnungsdatum", "menu": "Speisen", "nm": "Name", "price": "Preis", "cnt": "Anzahl",
    "total_price": "Summe", "LineItem": "Posten", "ItemDescription": "Text", "ItemTotal": "Summe",
}  # fmt: skip
AMOUNTS = {"total", "amount", "total_price", "price", "ItemTotal", "TotalAmount", "lineTotal", "limit"}


def some_names(names: dict[str, str]) -> Callable[[str], str]:
    return lambda name: names.get(name, name)


def first_of(names: dict[str, str], number: int) -> Callable[[str], str]:
    """Only the names that most documents have, so many of them."""
    few = ("total", "date", "amount", "nm", "price", "ItemTotal", "total_price", "invoice_date", "IssuedDate")[:number]
    return some_names({name: other for name, other in names.items() if name in few})


def group_as(form: str) -> Write:
    """Each group of records under another name."""

    def written(document: Document) -> Document:
        groups = groups_of(document)
        return {form.format(key) if key in groups else key: child for key, child in document.items()}

    return documents(written)


def header_in(name: str) -> Write:
    """The plain values of the root in an object of their own."""

    def written(document: Document) -> Document:
        fields = fields_of(document)
        return {name: fields, **{key: child for key, child in document.items() if key not in fields}}

    return documents(written)


def flattened(document: Document, mark: str | None, prefix: str = "") -> Document:
    """The fields of objects at the root: under both names, or under theirs alone."""
    written: Document = {}
    for key, child in document.items():
        name = f"{prefix}{key}"
        if isinstance(child, dict):
            written |= flattened(child, mark, "" if mark is None else f"{name}{mark}")
        else:
            written[name] = child
    return written


def flat_names(mark: str | None) -> Write:
    """Objects flattened, where there are any."""

    def write(rows, dice):  # type: ignore[no-untyped-def]
        has_objects = any(isinstance(child, dict) for row in rows for child in row["document"].values())
        return documents(lambda document: flattened(document, mark))(rows, dice) if has_objects else None

    return write


def both_sides(write: Write) -> Callable[..., list[Sides]]:
    """The sides as they are meant: both with the names of the references."""
    return lambda sides, dice: [both(write)(sides), sides]


def with_sections(document: Document) -> Document:
    """Fields by the section of the page that they stand in."""
    fields = list(fields_of(document))
    half = len(fields) // 2
    rest = {key: child for key, child in document.items() if key not in fields}
    return {
        "header": {k: document[k] for k in fields[:half]},
        **rest,
        "footer": {k: document[k] for k in fields[half:]},
    }


# values

Leaf = Callable[[Any, random.Random], Any]


def box(dice: random.Random) -> list[float]:
    x, y = dice.randint(20, 400), dice.randint(20, 700)
    return [x, y, x + dice.randint(20, 180), y + dice.randint(8, 20)]


def polygon(dice: random.Random) -> list[float]:
    left, top, right, bottom = box(dice)
    return [left, top, right, top, right, bottom, left, bottom]


def sure(dice: random.Random) -> float:
    return round(dice.uniform(0.6, 0.999), 3)


def leaves(leaf: Leaf, *, only: Callable[[Path_, Any], bool] = lambda path, value: True, empty: bool = False) -> Write:
    """An object in place of each value; in place of what is not there, too, if `empty`."""

    def write(rows: Rows, dice: random.Random) -> Rows:
        def changed(path: Path_, value: Any) -> Any:
            is_there = value is not None and value != ""
            return leaf(value, dice) if (is_there or empty) and only(path, value) else value

        return [{**row, "document": mapped(row["document"], changed)} for row in rows]

    return write


def typed(value: Any, dice: random.Random) -> Document:
    """A value under a key that names its type."""
    number = number_of(value)
    if isinstance(value, bool):
        return {"type": "boolean", "valueBoolean": value, "confidence": sure(dice)}
    if number is not None and isinstance(value, int | float):
        return {"type": "number", "valueNumber": value, "confidence": sure(dice)}
    return {"type": "string", "valueString": value, "confidence": sure(dice)}


def _priced(code: str, value: Any, _: random.Random) -> Document:
    return {"amount": value, "currency": code}


def money(rows: Rows, dice: random.Random) -> Rows:
    """An amount as an object with its currency."""
    written: Rows = []
    for row in rows:
        leaf = functools.partial(_priced, row["document"].get("currency") or "IDR")
        written += leaves(leaf, only=lambda path, value: number_of(value) is not None)([row], dice) or []
    return written


def beside(fact: Callable[[random.Random], Any], form: str = "{}_confidence", *, flat: bool = False) -> Write:
    """A fact of each value beside it, under its name and another word."""

    def extended(value: Any, dice: random.Random) -> Any:
        if isinstance(value, list):
            return [extended(each, dice) for each in value]
        if not isinstance(value, dict):
            return value
        written: Document = {}
        for key, child in value.items():
            written[key] = child if flat else extended(child, dice)
            if not isinstance(child, dict | list) and child not in (None, ""):
                written[form.format(key)] = fact(dice)
        return written

    return lambda rows, dice: [{**row, "document": extended(row["document"], dice)} for row in rows]


def parallel(name: str, fact: Callable[[random.Random], Any]) -> Write:
    """The facts of the fields of the root in an object of the same names."""

    def write(rows: Rows, dice: random.Random) -> Rows:
        return [
            {**row, "document": {**row["document"], name: {key: fact(dice) for key in fields_of(row["document"])}}}
            for row in rows
        ]

    return write


def more(**fields: Callable[[Document, random.Random], Any]) -> Write:
    """Further fields of the root."""

    def write(rows: Rows, dice: random.Random) -> Rows:
        return [
            {**row, "document": {**row["document"], **{name: of(row["document"], dice) for name, of in fields.items()}}}
            for row in rows
        ]

    return write


def more_of_records(**fields: Callable[[int], Any]) -> Write:
    """Further fields of each record."""
    return in_groups(
        lambda records, _: [
            {**each, **{name: of(n) for name, of in fields.items()}} for n, each in enumerate(records, 1)
        ]
    )


def ocr_text(document: Document, _: random.Random) -> str:
    return " ".join(str(value) for value in fields_of(document).values())


def another_group(document: Document) -> Document:
    """Records that the other side does not ask for."""
    number = sum(len(document[name]) for name in groups_of(document))
    return {**document, "words": [{"text": f"w{n}", "line": n // 4} for n in range(number)]}


# records

Records = list[Document]


def columns_of(records: Records) -> list[str]:
    return list(dict.fromkeys(name for record in records for name in record))


def is_flat(records: Records) -> bool:
    return not any(isinstance(child, dict | list) for record in records for child in record.values())


def flat_groups(function: Callable[[Records, str], Any]) -> Write:
    """Each list of records without lists in them written anew."""
    return in_groups(lambda records, name: function(records, name) if is_flat(records) else records)


def cells(records: Records) -> list[list[Any]]:
    names = columns_of(records)
    return [[record.get(name) for name in names] for record in records]


def columns(records: Records, _: str) -> Document:
    return {name: [record.get(name) for record in records] for name in columns_of(records)}


def split(header: str, data: str) -> Write:
    return flat_groups(lambda records, _: {header: columns_of(records), data: cells(records)})


def cell_objects(records: Records, _: str) -> list[Document]:
    """Cells with their places, as table readers write them."""
    names = columns_of(records)
    table = [names, *cells(records)]
    return [
        {"rowIndex": row, "columnIndex": column, "content": cell}
        for row, line in enumerate(table)
        for column, cell in enumerate(line)
        if cell not in (None, "")
    ]


def markdown(records: Records, _: str) -> str:
    names = columns_of(records)
    lines = [names, ["---"] * len(names), *cells(records)]
    return "\n".join("| " + " | ".join("" if cell is None else str(cell) for cell in line) + " |" for line in lines)


def html(records: Records, _: str) -> str:
    head = "".join(f"<th>{name}</th>" for name in columns_of(records))
    body = "".join(
        "<tr>" + "".join(f"<td>{'' if cell is None else cell}</td>" for cell in line) + "</tr>"
        for line in cells(records)
    )
    return f"<table><tr>{head}</tr>{body}</table>"


def csv_text(records: Records, _: str) -> str:
    table = [columns_of(records), *cells(records)]
    return "\n".join(";".join("" if cell is None else str(cell) for cell in line) for line in table)


def by_name(records: Records, _: str) -> Any:
    """Records under the text of their first field."""
    first = columns_of(records)[0]
    names = [str(record.get(first)) for record in records]
    if len({*names}) < len(names):
        return records
    return {name: {k: v for k, v in record.items() if k != first} for name, record in zip(names, records, strict=True)}


def pairs(holder: str, name: str, value: str, **facts: Any) -> Write:
    """The plain values of the root as pairs of name and value."""

    def written(document: Document) -> Document:
        fields = fields_of(document)
        listed = [{name: key, value: child, **facts} for key, child in fields.items() if child is not None]
        return {holder: listed, **{key: child for key, child in document.items() if key not in fields}}

    return documents(written)


def tuples(document: Document) -> Document:
    fields = fields_of(document)
    rest = {key: child for key, child in document.items() if key not in fields}
    return {"entities": [[key, child] for key, child in fields.items() if child is not None], **rest}


def record_pairs(records: Records, _: str) -> list[list[Document]]:
    return [[{"field": key, "text": child} for key, child in record.items()] for record in records]


def record_pairs_in(records: Records, _: str) -> list[Document]:
    return [{"cells": [{"key": key, "value": child} for key, child in record.items()]} for record in records]


def with_header(every: int | None = None) -> Write:
    """The names of the columns as a first record, and on every new page."""

    def write(records: Records, _: str) -> Records:
        names = columns_of(records)
        header = {name: name.replace("_", " ").title() for name in names if not isinstance(records[0].get(name), list)}
        written = []
        for number, record in enumerate(records):
            if number == 0 or (every and number % every == 0):
                written.append(header)
            written.append(record)
        return written

    return in_groups(write)


def with_total(label: str) -> Write:
    """The sum as a last record."""

    def write(records: Records, _: str) -> Records:
        names = columns_of(records)
        amounts = [name for name in names if sum(number_of(each.get(name)) is not None for each in records) > 0]
        if not amounts or amounts[-1] == names[0]:
            return records
        total = sum(number_of(each.get(amounts[-1])) or 0 for each in records)
        return [*records, {names[0]: label, amounts[-1]: f"{total:.2f}"}]

    return in_groups(write)


def with_blank_rows(records: Records, _: str) -> Records:
    blank = dict.fromkeys(columns_of(records))
    return [row for record in records for row in (record, blank)]


def halves(document: Document) -> Document:
    """Records of each page under a name of their own."""
    written: Document = {}
    for key, child in document.items():
        if key in groups_of(document) and len(child) > 1:
            half = (len(child) + 1) // 2
            written |= {f"{key}_page_1": child[:half], f"{key}_page_2": child[half:]}
        else:
            written[key] = child
    return written


def single(records: Records, _: str) -> Any:
    return records[0] if len(records) == 1 else records


# paths


def paths(form: Callable[[str, int, str], str], first: int = 0) -> Write:
    """The fields of records at the root, under their paths."""

    def written(document: Document) -> Document:
        flat: Document = {}
        for key, child in document.items():
            if key not in groups_of(document) or not is_flat(child):
                flat[key] = child
                continue
            for number, record in enumerate(child, first):
                flat |= {form(key, number, name): value for name, value in record.items()}
        return flat

    return documents(written)


def everything_as_paths(document: Document) -> Document:
    flat: Document = {}

    def walk(value: Any, path: str) -> None:
        if isinstance(value, dict):
            for key, child in value.items():
                walk(child, f"{path}.{key}" if path else key)
        elif isinstance(value, list):
            for number, child in enumerate(value):
                walk(child, f"{path}[{number}]")
        else:
            flat[path] = value

    walk(document, "")
    return flat
