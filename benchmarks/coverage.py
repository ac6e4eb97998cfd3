"""How often intervals of differences cover and tests reject: corpora drawn from documents whose true scores are known.

    DOCIE_DATA=... python benchmarks/coverage.py [--repetitions 1000] [--population cord]

populations.py describes where corpora are drawn from. The tables:

* Coverage: the share of intervals that hold the true difference. Intervals of one score: intervals.py.
* Rejections of the test if neither system is better: in each document a coin says which system's answer is whose; the
  same in clusters of five documents, with the clusters ignored and named. And the power, beside a test that takes the
  two systems' scores for those of different documents.
* Skew: equal scores whose rows are not exchangeable. One document in 20 is wholly wrong in one system, and the others
  are one value of 20 better; the same in documents of 20 values each, and in documents of 1 to 400 values.
* Unequal clusters: 200 documents in clusters, of which one holds a part; neither system is better on the whole.
"""

from __future__ import annotations

import argparse
import math
import os
from collections import Counter
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import numpy as np
from populations import Array, Population, heavy_sizes, populations
from scipy.sparse import csr_matrix
from scipy.special import stdtrit

from docie import anls_star, hed, kieval, tables
from docie.comparison.changes import DOMINATES, largest
from docie.comparison.pairwise import exchanged
from docie.comparison.significance import p_values
from docie.corpus.clusters.units import effective
from docie.corpus.intervals import contributions, delta_interval, standard_error

SIZES = (20, 50, 200)
POPULATIONS = ("cord", "invoices", "docubench")
CLUSTER = 5  # documents
SHUFFLES, SAMPLES = 999, 1000
LEVEL, ROUNDING = 0.95, 1e-12
SCORES = ("entity_f1", "group_f1", "document_accuracy", "anls_star", "uhed_f1", "corrections")
TESTED = ("entity_f1", "document_accuracy", "anls_star")
VALUES = 20  # of a document of the made-up comparisons
FAMILIES: tuple[Any, ...] = (kieval, anls_star, hed)
Events = Counter[tuple[str, ...]]


def simulate(people: Population, size: int, repetitions: int) -> Events:
    """How often each interval covered and each test rejected, in corpora of this size."""
    rates = Events()
    dice = np.random.default_rng(size)
    whole = (rows.sum(0, keepdims=True) * size / len(rows) for rows in (people.one, people.other))
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
    return rates


def _cover(rates: Events, people: Population, a: Array, b: Array, truth: dict[str, float], dice: Any) -> None:
    weights = dice.multinomial(len(a), np.full(len(a), 1 / len(a)), SAMPLES)
    drawn_a, drawn_b = people.scores(weights @ a), people.scores(weights @ b)
    spread_a, spread_b = (contributions(people.scores, csr_matrix(rows)) for rows in (a, b))
    here_a, here_b = (people.scores(rows.sum(0, keepdims=True)) for rows in (a, b))
    tails = [(1 - LEVEL) / 2, (1 + LEVEL) / 2]
    for name in SCORES:
        found = float(here_b[name][0] - here_a[name][0])
        intervals = {
            "percentile": np.quantile(drawn_b[name] - drawn_a[name], tails).tolist(),
            "delta": _delta(found, spread_b[name] - spread_a[name]),
        }
        for method, interval in intervals.items():
            if interval is not None and interval[1] - interval[0] > ROUNDING:
                rates["there", method, name] += 1
                rates["covered", method, name] += covers(interval, truth[name])


def _delta(value: float, spread: Array) -> Any:
    return delta_interval(value, standard_error(spread), len(spread), LEVEL)


def covers(interval: Any, truth: float) -> bool:
    """Whether an interval holds the truth."""
    return interval is not None and bool(interval[0] - ROUNDING <= truth <= interval[1] + ROUNDING)


