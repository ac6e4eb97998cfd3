"""The one writer: every result in every form, to a file by the ending of its name or to a stream."""

from __future__ import annotations

import csv
import io
import json
import re
import sys
from collections.abc import Callable
from importlib.util import find_spec
from itertools import chain
from pathlib import Path
from typing import Any

import pytest

import docie
from docie.show import writers
from docie.show.result import Facts, Result, Rows
from docie.show.section import Section, Table
from docie.show.write import ENDINGS, WRITERS, Format

from checkout import needs_package

REFERENCES: list[Any] = [
    {"id": "r-1", "reference": {"total": "12.00", "=c": "-12.50", "menu": [{"nm": "Latte"}]}, "meta": {"shop": "@x"}},
    {"id": "r-2", "reference": {"total": "7.50"}, "meta": {"shop": "Kedai"}},
]
PREDICTIONS: list[Any] = [
    {"id": "r-2", "prediction": {"total": {"value": "=1+1", "confidence": 0.5, "box": [1, 2, 3, 4]}, "tip": "+1|x"}},
    {"id": "r-1", "prediction": {"total": "12,00", "=c": "\t=2", "menu": [{"nm": "Latte"}]}},
]
SIDES: Any = {"references": REFERENCES, "predictions": PREDICTIONS}
RESULTS: dict[str, Callable[[], Result]] = {
    "score": lambda: docie.score(**SIDES, by_field=True, group_by="shop"),
    "score for a report": lambda: docie.score(**SIDES, metric=["kieval", "hed"], documents=2),
    "agreement": lambda: docie.score(**SIDES, metric="all"),
    "errors": lambda: docie.errors(**SIDES, group_by="shop"),
    "a document": lambda: docie.errors(**SIDES, document="r-1"),
}
TEXTS = [form for form in Format if form not in (Format.html, Format.xlsx)]
of_results = pytest.mark.parametrize("name", RESULTS)


class Formulas(Result):
    """A result whose cells are formulas in every place."""

    def to_dict(self) -> dict[str, Any]:
        return {"=a": "=1"}

    def sections(self, *, brief: bool = False) -> Any:
        yield Section([Table("=t", ["=a", "b"], [["=1+1", "0.7500"], ["@x", "-1"], ["2024", "+1|x"]])])


FORMULAS = Formulas(facts=Facts(), signature="")


def written(result: Result, form: str) -> str:
    stream = io.StringIO()
    docie.write(result, stream, form)
    return stream.getvalue()


def plain(cells: Any) -> list[str]:
    """Cells as a CSV file has them."""
    shown = [json.dumps(cell) if isinstance(cell, list | dict) else cell for cell in cells]
    return ["" if cell is None else writers.safe_cell(cell) if isinstance(cell, str) else str(cell) for cell in shown]


def shown(cell: Any) -> Any:
    """A cell as an Excel file has it, where nothing is an empty cell; openpyxl writes numbers with 16 digits."""
    if isinstance(cell, list | dict):
        return json.dumps(cell)
    return round(cell, 14) if isinstance(cell, float) else "" if cell is None else cell


def test_every_format_has_a_writer_and_an_ending() -> None:
    assert {*WRITERS} == {*ENDINGS.values()} == {*Format}


@of_results
def test_a_file_has_what_a_stream_gets(name: str, tmp_path: Path) -> None:
    ask = RESULTS[name]
    for ending, form in ENDINGS.items():
        if form in TEXTS:
            docie.write(ask(), tmp_path / f"answer{ending.upper()}")
            docie.write(ask(), tmp_path / "answer", form)
            found = {(tmp_path / each).read_text(encoding="utf-8") for each in (f"answer{ending.upper()}", "answer")}
            assert found == {written(ask(), form)}, form


@of_results
def test_forms_for_people(name: str) -> None:
    result = RESULTS[name]()
    assert written(result, "table") == f"{result}\n"
    assert written(result, "markdown") == f"{writers.to_markdown(result.sections(brief=True))}\n"
    assert written(result, "latex") == f"{writers.to_latex(result.sections(brief=True))}\n"
    for title in (
        table.title for section in result.sections(brief=True) for table in section.parts if isinstance(table, Table)
    ):
        assert title.split()[0] in str(result)


@of_results
def test_forms_for_programs(name: str) -> None:
    result = RESULTS[name]()
    assert json.loads(written(result, "json")) == json.loads(writers.json_text(result.to_dict()))
    table = next(result.tables())
    rows = [*map(list, table.cells)]
    assert rows
    records = [json.loads(line) for line in written(result, "jsonl").splitlines()]
    assert records == [dict(zip(table.columns, row, strict=True)) for row in rows]
    found = [*csv.reader(io.StringIO(written(result, "csv")))]
    assert found == [*map(plain, chain([table.columns], rows))]


