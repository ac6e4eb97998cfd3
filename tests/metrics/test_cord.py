"""Real receipts and invoices with real predictions: figures equal those of the official implementations."""

from __future__ import annotations

import json
import warnings
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import docie
from docie import anls_star, corpus, entity_f1, hed, kieval, text_match
from docie.adapters import llm, records

from json_lines import read_lines
from real_documents import layoutlm


@pytest.fixture(scope="module")
def references(cord: dict[str, list[Any]]) -> list[Any]:
    return [records.cord(record) for record in cord["references"]]


@pytest.fixture(scope="module")
def qwen(cord: dict[str, list[Any]]) -> list[Any]:
    return [records.cord_names(llm.to_document(row["prediction"]).document) for row in cord["qwen"]]


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
    ("lines", "entity_f1", "aligned", "group_f1", "document_accuracy"),
    [
        (True, 0.803241, 0.693076, 0.564460, 0.32),
        (False, 0.851080, 0.765441, 0.699429, 0.44),
    ],
    ids=["line numbers", "slot filling"],
)
def test_layoutlm_and_its_automation_curve(
    cord: dict[str, list[Any]],
    references: list[Any],
    lines: bool,
    entity_f1: float,
    aligned: float,
    group_f1: float,
    document_accuracy: float,
) -> None:
    """No figures are published to compare with; these guard against change."""
    predictions = layoutlm(cord, lines=lines)
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
    for lines in (True, False):
        counts = corpus.count(kieval, layoutlm(cord, lines=lines), [{}] * 100).counts
        assert kieval.score(counts)["false_positives"] == words


def test_entity_types_are_the_annotations_categories(cord: dict[str, list[Any]], references: list[Any]) -> None:
    counts = corpus.count(kieval, references, references).counts
    annotation = {
        line["category"] for row in cord["references"] for line in json.loads(row["ground_truth"])["valid_line"]
    }
    assert set(kieval.breakdown(counts)["per_entity"]) == annotation


def test_entity_f1_is_donuts_field_f1(references: list[Any], qwen: list[Any]) -> None:
    """0.770684 by Donut's own evaluation; on this data groups have no say in KIEval's entity F1 either."""
    assert round(corpus.evaluate(entity_f1, qwen, references)["f1"], 6) == 0.770684


def test_anls_star_equals_the_reference_package(references: list[Any], qwen: list[Any]) -> None:
    package = pytest.importorskip("anls_star", reason="the reference package anls-star is not installed")
    result = corpus.evaluate(anls_star, qwen, references, breakdown=True)
    differ = 0
    for row, prediction, reference in zip(result["per_document"], qwen, references, strict=True):
        invented = {key for key, value in prediction.items() if value == {} and key not in reference}
        differ += bool(invented)  # there a predicted key without a value counts against the prediction
        others = {key: value for key, value in prediction.items() if key not in invented}
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            expected = package.anls_score(reference, others)
        assert row["anls_star"] == pytest.approx(expected, abs=1e-12)
    assert differ == 7


@pytest.fixture(scope="module")
def line_items(data: Path) -> tuple[list[Any], list[Any]]:
    """DeepCPCFG's line items of CORD's test set, and the reference's."""
    folder = data / "cord-test"
    predictions, references = (
        [row["document"] for row in read_lines(folder / f"line-items-{name}.jsonl")]
        for name in ("deepcpcfg", "references")
    )
    return predictions, references


def test_hed_and_uhed_equal_the_published_figures(line_items: tuple[list[Any], list[Any]]) -> None:
    """DI-Metrics, table 2: HED .96 .97 .97; UHED .97 .98 .97, with line items without a counterpart ignored."""
    expected = {
        ("hed", "count"): (0.9648, 0.9672, 0.9677),
        ("uhed", "ignore"): (0.9744, 0.9793, 0.9725),
        ("uhed", "count"): (0.9657, 0.9682, 0.9685),
    }
    results = {
        "count": corpus.evaluate(hed, *line_items),
        "ignore": corpus.evaluate(hed, *line_items, hed.Settings(unmatched="ignore")),
    }
    for (metric, unmatched), figures in expected.items():
        result = results[unmatched]
        assert tuple(round(result[f"{metric}_{name}"], 4) for name in ("f1", "precision", "recall")) == figures


def test_hed_of_layoutlms_line_items(cord: dict[str, list[Any]], line_items: tuple[list[Any], list[Any]]) -> None:
    """DI-Metrics prints HED .89 .88 .91 and UHED .92 .92 .94; grouping and choice of fields are published in part.

    These figures are those of the fields that the line items have, grouped by the predicted line numbers.
    """
    names = {"menu.nm": "MenuNm", "menu.cnt": "MenuCnt", "menu.unitprice": "MenuUnitprice", "menu.price": "MenuPrice"}
    predictions = []
    for row in cord["layoutlm"]:
        items: dict[Any, dict[str, list[str]]] = {}
        total = [word["text"] for word in row["words"] if word["psl_label"] == "total.total_price"]
        for word in row["words"]:
            if word["psl_label"] in names:
                item = items.setdefault(word["line_item"], {})
                item.setdefault(names[word["psl_label"]], []).append(word["text"])
        predictions.append({"LineItem": list(items.values()), "TotalPrice": total})
    result = corpus.evaluate(hed, predictions, line_items[1], hed.Settings(unmatched="ignore"))
    found = {
        metric: [round(result[f"{metric}_{name}"], 4) for name in ("f1", "precision", "recall")]
        for metric in ("hed", "uhed")
    }
    assert found == {"hed": [0.8836, 0.8726, 0.9107], "uhed": [0.9188, 0.9133, 0.9409]}


def test_hed_of_every_invoice_equals_the_authors_counts(data: Path) -> None:
    folder = data / "deepcpcfg-invoices"
    lines = (folder / "hed_counts.tsv").read_text(encoding="utf-8").splitlines()[1:]
    expected = {identity: tuple(map(int, counts)) for identity, *counts in (line.split("\t") for line in lines)}
    found = {
        row["id"]: (total.true_positives, total.false_positives, total.false_negatives)
        for row in read_lines(folder / "invoices.jsonl")
        for total in [hed.count(row["prediction"], row["annotation"]).total("hed", hed.metric.Field)]
    }
    assert found == expected
    assert len(found) == 869


def test_text_match_sees_uheds_characters(line_items: tuple[list[Any], list[Any]]) -> None:
    fields = corpus.count(text_match, *line_items).counts.total("field", text_match.metric.Fields)
    uhed = corpus.count(hed, *line_items).counts.total("uhed", hed.metric.Field)
    assert fields.lcs_length == uhed.true_positives
    assert fields.lcs_distance == uhed.false_positives + uhed.false_negatives
