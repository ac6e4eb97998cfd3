"""Intervals of random small corpora, of all families and by all methods: what must hold of each."""

from __future__ import annotations

import math
import random
import warnings
from collections.abc import Callable, Mapping
from typing import Any

import pytest

import docie
from docie import corpus
from docie.core.family import get
from docie.core.scores import score_of
from docie.corpus.intervals import RANGES

from sizes import times

METHODS = ("t", "percentile")
ERROR_RATES = (0.0, 0.02, 0.1, 0.5, 1.0)
FAMILIES = docie.families()
OPTIONS: dict[str, dict[str, Any]] = {
    "kieval": {"costs": {"substitution": 3, "addition": 5, "deletion": 1}, "weights": {"a": 2}},
    "box_iou": {"thresholds": [0.75]},
}
PARTS = 10
"""Of the corpora: several processes may share them."""
_WORDS = ("a", "b", "c")


def text(rng: random.Random) -> str:
    return rng.choice(["1", "12", "7.50", "x y"])


def misread(value: str, rng: random.Random, rate: float) -> str:
    return value + "!" if rng.random() < rate else value


def document(rng: random.Random) -> dict[str, Any]:
    found: dict[str, Any] = {name: text(rng) for name in _WORDS if rng.random() < 0.5}
    if rng.random() < 0.5:
        found["g"] = [{"b": text(rng), "c": text(rng)} for _ in range(rng.randrange(3))]
    return found


def read(value: Any, rng: random.Random, rate: float) -> Any:
    """A document as a model reads it that misreads and drops values."""
    if isinstance(value, dict):
        return {key: read(each, rng, rate) for key, each in value.items() if rng.random() >= rate / 2}
    if isinstance(value, list):
        return [read(each, rng, rate) for each in value if rng.random() >= rate / 2]
    return misread(value, rng, rate)


def of_documents(rng: random.Random, rate: float) -> tuple[Any, Any]:
    reference = document(rng)
    return read(reference, rng, rate), reference


def of_forms(rng: random.Random, rate: float) -> tuple[Any, Any]:
    reference = document(rng)
    attacks = ["none", *(name for name in ("x", "y") if rng.random() < 0.8)]
    rates = dict(zip(attacks, (rate, rng.choice(ERROR_RATES), rate), strict=False))
    predicted = {name: read(reference, rng, rates[name]) for name in attacks}
    return {"attacks": predicted}, {"attacks": dict.fromkeys(attacks, reference)}


def of_tagged_words(rng: random.Random, rate: float) -> tuple[Any, Any]:
    words = [text(rng) for _ in range(rng.randrange(4))]
    tags = [rng.choice(["O", "B-a", "B-b"]) for _ in words]
    predicted = ["O" if rng.random() < rate else tag for tag in tags]
    read_words = [misread(word, rng, rate) for word in words]
    return {"words": read_words, "tags": predicted}, {"words": words, "tags": tags}


def of_entities(rng: random.Random, rate: float) -> tuple[Any, Any]:
    reference = [[rng.choice(_WORDS), text(rng)] for _ in range(rng.randrange(4))]
    predicted = [[name, misread(value, rng, rate)] for name, value in reference if rng.random() >= rate / 2]
    return predicted, reference


def of_boxes(rng: random.Random, rate: float) -> tuple[Any, Any]:
    reference = [
        {"label": rng.choice(_WORDS), "box": [4 * place, 0, 4 * place + 4, 2]} for place in range(rng.randrange(4))
    ]
    moved = [
        each | {"box": [each["box"][0], 0, each["box"][2], 1]} if rng.random() < rate else each for each in reference
    ]
    return [each for each in moved if rng.random() >= rate / 2], reference


KINDS: dict[str, Callable[[random.Random, float], tuple[Any, Any]]] = {
    "document": of_documents,
    "attacked": of_forms,
    "tagged words": of_tagged_words,
    "entities": of_entities,
    "boxes": of_boxes,
}
CASES = [(name, kind) for name in FAMILIES for kind in get(name).INPUTS if kind in KINDS]


def check(family: Any, figures: Mapping[str, Any], *, method: str) -> None:
    """What holds of the intervals of scores, at the top or in a row of a table."""
    for key, interval in figures.items():
        name = key.removesuffix("_interval")
        if name == key:
            continue
        value, kind = figures[name], score_of(family, name).kind
        least, most = RANGES[kind]
        if interval is None:
            assert kind != "documents", key
            continue
        low, high = interval
        assert math.isfinite(low)
        assert math.isfinite(high)
        assert least <= low < high <= most, (key, interval)
        assert kind in ("documents", "share") or value not in (least, most), (key, interval)
        if method == "t":
            assert low <= value <= high, (key, value, interval)


def check_corpus(number: int) -> None:
    """Draw a corpus, score it, and check all intervals."""
    rng = random.Random(number)
    name, kind = CASES[number % len(CASES)]
    method = METHODS[number // len(CASES) % len(METHODS)]
    rate, size = rng.choice(ERROR_RATES), rng.randint(2, 20)
    pairs = [KINDS[kind](rng, rate) for _ in range(size)]
    family: Any = get(name)
    settings = family.Settings(**OPTIONS.get(name, {}))
    with warnings.catch_warnings():
        warnings.simplefilter("error", RuntimeWarning)  # of numpy: a division by 0, a number that is none
        predictions, references = ([pair[side] for pair in pairs] for side in (0, 1))
        level = rng.choice([0.5, 0.9, 0.95, 0.99])
        results = corpus.evaluate(
            family, predictions, references, settings, breakdown=True, confidence_level=level, interval=method,
            bootstrap_samples=60, seed=number,
        )  # fmt: skip
    place = f"corpus {number}: {name}, {kind}, {method}, {size} documents"
    tables = [table for key, table in results.items() if key.startswith("per_") and isinstance(table, dict)]
    for figures in (results, *(row for table in tables for row in table.values())):
        try:
            check(family, figures, method=method)
        except AssertionError as error:
            raise AssertionError(f"{place}: {error}") from None


@pytest.mark.exhaustive
@pytest.mark.parametrize("part", range(PARTS))
@times(8_000 // PARTS, 300 // PARTS)
def test_no_corpus_has_an_interval_that_cannot_be_right(times: int, part: int) -> None:
    for number in range(part * times, (part + 1) * times):
        check_corpus(number)
