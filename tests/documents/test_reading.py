"""How rows are read where references and predictions were written differently: each option, alone."""

from __future__ import annotations

import json
import warnings
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import docie
from docie import corpus, kieval
from docie.core.reading import RECORDS, Reading
from docie.documents.pairs.joining import paired_rows
from docie.documents.pairs.records import with_records
from docie.documents.restructure import changed, renamed, restructured

from strategies import documents

REFERENCE: Any = {"total": "9", "menu": [{"nm": "Latte", "price": "3,00"}]}


def read(prediction: Any, reference: Any = REFERENCE, **options: Any) -> list[tuple[Any, Any]]:
    """The documents of rows: of one on each side, or of lists."""
    predictions = prediction if isinstance(prediction, list) else [prediction]
    references = reference if isinstance(reference, list) else [reference]
    pairs = paired_rows(predictions, references, reading=Reading.of(options))
    return [(predicted.document, expected.document) for predicted, expected in pairs]


def refusal(prediction: Any, reference: Any = REFERENCE, **options: Any) -> str:
    with pytest.raises(ValueError, match=r"^[^\n]+$") as error:
        read(prediction, reference, **options)
    return str(error.value)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"rename": "total"}, "rename must be PREDICTIONS_NAME=REFERENCES_NAME or a JSON or YAML file, got 'total'"),
        (
            {"rename": {"total": ""}},
            "rename must be PREDICTIONS_NAME=REFERENCES_NAME or a JSON or YAML file, got 'total='",
        ),
        ({"rename": 3}, "rename must be a text or a list of texts, got 3"),
        ({"ignore": [3]}, "ignore must be a text or a list of texts, got [3]"),
        (
            {"records": ["rows"]},
            "records must be json, tables, pairs, dotted, numbered, columns, cells or the name of a data set, got 'rows'",
        ),
        ({"missing": "skip"}, "missing must be 'error' or 'empty', got 'skip'"),
        ({"id_key": 7}, "id_key must be text, got 7"),
        ({"common_ids": 1}, "common_ids must be True or False, got 1"),
        ({"normalize_by": {"a": {}, "b": {}}}, "normalize_by must map one column to"),
        ({"normalize_by": {"country": {"DE": {"total": "up"}}}}, "unknown normalizer 'up'"),
        ({"normalize_by": "nowhere.json"}, "normalize_by: nowhere.json: No such file or directory"),
        ({"renames": "a=b"}, "reading: no option 'renames' (close: 'rename')"),
    ],
)
def test_wrong_values_are_refused(options: Any, message: str) -> None:
    for make in (Reading.of, lambda value: kieval.Settings(reading=value)):
        with pytest.raises(ValueError, match=r"^[^\n]+$") as error:
            make(options)
        assert str(error.value).startswith(message)


def test_what_is_no_reading_is_refused() -> None:
    with pytest.raises(ValueError, match=r"^reading must be a docie.Reading or a mapping of its options, got 'ids'$"):
        kieval.Settings(reading="ids")


def test_a_reading_without_options_is_none() -> None:
    assert kieval.Settings(reading={}) == kieval.Settings(reading=docie.Reading()) == kieval.Settings()
    plain = corpus.evaluate(kieval, [REFERENCE], [REFERENCE], kieval.Settings(reading={"id_key": None}))
    assert plain == corpus.evaluate(kieval, [REFERENCE], [REFERENCE])


def test_unwrap() -> None:
    inner = json.dumps({"data": REFERENCE})
    for row in ({"output": {"data": REFERENCE}, "model": "m"}, {"output": inner}, json.dumps({"output": inner})):
        assert read(row, unwrap="predictions:output.data") == [(REFERENCE, REFERENCE)]
    both = {"out": REFERENCE}
    assert read(both, both, unwrap="out") == [(REFERENCE, REFERENCE)]
    truth = {"image": "a.png", "ground_truth": json.dumps({"gt_parse": REFERENCE, "meta": {"version": 2}})}
    assert read(REFERENCE, truth, unwrap="references:ground_truth") == [(REFERENCE, REFERENCE)]
    assert read({"out": None}, unwrap="predictions:out") == [(None, REFERENCE)]
    assert read({"out": "Sorry."}, unwrap="predictions:out") == [("Sorry.", REFERENCE)]


