"""Files that a visitor opens are read as the command line reads them."""

from __future__ import annotations

import bz2
import datetime
import gzip
import io
import json
import lzma
import zipfile
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import openpyxl
import pyarrow as pa
import pytest
from pyarrow import parquet

import docie
from docie.inputs.opened import OpenedRows
from docie.inputs.reading import Side
from docie.inputs.sources.paths import SUFFIXES_READ, open_source
from docie.inputs.sources.table_files import PACKED
from docie.spaces.common import files, inputs, limits
from docie.spaces.common.inputs import Form
from docie.spaces.common.limits import RefusedError

from service_answers import Invoice, Value, azure_document_intelligence

ID, TOTAL, DATE = "r-1", "12.00", datetime.date(2023, 12, 31)
ROW = json.dumps({"id": ID, "total": TOTAL}).encode()
TAGGED = b"Kopi B-item\nO O\n"


def workbook() -> bytes:
    book, file = openpyxl.Workbook(), io.BytesIO()
    for row in (["id", "total", "date", "count"], [ID, TOTAL, DATE, 2]):
        book.active.append(row)
    book.save(file)
    return file.getvalue()


def table_in_parquet() -> bytes:
    file = io.BytesIO()
    parquet.write_table(pa.table({"id": [ID], "total": [TOTAL], "date": [DATE], "count": [2]}), file)
    return file.getvalue()


def zipped(files: Mapping[str, bytes]) -> bytes:
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as file:
        for name, content in files.items():
            file.writestr(name, content)
    return made.getvalue()


def zstandard(content: bytes) -> bytes:
    return bytes(pa.Codec("zstd").compress(content, asbytes=True))


CONTENTS: dict[str, Callable[[], bytes]] = {
    ".json": lambda: ROW, ".jsonl": lambda: ROW + b"\n" + ROW.replace(b"r-1", b"r-2"), ".ndjson": lambda: ROW,
    ".bio": lambda: TAGGED, ".iob": lambda: TAGGED, ".conll": lambda: TAGGED, ".txt": lambda: ROW,
    ".csv": lambda: b"id;total;items.0.name\nr-1;12,00;Latte\n", ".tsv": lambda: b"id\ttotal\nr-1\t12.00\n",
    ".xlsx": workbook, ".xlsm": workbook, ".parquet": table_in_parquet,
    ".gz": lambda: gzip.compress(ROW), ".bz2": lambda: bz2.compress(ROW), ".xz": lambda: lzma.compress(ROW), ".zst": lambda: zstandard(ROW),
    ".zip": lambda: zipped({"a/r-1.json": b'{"total": "12.00"}', "a/r-2.json": b'{"total": "13.00"}'}),
}  # fmt: skip
"""A file for every suffix."""
WORDS = {"b.conll": b"Kopi NN O\n12.00 CD B-total\n", "a.bio": "Kedai B-shop\r\nKüo I-shop\n".encode()}
DOCUMENTS = {"b.json": b'{"total": "12"}', "a.json": b'{"total": "7", "items": [{"name": "Latte"}]}'}


def text_of(contents: Mapping[str, bytes], side: str) -> str:
    """What a page writes into a field when these files are opened."""
    opened = files.text_of_files(contents, side)
    assert opened.left_out == ""
    return opened.text


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("a.json", b'{\n "total": "12"\n}'),
        ("a.json", b'{"total": }'),  # the field shows where it is broken
        ("a.jsonl", b'{"total": "12"}\n{"total": "13"}\n'),
        ("a.txt", b'Total: {"total": "12"'),
    ],
)
def test_one_file_of_text_is_taken_as_it_is(name: str, content: bytes) -> None:
    assert text_of({name: b"\xef\xbb\xbf" + content}, "predictions") == content.decode()


def test_there_is_a_file_for_every_suffix() -> None:
    assert CONTENTS.keys() == {*SUFFIXES_READ}


@pytest.mark.parametrize("suffix", sorted(CONTENTS))
def test_the_page_reads_what_the_command_line_reads(suffix: str, tmp_path: Path) -> None:
    if suffix == ".zst":
        pytest.importorskip("zstandard")
    side = "prediction" if suffix == ".txt" else "reference"  # tagged words otherwise
    name = f"rows{'.jsonl' if suffix in PACKED else ''}{suffix}"
    path, content = tmp_path / name, CONTENTS[suffix]()
    path.write_bytes(content)
    text = text_of({name: content}, f"{side}s")
    (tmp_path / "text.jsonl").write_text(text, encoding="utf-8")
    expected = docie.read(path, side=side)
    assert docie.read(tmp_path / "text.jsonl", side=side) == in_text(expected)
    assert expected


