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
from docie.core.family import get
from docie.core.scores import headline_of, score_of
from docie.corpus.intervals import Spread, clopper_pearson, jackknife_interval

from cli_runs import lines, rows, run_command
from sizes import examples

REFERENCES: list[Any] = [{"a": str(i), "g": [{"b": "1"}] * (1 + i * i % 7)} for i in range(30)]
METHODS = ("t", "percentile")
PREDICTIONS: list[Any] = [{"a": "1", "g": [{"b": "12"[i % 5 == 0]}] * (i * i % 9)} for i in range(30)]


def evaluated(predictions: list[Any], references: list[Any], **options: Any) -> dict[str, Any]:
    return corpus.evaluate(kieval, predictions, references, confidence_level=0.95, **options)


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


def test_a_number_has_the_t_interval_of_its_logarithm() -> None:
    value, error, freedom = leave_one_out("corrections")
    interval = evaluated(PREDICTIONS, REFERENCES)["corrections_interval"]
    logarithms = student.interval(0.95, freedom, loc=np.log(value), scale=error / value)
    assert interval == pytest.approx(np.exp(logarithms))


def test_the_interval_of_a_count_by_hand() -> None:
    """Four documents with 1, 2, 2 and 3 corrections: 8, with a standard error of sqrt(4 * 2 / 3), t with 3 degrees."""
    references = [dict.fromkeys("abc", "1")] * 4
    predictions = [{name: "2" if place < wrong else "1" for place, name in enumerate("abc")} for wrong in (1, 2, 2, 3)]
    factor = np.exp(3.182446 * 1.632993 / 8)
    assert evaluated(predictions, references)["corrections_interval"] == pytest.approx([8 / factor, 8 * factor])


def test_events_of_which_each_document_has_its_own_have_the_error_factor_of_a_poisson_rate() -> None:
    """exp(z / sqrt(d)) of Kirkwood and Sterne, with t for z, and n / (n - 1) documents."""
    low, high = jackknife_interval(Spread(57.0, 57**0.5, 10**9), 0.95, "rate") or []
    assert [low, high] == pytest.approx([57 / 1.2964, 57 * 1.2964], rel=1e-4)


@pytest.mark.parametrize("kind", ["rate", "count", "length", "cost"])
@given(
    value=st.floats(1e-6, 1e6),
    ratio=st.floats(1e-3, 10),
    size=st.integers(2, 100),
    tail=st.floats(-0.1, 1),
    level=st.sampled_from([0.5, 0.95, 0.9999]),
)
@examples(60)
def test_what_cannot_be_negative_has_positive_bounds(
    kind: Any, value: float, ratio: float, size: int, tail: float, level: float
) -> None:
    kurtosis = tail * (size - 2)  # no sample of this size has more
    low, high = jackknife_interval(Spread(value, ratio * value, size, kurtosis), level, kind) or []
    assert 0 <= low < value < high < np.inf
    assert low > 0 or level == 0.9999, "only where the exponential is out of range"


@pytest.mark.exhaustive
def test_the_logarithm_covers_the_total_of_unequal_documents_more_often() -> None:
    """Counts of 20 documents, lognormal as documents' errors are: the plain interval ends below the true total."""
    random, size = np.random.default_rng(0), 20
    truth, plain, logarithm = size * np.exp(0.5), 0, 0
    for values in random.lognormal(0, 1, (2000, size)):
        total, error, tail = float(values.sum()), float(np.sqrt(size * values.var(ddof=1))), float(kurtosis(values))
        low, high = jackknife_interval(Spread(total, error, size, tail), 0.95, "count") or []
        logarithm += low <= truth <= high
        freedom = (size - 1) / (1 + max(0.0, tail) * (size - 1) / (2 * size))
        plain += abs(total - truth) <= student.ppf(0.975, freedom) * error
    assert 1.01 * plain < logarithm
    assert 0.90 < logarithm / 2000 < 0.97


@pytest.mark.parametrize("documents", [2, 10, 24, 200])
@pytest.mark.parametrize("share", [0.5, 0.9, 0.97, 0.999])
def test_the_bound_at_the_limit_is_above_the_true_share_in_at_most_one_corpus_of_forty(
    share: float, documents: int
) -> None:
    low, high = clopper_pearson(1.0, documents, 0.95)
    chance = share**documents  # that all documents are right
    assert high == 1
    assert low <= share or chance <= 0.025


