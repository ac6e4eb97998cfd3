"""The counts of a corpus as one matrix: a row for each document, a column for each number.

The `score` of a family is arithmetic, so it takes columns as arrays: one call scores all documents, and resampled
corpora (Efron and Tibshirani, 1993) are one matrix product and one call for each block.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from docie.core.counts import Counts, Key, Number, exact_sum
from docie.core.errors import shortened
from docie.core.settings import check_whole
from docie.core.values.plain import JsonObject

if TYPE_CHECKING:
    from scipy.sparse import csr_matrix

Name = TypeVar("Name", bound=Hashable)
Numbers = NDArray[Any]
"""Scores, or counts: whole numbers stay whole."""
FiguresOf = Callable[[Numbers], Mapping[Name, Numbers]]
"""Computes scores by name from sums of counts: a row for each corpus, a column for each number."""
MOST_SAMPLES = 10_000_000
"""The largest number of bootstrap samples: their scores are kept in memory."""
BLOCK = 4_000_000
"""Numbers in memory at a time."""
_SAMPLED = 4 * BLOCK  # larger for samples: each block is one call of `score`, whatever its size
_OF_DOCUMENT: Key = ("",)  # the row of the numbers of documents and of invalid predictions


def check_sampling(*, bootstrap_samples: int = 1, seed: int = 0) -> None:
    """Raise ValueError if the number of samples or the seed is out of range."""
    check_whole("bootstrap_samples", bootstrap_samples, 1, most=MOST_SAMPLES)
    check_whole("seed", seed, 0)


class Matrix:
    """The counts of documents, a row each.

    Most rows of counts, such as those of a correct total, are the same in many documents. Each is kept once, and a
    document is a list of their numbers: sixty bytes a receipt, whatever the number of entity types.

    Args:
        documents: the counts of each document.

    >>> matrix = Matrix([Counts(1, 0, {("correct",): [1]}), Counts(1, 1, {("correct",): [0]})])
    >>> len(matrix), matrix.total().documents, matrix.total().rows
    (2, 2, {('correct',): [1]})
    """

    def __init__(self, documents: Iterable[Counts] = ()) -> None:
        self._known: dict[tuple[Key, tuple[Number, ...]], int] = {}
        self._rows, self._ends = array("i"), array("q", [0])
        self.extend(documents)

    def __len__(self) -> int:
        return len(self._ends) - 1

    def extend(self, documents: Iterable[Counts]) -> None:
        """Add the counts of documents, one row each."""
        known, rows = self._known, self._rows
        for each in documents:
            of_document = _OF_DOCUMENT, (each.documents, each.invalid_predictions)
            rows.append(known.setdefault(of_document, len(known)))
            for key, numbers in each.rows.items():
                rows.append(known.setdefault((key, (*numbers,)), len(known)))
            self._ends.append(len(rows))

    def __iadd__(self, other: Matrix) -> Matrix:
        numbers = [self._known.setdefault(row, len(self._known)) for row in other._known]
        ends = np.array(other._ends[1:], dtype=np.int64) + self._ends[-1]
        self._rows.frombytes(np.array(numbers, dtype=np.int32)[np.array(other._rows)].tobytes())
        self._ends.frombytes(ends.tobytes())
        return self

    def of(self, documents: NDArray[np.int64]) -> Matrix:
        """The rows of some documents, by their numbers."""
        ends = np.array(self._ends)
        sizes = np.diff(ends)[documents]
        after = np.cumsum(sizes)
        places = np.repeat(ends[documents + 1] - after, sizes) + np.arange(sizes.sum())
        found = Matrix()
        found._known = self._known  # which only grows
        found._rows, found._ends = array("i", np.array(self._rows)[places]), array("q", np.append(0, after))
        return found

    def summed(self, units: NDArray[np.int64]) -> Matrix:
        """The sums over the documents of each unit, such as those of one vendor, a row for each unit.

        Args:
            units: the number of each document's unit, counted from 0 in the order of the first documents.
        """
        total = self.of(np.argsort(units, kind="stable"))
        total._ends = array("q", np.array(total._ends)[np.append(0, np.cumsum(np.bincount(units)))])
        return total

    def total(self) -> Counts:
        """The sum of all rows, exact as that of counts."""
        times = np.bincount(self._rows, minlength=len(self._known)).tolist()
        return Counts.sum_of(
            Counts(*sums) if key == _OF_DOCUMENT else Counts(rows={key: sums})
            for (key, numbers), often in zip(self._known, times, strict=True)
            if often and (sums := [_multiplied(number, often) for number in numbers])
        )

    def columns(self, merged: Mapping[Key, Key] | None = None) -> Columns:
        """The numbers of all rows as columns, those that are equal in all documents once.

        Args:
            merged: keys whose numbers are added to those of another key.
        """
        from scipy.sparse import csr_matrix

        places, table = self._table(merged or {})
        rows = np.array(self._rows), np.array(self._ends)
        of_documents = csr_matrix((np.ones(len(rows[0]), np.int8), *rows), shape=(len(self), len(self._known)))
        first, number_of = _distinct(of_documents, table)
        return Columns(of_documents @ table[:, first], {key: number_of[each] for key, each in places.items()})

    def _table(self, merged: Mapping[Key, Key]) -> tuple[dict[Key, slice], csr_matrix]:
        """The columns of each key that a document has, and the numbers of each row in them."""
        from scipy.sparse import csr_matrix

        times = np.bincount(self._rows, minlength=len(self._known)).tolist()
        there = {
            number: (merged.get(key, key), numbers) for (key, numbers), number in self._known.items() if times[number]
        }
        widths = {_OF_DOCUMENT: 2} | {key: len(numbers) for key, numbers in there.values()}
        places, width = dict[Key, slice](), 0
        for key in sorted(widths, key=repr):  # not by the hash of texts: sums of floats depend on the order
            places[key] = slice(width, width := width + widths[key])
        values, rows, columns = array("d"), array("i"), array("i")
        for number, (key, numbers) in there.items():
            for column, value in enumerate(numbers, places[key].start):
                if value:
                    values.append(value)
                    rows.append(number)
                    columns.append(column)
        data: Numbers = np.array(values)
        if np.array_equal(data, data.astype(np.int64)):
            data = data.astype(np.int64)  # counts of entities stay whole numbers
        return places, csr_matrix((data, (rows, columns)), shape=(len(self._known), width))

    def to_json(self) -> JsonObject:
        """Plain JSON values: the distinct rows with their keys, and which of them the documents have."""
        known = [[[*key], [*numbers]] for key, numbers in self._known]
        return {"known": known, "rows": self._rows.tolist(), "ends": self._ends.tolist()}

    @classmethod
    def from_json(cls, value: JsonObject) -> Matrix:
        """The matrix that `to_json` wrote.

        Raises:
            ValueError: if `to_json` did not write this value.
        """
        matrix, widths = cls(), dict[str, int]()
        try:
            for key, numbers in value["known"]:
                if widths.setdefault(key[0], len(array("d", numbers))) != len(numbers):
                    raise ValueError(key)
                matrix._known[(*key,), (*numbers,)] = len(matrix._known)
            matrix._rows, matrix._ends = array("i", value["rows"]), array("q", value["ends"])
            is_sound = len(matrix._known) == len(value["known"]) and {*matrix._rows} <= {*matrix._known.values()}
            ends = [*matrix._ends]
        except (AttributeError, IndexError, KeyError, TypeError, ValueError, OverflowError):
            raise ValueError(f"expected the JSON of documents' counts, got {shortened(value)}") from None
        if not is_sound or ends != sorted(ends) or ends[:1] != [0] or ends[-1] != len(matrix._rows):
            raise ValueError(f"expected the JSON of documents' counts, got {shortened(value)}")
        return matrix


class Columns:
    """The columns of a matrix.

    Args:
        rows: a sparse matrix, a row for each document.
        places: the columns of each key, by their numbers.
    """

    def __init__(self, rows: csr_matrix, places: Mapping[Key, NDArray[np.int64]]) -> None:
        self.rows = rows
        self._places = {key: each.tolist() for key, each in places.items()}

    def counts(self, sums: Numbers) -> Counts:
        """Sums of rows as counts whose numbers are arrays."""
        sums.setflags(write=False)  # several keys may share a column
        numbers = [sums[:, column] for column in range(sums.shape[1])]
        rows = {key: [numbers[place] for place in places] for key, places in self._places.items()}
        documents, invalid = rows.pop(_OF_DOCUMENT)
        return Counts(documents, invalid, rows)

    def figures(self, figures_of: Callable[[Counts], Mapping[Name, Number]]) -> FiguresOf[Name]:
        """What computes scores from sums of rows, from what computes them from counts."""

        def of_sums(sums: Numbers) -> dict[Name, Numbers]:
            return {name: np.broadcast_to(each, len(sums)) for name, each in figures_of(self.counts(sums)).items()}

        return of_sums


def _distinct(rows: csr_matrix, table: csr_matrix) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Where each distinct column of `rows @ table` first occurs, and the number of each column among them.

    Columns are compared by sums of random whole numbers, one for each document and one for each value: such sums are
    exact, and a chance of 2^-60 is none.
    """
    random = np.random.default_rng(0)
    values, place_of = np.unique(table.data, return_inverse=True)
    of_document, of_value = (random.integers(0, 2**64, size, dtype=np.uint64) for size in (rows.shape[0], len(values)))
    hashed = table.astype(np.uint64)
    hashed.data = of_value[place_of]
    sums = hashed.T @ (rows.astype(np.uint64).T @ of_document)
    _, first, number_of = np.unique(sums, return_index=True, return_inverse=True)
    return first, number_of


