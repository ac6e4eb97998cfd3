"""The assignment with the greatest sum of weights, for many rows and columns without a table of all pairs.

For a small problem, scipy solves a dense table. For a large one, column generation starts with few pairs: their best
assignment (Jonker and Volgenant, 1987, in sparse form) has dual values u and v, and is the best of all if no pair
weighs more than u + v (linear programming duality). Pairs that weigh more are added, and it is solved again.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from docie.core.matching.one_to_one import Places

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
