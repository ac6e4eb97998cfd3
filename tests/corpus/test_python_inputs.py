"""Inputs as people have them in Python: each gives the right figure, or one line that says what was not understood.

The same two receipts as in tests/cli/test_inputs.py, with an entity F1 of 0.75.
"""

from __future__ import annotations

import dataclasses
import json
import warnings
from collections import UserDict
from pathlib import Path
from types import MappingProxyType
from typing import Any

import numpy as np
import pyarrow
import pytest

import docie
from docie import anls_star, corpus, entity_f1, kieval
from docie.adapters import donut, llm
from docie.inputs.sources.python import sequence_of

from checkout import needs_package

pandas = pytest.importorskip("pandas")
pydantic = pytest.importorskip("pydantic")

REFERENCES: list[Any] = [{"total": "12.00", "items": [{"name": "Latte", "price": "4.50"}]}, {"total": "7.50"}]
PREDICTIONS: list[Any] = [REFERENCES[0], {"total": "7.00"}]


class Item(pydantic.BaseModel):  # type: ignore[misc, name-defined]
    name: str
    price: str


class Receipt(pydantic.BaseModel):  # type: ignore[misc, name-defined]
    total: str
    items: list[Item] = pydantic.Field(default_factory=list)


@dataclasses.dataclass
class Line:
    name: str
    price: str


@dataclasses.dataclass
class Bill:
    total: str
    items: list[Line] = dataclasses.field(default_factory=list)


def wrapped(name: str, documents: list[Any], identity: str = "{}") -> list[Any]:
    return [{"id": identity.format(number), name: document} for number, document in enumerate(documents)]


def texts(documents: list[Any]) -> list[Any]:
    return [json.dumps(document) for document in documents]


BILLS = [Bill("12.00", [Line("Latte", "4.50")]), Bill("7.00")]
SOUND = {
    "lists of objects": (PREDICTIONS, REFERENCES),
    "tuples of objects": (tuple(PREDICTIONS), tuple(REFERENCES)),
    "arrays of objects": (np.array(PREDICTIONS, dtype=object), np.array(REFERENCES, dtype=object)),
    "columns of a table": (pandas.Series(PREDICTIONS), pandas.Series(REFERENCES)),
    "JSON texts": (texts(PREDICTIONS), texts(REFERENCES)),
    "JSON texts and objects": (texts(PREDICTIONS), REFERENCES),
    "pydantic models": ([Receipt(**document) for document in PREDICTIONS], [Receipt(**each) for each in REFERENCES]),
    "dataclasses": (BILLS, REFERENCES),
    "what llm.to_document returns": ([llm.to_document(text) for text in texts(PREDICTIONS)], REFERENCES),
    "what donut.to_document returns": (
        [donut.to_document(donut.to_sequence(document)) for document in PREDICTIONS],
        REFERENCES,
    ),
    "wrappers": (wrapped("prediction", PREDICTIONS), wrapped("reference", REFERENCES)),
    "wrappers of JSON texts": (wrapped("prediction", texts(PREDICTIONS)), wrapped("document", texts(REFERENCES))),
    "wrappers of models": (wrapped("prediction", BILLS), wrapped("ground_truth", REFERENCES)),
    "wrappers and documents": (PREDICTIONS, wrapped("reference", REFERENCES)),
    "lines of a file": (texts(wrapped("prediction", PREDICTIONS)), texts(wrapped("reference", REFERENCES))),
    "wrappers with ids, and ids among the fields": (
        wrapped("prediction", PREDICTIONS),
        [{"id": number, **document} for number, document in enumerate(REFERENCES)],
    ),
    "mappings": ([MappingProxyType(each) for each in PREDICTIONS], [UserDict(each) for each in REFERENCES]),
    "nested dataclasses": (BILLS, [Bill("12.00", [Line("Latte", "4.50")]), Bill("7.50")]),
    "annotations of Donut": (PREDICTIONS, [{"ground_truth": {"gt_parse": document}} for document in REFERENCES]),
}


