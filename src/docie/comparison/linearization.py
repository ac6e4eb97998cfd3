"""The interval: the spread of a difference, from what each document adds to it (the delta method).

A score is a smooth function of sums over documents. Near the sums that were seen it is nearly linear: its change is the
gradient times the change of the sums. So the gradient times a document's counts is what the document adds, and the
spread of these terms gives the standard error of the score (Efron and Tibshirani, 1993, chapter 21; for ratios,
Cochran, 1977, chapter 6). The gradient is taken numerically, so this holds for every family.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import vstack
from scipy.special import stdtrit

from docie.comparison.randomization import BLOCK, FiguresOf
from docie.core.counts import Counts, Number
from docie.corpus.bootstrap import Stack

Name = TypeVar("Name")
STEP = 1e-4
"""The step of the derivative, as a share of a sum. Its error is of the order of this number squared."""
NO_SPREAD = 1e-7
"""Standard errors up to this one are 0: numeric derivatives are not exact."""
POWER = 0.8
"""The chance with which a difference is found that `smallest_difference` calls the smallest."""


def contributions(figures_of: FiguresOf[Name], rows: Any) -> dict[Name, NDArray[np.float64]]:
    """What each unit adds to each figure, to first order.

    Args:
        figures_of: gives figures from sums.
        rows: a sparse matrix, the counts of a system: a row for each unit, a column for each number.

    Returns:
        From each figure to an array with a number for each unit.
    """
    rows = rows.tocsc()
    sums = np.asarray(rows.sum(axis=0), dtype=np.float64).ravel()
    # a number that no unit has adds nothing; and there a score may jump, as macro F1 does where a type appears
    columns = np.flatnonzero(np.diff(rows.indptr))
    names = list(figures_of(sums[None, :]))
    gradients = np.zeros((len(columns), len(names)))
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
            gradients[start : start + batch, number] = (above - below) / (2 * steps)
    added = rows[:, columns].tocsr() @ gradients
    return {name: added[:, number] for number, name in enumerate(names)}


def exchanged(figures_of: FiguresOf[Name], first: Any, second: Any) -> dict[Name, NDArray[np.float64]]:
    """What the second system's answer to each unit changes in each figure, to first order, compared to the first's.

    The gradient is that of both systems together, as for answers that are exchanged at random: a unit with the same
    counts in both changes nothing, and the sum of squares is the variance of the shuffles.

    Args:
        figures_of: gives figures from sums.
        first, second: sparse matrices, the counts of two systems: a row for each unit, a column for each number.
    """
    added = contributions(figures_of, vstack([first, second]))
    return {name: values[first.shape[0] :] - values[: first.shape[0]] for name, values in added.items()}


def delta_intervals(
    figures_of: Callable[[Counts], Mapping[Name, Number]],
    documents: Stack,
    confidence_level: float,
    *,
    most: float = math.inf,
) -> dict[Name, list[float] | None]:
    """The t interval of each figure of a corpus, with the delta method's standard error.

    A figure that is a difference has a paired interval, if a document's counts hold both of its sides.

    Args:
        figures_of (callable): gives figures by name from counts whose numbers are arrays, such as `kieval.score`.
        documents (Stack): the counts of the documents, of which there is at least one.
        confidence_level (float): between 0 and 1.
        most (float): intervals are cut off there and at the negative number, such as differences of shares at 1 and -1.

    Returns:
        dict: from each name to [low, high]; None if there are fewer than two documents, or if all are alike.

    >>> stack = Stack()
    >>> stack.extend([Counts(1, 0, {("right",): [number % 2]}) for number in range(100)])
    >>> figures_of = lambda counts: {"accuracy": counts.rows["right",][0] / counts.documents}
    >>> [round(bound, 2) for bound in delta_intervals(figures_of, stack, 0.95)["accuracy"]]
    [0.4, 0.6]
    """
    matrix, column_of = documents.matrix()

    def of_sums(sums: NDArray[Any]) -> dict[Name, NDArray[Any]]:
        values = figures_of(documents.counts_of(sums, column_of))
        return {name: np.broadcast_to(value, len(sums)) for name, value in values.items()}

    matrix = matrix.astype(np.float64)
    values = of_sums(np.asarray(matrix.sum(axis=0)).reshape(1, -1))
    added = contributions(of_sums, matrix)
    size = len(documents)
    return {
        name: t_interval(float(value[0]), standard_error(added[name]), size, confidence_level, most=most)
        for name, value in values.items()
    }


def standard_error(added: NDArray[np.float64]) -> float | None:
    """The standard error of a sum of independent terms; None of fewer than two, and of terms that are alike.

    >>> standard_error(np.array([1.0, 3.0])), standard_error(np.array([1.0])), standard_error(np.array([2.0, 2.0]))
    (2.0, None, None)
    """
    units = len(added)
    if units < 2:
        return None
    error = float(np.sqrt(units / (units - 1) * np.sum((added - added.mean()) ** 2)))
    return error if error > NO_SPREAD else None


def t_interval(
    value: float, error: float | None, units: int, level: float, *, most: float = math.inf
) -> list[float] | None:
    """The t interval around a value, with one degree of freedom less than there are units; None without an error.

    It is cut off at `most` and at -`most`, as differences of shares are at 1 and -1.

    >>> t_interval(0.5, 0.4, 4, 0.95, most=1.0)
    [-0.77..., 1.0]
    """
    if error is None:
        return None
    width = _t_quantile(units, (1 + level) / 2) * error
    return [max(-most, value - width), min(most, value + width)]


def smallest_difference(error: float | None, units: int, level: float) -> float | None:
    """The difference that a test at this level finds with a chance of 80 %; None where the units show no spread.

    Source: (t quantile of the level + t quantile of the power) x standard error (Cohen, 1988).
    """
    if error is None:
        return None
    return (_t_quantile(units, (1 + level) / 2) + _t_quantile(units, POWER)) * error


def _t_quantile(units: int, probability: float) -> float:
    return float(stdtrit(units - 1, probability))
