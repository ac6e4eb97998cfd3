"""Intervals from the spread of the documents: a t interval that allows for heavy tails and for shares near 0 and 1.

Percentiles of resampled corpora are too narrow where documents are few and unequal: the spread of fifty documents, of
which five decide, is not known well. Three things widen an interval there, and change nothing where documents are many:

* The standard error is the jackknife's: how much the figure moves if one document is left out (Efron and Tibshirani,
  1993, chapter 11).
* The degrees of freedom are fewer, the heavier the tails: (n - 1) / (1 + k (n - 1) / 2n), where k is the excess
  kurtosis of these moves (Box, 1953, on the spread of a variance).
* A share between 0 and 1 has Wilson's interval (1927) for the number of independent documents that would spread as
  much, p (1 - p) / error^2 (Kish, 1965; Korn and Graubard, 1998).

An interval is made from differences between documents. A score at its border (everything right, or nothing) and a score
that is equal in all documents show none: [1, 1] would claim that errors never happen. They have no interval, None. The
one exception is a share of whole documents: at the border it has an interval by the number of documents alone (Clopper
and Pearson, 1934).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.special import betaincinv, stdtrit

from docie.core.counts import Counts, Number
from docie.core.errors import warn
from docie.core.family import Family
from docie.core.scores import Kind, score_of
from docie.corpus import bootstrap
from docie.corpus.bootstrap import Stack

Tables = dict[str, dict[str, dict[str, Any]]]
Figure = tuple[str, ...]
"""The name of a score, or the title of a table, the name of a row, and that of a score in it."""
Interval = list[float] | None
RANGES: dict[Kind, tuple[float, float]] = {
    "share": (0.0, 1.0),
    "documents": (0.0, 1.0),
    "difference": (-1.0, 1.0),
    "rate": (0.0, math.inf),
    "count": (0.0, math.inf),
    "length": (0.0, math.inf),
    "cost": (0.0, math.inf),
}
"""The borders of scores, by their kind."""
MOST_ROWS = 1000
"""The number of rows that a table with intervals has at most."""
ROUNDING = 1e-12
"""Values that differ by less than this share are equal: sums of floats depend on their order."""
_INTERVAL = "_interval"
_NAMED = 5  # scores that the warning names
_BLOCK = 4_000_000  # numbers in memory at a time


class Figures:
    """All scores of a family, and those of the rows of tables: what is to have intervals.

    Args:
        family: whose scores these are.
        scores: those of the corpus.
        tables: the `breakdown` of the corpus; empty for none. Their rows get the intervals.
        documents: the number of documents.
    """

    def __init__(self, family: Family, scores: Mapping[str, Number], tables: Tables, documents: int) -> None:
        self._family, self._scores, self._documents = family, scores, documents
        large = [title for title, table in tables.items() if len(table) > MOST_ROWS]
        for title in large:
            warn(f"{title} has {len(tables[title]):,} rows; tables of more than {MOST_ROWS:,} have no intervals")
        self._rows = {
            (title, name): row for title, table in tables.items() if title not in large for name, row in table.items()
        }
        self._wanted = [
            (*place, figure)
            for place, row in self._rows.items()
            for figure, value in row.items()
            if isinstance(value, float) or figure == "support"
        ]

    def of(self, counts: Counts) -> dict[Figure, Number]:
        """The figures of counts: from (score,), and from (title, row, score), to numbers."""
        figures: dict[Figure, Number] = {(name,): value for name, value in self._family.score(counts).items()}
        if self._wanted:
            tables = self._family.breakdown(counts)
            figures |= {(title, name, figure): tables[title][name][figure] for title, name, figure in self._wanted}
        return figures

    def kind(self, figure: Figure) -> Kind:
        """The kind of a figure, as the family's `SCORES` have it."""
        return score_of(self._family, figure[-1]).kind

    def write(
        self,
        interval_of: Callable[[Figure], Interval],
        absence_of: Callable[[Figure], float],
        confidence_level: float,
    ) -> dict[str, Interval]:
        """Write intervals into the rows of the tables, but not of numbers of entities, and give those of all scores.

        A row whose name the references of too many samples lack has no intervals: there its F1 is 1.0, which says
        nothing. There must be fewer such samples than lie outside of the interval at one end.

        Args:
            interval_of: gives the interval of a figure that is not at its border; None where documents do not differ.
            absence_of: gives the share of samples without a name, from the figure of its support.
            confidence_level: between 0 and 1.
        """
        most = (1 - confidence_level) / 2

        def interval(figure: Figure) -> Interval:
            value, kind = self._value(figure), self.kind(figure)
            found = None if value in RANGES[kind] else interval_of(figure)
            if found is None and kind == "documents" and self._documents > 1:
                return clopper_pearson(value, self._documents, confidence_level)
            return found

        known = {*self._wanted}
        for (title, name), row in self._rows.items():
            support = (title, name, "support")
            if support not in known or absence_of(support) <= most:
                scores = [figure for figure, value in row.items() if isinstance(value, float)]
                row |= {f"{figure}{_INTERVAL}": interval((title, name, figure)) for figure in scores}
        return {f"{name}{_INTERVAL}": interval((name,)) for name in self._scores}

    def _value(self, figure: Figure) -> Number:
        *place, name = figure
        return self._rows[place[0], place[1]][name] if place else self._scores[name]


