"""What `docie check` and `docie score` say of where documents and values stand."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import docie
from docie import corpus, kieval
from docie.adapters import exports
from docie.core.leaf_keys import leaf_keys
from docie.documents.leaf_objects import with_leaves
from docie.documents.renaming import renamed
from docie.inputs.config import reading_of

from cli_runs import lines, run_command

ROWS: list[dict[str, Any]] = [
    {
        "vendor": f"Cafe {number}",
        "total": f"{number}1.{number}5",
        "items": [
            {"name": f"Latte {number} {place}", "price": f"{place}.{number}5"} for place in range(1 + number % 3)
        ],
    }
    for number in range(1, 9)
]
REFERENCES: list[dict[str, Any]] = [{"id": f"r-{number}", "document": row} for number, row in enumerate(ROWS)]
Document = dict[str, Any]


def each_value(value: Any, change: Callable[[str], Any]) -> Any:
    if isinstance(value, dict):
        return {key: each_value(child, change) for key, child in value.items()}
    return [each_value(child, change) for child in value] if isinstance(value, list) else change(value)


def prefixed(value: Any) -> Any:
    if isinstance(value, dict):
        return {f"doc.{key}": prefixed(child) for key, child in value.items()}
    return [prefixed(child) for child in value] if isinstance(value, list) else value


def service(row: Document) -> Document:
    document = {"docType": "invoice", "confidence": 0.9, "fields": row}
    return {"status": "ok", "result": {"modelId": "m-1", "pages": [{}], "documents": [document]}}


PLACES: dict[str, tuple[Callable[[Document, int], Document], str]] = {
    "JSON in prose": (lambda row, _: {"answer": f"Here is the data: {json.dumps(row)} Bye."}, "answer"),
    "JSON in tags": (lambda row, _: {"raw": f"<answer>{json.dumps(row)}</answer>"}, "raw"),
    "a list of one in a wrapper": (lambda row, _: {"document": [row]}, "document.0"),
    "what only looks like a service": (lambda row, _: service(row), "result.documents.0.fields"),
    "a key of its type": (lambda row, n: {"prediction": {("bill", "receipt")[n % 2]: row}}, "prediction.*"),
    "a key of its type beside the id": (lambda row, n: {("bill", "receipt")[n % 2]: row}, "*"),
}


@pytest.mark.parametrize("case", PLACES)
def test_documents_at_a_place(case: str) -> None:
    write, place = PLACES[case]
    predictions = [{"id": f"r-{number}", **write(row, number)} for number, row in enumerate(ROWS)]
    findings = docie.check(references=REFERENCES, predictions=predictions)
    assert [(each.kind, each.config, each.after) for each in findings] == [
        ("unwrap", {"predictions.unwrap": place}, 1.0)
    ]


def test_references_of_an_annotation_tool_that_holds_documents() -> None:
    written = [
        {"id": row["id"], "data": {"image": "1.png"}, "annotations": [{"result": [{"value": row["document"]}]}]}
        for row in REFERENCES
    ]
    assert exports.detect(written[0]) is None
    [found] = docie.check(
        references=written, predictions=[{"id": row["id"], "prediction": row["document"]} for row in REFERENCES]
    )
    assert (found.config, found.after) == ({"references.unwrap": "annotations.0.result.0.value"}, 1.0)


def test_ids_of_rows_whose_documents_stand_deeper() -> None:
    predictions = [{"document": {"doc_ref": row["id"], **row["document"]}} for row in REFERENCES[::-1]]
    findings = docie.check(
        references=[{"name": row["id"], "document": row["document"]} for row in REFERENCES], predictions=predictions
    )
    assert findings.config["references"] == {"id": "name"}
    assert findings.findings[-1].after == 1
    assert findings.config["predictions"]["id"] == "document.doc_ref"


def test_a_file_of_documents_by_their_ids_has_keys_and_no_files(tmp_path: Path) -> None:
    by_id = {row["id"]: row["document"] for row in REFERENCES}
    files = [lines(tmp_path / "r.jsonl", REFERENCES), lines(tmp_path / "p.jsonl", [by_id])]
    told = run_command("check", *files, "--config", "predictions.unwrap=*", "--format", "json").stdout
    assert json.loads(told)["predictions"]["ids"] == "*"


OBJECTS: dict[str, tuple[Callable[[str], Any], Document]] = {
    "two spellings": (
        lambda text: {"raw": text, "normalized": text.upper()},
        {"value": "raw", "ignore": ["normalized"]},
    ),
    "a list with a confidence": (lambda text: [text, 0.98], {"value": "0", "confidence": "1"}),
    "a list with a box": (lambda text: [[1, 2, 3, 4], text], {"value": "1", "box": "0"}),
}


@pytest.mark.parametrize("case", OBJECTS)
def test_objects_and_lists_in_place_of_values(case: str) -> None:
    write, keys = OBJECTS[case]
    predictions = [each_value(row, write) for row in ROWS]
    [found] = docie.check(references=ROWS, predictions=predictions)
    assert (found.kind, found.config, found.after) == ("leaf", {"predictions.leaf": [keys]}, 1.0)
    assert (found.before or 0) < 0.9


def test_lists_that_stand_for_values_have_their_confidences() -> None:
    keys = leaf_keys({"value": "0", "confidence": "1"})
    read = with_leaves({"total": ["9.15", 0.98], "names": ["Latte", "Mocha"], "days": ["2", "3", "4"]}, keys)
    assert read == {
        "total": {"value": "9.15", "confidence": 0.98},
        "names": ["Latte", "Mocha"],
        "days": ["2", "3", "4"],
    }


def test_objects_with_other_keys_on_both_sides() -> None:
    predictions = [each_value(row, lambda text: {"content": text, "score": 0.9}) for row in ROWS]
    references = [each_value(row, lambda text: {"text": text, "prob": 1.0}) for row in ROWS]
    [found] = docie.check(references=references, predictions=predictions)
    assert found.config == {
        "predictions.leaf": [{"value": "content", "confidence": "score"}],
        "references.leaf": [{"value": "text", "confidence": "prob"}],
    }
    assert found.after == 1
    assert [*docie.check(references=ROWS, predictions=ROWS)] == []


GROUPS: dict[str, tuple[Callable[[list[Document]], Any], str]] = {
    "each in fields": (lambda records: [{"fields": each} for each in records], "items.fields"),
    "a typed list": (
        lambda records: {"kind": "array", "valueArray": [{"valueObject": each} for each in records]},
        "items.valueArray.valueObject",
    ),
}


@pytest.mark.parametrize("case", GROUPS)
def test_line_items_in_an_object_of_their_own(case: str) -> None:
    write, name = GROUPS[case]
    findings = docie.check(references=ROWS, predictions=[{**row, "items": write(row["items"])} for row in ROWS])
    assert findings.findings[0].config == {"predictions.rename": {name: "items"}}
    assert corpus.evaluate(
        kieval, [{**row, "items": write(row["items"])} for row in ROWS], ROWS, config=findings.proposed
    )["entity_f1"] == pytest.approx(1)


def test_names_with_a_dotted_prefix_keep_their_rows() -> None:
    findings = docie.check(references=ROWS, predictions=[prefixed(row) for row in ROWS])
    assert [(each.kind, each.after) for each in findings] == [("rename", 1.0)]


def test_what_goes_further_out_stays_in_its_row() -> None:
    items = [{"fields": {"name": "Latte", "price": "3.00"}}, {"fields": {"name": "Mocha"}}]
    assert renamed({"items": items}, {"items.fields": "items"}) == {
        "items": [{"name": "Latte", "price": "3.00"}, {"name": "Mocha"}]
    }
    rows = [{"line.name": "Latte", "line.price": "3.00"}, {"line.name": "Mocha"}]
    assert renamed({"doc.items": rows}, {"doc.items.line": "items"}) == {
        "items": [{"name": "Latte", "price": "3.00"}, {"name": "Mocha"}]
    }


PAIRS: dict[str, Callable[[str, str], Any]] = {
    "lists of two": lambda name, value: [name, value],
    "a label and a transcription": lambda name, value: {"label": name, "transcription": value, "links": []},
}


@pytest.mark.parametrize("case", PAIRS)
def test_pairs_of_names_and_values(case: str) -> None:
    predictions = [
        {"fields": [PAIRS[case](name, row[name]) for name in ("vendor", "total")], "items": row["items"]}
        for row in ROWS
    ]
    [found] = docie.check(references=ROWS, predictions=predictions)
    assert (found.kind, found.after) == ("records", 1.0)
    assert found.config["predictions.records"] == ["pairs"]


def test_kinds_of_objects_replace_one_another() -> None:
    entries = ['predictions.leaf={value="content", confidence="score"}', 'predictions.leaf={value="v"}']
    assert [str(each) for each in reading_of(entries).predictions.leaf] == ["value=v"]


def test_a_second_finding_of_the_same_list_asks_for_the_first_too() -> None:
    predictions = [
        {**each_value(row, lambda text: {"content": text, "score": 0.9}), "paid": "5.00", "paid_conf": 0.5}
        for row in ROWS
    ]
    findings = docie.check(references=[{**row, "paid": "5.00"} for row in ROWS], predictions=predictions)
    first, second = (each for each in findings if "predictions.leaf" in each.config)
    assert second.config["predictions.leaf"][:1] == first.config["predictions.leaf"]
    assert second.after == 1
    asked = [entry for entry in second.options if entry != "--config"]
    assert reading_of(asked).predictions.leaf == reading_of(findings.config).predictions.leaf


def said(tmp_path: Path, predictions: list[Any]) -> str:
    files = [lines(tmp_path / "r.jsonl", REFERENCES), lines(tmp_path / "p.jsonl", predictions)]
    return str(run_command("score", *files, "--metric", "kieval").stderr)


def test_a_score_near_0_is_never_silent(tmp_path: Path) -> None:
    wrong = [{**row, "document": each_value(row["document"], lambda text: f"~{text}~")} for row in REFERENCES]
    told = said(tmp_path, wrong)
    assert "nearly all values are wrong, " in told
    assert "such as '~" in told
    assert "; docie check searches for the reason" in told
    assert "nearly all values are wrong" not in said(tmp_path, REFERENCES)
    half = [*REFERENCES[:5], *wrong[5:]]
    assert "nearly all values are wrong" not in said(tmp_path, half)


def test_predictions_that_are_lists_are_told_with_the_way_on(tmp_path: Path) -> None:
    told = said(tmp_path, [{**row, "document": [row["document"]]} for row in REFERENCES])
    assert "8 of 8 predictions could not be read, and count as empty (one is a list); docie check searches" in told
