"""Pairs of values that a match rule accepts."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from rapidfuzz.distance import Levenshtein
from rapidfuzz.process import cdist, cpdist

from docie.core.matching.assignment import assign_sparse
from docie.core.matching.one_to_one import Places, parts, unpaired
from docie.core.matching.similarity import distinct
from docie.core.rules.match import Rule, Similar

UNITS = 720_720
"""Similarities are whole multiples of 1 / this number, as are all fractions with a denominator up to 16."""
EXACT = 2**52
"""Sums of whole numbers up to this one are exact in float64, in which the assignment is computed."""
SMALL = 400
"""Pairs of values: so few are one part, and their order still fits into `EXACT`."""
MANY, NEAR = 2_000_000, 64
"""Of more pairs of values, so many are kept for each predicted value: all would take up to 60 bytes each."""
_BLOCK = 2**17  # pairs of texts at a time: 1 MB of similarities
_NEARNESS = 1e-6  # less than between two similarities of texts of up to a thousand characters


def pairs_by_rule(
    predicted: Sequence[str], expected: Sequence[Sequence[str]], rule: Rule | None
) -> list[tuple[int, int]]:
    """The positions of paired values.

    Among all one-to-one matchings of equal values, the matching with the most pairs; on ties, with the greatest sum of
    similarities (1 - Levenshtein / length of the longer); then with the first predicted values; then with the first
    references. With more than forty values that equal each other, these ties are broken by their order, but otherwise.
    With more than 2,000,000 pairs of values, many of which are equal, the sum may be a little below the greatest one.

    Args:
        predicted: the predicted values.
        expected: the alternatives of each reference value.
        rule: decides which values are equal; None if all are.

    >>> from docie.core.rules.match import rules_of
    >>> pairs_by_rule(["12.00", "12.01"], [["12.01"], ["12.02"]], rules_of("within(0.01)").of("total"))
    [(0, 0), (1, 1)]
    """
    if not predicted or not expected:
        return []
    fitting = _fitting(predicted, expected, rule, NEAR if len(predicted) * len(expected) > MANY else len(expected))
    pairs = _assigned(fitting)
    if fitting.is_all:
        return pairs
    rows = unpaired(len(predicted), (row for row, _ in pairs)).tolist()
    columns = unpaired(len(expected), (column for _, column in pairs)).tolist()
    rest = pairs_by_rule([predicted[row] for row in rows], [expected[column] for column in columns], rule)
    pairs += [(rows[row], columns[column]) for row, column in rest]
    return (
        sorted(pairs) if len(pairs) == fitting.most else _assigned(_fitting(predicted, expected, rule, len(expected)))
    )


class _Fitting(NamedTuple):
    """Pairs of values that fit, and their similarities in units.

    Attributes:
        shape: the numbers of predicted values and of references.
        is_all: whether these are all that fit.
        most: a number of pairs that no matching exceeds.
    """

    rows: Places
    columns: Places
    similarities: NDArray[np.float64]
    shape: tuple[int, int]
    is_all: bool
    most: int


def _fitting(predicted: Sequence[str], expected: Sequence[Sequence[str]], rule: Rule | None, near: int) -> _Fitting:
    """The pairs of values that fit, for each predicted value at most so many, the most similar ones."""
    (texts, kinds), (answers, places) = distinct(predicted), distinct([*chain.from_iterable(expected)])
    starts = np.cumsum([0, *map(len, expected[:-1])])
    order = kinds.argsort(kind="stable")  # a text is in one block, or in two
    step = max(1, _BLOCK // len(places))
    step = min(step, near) if near < len(expected) else step  # as `_nearest` goes on from row to row
    found, is_all, rows, is_column = [], True, 0, np.zeros(len(expected), dtype=bool)
    for block in np.split(order, range(step, len(order), step)):
        first, last = int(kinds[block[0]]), int(kinds[block[-1]]) + 1
        table = similarities(texts[first:last], answers, rule)
        if len(answers) < len(places):
            table = table[:, places]
        if len(expected) < len(places):
            table = np.maximum.reduceat(table, starts, axis=1)
        if last - first < len(block):
            table = table[kinds[block] - first]
        fits = table >= 0
        numbers = np.count_nonzero(fits, axis=1)
        rows += int(np.count_nonzero(numbers))
        is_column |= fits.any(axis=0)
        if numbers.max() > near:
            row, column, is_all = *_nearest(table, block, near), False
        else:
            row, column = fits.nonzero()
        found.append((block[row], column, np.rint(table[row, column] * UNITS)))
    shape = len(predicted), len(expected)
    paired, partners, values = (np.concatenate(side) for side in zip(*found, strict=True))
    return _Fitting(paired, partners, values, shape, is_all, min(rows, int(np.count_nonzero(is_column))))


def _nearest(table: NDArray[np.float64], rows: Places, near: int) -> tuple[Places, Places]:
    """The greatest cells of each row that fit. Of equal ones, those that follow the number of the first row."""
    width = table.shape[1]
    nearness = (rows[0] - np.arange(width)) % width * (_NEARNESS / width)
    column = (table + nearness).argpartition(-near, axis=1)[:, -near:].ravel()
    row = np.repeat(np.arange(len(rows)), near)
    fits = table[row, column] >= 0
    return row[fits], column[fits]


def similarities(predicted: Sequence[str], expected: Sequence[str], rule: Rule | None) -> NDArray[np.float64]:
    """The similarity of each predicted text with each reference text, -1 where they are not equal.

    >>> from fractions import Fraction
    >>> similarities(["Tea", "Latte"], ["Tee"], Similar(Fraction("0.6"))).round(2).tolist()
    [[0.67], [-1.0]]
    """
    if rule is None:
        return np.asarray(cdist(predicted, expected, scorer=Levenshtein.normalized_similarity, dtype=np.float64))
    if isinstance(rule, Similar):
        return rule.similarities(predicted, expected)
    rows, columns = rule.table(predicted, expected).nonzero()
    table = np.full((len(predicted), len(expected)), -1.0)
    sides = [predicted[row] for row in rows.tolist()], [expected[column] for column in columns.tolist()]
    table[rows, columns] = cpdist(*sides, scorer=Levenshtein.normalized_similarity, dtype=np.float64)
    return table


def _assigned(fitting: _Fitting) -> list[tuple[int, int]]:
    """The best matching of the pairs that fit.

    The weight of a pair is one number with three digits, so to speak: that it is one, its similarity, and its position.
    Positions that fall from row to row prefer the first rows: the rows of the best matchings are a matroid. So are
    columns. Parts without a row or column in common each have digits of their own.
    """
    rows, columns, similar, shape = fitting[:4]
    part = np.zeros_like(rows) if shape[0] * shape[1] <= SMALL else parts(rows, columns, shape)
    (row, height), (column, width) = (_in_parts(side, part) for side in (rows, columns))
    pairs = np.minimum(height, width)
    positions = height * (pairs * width + 1) + width
    first = (height - row) * (pairs * width + 1) + width - column
    places = pairs * positions + 1
    units = EXACT // (places * pairs * (pairs + 2))
    is_long = units < UNITS  # with more than forty values that fit each other, there is no digit for the position
    first[is_long], places[is_long] = 0, 1
    units = np.minimum(EXACT // (places * pairs * (pairs + 2)), UNITS)
    weights = (np.rint(similar * (units / UNITS)) + pairs * units + 1) * places + first
    return [*zip(*(side.tolist() for side in assign_sparse(rows, columns, weights, shape)), strict=True)]


def _in_parts(side: Places, part: Places) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """For each pair, the number of its row (or column) among those of its part, and how many these are."""
    distinct_places, first, where = np.unique(side, return_index=True, return_inverse=True)
    label = part[first]
    order = label.argsort(kind="stable")
    sizes = np.bincount(label)
    number = np.empty(len(distinct_places))
    number[order] = np.arange(len(order)) - np.repeat(np.cumsum(sizes) - sizes, sizes)
    return number[where], sizes[label][where].astype(np.float64)


def fits(predicted: Sequence[str], expected: Sequence[Sequence[str]], rule: Rule | None) -> NDArray[np.bool_]:
    """Whether each predicted text (rows) equals each reference value (columns), of which alternatives are given.

    >>> from docie.core.rules.match import rules_of
    >>> fits(["7", "2"], [["8", "9"]], rules_of("within(1)").of("total")).tolist()
    [[True], [False]]
    """
    if rule is None:
        table = np.zeros((len(predicted), len(expected)), dtype=bool)
        rows = {text: row for row, text in enumerate(predicted)}
        for column, alternatives in enumerate(expected):
            table[[rows[text] for text in alternatives if text in rows], column] = True
        return table
    answers = [*chain.from_iterable(expected)]
    starts = np.cumsum([0, *map(len, expected[:-1])])
    step = max(1, _BLOCK // max(1, len(answers)))
    blocks = (rule.table(predicted[start : start + step], answers) for start in range(0, len(predicted), step))
    if len(answers) > len(expected):
        blocks = (np.logical_or.reduceat(block, starts, axis=1) for block in blocks)
    return np.concatenate([*blocks])
