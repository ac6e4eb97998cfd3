"""Figures of confidence: slow textbook versions, scikit-learn, the guarantee itself, and what has no figure."""

from __future__ import annotations

import json
import math
from fractions import Fraction
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from docie import confidence, corpus, kieval
from docie.confidence import Values
from docie.confidence.review import average_precision, coverage_at_precision
from docie.confidence.summary import summarize
from docie.core.errors import DocumentError

from sizes import examples
from strategies import ONE_OFS, documents

Value = tuple[float | None, bool]
"""A confidence, and whether the value is right."""
Rows = list[list[Value]]
"""The values of documents."""
CONFIDENCES = st.sampled_from([0.0, 0.25, 0.3, 0.5, 0.7, 0.75, 1.0])
SURE = st.lists(st.lists(st.tuples(CONFIDENCES, st.booleans()), max_size=4), min_size=1, max_size=6)
ROWS = st.lists(st.lists(st.tuples(st.none() | CONFIDENCES, st.booleans()), max_size=4), min_size=1, max_size=6)
RISKS = st.sampled_from([0.05, 0.1, 0.2, 0.25, 0.3, 0.5, 0.9])


def pair_of(row: list[Value]) -> tuple[dict[str, Any], dict[str, Any]]:
    """A prediction and a reference that give these values."""
    leaves = [{"value": str(number), "confidence": sure} for number, (sure, _) in enumerate(row)]
    return {"a": leaves}, {
        "a": [str(number) if is_correct else f"-{number}" for number, (_, is_correct) in enumerate(row)]
    }


def values_of(rows: Rows) -> Values:
    """These values, judged. At least one of them has a confidence, or there are none."""
    pairs = list(map(pair_of, rows))
    return confidence.collect([prediction for prediction, _ in pairs], [reference for _, reference in pairs])


def usable(rows: Rows) -> bool:
    return not any(rows) or any(sure is not None for row in rows for sure, _ in row)


def level(sure: float | None) -> float:
    return math.inf if sure is None else sure


def loss_of(row: list[Value], threshold: float) -> Fraction:
    """The loss of a document as it is defined: wrong values that go unseen / predicted values."""
    wrong = [not is_correct and level(sure) >= threshold for sure, is_correct in row]
    return Fraction(sum(wrong), len(row)) if row else Fraction(0)


def all_thresholds(rows: Rows) -> list[float]:
    """Every threshold that could matter, and more."""
    known = {sure for row in rows for sure, _ in row if sure is not None}
    return sorted({0.0, *known, *(math.nextafter(sure, math.inf) for sure in known)})


@examples(300)
@given(ROWS.filter(usable), RISKS)
def test_the_certified_threshold_is_the_lowest_that_the_bound_allows(rows: Rows, risk: float) -> None:
    result = confidence.certified_threshold(values_of(rows), risk)
    allowed, n = Fraction(str(risk)), len(rows)
    bounds = {
        each: (sum((loss_of(row, each) for row in rows), Fraction(0)) + 1) / (n + 1) for each in all_thresholds(rows)
    }
    assert all(high >= low for high, low in pairwise(bounds.values())), "the loss never rises"
    expected = next((each for each, bound in bounds.items() if bound <= allowed), None)
    assert result["threshold"] == expected
    assert result["documents"] == n
    if expected is None:
        assert result["bound"] == float(min(bounds.values()))
        assert (result["coverage"] is None, result["loss"] is None) == (True, True)
        assert ("too few" in result["reason"]) == (allowed * (n + 1) < 1)
    else:
        assert result["reason"] is None
        assert result["bound"] == float(bounds[expected])
        assert result["loss"] == float(sum((loss_of(row, expected) for row in rows), Fraction(0)) / n)


@examples(300)
@given(SURE, RISKS)
def test_the_guarantee(rows: Rows, risk: float) -> None:
    """Of exchangeable documents any one may be the new one: on average over these, its loss is at most the risk.

    This is the theorem itself, without chance. Where no threshold is certified, all is reviewed.
    """
    losses = []
    for number, row in enumerate(rows):
        others = rows[:number] + rows[number + 1 :]
        threshold = confidence.certified_threshold(values_of(others), risk)["threshold"]
        losses.append(Fraction(0) if threshold is None else loss_of(row, threshold))
    assert sum(losses) / len(losses) <= Fraction(str(risk))


