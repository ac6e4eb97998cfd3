"""LayoutLM's confidences on CORD's receipts: the guarantee on real documents, and scikit-learn's figures."""

from __future__ import annotations

import random
from statistics import mean
from typing import Any

import pytest

from docie import confidence
from docie.confidence import Values
from docie.confidence.review import average_precision

from real_documents import cord_pairs


@pytest.fixture(scope="module")
def values(cord: dict[str, list[Any]]) -> Values:
    predictions, references = zip(*cord_pairs(cord, "layoutlm"), strict=True)
    return confidence.collect(list(predictions), list(references))


def test_figures_are_those_of_scikit_learn(values: Values) -> None:
    curves, metrics = map(pytest.importorskip, ("sklearn.calibration", "sklearn.metrics"))
    assert (len(values), int(values.has_confidence.sum())) == (1291, 1291)
    for part in (values, *values.by_type().values()):
        sure, right = part.confidences, part.correct
        result = confidence.calibration(part)
        accuracies, confidences = curves.calibration_curve(right, sure, n_bins=10, strategy="quantile")
        assert [row["accuracy"] for row in result["bins"]] == pytest.approx(accuracies.tolist())
        assert [row["mean_confidence"] for row in result["bins"]] == pytest.approx(confidences.tolist())
        assert result["brier_score"] == pytest.approx(metrics.brier_score_loss(right, sure))
        if right.any():
            assert average_precision(part) == pytest.approx(metrics.average_precision_score(right, sure))


def test_the_certified_threshold_keeps_its_promise_on_the_other_half(values: Values) -> None:
    dice = random.Random(0)
    losses: dict[float, list[float]] = {0.01: [], 0.02: [], 0.05: []}
    for _ in range(200):
        order = dice.sample(range(100), 100)
        one, other = values.of_documents(order[:50]), values.of_documents(order[50:])
        for risk, found in losses.items():
            result = confidence.certified_threshold(one, risk, verify=other)
            assert (result["threshold"] is None) == (risk == 0.01), "for a risk of 0.01, 99 documents are the least"
            found.append(result["verification"]["loss"] if result["verification"] else 0.0)
    for risk, found in losses.items():
        assert mean(found) <= risk
    assert mean(losses[0.05]) > 0.02, "it is not kept by reviewing everything"
