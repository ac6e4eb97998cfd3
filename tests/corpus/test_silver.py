"""Prediction-powered scores, beside plain loops and ppi-python, and where there is nothing to gain."""

from __future__ import annotations

import math
from statistics import NormalDist, fmean, variance
from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from scipy.sparse import csr_matrix

from docie import anls_star, corpus, entity_f1, kieval, text_match
from docie.core.counts import Counts
from docie.core.scores import headline_of
from docie.corpus.intervals import Interval, Jackknife, jackknife_interval
from docie.corpus.matrix import Matrix
from docie.corpus.silver.few_labels import FewLabels
from docie.corpus.silver.powered import Powered, powered

from sizes import examples

Rows = list[list[float]]


def f1(sums: Any) -> dict[str, Any]:
    """Entity F1 from true positives, false positives and false negatives."""
    return {"f1": 2 * sums[:, 0] / np.maximum(1e-9, 2 * sums[:, 0] + sums[:, 1] + sums[:, 2])}


def mean(sums: Any) -> dict[str, Any]:
    """The mean of shares, from their sum and the number of documents."""
    return {"mean": sums[:, 0] / sums[:, 1]}


def few(labels: Rows, silver: Rows, others: Rows, figures: Any = f1, name: str = "f1") -> FewLabels:
    return FewLabels(figures, name, *(csr_matrix(np.array(rows, dtype=float)) for rows in (labels, silver, others)))


# ppi_mean_ci(labels, silver, others, alpha=0.05, lam=weight) of ppi-python 0.2.3
PPI = {
    0.0: [0.2613941076671982, 0.4826058923328017],
    0.5: [0.34035434867423986, 0.5167123179924269],
    0.8: [0.3600091699925308, 0.5648974966741358],
    1.0: [0.36442165642553503, 0.6057116769077984],
}
LABELS = [k * k % 11 / 10 for k in range(25)]
SILVER = [min(1.0, each * 0.8 + k % 3 / 10) for k, each in enumerate(LABELS)]
OTHERS = [(7 * k * k + 3 * k) % 13 / 12 for k in range(25)]


@pytest.mark.parametrize("weight", PPI)
def test_a_mean_of_shares_is_that_of_ppi_python(weight: float) -> None:
    """Its normal interval has variances over n, ours have n - 1: with 25 documents on both sides, the factor is one."""
    labels, silver, others = ([[each, 1.0] for each in shares] for shares in (LABELS, SILVER, OTHERS))
    found = few(labels, silver, others, figures=mean, name="mean").spread((weight, weight), widened=False)
    width = NormalDist().inv_cdf(0.975) * found.error * math.sqrt(24 / 25)
    assert [found.value - width, found.value + width] == pytest.approx(PPI[weight], rel=1e-7)


def gradient(sums: list[float]) -> list[float]:
    """The derivatives of F1."""
    right, spurious, missing = sums
    whole = 2 * right + spurious + missing
    return [2 * (spurious + missing) / whole**2, -2 * right / whole**2, -2 * right / whole**2]


def dot(one: list[float], other: list[float]) -> float:
    return sum(a * b for a, b in zip(one, other, strict=True))


def slow_weight(labels: Rows, silver: Rows, ratio: float) -> float:
    slope = gradient([sum(column) for column in zip(*labels, strict=True)])
    one, other = [dot(slope, row) for row in labels], [dot(slope, row) for row in silver]
    covariance = sum((a - fmean(one)) * (b - fmean(other)) for a, b in zip(one, other, strict=True)) / (len(one) - 1)
    return min(1.0, max(0.0, covariance / ((1 + ratio) * variance(other))))


def slow_estimate(labels: Rows, silver: Rows, others: Rows, weights: tuple[float, float]) -> tuple[float, float]:
    """The score with its standard error, document by document."""
    size = len(labels)
    average = [fmean(column) for column in zip(*others, strict=True)]
    rows = [
        [c - weights[at % 2] * (s - m) for c, s, m in zip(labels[at], silver[at], average, strict=True)]
        for at in range(size)
    ]
    sums = [sum(column) for column in zip(*rows, strict=True)]

    def score(of: list[float]) -> float:
        return 2 * of[0] / (2 * of[0] + of[1] + of[2])

    without = [score([a - b for a, b in zip(sums, row, strict=True)]) for row in rows]
    first = (size - 1) ** 2 / size * variance(without)
    slope = gradient(sums)
    second = fmean(weights[at % 2] for at in range(size)) ** 2 * size**2
    second *= variance(dot(slope, row) for row in others) / len(others)
    return score(sums), math.sqrt(first + second)


document = st.tuples(st.integers(1, 9), st.integers(0, 5), st.integers(0, 5)).map(lambda row: [*map(float, row)])
corpora = st.tuples(
    st.lists(st.tuples(document, document), min_size=6, max_size=20), st.lists(document, min_size=3, max_size=30)
)


