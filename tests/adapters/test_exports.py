"""Exports of annotation tools: references and predictions in one file, boxes, several annotators, broken exports."""

from __future__ import annotations

import random
import re
from typing import Any

import pytest

from docie import kieval
from docie.adapters import exports
from docie.documents.document import parse_document
from docie.inputs.openers import read_row

from mutations import Mutator
from sizes import times


def region(name: str, label: str, value: str, x: float = 50.0, **more: Any) -> list[dict[str, Any]]:
    box = {"x": x, "y": 0.0, "width": 25.0, "height": 50.0, "rotation": 0}
    common = {"id": name, "to_name": "image", "original_width": 200, "original_height": 100, **more}
    return [
        {**common, "from_name": "label", "type": "rectanglelabels", "value": {**box, "rectanglelabels": [label]}},
        {**common, "from_name": "text", "type": "textarea", "value": {**box, "text": [value]}},
    ]


def task(*results: dict[str, Any], **more: Any) -> dict[str, Any]:
    annotation = {"id": 7, "was_cancelled": False, "ground_truth": False, "result": [*results], "completed_by": 1}
    return {"id": 1, "data": {"image": "1.png"}, "annotations": [annotation], **more}


def leaf(value: object, x: float = 0.5, confidence: float | None = None) -> dict[str, Any]:
    return {"value": value, "confidence": confidence, "box": [x, 0.0, x + 0.25, 0.5]}


def test_one_file_is_references_and_predictions() -> None:
    predictions = [{"result": region("p", "total", "7.80", score=0.75), "score": 0.5}, {"result": []}]
    [row] = exports.label_studio([task(*region("r", "total", "7.50"), predictions=predictions)])
    assert row == {
        "id": 1, "reference": {"total": leaf("7.50")}, "prediction": {"total": leaf("7.80", confidence=0.75)},
        "meta": {"image": "1.png", "annotators": 1},
    }  # fmt: skip
    assert kieval.score(kieval.count(row["prediction"], row["reference"]))["entity_f1"] == 0
    assert read_row({key: row[key] for key in ("id", "reference", "meta")}, "reference") == row["reference"]


def test_several_annotators_and_cancelled_annotations() -> None:
    annotations: list[dict[str, Any]] = [
        {"was_cancelled": user == 1, "ground_truth": user == 3, "completed_by": user, "result": region("r", "total", str(user))}
        for user in (1, 2, 3, 4)
    ]  # fmt: skip
    [row] = exports.label_studio([task(annotations=annotations)])
    assert row["reference"]["total"]["value"] == "3"
    assert row["meta"]["annotators"] == 3
    [row] = exports.label_studio([task(annotations=annotations)], annotator=4)
    assert row["reference"]["total"]["value"] == "4"
    annotations[1]["completed_by"] = {"id": 2, "email": "a@example.org"}
    [row] = exports.label_studio([task(annotations=annotations)], annotator=2)
    assert row["reference"]["total"]["value"] == "2"
    assert [*exports.label_studio([task(annotations=annotations[:1])])] == []


@pytest.mark.parametrize(
    ("rotation", "box"),
    [
        (0, [0.5, 0.0, 0.75, 0.5]),
        (90, [0.25, 0.0, 0.5, 0.5]),
        (180, [0.25, -0.5, 0.5, 0.0]),
        (360, [0.5, 0.0, 0.75, 0.5]),
    ],
)
def test_a_rotated_box_turns_about_its_top_left_corner(rotation: float, box: list[float]) -> None:
    """In pixels: 50 wide and 50 high."""
    results = region("r", "total", "7.50")
    results[0]["value"]["rotation"] = rotation
    [row] = exports.label_studio([task(*results)])
    assert row["reference"]["total"]["box"] == pytest.approx(box)


