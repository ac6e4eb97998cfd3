"""Additive counts: the numbers from which docie computes all scores.

A document is counted as rows of plain numbers that can be added. `Counts` holds the rows of one document or of many;
the `score` of a family turns them into scores. A number may also be a numpy array, with one element for each bootstrap
sample or each document. All functions here then work element by element.

Sums of floats are exact (`ExactSum`), so scores do not depend on the order or the grouping in which documents are
added.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from inspect import get_annotations
from math import fsum, isfinite
from operator import add, attrgetter
from typing import Any, ClassVar, NamedTuple, TypeVar

import numpy as np

from docie.core.errors import shortened
from docie.core.values.plain import JsonObject

Number = Any  # int | float | ExactSum | NDArray: the same arithmetic works for numbers and arrays
Key = tuple[str | None, ...]
R = TypeVar("R")


class ExactSum(float):
    """A rounded sum of floats, together with the rounding error.

    Attributes:
        parts: floats whose exact sum is the sum; the first is the float itself, each following one the rounded rest.
            Equal sums have equal parts, whatever the order of their terms.

    >>> exact_sum([0.1, 0.2, 0.3]), exact_sum([0.3, 0.2, 0.1]), 0.1 + 0.2 + 0.3
    (0.6, 0.6, 0.6000000000000001)
    """

    __slots__ = ("parts",)
    parts: tuple[float, ...]

    @classmethod
    def of(cls, terms: Iterable[float]) -> float:
        """The sum of floats; a plain float if that is exact.

        Source: `math.fsum` rounds the exact sum of its terms once (Shewchuk, 1997).
        """
        rest = [*terms]
        parts = [fsum(rest)]
        while isfinite(parts[-1]) and parts[-1]:
            rest.append(-parts[-1])
            parts.append(fsum(rest))
        if len(parts) < 3:  # the last one is 0
            return parts[0]
        total = cls(parts[0])
        total.parts = (*parts[:-1],)
        return total

    def __reduce__(self) -> tuple[object, ...]:
        return ExactSum.of, (self.parts,)


def exact_sum(numbers: Sequence[Number]) -> Number:
    """The sum of at least one number, or of arrays element by element. The order of floats does not matter.

    >>> exact_sum([1, 2]), exact_sum([1e16, 1.0, -1e16]), 1e16 + 1.0 - 1e16
    (3, 1.0, 0.0)
    """
    total = numbers[0] if len(numbers) == 1 else sum(numbers)
    if len(numbers) == 1 or not isinstance(total, float):
        return total
    if ExactSum in map(type, numbers):
        numbers = [part for each in numbers for part in (each.parts if type(each) is ExactSum else (each,))]
    return ExactSum.of(numbers)


class Row:
    """One row of counts. A subclass is a dataclass with slots; its fields are the columns in order, with default 0.

    >>> @dataclass(slots=True)
    ... class Words(Row):
    ...     words: Number = 0
    ...     errors: Number = 0
    >>> row = Words()
    >>> row.errors += 2
    >>> row.numbers()
    [0, 2]
    """

    __slots__ = ()
    _values: ClassVar[Any]
    """The numbers of a row, as a tuple: a function in an attribute, not a method."""

    def __init_subclass__(cls) -> None:
        classes = cls.__mro__[: cls.__mro__.index(Row)]
        first, *others = (name for each in reversed(classes) for name in get_annotations(each))
        # with a single attribute, attrgetter returns no tuple
        cls._values = attrgetter(first, *others) if others else staticmethod(lambda row: (getattr(row, first),))

    def numbers(self) -> list[Number]:
        """The numbers of all columns, in order."""
        return [*self._values(self)]


@dataclass(slots=True)
class Counts:
    """The counts of one document or of many.

    Attributes:
        documents: the number of documents.
        invalid_predictions: the number of predictions that could not be read.
        rows: from a key to the numbers of a row. A key begins with the name of its table:
            `("entity", "menu", "menu.nm")`. The family defines the columns of each table.
        signature: how a corpus was counted; empty for a single document.
        listed: results for each document that are not numbers, in corpus order. Most families have none.

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

    @classmethod
    def of_document(cls, rows: Mapping[Key, Row], *, valid: bool = True) -> Counts:
        """The counts of one document, from its rows. `valid`: whether its prediction could be read."""
        return cls(1, int(not valid), {key: [*row._values(row)] for key, row in rows.items()})  # faster than numbers()

    def add_row(self, key: Key, row: Row) -> None:
        """Add the numbers of one row."""
        numbers, known = row.numbers(), self.rows.get(key)
        self.rows[key] = numbers if known is None else list(map(add, known, numbers))

    @classmethod
    def sum_of(cls, counts: Iterable[Counts]) -> Counts:
        """The sum of the counts of many documents, faster than one by one. Each is used once, then dropped."""
        total, rows, widths = cls(), dict[Key, list[Number]](), dict[Key, int]()
        for each in counts:
            total.documents += each.documents
            total.invalid_predictions += each.invalid_predictions
            total.listed += each.listed
            for key, numbers in each.rows.items():
                known = rows.get(key)
                if known is None:
                    rows[key], widths[key] = [*numbers], len(numbers)
                else:
                    known += numbers
        total.rows = {key: _added(numbers, widths[key]) for key, numbers in rows.items()}
        return total

    @classmethod
    def mean_of(cls, counts: Sequence[Counts]) -> Counts:
        """The mean of the counts of several answers for one document; of one, its counts as they are.

        >>> Counts.mean_of([Counts(1, 0, {("a",): [3, 0]}), Counts(1, 1, {("a",): [1, 1]})])
        Counts(documents=1, invalid_predictions=0.5, rows={('a',): [2, 0.5]}, signature='', listed=[])
        """
        return counts[0] if len(counts) == 1 else cls.sum_of(counts).divided(len(counts))

    def divided(self, number: int) -> Counts:
        """The counts divided by a number. Whole numbers stay whole where they can."""
        documents, invalid = _quotient(self.documents, number), _quotient(self.invalid_predictions, number)
        rows = {key: [_quotient(each, number) for each in numbers] for key, numbers in self.rows.items()}
        return Counts(documents, invalid, rows, self.signature, self.listed)

    def __iadd__(self, other: Counts) -> Counts:
        self.documents += other.documents
        self.invalid_predictions += other.invalid_predictions
        rows = self.rows
        for key, numbers in other.rows.items():
            known = rows.get(key)
            rows[key] = list(numbers) if known is None else _added(known + numbers, len(numbers))
        self.listed += other.listed
        return self

    def __add__(self, other: Counts) -> Counts:
        total = Counts(self.documents, self.invalid_predictions, dict(self.rows), self.signature, list(self.listed))
        total += other
        return total

    def __radd__(self, other: object) -> Counts:
        """`sum(...)` starts from 0."""
        return self + Counts() if other == 0 else NotImplemented

    def by(self, table: str, position: int, columns: Callable[..., R]) -> dict[str | None, R]:
        """The rows of a table, summed by one element of the key.

        Args:
            table: the name of the table.
            position: the position of that element in the key.
            columns: the class that names the columns, a subclass of `Row`.

        Returns:
            From each element to its row, in sorted order.
        """
        rows: dict[str | None, list[Number]] = {}
        width = 1
        for key, numbers in self.rows.items():
            if key[0] == table:
                rows.setdefault(key[position], []).extend(numbers)
                width = len(numbers)
        names = sorted(rows, key=lambda name: (name is not None, name))
        return {name: columns(*_added(rows[name], width)) for name in names}

    def total(self, table: str, columns: Callable[..., R]) -> R:
        """The sum of all rows of a table; `columns` is the class that defines them."""
        return self.by(table, 0, columns).get(table) or columns()

    def to_json(self) -> dict[str, object]:
        """Plain JSON values, to be read by `from_json` on another machine. An `ExactSum` is the list of its parts."""
        return {
            "documents": self.documents,
            "invalid_predictions": self.invalid_predictions,
            "rows": [
                [list(key), [[*each.parts] if type(each) is ExactSum else each for each in numbers]]
                for key, numbers in self.rows.items()
            ],
            "signature": self.signature,
            **({"listed": self.listed} if self.listed else {}),
        }

    @classmethod
    def from_json(cls, value: JsonObject) -> Counts:
        """The counts that `to_json` wrote.

        Raises:
            ValueError: if `to_json` did not write this value.
        """
        try:
            rows = {_key(key): [*map(_number, numbers)] for key, numbers in value["rows"]}
            documents, invalid = _whole(value["documents"]), _whole(value["invalid_predictions"])
            signature, listed = value["signature"], value.get("listed", [])
        except (AttributeError, KeyError, TypeError, ValueError, OverflowError):
            raise ValueError(f"expected the JSON of counts, got {shortened(value)}") from None
        if not isinstance(signature, str) or not isinstance(listed, list) or len(rows) < len(value["rows"]):
            raise ValueError(f"expected the JSON of counts, got {shortened(value)}")
        return cls(documents, invalid, rows, signature, list(listed))


