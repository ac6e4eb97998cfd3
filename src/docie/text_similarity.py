"""The similarity of texts, one by one and in batches."""

from __future__ import annotations

from collections.abc import Collection, Sequence

import numpy as np
from numpy.typing import NDArray
from rapidfuzz import process
from rapidfuzz.distance import Levenshtein


class TextSimilarity:
    """1 - Levenshtein / length of the longer text, both lower-cased, white space collapsed; 0 below `threshold`.

    A similarity of exactly the threshold counts, unless `strict`; equal texts always do.

    >>> texts = TextSimilarity(0.5)
    >>> texts.similarity("Hello  World", "hello world!"), texts.similarity("Hello", "World")
    (0.9166666666666666, 0.0)
    """

    def __init__(self, threshold: float, *, strict: bool = False) -> None:
        self.threshold, self.strict = threshold, strict
        self._comparable: dict[str, str] = {}

    def similarity(self, reference: str, prediction: str) -> float:
        """The similarity of two texts."""
        if reference == prediction:
            return 1.0
        known = self._comparable
        one = known.get(reference) or self._text(reference)
        other = known.get(prediction) or self._text(prediction)
        if one == other:
            return 1.0
        longest = max(len(one), len(other))
        similarity = (longest - Levenshtein.distance(one, other)) / longest
        counts = similarity > self.threshold if self.strict else similarity >= self.threshold
        return similarity if counts else 0.0

    def table(self, references: Sequence[str], predictions: Sequence[str]) -> NDArray[np.float64]:
        """The similarities of all pairs, a row a reference; each distinct pair is compared once."""
        (left, rows), (right, columns) = distinct(references), distinct(predictions)
        left, right = list(map(self._text, left)), list(map(self._text, right))
        distances = process.cdist(left, right, scorer=Levenshtein.distance, dtype=np.int32)
        longest = np.maximum.outer(list(map(len, left)), list(map(len, right)))
        similarities: NDArray[np.float64] = (longest - distances) / longest  # no text is empty
        counts = similarities >= self.threshold
        if self.strict:
            counts = (similarities > self.threshold) | (distances == 0)
        similarities *= counts
        if len(left) == len(rows) and len(right) == len(columns):
            return similarities
        return similarities[np.ix_(rows, columns)]

    def _text(self, text: str) -> str:
        """The text in comparable form."""
        comparable = self._comparable.get(text)
        if comparable is None:
            comparable = self._comparable[text] = " ".join(text.lower().split())
        return comparable


def distinct(texts: Sequence[str]) -> tuple[list[str], list[int]]:
    """The distinct texts, and the place among them of every text.

    >>> distinct(["Latte", "Tea", "Latte"])
    (['Latte', 'Tea'], [0, 1, 0])
    """
    places = {text: place for place, text in enumerate(dict.fromkeys(texts))}
    return list(places), [places[text] for text in texts]


def most_similar(alternatives: Sequence[str], predicted: Collection[str]) -> str:
    """The alternative most similar to any predicted text (1 - Levenshtein / longer length); the first on ties.

    >>> most_similar(["31.12.2023", "2023-12-31"], ["2023-12-3"])
    '2023-12-31'
    >>> most_similar(["azaz", "aaaa"], ["aaaa", "zzzz"])
    'aaaa'
    """
    if not predicted:
        return alternatives[0]
    similarities = process.cdist(alternatives, predicted, scorer=Levenshtein.normalized_similarity, dtype="float64")
    return alternatives[int(similarities.max(axis=1).argmax())]
