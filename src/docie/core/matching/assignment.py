"""The one-to-one pairs of rows and columns with the greatest sum of weights: of a table, or of the pairs that fit.

Which of equally good pairs are taken depends on nothing but the order of rows and columns. Where that must not matter,
callers put them in the order of their content first.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import permutations
from math import perm
from typing import Any

import numpy as np
from numpy.typing import NDArray

from docie.core.matching.one_to_one import Places

Pairs = tuple[Places, Places]
"""The paired rows, rising, and their columns."""

FEW = 120  # ways to pair rows and columns: tried in 50 μs, a ten-thousandth of the time of scipy's import
SMALL = 40_000  # cells: such a table takes a millisecond, as do a search for its parts and a sparse matching
CROWDED = 0.25  # the share of cells with a pair from which on a table is solved faster than a sparse matching


def assign(weights: NDArray[Any]) -> Pairs:
    """As many pairs as the shorter side has, with the greatest sum of weights; of few, the first ones on ties.

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
    best = weights.argmax(axis=1) if height else rows
    if len(set(best.tolist())) == height:  # each row has its greatest weight: no sum is greater
        return rows, best
    if perm(width, height) <= FEW:
        lines = weights.tolist()
        ways = permutations(range(width), height)
        return rows, np.array(max(ways, key=lambda way: sum([line[at] for line, at in zip(lines, way, strict=True)])))
    from scipy.optimize import linear_sum_assignment

    pairs: Pairs = linear_sum_assignment(np.negative(weights, dtype=np.float64))  # `maximize=True` would copy it again
    return pairs


def assign_sparse(rows: Places, columns: Places, weights: NDArray[Any], shape: tuple[int, int]) -> Pairs:
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
    part = _parts(rows, columns, shape)
    order = part.argsort(kind="stable")
    pairs_of_parts = np.split(order, np.flatnonzero(np.diff(part[order])) + 1)
    found += [_of_part(rows[pairs], columns[pairs], weights[pairs]) for pairs in pairs_of_parts]
    rows, columns = (np.concatenate(side) for side in zip(*found, strict=True))
    order = rows.argsort()
    return rows[order], columns[order]


def _of_stars(
    rows: Places, columns: Places, weights: NDArray[Any], shape: tuple[int, int]
) -> tuple[Places, NDArray[np.bool_]]:
    """The heaviest pair of each star, a part with one row or one column; and whether each pair is in no star."""
    by_row, by_column = np.bincount(rows, minlength=shape[0]), np.bincount(columns, minlength=shape[1])
    is_row = np.bincount(rows, by_column[columns] > 1, shape[0])[rows] == 0  # no column of this row has another row
    is_column = np.bincount(columns, by_row[rows] > 1, shape[1])[columns] == 0
    star = np.where(is_column, shape[0] + columns, rows)
    order = np.lexsort((-weights, star))
    order = order[(is_row | is_column)[order]]
    return order[np.diff(star[order], prepend=-1) > 0], ~(is_row | is_column)


def _parts(rows: Places, columns: Places, shape: tuple[int, int]) -> Places:
    """The number of the part of each pair. Few rows and columns count as one part."""
    if len(np.unique(rows)) * len(np.unique(columns)) <= SMALL:
        return np.zeros_like(rows)
    from scipy.sparse import coo_array
    from scipy.sparse.csgraph import connected_components

    ends = rows, columns + shape[0]
    graph = coo_array((np.ones(len(rows), dtype=bool), ends), shape=(sum(shape),) * 2)
    parts: Places = connected_components(graph, directed=False)[1]
    return parts[rows]


def _of_part(rows: Places, columns: Places, weights: NDArray[Any]) -> Pairs:
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


def _of_sparse_part(rows: Places, columns: Places, weights: NDArray[Any], shape: tuple[int, int]) -> Pairs:
    """By Jonker and Volgenant (1987), for which each row of the shorter side gets a column of its own, of weight 0."""
    if shape[0] > shape[1]:
        return _of_sparse_part(columns, rows, weights, shape[::-1])[::-1]
    from scipy.sparse import csr_array
    from scipy.sparse.csgraph import min_weight_full_bipartite_matching

    height, width = shape
    none = 2.0 * float(weights.max())  # what no pair costs: a pair of cost 0 would count as absent
    alone = np.arange(height)
    ends = np.concatenate([rows, alone]), np.concatenate([columns, width + alone])
    costs = np.concatenate([none - weights, np.full(height, none)])
    row, column = min_weight_full_bipartite_matching(csr_array((costs, ends), shape=(height, width + height)))
    is_pair = column < width
    return row[is_pair], column[is_pair]


Table = NDArray[np.float64] | NDArray[np.int64] | NDArray[np.int32]
Weights = Callable[[slice], Table]
"""Returns the weights of some kinds of rows with all kinds of columns, as a new table."""