@examples(200)
@given(corpora)
def test_plain_loops_find_the_same(drawn: tuple[list[tuple[list[float], list[float]]], Rows]) -> None:
    labels, silver, others = [row[0] for row in drawn[0]], [row[1] for row in drawn[0]], drawn[1]
    halves = [[dot(gradient([1, 1, 1]), row) for row in half] for half in (silver[::2], silver[1::2])]
    assume(all(len(set(half)) > 1 for half in halves))
    found = few(labels, silver, others)
    ratio = len(labels) / len(others)
    try:
        weights = slow_weight(labels[1::2], silver[1::2], ratio), slow_weight(labels[::2], silver[::2], ratio)
    except ZeroDivisionError:  # nothing varies along this gradient
        assume(False)
    assert found.weights() == pytest.approx(weights, rel=1e-5, abs=1e-6)
    value, error = slow_estimate(labels, silver, others, weights)
    spread = found.spread(weights, widened=False)
    assert (spread.value, spread.error) == pytest.approx((value, error), rel=1e-5, abs=1e-7)


@examples(100)
@given(corpora)
def test_weight_0_is_the_plain_score_to_the_last_digit(drawn: tuple[Any, Rows]) -> None:
    labels, silver = [row[0] for row in drawn[0]], [row[1] for row in drawn[0]]
    found = few(labels, silver, drawn[1])
    plain = Jackknife(f1, csr_matrix(np.array(labels))).spread("f1")
    assert found.spread((0.0, 0.0)) == plain
    value, interval, worth = found.estimate((0.0, 0.0), 0.95, "share")
    assert (value, interval, worth) == (plain.value, jackknife_interval(plain, 0.95, "share"), len(labels))


@examples(100)
@given(corpora)
def test_a_weight_is_a_share_and_an_interval_holds_its_score(drawn: tuple[Any, Rows]) -> None:
    found = few([row[0] for row in drawn[0]], [row[1] for row in drawn[0]], drawn[1])
    weights = found.weights()
    assert all(0 <= weight <= 1 for weight in weights)
    value, interval, worth = found.estimate(weights, 0.95, "share")
    assert interval is None or 0 <= interval[0] <= value <= interval[1] <= 1
    assert worth > 0
    p = found.p()
    assert p is None or 0 < p <= 1


def matrix(family: Any, pairs: list[Any]) -> Matrix:
    return Matrix(family.count(*pair, family.Settings()) for pair in pairs)


def documents(number: int, *, every: int = 3) -> list[Any]:
    return [{"a": str(k), "g": [{"b": "x" if k * j % every else "y"} for j in range(1 + k % 4)]} for k in range(number)]


def of(family: Any, labelled: int, total: int = 60, *, silver: list[Any] | None = None) -> Powered:
    """Predictions with many errors, a silver reading with few, and labels for the first documents."""
    predictions, truth = documents(total, every=3), documents(total, every=5)
    nearly = [
        other if k % 9 == 0 else right
        for k, (right, other) in enumerate(zip(truth, documents(total, every=7), strict=True))
    ]
    read = nearly if silver is None else silver
    labels = [*zip(predictions[:labelled], truth, strict=False)]
    name = headline_of(family)
    results = corpus.evaluate(family, predictions[:labelled], truth[:labelled], confidence_level=0.95)
    plain: tuple[float, Interval] = results[name], results[f"{name}_interval"]
    return powered(family, matrix(family, labels), matrix(family, [*zip(predictions, read, strict=True)]), plain, 0.95)


@pytest.mark.parametrize("family", [kieval, entity_f1, anls_star, text_match])
def test_a_silver_reading_near_the_truth_makes_labels_worth_more(family: Any) -> None:
    found = of(family, 30, 400)
    assert found.is_powered
    assert found.worth > 1.5 * found.labelled
    assert found.unlabelled == 370
    assert found.interval is not None
    assert found.plain_interval is not None
    assert found.value != found.plain
    assert np.ptp(found.interval) < np.ptp(found.plain_interval)


@pytest.mark.parametrize("labelled", [1, 2, 3, 60])
def test_with_hardly_any_labels_or_only_labels_the_plain_score_stands(labelled: int) -> None:
    found = of(kieval, labelled)
    if labelled != 3:
        assert not found.is_powered
        assert found.weights == [0.0, 0.0]
    if not found.is_powered:
        assert (found.value, found.interval) == (found.plain, found.plain_interval)
    assert (found.labelled, found.unlabelled) == (labelled, 60 - labelled)
    assert (found.against_silver[1] is None) == (labelled == 60)


def test_silver_equal_to_the_predictions_says_nothing() -> None:
    found = of(kieval, 20, silver=documents(60, every=3))
    assert (found.is_powered, found.weights, found.worth, found.p) == (False, [0.0, 0.0], 20.0, None)
    assert found.against_silver == [1.0, 1.0]


def test_documents_that_do_not_vary_say_nothing() -> None:
    counts = Counts(1, 0, kieval.count({"a": "1", "b": "2"}, {"a": "1", "b": "3"}, kieval.Settings()).rows)
    found = powered(kieval, Matrix([counts] * 10), Matrix([counts] * 50), (0.5, None), 0.95)
    assert (found.is_powered, found.interval, found.p, found.worth) == (False, None, None, 10.0)


def test_labels_that_are_no_random_sample_are_found() -> None:
    easy, hard = [9.0, 0.0, 1.0], [5.0, 4.0, 4.0]
    silver = [[*easy[:2], float(k % 2)] for k in range(20)]
    found = few(silver, silver, [[*hard[:2], float(k % 4)] for k in range(80)])
    assert found.p() == 1 / 1000
    mixed = few(silver, silver, [[*easy[:2], float(k % 2)] for k in range(80)])
    assert (mixed.p() or 0) > 0.5