@examples(300)
@given(ROWS.filter(usable), st.sampled_from([0.0, 0.5, 0.6, 2 / 3, 0.75, 0.9, 1.0]))
def test_risk_coverage_and_coverage_at_precision(rows: Rows, precision: float) -> None:
    values, every = values_of(rows), [value for row in rows for value in row]
    curve = confidence.risk_coverage(values)
    points = list(zip(*curve.values(), strict=True))
    assert list(curve) == ["thresholds", "coverage", "error_rate"]
    seen = set()
    for threshold, coverage, error_rate in points:
        unseen = [is_correct for sure, is_correct in every if level(sure) >= threshold]
        assert coverage == (len(unseen) / len(every) if every else 1.0)
        assert error_rate == (unseen.count(False) / len(unseen) if unseen else 0.0)
        seen.add(len(unseen))
        found = confidence.at_threshold(values, threshold)
        assert (found["unseen"], found["incorrect"]) == (len(unseen), unseen.count(False))
        assert found["precision"] == (unseen.count(True) / len(unseen) if unseen else None)
        assert found["loss"] == float(sum((loss_of(row, threshold) for row in rows), Fraction(0)) / len(rows))
    assert all(low < high for low, high in pairwise(curve["thresholds"]))
    expected = {sum(level(sure) >= each for sure, _ in every) for each in all_thresholds(rows)}
    assert seen == expected, "no point is left out"
    enough = [row for row in points if row[1] > 0 and every and 1 - row[2] >= precision - 1e-12]
    best = coverage_at_precision(values, precision)
    if enough:
        assert (best["threshold"], best["coverage"]) == enough[0][:2], "the largest coverage"
        assert best["precision"] >= precision
    else:
        assert best == {
            "required_precision": precision, "threshold": None, "coverage": 0.0, "unseen": 0, "precision": None,
        }  # fmt: skip


@examples(200)
@given(ROWS.filter(usable), st.sampled_from([0.0, 0.05, 0.1, 0.29, 0.5, 0.7, 1.0]))
def test_errors_caught(rows: Rows, budget: float) -> None:
    values = values_of(rows)
    known = sorted((sure, is_correct) for row in rows for sure, is_correct in row if sure is not None)
    total, wrong = len(values), sum(not is_correct for row in rows for _, is_correct in row)
    left = reviewed = min(math.floor(Fraction(str(budget)) * total), len(known))
    caught = Fraction(0)
    for each in sorted({sure for sure, _ in known}):  # of equally sure values any are as likely to be taken
        equal = [is_correct for sure, is_correct in known if sure == each]
        taken = min(left, len(equal))
        caught += Fraction(taken * equal.count(False), len(equal))
        left -= taken
    [row] = confidence.errors_caught(values, [budget])
    assert (row["budget"], row["reviewed"]) == (budget, reviewed)
    assert row["errors_caught"] == pytest.approx(float(caught))
    assert row["share_caught"] == pytest.approx(float(caught / wrong) if wrong else 1.0)


def test_a_budget_is_the_share_that_was_written() -> None:
    values = values_of([[(number / 100, True) for number in range(100)]])
    assert 0.29 * 100 < 29
    assert [row["reviewed"] for row in confidence.errors_caught(values, [0.29, 0.07])] == [29, 7]


