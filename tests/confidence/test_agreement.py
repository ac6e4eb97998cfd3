"""Agreement of two systems in place of confidences: value by value, by group, and on real documents."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from rapidfuzz.distance import Levenshtein

from docie import confidence, kieval
from docie.confidence import Values
from docie.confidence.review import area, average_precision
from docie.core.errors import DocumentError

from real_documents import cord_pairs, docubench_pairs
from sizes import examples, times
from strategies import documents


def agreement(prediction: Any, other: Any, **options: Any) -> dict[str, float]:
    """The confidence of each value of a document whose entity types differ."""
    values = confidence.collect([prediction], [{}], kieval.Settings(**options), agree=[other])
    return dict(zip([values.names[code] for code in values.codes], values.confidences.tolist(), strict=True))


def test_a_value_is_as_sure_as_the_other_system_agrees() -> None:
    own = {"total": {"value": "9.00", "confidence": 0.1}, "shop": "Kedai", "date": "1 May", "tax": "0"}
    found = agreement(own, {"total": "9.00", "shop": "KEDAI", "tax": "1", "note": "hello"})
    assert found == {"total": 1.0, "shop": Levenshtein.normalized_similarity("Kedai", "KEDAI"), "date": 0.0, "tax": 0.0}
    assert agreement({"shop": "Kedai"}, {"shop": "KEDAI"}, normalize="casefold") == {"shop": 1.0}
    assert agreement({"total": "9.00"}, {"total": "9"}, match="within(0.01)") == {"total": 1.0}
    assert agreement({"a": "1"}, "no JSON") == agreement({"a": "1"}, {}) == {"a": 0.0}


def test_groups_are_matched_and_repeated_values_counted() -> None:
    own = {"menu": [{"nm": "Latte", "price": "4"}, {"nm": "Tea", "price": "3"}, {"nm": "Tea", "price": "3"}]}
    other = {"menu": [{"nm": "Tea", "price": "3"}, {"nm": "Latte", "price": "5"}]}
    values = confidence.collect([own], [own], agree=[other])
    assert values.confidences[np.argsort(values.codes, kind="stable")].tolist().count(1.0) == 3
    assert sorted(values.confidences.tolist()) == [0.0, 0.0, 0.0, 1.0, 1.0, 1.0]
    twice = confidence.collect([{"a": ["1", "1", "1"]}], [{"a": ["1"]}], agree=[{"a": ["1", "1"]}])
    assert sorted(zip(twice.confidences.tolist(), twice.correct.tolist(), strict=True)) == [
        (0.0, False), (1.0, False), (1.0, True),
    ]  # fmt: skip


def test_a_document_that_lacks_a_value_of_the_other_system_is_doubtful() -> None:
    whole = {"a": "1", "b": "2"}
    predictions: list[Any] = [whole, {"a": "1"}, {"menu": [{"nm": "Tea"}]}, None]
    others: list[Any] = [whole, whole, {"menu": [{"nm": "Tea"}, {"nm": "Latte"}]}, whole]
    values = confidence.collect(predictions, [whole, whole, {}, whole], agree=others)
    assert values.confidences.tolist() == [1.0] * 4
    assert values.as_documents().confidences.tolist() == [1.0, 0.0, 0.0, -1.0]
    assert (values + values).of_documents([1, 4]).as_documents().confidences.tolist() == [0.0, 1.0]


@examples(100)
@given(documents())
def test_a_system_agrees_with_itself(document: Any) -> None:
    values = confidence.collect([document], [document], agree=[document])
    assert set(values.confidences.tolist()) <= {1.0}
    assert values.correct.all()


@examples(100)
@given(documents(), documents(), documents())
def test_what_is_correct_does_not_depend_on_how_many_agree(own: Any, other: Any, reference: Any) -> None:
    values = confidence.collect([own], [reference], agree=[other])
    counts = kieval.count(own, reference, kieval.Settings())
    figures = kieval.score(counts)
    assert (len(values), int(values.correct.sum())) == (
        figures["true_positives"] + figures["false_positives"],
        figures["true_positives"],
    )
    assert all(0 <= each <= 1 for each in values.confidences)
    equal = kieval.score(kieval.count(own, other, kieval.Settings()))["true_positives"]
    assert int((values.confidences == 1).sum()) == equal
    assert bool(values.correct_documents[0]) == (figures["document_accuracy"] == 1.0)


def test_rows_are_wrappers_too_and_belong_together() -> None:
    rows = [{"id": str(number), "prediction": {"a": str(number)}} for number in range(3)]
    references = [{"id": str(number), "reference": {"a": str(number)}} for number in range(3)]
    config = {"join": {"extra": "drop"}}
    values = confidence.collect(rows, references, agree=rows[::-1], config=config)
    assert values.confidences.tolist() == [1.0] * 3
    with pytest.raises(DocumentError, match="document 0"):
        confidence.collect(rows[:1], [{"id": "7", "reference": {}}], agree=rows[:1])
    assert "|confidences:agreement|" in values.signature


@pytest.mark.exhaustive
def test_processes_give_the_same_agreement() -> None:
    predictions = [{"a": str(number % 7), "b": ["1", "2"][: number % 3]} for number in range(600)]
    references = [{"a": str(number % 5), "b": ["1"]} for number in range(600)]
    one, two = (
        confidence.collect(predictions, references, agree=references, workers=workers).as_documents()
        for workers in (1, 2)
    )
    assert one.confidences.tolist() == two.confidences.tolist()
    assert one.correct.tolist() == two.correct.tolist()


# real documents


def resampled(values: Values, size: int, number: int, risk: float) -> tuple[float, float, float]:
    """Of thresholds that are chosen on drawn documents: what skips review, skips with an error, and errors of these."""
    documents, dice, found = values.as_documents(), np.random.default_rng(0), []
    sure, correct = documents.confidences, documents.correct
    for _ in range(number):
        chosen = dice.integers(0, len(sure), size)
        ones, most = np.ones(size, np.int64), np.full(size, math.inf)
        drawn = Values(sure[chosen], correct[chosen], ones.astype(np.int32) * 0, ("a",), ones, correct[chosen], most)
        threshold = confidence.certified_threshold(drawn, risk, unit="document")["threshold"]
        skips = sure >= threshold
        found.append((skips.mean(), (skips & ~correct).mean(), (skips & ~correct).sum() / max(skips.sum(), 1)))
    skip, loss, errors = np.mean(found, axis=0)
    return float(skip), float(loss), float(errors)


@times(1000, 100)
def test_documents_of_docubench_skip_review_by_agreement(data: Any, times: int) -> None:
    predictions, references = zip(*docubench_pairs(data, "docupipe_high"), strict=True)
    others = [prediction for prediction, _ in docubench_pairs(data, "gemini")]
    values = confidence.collect(predictions, references, kieval.Settings(normalize="alphanumeric"), agree=others)
    assert (average_precision(values), area(values)) == pytest.approx((0.9850, 0.0151), abs=0.0001)
    for risk in (0.01, 0.02):
        skip, loss, _ = resampled(values, 100, times, risk)
        assert 0.42 < skip < 0.56
        assert loss <= risk


@times(1000, 100)
def test_few_receipts_may_have_an_error_and_many_of_those_that_skip_do(cord: dict[str, list[Any]], times: int) -> None:
    predictions, references = zip(*cord_pairs(cord, "layoutlm"), strict=True)
    skip, loss, errors = resampled(confidence.collect(predictions, references), 100, times, 0.05)
    assert loss <= 0.05
    assert errors == pytest.approx(0.25, abs=0.03)
    assert 0.13 < skip < 0.19
