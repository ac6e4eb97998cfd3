"""Files that a visitor opens are read as the command line reads them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from docie.files.source import Source
from docie.spaces.common import inputs, limits
from docie.spaces.common.inputs import Form
from docie.spaces.common.limits import RefusedError

from service_answers import Invoice, Value, azure_document_intelligence

WORDS = {"b.conll": b"Kopi NN O\n12.00 CD B-total\n", "a.bio": "Kedai B-shop\r\nKüo I-shop\n".encode()}
DOCUMENTS = {"b.json": b'{"total": "12"}', "a.json": b'{"total": "7", "items": [{"name": "Latte"}]}'}


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
    assert inputs.text_of_files({name: b"\xef\xbb\xbf" + content}, "predictions") == content.decode()


@pytest.mark.parametrize("contents", [WORDS, DOCUMENTS, {"c.txt": b"Kedai O", "d.tsv": b"Kopi\tO"}])
def test_several_files_are_read_as_a_folder(contents: dict[str, bytes], tmp_path: Path) -> None:
    for name, content in contents.items():
        (tmp_path / name).write_bytes(content)
    source = Source(str(tmp_path), "reference")
    expected = [{"id": row.id, "reference": source.document(row)} for row in source]
    text = inputs.text_of_files(contents, "references")
    assert [json.loads(line) for line in text.splitlines()] == expected
    rows = inputs.read(Form(references=text, predictions=inputs.text_of_files(contents, "predictions")))
    assert rows.joined_by == "id"
    assert rows.references == expected


def test_wrappers_in_files_stay_wrappers() -> None:
    contents = {"a.json": b'{"id": "a", "prediction": {"total": "12"}}', "b.json": b'{"prediction": {"total": "7"}}'}
    lines = inputs.text_of_files(contents, "predictions").splitlines()
    assert [json.loads(line) for line in lines] == [
        {"id": name, "prediction": {"total": total}} for name, total in (("a", "12"), ("b", "7"))
    ]


AZURE = azure_document_intelligence(Invoice({"total": Value("12", 0.5, (0.0, 0.0, 0.5, 0.25), 1)}, []))


@pytest.mark.parametrize("names", [["a.json"], ["a.json", "b.json"]])
def test_answers_of_services_are_read_as_files_are(names: list[str]) -> None:
    text = inputs.text_of_files(dict.fromkeys(names, json.dumps(AZURE, indent=1).encode()), "predictions")
    references = inputs.text_of_files(dict.fromkeys(names, b'{"total": "12"}'), "references")
    rows = inputs.read(Form(references=references, predictions=text))
    for row, name in zip(rows.predictions, names, strict=True):
        assert row["prediction"]["total"]["confidence"] == 0.5
        assert row["meta"]["source"]["service"] == "azure_document_intelligence"
        assert row.get("id", "a") == name[0]
    if len(names) == 1:
        assert rows.notes == ["prediction: read 1 prediction as azure_document_intelligence"]


def test_texts_of_models_are_read_as_a_folder_of_them() -> None:
    contents = {"a.txt": b'Here: {"total": "12"}', "b.txt": b'{"total": "7"}'}
    lines = [json.loads(line) for line in inputs.text_of_files(contents, "predictions").splitlines()]
    assert lines == [
        {"id": "a", "prediction": {"total": "12"}, "meta": {"source": {"file": "a.txt"}}},
        {"id": "b", "prediction": '{"total": "7"}'},
    ]
    references = '{"id": "a", "reference": {"total": "12"}}\n{"id": "b", "reference": {"total": "7"}}'
    rows = inputs.read(Form(references=references, predictions=inputs.text_of_files(contents, "predictions")))
    assert rows.joined_by == "id"


def test_one_file_of_words_is_a_document() -> None:
    text = inputs.text_of_files({"a.bio": WORDS["a.bio"]}, "references")
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
    ],
)
def test_what_cannot_be_read_is_said_without_the_folder(contents: dict[str, bytes], expected: str) -> None:
    with pytest.raises(RefusedError) as caught:
        inputs.text_of_files(contents, "references")
    assert str(caught.value).startswith(expected)
    assert "tmp" not in str(caught.value)
