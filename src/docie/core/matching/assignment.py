"""The one-to-one pairs of rows and columns with the greatest sum of weights: of a table, or of the pairs that fit.

Which of equally good pairs are taken depends on nothing but the order of rows and columns. Where that must not matter,
callers put them in the order of their content first.
"""

from __future__ import annotations

from itertools import count
from math import inf
from typing import Any

import numpy as np
from numpy.typing import NDArray

from docie.core.matching.one_to_one import Places, parts

Pairs = tuple[Places, Places]
"""The paired rows, rising, and their columns."""

FEW = 64  # cells: such a table takes 0.1 ms by hand, three times as long as with scipy
LARGER = 4_096  # cells: up to 4 ms by hand (mostly 1 ms), with scipy a tenth; but its import takes 0.4 s and 40 MB
FIRST = 50  # so many of these tables are assigned by hand before it is imported
SMALL = 40_000  # cells: such a table takes a millisecond, as do a search for its parts and a sparse matching
CROWDED = 0.25  # the share of cells with a pair from which on a table is solved faster than a sparse matching
_larger = count()  # the tables of more than `FEW` cells: how many there were changes the time, never the pairs


def assign(weights: NDArray[Any]) -> Pairs:
    """As many pairs as the shorter side has, with the greatest sum of weights; on ties those that scipy takes.

    Args:
        weights: the weight of each row with each column. Whole numbers are exact as long as their sum is, in float64.

    >>> [places.tolist() for places in assign(np.array([[3, 1], [2, 2], [1, 1]]))]
    [[0, 1], [0, 1]]
    """
    height, width = weights.shape
    if height > width:
        columns, rows = assign(weights.T)
        order = rows.argsort()
        return rows[order], columns[order]
    rows = np.arange(height)
    if height:
        best = weights.argmax(axis=1)
        is_best = weights == weights[rows, best][:, None]
        if len(set(best.tolist())) == height == np.count_nonzero(is_best):  # each row has its one greatest weight
            return rows, best
    if weights.size <= FEW or (weights.size <= LARGER and next(_larger) < FIRST):
        return rows, np.array(_assigned_by_hand((-weights.astype(np.float64)).tolist(), width), dtype=np.int64)
    from scipy.optimize import linear_sum_assignment

    costs = weights.astype(np.float64, copy=not weights.flags.writeable)
    np.negative(costs, out=costs)  # in place and back again: `maximize=True` would make a copy
    pairs: Pairs = linear_sum_assignment(costs)
    np.negative(costs, out=costs)
    return pairs


def _assigned_by_hand(costs: list[list[float]], width: int) -> list[int]:
    """The column of each row: `linear_sum_assignment` in Python (Crouse 2016), with its order on ties."""
    row_of, column_of = [-1] * width, [-1] * len(costs)
    of_row, of_column = [0.0] * len(costs), [0.0] * width  # the dual values
    for first in range(len(costs)):
        distance, before = [inf] * width, [-1] * width
        left, row, reached, shortest = [*reversed(range(width))], first, [], 0.0
        while row >= 0:
            line, dual, lowest, nearest = costs[row], of_row[row], inf, -1
            for place, column in enumerate(left):
                through = shortest + line[column] - dual - of_column[column]  # rounded as scipy rounds it
                if through < distance[column]:
                    distance[column], before[column] = through, row
                if distance[column] < lowest or (distance[column] == lowest and row_of[column] < 0):
                    lowest, nearest = distance[column], place
            shortest, column, left[nearest] = lowest, left[nearest], left[-1]
            left.pop()
            reached.append(column)
            row = row_of[column]
        of_row[first] += shortest
        for other in reached:
            if row_of[other] >= 0:
                of_row[row_of[other]] += shortest - distance[other]
            of_column[other] -= shortest - distance[other]
        row = -1
        while row != first:
            row = before[column]
            row_of[column], column_of[row], column = row, column, column_of[row]
    return column_of