DENSE = 2_000_000  # pairs: up to this many, a table of all pairs is made
_BLOCK = 1_000_000  # weights at a time
_FEW, _WINDOW = 64, 4096  # pairs added for a row at a time, and columns in which the first ones are sought
_GROWTH = 16  # pairs are added until there are this many times as many as rows, then it is solved again
_TOLERANCE = 1e-9  # tolerance for weights that are not whole numbers, as a share of the greatest


def best_assignment(weights: Weights, rows: Places, columns: Places) -> tuple[Places, Places]:
    """As many one-to-one pairs as the smaller of rows and columns allows, with the greatest sum of weights.

    Rows of one kind have the same weights, and so do columns. Whole numbers are exact as long as their sum is, in
    float64.

    Args:
        weights: returns the weights of kinds of rows (a slice) with all kinds of columns.
        rows, columns: the kind of each row, and of each column.

    Returns:
        The positions of the paired rows, rising, and of their columns.

    >>> table = np.array([[3, 1], [2, 2]])
    >>> [places.tolist() for places in best_assignment(lambda kinds: table[kinds], np.array([0, 0, 1]), np.arange(2))]
    [[0, 2], [0, 1]]
    """
    if len(rows) * len(columns) > DENSE:
        return _Sparse(weights, rows, columns).solved()
    from scipy.optimize import linear_sum_assignment

    kinds = slice(0, int(rows.max(initial=-1)) + 1)
    table = weights(kinds)[rows][:, columns].astype(np.float64)
    np.negative(table, out=table)  # in place: `maximize=True` would make a copy
    paired_rows, paired_columns = linear_sum_assignment(table)
    return paired_rows, paired_columns


class _Side:
    """The rows, or the columns, by their kinds."""

    def __init__(self, kinds: Places) -> None:
        self.kinds, self.size = kinds, len(kinds)
        self.counts = np.bincount(kinds)
        self.starts = np.cumsum(self.counts) - self.counts
        self.price(np.zeros(self.size))

    def price(self, values: NDArray[np.float64]) -> None:
        """Take dual values: the members of a kind are then sorted by them."""
        self.values = values
        self.members = np.lexsort((values, self.kinds))
        self.least = values[self.members[self.starts]]

    def member(self, kinds: Places, number: Places) -> Places:
        """A member of each kind, by a number that cycles through them."""
        return self.members[self.starts[kinds] + number % self.counts[kinds]]


