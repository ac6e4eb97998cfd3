"""How often the intervals of one score cover: percentiles of resampled documents, and `interval="t"`.

    DOCIE_DATA=... python benchmarks/intervals.py [--repetitions 1000] [--population cord]

Corpora are drawn, with replacement, from the answers of the first system of each population of populations.py. For each
score: the share of intervals that hold the true value, by both methods. "none" is the share of corpora without an
interval for entity F1, since no document has an error. The last lines say how far the Poisson bootstrap is from
percentiles, and how wide the intervals of entity F1 are.
"""

from __future__ import annotations

import argparse
import os
from pathlib import Path
from typing import Any

import numpy as np
from populations import Population, populations
from scipy.sparse import csr_matrix

from docie import anls_star, hed, kieval, tables, text_match
from docie.corpus.intervals import Jackknife, clopper_pearson, jackknife_interval
from docie.corpus.replicates import weights

FAMILIES = (kieval, anls_star, hed, text_match)
SCORES = ("entity_f1", "document_accuracy", "anls_star", "uhed_f1", "levenshtein_similarity", "corrections")
SIZES = (20, 50, 200)
SAMPLES, LEVEL = 1000, 0.95
POPULATIONS = ("cord", "docubench", "heavy", "clean95", "clean99")
METHODS = ("percentile", "poisson", "t")


class Rates:
    """How often the intervals of one score and method were there, how often they covered, and their widths."""

    def __init__(self) -> None:
        self.found = self.covered = 0
        self.widths = 0.0

    def note(self, interval: Any, truth: float) -> None:
        """Note an interval; None where there is none."""
        if interval is not None:
            low, high = interval
            self.found += 1
            self.covered += bool(low - 1e-12 <= truth <= high + 1e-12)
            self.widths += high - low

    @property
    def coverage(self) -> float:
        """In percent of the intervals."""
        return 100 * self.covered / self.found if self.found else float("nan")


def simulate(people: Population, size: int, repetitions: int) -> dict[tuple[str, str], Rates]:
    """From each score and method to how its intervals did."""
    dice = np.random.default_rng(size)
    truth = people.scores(people.one.sum(0, keepdims=True) * size / len(people.one))
    rates = {(name, method): Rates() for name in SCORES for method in METHODS}
    for number in range(repetitions):
        rows = people.one[dice.integers(0, len(people.one), size)]
        drawn = {
            "percentile": people.scores(dice.multinomial(size, np.full(size, 1 / size), SAMPLES) @ rows),
            "poisson": people.scores(_scaled(weights(range(size), samples=SAMPLES, seed=number).T, size) @ rows),
        }
        moves = Jackknife(
            lambda sums: {(name,): value for name, value in people.scores(sums).items()}, csr_matrix(rows)
        )
        for name in SCORES:
            spread = moves.spread((name,))
            found: dict[str, Any] = {method: _percentiles(values[name]) for method, values in drawn.items()}
            found["t"] = jackknife_interval(spread, LEVEL, "count" if name == "corrections" else "share")
            if name == "document_accuracy" and spread.value in (0, 1):
                found = dict.fromkeys(METHODS, clopper_pearson(spread.value, size, LEVEL))
            for method, interval in found.items():
                rates[name, method].note(interval, float(truth[name][0]))
    return rates


def _scaled(drawn: Any, size: int) -> Any:
    """Poisson weights that add up to as many documents in each sample."""
    return drawn * (size / np.maximum(1, drawn.sum(1, keepdims=True)))


def _percentiles(values: Any) -> Any:
    return np.quantile(values, [(1 - LEVEL) / 2, (1 + LEVEL) / 2]) if np.ptp(values) > 1e-12 else None


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--repetitions", type=int, default=1000)
    parser.add_argument("--population", action="append")
    arguments = parser.parse_args()
    known = populations(Path(os.environ["DOCIE_DATA"]), FAMILIES, SCORES)
    cells, poisson, widths = [], 0.0, []
    for name in arguments.population or POPULATIONS:
        people = known[name]()
        for size in SIZES:
            rates = simulate(people, size, arguments.repetitions)
            shares = [
                " / ".join(f"{rates[score, method].coverage:.0f}" for method in ("percentile", "t")) for score in SCORES
            ]
            f1 = {method: rates["entity_f1", method] for method in METHODS}
            none = 100 * (1 - f1["t"].found / arguments.repetitions)
            cells.append([name, str(size), *shares, f"{none:.0f}"])
            apart = (abs(rates[score, "percentile"].coverage - rates[score, "poisson"].coverage) for score in SCORES)
            poisson = max(poisson, *apart)
            width = {method: each.widths / max(1, each.found) for method, each in f1.items()}
            widths.append(f"{name} {size}: {width['percentile']:.3f} / {width['t']:.3f}")
    columns = ["population", "documents", *SCORES, "none"]
    print(f"{arguments.repetitions} corpora of each size; percentile / t, in percent.\n")
    print(tables.markdown(tables.Table("coverage", columns, cells, texts=1)))
    print(f"\nThe Poisson bootstrap and percentiles differ by at most {poisson:.1f} points.")
    print(f"Mean widths of entity F1: {'; '.join(widths)}.")


if __name__ == "__main__":
    main()