FRAME = pandas.DataFrame(
    [
        {"id": "a0", "total": "12.00", "items.1.name": "Latte", "items.1.price": "4.50"},
        {"id": "a1", "total": "7.50", "items.1.name": None, "items.1.price": float("nan")},
    ]
)
PREDICTED = FRAME.assign(total=["12.00", "7.00"])
LONG = pandas.DataFrame(
    [
        {"document": "a0", "group": None, "field": "total", "value": "12.00"},
        {"document": "a1", "group": None, "field": "total", "value": "7.50"},
        {"document": "a0", "group": "items[0]", "field": "name", "value": "Latte"},
        {"document": "a0", "group": "items[0]", "field": "price", "value": "4.50"},
    ]
)
ARROW = pyarrow.Table.from_pandas(PREDICTED)
FRAMES = {
    "frames": (PREDICTED, FRAME),
    "a frame and documents": (PREDICTED, REFERENCES),
    "documents and a frame": (PREDICTIONS, FRAME),
    "frames with the id as index": (PREDICTED.set_index("id"), FRAME.set_index("id")),
    "a long frame": (PREDICTED, LONG),
    "frames of nested columns": (pandas.DataFrame(PREDICTIONS), pandas.DataFrame(REFERENCES)),
    "frames of JSON texts": (
        pandas.DataFrame({"id": [0, 1], "prediction": texts(PREDICTIONS)}),
        pandas.DataFrame({"id": [0.0, 1.0], "ground_truth": texts(REFERENCES)}),
    ),
    "tables of Arrow": (ARROW, pyarrow.Table.from_pandas(LONG)),
    "frames and wrappers": (PREDICTED, wrapped("reference", REFERENCES, "a{}")),
}


@pytest.mark.parametrize("way", ["corpus", "module"])
@pytest.mark.parametrize(("predictions", "references"), FRAMES.values(), ids=FRAMES)
def test_frames(predictions: Any, references: Any, way: str) -> None:
    test_sound_inputs(predictions, references, way)


@needs_package("polars")
def test_frames_of_polars() -> None:
    import polars

    frames = [polars.from_pandas(each) for each in (PREDICTED, FRAME)]
    assert evaluated("corpus", *frames)["entity_f1"] == 0.75
    assert evaluated("module", frames[0], polars.from_pandas(LONG))["entity_f1"] == 0.75