def _power(rates: Events, people: Population, a: Array, b: Array, seed: int) -> None:
    p = p_values(people.scores, csr_matrix(a), csr_matrix(b), shuffles=SHUFFLES, seed=seed)
    spread_a, spread_b = (contributions(people.scores, csr_matrix(rows)) for rows in (a, b))
    here_a, here_b = (people.scores(rows.sum(0, keepdims=True)) for rows in (a, b))
    for name in TESTED:
        rates["power", "paired", name] += bool(p[name] <= 1 - LEVEL)
        errors = [standard_error(spread[name]) or 0.0 for spread in (spread_a, spread_b)]
        bound = stdtrit(2 * len(a) - 2, (1 + LEVEL) / 2) * math.hypot(*errors)
        rates["power", "unpaired", name] += bool(bool(abs(here_b[name][0] - here_a[name][0]) > bound))


def _alarms(rates: Events, kind: str, people: Population, a: Array, b: Array, seed: int) -> None:
    p = p_values(people.scores, csr_matrix(a), csr_matrix(b), shuffles=SHUFFLES, seed=seed)
    for name in TESTED:
        rates["alarms", kind, name] += bool(p[name] <= 1 - LEVEL)


def _clusters(rates: Events, people: Population, a: Array, b: Array, dice: Any, seed: int) -> None:
    """In a cluster all documents favour the same system; a coin for each cluster says which."""
    alone_a, alone_b = people.scores(a), people.scores(b)
    is_lower = (alone_b["entity_f1"] < alone_a["entity_f1"])[:, None]
    worse, better = np.where(is_lower, b, a), np.where(is_lower, a, b)
    coin = np.repeat(dice.integers(0, 2, len(a) // CLUSTER), CLUSTER)[:, None] == 1
    one, other = np.where(coin, worse, better), np.where(coin, better, worse)
    _alarms(rates, "clusters ignored", people, one, other, seed)
    one, other = (rows.reshape(-1, CLUSTER, rows.shape[1]).sum(1) for rows in (one, other))
    _alarms(rates, "clusters named", people, one, other, seed)


def skew(size: int, repetitions: int, sizes: Array | None = None) -> Counter[str]:
    """How often the test rejects equal scores, and how often the warning of a dominating document appears.

    Args:
        size, repetitions: the number of documents of a corpus, and that of corpora.
        sizes: the numbers of values of the documents that are drawn; None for 20 each.
    """
    dice, rates = np.random.default_rng(size), Counter[str]()
    for seed in range(repetitions):
        values = np.full(size, VALUES) if sizes is None else dice.choice(sizes, size)
        right = np.where(dice.random(size) < 1 / VALUES, 0, values)
        one = values - 1 if sizes is None else dice.binomial(values, 1 - 1 / VALUES)
        one, other = _rows(one, values), _rows(right, values)
        p, _ = _compared(one, other, seed)
        changes = exchanged(_f1, csr_matrix(one), csr_matrix(other))["f1"]
        is_warned = largest(changes).share > DOMINATES
        rates["rejected"] += p <= 1 - LEVEL
        rates["unseen"] += bool(right.all())  # every document has a value
        rates["warned"] += is_warned
    return rates


def unequal_clusters(clusters: int, share: float, repetitions: int) -> Counter[str]:
    """How often the test rejects and the interval misses a true difference of 0, if one cluster holds a share."""
    dice, rates = np.random.default_rng(clusters), Counter[str]()
    sizes = cluster_sizes(clusters, share)
    for seed in range(repetitions):
        better = dice.normal(0, 0.08, clusters)
        one, other = (
            _rows(dice.binomial(sizes * VALUES, np.clip(0.8 + sign * better, 0.01, 0.99)), sizes * VALUES)
            for sign in (-0.5, 0.5)
        )
        p, interval = _compared(one, other, seed)
        rates["rejected"] += p <= 1 - LEVEL
        rates["missed"] += not covers(interval, 0.0)
    return rates


def cluster_sizes(clusters: int, share: float, documents: int = 200) -> Array:
    """The numbers of documents: of the largest cluster, and of the others, which are alike."""
    largest = round(documents * max(share, 1 / clusters))
    others = np.full(clusters - 1, (documents - largest) // (clusters - 1))
    others[: documents - largest - others.sum()] += 1
    return np.array([largest, *others])


def _rows(right: Array, values: Any) -> Array:
    wrong = values - right
    return np.column_stack([right, wrong, wrong]).astype(float)


def _f1(sums: Array) -> dict[str, Array]:
    return {"f1": 2 * sums[:, 0] / (2 * sums[:, 0] + sums[:, 1] + sums[:, 2])}


def _compared(one: Array, other: Array, seed: int) -> tuple[float, Any]:
    """The p-value, and the interval of the difference."""
    p = p_values(_f1, csr_matrix(one), csr_matrix(other), shuffles=SHUFFLES, seed=seed)["f1"]
    first, second = (contributions(_f1, csr_matrix(rows))["f1"] for rows in (one, other))
    before, after = (float(_f1(rows.sum(0, keepdims=True))["f1"][0]) for rows in (one, other))
    return p, _delta(after - before, second - first)


def main() -> None:
    """Print the tables."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--repetitions", type=int, default=1000)
    parser.add_argument("--population", action="append")
    arguments = parser.parse_args()
    times = arguments.repetitions
    known = populations(Path(os.environ["DOCIE_DATA"]), FAMILIES, SCORES)
    found = {
        (name, size): simulate(people, size, times)
        for name in arguments.population or POPULATIONS
        for people in [known[name]()]
        for size in SIZES
    }
    print(f"{times} corpora of each size; all numbers in percent.")
    cells = [
        [people, str(size), *(_coverage(rates, score) for score in SCORES)] for (people, size), rates in found.items()
    ]
    _print("intervals that hold the true difference, percentile / delta", ["population", "documents", *SCORES], cells)
    kinds = [("alarms", "null"), ("alarms", "clusters ignored"), ("alarms", "clusters named")]
    kinds += [("power", "paired"), ("power", "unpaired")]
    cells = [
        [people, str(size), *(_rejections(rates, kind, times) for kind in kinds)]
        for (people, size), rates in found.items()
    ]
    headings = ["no difference", "clusters ignored", "clusters named", "power: paired", "power: unpaired"]
    _print(f"rejections, {' / '.join(TESTED)}", ["population", "documents", *headings], cells)
    cells = []
    for values, sizes in (("20", None), ("1 to 400", heavy_sizes())):
        for size in (24, 50, 100, 200, 500, 1000):
            rates = skew(size, times, sizes)
            shares = (f"{100 * rates[name] / times:.1f}" for name in ("rejected", "unseen", "warned"))
            cells.append([values, str(size), *shares])
    _print("skew", ["values of a document", "documents", "rejected", "no bad document drawn", "warning"], cells)
    cells = []
    for clusters in (6, 10, 20, 40):
        for share in (0.0, 0.2, 0.3, 0.5):
            if share > 1 / clusters or not share:
                rates = unequal_clusters(clusters, share, times)
                rejected, missed = (f"{100 * rates[name] / times:.1f}" for name in ("rejected", "missed"))
                part = f"{100 * share:.0f} %" if share else "as the others"
                weigh = f"{effective(cluster_sizes(clusters, share)):.1f}"
                cells.append([str(clusters), part, weigh, rejected, missed])
    _print("unequal clusters", ["clusters", "largest", "effective", "rejected", "interval misses"], cells)


def _rejections(rates: Events, kind: tuple[str, str], times: int) -> str:
    return " / ".join(f"{100 * rates[*kind, name] / times:.0f}" for name in TESTED)


def _coverage(rates: Events, score: str) -> str:
    shares = [
        f"{100 * rates['covered', method, score] / rates['there', method, score]:.0f}"
        if rates["there", method, score]
        else "–"
        for method in ("percentile", "delta")
    ]
    return " / ".join(shares)


def _print(title: str, columns: list[str], cells: Iterable[list[str]]) -> None:
    print(f"\n{title}\n\n{tables.markdown(tables.Table(title, columns, list(cells), texts=1))}")


if __name__ == "__main__":
    main()
