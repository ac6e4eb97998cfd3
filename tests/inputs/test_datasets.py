"""Data sets as references and predictions: the figures of JSON Lines, or one line that says what is wrong."""

from __future__ import annotations

import json
import tracemalloc
from pathlib import Path
from typing import Any

import pytest
from configured import configured
from datasets import ClassLabel, Dataset, DatasetDict, Features, Image, Sequence, Value

import docie
from docie import corpus, kieval
from docie.adapters import records
from docie.core.errors import InputError
from docie.inputs.opened import OpenedRows
from docie.inputs.reading import Side
from docie.inputs.sources.paths import open_source

from cli_runs import lines, run, run_command, scored

Row = dict[str, Any]
TEXT = Value("string")


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty folder. The Hub is offline in all tests."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


def receipt(number: int, *, is_correct: bool = True) -> Row:
    menu = [{"nm": f"Item {each}", "price": f"{each}.50", "sub": {"nm": "oat"}} for each in range(1 + number % 3)]
    return {"menu": menu, "total": {"total_price": f"{number}.00" if is_correct else "0"}}


RECEIPTS = [{"ground_truth": json.dumps({"gt_parse": receipt(number)})} for number in range(12)]
PREDICTIONS = [receipt(number, is_correct=number % 4 > 0) for number in range(12)]


def cord(rows: list[Row] = RECEIPTS) -> Dataset:
    """A data set as CORD on the Hub, with pictures that nothing can decode."""
    pictures = [{**row, "image": {"bytes": b"no picture", "path": None}} for row in rows]
    return Dataset.from_list(pictures).cast_column("image", Image())


def saved(rows: list[Row], name: str = "data", **features: Any) -> str:
    listed = Features({**Dataset.from_list(rows).features, **features})
    Dataset.from_list(rows, features=listed).save_to_disk(name)
    return name


@pytest.fixture
def expected(here: Path) -> Row:
    found = scored(lines(here / "r.jsonl", RECEIPTS), lines(here / "p.jsonl", PREDICTIONS), "--by-field")
    assert 0.8 < found["entity_f1"] < 1
    return found


def test_every_form_gives_the_scores_of_json_lines(here: Path, expected: Row) -> None:
    splits = DatasetDict(train=cord(RECEIPTS[:3]), test=cord())
    splits.save_to_disk("saved")
    cord().save_to_disk("one")
    (here / "parquet").mkdir()
    (here / "json").mkdir()
    cord().to_parquet("parquet/test-00000-of-00001.parquet")
    lines(here / "json" / "test.jsonl", RECEIPTS)
    lines(here / "json" / "train.jsonl", RECEIPTS[:2])
    for arguments in (
        ["dataset:saved#test"],
        ["dataset:one"],
        [f"dataset:{here / 'parquet'}"],
        ["dataset:json#test"],
        ["--workers", "2", "dataset:one"],
    ):
        assert scored(*arguments, "p.jsonl", "--by-field") == expected
    assert scored("r.jsonl", "dataset:one#", "--by-field")["entity_f1"] == 1.0
    assert docie.read("dataset:saved#train") == docie.read("dataset:one")[:3] == docie.read("r.jsonl")[:3]


def test_a_configuration_of_a_data_set(here: Path, expected: Row) -> None:
    for name, rows in (("1st", RECEIPTS), ("2nd", RECEIPTS[:3])):
        (here / "owner" / "name" / name).mkdir(parents=True)
        lines(here / "owner" / "name" / name / "test.jsonl", rows)
    configurations = "".join(
        f"- config_name: {name}\n  data_dir: {folder}\n" for name, folder in (("one", "1st"), ("two", "2nd"))
    )
    (here / "owner" / "name" / "README.md").write_text(f"---\nconfigs:\n{configurations}---\n")
    (here / "elsewhere").mkdir()
    assert scored("dataset:owner/name/one", "p.jsonl", "--by-field") == expected
    assert len(docie.read("dataset:owner/name/two#test")) == 3


