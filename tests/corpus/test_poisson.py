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
from docie.corpus.poisson import weights as drawing

from sizes import examples, times

FAMILIES = [kieval, anls_star, hed]  # whole numbers, similarities, and both
REFERENCES: list[Any] = [{"a": "latte", "g": [{"b": "1"}] * (1 + i * i % 7)} for i in range(60)]
PREDICTIONS: list[Any] = [{"a": "latex"[: i % 6], "g": [{"b": "12"[i % 5 == 0]}] * (i * i % 9)} for i in range(60)]


@given(st.lists(st.integers(0, 60), max_size=4), st.randoms(), st.sampled_from(FAMILIES))
@examples(40)
def test_any_partition_in_any_order_gives_the_same_to_the_last_digit(
    cuts: list[int], dice: random.Random, family: Any
) -> None:
    whole = corpus.poisson_bootstrap(family, PREDICTIONS, REFERENCES, samples=50)
    borders = [0, *sorted(cuts), 60]
    parts = [
        corpus.poisson_bootstrap(
            family, PREDICTIONS[start:end], REFERENCES[start:end], samples=50, first=start
        ).to_json()
        for start, end in pairwise(borders)
    ]
    dice.shuffle(parts)
    merged = corpus.merge_replicates(json.loads(json.dumps(parts)))
    figures = [corpus.summarize_replicates(family, each, breakdown=True) for each in (merged, whole)]
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
    parts = [
        corpus.count_part(family, PREDICTIONS[cut], REFERENCES[cut], samples=50, seed=3, first=cut.start)
        for cut in (slice(25, 60), slice(0, 25))
    ]
    parts = [json.loads(json.dumps(part)) for part in parts]
    assert corpus.evaluate_parts(family, parts, breakdown=True, **options) == whole
    merged = corpus.merge_parts([corpus.merge_parts(parts[:1]), parts[1]])
    assert corpus.evaluate_parts(family, [merged], breakdown=True, **options) == whole
    replicates = corpus.poisson_bootstrap(family, PREDICTIONS, REFERENCES, samples=50, seed=3)
    assert corpus.summarize_replicates(family, replicates, confidence_level=0.9, breakdown=True) == whole


def test_documents_without_ids_of_named_parts_are_drawn_apart() -> None:
    named, again, other = (
        corpus.count_part(kieval, PREDICTIONS[:9], REFERENCES[:9], samples=50, first=first)
        for first in ("a.jsonl", "a.jsonl", "b.jsonl")
    )
    assert named["replicates"] == again["replicates"]
    assert named["replicates"]["whole"] != other["replicates"]["whole"]


def test_what_does_not_fit() -> None:
    row = [{"a": "1"}]
    drawn = corpus.count_part(kieval, row, row, samples=9)
    options: dict[str, Any] = {"confidence_level": 0.9, "interval": "poisson", "bootstrap_samples": 9}
    assert corpus.evaluate_parts(kieval, [drawn], **options)["entity_f1_interval"] is None
    with pytest.raises(ValueError, match="^document 0 is there twice; `first` numbers the documents of each part$"):
        corpus.evaluate_parts(kieval, [drawn, drawn], **options)
    with pytest.raises(ValueError, match="^the parts were resampled with bootstrap_samples=9, seed=0, and that is"):
        corpus.evaluate_parts(kieval, [drawn], **options | {"seed": 1})
    with pytest.raises(ValueError, match="^intervals need the counts of each document"):
        corpus.evaluate_parts(kieval, [drawn], confidence_level=0.9)
    plain = corpus.count_part(kieval, row, row, per_document=True)
    with pytest.raises(ValueError, match="^interval 'poisson' needs parts that were resampled"):
        corpus.evaluate_parts(kieval, [plain], **options)
    with pytest.raises(ValueError, match="^cannot add parts that were counted with another per_document, group_by or"):
        corpus.merge_parts([plain, drawn])
    with pytest.raises(ValueError, match="^interval 'poisson' has no intervals by group: take 'percentile' or 't'"):
        corpus.evaluate(kieval, row, row, group_by="vendor", **options)


def test_documents_with_ids_may_lie_in_any_order() -> None:
    wrapped = [{"id": f"r-{number}", "document": row} for number, row in enumerate(REFERENCES)]
    order = random.Random(0).sample(range(60), 60)
    whole, shuffled = (
        corpus.poisson_bootstrap(hed, [PREDICTIONS[i] for i in places], [wrapped[i] for i in places])
        for places in (range(60), order)
    )
    assert whole.numbered == shuffled.numbered == []
    assert corpus.summarize_replicates(hed, whole) == corpus.summarize_replicates(hed, shuffled)