@examples(300)
@given(SURE.filter(any), st.integers(1, 12))
def test_calibration_and_average_precision_are_those_of_scikit_learn(rows: Rows, bins: int) -> None:
    values = values_of(rows)
    sure, right = [[value[side] for row in rows for value in row] for side in (0, 1)]
    result = confidence.calibration(values, bins=bins)
    curves, metrics = map(pytest.importorskip, ("sklearn.calibration", "sklearn.metrics"))
    accuracies, confidences = curves.calibration_curve(right, sure, n_bins=bins, strategy="quantile")
    assert [row["accuracy"] for row in result["bins"]] == pytest.approx(accuracies.tolist())
    assert [row["mean_confidence"] for row in result["bins"]] == pytest.approx(confidences.tolist())
    assert result["brier_score"] == pytest.approx(metrics.brier_score_loss(right, sure, pos_label=True))
    assert sum(row["values"] for row in result["bins"]) == result["values"] == len(right)
    assert all(row["highest"] < other["lowest"] for row, other in pairwise(result["bins"])), "equal ones share a bin"
    gaps = [row["values"] * abs(row["accuracy"] - row["mean_confidence"]) for row in result["bins"]]
    assert result["expected_calibration_error"] == pytest.approx(sum(gaps) / len(right))
    if any(right):
        assert average_precision(values) == pytest.approx(metrics.average_precision_score(right, sure))


@examples(100)
@given(ROWS.filter(usable).filter(any))
def test_values_without_a_confidence_come_first_and_say_nothing(rows: Rows) -> None:
    values = values_of(rows)
    every = [value for row in rows for value in row]
    if any(is_correct for _, is_correct in every):
        ranks = [2.0 if sure is None else sure for sure, _ in every]
        metrics = pytest.importorskip("sklearn.metrics")
        expected = metrics.average_precision_score([is_correct for _, is_correct in every], ranks)
        assert average_precision(values) == pytest.approx(expected)
    with_one = values_of([[value for value in row if value[0] is not None] for row in rows])
    assert confidence.calibration(values) == confidence.calibration(with_one)


@examples(100)
@given(st.lists(st.tuples(documents(), documents(ONE_OFS)), min_size=1, max_size=4))
def test_values_are_judged_as_kieval_counts_them(pairs: list[tuple[Any, Any]]) -> None:
    predictions, references = map(list, zip(*pairs, strict=True))
    figures = corpus.evaluate(kieval, predictions, references, breakdown=True)
    predicted = figures["true_positives"] + figures["false_positives"]
    curve = kieval.automation_curve(predictions, references)
    if predicted and len(curve.thresholds) == 1:
        with pytest.raises(ValueError, match=r"^no prediction has a confidence"):
            confidence.collect(predictions, references)
        return
    values = confidence.collect(predictions, references)
    assert len(values) == predicted
    assert int(values.correct.sum()) == figures["true_positives"]
    for name, part in values.by_type().items():
        row = figures["per_entity"][name]
        assert (len(part), int(part.correct.sum())) == (
            row["true_positives"] + row["false_positives"],
            row["true_positives"],
        )
        assert part.documents == values.documents == len(pairs)
    for threshold, rate in zip(curve.thresholds.tolist(), curve.automation_rates.tolist(), strict=True):
        found = confidence.at_threshold(values, threshold)
        assert found["coverage"] == pytest.approx(rate)
        wrong = [row for row in corpus.errors(predictions, references) if row.prediction is not None]
        assert found["incorrect"] == sum(row.confidence is None or row.confidence >= threshold for row in wrong)


@examples(100)
@given(ROWS.filter(usable), ROWS.filter(usable), st.randoms(use_true_random=False))
def test_parts_add_up_and_no_order_matters(one: Rows, other: Rows, rng: Any) -> None:
    def figures(values: Values) -> dict[str, Any]:
        return {**summarize(values, risk=0.3, breakdown=True), **confidence.risk_coverage(values)}

    whole = values_of([*one, *other])
    assert figures(values_of(one) + values_of(other)) == figures(whole)
    shuffled = [rng.sample(row, len(row)) for row in rng.sample([*one, *other], len(one) + len(other))]
    assert figures(values_of(shuffled)) == figures(whole)
    assert json.loads(json.dumps(figures(whole), allow_nan=False)) == figures(whole)


