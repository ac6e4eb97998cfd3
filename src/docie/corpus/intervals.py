"""Confidence intervals: t intervals, percentiles of resampled documents, and intervals by the delta method.

**t intervals** of one score are the default:

* The standard error is the jackknife's: how much the score changes if one document is left out (Efron and Tibshirani,
  1993, chapter 11).
* Heavy tails reduce the degrees of freedom: (n - 1) / (1 + k (n - 1) / 2n), where k is the excess
  kurtosis of these changes (Box, 1953, on the spread of a variance).
* A share between 0 and 1 has Wilson's interval (1927) for the number of independent documents with the same variation,
  p (1 - p) / error^2 (Kish, 1965; Korn and Graubard, 1998).
* Rates, counts, lengths and costs cannot be negative. Their interval is that of the logarithm, whose standard error is
  error / value by the delta method: value exp(+- t error / value). It is wider above than below, as their errors are.

**Percentiles** of resampled corpora (Efron and Tibshirani, 1993) are too narrow if documents are few and unequal: if
five of fifty documents dominate, the variation is not well known.

**Delta intervals** are used for differences, of which there may be thousands: near the observed sums, a score is nearly
linear, so its gradient times a document's counts is that document's contribution, and the variation of these
contributions gives the standard error (Efron and Tibshirani, 1993, chapter 21; for ratios, Cochran, 1977, chapter 6).
The gradient is computed numerically, so this works for every family.

An interval is computed from differences between documents. A score at its limit (everything correct, or nothing) and a
score with the same value in all documents show none: [1, 1] would claim that errors never happen. Their interval is
None, except for **shares at their limit**. If a share is 1 in all n documents that it depends on, the share of
documents with an error is at most 1 - (alpha/2)^(1/n), exactly (Clopper and Pearson, 1934). A mean over documents is at
least the share of documents without an error, so for it the bound is exact, too. For a ratio of sums, such as F1, and a
mean over entity types, it holds if documents with errors do not hold more of the values than others
(`benchmarks/intervals.py`).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Generic, NamedTuple

import numpy as np
from numpy.typing import NDArray

from docie.core.counts import Counts, Number
from docie.core.scores import Kind
from docie.corpus.matrix import BLOCK, FiguresOf, Matrix, Name, blocks

if TYPE_CHECKING:
    from scipy.sparse import csr_matrix

Interval = list[float] | None
METHODS = ("t", "percentile")
"""How the interval of a score is computed."""
RANGES: dict[Kind, tuple[float, float]] = {
    "share": (0.0, 1.0),
    "documents": (0.0, 1.0),
    "difference": (-1.0, 1.0),
    "rate": (0.0, math.inf),
    "count": (0.0, math.inf),
    "length": (0.0, math.inf),
    "cost": (0.0, math.inf),
}
"""The limits of scores, by their kind."""
ROUNDING = 1e-12
"""Values are equal if they differ by less than this share: sums of floats depend on their order."""
MOST_EXPONENT = 500.0
"""The exponential of larger numbers, times a score, may be no float."""
STEP = 1e-4
"""The step of a derivative, as a share of a sum. Its error is of the order of this number squared."""
NO_SPREAD = 1e-7
"""Standard errors of the delta method up to this one count as 0: numeric derivatives are not exact."""


def percentile_interval(values: Number, level: float) -> Interval:
    """The interval of a score from its values in resampled corpora; None if all are the same.

    >>> percentile_interval(np.array([0.5, 0.75, 1.0]), 0.5)
    [0.625, 0.875]
    """
    tail = (1 - level) / 2
    low, high = np.quantile(values, [tail, 1 - tail]).tolist()
    return None if high - low <= ROUNDING * max(1.0, abs(high)) else [low, high]


def t_interval(
    value: float, error: float, freedom: float, level: float, *, least: float = -math.inf, most: float = math.inf
) -> list[float]:
    """The t interval around a value, cut off at `least` and `most`.

    Args:
        value, error: a score and its standard error.
        freedom: the degrees of freedom.
        level: between 0 and 1.

    >>> t_interval(0.5, 0.4, 3, 0.95, least=-1.0, most=1.0)
    [-0.77..., 1.0]
    """
    width = t_quantile(freedom, (1 + level) / 2) * error
    return [max(least, value - width), min(most, value + width)]


def log_interval(value: float, error: float, freedom: float, level: float) -> list[float]:
    """The t interval of the logarithm of a positive value, as an interval of the value.

    Source: the delta method. Of a rate of d Poisson events, with the normal quantile z, this is the error factor
    exp(z / sqrt(d)) of Kirkwood and Sterne (2003, chapter 22).

    Args:
        value, error, freedom, level: as in `t_interval`.

    >>> [round(bound, 1) for bound in log_interval(16.0, 4.0, 1e9, 0.95)]
    [9.8, 26.1]
    """
    exponent = t_quantile(freedom, (1 + level) / 2) * error / value
    if exponent > MOST_EXPONENT:  # of two documents, at a level of 0.9999: no bound is of use
        return t_interval(value, error, freedom, level, least=0.0)
    return [value * math.exp(-exponent), value * math.exp(exponent)]


def t_quantile(freedom: float, probability: float) -> float:
    """A quantile of Student's t distribution."""
    from scipy.special import stdtrit

    return float(stdtrit(freedom, probability))


