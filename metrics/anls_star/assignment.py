"""One-to-one assignment by several criteria, each of which decides among the best of those before it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

Matrix = NDArray[np.floating[Any]]
Places = list[tuple[int, int]]
"""Pairs of a row and a column."""

_SHARES = (1e-2, 1e-4, 1e-6, 1e-8)  # of the weight, for a further criterion
_BLOCK = 2**20  # cells of a criterion that are added at a time, to bound memory
EQUAL = 1e-9  # sums that differ by less are ties


def only_assignment(weights: Matrix) -> Places | None:
    """The best assignment, if it can be seen at once that there is only one.

    That is so if each row (of the shorter side) has one best column and no two rows have the same. Most tables of real
    documents are like that.

    Returns:
        The pairs; None if it takes `assign`.

    >>> only_assignment(np.array([[0.9, 0.2, 0.1], [0.3, 0.1, 0.8]]))
    [(0, 0), (1, 2)]
    """
    if weights.shape[0] > weights.shape[1]:
        pairs = only_assignment(weights.T)
        return pairs and [(row, column) for column, row in pairs]
    if not weights.size:
        return []
    columns = weights.argmax(axis=1)
    rows = np.arange(len(columns))
    if np.count_nonzero(weights > weights[rows, columns][:, None] - EQUAL) > len(rows):
        return None
    pairs = list(enumerate(columns.tolist()))
    return pairs if len({column for _, column in pairs}) == len(pairs) else None


def assign(*criteria: Matrix) -> Places:
    """As many pairs as the shorter side has, with the greatest sum of the first criterion, then of the next, and so on.

    A further criterion is added to the weights with a share so small that the sums before it stay as they are. Then no
    other assignment with these sums has more of it. If even the smallest share changes them, the criterion is left out.

    >>> assign(np.ones((2, 2)), np.array([[0.0, 1.0], [1.0, 1.0]]))
    [(0, 1), (1, 0)]
    """
    chosen = [(criteria[0], 1.0)]
    best = _best(chosen)
    for number, criterion in enumerate(criteria[1:], 1):
        greatest = float(max(criterion.max(initial=0), -criterion.min(initial=0))) * len(best[0])
        if not greatest or np.ptp(criterion) == 0:
            continue
        for share in _SHARES:
            heavier = [*chosen, (criterion, share / greatest)]
            candidate = _best(heavier)
            if all(_sum(before, candidate) >= _sum(before, best) - EQUAL for before in criteria[:number]):
                chosen, best = heavier, candidate
                break
    return list(zip(*(places.tolist() for places in best), strict=True))


def _best(weighted: Sequence[tuple[Matrix, float]]) -> tuple[Any, Any]:
    """The places of the assignment with the greatest sum of criteria, each times its share.

    There is one table besides the criteria, of costs: to maximise, the solver would make a copy.
    """
    from scipy.optimize import linear_sum_assignment

    (first, _), *others = weighted
    costs = np.negative(first, dtype=np.float64)
    step = max(1, _BLOCK // max(1, costs.shape[1]))
    for criterion, share in others:
        for start in range(0, len(costs), step):
            rows = slice(start, start + step)
            costs[rows] -= np.multiply(criterion[rows], share, dtype=np.float64)
    places: tuple[Any, Any] = linear_sum_assignment(costs)
    return places


def _sum(criterion: Matrix, places: tuple[Any, Any]) -> float:
    total: float = criterion[places].sum(dtype=np.float64).item()
    return total
