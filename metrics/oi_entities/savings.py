"""The savings of pairs of entities, for one or a few categories: as one table, or for many pairs layer by layer.

There are three layers: the saving of a pair in ECER (1 - CER, not below 0), in EWER (1 - WER), and in Nerval (1 for a
match).
"""

from __future__ import annotations

import sys
from collections.abc import Hashable, Iterable, Sequence
from itertools import chain
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray
from rapidfuzz import process
from rapidfuzz.distance import Levenshtein

from docie.core.matching.one_to_one import Places, components, matched_rows
from docie.core.matching.similarity import distinct, edit_distance

Matrix = NDArray[np.float64]
"""Often with three layers: (layer, reference, prediction)."""
Which = Places | slice
"""Some of the references, or of the predictions."""
ALL = slice(None)
ZERO = np.zeros((3, 1))

_ONE_TABLE = 250_000  # pairs: up to this number, all layers fit into one table
_LONG = 1000  # characters: from this length on, texts with few errors are compared faster
_FEW = 0.1  # a share of pairs with a saving: below it, independent parts are assigned one by one


class Savings(Protocol):
    """The savings of pairs of references (rows) and predictions (columns)."""

    def rows(self, places: Which = ALL, columns: Which = ALL, *, plus: Matrix = ZERO) -> Iterable[Matrix]:
        """The savings of each of these references with these predictions: (layer, prediction), with `plus` added."""

    def best(self, layer: int) -> tuple[Places, Matrix]:
        """The references of the assignment with the greatest saving in a layer, and the saving of each."""


def savings_of(references: list[str], predictions: list[str], threshold: float) -> Savings:
    """The savings of pairs; a pair matches if its CER is at most the threshold."""
    if len(references) * len(predictions) <= _ONE_TABLE:
        return Table(table_of(references, predictions, threshold))
    return Layers(references, predictions, threshold)


def table_of(references: list[str], predictions: list[str], threshold: float) -> Matrix:
    """The savings of pairs, in three layers."""
    result = np.empty((3, len(references), len(predictions)))
    sides: list[tuple[Sequence[Any], Sequence[Any]]] = [
        (references, predictions),
        ([text.split() for text in references], [text.split() for text in predictions]),
    ]
    for costs, (first, second) in zip(result, sides, strict=False):
        _costs(_distance_table(first, second), _lengths(first), costs)
    np.less_equal(result[0], threshold, out=result[2])
    np.subtract(1, result[:2], out=result[:2])
    return result


class Table:
    """All layers in one table."""

    def __init__(self, table: Matrix) -> None:
        self.table = table

    def rows(self, places: Which = ALL, columns: Which = ALL, *, plus: Matrix = ZERO) -> Iterable[Matrix]:
        rows: Matrix = self.table.swapaxes(0, 1)[places][:, :, columns] + plus
        return rows

    def best(self, layer: int) -> tuple[Places, Matrix]:
        from scipy.optimize import linear_sum_assignment

        rows, columns = linear_sum_assignment(self.table[layer], maximize=True)
        return rows, self.table[layer][rows, columns]


class Layers:
    """Distances in as few bytes as possible, from which a layer or a row is computed on demand."""

    def __init__(self, references: list[str], predictions: list[str], threshold: float) -> None:
        self.threshold = threshold
        words = [text.split() for text in references], [text.split() for text in predictions]
        self.lengths = [_lengths(references), _lengths(words[0])]
        self.distances = [_distances(references, predictions), _distances(*_written(*words))]

    def rows(self, places: Which = ALL, columns: Which = ALL, *, plus: Matrix = ZERO) -> Iterable[Matrix]:
        for place in np.arange(len(self.lengths[0]))[places].tolist():  # one by one: the whole table would not fit
            yield self._savings(slice(place, place + 1))[:, 0, columns] + plus

    def _savings(self, rows: slice) -> Matrix:
        result = np.empty((3, *self.distances[0][rows].shape))
        for layer in (0, 1):
            _costs(self.distances[layer][rows], self.lengths[layer][rows], result[layer])
        np.less_equal(result[0], self.threshold, out=result[2])
        np.subtract(1, result[:2], out=result[:2])
        return result

    def best(self, layer: int) -> tuple[Places, Matrix]:
        from scipy.optimize import linear_sum_assignment

        distances, lengths = self.distances[layer % 2], self.lengths[layer % 2]
        # whole numbers are compared, not their quotients, which take eight times as much memory
        if layer == 2:
            fits = distances <= _most(lengths, self.threshold).astype(distances.dtype)
            starts = np.concatenate([[0], np.count_nonzero(fits, axis=1).cumsum()])
            rows = np.flatnonzero(matched_rows(starts, fits.nonzero()[1]))
            return rows, np.ones(len(rows))
        is_cheap = distances < lengths.astype(distances.dtype)
        if np.count_nonzero(is_cheap) > _FEW * distances.size:
            rows, columns = linear_sum_assignment(_costs(distances, lengths))
        else:
            rows, columns = _in_parts(distances, lengths, components(is_cheap.nonzero(), distances.shape))
        return rows, 1 - _costs(distances[rows, columns], lengths[rows, 0])


