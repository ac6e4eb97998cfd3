"""Properties of KIEval, and a slow textbook KIEval beside the fast one, on random documents full of ties."""

from __future__ import annotations

import random
from typing import Any
from unittest import mock

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from docie import corpus, kieval
from docie.core.counts import Counts, Outcomes
from docie.metrics.kieval import matching

import oracle
from sizes import examples
from strategies import LEAVES, ONE_OFS, documents, shuffled

THRESHOLDS = (0.0, 0.25, 0.3, 0.75, 1.0, 1.5)
ALL = kieval.Settings(thresholds=THRESHOLDS)
PAIRS = st.lists(st.tuples(documents(), documents()), max_size=6)


def full(pairs: list[tuple[Any, Any]], settings: kieval.Settings = ALL) -> dict[str, Any]:
    return corpus.evaluate(kieval, [p for p, _ in pairs], [r for _, r in pairs], settings, breakdown=True)


@pytest.mark.parametrize("small", [matching.SMALL, 0], ids=["one by one", "as arrays"])
@given(prediction=documents(), reference=documents(ONE_OFS) | documents())
@examples(1500)
def test_agrees_with_the_textbook(small: int, prediction: Any, reference: Any) -> None:
    expected = oracle.totals(prediction, reference)
    with mock.patch.object(matching, "SMALL", small):
        result = kieval.score(kieval.count(prediction, reference))
    names = ["true_positives", "false_positives", "false_negatives", "substitutions"]
    assert [result[name] for name in names] == [*expected[:4]]
    groups = kieval.count(prediction, reference).total("group", Outcomes)
    assert groups == Outcomes(*expected[4:7])
    assert result["document_accuracy"] == expected.correct


@given(prediction=documents(), reference=documents(ONE_OFS) | documents(), seed=st.integers(0, 999))
@examples(2000, 150)
def test_order_changes_no_figure(prediction: Any, reference: Any, seed: int) -> None:
    rng = random.Random(seed)
    other = shuffled(prediction, rng), shuffled(reference, rng)
    assert full([(prediction, reference)]) == full([other])
    settings = kieval.Settings(matching="optimal", empty_groups="count", thresholds=THRESHOLDS)
    assert full([(prediction, reference)], settings) == full([other], settings)


@given(pairs=PAIRS, cut=st.lists(st.integers(0, 2), min_size=6, max_size=6))
@examples(300)
def test_merging_any_split_gives_the_whole(pairs: list[tuple[Any, Any]], cut: list[int]) -> None:
    parts = [[pair for pair, part in zip(pairs, cut, strict=False) if part == number] for number in range(3)]
    counts = [corpus.count(kieval, [p for p, _ in part], [r for _, r in part], ALL) for part in parts]
    merged = counts[0] + corpus.Partial.from_json(counts[1].to_json()) + counts[2]
    expected = full(pairs)
    expected.pop("per_document")
    assert corpus.results(merged, breakdown=True) == expected


@given(document=documents())
@examples(500)
def test_a_document_is_its_own_perfect_prediction(document: Any) -> None:
    result = kieval.score(kieval.count(document, document))
    for name in ("entity_f1", "entity_f1_macro", "group_f1", "aligned", "document_accuracy"):
        assert result[name] == 1.0
    assert result["errors"] == result["corrections"] == 0


@given(prediction=documents(), reference=documents())
@examples(500)
def test_counts_add_up(prediction: Any, reference: Any) -> None:
    result = full([(prediction, reference)])
    assert result["corrections"] == result["substitutions"] + result["additions"] + result["deletions"]
    assert result["errors"] == result["corrections"] + result["substitutions"]
    for name in ("true_positives", "errors", "corrections"):
        assert sum(row[name] for row in result["per_entity"].values()) == result[name]
    assert {**result, **result["per_document"][0]} == result


@given(prediction=documents(), reference=documents())
@examples(500)
def test_swapping_the_sides_swaps_precision_and_recall(prediction: Any, reference: Any) -> None:
    one = kieval.score(kieval.count(prediction, reference))
    other = kieval.score(kieval.count(reference, prediction))
    assert (one["entity_precision"], one["group_recall"]) == (other["entity_recall"], other["group_precision"])
    assert (one["additions"], one["entity_f1"]) == (other["deletions"], other["entity_f1"])


@given(pairs=PAIRS)
@examples(500)
def test_the_automation_curve(pairs: list[tuple[Any, Any]]) -> None:
    result = full(pairs)
    curve = kieval.automation_curve([p for p, _ in pairs], [r for _, r in pairs])
    assert curve.thresholds[0] == 0.0
    assert curve.aligned[0] == result["aligned"]
    assert (np.diff(curve.aligned) >= 0).all()
    assert (np.diff(curve.automation_rates) <= 0).all()
    assert (np.diff(curve.thresholds) > 0).all()
    for row in result.get("automation", []):
        place = min(np.searchsorted(curve.thresholds, row["threshold"]), len(curve.thresholds) - 1)
        assert row["aligned"] == curve.aligned[place]
        assert row["automation_rate"] == curve.automation_rates[place]


@given(pairs=st.lists(st.tuples(documents(LEAVES), documents()), min_size=1, max_size=5))
@examples(300)
def test_straight_through_documents(pairs: list[tuple[Any, Any]]) -> None:
    for row in full(pairs)["automation"]:
        through = [pair for pair in pairs if min(_confidences(pair[0]), default=-1.0) >= row["threshold"]]
        right = [pair for pair in through if oracle.totals(*pair).correct]
        assert row["straight_through_rate"] == len(through) / len(pairs)
        assert row["straight_through_accuracy"] == (len(right) / len(through) if through else 0.0)


def _confidences(value: Any) -> list[float]:
    """The confidences of all values of a document; -1 for a value without one, which no threshold accepts."""
    if isinstance(value, dict):
        if set(value) == {"value", "confidence"}:
            return [value["confidence"]]
        return [found for child in value.values() for found in _confidences(child)]
    return [found for child in value for found in _confidences(child)] if isinstance(value, list) else [-1.0]


def test_an_empty_corpus() -> None:
    result = full([])
    assert result["entity_f1"] == result["document_accuracy"] == 1.0
    assert result["documents"] == 0
    assert kieval.score(Counts())["aligned"] == 1.0
