"""Planted differences of line items: numbered keys, columns, cells, pairs, texts, repeated rows."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

from planted_sources import Document
from writing_cases import REFERENCES, Difference, Write, documents, fields_of, groups_of, in_groups, number_of

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


_RECORDS = r"^(records|unwrap|rename|leaf|warning).*({})"
_ROWS = r"^(records|rows|alone|contains|warning).*({})"

DIFFERENCES = [
    *(
        Difference(
            "items as numbered keys",
            form,
            in_groups(lambda records, _, form=form: {form.format(n): each for n, each in enumerate(records, 1)}),  # type: ignore[misc]
            _RECORDS.format("number"),
        )
        for form in ("{}", "item_{}", "row {}")
    ),
    Difference("items as columns", "lists", flat_groups(columns), _RECORDS.format("column")),
    Difference("items as columns", "of references", flat_groups(columns), _RECORDS.format("column"), REFERENCES),
    Difference(
        "items as columns",
        "numbered",
        flat_groups(
            lambda records, _: {
                name: {str(n): each.get(name) for n, each in enumerate(records)} for name in columns_of(records)
            }
        ),
        _RECORDS.format("column"),
    ),
    Difference("items as cells", "headers and rows", split("headers", "rows"), _RECORDS.format("cells|header")),
    Difference("items as cells", "columns and data", split("columns", "data"), _RECORDS.format("cells|header|column")),
    Difference("items as cells", "of references", split("header", "body"), _RECORDS.format("cells|header"), REFERENCES),
    Difference(
        "items as cells",
        "header as first row",
        flat_groups(lambda records, _: [columns_of(records), *cells(records)]),
        _RECORDS.format("cells|header"),
    ),
    Difference(
        "items as cells",
        "no header",
        flat_groups(lambda records, _: cells(records)),
        _RECORDS.format("cells|lists of lists"),
    ),
    Difference(
        "items as cells", "objects with places", flat_groups(cell_objects), _RECORDS.format("cells?|columnIndex")
    ),
    Difference("items by their name", "first field", flat_groups(by_name), _RECORDS.format("keys?|names")),
    Difference(
        "items as text", "JSON", in_groups(lambda records, _: json.dumps(records)), _RECORDS.format("JSON|text")
    ),
    Difference("items as text", "Markdown", flat_groups(markdown), _RECORDS.format("table|Markdown|text")),
    Difference("items as text", "HTML", flat_groups(html), _RECORDS.format("table|HTML|text")),
    Difference("items as text", "CSV", flat_groups(csv_text), _RECORDS.format("table|CSV|text")),
    Difference("name–value pairs", "name, value", pairs("fields", "name", "value"), _RECORDS.format("pairs|name")),
    Difference(
        "name–value pairs",
        "key, value, confidence",
        pairs("key_values", "key", "value", confidence=0.9),
        _RECORDS.format("pairs|key"),
    ),
    Difference("name–value pairs", "label, text", pairs("entities", "label", "text"), _RECORDS.format("pairs|label")),
    Difference(
        "name–value pairs",
        "type, mentionText",
        pairs("entities", "type", "mentionText", pageRefs=[]),
        _RECORDS.format("pairs|type"),
    ),
    Difference(
        "name–value pairs",
        "of references",
        pairs("annotations", "label", "transcription"),
        _RECORDS.format("pairs|label"),
        REFERENCES,
    ),
    Difference("name–value pairs", "lists of two", documents(tuples), _RECORDS.format("pairs|cells")),
    Difference("name–value pairs", "in records", flat_groups(record_pairs), _RECORDS.format("pairs|field")),
    Difference(
        "name–value pairs", "under a key of records", flat_groups(record_pairs_in), _RECORDS.format("pairs|cells|key")
    ),
    Difference("header among the items", "first", with_header(), _ROWS.format("header|names? of")),
    Difference("header among the items", "every third", with_header(3), _ROWS.format("header|names? of")),
    Difference("header among the items", "of references", with_header(), _ROWS.format("header|names? of"), REFERENCES),
    Difference("totals among the items", "Total", with_total("Total"), _ROWS.format("total")),
    Difference("totals among the items", "Summe:", with_total("Summe:"), _ROWS.format("total|Summe")),
    Difference("totals among the items", "of references", with_total("TOTAL"), _ROWS.format("total"), REFERENCES),
    Difference("blank rows among the items", "each", in_groups(with_blank_rows), _ROWS.format("blank|empty")),
    Difference("items of each page", "two groups", documents(halves), r"page_1\b.*page_2\b|page_2\b.*page_1\b"),
    Difference("one item", "no list", in_groups(single), _RECORDS.format("list|object")),
    Difference("list in an object", "item", in_groups(lambda records, _: {"item": records}), _RECORDS.format("item")),
    Difference(
        "list in an object",
        "one item",
        in_groups(lambda records, _: {"row": single(records, "")}),
        _RECORDS.format("row"),
    ),
    Difference(
        "list in an object",
        "each in fields",
        in_groups(lambda records, _: [{"fields": each} for each in records]),
        _RECORDS.format("fields"),
    ),
    Difference(
        "list in an object",
        "valueArray",
        in_groups(
            lambda records, _: {
                "type": "array",
                "valueArray": [{"type": "object", "valueObject": each} for each in records],
            }
        ),
        _RECORDS.format("valueArray|valueObject"),
    ),
]
