"""How rows are read where references and predictions were written differently: each option, alone."""

from __future__ import annotations

import contextlib
import json
import warnings
from pathlib import Path
from typing import Any

import pytest
from configured import entries
from hypothesis import given
from hypothesis import strategies as st

from docie import corpus, kieval
from docie.core.errors import DocumentError
from docie.documents.renaming import changed, renamed
from docie.inputs.config import reading_of
from docie.inputs.join import paired
from docie.inputs.reading import RECORDS, Reading, Side
from docie.inputs.records import with_records
from docie.inputs.row import Row
from docie.inputs.shapes import Shape

from strategies import documents

REFERENCE: Any = {"total": "9", "menu": [{"nm": "Latte", "price": "3,00"}]}


def read(prediction: Any, reference: Any = REFERENCE, *, config: Any = None) -> list[tuple[Any, Any]]:
    """The documents of rows: of one on each side, or of lists."""
    predictions = prediction if isinstance(prediction, list) else [prediction]
    references = reference if isinstance(reference, list) else [reference]
    pairs = paired(predictions, references, reading_of(config))
    return [(predicted.document, expected.document) for predicted, expected in pairs]


def refusal(prediction: Any, reference: Any = REFERENCE, *, config: Any = None) -> str:
    with pytest.raises(ValueError, match=r"^[^\n]+$") as error:
        read(prediction, reference, config=config)
    return str(error.value)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (
            {"rename": "total"},
            "[{}] rename must be OLD=NEW, a mapping of such names, a JSON or YAML file with one, or names of a",
        ),
        ({"rename": {"total": ""}}, "[{}] rename must map names to names, got 'total='"),
        ({"rename": 3}, "[{}] rename must be a text or a list of texts, got 3"),
        ({"ignore": [3]}, "[{}] ignore must be a text or a list of texts, got [3]"),
        (
            {"records": ["lines"]},
            "[{}] records must be json, tables, pairs, paths, dotted, numbered, columns, cells, rows or the name of a data set, got 'lines'",
        ),
        ({"id": 7}, "[{}] id must be text, got 7"),
        ({"unwrap": ["a"]}, "[{}] unwrap must be text, got ['a']"),
        ({"renames": "a=b"}, "no key 'renames' (close: 'rename') in [{}]"),
    ],
)
def test_wrong_values_of_a_side_are_refused(options: Any, message: str) -> None:
    for side in ("references", "predictions"):
        with pytest.raises(ValueError, match=r"^[^\n]+$") as error:
            corpus.evaluate(kieval, [], [], config={side: options})
        assert str(error.value).startswith(f"config: {message.format(side)}")


@pytest.mark.parametrize(
    ("config", "message"),
    [
        ({"join": {"missing": "skip"}}, "config: [join] missing must be 'error' or 'empty' or 'drop', got 'skip'"),
        ("join.missing=skip", "join.missing=skip: [join] missing must be 'error' or 'empty' or 'drop', got 'skip'"),
        ({"join": {"extra": "empty"}}, "config: [join] extra must be 'error' or 'drop', got 'empty'"),
        ({"values": {"normalize_by": {"a": {}, "b": {}}}}, "config: [values] normalize_by must map one column to"),
        (
            {"values": {"normalize_by": {"country": {"DE": {"total": "up"}}}}},
            "config: [values] normalize_by: unknown normalizer 'up', expected one of",
        ),
        (
            {"values": {"normalize_by": "nowhere.json"}},
            "config: [values] normalize_by: nowhere.json: No such file or directory",
        ),
        (
            {"rename": "a=b"},
            "config: the key 'rename' stands in no section; it is one of [references] or [predictions]",
        ),
        ({"predictions": "a=b"}, "config: [predictions] must be a table of keys, got 'a=b'"),
        ("ids", "ids: No such file or directory; an entry is KEY=VALUE, such as predictions.unwrap=output"),
        (3, "config must be a path, a mapping or a list of these, got 3"),
        ([3], "config must be a path, a mapping or a list of these, got 3"),
    ],
)
def test_wrong_values_are_refused(config: Any, message: str) -> None:
    for make in (reading_of, lambda value: corpus.evaluate(kieval, [], [], config=value)):
        with pytest.raises(ValueError, match=r"^[^\n]+$") as error:
            make(config)
        assert str(error.value).startswith(message)


def test_a_reading_without_options_is_none() -> None:
    plain = corpus.evaluate(kieval, [REFERENCE], [REFERENCE])
    configs: list[Any] = [{}, [], reading_of(None), {"version": 1}, {"predictions": {}}, {"predictions": {"id": None}}]
    for config in configs:
        assert corpus.evaluate(kieval, [REFERENCE], [REFERENCE], config=config) == plain