def test_types_of_parts_keep_their_names() -> None:
    leaf = {"value": "1", "confidence": 0.5}
    one = confidence.collect([{"a": leaf, "b": leaf}], [{"a": "1"}])
    other = confidence.collect([{"c": leaf, "b": leaf}], [{"b": "1"}])
    values = one + other
    assert {name: (part.correct.tolist(), part.sizes.tolist()) for name, part in values.by_type().items()} == {
        "a": ([True], [1, 0]), "b": ([False, True], [1, 1]), "c": ([False], [0, 1]),
    }  # fmt: skip
    with pytest.raises(ValueError, match=r"^no predicted value has the type 'x'$"):
        values.of_type("x")
    assert [*values.of_documents([1]).by_type()] == ["b", "c"]
    normalized = confidence.collect([{"a": leaf}], [{"a": "1"}], kieval.Settings(normalize="number"))
    with pytest.raises(ValueError, match=r"^cannot add values judged as 'kieval\|.*number.*' to values judged as "):
        values + normalized


def test_some_documents() -> None:
    rows: Rows = [[(0.1, True)], [], [(0.2, False), (None, True)], [(0.4, True)]]
    part = values_of(rows).of_documents([2, 1])
    assert (sorted(part.confidences.tolist()), part.sizes.tolist()) == ([0.2, math.inf], [0, 2])
    assert values_of(rows).of_documents([]).documents == 0
    with pytest.raises(IndexError):
        values_of(rows).of_documents([4])


@pytest.mark.parametrize("threshold", [math.nan, 90, -0.1, 1.01, "0.5", None])
def test_thresholds_that_no_confidence_could_have(threshold: Any) -> None:
    values = values_of([[(1.0, True)]])
    with pytest.raises(ValueError, match="^threshold must be between 0 and 1, got "):
        confidence.at_threshold(values, threshold)
    assert confidence.at_threshold(values, math.nextafter(1, 2))["unseen"] == 0, "all is reviewed"


def test_a_rare_type_is_certified_on_the_documents_that_have_it() -> None:
    """Ninety documents without a value lose nothing: they do not certify ten of which every value is wrong."""
    wrong = {"a": {"value": "9", "confidence": 0.9}}
    predictions, references = [wrong] * 10 + [{}] * 90, [{"a": "1"}] * 100
    values = confidence.collect(predictions, references)
    assert confidence.certified_threshold(values, 0.2)["coverage"] == 1.0, "of all documents, a tenth is wrong"
    results = summarize(values, risk=0.2, breakdown=True, verify=values)
    found = results["per_entity"]["a"]["certified_threshold"]
    assert (found["documents"], found["coverage"], found["loss"]) == (10, 0.0, 0.0)
    assert found["verification"]["documents"] == 10
    assert results["certified_threshold"]["documents"] == 100
    few = confidence.collect(predictions[8:], references[8:])
    reason = summarize(few, risk=0.2, breakdown=True)["per_entity"]["a"]["certified_threshold"]["reason"]
    assert reason == "2 documents are too few: a risk of 0.2 needs at least 4"


def test_the_loss_of_a_type_is_that_of_its_values() -> None:
    wrong, right = {"value": "9", "confidence": 0.5}, {"value": "1", "confidence": 0.9}
    values = confidence.collect([{"a": [right, wrong], "b": right}, {"b": right}], [{"a": "1", "b": "1"}, {"b": "1"}])
    assert confidence.at_threshold(values, 0.5)["loss"] == pytest.approx(1 / 3 / 2)
    assert confidence.at_threshold(values.of_type("a"), 0.5)["loss"] == pytest.approx(1 / 2 / 2)
    assert confidence.at_threshold(values.of_type("b"), 0.5)["loss"] == 0.0


@examples(200)
@given(st.lists(st.floats(0, 1), min_size=1, max_size=5))
def test_the_shortest_threshold_leaves_the_same_values_unseen(confidences: list[float]) -> None:
    values = values_of([[(sure, True) for sure in confidences]])
    for threshold in confidence.risk_coverage(values)["thresholds"]:
        short = confidence.shortest_threshold(values, threshold)
        assert ((values.confidences >= short) == (values.confidences >= threshold)).all()
        assert len(repr(short)) <= len(repr(threshold)) or "e" in repr(threshold)


