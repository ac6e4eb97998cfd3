"""Whether a comparison hangs on a single document or cluster.

The test swaps documents and the interval averages over them: both hold if no single one decides. Where one does, or
where a few clusters of very different sizes do, more documents are needed, and a reader should know.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from docie.core.scores import rounded

DOMINATES = 0.5
"""A unit with more than this share of the sum of squared differences dominates a comparison."""
FEW_CLUSTERS = 10
"""With fewer effective clusters than this, intervals of unequal clusters miss too often (`benchmarks/coverage.py`)."""
UNEQUAL = 0.8
"""Clusters are unequal if the effective ones are fewer than this share of all."""


class Largest(NamedTuple):
    """The unit that weighs most in a comparison, and its share of the sum of squared differences."""

    unit: int
    share: float


def largest(added: NDArray[np.float64]) -> Largest:
    """The unit that weighs most, from what each adds to a difference.

    >>> largest(np.array([1.0, -3.0, 1.0, 1.0]))
    Largest(unit=1, share=0.75)
    """
    squares = added**2
    unit = int(squares.argmax())
    return Largest(unit, float(squares[unit] / squares.sum()) if squares[unit] else 0.0)


def effective(sizes: NDArray[np.int64]) -> float:
    """The number of equal clusters that would weigh as much as these: (sum of sizes)^2 / sum of squares.

    Source: Kish (1965).

    >>> effective(np.array([5, 5])), effective(np.array([9, 1]))
    (2.0, 1.2195121951219512)
    """
    return float(sizes.sum() ** 2 / (sizes**2).sum())


def warning_of_dominance(found: Mapping[str, Largest], documents: Mapping[int, str]) -> str:
    """What to say of comparisons that a single unit dominates; empty if there are none.

    Args:
        found: from each comparison, in words, to its largest unit.
        documents: what units are called.

    >>> warning_of_dominance({"entity_f1 of a and b": Largest(1, 0.75)}, {1: "document 'r-7'"})
    "entity_f1 of a and b: document 'r-7' carries 75 % of the squared differences; check the result without it"
    """
    dominated = {name: each for name, each in found.items() if each.share > DOMINATES}
    if not dominated:
        return ""
    name, (unit, share) = next(iter(dominated.items()))
    more = len(dominated) - 1
    others = f" ({more} more comparison{'s' * (more > 1)} likewise)" if more else ""
    return (
        f"{name}: {documents[unit]} carries {100 * share:.0f} % of the squared differences; "
        f"check the result without it{others}"
    )


def warning_of_clusters(sizes: NDArray[np.int64]) -> str:
    """What to say of clusters that are few and unequal; empty for others.

    Args:
        sizes: the number of documents of each.

    >>> warning_of_clusters(np.array([50] + [5] * 10))
    'the largest of 11 clusters holds 50 % of the documents, so they weigh as 3.6 equal ones: ...'
    """
    number, weighs = len(sizes), effective(sizes)
    if number < 2 or weighs >= min(FEW_CLUSTERS, UNEQUAL * number):
        return ""
    part, equal = f"{100 * sizes.max() / sizes.sum():.0f} %", rounded(weighs, 1, whole=math.inf)
    return (
        f"the largest of {number} clusters holds {part} of the documents, so they weigh as {equal} equal ones: "
        "the interval is too narrow"
    )
