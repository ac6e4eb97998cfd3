"""Scores of many counts at once: of each document, and of resampled corpora (Efron and Tibshirani, 1993).

The counts of documents are stacked as the rows of one matrix. The `score` of a family is arithmetic, so it takes the
columns as arrays: the scores of all documents are one call, and a bootstrap is one matrix product and one call.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_matrix

from docie.counts import Counts, Key, Number
from docie.errors import shortened
from docie.settings import check_whole

Score = Callable[[Counts], dict[str, Number]]
Tables = dict[str, dict[str, dict[str, Any]]]
_BLOCK = 4_000_000  # numbers in memory at a time


def check(*, confidence_level: float | None = None, bootstrap_samples: int = 1, seed: int = 0) -> None:
    """Raise ValueError for a confidence level, a number of samples or a seed that makes no sense."""
    is_number = isinstance(confidence_level, int | float) and not isinstance(confidence_level, bool)
    if confidence_level is not None and not (is_number and 0 < confidence_level < 1):
        raise ValueError(f"confidence_level must be between 0 and 1, got {shortened(confidence_level)}")
    for name, value, least in (("bootstrap_samples", bootstrap_samples, 1), ("seed", seed, 0)):
        check_whole(name, value, least)


def resampled(documents: Stack, *, samples: int = 1000, seed: int = 0) -> Counts:
    """The counts of resampled corpora: every number is an array, with one element for each sample.

    Args:
        documents (Stack): the counts of the documents.
        samples (int): the number of corpora. Each has as many documents as this one, drawn with replacement.
        seed (int): of the draws.

    Returns:
        Counts: its numbers are arrays of the length `samples`; without documents, it is empty.

    >>> stack = Stack()
    >>> stack.extend([Counts(1, 0, {("correct",): [1]})] * 3)
    >>> resampled(stack, samples=2).rows["correct",][0].tolist()
    [3, 3]
    """
    if not documents:
        return Counts()
    return documents.counts(documents.resample(samples, np.random.default_rng(seed)))


def intervals(figures: Mapping[str, Number], confidence_level: float) -> dict[str, list[float]]:
    """Percentile intervals of figures of resampled corpora: `{"<figure>_interval": [low, high]}`.

    Args:
        figures (dict): from names to arrays, with one element for each sample, or to single numbers.
        confidence_level (float): between 0 and 1.

    Returns:
        dict: from names, with `_interval` behind them, to lists of two numbers.

    >>> intervals({"f1": np.array([0.5, 0.75, 1.0])}, 0.5)
    {'f1_interval': [0.625, 0.875]}
    """
    tail = (1 - confidence_level) / 2
    return {
        f"{name}_interval": np.quantile(np.atleast_1d(values), [tail, 1 - tail]).tolist()
        for name, values in figures.items()
    }


def add_intervals(tables: Tables, resampled_tables: Tables, confidence_level: float) -> None:
    """Add to every row of the tables the intervals of its scores (not those of its numbers of entities).

    Args:
        tables: the `breakdown` of a corpus.
        resampled_tables: that of its resampled counts. In a sample without an entity type, its F1 is 1.0.
        confidence_level: between 0 and 1.
    """
    for title, table in tables.items():
        for name, row in table.items():
            scores = [figure for figure, value in row.items() if isinstance(value, float)]
            of_samples = resampled_tables[title][name]
            row |= intervals({figure: of_samples[figure] for figure in scores}, confidence_level)


def score_each(score: Score, documents: Stack) -> list[dict[str, float]]:
    """The scores of every document by itself."""
    rows: list[dict[str, float]] = []
    for counts, size in documents.blocks():
        columns = {name: np.broadcast_to(values, size).tolist() for name, values in score(counts).items()}
        rows += [dict(zip(columns, values, strict=True)) for values in zip(*columns.values(), strict=True)]
    return rows


class Stack:
    """The counts of documents as one sparse matrix: a row for each document, a column for each number.

    Only what is not zero is kept, so that a hundred thousand documents fit into memory.

    >>> stack = Stack()
    >>> stack.extend([Counts(1, 0, {("correct",): [1]}), Counts(1, 1, {("correct",): [0]})])
    >>> len(stack), stack.matrix().toarray().tolist()
    (2, [[1, 0, 1], [1, 1, 0]])
    """

    def __init__(self) -> None:
        self._columns: dict[Key, range] = {}
        self._width = 2
        self._values, self._places, self._ends = array("d"), array("i"), array("q", [0])

    def __len__(self) -> int:
        return len(self._ends) - 1

    def extend(self, documents: Iterable[Counts]) -> None:
        """Add the counts of documents, each as a row."""
        for document in documents:
            self._append(range(2), (document.documents, document.invalid_predictions))
            for key, numbers in document.rows.items():
                if key not in self._columns:
                    self._columns[key] = range(self._width, self._width + len(numbers))
                    self._width += len(numbers)
                self._append(self._columns[key], numbers)
            self._ends.append(len(self._values))

    def _append(self, columns: range, numbers: Iterable[Number]) -> None:
        for column, number in zip(columns, numbers, strict=True):
            if number:
                self._values.append(number)
                self._places.append(column)

    def matrix(self) -> Any:
        """All rows, as a sparse matrix."""
        data: NDArray[Any] = np.array(self._values)
        if np.array_equal(data, data.astype(np.int64)):
            data = data.astype(np.int64)  # counts of entities stay whole numbers
        places = np.array(self._places, dtype=np.int32), np.array(self._ends, dtype=np.int64)
        return csr_matrix((data, *places), shape=(len(self), self._width))

    def counts(self, matrix: NDArray[Any]) -> Counts:
        """Counts whose numbers are the columns of `matrix`."""
        rows = {key: [matrix[:, column] for column in columns] for key, columns in self._columns.items()}
        return Counts(matrix[:, 0], matrix[:, 1], rows)

    def resample(self, samples: int, random: np.random.Generator) -> NDArray[Any]:
        """The sums of `samples` corpora. Each has as many documents as this one, drawn with replacement."""
        size, columns = len(self), self.matrix().T
        batch = max(1, _BLOCK // size)
        sums = []
        for start in range(0, samples, batch):
            rows = min(batch, samples - start)
            drawn = random.integers(0, size, (rows, size)) + np.arange(rows)[:, None] * size
            weights = np.bincount(drawn.ravel(), minlength=rows * size).reshape(rows, size)
            sums.append((columns @ weights.T).T)
        return np.concatenate(sums)

    def blocks(self) -> Iterator[tuple[Counts, int]]:
        """The counts of the documents, some thousands at a time, each with their number."""
        matrix, rows = self.matrix(), max(1, _BLOCK // self._width)
        for start in range(0, len(self), rows):
            block = matrix[start : start + rows].toarray()
            yield self.counts(block), len(block)
