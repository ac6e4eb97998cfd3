"""Few documents have labels; a second system has read all of them: its reading makes the score more certain.

Source: prediction-powered inference (Angelopoulos, Duchi and Zrnic, "PPI++: efficient prediction-powered inference",
2023), on the counts themselves. c are the counts of a document against its label, c' those against the second system's
reading, the silver reading. The counts of an average document are estimated as

    mean over labelled documents of (c - w c') + w x mean over the others of c'

which has no bias whatever the reading is, and varies less than the mean of c if both readings make the same documents
look bad. A weight w of 0 is the plain score. The best one is Cov(l, l') / ((1 + n / N) Var(l')), where l and l' are
what a document adds to the score, for n labelled documents and N others. It is estimated in two halves, each for the
other (cross-fitting): the same documents for weight and score cover too little.

The interval is that of any score (`docie.corpus.intervals`): the jackknife over labelled documents, and the variance of
the others. With 20 labels this covers up to 10 points less often than the plain interval, since what is left is the
work of few documents, of which none may be drawn (`benchmarks/silver.py --textbook`). So it is made wider by two
things, which change nothing at weight 0:

* What is left varies at least as much more as all c' vary more than those of labelled documents: a ratio estimate of a
  variance (Isaki, "Variance estimation using auxiliary information", 1983).
* Of the variance that the reading takes away, a quarter stays; and tails count as heavy as those of the plain score.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_matrix, vstack

from docie.core.scores import Kind
from docie.corpus.clusters.alike import p_value
from docie.corpus.intervals import (
    RANGES,
    Interval,
    Jackknife,
    Spread,
    contributions,
    gradients,
    jackknife_interval,
    standard_error,
)
from docie.corpus.matrix import FiguresOf

KEPT = 0.25
"""The share that stays of the variance that the silver reading takes away."""
LEAST, MOST, WORK = 199, 999, 20_000_000
"""Permutations of that test: no fewer, no more, and not more permuted numbers than this, if they can be that few."""
Weights = tuple[float, float]


class FewLabels(NamedTuple):
    """The counts of the predictions, a row for each document, with the same columns.

    Attributes:
        figures, name: what computes scores from sums of counts, and the score that is wanted.
        labels: counts against the labels.
        silver: of the same documents, against the silver reading.
        others: of documents without labels, against the silver reading.
    """

    figures: FiguresOf[str]
    name: str
    labels: csr_matrix
    silver: csr_matrix
    others: csr_matrix

    def weights(self) -> Weights:
        """The weight for each half (every second document, from the first or the second on), from the other half."""
        ratio = self.labels.shape[0] / self.others.shape[0]
        halves = (self._replace(labels=self.labels[at::2], silver=self.silver[at::2]) for at in (1, 0))
        first, second = (half._weight(ratio) for half in halves)
        return first, second

    def _weight(self, ratio: float) -> float:
        """The weight at which the score varies least, in [0, 1]; 0 if the silver reading finds all documents alike.

        Args:
            ratio: the number of labelled documents, divided by that of the others.
        """
        gradient = self._gradient(self.labels)
        added, of_silver = self.labels @ gradient, self.silver @ gradient
        if standard_error(of_silver) is None:
            return 0.0
        covariance = np.cov(added, of_silver)
        found = covariance[0, 1] / ((1 + ratio) * covariance[1, 1])
        return float(min(1.0, max(0.0, found))) if math.isfinite(found) else 0.0

    def spread(self, weights: Weights, *, widened: bool = True) -> Spread:
        """The score with these weights and its standard error.

        Args:
            weights: that of the silver reading for each half.
            widened: whether the error is that of an interval with few labels; else the delta method's.
        """
        if not any(weights):
            return Jackknife(self.figures, self.labels).spread(self.name)
        size = self.labels.shape[0]
        each = np.array(weights)[np.arange(size) % 2]
        mean = np.asarray(self.others.mean(axis=0))
        rows = csr_matrix(self.labels.toarray() - each[:, None] * (self.silver.toarray() - mean))
        found = Jackknife(self.figures, rows).spread(self.name)
        gradient = self._gradient(rows)
        of_silver, of_others = self.silver @ gradient, self.others @ gradient
        if widened:
            of_others = np.concatenate([of_silver, of_others])
            plain = self.spread((0.0, 0.0))
            whole, own = plain.error**2, found.error**2
            if (of_labelled := np.var(of_silver, ddof=1)) > 0:
                own = max(own, min(whole, own * np.var(of_others, ddof=1) / of_labelled))
            own += KEPT * max(0.0, whole - own)
            found = found._replace(error=math.sqrt(own), kurtosis=max(found.kurtosis, plain.kurtosis))
        # what a document adds is that to the sum of as many documents as have labels
        rest = each.mean() * size * math.sqrt(np.var(of_others, ddof=1) / self.others.shape[0])
        return found._replace(error=math.hypot(found.error, rest))

    def estimate(self, weights: Weights, level: float, kind: Kind) -> tuple[float, Interval, float]:
        """The score with these weights, its interval, and what labels are worth, as a number of labels.

        There is no interval, and labels are worth their number, where the score does not vary or leaves its range.
        """
        plain, found = self.spread((0.0, 0.0)), self.spread(weights)
        least, most = RANGES[kind]
        if plain.error == 0 or not 0 < found.error < math.inf or not least < found.value < most:
            return found.value, None, float(self.labels.shape[0])
        worth = self.labels.shape[0] * (plain.error / found.error) ** 2
        return found.value, jackknife_interval(found, level, kind), worth

    def p(self) -> float | None:
        """The p-value of the difference between labelled documents and others, by the score against the silver reading.

        It is the share of random choices of labelled documents whose mean contribution to that score is as far from
        that of the others. None if documents do not vary.
        """
        added = contributions(self.figures, vstack([self.silver, self.others]))[self.name]
        if standard_error(added) is None:
            return None
        units = np.repeat([0, 1], [self.silver.shape[0], self.others.shape[0]])
        return p_value(added[None, :], units, max(LEAST, min(MOST, WORK // len(added))))

    def against_silver(self) -> list[float | None]:
        """The score against the silver reading, on labelled documents and on others; None for no documents."""
        values = (self.figures(_sums(side)[None, :])[self.name] for side in (self.silver, self.others))
        return [float(each[0]) if side.shape[0] else None for each, side in zip(values, self[3:], strict=True)]

    def _gradient(self, rows: csr_matrix) -> NDArray[np.float64]:
        """The derivatives of the score at the sums of rows; 0 by columns that no document has here."""
        sums = _sums(rows)
        places = np.flatnonzero(sum(np.diff(side.tocsc().indptr) for side in (rows, self.silver, self.others)))
        found = np.zeros(len(sums))
        found[places] = gradients(self.figures, sums, places)[self.name]
        return found


def _sums(rows: csr_matrix) -> NDArray[np.float64]:
    return np.asarray(rows.sum(axis=0), dtype=np.float64).ravel()