@pytest.mark.parametrize(
    ("confidences", "threshold", "short"),
    [
        ([0.25, 0.5], 0.5, 0.3),
        ([0.912, 0.934], math.nextafter(0.912, 1), 0.92),
        ([0.9957, 0.9958], 0.9958, 0.9958),
        ([0.5, 1.0], math.nextafter(1.0, 2), 1.1),
        ([0.5, 0.93], math.nextafter(0.93, 2), 1.0),
        ([0.3, 0.98], 0.98, 0.4),
    ],
)
def test_short_thresholds(confidences: list[float], threshold: float, short: float) -> None:
    assert confidence.shortest_threshold(values_of([[(sure, True) for sure in confidences]]), threshold) == short


def test_exactly_the_risk_is_allowed() -> None:
    rows: Rows = [[(0.5, True)] for _ in range(9)]
    assert confidence.certified_threshold(values_of(rows), 0.1)["threshold"] == 0.0  # (0 + 1) / 10
    assert confidence.certified_threshold(values_of(rows[1:]), 0.1)["threshold"] is None
    third: Rows = [[(0.5, False), (0.6, True), (0.7, True)]]
    thirds = third * 3 + [[]] * 16  # (3 · 1/3 + 1) / 20
    assert confidence.certified_threshold(values_of(thirds), 0.1)["threshold"] == 0.0
    assert confidence.certified_threshold(values_of(thirds[:-1]), 0.1)["threshold"] == math.nextafter(0.5, 1)


def test_why_there_is_no_certified_threshold() -> None:
    sure: Rows = [[(0.5, True)]]
    for rows, reason in (
        (sure, "1 document is too few: a risk of 0.01 needs at least 99"),
        (sure * 98, "98 documents are too few: a risk of 0.01 needs at least 99"),
        (
            sure * 98 + [[(None, False)]] * 2,
            "values without a confidence are never reviewed, and too many of them are incorrect: the lowest bound is 0.0297",
        ),
    ):
        result = confidence.certified_threshold(values_of(rows), 0.01, verify=values_of(sure))
        assert (result["threshold"], result["coverage"], result["loss"]) == (None, None, None)
        assert result["verification"] is None
        assert result["reason"] == reason
    assert confidence.certified_threshold(values_of(sure * 99), 0.01)["coverage"] == 1.0


def test_verification_is_on_the_other_documents() -> None:
    calibration = values_of([[(0.5, False), (0.8, True)]] * 10)
    other = values_of([[(0.4, False), (0.9, False), (0.7, True)], []])
    result = confidence.certified_threshold(calibration, 0.2, verify=other)
    assert result["threshold"] == math.nextafter(0.5, 1)
    assert result["verification"] == {
        "threshold": result["threshold"], "documents": 2, "values": 3, "unseen": 2, "incorrect": 1,
        "coverage": 2 / 3, "precision": 0.5, "loss": 1 / 6, "error_rate_interval": [0.0, 1.0],
    }  # fmt: skip
    summary = summarize(calibration, risk=0.2, verify=other, breakdown=True)
    assert summary["certified_threshold"] == result
    assert summary["coverage_at_precision"]["verification"]["incorrect"] == 1
    of_type = confidence.certified_threshold(calibration, 0.2, verify=other.with_values())
    assert summary["per_entity"]["a"]["certified_threshold"] == of_type
    assert of_type["verification"]["loss"] == 1 / 3, "one of the two documents has no value"
    unlike = confidence.collect([{"b": {"value": "1", "confidence": 1}}], [{}])
    without = summarize(calibration, risk=0.2, verify=unlike, breakdown=True)["per_entity"]["a"]
    assert without["certified_threshold"]["verification"]["values"] == 0, "the other documents have no such type"


@pytest.mark.parametrize("rows", [[], [[]], [[], []]])
def test_nothing_predicted(rows: Rows) -> None:
    values = values_of(rows)
    assert (len(values), values.documents) == (0, len(rows))
    assert confidence.risk_coverage(values) == {"thresholds": [0.0], "coverage": [1.0], "error_rate": [0.0]}
    assert average_precision(values) is None
    assert coverage_at_precision(values)["threshold"] is None
    assert confidence.calibration(values) == {
        "values": 0, "mean_confidence": None, "accuracy": None, "expected_calibration_error": None, "brier_score": None,
        "bins": [],
    }  # fmt: skip
    assert confidence.errors_caught(values, [0.5]) == [
        {"budget": 0.5, "reviewed": 0, "errors_caught": 0.0, "share_caught": 1.0}
    ]
    assert confidence.certified_threshold(values, 0.5)["threshold"] == (0.0 if rows else None)


