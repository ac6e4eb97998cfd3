"""Additive counts: the numbers that every figure of docie is made of.

A document's score is a row of plain numbers that may be added. A `Counts` holds such rows, of one document or of
many; a family's `score` turns them into figures. The numbers may also be numpy arrays, one element a bootstrap
sample or a document: every function here then works element by element.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from operator import add
from typing import Any, NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from docie.errors import shortened

Number = Any  # int | float | NDArray: arithmetic that serves a scalar and an array alike
Key = tuple[str | None, ...]
R = TypeVar("R", bound=tuple[Any, ...])


@dataclass(slots=True)
class Counts:
    """Counts of one or many documents.

    `documents` and `invalid_predictions` are the two numbers that every family has. `rows` maps a key, its table's
    name first (`("entity", "menu", "menu.nm")`), to the numbers of that row, in the order of the family's columns.
    `signature` says how a corpus was counted; one document's counts have none. `listed` holds no numbers but what was
    asked for of every document by itself, in their order; lists add up too.

    >>> one = Counts(1, 0, {("entity", "total"): [1, 0]})
    >>> two = Counts(1, 1, {("entity", "total"): [0, 2], ("entity", "date"): [1, 1]})
    >>> (one + two).rows
    {('entity', 'total'): [1, 2], ('entity', 'date'): [1, 1]}
    >>> Counts.from_json((one + two).to_json()) == one + two
    True
    """

    documents: Number = 0
    invalid_predictions: Number = 0
    rows: dict[Key, list[Number]] = field(default_factory=dict)
    signature: str = ""
    listed: list[Any] = field(default_factory=list)

    def __iadd__(self, other: Counts) -> Counts:
        self.documents += other.documents
        self.invalid_predictions += other.invalid_predictions
        rows = self.rows
        for key, numbers in other.rows.items():
            row = rows.get(key)
            rows[key] = list(numbers) if row is None else list(map(add, row, numbers))
        self.listed += other.listed
        return self

    def __add__(self, other: Counts) -> Counts:
        total = Counts(self.documents, self.invalid_predictions, dict(self.rows), self.signature, list(self.listed))
        total += other
        return total

    def by(self, table: str, position: int, columns: Callable[..., R]) -> dict[str | None, R]:
        """The rows of `table`, added up by the element of the key at `position`, in sorted order."""
        sums: dict[str | None, list[Number]] = {}
        for key, numbers in self.rows.items():
            if key[0] == table:
                name = key[position]
                row = sums.get(name)
                sums[name] = list(numbers) if row is None else list(map(add, row, numbers))
        return {name: columns(*sums[name]) for name in sorted(sums, key=lambda name: (name is not None, name))}

    def total(self, table: str, columns: Callable[..., R]) -> R:
        """The sum of all rows of `table`; `columns` (a named tuple whose fields default to 0) gives it names."""
        return self.by(table, 0, columns).get(table) or columns()

    def to_json(self) -> dict[str, Any]:
        """Plain JSON values, for `corpus.merge` on another machine."""
        return {
            "documents": self.documents,
            "invalid_predictions": self.invalid_predictions,
            "rows": [[list(key), list(numbers)] for key, numbers in self.rows.items()],
            "signature": self.signature,
            "listed": self.listed,
        }

    @classmethod
    def from_json(cls, value: Mapping[str, Any]) -> Counts:
        """The counts that `to_json` wrote."""
        try:
            rows = {tuple(key): list(numbers) for key, numbers in value["rows"]}
            return cls(
                value["documents"], value["invalid_predictions"], rows, value["signature"], list(value["listed"])
            )
        except (KeyError, TypeError, ValueError):
            raise ValueError(f"expected the JSON of counts, got {shortened(value)}") from None


def ratio(numerator: Number, denominator: Number, *, empty: Number = 0.0) -> Number:
    """`numerator / denominator`, and `empty` where the denominator is 0.

    >>> ratio(1, 4), ratio(0, 0), ratio(np.array([1, 0]), np.array([2, 0]), empty=1.0).tolist()
    (0.25, 0.0, [0.5, 1.0])
    """
    if isinstance(denominator, np.ndarray):
        filled: NDArray[np.float64] = np.broadcast_to(empty, denominator.shape).astype(np.float64)
        return np.divide(numerator, denominator, out=filled, where=denominator != 0)
    return numerator / denominator if denominator else float(empty)


class PRF(NamedTuple):
    """Precision, recall and F1, fractions in [0, 1]."""

    precision: Number
    recall: Number
    f1: Number


def precision_recall_f1(true_positives: Number, false_positives: Number, false_negatives: Number) -> PRF:
    """Precision, recall and F1 of counts. A ratio without a denominator is 0.0; nothing on either side scores 1.0.

    Source: van Rijsbergen, Information Retrieval (1979), chapter 7; F1 = 2TP / (2TP + FP + FN).

    >>> precision_recall_f1(1, 1, 0)
    PRF(precision=0.5, recall=1.0, f1=0.6666666666666666)
    >>> precision_recall_f1(0, 0, 2), precision_recall_f1(0, 0, 0)
    (PRF(precision=0.0, recall=0.0, f1=0.0), PRF(precision=1.0, recall=1.0, f1=1.0))
    """
    nothing = true_positives + false_positives + false_negatives == 0
    return PRF(
        ratio(true_positives, true_positives + false_positives, empty=nothing),
        ratio(true_positives, true_positives + false_negatives, empty=nothing),
        ratio(2 * true_positives, 2 * true_positives + false_positives + false_negatives, empty=1.0),
    )


def macro_f1(types: Iterable[tuple[Number, ...]]) -> Number:
    """Mean F1 of rows that begin with true positives, false positives and false negatives, those that have any.

    1.0 where none has.

    >>> macro_f1([(1, 0, 0), (0, 1, 1), (0, 0, 0)])
    0.5
    """
    total: Number = 0
    found: Number = 0
    for tp, fp, fn, *_ in types:
        present = (tp + fp + fn) > 0
        total = total + precision_recall_f1(tp, fp, fn).f1 * present
        found = found + present
    return ratio(total, found, empty=1.0)
