"""The assignment of groups: the one-to-one pairs that are best for the document as a whole.

S(p, g) is the number of entities that two groups share, T(p, g) = Σ min of their type counts (each additional one saves
a correction), I(p, g) is 1 for identical groups. The best pairs have the greatest ΣS, then the greatest ΣT, then the
greatest ΣI.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from docie.core.matching.assignment import DENSE, best_assignment
from docie.core.matching.one_to_one import Places, components
from docie.documents.multisets import Shared, Token, Tokens, count_shared, count_types

ONE_TABLE = 250_000  # up to this many pairs, a table of all of them is faster than a search for independent parts
CROWDED = 0.05  # from this share of pairs that share entities, there are hardly any independent parts

GroupPairs = list[tuple[int, int]]
"""Positions of predicted groups and of the reference groups that they are compared with."""


def best_pairs(predictions: list[Tokens], references: list[Tokens], shared: Shared, *, is_exact: bool) -> GroupPairs:
    """The best pairs: as many as the smaller number of groups.

    Args:
        predictions, references: the groups.
        shared: S.
        is_exact: whether only identical tokens are equal, and no two groups are identical.
    """
    problem = _Problem(predictions, references, shared, is_exact=is_exact)
    cells = len(predictions) * len(references)
    if cells > ONE_TABLE and not (cells > DENSE and shared.nnz > CROWDED * cells):
        problem.settle_parts()
    problem.settle_all()
    return problem.pairs


def best_pairs_of_few(predictions: list[Tokens], references: list[Tokens]) -> GroupPairs:
    """`best_pairs` for a few groups, none identical. Here numpy's overhead would take most of a document's time."""
    reference_types = list(map(count_types, references))
    entities = min(sum(map(len, predictions)), sum(map(len, references)))
    weights = []
    for predicted in predictions:
        row, predicted_types = [], count_types(predicted).items()
        for expected, expected_types in zip(references, reference_types, strict=True):
            shared = len(predicted.keys() & expected.keys())
            same_types = sum([min(number, expected_types.get(each, 0)) for each, number in predicted_types])
            row.append(shared * (entities + 1) + same_types)
        weights.append(row)

    order = sorted(range(len(weights)), key=lambda place: -max(weights[place]))  # as in `settle_all`
    weights = [weights[place] for place in order]
    pairs = clear_pairs(weights)
    if pairs is None:
        from scipy.optimize import linear_sum_assignment

        rows, columns = linear_sum_assignment(weights, maximize=True)
        pairs = [*zip(rows.tolist(), columns.tolist(), strict=True)]
    return [(order[row], column) for row, column in pairs]


def clear_pairs(weights: Sequence[Sequence[int]]) -> GroupPairs | None:
    """The best assignment, if each row (or each column, if there are more rows) has its greatest weight there alone.

    Then no other is as good. Most documents then do not need to import scipy's solver.

    >>> clear_pairs([[3, 1], [1, 2]]), clear_pairs([[3, 1], [2, 1]])
    ([(0, 0), (1, 1)], None)
    """
    is_wide = len(weights) <= len(weights[0])
    lines: Sequence[Sequence[int]] = weights if is_wide else [*zip(*weights, strict=True)]
    best = [line.index(max(line)) for line in lines]
    if len({*best}) < len(best) or any(line.count(line[place]) > 1 for line, place in zip(lines, best, strict=True)):
        return None
    return [*enumerate(best)] if is_wide else sorted((row, column) for column, row in enumerate(best))


def greedy_pairs(shared: Shared) -> GroupPairs:
    """The highest number first; on ties the first reference group, then the first predicted group."""
    cells = shared.tocoo()
    order = np.lexsort((cells.row, cells.col, -cells.data))
    free_rows, free_columns = (dict.fromkeys(range(size)) for size in shared.shape)
    pairs = []
    for row, column in zip(cells.row[order].tolist(), cells.col[order].tolist(), strict=True):
        if row in free_rows and column in free_columns:
            del free_rows[row], free_columns[column]
            pairs.append((row, column))
    return [*pairs, *zip(free_rows, free_columns, strict=False)]  # the remaining ones share nothing


class _Problem:
    """Groups that are still unpaired, by position, and the pairs so far."""

    def __init__(self, predictions: list[Tokens], references: list[Tokens], shared: Shared, *, is_exact: bool) -> None:
        self.shared, self.is_exact = shared, is_exact
        self.row_sizes, self.column_sizes = (np.array(list(map(len, side))) for side in (predictions, references))
        kinds: dict[tuple[tuple[str, int], ...], int] = {}  # groups of one kind have the same type counts
        self.row_kinds, self.column_kinds = (
            np.array([kinds.setdefault(tuple(sorted(count_types(group).items())), len(kinds)) for group in side])
            for side in (predictions, references)
        )
        self.types_of = list(map(_type_tokens, kinds))
        self.rows, self.columns = np.arange(len(predictions)), np.arange(len(references))
        self.pairs: GroupPairs = []

    def settle_parts(self) -> None:
        """Pair groups that need no table of all pairs, so that the remaining pairs can still make the best pairs.

        The groups fall into independent parts that share nothing with each other. So ΣS is a sum over parts, and the
        best pairs have the greatest ΣS in each part. All other pairs share nothing: only their types count.
        """
        self._settle_free()
        parts_alone = self._has_one_value()
        for rows, columns in self._parts():
            is_even = all(np.ptp(kinds) == 0 for kinds in (self.row_kinds[rows], self.column_kinds[columns]))
            if len(rows) == len(columns) == 1:
                self._add(rows, columns)
            elif parts_alone or (is_even and self.is_exact):
                self._settle_part(rows, columns, with_identical=parts_alone)
        self._take_out()
        self._settle_free()
        if self._has_one_value() and not self._rest().nnz:
            number = min(len(self.rows), len(self.columns))
            self._add(self.rows[:number], self.columns[:number])
            self._take_out()

    def settle_all(self) -> None:
        """Pair the remaining groups by one number for all three criteria, (S·(E+1) + T)·(k+1) + I.

        E is the number of entities on the smaller side, k the number of pairs. Exact in float64 as long as
        (E+1)²(k+1) < 2⁵³, which a table that fits into memory does not reach.
        """
        rows, columns = self.rows, self.columns
        if not len(rows) or not len(columns):
            return
        if len(rows) * len(columns) > DENSE:
            row, column = best_assignment(self._weights(), np.arange(len(rows)), np.arange(len(columns)))
            self._add(rows[row], columns[column])
            return
        weights = self._weights()(slice(0, len(rows))).astype(np.float64)
        # The rows with the best pairs come first: with many ties, this is up to 25 times as fast.
        order = np.argsort(-weights.max(axis=1), kind="stable")
        row, column = _assigned(weights[order])
        self._add(rows[order[row]], columns[column])

    def _weights(self) -> Callable[[slice], NDArray[np.int64]]:
        """The numbers of all remaining pairs, some rows at a time."""
        rest, rows, columns = self._rest(), self.rows, self.columns
        entities = min(int(self.row_sizes[rows].sum()), int(self.column_sizes[columns].sum()))
        same_types, row_kinds, column_kinds = self._same_types()

        def weights(kinds: slice) -> NDArray[np.int64]:
            table: NDArray[np.int64] = rest[kinds].toarray().astype(np.int64)
            is_identical = self._is_identical(table, rows[kinds], columns)
            table *= entities + 1
            table += same_types[row_kinds[kinds]][:, column_kinds]
            table *= min(rest.shape) + 1
            table += is_identical
            return table

        return weights

    def _settle_free(self) -> None:
        """Pair groups of one kind that share nothing with any group.

        Some best pairs contain these. Let p and g be of one kind, and exchange (p, h), (q, g) for (p, g), (q, h). No T
        is lost: |p ∩ h| + |g ∩ q| ≤ |p| + |h ∩ q|, in bags of types. No S is lost: p and g share nothing. Nor is an
        identical pair: p and g could have one only if they are empty, and then they are identical themselves.
        """
        rest = self._rest()
        free_rows = self.rows[np.diff(rest.indptr) == 0]
        free_columns = self.columns[np.bincount(rest.indices, minlength=len(self.columns)) == 0]
        waiting: defaultdict[int, list[int]] = defaultdict(list)
        for column, kind in zip(
            free_columns[::-1].tolist(), self.column_kinds[free_columns[::-1]].tolist(), strict=True
        ):
            waiting[kind].append(column)
        for row, kind in zip(free_rows.tolist(), self.row_kinds[free_rows].tolist(), strict=True):
            if waiting[kind]:
                self.pairs.append((row, waiting[kind].pop()))
        self._take_out()

    def _settle_part(self, rows: Places, columns: Places, *, with_identical: bool) -> None:
        """Pair groups of a part that share entities, so that ΣS is greatest.

        If T is the same for all pairs of the document, so is ΣT, and the pairs with the most identical groups are best.
        Otherwise all predicted groups of the part are of one kind, and so are its reference groups. Then the fewest
        such pairs are best: two unpaired groups can still be paired with each other, for the same T.
        """
        shared = self.shared[rows][:, columns].toarray().astype(np.float64)
        second = self._is_identical(shared, rows, columns) if with_identical else -(shared > 0).astype(np.float64)
        row, column = _assigned(shared * (min(shared.shape) + 1) + second)
        is_near = shared[row, column] > 0
        self._add(rows[row[is_near]], columns[column[is_near]])

    def _has_one_value(self) -> bool:
        """Whether T is the same number for all remaining pairs."""
        if not len(self.rows) or not len(self.columns):
            return True
        same_types, *_ = self._same_types()
        return bool(same_types.min() == same_types.max())

    def _same_types(self) -> tuple[NDArray[np.int64], Places, Places]:
        """T by kind, and the kinds of the remaining rows and columns, as positions in that table."""
        (rows, row_kinds), (columns, column_kinds) = (
            np.unique(kinds, return_inverse=True)
            for kinds in (self.row_kinds[self.rows], self.column_kinds[self.columns])
        )
        types = ([self.types_of[kind] for kind in kinds.tolist()] for kinds in (rows, columns))
        return count_shared(*types, with_one_of=False).toarray(), row_kinds, column_kinds

    def _is_identical(self, shared: NDArray[Any], rows: Places, columns: Places) -> NDArray[np.bool_]:
        result: NDArray[np.bool_] = shared == self.row_sizes[rows][:, None]
        result &= shared == self.column_sizes[columns]
        return result

    def _parts(self) -> list[tuple[Places, Places]]:
        rest = self._rest().tocoo()
        return [
            (self.rows[rows], self.columns[columns]) for rows, columns in components((rest.row, rest.col), rest.shape)
        ]

    def _rest(self) -> Shared:
        """S of the remaining groups."""
        if (len(self.rows), len(self.columns)) == self.shared.shape:
            return self.shared
        return self.shared[self.rows][:, self.columns]

    def _add(self, rows: Places, columns: Places) -> None:
        self.pairs += zip(rows.tolist(), columns.tolist(), strict=True)

    def _take_out(self) -> None:
        """Keep the groups that are still unpaired."""
        rows, columns = np.array(self.pairs, dtype=np.int64).reshape(-1, 2).T
        self.rows, self.columns = np.setdiff1d(self.rows, rows), np.setdiff1d(self.columns, columns)


def _assigned(weights: NDArray[np.float64]) -> tuple[Places, Places]:
    """The rows and columns of the assignment with the greatest sum. The weights are overwritten."""
    from scipy.optimize import linear_sum_assignment

    np.negative(weights, out=weights)  # in place: `maximize=True` would make a copy
    rows, columns = linear_sum_assignment(weights)
    return rows, columns


def _type_tokens(kind: Iterable[tuple[str, int]]) -> list[Token]:
    """The tokens of a group without their values: T is the number of them that two groups share."""
    return [(each, "", copy) for each, number in kind for copy in range(number)]