def test_a_path_that_is_missing_names_the_row_and_its_keys() -> None:
    problem = refusal([{"out": {}}, {"text": {}, "model": "m"}], [REFERENCE] * 2, unwrap="predictions:out")
    assert problem == "prediction 1: no key 'out', which unwrap names; the row has 'text', 'model'"
    assert (
        refusal(REFERENCE, ["{}"], unwrap="references:out")
        == "reference 0: no key 'out', which unwrap names; the row has "
    )
    assert refusal(3, unwrap="predictions:out") == "prediction 0: no key 'out', which unwrap names; got 3"


def test_a_single_row_may_hold_a_list_of_rows() -> None:
    rows = {"documents": [{"id": "b", "document": {"total": "1"}}, {"id": "a", "total": "2"}], "version": 3}
    references = [{"id": "a", "total": "2"}, {"id": "b", "total": "1"}]
    pairs = read(rows, references, unwrap="predictions:documents", common_ids=True)
    assert pairs == [({"total": "2"}, {"total": "2"}), ({"total": "1"}, {"total": "1"})]
    entities = [["total", "9"]]
    assert read({"entities": entities}, {"entities": entities}, unwrap="entities") == [(entities, entities)]
    assert read({"rows": []}, [], unwrap="predictions:rows") == []


def test_the_columns_beside_a_document_are_its_meta() -> None:
    rows: list[Any] = [
        {"out": {"total": "1"}, "model": "a", "latency": 0.5, "usage": {}},
        {"out": {"total": "2"}, "model": "b"},
    ]
    references = [{"total": "1"}, {"total": "1"}]
    settings = kieval.Settings(reading={"unwrap": "predictions:out"})
    by_model = corpus.evaluate(kieval, rows, references, settings, group_by="model")["by_model"]
    assert {name: each["entity_f1"] for name, each in by_model.items()} == {"a": 1, "b": 0}
    given = [{**row, "meta": {"model": "c"}} for row in rows]
    assert list(corpus.evaluate(kieval, given, references, settings, group_by="model")["by_model"]) == ["c"]


def test_ids_join_rows_in_any_order() -> None:
    references = [{"doc": "a", "total": "1"}, {"doc": "b", "total": "2"}]
    predictions = [{"file": "scans/b_pred.pdf", "total": "2"}, {"file": "a_pred.pdf", "total": "1"}]
    expected = [({"total": "1"}, {"total": "1"}), ({"total": "2"}, {"total": "2"})]
    assert read(predictions, references, id_key="doc:file", strip_id=["ending", "folder", "_pred"]) == expected
    problem = refusal(predictions, references, id_key="doc:file", strip_id="_pred")
    assert problem == (
        "ids 'a' and 1 more are in the references but not in the predictions, and ids 'scans/b_pred.pdf' and 1 more "
        "are in the predictions but not in the references; if 'doc' is a field of the documents, join them by order with "
        "reading={'id_key': ''}"
    )
    close = refusal([{"id": "x/a.pdf", "total": "1"}], [{"id": "a", "total": "1"}], common_ids=True)
    assert close.endswith("; they are the same with reading={'strip_id': ['ending', 'folder']}")
    assert refusal(predictions, references, id_key="doc:nowhere") == (
        "prediction 0: no key 'nowhere', which id_key names"
    )


def test_rows_without_ids_are_joined_by_order() -> None:
    assert read([{"a": "1"}, {"a": "2"}], [{"a": "3"}, {"a": "4"}], missing="empty", ignore="b") == [
        ({"a": "1"}, {"a": "3"}),
        ({"a": "2"}, {"a": "4"}),
    ]
    assert refusal({"a": "1"}, {"a": "1"}, common_ids=True) == "common_ids needs rows with ids"
    assert refusal([{"a": "1"}], [{"a": "1"}, {"a": "2"}], missing="empty").endswith(
        "; reading={'missing': 'empty'} needs rows with ids, to know which ones are missing"
    )


