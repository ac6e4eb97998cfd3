"""Tables in files: every form gives the same documents and scores as JSON Lines, or one line that says what is wrong."""

from __future__ import annotations

import csv
import datetime
import io
import json
import tracemalloc
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import pyarrow
import pytest
from configured import configured
from hypothesis import given, settings
from hypothesis import strategies as st
from pyarrow import parquet

import docie
from docie import corpus, kieval
from docie.core.errors import InputError
from docie.inputs.sources.paths import open_source

from checkout import needs_package
from cli_runs import lines, run, run_command, scored
from sizes import length

Row = dict[str, Any]


def document(number: int, *, is_correct: bool = True) -> Row:
    """An invoice with values in all places: a text that looks like a number, line items, confidences."""
    items = [{"name": f"Item {each}", "price": f"{each}.50"} for each in range(number % 3)]
    confidence = number % 10 / 10
    total = {"value": f"{number}.00" if is_correct else "0", "confidence": confidence}
    found = {
        "number": f"00{number}",
        "vendor": {"name": f'Ann, "Bo" & Co; {number % 4}', "city": "Łódź"},
        "total": total,
    }
    return {**found, **({"items": items} if items else {}), **({} if number % 5 else {"note": "two\nlines"})}


REFERENCES = [{"id": f"r-{number}", **document(number)} for number in range(20)]
PREDICTIONS = [{"id": f"r-{number}", **document(number, is_correct=number % 4 > 0)} for number in range(20)]


def cells(value: Any, path: str = "") -> Iterable[tuple[str, Any]]:
    """The columns of a document, by their dotted names, with line items from 1."""
    if isinstance(value, dict) and value.keys() == {"value", "confidence"}:
        yield from ((path, value["value"]), (f"{path}.confidence", value["confidence"]))
    elif isinstance(value, dict):
        for key, child in value.items():
            yield from cells(child, f"{path}.{key}" if path else key)
    elif isinstance(value, list):
        for number, child in enumerate(value, 1):
            yield from cells(child, f"{path}.{number}")
    else:
        yield path, value


def wide(rows: list[Row]) -> list[Row]:
    flat = [dict(cells(row)) for row in rows]
    names = dict.fromkeys(name for row in flat for name in row)
    return [{name: row.get(name) for name in names} for row in flat]


def with_json(rows: list[Row]) -> list[Row]:
    return [
        {
            **{key: row.get(key) for key in ("id", "number", "note")},
            **{key: json.dumps(row[key]) if key in row else None for key in ("vendor", "total", "items")},
        }
        for row in rows
    ]


def long(rows: list[Row]) -> list[Row]:
    found = []
    for row in rows:
        for path, value in cells({key: child for key, child in row.items() if key not in ("id", "total")}):
            *group, field = path.split(".")
            name = f"{group[0]}[{group[1]}]" if group[1:] else "".join(group)
            found.append({"document": row["id"], "group": name, "field": field, "value": value, "confidence": None})
        found.append({"document": row["id"], "group": None, "field": "total", **row["total"]})
    return found


def by_field(rows: list[Row]) -> list[Row]:
    """A long table as pandas' melt makes it: the rows of a document stand apart, fields are whole paths."""
    whole = [
        {**row, "field": ".".join(filter(None, [row["group"], row["field"]])), "group": None} for row in long(rows)
    ]
    return sorted(whole, key=lambda row: str(row["field"]))


def write_csv(path: Path, rows: list[Row], *, delimiter: str = ",", encoding: str = "utf-8") -> None:
    text = io.StringIO()
    writer = csv.DictWriter(text, [*rows[0]], delimiter=delimiter)
    writer.writeheader()
    writer.writerows(rows)
    path.write_bytes(text.getvalue().encode(encoding))


def write_excel(path: Path, **sheets: list[Row]) -> None:
    openpyxl = pytest.importorskip("openpyxl")
    book = openpyxl.Workbook()
    book.remove(book.active)
    for name, rows in sheets.items():
        sheet = book.create_sheet(name)
        for row in [[*rows[0]], *([*row.values()] for row in rows)]:
            sheet.append(row)
    book.save(path)


def write_parquet(path: Path, rows: list[Row]) -> None:
    parquet.write_table(pyarrow.Table.from_pylist(rows), path)


