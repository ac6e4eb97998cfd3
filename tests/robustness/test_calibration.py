"""What confidences are worth under attack."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rule_reader import read

from docie import attacks, confidence, form_robustness, robustness
from docie.confidence.review import average_precision, coverage_at_precision
from docie.metrics.kieval.pairs import count_judged
from docie.robustness.form import Page

import synthetic_invoices
from sizes import examples
from strategies import forms as random_forms

pytest.importorskip("faker")
FORMS = synthetic_invoices.invoices(10, 7)
NAMES = ["key_drop", "bg_typo", "value_text_augment"]


def leaf(value: str, sure: float) -> dict[str, Any]:
    return {"value": value, "confidence": sure}


def by_length(forms: Sequence[Page]) -> list[Any]:
    """A reader of some sureness: it is the surer, the longer a value is."""
    return [{name: leaf(text, min(len(text) / 12, 1)) for name, text in answer.items()} for answer in read(forms)]


def test_figures_are_those_of_the_confidence_functions() -> None:
    report = robustness.run(by_length, FORMS, attacks=NAMES, precision=0.9)
    assert report.confidence is not None
    before = confidence.collect(by_length(FORMS), [form.document() for form in FORMS])
    threshold = coverage_at_precision(before, 0.9)["threshold"]
    assert threshold is not None
    for name in ["none", *NAMES]:
        forms = FORMS if name == "none" else [attacks.apply(name, form, seed=0) for form in FORMS]
        found = report.confidence if name == "none" else report[name].confidence
        assert found is not None
        answers = by_length(forms)
        if not any(answers):  # the reader lives on keys
            assert found["values"] == 0
            assert {value for key, value in found.items() if key not in ("values", "threshold")} == {None}
            continue
        values = confidence.collect(answers, [form.document() for form in forms])
        calibration = confidence.calibration(values)
        for figure in ("values", "mean_confidence", "accuracy", "expected_calibration_error", "brier_score"):
            assert found[figure] == calibration[figure]
        assert found["average_precision"] == average_precision(values)
        at = confidence.at_threshold(values, threshold)
        assert (found["threshold"], found["coverage"], found["precision"]) == (threshold, at["coverage"], at["precision"])  # fmt: skip
    assert not any(by_length([attacks.apply("key_drop", form, seed=0) for form in FORMS]))  # so both cases were seen


def test_who_stays_sure_of_wrong_values_is_found_out() -> None:
    """A model that has learnt its answers by heart: all right until the values change, and always sure."""
    known = {form.id: form.document() for form in FORMS}
    by_heart = lambda forms: [{name: leaf(text, 1.0) for name, text in known[form.id].items()} for form in forms]  # noqa: E731
    report = robustness.run(by_heart, FORMS, attacks=NAMES)
    assert report.confidence is not None
    assert (report.confidence["expected_calibration_error"], report.confidence["brier_score"]) == (0.0, 0.0)
    assert report["bg_typo"].confidence == report.confidence
    after = report["value_text_augment"].confidence
    assert after is not None
    assert after["accuracy"] < 0.9
    assert after["expected_calibration_error"] == after["brier_score"] == pytest.approx(1 - after["accuracy"])
    assert (after["coverage"], after["precision"]) == (1.0, after["accuracy"])


def test_values_are_right_by_the_settings_of_the_run() -> None:
    loud = lambda forms: [{name: leaf(text.upper(), 1.0) for name, text in form.document().items()} for form in forms]  # noqa: E731
    plain, folded = (
        robustness.run(loud, FORMS, attacks=NAMES[:1], settings=form_robustness.Settings(normalize=normalize))
        for normalize in (None, "casefold")
    )
    assert plain.confidence is not None
    assert folded.confidence is not None
    assert plain.confidence["accuracy"] < folded.confidence["accuracy"] == 1.0
    assert (plain.confidence["threshold"], folded.confidence["threshold"]) == (None, 0.0)


def test_without_confidences_there_are_no_figures() -> None:
    report = robustness.run(read, FORMS, attacks=NAMES)
    assert report.confidence is None
    assert {row.confidence for row in report.attacks} == {None}
    assert report.to_json()["confidence"] is None
    with pytest.raises(ValueError, match="^no prediction has a confidence"):
        report.calibration()


def test_table() -> None:
    report = robustness.run(by_length, FORMS, attacks=NAMES, precision=0.5)
    table = report.calibration()
    assert table.columns[-2:] == ["coverage at 0", "precision there"]
    assert [row[0] for row in table.rows] == ["none", *(row.attack for row in report.attacks)]
    assert table.rows[0][1:3] == [str(report.confidence["values"]), f"{report.confidence['mean_confidence']:.4f}"]  # type: ignore[index]
    unsure = robustness.run(
        lambda forms: [{"no_such_field": leaf("x", 0.5)} for _ in forms], FORMS, attacks=NAMES, precision=0.99
    ).calibration()
    assert unsure.columns[-1] == "average precision"
    assert all(len(row) == len(unsure.columns) for row in unsure.rows)


@given(forms=st.lists(random_forms(with_boxes=True), min_size=1, max_size=3), sure=st.floats(0, 1))
@examples(40)
def test_any_form_can_be_judged(forms: list[Page], sure: float) -> None:
    """The answers are right; with one confidence for all, the calibration error is what that lacks."""

    def right(asked: Sequence[Page]) -> list[Any]:
        return [
            {name: [leaf(text, sure) for text in ([texts] if isinstance(texts, str) else texts)] for name, texts in form.document().items()}
            for form in asked
        ]  # fmt: skip

    report = robustness.run(right, forms, attacks=["key_drop", "global_shuffle"])

    def values(of: list[Page]) -> int:
        return sum(len([*count_judged(answer, answer).listed[0].correct]) for answer in right(of))

    if not values(forms):
        assert report.confidence is None
        return
    found = {row.attack: [form for form in forms if attacks.can_act(row.attack, form)] for row in report.attacks}
    judged = [(report.confidence, forms), *((report[name].confidence, of) for name, of in found.items() if values(of))]
    for row, of in judged:
        assert row is not None
        assert (row["values"], row["accuracy"]) == (values(of), 1.0)
        assert row["expected_calibration_error"] == pytest.approx(1 - sure)
        assert row["brier_score"] == pytest.approx((1 - sure) ** 2)
