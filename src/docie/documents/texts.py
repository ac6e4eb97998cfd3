"""Choices among texts."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from rapidfuzz import process
from rapidfuzz.distance import Levenshtein


def distinct(texts: Sequence[str]) -> tuple[list[str], list[int]]:
    """The distinct texts, and for every text its place among them.

    >>> distinct(["Latte", "Tea", "Latte"])
    (['Latte', 'Tea'], [0, 1, 0])
    """
    places = {text: place for place, text in enumerate(dict.fromkeys(texts))}
    return list(places), [places[text] for text in texts]


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
