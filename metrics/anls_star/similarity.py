"""The similarity of texts: of two, of many with many, and the best pairs of two lists of them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from itertools import chain
from typing import Any

import numpy as np
from numpy.typing import NDArray
from rapidfuzz import process
from rapidfuzz.distance import Levenshtein

from docie.core.matching.assignment import Pairs, assign, assign_sparse
from docie.core.matching.choices import first_choices
from docie.core.matching.one_to_one import Places
from docie.core.matching.similarity import distinct, edit_distance

Table = NDArray[np.float64]
Lengths = Sequence[int] | NDArray[np.int32]

_BLOCK = 2**20  # pairs that are compared at a time, to bound memory
_CROWDED = 0.02  # the share of pairs with a similarity from which on a table is assigned faster than these pairs
_LONG = 1000  # characters: in longer texts, few errors are found in a hundredth of the time
_FEW = 1 / 16  # of the characters: so few errors


class TextSimilarity:
    """1 - Levenshtein / length of the longer text, both in lower case and with single spaces; 0 below `threshold`.

    Args:
        threshold: τ in [0, 1]. A similarity of exactly τ counts, unless `strict`. Equal texts always count.
        strict: whether a similarity of exactly τ is 0.

    >>> texts = TextSimilarity(0.5)
    >>> texts.similarity("Hello  World", "hello world!"), texts.similarity("Hello", "World")
    (0.9166666666666666, 0.0)
    """

    def __init__(self, threshold: float, *, strict: bool = False) -> None:
        self.threshold, self.strict = threshold, strict
        self._comparable: dict[str | None, str] = {}

    def similarity(self, reference: str, prediction: str) -> float:
        """The similarity of two texts."""
        if reference == prediction:
            return 1.0
        known = self._comparable
        expected = known.get(reference) or self._text(reference)
        predicted = known.get(prediction) or self._text(prediction)
        if expected == predicted:
            return 1.0
        longer = max(len(expected), len(predicted))
        similarity = (longer - edit_distance(expected, predicted)) / longer
        counts = similarity > self.threshold if self.strict else similarity >= self.threshold
        return similarity if counts else 0.0

    def table(self, references: Sequence[str], predictions: Sequence[str]) -> NDArray[np.float64]:
        """The similarities of all pairs: a row for each reference, a column for each prediction.

        Each distinct pair is compared once.
        """
        (expected, rows), (predicted, columns) = distinct(references), distinct(predictions)
        similarities = self.all_pairs(list(map(self._text, expected)), list(map(self._text, predicted)))
        if len(expected) == len(rows) and len(predicted) == len(columns):
            return similarities
        return similarities[np.ix_(rows, columns)]

    def pairs(self, references: Sequence[str | None], predictions: Sequence[str | None]) -> Pairs:
        """The pairs of the assignment with the greatest sum of similarities, without those of similarity 0.

        Most texts have a counterpart of their own that is as similar to them as no other is: equal, or in long texts
        with few errors. Then no other is sought. Nothing is as similar to nothing as a text to itself.
        """
        lists = _Lists(self, list(map(self._text, references)), list(map(self._text, predictions)))
        return first_choices(lists.closest(), lists.distances.shape) or lists.assigned()

    def all_pairs(self, expected: list[str], predicted: list[str]) -> Table:
        """The similarities of all pairs of normalised texts."""
        return self.of(self.distances(expected, predicted), list(map(len, expected)), list(map(len, predicted)))

    def of(self, distances: NDArray[Any], rows: Lengths, columns: Lengths, least: float = 0.0) -> Table:
        """The similarities for distances, where they are not below the threshold, or another one."""
        longer = np.maximum(np.maximum.outer(rows, columns), 1)  # nothing equals nothing
        similarities: Table = (longer - distances) / longer
        counts = similarities >= max(least, self.threshold)
        if self.strict:
            counts &= (similarities > self.threshold) | (distances == 0)
        similarities *= counts
        return similarities

    def distances(self, expected: list[str], predicted: list[str], least: float = 0.0) -> NDArray[Any]:
        """The distances of all pairs of normalised texts, which may be any if a similarity counts as 0."""
        longest = max(map(len, chain(expected, predicted)), default=0)
        # in short texts, all errors are counted as fast as few
        most = int((1 - max(least, self.threshold)) * longest) + 1 if longest >= _LONG else None
        dtype = np.min_scalar_type(longest + 2)
        return process.cdist(expected, predicted, scorer=Levenshtein.distance, score_cutoff=most, dtype=dtype)

    def _text(self, text: str | None) -> str:
        """The normalised form of a text that is compared."""
        comparable = self._comparable.get(text)
        if comparable is None:
            comparable = self._comparable[text] = " ".join((text or "").lower().split())
        return comparable


class _Lists:
    """Two lists of normalised texts. Distances are kept, in as few bytes as possible."""

    def __init__(self, texts: TextSimilarity, expected: list[str], predicted: list[str]) -> None:
        self.texts, self.expected, self.predicted = texts, expected, predicted
        self.lengths = [np.array(list(map(len, side)), dtype=np.int32) for side in (expected, predicted)]
        self.longest = int(max(lengths.max(initial=0) for lengths in self.lengths))
        self.distances = np.empty((len(expected), len(predicted)), dtype=np.min_scalar_type(self.longest + 2))
        self.is_known = np.zeros(len(expected), dtype=bool)

    def closest(self) -> Iterator[tuple[int, Places]]:
        """The most similar predictions of each reference that has any: equal ones first."""
        places: defaultdict[str, list[int]] = defaultdict(list)
        for place, text in enumerate(self.predicted):
            places[text].append(place)
        equal = {text: np.array(each) for text, each in places.items()}
        yield from ((row, equal[text]) for row, text in enumerate(self.expected) if text in equal)
        rest = [row for row, text in enumerate(self.expected) if text not in equal]
        for least in (1 - _FEW, 0.0) if self.longest >= _LONG else (0.0,):
            left = []
            for row, similarities in self.rows(rest, least):
                most = similarities.max()
                if most > 0:
                    yield row, np.flatnonzero(similarities == most)
                else:
                    left.append(row)
            rest = left

    def assigned(self) -> Pairs:
        """The pairs of the assignment."""
        rows = list(range(len(self.expected)))
        found, number = [], 0
        for _, similarities in self.rows(rows):
            [columns] = similarities.nonzero()
            found.append((columns, similarities[columns]))
            number += len(columns)
            if number > _CROWDED * self.distances.size:
                return self._assigned_by_table()
        ends = np.repeat(rows, [len(columns) for columns, _ in found])
        columns, weights = (np.concatenate(each) for each in zip(*found, strict=True))
        return assign_sparse(ends, columns, weights, self.distances.shape)

    def _assigned_by_table(self) -> Pairs:
        table = np.empty(self.distances.shape)
        for row, similarities in self.rows(list(range(len(table)))):
            table[row] = similarities
        places = assign(table)
        is_pair = table[places] > 0
        return places[0][is_pair], places[1][is_pair]

    def rows(self, rows: list[int], least: float = 0.0) -> Iterator[tuple[int, NDArray[np.float64]]]:
        """The similarities of some references with all predictions, where they are not below the threshold."""
        step = max(1, _BLOCK // len(self.predicted))
        for start in range(0, len(rows), step):
            block = rows[start : start + step]
            new = [row for row in block if not self.is_known[row]]
            if new:
                self.distances[new] = self.texts.distances([self.expected[row] for row in new], self.predicted, least)
                self.is_known[new] = not least
            yield from zip(
                block, self.texts.of(self.distances[block], self.lengths[0][block], self.lengths[1], least), strict=True
            )
