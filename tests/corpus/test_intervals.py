"""Intervals from the spread of documents, beside formulas and slow textbook versions."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from scipy.stats import binomtest, kurtosis
from scipy.stats import t as student

import docie
from docie import corpus, form_robustness, hed, kieval, text_match
from docie.core.counts import Counts

from cli_runs import lines, rows, run_command
from sizes import examples

REFERENCES: list[Any] = [{"a": str(i), "g": [{"b": "1"}] * (1 + i * i % 7)} for i in range(30)]
METHODS = ("percentile", "t", "poisson")
PREDICTIONS: list[Any] = [{"a": "1", "g": [{"b": "12"[i % 5 == 0]}] * (i * i % 9)} for i in range(30)]


def evaluated(predictions: list[Any], references: list[Any], **options: Any) -> dict[str, Any]:
    return corpus.evaluate(kieval, predictions, references, confidence_level=0.95, interval="t", **options)


def leave_one_out(score: str) -> tuple[float, float, float]:
    """The figure, the jackknife's standard error, and the degrees of freedom, document by document."""
    counts = [kieval.count(*pair) for pair in zip(PREDICTIONS, REFERENCES, strict=True)]
    size = len(counts)
    without = np.array([kieval.score(sum(counts[:i] + counts[i + 1 :], Counts()))[score] for i in range(size)])
    if score == "corrections":
        without = without * size / (size - 1)
    error = float(np.sqrt((size - 1) / size * np.sum((without - without.mean()) ** 2)))
    heavy = max(0.0, float(kurtosis(without)))
    return kieval.score(sum(counts, Counts()))[score], error, (size - 1) / (1 + heavy * (size - 1) / (2 * size))


@pytest.mark.parametrize("score", ["entity_f1", "aligned", "entity_f1_macro", "group_f1"])
def test_a_share_has_wilsons_interval(score: str) -> None:
    """Both bounds solve the equation that Wilson's interval is the solution of."""
    value, error, freedom = leave_one_out(score)
    low, high = evaluated(PREDICTIONS, REFERENCES)[f"{score}_interval"]
    size = value * (1 - value) / error**2
    for bound in (low, high):
        steps = abs(value - bound) / np.sqrt(bound * (1 - bound) / size)
        assert steps == pytest.approx(student.ppf(0.975, freedom))
    assert 0 < low < value < high < 1


def test_a_number_has_a_t_interval() -> None:
    value, error, freedom = leave_one_out("corrections")
    low, high = evaluated(PREDICTIONS, REFERENCES)["corrections_interval"]
    width = student.ppf(0.975, freedom) * error
    assert [low, high] == pytest.approx([value - width, value + width])


@given(st.lists(st.booleans(), min_size=2, max_size=40))
@example([False] * 10)
@examples(60)
def test_a_share_of_documents_is_near_that_of_scipy(right: list[bool]) -> None:
    """The t quantile, and the spread of n - 1 documents, make it a little wider."""
    references = [{"a": "1"}] * len(right)
    predictions = [{"a": "1" if is_right else "2"} for is_right in right]
    low, high = evaluated(predictions, references)["document_accuracy_interval"]
    expected = binomtest(sum(right), len(right)).proportion_ci(method="wilson")
    assert low <= expected.low + 1e-9
    assert high >= expected.high - 1e-9
    quantile = student.ppf(0.975, len(right) - 1) / student.ppf(0.975, 1e9)
    # Wilson's width grows with the quantile near 1/2, and with its square near 0 and 1
    assert high - low <= (expected.high - expected.low) * quantile**2 * len(right) / (len(right) - 1) + 1e-9


@pytest.mark.parametrize("interval", METHODS)
def test_documents_without_an_error_do_not_say_that_errors_never_happen(interval: str) -> None:
    references = [{"a": "1"}] * 24
    with pytest.warns(UserWarning, match="^no interval for ") as caught:
        result = corpus.evaluate(kieval, references, references, confidence_level=0.95, interval=interval)
    expected = binomtest(24, 24).proportion_ci(method="exact")
    assert result["document_accuracy_interval"] == pytest.approx([expected.low, 1.0])
    others = {name: value for name, value in result.items() if name.endswith("_interval")}
    del others["document_accuracy_interval"]
    assert {*others.values()} == {None}
    assert [str(each.message) for each in caught] == [
        "no interval for entity_f1, entity_precision, entity_recall, aligned, corrections and 11 more scores: "
        "each is at 0 or 1, or the same in every document, so its variation is unknown"
    ]


def test_bounds_at_the_border_are_floats_and_one_more_score_is_no_plural() -> None:
    references = [{"total": str(number), "items": [{"name": f"n{number}"}]} for number in range(20)]
    predictions = [*references[1:], {**references[0], "items": [*references[0]["items"], {"name": "invented"}]}]
    with pytest.warns(UserWarning, match="^no interval for ") as caught:
        result = evaluated(predictions, [*references[1:], references[0]])
    low, _ = result["corrections_interval"]
    assert (low, type(low)) == (0.0, float)
    assert [str(each.message).partition(":")[0] for each in caught] == [
        "no interval for entity_recall, substitutions, additions, true_positives, false_negatives and 1 more score"
    ]


