"""The Poisson bootstrap: any partition gives the same figures, which are near those of the multinomial bootstrap."""

from __future__ import annotations

import json
import random
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from docie import anls_star, corpus, hed, kieval
from docie.core.counts import Counts
from docie.corpus import Partial, replicates

from sizes import examples, times

POISSON: dict[str, Any] = {"confidence_level": 0.95, "interval": "poisson"}
FAMILIES = [kieval, anls_star, hed]  # whole numbers, similarities, and both
REFERENCES: list[Any] = [{"a": "latte", "g": [{"b": "1"}] * (1 + i * i % 7)} for i in range(60)]
PREDICTIONS: list[Any] = [{"a": "latex"[: i % 6], "g": [{"b": "12"[i % 5 == 0]}] * (i * i % 9)} for i in range(60)]


def drawn(family: Any, cut: slice, **options: Any) -> Partial:
    """A part of the corpus, resampled as it is counted."""
    options = {"keep": "samples", "first": cut.start} | options
    return corpus.count(family, PREDICTIONS[cut], REFERENCES[cut], **options)


@pytest.mark.exhaustive
@given(st.lists(st.integers(0, 60), max_size=4), st.randoms(), st.sampled_from(FAMILIES))
@examples(40)
def test_any_partition_in_any_order_gives_the_same_to_the_last_digit(
    cuts: list[int], dice: random.Random, family: Any
) -> None:
    whole = drawn(family, slice(0, 60), bootstrap_samples=50)
    borders = [0, *sorted(cuts), 60]
    parts = [drawn(family, slice(*cut), bootstrap_samples=50).to_json() for cut in pairwise(borders)]
    dice.shuffle(parts)
    merged = Partial.sum_of(map(Partial.from_json, json.loads(json.dumps(parts))))
    options: dict[str, Any] = {"confidence_level": 0.95, "interval": "poisson", "bootstrap_samples": 50}
    figures = [corpus.results(each, breakdown=True, **options) for each in (merged, whole)]
    assert figures[0] == figures[1]
    assert "|interval:poisson|" in figures[0]["signature"]
    assert figures[0]["signature"].count("|bootstrap_samples:50|confidence_level:0.95|") == 1


@pytest.mark.parametrize("family", FAMILIES)
def test_evaluate_and_parts_give_the_same(family: Any) -> None:
    """One method by three ways, signature included."""
    options: dict[str, Any] = {"confidence_level": 0.9, "interval": "poisson", "bootstrap_samples": 50, "seed": 3}
    whole = corpus.evaluate(family, PREDICTIONS, REFERENCES, breakdown=True, **options)
    assert "per_document" not in whole, "no document is kept"
    assert "|interval:poisson|" in whole["signature"]
    sampling = {"bootstrap_samples": 50, "seed": 3}
    parts = [drawn(family, cut, **sampling) for cut in (slice(25, 60), slice(0, 25))]
    parts = [Partial.from_json(json.loads(json.dumps(part.to_json()))) for part in parts]
    assert corpus.results(parts[0] + parts[1], breakdown=True, **options) == whole
    assert corpus.results(parts[1] + parts[0], breakdown=True, **options) == whole
    assert corpus.results(drawn(family, slice(0, 60), **sampling), breakdown=True, **options) == whole


def test_documents_without_ids_of_named_parts_are_drawn_apart() -> None:
    named, again, other = (
        drawn(kieval, slice(0, 9), bootstrap_samples=50, first=first).to_json()["replicates"]
        for first in ("a.jsonl", "a.jsonl", "b.jsonl")
    )
    assert named == again
    assert named["whole"] != other["whole"]


def test_what_does_not_fit() -> None:
    row = [{"a": "1"}]
    one = corpus.count(kieval, row, row, keep="samples", bootstrap_samples=9)
    options: dict[str, Any] = {"confidence_level": 0.9, "interval": "poisson", "bootstrap_samples": 9}
    assert corpus.results(one, **options)["entity_f1_interval"] is None
    with pytest.raises(
        ValueError, match="^document 0 occurs twice; `first` sets the numbers of the documents in each part$"
    ):
        one + one
    with pytest.raises(
        ValueError, match="^the documents were resampled with bootstrap_samples=9, seed=0; use the same values"
    ):
        corpus.results(one, **options | {"seed": 1})
    with pytest.raises(
        ValueError,
        match=r"^intervals need .*: count with keep=\"documents\" \(what was kept is for interval=\"poisson\"\)$",
    ):
        corpus.results(one, confidence_level=0.9)
    plain = corpus.count(kieval, row, row, keep="documents")
    with pytest.raises(ValueError, match="^interval 'poisson' needs resampled documents"):
        corpus.results(plain, **options)
    with pytest.raises(
        ValueError, match="^cannot add Partials that were counted with another keep, group_by or clusters$"
    ):
        plain + one
    with pytest.raises(ValueError, match="^interval 'poisson' has no intervals by group: use 't' or 'percentile'"):
        corpus.evaluate(kieval, row, row, group_by="vendor", **options)
    with pytest.raises(ValueError, match="^first must be a whole number of at least 0, got -1$"):
        corpus.count(kieval, row, row, keep="samples", first=-1)


