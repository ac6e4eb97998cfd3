"""Excel files and other files that `docie errors` writes."""

from __future__ import annotations

import io
import json
import sys
from pathlib import Path
from typing import Any

import pytest

from docie.show import excel
from docie.show.result import Rows
from docie.show.write import format_of

from cli_runs import lines, run_command

openpyxl = pytest.importorskip("openpyxl", reason="Excel files need openpyxl")


def sheets(source: Any) -> dict[str, list[tuple[Any, ...]]]:
    book = openpyxl.load_workbook(source)
    return {sheet.title: list(sheet.iter_rows(values_only=True)) for sheet in book}


def written(rows: list[list[Any]], columns: list[str]) -> dict[str, list[tuple[Any, ...]]]:
    file = io.BytesIO()
    excel.write_excel(file, [Rows("errors", columns, rows)])
    return sheets(file)


@pytest.fixture
def files(tmp_path: Path) -> list[str]:
    leaf = {"value": "=1+1", "confidence": 0.5, "box": [1, 2, 3, 4], "page": 1}
    return [
        lines(tmp_path / "r.jsonl", [{"a": "2", "b": "-12.50"}]),
        lines(tmp_path / "p.jsonl", [{"a": leaf, "=c": " x\n\x07"}]),
    ]


def test_an_excel_file_has_the_rows_of_json_lines(files: list[str], tmp_path: Path) -> None:
    path = tmp_path / "errors.xlsx"
    assert run_command("errors", *files, "--output", str(path)).stdout == ""
    heading, *rows = sheets(path)["errors"]
    expected = [json.loads(line) for line in run_command("errors", *files, "--format", "jsonl").stdout.splitlines()]
    assert list(heading) == list(expected[0])
    for row, values in zip(rows, expected, strict=True):
        values["box"] = values["box"] and json.dumps(values["box"])
        values["prediction"] = values["prediction"] and values["prediction"].replace("\x07", r"\x07")
        assert dict(zip(heading, row, strict=True)) == values
    assert sorted(each.name for each in tmp_path.iterdir()) == sorted({path.name, *(Path(file).name for file in files)})


def test_an_excel_file_goes_to_a_pipe_too(files: list[str]) -> None:
    result = run_command("errors", *files, "--format", "xlsx", "--kind", "value")
    _, row = sheets(io.BytesIO(result.stdout_bytes))["errors"]
    assert row[4:9] == ("a", "substitution", "value", "2", "=1+1")


def test_no_cell_is_a_formula() -> None:
    texts = ["=1+1", "+1", "-2", "@SUM(A1)", "#N/A", '=HYPERLINK("http://x")', "\t=1", "12", "true", ""]
    file = io.BytesIO()
    excel.write_excel(file, [Rows("errors", ["=a"], [[text] for text in texts])])
    cells = [row[0] for row in openpyxl.load_workbook(file).active.iter_rows()]
    assert {cell.data_type for cell in cells if cell.value is not None} == {"s"}
    assert [cell.value or "" for cell in cells] == ["=a", *texts]


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (7, 7), (0.25, 0.25), (None, None), (True, "true"), ([1, 2], "[1, 2]"), (float("inf"), "Infinity"),
        (2**60, str(2**60)), (" x ", " x "), ("a\nb", "a\nb"), ("a\rb", r"a\rb"), ("\x00\x1b", r"\x00\x1b"),
        ("\ud800", r"\ud800"), ("\uffff", r"\uffff"), ("_x0041_", "_x005F_x0041_"), ("ü😀", "ü😀"),
    ],
)  # fmt: skip
def test_values(value: Any, expected: Any) -> None:
    assert written([[value, "x"]], ["a", "b"]) == {"errors": [("a", "b"), (expected, "x")]}


@pytest.mark.parametrize(("character", "length"), [("x", 32_767), ("😀", 16_383)])
def test_long_texts_are_cut_with_a_warning(character: str, length: int) -> None:
    with pytest.warns(UserWarning, match="^texts cut to the 32,767 characters of an Excel cell: 1; "):
        [(_, row)] = written([[character * length, character * 40_000]], ["a", "b"]).values()
    assert row == (character * length, character * length)


