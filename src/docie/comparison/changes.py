"""Which documents got better and which got worse from one system to another."""

from __future__ import annotations

from typing import NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_matrix

from docie.comparison.randomization import ROUNDING
from docie.corpus.intervals import BLOCK, FiguresOf

Name = TypeVar("Name")
Floats = NDArray[np.float64]
LISTED = 10
"""The number of documents that got better, and of those that got worse, that are listed at most."""


class Change(NamedTuple):
    """A document that got better or worse.

    Attributes:
        document: its place among the documents.
        value_a, value_b: the score of this document alone, of either system.
        effect: what it changes in the score of the whole corpus: that of the second system, less what it would be with
            the first system's answer to this document.
    """

    document: int
    value_a: float
    value_b: float
    effect: float


class Changes(NamedTuple):
    """The numbers of documents that got better and worse, and those with the largest effects, better ones first."""

    better: int
    worse: int
    largest: list[Change]


def figures_of_documents(figures_of: FiguresOf[Name], rows: csr_matrix) -> dict[Name, Floats]:
    """The scores of each document by itself."""
    batch = max(1, BLOCK // max(1, rows.shape[1]))
    blocks = [figures_of(rows[start : start + batch].toarray()) for start in range(0, rows.shape[0], batch)]
    return {name: np.concatenate([block[name] for block in blocks]) for name in blocks[0]} if blocks else {}


def effects(
    figures_of: FiguresOf[Name], first: csr_matrix, second: csr_matrix
) -> tuple[NDArray[np.int64], dict[Name, Floats]]:
    """The places of the documents whose counts differ, and the effect of each on each figure."""
    changes = (second - first).tocsr()
    changes.eliminate_zeros()
    places = np.flatnonzero(np.diff(changes.indptr))
    sums = np.asarray(second.sum(axis=0), dtype=np.float64).reshape(1, -1)
    whole = figures_of(sums)
    without = _figures_without(figures_of, sums, changes[places])
    return places, {name: whole[name][0] - values for name, values in without.items()}


def _figures_without(figures_of: FiguresOf[Name], sums: Floats, changes: csr_matrix) -> dict[Name, Floats]:
    batch = max(1, BLOCK // sums.shape[1])
    blocks = [
        figures_of(sums - changes[start : start + batch].toarray()) for start in range(0, changes.shape[0], batch)
    ]
    return {name: np.concatenate([block[name] for block in blocks]) for name in blocks[0]} if blocks else {}


def changes_of(
    one: Floats,
    other: Floats,
    places: NDArray[np.int64],
    effect: Floats,
    *,
    is_better_low: bool,
) -> Changes:
    """What changed from one system to the other.

    Args:
        one, other: a score of each document, of either system.
        places, effect: the documents whose counts differ, and their effects.
        is_better_low: whether the score is the better the lower it is.
    """
    gain = (other - one)[places] * (-1 if is_better_low else 1)
    rounding = ROUNDING * np.maximum(1, np.abs(one[places]))
    listed: list[Change] = []
    sides = np.flatnonzero(gain > rounding), np.flatnonzero(gain < -rounding)
    for side in sides:
        by_effect = side[np.argsort(-np.abs(effect[side]), kind="stable")][:LISTED]
        for number in by_effect.tolist():
            place = int(places[number])
            listed.append(Change(place, float(one[place]), float(other[place]), float(effect[number])))
    return Changes(len(sides[0]), len(sides[1]), listed)