def test_a_difference_has_a_plain_t_interval() -> None:
    low, high = jackknife_interval(Spread(0.1, 0.1, 10), 0.95, "difference") or []
    width = student.ppf(0.975, 9) * 0.1
    assert [low, high] == pytest.approx([0.1 - width, 0.1 + width])


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


def kinds_of_scores(kind: str) -> str:
    """The first five of KIEval's scores of a kind, but for the true positives, and how many more there are."""
    names = [
        name for name in kieval.score(Counts()) if score_of(kieval, name).kind == kind and name != "true_positives"
    ]
    return f"{', '.join(names[:5])} and {len(names) - 5} more scores"


NO_ERRORS = f"{kinds_of_scores('count')} (0 in every document, which gives no upper bound)"
SAME = "true_positives (the same in every document)"


@pytest.mark.parametrize("interval", METHODS)
def test_documents_without_an_error_do_not_say_that_errors_never_happen(interval: str) -> None:
    """A share has the exact bound of its 24 documents; of numbers without a limit, no bound follows from zeros."""
    references = [{"a": "1"}] * 24
    with pytest.warns(UserWarning, match="^no interval for ") as caught:
        result = corpus.evaluate(kieval, references, references, confidence_level=0.95, interval=interval)
    expected = binomtest(24, 24).proportion_ci(method="exact")
    assert result["document_accuracy_interval"] == pytest.approx([expected.low, 1.0])
    said = [str(each.message) for each in caught]
    without = {name for name, value in result.items() if name.endswith("_interval") and value is None}
    assert "corrections_interval" in without
    assert result["entity_f1_interval"] == result["aligned_interval"] == result["document_accuracy_interval"]
    assert result["group_f1_interval"] is None, "no document has a group"
    groups = "group_f1, group_precision, group_recall (at its limit, with fewer than two documents to bound it)"
    assert said == [f"no interval for {NO_ERRORS}; {SAME}; {groups}"]


def test_bounds_at_the_border_are_floats_and_one_more_score_is_no_plural() -> None:
    references = [{"total": str(number), "items": [{"name": f"n{number}"}]} for number in range(20)]
    predictions = [*references[1:], {**references[0], "items": [*references[0]["items"], {"name": "invented"}]}]
    with pytest.warns(UserWarning, match="^no interval for ") as caught:
        result = evaluated(predictions, [*references[1:], references[0]])
    assert {type(bound) for bound in (*result["corrections_interval"], *result["entity_recall_interval"])} == {float}
    assert [str(each.message) for each in caught] == [
        "no interval for substitutions, additions, false_negatives (0 in every document, which gives no upper bound); "
        "true_positives (the same in every document)"
    ]


@pytest.mark.parametrize("interval", METHODS)
def test_documents_of_which_none_is_right(interval: str) -> None:
    references = [{"a": "1"}] * 9
    result = corpus.evaluate(kieval, [{}] * 9, references, confidence_level=0.9, interval=interval)
    expected = binomtest(0, 9).proportion_ci(0.9, method="exact")
    assert result["document_accuracy_interval"] == pytest.approx([0.0, expected.high])
    assert result["corrections_interval"] is None
    assert result["entity_recall_interval"] == pytest.approx([0.0, expected.high])


