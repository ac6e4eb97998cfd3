"""Label corrections: every verdict at every kind of place, the errors of a file, and random documents."""

from __future__ import annotations

import copy
import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from docie import kieval
from docie.core.errors import InputError
from docie.core.explanation import path_of
from docie.inputs.config import reading_of
from docie.inputs.files import Files
from docie.inputs.join import paired
from docie.inputs.label_corrections import LabelCorrections, corrected, with_corrections
from docie.inputs.reading import PLAIN
from docie.inputs.row import Pair
from docie.metrics.kieval.corrections import ErrorRow

from repairs import cells
from sizes import examples
from strategies import LEAVES, ONE_OFS, documents

SCORED = {"value": "12.00", "confidence": 0.9, "box": [0, 0, 9, 9]}
Change = tuple[str, str, str | None, str | None]
"""A path, a verdict, an old and a new text."""


def judged(*changes: Change, document: Any = 0) -> list[dict[str, Any]]:
    keys = ("path", "verdict", "old", "new")
    return [{"id": document, **dict(zip(keys, change, strict=True))} for change in changes]


def changed(reference: Any, *changes: Change) -> Any:
    """A reference with changes; the object that is handed over is the same as before."""
    before = copy.deepcopy(reference)
    result = corrected(reference, LabelCorrections.of(judged(*changes)).judgements)
    assert reference == before
    return result


@pytest.mark.parametrize(
    ("reference", "path", "old", "value", "both", "removed"),
    [
        ({"total": "12.00"}, "total", "12.00", {"total": "x"}, {"total": {"$any_of": ["12.00", "x"]}}, {}),
        ({"total": 12.0}, "total", "12", {"total": "x"}, {"total": {"$any_of": ["12", "x"]}}, {}),
        ({"paid": True}, "paid", "true", {"paid": "x"}, {"paid": {"$any_of": ["true", "x"]}}, {}),
        ({"t": SCORED}, "t", "12.00", {"t": {**SCORED, "value": "x"}}, {"t": {"$any_of": ["12.00", "x"]}}, {}),
        ({"t": ("9", "8")}, "t", "8", {"t": "x"}, {"t": {"$any_of": ["9", "8", "x"]}}, {}),
        ({"t": {"$any_of": ["9", "8"]}}, "t", "9", {"t": "x"}, {"t": {"$any_of": ["9", "8", "x"]}}, {}),
        ({"t": ["1", "2"]}, "t", "2", {"t": ["1", "x"]}, {"t": ["1", {"$any_of": ["2", "x"]}]}, {"t": ["1"]}),
        ({"t": [["1"], ["2"]]}, "t", "2", {"t": [["1"], ["x"]]}, {"t": [["1"], [{"$any_of": ["2", "x"]}]]}, {"t": [["1"]]}),
        ({"g": {"a": "1"}}, "g[0].a", "1", {"g": {"a": "x"}}, {"g": {"a": {"$any_of": ["1", "x"]}}}, {}),
        (
            {"g": [{}, {"a": "1", "b": "2"}]}, "g[1].a", "1",
            {"g": [{}, {"a": "x", "b": "2"}]}, {"g": [{}, {"a": {"$any_of": ["1", "x"]}, "b": "2"}]}, {"g": [{}, {"b": "2"}]},
        ),
        (
            {"g": [{"s": [{"a": "1"}, {"a": "2"}]}]}, "g[0].s.a", "2",
            {"g": [{"s": [{"a": "1"}, {"a": "x"}]}]}, {"g": [{"s": [{"a": "1"}, {"a": {"$any_of": ["2", "x"]}}]}]},
            {"g": [{"s": [{"a": "1"}]}]},
        ),
        (
            {"g": [{"g.s": {"a": "1"}, "b": None}, {"a": "2"}]}, "g[0].s.a", "1",
            {"g": [{"g.s": {"a": "x"}, "b": None}, {"a": "2"}]},
            {"g": [{"g.s": {"a": {"$any_of": ["1", "x"]}}, "b": None}, {"a": "2"}]}, {"g": [{"a": "2"}]},
        ),
    ],
)  # fmt: skip
def test_verdicts_at_all_kinds_of_places(
    reference: Any, path: str, old: str, value: Any, both: Any, removed: Any
) -> None:
    assert changed(reference, (path, "label", old, "x")) is reference
    assert changed(reference, (path, "value", old, "x")) == value
    assert changed(reference, (path, "both", old, "x")) == both
    assert changed(reference, (path, "value", old, None)) == removed


