"""What writes rows: their ids and order, what stands around documents, files of other forms."""

from __future__ import annotations

import copy
import csv
import datetime
import io
import json
import random
import zipfile
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any
from xml.sax.saxutils import escape

from planted_sources import Document
from writing_cases import (
    Rows,
    Sides,
    Write,
    both,
    groups_of,
    number_of,
    rows_as,
)
from writing_values import day_of

# ids


def under(key: str) -> Write:
    """The id under another key; the rows are in another order."""
    write = rows_as(lambda row, _: {key: row["id"], "document": row["document"]})
    return lambda rows, dice: shuffled(write(rows, dice) or rows, dice)


def ids(function: Callable[[str], Any]) -> Write:
    """The id written in another way."""
    return rows_as(lambda row, _: {**row, "id": function(row["id"])})


def counted(form: Callable[[str, int], Any]) -> Write:
    """The id written in another way, with the number of its row."""
    return rows_as(lambda row, number: {**row, "id": form(row["id"], number)})


def inside(place: Callable[[Document, str], Any]) -> Write:
    """The id inside the answer, and nowhere else; the rows are in another order."""
    write = rows_as(lambda row, _: {"document": place(row["document"], row["id"])})
    return lambda rows, dice: shuffled(write(rows, dice) or rows, dice)


def without_ids(rows: Rows, _: random.Random) -> Rows:
    return [{"document": row["document"]} for row in rows]


def shuffled(rows: Rows, dice: random.Random) -> Rows:
    return dice.sample(rows, len(rows))


def shuffled_without_ids(rows: Rows, dice: random.Random) -> Rows:
    return without_ids(shuffled(rows, dice), dice)


def by_size_without_ids(rows: Rows, dice: random.Random) -> Rows:
    return without_ids(sorted(rows, key=lambda row: len(str(row["document"]))), dice)


def one_behind(rows: Rows, dice: random.Random) -> Rows:
    """A first call that only warms up, and the last answer is cut off."""
    return without_ids([rows[0], *rows[:-1]], dice)


def some(share: float, seed: int) -> Write:
    """Only some rows, in their order."""

    def write(rows: Rows, _: random.Random) -> Rows:
        kept = random.Random(seed).sample(range(len(rows)), round(share * len(rows)))
        return [rows[number] for number in sorted(kept)]

    return write


def common(*writes: tuple[str, Write]) -> Callable[[Sides, random.Random], list[Sides]]:
    """The sides as they are meant: the common ids only, or documents without an answer as empty ones."""

    def sound(sides: Sides, dice: random.Random) -> list[Sides]:
        for side, write in writes:
            sides = sides._replace(**{side: write(getattr(sides, side), dice) or []})
        known = [{row["id"] for row in rows} for rows in sides]
        only = Sides(*([row for row in rows if row["id"] in known[0] & known[1]] for rows in sides))
        empty = [{"id": row["id"], "document": {}} for row in sides.references if row["id"] not in known[1]]
        return [only, only._replace(references=sides.references, predictions=[*only.predictions, *empty])]

    return sound


def one_object(rows: Rows, _: random.Random) -> Rows:
    """One object whose keys are the ids."""
    return [{row["id"]: row["document"] for row in rows}]


def tries(rows: Rows, dice: random.Random, *, share: float, column: str | None = None) -> Rows:
    """Some documents were tried twice: an answer that lacks some fields comes before."""
    written = []
    for row in rows:
        again = dice.random() < share
        if again:
            first = {name: child for name, child in row["document"].items() if dice.random() < 0.6}
            written.append({**row, "document": first})
        written.append(row)
        if column:
            for number, each in enumerate(written[-2:] if again else written[-1:], 1):
                written[written.index(each)] = {"id": each["id"], column: number, "document": each["document"]}
    return written


def _numbers(sides: Sides) -> Sides:
    return both(counted(lambda _, number: f"{number + 1}"))(sides)


def _all_tries(rows: Rows, dice: random.Random) -> Rows:
    return tries(rows, dice, share=1)


def _some_tries(rows: Rows, dice: random.Random) -> Rows:
    return tries(rows, dice, share=0.3)


def _hashed(name: str) -> str:
    return f"{random.Random(name).getrandbits(64):016x}"


def _in(*path: str) -> Callable[[Document, str], Document]:
    def place(document: Document, name: str) -> Document:
        document, holder = (copy.copy(document), {path[-1]: name})
        return {path[0]: holder, **document} if len(path) > 1 else {**holder, **document}

    return place


_WRITTEN = r"^join.*({})|^(warning|error).*({})|strip_id"


def _written(words: str) -> str:
    return _WRITTEN.format(words, words)


_ENDING, _FOLDER = _written(r"\bending|extension|suffix"), _written(r"folder|director|path|prefix")
_CASE, _BLANK = _written(r"\bcase\b|capital|upper|lower"), _written(r"blank|white ?space|_|hyphen|dash")
_ZEROS, _PREFIX, _SUFFIX = _written(r"zero|padd"), _written(r"prefix|begin|start"), _written(r"suffix|\bend")


# wrappers


def dumped(value: Any, **options: Any) -> str:
    return json.dumps(value, ensure_ascii=False, **options)


def at(path: str, *, as_text: bool = False) -> Write:
    """The document at the end of a chain of keys and positions."""

    def write(row: Document, _: int) -> Document:
        content: Any = dumped(row["document"]) if as_text else row["document"]
        for key in reversed(path.split(".")):
            content = [content] if key == "0" else {key: content}
        return {"id": row["id"], **content}

    return rows_as(write)


