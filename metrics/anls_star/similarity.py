"""The similarity of texts, one by one and in batches."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray
from rapidfuzz import process
from rapidfuzz.distance import Levenshtein

from docie.core.matching.similarity import distinct


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
        self._comparable: dict[str, str] = {}

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
        similarity = (longer - Levenshtein.distance(expected, predicted)) / longer
        counts = similarity > self.threshold if self.strict else similarity >= self.threshold
        return similarity if counts else 0.0

    def table(self, references: Sequence[str], predictions: Sequence[str]) -> NDArray[np.float64]:
        """The similarities of all pairs: a row for each reference, a column for each prediction.

        Each distinct pair is compared once.
        """
        (expected, rows), (predicted, columns) = distinct(references), distinct(predictions)
        expected, predicted = list(map(self._text, expected)), list(map(self._text, predicted))
        distances = process.cdist(expected, predicted, scorer=Levenshtein.distance, dtype=np.int32)
        longer = np.maximum.outer(list(map(len, expected)), list(map(len, predicted)))
        similarities: NDArray[np.float64] = (longer - distances) / longer  # no text is empty
        counts = similarities >= self.threshold
        if self.strict:
            counts = (similarities > self.threshold) | (distances == 0)
        similarities *= counts
        if len(expected) == len(rows) and len(predicted) == len(columns):
            return similarities
        return similarities[np.ix_(rows, columns)]

    def _text(self, text: str) -> str:
        """The normalised form of a text that is compared."""
        comparable = self._comparable.get(text)
        if comparable is None:
            comparable = self._comparable[text] = " ".join(text.lower().split())
        return comparable