def wilson_interval(share: float, effective: float, quantile: float) -> list[float]:
    """Wilson's interval (1927) for a share of independent documents, whose number may be fractional.

    >>> [round(bound, 3) for bound in wilson_interval(0.5, 25, 2.064)]
    [0.309, 0.691]
    """
    # the bounds p of |share - p| = quantile * sqrt(p (1 - p) / effective)
    ratio = quantile**2 / effective
    half = math.sqrt(ratio * share * (1 - share) + ratio**2 / 4)
    return [max(0.0, (share + ratio / 2 - half) / (1 + ratio)), min(1.0, (share + ratio / 2 + half) / (1 + ratio))]


def clopper_pearson(share: float, documents: int, confidence_level: float) -> list[float]:
    """The exact interval for a share of independent documents.

    Source: Clopper and Pearson (1934). At 1, the lower bound p is where p^n, the chance that all n are correct, equals
    the share outside the interval at one end.

    >>> [round(bound, 3) for bound in clopper_pearson(1.0, 24, 0.95)]
    [0.858, 1.0]
    """
    from scipy.special import betaincinv

    right, tail = round(share * documents), (1 - confidence_level) / 2
    low = betaincinv(right, documents - right + 1, tail) if right else 0.0
    high = betaincinv(right + 1, documents - right, 1 - tail) if right < documents else 1.0
    return [float(low), float(high)]


class Spread(NamedTuple):
    """A score, its standard error, the number of documents, and the excess kurtosis of the jackknife's changes."""

    value: float
    error: float
    documents: int
    kurtosis: float = 0.0


def jackknife_interval(spread: Spread, level: float, kind: Kind) -> Interval:
    """The t interval of a score of some kind; None at its limit, and if the documents do not vary.

    >>> [round(bound, 3) for bound in jackknife_interval(Spread(0.5, 0.1, 24), 0.95, "share") or []]
    [0.309, 0.691]
    """
    value, error, size, kurtosis = spread
    least, most = RANGES[kind]
    if error == 0 or value in (least, most):
        return None
    is_share = (least, most) == RANGES["share"]
    effective = value * (1 - value) / error**2  # independent documents with the same variation
    if is_share and math.isclose(effective, size - 1):
        kurtosis = 0.0  # for a share of documents, the variation follows from the share itself
    freedom = (size - 1) / (1 + max(kurtosis, 0.0) * (size - 1) / (2 * size))
    if is_share:
        return wilson_interval(value, effective, t_quantile(freedom, (1 + level) / 2))
    if least == 0:
        return log_interval(value, error, freedom, level)
    return t_interval(value, error, freedom, level, least=least, most=most)


class Jackknife(Generic[Name]):
    """The change of each score if one document is left out, as sums of powers: the changes themselves are not kept.

    Args:
        figures_of: computes scores by name from sums of counts: a row for each corpus, a column for each number.
        rows: a sparse matrix, the counts of the documents.
    """

    def __init__(self, figures_of: FiguresOf[Name], rows: csr_matrix) -> None:
        self.size = rows.shape[0]
        sums = np.asarray(rows.sum(axis=0), dtype=np.float64).reshape(1, -1)
        self._values = {name: float(np.ravel(value)[0]) for name, value in figures_of(sums).items()}
        self._powers = {name: np.zeros(4) for name in self._values}
        self._with_support = {name: 0 for name in self._values if isinstance(name, tuple) and name[-1] == "support"}
        scale = self.size / (self.size - 1)  # sums, such as corrections, stay those of as many documents
        for block in blocks(rows):
            for name, values in figures_of((sums - block) * scale).items():
                self._add(name, np.broadcast_to(values, len(block)), scale)

    def _add(self, name: Name, values: NDArray[np.float64], scale: float) -> None:
        whole = self._values[name]
        moved = values - whole
        self._powers[name] += [float(np.sum(moved**power)) for power in range(1, 5)]
        if name in self._with_support:  # a whole number: half of one is not a rounding error
            self._with_support[name] += int(np.sum(np.abs(values / scale - whole) > 0.5))

    def spread(self, figure: Name) -> Spread:
        """The variation of a score."""
        size, value = self.size, self._values[figure]
        mean, *raw = self._powers[figure] / size
        second = raw[0] - mean**2
        error = math.sqrt(max(0.0, (size - 1) * second))
        if error <= ROUNDING * max(1.0, abs(value)):
            return Spread(value, 0.0, size)
        fourth = raw[2] - 4 * mean * raw[1] + 6 * mean**2 * raw[0] - 3 * mean**4
        return Spread(value, error, size, fourth / second**2 - 3)

    def absence(self, support: Name) -> float:
        """The share of resampled corpora without a name: no document that has it is drawn."""
        return float((1 - self._with_support[support] / self.size) ** self.size)