def test_every_command_reads_data_sets(here: Path) -> None:
    cord().save_to_disk("data")
    reference, path = lines(here / "r.jsonl", RECEIPTS), lines(here / "p.jsonl", PREDICTIONS)
    other = lines(here / "q.jsonl", PREDICTIONS[::-1])
    for command, *paths in (["errors", path], ["check", path], ["compare", path, other], ["score", path]):
        found = run_command(command, "dataset:data", *paths, "--format", "json")
        assert found.exit_code == run_command(command, reference, *paths, "--format", "json").exit_code
        assert found.stdout == run_command(command, reference, *paths, "--format", "json").stdout
    pytest.importorskip("jinja2")
    assert run("dataset:data", path, "--report", "r.html").exit_code == 0
    assert "docie score dataset:data " in (here / "r.html").read_text()


WORDS = ["Kedai", "Kopi", "9.00"]
QUESTION = {"questionId": 1, "question": "When?", "answers": ["1990", "in 1990"], "image": "i"}
FORM = [{"id": 0, "label": "question", "text": "Name:", "linking": [[0, 1]]}, {"id": 1, "label": "answer", "text": "Ada", "linking": [[0, 1]]}]  # fmt: skip
AMOUNT = ["gross_amount", [["$90.00\n", [0, 0.1, 0.1, 0.2, 0.2], [[8, 15]]]]]
KNOWN: dict[str, list[Row]] = {
    "cord": [{"id": "a", "words": WORDS, "ner_tags": ["B-MENU.NM", "I-MENU.NM", "B-MENU.PRICE"]}],
    "sroie": [{"id": "a", "words": WORDS, "ner_tags": ["B-COMPANY", "I-COMPANY", "B-TOTAL"], "bboxes": [[0, 0, 1, 1]] * 3}],
    "funsd": [{"id": "a", "tokens": WORDS, "ner_tags": ["B-HEADER", "I-HEADER", "B-ANSWER"]}, {"form": FORM}, {"text_output": json.dumps({"form": FORM})}],
    "xfund": [{"id": "a", "document": FORM}],
    "docvqa": [QUESTION],
    "mp_docvqa": [{**QUESTION, "answers": "['1990', 'in 1990']", "page_ids": "['p1']", "answer_page_idx": "0"}],
    "kleister": [{"expected": "party=Ada_Ltd. party=Bo"}, {"annotations": [{"key": "date", "values": [{"value": "2016"}]}]}],
    "vrdu": [{"filename": "1.pdf", "annotations": json.dumps([AMOUNT])}],
}  # fmt: skip
EACH = [pytest.param(name, record, id=f"{name} {place}") for name, found in KNOWN.items() for place, record in enumerate(found)]  # fmt: skip


@pytest.mark.parametrize(("name", "record"), EACH)
def test_records_of_known_data_sets(name: str, record: Row, here: Path) -> None:
    """By name or by their columns, in data sets and in JSON Lines, and as `docie.adapters.records` reads them."""
    expected = json.loads(json.dumps(getattr(records, name)(record)))
    if isinstance(expected, list):
        expected = {"$any_of": expected}
    path = saved([record])
    for how, warned in ((Side(records=name), None), (Side(), f"data: its columns are those of {name}: read with references.records={name}")):  # fmt: skip
        rows = OpenedRows(open_source(f"dataset:{path}", "reference", how), "reference", how, ids=True)
        assert [row.document for row in rows] == [expected]
        assert rows.notes == ([warned] if warned else [])
    how = Side(records=name)
    [row] = OpenedRows(open_source(lines(here / "r.jsonl", [record]), "reference", how), "reference", how, ids=True)
    assert (row.document, row.id) == (expected, record.get("id"))