def test_frames_are_joined_by_id_if_asked() -> None:
    config = {"predictions": {"id": "file"}, "join": {"missing": "drop"}}
    predictions = PREDICTED.rename(columns={"id": "file"}).iloc[::-1]
    references = pandas.concat([FRAME, FRAME.assign(id=["b0", "b1"])])
    with pytest.warns(UserWarning, match="2 references are left out"):
        results = corpus.evaluate(kieval, predictions, references, config=config)
    assert (results["documents"], results["entity_f1"]) == (2, 0.75)
    results = docie.load("kieval").compute(predictions=predictions, references=FRAME, config=config)
    assert results["entity_f1"] == 0.75


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        ([{"file": "a", "x": "1"}, {"x": "1"}], "^predictions, document 1: no key 'file', which predictions.id names$"),
        ([{"file": "a"}] * 2, "^predictions, document 1: id 'a' stands twice, first at predictions, document 0"),
        (
            [{"file": "a", "x": {"value": "1", "confidence": 7}}],
            "^predictions, document 0, entity 'x': confidence must",
        ),
    ],
)
def test_rows_that_are_joined_by_id_have_places(rows: list[Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        corpus.evaluate(kieval, rows, [{"id": "a", "x": "1"}], config={"predictions": {"id": "file"}})


def test_values_of_frames() -> None:
    frame = pandas.DataFrame(
        {
            "id": [1, 2],
            "date": [pandas.Timestamp("2024-05-01"), pandas.NaT],
            "time": [pandas.Timestamp("2024-05-01 10:30"), None],
            "number": [1.5, float("nan")],
            "tags": [["a", "b"], None],
            "paid": pandas.array([True, None], dtype="boolean"),
            "code": ["007", " "],
        }
    )
    expected = [
        {"date": "2024-05-01", "time": "2024-05-01T10:30:00", "number": 1.5, "tags": ["a", "b"], "paid": True, "code": "007"},
        {},
    ]  # fmt: skip
    for each in (frame, pyarrow.Table.from_pandas(frame)):
        rows = sequence_of("references", each)
        assert rows == [{"id": number, "document": row} for number, row in enumerate(expected, 1)]


def test_everything_takes_frames() -> None:
    rows = [str(each) for each in corpus.errors(PREDICTIONS, REFERENCES)]
    assert [str(each).replace("'a1'", "1") for each in corpus.errors(PREDICTED, LONG)] == rows
    systems = {"a": PREDICTED, "b": FRAME}
    found = corpus.compare(kieval, systems, LONG, suspects=True)
    assert found["comparisons"][0]["difference"] == 0.25
    assert corpus.agreement([kieval, entity_f1], PREDICTED, LONG)["documents"] == 2


def evaluated(way: str, predictions: Any, references: Any) -> Any:
    if way == "corpus":
        return corpus.evaluate(kieval, predictions, references)
    return docie.load("kieval").compute(predictions=predictions, references=references)


@pytest.mark.parametrize("way", ["corpus", "module"])
@pytest.mark.parametrize(("predictions", "references"), SOUND.values(), ids=SOUND)
def test_sound_inputs(predictions: Any, references: Any, way: str) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error", UserWarning)
        results = evaluated(way, predictions, references)
    assert (results["entity_f1"], results["invalid_predictions"]) == (0.75, 0)


def with_id(documents: list[Any], key: str = "id") -> list[Any]:
    return [{key: f"a{number}", **document} for number, document in enumerate(documents)]


REFUSED = {
    "wrappers in another order": (
        wrapped("prediction", PREDICTIONS)[::-1], wrapped("reference", REFERENCES),
        "document 0: the prediction has the id '1', the reference '0'; sort both by id",
    ),
    "a reference that is no JSON": (PREDICTIONS, ["sorry", "{}"], "document 0: reference must be a JSON object, got text"),
    "a table of both sides": (
        [{"prediction": {}, "reference": {}, "split": "test"}], [{"prediction": {}, "reference": {}, "split": "test"}],
        "document 0: a prediction and a reference stand beside ['split'] in a row; put other keys into 'meta'",
    ),
    "a reference cut short": (PREDICTIONS, ['{"total": ', "{}"], "document 0: the reference is not JSON (Expecting value: line 1 column 11 (char 10))"),
    "a number too long for Python": ([{"total": 10**6000}, {}], REFERENCES, "document 0, entity 'total': expected a number of at most 4,300 digits, got a longer one"),
    "a text with such a number": (
        PREDICTIONS, ['{"total": ' + "9" * 6000 + "}", "{}"],
        "document 0: the reference is not JSON (expected a number of at most 4,300 digits, got one of 6,000 (column 11))",
    ),
    "tagged words under other names": (
        [{"words": ["a"], "tags": ["O"]}], [{"tokens": ["a"], "ner_tags": [0]}],
        "document 0: tagged words have the keys 'words' and 'tags': rename 'tokens' to 'words', 'ner_tags' to 'tags', "
        "and write the name of each tag, such as 'B-total', instead of its number",
    ),
    "an id that is no id": ([{"id": [1], "prediction": {}}], [{"id": [1], "reference": {}}], "document 0: id must be text or a whole number, got [1]"),
    "one document": (PREDICTIONS[0], REFERENCES[0], "predictions must be a sequence of documents, got dict"),
    "one text": ("{}", "{}", "predictions must be a sequence of documents, got str"),
    "frames in another order": (
        FRAME.iloc[::-1], FRAME, "document 0: the prediction has the id 'a1', the reference 'a0'; sort both by id",
    ),
    "a frame of another length": (FRAME[:1], FRAME, "expected as many predictions as references, got 1 and 2"),
    "a frame without documents": (
        FRAME, pandas.DataFrame([{"field": "total", "value": "1"}]),
        "references: the columns 'field' and 'value' are those of a long table, which has a column 'document', too; got field, value",
    ),
    "a frame with a value and a group": (
        pandas.DataFrame([{"a": "1", "a.b": "1"}]), FRAME,
        "predictions: column 'a.b': 'a' is both a value and a group; rename one of them",
    ),
    "a frame with a complex number": (
        pandas.DataFrame([{"a": 1j}]), FRAME,
        "predictions, row 0: expected text, a number, a boolean, a list or an object, got complex",
    ),
}  # fmt: skip


@pytest.mark.parametrize("way", ["corpus", "module"])
@pytest.mark.parametrize(("predictions", "references", "message"), REFUSED.values(), ids=REFUSED)
def test_inputs_that_are_refused(predictions: Any, references: Any, message: str, way: str) -> None:
    with pytest.raises(ValueError) as caught:  # noqa: PT011 - the message is compared below
        evaluated(way, predictions, references)
    assert str(caught.value) == message


@pytest.mark.parametrize(
    ("predictions", "references", "settings", "message"),
    [
        (with_id(PREDICTIONS), with_id(REFERENCES), {}, "the key 'id' is equal on both sides of every document and is scored as an entity type: leave it out"),
        (with_id(PREDICTIONS)[::-1], with_id(REFERENCES), {}, "the values of 'id' are the same on both sides, but in another order"),
        ([{"id": "a1"}, {"id": "a2"}], [{"id": "a0"}, {"id": "a1"}], {}, "the key 'id' is different on both sides of every document"),
        (with_id(PREDICTIONS), REFERENCES, {}, "only the predictions have the key 'id', and it is scored"),
        (["sorry"], REFERENCES[:1], {}, "1 of 1 predictions could not be read, and count as empty (one is text). docie.adapters.llm reads"),
        ([{"invoice": REFERENCES[1]}], REFERENCES[1:], {}, "predictions and references have no entity type in common. Most frequent in predictions: 'invoice.total'; in references: 'total'"),
        ([{"total": {"value": "7.50"}}], REFERENCES[1:], {}, "'total' is a value in some places, and an object with the keys 'value' in others"),
        (PREDICTIONS, REFERENCES, {"ontology": ["total", "item.name"]}, "ontology: no document has 'item.name' (close: 'items.name'"),
        (PREDICTIONS, REFERENCES, {"normalize": {"Total": "number"}}, "normalize: no document has 'Total' (close: 'total')"),
    ],
)  # fmt: skip
def test_inputs_that_are_warned_about(predictions: Any, references: Any, settings: Any, message: str) -> None:
    for evaluate in (corpus.evaluate, lambda *pairs: corpus.results(corpus.count(*pairs))):
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            evaluate(kieval, predictions, references, kieval.Settings(**settings))
        assert any(str(each.message).startswith(message) for each in caught)
        assert all(each.filename == __file__ for each in caught)


def test_an_ontology_of_nothing_is_an_error() -> None:
    settings = kieval.Settings(ontology=["menu"])
    with pytest.raises(ValueError, match="^ontology: no document has 'menu'$"):
        corpus.evaluate(kieval, PREDICTIONS, REFERENCES, settings)
    part = corpus.count(kieval, PREDICTIONS, REFERENCES, settings)  # another part may have it
    with pytest.raises(ValueError, match="^ontology: no document has 'menu'$"):
        corpus.results(part)
    corpus.evaluate(kieval, [], [], settings)


def test_an_object_with_a_value_is_seen_wherever_it_stands() -> None:
    """Beyond the documents whose types are always looked at, and in several processes."""
    documents = [{"total": "1", "date": "2"}] * 600
    predictions = [*documents[:-1], {"total": {"value": "1", "score": 0.9}, "date": "2"}]
    for workers in (1, 2):
        with pytest.warns(UserWarning, match="^'total' is a value in some places"):
            corpus.evaluate(kieval, predictions, documents, workers=workers)


def test_texts_stay_texts_where_they_may() -> None:
    answers = ["[1]", "12.00", "sorry"]
    assert corpus.evaluate(anls_star, answers, answers)["anls_star"] == 1.0
    assert corpus.evaluate(anls_star, ["[1]"], ["[1]x"])["anls_star"] == pytest.approx(0.75)
    assert corpus.evaluate(anls_star, ['{"a": "x", "b": "y"}'], [{"b": "y", "a": "x"}])["anls_star"] == 1.0


def test_a_document_may_have_the_keys_of_a_wrapper() -> None:
    document = {"reference": "INV-1"}
    assert corpus.evaluate(entity_f1, [{"document": document}], [{"document": document}])["f1"] == 1.0
    assert corpus.evaluate(entity_f1, [document], [{"reference": "INV-1", "total": "2"}])["recall"] == 0.5


def test_what_read_returns_can_be_scored(tmp_path: Path) -> None:
    def write(name: str, rows: list[Any]) -> Path:
        path = tmp_path / name
        path.write_text("".join(json.dumps(row) + "\n" for row in rows))
        return path

    plain = docie.read(write("r.jsonl", REFERENCES))
    assert plain == REFERENCES
    predictions = docie.read(write("p.jsonl", with_id(PREDICTIONS, "page")), config={"predictions": {"id": "page"}})
    assert predictions == [{"id": f"a{number}", "document": document} for number, document in enumerate(PREDICTIONS)]
    references = docie.read(write("ids.jsonl", wrapped("reference", texts(REFERENCES))))
    assert corpus.evaluate(kieval, predictions, plain)["entity_f1"] == 0.75
    with pytest.raises(
        ValueError, match="^document 0: the prediction has the id 'a0', the reference '0'; sort both by id$"
    ):
        corpus.evaluate(kieval, predictions, references)
    both = write("both.jsonl", [{"id": "a", "reference": REFERENCES[1], "prediction": PREDICTIONS[1]}])
    assert docie.read(both, side="reference") == [{"id": "a", "document": REFERENCES[1]}]
    with pytest.raises(ValueError, match=r"both.jsonl:1: a prediction and a reference; name one of them with `side`$"):
        docie.read(both)
    with_meta = [{"reference": REFERENCES[0], "meta": {"vendor": "ACME"}}, {"reference": REFERENCES[1]}]
    expected = [{"meta": {"vendor": "ACME"}, "document": REFERENCES[0]}, {"document": REFERENCES[1]}]
    assert docie.read(write("meta.jsonl", with_meta)) == expected
    assert docie.read(write("m.jsonl", [{"id": 1, **with_meta[0]}])) == [{"id": "1", **expected[0]}]
    nested = [{"document": {"reference": {"number": "1"}}}]
    assert docie.read(write("nested.jsonl", nested)) == nested
    (tmp_path / "twice.json").write_text('{"a": 1, "a": 2}')
    with pytest.warns(UserWarning, match="stands twice"):
        documents = docie.read(tmp_path / "twice.json")
    assert documents == [{"a": 2}]


def test_a_number_beside_a_text_is_no_surprise_if_a_rule_says_how_they_compare() -> None:
    settings = kieval.Settings(match={"total": "within(0.01)"})
    with warnings.catch_warnings():
        warnings.simplefilter("error", UserWarning)
        assert corpus.evaluate(kieval, [{"total": 12.0}], [{"total": "12.00"}], settings)["entity_f1"] == 1.0
