"""What kind of input a row is."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import docie
import docie.adapters.bio
from docie import corpus, entity_f1, inputs, oi_entities
from docie.inputs import kind_of, peek
from test_cli import lines, run, scored


@pytest.mark.parametrize(
    ("reference", "kind"),
    [
        ({}, "document"),
        ({"words": ["a"], "tags": ["O"]}, "tagged words"),
        ({"words": [], "tags": []}, "tagged words"),
        ({"words": ["a"], "tags": ["O"], "page": 1}, "document"),
        ({"words": "a", "tags": ["O"]}, "document"),
        (["O", "B-a"], "tags"),
        (["B-a", "x"], "tags"),
        (["Paris", "O"], "value"),
        ([["date", "1770"]], "entities"),
        ([["date", 1770, 0.5, None]], "entities"),
        ([["date"]], "value"),
        ([[1, 2]], "value"),
        ([{"category": "date", "text": "1770"}], "entities"),
        ([{"label": "date", "box": [0, 0, 1, 1]}], "boxes"),
        ([{"label": "date"}], "boxes"),
        ([{"a": "1"}], "value"),
        ([], None),
        ("Paris", "value"),
        (None, "value"),
        (12, "value"),
    ],
)
def test_kinds(reference: Any, kind: str | None) -> None:
    assert kind_of(reference) == kind


def test_the_first_reference_that_has_a_kind_decides() -> None:
    pairs: list[Any] = [([], []), ([], [{"label": "a", "box": [0, 0, 1, 1]}]), ({}, {})]
    kind, again = peek(iter(pairs))
    assert kind == "boxes"
    assert list(again) == pairs
    assert peek([([], [])])[0] == "entities"


def test_every_kind_has_a_family_that_reads_it() -> None:
    assert inputs.KINDS.keys() == inputs.DEFAULTS.keys()
    families = {name: __import__(f"docie.{name}", fromlist=["INPUTS"]).INPUTS for name in docie.families()}
    for kind, family in inputs.DEFAULTS.items():
        assert kind in families[family] or kind == "value"  # kieval's error says what it wants
    assert {kind for kinds in families.values() for kind in kinds} == inputs.KINDS.keys()


@pytest.mark.parametrize("row", [["B-a", "O"], [{"label": "a", "box": [0, 0, 1, 1]}], [["a", "x"]]])
def test_one_line_is_a_row_by_itself(row: Any, tmp_path: Path) -> None:
    path = lines(tmp_path / "r.jsonl", [row])
    assert scored(path, path)["documents"] == 1
    (tmp_path / "r.json").write_text(Path(path).read_text())
    Path(tmp_path / "list.json").write_text(f"[{Path(path).read_text()}]")
    assert scored(str(tmp_path / "list.json"), str(tmp_path / "list.json"))["documents"] == 1


def test_a_row_with_more_than_words_and_tags_is_a_document(tmp_path: Path) -> None:
    path = lines(tmp_path / "r.jsonl", [{"id": 1, "words": ["a"], "tags": ["O"], "total": "1"}])
    assert scored(path, path)["signature"].startswith("kieval|")


def test_a_missing_prediction_of_nothing_is_no_invalid_one(tmp_path: Path) -> None:
    references = lines(tmp_path / "r.jsonl", [{"id": 1, "reference": [["a", "x"]]}, {"id": 2, "reference": []}])
    predictions = lines(tmp_path / "p.jsonl", [{"id": 1, "prediction": [["a", "x"]]}])
    done = run(references, predictions, "--missing", "empty", "--format", "json")
    assert '"invalid_predictions": 0' in done.stdout


def test_folders(tmp_path: Path) -> None:
    (tmp_path / "a.bio").write_bytes(b"\xef\xbb\xbfx B-a\n")
    assert scored(str(tmp_path), str(tmp_path))["bag_of_words_f1"] == 1.0
    assert docie.adapters.bio.read(tmp_path / "a.bio")["words"] == ["x"]
    (tmp_path / "b.json").write_text('{"total": "1"}')  # JSON files come first
    assert scored(str(tmp_path), str(tmp_path))["signature"].startswith("kieval|")


def test_tuples_and_arrays_in_modules() -> None:
    """In lists, a tuple is no choice of answers."""
    entities = [("date", "1770"), ("serie", "X1A")]
    metric = docie.load("oi_entities")
    expected = corpus.evaluate(oi_entities, [entities], [entities[::-1]])
    assert metric.compute(predictions=[entities], references=[entities[::-1]]) == expected
    assert metric.compute(predictions=[tuple(entities)], references=[tuple(entities[::-1])]) == expected
    assert metric.compute(predictions=[np.array(entities)], references=[np.array(entities[::-1])]) == expected
    tags = ("B-a", "I-a", "O")
    expected = corpus.evaluate(entity_f1, [tags], [tags])
    assert docie.load("entity_f1").compute(predictions=[tags], references=[tags]) == expected
    assert docie.load("entity_f1").compute(predictions=[np.array(tags)], references=[np.array(tags)]) == expected
    assert expected["f1"] == 1.0
