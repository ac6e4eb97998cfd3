"""How often intervals cover and tests reject where documents of one vendor are alike: vendors ignored, and named.

    python benchmarks/clusters.py [--repetitions 2000]

A corpus has 300 documents of 100 values from 30 vendors, equally likely. The share of correct values of a document is
0.8 on average; it varies from vendor to vendor and from document to document. The intraclass correlation is the part of
the vendors in the variance of documents' scores, which includes that of their values. The score is an F1: the values
that are not correct are additions and deletions.

* Coverage of the t interval over documents, and over vendors (delete-one-cluster jackknife).
* Comparisons of two systems of which neither is better, with variances of their own: how often the test rejects and the
  interval of the difference misses 0, with vendors ignored and named.
* How often the warning names the vendors: in scores, in comparisons; and beside five columns that say nothing.
"""

from __future__ import annotations

import argparse
from collections import Counter
from typing import Any

import numpy as np
from coverage import LEVEL, covers
from numpy.typing import NDArray
from scipy.sparse import csr_matrix

from docie import tables
from docie.comparison.significance import p_values
from docie.corpus.clusters.alike import most_alike
from docie.corpus.clusters.units import Labels
from docie.corpus.intervals import Jackknife, contributions, delta_interval, jackknife_interval, standard_error
from docie.inputs.row import Row

DOCUMENTS, VENDORS, VALUES = 300, 30, 100
CORRELATIONS = (0.0, 0.1, 0.3, 0.6)
RIGHT, SPREAD = 0.8, 0.1  # the mean share of correct values, and the standard deviation of documents' shares
POPULATION = 200_000  # vendors that the true score is computed from
SHUFFLES = 999
NOISE = 5  # columns that say nothing
Array = NDArray[Any]


def shares(dice: np.random.Generator, vendor: Array, correlation: float) -> Array:
    """The true share of correct values of each document: a mean, and what its vendor and the document itself add."""
    of_vendors = dice.normal(0, SPREAD * np.sqrt(correlation), vendor.max() + 1)[vendor]
    of_values = RIGHT * (1 - RIGHT) / VALUES  # the variance that `counts` adds
    alone = dice.normal(0, np.sqrt(SPREAD**2 * (1 - correlation) - of_values), len(vendor))
    share: Array = np.clip(RIGHT + of_vendors + alone, 0, 1)
    return share


def counts(dice: np.random.Generator, share: Array) -> Array:
    """The counts of documents: correct values, additions and deletions."""
    right = dice.binomial(VALUES, share)
    return np.column_stack([right, VALUES - right, VALUES - right])


def f1(sums: Array) -> dict[str, Array]:
    return {"f1": 2 * sums[:, 0] / (2 * sums[:, 0] + sums[:, 1] + sums[:, 2])}


def whole(rows: csr_matrix) -> float:
    """The score of a corpus."""
    return float(f1(np.asarray(rows.sum(axis=0)).reshape(1, -1))["f1"][0])


def summed(rows: Array, units: Array) -> csr_matrix:
    """The sums over the documents of each vendor."""
    present = np.unique(units, return_inverse=True)[1]
    return csr_matrix(np.array([np.bincount(present, column) for column in rows.T]).T)


def labels_of(vendor: Array, dice: np.random.Generator, *, noise: int = 0) -> Labels:
    """The columns of `meta`: the vendor, and columns with as many values that say nothing."""
    labels = Labels()
    others = dice.integers(0, VENDORS, (noise, len(vendor)))
    for place, name in enumerate(vendor.tolist()):
        meta = {f"column{number}": f"c{row[place]}" for number, row in enumerate(others)}
        labels.note(Row(None), Row(None, meta={"vendor": f"v{name}", **meta}))
    return labels


def simulate(correlation: float, repetitions: int) -> Counter[str]:
    """How often intervals cover, tests reject and the warning appears."""
    dice, rates = np.random.default_rng(round(100 * correlation)), Counter[str]()
    truth = float(shares(dice, np.arange(POPULATION), correlation).mean())
    for seed in range(repetitions):
        vendor = dice.integers(0, VENDORS, DOCUMENTS)
        rows, other = (counts(dice, shares(dice, vendor, correlation)) for _ in range(2))
        for kind, each in (("documents", csr_matrix(rows)), ("vendors", summed(rows, vendor))):
            interval = jackknife_interval(Jackknife(f1, each).spread("f1"), LEVEL, "share")
            rates[f"covered {kind}"] += covers(interval, truth)
        for kind, units in (("documents", np.arange(DOCUMENTS)), ("vendors", vendor)):
            one, two = summed(rows, units), summed(other, units)
            p = p_values(f1, one, two, shuffles=SHUFFLES, seed=seed)["f1"]
            added = contributions(f1, two)["f1"] - contributions(f1, one)["f1"]
            found = whole(two) - whole(one)
            interval = delta_interval(found, standard_error(added), len(added), LEVEL)
            rates[f"rejected {kind}"] += p <= 1 - LEVEL
            rates[f"missed {kind}"] += not covers(interval, 0.0)
        influence, of_other = (contributions(f1, csr_matrix(each))["f1"] for each in (rows, other))
        labels = labels_of(vendor, dice)
        rates["warned score"] += most_alike(influence[None, :], labels) is not None
        rates["warned compare"] += most_alike((of_other - influence)[None, :], labels) is not None
        among = most_alike(influence[None, :], labels_of(vendor, dice, noise=NOISE))
        rates["warned among"] += among is not None and among.column == "vendor"
        rates["warned wrongly"] += among is not None and among.column != "vendor"
    return rates


def main() -> None:
    """Print the tables."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--repetitions", type=int, default=2000)
    times = parser.parse_args().repetitions
    found = {correlation: simulate(correlation, times) for correlation in CORRELATIONS}
    print(f"{times} corpora of each correlation; all numbers in percent.")
    _print("t intervals of F1 that cover", ("covered documents", "covered vendors"), found, times)
    names = ("rejected documents", "rejected vendors", "missed documents", "missed vendors")
    _print("no difference: the test rejects, the interval misses 0", names, found, times)
    _print("the warning", ("warned score", "warned compare", "warned among", "warned wrongly"), found, times)


def _print(title: str, names: tuple[str, ...], found: dict[float, Counter[str]], times: int) -> None:
    cells = [[f"{each:g}", *(f"{100 * rates[name] / times:.1f}" for name in names)] for each, rates in found.items()]
    print(f"\n{title}\n\n{tables.markdown(tables.Table(title, ['correlation', *names], cells, texts=0))}")


if __name__ == "__main__":
    main()
