"""Numbers are finite: 1e999 equals nothing, and is refused with its place."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import docie
from docie import anls_star, box_iou, corpus, kieval, oi_entities
from docie.adapters import llm
from docie.core.errors import DocumentError

from answers import FAMILIES
from cli_runs import lines, run

PROBLEM = "expected a number between -1.8e308 and 1.8e308, got inf"
VALUES: list[Any] = [
    1e999,
    [1, 1e999],
    {"value": 1e999, "confidence": 0.5},
    [{"value": 1e999, "confidence": None, "page": 1}],
]


@pytest.mark.parametrize("family", FAMILIES, ids=lambda family: str(family.NAME))
@pytest.mark.parametrize("value", VALUES, ids=json.dumps)
def test_documents(family: Any, value: Any) -> None:
    fine = {"shop": "x", "total": "1"}
    for name, document in (
        ("total", {**fine, "total": value}),
        ("g.total", {**fine, "g": [{"n": "1", "total": value}]}),
    ):
        for pair in ((document, fine), (fine, document), (document, document)):
            with pytest.raises(DocumentError) as raised:
                corpus.evaluate(family, [fine, pair[0]], [fine, pair[1]])
            assert str(raised.value) == f"document 1, entity '{name}': {PROBLEM}"


@pytest.mark.parametrize("alternatives", [("1", 1e999), {"$any_of": [1e999, 1]}], ids=str)
@pytest.mark.parametrize("family", FAMILIES, ids=lambda family: str(family.NAME))
def test_alternatives(family: Any, alternatives: Any) -> None:
    with pytest.raises(DocumentError, match=f"^document 0, entity 'total': {PROBLEM}$"):
        corpus.evaluate(family, [{"total": "1"}], [{"total": alternatives}])


def test_other_rows() -> None:
    with pytest.raises(DocumentError, match=f"^document 0, entity 0 of the prediction: {PROBLEM}$"):
        corpus.evaluate(oi_entities, [[["total", 1e999]]], [[["total", "1"]]])
    with pytest.raises(DocumentError, match=f"^document 0: {PROBLEM}$"):
        corpus.evaluate(anls_star, [1e999], [2e999])
    with pytest.raises(DocumentError, match="got 1.5$|got inf$"):
        corpus.evaluate(kieval, [{"a": {"value": "x", "confidence": 1e999}}], [{"a": "x"}])
    with pytest.raises(DocumentError, match="coordinates must be finite numbers"):
        corpus.evaluate(box_iou, [[{"label": "a", "box": [0, 0, 1e999, 1]}]], [[]])


def test_nan_is_absent() -> None:
    assert corpus.evaluate(kieval, [{"a": float("nan")}], [{}])["document_accuracy"] == 1.0


def test_modules() -> None:
    metric = docie.load("kieval")
    with pytest.raises(ValueError, match=f"^document 0, entity 'total': {PROBLEM}$"):
        metric.compute(predictions=[{"total": 1e999}], references=[{"total": 2e999}])


def test_files(tmp_path: Path) -> None:
    (tmp_path / "r.jsonl").write_text('{"total": 2}\n{"total": 2e999}\n')
    done = run(str(tmp_path / "r.jsonl"), lines(tmp_path / "p.jsonl", [{"total": 2}, {"total": 1}]))
    assert done.exit_code == 2
    assert done.stderr == f"{tmp_path / 'r.jsonl'}:2, entity 'total': {PROBLEM}\n"


def test_answers_of_models_keep_the_rest() -> None:
    parsed = llm.to_document('{"total": 1e999, "tax": [1, -Infinity], "shop": {"value": Infinity, "confidence": 0.9}}')
    assert parsed.document == {"tax": [1]}
    assert parsed.issues == [f"dropped '{name}', which is not a finite number" for name in ("total", "tax", "shop")]