@pytest.mark.parametrize(
    ("reference", "path", "expected"),
    [
        ({}, "total", {"total": "x"}),
        ({"total": "1"}, "total", {"total": ["1", "x"]}),
        ({"total": ["1", "2"]}, "total", {"total": ["1", "2", "x"]}),
        ({"total": None}, "total", {"total": "x"}),
        ({"total": {"value": None, "confidence": 0.1}}, "total", {"total": "x"}),
        ({"total": {"a": "1"}}, "total", {"total": [{"a": "1"}, "x"]}),
        ({}, "line.total", {"line.total": "x"}),
        ({"g": {"a": "1"}}, "g[0].b", {"g": {"a": "1", "b": "x"}}),
        ({"g": [{}, {"a": "1"}]}, "g[0].a", {"g": [{"a": "x"}, {"a": "1"}]}),
        ({"g": [{"a": "1"}]}, "g[0].a", {"g": [{"a": ["1", "x"]}]}),
        ({"g": [{}]}, "g[0].s.t.a", {"g": [{"s": {"t": {"a": "x"}}}]}),
        ({"g": [{"s": {"b": "1"}}]}, "g[0].s.a", {"g": [{"s": {"b": "1", "a": "x"}}]}),
        ({"g": [{"s": {"a": "1"}}]}, "g[0].s.a", {"g": [{"s": {"a": ["1", "x"]}}]}),
        ({"g": [{"s": [{"a": "1"}, {"b": "2"}]}]}, "g[0].s.a", {"g": [{"s": [{"a": "1"}, {"b": "2", "a": "x"}]}]}),
        ({"g": [{"s": [{"a": "1"}]}]}, "g[0].s.a", {"g": [{"s": [{"a": "1"}, {"a": "x"}]}]}),
        ({"g": [{"s": "1"}]}, "g[0].s.a", {"g": [{"s": ["1", {"a": "x"}]}]}),
        ({"g": [{"s.b": "1"}]}, "g[0].s.b", {"g": [{"s.b": ["1", "x"]}]}),
        ({"g": [{"g.s": {"b": "1"}}]}, "g[0].s.a", {"g": [{"g.s": {"b": "1", "a": "x"}}]}),
        ({}, "g[+2].a", {"g": [{"a": "x"}]}),
        ({"g": None}, "g[+2].a", {"g": [{"a": "x"}]}),
        ({"g": {"a": "1"}}, "g[+0].s.a", {"g": [{"a": "1"}, {"s": {"a": "x"}}]}),
        ({"g": ["1", {}]}, "g[+0].a", {"g": ["1", {}, {"a": "x"}]}),
        ({"g": "1"}, "g[+0].a", {"g": ["1", {"a": "x"}]}),
        ({"g.h": [{"a": "1"}]}, "g.h[0].b", {"g.h": [{"a": "1", "b": "x"}]}),
    ],
)
def test_values_that_the_reference_lacks(reference: Any, path: str, expected: Any) -> None:
    assert changed(reference, (path, "label", None, "x")) is reference
    assert changed(reference, (path, "value", None, None)) is reference
    assert changed(reference, (path, "value", None, "x")) == expected


def test_values_of_a_new_group_go_together() -> None:
    reference = {"g": {"a": "1"}, "h": [{"b": "1"}]}
    changes: list[Change] = [
        ("g[+2].a", "value", None, "x"), ("h[+1].b", "value", None, "y"), ("g[+1].a", "value", None, "z"),
        ("g[+2].s.b", "value", None, "v"), ("g[+2].s.c", "value", None, "w"), ("g[+2].d", "label", None, "u"),
    ]  # fmt: skip
    assert changed(reference, *changes) == {
        "g": [{"a": "1"}, {"a": "z"}, {"a": "x", "s": {"b": "v", "c": "w"}}],
        "h": [{"b": "1"}, {"b": "y"}],
    }