def in_text(rows: list[Any]) -> list[Any]:
    return [json.loads(json.dumps(row, default=str)) for row in rows]


@pytest.mark.parametrize("suffix", [".csv", ".xlsx", ".parquet", ".zip"])
def test_tables_and_zips_are_scored(suffix: str) -> None:
    text = text_of({f"rows{suffix}": CONTENTS[suffix]()}, "references")
    rows = inputs.read(Form(references=text, predictions=text.replace('"reference"', '"prediction"')))
    assert rows.joined_by == "id"
    assert rows.references[0].document == rows.predictions[0].document
    assert rows.references[0].document["total"] in ("12.00", "12,00")


def test_files_of_rows_are_partitions() -> None:
    pair = {"a.jsonl": ROW, "b.jsonl": ROW.replace(b"r-1", b"r-2")}
    lines = [{"id": f"r-{number}", "reference": {"total": TOTAL}} for number in (1, 2)]
    for contents in (pair, {"rows.zip": zipped(pair)}):
        assert [json.loads(line) for line in text_of(contents, "references").splitlines()] == lines


@pytest.mark.parametrize("contents", [WORDS, DOCUMENTS, {"c.txt": b"Kedai O", "d.tsv": b"Kopi\tO"}])
def test_several_files_are_read_as_a_folder(contents: dict[str, bytes], tmp_path: Path) -> None:
    for name, content in contents.items():
        (tmp_path / name).write_bytes(content)
    opened = OpenedRows(open_source(str(tmp_path), "reference"), "reference", Side(), ids=True)
    expected = [{"id": row.id, "reference": row.document} for row in opened]
    text = text_of(contents, "references")
    assert [json.loads(line) for line in text.splitlines()] == expected
    rows = inputs.read(Form(references=text, predictions=text_of(contents, "predictions")))
    assert rows.joined_by == "id"
    assert rows.given[0] == expected


def test_wrappers_in_files_stay_wrappers() -> None:
    contents = {"a.json": b'{"id": "a", "prediction": {"total": "12"}}', "b.json": b'{"prediction": {"total": "7"}}'}
    lines = text_of(contents, "predictions").splitlines()
    assert [json.loads(line) for line in lines] == [
        {"id": name, "prediction": {"total": total}} for name, total in (("a", "12"), ("b", "7"))
    ]


BLANKS = b" " * (limits.MAX_BYTES + 1)
AZURE = azure_document_intelligence(Invoice({"total": Value("12", 0.5, (0.0, 0.0, 0.5, 0.25), 1)}, []))


@pytest.mark.parametrize("names", [["a.json"], ["a.json", "b.json"]])
def test_answers_of_services_are_read_as_files_are(names: list[str]) -> None:
    text = text_of(dict.fromkeys(names, json.dumps(AZURE, indent=1).encode()), "predictions")
    references = text_of(dict.fromkeys(names, b'{"total": "12"}'), "references")
    rows = inputs.read(Form(references=references, predictions=text))
    for row, name in zip(rows.given[1], names, strict=True):
        assert row["prediction"]["total"]["confidence"] == 0.5
        assert row["meta"]["source"]["service"] == "azure_document_intelligence"
        assert row.get("id", "a") == name[0]
    if len(names) == 1:
        assert rows.notes == ["prediction: read 1 prediction as azure_document_intelligence"]


def test_texts_of_models_stay_texts_until_references_say_what_they_are() -> None:
    contents = {"a.txt": b'Here: {"total": "12"}', "b.txt": b'{"total": "7"}'}
    lines = [json.loads(line) for line in text_of(contents, "predictions").splitlines()]
    assert lines == [
        {"id": "a", "prediction": 'Here: {"total": "12"}'},
        {"id": "b", "prediction": {"total": "7"}},
    ]
    references = '{"id": "a", "reference": {"total": "12"}}\n{"id": "b", "reference": {"total": "7"}}'
    rows = inputs.read(Form(references=references, predictions=text_of(contents, "predictions")))
    assert rows.joined_by == "id"
    assert [row.document for row in rows.predictions] == [{"total": "12"}, {"total": "7"}]


def test_one_file_of_words_is_a_document() -> None:
    text = text_of({"a.bio": WORDS["a.bio"]}, "references")
    assert json.loads(text) == {"words": ["Kedai", "Küo"], "tags": ["B-shop", "I-shop"]}


