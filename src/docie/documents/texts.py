"""Choices among texts, and how much two texts differ."""

from __future__ import annotations

from collections.abc import Collection, Hashable, Sequence

from rapidfuzz import process
from rapidfuzz.distance import LCSseq, Levenshtein

_LONG = 1000  # characters, from which a few errors are looked for first
_FEW = 64  # errors that are looked for first
_WIDEST = 8  # the part of a text up to which errors are looked for: all tries take a third of the whole table


def most_similar(alternatives: Sequence[str], predicted: Collection[str]) -> str:
    """The alternative most similar to any predicted text (1 - Levenshtein / length of the longer); the first on ties.

    >>> most_similar(["31.12.2023", "2023-12-31"], ["2023-12-3"])
    '2023-12-31'
    >>> most_similar(["azaz", "aaaa"], ["aaaa", "zzzz"])
    'aaaa'
    """
    if not predicted:
        return alternatives[0]
    similarities = process.cdist(alternatives, predicted, scorer=Levenshtein.normalized_similarity, dtype="float64")
    return alternatives[int(similarities.max(axis=1).argmax())]


def edit_distance(first: Sequence[Hashable], second: Sequence[Hashable]) -> int:
    """The Levenshtein distance of two texts, or of two lists of words.

    Of long ones, distances are tried that are four times as great from one to the next: to see that the distance is not
    above d takes time in proportion to length · d, and most texts that are compared have much in common.

    >>> edit_distance("kitten", "sitting"), edit_distance(["12", "kg"], ["12"])
    (3, 1)
    """
    if len(first) <= _LONG:
        return Levenshtein.distance(first, second)
    longest, cutoff = max(len(first), len(second)), max(_FEW, abs(len(first) - len(second)))
    while cutoff < longest // _WIDEST:
        distance = Levenshtein.distance(first, second, score_cutoff=cutoff)
        if distance <= cutoff:
            return distance
        cutoff *= 4
    return Levenshtein.distance(first, second)


def common_length(first: str, second: str) -> int:
    """The length of the longest common subsequence of two texts, in characters; long ones as in `edit_distance`.

    >>> common_length("kitten", "sitting")
    4
    """
    if len(first) <= _LONG:
        return LCSseq.similarity(first, second)
    longest, missing = max(len(first), len(second)), max(_FEW, abs(len(first) - len(second)))
    while missing < longest // _WIDEST:
        length = LCSseq.similarity(first, second, score_cutoff=longest - missing)
        if length:  # below the cutoff it is 0
            return length
        missing *= 4
    return LCSseq.similarity(first, second)