def write_sheets(path: Path, rows: list[Row]) -> None:
    heads = wide([{key: value for key, value in row.items() if key != "items"} for row in rows])
    items = [{"id": row["id"], **item} for row in rows for item in row.get("items", [])]
    write_excel(path, Invoices=heads, items=items)


def write_nested(path: Path, rows: list[Row]) -> None:
    write_parquet(path, [{"items": None, "note": None, **row} for row in rows])


def write_lines_in_utf16(path: Path, rows: list[Row]) -> None:
    path.write_text("\n".join(map(json.dumps, rows)), encoding="utf-16")


WRITERS: dict[str, tuple[str, Callable[[Path, list[Row]], None]]] = {
    "CSV": ("csv", lambda path, rows: write_csv(path, wide(rows))),
    "semicolons": ("csv", lambda path, rows: write_csv(path, wide(rows), delimiter=";")),
    "tabs": ("tsv", lambda path, rows: write_csv(path, wide(rows), delimiter="\t")),
    "tabs in .csv": ("csv", lambda path, rows: write_csv(path, wide(rows), delimiter="\t")),
    "a byte order mark": ("csv", lambda path, rows: write_csv(path, wide(rows), encoding="utf-8-sig")),
    "UTF-16": ("csv", lambda path, rows: write_csv(path, wide(rows), delimiter="\t", encoding="utf-16")),
    "UTF-16 in .tsv": ("tsv", lambda path, rows: write_csv(path, wide(rows), delimiter="\t", encoding="utf-16")),
    "cells of JSON": ("csv", lambda path, rows: write_csv(path, with_json(rows))),
    "long": ("csv", lambda path, rows: write_csv(path, long(rows))),
    "long, in .tsv": ("tsv", lambda path, rows: write_csv(path, long(rows), delimiter="\t")),
    "long, by field": ("csv", lambda path, rows: write_csv(path, by_field(rows))),
    "Excel": ("xlsx", lambda path, rows: write_excel(path, Sheet1=wide(rows))),
    "Excel, a sheet a group": ("xlsx", write_sheets),
    "Excel, long": ("xlsx", lambda path, rows: write_excel(path, Sheet1=long(rows))),
    "Parquet": ("parquet", lambda path, rows: write_parquet(path, wide(rows))),
    "Parquet, nested": ("parquet", write_nested),
    "Parquet, long": ("parquet", lambda path, rows: write_parquet(path, long(rows))),
    "JSON Lines in UTF-16": ("jsonl", write_lines_in_utf16),
}  # fmt: skip


def figures(*paths: str) -> Any:
    found = scored(*paths, "--by-field")
    return {**found, "per_document": sorted(found["per_document"], key=str)}


@pytest.fixture(scope="module")
def expected(tmp_path_factory: pytest.TempPathFactory) -> Any:
    folder = tmp_path_factory.mktemp("lines")
    expected = figures(lines(folder / "r.jsonl", REFERENCES), lines(folder / "p.jsonl", PREDICTIONS))
    assert 0 < expected["entity_f1"] < 1
    return expected


@pytest.mark.parametrize(("suffix", "write"), WRITERS.values(), ids=WRITERS)
def test_every_form_gives_the_same_documents_and_scores(
    suffix: str, write: Callable[[Path, list[Row]], None], tmp_path: Path, expected: Any
) -> None:
    paths = []
    for name, rows in (("r", REFERENCES), ("p", PREDICTIONS)):
        write(tmp_path / f"{name}.{suffix}", rows)
        paths.append(str(tmp_path / f"{name}.{suffix}"))
    documents = [{"id": row["id"], "document": {key: row[key] for key in row if key != "id"}} for row in REFERENCES]
    assert sorted(docie.read(paths[0]), key=str) == sorted(documents, key=str)
    assert figures(*paths) == expected
    assert figures(paths[0], lines(tmp_path / "other.jsonl", PREDICTIONS[::-1])) == expected


def write_heads_and_items(folder: Path, name: str, rows: list[Row]) -> tuple[str, str]:
    heads = [{key: value for key, value in row.items() if key != "items"} for row in rows]
    items = [{"id": row["id"], **item} for row in rows for item in row.get("items", [])]
    paths = folder / f"{name}.csv", folder / name / "items.csv"
    paths[1].parent.mkdir()
    write_csv(paths[0], wide(heads))
    write_csv(paths[1], items)
    return str(paths[0]), str(paths[1])