BORDERS: list[tuple[str, list[Any], list[Any], str, int | None]] = [
    # what, predictions, references, score, documents that bound it (None: no interval)
    ("every document counts", [{"a": "1"}] * 20, [{"a": "1"}] * 20, "entity_f1", 20),
    ("empty documents say nothing of values", [{"a": "1"}] * 5 + [{}] * 15, [{"a": "1"}] * 5 + [{}] * 15, "entity_f1", 5),
    ("nor of groups those without any", [{"g": [{"b": "1"}]}] * 6 + [{"a": "1"}] * 14, [{"g": [{"b": "1"}]}] * 6 + [{"a": "1"}] * 14, "group_f1", 6),
    ("recall needs references", [{"a": "1"}] * 20, [{"a": "1"}] * 4 + [{}] * 16, "entity_recall", 4),
    ("precision needs predictions", [{"a": "1"}] * 4 + [{}] * 16, [{"a": "1"}] * 20, "entity_precision", 4),
    ("a mean over types needs one of them", [{"a": "1"}] * 3 + [{}] * 17, [{"a": "1"}] * 3 + [{}] * 17, "entity_f1_macro", 3),
    ("one document is no sample", [{"a": "1"}] + [{}] * 19, [{"a": "1"}] + [{}] * 19, "entity_f1", None),
    ("nor is none", [{"a": "1"}] * 20, [{"a": "1"}] * 20, "group_f1", None),
    ("numbers have no upper limit", [{"a": "1"}] * 20, [{"a": "1"}] * 20, "corrections", None),
]  # fmt: skip


@pytest.mark.parametrize("interval", ["t", "percentile"])
@pytest.mark.parametrize(("predictions", "references", "score", "documents"), [row[1:] for row in BORDERS], ids=[row[0] for row in BORDERS])  # fmt: skip
def test_a_score_at_its_border(
    predictions: list[Any], references: list[Any], score: str, documents: int | None, interval: str
) -> None:
    result = corpus.evaluate(kieval, predictions, references, confidence_level=0.95, interval=interval)
    assert result[score] in (0, 1)
    expected = None if documents is None else pytest.approx([0.025 ** (1 / documents), 1.0])
    assert result[f"{score}_interval"] == expected


@pytest.mark.parametrize("name", docie.families())
def test_every_share_of_every_family_at_its_border_has_the_bound_of_its_documents(name: str) -> None:
    """Twelve documents that all hold something, and are all read without an error: each of them counts."""
    family: Any = get(name)
    for kind in family.INPUTS:
        if kind not in PERFECT:
            continue
        documents = [PERFECT[kind](number) for number in range(12)]
        result = corpus.evaluate(family, documents, documents, confidence_level=0.95)
        at_limit = [
            key for key, value in result.items()
            if f"{key}_interval" in result and value == 1 and score_of(family, key).kind in ("share", "documents")
        ]  # fmt: skip
        assert headline_of(family) in at_limit or score_of(family, headline_of(family)).kind == "rate"
        for key in at_limit:
            assert result[f"{key}_interval"] == pytest.approx([0.025 ** (1 / 12), 1.0]), (name, kind, key)


PERFECT: dict[str, Any] = {
    "document": lambda number: {"a": str(number), "g": [{"b": "x"}, {"b": "1"}]},
    "value": str,
    "attacked": lambda number: {"attacks": {attack: {"a": str(number)} for attack in ("none", "x")}},
    "tagged words": lambda number: {"words": [f"w{number}", "x"], "tags": ["B-a", "O"]},
    "entities": lambda number: [["a", str(number)], ["b", "x"]],
    "boxes": lambda number: [{"label": "a", "box": [number, 0, number + 4, 2]}],
}


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
    assert result["per_entity"]["menu.nm"]["entity_f1_interval"] == pytest.approx([0.025 ** (1 / 20), 1.0])
    assert "entity_f1_interval" not in result["per_entity"]["tax.nm"]


def test_percentiles_of_one_point_are_no_interval_of_documents() -> None:
    """At a low level both percentiles of few documents may be the same one."""
    references = [{"a": "1"}] * 5
    predictions = [*references[:4], {"a": "2"}]
    with pytest.warns(UserWarning, match=r"entity_recall.* \(the same in every document\)") as caught:
        result = corpus.evaluate(kieval, predictions, references, confidence_level=0.05, interval="percentile")
    expected = binomtest(4, 5).proportion_ci(0.05, method="exact")
    assert result["document_accuracy_interval"] == pytest.approx([expected.low, expected.high])
    assert result["entity_recall_interval"] is None
    assert len(caught) == 1


