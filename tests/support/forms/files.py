"""Invoices as files of documents, as tables, as folders and as Python objects."""

from __future__ import annotations

import csv
import dataclasses
import io
import json
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

from .invoices import Case, leaf_of, leaves_of, texts_of, values_of
from service_answers import Invoice, Value

Cells = dict[str, Any]
HEADER = ("vendor_name", "customer_name", "invoice_number", "invoice_date", "due_date", "subtotal", "tax", "total")


def as_lines(rows: Iterable[Any]) -> str:
    return "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)


def references(folder: Path, cases: list[Case]) -> None:
    """The references that forms of predictions are scored against: JSON Lines."""
    rows = [{"id": case.id, "reference": texts_of(case.truth), "meta": {"country": case.country}} for case in cases]
    (folder / "references.jsonl").write_text(as_lines(rows), encoding="utf-8")


def json_lines(folder: Path, cases: list[Case]) -> None:
    rows = [{"id": case.id, "prediction": leaves_of(case.found)} for case in cases]
    (folder / "predictions.jsonl").write_text(as_lines(rows), encoding="utf-8")


def json_list(folder: Path, cases: list[Case]) -> None:
    rows = [{"id": case.id, **leaves_of(case.found)} for case in cases]
    (folder / "predictions.json").write_text(json.dumps(rows), encoding="utf-8")


def json_folder(folder: Path, cases: list[Case]) -> None:
    (folder / "predictions").mkdir()
    for case in cases:
        (folder / "predictions" / f"{case.id}.json").write_text(json.dumps(leaves_of(case.found)), encoding="utf-8")


def both_sides(folder: Path, cases: list[Case]) -> None:
    rows = [{"id": case.id, "reference": texts_of(case.truth), "prediction": leaves_of(case.found)} for case in cases]
    (folder / "results.jsonl").write_text(as_lines(rows), encoding="utf-8")


def pages(folder: Path, cases: list[Case]) -> None:
    """A file for each page of an invoice: `101_p1.json`, `101_p2.json`."""
    (folder / "pages").mkdir()
    for case in cases:
        for page in (1, 2):
            parts = [on_page(fields, page) for fields in (case.found.header, *case.found.items)]
            document = leaves_of(Invoice(parts[0], [part for part in parts[1:] if part]))
            (folder / "pages" / f"{case.id}_p{page}.json").write_text(json.dumps(document), encoding="utf-8")


def on_page(fields: dict[str, Value], page: int) -> dict[str, Value]:
    return {name: value for name, value in fields.items() if value.page == page}


def flat(invoice: Invoice, *, with_facts: bool) -> Cells:
    """The cells of an invoice, by dotted names of columns."""
    cells: Cells = {}
    for path, value in values_of(invoice):
        facts = leaf_of(value) if with_facts else {"value": value.text}
        cells |= {path if key == "value" else f"{path}.{key}": _cell(fact) for key, fact in facts.items()}
    return cells


def _cell(fact: object) -> object:
    return json.dumps(fact) if isinstance(fact, list) else fact


def wide(cases: list[Case], *, of_references: bool) -> list[Cells]:
    invoices = [(case.id, case.truth if of_references else case.found) for case in cases]
    return [{"id": number, **flat(invoice, with_facts=not of_references)} for number, invoice in invoices]


def columns(rows: list[Cells]) -> list[str]:
    """The names of the columns of all rows."""
    return [*dict.fromkeys(name for row in rows for name in row)]


def write_table(path: Path, rows: list[Cells], *, delimiter: str = ",", encoding: str = "utf-8") -> None:
    text = io.StringIO()
    writer = csv.DictWriter(text, columns(rows), delimiter=delimiter)
    writer.writeheader()
    writer.writerows(rows)
    path.write_bytes(text.getvalue().encode(encoding))


def wide_csv(folder: Path, cases: list[Case], *, suffix: str = "csv", **how: Any) -> None:
    for name in ("references", "predictions"):
        write_table(folder / f"{name}.{suffix}", wide(cases, of_references=name == "references"), **how)


def tsv(folder: Path, cases: list[Case]) -> None:
    wide_csv(folder, cases, suffix="tsv", delimiter="\t")


def semicolons(folder: Path, cases: list[Case]) -> None:
    wide_csv(folder, cases, delimiter=";")


def utf_16(folder: Path, cases: list[Case]) -> None:
    wide_csv(folder, cases, encoding="utf-16")


def long_csv(folder: Path, cases: list[Case]) -> None:
    for name in ("references", "predictions"):
        rows = []
        for case in cases:
            for path, value in values_of(case.truth if name == "references" else case.found):
                group, _, field = path.rpartition(".")
                facts = leaf_of(value) if name == "predictions" else {"value": value.text}
                facts = {key: _cell(fact) for key, fact in facts.items()}
                rows.append({"document": case.id, "group": group, "field": field, **facts})
        write_table(folder / f"{name}.csv", rows)


def header_and_items(case: Case, *, of_references: bool) -> tuple[Cells, list[Cells]]:
    """The row of an invoice, and the rows of its line items."""
    invoice = case.truth if of_references else case.found
    items = [{"id": case.id, **flat(Invoice(item, []), with_facts=not of_references)} for item in invoice.items]
    return {"id": case.id, **flat(Invoice(invoice.header, []), with_facts=not of_references)}, items


def two_tables(cases: list[Case], *, of_references: bool) -> tuple[list[Cells], list[Cells]]:
    both = [header_and_items(case, of_references=of_references) for case in cases]
    return [header for header, _ in both], [item for _, items in both for item in items]