def test_line_items_in_a_table_of_their_own(tmp_path: Path, expected: Any) -> None:
    (references, items), (predictions, others) = (
        write_heads_and_items(tmp_path, name, rows) for name, rows in (("r", REFERENCES), ("p", PREDICTIONS))
    )
    options = configured(f"references.lines={items}", f"predictions.lines={others}")
    assert {**figures(references, predictions, *options), "signature": ""} == {**expected, "signature": ""}
    config = {"references": {"lines": items}}
    documents = [{"id": row["id"], "document": {key: row[key] for key in row if key != "id"}} for row in REFERENCES]
    assert docie.read(references, side="reference", config=config) == documents
    write_csv(
        tmp_path / "more.csv", [{"id": "r-0", "group": "fees", "name": "x"}, {"id": "r-0", "group": "", "name": "y"}]
    )
    found = docie.read(references, side="reference", config={"references": {"lines": str(tmp_path / "more.csv")}})[0][
        "document"
    ]
    assert (found["fees"], found["more"]) == ([{"name": "x"}], [{"name": "y"}])


def test_line_items_that_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    write_csv(Path("r.csv"), [{"id": "a", "total": "1"}])
    for rows, message in (
        ([{"id": "b", "name": "x"}], "l.csv:2: a line item of 'b', which r.csv has not"),
        ([{"id": "a", "group": "total"}], "l.csv:2: a line item of 'total', which r.csv:2 has, too"),
        ([{"doc": "a", "name": "x"}], "l.csv:2: no id in a column 'id', which joins documents and line items"),
    ):
        write_csv(Path("l.csv"), rows)
        result = run("r.csv", "r.csv", *configured("lines=l.csv"))
        assert (result.exit_code, result.stderr.strip()) == (2, message)
    lines(Path("p.jsonl"), [{"id": "a", "total": "1"}])
    result = run("r.csv", "r.csv", *configured("lines=p.jsonl"))
    message = "p.jsonl: line items are read from tables, such as .csv or .xlsx"
    assert (result.exit_code, result.stderr.strip()) == (2, message)
    for read in ("l.csv", "r.xlsx"):
        result = run("r.xlsx#S", "r.csv", "--config", "references.lines=l.csv", "--report", read)
        assert result.stderr.strip() == f"--report {read}: this is an input, and would be overwritten"
    result = run("r.csv", "p.jsonl", *configured("lines=l.csv"))
    message = "p.jsonl: l.csv has line items for a table (predictions.lines), and this is none"
    assert (result.exit_code, result.stderr.strip()) == (2, message)
    with pytest.raises(ValueError, match="lines goes with tables in files"):
        corpus.evaluate(kieval, [{"id": "a"}], [{"id": "a"}], config={"predictions": {"lines": "l.csv"}})


def test_other_commands_read_tables(tmp_path: Path) -> None:
    paths: dict[str, list[str]] = {"csv": [], "jsonl": []}
    for name, rows in (("r", REFERENCES), ("p", PREDICTIONS), ("q", REFERENCES)):
        write_csv(tmp_path / f"{name}.csv", long(rows))
        paths["csv"].append(str(tmp_path / f"{name}.csv"))
        paths["jsonl"].append(lines(tmp_path / f"{name}.jsonl", rows))
    for arguments, count in (
        (["errors", "--format", "jsonl"], 2),
        (["threshold"], 2),
        (["compare", "--format", "json"], 3),
    ):
        found = [run_command(arguments[0], *files[:count], *arguments[1:]) for files in paths.values()]
        assert [each.exit_code for each in found] == [found[0].exit_code] * 2, found[0].stderr
        assert found[0].stdout.replace(".csv", ".jsonl") == found[1].stdout
        assert found[0].stdout


@pytest.mark.exhaustive
def test_a_report_is_made_of_tables(tmp_path: Path) -> None:
    pytest.importorskip("jinja2")
    for name, rows in (("r", REFERENCES), ("p", PREDICTIONS)):
        write_csv(tmp_path / f"{name}.csv", wide(rows))
    result = run(str(tmp_path / "r.csv"), str(tmp_path / "p.csv"), "--report", str(tmp_path / "report.html"))
    assert (result.exit_code, (tmp_path / "report.html").exists()) == (0, True), result.stderr