@pytest.mark.parametrize(
    ("contents", "expected"),
    [
        ({"a.json": b"\xff"}, "a.json: this file is not UTF-8 text."),
        ({"a.bio": b"Kedai B-shop\nKopi\n"}, "a.bio:2: expected a word and a tag, got 'Kopi'."),
        ({**WORDS, "c.bio": b"Kopi X"}, "c.bio:1: "),
        ({**DOCUMENTS, "c.json": b'{"a": '}, "c.json: not a JSON object (Expecting value"),
        ({**DOCUMENTS, **WORDS}, "These files: holds both documents (a.json) and tagged words (a.bio)"),
        ({**DOCUMENTS, "c.jsonl": b"{}"}, "1 of 3 files are not documents: open files of one kind."),
        ({"a.json": b'"' + b"x" * limits.MAX_CHARACTERS + b'"'}, "The reference has too many characters"),
        ({"a.zip": zipped({"a.json": BLANKS})}, "a.zip: its files have 10,000,001 bytes, and at most 10,000,000 are"),
        ({"a.xlsx": zipped({"sheet1.xml": BLANKS})}, "a.xlsx: its files have 10,000,001 bytes, and at most"),
        ({"a.json.gz": gzip.compress(BLANKS)}, "These files have more than 10,000,000 bytes, unpacked."),
        ({f"{name}.gz": gzip.compress(BLANKS[:6_000_000]) for name in "ab"}, "These files have more than 10,000,000"),
        ({"a.json": b"{}", "a.json.gz": gzip.compress(b"{}")}, "Two of these files have the same name."),
        ({"a.jsonl.gz": b"{}"}, "a.jsonl.gz: Not a gzipped file"),
        ({"a.zip": b"{}"}, "a.zip: File is not a zip file."),
        ({"a.zip": zipped({"a.json": b"{}", "b.json": b"x"})}, "a.zip/b.json: not a JSON object"),
        ({"a.zip": zipped({"a.json": b"{}", "b.md": b"x"})}, "1 of 2 files are not documents: open files of one kind."),
        ({"a.csv": b"id,total\na,1,2\n"}, "a.csv:2: expected 2 cells, as in the header, got 3."),
        ({"a.csv": b"id,total\n" + b"a,1\n" * 1001}, "The reference has 1,001 documents; here at most 1,000 are read"),
        ({"a.xls": b"x"}, "a.xls: spreadsheets are read as .xlsx; save it so, or as CSV."),
        ({"a.parquet": b"x"}, "a.parquet: "),
    ],
)
def test_what_cannot_be_read_is_said_without_the_folder(contents: dict[str, bytes], expected: str) -> None:
    with pytest.raises(RefusedError) as caught:
        text_of(contents, "references")
    assert str(caught.value).startswith(expected)
    assert "tmp" not in str(caught.value)


PICTURE = b"\x89PNG\r\n"


@pytest.mark.parametrize(
    "contents",
    [
        {"a.png": PICTURE},
        {"a.jpg": PICTURE, "b.png": PICTURE},
        {"a.zip": zipped({"1.png": PICTURE, "2.TIFF": PICTURE})},
    ],
)
def test_pictures_are_no_documents(contents: dict[str, bytes]) -> None:
    with pytest.raises(RefusedError, match="has pictures only: open what was read from them"):
        files.text_of_files(contents, "references")


@pytest.mark.parametrize("is_zipped", [False, True])
def test_pictures_beside_documents_are_left_out_with_a_word(is_zipped: bool) -> None:
    contents = {"a.json": b'{"total": "12"}', "a.png": PICTURE}
    opened = files.text_of_files({"a.zip": zipped(contents)} if is_zipped else contents, "references")
    assert [json.loads(line) for line in opened.text.splitlines()] == [{"id": "a", "reference": {"total": "12"}}]
    assert opened.left_out == "Not read, as they are pictures: a.png."


def test_pictures_of_pages_may_be_zipped() -> None:
    image = pytest.importorskip("PIL.Image")
    drawn = io.BytesIO()
    image.new("RGB", (60, 80), "white").save(drawn, "PNG")
    scans = files.scans_of_files({"pages.zip": zipped({"1.png": drawn.getvalue(), "2.png": drawn.getvalue()})})
    assert [scan[1:] for scan in scans] == [(60, 80)] * 2


def test_the_form_in_a_packed_file_is_bare() -> None:
    form = {"words": ["Total"], "labels": ["total"]}
    text = text_of({"a.zip": zipped({"a.json": json.dumps(form).encode()})}, "record")
    assert json.loads(text) == form
