"""One file a page: pages become the documents of the files in one piece, and what cannot be merged is named."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from configured import configured, entries

import docie
from docie import corpus, kieval
from docie.core.errors import InputError
from docie.inputs.pages import merged_pages, page_of

from cli_runs import lines, run, run_command, scored

Row = dict[str, Any]
NAMES = ["inv-{}_p{}", "inv-{}-page-0{}", "inv-{}.{}", "inv-{} ({})", "inv-{} Pg. {}", "inv-{}_PAGE_00{}"]


def document(number: int) -> Row:
    """A document whose value `total` has a confidence and a box, on its last page."""
    items = [{"name": f"Item {each}", "amount": f"{each % 2}.00"} for each in range(number + 3)]
    total = {"value": f"{number}.50", "confidence": number / 10, "box": [0.5, 0.9, 0.75, 0.95]}
    return {"no": f"00{number}", "vendor": {"name": "Ada", "city": "Rome"}, "items": items, "total": total}


def pages_of(whole: Row) -> list[Row]:
    """The same document on three pages: the header is on two of them, and items go on."""
    items = whole["items"]
    return [
        {"no": whole["no"], "vendor": whole["vendor"], "items": items[:2], "total": None},
        {"no": whole["no"], "vendor": {"name": "Ada", "city": None}, "items": items[2]},
        {"items": items[3:], "total": whole["total"]},
    ]


REFERENCES = [{"id": f"inv-{number}", **document(number)} for number in range(6)]
PREDICTIONS = [{**row, "no": "7" if number % 2 else row["no"]} for number, row in enumerate(REFERENCES)]
EXPECTED = [{**row, "total": {**row["total"], "page": 3}} for row in PREDICTIONS]
ROWS = [
    {"file": row["id"], "page": number, "out": page}
    for row in PREDICTIONS
    for number, page in enumerate(pages_of(row), 1)
]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder of pages, whose names are written in six ways."""
    folder = tmp_path / "pages"
    folder.mkdir()
    for number, row in enumerate(PREDICTIONS):
        for page, content in enumerate(pages_of(row), 1):
            (folder / f"{NAMES[number].format(number, page)}.json").write_text(json.dumps(content))
    return folder


def test_ids_that_do_not_match_may_be_pages(folder: Path, tmp_path: Path) -> None:
    references = lines(tmp_path / "r.jsonl", REFERENCES)
    message = run_command("score", references, str(folder)).stderr
    assert message.endswith("; if they are pages, --config predictions.pages=name merges them\n")


def test_pages_are_scored_as_whole_documents(folder: Path, tmp_path: Path) -> None:
    references = lines(tmp_path / "r.jsonl", REFERENCES)
    expected = scored(references, lines(tmp_path / "p.jsonl", EXPECTED), "--by-field")
    assert 0.8 < expected["entity_f1"] < 1
    by_key = lines(tmp_path / "rows.jsonl", ROWS[::-1])
    keyed = (
        "--config",
        "predictions.pages=page",
        "--config",
        "references.id=id",
        "--config",
        "predictions.id=file",
        "--config",
        "predictions.unwrap=out",
    )
    for arguments in (
        (str(folder), "--config", "predictions.pages=name"),
        (str(folder), *configured("pages=name")),
        (by_key, *keyed),
    ):
        found = scored(references, *arguments, "--by-field")
        assert found.pop("signature") != expected["signature"]
        assert found == {key: value for key, value in expected.items() if key != "signature"}
        checked = json.loads(run_command("check", references, *arguments, "--format", "json").stdout)
        assert [checked[side]["documents"] for side in ("references", "predictions")] == [6, 6]
    assert [each["document"] for each in docie.read(folder, config={"predictions": {"pages": "name"}})] == [
        {key: value for key, value in row.items() if key != "id"} for row in EXPECTED
    ]


def test_rows_in_python(tmp_path: Path) -> None:
    reading = {"references": {"id": "id"}, "predictions": {"pages": "page", "id": "file", "unwrap": "out"}}
    found = corpus.evaluate(kieval, ROWS, REFERENCES, config=reading)
    whole = corpus.evaluate(kieval, PREDICTIONS, REFERENCES, config=entries("id=id"))
    assert (
        "predictions.id(file)+predictions.pages(page)+predictions.unwrap(out)+references.id(id)|" in found["signature"]
    )
    assert {**found, "signature": ""} == {**whole, "signature": ""}
    findings = docie.check(references=REFERENCES, predictions=ROWS, config=reading)
    assert (findings.predictions.documents, findings.score) == (6, found["entity_f1"])


def test_both_sides_may_be_pages(folder: Path) -> None:
    assert scored(str(folder), str(folder), *configured("pages=name"))["documents"] == 6
    assert scored(str(folder), str(folder))["documents"] == 18


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("scan_1", ("scan_1", None)),
        ("inv-2024-05", ("inv-2024-05", None)),
        ("scans/inv-1/page-2", ("scans/inv-1", 2)),
        ("p2", ("p2", None)),
        ("step2", ("step2", None)),
        ("inv-1 (copy)", ("inv-1 (copy)", None)),
        ("a_p0", ("a", 0)),
    ],
)
def test_numbers_at_the_end_of_names(name: str, expected: tuple[str, int | None]) -> None:
    assert page_of(name) == expected


LEAF = {"value": "9", "confidence": 0.9}


