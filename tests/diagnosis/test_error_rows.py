"""Error rows: their numbers are those of the score, their places those of the documents, their kinds the textbook's."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

import datasets
import numpy as np
import pandas
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from scipy.optimize import linear_sum_assignment

from docie import corpus, kieval
from docie.documents.leaves import OneOf
from docie.metrics.kieval import error_rows
from docie.metrics.kieval.corrections import ErrorRow
from docie.metrics.kieval.pairs import Operation

from real_documents import SYSTEMS, cord_pairs, docubench_pairs, invoice_pairs
from repairs import Cell, cells, explained
from sizes import examples
from strategies import ONE_OFS, documents

OPERATIONS: tuple[Operation, ...] = ("substitution", "addition", "deletion")
SETTINGS = st.sampled_from(
    [
        kieval.Settings(),
        kieval.Settings(matching="greedy"),
        kieval.Settings(empty_groups="count"),
        kieval.Settings(ontology=["x", "g.a", "h.b"]),
        kieval.Settings(ontology=["x", "g.a"], empty_groups="count"),
        kieval.Settings(normalize=lambda text: text[:1]),
        kieval.Settings(normalize={"g.a": lambda text: text.replace("2", " ")}, matching="greedy"),
    ]
)


def kinds_of(prediction: Any, reference: Any, settings: kieval.Settings | None = None) -> list[tuple[Any, ...]]:
    """Of each row entity type, kind, reference and prediction."""
    rows = error_rows(prediction, reference, settings)
    return [(row.entity_type, row.kind, row.reference, row.prediction) for row in rows]


@examples(1000)
@given(st.lists(st.tuples(documents(), documents(ONE_OFS)), max_size=2), SETTINGS)
def test_the_numbers_of_rows_are_those_of_the_score(pairs: list[tuple[Any, Any]], settings: kieval.Settings) -> None:
    predictions, references = [prediction for prediction, _ in pairs], [reference for _, reference in pairs]
    seen = {cell[2] for document in references for cell in cells(document, "reference")}
    assume(not references or settings.ontology is None or seen & {*settings.ontology})  # else there is nothing to score
    check_numbers(predictions, references, settings)


def check_numbers(predictions: list[Any], references: list[Any], settings: kieval.Settings | None = None) -> None:
    rows = list(corpus.errors(predictions, references, settings))
    figures = corpus.evaluate(kieval, predictions, references, settings, breakdown=True)
    for number, scores in enumerate(figures["per_document"]):
        found = Counter(row.operation for row in rows if row.document == number)
        assert all(found[operation] == scores[f"{operation}s"] for operation in OPERATIONS)
    for entity_type, scores in figures["per_entity"].items():
        found = Counter(row.operation for row in rows if row.entity_type == entity_type)
        assert all(found[operation] == scores[f"{operation}s"] for operation in OPERATIONS)
    assert len(rows) == figures["corrections"]


@examples(1000)
@given(documents(), documents(ONE_OFS), SETTINGS)
def test_every_row_shows_values_of_its_places(prediction: Any, reference: Any, settings: kieval.Settings) -> None:
    predicted, expected = cells(prediction, "prediction"), cells(reference, "reference")
    rows = error_rows(prediction, reference, settings)
    assert each_has_a_cell([row for row in rows if row.reference is not None], expected)
    for row in rows:
        if row.prediction is not None:
            predicted.remove((row.group_type, row.predicted_group, row.entity_type, row.prediction))
        assert (row.prediction is None, row.reference is None) == (
            row.operation == "addition",
            row.operation == "deletion",
        )
        assert (row.similarity is not None) == (row.operation == "substitution")


def each_has_a_cell(rows: list[ErrorRow], expected: list[Cell]) -> bool:
    """Whether each row can have a cell of its own that holds its reference value."""
    fits = np.zeros((len(rows), len(expected)))
    for number, row in enumerate(rows):
        place = (row.group_type, row.reference_group, row.entity_type)
        fits[number] = [cell[:3] == place and row.reference in answers(cell[3]) for cell in expected]
    return bool(fits[linear_sum_assignment(fits, maximize=True)].sum() == len(rows))


def answers(value: Any) -> tuple[str, ...]:
    return value.alternatives if isinstance(value, OneOf) else (value,)


@examples(1000)
@given(documents(), documents(ONE_OFS), st.sampled_from(["optimal", "greedy"]))
def test_kinds_are_those_of_the_textbook(prediction: Any, reference: Any, matching: Any) -> None:
    places = Counter((cell[:3], answer) for cell in cells(reference, "reference") for answer in {*answers(cell[3])})
    assume(max(places.values(), default=0) < 2)  # else a row does not say which of the alternatives it means
    rows = error_rows(prediction, reference, kieval.Settings(matching=matching))
    assert [(row.kind, row.elsewhere) for row in rows] == explained(rows, prediction, reference)


@examples(300)
@given(documents(), documents())
def test_kinds_are_those_of_the_textbook_without_alternatives(prediction: Any, reference: Any) -> None:
    reference = _without_confidences(reference)
    rows = error_rows(prediction, reference)
    assert [(row.kind, row.elsewhere) for row in rows] == explained(rows, prediction, reference)


def _without_confidences(value: Any) -> Any:
    if isinstance(value, list):
        return [_without_confidences(element) for element in value]
    if isinstance(value, dict):
        return value["value"] if "confidence" in value else {k: _without_confidences(v) for k, v in value.items()}
    return value


@pytest.mark.parametrize(
    ("prediction", "reference", "expected"),
    [
        ({}, {}, []),
        (None, {"a": "1"}, [("a", "missing", "1", None)]),
        ({"a": "1"}, {}, [("a", "spurious", None, "1")]),
        ({"a": "1"}, {"a": "2"}, [("a", "value", "2", "1")]),
        # form: before all others, and for substitutions only
        ({"a": "Jalan  Ros."}, {"a": "JALAN ROS"}, [("a", "format", "JALAN ROS", "Jalan  Ros.")]),
        ({"a": "1.240,00"}, {"a": "1240"}, [("a", "format", "1240", "1.240,00")]),
        ({"a": "USD 12.50"}, {"a": "US$ 12.5"}, [("a", "format", "US$ 12.5", "USD 12.50")]),
        ({"a": "USD 12.50"}, {"a": "$12.50"}, [("a", "value", "$12.50", "USD 12.50")]),  # of which country?
        ({"a": "31.12.2023"}, {"a": "2023-12-31"}, [("a", "format", "2023-12-31", "31.12.2023")]),
        ({"a": "1"}, {"a": ("one", "1.0")}, [("a", "format", "1.0", "1")]),
        ({"a": "1200"}, {"a": "12.00"}, [("a", "value", "12.00", "1200")]),  # the same digits, another amount
        ({"a": "4,70"}, {"a": "470"}, [("a", "value", "470", "4,70")]),
        # group: a swapped cell gives two rows
        (
            {"g": [{"n": "x", "p": "2"}, {"n": "y", "p": "1"}]},
            {"g": [{"n": "x", "p": "1"}, {"n": "y", "p": "2"}]},
            [("g.p", "group", "1", "2"), ("g.p", "group", "2", "1")],
        ),
        # the missed value is predicted wrongly in a group that has no counterpart
        (
            {"g": [{"n": "x", "p": "1"}, {"p": "2"}]},
            {"g": [{"n": "x", "p": "2", "q": "7"}]},
            [("g.p", "group", "2", "1"), ("g.q", "missing", "7", None), ("g.p", "group", None, "2")],
        ),
        # predicted rightly in another group: no wrong value is there
        (
            {"g": [{"n": "x"}, {"n": "y", "p": "2"}]},
            {"g": [{"n": "x", "p": "2"}, {"n": "y", "p": "2"}]},
            [("g.p", "missing", "2", None)],
        ),
        # type: predicted under another one, missed under another one
        ({"a": "1"}, {"b": "1"}, [("a", "type", None, "1"), ("b", "type", "1", None)]),
        ({"a": "1", "b": "2"}, {"b": "1"}, [("b", "type", "1", "2"), ("a", "type", None, "1")]),
        ({"a": "1"}, {"g": {"b": "1"}}, [("g.b", "type", "1", None), ("a", "type", None, "1")]),
        # duplicate: in the same group, and in another one
        ({"a": ["1", "1"]}, {"a": "1"}, [("a", "duplicate", None, "1")]),
        ({"g": [{"b": "1"}, {"b": "1"}]}, {"g": {"b": "1"}}, [("g.b", "duplicate", None, "1")]),
    ],
)
def test_kinds(prediction: Any, reference: Any, expected: list[tuple[Any, ...]]) -> None:
    assert kinds_of(prediction, reference) == expected


@pytest.mark.parametrize(
    ("prediction", "reference", "expected"),
    [
        # the number of the group on the side where the value stands
        (
            {"g": [{"n": "x", "p": "2"}, {"n": "y", "p": "1"}]},
            {"g": [{"n": "x", "p": "1"}, {"n": "y", "p": "2"}]},
            [("group", 1), ("group", 0)],
        ),
        ({"g": [{"n": "x", "p": "1"}]}, {"g": [{}, {"n": "z", "p": "1"}, {"n": "x"}]}, [("group", 2), ("group", 0)]),
        # of several types the first in the alphabet, whatever the order of the document
        ({"a": "1"}, {"c": "1", "b": "1"}, [("type", "b"), ("type", "a"), ("type", "a")]),
        # the predicted value goes before the missed one
        ({"a": "1", "c": "2"}, {"a": "2", "b": "1"}, [("type", "b"), ("type", "a"), ("type", "a")]),
        ({"a": "1", "b": "x"}, {"a": "2", "b": "X"}, [("value", None), ("format", None)]),
    ],
)  # fmt: skip
def test_where_the_value_stands_that_explains_a_row(
    prediction: Any, reference: Any, expected: list[tuple[Any, ...]]
) -> None:
    assert [(row.kind, row.elsewhere) for row in error_rows(prediction, reference)] == expected


def test_a_row_says_where_its_value_stands() -> None:
    leaf: Any = {"value": "9", "confidence": 0.25, "box": [1, 2, 3, 4], "page": 2}
    [row] = error_rows({"g": [{}, "ungrouped", {"a": leaf}], "id": "7"}, {"g": [{"a": "8"}, "ungrouped"], "id": "7"})
    assert row == ErrorRow(0, "g", 1, 0, "g.a", "substitution", "value", "8", "9", 0.0, 0.25, [1, 2, 3, 4], 2)


def test_values_are_shown_as_they_stand_and_compared_as_normalised() -> None:
    settings = kieval.Settings(normalize="casefold")
    [row] = error_rows({"a": "LATTES"}, {"a": ("Latte", "Tea")}, settings)
    assert (row.prediction, row.reference, row.similarity) == ("LATTES", "Latte", 5 / 6)
    [row] = error_rows({"a": 12.0}, {"a": 13})
    assert (row.prediction, row.reference) == ("12", "13")


def test_the_wrong_values_most_similar_to_missed_ones_substitute_them() -> None:
    prediction: Any = {"a": ["Tea", "Latt"]}
    reference: Any = {"a": "Latte"}
    assert kinds_of(prediction, reference) == [("a", "value", "Latte", "Latt"), ("a", "spurious", None, "Tea")]
    prediction, reference = {"a": "Latt"}, {"a": ["Tea", "Latte"]}
    assert kinds_of(prediction, reference) == [("a", "value", "Latte", "Latt"), ("a", "missing", "Tea", None)]
    reference = {"a": [("Tea", "zzz"), ("Coffee", "Latte")]}
    assert kinds_of(prediction, reference) == [("a", "value", "Latte", "Latt"), ("a", "missing", "Tea", None)]


def test_long_values_are_compared_by_their_beginning() -> None:
    prediction, reference = "x" * 3_000_000, ("y" * 3_000_000, "x" * 2_999_999)
    [row] = error_rows({"a": prediction}, {"a": reference})
    assert (row.reference, row.similarity) == (reference[1], 1.0)


def test_many_groups_with_one_wrong_value() -> None:
    groups = [{"a": str(number), "b": "1"} for number in range(300)]
    rows = error_rows({"g": groups}, {"g": [{**group, "b": "2"} for group in groups]})
    assert [(row.predicted_group, row.reference_group, row.kind) for row in rows] == [
        (number, number, "value") for number in range(300)
    ]


def test_empty_groups_have_numbers_too() -> None:
    settings = kieval.Settings(empty_groups="count", ontology=["g.a"])
    rows = error_rows({"g": [{"b": "1"}, {}]}, {"g": [{"b": "1"}, {"a": "2"}]}, settings)
    assert [(row.predicted_group, row.reference_group) for row in rows] == [(1, 1)]


def test_documents_have_the_ids_of_their_wrappers() -> None:
    predictions = [{"id": 7, "prediction": {"a": "1"}}, {"a": "1"}, {"prediction": {"a": "1"}}]
    references = [{"id": 7, "reference": {}}, {"id": "r", "reference": {}}, {"reference": {}}]
    assert [row.document for row in corpus.errors(predictions, references)] == ["7", "r", 2]


def test_rows_as_a_frame_and_as_a_dataset() -> None:
    leaf = {"value": "9", "confidence": 0.5, "box": [1, 2, 3, 4], "page": 1}
    prediction = {
        "g": [{"n": "x", "p": "2"}, {"n": "y", "p": "1"}],
        "a": leaf,
        "b": {**leaf, "value": "8", "page": "i"},
    }
    reference = {"g": [{"n": "x", "p": "1"}, {"n": "y", "p": "2"}], "c": "8"}
    sides = [{"id": "r", "prediction": prediction}, {"a": "1"}], [{"id": "r", "reference": reference}, {}]
    rows = list(corpus.errors(*sides))
    assert {type(row.document) for row in rows} == {type(row.elsewhere) for row in rows if row.elsewhere is not None}
    frame = pandas.DataFrame(corpus.errors(*sides))
    assert (list(frame.columns), len(frame)) == (list(ErrorRow._fields), len(rows))
    assert frame["elsewhere"].dropna().tolist() == [row.elsewhere for row in rows if row.elsewhere is not None]
    records = [row.record() for row in rows]
    assert datasets.Dataset.from_list(records).to_list() == records
    assert {record["document"] for record in records} == {"r", "1"}
    assert {"[1, 2, 3, 4]", None} == {record["box"] for record in records}


def test_rows_come_while_documents_are_read() -> None:
    def endless() -> Any:
        while True:
            yield {"a": "1"}

    rows = corpus.errors(endless(), ({} for _ in endless()))
    assert [next(rows).document for _ in range(3)] == [0, 1, 2]


def test_bad_documents_are_named() -> None:
    with pytest.raises(ValueError, match="^document 1: reference must be a JSON object, got a number$"):
        list(corpus.errors([{}, {}], [{}, 7]))
    with pytest.raises(ValueError, match="^expected as many predictions as references, got 1 and 2$"):
        list(corpus.errors([{}], [{}, {}]))
    with pytest.raises(ValueError, match="^ontology: no document has 'b' "):
        list(corpus.errors([{"a.b": "1"}], [{"a.b": "1"}], kieval.Settings(ontology=["b"])))


@pytest.mark.parametrize("system", ["qwen", "layoutlm"])
def test_cord(cord: dict[str, list[Any]], system: str) -> None:
    check_real(cord_pairs(cord, system))


@pytest.mark.exhaustive
def test_invoices(data: Path) -> None:
    check_real(invoice_pairs(data))


@pytest.mark.parametrize(
    "system", [pytest.param(each, marks=[pytest.mark.exhaustive] * (each != "gpt")) for each in SYSTEMS]
)
def test_docubench(data: Path, system: str) -> None:
    check_real(docubench_pairs(data, system))


def check_real(pairs: list[tuple[Any, Any]]) -> None:
    """Check the numbers of rows, and all kinds."""
    check_numbers([prediction for prediction, _ in pairs], [reference for _, reference in pairs])
    for prediction, reference in pairs:
        rows = error_rows(prediction, reference)
        assert [(row.kind, row.elsewhere) for row in rows] == explained(rows, prediction, reference)
