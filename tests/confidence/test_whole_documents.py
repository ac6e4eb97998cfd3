"""Thresholds for whole documents: textbook versions, scipy's bounds, both guarantees, and what has no threshold."""

from __future__ import annotations

import math
import random
from fractions import Fraction
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from scipy.stats import beta, binomtest
from scipy.stats import t as t_distribution

from docie import confidence, corpus, kieval
from docie.confidence import Values
from docie.confidence.certified import least_without_error
from docie.confidence.review import area, area_difference, error_interval, passing, shortest_threshold
from docie.confidence.summary import by_group, minutes_saved, summarize

from sizes import examples, times

Row = tuple[list[tuple[float | None, bool]], bool]
"""A document: the confidence of each value and whether it is right; and whether a value is missing."""
CONFIDENCES = st.none() | st.sampled_from([0.0, 0.25, 0.3, 0.5, 0.7, 0.75, 0.9, 1.0])
ROWS = st.lists(
    st.tuples(st.lists(st.tuples(CONFIDENCES, st.booleans()), max_size=3), st.sampled_from([False, False, True])),
    min_size=1,
    max_size=12,
).filter(lambda rows: not any(row for row, _ in rows) or any(sure is not None for row, _ in rows for sure, _ in row))
RISKS = st.sampled_from([0.1, 0.2, 0.25, 0.3, 0.5, 0.9])


def pair_of(row: Row) -> tuple[dict[str, Any], dict[str, Any]]:
    """A prediction and a reference that give this document."""
    values, is_missing = row
    leaves = [{"value": str(number), "confidence": sure} for number, (sure, _) in enumerate(values)]
    expected = [str(number) if is_right else f"-{number}" for number, (_, is_right) in enumerate(values)]
    return {"a": leaves}, {"a": expected, "b": ["1"] * is_missing}


def values_of(rows: list[Row], clusters: list[str] | None = None) -> Values:
    predictions, references = zip(*map(pair_of, rows), strict=True)
    return confidence.collect(predictions, references, clusters=clusters)


def skips(row: Row, threshold: float) -> bool:
    """The rule, word by word."""
    return len(row[0]) > 0 and all(sure is not None and sure >= threshold for sure, _ in row[0])


def is_wrong(row: Row) -> bool:
    return row[1] or not all(is_right for _, is_right in row[0])


def single(confidences: Any, correct: Any, clusters: Any = None) -> Values:
    """Documents of one value each."""
    size = len(confidences)
    correct, zeros = np.asarray(correct, bool), np.zeros(size, np.int32)
    numbers: tuple[Any, Any] = np.ones(size, np.int64), correct
    return Values(np.asarray(confidences, float), correct, zeros, ("a",), *numbers, np.full(size, np.inf), "", clusters)


def thresholds_of(rows: list[Row]) -> list[float]:
    known = {sure for row, _ in rows for sure, _ in row if sure is not None}
    return sorted({0.0, *known, *(math.nextafter(sure, math.inf) for sure in known)})


@examples(300)
@given(ROWS, RISKS)
def test_risk_control_is_the_lowest_threshold_that_the_bound_allows(rows: list[Row], risk: float) -> None:
    result = confidence.certified_threshold(values_of(rows), risk, unit="document")
    n, allowed = len(rows), Fraction(str(risk))
    losses = {each: sum(skips(row, each) and is_wrong(row) for row in rows) for each in thresholds_of(rows)}
    assert all(high >= low for high, low in pairwise(losses.values())), "the loss never rises"
    expected = next((each for each, loss in losses.items() if Fraction(loss + 1, n + 1) <= allowed), None)
    if expected is None:
        assert result["threshold"] is None
        assert "too few" in result["reason"]
        return
    found = result["threshold"]
    through = [skips(row, expected) for row in rows]
    assert [skips(row, found) for row in rows] == through
    assert (result["coverage"], result["loss"]) == (sum(through) / n, losses[expected] / n)
    assert (result["unseen"], result["incorrect"]) == (sum(through), losses[expected])
    if any(through):
        interval = binomtest(losses[expected], sum(through)).proportion_ci(0.95, method="exact")
        assert result["error_rate_interval"] == pytest.approx([interval.low, interval.high])


@examples(300)
@given(ROWS, RISKS)
def test_the_guarantee_of_the_mean(rows: list[Row], risk: float) -> None:
    """Any document may be the new one: on average over these, it skips with an error in at most the risk."""
    losses = []
    for number, row in enumerate(rows):
        others = rows[:number] + rows[number + 1 :]
        if not others or not any(sure is not None for each, _ in others for sure, _ in each):
            continue
        threshold = confidence.certified_threshold(values_of(others), risk, unit="document")["threshold"]
        losses.append(threshold is not None and skips(row, threshold) and is_wrong(row))
    assert sum(losses) <= Fraction(str(risk)) * len(rows)