def test_documents_with_ids_may_lie_in_any_order() -> None:
    wrapped = [{"id": f"r-{number}", "document": row} for number, row in enumerate(REFERENCES)]
    order = random.Random(0).sample(range(60), 60)
    whole, shuffled = (
        corpus.count(hed, [PREDICTIONS[i] for i in places], [wrapped[i] for i in places], keep="samples")
        for places in (range(60), order)
    )
    assert whole.to_json()["replicates"]["numbered"] == shuffled.to_json()["replicates"]["numbered"] == []
    assert corpus.results(whole, **POISSON) == corpus.results(shuffled, **POISSON)


def test_workers_change_nothing() -> None:
    many = PREDICTIONS * 9, REFERENCES * 9  # more than one chunk
    one, two = (corpus.count(kieval, *many, keep="samples", bootstrap_samples=9, workers=workers) for workers in (1, 2))
    assert one.to_json() == two.to_json()


def test_samples_by_hand() -> None:
    """Each sample is the sum of the counts, each as often as its weight says, scaled to the number of documents."""
    partial = drawn(anls_star, slice(0, 60), bootstrap_samples=20, seed=3)
    assert partial.replicates is not None
    sums = partial.replicates.sums(partial.counts)
    weights = replicates.weights(range(60), samples=20, seed=3)
    each = [anls_star.count(*pair, anls_star.Settings()) for pair in zip(PREDICTIONS, REFERENCES, strict=True)]
    found = anls_star.score(sums)["anls_star"]
    for sample in range(20):
        taken = [counts for counts, weight in zip(each, weights[:, sample], strict=True) for _ in range(int(weight))]
        assert found[sample] == pytest.approx(anls_star.score(sum(taken, Counts()))["anls_star"], abs=1e-8)
    assert partial.counts.documents == 60
    assert sums.documents.tolist() == pytest.approx([60] * 20)


@times(200_000, 20_000)
def test_weights_are_poisson_numbers(times: int) -> None:
    weights = replicates.weights(range(times // 100), samples=100, seed=1)
    assert weights.mean() == pytest.approx(1, abs=5 / np.sqrt(times))
    assert weights.var() == pytest.approx(1, abs=10 / np.sqrt(times))
    assert (weights == 0).mean() == pytest.approx(np.exp(-1), abs=3 / np.sqrt(times))
    assert np.corrcoef(weights[::2].ravel(), weights[1::2].ravel())[0, 1] == pytest.approx(0, abs=6 / np.sqrt(times))
    other = replicates.weights(range(times // 100), samples=100, seed=2)
    assert np.corrcoef(weights.ravel(), other.ravel())[0, 1] == pytest.approx(0, abs=5 / np.sqrt(times))
    assert (replicates.weights(["7"], samples=50, seed=0) != replicates.weights([7], samples=50, seed=0)).any()


@pytest.mark.parametrize("family", FAMILIES)
def test_intervals_are_near_those_of_the_multinomial_bootstrap(family: Any) -> None:
    options: dict[str, Any] = {"confidence_level": 0.9, "interval": "poisson", "bootstrap_samples": 4000}
    found = corpus.results(drawn(family, slice(0, 60), bootstrap_samples=4000), **options)
    expected = corpus.evaluate(family, PREDICTIONS, REFERENCES, **options | {"interval": "percentile"})
    for name, interval in expected.items():
        if name.endswith("_interval"):
            value = expected[name.removesuffix("_interval")]
            assert found[name.removesuffix("_interval")] == value
            width = interval[1] - interval[0]
            assert found[name] == pytest.approx(interval, abs=0.12 * width + 1e-9), name


def test_one_document_and_none() -> None:
    one = corpus.count(kieval, [{"a": "1"}], [{"a": "1", "b": "2"}], keep="samples")
    assert corpus.results(one, **POISSON)["entity_recall_interval"] is None
    none = corpus.count(kieval, [], [], keep="samples")
    assert corpus.results(none, **POISSON)["entity_f1_interval"] is None
    assert (none + one).to_json()["replicates"] == one.to_json()["replicates"]


def test_what_cannot_be_added() -> None:
    part = corpus.count(kieval, [{}], [{"a": "1"}], keep="samples", bootstrap_samples=9)
    others: dict[str, dict[str, Any]] = {
        r"^cannot add 9 samples of seed 0 to 9 of seed 1$": {"seed": 1},
        r"^cannot add 9 samples of seed 0 to 8 of seed 0$": {"bootstrap_samples": 8},
        r"^cannot add a Partial made as 'kieval\|": {"settings": kieval.Settings(matching="greedy")},
        r"^document 0 occurs twice; `first` sets the numbers of the documents in each part$": {},
    }
    for problem, more in others.items():
        options: dict[str, Any] = {"keep": "samples", "bootstrap_samples": 9, **more}
        other = corpus.count(kieval, [{}], [{"a": "1"}], **options)
        with pytest.raises(ValueError, match=problem):
            other + part
    value = part.to_json()
    for wrong in ("x", {"samples": 7}, {"whole": [[["a"], [["1"] * 9]]]}):
        changed = value["replicates"] | wrong if isinstance(wrong, dict) else wrong
        with pytest.raises(ValueError, match="^expected the JSON of replicates, got "):
            Partial.from_json(value | {"replicates": changed})


def test_names_that_no_memory_holds(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("docie.corpus.replicates.MOST_NUMBERS", 100)
    with pytest.raises(ValueError, match=r"^100 samples of the counts of \d names do not fit into memory; use fewer "):
        corpus.count(kieval, PREDICTIONS, REFERENCES, keep="samples", bootstrap_samples=100)