def test_ids_that_differ_are_refused_without_a_join() -> None:
    rows = [{"id": 1, "total": "9"}], [{"id": 2, "total": "9"}]
    problem = "reference 0: the prediction has the id '1', the reference '2'; sort both by id"
    assert refusal(*rows, ignore="tax") == problem
    assert read(*rows, ignore="tax", id_key="") == [({"id": 1, "total": "9"}, {"id": 2, "total": "9"})]


def test_an_id_that_stands_twice_is_refused() -> None:
    rows = [{"id": 1, "total": "9"}, {"id": "1", "total": "9"}]
    assert refusal(rows, rows[:1], common_ids=True).startswith(
        "prediction 1: id '1' stands twice, first at prediction 0"
    )


@pytest.mark.parametrize(
    ("options", "values", "note"),
    [
        ({"common_ids": True}, [("1", "1")], ["1 reference is left out: its id is not in the predictions", "2 predictions are left out: their ids are not in the references"]),
        ({"common_ids": True, "missing": "empty"}, [("1", "1"), (None, "2")], ["1 reference without a prediction, scored against nothing", "2 predictions are left out: their ids are not in the references"]),
    ],
)  # fmt: skip
def test_ids_on_one_side_only(options: Any, values: Any, note: list[str]) -> None:
    references = [{"id": name, "total": value} for name, value in (("a", "1"), ("b", "2"))]
    predictions = [{"id": name, "total": value} for name, value in (("c", "3"), ("a", "1"), ("d", "4"))]
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        pairs = read(predictions, references, **options)
    assert [(predicted.get("total"), expected["total"]) for predicted, expected in pairs] == values
    assert [str(each.message) for each in caught] == note
    assert refusal(predictions, references[:1], missing="empty").endswith("; common_ids leaves these predictions out")


def test_missing_predictions_are_empty() -> None:
    references = [{"id": "a", "reference": {"total": "1"}}, {"id": "b", "reference": ["O", "B-total"]}]
    references.append({"id": "c", "reference": [["total", "9"]]})
    with pytest.warns(UserWarning, match="^3 references without a prediction, scored against nothing$"):
        pairs = read([], references, missing="empty")
    assert [predicted for predicted, _ in pairs] == [{}, {}, []]


def test_rename_and_ignore() -> None:
    prediction = {"lines": [{"desc": "Latte", "price": "3,00", "id": "7"}], "total": "9", "note": "-"}
    options = {"rename": {"lines": "menu", "lines.desc": "menu.nm"}, "ignore": ["lines.id", "note", "menu.id"]}
    assert read(prediction, {**REFERENCE, "note": "+"}, **options) == [(REFERENCE, REFERENCE)]


@pytest.mark.parametrize(
    ("prediction", "expected"),
    [
        ({"words": ["Sum", "9"], "tags": ["O", "B-sum"]}, {"words": ["Sum", "9"], "tags": ["O", "B-total"]}),
        (["B-note", "I-note", "B-sum"], ["O", "O", "B-total"]),
        ([["sum", "9"], ["note", "-"]], [["total", "9"]]),
        ([{"category": "sum", "text": "9"}], [{"category": "total", "text": "9"}]),
        ([{"label": "sum", "box": [0, 0, 9, 9]}, {"label": "note", "box": [0, 0, 9, 9]}], [{"label": "total", "box": [0, 0, 9, 9]}]),
        ({"attacks": {"none": {"sum": "9", "note": "-"}}}, {"attacks": {"none": {"total": "9"}}}),
        ([], []),
    ],
)  # fmt: skip
def test_tags_entities_boxes_and_attacked_forms_are_renamed_too(prediction: Any, expected: Any) -> None:
    assert read([prediction], [prediction], rename={"sum": "total"}, ignore="note")[0][0] == expected
    assert restructured(prediction, "reference", Reading(rename={"sum": "total"})) == prediction