def test_workers_change_nothing() -> None:
    many = PREDICTIONS * 9, REFERENCES * 9  # more than one chunk
    one, two = (corpus.poisson_bootstrap(kieval, *many, samples=9, workers=workers) for workers in (1, 2))
    assert one.to_json() == two.to_json()


def test_samples_by_hand() -> None:
    """Each sample is the sum of the counts, each as often as its weight says, scaled to the number of documents."""
    replicates = corpus.poisson_bootstrap(anls_star, PREDICTIONS, REFERENCES, samples=20, seed=3)
    weights = drawing.weights(range(60), samples=20, seed=3)
    each = [anls_star.count(*pair, anls_star.Settings()) for pair in zip(PREDICTIONS, REFERENCES, strict=True)]
    found = anls_star.score(replicates.sums())["anls_star"]
    for sample in range(20):
        drawn = [counts for counts, weight in zip(each, weights[:, sample], strict=True) for _ in range(int(weight))]
        assert found[sample] == pytest.approx(anls_star.score(sum(drawn, Counts()))["anls_star"], abs=1e-8)
    assert replicates.counts.documents == 60
    assert replicates.sums().documents.tolist() == pytest.approx([60] * 20)


@times(200_000, 20_000)
def test_weights_are_poisson_numbers(times: int) -> None:
    weights = drawing.weights(range(times // 100), samples=100, seed=1)
    assert weights.mean() == pytest.approx(1, abs=5 / np.sqrt(times))
    assert weights.var() == pytest.approx(1, abs=10 / np.sqrt(times))
    assert (weights == 0).mean() == pytest.approx(np.exp(-1), abs=3 / np.sqrt(times))
    assert np.corrcoef(weights[::2].ravel(), weights[1::2].ravel())[0, 1] == pytest.approx(0, abs=6 / np.sqrt(times))
    other = drawing.weights(range(times // 100), samples=100, seed=2)
    assert np.corrcoef(weights.ravel(), other.ravel())[0, 1] == pytest.approx(0, abs=5 / np.sqrt(times))
    assert (drawing.weights(["7"], samples=50, seed=0) != drawing.weights([7], samples=50, seed=0)).any()


@pytest.mark.parametrize("family", FAMILIES)
def test_intervals_are_near_those_of_the_multinomial_bootstrap(family: Any) -> None:
    replicates = corpus.poisson_bootstrap(family, PREDICTIONS, REFERENCES, samples=4000)
    found = corpus.summarize_replicates(family, replicates, confidence_level=0.9)
    expected = corpus.evaluate(family, PREDICTIONS, REFERENCES, confidence_level=0.9, bootstrap_samples=4000)
    for name, interval in expected.items():
        if name.endswith("_interval"):
            value = expected[name.removesuffix("_interval")]
            assert found[name.removesuffix("_interval")] == value
            width = interval[1] - interval[0]
            assert found[name] == pytest.approx(interval, abs=0.12 * width + 1e-9), name


def test_one_document_and_none() -> None:
    one = corpus.poisson_bootstrap(kieval, [{"a": "1"}], [{"a": "1", "b": "2"}])
    assert corpus.summarize_replicates(kieval, one)["entity_recall_interval"] is None
    none = corpus.poisson_bootstrap(kieval, [], [])
    assert corpus.summarize_replicates(kieval, none)["entity_f1_interval"] is None
    assert corpus.merge_replicates([none, one]).to_json() == one.to_json()


def test_what_cannot_be_merged() -> None:
    part = corpus.poisson_bootstrap(kieval, [{}], [{"a": "1"}], samples=9)
    others: dict[str, dict[str, Any]] = {
        r"^cannot merge 9 samples of seed 0 with 9 of seed 1$": {"seed": 1},
        r"^cannot merge 9 samples of seed 0 with 8 of seed 0$": {"samples": 8},
        r"^cannot merge counts made as 'kieval\|": {"settings": kieval.Settings(matching="greedy")},
        r"^document 0 is there twice; `first` numbers the documents of each part$": {},
    }
    for problem, options in others.items():
        other = corpus.poisson_bootstrap(kieval, [{}], [{"a": "1"}], **({"samples": 9} | options))
        with pytest.raises(ValueError, match=problem):
            corpus.merge_replicates([part, other])
    wrongs: list[Any] = [
        "x",
        [],
        [3],
        [{**part.to_json(), "samples": 7}],
        [{**part.to_json(), "whole": [[["a"], [["1"] * 9]]]}],
    ]
    for wrong in wrongs:
        with pytest.raises(ValueError, match="^expected "):
            corpus.merge_replicates(wrong)


def test_names_that_no_memory_holds(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("docie.corpus.poisson.replicates.MOST_NUMBERS", 100)
    with pytest.raises(ValueError, match=r"^100 samples of the counts of \d names do not fit into memory; take fewer "):
        corpus.poisson_bootstrap(kieval, PREDICTIONS, REFERENCES, samples=100)