def test_the_names_of_tags_are_those_of_the_feature(here: Path) -> None:
    """In another order than in the data set of the paper."""
    names = ["O", "B-TOTAL", "I-TOTAL", "B-COMPANY", "I-COMPANY"]
    rows = [{"id": f"r-{number}", "words": [*WORDS[:2], f"{number}"], "ner_tags": [3, 4, 1 if number else -1]} for number in range(3)]  # fmt: skip
    path = saved(rows[1:], ner_tags=Sequence(ClassLabel(names=names)))
    predictions = [{"id": f"r-{number}", "company": "Kedai Kopi", "total": f"{number}"} for number in (2, 1)]
    note = "data: its columns are those of sroie: read with references.records=sroie"
    arguments = [f"dataset:{path}", lines(here / "p.jsonl", predictions)]
    assert scored(*arguments, warning=note)["entity_f1"] == 1.0
    found = scored(*arguments, "--config", "references.records=sroie")
    assert (found["entity_f1"], "records(sroie)" in found["signature"]) == (1.0, True)
    path = saved(rows, "unknown", ner_tags=Sequence(ClassLabel(names=names)))
    with pytest.raises(InputError, match="unknown, row 1: SROIE record 'r-0': field 'ner_tags' must be"):
        docie.read(f"dataset:{path}", config={"references": {"records": "sroie"}})


def test_answers_to_questions(here: Path) -> None:
    path = saved([{**QUESTION, "questionId": number} for number in (7, 8)])
    predictions = lines(
        here / "p.jsonl", [{"questionId": 8, "prediction": "in 1990"}, {"questionId": 7, "prediction": "1989"}]
    )
    arguments = [f"dataset:{path}", predictions, "--metric", "anls_star", *configured("id=questionId")]
    assert scored(*arguments, "--config", "references.records=docvqa")["anls_star"] == pytest.approx((1 + 0.5) / 2)


def test_columns_are_the_keys_of_documents(here: Path) -> None:
    rows = [
        {"id": f"r-{number}", "number": f"00{number}", "vendor": {"name": "Ann", "city": None}, "items": [{"n": "a"}, {"n": "b"}], "lang": number % 2, "total.amount": number}
        for number in range(4)
    ]  # fmt: skip
    path = saved(rows, lang=ClassLabel(names=["de", "en"]))
    assert docie.read(f"dataset:{path}")[1] == {
        "id": "r-1",
        "document": {"number": "001", "vendor": {"name": "Ann"}, "items": [{"n": "a"}, {"n": "b"}], "lang": "en", "total": {"amount": 1}},
    }  # fmt: skip
    items = here / "taxes.csv"
    items.write_text("id,rate\nr-2,7\n")
    found = docie.read(f"dataset:{path}", config={"references": {"lines": str(items)}}, side="reference")
    assert [row["document"].get("taxes") for row in found] == [None, None, [{"rate": "7"}], None]


def test_both_sides_in_one_data_set(here: Path) -> None:
    rows = [{"id": number, "reference": json.dumps({"a": "1"}), "prediction": json.dumps({"a": str(number)}), "note": "x"} for number in range(3)]  # fmt: skip
    path = f"dataset:{saved(rows)}"
    with pytest.warns(UserWarning, match="columns that are not read: note"):
        assert docie.read(path, side="prediction")[1] == {"id": "1", "document": {"a": "1"}}
    assert scored(path, path, warning="columns that are not read: note")["entity_f1"] == pytest.approx(1 / 3)


def test_single_values_beside_the_annotation_are_the_meta(here: Path) -> None:
    path = saved([{**row, "country": "ID", "file_name": f"{number}.png"} for number, row in enumerate(RECEIPTS)])
    found = docie.read(f"dataset:{path}", config={"references": {"id": "file_name"}})[0]
    assert found == {"id": "0.png", "document": receipt(0), "meta": {"country": "ID"}}
    predictions = lines(here / "p.jsonl", [{"file_name": f"{number}.png", "prediction": row} for number, row in enumerate(PREDICTIONS)][::-1])  # fmt: skip
    found = scored(f"dataset:{path}", predictions, *configured("id=file_name"), "--group-by", "country")
    assert (found["by_country"]["ID"]["documents"], found["entity_f1"] < 1) == (12, True)


