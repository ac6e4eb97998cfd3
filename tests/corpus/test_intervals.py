"""Intervals from the spread of documents, beside formulas and slow textbook versions."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from scipy.stats import binomtest, kurtosis
from scipy.stats import t as student

from docie import corpus, hed, kieval
from docie.counts import Counts

from cli_runs import lines, rows, run_command
from sizes import examples

REFERENCES: list[Any] = [{"a": str(i), "g": [{"b": "1"}] * (1 + i * i % 7)} for i in range(30)]
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


def test_documents_without_an_error_do_not_say_that_errors_never_happen() -> None:
    references = [{"a": "1"}] * 24
    result = evaluated(references, references)
    assert result["entity_f1_interval"] == pytest.approx([0.849, 1.0], abs=0.001)
    assert result["corrections_interval"] == [0.0, 0.0]
    percentiles = corpus.evaluate(kieval, references, references, confidence_level=0.95)
    assert percentiles["entity_f1_interval"] == [1.0, 1.0]


def test_in_small_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    whole = evaluated(PREDICTIONS, REFERENCES, breakdown=True)
    monkeypatch.setattr("docie.corpus.spread._BLOCK", 50)
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
    with pytest.warns(UserWarning, match="^one document says nothing of chance: there are no intervals$"):
        assert "entity_f1_interval" not in evaluated([{"a": "1"}], [{"a": "1"}])
    assert evaluated([], [])["entity_f1_interval"] == [1.0, 1.0]
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
