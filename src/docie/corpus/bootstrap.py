"""Scores of many counts at once: of each document, and of resampled corpora (Efron and Tibshirani, 1993).

The counts of documents are stacked as the rows of one matrix. The `score` of a family is arithmetic, so it takes the
columns as arrays: the scores of all documents are one call, and a bootstrap is one matrix product and one call.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterator
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_matrix

from docie.counts import Counts, Key, Number
from docie.errors import shortened
from docie.settings import check_whole

Score = Callable[[Counts], dict[str, Number]]
MOST_SAMPLES = 10_000_000
"""The number of bootstrap samples at most: their figures are kept in memory."""
_BLOCK = 4_000_000  # numbers in memory at a time
_SAMPLED = 4 * _BLOCK  # more for samples: each block of these is one call of `score`, whatever its size


def check(*, confidence_level: float | None = None, bootstrap_samples: int = 1, seed: int = 0) -> None:
    """Raise ValueError for a confidence level, a number of samples or a seed that makes no sense."""
    is_number = isinstance(confidence_level, int | float) and not isinstance(confidence_level, bool)
    if confidence_level is not None and not (is_number and 0 < confidence_level < 1):
        raise ValueError(f"confidence_level must be between 0 and 1, got {shortened(confidence_level)}")
    check_whole("bootstrap_samples", bootstrap_samples, 1, most=MOST_SAMPLES)
    check_whole("seed", seed, 0)


def intervals(
    score: Score, documents: list[Counts], confidence_level: float, *, samples: int, seed: int
) -> dict[str, list[float]]:
    """Percentile intervals of every score over resampled documents: `{"<score>_interval": [low, high]}`."""
    if not documents:
        return {f"{name}_interval": [float(value)] * 2 for name, value in score(Counts()).items()}
    stack = _Stack(documents)
    blocks = [
        {name: np.broadcast_to(values, size) for name, values in score(counts).items()}
        for counts, size in stack.resampled(samples, np.random.default_rng(seed))
    ]
    resampled = {name: np.concatenate([block[name] for block in blocks]) for name in blocks[0]}
    tail = (1 - confidence_level) / 2
    return {f"{name}_interval": np.quantile(values, [tail, 1 - tail]).tolist() for name, values in resampled.items()}


def score_each(score: Score, documents: list[Counts]) -> list[dict[str, float]]:
    """The scores of every document by itself."""
    rows: list[dict[str, float]] = []
    for counts, size in _Stack(documents).blocks() if documents else ():
        columns = {name: np.broadcast_to(values, size).tolist() for name, values in score(counts).items()}
        rows += [dict(zip(columns, values, strict=True)) for values in zip(*columns.values(), strict=True)]
    return rows


class _Stack:
    """The counts of documents as one sparse matrix: a row for each document, a column for each number.

    Numbers that are equal in all documents, as those of names that occur once in the same document, share a column.
    """

    def __init__(self, documents: list[Counts]) -> None:
        self.columns: dict[Key, range] = {}
        width = 2
        values, columns, ends = array("d"), array("q"), array("q", [0])
        for document in documents:
            values.extend((document.documents, document.invalid_predictions))
            columns.extend((0, 1))
            for key, numbers in document.rows.items():
                if key not in self.columns:
                    self.columns[key] = range(width, width + len(numbers))
                    width += len(numbers)
                values.extend(numbers)
                columns.extend(self.columns[key])
            ends.append(len(values))
        data: NDArray[Any] = np.frombuffer(values)
        if np.array_equal(data, data.astype(np.int64)):
            data = data.astype(np.int64)  # counts of entities stay whole numbers
        indices = (np.frombuffer(columns, dtype=np.int64), np.frombuffer(ends, dtype=np.int64))
        matrix = csr_matrix((data, *indices), shape=(len(documents), width)).tocsc()
        self.column_of, first = _distinct_columns(matrix)
        self.matrix = matrix[:, first].tocsr()

    def counts(self, matrix: NDArray[Any]) -> Counts:
        """Counts whose numbers are the columns of `matrix`."""
        matrix.setflags(write=False)  # several rows may share a column
        numbers = [matrix[:, column] for column in range(matrix.shape[1])]
        rows = {key: [numbers[self.column_of[place]] for place in places] for key, places in self.columns.items()}
        return Counts(numbers[self.column_of[0]], numbers[self.column_of[1]], rows)

    def resampled(self, samples: int, random: np.random.Generator) -> Iterator[tuple[Counts, int]]:
        """The sums of `samples` corpora, some at a time, each time with their number.

        Each corpus has as many documents as this one, drawn with replacement.
        """
        size, width = self.matrix.shape
        batch = max(1, min(_BLOCK // size, _SAMPLED // width))
        for start in range(0, samples, batch):
            rows = min(batch, samples - start)
            drawn = random.integers(0, size, (rows, size)) + np.arange(rows)[:, None] * size
            weights = np.bincount(drawn.ravel(), minlength=rows * size).reshape(rows, size)
            yield self.counts((self.matrix.T @ weights.T).T), rows

    def blocks(self) -> Iterator[tuple[Counts, int]]:
        """The counts of the documents, some thousands at a time, each with their number."""
        rows = max(1, _BLOCK // self.matrix.shape[1])
        for start in range(0, self.matrix.shape[0], rows):
            block = self.matrix[start : start + rows].toarray()
            yield self.counts(block), len(block)


def _distinct_columns(matrix: Any) -> tuple[list[int], list[int]]:
    """For each column of a sparse matrix its number among the distinct ones, and where each of those first stands."""
    matrix.eliminate_zeros()
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
