"""Planted differences of files: tables, workbooks, folders of answers, encodings, archives."""

from __future__ import annotations

import csv
import datetime
import io
import json
import zipfile
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

from planted_sources import Document
from writing_cases import PREDICTIONS, SIDES, Difference, Files, Rows, Sides, groups_of, json_lines, number_of
from writing_dates import day_of

Table = list[list[Any]]
Store = Callable[[Rows, Path], Path]


def stored(side: str, store: Store) -> Callable[[Sides, Path], Files]:
    """Both sides as JSON Lines, but one that is stored in another way."""

    def write(sides: Sides, folder: Path) -> Files:
        files = json_lines(sides, folder)
        (folder / "other").mkdir()
        return files._replace(**{side: str(store(getattr(sides, side), folder / "other"))})

    return write


def cell(value: Any) -> Any:
    return json.dumps(value, ensure_ascii=False) if isinstance(value, dict | list) else value


def flat(document: Document, whole: frozenset[str], prefix: str = "") -> Document:
    """The fields of a document, objects by their paths, lists as they stand."""
    fields: Document = {}
    for key, child in document.items():
        is_object = isinstance(child, dict) and f"{prefix}{key}" not in whole
        fields |= flat(child, whole, f"{prefix}{key}.") if is_object else {f"{prefix}{key}": child}
    return fields


def lists_of(rows: Rows) -> frozenset[str]:
    """The keys of the root that hold a list in some document: one cell in all."""
    return frozenset(key for row in rows for key, child in row["document"].items() if isinstance(child, list))


def table_of(rows: Iterable[Document]) -> Table:
    """Rows as a table: a header, then cells."""
    rows = list(rows)
    names = list(dict.fromkeys(name for row in rows for name in row))
    return [names, *([cell(row.get(name)) for name in names] for row in rows)]


def wide(rows: Rows) -> Table:
    whole = lists_of(rows)
    return table_of({"id": row["id"], **flat(row["document"], whole)} for row in rows)


def numbered(rows: Rows) -> Table:
    """A column for each field of each record: items_1_name."""

    whole = lists_of(rows)

    def fields(document: Document) -> Document:
        found: Document = {}
        for key, child in flat(document, whole).items():
            child = [child] if isinstance(child, dict) else child
            if isinstance(child, list) and all(isinstance(each, dict) for each in child):
                found |= {f"{key}_{n}_{name}": v for n, each in enumerate(child, 1) for name, v in each.items()}
            else:
                found[key] = child
        return found

    return table_of({"id": row["id"], **fields(row["document"])} for row in rows)


def long(rows: Rows, *, repeats: bool = True) -> Table:
    """A row for each record; the fields of the document in each, or in the first."""
    lines, whole = list[Document](), lists_of(rows)
    for row in rows:
        found = {name: child for name, child in row["document"].items() if name in whole}
        lists = {name: child if isinstance(child, list) else [child] for name, child in found.items()}
        groups = {name: child for name, child in lists.items() if all(isinstance(each, dict) for each in child)}
        rest = flat({key: child for key, child in row["document"].items() if key not in groups}, whole)
        records = [{f"{name}.{k}": v for k, v in each.items()} for name, child in groups.items() for each in child]
        for number, record in enumerate(records or [{}]):
            lines.append({"id": row["id"], **(rest if repeats or number == 0 else {}), **record})
    return table_of(lines)


def once(rows: Rows) -> Table:
    return long(rows, repeats=False)


def csv_file(
    table: Callable[[Rows], Table],
    *,
    mark: str = ",",
    encoding: str = "utf-8",
    title: str = "",
    name: str = "answers.csv",
) -> Store:
    def store(rows: Rows, folder: Path) -> Path:
        stream = io.StringIO()
        csv.writer(stream, delimiter=mark).writerows(table(rows))
        (folder / name).write_text(title + stream.getvalue(), encoding=encoding, errors="replace")
        return folder / name

    return store


