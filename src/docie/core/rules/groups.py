"""How many values of one type groups share under a match rule: the sizes of maximum matchings, of all pairs at once."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Sequence
from itertools import chain
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array, vstack

from docie.core.matching.one_to_one import Places, matched_rows
from docie.core.rules.match import Rule
from docie.core.rules.pairs import fits_of_many

_BLOCK = 2_000_000  # pairs of values at a time


class _Groups:
    """The distinct values of each group, group by group.

    Attributes:
        places: the groups that have any.
        owners: of each value its group, as a place among these.
        starts: the first value of each of these groups.
        values, copies: the values, and how often the group has each.
    """

    def __init__(self, groups: Sequence[Sequence[Hashable]]) -> None:
        counters = [Counter(group) for group in groups if group]
        sizes = list(map(len, counters))
        self.places = np.flatnonzero([bool(group) for group in groups])
        self.owners = np.repeat(np.arange(len(sizes)), sizes)
        self.starts = np.cumsum([0, *sizes[:-1]])
        self.values: list[Any] = list(chain.from_iterable(counters))
        self.copies = np.array(list(chain.from_iterable(counter.values() for counter in counters)), dtype=np.int64)


def count_by_rule(predicted: Sequence[list[str]], expected: Sequence[list[tuple[str, ...]]], rule: Rule) -> Any:
    """The number of values that each predicted group (rows) shares with each reference group (columns).

    Args:
        predicted: the values of each group.
        expected: the values of each group, each as its alternatives.
        rule: says which values are equal.

    >>> from docie.core.rules.match import rules_of
    >>> rule = rules_of("within(1)").of("total")
    >>> count_by_rule([["1", "2"], ["9"]], [[("2",), ("3",)], [("7", "8")]], rule).toarray().tolist()
    [[2, 0], [0, 1]]
    """
    shape = len(predicted), len(expected)
    rows, columns = _Groups(predicted), _Groups(expected)
    if not len(rows.places) or not len(columns.places):
        return csr_array(shape, dtype=np.int64)
    fits, row_kinds, column_kinds = fits_of_many(rows.values, columns.values, rule)
    blocks = []
    for first, last in _blocks(rows, max(1, _BLOCK // len(columns.values))):
        start, end = rows.starts[first], rows.starts[last] if last < len(rows.starts) else len(rows.values)
        table = fits[row_kinds[start:end]][:, column_kinds]
        part = _Part(table, rows.owners[start:end] - first, rows.copies[start:end], columns)
        blocks.append(csr_array(part.shared()))
    counts = vstack(blocks).tocoo()
    places = rows.places[counts.row], columns.places[counts.col]
    return csr_array((counts.data, places), shape=shape)


def _blocks(rows: _Groups, values: int) -> list[tuple[int, int]]:
    """Groups from the first to before the last, with so many values together, or one group that has more."""
    blocks, first = [], 0
    while first < len(rows.starts):
        last = max(first + 1, int(np.searchsorted(rows.starts, rows.starts[first] + values, side="right")) - 1)
        if rows.starts[first] + values >= len(rows.values):
            last = len(rows.starts)
        blocks.append((first, last))
        first = last
    return blocks


class _Part:
    """Some predicted groups, compared with all reference groups: which of their values fit each other."""

    def __init__(self, table: NDArray[np.bool_], owners: Places, copies: NDArray[np.int64], columns: _Groups) -> None:
        self.table, self.owners, self.copies, self.columns = table, owners, copies, columns
        self.starts = np.flatnonzero(np.diff(owners, prepend=-1))

    def shared(self) -> NDArray[np.int64]:
        """The sizes of the matchings: at most as many as have a partner at all, on either side."""
        row_fits = np.logical_or.reduceat(self.table, self.columns.starts, axis=1)
        column_fits = np.logical_or.reduceat(self.table, self.starts, axis=0)
        most = np.minimum(
            np.add.reduceat(row_fits * self.copies[:, None], self.starts, axis=0),
            np.add.reduceat(column_fits * self.columns.copies, self.columns.starts, axis=1),
        )
        if most.max(initial=0) < 2:
            return most
        pairs = np.add.reduceat(
            np.add.reduceat(self.table, self.starts, axis=0, dtype=np.int64), self.columns.starts, axis=1
        )
        partners = np.add.reduceat(row_fits, self.starts, axis=0, dtype=np.int64)
        partners *= np.add.reduceat(column_fits, self.columns.starts, axis=1, dtype=np.int64)
        is_open = (most > 1) & (pairs < partners)  # else all that have a partner fit each other
        if is_open.any():
            most[is_open] = self._matched(is_open)[is_open]
        return most

    def _matched(self, is_open: NDArray[np.bool_]) -> NDArray[np.int64]:
        """The sizes of open matchings: those of one graph, in which each pair of groups has vertices of its own."""
        rows, columns = np.nonzero(self.table & is_open[self.owners][:, self.columns.owners])
        numbers = self.copies[rows] * self.columns.copies[columns]
        each = np.repeat(np.arange(len(rows)), numbers)
        number = np.arange(len(each)) - (np.cumsum(numbers) - numbers)[each]
        rows, columns = rows[each], columns[each]
        copies = np.divmod(number, self.columns.copies[columns])
        groups, others = is_open.shape
        vertices = (_first_copies(self.copies)[rows] + copies[0]) * others + self.columns.owners[columns]
        column_vertices = _first_copies(self.columns.copies)[columns] + copies[1]
        column_vertices += self.owners[rows] * int(self.columns.copies.sum())
        order = np.argsort(vertices, kind="stable")
        vertices, rows, columns, column_vertices = (part[order] for part in (vertices, rows, columns, column_vertices))
        starts = np.flatnonzero(np.diff(vertices, prepend=-1))
        is_matched = matched_rows(np.append(starts, len(vertices)), column_vertices)
        pairs = self.owners[rows[starts]] * others + self.columns.owners[columns[starts]]
        return np.bincount(pairs[is_matched], minlength=groups * others).reshape(groups, others)


def _first_copies(copies: NDArray[np.int64]) -> NDArray[np.int64]:
    return np.asarray(np.cumsum(copies) - copies)
