"""Texts compared: rapidfuzz, in batches."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from rapidfuzz import process
from rapidfuzz.distance import Levenshtein


def most_similar(alternatives: Sequence[str], predicted: Collection[str]) -> str:
    """The alternative most similar to any predicted text (1 - Levenshtein / longer length); the first on ties.

    >>> most_similar(["31.12.2023", "2023-12-31"], ["2023-12-3"])
    '2023-12-31'
    """
    if not predicted:
        return alternatives[0]
    similarities = process.cdist(alternatives, predicted, scorer=Levenshtein.normalized_similarity, dtype="float64")
    return alternatives[int(similarities.max(axis=1).argmax())]