def test_unwrap() -> None:
    inner = json.dumps({"data": REFERENCE})
    for row in ({"output": {"data": REFERENCE}, "model": "m"}, {"output": inner}, json.dumps({"output": inner})):
        assert read(row, config="predictions.unwrap=output.data") == [(REFERENCE, REFERENCE)]
    both = {"out": REFERENCE}
    assert read(both, both, config=entries("unwrap=out")) == [(REFERENCE, REFERENCE)]
    truth = {"image": "a.png", "ground_truth": json.dumps({"gt_parse": REFERENCE, "meta": {"version": 2}})}
    assert read(REFERENCE, truth, config="references.unwrap=ground_truth") == [(REFERENCE, REFERENCE)]
    assert read({"out": None}, config="predictions.unwrap=out") == [(None, REFERENCE)]
    assert read({"out": "Sorry."}, config="predictions.unwrap=out") == [("Sorry.", REFERENCE)]


def test_a_path_that_is_missing_names_the_row_and_its_keys() -> None:
    problem = refusal([{"out": {}}, {"text": {}, "model": "m"}], [REFERENCE] * 2, config="predictions.unwrap=out")
    assert problem == "document 1: no key 'out', which predictions.unwrap names; the row has 'text', 'model'"
    problem = refusal([{"text": {}}, {"out": {}}], [REFERENCE] * 2, config="predictions.unwrap=out")
    assert problem.startswith("document 0: ")
    assert (
        refusal(REFERENCE, ["{}"], config="references.unwrap=out")
        == "document 0: no key 'out', which references.unwrap names; the row has "
    )
    assert (
        refusal(3, config="predictions.unwrap=out") == "document 0: no key 'out', which predictions.unwrap names; got 3"
    )


def test_a_single_row_may_hold_a_list_of_rows() -> None:
    rows = {"documents": [{"id": "b", "document": {"total": "1"}}, {"id": "a", "total": "2"}], "version": 3}
    references = [{"id": "a", "total": "2"}, {"id": "b", "total": "1"}]
    pairs = read(rows, references, config=["predictions.unwrap=documents", "join.missing=drop", "join.extra=drop"])
    assert pairs == [({"total": "2"}, {"total": "2"}), ({"total": "1"}, {"total": "1"})]
    entities = [["total", "9"]]
    assert read({"entities": entities}, {"entities": entities}, config=entries("unwrap=entities")) == [
        (entities, entities)
    ]
    assert read({"rows": []}, [], config="predictions.unwrap=rows") == []


def test_the_columns_beside_a_document_are_its_meta() -> None:
    rows: list[Any] = [
        {"out": {"total": "1"}, "model": "a", "latency": 0.5, "usage": {}},
        {"out": {"total": "2"}, "model": "b"},
    ]
    references = [{"total": "1"}, {"total": "1"}]
    reading = "predictions.unwrap=out"
    by_model = corpus.evaluate(kieval, rows, references, config=reading, group_by="model")["by_model"]
    assert {name: each["entity_f1"] for name, each in by_model.items()} == {"a": 1, "b": 0}
    given = [{**row, "meta": {"model": "c"}} for row in rows]
    assert list(corpus.evaluate(kieval, given, references, config=reading, group_by="model")["by_model"]) == ["c"]


def test_ids_join_rows_in_any_order() -> None:
    references = [{"doc": "a", "total": "1"}, {"doc": "b", "total": "2"}]
    predictions = [{"file": "scans/b_pred.pdf", "total": "2"}, {"file": "a_pred.pdf", "total": "1"}]
    expected = [({"total": "1"}, {"total": "1"}), ({"total": "2"}, {"total": "2"})]
    assert (
        read(
            predictions,
            references,
            config=entries("references.id=doc", "predictions.id=file", 'strip_id=["ending", "folder", "_pred"]'),
        )
        == expected
    )
    problem = refusal(
        predictions, references, config=entries("references.id=doc", "predictions.id=file", "strip_id=_pred")
    )
    assert problem == (
        "ids 'a' and 1 more are in the references but not in the predictions, and ids 'scans/b_pred.pdf' and 1 more "
        "are in the predictions but not in the references; if 'doc' is a field of the documents, join them by order with "
        "config=['references.id=\"\"', 'predictions.id=\"\"']"
    )
    close = refusal(
        [{"id": "x/a.pdf", "total": "1"}], [{"id": "a", "total": "1"}], config=["join.missing=drop", "join.extra=drop"]
    )
    assert close.endswith(
        '; they are the same with config=[\'references.strip_id=["ending", "folder"]\', \'predictions.strip_id=["ending", "folder"]\']'
    )
    assert refusal(predictions, references, config=["references.id=doc", "predictions.id=nowhere"]) == (
        "predictions, document 0: no key 'nowhere', which predictions.id names"
    )