@pytest.mark.parametrize("interval", METHODS)
def test_documents_of_which_none_is_right(interval: str) -> None:
    references = [{"a": "1"}] * 9
    result = corpus.evaluate(kieval, [{}] * 9, references, confidence_level=0.9, interval=interval)
    expected = binomtest(0, 9).proportion_ci(0.9, method="exact")
    assert result["document_accuracy_interval"] == pytest.approx([0.0, expected.high])
    assert result["entity_recall_interval"] is result["corrections_interval"] is None


@pytest.mark.parametrize("interval", METHODS)
def test_a_score_at_its_border_that_moves_without_a_document(interval: str) -> None:
    """Without the second document there is nothing to find, which scores 1.0: no error can be told from this jump."""
    result = corpus.evaluate(kieval, [{}, {}], [{}, {"b": "y"}], confidence_level=0.95, interval=interval)
    assert (result["entity_recall"], result["entity_recall_interval"]) == (0.0, None)


def test_a_share_of_one_row_with_a_spread_is_no_error() -> None:
    """One of twenty receipts has an invented line item: no group of the references, so their F1 is 0 for this type."""
    references = [{"total": "1", "menu": [{"nm": "Latte"}]}] * 20
    predictions = [*references[1:], {"total": "1", "menu": [{"nm": "Latte"}], "tax": [{"nm": "x"}]}]
    result = evaluated(predictions, references, breakdown=True)
    assert result["document_accuracy_interval"] is not None
    assert result["per_entity"]["menu.nm"]["entity_f1_interval"] is None


def test_percentiles_of_one_point_are_no_interval_of_documents() -> None:
    """At a low level both percentiles of few documents may be the same one."""
    references = [{"a": "1"}] * 5
    predictions = [*references[:4], {"a": "2"}]
    result = corpus.evaluate(kieval, predictions, references, confidence_level=0.05)
    expected = binomtest(4, 5).proportion_ci(0.05, method="exact")
    assert result["document_accuracy_interval"] == pytest.approx([expected.low, expected.high])
    assert result["entity_recall_interval"] is None


def test_a_drop_may_be_negative() -> None:
    """An attack that helps: before, the interval was cut at 0, so that its end lay before its beginning."""
    right, wrong = {"a": "1", "b": "2"}, {"a": "1", "b": "3"}
    documents = [{"attacks": {"none": wrong if number % 4 else right, "x": right}} for number in range(20)]
    references = [{"attacks": {"none": right, "x": right}}] * 20
    result = corpus.evaluate(form_robustness, documents, references, confidence_level=0.95, interval="t")
    low, high = result["drop_f1_x_interval"]
    assert low < result["drop_f1_x"] < high < 0


def test_a_mean_length_below_one_is_no_share() -> None:
    """The mean number of characters has a t interval, not Wilson's."""
    references = [{"a": "12"}] * 8
    predictions = [{"a": "12" if number else "11"} for number in range(8)]
    result = corpus.evaluate(text_match, predictions, references, confidence_level=0.95, interval="t")
    values = [0.0] * 7 + [1.0]
    moves = [(sum(values) - each) / 7 for each in values]
    error = float(np.sqrt(7 / 8 * np.sum((np.array(moves) - np.mean(moves)) ** 2)))
    freedom = 7 / (1 + max(0.0, float(kurtosis(moves))) * 7 / 16)
    assert result["levenshtein_distance_interval"] == pytest.approx([0, 1 / 8 + student.ppf(0.975, freedom) * error])


@pytest.mark.parametrize("wrong", [1, 2, 49])
def test_the_spread_of_a_share_of_documents_follows_from_the_share(wrong: int) -> None:
    """Wilson's interval of n - 1 documents with n - 1 degrees of freedom, however heavy the tail of a rare error is."""
    references = [{"a": "1"}] * 50
    predictions = [{"a": "2" if number < wrong else "1"} for number in range(50)]
    low, high = evaluated(predictions, references)["document_accuracy_interval"]
    share, quantile = 1 - wrong / 50, student.ppf(0.975, 49)
    centre, half = share + quantile**2 / 98, quantile * np.sqrt(share * (1 - share) / 49 + quantile**2 / (4 * 49**2))
    assert [low, high] == pytest.approx([(centre + sign * half) / (1 + quantile**2 / 49) for sign in (-1, 1)])


def test_rows_without_an_interval_are_counted_in_one_line() -> None:
    references = [{"document": {"a": "1", "b": "2"}, "meta": {"half": "xy"[number % 2]}} for number in range(8)]
    predictions = [{"a": "1", "b": "2" if number % 3 else "3"} for number in range(8)]
    with pytest.warns(UserWarning, match="^no interval for ") as caught:
        result = evaluated(predictions, references, breakdown=True, group_by="half")
    assert result["per_entity"]["a"]["entity_f1_interval"] is None
    assert [str(each.message) for each in caught] == [
        "no interval for additions, deletions, group_f1, group_precision, group_recall; scores in 1 row of per_entity; scores in 2 rows of by_half: "
        "each is at 0 or 1, or the same in every document, so its variation is unknown"
    ]