def contributions(figures_of: FiguresOf[Name], rows: csr_matrix) -> dict[Name, NDArray[np.float64]]:
    """The contribution of each unit to each score, to first order.

    Args:
        figures_of: computes scores from sums.
        rows: a sparse matrix, the counts of a system: a row for each unit, a column for each number.

    Returns:
        From each score to an array with a number for each unit.
    """
    sums = np.asarray(rows.sum(axis=0), dtype=np.float64).ravel()
    # a number that no unit has adds nothing; and there a score may jump, as macro F1 does where a type appears
    by_column = rows.tocsc()
    columns = np.flatnonzero(np.diff(by_column.indptr))
    found = gradients(figures_of, sums, columns)
    added = by_column[:, columns].tocsr() @ np.stack([*found.values()], axis=1)
    return {name: added[:, number] for number, name in enumerate(found)}


def gradients(
    figures_of: FiguresOf[Name], sums: NDArray[np.float64], columns: NDArray[np.int64]
) -> dict[Name, NDArray[np.float64]]:
    """The derivatives of each score by some of the sums.

    Args:
        figures_of: computes scores from sums.
        sums: where the derivatives are taken.
        columns: by which of the sums.
    """
    names = list(figures_of(sums[None, :]))
    found = np.zeros((len(names), len(columns)))
    batch = max(1, BLOCK // max(1, 2 * len(sums)))
    for start in range(0, len(columns), batch):
        places = columns[start : start + batch]
        steps = STEP * np.where(sums[places] == 0, 1.0, np.abs(sums[places]))
        each = np.arange(len(places))
        around = np.tile(sums, (2, len(places), 1))
        around[0, each, places] += steps
        around[1, each, places] -= steps
        for number, values in enumerate(figures_of(around.reshape(-1, len(sums))).values()):
            above, below = values.reshape(2, -1)
            found[number, start : start + batch] = (above - below) / (2 * steps)
    return dict(zip(names, found, strict=True))


def standard_error(added: NDArray[np.float64]) -> float | None:
    """The standard error of a sum of independent terms; None if there are fewer than two, or all are the same.

    >>> standard_error(np.array([1.0, 3.0])), standard_error(np.array([1.0])), standard_error(np.array([2.0, 2.0]))
    (2.0, None, None)
    """
    units = len(added)
    if units < 2:
        return None
    error = float(np.sqrt(units / (units - 1) * np.sum((added - added.mean()) ** 2)))
    return error if error > NO_SPREAD else None


def delta_intervals(
    figures_of: Callable[[Counts], Mapping[Name, Number]],
    documents: Matrix,
    confidence_level: float,
    *,
    most: float = math.inf,
) -> dict[Name, list[float] | None]:
    """The t interval of each score of a corpus, with the delta method's standard error.

    A score that is a difference has a paired interval if a document's counts hold both of its terms.

    Args:
        figures_of (callable): computes scores by name from counts whose numbers are arrays, such as `kieval.score`.
        documents (Matrix): the counts of at least one document.
        confidence_level (float): between 0 and 1.
        most (float): intervals are cut off at this number and its negative, as differences of shares are at 1 and -1.

    Returns:
        dict: from each name to [low, high]; None if there are fewer than two documents, or all are the same.

    >>> matrix = Matrix(Counts(1, 0, {("right",): [number % 2]}) for number in range(100))
    >>> figures_of = lambda counts: {"accuracy": counts.rows["right",][0] / counts.documents}
    >>> [round(bound, 2) for bound in delta_intervals(figures_of, matrix, 0.95)["accuracy"]]
    [0.4, 0.6]
    """
    columns = documents.columns()
    of_sums, rows = columns.figures(figures_of), columns.rows.astype(np.float64)
    values = of_sums(np.asarray(rows.sum(axis=0)).reshape(1, -1))
    return {
        name: delta_interval(float(values[name][0]), standard_error(added), len(documents), confidence_level, most=most)
        for name, added in contributions(of_sums, rows).items()
    }


def delta_interval(
    value: float, error: float | None, units: int, level: float, *, most: float = math.inf
) -> list[float] | None:
    """The t interval around a difference over so many units; None without a standard error.

    It is cut off at `most` and -`most`, as differences of shares are at 1 and -1.
    """
    return None if error is None else t_interval(value, error, units - 1, level, least=-most, most=most)
