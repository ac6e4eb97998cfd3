"""Intervals from the spread of the documents: a t interval that allows for heavy tails and for shares near 0 and 1.

Percentiles of resampled corpora are too narrow where documents are few and unequal: the spread of fifty documents, of
which five decide, is not known well. Three things widen an interval there, and change nothing where documents are many:

* The standard error is the jackknife's: how much the figure moves if one document is left out (Efron and Tibshirani,
  1993, chapter 11).
* The degrees of freedom are fewer, the heavier the tails: (n - 1) / (1 + k (n - 1) / 2n), where k is the excess
  kurtosis of these moves (Box, 1953, on the spread of a variance).
* A share between 0 and 1 has Wilson's interval (1927) for the number of independent documents that would spread as
  much, p (1 - p) / error^2 (Kish, 1965; Korn and Graubard, 1998).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.special import stdtrit

from docie.corpus import bootstrap
from docie.corpus.bootstrap import Stack
from docie.corpus.figures import RANGES, ROUNDING, Figure, Figures, Interval, percentiles
from docie.scores import Kind

_BLOCK = 4_000_000  # numbers in memory at a time


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