def _key(key: object) -> Key:
    """The key of a row in JSON. Raises ValueError if the value is not one."""
    if not isinstance(key, list) or not key or not all(isinstance(part, str | None) for part in key):
        raise ValueError(key)
    return tuple(key)


def _number(value: object) -> Number:
    """A number of a row in JSON: an integer, a float, or the parts of an `ExactSum`. Raises ValueError otherwise."""
    terms = value if isinstance(value, list) and value else [value]
    if not all(isinstance(term, int | float) and not isinstance(term, bool) and isfinite(term) for term in terms):
        raise ValueError(value)
    return ExactSum.of(value) if isinstance(value, list) else value


def _whole(value: object) -> int:
    """A number of documents in JSON. Raises ValueError otherwise."""
    if not isinstance(value, int) or isinstance(value, bool) or value < 0:
        raise ValueError(value)
    return value


def _quotient(one: Number, other: int) -> Number:
    return one // other if isinstance(one, int) and one % other == 0 else one / other


def _added(numbers: list[Number], width: int) -> list[Number]:
    """The sum of concatenated rows, column by column."""
    return numbers if len(numbers) == width else [exact_sum(numbers[column::width]) for column in range(width)]


def ratio(numerator: Number, denominator: Number, *, empty: Number = 0.0) -> Number:
    """`numerator / denominator`, and `empty` where the denominator is 0.

    >>> ratio(1, 4), ratio(0, 0), ratio(np.array([1, 0]), np.array([2, 0]), empty=1.0).tolist()
    (0.25, 0.0, [0.5, 1.0])
    """
    if isinstance(denominator, np.ndarray):
        filled = np.empty(denominator.shape)
        filled[...] = empty
        return np.divide(numerator, denominator, out=filled, where=denominator != 0)
    return numerator / denominator if denominator else float(empty)