@pytest.fixture(scope="module")
def refused(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with data sets, some of which cannot be read."""
    here = tmp_path_factory.mktemp("refused")
    for name in ("json", "broken"):
        (here / name).mkdir()
        lines(here / name / "train.jsonl", RECEIPTS)
        lines(here / name / "test.jsonl", RECEIPTS)
    (here / "broken" / "test.jsonl").write_text('{"a": x}\n')
    DatasetDict(train=cord(), test=cord()).save_to_disk(str(here / "two"))
    for name, rows in (("one", RECEIPTS), ("bad", [RECEIPTS[0], {"ground_truth": "{"}]), ("cut", RECEIPTS), ("tags", [{"words": ["a"], "ner_tags": [1]}])):  # fmt: skip
        Dataset.from_list(rows).save_to_disk(str(here / name))
    (here / "empty").mkdir()
    Dataset.from_list(RECEIPTS).select([]).to_parquet(str(here / "empty" / "test.parquet"))
    [arrow] = (here / "cut").glob("*.arrow")
    arrow.write_bytes(arrow.read_bytes()[:100])
    lines(here / "r.jsonl", RECEIPTS)
    lines(here / "p.jsonl", PREDICTIONS)
    return here


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["dataset:two"], "two: name its split, as dataset:two#SPLIT: train, test"),
        (["dataset:two#dev"], "two: no split 'dev'; it has train, test"),
        (["dataset:one#dev"], "one: no split 'dev'; it has no splits"),
        (["dataset:json"], "json: name its split, as dataset:json#SPLIT: train, test"),
        (["dataset:json#dev"], "json: Unknown split \"dev\". Should be one of ['train', 'test']"),
        (["dataset:tags"], "tags: tagged words, which may be of several data sets; say --config references.records=cord, or sroie or funsd"),
        (["dataset:bad"], "bad, row 2: 'ground_truth' is not JSON"),
        (["dataset:broken#test"], "broken: "),
        (["dataset:cut"], "cut: "),
        (["dataset:empty"], "empty: "),
        (["dataset:owner/name#test"], "owner/name: no folder, and no connection to the Hub ("),
        (["dataset:/nowhere/at/all"], "/nowhere/at/all: "),
        (["dataset:a b"], "a b: "),
        (["dataset:one", "--config", 'references.records=["cord", "funsd"]'], "references.records=[\"cord\", \"funsd\"]: [references] records takes one data set, got cord, funsd"),
    ],
)  # fmt: skip
def test_data_sets_that_are_refused(
    arguments: list[str], message: str, refused: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(refused)
    result = run(*arguments, "p.jsonl")
    assert result.exit_code == 2
    assert result.stderr.startswith(message)
    assert result.stderr.count("\n") == 1
    if "Hub" in message:
        assert result.stderr.endswith(
            "; offline, name a folder that save_to_disk wrote, or one of Parquet or JSON files\n"
        )


def test_in_python_records_are_read_as_in_files() -> None:
    rows = [{"id": f"r-{number}", "words": ["Kedai"], "ner_tags": ["B-COMPANY"]} for number in range(2)]
    found = corpus.evaluate(kieval, [{"company": "Kedai"}] * 2, rows, config={"references": {"records": "sroie"}})
    assert (found["documents"], found["entity_f1"]) == (2, 1.0)


def test_rows_are_streamed(here: Path) -> None:
    path = saved([{"id": f"r-{number}", "total": f"{number}.00", "note": "x" * 500} for number in range(10_000)])
    tracemalloc.start()
    try:
        count = sum(1 for _ in open_source(f"dataset:{path}", "reference"))
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert count == 10_000
    assert peak < 3e6  # all rows take more than twice as much