class _Sparse:
    """The candidate pairs: their keys (row times number of columns plus column), and their weights."""

    def __init__(self, weights: Weights, rows: Places, columns: Places) -> None:
        self.weights, self.rows, self.columns = weights, _Side(rows), _Side(columns)
        self.random = np.random.default_rng(0)  # decides which of equal pairs become candidates
        self.keys, self.values = np.empty(0, dtype=np.int64), np.empty(0)
        self.greatest = self.tolerance = 0.0
        kinds, height = len(self.columns.counts), len(self.rows.counts)
        step = max(1, _BLOCK // kinds)
        self.blocks = [slice(start, min(start + step, height)) for start in range(0, height, step)]

    def solved(self) -> tuple[Places, Places]:
        self._add([pairs for number, block in enumerate(self.blocks) for pairs in self._first_pairs(number, block)])
        result = self._solve()
        number = clean = size = 0
        waiting: list[tuple[Places, NDArray[np.float64]]] = []
        while clean < len(self.blocks):
            waiting.append(self._better_pairs(self.blocks[number % len(self.blocks)]))
            number, size = number + 1, size + len(waiting[-1][0])
            clean = 0 if size else clean + 1
            if size > _GROWTH * self.rows.size or (size and not number % len(self.blocks)):
                self._add(waiting)
                result, waiting, size = self._solve(), [], 0
        return result

    def _first_pairs(self, number: int, block: slice) -> list[tuple[Places, NDArray[np.float64]]]:
        """Some of the heaviest pairs of each row, and its pair with the column of its number, so all can be paired."""
        table = self.weights(block)
        self.greatest = max(self.greatest, float(table.max()), -float(table.min()))
        self.tolerance = _TOLERANCE * self.greatest if table.dtype.kind == "f" else 0.5
        at = np.flatnonzero((self.rows.kinds >= block.start) & (self.rows.kinds < block.stop))
        step = max(1, table.shape[1] // _WINDOW)
        window = np.arange(number % step, table.shape[1], step)
        pairs = []
        for part in np.array_split(at, 1 + len(at) * len(window) // _BLOCK):
            kinds = self.rows.kinds[part] - block.start
            _, chosen = self._heaviest(table[:, window][kinds], noise=1e-6)
            columns = self.columns.member(window[chosen], part[:, None] + number)
            pairs.append((self._key(part[:, None], columns), table[kinds[:, None], window[chosen]]))
        same = at[at < self.columns.size]
        kinds = self.rows.kinds[same] - block.start, self.columns.kinds[same]
        return [*((keys.ravel(), values.ravel()) for keys, values in pairs), (self._key(same, same), table[kinds])]

    def _better_pairs(self, block: slice) -> tuple[Places, NDArray[np.float64]]:
        """Pairs that weigh more than their dual values, some for each kind of row in the block."""
        table = self.weights(block)
        u, v = self.rows.least[block], self.columns.least
        if table.dtype.kind != "f" and self.greatest < 2**28:  # in whole numbers, five times as fast
            table, u, v = table.astype(np.int32), np.rint(u).astype(np.int32), np.rint(v).astype(np.int32)
        gain = table - u[:, None]
        gain -= v
        rows = np.flatnonzero(gain.max(axis=1, initial=0) > self.tolerance)
        if not len(rows):
            return np.empty(0, dtype=np.int64), np.empty(0)
        step = max(1, min(gain.shape[1] // _WINDOW, 8 * len(rows) // len(gain)))
        offset = int(self.random.integers(step))
        places, chosen = self._heaviest(gain[rows, offset::step], noise=0.1)
        first, second = rows[places].ravel(), (offset + step * chosen).ravel()
        is_better = gain[first, second] > self.tolerance
        if not is_better.any():  # none in these columns
            first, second = rows, gain[rows].argmax(axis=1)
            is_better = np.ones(len(rows), dtype=bool)
        first, second = first[is_better], second[is_better]
        return self._of_members(first + block.start, second, table[first, second].astype(np.float64))

    def _of_members(
        self, first: Places, second: Places, values: NDArray[np.float64]
    ) -> tuple[Places, NDArray[np.float64]]:
        """Pairs of members of these kinds: each member is in at least one pair."""
        numbers = np.maximum(self.rows.counts[first], self.columns.counts[second])
        each = np.repeat(np.arange(len(first)), numbers)
        number = np.arange(len(each)) - np.repeat(np.cumsum(numbers) - numbers, numbers)
        keys = self._key(self.rows.member(first[each], number), self.columns.member(second[each], number))
        return keys, values[each]

    def _heaviest(self, table: Table, *, noise: float) -> tuple[Places, Places]:
        """Some heavy columns of each row, as two tables of positions. Equal ones are drawn at random."""
        few = min(_FEW, table.shape[1])
        drawn = self.random.random(table.shape, dtype=np.float32)
        drawn *= noise * float(np.ptp(table))
        columns = np.argpartition(table + drawn, table.shape[1] - few, axis=1)[:, -few:]
        return np.broadcast_to(np.arange(len(table))[:, None], columns.shape), columns

    def _key(self, rows: Places, columns: Places) -> Places:
        return np.asarray(rows * self.columns.size + columns)

    def _add(self, pairs: list[tuple[Places, NDArray[np.float64]]]) -> None:
        keys, values = (
            np.concatenate([mine, *more])
            for mine, more in zip((self.keys, self.values), zip(*pairs, strict=True), strict=True)
        )
        self.keys, first = np.unique(keys, return_index=True)
        self.values = values[first]

    def _solve(self) -> tuple[Places, Places]:
        """The best assignment of the candidate pairs, and its dual values."""
        from scipy.sparse import csr_matrix
        from scipy.sparse.csgraph import min_weight_full_bipartite_matching

        shape = self.rows.size, self.columns.size
        rows, columns = np.divmod(self.keys, shape[1])
        costs = self.values.max() + 1 - self.values  # a pair of cost 0 would count as none
        paired: tuple[Places, Places] = min_weight_full_bipartite_matching(
            csr_matrix((costs, (rows, columns)), shape=shape)
        )
        weights = self.values[np.searchsorted(self.keys, self._key(*paired))]
        is_wide = shape[0] <= shape[1]
        sides = (rows, columns) if is_wide else (columns, rows)
        rounding = self.tolerance / len(self.keys)
        near, far = _dual_values(max(shape), sides, self.values, paired if is_wide else paired[::-1], weights, rounding)
        self.rows.price(near if is_wide else far)
        self.columns.price(far if is_wide else near)
        return paired


def _dual_values(
    size: int,
    sides: tuple[Places, Places],
    values: NDArray[np.float64],
    paired: tuple[Places, Places],
    weights: NDArray[np.float64],
    rounding: float,
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """The dual values of a best assignment, with those of the longer side as low as possible.

    They are the longest paths through the pairs that may be exchanged (Bellman and Ford).

    Args:
        size: the length of the longer side.
        sides: the position of each pair on the shorter side, all of which is paired, and on the longer side.
        values: the weight of each pair.
        paired, weights: the pairs of the assignment, and their weights.
        rounding: the largest difference of values that count as equal.
    """
    partner, own = np.empty(len(weights), dtype=np.int64), np.empty(len(weights))
    partner[paired[0]], own[paired[0]] = paired[1], weights
    order = np.argsort(sides[1], kind="stable")
    near, far = sides[0][order], sides[1][order]
    starts = np.flatnonzero(np.diff(far, prepend=-1))
    gain, ends = values[order] - own[near], far[starts]
    dual = np.zeros(size)
    while True:
        best = np.maximum.reduceat(gain + dual[partner[near]], starts)
        is_higher = best > dual[ends] + rounding
        if not is_higher.any():
            return own - dual[partner], dual
        dual[ends[is_higher]] = best[is_higher]