@examples(300)
@given(
    st.lists(st.tuples(st.sampled_from([-1.0, 0.0, 0.2, 0.5, 0.8, 0.9, 1.0]), st.booleans()), min_size=1, max_size=60),
    st.sampled_from([0.1, 0.2, 0.3, 0.5]),
    st.sampled_from([0.5, 0.8, 0.9, 0.95]),
)
def test_fixed_sequence_testing_is_the_textbook_one(rows: list[tuple[float, bool]], risk: float, level: float) -> None:
    values = single([sure for sure, _ in rows], [is_right for _, is_right in rows])
    result = confidence.certified_threshold(values, risk, unit="document", confidence_level=level)
    expected = None
    for threshold in sorted({sure for sure, _ in rows if sure >= 0}, reverse=True):
        through = [is_right for sure, is_right in rows if sure >= threshold]
        number, wrong = len(through), through.count(False)
        if beta.ppf(level, 1, number) > risk:  # even without an error
            continue
        if wrong == number or beta.ppf(level, wrong + 1, number - wrong) > risk:
            break
        expected = threshold
        assert binomtest(wrong, number, risk, "less").pvalue <= 1 - level + 1e-9
    assert result["threshold"] == expected
    assert (result["reason"] is None) == (expected is not None)
    if expected is not None:
        assert result["bound"] <= risk + 1e-9
        right = result["unseen"] - result["incorrect"]
        assert result["bound"] == pytest.approx(beta.ppf(level, result["incorrect"] + 1, right))


@pytest.mark.parametrize("risk", [0.01, 0.02, 0.05, 0.1, 0.3])
@pytest.mark.parametrize("level", [0.8, 0.9, 0.95, 0.99])
def test_the_least_number_of_documents(risk: float, level: float) -> None:
    least = least_without_error(risk, level)
    assert beta.ppf(level, 1, least) <= risk < beta.ppf(level, 1, least - 1)


def test_how_many_documents_are_missing_is_said() -> None:
    def reason(values: Values) -> str:
        return str(confidence.certified_threshold(values, 0.05, unit="document", confidence_level=0.95)["reason"])

    assert reason(single([0.9] * 20 + [-1.0] * 20, [True] * 40)) == (
        "59 documents that skip review without an error are needed, and 20 of 40 can: at this share at least "
        "118 documents, 78 more"
    )
    assert reason(single([-1.0] * 100, [True] * 100)).endswith("needed, and 0 of 100 can")
    found = reason(single([*[0.9] * 60, *[0.5] * 60], [False] + [True] * 119))
    assert found.startswith("of the 60 documents with the highest confidence, 1 has an error, so up to 7.7 % of such")
    clusters = np.array([*"ab"] * 30, object)
    assert reason(single([0.9] * 60, [True] * 60, clusters)).startswith("59 clusters that skip review without an error")


@pytest.mark.parametrize(
    ("confidences", "correct", "share", "loss"),
    [
        ([0.9] * 99, [True] * 99, 1.0, 0.0),  # all skip
        ([-1.0] * 99, [True] * 99, 0.0, 0.0),  # none can
        ([0.9] * 99, [False] * 99, 0.0, 0.0),  # all are wrong
        ([1.0] * 99, [False] * 99, 0.0, 0.0),
        ([-1.0] * 98 + [0.5], [False] * 98 + [True], 1 / 99, 0.0),
    ],
)
def test_ends(confidences: list[float], correct: list[bool], share: float, loss: float) -> None:
    values = single(confidences, correct)
    found = confidence.certified_threshold(values, 0.01, unit="document", verify=values)
    assert (found["coverage"], found["loss"], found["verification"]["loss"]) == (share, loss, loss)
    assert (found["error_rate_interval"] is None) == (share == 0)
    for level in (None, 0.95):
        results = summarize(values, risk=0.05, unit="document", confidence_level=level)
        assert results["average_precision"] is not None
        assert ("certified_precision" in results, "calibration" in results) == (level is not None, False)


def test_one_document() -> None:
    one = single([0.9], [True])
    assert confidence.certified_threshold(one, 0.5, unit="document")["coverage"] == 1.0
    assert confidence.certified_threshold(one, 0.4, unit="document")["reason"].startswith("1 document is too few")
    assert confidence.certified_threshold(one, 0.5, unit="document", confidence_level=0.5)["threshold"] == 0.9
    assert error_interval(one, 0.9) == pytest.approx([0.0, 0.975])