def test_all_judgements_are_of_the_reference_as_it_stands() -> None:
    """Two values change places; groups keep their numbers while others are taken out."""
    assert changed({"t": ["1", "2"]}, ("t", "value", "1", "2"), ("t", "value", "2", "3"))["t"] == ["2", "3"]
    reference = {"g": [{"a": "1"}, {"a": "2"}, {"a": "3"}]}
    changes: list[Change] = [
        ("g[0].a", "value", "1", None), ("g[1].a", "value", "2", None), ("g[1].b", "value", None, "x"),
        ("g[2].a", "value", "3", "y"), ("g[+9].a", "value", None, "z"),
    ]  # fmt: skip
    assert changed(reference, *changes) == {"g": [{"b": "x"}, {"a": "y"}, {"a": "z"}]}


def test_equal_values_are_interchangeable_and_alternatives_leave_them_to_others() -> None:
    assert changed({"t": ["1", "1"]}, ("t", "value", "1", "x"), ("t", "value", "1", None)) == {"t": ["x"]}
    assert changed({"t": [("1", "2"), "1"]}, ("t", "value", "1", "x")) == {"t": [{"$any_of": ["1", "2"]}, "x"]}
    both = changed({"t": [("1", "2"), ("1", "3")]}, ("t", "value", "1", "x"), ("t", "value", "2", "y"))
    assert both == {"t": ["y", "x"]}


def test_blank_texts_are_no_values() -> None:
    assert changed({"t": "1"}, ("t", "value", "1", " ")) == {}
    assert changed({"t": " "}, ("t", "value", "", "1")) == {"t": "1"}


def refusal(given: Any, references: Any, predictions: Any = None, config: Any = None) -> str:
    with pytest.raises(ValueError, match=r"^[^\n]+$") as error:
        read(given, references, references if predictions is None else predictions, config)
    return str(error.value)


def read(given: Any, references: Any, predictions: Any, config: Any) -> list[Pair]:
    return [*Files(references, predictions, with_corrections(reading_of(config), given))]