def test_all_right_and_all_wrong() -> None:
    right, wrong = values_of([[(0.5, True), (0.9, True)]] * 9), values_of([[(0.5, False), (0.9, False)]] * 9)
    assert coverage_at_precision(right)["coverage"] == 1.0
    assert confidence.certified_threshold(right, 0.1)["threshold"] == 0.0
    assert average_precision(right) == 1.0
    assert coverage_at_precision(wrong)["threshold"] is None
    assert confidence.certified_threshold(wrong, 0.1)["threshold"] == math.nextafter(0.9, 1)
    assert confidence.certified_threshold(wrong, 0.1)["coverage"] == 0.0
    assert average_precision(wrong) == 0.0
    assert confidence.errors_caught(wrong, [0.5])[0]["share_caught"] == 0.5


def test_equal_confidences_go_together() -> None:
    values = values_of([[(0.9, True), (0.9, False), (0.9, True), (0.9, True)]])
    assert confidence.risk_coverage(values)["coverage"] == [1.0, 0.0]
    assert len(confidence.calibration(values)["bins"]) == 1
    assert confidence.errors_caught(values, [0.5])[0]["errors_caught"] == 0.5


def test_no_confidence_at_all_is_an_error() -> None:
    with pytest.raises(
        ValueError, match=r"^no prediction has a confidence, so there is nothing to choose a threshold by"
    ):
        confidence.collect([{"a": "1"}, {}], [{"a": "1"}, {}])
    with pytest.raises(DocumentError, match=r"^document 1, entity 'a': confidence must be between 0 and 1, got 2$"):
        confidence.collect([{}, {"a": {"value": "1", "confidence": 2}}], [{}, {}])
    with pytest.raises(ValueError, match=r"^expected as many predictions as references, got 1 and 2$"):
        confidence.collect([{}], [{}, {}])


def test_wrong_options() -> None:
    values = values_of([[(0.5, True)]])
    wrong: Any
    for wrong, call in (
        ("precision must be between 0 and 1, got 99", lambda: coverage_at_precision(values, 99)),
        ("precision must be between 0 and 1, got None", lambda: coverage_at_precision(values, None)),  # type: ignore[arg-type]
        ("risk must be above 0 and below 1, got 0", lambda: confidence.certified_threshold(values, 0)),
        ("risk must be above 0 and below 1, got 1", lambda: confidence.certified_threshold(values, 1)),
        ("risk must be between 0 and 1, got nan", lambda: confidence.certified_threshold(values, math.nan)),
        ("budgets must be between 0 and 1, got 10", lambda: confidence.errors_caught(values, [10])),
        ("budgets must be a list of numbers between 0 and 1, got 0.1", lambda: confidence.errors_caught(values, 0.1)),  # type: ignore[arg-type]
        ("bins must be a whole number of at least 1, got 0", lambda: confidence.calibration(values, bins=0)),
    ):
        with pytest.raises(ValueError, match="^" + wrong + "$"):
            call()


def test_options_as_numpy_has_them() -> None:
    values = values_of([[(0.5, True)]] * 9)
    assert confidence.certified_threshold(values, np.float64(0.1))["threshold"] == 0.0
    assert type(confidence.certified_threshold(values, np.float64(0.1))["risk"]) is float


@pytest.mark.exhaustive
def test_processes_give_the_same() -> None:
    pairs = [pair_of([(number % 7 / 7, number % 3 > 0), (None, True)]) for number in range(600)]
    predictions, references = [pair[0] for pair in pairs], [pair[1] for pair in pairs]
    one, two = (confidence.collect(predictions, references, workers=workers) for workers in (1, 2))
    assert summarize(one) == summarize(two)
