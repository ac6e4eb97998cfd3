"""The savings of pairs of entities, for one or a few categories.

There are three layers: the saving of a pair in ECER (1 - CER, not below 0), in EWER (1 - WER), and in Nerval (1 for a
match).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray
from rapidfuzz import process
from rapidfuzz.distance import Levenshtein

from docie.core.matching.assignment import Pairs, assign, assign_sparse
from docie.core.matching.choices import first_choices
from docie.core.matching.one_to_one import Places, matched_rows
from docie.core.matching.similarity import distinct, edit_distance

Matrix = NDArray[np.float64]
"""Often with three layers: (layer, reference, prediction)."""
Which = Places | slice
"""Some of the references, or of the predictions."""
ALL = slice(None)
ZERO = np.zeros((3, 1))

_ONE_TABLE = 250_000  # pairs: up to this number, all layers are kept; of more, only the distances, in a tenth of memory
_CROWDED = 0.1  # the share of pairs with a saving from which on a table is assigned faster than these pairs
_BLOCK = 2**14  # pairs whose savings are computed at a time: they fit the processor's cache
_LONG = 1000  # characters: from this length on, texts with few errors are compared faster


class Savings:
    """The savings of pairs of references (rows) and predictions (columns); a pair matches if its CER is at most the
    threshold.

    Args:
        references, predictions: their texts.
        threshold: the greatest CER of a match.
        is_possible: which pairs may save anything; None if all may.
    """

    def __init__(
        self,
        references: Sequence[str],
        predictions: Sequence[str],
        threshold: float,
        is_possible: NDArray[np.bool_] | None = None,
    ) -> None:
        words = [tuple(text.split()) for text in references], [tuple(text.split()) for text in predictions]
        self.threshold = threshold
        self.distances = [_distances(references, predictions), _distances(*words)]
        self.lengths = [np.array([[len(each) or 1] for each in side]) for side in (references, words[0])]
        self.whole: Matrix | None = None
        if len(references) * len(predictions) <= _ONE_TABLE:
            self.whole = self.table()
            if is_possible is not None:
                self.whole *= is_possible

    def table(self, places: Which = ALL) -> Matrix:
        """The savings of some references, in three layers."""
        if self.whole is not None:
            return self.whole[:, places]
        result = np.empty((3, *self.distances[0][places].shape))
        for costs, distances, lengths in zip(result, self.distances, self.lengths, strict=False):
            _costs(distances[places], lengths[places], costs)
        np.less_equal(result[0], self.threshold, out=result[2])
        np.subtract(1, result[:2], out=result[:2])
        return result

    def rows(self, places: Which = ALL, columns: Which = ALL, *, plus: Matrix = ZERO) -> Iterable[Matrix]:
        """The savings of each of these references with these predictions: (layer, prediction), with `plus` added."""
        if self.whole is not None:
            rows: Matrix = self.whole.swapaxes(0, 1)[places][:, :, columns] + plus
            return rows
        return self._in_blocks(np.arange(len(self.lengths[0]))[places], columns, plus)

    def _in_blocks(self, places: Places, columns: Which, plus: Matrix) -> Iterator[Matrix]:
        for block in _blocks(self.distances[0][: len(places)]):
            yield from self.table(places[block]).swapaxes(0, 1)[:, :, columns] + plus

    def best(self, layer: int) -> tuple[Places, Matrix]:
        """The references of the assignment with the greatest saving in a layer, and the saving of each."""
        if self.whole is not None:
            found = assign(self.whole[layer])
            return found[0], self.whole[layer][found]
        if layer == 2:
            rows = self._matched()
            return rows, np.ones(len(rows))
        distances, lengths = self.distances[layer], self.lengths[layer]
        found = first_choices(self._nearest(layer), distances.shape) or self._assigned(distances, lengths)
        return found[0], 1 - _costs(distances[found], lengths[found[0], 0])

    @staticmethod
    def _assigned(distances: NDArray[Any], lengths: NDArray[np.int64]) -> Pairs:
        saves = distances < lengths
        if np.count_nonzero(saves) > _CROWDED * saves.size:
            return assign(1 - _costs(distances, lengths))
        rows, columns = saves.nonzero()
        weights = 1 - _costs(distances[rows, columns], lengths[rows, 0])
        return assign_sparse(rows, columns, weights, distances.shape)

    def _nearest(self, layer: int) -> Iterator[tuple[int, Places]]:
        """The nearest predictions of each reference that can save anything: a row has one length."""
        distances, lengths = self.distances[layer], self.lengths[layer]
        least = distances.min(axis=1)
        for row in np.flatnonzero(least < lengths[:, 0]).tolist():
            yield row, np.flatnonzero(distances[row] == least[row])

    def _matched(self) -> Places:
        """The references in a maximum matching of those that match."""
        distances, lengths = self.distances[0], self.lengths[0]
        fits = np.empty(distances.shape, dtype=bool)
        for block in _blocks(fits):
            np.less_equal(_costs(distances[block], lengths[block]), self.threshold, out=fits[block])
        starts = np.concatenate([[0], np.count_nonzero(fits, axis=1).cumsum()])
        return np.flatnonzero(matched_rows(starts, fits.nonzero()[1]))


def _blocks(table: NDArray[Any]) -> Iterator[slice]:
    step = max(1, _BLOCK // table.shape[1])
    return (slice(start, start + step) for start in range(0, len(table), step))


def _costs(distances: NDArray[Any], lengths: NDArray[np.int64], out: Matrix | None = None) -> Matrix:
    """min(1, distance / length of the reference), in characters or in words; 1 from an empty reference to any other."""
    costs: Matrix = np.divide(distances, lengths, out=out)
    return np.minimum(costs, 1.0, out=costs)


def _distances(references: Sequence[Any], predictions: Sequence[Any]) -> NDArray[Any]:
    """The distances of texts, or of lists of words, in as few bytes as possible."""
    if len(references) * len(predictions) > _ONE_TABLE:  # then it pays to compare each distinct pair once
        (rows, row_places), (columns, column_places) = distinct(references), distinct(predictions)
        if (len(rows), len(columns)) != (len(references), len(predictions)):
            return _distances(rows, columns)[np.ix_(row_places, column_places)]
    longest = [max(map(len, side), default=0) for side in (references, predictions)]
    if min(longest) < _LONG:
        dtype = np.min_scalar_type(max(longest))
        return process.cdist(references, predictions, scorer=Levenshtein.distance, dtype=dtype)
    return np.array([[edit_distance(one, other) for other in predictions] for one in references], dtype=np.int32)