def flat_row(**columns: Callable[[int], Any]) -> Write:
    """The fields beside the id, and beside columns that belong to the row."""
    return rows_as(
        lambda row, number: {"id": row["id"], **row["document"], **{name: of(number) for name, of in columns.items()}}
    )


def beside(**columns: Callable[[int], Any]) -> Write:
    """The document under a key, beside columns that belong to the row."""
    return rows_as(
        lambda row, number: {
            "id": row["id"],
            "parsed": row["document"],
            **{name: of(number) for name, of in columns.items()},
        }
    )


def texts_of(function: Callable[[Document], str], key: str = "document") -> Write:
    """The document as a text."""
    return rows_as(lambda row, _: {"id": row["id"], key: function(row["document"])})


def envelope(*path: str, row: Callable[[Document], Document] = lambda row: row, **more: Any) -> Write:
    """One object that holds all rows in a list."""

    def write(rows: Rows, _: random.Random) -> Rows:
        content: Any = [row(each) for each in rows]
        for key in reversed(path):
            content = {key: content}
        return [{**more, **content}]

    return write


def as_yaml(value: Any, indent: str = "") -> str:
    """A document as YAML, as models write it."""
    lines = []
    for key, child in value.items():
        if isinstance(child, dict):
            lines += [f"{indent}{key}:", as_yaml(child, indent + "  ")]
        elif isinstance(child, list):
            lines.append(f"{indent}{key}:")
            for each in child:
                block = as_yaml(each, indent + "    ") if isinstance(each, dict) else f"{indent}    {dumped(each)}"
                lines.append(f"{indent}  - {block.strip()}")
        else:
            lines.append(f"{indent}{key}: {dumped(child)}")
    return "\n".join(lines)


def as_xml(name: str, value: Any) -> str:
    """A document as XML."""
    if isinstance(value, list):
        return "".join(as_xml(name, each) for each in value)
    if isinstance(value, dict):
        return f"<{name}>{''.join(as_xml(key, child) for key, child in value.items())}</{name}>"
    return f"<{name}>{escape(str(value))}</{name}>"


def by_type(row: Document, number: int) -> Document:
    """The document under the name of its type, which differs."""
    return {"id": row["id"], "prediction": {("invoice", "receipt", "credit_note")[number % 3]: row["document"]}}


def pages(column: str, *, in_id: bool = False) -> Write:
    """A row for each page: two records of each group a page, and the other fields on the first."""

    def write(rows: Rows, _: random.Random) -> Rows | None:
        written = []
        for row in rows:
            groups = groups_of(row["document"])
            number = max([1, *(-(-len(row["document"][name]) // 2) for name in groups)])
            for page in range(number):
                rest = {} if page else {name: row["document"][name] for name in row["document"] if name not in groups}
                parts = {name: row["document"][name][2 * page : 2 * page + 2] for name in groups}
                document = {**rest, **{name: part for name, part in parts.items() if part}}
                named = {"id": f"{row['id']}{column}{page + 1}"} if in_id else {"id": row["id"], column: page + 1}
                written.append({**named, "document": document})
        return written if len(written) > 1.2 * len(rows) else None

    return write


FAILED = 0.3


def failing(report: Any, *, is_row: bool = False) -> Write:
    """Some answers, or their whole rows, are reports of a failure."""

    def write(rows: Rows, dice: random.Random) -> Rows:
        failed = set(dice.sample(range(len(rows)), round(FAILED * len(rows))))
        content = report if is_row else {"document": report}
        return [{"id": row["id"], **content} if number in failed else row for number, row in enumerate(rows)]

    return write


def without_failed(sides: Sides, dice: random.Random) -> list[Sides]:
    """The sides as they are meant: documents that failed are empty."""
    failed = set(dice.sample(range(len(sides.predictions)), round(FAILED * len(sides.predictions))))
    rows = [{**row, "document": {}} if n in failed else row for n, row in enumerate(sides.predictions)]
    return [sides._replace(predictions=rows)]


def _schema(document: Document) -> Document:
    return {"type": "object", "title": "Document", "properties": document}


def _json_api(row: Document) -> Document:
    return {"type": "extractions", "id": row["id"], "attributes": row["document"]}


def _usage(number: int) -> Document:
    return {"prompt_tokens": 1200 + 7 * number, "completion_tokens": 210 + number % 9}


def _service(row: Document, number: int) -> Document:
    document = {"docType": "invoice", "confidence": 0.9 + number % 9 / 100, "fields": row["document"]}
    result = {"apiVersion": "2024-11-30", "modelId": "m-1", "pages": [{"pageNumber": 1}], "documents": [document]}
    return {
        "id": row["id"],
        "status": "succeeded",
        "createdDateTime": f"2024-11-30T10:00:{number:02}Z",
        "result": result,
    }


def _studio(row: Document, number: int) -> Document:
    annotation = {
        "id": 7000 + number,
        "completed_by": 3,
        "was_cancelled": False,
        "result": [{"value": row["document"]}],
    }
    return {"id": row["id"], "data": {"image": f"/uploads/{number}.png"}, "annotations": [annotation]}


_ERROR = {"error": {"code": 429, "message": "Rate limit reached", "type": "requests", "param": None}}


# files

Table = list[list[Any]]
Store = Callable[[Rows, Path], Path]


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