@pytest.mark.parametrize(("rows", "sizes"), [(0, [1]), (3, [4]), (4, [4, 2]), (6, [4, 4]), (7, [4, 4, 2])])
def test_more_rows_than_a_sheet_has(rows: int, sizes: list[int], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(excel, "MOST_ROWS", 4)
    tables = written([[number] for number in range(rows)], ["a"])
    assert list(tables) == ["errors", "errors 2", "errors 3"][: len(sizes)]
    assert [len(table) for table in tables.values()] == sizes
    assert {table[0] for table in tables.values()} == {("a",)}
    assert [row for table in tables.values() for (row,) in table[1:]] == list(range(rows))


def test_without_openpyxl(files: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "openpyxl", None)
    result = run_command("errors", *files, "--output", str(tmp_path / "errors.xlsx"))
    assert (result.exit_code, result.stderr) == (2, 'Excel files need openpyxl: pip install "docie[tables]"\n')
    assert not (tmp_path / "errors.xlsx").exists()


def test_a_terminal_shows_no_excel_file(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True)
    with pytest.raises(
        ValueError, match=r"an Excel file cannot be shown in a terminal; name a file that ends in .xlsx"
    ):
        format_of(sys.stdout, "xlsx")
    assert format_of("errors.xlsx", "xlsx") == "xlsx"


@pytest.mark.parametrize("name", ["errors.csv", "errors.jsonl", "errors.md", "ERRORS.TXT"])
def test_the_name_of_a_file_says_its_format(name: str, files: list[str], tmp_path: Path) -> None:
    form = {".csv": "csv", ".md": "markdown", ".txt": "table"}.get(Path(name).suffix.lower(), "jsonl")
    assert run_command("errors", *files, "--output", str(tmp_path / name)).exit_code == 0
    expected = run_command("errors", *files, "--format", form).stdout
    assert (tmp_path / name).read_text(encoding="utf-8") == expected
    other = tmp_path / "other"
    assert run_command("errors", *files, "--output", str(other), "--format", form).exit_code == 0
    assert other.read_text(encoding="utf-8") == expected


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        (
            ["--output", "errors"],
            "errors: the name ends in none of .txt, .md, .tex, .json, .csv, .jsonl, .xlsx, .html; name a format",
        ),
        (
            ["--output", "e.xlsx", "--format", "csv"],
            "e.xlsx: .xlsx is for the format xlsx alone, got csv",
        ),
        (
            ["--output", "e.csv", "--format", "xlsx"],
            "e.csv: .xlsx is for the format xlsx alone, got xlsx",
        ),
        (["--output", "no/such/e.csv"], "no/such/e.csv: cannot be written (No such file or directory)"),
    ],
)
def test_files_that_are_not_written(arguments: list[str], expected: str, files: list[str]) -> None:
    result = run_command("errors", *files, *arguments)
    assert (result.exit_code, result.stdout, result.stderr) == (2, "", f"{expected}\n")


def test_a_failed_run_leaves_the_file_as_it_was(files: list[str], tmp_path: Path) -> None:
    for name in ("errors.csv", "errors.xlsx"):
        path = tmp_path / name
        path.write_text("old")
        Path(files[1]).write_text('{"a": "1"}\n{"a": ')
        Path(files[0]).write_text('{"a": "2"}\n{"a": "2"}\n')
        result = run_command("errors", *files, "--output", str(path))
        assert (result.exit_code, len(result.stderr.splitlines())) == (2, 1)
        assert path.read_text() == "old"
        assert not any(each.name.startswith(".") for each in tmp_path.iterdir()), "no half file is left"


def test_devices_are_written_to_and_kept(files: list[str]) -> None:
    assert run_command("errors", *files, "--output", "/dev/null", "--format", "csv").exit_code == 0
    assert not Path("/dev/null").is_file()
