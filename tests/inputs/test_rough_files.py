"""Files as people and programs really write them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from configured import configured

import docie

from checkout import needs_package
from cli_runs import lines, run, run_command, scored


def documents(path: Path | str, **options: Any) -> list[Any]:
    return [row["document"] for row in docie.read(path, **options)]


TABLE = "id,total,vendor\na,1,x\nb,2,y\n"


@pytest.mark.parametrize("note", ["\nNote: all amounts in EUR\n", "\nSee the annex\n\nPage 1 of 1\n"])
def test_a_note_below_a_table_is_not_read(note: str, tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    path.write_text(TABLE + note)
    with pytest.warns(UserWarning, match=r"t\.csv:5: not read: a note below the table$"):
        assert documents(path) == [{"total": "1", "vendor": "x"}, {"total": "2", "vendor": "y"}]


@pytest.mark.parametrize("row", ["c,3\n", "\nA sentence, and more\n", "\nA sentence\nd,4,z\n"])
def test_a_row_that_is_too_short_is_no_note(row: str, tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    path.write_text(TABLE + row)
    with pytest.raises(ValueError, match=r"t\.csv:[45]: expected 3 cells, as in the header, got [12]$"):
        docie.read(path)


def test_text_of_windows_is_read_and_told(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    path.write_bytes("id,vendor\na,Kedai\nb,Café\n".encode("cp1252"))
    with pytest.warns(UserWarning, match=r"t\.csv:3: not UTF-8 text; read as Windows-1252 from here on$"):
        assert documents(path) == [{"vendor": "Kedai"}, {"vendor": "Café"}]


def test_a_header_may_end_with_a_dot(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    path.write_text("id,No.,items.1.No.,items.2.No.\na,7,1,2\n")
    assert documents(path) == [{"No.": "7", "items": [{"No.": "1"}, {"No.": "2"}]}]


@needs_package("openpyxl")
def test_sheets_are_joined_by_a_column_that_all_have(tmp_path: Path) -> None:
    from openpyxl import Workbook

    book = Workbook()
    sheet = book.active
    for row in (("file", "total"), ("a.pdf", "1")):
        sheet.append(row)
    items = book.create_sheet("items")
    for row in (("file", "name"), ("a.pdf", "x")):
        items.append(row)
    path = str(tmp_path / "t.xlsx")
    book.save(path)
    assert f"warning: {path}: the column 'file' joins Sheet and items\n" in run(path, path).stderr
    assert scored(path, path, *configured("id=file"))["true_positives"] == 2


def test_answers_in_a_folder_have_the_names_of_their_files(tmp_path: Path) -> None:
    references, predictions = tmp_path / "r", tmp_path / "p"
    for folder in (references, predictions):
        folder.mkdir()
    for name in "ab":
        (references / f"{name}.json").write_text(json.dumps({"total": name}))
    (predictions / "a.json").write_text('```json\n{"total": "a"}\n```\n')
    message = {"role": "assistant", "content": '{"total": "b"}'}
    choice = {"index": 0, "finish_reason": "stop", "message": message}
    completion = {"id": "chatcmpl-9", "object": "chat.completion", "model": "m", "choices": [choice]}
    (predictions / "b.json").write_text(json.dumps(completion))
    found = run(str(references), str(predictions), "--format", "json")
    assert json.loads(found.stdout)["kieval"]["entity_f1"] == 1.0
    (predictions / "a.json").write_text('{"total": "a"')
    assert run(str(references), str(predictions)).stderr.startswith(f"{predictions}/a.json: not a JSON object")


def test_ids_that_are_numbers_and_texts(tmp_path: Path) -> None:
    references = lines(tmp_path / "r.jsonl", [{"id": "000024", "total": "1"}, {"id": "000025", "total": "2"}])
    predictions = lines(tmp_path / "p.jsonl", [{"id": 25.0, "total": "2"}, {"id": 24.0, "total": "1"}])
    assert run(references, predictions).stderr.endswith(
        "; they are the same with --config references.strip_id=zeros --config predictions.strip_id=zeros\n"
    )
    assert scored(references, predictions, *configured("strip_id=zeros"))["entity_f1"] == 1.0


ROWS = [{"id": name, "total": "1", "items": [{"name": name}]} for name in "abc"]
ONE_AFTER_ANOTHER = {
    "commas": ",\n".join(json.dumps(row) for row in ROWS) + ",\n",
    "over lines": "\n".join(json.dumps(row, indent=2) for row in ROWS),
    "over lines, with commas and a mark": "\ufeff" + ",\r\n".join(json.dumps(row, indent=2) for row in ROWS),
    "a list over lines": json.dumps(ROWS, indent=2),
}


@pytest.mark.parametrize("ending", ["json", "jsonl"])
@pytest.mark.parametrize("name", ONE_AFTER_ANOTHER)
def test_objects_one_after_another(name: str, ending: str, tmp_path: Path) -> None:
    path = tmp_path / f"t.{ending}"
    path.write_text(ONE_AFTER_ANOTHER[name], encoding="utf-8", newline="")
    assert [row["id"] for row in docie.read(path)] == ["a", "b", "c"]


def test_objects_one_after_another_that_break_off(tmp_path: Path) -> None:
    path = tmp_path / "t.jsonl"
    path.write_text("\n".join(json.dumps(row, indent=2) for row in ROWS)[:-20])
    with pytest.raises(ValueError, match=r"t\.jsonl:24: not a JSON object \(Unterminated"):
        docie.read(path)
    path.write_text('{"id": "a", "total": "1"} {"id":\n{"id": "b", "total": "1"}\n')
    with pytest.raises(ValueError, match=r"t\.jsonl:3: not a JSON object \(Expecting"):
        docie.read(path)


TITLED = "id;total;vendor\na;1,5;x\nb;2,5;y\n"


@pytest.mark.parametrize("title", ["Export\n", "Export, May 2024\n\n", "\nStand;2. Mai\n\n", "Rechnungen\nStand Mai\n"])
def test_a_title_above_the_header_is_not_read(title: str, tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    path.write_text(title + TITLED)
    with pytest.warns(UserWarning, match=r"t\.csv:[12]: not read: a title above the table$"):
        assert documents(path) == [{"total": "1,5", "vendor": "x"}, {"total": "2,5", "vendor": "y"}]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("id;name\n\na;Ann\nb;Bo\n", [None, {"name": "Ann"}, {"name": "Bo"}]),
        ("total\n7\n8\n", [{"total": "7"}, {"total": "8"}]),
        ("id,total,\na,1,\nb,2,\n", [{"total": "1"}, {"total": "2"}]),
        ("id,total,vat\na,1,\nb,2,\n", [{"total": "1"}, {"total": "2"}]),
    ],
)
def test_tables_without_a_title(text: str, expected: list[Any], tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    path.write_text(text)
    found = [row.get("document", row) if isinstance(row, dict) else row for row in docie.read(path)]
    assert found == [each for each in expected if each is not None]


ITEM_ROWS = {
    "each": "id,total,name,items.qty\na,9,Latte,1\na,9,Bagel,2\nb,5,Mocha,1\n",
    "rest blank": "id,total,name,items.qty\na,9,Latte,1\na,,Bagel,2\nb,5,Mocha,1\n",
    "id blank": "id,total,name,items.qty\na,9,Latte,1\n,,Bagel,2\nb,5,Mocha,1\n",
}
ITEM_DOCUMENTS = [
    {"total": "9", "items": [{"name": "Latte", "qty": "1"}, {"name": "Bagel", "qty": "2"}]},
    {"total": "5", "items": [{"name": "Mocha", "qty": "1"}]},
]


@pytest.mark.parametrize("name", ITEM_ROWS)
def test_rows_of_items_become_documents(name: str, tmp_path: Path) -> None:
    path, other = tmp_path / "t.csv", lines(tmp_path / "r.jsonl", [{"id": "a", **ITEM_DOCUMENTS[0]}])
    path.write_text(ITEM_ROWS[name])
    advice = "; if rows are items of one document, --config predictions.records=rows groups them"
    assert advice in run(other, str(path)).stderr
    with pytest.warns(UserWarning, match=r"t\.csv: 2 documents of 3 rows; their items have 'name', 'items'$"):
        assert documents(path, config="predictions.records=rows") == ITEM_DOCUMENTS
    assert scored(str(path), str(path), *configured("records=rows"), warning=f"{path}: 2 documents of 3 rows; their items have 'name', 'items'")["entity_f1"] == 1.0  # fmt: skip


def test_rows_of_items_on_both_sides_are_found(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    rows = [f"r{n},{n}.50,{name},{len(name)}" for n in range(6) for name in ("Latte", "Bagel")]
    path.write_text("\n".join(["id,total,name,qty", *rows]))
    other = tmp_path / "p.csv"
    other.write_text(path.read_text())
    result = run_command("check", str(path), str(other), "--format", "json")
    [finding] = json.loads(result.stdout)["findings"]
    assert (finding["kind"], finding["after"], result.exit_code) == ("records", 1.0, 1)
    assert finding["options"] == ["--config", "references.records=rows", "--config", "predictions.records=rows"]


def test_rows_of_pages_name_their_option(tmp_path: Path) -> None:
    path = lines(tmp_path / "p.jsonl", [{"id": "a", "page_no": n, "total": "1"} for n in (1, 2)])
    assert run(path, path).stderr.endswith("; if rows are pages, --config references.pages=page_no merges them\n")