class PRF(NamedTuple):
    """Precision, recall and F1, fractions in [0, 1]."""

    precision: Number
    recall: Number
    f1: Number


def precision_recall_f1(true_positives: Number, false_positives: Number, false_negatives: Number) -> PRF:
    """Precision, recall and F1. A ratio with denominator 0 is 0.0; if nothing was predicted or expected, all are 1.0.

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


@dataclass(slots=True)
class Outcomes(Row):
    """Columns of correct, spurious and expected items."""

    true_positives: Number = 0
    false_positives: Number = 0
    false_negatives: Number = 0

    @property
    def scores(self) -> PRF:
        """Precision, recall and F1."""
        return precision_recall_f1(self.true_positives, self.false_positives, self.false_negatives)

    @property
    def support(self) -> Number:
        """The number in the reference."""
        return self.true_positives + self.false_negatives


def macro_scores(rows: Iterable[Outcomes]) -> PRF:
    """The mean scores of the rows with a predicted or expected item; 1.0 if there is none.

    >>> macro_scores([Outcomes(1, 0, 0), Outcomes(0, 1, 1), Outcomes(0, 0, 0)])
    PRF(precision=0.5, recall=0.5, f1=0.5)
    """
    totals: list[Number] = [0, 0, 0]
    present: Number = 0
    for row in rows:
        is_present = row.true_positives + row.false_positives + row.false_negatives > 0
        totals = [total + score * is_present for total, score in zip(totals, row.scores, strict=True)]
        present = present + is_present
    return PRF(*(ratio(total, present, empty=1.0) for total in totals))


def macro_f1(rows: Iterable[Outcomes]) -> Number:
    """The F1 of `macro_scores`.

    >>> macro_f1([Outcomes(1, 0, 0), Outcomes(0, 1, 1), Outcomes(0, 0, 0)])
    0.5
    """
    total, present = 0.0, 0
    for row in rows:  # as macro_scores, but only the F1
        twice, errors = 2 * row.true_positives, row.false_positives + row.false_negatives
        is_present = twice + errors > 0
        total = total + ratio(twice, twice + errors, empty=1.0) * is_present
        present = present + is_present
    return ratio(total, present, empty=1.0)