def with_comma(value: Any) -> Any:
    number = number_of(value)
    return value if number is None else f"{number:.2f}".replace(".", ",")


def german(rows: Rows) -> Table:
    return [[with_comma(each) for each in line] for line in wide(rows)]


def workbook(
    table: Callable[[Rows], Table], change: Callable[[Any], Any] = lambda value: value, *, above: Table | None = None
) -> Store:
    def store(rows: Rows, folder: Path) -> Path:
        import openpyxl

        book = openpyxl.Workbook()
        header, *lines = table(rows)
        for line in [*(above or []), header, *([change(each) for each in line] for line in lines)]:
            book.active.append(line)
        book.save(folder / "answers.xlsx")
        return folder / "answers.xlsx"

    return store


def typed(value: Any) -> Any:
    """What a person who types it into a cell gets: a number, or a date."""
    day, number = day_of(value), number_of(value)
    if day is not None:
        return datetime.datetime(day.year, day.month, day.day)
    return value if number is None else float(number)


def two_sheets(rows: Rows, folder: Path) -> Path:
    """Documents on one sheet, records on another."""
    import openpyxl

    book = openpyxl.Workbook()
    book.active.title = "Documents"
    records = book.create_sheet("Items")
    groups = {row["id"]: groups_of(row["document"]) for row in rows}
    whole = lists_of(rows)
    heads = [
        {"id": row["id"], **flat({k: v for k, v in row["document"].items() if k not in groups[row["id"]]}, whole)}
        for row in rows
    ]
    lines = [{"id": row["id"], **each} for row in rows for name in groups[row["id"]] for each in row["document"][name]]
    for sheet, table in ((book.active, table_of(heads)), (records, table_of(lines))):
        for line in table:
            sheet.append(line)
    book.save(folder / "answers.xlsx")
    return folder / "answers.xlsx"


def one_each(name: str, write: Callable[[Document], str] = json.dumps) -> Store:
    """A file for each document, with the id in its name."""

    def store(rows: Rows, folder: Path) -> Path:
        for row in rows:
            path = folder / name.format(row["id"])
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(write(row["document"]), encoding="utf-8")
        return folder

    return store


def zipped(rows: Rows, folder: Path) -> Path:
    path = folder / "answers.zip"
    with zipfile.ZipFile(path, "w") as archive:
        for row in rows:
            archive.writestr(f"out/{row['id']}.json", json.dumps(row["document"]))
    return path


def text_file(name: str, write: Callable[[Rows], str], encoding: str = "utf-8") -> Store:
    def store(rows: Rows, folder: Path) -> Path:
        (folder / name).write_text(write(rows), encoding=encoding)
        return folder / name

    return store


def by_id(rows: Rows) -> str:
    return json.dumps({row["id"]: row["document"] for row in rows})


def parquet(rows: Rows, folder: Path) -> Path:
    import pyarrow
    import pyarrow.parquet

    names, *lines = wide(rows)
    columns = {name: [None if line[n] is None else str(line[n]) for line in lines] for n, name in enumerate(names)}
    pyarrow.parquet.write_table(pyarrow.table(columns), folder / "answers.parquet")
    return folder / "answers.parquet"


def fenced(document: Document) -> str:
    return f"Here is the result.\n```json\n{json.dumps(document, indent=1)}\n```\n"


def commas(rows: Rows) -> str:
    return ",\n".join(json.dumps(row) for row in rows) + ",\n"


def ansi(rows: Rows) -> str:
    """JSON Lines in which a Windows program has replaced what it does not know."""
    text = "\n".join(json.dumps(row, ensure_ascii=False) for row in rows)
    return text.encode("cp1252", "replace").decode("cp1252")


def pretty(rows: Rows) -> str:
    """Objects over several lines, one after another."""
    return "\n".join(json.dumps(row, indent=2) for row in rows)