def test_packed_tables_and_patterns_are_partitions(tmp_path: Path) -> None:
    import gzip

    for number in range(2):
        write_csv(tmp_path / f"r-{number}.csv", wide(REFERENCES[number * 10 : number * 10 + 10]))
    write_csv(tmp_path / "r.csv", wide(REFERENCES))
    (tmp_path / "r.csv.gz").write_bytes(gzip.compress((tmp_path / "r.csv").read_bytes()))
    documents = docie.read(tmp_path / "r.csv")
    assert len(documents) == 20
    assert docie.read(tmp_path / "r.csv.gz") == documents
    assert docie.read(tmp_path / "r-*.csv") == documents


def test_both_sides_in_one_table(tmp_path: Path) -> None:
    rows = [{"id": 1, "reference.total": "7.50", "prediction.total": "7.50", "page": "p.png"}, {"id": 2, "reference.total": "1", "prediction.total": "2", "page": ""}]  # fmt: skip
    write_csv(tmp_path / "t.csv", rows)
    path = str(tmp_path / "t.csv")
    assert scored(path, path, warning="columns that are not read: page")["entity_f1"] == 0.5


@needs_package("openpyxl")
def test_cells_of_excel(tmp_path: Path) -> None:
    row = {
        "id": 7,
        "number": 12.5,
        "whole": 12,
        "code": "007",
        "date": datetime.date(2024, 5, 1),
        "empty": None,
        "blank": " ",
    }
    more = {
        "time": datetime.datetime(2024, 5, 1, 10, 30),
        "paid": True,
        "sum": "=1+1",
        "list": '["a", "b"]',
        "text": "[a]",
    }
    write_excel(tmp_path / "t.xlsx", Sheet1=[{**row, **more}])
    expected = {"number": 12.5, "whole": 12, "code": "007", "date": "2024-05-01", "time": "2024-05-01T10:30:00"}
    expected |= {"paid": True, "list": ["a", "b"], "text": "[a]"}  # a formula that was never computed has no value
    assert docie.read(tmp_path / "t.xlsx") == [{"id": "7", "document": expected}]


def read_text(folder: Path, text: str, name: str = "t.csv", **reading: Any) -> Any:
    (folder / name).write_text(text, encoding="utf-8")
    return docie.read(folder / name, side="prediction", config={"predictions": reading})


@pytest.mark.parametrize(
    ("text", "documents"),
    [
        ("total\n007\n1e5\nTrue\nNaN\n", [{"total": "007"}, {"total": "1e5"}, {"total": "True"}, {"total": "NaN"}]),
        ("a,b\n1,\n,2\n", [{"a": "1"}, {"b": "2"}]),
        ("a,b\n1,2\n,\n3,4\n,\n\n,,,\n", [{"a": "1", "b": "2"}, {}, {"a": "3", "b": "4"}]),
        ("\n\n a , b ,,\n1,2,,\n", [{"a": "1", "b": "2"}]),
        ('"a;x";b\n1;2,5\n', [{"a;x": "1", "b": "2,5"}]),
        ("No.,2024.q,q.2024,Inv. date\n1,2,3,4\n", [{"No.": "1", "2024": {"q": "2"}, "q": {"2024": "3"}, "Inv. date": "4"}]),
        ("items[0].name,items[2].name,tags[1],tags[2]\na,b,c,d\n", [{"items": [{"name": "a"}, {"name": "b"}], "tags": ["c", "d"]}]),
        ("items.2.name,items.10.name,items.1.name\nb,c,a\n", [{"items": [{"name": "a"}, {"name": "b"}, {"name": "c"}]}]),
        ("total,total.confidence\n1,0.5\n2,\n,0.5\n", [{"total": {"value": "1", "confidence": 0.5}}, {"total": "2"}, {}]),
        ("t.value,t.confidence,t.page,t.box\n1,0.5,2,\"[0,0,1,1]\"\n", [{"t": {"value": "1", "confidence": 0.5, "page": 2, "box": [0, 0, 1, 1]}}]),
        ("vendor.page,vendor.value\n1,2\n", [{"vendor": {"page": "1", "value": "2"}}]),
    ],
)  # fmt: skip
def test_rows_that_are_documents(text: str, documents: Any, tmp_path: Path) -> None:
    assert read_text(tmp_path, text) == documents