def intervals_of(
    figures: Figures,
    documents: Stack,
    confidence_level: float,
    interval: str,
    *,
    bootstrap_samples: int,
    seed: int,
) -> dict[str, Interval]:
    """The intervals of figures; those of tables go into their rows.

    Args:
        figures: which ones.
        documents: the counts of the documents.
        confidence_level, interval, bootstrap_samples, seed: as of `evaluate`.
    """
    if interval == "percentile" or not documents:
        values = bootstrap.resampled(figures.of, documents, samples=bootstrap_samples, seed=seed)
        return percentiles(values, figures, confidence_level)
    if len(documents) < 2:
        return figures.write(lambda _: None, lambda _: 1.0, confidence_level)
    matrix, column_of = documents.matrix()
    moves = Moves(lambda sums: figures.of(documents.counts_of(sums, column_of)), matrix)
    return figures.write(
        lambda figure: t_interval(moves.spread(figure), confidence_level, figures.kind(figure)),
        moves.absence,
        confidence_level,
    )


class Spread(NamedTuple):
    """A figure, its standard error, the number of documents, and the excess kurtosis of what they do to it."""

    value: float
    error: float
    documents: int
    kurtosis: float = 0.0


def t_interval(spread: Spread, level: float, kind: Kind) -> Interval:
    """The interval of a figure of some kind; None at its border, and if the documents do not spread.

    >>> [round(bound, 3) for bound in t_interval(Spread(0.5, 0.1, 24), 0.95, "share") or []]
    [0.309, 0.691]
    """
    value, error, size, kurtosis = spread
    least, most = RANGES[kind]
    if error == 0 or value in (least, most):
        return None
    is_share = (least, most) == RANGES["share"]
    effective = value * (1 - value) / error**2  # independent documents that would spread as much
    if is_share and math.isclose(effective, size - 1):
        kurtosis = 0.0  # a share of documents, such as the error-free ones: its spread follows from the share itself
    freedom = (size - 1) / (1 + max(kurtosis, 0.0) * (size - 1) / (2 * size))
    quantile = float(stdtrit(freedom, (1 + level) / 2))
    if not is_share:
        return [max(least, value - quantile * error), min(most, value + quantile * error)]
    # the bounds p of |value - p| = quantile * sqrt(p (1 - p) / effective)
    ratio = quantile**2 / effective
    half = math.sqrt(ratio * value * (1 - value) + ratio**2 / 4)
    return [max(0.0, (value + ratio / 2 - half) / (1 + ratio)), min(1.0, (value + ratio / 2 + half) / (1 + ratio))]


