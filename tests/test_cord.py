"""The CORD test set with real predictions: figures equal those of the official implementation."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest

import docie
from docie import corpus, kieval
from docie.adapters import grouping, llm, records

GROUP_TYPES = ["menu", "sub_total", "total"]


@pytest.fixture(scope="module")
def references(cord: dict[str, list[Any]]) -> list[Any]:
    return [records.cord(record) for record in cord["references"]]


@pytest.fixture(scope="module")
def qwen(cord: dict[str, list[Any]]) -> list[Any]:
    return [records.cord_names(llm.to_document(row["prediction"]).document) for row in cord["qwen"]]


def layoutlm(cord: dict[str, list[Any]], group: Any) -> list[Any]:
    return [
        group(
            [
                grouping.Entity(word["label"], word["text"], word["confidence"], word["line_item"])
                for word in row["words"]
            ],
            GROUP_TYPES,
        )
        for row in cord["layoutlm"]
    ]


def test_qwen_equals_the_official_implementation(references: list[Any], qwen: list[Any]) -> None:
    expected = {
        "entity_f1": 0.770684, "entity_precision": 0.757801, "entity_recall": 0.784012, "aligned": 0.698630,
        "substitutions": 167, "additions": 114, "deletions": 159, "corrections": 440, "errors": 607,
        "group_f1": 0.565820, "document_accuracy": 0.13, "documents": 100, "invalid_predictions": 0,
    }  # fmt: skip
    result = corpus.evaluate(kieval, qwen, references)
    assert {name: round(result[name], 6) for name in expected} == expected
    # the official reading of `{}`: a group without entities
    result = corpus.evaluate(kieval, qwen, references, kieval.Settings(empty_groups="count"))
    assert round(result["group_f1"], 6) == 0.561283
    assert result["document_accuracy"] == 0.10


def test_qwen_through_evaluate(references: list[Any], qwen: list[Any]) -> None:
    metric = docie.load("kieval")
    assert metric.compute(predictions=qwen, references=references) == corpus.evaluate(kieval, qwen, references)


@pytest.mark.parametrize(
    ("group", "entity_f1", "aligned", "group_f1", "document_accuracy"),
    [
        (grouping.by_group_id, 0.803241, 0.693076, 0.564460, 0.32),
        (grouping.slot_filling, 0.851080, 0.765441, 0.699429, 0.44),
    ],
    ids=["line numbers", "slot filling"],
)
def test_layoutlm_and_its_automation_curve(
    cord: dict[str, list[Any]],
    references: list[Any],
    group: Any,
    entity_f1: float,
    aligned: float,
    group_f1: float,
    document_accuracy: float,
) -> None:
    """These figures are our own, recorded in November 2026; nobody has published others."""
    predictions = layoutlm(cord, group)
    result = corpus.evaluate(kieval, predictions, references, kieval.Settings(thresholds=[0, 0.5, 0.9, 1.1]))
    found = [round(result[name], 6) for name in ("entity_f1", "aligned", "group_f1", "document_accuracy")]
    assert found == [entity_f1, aligned, group_f1, document_accuracy]
    curve = kieval.automation_curve(predictions, references)
    assert curve.aligned[0] == result["aligned"] == result["automation"][0]["aligned"]
    assert (np.diff(curve.aligned) >= 0).all()
    assert len(curve.thresholds) > 1000
    assert (curve.automation_rates[0], curve.automation_rates[-1]) == (1.0, 0.0)
    for row in result["automation"]:
        place = min(np.searchsorted(curve.thresholds, row["threshold"]), len(curve.thresholds) - 1)
        assert (row["aligned"], row["automation_rate"]) == (curve.aligned[place], curve.automation_rates[place])


def test_every_word_is_scored_once(cord: dict[str, list[Any]]) -> None:
    words = sum(len(row["words"]) for row in cord["layoutlm"])
    for group in (grouping.by_group_id, grouping.slot_filling):
        counts = corpus.count(kieval, layoutlm(cord, group), [{}] * 100)
        assert kieval.score(counts)["false_positives"] == words


def test_entity_types_are_the_annotations_categories(cord: dict[str, list[Any]], references: list[Any]) -> None:
    counts = corpus.count(kieval, references, references)
    annotation = {
        line["category"] for row in cord["references"] for line in json.loads(row["ground_truth"])["valid_line"]
    }
    assert set(kieval.breakdown(counts)["per_entity"]) == annotation
