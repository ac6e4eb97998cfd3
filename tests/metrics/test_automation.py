"""The automation curve on cases worked by hand (appendix C of the paper)."""

from __future__ import annotations

import math
from typing import Any

import pytest

from docie import corpus, kieval


def leaf(value: str, confidence: float | None) -> dict[str, Any]:
    return {"value": value, "confidence": confidence}


def rows(prediction: Any, reference: Any, thresholds: list[float]) -> list[dict[str, float]]:
    settings = kieval.Settings(thresholds=thresholds)
    result: list[dict[str, float]] = corpus.evaluate(kieval, [prediction], [reference], settings)["automation"]
    return result


def test_review_repairs_substitutions_and_deletions_but_not_additions() -> None:
    prediction = {"a": leaf("1", 0.9), "b": leaf("9", 0.4), "c": leaf("9", 0.6)}
    reference = {"a": "1", "b": "2", "d": "4"}  # b: substitution, c: deletion, d: addition
    low, b_reviewed, both_reviewed = rows(prediction, reference, [0.1, 0.5, 0.7])
    assert low["aligned"] == 1 - 3 / 4
    assert b_reviewed == {
        "threshold": 0.5,
        "automation_rate": 1 - 1 / 3,
        "aligned": 1 - 2 / (3 + 1),
        "straight_through_rate": 0.0,
        "straight_through_accuracy": 0.0,
    }
    assert both_reviewed["aligned"] == pytest.approx(1 - 1 / (2 + 1))  # the deletion leaves N(PR*)


def test_values_without_a_confidence_skip_review_but_their_document_does_not() -> None:
    [row] = rows({"a": "9", "b": leaf("9", None)}, {"a": "1"}, [1.0])
    assert (row["automation_rate"], row["aligned"], row["straight_through_rate"]) == (1.0, 0.0, 0.0)


@pytest.mark.parametrize(
    ("prediction", "rates"),  # at thresholds 0 and 0.95
    [
        ({"a": leaf("1", 0.99)}, [1.0, 1.0]),
        ({"a": leaf("1", 0.99), "b": leaf("", 0.2)}, [1.0, 1.0]),  # a blank value is absent
        ({"a": leaf("1", 0.99), "b": leaf("2", 0.2)}, [1.0, 0.0]),
        ({"a": leaf("1", 0.99), "b": "2"}, [0.0, 0.0]),  # nothing vouches for b
        ({}, [0.0, 0.0]),  # nothing vouches for an empty answer
        ({"items": [{}]}, [0.0, 0.0]),
        ("sorry, I cannot read this", [0.0, 0.0]),  # no document
        (None, [0.0, 0.0]),
    ],
)
def test_which_documents_skip_review(prediction: object, rates: list[float]) -> None:
    settings = kieval.Settings(thresholds=[0.0, 0.95], empty_groups="count")
    table = corpus.evaluate(kieval, [prediction], [{"a": "1"}], settings)["automation"]
    assert [row["straight_through_rate"] for row in table] == rates


@pytest.mark.parametrize(
    ("confidence", "rate"), [(0.5, 1.0), (math.nextafter(0.5, 0), 0.0), (math.nextafter(0.5, 1), 1.0)]
)
def test_a_confidence_of_exactly_the_threshold_is_not_reviewed(confidence: float, rate: float) -> None:
    prediction, reference = {"a": leaf("9", confidence)}, {"a": "1"}
    [row] = rows(prediction, reference, [0.5])
    assert (row["automation_rate"], row["straight_through_rate"]) == (rate, rate)


def test_exactly_1000_characters_are_compared() -> None:
    """One value differs at the last character that is compared, the other one at the first that is not."""
    compared, not_compared = "x" * 999 + "wx", "x" * 1000 + "y"
    prediction = {"a": [leaf(compared, 0.9), leaf(not_compared, 0.1)]}
    [row] = rows(prediction, {"a": "x" * 1001}, [0.5])
    assert row["aligned"] == 1 - 1 / 2  # the second one is the substitution, and is repaired; the first one stays


def test_all_that_was_predicted_is_removed_in_review() -> None:
    [row] = rows({"a": leaf("1", 0.2)}, {}, [0.5])
    assert (row["automation_rate"], row["aligned"]) == (0.0, 1.0)