class Moves:
    """How each figure moves if one document is left out, as sums of powers: not every move is kept.

    Args:
        figures_of: gives figures by name from sums of counts: a row for each corpus, a column for each number.
        rows: a sparse matrix, the counts of the documents.
    """

    def __init__(self, figures_of: Callable[[NDArray[Any]], Mapping[Figure, Any]], rows: Any) -> None:
        self.size, width = rows.shape
        sums = np.asarray(rows.sum(axis=0), dtype=np.float64).reshape(1, -1)
        self._values = {name: float(np.ravel(value)[0]) for name, value in figures_of(sums).items()}
        self._powers = {name: np.zeros(4) for name in self._values}
        self._with_support = {name: 0 for name in self._values if name[-1] == "support"}
        scale = self.size / (self.size - 1)  # so that sums, such as corrections, remain those of as many documents
        batch = max(1, _BLOCK // width)
        for start in range(0, self.size, batch):
            without = (sums - rows[start : start + batch].toarray()) * scale
            for name, values in figures_of(without).items():
                self._add(name, np.broadcast_to(values, len(without)), scale)

    def _add(self, name: Figure, values: NDArray[Any], scale: float) -> None:
        whole = self._values[name]
        moved = values - whole
        self._powers[name] += [float(np.sum(moved**power)) for power in range(1, 5)]
        if name in self._with_support:  # a whole number: half of one is no rounding
            self._with_support[name] += int(np.sum(np.abs(values / scale - whole) > 0.5))

    def spread(self, figure: Figure) -> Spread:
        """The spread of a figure."""
        size, value = self.size, self._values[figure]
        mean, *raw = self._powers[figure] / size
        second = raw[0] - mean**2
        error = math.sqrt(max(0.0, (size - 1) * second))
        if error <= ROUNDING * max(1.0, abs(value)):
            return Spread(value, 0.0, size)
        fourth = raw[2] - 4 * mean * raw[1] + 6 * mean**2 * raw[0] - 3 * mean**4
        return Spread(value, error, size, fourth / second**2 - 3)

    def absence(self, support: Figure) -> float:
        """The share of resampled corpora without a name: no document that has it is drawn."""
        return float((1 - self._with_support[support] / self.size) ** self.size)


def percentiles(values: Mapping[Figure, Number], figures: Figures, confidence_level: float) -> dict[str, Interval]:
    """The intervals of figures, from their values in resampled corpora. Those of tables go into their rows."""
    tail = (1 - confidence_level) / 2

    def interval_of(figure: Figure) -> Interval:
        low, high = np.quantile(values[figure], [tail, 1 - tail]).tolist()
        return None if high - low <= ROUNDING * max(1.0, abs(high)) else [low, high]

    return figures.write(interval_of, lambda support: float(np.mean(values[support] == 0)), confidence_level)


def clopper_pearson(share: float, documents: int, confidence_level: float) -> list[float]:
    """The exact interval of a share of independent documents.

    Source: Clopper and Pearson (1934). At 1 the lower bound p is where p^n, the chance that all n are right, is as
    large as what may lie outside of the interval at one end.

    >>> [round(bound, 3) for bound in clopper_pearson(1.0, 24, 0.95)]
    [0.858, 1.0]
    """
    right, tail = round(share * documents), (1 - confidence_level) / 2
    low = betaincinv(right, documents - right + 1, tail) if right else 0.0
    high = betaincinv(right + 1, documents - right, 1 - tail) if right < documents else 1.0
    return [float(low), float(high)]


def warn_of_missing(results: Mapping[str, Any]) -> None:
    """Warn of scores without an interval, in one line.

    Args:
        results: scores and tables with the intervals of each.
    """
    if not any(key.endswith(_INTERVAL) for key in results):
        return
    if results["documents"] < 2:
        number = "one document says" if results["documents"] else "no documents say"
        warn(f"{number} nothing of chance: there are no intervals")
        return
    names = [*_missing(results)]
    rows = {title: len([*_rows_without(table)]) for title, table in results.items() if isinstance(table, Mapping)}
    more = len(names) - _NAMED
    listed = [", ".join(names[:_NAMED]) + (f" and {more} more score{'s' * (more > 1)}" if more > 0 else "")]
    listed = [text for text in listed if text]
    listed += [f"scores in {number} row{'s' * (number > 1)} of {title}" for title, number in rows.items() if number]
    if listed:
        why = "each is at 0 or 1, or the same in every document, so its variation is unknown"
        warn(f"no interval for {'; '.join(listed)}: {why}")


def _missing(figures: Mapping[str, Any]) -> Iterator[str]:
    """The names of scores whose interval is None."""
    yield from (
        key.removesuffix(_INTERVAL) for key, value in figures.items() if key.endswith(_INTERVAL) and value is None
    )


def _rows_without(table: Mapping[str, Any]) -> Iterator[str]:
    """The names of rows with such scores."""
    yield from (name for name, row in table.items() if isinstance(row, Mapping) and any(_missing(row)))