def _most(lengths: NDArray[np.int64], threshold: float) -> NDArray[np.int64]:
    """The greatest distances whose costs are at most the threshold.

    >>> _most(np.array([[3], [10], [300]]), 0.1).ravel().tolist()
    [0, 1, 30]
    """
    if threshold >= 1:
        return np.full_like(lengths, -1)  # as an unsigned number, the greatest: any distance costs at most 1
    most: NDArray[np.int64] = np.floor(threshold * lengths).astype(np.int64)
    most += (most + 1) / lengths <= threshold  # products are rounded, so these may be one off
    most -= most / lengths > threshold
    return most


def _in_parts(
    distances: NDArray[Any], lengths: NDArray[np.int64], near: Iterable[tuple[Places, Places]]
) -> tuple[Places, Places]:
    """The cheapest assignment, without the pairs that save nothing."""
    from scipy.optimize import linear_sum_assignment

    found = [(np.empty(0, np.intp), np.empty(0, np.intp))]
    for rows, columns in near:
        row, column = linear_sum_assignment(_costs(distances[np.ix_(rows, columns)], lengths[rows]))
        found.append((rows[row], columns[column]))
    rows, columns = (np.concatenate(places) for places in zip(*found, strict=True))
    order = rows.argsort()  # a sum does not depend on the order of parts
    return rows[order], columns[order]


def _written(first: list[list[str]], second: list[list[str]]) -> tuple[Sequence[Hashable], Sequence[Hashable]]:
    """Lists of words as texts in which a character stands for a word: these are faster to compare."""
    numbers: dict[str, int] = {}
    for text in chain(first, second):
        for word in text:
            numbers.setdefault(word, len(numbers))
    if len(numbers) > sys.maxunicode:
        return list(map(tuple, first)), list(map(tuple, second))
    one, other = (["".join([chr(numbers[word]) for word in text]) for text in side] for side in (first, second))
    return one, other


def _distance_table(references: Sequence[Any], predictions: Sequence[Any]) -> NDArray[np.int32]:
    if max(map(len, references), default=0) < _LONG or max(map(len, predictions), default=0) < _LONG:
        return process.cdist(references, predictions, scorer=Levenshtein.distance, dtype=np.int32)
    return np.array([[edit_distance(one, other) for other in predictions] for one in references], dtype=np.int32)


def _lengths(references: Sequence[Sequence[Any]]) -> NDArray[np.int64]:
    return np.array([[len(reference) or 1] for reference in references])


def _distances(references: Sequence[Any], predictions: Sequence[Any]) -> NDArray[Any]:
    """The distances of texts, each distinct pair compared once, in as few bytes as possible."""
    (rows, row_places), (columns, column_places) = distinct(references), distinct(predictions)
    dtype = np.min_scalar_type(max(map(len, (*rows, *columns)), default=0))
    distances = process.cdist(rows, columns, scorer=Levenshtein.distance, dtype=dtype)
    if distances.shape == (len(references), len(predictions)):
        return distances
    return distances[np.ix_(row_places, column_places)]  # contiguous rows: they are used one by one


def _costs(distances: NDArray[Any], lengths: NDArray[np.int64], out: Matrix | None = None) -> Matrix:
    """min(1, distance / length of the reference), in characters or in words; 1 from an empty reference to any other."""
    costs = np.empty(distances.shape) if out is None else out
    np.divide(distances, lengths, out=costs)
    return np.minimum(costs, 1.0, out=costs)