_ROWS = (
    r"(rows|lines)\b.*\b(items?|group|belong|of a document|of one document|each)|predictions\.lines|references\.lines"
)
_LIST: dict[str, tuple[str, Store, str]] = {
    "CSV, wide": ("tables", csv_file(wide), r"CSV|cell|column|JSON"),
    "CSV, numbered columns": ("tables", csv_file(numbered), r"path|column|_1_"),
    "CSV, a row for each item": ("tables", csv_file(long), _ROWS),
    "CSV, a row for each item, rest blank": ("tables", csv_file(once), _ROWS),
    "CSV, semicolons": ("tables", csv_file(wide, mark=";"), r"semicolon|delimiter|separat|;"),
    "CSV, semicolons, commas in amounts": ("tables", csv_file(german, mark=";"), r"number|money|decimal"),
    "CSV, title above": ("tables", csv_file(wide, title="Export 2024-05-02\n\n"), r"header|title|first (row|line)"),
    "TSV": ("tables", csv_file(wide, mark="\t", name="answers.tsv"), r"tab|delimiter|TSV"),
    "Parquet": ("tables", parquet, r"parquet"),
    "workbook": ("workbooks", workbook(wide), r"sheet|cell"),
    "workbook, numbers and dates": ("workbooks", workbook(wide, typed), r"number|date|money"),
    "workbook, title above": ("workbooks", workbook(wide, above=[["Export"], []]), r"header|title|first (row|line)"),
    "workbook, a row for each item": ("workbooks", workbook(long), _ROWS),
    "workbook, two sheets": ("workbooks", two_sheets, r"sheet"),
    "CSV with a mark of UTF-8": ("encodings", csv_file(wide, encoding="utf-8-sig"), r"encod|utf"),
    "CSV of Windows": ("encodings", csv_file(wide, encoding="cp1252"), r"encod|utf|cp1252"),
    "CSV in UTF-16": ("encodings", csv_file(wide, encoding="utf-16"), r"encod|utf"),
    "JSON in UTF-16": ("encodings", text_file("answers.json", lambda rows: json.dumps(rows), "utf-16"), r"encod|utf"),
    "JSON Lines of Windows": ("encodings", text_file("answers.jsonl", ansi, "cp1252"), r"encod|utf"),
    "list of JSON": ("JSON files", text_file("answers.json", lambda rows: json.dumps(rows, indent=2)), r"list"),
    "object by id": ("JSON files", text_file("answers.json", by_id), r"\bids?\b.*key|key.*\bids?\b|one object"),
    "commas between lines": ("JSON files", text_file("answers.jsonl", commas), r"comma|not JSON|line"),
    "objects over lines": ("JSON files", text_file("answers.jsonl", pretty), r"not JSON|line"),
    "list in a .jsonl": ("JSON files", text_file("answers.jsonl", json.dumps), r"list"),
    "folder": ("folders of answers", one_each("{}.json"), r"name|file"),
    "folder, name of the scan": ("folders of answers", one_each("{}.pdf.json"), r"ending|name|file"),
    "folder, _result": ("folders of answers", one_each("{}_result.json"), r"suffix|end|_result"),
    "folders, one each": ("folders of answers", one_each("{}/result.json"), r"folder|name"),
    "folder of texts": ("folders of answers", one_each("{}.txt", fenced), r"text|answer|name"),
    "folder of Markdown": ("folders of answers", one_each("{}.md", fenced), r"text|answer|\.md|name"),
    "archive": ("folders of answers", zipped, r"(is|an?) (zip|archive)|unpack|extract"),
}  # fmt: skip
OF_REFERENCES = ("CSV, wide", "workbook", "workbook, numbers and dates", "CSV, a row for each item", "folder")


def _as_it_is(rows: Rows, _: object) -> Rows:
    return rows


DIFFERENCES = [
    Difference(sort, name, _as_it_is, rf"^(?!error: Trace).*({told})", side, store=stored(side, store))
    for side in SIDES
    for name, (sort, store, told) in _LIST.items()
    if side == PREDICTIONS or name in OF_REFERENCES
]
