"""One-to-one assignment by several criteria, each of which breaks ties of the ones before it."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
from numpy.typing import NDArray

from docie.core.matching.assignment import Pairs, assign
from docie.core.values.json_text import ANY_OF

Matrix = NDArray[np.floating[Any]]
Places = list[tuple[int, int]]
"""Pairs of a row and a column."""

_SHARES = (1e-2, 1e-4, 1e-6, 1e-8)  # of the weights, for a further criterion
EQUAL = 1e-9  # sums that differ by less are ties


def only_assignment(weights: Matrix) -> Places | None:
    """The best assignment, in the simple case with only one.

    That is the case if each row (of the shorter side) has one best column and no two rows have the same one, as in most
    tables of real documents.

    Returns:
        The pairs; None if `assign_by` is needed.

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


def assign_by(*criteria: Matrix) -> Places:
    """As many pairs as the shorter side has, with the greatest sum of the first criterion, then of the next, and so on.

    A further criterion is added to the weights with a share so small that the earlier sums do not change. Then no other
    assignment with these sums has a greater sum of it. If even the smallest share changes them, the criterion is left
    out.

    >>> assign_by(np.ones((2, 2)), np.array([[0.0, 1.0], [1.0, 1.0]]))
    [(0, 1), (1, 0)]
    """
    weights: Matrix = criteria[0]
    best = assign(weights)
    for number, criterion in enumerate(criteria[1:], 1):
        greatest = float(max(criterion.max(initial=0), -criterion.min(initial=0))) * len(best[0])
        if not greatest or np.ptp(criterion) == 0:
            continue
        for share in _SHARES:
            heavier = np.multiply(criterion, share / greatest, dtype=np.float64)
            heavier += weights
            candidate = assign(heavier)
            if all(_sum(before, candidate) >= _sum(before, best) - EQUAL for before in criteria[:number]):
                weights, best = heavier, candidate
                break
    return list(zip(*(places.tolist() for places in best), strict=True))


def _sum(criterion: Matrix, places: Pairs) -> float:
    total: float = criterion[places].sum(dtype=np.float64).item()
    return total


canonical = json.JSONEncoder(
    sort_keys=True, check_circular=False, default=lambda one_of: {ANY_OF: one_of.alternatives}
).encode
"""The JSON of a tree; the same for equal trees."""
