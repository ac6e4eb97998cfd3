"""Scores at their limit, where documents show no variation: the number of documents that say anything about them.

If a share is 1 in all n documents that it depends on, no document among n has an error, so the share of documents with
one is at most 1 - (alpha/2)^(1/n), exactly (Clopper and Pearson, 1934). That is a statement on documents. A mean over
documents of values between 0 and 1 is at least the share of documents without an error, so for it the bound is exact,
too. For a ratio of sums, such as F1, and a mean over entity types, it holds if documents with errors do not hold more
of the values than others: `benchmarks/intervals.py` measures how often, and what happens otherwise.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

import numpy as np

from docie.core.scores import Kind
from docie.corpus.intervals import BLOCK, RANGES, ROUNDING, FiguresOf, Name

if TYPE_CHECKING:
    from scipy.sparse import csr_matrix


def clopper_pearson(share: float, documents: int, confidence_level: float) -> list[float]:
    """The exact interval for a share of independent documents.

    Source: Clopper and Pearson (1934). At 1, the lower bound p is where p^n, the chance that all n are correct, equals
    the share outside the interval at one end.

    >>> [round(bound, 3) for bound in clopper_pearson(1.0, 24, 0.95)]
    [0.858, 1.0]
    """
    from scipy.special import betaincinv

    right, tail = round(share * documents), (1 - confidence_level) / 2
    low = betaincinv(right, documents - right + 1, tail) if right else 0.0
    high = betaincinv(right + 1, documents - right, 1 - tail) if right < documents else 1.0
    return [float(low), float(high)]


def documents_of(figures_of: FiguresOf[Name], rows: csr_matrix) -> Counter[Name]:
    """The number of documents that each score depends on: line items say nothing about documents without any.

    A document counts if it moves the score of made-up counts, in which everything occurs. At its limit, a score itself
    does not show this: no document moves an F1 of 1.

    Args:
        figures_of: computes scores by name from sums of counts: a row for each corpus, a column for each number.
        rows: a sparse matrix, the counts of the documents. Columns that are equal in all documents must be apart.

    >>> from scipy.sparse import csr_matrix
    >>> right, wrong = 0, 1
    >>> def figures_of(sums):
    ...     return {"accuracy": sums[:, right] / (sums[:, right] + sums[:, wrong])}
    >>> documents_of(figures_of, csr_matrix([[2, 0], [0, 0], [1, 0]]))["accuracy"]
    2
    """
    size, width = rows.shape
    found: Counter[Name] = Counter()
    made_up = np.random.default_rng(0).uniform(1, 2, (1, width))
    alone = {name: float(np.ravel(value)[0]) for name, value in figures_of(made_up).items()}
    batch = max(1, BLOCK // width)
    for start in range(0, size, batch):
        beside = rows[start : start + batch].toarray() + made_up
        for name, values in figures_of(beside).items():
            moved = np.broadcast_to(values, len(beside)) - alone[name]
            found[name] += int(np.sum(np.abs(moved) > ROUNDING))
    return found


def why_missing(value: float, kind: Kind, interval: str) -> str:
    """Why a score has no interval.

    Args:
        value, kind: the score, and its kind.
        interval: as in `corpus.evaluate`.

    >>> why_missing(0, "count", "t"), why_missing(0.5, "share", "t")
    ('0 in every document, which gives no upper bound', 'the same in every document')
    """
    least, most = RANGES[kind]
    if value == 0 and np.isinf(most):
        return "0 in every document, which gives no upper bound"
    if kind != "share" or value not in (least, most):
        return "the same in every document"
    few = "no documents, which 'poisson' does not keep," if interval == "poisson" else "fewer than two documents"
    return f"at its limit, with {few} to bound it"