def csv_with_lines(folder: Path, cases: list[Case]) -> None:
    for name in ("references", "predictions"):
        header, items = two_tables(cases, of_references=name == "references")
        (folder / name).mkdir()
        write_table(folder / f"{name}.csv", header)
        write_table(folder / name / "items.csv", items)


def excel(folder: Path, cases: list[Case]) -> None:
    import openpyxl

    for name in ("references", "predictions"):
        book = openpyxl.Workbook()
        for title, rows in zip(
            ("invoices", "items"), two_tables(cases, of_references=name == "references"), strict=True
        ):
            sheet = book.create_sheet(title)
            names = columns(rows)
            sheet.append(names)
            for row in rows:
                sheet.append([row.get(each) for each in names])
        book.remove(book.worksheets[0])
        book.save(folder / f"{name}.xlsx")


def parquet(folder: Path, cases: list[Case]) -> None:
    """With nested columns, as data frames write objects and lists."""
    import pyarrow
    from pyarrow import parquet

    for name in ("references", "predictions"):
        documents = [texts_of(case.truth) if name == "references" else leaves_of(case.found) for case in cases]
        rows = [{"id": case.id, **document} for case, document in zip(cases, documents, strict=True)]
        for row in rows:  # the columns are those of the first row
            row |= {key: row.get(key) for key in ("id", *HEADER, "items")}
        parquet.write_table(pyarrow.Table.from_pylist(rows), folder / f"{name}.parquet")


def dataset(folder: Path, cases: list[Case]) -> None:
    """A data set as `datasets` loads it from a folder, with the references as Donut's data sets have them."""
    import pyarrow
    from pyarrow import parquet

    json_lines(folder, cases)
    rows = [{"id": case.id, "ground_truth": json.dumps({"gt_parse": texts_of(case.truth)})} for case in cases]
    (folder / "invoices" / "data").mkdir(parents=True)
    parquet.write_table(pyarrow.Table.from_pylist(rows), folder / "invoices" / "data" / "test-00000-of-00001.parquet")


def html_tables(folder: Path, cases: list[Case]) -> None:
    _with_tables(folder, cases, html)


def markdown_tables(folder: Path, cases: list[Case]) -> None:
    _with_tables(folder, cases, markdown)


def _with_tables(folder: Path, cases: list[Case], write: Callable[[list[str], list[list[str]]], str]) -> None:
    rows = []
    for case in cases:
        names = columns(case.found.items)
        cells = [[item[name].text if name in item else "" for name in names] for item in case.found.items]
        rows.append({"id": case.id, "prediction": {**leaves_of(case.found), "items": write(names, cells)}})
    (folder / "predictions.jsonl").write_text(as_lines(rows), encoding="utf-8")


def html(names: list[str], rows: list[list[str]]) -> str:
    from html import escape

    lines = [f"<tr>{''.join(f'<th>{name}</th>' for name in names)}</tr>"]
    lines += [f"<tr>{''.join(f'<td>{escape(cell)}</td>' for cell in row)}</tr>" for row in rows]
    return f"<table><tbody>{''.join(lines)}</tbody></table>"


def markdown(names: list[str], rows: list[list[str]]) -> str:
    lines = [names, ["---"] * len(names), *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


# Python objects: predictions and references


def pandas_frames(cases: list[Case]) -> tuple[Any, Any]:
    import pandas

    return pandas.DataFrame(wide(cases, of_references=False)), pandas.DataFrame(wide(cases, of_references=True))


def polars_frames(cases: list[Case]) -> tuple[Any, Any]:
    import polars

    predictions, references = (
        polars.DataFrame(wide(cases, of_references=is_truth), infer_schema_length=None) for is_truth in (False, True)
    )
    return predictions, references


def arrow_tables(cases: list[Case]) -> tuple[Any, Any]:
    import pyarrow

    predictions, references = (wide(cases, of_references=is_truth) for is_truth in (False, True))
    for rows in (predictions, references):
        rows[0] = {**dict.fromkeys(columns(rows)), **rows[0]}
    return pyarrow.Table.from_pylist(predictions), pyarrow.Table.from_pylist(references)


@dataclasses.dataclass
class Item:
    description: Any = None
    quantity: Any = None
    unit_price: Any = None
    amount: Any = None


@dataclasses.dataclass
class Document:
    vendor_name: Any = None
    customer_name: Any = None
    invoice_number: Any = None
    invoice_date: Any = None
    due_date: Any = None
    subtotal: Any = None
    tax: Any = None
    total: Any = None
    items: list[Item] = dataclasses.field(default_factory=list)


def dataclasses_of(cases: list[Case]) -> tuple[Any, Any]:
    def made(document: Any) -> Document:
        return Document(**{**document, "items": [Item(**item) for item in document.get("items", ())]})

    return [made(leaves_of(case.found)) for case in cases], [made(texts_of(case.truth)) for case in cases]


def pydantic_models(cases: list[Case]) -> tuple[Any, Any]:
    from pydantic import create_model

    item = create_model("Item", **{each.name: (Any, None) for each in dataclasses.fields(Item)})  # type: ignore[call-overload]
    fields = dict.fromkeys(HEADER, (Any, None))
    model = create_model("Document", **fields, items=(list[item], []))  # type: ignore[call-overload,valid-type]
    predictions = [model.model_validate(leaves_of(case.found)) for case in cases]
    return predictions, [model.model_validate(texts_of(case.truth)) for case in cases]


def json_texts(cases: list[Case]) -> tuple[Any, Any]:
    return [json.dumps(leaves_of(case.found)) for case in cases], [json.dumps(texts_of(case.truth)) for case in cases]
