"""Whether documents of one vendor, template or file are alike, so that intervals of documents are too narrow.

The alikeness is the intraclass correlation of what each document adds to a score. Whether it is above 0 is tested by
permutation: documents are assigned to the same clusters at random. Bonferroni's correction over the columns that are
tried keeps the chance of a false alarm, on any of them, at or below 5 %.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import NamedTuple, cast

import numpy as np
from numpy.typing import NDArray

from docie.core.errors import warn
from docie.core.family import Family
from docie.core.scores import main_of, rounded
from docie.corpus.clusters.units import Codes, Labels, Units, units_of
from docie.corpus.figures import Figures, intervals_of
from docie.corpus.intervals import Interval, contributions, standard_error
from docie.corpus.matrix import BLOCK
from docie.corpus.partial import Partial

LEVEL = 0.05
"""The chance that the warning names a column although no documents are alike."""
LEAST_CLUSTERS = 5
"""A column with fewer values is no sample of clusters: three languages may be all that there are."""
SHARED = 0.5
"""The share of documents that must share their value with another one."""
PERMUTATIONS = 199
"""For each column that is tried, but not more than five times as many for one column."""
WORK = 20_000_000
"""Permuted numbers of a column: for these, there may be fewer permutations, but not fewer than for a single column."""
_SAME = 1e-9  # sums of squares depend on the order of their terms
Floats = NDArray[np.float64]


class Alike(NamedTuple):
    """A column whose documents are alike, their correlation in each row of values, and the documents' units."""

    column: str
    correlations: Floats
    units: Units


def warn_of_alike(
    family: Family,
    partial: Partial,
    results: Mapping[str, object],
    confidence_level: float,
    interval: str,
    *,
    bootstrap_samples: int,
    seed: int,
) -> None:
    """Warn of a column of `meta` whose documents are alike in the headline score, with the interval that counts them.

    Args:
        family: what has scored the corpus.
        partial: its counts.
        results: its scores, with their intervals.
        confidence_level, interval, bootstrap_samples, seed: as in `evaluate`.
    """
    labels, documents = partial.labels, partial.documents
    if labels is None or not documents or not candidates(labels):
        return
    scores = family.score(partial.counts)
    name = main_of(family, scores)
    columns = documents.columns()
    headline = columns.figures(lambda counts: {name: family.score(counts)[name]})
    found = most_alike(contributions(headline, columns.rows.astype(np.float64))[name][None, :], labels)
    if found is None:
        return
    rows = documents.summed(found.units)
    figures = Figures(family, {name: scores[name]}, {}, len(rows))
    sampling = {"bootstrap_samples": bootstrap_samples, "seed": seed}
    key = f"{name}_interval"
    clustered = intervals_of(figures, rows, confidence_level, interval, **sampling)[key]
    warn(line_of(found, name, clustered, cast(Interval, results[key])))


def line_of(found: Alike, name: str, clustered: Interval, alone: Interval, *, place: int = 0) -> str:
    """The warning on documents that are alike.

    Args:
        found: the column.
        name: what the intervals are of.
        clustered, alone: its interval with the clusters of that column, and without clusters.
        place: the row of values whose correlation is meant.

    >>> line_of(Alike("vendor", np.array([0.314]), np.array([0])), "entity_f1", [0.91, 0.97], [0.94, 0.96])
    'documents of one vendor are alike (correlation 0.31): clusters="vendor" (--cluster vendor) gives ...'
    """
    intervals = [
        "no interval" if each is None else " – ".join(rounded(bound, 3) for bound in each)
        for each in (clustered, alone)
    ]
    return (
        f"documents of one {found.column} are alike (correlation {rounded(found.correlations[place], 2)}): "
        f'clusters="{found.column}" (--cluster {found.column}) gives {name} {intervals[0]} instead of {intervals[1]}'
    )


def candidates(labels: Labels) -> dict[str, Units]:
    """The columns by which documents may belong together, each with the documents' units.

    Left out are columns with few values, columns whose values hardly repeat, such as identifiers and times, and columns
    that say the same as an earlier one.
    """
    found: dict[str, Units] = {}
    for name in sorted(labels.columns):
        codes = labels.columns[name]
        if codes is None or len(codes.numbers) < LEAST_CLUSTERS:
            continue
        units = units_of(codes.of(labels.documents))
        sizes = np.bincount(units)
        is_repeated = sizes[sizes > 1].sum() >= SHARED * labels.documents
        if is_repeated and not any(np.array_equal(units, other) for other in found.values()):
            found[name] = units
    return found


