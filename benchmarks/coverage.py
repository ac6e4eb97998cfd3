"""How often intervals cover and tests reject: corpora drawn from real documents, whose true scores are known.

    DOCIE_DATA=... python benchmarks/coverage.py [--repetitions 1000] [--population cord]

A population is the answers of two systems to real documents. Corpora are drawn from it with replacement, so its scores
are their true scores. Three populations: CORD's receipts (Qwen2-VL and LayoutLM), the invoices of RVL-CDIP (Deep CPCFG,
and the same with every twentieth value left out), and DocuBench (gemini and claude). In the last, five of fifty
documents hold more than half of a system's corrections: a heavy tail.

* Coverage: the share of corpora whose interval holds the true difference. Intervals of one score: intervals.py.
* False alarms: in each document a coin says which system's answer is whose, so neither system is better.
* Clusters: of five documents each, in all of which the same system is the better one; a coin says which.
* Power: the share of corpora in which the real difference is found, by the paired test, and by a test that takes the
  two systems' scores for those of different documents.
"""

from __future__ import annotations

import argparse
import math
import os
import random
import sys
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_matrix
from scipy.special import stdtrit

from docie import anls_star, hed, kieval, tables
from docie.corpus import Stack
from docie.corpus.comparison.linearization import contributions, standard_error, t_interval
from docie.corpus.comparison.randomization import p_values
from docie.counts import Counts

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tests" / "support"))

from json_lines import read_lines
from real_documents import Pairs, cord_pairs, docubench_pairs, invoice_pairs

SIZES = (50, 100, 500)
CLUSTER = 5  # documents
SHUFFLES, SAMPLES = 999, 1000
LEVEL = 0.95
LEFT_OUT = 0.05
SCORES = ("entity_f1", "aligned", "group_f1", "document_accuracy", "anls_star", "uhed_f1")
TESTED = ("entity_f1", "document_accuracy", "anls_star")
Array = NDArray[Any]
FAMILIES: tuple[Any, ...] = (kieval, anls_star, hed)


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
    stack = Stack()
    stack.extend(_short(family.count(*pair, family.Settings())) for pair in pairs)
    matrix, column_of = stack.matrix()
    return matrix.toarray().astype(float), lambda sums: family.score(stack.counts_of(sums, column_of))


def _short(counts: Counts) -> Counts:
    """The counts without entity types, which the scores measured here do not tell apart: that saves time."""
    short = Counts(counts.documents, counts.invalid_predictions)
    for key, numbers in counts.rows.items():
        name = key if key[0] in ("document", "correct") else (key[0], *["-"] * (len(key) - 1))
        short.rows[name] = [a + b for a, b in zip(short.rows.get(name, [0] * len(numbers)), numbers, strict=True)]
    return short


def populations(
    data: Path, families: Iterable[Any] = FAMILIES, wanted: Iterable[str] = SCORES
) -> dict[str, Callable[[], Population]]:
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

    return {"cord": cord, "invoices": invoices, "docubench": docubench}


def _with_gaps(value: Any, dice: random.Random) -> Any:
    """The document with some values left out."""
    if isinstance(value, dict):
        return {key: _with_gaps(child, dice) for key, child in value.items()}
    if isinstance(value, list):
        return [_with_gaps(child, dice) for child in value]
    return None if dice.random() < LEFT_OUT else value


class Rates:
    """Counts how often something happened, by name."""

    def __init__(self) -> None:
        self.sums: dict[tuple[str, ...], int] = {}

    def note(self, *name: str, happened: bool) -> None:
        self.sums[name] = self.sums.get(name, 0) + happened


def simulate(people: Population, size: int, repetitions: int) -> dict[tuple[str, ...], int]:
    """How often each interval covered and each test rejected, in corpora of this size."""
    rates = Rates()
    dice = np.random.default_rng(size)
    whole = people.one.sum(0, keepdims=True), people.other.sum(0, keepdims=True)
    one, other = (people.scores(sums) for sums in whole)
    truth = {name: float(other[name][0] - one[name][0]) for name in SCORES}
    for seed in range(repetitions):
        drawn = dice.integers(0, len(people.one), size)
        a, b = people.one[drawn], people.other[drawn]
        _cover(rates, people, a, b, truth, dice)
        _power(rates, people, a, b, seed)
        coin = dice.integers(0, 2, size)[:, None] == 1
        _alarms(rates, "null", people, np.where(coin, b, a), np.where(coin, a, b), seed)
        _clusters(rates, people, a, b, dice, seed)
    return rates.sums


