"""Scores of many counts in one call: of each document, and of resampled corpora (Efron and Tibshirani, 1993).

The counts of documents are stacked as the rows of one matrix. The `score` of a family is arithmetic, so it takes
columns as arrays: one call scores all documents, and a bootstrap is one matrix product and one call for each block.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping
from itertools import pairwise
from typing import TYPE_CHECKING, TypeVar

import numpy as np
from numpy.typing import NDArray

from docie.core.counts import Counts, Key, Number
from docie.core.errors import shortened
from docie.core.settings import check_whole
from docie.core.values.plain import JsonObject

if TYPE_CHECKING:
    from scipy.sparse import csc_matrix, csr_matrix

Name = TypeVar("Name", bound=Hashable)
Numbers = NDArray[np.float64] | NDArray[np.int64]
"""Scores, or counts: whole numbers stay whole."""
Score = Callable[[Counts], dict[str, Number]]
MOST_SAMPLES = 10_000_000
"""The largest number of bootstrap samples: their scores are kept in memory."""
_BLOCK = 4_000_000  # numbers in memory at a time
_SAMPLED = 4 * _BLOCK  # larger for samples: each block is one call of `score`, whatever its size


def check_sampling(*, bootstrap_samples: int = 1, seed: int = 0) -> None:
    """Raise ValueError if the number of samples or the seed is out of range."""
    check_whole("bootstrap_samples", bootstrap_samples, 1, most=MOST_SAMPLES)
    check_whole("seed", seed, 0)


def resampled(
    figures_of: Callable[[Counts], Mapping[Name, Number]], documents: Stack, *, samples: int = 1000, seed: int = 0
) -> dict[Name, Numbers]:
    """The scores of resampled corpora, each of as many documents, drawn with replacement.

    Args:
        figures_of (callable): computes scores by name from counts whose numbers are arrays, such as `kieval.score`.
        documents (Stack): the counts of the documents.
        samples (int): the number of corpora.
        seed (int): the seed of the draws.

    Returns:
        dict: from each name to an array with one score for each sample; without documents, a single score.

    >>> stack = Stack()
    >>> stack.extend([Counts(1, 0, {("correct",): [1]})] * 3)
    >>> resampled(lambda counts: {"documents": counts.documents}, stack, samples=2)["documents"].tolist()
    [3, 3]
    """
    if not documents:
        return {name: np.atleast_1d(value) for name, value in figures_of(Counts()).items()}
    blocks = [
        {name: np.broadcast_to(values, size) for name, values in figures_of(counts).items()}
        for counts, size in documents.resampled(samples, np.random.default_rng(seed))
    ]
    return {name: np.concatenate([block[name] for block in blocks]) for name in blocks[0]}


def score_each(score: Score, documents: Stack) -> list[dict[str, float]]:
    """The scores of every document by itself."""
    rows: list[dict[str, float]] = []
    for counts, size in documents.blocks():
        columns = {name: np.broadcast_to(values, size).tolist() for name, values in score(counts).items()}
        rows += [dict(zip(columns, values, strict=True)) for values in zip(*columns.values(), strict=True)]
    return rows


class Stack:
    """The counts of documents as one sparse matrix: a row for each document, a column for each number.

    Only nonzero numbers are kept, so that a hundred thousand documents fit into memory. Numbers that are equal in all
    documents, such as those of names that occur once in the same document, share a column.

    >>> stack = Stack()
    >>> stack.extend([Counts(1, 0, {("correct",): [1]}), Counts(1, 1, {("correct",): [0]})])
    >>> len(stack), [counts.rows["correct",][0].tolist() for counts, _ in stack.blocks()]
    (2, [[1, 0]])
    """

    def __init__(self) -> None:
        self._columns: dict[Key, range] = {}
        self._sorted: list[Key] = []
        self._width = 2
        self._values, self._places, self._ends = array("d"), array("i"), array("q", [0])

    def __len__(self) -> int:
        return len(self._ends) - 1

    def extend(self, documents: Iterable[Counts]) -> None:
        """Add the counts of documents, one row each."""
        for document in documents:
            self._append(range(2), (document.documents, document.invalid_predictions))
            for key, numbers in document.rows.items():
                self._append(self._columns_of(key, len(numbers)), numbers)
            self._ends.append(len(self._values))

    def add(self, other: Stack) -> None:
        """Append the rows of another stack.

        Raises:
            ValueError: if the same counts have a different number of columns there.
        """
        column_of = np.arange(other._width, dtype=np.int32)
        for key, places in other._columns.items():
            own = self._columns_of(key, len(places))
            if len(own) != len(places):
                raise ValueError(f"cannot merge rows of {len(own)} and of {len(places)} numbers in {key[0]!r}")
            column_of[places.start : places.stop] = np.arange(own.start, own.stop)
        ends = np.array(other._ends[1:], dtype=np.int64) + self._ends[-1]
        self._values.extend(other._values)
        self._places.frombytes(column_of[np.array(other._places, dtype=np.int32)].tobytes())
        self._ends.frombytes(ends.tobytes())

    def to_json(self) -> JsonObject:
        """Plain JSON values: a compressed sparse matrix, and the names of its columns."""
        return {
            "columns": [[list(key), len(places)] for key, places in self._columns.items()],
            "values": [int(value) if value.is_integer() else value for value in self._values],
            "places": self._places.tolist(),
            "ends": self._ends.tolist(),
        }

    @classmethod
    def from_json(cls, value: JsonObject) -> Stack:
        """The stack that `to_json` wrote.

        Raises:
            ValueError: if `to_json` did not write this value.
        """
        stack = cls()
        try:
            for key, width in value["columns"]:
                stack._columns_of(tuple(key), width)
            stack._values = array("d", value["values"])
            stack._places, stack._ends = array("i", value["places"]), array("q", value["ends"])
        except (AttributeError, KeyError, TypeError, ValueError, OverflowError):
            raise ValueError(f"expected the JSON of documents' counts, got {shortened(value)}") from None
        is_sound = stack._ends and stack._ends[-1] == len(stack._values) == len(stack._places)
        if not is_sound or max(stack._places, default=0) >= stack._width:
            raise ValueError(f"expected the JSON of documents' counts, got {shortened(value)}")
        return stack

    def _columns_of(self, key: Key, width: int) -> range:
        """The columns of a row of counts; `width` new ones the first time."""
        if key not in self._columns:
            self._columns[key] = range(self._width, self._width + width)
            self._width += width
        return self._columns[key]

    def _append(self, columns: range, numbers: Iterable[Number]) -> None:
        for column, number in zip(columns, numbers, strict=True):
            if number:
                self._values.append(number)
                self._places.append(column)

    def _keys(self) -> list[Key]:
        """The keys, sorted: their own order depends on the hash of texts, and sums of floats depend on the order."""
        if len(self._sorted) != len(self._columns):
            self._sorted = sorted(self._columns, key=repr)
        return self._sorted

    def matrix(self) -> tuple[csr_matrix, list[int]]:
        """The distinct columns as a sparse matrix, and the number of each column among them."""
        from scipy.sparse import csr_matrix

        data: Numbers = np.array(self._values)
        if np.array_equal(data, data.astype(np.int64)):
            data = data.astype(np.int64)  # counts of entities stay whole numbers
        places = np.array(self._places, dtype=np.int32), np.array(self._ends, dtype=np.int64)
        order = [0, 1, *(column for key in self._keys() for column in self._columns[key])]
        matrix = csr_matrix((data, *places), shape=(len(self), self._width)).tocsc()[:, order]
        numbers, first = _distinct_columns(matrix)
        column_of = [number for _, number in sorted(zip(order, numbers, strict=True))]
        return matrix[:, first].tocsr(), column_of

    def summed(self, units: NDArray[np.int64]) -> Stack:
        """The sums over the documents of each unit, such as those of one vendor, as a stack with a row for each unit.

        Args:
            units: the number of each document's unit, counted from 0 in the order of the first documents.
        """
        from scipy.sparse import csr_matrix

        size, number = len(self), int(units.max(initial=-1)) + 1
        if number == size:
            return self
        places = np.array(self._places, dtype=np.int32), np.array(self._ends, dtype=np.int64)
        rows = csr_matrix((np.array(self._values), *places), shape=(size, self._width))
        member = csr_matrix((np.ones(size), (units, np.arange(size))), shape=(number, size))
        sums = (member @ rows).tocsr()
        total = Stack()
        total._columns, total._width = dict(self._columns), self._width
        total._values, total._places = array("d", sums.data), array("i", sums.indices)
        total._ends = array("q", sums.indptr)
        return total

    def resampled(self, samples: int, random: np.random.Generator) -> Iterator[tuple[Counts, int]]:
        """The sums of resampled corpora, block by block, with the size of each block."""
        matrix, column_of = self.matrix()
        size, width = matrix.shape
        batch = max(1, min(_BLOCK // size, _SAMPLED // width))
        for start in range(0, samples, batch):
            rows = min(batch, samples - start)
            drawn = random.integers(0, size, (rows, size)) + np.arange(rows)[:, None] * size
            weights = np.bincount(drawn.ravel(), minlength=rows * size).reshape(rows, size)
            yield self.counts_of((matrix.T @ weights.T).T, column_of), rows

    def blocks(self) -> Iterator[tuple[Counts, int]]:
        """The counts of the documents, in blocks of some thousands, with the size of each block."""
        matrix, column_of = self.matrix()
        rows = max(1, _BLOCK // matrix.shape[1])
        for start in range(0, len(self), rows):
            block = matrix[start : start + rows].toarray()
            yield self.counts_of(block, column_of), len(block)

    def counts_of(self, matrix: Numbers, column_of: list[int]) -> Counts:
        """Counts whose numbers are the columns of `matrix`, which holds sums of rows of the result of `matrix()`."""
        matrix.setflags(write=False)  # several rows may share a column
        numbers = [matrix[:, column] for column in range(matrix.shape[1])]
        rows = {key: [numbers[column_of[place]] for place in self._columns[key]] for key in self._keys()}
        return Counts(numbers[column_of[0]], numbers[column_of[1]], rows)


def _distinct_columns(matrix: csc_matrix) -> tuple[list[int], list[int]]:
    """For each column of a sparse matrix its number among the distinct ones, and where each of those first occurs."""
    ends = matrix.indptr.tolist()
    numbers: dict[tuple[bytes, bytes], int] = {}
    column_of, first = [], []
    for column, (start, end) in enumerate(pairwise(ends)):
        content = matrix.indices[start:end].tobytes(), matrix.data[start:end].tobytes()
        if content not in numbers:
            numbers[content] = len(numbers)
            first.append(column)
        column_of.append(numbers[content])
    return column_of, first
