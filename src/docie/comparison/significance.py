"""The test: how often two systems differ at least as much when their predictions are swapped at random.

Source: approximate randomisation (Noreen, 1989; for ratios such as F1, Yeh, 2000). The null hypothesis is that
predictions are exchangeable: those for a document might as well have come from the other system. So whole documents are
swapped, each with probability 1/2, and both corpora are scored again. Equal scores alone do not make predictions
exchangeable: if one system is rarely and badly wrong, the test rejects too often on small corpora
(`benchmarks/coverage.py`).

Multiple tests have corrected p-values, and letters that show which systems no test separates.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Iterator, Sequence
from statistics import NormalDist
from string import ascii_letters
from typing import Literal

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_matrix

from docie.corpus.intervals import t_quantile
from docie.corpus.matrix import BLOCK, FiguresOf, Name

Sums = NDArray[np.float64]
Side = Literal[-1, 0, 1]

ROUNDING = 1e-10
"""Differences are equal if they differ by less than this share of the scores: float sums depend on their order."""
POWER = 0.8
"""The power of the test at the `smallest_difference`."""
_LEAST = 64  # shuffles at a time
_PER_FIGURE = 4  # numbers in memory for each score and shuffle
_WHOLE = 2**24  # up to this, floats of 32 bits hold all whole numbers: half of the memory takes half of the time


def p_values(
    figures_of: FiguresOf[Name],
    first: csr_matrix,
    second: csr_matrix,
    *,
    shuffles: int,
    seed: int,
    side: Side = 0,
    swapped: NDArray[np.int64] | None = None,
) -> dict[Name, float]:
    """The p-value of each score's difference.

    With n random shuffles, c of which differ at least as much as the observed difference, p = (c + 1) / (n + 1). If
    there are at most n ways to swap, each is used once, and p is exact. Units that are equal in both systems change
    nothing, so they are not swapped.

    Args:
        figures_of: computes scores from sums.
        first, second: sparse matrices, the counts of two systems: a row for each unit, a column for each number.
        shuffles: the number n.
        seed: of the random shuffles.
        side: 0 for a two-sided test; 1 for the chance of a difference at least as high as observed, -1 for one at least
            as low.
        swapped: the units that are swapped; None for those whose counts differ here.

    Returns:
        From each score to its p-value. A shuffle whose score is not a number counts as a large difference.
    """
    changes = (second - first).tocsr()[changed_rows(first, second) if swapped is None else swapped]
    units = changes.shape[0]
    is_exact = 2**units <= shuffles
    total = 2**units if is_exact else shuffles
    if np.array_equal(changes.data, np.rint(changes.data)) and np.abs(changes.data).sum() < _WHOLE:
        changes = changes.astype(np.float32)
    sums = _sums(first), _sums(second)
    one, other = figures_of(sums[0]), figures_of(sums[1])
    seen = {name: float(other[name][0] - one[name][0]) for name in one}
    rounding = {name: ROUNDING * max(abs(one[name][0]), abs(other[name][0]), abs(seen[name])) for name in one}
    limit = {name: _distance(np.array(value), side) - rounding[name] for name, value in seen.items()}
    far = dict.fromkeys(seen, 0)
    for mask in _all_masks(units) if is_exact else _random_masks(units, shuffles, seed):
        for moved in _moved(changes, mask, _PER_FIGURE * len(seen)):
            # one call for both systems: with few shuffles and many scores, the call itself takes the time
            for name, values in figures_of(np.concatenate((sums[0] + moved, sums[1] - moved))).items():
                one_value, other_value = values.reshape(2, -1)
                is_near = _distance(other_value - one_value, side) < limit[name]
                far[name] += len(moved) - int(is_near.sum())
    return {name: number / total if is_exact else (number + 1) / (total + 1) for name, number in far.items()}


def changed_rows(first: csr_matrix, second: csr_matrix) -> NDArray[np.int64]:
    """The positions of the rows that differ."""
    changes = (second - first).tocsr()
    changes.eliminate_zeros()
    return np.flatnonzero(np.diff(changes.indptr))


def _distance(difference: Sums, side: Side) -> Sums:
    """How far differences are from 0: in either direction, or on one side."""
    return side * difference if side else np.abs(difference)


def _sums(rows: csr_matrix) -> Sums:
    """The sum of all rows, as a matrix of one row."""
    sums: Sums = np.asarray(rows.sum(axis=0), dtype=np.float64).reshape(1, -1)
    return sums


def _moved(changes: csr_matrix, mask: NDArray[np.uint8], numbers: int) -> Iterator[Sums]:
    """What each shuffle adds to the first system and takes from the second, block by block."""
    width, shuffles = changes.shape[1], mask.shape[1]
    batch = max(_LEAST, BLOCK // max(1, width, numbers))
    for start in range(0, shuffles, batch):
        # transposed, the matrix is read document by document: ten times as fast as number by number
        yield (changes.T @ mask[:, start : start + batch].astype(changes.dtype)).T


def _all_masks(units: int) -> Iterator[NDArray[np.uint8]]:
    """All ways to swap: a row for each unit, a column for each way."""
    ways = np.arange(2**units)
    yield ((ways >> np.arange(units)[:, None]) & 1).astype(np.uint8)


def _random_masks(units: int, shuffles: int, seed: int) -> Iterator[NDArray[np.uint8]]:
    """Random ways to swap. They depend only on the number of units and the seed."""
    random = np.random.default_rng(seed)
    batch = max(_LEAST, BLOCK // units // 8 * 8)
    for start in range(0, shuffles, batch):
        columns = min(batch, shuffles - start)
        bits = np.frombuffer(random.bytes(units * -(-columns // 8)), dtype=np.uint8).reshape(units, -1)
        yield np.unpackbits(bits, axis=1, count=columns)


def holm(p_values: Sequence[float]) -> list[float]:
    """Holm's p-values: the chance of any false positive among all tests of a table stays below the level.

    Source: Holm, "A simple sequentially rejective multiple test procedure" (1979): the smallest of m is multiplied by
    m, the next by m - 1, and none falls below one before it.

    >>> [round(value, 4) for value in holm([0.01, 0.04, 0.03, 0.005])]
    [0.03, 0.06, 0.06, 0.02]
    """
    corrected = [0.0] * len(p_values)
    least = 0.0
    for rank, place in enumerate(sorted(range(len(p_values)), key=lambda place: p_values[place])):
        least = max(least, min(1.0, (len(p_values) - rank) * p_values[place]))
        corrected[place] = least
    return corrected


def smallest_difference(error: float | None, units: int, level: float | None) -> float | None:
    """The difference that a two-sided test finds with a power of 80 %.

    Source: (t quantile of the level + t quantile of the power) x standard error (Cohen, 1988). Where a single way to
    swap so few units reaches the level, it is found only if all of them agree: for normal differences, with a chance of
    (normal distribution of difference / spread) to the power of their number.

    Args:
        error: the standard error of the difference; None if the units show no spread.
        units: their number.
        level: the chance of a false positive that the test has; None if it cannot find any difference.

    Returns:
        The difference; None if there is no error or no level.
    """
    if error is None or level is None:
        return None
    least = t_quantile(units - 1, 1 - level / 2) + t_quantile(units - 1, POWER)
    if level <= 2.0 ** (1 - units):
        least = max(least, math.sqrt(units) * NormalDist().inv_cdf(POWER ** (1 / units)))
    return least * error


def letters(systems: Sequence[str], separated: Collection[tuple[str, str]]) -> dict[str, str]:
    """Letters for systems: two share a letter if and only if no test separates them.

    Source: the insert-and-absorb algorithm of Piepho, "An algorithm for a letter-based representation of all-pairwise
    comparisons" (2004).

    Args:
        systems: the names, best first.
        separated: the pairs that a test separates.

    Returns:
        From each system to its letters, in the order of the systems. The best one has an "a".

    >>> letters(["x", "y", "z"], [("x", "z")])
    {'x': 'a', 'y': 'ab', 'z': 'b'}
    """
    groups = [frozenset(systems)]
    for one, other in separated:
        split = [group - {name} for group in groups if {one, other} <= group for name in (one, other)]
        groups = _largest([group for group in groups if not {one, other} <= group] + split)
    place = {name: number for number, name in enumerate(systems)}
    groups.sort(key=lambda group: sorted(place[name] for name in group))
    signs = [*ascii_letters, *(f"[{number}]" for number in range(len(ascii_letters), len(groups)))]
    return {
        name: "".join(sign for sign, group in zip(signs, groups, strict=False) if name in group) for name in systems
    }


def _largest(groups: Collection[frozenset[str]]) -> list[frozenset[str]]:
    """The groups that are not part of another one, each once."""
    distinct = dict.fromkeys(groups)
    return [group for group in distinct if not any(group < other for other in distinct)]