def test_nothing_predicted() -> None:
    [row] = rows({}, {"a": "1"}, [0.5])
    assert (row["automation_rate"], row["aligned"], row["straight_through_accuracy"]) == (1.0, 0.0, 0.0)


def test_of_equal_values_the_most_confident_are_right() -> None:
    prediction = {"a": [leaf("1", 0.2), leaf("1", 0.8)]}
    [row] = rows(prediction, {"a": "1"}, [0.5])
    assert row["aligned"] == 1.0  # the doubtful copy is the deletion, and it is reviewed
    [row] = rows({"a": [leaf("1", 0.2), leaf("2", 0.8)]}, {"a": ("1", "2")}, [0.5])
    assert row["aligned"] == 1.0  # the same with alternatives


@pytest.mark.parametrize(("similar", "other"), [(0.2, 0.8), (0.8, 0.2)])
def test_the_most_similar_wrong_value_is_the_substitution(similar: float, other: float) -> None:
    prediction = {"a": [leaf("12.50", similar), leaf("xyz", other)]}
    [row] = rows(prediction, {"a": "12.00"}, [0.5])
    # a substitution stays in N(PR*), a deletion leaves it
    assert row["aligned"] == (1 - 1 / 2 if similar < other else 1 - 1 / 1)


@pytest.mark.parametrize(("first", "second"), [(0.2, 0.8), (0.8, 0.2)])
def test_of_equally_similar_wrong_values_the_first_by_text_is_the_substitution(first: float, second: float) -> None:
    for earlier, later in zip("abcdefghij", "bcdefghijk", strict=True):  # sets of them come in any order
        for values in ([(earlier, first), (later, second)], [(later, second), (earlier, first)]):
            [row] = rows({"a": [leaf(*value) for value in values]}, {"a": "x"}, [0.5])
            assert row["aligned"] == (1 - 1 / 2 if first < second else 1 - 1 / 1)


def test_similarity_sees_more_than_the_beginning() -> None:
    prediction = {"a": [leaf("INVOICE-0099", 0.2), leaf("INVOICE-1234", 0.8)]}
    [row] = rows(prediction, {"a": "INVOICE-1235"}, [0.5])
    assert row["aligned"] == 1 - 1 / 1


def test_with_alternatives_the_most_confident_are_right() -> None:
    prediction = {"a": [leaf("1", 0.2), leaf("2", 0.9), leaf("3", 0.8)]}
    [row] = rows(prediction, {"a": [("1", "2"), ("1", "3")]}, [0.5])
    assert row["aligned"] == 1.0  # "1" is the wrong one, and it is reviewed
    prediction = {"a": [leaf("2", 0.9), leaf("1", 0.8), leaf("4", 0.2)]}
    [row] = rows(prediction, {"a": [("1", "2"), ("2", "4")]}, [0.5])
    assert row["aligned"] == 1.0  # "2" and "1" are right, though "2" and "4" would be as many


@pytest.mark.exhaustive
def test_long_values_are_compared_by_their_beginning() -> None:
    prediction = {"a": [leaf("x" * 30_000_000, 0.2), leaf("y" * 30_000_000, 0.8)]}
    [row] = rows(prediction, {"a": "y" * 29_999_999}, [0.5])
    assert row["aligned"] == 1 - 1 / 1


def test_the_curve_reviews_everything_at_last() -> None:
    curve = kieval.automation_curve([{"a": leaf("1", 1.0), "b": leaf("2", 0.5)}], [{"a": "1", "b": "3"}])
    assert curve.automation_rates.tolist() == [1.0, 1.0, 0.5, 0.0]
    assert curve.aligned.tolist() == [0.5, 0.5, 1.0, 1.0]
    assert curve.thresholds[:3].tolist() == [0.0, 0.5, 1.0]
    assert 1.0 < curve.thresholds[3] < 1.0001


def test_the_curve_needs_equal_lengths() -> None:
    with pytest.raises(ValueError, match="^expected as many predictions as references, got 2 and 1$"):
        kieval.automation_curve([{}, {}], [{}])


def test_the_curve_names_the_document_that_cannot_be_scored() -> None:
    with pytest.raises(ValueError, match="^document 1, entity 'a': confidence must be between 0 and 1, got 2$"):
        kieval.automation_curve([{}, {"a": leaf("1", 2)}], [{}, {}])
