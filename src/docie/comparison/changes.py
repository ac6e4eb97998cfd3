"""Which documents got better or worse from one system to another, and whether the comparison depends on one of them.

The test swaps documents and the interval averages over them: both are valid only if no single document dominates. If
one does, or if there are few clusters of very different sizes, more documents are needed, and the user is warned.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_matrix

from docie.comparison.significance import ROUNDING
from docie.core.scores import rounded
from docie.corpus.matrix import FiguresOf, Name, blocks, joined

Floats = NDArray[np.float64]
LISTED = 10
"""The largest number of better documents, and of worse ones, that are listed."""


class Change(NamedTuple):
    """A document that got better or worse.

    Attributes:
        document: its position among the documents.
        value_a, value_b: the score of this document by itself, for each system.
        effect: what it changes in the score of the whole corpus: the score of the second system, minus the score it
            would have with the first system's prediction for this document.
    """

    document: int
    value_a: float
    value_b: float
    effect: float


class Changes(NamedTuple):
    """The numbers of better and worse documents, and those with the largest effects, better ones first."""

    better: int
    worse: int
    largest: list[Change]


def effects(figures_of: FiguresOf[Name], first: csr_matrix, second: csr_matrix) -> dict[Name, Floats]:
    """What each document changes in each score, from the counts of documents by two systems."""
    sums = np.asarray(second.sum(axis=0), dtype=np.float64).reshape(1, -1)
    whole, without = figures_of(sums), joined(figures_of(sums - block) for block in blocks(second - first))
    return {name: whole[name][0] - values for name, values in without.items()}


def by_size(effect: Floats) -> NDArray[np.int64]:
    """The positions of effects, the largest first; those that are equal up to rounding stay in order."""
    return np.argsort(-np.abs(np.round(effect, 12)), kind="stable")


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
        one, other: the score of each document, for each system.
        places, effect: the documents whose counts differ, and their effects.
        is_better_low: whether lower is better.
    """
    gain = (other - one)[places] * (-1 if is_better_low else 1)
    rounding = ROUNDING * np.maximum(1, np.abs(one[places]))
    listed: list[Change] = []
    sides = np.flatnonzero(gain > rounding), np.flatnonzero(gain < -rounding)
    for side in sides:
        for number in side[by_size(effect[side])][:LISTED].tolist():
            place = int(places[number])
            listed.append(Change(place, float(one[place]), float(other[place]), float(effect[number])))
    return Changes(len(sides[0]), len(sides[1]), listed)


DOMINATES = 0.5
"""A unit with more than this share of the sum of squared differences dominates a comparison."""


class Largest(NamedTuple):
    """The unit with the largest weight in a comparison, and its share of the sum of squared differences."""

    unit: int
    share: float


def largest(added: NDArray[np.float64]) -> Largest:
    """The unit with the largest weight, from what each unit adds to a difference.

    >>> largest(np.array([1.0, -3.0, 1.0, 1.0]))
    Largest(unit=1, share=0.75)
    """
    squares = added**2
    unit = int(squares.argmax())
    return Largest(unit, float(squares[unit] / squares.sum()) if squares[unit] else 0.0)


def warning_of_dominance(found: Mapping[str, Largest], documents: Mapping[int, str]) -> str:
    """The warning on comparisons that a single unit dominates; empty if there are none.

    Args:
        found: from each comparison, as text, to its largest unit.
        documents: the names of units.

    >>> warning_of_dominance({"entity_f1 of a and b": Largest(1, 0.75)}, {1: "document 'r-7'"})
    "entity_f1 of a and b: document 'r-7' carries 0.75 of the squared differences; check the result without it"
    """
    dominated = {name: each for name, each in found.items() if each.share > DOMINATES + ROUNDING}
    if not dominated:
        return ""
    name, (unit, share) = next(iter(dominated.items()))
    more = len(dominated) - 1
    others = f" ({more} more comparison{'s' * (more > 1)} likewise)" if more else ""
    return (
        f"{name}: {documents[unit]} carries {rounded(share, 2)} of the squared differences; "
        f"check the result without it{others}"
    )