def _cover(rates: Rates, people: Population, a: Array, b: Array, truth: dict[str, float], dice: Any) -> None:
    weights = dice.multinomial(len(a), np.full(len(a), 1 / len(a)), SAMPLES)
    drawn_a, drawn_b = people.scores(weights @ a), people.scores(weights @ b)
    spread_a, spread_b = (contributions(people.scores, csr_matrix(rows)) for rows in (a, b))
    here_a, here_b = (people.scores(rows.sum(0, keepdims=True)) for rows in (a, b))
    tails = [(1 - LEVEL) / 2, (1 + LEVEL) / 2]
    for name in SCORES:
        found = float(here_b[name][0] - here_a[name][0])
        intervals = {
            "percentile": np.quantile(drawn_b[name] - drawn_a[name], tails),
            "delta": _interval(found, spread_b[name] - spread_a[name]),
        }
        for method, (low, high) in intervals.items():
            rates.note("difference", method, name, happened=bool(low - 1e-12 <= truth[name] <= high + 1e-12))


def _interval(value: float, spread: Array) -> list[float]:
    return t_interval(value, standard_error(spread), len(spread), LEVEL) or [value, value]


def _power(rates: Rates, people: Population, a: Array, b: Array, seed: int) -> None:
    p = p_values(people.scores, csr_matrix(a), csr_matrix(b), shuffles=SHUFFLES, seed=seed)
    spread_a, spread_b = (contributions(people.scores, csr_matrix(rows)) for rows in (a, b))
    here_a, here_b = (people.scores(rows.sum(0, keepdims=True)) for rows in (a, b))
    for name in TESTED:
        rates.note("power", "paired", name, happened=p[name] <= 1 - LEVEL)
        errors = [standard_error(spread[name]) or 0.0 for spread in (spread_a, spread_b)]
        bound = stdtrit(2 * len(a) - 2, (1 + LEVEL) / 2) * math.hypot(*errors)
        rates.note("power", "unpaired", name, happened=bool(abs(here_b[name][0] - here_a[name][0]) > bound))


def _alarms(rates: Rates, kind: str, people: Population, a: Array, b: Array, seed: int) -> None:
    p = p_values(people.scores, csr_matrix(a), csr_matrix(b), shuffles=SHUFFLES, seed=seed)
    for name in TESTED:
        rates.note("alarms", kind, name, happened=p[name] <= 1 - LEVEL)


def _clusters(rates: Rates, people: Population, a: Array, b: Array, dice: Any, seed: int) -> None:
    """In a cluster all documents favour the same system; a coin for each cluster says which."""
    alone_a, alone_b = people.scores(a), people.scores(b)
    is_lower = (alone_b["entity_f1"] < alone_a["entity_f1"])[:, None]
    worse, better = np.where(is_lower, b, a), np.where(is_lower, a, b)
    coin = np.repeat(dice.integers(0, 2, len(a) // CLUSTER), CLUSTER)[:, None] == 1
    one, other = np.where(coin, worse, better), np.where(coin, better, worse)
    _alarms(rates, "clusters ignored", people, one, other, seed)
    one, other = (rows.reshape(-1, CLUSTER, rows.shape[1]).sum(1) for rows in (one, other))
    _alarms(rates, "clusters named", people, one, other, seed)


def main() -> None:
    """Print the tables."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--repetitions", type=int, default=1000)
    parser.add_argument("--population", action="append")
    arguments = parser.parse_args()
    known = populations(Path(os.environ["DOCIE_DATA"]))
    found = {
        (name, size): simulate(people, size, arguments.repetitions)
        for name in arguments.population or known
        for people in [known[name]()]
        for size in SIZES
    }
    print(f"{arguments.repetitions} corpora of each size.")
    methods = [("difference", "percentile"), ("difference", "delta")]
    _print("coverage", ["percentile", "delta"], found, methods, SCORES, arguments.repetitions)
    columns = [("alarms", "null"), ("alarms", "clusters ignored"), ("alarms", "clusters named")]
    columns += [("power", "paired"), ("power", "unpaired")]
    headings = ["no difference", "clusters ignored", "clusters named", "power: paired", "power: unpaired"]
    _print("rejections", headings, found, columns, TESTED, arguments.repetitions)


def _print(
    title: str, headings: list[str], found: dict[Any, Any], columns: list[Any], scores: Iterable[str], times: int
) -> None:
    cells = [
        [people, str(size), score, *(f"{100 * sums[*column, score] / times:.1f}" for column in columns)]
        for (people, size), sums in found.items()
        for score in scores
    ]
    print(f"\n{tables.markdown(tables.Table(title, ['population', 'documents', 'score', *headings], cells, texts=1))}")


if __name__ == "__main__":
    main()