@pytest.mark.parametrize(
    ("rows", "document"),
    [
        ("a,,total,1\na,,total,2\na,,total,3", {"total": ["1", "2", "3"]}),
        ("a,items[2],name,y\na,items[1],name,x", {"items": [{"name": "x"}, {"name": "y"}]}),
        ("a,items 1,name,x\na,items#2,name,y\na,items.3,name,z", {"items": [{"name": "x"}, {"name": "y"}, {"name": "z"}]}),
        ("a,1,items.name,x\na,2,items.name,y", {"items": [{"name": "x"}, {"name": "y"}]}),
        ("a,items[1],items.name,x", {"items": [{"name": "x"}]}),
        ("a,items[1].options[2],name,x\na,items[1].options[1],name,y", {"items": [{"options": [{"name": "y"}, {"name": "x"}]}]}),
        ("a,items[1],name,x\na,items[1],name,y", {"items": [{"name": ["x", "y"]}]}),
        ("a,vendor,name,x\na,,vendor.city,y\na,,,", {"vendor": {"name": "x", "city": "y"}}),
        ("a,,,", {}),
        ('a,,total,"{""$any_of"": [""1"", ""2""]}"', {"total": {"$any_of": ["1", "2"]}}),
    ],
)  # fmt: skip
def test_rows_that_are_values(rows: str, document: Any, tmp_path: Path) -> None:
    expected = [{"id": "a", "document": document}]
    assert read_text(tmp_path, f"document,group,field,value\n{rows}\n") == expected
    assert read_text(tmp_path, f"file,group,field,value\n{rows}\n", id="file") == expected


def test_a_field_may_have_the_name_of_ids(tmp_path: Path) -> None:
    assert read_text(tmp_path, "id,total\n7,1\n", id="") == [{"id": "7", "total": "1"}]
    assert read_text(tmp_path, "doc.no,total\n7,1\n", id="doc.no") == [{"id": "7", "document": {"total": "1"}}]
    assert read_text(tmp_path, "id,total\n7,\n") == [{"id": "7", "document": {}}]


REFUSED = {
    "a row too short": ("a,b\n1,2\n3\n", "t.csv:3: expected 2 cells, as in the header, got 1"),
    "a row too long": ('a,b\n"1\n1",2\n3,4,5\n', "t.csv:4: expected 2 cells, as in the header, got 3"),
    "a quote without an end": ('a,b\n1,2\n3,"4\n\n', "t.csv:3: no row of a table (unexpected end of data)"),
    "a name twice": ("a,b,a\n1,2,3\n", "t.csv:1: the column 'a' stands twice; rename one of them"),
    "a value and a group": ("a,a.b\n1,2\n", "t.csv:1: column 'a.b': 'a' is both a value and a group; rename one of them"),
    "one place twice": ("i[1].a,i.1.a\n1,2\n", "t.csv:1: column 'i.1.a': 'i.1.a' stands twice; rename one of them"),
    "a line item without a number": ("i.1.a,i.a\n1,2\n", "t.csv:1: column 'i.a': 'i.a' stands beside line items with and without a number; rename one of them"),
    "no documents": ("doc,field,value\na,total,1\n", "t.csv:1: the columns 'field' and 'value' are those of a long table, which has a column 'document', too; got doc, field, value"),
    "a row without a document": ("document,field,value\na,total,1\n,total,2\n", "t.csv:3: no document in column 'document'"),
    "a value without a field": ("document,field,value\na,,1\n", "t.csv:2: document 'a': a value without a field"),
    "line items without a number": ("document,field,value\na,i.n,x\na,i.n,y\n", "t.csv:3: document 'a': 'i.n' stands twice; number the line items, as in group 'items[1]'"),
    "a number without a name": ("document,group,field,value\na,1,n,x\n", "t.csv:2: document 'a': the group 1 has no name; write it as 'items[1]'"),
    "a value that is a group": ("document,field,value\na,i.n,x\na,i,y\n", "t.csv:3: document 'a': 'i' is both a value and a group"),
    "another encoding": ("a\n1\n".encode("utf-16-le") + b"\xff\n", "t.csv:3: not UTF-8 text (byte 1); save the table as UTF-8"),
}  # fmt: skip


