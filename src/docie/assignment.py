"""One-to-one assignment by several criteria, each of which decides among the best of those before it."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import linear_sum_assignment

Matrix = NDArray[np.float64]
Pairs = list[tuple[int, int]]
"""Places in the rows and in the columns."""

_SHARES = (1e-2, 1e-4, 1e-6, 1e-8)  # of the weight, for a further criterion
_EQUAL = 1e-9  # numbers that are closer than this are ties


def distinct_best(weights: Matrix) -> Pairs | None:
    """The one best assignment, where each row, or each column, of the shorter side has one best and no two the same.

    None where they do not: then it takes `assign`. Most tables of real documents need no more than this.

    >>> distinct_best(np.array([[0.9, 0.2, 0.1], [0.3, 0.1, 0.8]]))
    [(0, 0), (1, 2)]
    """
    if weights.shape[0] > weights.shape[1]:
        pairs = distinct_best(weights.T)
        return pairs and [(row, column) for column, row in pairs]
    if not weights.size:
        return []
    columns = weights.argmax(axis=1)
    rows = np.arange(len(columns))
    if np.count_nonzero(weights > weights[rows, columns][:, None] - _EQUAL) > len(rows):
        return None
    pairs = list(enumerate(columns.tolist()))
    return pairs if len({column for _, column in pairs}) == len(pairs) else None


def assign(*criteria: Matrix) -> Pairs:
    """As many pairs as the shorter side has, with the greatest sum of the first criterion, then of the next, ...

    A further criterion joins the weights with a share so small that the sums before it stay as they are: then no other
    assignment with those sums has more of it. Where not even the smallest share leaves them, it has no say.

    >>> assign(np.ones((2, 2)), np.array([[0.0, 1.0], [1.0, 1.0]]))
    [(0, 1), (1, 0)]
    """
    weights = criteria[0]
    found = linear_sum_assignment(weights, maximize=True)
    for number, criterion in enumerate(criteria[1:], 1):
        greatest = np.abs(criterion).max(initial=0) * len(found[0])
        if not greatest or np.ptp(criterion) == 0:
            continue
        for share in _SHARES:
            heavier = weights + criterion * (share / greatest)
            other = linear_sum_assignment(heavier, maximize=True)
            if all(before[other].sum() >= before[found].sum() - _EQUAL for before in criteria[:number]):
                weights, found = heavier, other
                break
    return list(zip(*(places.tolist() for places in found), strict=True))