@of_results
def test_an_excel_file_has_a_sheet_for_each_table(name: str, tmp_path: Path) -> None:
    openpyxl = pytest.importorskip("openpyxl", reason="Excel files need openpyxl")
    result = RESULTS[name]()
    docie.write(result, tmp_path / "answer.xlsx")
    stream = io.TextIOWrapper(io.BytesIO())
    docie.write(result, stream, "xlsx")
    tables = [(each.title, [each.columns, *each.cells]) for each in result.tables()]
    for source in (tmp_path / "answer.xlsx", stream.buffer):
        sheets = [*openpyxl.load_workbook(source)]
        assert len(sheets) == len(tables)
        for sheet, (title, rows) in zip(sheets, tables, strict=True):
            assert sheet.title == title.replace(":", " ")[: len(sheet.title)]
            assert "f" not in {cell.data_type for row in sheet.iter_rows() for cell in row}, "no formulas"
            found = [[*map(shown, row)] for row in sheet.iter_rows(values_only=True)]
            assert found == [[*map(shown, row)] for row in rows]


@of_results
@needs_package("jinja2")
def test_a_page(name: str, tmp_path: Path) -> None:
    path = tmp_path / "answer.html"
    docie.write(RESULTS[name](), path, title="Receipts & <more>", command="docie x --y")
    page = path.read_text(encoding="utf-8")
    assert page.startswith("<!doctype html>")
    assert page.count("<h1>") == 1
    assert "Receipts &amp; &lt;more&gt;" in page
    assert "docie x --y" in page
    assert "<more>" not in page
    result = RESULTS[name]()
    docie.write(result, path)
    assert f"<h1><bdi>{result.facts.title}</bdi></h1>" in path.read_text(encoding="utf-8")


def test_no_cell_is_a_formula(tmp_path: Path) -> None:
    assert written(FORMULAS, "csv") == "'=a,b\n'=1+1,0.75\n'@x,-1\n2024,'+1|x\n"
    rows = [*csv.DictReader(io.StringIO(written(RESULTS["errors"](), "csv")))]
    assert {(row["shop"], row["entity_type"]) for row in rows} >= {("'@x", "'=c"), ("Kedai", "total")}
    assert {row["prediction"] for row in rows} >= {"'=1+1", "'+1|x"}
    assert "-12.50" in {row["reference"] for row in rows}
    openpyxl = pytest.importorskip("openpyxl", reason="Excel files need openpyxl")
    docie.write(FORMULAS, tmp_path / "x.xlsx")
    [sheet] = openpyxl.load_workbook(tmp_path / "x.xlsx")
    assert [[cell.value for cell in row] for row in sheet.iter_rows()] == [
        ["=a", "b"],
        ["=1+1", 0.75],
        ["@x", -1],
        ["2024", "+1|x"],
    ]
    assert sheet["A2"].data_type == "s"


@pytest.mark.parametrize(
    ("name", "form", "message"),
    [
        ("answer", None, "answer: the name ends in none of .txt, .md, .tex, .json, .csv, .jsonl, .xlsx, .html; name a format"),
        ("answer.doc", None, "answer.doc: the name ends in none of "),
        ("answer.csv", "excel", "unknown format 'excel', expected one of: table, markdown, latex, json, csv, jsonl, xlsx, html"),
        ("answer.csv", "xlsx", "answer.csv: .xlsx is for the format xlsx alone, got xlsx"),
        ("answer.xlsx", "csv", "answer.xlsx: .xlsx is for the format xlsx alone, got csv"),
        ("none/answer.csv", None, "none/answer.csv: cannot be written (No such file or directory)"),
    ],
)  # fmt: skip
def test_wrong_formats(
    name: str, form: str | None, message: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(ValueError, match=f"^{re.escape(message)}"):
        docie.write(FORMULAS, name, form)
    assert [*tmp_path.iterdir()] == []


def test_a_terminal_shows_no_excel_file(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True)
    with pytest.raises(
        ValueError, match=r"^an Excel file cannot be shown in a terminal; name a file that ends in \.xlsx$"
    ):
        docie.write(FORMULAS, sys.stdout, "xlsx")


def test_what_cannot_be_read_leaves_the_file_as_it_was(tmp_path: Path) -> None:
    broken = [*PREDICTIONS[::-1], {"id": "r-3", "prediction": {"a": {"value": "1", "confidence": 7}}}]
    references = [*REFERENCES, {"id": "r-3", "reference": {"a": "1"}}]
    needs = {"csv": "csv", "jsonl": "json", "xlsx": "openpyxl", "html": "jinja2"}
    paths = [tmp_path / f"errors.{name}" for name, package in needs.items() if find_spec(package) is not None]
    for path in paths:
        path.write_text("old")
        with pytest.raises(ValueError, match="confidence must be between 0 and 1"):
            docie.write(docie.errors(references=references, predictions=broken), path)
        assert path.read_text() == "old"
    assert sorted(tmp_path.iterdir()) == sorted(paths), "no half file is left"


def test_the_rows_of_a_table_are_written_one_by_one() -> None:
    """The second row is made once the first one is written, and the second table once the first one is."""
    stream = io.StringIO()
    seen = list[int]()

    class Long(Formulas):
        def tables(self) -> Any:
            def cells() -> Any:
                for number in range(3):
                    seen.append(stream.getvalue().count("\n"))
                    yield [number]

            yield Rows("long", ["a"], cells())
            raise AssertionError("CSV and JSON Lines have the first table")

    for form, expected in (("csv", [1, 2, 3]), ("jsonl", [0, 1, 2])):
        stream.seek(0), stream.truncate()
        seen.clear()
        docie.write(Long(facts=Facts(), signature=""), stream, form)
        assert seen == expected