@pytest.mark.parametrize(("text", "message"), REFUSED.values(), ids=REFUSED)
def test_tables_that_are_refused(text: str | bytes, message: str, tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_bytes(text if isinstance(text, bytes) else text.encode())
    with pytest.raises(InputError) as caught:
        docie.read(tmp_path / "t.csv")
    assert str(caught.value) == f"{tmp_path}/{message}"


def test_errors_of_documents_name_the_line(tmp_path: Path) -> None:
    lines_of = "document;field;value;confidence\na;total;1;0.5\n"
    (tmp_path / "r.csv").write_text(lines_of + "b;total;1;0.5\n")
    (tmp_path / "p.csv").write_text(lines_of + "b;total;1;0,5\n")
    result = run(str(tmp_path / "r.csv"), str(tmp_path / "p.csv"))
    problem = "confidence must be a number between 0 and 1, got '0,5'"
    assert (result.exit_code, result.stderr.strip()) == (2, f"{tmp_path}/p.csv:3, entity 'total': {problem}")
    (tmp_path / "p.csv").write_text("id,total\na,1\na,2\n")
    result = run(str(tmp_path / "r.csv"), str(tmp_path / "p.csv"))
    assert result.stderr.startswith(f"{tmp_path}/p.csv:3: id 'a' stands twice, first at {tmp_path}/p.csv:2")


def test_columns_that_are_not_read_are_named(tmp_path: Path) -> None:
    with pytest.warns(UserWarning, match="columns that are not read: who"):
        read_text(tmp_path, "document,field,value,who\na,total,1,me\n")
    with pytest.warns(UserWarning, match=r"t\.csv:1: column 1 has no name, and is not read"):
        assert read_text(tmp_path, ",total\n0,7\n") == [{"total": "7"}]


WORDBOOK = {"Invoices": [{"id": 1, "total": "7"}], "items": [{"id": 1, "name": "x"}]}


@needs_package("openpyxl")
@pytest.mark.parametrize(
    ("sheets", "path", "message"),
    [
        (WORDBOOK, "t.xlsx#Nope", "t.xlsx: no sheet 'Nope'; its sheets are 'Invoices', 'items'"),
        ({**WORDBOOK, "Notes": [{"by": "me", "on": "x"}]}, "t.xlsx", "t.xlsx, sheet Notes, row 2: no id in a column 'id', which joins documents and line items; one sheet alone is t.xlsx#Invoices (Invoices, items, Notes)"),
        ({**WORDBOOK, "items": [{"id": 2, "name": "x"}]}, "t.xlsx", "t.xlsx, sheet items, row 2: a line item of '2', which t.xlsx, sheet Invoices has not"),
        ({"S": [{"a": 1, "b": 2}, {"a": 1, "b": 2, "c": 3}]}, "t.xlsx", "t.xlsx, sheet S, row 3: expected 2 cells, as in the header, got 3"),
        ({"S": [{"a": 1, "a.b": 2}]}, "t.xlsx", "t.xlsx, sheet S, row 1: column 'a.b': 'a' is both a value and a group; rename one of them"),
    ],
)  # fmt: skip
def test_workbooks_that_are_refused(
    sheets: Any, path: str, message: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    write_excel(Path("t.xlsx"), **sheets)
    result = run(path, path)
    assert (result.exit_code, result.stderr.strip()) == (2, message)


@needs_package("openpyxl")
@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("t.xlsx", b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(600), "protected by a password, or of the old format .xls; save it as .xlsx without a password"),
        ("t.xlsx", b"PK\x03\x04", "File is not a zip file"),
        ("t.xls", b"", "spreadsheets are read as .xlsx; save it so, or as CSV"),
        ("t.ods", b"", "spreadsheets are read as .xlsx; save it so, or as CSV"),
        ("t.parquet", b"PAR1", "Parquet"),
    ],
)  # fmt: skip
def test_files_that_are_no_tables(
    name: str, content: bytes, message: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path(name).write_bytes(content)
    with pytest.raises(InputError) as caught:
        docie.read(name)
    assert str(caught.value).startswith(f"{name}: {message}")


@pytest.mark.parametrize(
    ("names", "listed"),
    [
        (["a.csv", "b.json"], "a.csv, b.json"),
        (["b.csv", "c.csv", "a.parquet"], "a.parquet, b.csv"),
        (["a.xlsx", "b.jsonl", "notes.txt"], "a.xlsx, b.jsonl"),
    ],
)
def test_tables_beside_files_of_another_kind(
    names: list[str], listed: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("mixed").mkdir()
    for name in names:
        Path("mixed", name).write_text("id,total\n1,2\n")
    result = run("mixed", "mixed")
    pattern = "*.xlsx" if "xlsx" in listed else "*.csv"
    message = f"mixed: files of several kinds ({listed}); move some, or name a pattern such as 'mixed/{pattern}'\n"
    assert (result.exit_code, result.stderr) == (2, message)


@needs_package("openpyxl")
def test_one_sheet_of_several(tmp_path: Path) -> None:
    write_excel(tmp_path / "t.xlsx", Invoices=[{"id": 1, "total": "7"}], Notes=[{"by": "me"}])
    path = f"{tmp_path}/t.xlsx#Invoices"
    assert docie.read(path) == [{"id": "1", "document": {"total": "7"}}]
    assert scored(path, path)["entity_f1"] == 1.0


def test_what_a_tsv_holds_decides(tmp_path: Path) -> None:
    assert read_text(tmp_path, "Le\tO\n23\tB-date\n\n1649\tI-date\n", "t.tsv") == [
        {"words": ["Le", "23", "1649"], "tags": ["O", "B-date", "I-date"], "sentences": [2, 1]}
    ]
    assert read_text(tmp_path, '{"total": "7"}\n', "t.tsv") == [{"total": "7"}]
    assert read_text(tmp_path, "name\ttotal\nO\tB-x\n", "t.tsv") == [{"name": "O", "total": "B-x"}]
    with pytest.raises(InputError) as caught:
        read_text(tmp_path, "id\tE-Mail\na\tO\n", "t.tsv")
    assert str(caught.value) == f"{tmp_path}/t.tsv: a table or tagged words; name it .csv if it is a table, else .conll"


names = st.text("abcxyzÄ_ ", min_size=1).filter(lambda name: name == name.strip() and name not in ("id", "document", "reference", "prediction"))  # fmt: skip
texts = st.text(st.characters(codec="utf-8", exclude_characters="\0\r"), min_size=1).filter(
    lambda text: text.strip() and text.lstrip()[:1] not in "[{"
)
leaves = st.one_of(texts, st.builds(lambda text, c: {"value": text, "confidence": c}, texts, st.floats(0, 1)))
groups = st.dictionaries(names, texts, min_size=1, max_size=3)
corpora = st.lists(
    st.dictionaries(names, leaves, max_size=3).flatmap(
        lambda fields: st.builds(
            lambda group, items: {**fields, **({"G": group} if group else {}), **({"I": items} if items else {})},
            st.one_of(st.none(), groups), st.lists(groups, max_size=3),
        )
    ),
    min_size=1, max_size=4,
)  # fmt: skip


@given(corpora)
@settings(max_examples=60, deadline=None)
def test_what_is_written_is_read(tmp_path_factory: pytest.TempPathFactory, documents: list[Row]) -> None:
    path = tmp_path_factory.mktemp("any") / "t.csv"
    rows = [{"id": f"r-{number}", **each} for number, each in enumerate(documents)]
    write_csv(path, wide(rows))
    assert [each["document"] for each in docie.read(path)] == documents


@pytest.mark.parametrize("suffix", ["csv", pytest.param("parquet", marks=pytest.mark.exhaustive)])
@pytest.mark.parametrize("form", [wide, pytest.param(long, marks=pytest.mark.exhaustive)])
@length(20_000, 8_000)
def test_rows_are_streamed(suffix: str, form: Callable[[list[Row]], list[Row]], length: int, tmp_path: Path) -> None:
    rows = form([{"id": f"r-{number}", **document(number)} for number in range(length)])
    path = tmp_path / f"t.{suffix}"
    (write_csv if suffix == "csv" else write_parquet)(path, rows)
    del rows
    tracemalloc.start()
    try:
        count = sum(1 for _ in open_source(str(path), "reference"))
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert count == length
    assert peak < 6e6  # 8,000 documents take twenty times as much
