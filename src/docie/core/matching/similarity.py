"""The similarity of texts: of two, or of many with many (each distinct text is compared once)."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Sequence
from math import lcm
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray
from rapidfuzz.distance import LCSseq, Levenshtein
from rapidfuzz.process import cdist

from docie.core.matching.one_to_one import Places

T = TypeVar("T", bound=Hashable)
_BLOCK = 1_000_000  # similarities at a time
_LARGE, _LONGEST = 2**15, 100  # from this unit on, and for such long texts, similarities are floats


class Similarities:
    """1 − Levenshtein distance / length of the longer text, for each text of one list and each of another.

    Attributes:
        texts: the distinct texts of the two lists.
        rows, columns: for each text of a list, its number among the distinct ones.
        unit: the similarity 1 in the tables: a number such that all similarities are whole numbers, if it is small
            enough, else 1.0.

    >>> similarities = Similarities(["Tea", "Latte", "Tea"], ["Teo"])
    >>> similarities.rows.tolist(), similarities.unit, similarities.of(slice(0, 2)).tolist()
    ([0, 1, 0], 15, [[10], [0]])
    """

    def __init__(self, first: Sequence[str], second: Sequence[str]) -> None:
        one, self.rows = distinct(first)
        other, self.columns = distinct(second)
        self.texts = one, other
        self._lengths = tuple(np.array(list(map(len, texts)), dtype=np.int32) for texts in self.texts)
        longest = int(max(lengths.max(initial=0) for lengths in self._lengths))
        dtype = np.uint8 if longest < 2**8 else np.uint16 if longest < 2**16 else np.int32
        self._table = cdist(one, other, scorer=Levenshtein.distance, dtype=dtype)
        unit = lcm(*map(len, one), *map(len, other)) if longest < _LONGEST else _LARGE
        self.unit: float = unit if unit < _LARGE else 1.0
        if self.unit != 1.0:
            if unit > np.iinfo(dtype).max:
                self._table = self._table.astype(np.uint16)
            for kinds in self._blocks():
                self._table[kinds] = unit - self._table[kinds] * (unit // self._longer(kinds)).astype(self._table.dtype)

    def of(self, kinds: slice) -> NDArray[np.float64] | NDArray[np.int64]:
        """The similarities of some distinct texts with all texts of the other list, in units."""
        if self.unit != 1.0:
            return self._table[kinds]
        similarity = self._table[kinds] / self._longer(kinds)
        return np.subtract(1.0, similarity, out=similarity)

    def _longer(self, kinds: slice) -> NDArray[np.int32]:
        return np.maximum.outer(self._lengths[0][kinds], self._lengths[1])

    def _blocks(self) -> Iterator[slice]:
        step = max(1, _BLOCK // max(1, self._table.shape[1]))
        return (slice(start, start + step) for start in range(0, len(self._table), step))


def distinct(texts: Sequence[T]) -> tuple[list[T], Places]:
    """The distinct texts, and the position of each text among them.

    >>> texts, places = distinct(["Latte", "Tea", "Latte"])
    >>> texts, places.tolist()
    (['Latte', 'Tea'], [0, 1, 0])
    """
    places: dict[T, int] = {}
    numbers = [places.setdefault(text, len(places)) for text in texts]
    return list(places), np.array(numbers, dtype=np.int64)


_LONG = 1000  # characters: in longer texts, a distance of few errors is tried first
_FEW = 64  # errors that are tried first
_WIDEST = 8  # the part of a text up to which distances are tried: all tries take a third of the time of the whole table


def most_similar(alternatives: Sequence[str], predicted: str) -> str:
    """The alternative most similar to a predicted text (1 - Levenshtein / length of the longer); the first on ties.

    >>> most_similar(["31.12.2023", "2023-12-31"], "2023-12-3")
    '2023-12-31'
    """
    return max(alternatives, key=lambda alternative: Levenshtein.normalized_similarity(alternative, predicted))


def edit_distance(first: Sequence[Hashable], second: Sequence[Hashable]) -> int:
    """The Levenshtein distance between two texts, or between two lists of words.

    For long texts, limits are tried, each four times the one before: to see that the distance is above d takes time
    proportional to length · d, and most texts that are compared have much in common.

    >>> edit_distance("kitten", "sitting"), edit_distance(["12", "kg"], ["12"])
    (3, 1)
    """
    if len(first) <= _LONG:
        return Levenshtein.distance(first, second)
    return _distance_of_long(Levenshtein.distance, first, second)


def common_length(first: str, second: str) -> int:
    """The length of the longest common subsequence of two texts, in characters; long texts as in `edit_distance`.

    >>> common_length("kitten", "sitting")
    4
    """
    if len(first) <= _LONG:
        return LCSseq.similarity(first, second)
    return max(len(first), len(second)) - _distance_of_long(LCSseq.distance, first, second)


def _distance_of_long(distance: Callable[..., int], first: Sequence[Hashable], second: Sequence[Hashable]) -> int:
    longest, cutoff = max(len(first), len(second)), max(_FEW, abs(len(first) - len(second)))
    while cutoff < longest // _WIDEST:
        found = distance(first, second, score_cutoff=cutoff)
        if found <= cutoff:  # above the cutoff, the result is cutoff plus one
            return found
        cutoff *= 4
    return distance(first, second)