def test_rows_without_ids_are_joined_by_order() -> None:
    assert read(
        [{"a": "1"}, {"a": "2"}], [{"a": "3"}, {"a": "4"}], config=entries("join.missing=empty", "ignore=b")
    ) == [
        ({"a": "1"}, {"a": "3"}),
        ({"a": "2"}, {"a": "4"}),
    ]
    assert (
        refusal({"a": "1"}, {"a": "1"}, config=["join.missing=drop", "join.extra=drop"])
        == "config='join.missing=drop' needs rows with ids"
    )
    assert refusal([{"a": "1"}], [{"a": "1"}, {"a": "2"}], config="join.missing=empty").endswith(
        "; config='join.missing=empty' needs rows with ids, to know which ones are missing"
    )


def test_ids_that_differ_are_refused_without_a_join() -> None:
    rows = [{"id": 1, "total": "9"}], [{"id": 2, "total": "9"}]
    assert read(*rows, config=entries("ignore=tax")) == [
        ({"id": 1, "total": "9"}, {"id": 2, "total": "9"})
    ]  # a field is no id here
    wrapped = [[{"id": row["id"], "document": {"total": "9"}}] for [row] in rows]
    problem = "document 0: the prediction has the id '1', the reference '2'; sort both by id"
    assert refusal(*wrapped, config=entries("ignore=tax")) == problem


def test_an_id_that_stands_twice_is_refused() -> None:
    rows = [{"id": 1, "total": "9"}, {"id": "1", "total": "9"}]
    assert refusal(rows, rows[:1], config=["join.missing=drop", "join.extra=drop"]).startswith(
        "predictions, document 1: id '1' stands twice, first at predictions, document 0"
    )


@pytest.mark.parametrize(
    ("options", "values", "note"),
    [
        ({"missing": "drop", "extra": "drop"}, [("1", "1")], ["1 reference is left out: its id is not in the predictions", "2 predictions are left out: their ids are not in the references"]),
        ({"missing": "empty", "extra": "drop"}, [("1", "1"), (None, "2")], ["1 reference without a prediction, scored against nothing", "2 predictions are left out: their ids are not in the references"]),
    ],
)  # fmt: skip
def test_ids_on_one_side_only(options: Any, values: Any, note: list[str]) -> None:
    references = [{"id": name, "total": value} for name, value in (("a", "1"), ("b", "2"))]
    predictions = [{"id": name, "total": value} for name, value in (("c", "3"), ("a", "1"), ("d", "4"))]
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        pairs = read(predictions, references, config={"join": options})
    assert [(predicted.get("total"), expected["total"]) for predicted, expected in pairs] == values
    assert [str(each.message) for each in caught] == note
    assert refusal(predictions, references[:1], config="join.missing=empty").endswith(
        "; config='join.extra=drop' leaves these predictions out"
    )


def test_missing_predictions_are_empty() -> None:
    references = [{"id": "a", "reference": {"total": "1"}}, {"id": "b", "reference": ["O", "B-total"]}]
    references.append({"id": "c", "reference": [["total", "9"]]})
    with pytest.warns(UserWarning, match="^3 references without a prediction, scored against nothing$"):
        pairs = read([], references, config="join.missing=empty")
    assert [predicted for predicted, _ in pairs] == [{}, {}, []]


def test_rename_and_ignore() -> None:
    prediction = {"lines": [{"desc": "Latte", "price": "3,00", "id": "7"}], "total": "9", "note": "-"}
    ignored = ["lines.id", "note", "menu.id"]
    config = {
        "references": {"ignore": ignored},
        "predictions": {"rename": {"lines": "menu", "lines.desc": "menu.nm"}, "ignore": ignored},
    }
    assert read(prediction, {**REFERENCE, "note": "+"}, config=config) == [(REFERENCE, REFERENCE)]


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
    assert (
        read([prediction], [prediction], config=entries("ignore=note", "predictions.rename.sum=total"))[0][0]
        == expected
    )


