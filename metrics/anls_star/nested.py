"""Score and length of all pairs of many lists, from those of all pairs of their elements."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from itertools import chain, permutations
from math import perm
from typing import Any, NamedTuple

import numpy as np

from docie.core.counts import ratio
from docie.core.matching.assignment import Pairs
from docie.documents.tree import Node
from docie.metrics.anls_star.assignment import EQUAL, Matrix, canonical

FEW = 24  # up to this many ways to pair two lists are all tried, of many lists at once


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


class Elements:
    """The elements of lists, one list after the other; none is empty.

    Attributes:
        nodes: all elements.
        sizes: their sizes.
        counts, starts: how many each list has, and where they begin.
    """

    def __init__(self, lists: Sequence[list[Node]], size: Callable[[Node], int]) -> None:
        self.nodes = list(chain.from_iterable(lists))
        self.sizes = np.array(list(map(size, self.nodes)), dtype=np.float64)
        self.counts = np.array(list(map(len, lists)))
        self.starts = np.cumsum(self.counts) - self.counts

    def part(self, number: int) -> slice:
        """The elements of a list."""
        return slice(int(self.starts[number]), int(self.starts[number] + self.counts[number]))

    def totals(self) -> Matrix:
        """The size of each list."""
        return np.add.reduceat(self.sizes, self.starts)


def assign_lists(rows: Elements, columns: Elements, scores: Matrix, lengths: Matrix) -> tuple[Matrix, Matrix, Pairs]:
    """Score and length of every list of `rows` with every list of `columns`, but for some.

    A pair of lists is clear if no element scores with two others, and all pairs take as much off the length of the
    longer list: then all that scores is paired, and the rest does not matter. Of short lists, all ways are tried.

    Args:
        rows, columns: the lists.
        scores, lengths: of all elements with each other.

    Returns:
        Scores, lengths, and the pairs of longer lists that are not clear.
    """
    is_tall = rows.counts[:, None] > columns.counts
    is_tall_cell = is_tall.repeat(rows.counts, axis=0).repeat(columns.counts, axis=1)
    spared = np.where(is_tall_cell, rows.sizes[:, None], columns.sizes) - lengths
    least = _of_lists(np.minimum, spared, rows, columns)
    is_clear = least == _of_lists(np.maximum, spared, rows, columns)
    partners = (scores > 0) | (lengths == 0)  # empty values are equal
    for one, other, axis in ((rows, columns, 0), (columns, rows, 1)):
        most = np.add.reduceat(partners, other.starts, axis=1 - axis, dtype=np.int32)
        is_clear &= np.maximum.reduceat(most, one.starts, axis=axis) <= 1
    found = _of_lists(np.add, scores, rows, columns)
    totals = np.where(is_tall, rows.totals()[:, None], columns.totals())
    sizes = totals - np.minimum.outer(rows.counts, columns.counts) * least
    first, second = (~is_clear).nonzero()
    shapes = np.stack([rows.counts[first], columns.counts[second]], axis=1)
    is_few = np.zeros(len(first), dtype=bool)
    criteria = ratio(scores, lengths, empty=1.0), spared, scores
    for shape in np.unique(shapes, axis=0).tolist():
        if perm(max(shape), min(shape)) <= FEW:
            of_shape = (shapes == shape).all(axis=1)
            is_few |= of_shape
            pairs = first[of_shape], second[of_shape]
            row, column = (
                side.starts[places][:, None] + np.arange(count)
                for side, places, count in zip((rows, columns), pairs, shape, strict=True)
            )
            cells = row[:, :, None], column[:, None, :]
            _, less, found[pairs] = _best_sums([criterion[cells] for criterion in criteria])
            sizes[pairs] = totals[pairs] - less
    return found, sizes, (first[~is_few], second[~is_few])


def _best_sums(criteria: Sequence[Matrix]) -> list[Matrix]:
    """The sums of the best of all assignments, by the first criterion, then by the next, and so on."""
    _, height, width = criteria[0].shape
    if height > width:
        return _best_sums([criterion.swapaxes(1, 2) for criterion in criteria])
    is_best: Any = True
    best = []
    for criterion in criteria:
        all_sums = [criterion[:, range(height), way].sum(axis=1) for way in permutations(range(width), height)]
        sums = np.where(is_best, all_sums, -np.inf)
        best.append(sums.max(axis=0))
        is_best = sums >= best[-1] - EQUAL
    return best


def _of_lists(fold: np.ufunc, table: Matrix, rows: Elements, columns: Elements) -> Matrix:
    """A table of all elements, folded to one of all lists."""
    folded: Matrix = fold.reduceat(fold.reduceat(table, rows.starts, axis=0), columns.starts, axis=1)
    return folded