def test_pages_polygons_choices_and_regions_without_a_text() -> None:
    results: list[dict[str, Any]] = [
        {"id": "p", "type": "polygonlabels", "item_index": 2, "value": {"points": [[10, 20], [30, 20], [20, 40]], "polygonlabels": ["total"]}},
        {"id": "p", "type": "textarea", "item_index": 2, "value": {"text": ["7.50", "USD"]}},
        {"id": "c", "type": "choices", "from_name": "kind", "value": {"choices": ["receipt"]}},
        {"type": "number", "from_name": "pages", "value": {"number": 0}},
        region("b", "stamp", "")[0],
    ]  # fmt: skip
    [row] = exports.label_studio([task(*results)])
    place = {"confidence": None, "box": [0.1, 0.2, 0.3, 0.4], "page": 3}
    assert row["reference"] == {
        "total": [{"value": "7.50", **place}, {"value": "USD", **place}],
        "kind": {"value": "receipt", "confidence": None}, "pages": {"value": 0, "confidence": None},
    }  # fmt: skip
    assert row["meta"]["reference_without_text"] == 1


def test_spans_that_carry_only_offsets() -> None:
    span = {"id": "s", "type": "labels", "to_name": "text", "value": {"start": 6, "end": 10, "labels": ["amount"]}}
    data = {"text": "Bagel 3.00" + 300 * " ", "vendor": "ACME"}
    [row] = exports.label_studio([task(span, data=data)])
    assert row["reference"] == {"amount": {"value": "3.00", "confidence": None}}
    assert row["meta"] == {"vendor": "ACME", "annotators": 1}


def test_relations_make_groups() -> None:
    results: list[dict[str, Any]] = [
        *region("a", "name", "Bagel"), *region("b", "amount", "3.00"), *region("c", "name", "Latte"), *region("d", "amount", "4.50"),
        *region("e", "total", "7.50"), *({"type": "relation", "from_id": one, "to_id": two, "direction": "right"} for one, two in ("ab", "dc")),
    ]  # fmt: skip
    [row] = exports.label_studio([task(*results)], group="items")
    items = [{"name": leaf("Bagel"), "amount": leaf("3.00")}, {"name": leaf("Latte"), "amount": leaf("4.50")}]
    assert row["reference"] == {"total": leaf("7.50"), "items": items}
    [row] = exports.label_studio([task(*results)])
    assert row["reference"]["name"] == [leaf("Bagel"), leaf("Latte")]


def test_doccano_with_relations() -> None:
    entities = [{"id": n, "label": label, "start_offset": start, "end_offset": end} for n, (label, start, end) in enumerate(
        [("name", 0, 5), ("amount", 6, 10), ("total", 6, 10)])]  # fmt: skip
    relations = [{"id": 1, "from_id": 0, "to_id": 1, "type": "of"}]
    line = {
        "id": 4,
        "text": "Bagel 3.00",
        "entities": entities,
        "relations": relations,
        "Comments": [],
        "vendor": "ACME",
    }
    rows = [*exports.doccano([line], group="items")]
    reference = {"total": "3.00", "items": [{"name": "Bagel", "amount": "3.00"}]}
    assert rows == [{"id": 4, "reference": reference, "meta": {"vendor": "ACME"}}]


def test_argilla() -> None:
    record = {
        "id": "a", "fields": {"text": "Bagel 3.00"}, "metadata": {"vendor": "ACME"},
        "suggestions": {"spans": {"value": [{"start": 0, "end": 5, "label": "name"}, {"start": 6, "end": 10, "label": "amount"}], "score": [0.5, 0.75]}},
        "responses": {"spans": [{"value": [{"start": 6, "end": 10, "label": "amount"}], "user_id": "u1"}, {"value": [{"start": 0, "end": 5, "label": "amount"}], "user_id": "u2"}],
                      "kind": [{"value": "receipt", "user_id": "u1"}]},
    }  # fmt: skip
    [row] = exports.argilla([record])
    assert row == {
        "id": "a", "reference": {"amount": "3.00", "kind": "receipt"}, "meta": {"vendor": "ACME"},
        "prediction": {"name": {"value": "Bagel", "confidence": 0.5}, "amount": {"value": "3.00", "confidence": 0.75}},
    }  # fmt: skip
    [row] = exports.argilla([record], annotator="u2")
    assert row["reference"] == {"amount": "Bagel"}
    with pytest.raises(ValueError, match=r"^Argilla record 'a': expected one field, got \['text', 'page'\]; name that"):
        [*exports.argilla([{**record, "fields": {"text": "Bagel 3.00", "page": "x"}}])]