def test_names_that_no_document_has_are_told() -> None:
    settings = kieval.Settings(reading={"rename": {"sum": "total", "menus": "menu"}, "ignore": ["id", "note"]})
    with pytest.warns(UserWarning, match=r"^reading: no document has 'menus' \(close: 'menu.nm'\), 'note'$"):
        corpus.evaluate(kieval, [{"sum": "9", "id": {"a": "1"}}], [REFERENCE], settings)


def test_failures_are_invalid_predictions() -> None:
    rows: list[Any] = [
        {"id": "b", "error": "timeout"},
        {"id": "a", "prediction": {"detail": "429"}},
        {"id": "c", "error": None, "out": {"total": "9"}},
    ]
    references = [{"id": name, "document": REFERENCE} for name in "abc"]
    pairs = read(rows[:2], references[:2], failures=["error", "detail"], common_ids=True)
    assert [predicted for predicted, _ in pairs] == [None, None]
    settings = kieval.Settings(reading={"failures": "error", "unwrap": "predictions:out", "common_ids": True})
    result = corpus.evaluate(kieval, [rows[0], rows[2]], references[1:], settings)
    assert (result["documents"], result["invalid_predictions"], result["true_positives"]) == (2, 1, 1)


def test_normalizers_by_a_column_of_meta(tmp_path: Path) -> None:
    table = {"country": {"DE": {"total": 'number(decimal=",")', "items.price": 'number(decimal=",")'}}}
    path = tmp_path / "by.json"
    path.write_text(json.dumps(table))
    prediction = {"total": {"value": "1.234,50", "confidence": 0.9}, "items": [{"price": "3,5"}]}
    for value in (table, str(path)):
        for country, expected in (("DE", ("1234.5", "3.5")), ("US", ("1.234,50", "3,5")), (None, ("1.234,50", "3,5"))):
            reference = {"document": {"total": ("1.234,50", "x")}, "meta": {"country": country}}
            [(predicted, _)] = read(prediction, reference, normalize_by=value)
            assert (predicted["total"]["value"], predicted["items"][0]["price"]) == expected
    [(_, expected_document)] = read(
        prediction, {"document": {"total": ("1.234,50", "x")}, "meta": {"country": "DE"}}, normalize_by=table
    )
    assert expected_document == {"total": ("1234.5", "x")}
    assert "normalize_by(country:DE:" in str(Reading(normalize_by=table))


@pytest.mark.parametrize(
    "document", [None, {}, [], "", "x", 3, {"a": None}, {"a": {}}, {"a": []}, {"": "x"}, {"a": [[]]}]
)
@pytest.mark.parametrize("side", ["prediction", "reference"])
def test_degenerate_documents_stay(document: Any, side: str) -> None:
    reading = Reading(records=RECORDS, rename={"b": "c"}, ignore="d", failures="error")
    assert restructured(document, side, reading) == document


@given(documents())
def test_identical_names_change_nothing(document: Any) -> None:
    assert renamed(document, {name: name for name in ("x", "g", "g.a", "h.sub")}) == document
    assert renamed(document, {"never": "x"}) == document
    assert changed(document, ["never"]) == document
    assert with_records(document, ["json", "pairs", "dotted", "cells"]) == document


@given(documents(), st.permutations("gh"))
def test_renamed_there_and_back(document: Any, order: list[str]) -> None:
    there = {
        "x": "x1",
        "g": "items",
        "g.a": "items.price",
        order[0] + ".sub": {"g": "items", "h": "h"}[order[0]] + ".part",
    }
    back = {new: old for old, new in there.items()}
    assert renamed(renamed(document, there), back) == document


@given(documents())
def test_what_is_ignored_is_gone(document: Any) -> None:
    rest = changed(document, ["x", "g.sub"])
    assert "x" not in rest
    assert not any("sub" in group for group in rest.get("g", ()))
    assert {key: each for key, each in rest.items() if key != "g"} == {
        key: each for key, each in document.items() if key not in ("x", "g")
    }
