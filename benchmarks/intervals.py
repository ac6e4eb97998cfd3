"""How often the intervals of one score cover: percentiles, percentiles of the Poisson bootstrap, and `interval="t"`.

    DOCIE_DATA=... python benchmarks/intervals.py [--repetitions 1000] [--population cord]

The populations are those of coverage.py, their first system each. Corpora are drawn from them with replacement, so
their scores are the true ones. For each score: the share of corpora whose interval holds the true value, and the mean
width of the intervals.
"""

from __future__ import annotations

import argparse
import os
from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
from coverage import LEVEL, SAMPLES, SIZES, Population, populations
from scipy.sparse import csr_matrix

from docie import anls_star, entity_f1, hed, kieval, nted, tables, text_match
from docie.corpus.poisson.weights import weights
from docie.corpus.spread import Moves, t_interval

FAMILIES = (kieval, entity_f1, anls_star, hed, text_match, nted)
SCORES = (
    "entity_f1", "aligned", "group_f1", "document_accuracy", "f1", "anls_star", "uhed_f1", "levenshtein_similarity",
    "nted_accuracy",
)  # fmt: skip
METHODS = ("percentile", "poisson", "t")


def simulate(people: Population, size: int, repetitions: int) -> dict[tuple[str, str], tuple[float, float]]:
    """From each score and method: how often the interval covered, and its mean width."""
    dice = np.random.default_rng(size)
    truth = people.scores(people.one.sum(0, keepdims=True))
    covered: Counter[tuple[str, str]] = Counter()
    widths: dict[tuple[str, str], float] = dict.fromkeys([(name, method) for name in SCORES for method in METHODS], 0.0)
    for number in range(repetitions):
        rows = people.one[dice.integers(0, len(people.one), size)]
        drawn = {
            "percentile": people.scores(dice.multinomial(size, np.full(size, 1 / size), SAMPLES) @ rows),
            "poisson": people.scores(weights(range(size), samples=SAMPLES, seed=number).T @ rows),
        }
        moves = Moves(lambda sums: {(name,): value for name, value in people.scores(sums).items()}, csr_matrix(rows))
        for name in SCORES:
            found: dict[str, Any] = {
                method: np.quantile(values[name], [(1 - LEVEL) / 2, (1 + LEVEL) / 2])
                for method, values in drawn.items()
            }
            found["t"] = t_interval(moves.spread((name,)), LEVEL, is_share=True)
            for method, (low, high) in found.items():
                covered[name, method] += bool(low - 1e-12 <= truth[name][0] <= high + 1e-12)
                widths[name, method] += (high - low) / repetitions
    return {key: (covered[key] / repetitions, width) for key, width in widths.items()}


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--repetitions", type=int, default=1000)
    parser.add_argument("--population", action="append")
    arguments = parser.parse_args()
    known = populations(Path(os.environ["DOCIE_DATA"]), FAMILIES, SCORES)
    cells = []
    for name in arguments.population or known:
        people = known[name]()
        for size in SIZES:
            found = simulate(people, size, arguments.repetitions)
            for score in SCORES:
                shares = [f"{100 * found[score, method][0]:.1f}" for method in METHODS]
                cells.append([name, str(size), score, *shares, *(f"{found[score, m][1]:.3f}" for m in METHODS)])
    columns = ["population", "documents", "score", *METHODS, *(f"width: {method}" for method in METHODS)]
    print(f"{arguments.repetitions} corpora of each size.\n")
    print(tables.markdown(tables.Table("coverage", columns, cells, texts=1)))


if __name__ == "__main__":
    main()
