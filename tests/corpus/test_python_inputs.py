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
import pytest

import docie
from docie import anls_star, corpus, entity_f1, kieval
from docie.adapters import donut, llm

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


def wrapped(name: str, documents: list[Any]) -> list[Any]:
    return [{"id": number, name: document} for number, document in enumerate(documents)]


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
    "a table": (
        pandas.DataFrame(PREDICTIONS), REFERENCES,
        "predictions must be a sequence of documents, got DataFrame; its rows are .to_dict('records')",
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
    predictions = docie.read(write("p.jsonl", with_id(PREDICTIONS, "page")), reading={"id_key": "page"})
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