def test_a_drop_may_be_negative() -> None:
    """An attack that helps: before, the interval was cut at 0, so that its end lay before its beginning."""
    right, wrong = {"a": "1", "b": "2"}, {"a": "1", "b": "3"}
    documents = [{"attacks": {"none": wrong if number % 4 else right, "x": right}} for number in range(20)]
    references = [{"attacks": {"none": right, "x": right}}] * 20
    result = corpus.evaluate(form_robustness, documents, references, confidence_level=0.95)
    low, high = result["drop_f1_x_interval"]
    assert low < result["drop_f1_x"] < high < 0


def test_a_mean_length_below_one_is_no_share() -> None:
    """The mean number of characters has the t interval of its logarithm, not Wilson's."""
    references = [{"a": "12"}] * 8
    predictions = [{"a": "12" if number else "11"} for number in range(8)]
    result = corpus.evaluate(text_match, predictions, references, confidence_level=0.95)
    values = [0.0] * 7 + [1.0]
    moves = [(sum(values) - each) / 7 for each in values]
    error = float(np.sqrt(7 / 8 * np.sum((np.array(moves) - np.mean(moves)) ** 2)))
    freedom = 7 / (1 + max(0.0, float(kurtosis(moves))) * 7 / 16)
    factor = np.exp(student.ppf(0.975, freedom) * error * 8)
    assert result["levenshtein_distance_interval"] == pytest.approx([1 / 8 / factor, 1 / 8 * factor])


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
    assert result["per_entity"]["a"]["entity_f1_interval"] == pytest.approx([0.025 ** (1 / 8), 1.0])
    assert [str(each.message) for each in caught] == [
        "no interval for additions, deletions (0 in every document, which gives no upper bound); "
        "group_f1, group_precision, group_recall (at its limit, with fewer than two documents to bound it); "
        "scores in 2 rows of by_half (0 in every document, which gives no upper bound); "
        "scores in 2 rows of by_half (at its limit, with fewer than two documents to bound it)"
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


def test_the_signature_says_which_intervals_are_shown() -> None:
    assert "|confidence_level:0.95|empty_groups:ignore|interval:t|" in evaluated(PREDICTIONS, REFERENCES)["signature"]
    drawn = evaluated(PREDICTIONS, REFERENCES, interval="percentile")["signature"]
    assert "|bootstrap_samples:1000|confidence_level:0.95|" in drawn
    assert "|interval:percentile|" in drawn
    assert "|seed:0|" in drawn


def test_t_is_the_default_everywhere() -> None:
    options: dict[str, Any] = {"confidence_level": 0.95}
    expected = evaluated(PREDICTIONS, REFERENCES, interval="t")
    assert corpus.evaluate(kieval, PREDICTIONS, REFERENCES, **options) == expected
    partial = corpus.count(kieval, PREDICTIONS, REFERENCES, keep="documents")
    assert corpus.results(corpus.Partial.from_json(partial.to_json()), **options) == expected
    computed = docie.load("kieval").compute(predictions=PREDICTIONS, references=REFERENCES, **options)
    assert computed == expected


def test_samples_without_effect_are_told() -> None:
    message = "^bootstrap_samples, seed: no effect with interval='t'; 'percentile' resamples documents$"
    with pytest.warns(UserWarning, match=message):
        assert evaluated(PREDICTIONS, REFERENCES, bootstrap_samples=9, seed=3) == evaluated(PREDICTIONS, REFERENCES)


def test_one_document_none_and_wrong_values() -> None:
    with pytest.warns(UserWarning, match="^one document shows no variation: there are no intervals$"):
        assert evaluated([{"a": "1"}], [{"a": "1"}])["entity_f1_interval"] is None
    with pytest.warns(UserWarning, match="^no documents show no variation: there are no intervals$"):
        assert evaluated([], [])["entity_f1_interval"] is None
    with pytest.raises(ValueError, match=r"^interval must be 't' or 'percentile', got 'bca'$"):
        corpus.evaluate(kieval, [], [], confidence_level=0.95, interval="bca")


def test_another_family_and_the_command_line(tmp_path: Any) -> None:
    result = corpus.evaluate(hed, PREDICTIONS, REFERENCES, confidence_level=0.95)
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
        ({"interval": "percentile"}, "interval"),
        ({"seed": 3}, "seed"),
        ({"interval": "percentile", "bootstrap_samples": 50, "seed": 3}, "interval, bootstrap_samples, seed"),
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
