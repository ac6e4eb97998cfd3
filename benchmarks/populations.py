"""Populations of documents: the answers of two systems to each, from which corpora are drawn.

Corpora are drawn with replacement, so the scores of a population are their true scores. Real populations: CORD's
receipts (Qwen2-VL and LayoutLM), the invoices of RVL-CDIP (Deep CPCFG, and the same with every twentieth value left
out), and DocuBench (gemini and claude). In the last, five of fifty documents hold more than half of a system's
corrections: a heavy tail. Generated ones: "heavy" (documents of 1 to 400 values, lognormal, with an error rate of their
own, 11 % on average), and "clean95" and "clean99" (receipts of which so many percent have no error). Families that
score entities see the values of a document as a list.
"""

from __future__ import annotations

import random
import sys
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from generate import predict, receipt
from numpy.typing import NDArray

from docie.core.counts import Counts
from docie.corpus.matrix import Matrix

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tests" / "support"))

from json_lines import read_lines
from real_documents import Pairs, cord_pairs, docubench_pairs, invoice_pairs

LEFT_OUT = 0.05
MADE = 2000  # documents of a generated population
Array = NDArray[Any]


class Population(NamedTuple):
    """The counts of two systems' answers to the same documents, a row each, and what gives their scores."""

    one: Array
    other: Array
    scores: Callable[[Array], dict[str, Array]]


def population(first: Pairs, second: Pairs, families: Iterable[Any], wanted: Iterable[str]) -> Population:
    """The population of two systems, with these scores of these families."""
    parts = [_counted(family, [*first, *second]) for family in families]
    matrix = np.hstack([part for part, _ in parts])
    ends = np.cumsum([part.shape[1] for part, _ in parts])

    def scores(sums: Array) -> dict[str, Array]:
        found: dict[str, Array] = {}
        for (_, score), columns in zip(parts, np.split(sums, ends[:-1], axis=1), strict=True):
            found |= score(columns)
        return {name: np.broadcast_to(found[name], len(sums)) for name in wanted}

    return Population(matrix[: len(first)], matrix[len(first) :], scores)


def _counted(family: Any, pairs: Pairs) -> tuple[Array, Callable[[Array], dict[str, Array]]]:
    """The counts of documents as a matrix, and what gives the scores of sums of its rows."""
    if "document" not in family.INPUTS:
        pairs = [(_entities(prediction), _entities(reference)) for prediction, reference in pairs]
    columns = Matrix(_short(family.count(*pair, family.Settings())) for pair in pairs).columns()
    return columns.rows.toarray().astype(float), lambda sums: family.score(columns.counts(sums))


def _short(counts: Counts) -> Counts:
    """The counts without entity types, which the scores measured here do not tell apart: that saves time."""
    short = Counts(counts.documents, counts.invalid_predictions)
    for key, numbers in counts.rows.items():
        is_list = key[0] in ("entities", "words", "text")
        if is_list and key[1] is not None:
            continue  # the row of None has all categories
        name = key if is_list or key[0] in ("document", "correct") else (key[0], *["-"] * (len(key) - 1))
        short.rows[name] = [a + b for a, b in zip(short.rows.get(name, [0] * len(numbers)), numbers, strict=True)]
    return short


def _entities(value: Any, name: str = "") -> Any:
    """The values of a document as a list of (entity type, text); what is no document stays as it is."""
    if isinstance(value, tuple):  # of alternatives, the first
        return _entities(value[0], name)
    if isinstance(value, list):
        return [entity for child in value for entity in _entities(child, name)]
    if not isinstance(value, dict):
        return [[name, value]] if name and value is not None else value if not name else []
    found = (_entities(child, f"{name}.{key}" if name else key) for key, child in value.items())
    return [entity for entities in found for entity in entities]


def populations(data: Path, families: Iterable[Any], wanted: Iterable[str]) -> dict[str, Callable[[], Population]]:
    """All populations by name."""

    def cord() -> Population:
        names = {
            "references": "references",
            "qwen": "predictions-qwen2-vl-72b",
            "layoutlm": "predictions-layoutlm-words",
        }
        rows = {name: list(read_lines(data / "cord-test" / f"{file}.jsonl")) for name, file in names.items()}
        return population(cord_pairs(rows, "qwen"), cord_pairs(rows, "layoutlm"), families, wanted)

    def invoices() -> Population:
        pairs, dice = invoice_pairs(data), random.Random(0)
        second = [(_with_gaps(prediction, dice), reference) for prediction, reference in pairs]
        return population(pairs, second, families, wanted)

    def docubench() -> Population:
        return population(docubench_pairs(data, "gemini"), docubench_pairs(data, "claude"), families, wanted)

    def made(pairs: Callable[[int], Pairs]) -> Callable[[], Population]:
        return lambda: population(pairs(1), pairs(2), families, wanted)

    return {
        "cord": cord,
        "invoices": invoices,
        "docubench": docubench,
        "heavy": made(_heavy_tailed),
        "clean95": made(lambda seed: _clean(0.95, seed)),
        "clean99": made(lambda seed: _clean(0.99, seed)),
    }


def heavy_sizes() -> Array:
    """The numbers of values of the documents of "heavy"."""
    return np.minimum(400, np.ceil(np.random.default_rng(0).lognormal(1.5, 1.3, MADE))).astype(int)


def _heavy_tailed(seed: int) -> Pairs:
    """Documents of very different sizes, and of very different error rates."""
    dice = np.random.default_rng(seed)
    pairs: Pairs = []
    for size in heavy_sizes().tolist():
        wrong = dice.random(size) < dice.beta(0.5, 4)
        names = [f"field{number}" for number in range(size)]
        pairs.append(
            (dict(zip(names, np.where(wrong, "12.50", "12.00").tolist(), strict=True)), dict.fromkeys(names, "12.00"))
        )
    return pairs


def _clean(share: float, seed: int) -> Pairs:
    """Receipts of which this share has no error."""
    receipts, dice = random.Random(0), random.Random(seed)
    pairs: Pairs = []
    for number in range(MADE):
        reference = receipt(receipts)
        prediction = reference
        while prediction == reference and number >= share * MADE:
            prediction = predict(reference, dice)
        pairs.append((prediction, reference))
    return pairs


def _with_gaps(value: Any, dice: random.Random) -> Any:
    """The document with some values left out."""
    if isinstance(value, dict):
        return {key: _with_gaps(child, dice) for key, child in value.items()}
    if isinstance(value, list):
        return [_with_gaps(child, dice) for child in value]
    return None if dice.random() < LEFT_OUT else value
