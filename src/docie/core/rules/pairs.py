"""Pairs of values that a match rule accepts, and how many of them two groups share."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterator, Sequence
from itertools import chain
from typing import TYPE_CHECKING, Generic, TypeVar

import numpy as np
from numpy.typing import NDArray
from rapidfuzz.distance import Levenshtein
from rapidfuzz.process import cdist

from docie.core.matching.assignment import DENSE, best_assignment
from docie.core.matching.one_to_one import Places, components, matched_rows
from docie.core.matching.similarity import Similarities, distinct
from docie.core.rules.match import Rule

if TYPE_CHECKING:
    from scipy.sparse import csr_array

UNITS = 720_720
"""Similarities are whole multiples of 1 / this number, as are all fractions with a denominator up to 16."""
EXACT = 2**52
"""Sums of whole numbers up to this one are exact in float64, in which the assignment is computed."""
SMALL = 20
"""With more predicted and reference values than this, independent parts are separated first."""


def pairs_by_rule(predicted: Sequence[str], expected: Sequence[Sequence[str]], rule: Rule) -> list[tuple[int, int]]:
    """The positions of paired values.

    Among all one-to-one matchings of equal values, the matching with the most pairs; on ties, with the greatest sum of
    similarities (1 - Levenshtein / length of the longer); then with the first predicted values; then with the first
    references.

    Args:
        predicted: the predicted values.
        expected: the alternatives of each reference value.
        rule: decides which values are equal.

    >>> from docie.core.rules.match import rules_of
    >>> pairs_by_rule(["12.00", "12.01"], [["12.01"], ["12.02"]], rules_of("within(0.01)").of("total"))
    [(0, 0), (1, 1)]
    """
    answers = [answer for alternatives in expected for answer in alternatives]
    if not predicted or not answers:
        return []
    if len(predicted) * len(answers) > DENSE:
        return sorted(_pairs_of_many(predicted, expected, rule))
    similarity = cdist(predicted, answers, scorer=Levenshtein.normalized_similarity, dtype=np.float64)
    values = np.where(rule.table(predicted, answers), np.rint(similarity * UNITS), -1.0)
    if len(answers) > len(expected):
        starts = np.cumsum([0, *map(len, expected[:-1])])
        values = np.maximum.reduceat(values, starts, axis=1)
    pairs = []
    for rows, columns in _components(values >= 0):
        pairs += [(int(rows[row]), int(columns[column])) for row, column in _best_pairs(values[np.ix_(rows, columns)])]
    return sorted(pairs)


def _components(fits: NDArray[np.bool_]) -> Iterator[tuple[NDArray[np.int64], NDArray[np.int64]]]:
    """Rows and columns of independent parts. The best matching consists of the best ones of the parts."""
    height, width = fits.shape
    if height + width <= SMALL:
        yield np.arange(height), np.arange(width)
    else:
        yield from components(np.nonzero(fits), fits.shape)


def _best_pairs(values: NDArray[np.float64]) -> list[tuple[int, int]]:
    """The best matching of one part; -1 marks pairs that do not fit."""
    from scipy.optimize import linear_sum_assignment

    height, width = values.shape
    if height == 1 or width == 1:
        place = int(values.argmax())  # the first maximum
        return [divmod(place, width)] if values.flat[place] >= 0 else []
    pairs = min(height, width)
    # One number with three digits, so to speak: the number of pairs, their similarity, and their positions. Positions
    # that fall from row to row prefer the first rows: the rows of the best matchings are a matroid. So are columns.
    first_columns = np.arange(width, 0, -1.0)
    first = np.arange(height, 0, -1.0)[:, None] * (pairs * width + 1) + first_columns
    places = pairs * first.max() + 1
    units = EXACT // (places * pairs * (pairs + 2))
    if units < UNITS:  # with more than forty values that fit each other, ties are broken arbitrarily
        first, places = np.zeros_like(values), 1.0
        units = EXACT // (pairs * (pairs + 2))
    units = min(units, UNITS)
    similar = np.rint(values * (units / UNITS))
    weights = np.where(values >= 0, (similar + pairs * units + 1) * places + first, 0)
    rows, columns = linear_sum_assignment(weights, maximize=True)
    return [(row, column) for row, column in zip(rows.tolist(), columns.tolist(), strict=True) if weights[row, column]]


def fits_of_many(
    predicted: Sequence[str], expected: Sequence[Sequence[str]], rule: Rule
) -> tuple[NDArray[np.bool_], Places, Places]:
    """Whether each distinct value equals each distinct reference, and the number of each value among the distinct ones.

    Args:
        predicted: the predicted values.
        expected: the alternatives of each reference value.
        rule: decides which values are equal.

    >>> from docie.core.rules.match import rules_of
    >>> fits_of_many(["7", "8", "7"], [["8", "9"]], rules_of("within(1)").of("total"))[0].tolist()
    [[True], [True]]
    """
    (texts, rows), (references, columns) = distinct(predicted), distinct([tuple(each) for each in expected])
    answers = [answer for alternatives in references for answer in alternatives]
    starts = np.cumsum([0, *map(len, references[:-1])])
    fits = np.empty((len(texts), len(references)), dtype=bool)
    step = max(1, _BLOCK // max(1, len(answers)))
    for start in range(0, len(texts), step):
        block = rule.table(texts[start : start + step], answers)
        fits[start : start + step] = (
            block if len(answers) == len(references) else np.logical_or.reduceat(block, starts, axis=1)
        )
    return fits, rows, columns


def _pairs_of_many(
    predicted: Sequence[str], expected: Sequence[Sequence[str]], rule: Rule
) -> Iterator[tuple[int, int]]:
    """`pairs_by_rule` for many values, part by part: similarities are computed only where values may be paired."""
    fits, *kinds = fits_of_many(predicted, expected, rule)
    for rows, columns in zip(*(_members(*side) for side in zip(_labels(fits), kinds, strict=True)), strict=True):
        sides = [predicted[row] for row in rows], [expected[column] for column in columns]
        is_small = len(rows) * sum(map(len, sides[1])) <= DENSE
        pairs = pairs_by_rule(*sides, rule) if is_small else _pairs_of_large_part(*sides, rule)
        yield from ((int(rows[row]), int(columns[column])) for row, column in pairs)


def _labels(fits: NDArray[np.bool_]) -> tuple[Places, Places]:
    """The part of each row and each column, counted from 1; 0 for those that fit nothing."""
    row_labels, column_labels = (np.zeros(size, dtype=np.int64) for size in fits.shape)
    number = 0
    for first in np.flatnonzero(fits.any(axis=1)):
        if row_labels[first]:
            continue
        number += 1
        rows = np.array([first])
        while len(rows):
            row_labels[rows] = number
            columns = np.flatnonzero(fits[rows].any(axis=0) & (column_labels == 0))
            column_labels[columns] = number
            rows = np.flatnonzero(fits[:, columns].any(axis=1) & (row_labels == 0))
    return row_labels, column_labels


def _members(labels: Places, kinds: Places) -> list[Places]:
    """The positions of each part, rising."""
    labels = labels[kinds]
    order = np.argsort(labels, kind="stable")
    return np.split(order, np.searchsorted(labels[order], np.arange(1, int(labels.max(initial=0)) + 1)))[1:]


def _pairs_of_large_part(
    predicted: Sequence[str], expected: Sequence[Sequence[str]], rule: Rule
) -> list[tuple[int, int]]:
    """`pairs_by_rule` without a table of all pairs. Ties are broken arbitrarily."""
    answers = [answer for alternatives in expected for answer in alternatives]
    starts = np.cumsum([0, *map(len, expected[:-1])])
    similarities = Similarities(predicted, answers)
    fits, rows, columns = fits_of_many(predicted, [[answer] for answer in answers], rule)
    pairs = min(len(predicted), len(expected))
    units = min(EXACT // (pairs * (pairs + 2)), UNITS)

    def weights(kinds: slice) -> NDArray[np.int64]:
        """For pairs that fit, a weight above the sum of all similarities."""
        similar = np.rint(similarities.of(kinds) * (units / similarities.unit)).astype(np.int64)
        table = np.where(fits[kinds], similar + pairs * units + 1, 0)[:, columns]
        return np.asarray(np.maximum.reduceat(table, starts, axis=1))

    paired = best_assignment(weights, rows, np.arange(len(expected)))
    is_correct = np.logical_or.reduceat(fits[:, columns], starts, axis=1)[rows[paired[0]], paired[1]]
    return list(zip(*(places[is_correct].tolist() for places in paired), strict=True))


_BLOCK = 1_000_000  # pairs of values at a time


T = TypeVar("T", bound=Hashable)


class _Groups(Generic[T]):
    """The distinct values of each group, group by group.

    Attributes:
        places: the groups that are not empty.
        owners: the group of each value, as an index of `places`.
        starts: the first value of each non-empty group.
        values, copies: the values, and how often the group has each.
    """

    def __init__(self, groups: Sequence[Sequence[T]]) -> None:
        counters = [Counter(group) for group in groups if group]
        sizes = list(map(len, counters))
        self.places = np.flatnonzero([bool(group) for group in groups])
        self.owners = np.repeat(np.arange(len(sizes)), sizes)
        self.starts = np.cumsum([0, *sizes[:-1]])
        self.values = list(chain.from_iterable(counters))
        self.copies = np.array(list(chain.from_iterable(counter.values() for counter in counters)), dtype=np.int64)


def count_by_rule(predicted: Sequence[list[str]], expected: Sequence[list[tuple[str, ...]]], rule: Rule) -> csr_array:
    """The number of values that each predicted group (rows) shares with each reference group (columns).

    Args:
        predicted: the values of each group.
        expected: the values of each group, each as its alternatives.
        rule: decides which values are equal.

    >>> from docie.core.rules.match import rules_of
    >>> rule = rules_of("within(1)").of("total")
    >>> count_by_rule([["1", "2"], ["9"]], [[("2",), ("3",)], [("7", "8")]], rule).toarray().tolist()
    [[2, 0], [0, 1]]
    """
    from scipy.sparse import csr_array, vstack

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


def _blocks(rows: _Groups[str], values: int) -> list[tuple[int, int]]:
    """Groups from the first to before the last, with so many values in total, or one group that has more."""
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

    def __init__(
        self, table: NDArray[np.bool_], owners: Places, copies: NDArray[np.int64], columns: _Groups[tuple[str, ...]]
    ) -> None:
        self.table, self.owners, self.copies, self.columns = table, owners, copies, columns
        self.starts = np.flatnonzero(np.diff(owners, prepend=-1))

    def shared(self) -> NDArray[np.int64]:
        """The sizes of the matchings: at most the number of values with a partner, predicted or expected."""
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
        is_open = (most > 1) & (pairs < partners)  # otherwise all values with a partner fit each other
        if is_open.any():
            most[is_open] = self._matched(is_open)[is_open]
        return most

    def _matched(self, is_open: NDArray[np.bool_]) -> NDArray[np.int64]:
        """The sizes of the open matchings, solved as one graph in which each pair of groups has its own vertices."""
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
