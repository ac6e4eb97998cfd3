"""The assignment with the greatest sum of weights, where every row can have a column that it fits best."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from docie.core.matching.assignment import Pairs
from docie.core.matching.one_to_one import Places

_TIES = 64  # equally heavy columns of a row that are kept, to bound memory


def first_choices(wanted: Iterable[tuple[int, Places]], shape: tuple[int, int]) -> Pairs | None:
    """One-to-one pairs of rows with their heaviest columns: no sum of weights is greater.

    Of the weights of a row, no more than these columns need to be known.

    Args:
        wanted: each row that has a weight above 0, and all of its heaviest columns.
        shape: the numbers of rows and columns.

    Returns:
        The pairs; None if no way is found to give each row one of its columns.

    >>> wanted = [(0, np.array([0, 1])), (2, np.array([0]))]
    >>> [places.tolist() for places in first_choices(wanted, (3, 2))]
    [[0, 2], [1, 0]]
    """
    ties = {}
    chosen, is_free = np.full(shape[0], -1), np.ones(shape[1], dtype=bool)
    for row, columns in wanted:
        free = columns[is_free[columns]][:1]
        ties[row] = np.concatenate([free, columns[:_TIES]])
        chosen[row : row + len(free)] = free
        is_free[free] = False
    rows = np.array(sorted(ties), dtype=np.intp)
    if (chosen[rows] < 0).any():
        from scipy.sparse import csr_matrix
        from scipy.sparse.csgraph import maximum_bipartite_matching

        ends = rows.repeat([len(ties[row]) for row in rows]), np.concatenate([ties[row] for row in rows])
        # SciPy 1.11 takes places of four bytes only, as matrices have them and arrays do not
        graph = csr_matrix((np.ones(len(ends[0]), dtype=bool), ends), shape=shape)
        chosen = maximum_bipartite_matching(graph, perm_type="column").astype(np.intp)
    return None if (chosen[rows] < 0).any() else (rows, chosen[rows])
