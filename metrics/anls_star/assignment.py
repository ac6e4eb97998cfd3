"""One-to-one assignment by several criteria, each of which breaks ties of the ones before it.

First one pair of lists at a time, then all pairs of two lists of lists at once.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Callable, Hashable, Iterator, Sequence
from itertools import permutations
from math import perm
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from docie.core.counts import ratio
from docie.core.values.json_text import ANY_OF
from docie.documents.tree import Node

Matrix = NDArray[np.floating[Any]]
Places = list[tuple[int, int]]
"""Pairs of a row and a column."""

_SHARES = (1e-2, 1e-4, 1e-6, 1e-8)  # of the weights, for a further criterion
_BLOCK = 2**20  # cells of a criterion that are added at a time, to bound memory
EQUAL = 1e-9  # sums that differ by less are ties


def only_assignment(weights: Matrix) -> Places | None:
    """The best assignment, in the simple case with only one.

    That is the case if each row (of the shorter side) has one best column and no two rows have the same one, as in most
    tables of real documents.

    Returns:
        The pairs; None if `assign` is needed.

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

    A further criterion is added to the weights with a share so small that the earlier sums do not change. Then no other
    assignment with these sums has a greater sum of it. If even the smallest share changes them, the criterion is left
    out.

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
    """The positions of the assignment with the greatest sum of criteria, each times its share.

    Besides the criteria, there is one table, of costs: with `maximize=True`, the solver would make a copy.
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


canonical = json.JSONEncoder(
    sort_keys=True, check_circular=False, default=lambda one_of: {ANY_OF: one_of.alternatives}
).encode
"""The JSON of a tree; the same for equal trees."""


class Compared(NamedTuple):
    """Scores and lengths of lists, and the row or column of each list, by its identity."""

    rows: dict[int, int]
    columns: dict[int, int]
    scores: Matrix
    lengths: Matrix

    def part(self, references: Sequence[list[Node]], predictions: Sequence[list[Node]]) -> tuple[Matrix, Matrix]:
        """Scores and lengths of some of the lists; KeyError if other lists are among them."""
        block = np.ix_([self.rows[id(each)] for each in references], [self.columns[id(each)] for each in predictions])
        return self.scores[block], self.lengths[block]


def distinct_lists(lists: Sequence[list[Node]]) -> tuple[list[list[Node]], dict[int, int]]:
    """The distinct lists, and the position of every list among them, by its identity."""
    if len(lists) == 1:
        return [*lists], {id(lists[0]): 0}
    first: dict[Hashable, tuple[int, list[Node]]] = {}
    places = {id(nodes): first.setdefault(canonical(nodes), (len(first), nodes))[0] for nodes in lists}
    return [nodes for _, nodes in first.values()], places


CELLS = 2**18  # of the tables in memory at a time
FEW = 24  # up to this many assignments of a pair of lists are all tried

Floats = NDArray[np.floating[Any]]
Numbers = NDArray[np.intp]


class Figures(NamedTuple):
    """Scores and lengths of pairs; the last two axes, if present, are the elements of the two lists."""

    scores: Floats
    lengths: Floats


class Lists(NamedTuple):
    """Lists of equal length: their numbers, and for each a row with the positions of its elements in a table, and a row
    with the sizes of its elements."""

    numbers: Numbers
    places: Numbers
    sizes: Floats


def by_length(lengths: Sequence[int], sizes: Sequence[int]) -> list[Lists]:
    """Lists with consecutive elements, by their length.

    >>> [(group.numbers.tolist(), group.places.tolist()) for group in by_length([2, 1, 2], [1] * 5)]
    [([0, 2], [[0, 1], [3, 4]]), ([1], [[2]])]
    """
    groups: defaultdict[int, list[tuple[int, int]]] = defaultdict(list)
    start = 0
    for number, length in enumerate(lengths):
        groups[length].append((number, start))
        start += length
    all_sizes = np.array(sizes, dtype=np.float64)
    result = []
    for length, members in groups.items():
        numbers, starts = np.array(members).T
        places = starts[:, None] + np.arange(length)
        result.append(Lists(numbers, places, all_sizes[places]))
    return result


def assign_all(
    rows: Lists, columns: Lists, table: tuple[Matrix, Matrix], one: Callable[[int, int], tuple[float, int]]
) -> Iterator[tuple[Any, Figures]]:
    """Score and length of every list of `rows` with every list of `columns`, in blocks.

    Args:
        rows: lists of equal length.
        columns: lists of equal length.
        table: scores and lengths of all elements with each other.
        one: returns score and length of a pair of lists, by their numbers, when batches do not decide it.

    Yields:
        The index of a block in a table of the pairs of lists, and its scores and lengths.
    """
    height, width = rows.places.shape[1], columns.places.shape[1]
    step = max(1, CELLS // max(1, len(columns.numbers) * height * width))
    for start in range(0, len(rows.numbers), step):
        block = slice(start, start + step)
        part = Lists(rows.numbers[block], rows.places[block], rows.sizes[block])
        cells = part.places[:, None, :, None], columns.places[None, :, None, :]
        figures = Figures(*(each[cells] for each in table))
        sizes = part.sizes[:, None, :, None], columns.sizes[None, :, None, :]
        yield np.ix_(part.numbers, columns.numbers), _assigned(figures, *sizes, part.numbers, columns.numbers, one)


def _assigned(
    figures: Figures,
    row_sizes: Floats,
    column_sizes: Floats,
    rows: Numbers,
    columns: Numbers,
    one: Callable[[int, int], tuple[float, int]],
) -> Figures:
    height, width = figures.scores.shape[2:]
    if not height or not width:
        return _of_empty_lists(figures, row_sizes, column_sizes)
    longer = row_sizes if height > width else column_sizes
    ratios = ratio(figures.scores, figures.lengths, empty=1.0)
    spared = longer - figures.lengths  # how much a pair takes off the length of the longer list
    total = longer.sum(axis=(2, 3))
    if perm(max(height, width), min(height, width)) <= FEW:
        return _best_of_all((ratios, spared, figures.scores), total)
    positive = ratios > 0
    is_clear = (positive.sum(axis=3).max(axis=2) <= 1) & (positive.sum(axis=2).max(axis=2) <= 1)
    is_clear &= np.ptp(spared, axis=(2, 3)) == 0  # then all that scores is paired, and the rest does not matter
    scores = figures.scores.sum(axis=(2, 3))
    lengths = total - min(height, width) * spared[:, :, 0, 0]
    for row, column in np.argwhere(~is_clear).tolist():
        scores[row, column], lengths[row, column] = one(int(rows[row]), int(columns[column]))
    return Figures(scores, lengths)


def _of_empty_lists(figures: Figures, row_sizes: Floats, column_sizes: Floats) -> Figures:
    """Two empty lists score 1 of 1; an empty list with any other scores 0."""
    lengths = row_sizes.sum(axis=(2, 3)) + column_sizes.sum(axis=(2, 3))
    scores = np.zeros_like(lengths)
    if figures.scores.shape[2] == figures.scores.shape[3]:
        scores += 1
        lengths += 1
    return Figures(scores, lengths)


def _best_of_all(criteria: tuple[Floats, Floats, Floats], total: Floats) -> Figures:
    """The best of all assignments: by the sum of the first criterion, then of the next, and so on."""
    height, width = criteria[0].shape[2:]
    if height > width:
        criteria = tuple(criterion.swapaxes(2, 3) for criterion in criteria)  # type: ignore[assignment]
        height, width = width, height
    ways = list(permutations(range(width), height))
    is_best: Any = True
    best = []
    for criterion in criteria:
        sums = np.array([sum(criterion[:, :, row, way[row]] for row in range(height)) for way in ways])
        sums = np.where(is_best, sums, -np.inf)
        best.append(sums.max(axis=0))
        is_best = sums >= best[-1] - EQUAL
    _, spared, scores = best
    return Figures(scores, total - spared)
