"""The similarity of two texts, and the distinct ones of many."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from typing import TypeVar

import numpy as np
from rapidfuzz.distance import LCSseq, Levenshtein

from docie.core.matching.one_to_one import Places

T = TypeVar("T", bound=Hashable)


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
