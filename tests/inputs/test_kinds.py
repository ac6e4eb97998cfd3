"""What kind of input a row is."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import docie
import docie.adapters.bio
from docie import corpus, entity_f1, oi_entities
from docie.core.family import get
from docie.core.scores import headline_of
from docie.inputs.kinds import INPUT_KINDS, input_kind_of, peek_input_kind
from docie.inputs.row import Pair, Row
from docie.questions.asking import DEFAULT_FAMILIES

from checkout import ROOT
from cli_runs import lines, run, scored


@pytest.mark.parametrize(
    ("reference", "kind"),
    [
        ({}, "document"),
        ({"words": ["a"], "tags": ["O"]}, "tagged words"),
        ({"words": [], "tags": []}, "tagged words"),
        ({"words": ["a"], "tags": ["O"], "page": 1}, "tagged words"),
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
        ([{"label": "date", "text": "1770"}], "value"),
        ([{"label": "date", "quad": [0, 0, 1, 0, 1, 1, 0, 1]}], "boxes"),
        ([["B-a", "O"], ["O"]], "value"),
        ([["B-a", "Paris"]], "entities"),
        ([{"a": "1"}], "value"),
        ([], None),
        ("Paris", "value"),
        (None, "value"),
        (12, "value"),
    ],
)
def test_kinds(reference: Any, kind: str | None) -> None:
    assert input_kind_of(reference) == kind


def test_the_first_reference_that_has_a_kind_decides() -> None:
    boxes = [{"label": "a", "box": [0, 0, 1, 1]}]
    pairs = [Pair(Row(one), Row(other)) for one, other in (([], []), ([], boxes), ({}, {}))]
    kind, again = peek_input_kind(iter(pairs))
    assert kind == "boxes"
    assert list(again) == pairs
    assert peek_input_kind([Pair(Row([]), Row([]))])[0] == "entities"


def test_every_kind_has_a_family_that_reads_it() -> None:
    assert INPUT_KINDS.keys() == DEFAULT_FAMILIES.keys()
    families = {name: __import__(f"docie.metrics.{name}", fromlist=["INPUTS"]).INPUTS for name in docie.families()}
    for kind, family in DEFAULT_FAMILIES.items():
        assert kind in families[family] or kind == "value"  # kieval's error says what it wants
    assert {kind for kinds in families.values() for kind in kinds} == INPUT_KINDS.keys()


def test_pages_name_the_family_of_each_kind() -> None:
    inputs = (ROOT / "docs" / "inputs.md").read_text(encoding="utf-8")
    table = inputs.partition("| the file holds | metric |\n")[2].partition("\n\n")[0]
    shown = {kind: f"| {INPUT_KINDS[kind]} | `{family}` |" for kind, family in DEFAULT_FAMILIES.items()}
    del shown["value"]  # any JSON value: --metric must say which
    assert sorted(table.splitlines()[1:]) == sorted(shown.values())
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    [row] = [line for line in readme.splitlines() if "tagged words" in line and line.startswith("|")]
    assert f"(metrics/{DEFAULT_FAMILIES['tagged words']}/README.md)" in row


def test_the_readme_names_the_headline_of_each_family() -> None:
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    for family in docie.families():
        [row] = [line for line in readme.splitlines() if line.startswith("|") and f"(metrics/{family}/" in line]
        assert re.findall(r"`(\w+)`", row.rpartition(" | ")[2])[0] == headline_of(get(family))


@pytest.mark.parametrize("row", [["B-a", "O"], [{"label": "a", "box": [0, 0, 1, 1]}], [["a", "x"], ["b", "y"]]])
def test_a_page_is_a_row_wherever_it_stands(row: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Alone on a line, alone in a file of any name, on standard input, or in a list of pages."""
    text = json.dumps(row)
    expected = scored(lines(tmp_path / "r.jsonl", [row]), lines(tmp_path / "r.jsonl", [row]))
    assert expected["documents"] == 1
    for name, content in (
        ("r.json", text),
        ("pretty.json", json.dumps(row, indent=1)),
        ("r", text),
        ("list.json", f"[{text}]"),
    ):
        (tmp_path / name).write_text(content)
        assert scored(str(tmp_path / name), str(tmp_path / name)) == expected
    done = run(str(tmp_path / "r.jsonl"), "-", "--format", "json", stdin=text + "\n")
    assert list(json.loads(done.stdout).values()) == [expected]
    two = lines(tmp_path / "two.jsonl", [row, row])
    assert scored(two, two)["documents"] == 2


def test_a_row_of_nothing_against_one_of_something(tmp_path: Path) -> None:
    references, predictions = lines(tmp_path / "r.jsonl", [[["a", "x"]]]), lines(tmp_path / "p.jsonl", [[]])
    assert scored(references, predictions)["oi_ecer"] == 1.0
    assert scored(predictions, references)["oi_ecer"] == 1.0


def test_a_list_of_answers_is_a_list_of_rows_for_the_family_of_any_values(tmp_path: Path) -> None:
    (tmp_path / "r.json").write_text('["O", "B-x", "Paris"]')
    path = str(tmp_path / "r.json")
    assert scored(path, path, "--metric", "anls_star")["documents"] == 3


def test_a_row_may_have_more_than_words_and_tags(tmp_path: Path) -> None:
    path = lines(tmp_path / "r.jsonl", [{"id": 1, "words": ["a"], "tags": ["O"], "page": 1}])
    assert scored(path, path)["signature"].startswith("entity_f1|")


def test_a_missing_prediction_of_nothing_is_no_invalid_one(tmp_path: Path) -> None:
    references = lines(tmp_path / "r.jsonl", [{"id": 1, "reference": [["a", "x"]]}, {"id": 2, "reference": []}])
    predictions = lines(tmp_path / "p.jsonl", [{"id": 1, "prediction": [["a", "x"]]}])
    done = run(references, predictions, "--config", "join.missing=empty", "--format", "json")
    assert '"invalid_predictions": 0' in done.stdout


def test_folders(tmp_path: Path) -> None:
    (tmp_path / "a.bio").write_bytes(b"\xef\xbb\xbfx B-a\n")
    assert scored(str(tmp_path), str(tmp_path))["f1"] == 1.0
    assert docie.adapters.bio.read(tmp_path / "a.bio")["words"] == ["x"]
    for name in ("a.bio", "A.CONLL"):  # alone, and in capitals
        (tmp_path / name).write_bytes(b"x B-a\n")
        assert scored(str(tmp_path / name), str(tmp_path / "a.bio"))["documents"] == 1
    (tmp_path / "A.CONLL").unlink()
    (tmp_path / "b.json").write_text('{"total": "1"}')
    assert (
        run(str(tmp_path), str(tmp_path)).stderr
        == f"{tmp_path}: holds both documents (b.json) and tagged words (a.bio)\n"
    )
    (tmp_path / "a.bio").rename(tmp_path / "notes.txt")  # which may be anything
    result = run(str(tmp_path), str(tmp_path))
    assert "kieval|" in result.stdout
    assert result.stderr == f"warning: {tmp_path}: not read: notes.txt\n"


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