ROW = {"id": "r-1", "path": "total", "verdict": "value", "old": "12.00", "new": "12.80"}


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("{", "changes.jsonl:2: not a JSON object (Expecting property name enclosed in double quotes: column 2)"),
        ("[1]", "changes.jsonl:2: not a JSON object: [1]"),
        ({**ROW, "verdict": "system"}, "changes.jsonl:2: verdict must be 'label' or 'value' or 'both', got 'system'"),
        ({"id": "r-1"}, "changes.jsonl:2: no key 'path'; expected id, path, verdict, old, new"),
        ({**ROW, "id": 1.5}, "changes.jsonl:2: id must be text or a whole number, got 1.5"),
        ({**ROW, "path": None}, "changes.jsonl:2: path must be text, got null"),
        ({**ROW, "old": 12}, "changes.jsonl:2: old must be text or null, got 12"),
        (
            {**ROW, "verdict": "both", "old": None},
            "changes.jsonl:2: the verdict both needs two texts, got old null and new '12.80'",
        ),
        ({**ROW, "id": "r-9"}, "changes.jsonl:2: document 'r-9' is not in the references, whose documents have ids"),
        ({**ROW, "id": 0}, "changes.jsonl:2: document 0 is not in the references, whose documents have ids"),
        ({**ROW, "path": "totl"}, "changes.jsonl:2: document 'r-1' has no value at 'totl' (close: 'total')"),
        ({**ROW, "path": "g[1].a"}, "changes.jsonl:2: document 'r-1' has no value at 'g[1].a' (close: 'g[0].a')"),
        ({**ROW, "path": "g[1].a", "old": None}, "changes.jsonl:2: document 'r-1' has no g[1], but 1 such group"),
        ({**ROW, "path": "x[0].a", "old": None}, "changes.jsonl:2: document 'r-1' has no x[0], but 0 such groups"),
        (
            {**ROW, "path": "g[0]", "old": None},
            "changes.jsonl:2: document 'r-1' has no value at 'g[0]'; expected a place such as items[0].name",
        ),
        ({**ROW, "path": "g[+1].a"}, "changes.jsonl:2: document 'r-1' has no value at 'g[+1].a' (close: 'g[0].a')"),
        (
            {**ROW, "path": "g[0].a", "old": "9"},
            "changes.jsonl:2: document 'r-1' has no '9' at g[0].a, which holds '1', '2', '3'",
        ),
        (ROW, "changes.jsonl:2: document 'r-1' has no '12.00' for another judgement at total, which holds '12.00'"),
    ],
)  # fmt: skip
def test_errors_name_the_line(line: Any, message: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    text = line if isinstance(line, str) else json.dumps(line)
    Path("changes.jsonl").write_text(f"{json.dumps({**ROW, 'verdict': 'label'})}\n{text}\n", encoding="utf-8")
    references = [{"id": "r-1", "total": "12.00", "g": {"a": ["1", ("2", "3")]}}]
    assert refusal("changes.jsonl", references) == message


def test_errors_of_rows_and_of_what_cannot_be_corrected(tmp_path: Path) -> None:
    assert refusal([ROW, 7], [{"total": "1"}]) == "corrections[1]: not a JSON object: 7"
    assert refusal(ROW, []).startswith("corrections must be a path or a list of rows, got {'id': 'r-1'")
    assert refusal("none.jsonl", []) == "none.jsonl: No such file or directory"
    numbered = judged(("total", "value", "1", "2"))
    missing = "corrections[0]: document 'r-1' is not in the references, whose documents have numbers from 0"
    assert refusal([ROW], [{"total": "12.00"}]) == missing
    for reference, got in (
        (["O", "B-total"], "tags"), ([["total", "12.00"]], "lists of entities"), ("text", "'text'"), ([], "[]"),
        ([{"label": "total", "box": [0, 0, 9, 9]}], "labelled boxes"),
        ({"words": ["12.00"], "tags": ["B-total"]}, "tagged words"),
    ):  # fmt: skip
        message = refusal(numbered, [reference, reference])
        assert message == f"references, document 0: corrections are of labels in JSON objects, got {got}", message
    wrong = {"total": {"value": "1", "confidence": 7}}
    assert "confidence must be between 0 and 1, got 7" in refusal(numbered, [wrong])
    for part in ("a", "b"):
        for side in ("references", "predictions"):
            (tmp_path / side).mkdir(exist_ok=True)
            (tmp_path / side / f"{part}.jsonl").write_text('{"total": "1"}\n{"total": "2"}\n', encoding="utf-8")
    parts = str(tmp_path / "references"), str(tmp_path / "predictions")
    assert refusal(numbered, *parts) == f"{parts[0]}: corrections go with files or rows, not with partitions"


@pytest.mark.parametrize("missing", ["drop", "empty"])
def test_documents_that_are_left_out_are_known(missing: str) -> None:
    references = [{"id": "r-1", "total": "1"}, {"id": "r-2", "total": "2"}]
    predictions = [{"id": "r-2", "total": "2"}, {"id": "r-3", "total": "3"}]
    config = {"join": {"missing": missing, "extra": "drop"}}
    rows = [
        {"id": f"r-{number}", "path": "total", "verdict": "value", "old": str(number), "new": "x"} for number in (1, 2)
    ]
    pairs = Files(references, predictions, with_corrections(reading_of(config), rows))
    assert [pair.reference.document for pair in pairs] == [{"total": "x"}] * (2 if missing == "empty" else 1)
    assert "document 'r-3' is not in the references" in refusal(
        [{**rows[0], "id": "r-3"}], references, predictions, config
    )


def test_values_are_judged_as_the_reading_shows_them() -> None:
    """After renaming and the normalizers of the reading; by the ids without what it strips."""
    config = {
        "references": {"rename": {"sum": "total"}, "strip_id": ["ending"]},
        "values": {"normalize_by": {"country": {"DE": {"total": 'number(decimal=",")'}}}},
    }
    references = [{"id": "a.pdf", "document": {"sum": "12,80"}, "meta": {"country": "DE"}}]
    rows = [{"id": "a", "path": "total", "verdict": "value", "old": "12.8", "new": "12.9"}]
    [pair] = Files(references, [{"id": "a", "total": "12,9"}], with_corrections(reading_of(config), rows))
    assert (pair.reference.document, pair.reference.uncorrected) == ({"total": "12.9"}, {"total": "12.8"})


def test_rows_in_python_are_corrected_once() -> None:
    reading = with_corrections(PLAIN, judged(("total", "value", "1", "2"), document=1))
    [first, second] = paired([{"total": "2"}] * 2, [{"total": "1"}] * 2, reading)
    assert (first.reference.document, second.reference.document) == ({"total": "1"}, {"total": "2"})
    assert [*paired([first.prediction, second.prediction], [first.reference, second.reference], reading)] == [
        first,
        second,
    ]
    assert not reading.is_plain
    assert not reading.options
    assert str(reading) == "plain"


def path_of_row(row: ErrorRow) -> str:
    return path_of(row.group_type, row.predicted_group, row.reference_group, row.entity_type)


def judgements_of(rows: list[ErrorRow], verdict: str) -> list[dict[str, Any]]:
    return [
        {"id": row.document, "path": path_of_row(row), "verdict": verdict, "old": row.reference, "new": row.prediction}
        for row in rows
    ]


REFERENCES = st.one_of(documents(ONE_OFS), documents(LEAVES), documents(st.one_of(ONE_OFS, st.none(), st.just(" "))))


@st.composite
def loosened(draw: st.DrawFn, of: st.SearchStrategy[dict[str, Any]]) -> dict[str, Any]:
    """Documents in which lists may be inside another list, and an only element without a list."""
    document = draw(of)
    for key, value in document.items():
        if isinstance(value, list):
            how = draw(st.sampled_from(["as it is", "bare", "nested"]))
            bare = value[0] if how == "bare" and len(value) == 1 else value
            document[key] = [value[:1], *value[1:]] if how == "nested" else bare
    return document


@examples(1500)
@given(documents(), loosened(REFERENCES), st.sampled_from(["optimal", "greedy"]), st.sampled_from(["ignore", "count"]))
def test_a_reference_with_all_predicted_values_is_the_prediction(
    prediction: Any, reference: Any, matching: Any, empty_groups: Any
) -> None:
    """Whoever takes every error for a wrong label has a reference that agrees with the prediction."""
    alternatives = [(cell[:3], answer) for cell in cells(reference, "reference") for answer in answers(cell[3])]
    assume(
        not has_one_of(reference) or len(alternatives) == len({*alternatives})
    )  # else a row does not say which it means
    settings = kieval.Settings(matching=matching, empty_groups=empty_groups)
    rows = kieval.error_rows(prediction, reference, settings)
    result = changed_by(reference, judgements_of(rows, "value"))
    figures = kieval.score(kieval.count(prediction, result, settings))
    assert figures["entity_f1"] == 1.0, result
    assert (figures["errors"], figures["corrections"]) == (0, 0)
    if empty_groups == "ignore":
        assert (figures["group_f1"], figures["document_accuracy"]) == (1.0, 1.0)
    assert changed_by(reference, judgements_of(rows, "label")) is reference


def changed_by(reference: Any, rows: list[dict[str, Any]]) -> Any:
    before = copy.deepcopy(reference)
    result = corrected(reference, LabelCorrections.of(rows).judgements)
    assert reference == before
    return result


def answers(value: Any) -> tuple[str, ...]:
    return value if isinstance(value, tuple) else getattr(value, "alternatives", (value,))


def has_one_of(reference: Any) -> bool:
    return any(len(answers(cell[3])) > 1 for cell in cells(reference, "reference"))


@examples(500)
@given(documents(), loosened(documents(ONE_OFS)))
def test_both_may_be_right(prediction: Any, reference: Any) -> None:
    """A reference in which substituted values have the predicted one as an alternative agrees there."""
    rows = [row for row in kieval.error_rows(prediction, reference) if row.operation == "substitution"]
    result = changed_by(reference, judgements_of(rows, "both"))
    errors = kieval.score(kieval.count(prediction, result))["errors"]
    assert errors <= kieval.score(kieval.count(prediction, reference))["errors"] - len(rows)


def test_every_wrong_line_is_an_input_error() -> None:
    with pytest.raises(InputError, match=r"corrections\[0\]: no key 'new'"):
        LabelCorrections.of([{key: ROW[key] for key in ROW if key != "new"}])
    assert LabelCorrections.of([{**{key: ROW[key] for key in ROW if key != "new"}, "verdict": "label"}]).changes == 0
