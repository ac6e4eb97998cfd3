"""Inputs as people have them: each gives the right figure, or one line that says what was not understood.

The entity F1 of the two receipts is 0.75: three of four values are right. A case whose input is sound has no message.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from configured import configured

import docie
from docie.core.normalizers import NORMALIZERS
from docie.inputs.join import Join
from docie.inputs.row import Row
from docie.inputs.sources.lines import Lines

from cli_runs import run

REFERENCES: list[Any] = [{"total": "12.00", "items": [{"name": "Latte", "price": "4.50"}]}, {"total": "7.50"}]
PREDICTIONS: list[Any] = [REFERENCES[0], {"total": "7.00"}]
F1 = 0.75

NO_TYPE_IN_COMMON = "warning: predictions and references have no entity type in common. Most frequent in predictions: "
SEARCHES = "; docie check searches for the reason"
BY_ORDER = "warning: only r.jsonl has ids (the key 'id', which is not scored), so rows are joined by order"
SCORED_ID = "warning: the key 'id' is equal on both sides of every document and is scored as an entity type: leave it out if it only numbers the rows"  # fmt: skip
MOVED = "warning: the values of {!r} are the same on both sides, but in another order: if this is the id of the documents, sort both sides by it, or set references.id and predictions.id to it"  # fmt: skip
BESIDE = "warning: {!r} holds an object beside other keys, so the whole row is read as the document; a wrapper has no other keys than id, meta, document, prediction, reference, ground_truth and gt_parse"  # fmt: skip
MISSING = "; --config join.missing=empty scores a missing prediction as an empty document"
NO_FIELD = "; if 'id' is a field of the documents, join them by order with --config 'references.id=\"\"' --config 'predictions.id=\"\"'"
RIGHT_FORM = (
    'A value with a confidence is {"value": ..., "confidence": ...}; it may have box and page too, and no other keys'
)
NEAR_LEAF = (
    "warning: 'total' is a value in some places, and an object with the keys {} in others, which is a group. "
    + (RIGHT_FORM.replace("{", "{{").replace("}", "}}"))
)


class Case(NamedTuple):
    """The files of a run, and what it gives.

    Attributes:
        files: from the name of a file to its content: bytes, text, a list of rows (JSON Lines), or None for a folder.
        arguments: the arguments; r.jsonl and p.jsonl by default.
        figure: entity F1 to four digits, or another figure and its value; None if nothing is scored.
        messages: the lines on stderr.
        joined_by: how the line under the table says that rows were joined.
    """

    files: dict[str, Any]
    arguments: list[str] = ["r.jsonl", "p.jsonl"]  # noqa: RUF012
    figure: float | tuple[str, float] | None = F1
    messages: tuple[str, ...] = ()
    joined_by: str = "order"


def both(references: Any = REFERENCES, predictions: Any = PREDICTIONS) -> dict[str, Any]:
    return {"r.jsonl": references, "p.jsonl": predictions}


def wrapped(name: str, documents: list[Any], **more: Any) -> list[Any]:
    return [{"id": f"a{number}", name: document, **more} for number, document in enumerate(documents)]


def with_id(documents: list[Any], key: str = "id") -> list[Any]:
    return [{key: f"a{number}", **document} for number, document in enumerate(documents)]


def texts(documents: list[Any]) -> list[str]:
    return [json.dumps(document) for document in documents]


def with_options(*options: str) -> list[str]:
    return ["r.jsonl", "p.jsonl", *options]


def refused(message: str, files: dict[str, Any] | None = None, *options: str) -> Case:
    return Case(files or both(), with_options(*options), None, (message,))


ANSWERS = {"modelId": "prebuilt", "documents": [{"fields": {"Total": {"content": "12.00"}}}]}
TWO_SIDES = [{**reference, **prediction} for reference, prediction in zip(wrapped("reference", REFERENCES), wrapped("prediction", PREDICTIONS), strict=True)]  # fmt: skip

CASES = {
    # forms of files
    "JSON Lines": Case(both()),
    "a list": Case({"r.json": json.dumps(REFERENCES), "p.json": json.dumps(PREDICTIONS)}, ["r.json", "p.json"]),
    "a pretty list": Case({"r.json": json.dumps(REFERENCES, indent=2), "p.jsonl": PREDICTIONS}, ["r.json", "p.jsonl"]),
    "a byte order mark": Case(both("\ufeff" + "\n".join(texts(REFERENCES)))),
    "Windows line ends": Case(both("\r\n".join(texts(REFERENCES)))),
    "blank lines": Case(both("\n\n".join(texts(REFERENCES)) + "\n\n")),
    "standard input": Case({"r.jsonl": REFERENCES}, ["r.jsonl", "-"]),
    "folders": Case(
        {**{f"r/{n}.json": json.dumps(d) for n, d in enumerate(REFERENCES)}, **{f"p/{n}.json": json.dumps(d) for n, d in enumerate(PREDICTIONS)}},
        ["r", "p"], joined_by="id",
    ),
    "a folder and rows with ids": Case(
        {"r/a0.json": json.dumps(REFERENCES[0]), "r/a1.json": json.dumps(REFERENCES[1]), "p.jsonl": with_id(PREDICTIONS)[::-1]},
        ["r", "p.jsonl"], joined_by="id",
    ),
    "a file name in capitals": Case(
        {"r/a.json": json.dumps(REFERENCES[0]), "r/B.JSON": json.dumps(REFERENCES[1]), "p/a.json": json.dumps(PREDICTIONS[0]), "p/B.JSON": json.dumps(PREDICTIONS[1])},
        ["r", "p"], joined_by="id",
    ),
    "a folder with other things": Case(
        {"r/a.json": json.dumps(REFERENCES[0]), "r/c.jsonl": "{}", "r/sub": None, "r/lost.json": "-> nowhere", "p/a.json": json.dumps(REFERENCES[0])},
        ["r", "p"], 1.0, ("warning: r: not read: c.jsonl, lost.json (a link to nothing), sub (a folder)",), "id",
    ),
    "a folder without documents": Case(
        {"r/c.csv": "{}", "p.jsonl": PREDICTIONS}, ["r", "p.jsonl"], None,
        ("r: no .json files in this folder, nor files of tagged words (.bio, .iob, .conll, .txt, .tsv); it holds c.csv",),
    ),
    "no such file": Case({"p.jsonl": PREDICTIONS}, ["r.jsonl", "p.jsonl"], None, ("r.jsonl: No such file or directory",)),
    "no documents": refused("r.jsonl: no documents", both("", "")),
    "no JSON": refused("p.jsonl:2: not a JSON object (Expecting value: column 1)", both(predictions='{"total": "12.00"}\nsorry\n')),
    "a table in CSV": Case(
        {"r.csv": "total,items.1.name,items.1.price\n12.00,Latte,4.50\n7.50,,\n", "p.jsonl": PREDICTIONS}, ["r.csv", "p.jsonl"],
    ),
    "a line cut short": refused("p.jsonl:1: not a JSON object (Expecting ',' delimiter: column 17)", both(predictions='{"total": "1.00"\n')),
    "no UTF-8": refused("r.jsonl:1: not UTF-8 text (byte 11)", both(b'{"total": "\xff"}\n')),
    "too few predictions": refused("expected as many predictions as references, got 1 and 2", both(predictions=PREDICTIONS[:1])),
    "a key that stands twice": Case(
        both(predictions='{"total": "1", "total": "12.00", "items": [{"name": "Latte", "price": "4.50"}]}\n{"total": "7.00"}\n'),
        messages=("warning: p.jsonl:1: the key 'total' stands twice in an object; the last one is read",),
    ),
    # rows and ids
    "wrappers in another order": Case(both(wrapped("reference", REFERENCES), wrapped("prediction", PREDICTIONS)[::-1]), joined_by="id"),
    "wrappers of JSON text": Case(both(wrapped("reference", texts(REFERENCES)), wrapped("prediction", texts(PREDICTIONS))), joined_by="id"),
    "wrappers with other facts": Case(both(wrapped("document", REFERENCES, meta={"scan": 2}), wrapped("prediction", PREDICTIONS)), joined_by="id"),
    "a wrapper without an id": Case(both([{"document": document} for document in REFERENCES])),
    "records of Donut": Case(both([{"ground_truth": json.dumps({"gt_parse": document, "meta": {}})} for document in REFERENCES])),
    "both sides in a row": Case({"r.jsonl": TWO_SIDES}, ["r.jsonl", "r.jsonl"], joined_by="id"),
    "an id among the fields": Case(both(with_id(REFERENCES), with_id(PREDICTIONS)[::-1]), joined_by="id"),
    "an id of one side": Case(both(with_id(REFERENCES)), messages=(BY_ORDER,)),
    "an id under another name": Case(
        both(with_id(REFERENCES, "page"), with_id(PREDICTIONS, "page")[::-1]), with_options(*configured("id=page")), joined_by="id",
    ),
    "wrappers with an id under another name": Case(
        both([{"page": 1, "reference": REFERENCES[0]}], [{"page": "1", "prediction": REFERENCES[0]}]), with_options(*configured("id=page")), 1.0, joined_by="id",
    ),
    "an id that is a field": Case(both(with_id(REFERENCES), with_id(PREDICTIONS)), with_options(*configured('id=""')), 0.8333, (SCORED_ID,)),
    "ids that are a field, in another order": Case(
        both(with_id(REFERENCES), with_id(PREDICTIONS)[::-1]), with_options(*configured('id=""')), 0.0, (MOVED.format("id"),),
    ),
    "an id of a number and of a text": Case(both([{"id": 1, "reference": REFERENCES[0]}], [{"id": "1", "prediction": REFERENCES[0]}]), figure=1.0, joined_by="id"),
    "a group named id": Case(both([{"id": {"number": "1"}}], [{"id": {"number": "1"}}]), figure=1.0),
    "an id of nobody": refused(f"id 'a1' is in the references but not in the predictions{MISSING}", both(with_id(REFERENCES), with_id(PREDICTIONS[:1]))),
    "two ids of nobody": refused(f"ids 'a0' and 1 more are in the references but not in the predictions{MISSING}", both(with_id([*REFERENCES, {}]), [{"id": "a2", **REFERENCES[0]}])),
    "a missing id, scored as empty": Case(both(with_id(REFERENCES), with_id(PREDICTIONS[:1])), with_options("--config", "join.missing=empty"), 0.8571, ("warning: 1 reference without a prediction, scored against nothing",), "id"),
    "an id that is extra": refused("id 'a2' is in the predictions but not in the references; --config join.extra=drop leaves this prediction out", both(with_id(REFERENCES), with_id([*PREDICTIONS, {}]))),
    "ids that are extra": refused("ids 'a2' and 1 more are in the predictions but not in the references; --config join.extra=drop leaves these predictions out", both(with_id(REFERENCES), with_id([*PREDICTIONS, {}, {}])), "--config", "join.missing=empty"),
    "ids of nobody on both sides": refused(
        f"id 'a1' is in the references but not in the predictions, and id 'b1' is in the predictions but not in the references{NO_FIELD}",
        both(with_id(REFERENCES), [*with_id(PREDICTIONS[:1]), {"id": "b1", **PREDICTIONS[1]}])),
    "more ids of nobody on one side": refused(
        "id 'a1' is in the references but not in the predictions, and ids 'b1' and 1 more are in the predictions but not in the references",
        both(with_id(REFERENCES), [*with_id(PREDICTIONS[:1]), {"id": "b1"} | PREDICTIONS[1], {"id": "b2"} | PREDICTIONS[1]])),
    "an id that stands twice": refused(f"p.jsonl:2: id 'a0' stands twice, first at p.jsonl:1{NO_FIELD}; if they are answers of several runs, --config predictions.run=order reads them", both(with_id(REFERENCES), with_id(PREDICTIONS[:1]) * 2)),
    "an id in some rows": refused(f"p.jsonl:2: no id, but the first row has one{NO_FIELD}", both(with_id(REFERENCES), [*with_id(PREDICTIONS[:1]), PREDICTIONS[1]])),
    "ids and nothing else": refused(f"p.jsonl:1: an id, but no document{NO_FIELD}", both(wrapped("reference", REFERENCES), [{"id": "a0"}, {"id": "a1"}])),
    "a document without values": Case(both(with_id(REFERENCES), [*with_id(PREDICTIONS[:1]), {"id": "a1"}]), figure=0.8571, joined_by="id"),
    "missing predictions": Case(
        both(with_id(REFERENCES), with_id(PREDICTIONS[:1])), with_options("--config", "join.missing=empty"), 0.8571,
        ("warning: 1 reference without a prediction, scored against nothing",), "id",
    ),
    "missing predictions without ids": refused(
        "expected as many predictions as references, got 1 and 2; --config join.missing=empty needs rows with ids, to know which ones are missing",
        both(predictions=PREDICTIONS[:1]), "--config", "join.missing=empty",
    ),
    "a prediction that is no JSON": Case(both(wrapped("reference", REFERENCES), wrapped("prediction", [REFERENCES[0], "Sorry!"])), figure=0.8571, joined_by="id, invalid predictions: 1"),
    "a prediction that is null": Case(both(predictions=[REFERENCES[0], None]), figure=0.8571, joined_by="order, invalid predictions: 1"),
    "a reference that is no JSON": refused("r.jsonl:1: reference must be a JSON object, got text; --metric anls_star scores texts, numbers and lists", both([{"reference": "INV-1"}], [{"reference": "INV-1"}])),
    "a field named reference": Case(
        both([{"reference": "INV-1", "total": "2.00"}], [{"reference": "INV-1"}]), figure=0.6667,
    ),
    "a wrapper with a key too many": Case(
        both([{"id": "a", "reference": REFERENCES[0], "cost": 2}], [{"id": "a", "reference": REFERENCES[0], "cost": 2}]), figure=1.0, joined_by="id",
        messages=(BESIDE.format("reference"),),
    ),
    "ids of one side, in wrappers": Case(both(wrapped("reference", REFERENCES)), messages=("warning: only r.jsonl has ids, so rows are joined by order",)),
    "a folder and rows without ids": Case(
        {"r/1.json": json.dumps(REFERENCES[0]), "r/2.json": json.dumps(REFERENCES[1]), "p.jsonl": PREDICTIONS}, ["r", "p.jsonl"],
        messages=("warning: only r has ids, so rows are joined by order",),
    ),
    "ids of one side, and rows of another number": refused(
        "expected as many predictions as references, got 1 and 2; only r.jsonl has ids, so rows are joined by order; docie check finds ids under other keys",
        both(wrapped("reference", REFERENCES), PREDICTIONS[:1]),
    ),
    "an id key that no row has": refused("r.jsonl:1: no key 'pge', which references.id names", None, *configured("id=pge")),
    "ids that tables write": Case(both([{"id": 1.0, **REFERENCES[0]}, {"id": 2.0, **REFERENCES[1]}], [{"id": 2, **PREDICTIONS[1]}, {"id": 1, **PREDICTIONS[0]}]), joined_by="id"),
    "ids under a name that nobody told": Case(
        both(with_id(REFERENCES * 2, "page"), with_id(REFERENCES * 2, "page")[::-1]), figure=0.0, messages=(MOVED.format("page"),)),
    "swapped files": refused(
        "r.jsonl:1: the prediction holds a 'reference', and the reference a 'prediction': they are swapped",
        both(wrapped("prediction", PREDICTIONS), wrapped("reference", REFERENCES))),
    "wrappers with other keys": Case(
        both([{"file": "a", "label": REFERENCES[0]}], [{"file": "a", "pred": REFERENCES[0]}]), figure=0.25,
        messages=("warning: in predictions, 3 of 4 values are of types that no reference has: 'pred.items.name', 'pred.items.price', 'pred.total'; in references, 3 of 4 are of types that no prediction has: 'label.items.name', 'label.items.price', 'label.total'; docie check searches for the reason",)),
    "a document whose only field is named document": Case(both([{"document": {"number": "1"}, "total": "2"}], [{"document": {"number": "1"}}]), figure=0.0,
        messages=("warning: predictions and references have no entity type in common. Most frequent in predictions: 'number'; in references: 'document.number', 'total'; docie check searches for the reason",)),
    "a field that holds a list": Case(both([{"document": ["A", "B"], "total": "2"}], [{"document": ["A", "B"]}]), figure=0.0, joined_by="order, invalid predictions: 1",
        messages=("warning: 1 of 1 predictions could not be read, and count as empty (one is a list); docie check searches for the reason",)),
    "a scored leaf in a field named document": Case(both([{"document": "A", "total": "2"}], [{"document": {"value": "A", "confidence": 0.9}}]), figure=0.6667),
    "wrappers and documents on one side": Case(
        both([{"document": {"total": "1"}}, {"total": "2"}], [{"total": "1"}, {"total": "2"}]), figure=1.0,
        messages=("warning: some references are wrappers, such as {'document': ...}, and others are documents; write all alike",)),
    # documents of another shape
    "no prediction that is JSON": Case(
        both(predictions=wrapped("prediction", ["Sorry!", "Sorry!"])), figure=0.0, joined_by="order, invalid predictions: 2",
        messages=("warning: only p.jsonl has ids, so rows are joined by order", "warning: 2 of 2 predictions could not be read, and count as empty (one is text). docie.adapters.llm reads answers of language models")),
    "keys with dots": Case(
        both([{"total": "1", "vendor": {"name": "a"}}], [{"total": "1", "vendor.name": "a"}]), figure=0.5,
        messages=(
            "warning: the keys 'vendor.name' stand outside of the groups that they name, so they are compared as values without a group; write nested objects on both sides",)),
    "a value with a box of another name, on both sides": Case(
        both([{"total": {"value": "1", "bbox": [0, 0, 9, 9]}}], [{"total": {"value": "2", "bbox": [0, 0, 9, 9]}}]), figure=0.8,
        messages=(f"warning: 'total' is an object with the keys 'bbox', 'value', which is a group: each key is scored. {RIGHT_FORM}",)),
    "alternatives in a prediction": Case(
        both([{"total": {"$any_of": ["1", "2"]}, "date": "x"}], [{"total": {"$any_of": ["1", "2"]}, "date": "x"}]), figure=0.4,
        messages=("warning: 'total' has the key '$any_of', read as a group. {\"$any_of\": [...]} lists alternatives in a reference only, and without other keys",)),
    "tags under another name": refused(
        "r.jsonl:1: tagged words have the keys 'words' and 'tags': rename 'tokens' to 'words', 'ner_tags' to 'tags'",
        both([{"tokens": ["a"], "ner_tags": ["B-x"]}], [{"tokens": ["a"], "ner_tags": ["O"]}])),
    "numbers of tags, as on the Hub": refused(
        "r.jsonl:1: tagged words have the keys 'words' and 'tags': rename 'ner_tags' to 'tags', and write the name of each tag, such as 'B-total', instead of its number",
        both([{"id": "0", "words": ["a"], "bboxes": [[0, 0, 9, 9]], "ner_tags": [3]}], [{"id": "0", "words": ["a"], "tags": ["O"]}])),
    "words and labels that may be fields": Case(
        both([{"words": ["a"], "labels": ["x"]}], [{"words": ["a"], "labels": ["y"]}]), figure=0.5,
        messages=("warning: the keys 'labels', 'words' are read as entity types; tagged words are {\"words\": [...], \"tags\": [\"O\", \"B-total\", ...]}",)),
    "null for a document": refused("r.jsonl:1: reference must be a JSON object, got null; --metric anls_star scores texts, numbers and lists", both([None], [None])),
    "thresholds without confidences": Case(both(), with_options("--option", "thresholds=[0.5]"), messages=(
        "warning: no prediction has a confidence, so nothing is reviewed at any threshold. A value with a confidence is {\"value\": ..., \"confidence\": ...}",)),
    "the answer of a cloud service": Case(both(REFERENCES[:1], [ANSWERS]), figure=0.0, messages=(
        "warning: p.jsonl: read 1 prediction as azure_document_intelligence",
        f"{NO_TYPE_IN_COMMON}'Total'; in references: 'items.name', 'items.price', 'total'{SEARCHES}",)),
    "the answer of a cloud service as it stands": Case(both(REFERENCES[:1], [ANSWERS]), with_options(*configured("parse=no")), figure=0.0, messages=(
        f"{NO_TYPE_IN_COMMON}'documents.fields.Total.content', 'modelId'; in references: 'items.name', 'items.price', 'total'{SEARCHES}",)),
    "a root around the document": Case(both(REFERENCES[1:], [{"invoice": {"total": "7.50"}}]), figure=0.0, messages=(f"{NO_TYPE_IN_COMMON}'invoice.total'; in references: 'total'{SEARCHES}",)),
    "keys in capitals": Case(both(REFERENCES[1:], [{"Total": "7.50"}]), figure=0.0, messages=(f"{NO_TYPE_IN_COMMON}'Total'; in references: 'total'{SEARCHES}",)),
    "a value with a score": Case(
        both([{"total": "1.00", "date": "x"}], [{"total": {"value": "1.00", "score": 0.9}, "date": "x"}]), figure=0.4, messages=(NEAR_LEAF.format("'score', 'value'"),)),
    "a value with a bbox": Case(
        both([{"total": "1.00", "date": "x"}], [{"total": {"value": "1.00", "confidence": 0.9, "bbox": [0, 0, 9, 9]}, "date": "x"}]), figure=0.2222,
        messages=(NEAR_LEAF.format("'bbox', 'confidence', 'value'"),)),
    "a value in an object": Case(both([{"total": "1.00", "date": "x"}], [{"total": {"value": "1.00"}, "date": "x"}]), figure=0.5, messages=(NEAR_LEAF.format("'value'"),)),
    "a value with a unit on both sides": Case(both([{"size": {"value": "1", "unit": "kg"}}], [{"size": {"value": "1", "unit": "kg"}}]), figure=1.0),
    "tags in capitals": Case(
        both([["O", "B-total"]], [["O", "B-TOTAL"]]), figure=("f1", 0.0), messages=(f"{NO_TYPE_IN_COMMON}'TOTAL'; in references: 'total'",)),
    "categories of another list": Case(
        both([[["date", "1770"]]], [[["year", "1770"]]]), figure=("oi_nerval_f1", 0.0), messages=(f"{NO_TYPE_IN_COMMON}'year'; in references: 'date'",)),
    "labels of another list": Case(
        both([[{"label": "total", "box": [0, 0, 9, 9]}]], [[{"label": "sum", "box": [0, 0, 9, 9]}]]), figure=("f1", 0.0),
        messages=(f"{NO_TYPE_IN_COMMON}'sum'; in references: 'total'",)),
    "documents for a metric of boxes": refused("r.jsonl:1: reference must be a list of boxes, got an object", None, "--metric", "box_iou"),
    "tags for a metric of documents": refused("kieval reads documents, but these are tags", both([["O", "B-a"]], [["O", "B-a"]]), "--metric", "kieval"),
    # values
    "numbers written differently": Case(both([{"total": 1000}], [{"total": 1000.0}]), figure=1.0),
    "a number and a text": Case(both([{"total": 1000}], [{"total": "1000"}]), figure=1.0),
    "a number and a text of two places": Case(
        both([{"total": 12.0}], [{"total": "12.00"}]), figure=0.0,
        messages=("warning: 'total': a number on one side and a text such as '12.00' on the other are different values; the normalizer number makes them equal",)),
    "a number and a text of two places, normalised": Case(both([{"total": 12.0}], [{"total": "12.00"}]), with_options("--normalize", "number"), 1.0),
    "a file of one object for each document": Case(
        {"r.json": json.dumps({"a": REFERENCES[1], "b": REFERENCES[1]}), "p.json": json.dumps({"a": REFERENCES[1], "b": REFERENCES[1]})}, ["r.json", "p.json"], 1.0,
        tuple(f"warning: {name}.json: one object, read as one document; several are a list or JSON Lines" for name in "rp")),
    "a row with both sides and other keys": refused(
        "r.jsonl:1: a prediction and a reference stand beside ['split'] in a row; put other keys into 'meta'",
        both([{**row, "split": "test"} for row in TWO_SIDES], TWO_SIDES)),
    "an id that is not the name of its file": Case(
        {"r/a.json": '{"id": "b", "total": "1"}', "r/b.json": '{"id": "a", "total": "2"}', "p/a.json": '{"total": "1"}', "p/b.json": '{"total": "2"}'}, ["r", "p"], None,
        ("r/a.json: the id 'b' is not the name of the file; if 'id' is a field of the documents, say --config 'references.id=\"\"'",)),
    "ids under another name, most of them moved": Case(
        both([{"page": str(n), "total": "1"} for n in range(9)], [{"page": str(n), "total": "1"} for n in (0, 2, 1, 4, 3, 6, 5, 8, 7)]), figure=0.5556,
        messages=(MOVED.format("page"),)),
    "NaN": Case(both('{"total": NaN, "date": "x"}\n', '{"total": "x", "date": "x"}\n'), figure=0.6667),
    # names that do not exist
    "an unknown metric": refused(f"unknown family 'kievel', expected one of: {', '.join(docie.families())}", None, "--metric", "kievel"),
    "an unknown option": refused(
        "unknown option 'ontolgy' of kieval, expected one of: costs, empty_groups, evidence, match, matching, normalize, ontology, schema, thresholds, weights", None, "--option", 'ontolgy=["total"]'),
    "an unknown normalizer": refused(
        f"unknown normalizer 'numbr', expected one of {', '.join(NORMALIZERS)}", None, "--normalize", "numbr"),
    "an ontology of group types": refused("ontology: no document has 'items' (close: 'items.name', 'items.price')", None, "--option", 'ontology=["items"]'),
    "an ontology with a misspelt type": Case(
        both(), with_options("--option", 'ontology=["totl", "items.name", "items.price"]'), 1.0, ("warning: ontology: no document has 'totl' (close: 'total')",)),
    "a normaliser for a misspelt type": Case(both(), with_options("--normalize", "price=number"), F1, ("warning: normalize: no document has 'price' (close: 'items.price')",)),
}  # fmt: skip


def write(path: Path, content: Any) -> None:
    path.parent.mkdir(exist_ok=True)
    if content is None:
        path.mkdir()
    elif isinstance(content, str) and content.startswith("-> "):
        path.symlink_to(content.removeprefix("-> "))
    elif isinstance(content, bytes):
        path.write_bytes(content)
    else:
        text = content if isinstance(content, str) else "".join(f"{line}\n" for line in texts(content))
        path.write_bytes(text.encode("utf-8"))


@pytest.mark.parametrize("case", CASES.values(), ids=CASES)
def test_files(case: Case, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for name, content in case.files.items():
        write(Path(name), content)
    stdin = "\n".join(texts(PREDICTIONS)) if "-" in case.arguments else None
    result = run(*case.arguments, "--format", "markdown", stdin=stdin)
    assert result.stderr.splitlines() == list(case.messages)
    if case.figure is None:
        assert (result.exit_code, result.stdout) == (2, "")
        return
    name, value = case.figure if isinstance(case.figure, tuple) else ("entity_f1", case.figure)
    assert (
        f"| {name} | {value:.4f} |" in run(*case.arguments, "--format", "markdown", "--all-scores", stdin=stdin).stdout
    )
    assert f", joined by {case.joined_by} ·" in result.stdout


def test_there_are_enough_inputs() -> None:
    assert len(CASES) >= 60


def test_files_in_one_order_are_joined_as_they_are_read(tmp_path: Path) -> None:
    class Counted(Lines):
        read = 0

        def __iter__(self) -> Iterator[Row]:
            for row in super().__iter__():
                self.read += 1
                yield row

    rows = [{"id": str(number), "document": {"a": str(number)}} for number in range(50)]
    paths = [tmp_path / "r.jsonl", tmp_path / "p.jsonl"]
    for order, waiting in ((1, 1), (-1, 50)):
        for path, each in zip(paths, (rows, rows[::order]), strict=True):
            path.write_text("".join(json.dumps(row) + "\n" for row in each))
        predictions = Counted(str(paths[1]), side="prediction")
        pairs = iter(Join(Lines(str(paths[0]), side="reference"), predictions, in_python=False))
        assert [row.document for row in next(pairs)] == [rows[0]["document"]] * 2
        assert predictions.read == waiting
        assert [[row.document for row in pair] for pair in pairs] == [[row["document"]] * 2 for row in rows[1:]]
