"""How often the intervals of one score cover: percentiles of resampled documents, and t, the default.

    DOCIE_DATA=... python benchmarks/intervals.py [--repetitions 1000] [--population cord]

Corpora are drawn, with replacement, from the answers of the first system of each population of populations.py. For each
score: the share of intervals that hold the true value, by both methods, and below the table the mean over populations.
Where no document has an error, a share has the bound of its documents, and other scores have no interval: "no error" is
the share of such corpora. The next line says how wide the intervals of entity F1 are.

The last table measures that bound for F1, in populations of documents of very unequal sizes of which a part is wholly
wrong, and the others wholly right: documents of any size, or the largest ones.
"""

from __future__ import annotations

import argparse
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
from populations import MADE, Population, heavy_sizes, populations
from scipy.sparse import csr_matrix

from docie import anls_star, hed, kieval, oi_entities, tables, text_match
from docie.core.scores import Kind, score_of
from docie.corpus.intervals import RANGES, Jackknife, clopper_pearson, jackknife_interval

FAMILIES: tuple[Any, ...] = (kieval, anls_star, hed, oi_entities, text_match)
FAMILY_OF: dict[str, Any] = {
    "entity_f1": kieval,
    "document_accuracy": kieval,
    "anls_star": anls_star,
    "uhed_f1": hed,
    "oi_ecer": oi_entities,
    "levenshtein_distance": text_match,
    "corrections": kieval,
}
SCORES = tuple(FAMILY_OF)
KINDS: dict[str, Kind] = {name: score_of(family, name).kind for name, family in FAMILY_OF.items()}
SIZES = (10, 20, 50, 200)
SAMPLES, LEVEL = 1000, 0.95
POPULATIONS = ("cord", "invoices", "docubench", "heavy", "clean95", "clean99")
METHODS = ("percentile", "t")


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


def simulate(people: Population, size: int, repetitions: int) -> tuple[dict[tuple[str, str], Rates], float]:
    """From each score and method to how its intervals did; and the share of corpora without an error."""
    dice = np.random.default_rng(size)
    truth = people.scores(people.one.sum(0, keepdims=True) * size / len(people.one))
    rates = {(name, method): Rates() for name in SCORES for method in METHODS}
    without_error = 0
    for _ in range(repetitions):
        rows = people.one[dice.integers(0, len(people.one), size)]
        drawn = {
            "percentile": people.scores(dice.multinomial(size, np.full(size, 1 / size), SAMPLES) @ rows),
        }
        moves = Jackknife(
            lambda sums: {(name,): value for name, value in people.scores(sums).items()}, csr_matrix(rows)
        )
        without_error += moves.spread(("entity_f1",)).value == 1
        for name, kind in KINDS.items():
            spread = moves.spread((name,))
            found: dict[str, Any] = {method: _percentiles(values[name]) for method, values in drawn.items()}
            found["t"] = jackknife_interval(spread, LEVEL, kind)
            if spread.value in RANGES[kind]:
                is_share = kind in ("share", "documents")  # each of these documents has values
                found = dict.fromkeys(METHODS, clopper_pearson(spread.value, size, LEVEL) if is_share else None)
            for method, interval in found.items():
                rates[name, method].note(interval, float(truth[name][0]))
    return rates, without_error / repetitions


def _percentiles(values: Any) -> Any:
    return np.quantile(values, [(1 - LEVEL) / 2, (1 + LEVEL) / 2]) if np.ptp(values) > 1e-12 else None


def at_limit(share: float, repetitions: int) -> Iterator[list[str]]:
    """How often no drawn document is wrong, and how often the bound of F1 is then above its true value."""
    sizes, dice = heavy_sizes(), np.random.default_rng(1)
    any_size = dice.permutation(MADE) < share * MADE
    largest = np.argsort(np.argsort(-sizes)) < share * MADE
    for which, is_wrong in (("any", any_size), ("the largest", largest)):
        truth = 1 - sizes[is_wrong].sum() / sizes.sum()  # one wrong value for each expected one
        for size in SIZES:
            is_clean = ~is_wrong[dice.integers(0, MADE, (repetitions, size))].any(axis=1)
            low, _ = clopper_pearson(1.0, size, LEVEL)
            missed = is_clean & (low > truth)
            numbers = [f"{100 * is_clean.mean():.1f}", f"{low:.3f}", f"{100 * missed.mean():.1f}"]
            yield [f"{100 * share:.0f} %, {which}", f"{truth:.3f}", str(size), *numbers]


def main() -> None:
    """Print the tables."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--repetitions", type=int, default=1000)
    parser.add_argument("--population", action="append")
    arguments = parser.parse_args()
    known = populations(Path(os.environ["DOCIE_DATA"]), FAMILIES, SCORES)
    cells, widths = [], []
    means: dict[tuple[int, str, str], list[float]] = {}
    for name in arguments.population or POPULATIONS:
        people = known[name]()
        for size in SIZES:
            rates, without_error = simulate(people, size, arguments.repetitions)
            for (score, method), each in rates.items():
                means.setdefault((size, score, method), []).append(each.coverage)
            cells.append([name, str(size), *_pairs(rates), f"{100 * without_error:.0f}"])
            f1 = {method: rates["entity_f1", method] for method in METHODS}
            width = {method: each.widths / max(1, each.found) for method, each in f1.items()}
            widths.append(f"{name} {size}: {width['percentile']:.3f} / {width['t']:.3f}")
    for size in SIZES:
        shown = (
            " / ".join(f"{np.nanmean(means[size, score, method]):.1f}" for method in ("percentile", "t"))
            for score in SCORES
        )
        cells.append(["mean", str(size), *shown, ""])
    columns = ["population", "documents", *SCORES, "no error"]
    print(f"{arguments.repetitions} corpora of each size; percentile / t, in percent.\n")
    print(tables.markdown(tables.Table("coverage", columns, cells, texts=1)))
    print(f"\nMean widths of entity F1: {'; '.join(widths)}.\n")
    limits = [row for share in (0.01, 0.03) for row in at_limit(share, 100 * arguments.repetitions)]
    columns = ["wholly wrong", "true F1", "documents", "none drawn", "bound", "bound above the true F1"]
    print(tables.markdown(tables.Table("at the limit", columns, limits, texts=1)))


def _pairs(rates: dict[tuple[str, str], Rates]) -> Iterator[str]:
    """The coverage of each score: percentile / t."""
    for score in SCORES:
        yield " / ".join(f"{rates[score, method].coverage:.0f}" for method in ("percentile", "t"))


if __name__ == "__main__":
    main()
