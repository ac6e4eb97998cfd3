"""A number is its value, in every family and by every route: Python, numpy, decimals, JSON, evaluate's modules, files."""

from __future__ import annotations

import json
from decimal import Decimal
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import docie
from docie import corpus
from docie.adapters import donut, llm
from docie.core import family
from docie.core.scores import headline_of

from cli_runs import lines, scored

FIRST = {
    **{name: headline_of(family.get(name)) for name in docie.families() if "document" in family.get(name).INPUTS},
    "oi_entities": "bag_of_entities_f1",
}
"""A figure of each family of texts that is 1.0 only if all is right."""
TWELVE = [
    12,
    12.0,
    1.2e1,
    np.int64(12),
    np.float64(12),
    np.float32(12),
    np.float16(12),
    Decimal("12"),
    Decimal("12.00"),
]
FRACTION = [0.1, np.float32(0.1), np.float16(0.1), Decimal("0.10"), 1e-1]
every_family = pytest.mark.parametrize("name", FIRST)


def row(name: str, value: Any) -> Any:
    """A row with this value, alone, in a list, in a group and with a confidence."""
    if name == "oi_entities":
        return [["a", value], {"category": "b", "text": value}]
    return {"a": value, "b": [value, "x"], "g": [{"c": value}], "d": {"value": value, "confidence": 0.5}}


@every_family
@pytest.mark.parametrize("numbers", [TWELVE, FRACTION], ids=["twelve", "fraction"])
def test_one_value_is_one_text(name: str, numbers: list[Any]) -> None:
    predictions, references = [row(name, number) for number in numbers], [row(name, numbers[0]) for _ in numbers]
    for result in (
        corpus.evaluate(family.get(name), predictions, references),
        corpus.evaluate(family.get(name), references, predictions),
        docie.load(name).compute(predictions=predictions, references=references),
        docie.load(name).compute(predictions=references, references=predictions),
    ):
        assert result[FIRST[name]] == 1.0


@every_family
def test_texts_stay_as_they_are(name: str) -> None:
    for text, is_equal in (("12", True), ("12.0", False), ("12.00", False)):
        result = corpus.evaluate(family.get(name), [row(name, text)], [row(name, 12.0)])
        assert (result[FIRST[name]] == 1.0) == is_equal


@every_family
def test_in_files(name: str, tmp_path: Path) -> None:
    references = lines(tmp_path / "r.jsonl", [row(name, 12)])
    for text in ("12.0", "1.2e1", "120e-1"):
        path = tmp_path / "p.jsonl"
        path.write_text(json.dumps(row(name, 12)).replace("12", text), encoding="utf-8")
        assert scored(str(path), references, "--metric", name)[FIRST[name]] == 1.0


def test_words_that_are_numbers() -> None:
    one, other = ({"words": [number, "x"], "tags": ["B-a", "I-a"]} for number in (12, 12.0))
    assert corpus.evaluate(family.get("oi_entities"), [one], [other])["bag_of_entities_f1"] == 1.0
    array = np.array([12.3, 0.1], dtype=np.float32)
    tags = ["B-a", "B-b"]
    result = corpus.evaluate(
        family.get("oi_entities"), [{"words": array, "tags": tags}], [{"words": ["12.3", "0.1"], "tags": tags}]
    )
    assert result["wer"] == 0.0


def test_what_adapters_write() -> None:
    assert donut.to_sequence({"a": 12.0, "b": Decimal("1.50")}) == "<s_a>12</s_a><s_b>1.5</s_b>"
    answer = llm.to_document('{"a": 12.00, "b": 1.5e0}').document
    assert answer is not None
    assert corpus.evaluate(family.get("kieval"), [answer], [{"a": 12, "b": 1.5}])["entity_f1"] == 1.0


def test_stated_marks_are_those_of_texts() -> None:
    """A number of any type has a decimal point."""
    settings = {"normalize": 'number(decimal=",")'}
    for number in (1.24, np.float32(1.24), Decimal("1.240")):
        for text, is_equal in (("1,24", True), ("1.240", False), ("1240", False)):
            result = docie.load("kieval").compute(predictions=[{"a": number}], references=[{"a": text}], **settings)
            assert result["entity_f1"] == is_equal


@every_family
def test_what_stands_for_nothing_is_absent_by_every_route(name: str) -> None:
    pandas = pytest.importorskip("pandas")
    for nothing in (float("nan"), np.float32("nan"), Decimal("NaN"), pandas.NaT, pandas.NA):
        for predictions, references in (
            ([row(name, nothing)], [row(name, None)]),
            ([row(name, None)], [row(name, nothing)]),
        ):
            assert corpus.evaluate(family.get(name), predictions, references)[FIRST[name]] == 1.0
            assert docie.load(name).compute(predictions=predictions, references=references)[FIRST[name]] == 1.0
        result = corpus.evaluate(family.get(name), [row(name, "NaN")], [row(name, nothing)])
        assert result[FIRST[name]] < 1.0