def assign_sparse(rows: NDArray[Any], columns: NDArray[Any], weights: NDArray[Any], shape: tuple[int, int]) -> Pairs:
    """Those of the given pairs that are one-to-one and have the greatest sum of weights.

    They fall into parts that have no row and no column in common, and each part is solved for itself.

    Args:
        rows, columns, weights: the pairs, each once and in any order, and their weights, which are above 0.
        shape: the numbers of rows and columns.

    >>> pairs = np.array([0, 1, 1]), np.array([0, 0, 1])
    >>> [places.tolist() for places in assign_sparse(*pairs, np.array([2, 5, 2]), (2, 2))]
    [[1], [0]]
    """
    order = np.lexsort((columns, rows))
    rows, columns, weights = rows[order], columns[order], weights[order]
    chosen, is_open = _of_stars(rows, columns, weights, shape)
    found = [(rows[chosen], columns[chosen])]
    rows, columns, weights = rows[is_open], columns[is_open], weights[is_open]
    is_small = len(np.unique(rows)) * len(np.unique(columns)) <= SMALL
    part = np.zeros_like(rows) if is_small else parts(rows, columns, shape)
    order = part.argsort(kind="stable")
    pairs_of_parts = np.split(order, np.flatnonzero(np.diff(part[order])) + 1)
    found += [_of_part(rows[pairs], columns[pairs], weights[pairs]) for pairs in pairs_of_parts]
    rows, columns = (np.concatenate(side) for side in zip(*found, strict=True))
    order = rows.argsort()
    return rows[order], columns[order]


def _of_stars(
    rows: NDArray[Any], columns: NDArray[Any], weights: NDArray[Any], shape: tuple[int, int]
) -> tuple[Places, NDArray[np.bool_]]:
    """The heaviest pair of each star, a part with one row or one column; and whether each pair is in no star."""
    by_row, by_column = np.bincount(rows, minlength=shape[0]), np.bincount(columns, minlength=shape[1])
    is_row = np.bincount(rows, by_column[columns] > 1, shape[0])[rows] == 0  # no column of this row has another row
    is_column = np.bincount(columns, by_row[rows] > 1, shape[1])[columns] == 0
    star = np.where(is_column, shape[0] + columns, rows)
    order = np.lexsort((-weights, star))
    order = order[(is_row | is_column)[order]]
    return order[np.diff(star[order], prepend=-1) > 0], ~(is_row | is_column)


def _of_part(rows: NDArray[Any], columns: NDArray[Any], weights: NDArray[Any]) -> Pairs:
    (rows, row), (columns, column) = (np.unique(side, return_inverse=True) for side in (rows, columns))
    shape = len(rows), len(columns)
    if len(weights) < CROWDED * shape[0] * shape[1] and shape[0] * shape[1] > SMALL:
        first, second = _of_sparse_part(row, column, weights, shape)
    else:
        table = np.zeros(shape, dtype=weights.dtype)
        table[row, column] = weights
        first, second = assign(table)
        is_pair = table[first, second] > 0
        first, second = first[is_pair], second[is_pair]
    return rows[first], columns[second]


def _of_sparse_part(rows: NDArray[Any], columns: NDArray[Any], weights: NDArray[Any], shape: tuple[int, int]) -> Pairs:
    """By Jonker and Volgenant (1987), for which each row of the shorter side gets a column of its own, of weight 0."""
    if shape[0] > shape[1]:
        return _of_sparse_part(columns, rows, weights, shape[::-1])[::-1]
    from scipy.sparse import csr_matrix
    from scipy.sparse.csgraph import min_weight_full_bipartite_matching

    height, width = shape
    none = 2.0 * float(weights.max())  # what no pair costs: a pair of cost 0 would count as absent
    alone = np.arange(height)
    ends = np.concatenate([rows, alone]), np.concatenate([columns, width + alone])
    costs = np.concatenate([none - weights, np.full(height, none)])
    row, column = min_weight_full_bipartite_matching(csr_matrix((costs, ends), shape=(height, width + height)))
    is_pair = column < width
    return row[is_pair], column[is_pair]