def most_alike(values: Floats, labels: Labels, *, seed: int = 0) -> Alike | None:
    """The column whose documents are most alike, of those where this is certain; None if there is none.

    Args:
        values: what each document adds to a score; several rows are tested as one.
        labels: the columns.
        seed: of the permutations.
    """
    columns = candidates(labels)
    found: Alike | None = None
    level, number = LEVEL / max(1, len(columns)), _permutations(values.size, len(columns))
    for name, units in columns.items():
        codes = labels.columns[name]
        assert codes is not None
        rest = without_trend(values, numbers_of(codes, labels.documents))
        rest[[standard_error(row) is None for row in rest]] = 0.0
        correlations = intraclass_correlations(rest, units)
        is_less = found is not None and correlations.max() <= found.correlations.max()
        if correlations.max() <= 0 or is_less:
            continue
        if p_value(rest, units, number, limit=level, seed=seed) <= level:
            found = Alike(name, correlations, units)
    return found


def intraclass_correlations(values: Floats, units: Units) -> Floats:
    """The intraclass correlation of each row of values; 0 for rows that do not vary.

    Source: the estimate from the analysis of variance, (MSB - MSW) / (MSB + (n0 - 1) MSW), where n0 is the mean size of
    clusters, less their variance (Donner, "A review of inference procedures for the intraclass correlation
    coefficient", 1986).

    >>> intraclass_correlations(np.array([[1.0, 1.0, 4.0, 4.0], [1.0, 4.0, 1.0, 4.0]]), np.array([0, 0, 1, 1])).tolist()
    [1.0, -1.0]
    """
    sizes = np.bincount(units)
    number, documents = len(sizes), len(units)
    centred = values - values.mean(axis=1, keepdims=True)
    between = np.array([np.sum(np.bincount(units, row) ** 2 / sizes) for row in centred])
    within = np.sum(centred**2, axis=1) - between
    mean_between, mean_within = between / (number - 1), within / (documents - number)
    size = (documents - np.sum(sizes**2) / documents) / (number - 1)
    below = mean_between + (size - 1) * mean_within
    found: Floats = np.divide(mean_between - mean_within, below, out=np.zeros(len(values)), where=below > 0)
    return found


def p_value(values: Floats, units: Units, permutations: int, *, limit: float = 1.0, seed: int = 0) -> float:
    """The share of random assignments of documents to clusters in which documents of one are at least as alike.

    The rows of values are permuted together, and the sums of squares between clusters are added over rows, each as a
    share of its whole. Only the sizes of clusters matter, so values are cut into pieces of these sizes.

    Args:
        values: what each document adds: a row for each score.
        units: the unit of each document.
        permutations: their number.
        limit: a larger p-value need not be exact.
        seed: of the permutations.
    """
    centred = values - values.mean(axis=1, keepdims=True)
    squares = np.sum(centred**2, axis=1, keepdims=True)
    centred = centred[squares.ravel() > 0] / np.sqrt(squares[squares.ravel() > 0])
    sizes, documents = np.bincount(units), len(units)
    observed = sum(np.sum(np.bincount(units, row) ** 2 / sizes) for row in centred)
    centred = centred[:, np.lexsort(centred)]  # so that p does not depend on the order of documents
    starts = np.concatenate([[0], np.cumsum(np.sort(sizes))[:-1]])
    scale, random = 1 / np.sort(sizes), np.random.default_rng(seed)
    reached, block = 0, max(1, min(100, BLOCK // values.size))
    for start in range(0, permutations, block):
        order = random.permuted(np.tile(np.arange(documents), (min(block, permutations - start), 1)), axis=1)
        pieces = np.add.reduceat(centred[:, order], starts, axis=2)
        reached += int(np.sum(np.sum(pieces**2 * scale, axis=(0, 2)) >= observed - _SAME))
        if reached >= limit * (permutations + 1):
            break
    return (reached + 1) / (permutations + 1)


def _permutations(numbers: int, columns: int) -> int:
    return max(PERMUTATIONS, min(PERMUTATIONS * min(columns, 5), WORK // max(1, numbers)))


def numbers_of(codes: Codes, documents: int) -> Floats | None:
    """The numbers of a column that has nothing else, such as numbers of pages; None for other columns."""
    try:
        numbers = [float(text) for text in codes.numbers]
    except ValueError:
        return None
    if not all(map(math.isfinite, numbers)):
        return None
    return np.array([*numbers, math.nan])[codes.of(documents)]


def without_trend(values: Floats, numbers: Floats | None) -> Floats:
    """Values without what numbers explain by their size, as a parabola over their ranks.

    Documents of many pages may all be harder: this does not make those of exactly seven alike. Numbers that are names,
    such as those of vendors, explain nothing by their size.
    """
    if numbers is None:
        return values.copy()
    known = ~np.isnan(numbers)
    ranks = np.unique(numbers[known], return_inverse=True)[1]
    terms = np.vander(ranks / max(1, ranks.max(initial=0)), 3)
    rest = values.copy()
    rest[:, known] -= (terms @ np.linalg.lstsq(terms, values[:, known].T, rcond=None)[0]).T
    return rest