@pytest.mark.parametrize(
    ("pages", "expected"),
    [
        ([{"a": "1"}, {"a": "1"}, {"a": "2"}], {"a": ["1", "2"]}),
        ([{"a": "1"}, {"a": 1}], {"a": ["1", 1]}),
        ([{"a": ["1", "1"]}, {"a": "1"}, {"a": ["1", "3"]}], {"a": ["1", "1", "3"]}),
        ([{"a": LEAF}, {"a": {**LEAF, "confidence": 0.1}}], {"a": LEAF}),
        ([{"a": LEAF}, {"a": "9"}], {"a": LEAF}),
        ([{"a": LEAF}, {"a": {**LEAF, "value": "8"}}], {"a": [LEAF, {**LEAF, "value": "8"}]}),
        ([{"a": {**LEAF, "box": [0, 0, 1, 1], "page": 7}}], {"a": {**LEAF, "box": [0, 0, 1, 1], "page": 7}}),
        ([{"g": {"b": "1"}}, {"g": {"b": "1", "c": "2"}}], {"g": {"b": "1", "c": "2"}}),
        ([{"g": {"b": "1"}}, {"g": {"b": "2"}}], {"g": [{"b": "1"}, {"b": "2"}]}),
        ([{"g": [{"b": "1"}]}, {"g": {"b": "1"}}], {"g": [{"b": "1"}, {"b": "1"}]}),
        ([{"g": []}, {"g": [{"b": "1"}]}], {"g": [{"b": "1"}]}),
        ([{"a": None, "b": None}, {"a": "1", "b": None}], {"a": "1", "b": None}),
        ([{"a": LEAF}, {"a": {"value": None, "confidence": 0.2}}, {"a": ""}], {"a": LEAF}),
        ([{"a": {"$any_of": ["1", "2"]}}, {"a": {"$any_of": ["1", "2"]}}], {"a": {"$any_of": ["1", "2"]}}),
    ],
)
def test_values_of_several_pages(pages: list[Row], expected: Row) -> None:
    assert merged_pages(dict(enumerate(pages, 1))) == expected


def test_groups_that_are_written_otherwise_are_merged_as_groups(tmp_path: Path) -> None:
    rows = [{"id": f"a_p{number}", "items": {"1": {"n": f"{number}"}, "2": {"n": "x"}}} for number in (1, 2)]
    path = lines(tmp_path / "p.jsonl", rows)
    found = docie.read(path, config={"predictions": {"pages": "name", "records": "numbered"}})
    assert found == [{"id": "a", "document": {"items": [{"n": "1"}, {"n": "x"}, {"n": "2"}, {"n": "x"}]}}]


def test_what_is_said_of_pages(tmp_path: Path) -> None:
    total = {"value": "9", "confidence": 0.5, "box": [0, 0, 1, 1]}
    rows = [
        {"id": "a_p0", "document": {"total": total}, "meta": {"country": "DE", "source": "s0"}},
        {"id": "a_p1", "document": None, "meta": {"source": "s1"}},
        {"id": "b.5", "document": {"total": "1"}},
        {"id": "c", "document": {"total": total}},
        {"id": "d_p1", "document": "no JSON"},
    ]
    path = lines(tmp_path / "p.jsonl", rows)
    with pytest.warns(UserWarning, match="page") as caught:
        found = docie.read(path, config={"predictions": {"pages": "name"}})
    [note] = caught
    assert str(note.message) == f"{path}: missing, or no document: page 2 of 'a', page 1 of 'b', page 1 of 'd'"
    assert found == [
        {"id": "a", "document": {"total": {**total, "page": 1}}, "meta": {"source": "s0", "country": "DE"}},
        {"id": "b", "document": {"total": "1"}},
        {"id": "c", "document": {"total": total}},
        {"id": "d", "document": None},
    ]


@pytest.mark.parametrize(
    ("rows", "pages", "message"),
    [
        ([{"total": "1"}], "name", "p.jsonl:1: no id, by which --config predictions.pages=name merges pages"),
        ([{"id": "a_p1", "t": "1"}, {"id": "a-page-1", "t": "1"}], "name", "p.jsonl:2: page 1 of 'a', which p.jsonl:1 is, too"),
        ([{"id": "a", "t": "1"}, {"id": "a (1)", "t": "1"}], "name", "p.jsonl:2: page 1 of 'a', which p.jsonl:1 is, too"),
        ([{"id": "a", "t": "1"}], "page", "p.jsonl:1: expected the number of a page under 'page', which --config predictions.pages=page names, got None"),
        ([{"id": "a", "page": "two", "t": "1"}], "page", "p.jsonl:1: expected the number of a page under 'page', which --config predictions.pages=page names, got 'two'"),
        ([{"id": "a_p1", "document": ["x"]}], "name", "p.jsonl:1: pages must be documents, got ['x']"),
        ([{"id": "a_p1", "document": {"words": ["x"], "tags": ["O"]}}], "name", "p.jsonl:1: pages must be documents, got {'words': ['x'], 'tags': ['O']}"),
    ],
)  # fmt: skip
def test_pages_that_are_refused(
    rows: list[Row], pages: str, message: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    path = lines(Path("p.jsonl"), rows)
    with pytest.raises(InputError) as caught:
        docie.read(path, config={"predictions": {"pages": pages}})
    assert str(caught.value) == message
    # the same file on both sides: the references are read first
    result = run(path, path, *configured(f"pages={pages}"))
    assert (result.exit_code, result.stderr) == (2, message.replace("predictions.pages", "references.pages") + "\n")


def test_numbers_of_pages_in_tables(tmp_path: Path) -> None:
    path = tmp_path / "p.csv"
    path.write_text("id,page,total,items.1.name\na,2,,x\na,1,9,y\n")
    assert docie.read(path, config={"predictions": {"pages": "page"}}) == [
        {"id": "a", "document": {"total": "9", "items": [{"name": "y"}, {"name": "x"}]}}
    ]