def blocks(rows: csr_matrix) -> Iterator[Numbers]:
    """The rows of a sparse matrix as arrays, some thousands at a time; without rows, an empty one."""
    batch = max(1, BLOCK // max(1, rows.shape[1]))
    for start in range(0, max(1, rows.shape[0]), batch):
        yield rows[start : start + batch].toarray()


def joined(parts: Iterable[Mapping[Name, Numbers]]) -> dict[Name, Numbers]:
    """The values of each name in all parts, one after the other."""
    parts = [*parts]
    return {name: np.concatenate([part[name] for part in parts]) for name in (parts[0] if parts else ())}


def score_each(score: Callable[[Counts], Mapping[str, Number]], columns: Columns) -> dict[str, Numbers]:
    """The scores of every document by itself."""
    return joined(map(columns.figures(score), blocks(columns.rows)))


def resampled(
    figures_of: Callable[[Counts], Mapping[Name, Number]], columns: Columns, *, samples: int = 1000, seed: int = 0
) -> dict[Name, Numbers]:
    """The scores of resampled corpora, each of as many documents, drawn with replacement.

    Args:
        figures_of (callable): computes scores by name from counts whose numbers are arrays, such as `kieval.score`.
        columns (Columns): the counts of at least one document.
        samples (int): the number of corpora.
        seed (int): the seed of the draws.

    Returns:
        dict: from each name to an array with one score for each sample.

    >>> columns = Matrix([Counts(1, 0, {("correct",): [1]})] * 3).columns()
    >>> resampled(lambda counts: {"documents": counts.documents}, columns, samples=2)["documents"].tolist()
    [3, 3]
    """
    (size, width), random = columns.rows.shape, np.random.default_rng(seed)
    batch = max(1, min(BLOCK // size, _SAMPLED // width))

    def sums() -> Iterator[Numbers]:
        for start in range(0, samples, batch):
            rows = min(batch, samples - start)
            drawn = random.integers(0, size, (rows, size)) + np.arange(rows)[:, None] * size
            weights = np.bincount(drawn.ravel(), minlength=rows * size).reshape(rows, size)
            yield (columns.rows.T @ weights.T).T

    return joined(map(columns.figures(figures_of), sums()))


def _multiplied(number: Number, often: int) -> Number:
    """The sum of equal numbers, as `exact_sum` has it."""
    return number * often if isinstance(number, int) else exact_sum([number] * often)