def test_names_that_no_document_has_are_told() -> None:
    reading = entries('ignore=["id", "note"]', "predictions.rename.sum=total", "predictions.rename.menus=menu")
    with pytest.warns(UserWarning, match=r"^(rename: no document has 'menus' \(close: 'menu.nm'\)|ignore: no document has 'note')$") as caught:  # fmt: skip
        corpus.evaluate(kieval, [{"sum": "9", "id": {"a": "1"}}], [REFERENCE], config=reading)
    assert len(caught) == 2


def test_failures_are_invalid_predictions() -> None:
    rows: list[Any] = [
        {"id": "b", "error": "timeout"},
        {"id": "a", "prediction": {"detail": "429"}},
        {"id": "c", "error": None, "out": {"total": "9"}},
    ]
    references = [{"id": name, "document": REFERENCE} for name in "abc"]
    pairs = read(
        rows[:2],
        references[:2],
        config=['predictions.failures=["error", "detail"]', "join.missing=drop", "join.extra=drop"],
    )
    assert [predicted for predicted, _ in pairs] == [None, None]
    reading = ["predictions.failures=error", "predictions.unwrap=out", "join.missing=drop", "join.extra=drop"]
    result = corpus.evaluate(kieval, [rows[0], rows[2]], references[1:], config=reading)
    assert (result["documents"], result["invalid_predictions"], result["true_positives"]) == (2, 1, 1)


def test_normalizers_by_a_column_of_meta(tmp_path: Path) -> None:
    table = {"country": {"DE": {"total": 'number(decimal=",")', "items.price": 'number(decimal=",")'}}}
    path = tmp_path / "by.json"
    path.write_text(json.dumps(table))
    prediction = {"total": {"value": "1.234,50", "confidence": 0.9}, "items": [{"price": "3,5"}]}
    for value in (table, str(path)):
        for country, expected in (("DE", ("1234.5", "3.5")), ("US", ("1.234,50", "3,5")), (None, ("1.234,50", "3,5"))):
            reference = {"document": {"total": ("1.234,50", "x")}, "meta": {"country": country}}
            [(predicted, _)] = read(prediction, reference, config={"values": {"normalize_by": value}})
            assert (predicted["total"]["value"], predicted["items"][0]["price"]) == expected
    [(_, expected_document)] = read(
        prediction,
        {"document": {"total": ("1.234,50", "x")}, "meta": {"country": "DE"}},
        config={"values": {"normalize_by": table}},
    )
    assert expected_document == {"total": ("1234.5", "x")}
    assert "normalize_by(country:DE:" in str(Reading(normalize_by=table))


@pytest.mark.parametrize(
    "document", [None, {}, [], "", "x", 3, {"a": None}, {"a": {}}, {"a": []}, {"": "x"}, {"a": [[]]}]
)
@pytest.mark.parametrize("side", ["prediction", "reference"])
def test_degenerate_documents_stay(document: Any, side: str) -> None:
    shape = Shape(side, Side(records=RECORDS, rename={"b": "c"}, ignore="d", failures="error"))
    assert shape.of(Row(document)).document == document


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


def lists(levels: int) -> Any:
    value: Any = "x"
    for _ in range(levels):
        value = [value]
    return value


CYCLE: dict[str, Any] = {"x": "1"}
CYCLE |= {"a": CYCLE, "b": [CYCLE]}
TEXTS = '"x"'
for _ in range(3):
    TEXTS = json.dumps("[" * 99 + TEXTS + "]" * 99)
TOO_DEEP = {
    "a cycle": CYCLE,
    "lists": {"a": lists(5_000)},
    "dotted keys": {"a." * 5_000 + "a": "1"},
    "texts in texts": {"a": json.loads(TEXTS)},
}
READINGS = [{"rename": "b=a"}, {"ignore": ["b"]}, *({"records": [each], "rename": "b=a"} for each in RECORDS)]


@pytest.mark.parametrize("name", TOO_DEEP)
@pytest.mark.parametrize("options", READINGS, ids=str)
def test_no_reading_needs_more_than_the_stack(options: dict[str, Any], name: str) -> None:
    document = TOO_DEEP[name]
    config = {"references": {k: each for k, each in options.items() if k != "rename"}, "predictions": options}
    kind = {"dotted keys": "dotted", "texts in texts": "json"}.get(name)  # what makes it deep
    is_deep = kind is None or kind in options.get("records", ())
    for pair in ((document, {"a": "1"}), ({"a": "1"}, document)):
        with pytest.raises(DocumentError, match="nested more") if is_deep else contextlib.suppress(ValueError):
            corpus.evaluate(kieval, [pair[0]], [pair[1]], config=config)