def test_in_small_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    whole = evaluated(PREDICTIONS, REFERENCES, breakdown=True)
    monkeypatch.setattr("docie.corpus.intervals.BLOCK", 50)
    again = evaluated(PREDICTIONS, REFERENCES, breakdown=True)
    for name in ("entity_f1_interval", "corrections_interval"):
        assert again[name] == pytest.approx(whole[name])


def test_tables_and_groups_have_the_intervals_of_their_own_documents() -> None:
    references = [{"document": row, "meta": {"half": "xy"[i % 2]}} for i, row in enumerate(REFERENCES)]
    result = evaluated(PREDICTIONS, references, breakdown=True, group_by="half")
    alone = evaluated(PREDICTIONS[::2], REFERENCES[::2])
    assert result["by_half"]["x"]["entity_f1_interval"] == pytest.approx(alone["entity_f1_interval"])
    row = corpus.evaluate(
        kieval, PREDICTIONS, REFERENCES, kieval.Settings(ontology=["g.b"]), confidence_level=0.95, interval="t"
    )
    shown = result["per_entity"]["g.b"]["entity_f1_interval"]
    assert shown == pytest.approx(row["entity_f1_interval"])


@pytest.mark.parametrize(("documents", "expected"), [(1, False), (3, False), (6, True)])
def test_a_type_of_very_few_documents_has_no_interval(documents: int, expected: bool) -> None:
    references = [{"often": "1"} | ({"rare": "2"} if number < documents else {}) for number in range(20)]
    result = evaluated(references, references, breakdown=True)
    assert "entity_f1_interval" in result["per_entity"]["often"]
    assert ("entity_f1_interval" in result["per_entity"]["rare"]) == expected


def test_the_choice_is_in_the_signature_if_it_is_none_of_the_defaults() -> None:
    assert "|confidence_level:0.95|empty_groups:ignore|interval:t|" in evaluated(PREDICTIONS, REFERENCES)["signature"]
    plain = corpus.evaluate(kieval, PREDICTIONS, REFERENCES, confidence_level=0.95)["signature"]
    assert "interval" not in plain
    assert "bootstrap_samples:1000" in plain


def test_one_document_none_and_wrong_values() -> None:
    with pytest.warns(UserWarning, match="^one document shows no variation: there are no intervals$"):
        assert evaluated([{"a": "1"}], [{"a": "1"}])["entity_f1_interval"] is None
    with pytest.warns(UserWarning, match="^no documents show no variation: there are no intervals$"):
        assert evaluated([], [])["entity_f1_interval"] is None
    with pytest.raises(ValueError, match=r"^interval must be 'percentile' or 't' or 'poisson', got 'bca'$"):
        corpus.evaluate(kieval, [], [], confidence_level=0.95, interval="bca")


def test_another_family_and_the_command_line(tmp_path: Any) -> None:
    result = corpus.evaluate(hed, PREDICTIONS, REFERENCES, confidence_level=0.95, interval="t")
    low, high = result["uhed_f1_interval"]
    assert 0 < low < result["uhed_f1"] < high < 1
    paths = [
        lines(tmp_path / f"{side}s.jsonl", rows(side, documents))
        for side, documents in (("reference", REFERENCES), ("prediction", PREDICTIONS))
    ]
    shown = run_command("score", *paths, "--metric", "hed", "--confidence-level", "0.95", "--interval", "t").stdout
    assert f"{low:.4f} – {high:.4f}" in shown
    assert "|interval:t|" in shown


@pytest.mark.parametrize(
    ("options", "idle"),
    [
        ({"interval": "t"}, "interval"),
        ({"seed": 3}, "seed"),
        ({"interval": "poisson", "bootstrap_samples": 50, "seed": 3}, "interval, bootstrap_samples, seed"),
    ],
)
def test_options_of_intervals_without_a_level(options: dict[str, Any], idle: str) -> None:
    expected = corpus.evaluate(kieval, PREDICTIONS, REFERENCES)
    message = f"^{idle}: no effect without confidence_level, which adds intervals$"
    with pytest.warns(UserWarning, match=message):
        assert corpus.evaluate(kieval, PREDICTIONS, REFERENCES, **options) == expected
    with pytest.warns(UserWarning, match=message):
        docie.load("kieval").compute(predictions=PREDICTIONS, references=REFERENCES, **options)


def test_wrong_options_of_intervals_are_refused_without_a_level_too() -> None:
    for options in ({"interval": "T"}, {"seed": -1}, {"bootstrap_samples": 0}):
        with pytest.raises(ValueError, match=f"^{next(iter(options))} must be "):
            corpus.evaluate(kieval, PREDICTIONS, REFERENCES, **options)