@pytest.mark.parametrize(
    ("read", "record", "problem"),
    [
        (exports.label_studio, {"id": 3, "image": "1.png"}, "Label Studio record 3: field 'data' must be an object, got null"),
        (exports.label_studio, task({"id": "r", "type": "labels", "value": 7}), "Label Studio record 1: reference: result 0: field 'value' must be an object, got a number"),
        (exports.label_studio, task({"id": "r", "type": "labels", "value": {"x": "a", "labels": ["a"], "text": "b"}}), "Label Studio record 1: reference: region 'r': field 'x' must be a number, got text"),
        (exports.doccano, {"id": 1, "text": "abc", "label": [[0, 9, "x"]]}, "doccano record 1: a span must lie in the text of 3 characters, got 0 to 9"),
        (exports.doccano, {"id": 1, "text": "abc", "label": [[0, 9]]}, "doccano record 1: a span must be its start, its end and its label, got [0, 9]"),
        (exports.argilla, {"id": 1, "fields": []}, "Argilla record 1: field 'fields' must be an object, got a list"),
    ],
)  # fmt: skip
def test_what_is_malformed_is_named(read: Any, record: Any, problem: str) -> None:
    with pytest.raises(ValueError, match="^Label Studio|^doccano|^Argilla") as raised:
        [*read([record])]
    assert str(raised.value) == problem


EXPORTS: list[tuple[Any, Any]] = [
    (exports.label_studio, [task(*region("r", "total", "7.50"), {"type": "relation", "from_id": "r", "to_id": "r"},
                                 {"id": "s", "type": "labels", "to_name": "image", "value": {"start": 0, "end": 2, "labels": ["x"]}},
                                 {"id": "p", "type": "polygonlabels", "value": {"points": [[1, 2]], "polygonlabels": ["p"], "text": "t"}},
                                 predictions=[{"result": region("p", "total", "7.80", score=0.75)}])]),
    (exports.doccano, [{"id": 1, "text": "abc", "label": [[0, 2, "x"]]},
                       {"id": 2, "text": "abc", "entities": [{"id": 1, "label": "x", "start_offset": 0, "end_offset": 2}],
                        "relations": [{"from_id": 1, "to_id": 1}]}]),
    (exports.argilla, [{"id": "a", "fields": {"text": "abc"}, "metadata": {"v": 1},
                        "suggestions": {"s": {"value": [{"start": 0, "end": 1, "label": "x"}], "score": [0.5]}},
                        "responses": {"s": [{"value": [{"start": 0, "end": 1, "label": "x"}], "user_id": "u"}]}}]),
]  # fmt: skip
NAMED = re.compile(r"(Label Studio|doccano|Argilla) record[: ]")
ODD: list[Any] = [
    None,
    7,
    -1,
    0.5,
    float("nan"),
    float("inf"),
    10**400,
    True,
    "",
    "x",
    [],
    {},
    [[]],
    [{}],
    {"x": 1},
    ["a", 7],
]


@pytest.mark.parametrize(("read", "export"), EXPORTS, ids=["label_studio", "doccano", "argilla"])
@times(60_000, 2000)
def test_broken_exports_are_rows_or_errors_that_name_the_record(read: Any, export: Any, times: int) -> None:
    mutator = Mutator([""], random.Random(7), [*"xv"])
    options: dict[str, Any] = {} if read is exports.argilla else {"group": "items"}
    messages = set()
    for _ in range(times):
        for record in mutator.value(export, [[]]) or [None]:
            broken = mutator.value(record, ODD)
            try:
                rows = [*read([broken], **options)]
            except ValueError as error:
                messages.add(str(error))
                continue
            for row in rows:
                for side in {"reference", "prediction"} & row.keys():
                    parse_document(row[side], side)
    assert messages
    assert {message for message in messages if not NAMED.match(message)} == set()