def test_what_is_always_reviewed() -> None:
    leaf = {"value": "1", "confidence": 0.9}
    predictions: list[Any] = [{"a": leaf}, {"a": [leaf, "2"]}, {}, "no JSON", {"a": {"value": "1", "confidence": 0.0}}]
    documents = confidence.collect(predictions, [{"a": "1"}, {"a": ["1", "2"]}, {}, {}, {"a": "1"}]).as_documents()
    assert documents.confidences.tolist() == [0.9, -1.0, -1.0, -1.0, 0.0]
    assert documents.correct.tolist() == [True, True, True, True, True]
    assert passing(documents).thresholds.tolist() == [0.0, 0.9, math.nextafter(0.9, 1)]
    assert passing(documents).unseen.tolist() == [2, 1, 0]
    assert (shortest_threshold(documents, 0.0), shortest_threshold(documents, 0.9)) == (0.0, 0.1)
    results = summarize(documents, unit="document")
    assert (results["always_reviewed"], results["values"]) == (3, 5)
    assert [row["reviewed"] for row in confidence.errors_caught(documents, [0.6, 1.0])] == [3, 5]


def test_the_straight_through_rate_is_that_of_whole_documents() -> None:
    rows: list[Row] = [([(0.9, True)], False), ([(0.9, True)], True), ([(0.4, True), (0.9, False)], False), ([], False)]
    pairs = [*map(pair_of, rows)]
    values = confidence.collect(*zip(*pairs, strict=True))
    settings = kieval.Settings(thresholds=[0.0, 0.5, 0.95])
    predictions, references = zip(*pairs, strict=True)
    for row in corpus.evaluate(kieval, predictions, references, settings)["automation"]:
        found = confidence.at_threshold(values.as_documents(), row["threshold"])
        assert found["coverage"] == row["straight_through_rate"]
        assert (found["precision"] or 0.0) == row["straight_through_accuracy"]


@examples(200)
@given(ROWS, st.lists(st.sampled_from("abc"), min_size=12, max_size=12), RISKS)
def test_clusters_are_the_units(rows: list[Row], labels: list[str], risk: float) -> None:
    labels = labels[: len(rows)]
    values = values_of(rows, labels)
    names = sorted({*labels})

    def loss(threshold: float) -> Fraction:
        shares = []
        for name in names:
            of = [row for row, label in zip(rows, labels, strict=True) if label == name]
            shares.append(Fraction(sum(skips(row, threshold) and is_wrong(row) for row in of), len(of)))
        return sum(shares, Fraction(0))

    found = confidence.certified_threshold(values, risk, unit="document")
    bounds = {each: (loss(each) + 1) / (len(names) + 1) for each in thresholds_of(rows)}
    assert found["clusters"] == len(names)
    assert (found["threshold"] is None) == (min(bounds.values()) > Fraction(str(risk)))
    if found["threshold"] is not None:
        assert found["loss"] == pytest.approx(float(loss(found["threshold"]) / len(names)))
        assert found["bound"] == float(next(each for each in bounds.values() if each <= Fraction(str(risk))))
    tested = confidence.certified_threshold(values, 0.5, unit="document", confidence_level=0.5)
    if tested["threshold"] is not None:
        through = [(row, label) for row, label in zip(rows, labels, strict=True) if skips(row, tested["threshold"])]
        number, wrong = len({label for _, label in through}), len({label for row, label in through if is_wrong(row)})
        assert tested["bound"] == pytest.approx(beta.ppf(0.5, wrong + 1, number - wrong))
        assert tested["bound"] <= 0.5 + 1e-9


@examples(100)
@given(ROWS)
def test_the_area_is_the_mean_error_rate_over_random_orders(rows: list[Row]) -> None:
    values = values_of(rows)
    assume(len(values))
    every = sorted(((math.inf if sure is None else sure), is_right) for row, _ in rows for sure, is_right in row)[::-1]
    dice, found = np.random.default_rng(0), []
    for _ in range(400):
        order = sorted(every, key=lambda each: (-each[0], dice.random()))
        wrong = np.cumsum([not is_right for _, is_right in order])
        found.append((wrong / np.arange(1, len(order) + 1)).mean())
    assert area(values) == pytest.approx(np.mean(found), abs=0.06)


