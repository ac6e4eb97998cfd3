"""Entity F1 under the keys of evaluate's module seqeval: its figures, its shape, and nothing else changed."""

from __future__ import annotations

import inspect
import json
from pathlib import Path
from typing import Any

import pytest

import docie
from docie import corpus, entity_f1
from docie.metrics.entity_f1.metric import seqeval_keys

GOLDEN = json.loads((Path(__file__).parents[1] / "golden" / "seqeval_keys.json").read_text(encoding="utf-8"))
TAGS: dict[str, Any] = {"predictions": GOLDEN["predictions"], "references": GOLDEN["references"]}


@pytest.mark.parametrize(
    ("mode", "options"), [("default", {}), ("default", {"scheme": "IOB2"}), ("strict IOB2", {"scheme": "IOB2", "strict": True})]
)  # fmt: skip
def test_figures_are_those_of_evaluates_seqeval(mode: str, options: dict[str, Any]) -> None:
    results = docie.load("entity_f1").compute(**TAGS, **options, keys="seqeval")
    for key, value in GOLDEN[mode].items():
        assert results[key] == pytest.approx(value, abs=1e-12), key
    assert results.keys() - GOLDEN[mode].keys() == {"f1_macro", "documents", "invalid_predictions", "signature"}
    assert [type(number) for number in results["item"].values()] == [float, float, float, int]


def test_the_option_changes_keys_and_nothing_else() -> None:
    metric = docie.load("entity_f1", keys="seqeval")
    renamed = metric.compute(**TAGS, breakdown=True, confidence_level=0.9)
    plain = metric.compute(**TAGS, breakdown=True, confidence_level=0.9, keys=None)
    for name in ("precision", "recall", "f1", "accuracy"):
        assert renamed[f"overall_{name}"] == plain[name]
        assert renamed[f"overall_{name}_interval"] == plain[f"{name}_interval"]
    for name in ("f1_macro", "f1_macro_interval", "per_document", "signature", "documents"):
        assert renamed[name] == plain[name]
    assert "per_document" not in metric.compute(**TAGS)
    without_evaluate = seqeval_keys(corpus.evaluate(entity_f1, **TAGS, breakdown=True))
    assert without_evaluate["overall_f1"] == renamed["overall_f1"]


def test_it_is_an_option_of_this_family_only() -> None:
    assert inspect.signature(docie.load("entity_f1").compute).parameters["keys"].default is None
    with pytest.raises(ValueError, match="^unknown option 'keys', expected one of: "):
        docie.load("kieval", keys="seqeval")
    for keys in ("nervaluate", True, ["seqeval"]):
        with pytest.raises(ValueError, match="^keys must be 'seqeval', got "):
            docie.load("entity_f1", keys=keys)
    metric = docie.load("entity_f1")
    metric.add(prediction=["B-a"], reference=["B-a"])
    with pytest.raises(ValueError, match="^keys must be 'seqeval', got 'x'"):
        metric.compute(keys="x")
    assert metric.compute(keys="seqeval")["a"] == {"precision": 1.0, "recall": 1.0, "f1": 1.0, "number": 1}


def test_documents_and_nothing() -> None:
    metric = docie.load("entity_f1", keys="seqeval")
    results = metric.compute(predictions=[{"total": "9"}], references=[{"total": "8"}])
    assert (results["overall_f1"], results["total"]["number"], "overall_accuracy" in results) == (0.0, 1, False)
    assert metric.compute(predictions=[["O"]], references=[["O"]])["overall_f1"] == 1.0


def test_an_entity_type_must_not_have_the_name_of_a_figure() -> None:
    metric = docie.load("entity_f1", keys="seqeval")
    with pytest.raises(ValueError, match="^an entity type has the name of a score, 'documents': leave out keys="):
        metric.compute(predictions=[["B-documents"]], references=[["B-documents"]])
