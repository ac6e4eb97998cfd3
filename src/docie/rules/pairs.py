"""Which values of one type are paired under a match rule: a maximum one-to-one matching."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray
from rapidfuzz.distance import Levenshtein
from rapidfuzz.process import cdist
from scipy.optimize import linear_sum_assignment

from docie.matching import parts
from docie.rules.match import Rule

UNITS = 720_720
"""Similarities are counted in such parts. All fractions with a denominator up to 16 are whole numbers of them."""
EXACT = 2**52
"""Sums of whole numbers up to this one are exact in float64, in which the assignment is computed."""
SMALL = 20
"""With more values than these on both sides, those that cannot be paired with each other are taken apart first."""


def pairs_by_rule(predicted: Sequence[str], expected: Sequence[Sequence[str]], rule: Rule) -> list[tuple[int, int]]:
    """The places of paired values.

    Of all one-to-one matchings of equal values: one with the most pairs; of these the greatest sum of similarities (1 -
    Levenshtein / length of the longer); of these the one whose predicted values come first, then whose references do.

    Args:
        predicted: the predicted values.
        expected: the alternatives of each reference value.
        rule: says which values are equal.

    >>> from docie.rules import rules_of
    >>> pairs_by_rule(["12.00", "12.01"], [["12.01"], ["12.02"]], rules_of("within(0.01)").of("total"))
    [(0, 0), (1, 1)]
    """
    answers = [answer for alternatives in expected for answer in alternatives]
    if not predicted or not answers:
        return []
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
    """Rows and columns of parts between which nothing fits. The best matching consists of theirs."""
    height, width = fits.shape
    if height + width <= SMALL:
        yield np.arange(height), np.arange(width)
    else:
        yield from parts(np.nonzero(fits), fits.shape)


def _best_pairs(values: NDArray[np.float64]) -> list[tuple[int, int]]:
    """The best matching of one part; -1 marks what does not fit."""
    height, width = values.shape
    if height == 1 or width == 1:
        place = int(values.argmax())  # the first of the greatest
        return [divmod(place, width)] if values.flat[place] >= 0 else []
    pairs = min(height, width)
    # Whole numbers in three digits, so to speak: the number of pairs, their similarity, and their places. Numbers that
    # fall from row to row prefer the first rows: the sets of rows of the best matchings are a matroid. So are columns.
    first_columns = np.arange(width, 0, -1.0)
    first = np.arange(height, 0, -1.0)[:, None] * (pairs * width + 1) + first_columns
    places = pairs * first.max() + 1
    units = EXACT // (places * pairs * (pairs + 2))
    if units < UNITS:  # more than forty values that fit each other: which of equally good ones are paired is left open
        first, places = np.zeros_like(values), 1.0
        units = EXACT // (pairs * (pairs + 2))
    units = min(units, UNITS)
    similar = np.rint(values * (units / UNITS))
    weights = np.where(values >= 0, (similar + pairs * units + 1) * places + first, 0)
    rows, columns = linear_sum_assignment(weights, maximize=True)
    return [(row, column) for row, column in zip(rows.tolist(), columns.tolist(), strict=True) if weights[row, column]]