@examples(60)
@given(ROWS, st.randoms(use_true_random=False))
def test_a_difference_of_areas_has_the_interval_of_the_jackknife(rows: list[Row], dice: random.Random) -> None:
    """Beside a plain loop that leaves out one document after the other."""
    others = [
        ([(None if sure is None else dice.random(), is_right) for sure, is_right in row], lacks) for row, lacks in rows
    ]
    one, other = values_of(rows), values_of(others)
    kept = [[each for each in range(len(rows)) if each != left] for left in range(len(rows))]
    found = area_difference(one, other)
    areas = [(area(one.of_documents(each)), area(other.of_documents(each))) for each in kept]
    if len(rows) < 2 or None in [each for pair in areas for each in pair]:
        assert found is None
        return
    assert found is not None
    moved = [first - second for first, second in areas if first is not None and second is not None]
    error = math.sqrt((len(rows) - 1) / len(rows) * sum((each - np.mean(moved)) ** 2 for each in moved))
    width = t_distribution.ppf(0.975, len(rows) - 1) * error
    value = (area(one) or 0) - (area(other) or 0)
    assert found[0] == pytest.approx(value)
    assert found[1] == pytest.approx([max(-1, value - width), min(1, value + width)])


def test_intervals_of_values_count_documents() -> None:
    """Ten documents with all values right and ten with all wrong are twenty observations, not two hundred."""
    values = values_of([([(0.9, number < 10)] * 10, False) for number in range(20)])
    low, high = error_interval(values, 0.5) or (0, 0)
    exact = binomtest(10, 20).proportion_ci(0.95, method="wilson")
    assert low == pytest.approx(exact.low, abs=0.03)
    assert high == pytest.approx(exact.high, abs=0.03)
    assert error_interval(values_of([([(0.9, True), (0.9, False)], False)]), 0.5) == [0.0, 1.0]
    assert error_interval(values, 0.95) is None


def test_groups_and_minutes_are_at_the_one_threshold() -> None:
    values = single([0.9] * 60 + [0.4] * 40, [True] * 60 + [False] * 40)
    results = summarize(values, risk=0.02, unit="document")
    assert results["certified_threshold"]["coverage"] == 0.6
    groups = {"a": values.of_documents(range(50)), "b": values.of_documents(range(50, 100))}
    found = by_group(groups, results)
    assert {name: row["unseen"] for name, row in found.items()} == {"a": 50, "b": 10}
    assert minutes_saved(results, 60) == 60.0


def test_what_is_no_promise() -> None:
    values = single([0.9] * 60, [True] * 60)
    for options, problem in (
        ({"confidence_level": 0.95}, 'confidence_level must come with documents as units: .*; unit="document"$'),
        ({"confidence_level": 95, "unit": "document"}, "confidence_level must be between 0 and 1, got 95"),
        ({"unit": "page"}, "unit must be 'value' or 'document', got 'page'"),
    ):
        with pytest.raises(ValueError, match=f"^{problem}"):
            confidence.certified_threshold(values, 0.05, **options)
    with pytest.raises(ValueError, match="^by_field must come with values as units"):
        summarize(values, unit="document", breakdown=True)


# simulations


def population(dice: np.random.Generator, size: int, *, ties: bool) -> tuple[Any, Any]:
    """Documents whose chances their confidences follow, but for some noise."""
    chances = dice.normal(4, 1.5, size)
    sure = 1 / (1 + np.exp(-chances - dice.normal(0, 1, size)))
    return (np.round(sure, 1) if ties else sure), dice.random(size) < 1 / (1 + np.exp(-chances))


@times(2000, 100)
@pytest.mark.parametrize("ties", [False, True])
def test_both_promises_hold_in_simulation(times: int, ties: bool) -> None:
    dice = np.random.default_rng(0)
    sure, correct = population(dice, 100_000, ties=ties)
    for risk, size in ((0.05, 100), (0.05, 400), (0.1, 150)):
        losses, violations = [], 0
        for _ in range(times):
            chosen = dice.integers(0, len(sure), size)
            values = single(sure[chosen], correct[chosen])
            threshold = confidence.certified_threshold(values, risk, unit="document")["threshold"]
            losses.append(np.mean((sure >= threshold) & ~correct))
            tested = confidence.certified_threshold(values, risk, unit="document", confidence_level=0.95)["threshold"]
            violations += tested is not None and np.mean(~correct[sure >= tested]) > risk
        error = np.std(losses) / math.sqrt(times)
        assert np.mean(losses) <= risk + 3 * error
        assert np.mean(losses) >= risk / 3, "not kept by reviewing everything"
        assert binomtest(violations, times, 0.05, "greater").pvalue > 0.001


@times(2000, 100)
def test_confidences_that_say_nothing_break_no_promise(times: int) -> None:
    """The worst case: all thresholds have the same share of errors, just above the risk."""
    dice, violations = np.random.default_rng(1), 0
    for _ in range(times):
        sure, correct = dice.random(150), dice.random(150) >= 0.0501
        tested = confidence.certified_threshold(single(sure, correct), 0.05, unit="document", confidence_level=0.95)
        violations += tested["threshold"] is not None
    assert binomtest(violations, times, 0.053, "greater").pvalue > 0.001
