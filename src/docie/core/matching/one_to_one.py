"""Parts of sparse problems, where each row fits few columns, and their matchings with the most pairs."""

from __future__ import annotations

from collections import deque
from collections.abc import Hashable, Iterable, Mapping, Sequence
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

Key = TypeVar("Key", bound=Hashable)
Places = NDArray[np.intp]
_MANY = 10_000  # pairs: from this number on, their order changes how long a matching takes


def parts(rows: NDArray[Any], columns: NDArray[Any], shape: tuple[int, int]) -> Places:
    """The part of each pair, as a number: two parts have no row and no column in common.

    >>> parts(np.array([0, 1, 1]), np.array([2, 0, 1]), (2, 3)).tolist()
    [0, 1, 1]
    """
    from scipy.sparse import coo_array
    from scipy.sparse.csgraph import connected_components

    ends = rows, columns + shape[0]
    graph = coo_array((np.ones(len(rows), dtype=bool), ends), shape=(sum(shape),) * 2)
    numbers: Places = connected_components(graph, directed=False)[1][rows]
    return numbers


def unpaired(size: int, paired: Iterable[int]) -> Places:
    """The places of so many that are not among the paired ones, rising.

    >>> unpaired(4, [2, 0]).tolist()
    [1, 3]
    """
    is_left = np.ones(size, dtype=bool)
    is_left[np.fromiter(paired, dtype=np.int64)] = False
    return is_left.nonzero()[0]


def matched_rows(starts: NDArray[np.integer], columns: NDArray[np.integer]) -> NDArray[np.bool_]:
    """Which rows are paired in a maximum matching.

    Args:
        starts, columns: the pairs that fit, as a sparse matrix by rows: row r has `columns[starts[r] : starts[r + 1]]`.

    >>> matched_rows(np.array([0, 1, 2, 2]), np.array([0, 0])).tolist()
    [True, False, False]
    """
    by_row = np.diff(starts)
    is_matched = np.zeros(len(by_row), dtype=bool)
    alone = np.flatnonzero(by_row == 1)
    if len(alone):  # of the rows that fit a single column, the first takes it, as in one of the best matchings
        owners = np.full(columns.max() + 1, -1)
        owners[columns[starts[alone]][::-1]] = alone[::-1]
        is_matched[owners[owners >= 0]] = True
        is_open = (owners[columns] < 0) & (by_row > 1).repeat(by_row)
        starts, columns = np.append(0, is_open.cumsum(dtype=np.int32))[starts], columns[is_open]
        by_row = np.diff(starts)
    if not len(columns):
        return is_matched
    from scipy.sparse import csr_matrix
    from scipy.sparse.csgraph import maximum_bipartite_matching

    by_column, order = np.bincount(columns), np.arange(len(by_row))
    graph = csr_matrix((np.ones(len(columns), np.int8), columns, starts), shape=(len(by_row), len(by_column)))
    if len(columns) > _MANY:  # rows with the least choice first: ten times as fast where many fit many
        order = by_row.argsort(kind="stable")
        graph = graph[order][:, by_column.argsort(kind="stable")].sorted_indices()
    is_matched[order] |= maximum_bipartite_matching(graph, perm_type="column") >= 0
    return is_matched


def first_pairs(keys: Sequence[Key], places: Mapping[Key, Sequence[int]]) -> list[tuple[int, int]]:
    """The maximum matching that prefers the first rows.

    Rows are taken in order, and a row is matched if all earlier ones can stay matched (an augmenting path: Berge,
    1957). The sets of rows that can be matched are a matroid, so this gives the most pairs, and among those the first
    rows.

    Args:
        keys: the key of every row. Rows with the same key fit the same columns.
        places: the columns that fit a key.

    >>> first_pairs(["a", "b", "b", "c"], {"a": [0, 1], "b": [0]})
    [(0, 1), (1, 0)]
    """
    owners: dict[int, int] = {}  # from column to row
    used: dict[Key, int] = dict.fromkeys(places, 0)  # how many of a key's columns, from the first, are taken
    hopeless = {key for key in keys if key not in places}  # no free column can be reached from them, now or later
    for row, key in enumerate(keys):
        if key in hopeless:
            continue
        came_from: dict[Key, tuple[Key, int] | None] = {key: None}  # the key that wants a column of it, and which
        queue = deque(came_from)
        while queue:
            here = queue.popleft()
            free = _next_free(here, places, used, owners)
            if free is not None:
                _pass_on(row, here, free, came_from, owners)
                break
            for column in places[here]:
                other = keys[owners[column]]
                if other not in came_from and other not in hopeless:
                    came_from[other] = here, column
                    queue.append(other)
        else:
            hopeless |= came_from.keys()
    return sorted((row, column) for column, row in owners.items())


def _next_free(
    key: Key, places: Mapping[Key, Sequence[int]], used: dict[Key, int], owners: Mapping[int, int]
) -> int | None:
    """The first free column of a key. A column that was taken once never becomes free again."""
    columns = places[key]
    place = used[key]
    while place < len(columns) and columns[place] in owners:
        place += 1
    used[key] = place
    return columns[place] if place < len(columns) else None


def _pass_on(
    row: int, key: Key, column: int, came_from: Mapping[Key, tuple[Key, int] | None], owners: dict[int, int]
) -> None:
    """Give `column` to a row of `key`, that row's old column to the key that wants it, and so on up to `row`."""
    while (step := came_from[key]) is not None:
        wanted_by, wanted = step
        owners[column] = owners[wanted]
        key, column = wanted_by, wanted
    owners[column] = row
