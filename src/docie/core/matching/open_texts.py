"""Reference texts with alternatives, and which alternatives count beside a predicted text.

The text of a field is its values, joined by a space, and any of them may have alternatives. All orders in which HED,
UHED and text match compare texts are weighted sums: a character that prediction and reference have in common adds
something, a character of the reference costs something. So the best text is found exactly, value by value: the best
common subsequence with the values so far, for each length of the predicted text, is all that the next value needs.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import product
from math import prod
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from rapidfuzz import process
from rapidfuzz.distance import LCSseq

from docie.core.matching.similarity import common_length

Integers = NDArray[np.int64]
_FEW = 32  # texts of one field: up to this many are written out, and compared by rapidfuzz
_BLOCK = 2**22  # pairs of texts, or of a text and a character, at a time


class Weights(NamedTuple):
    """What a common character adds to the value of a reference text, and what each of its characters costs."""

    common: int
    length: int


Order = Callable[[int], Weights]
"""The weights that sort texts, given a number that no text exceeds in length."""


def most_common(longest: int) -> Weights:
    """The order of UHED and text match: most common characters, then fewest others.

    >>> OpenText([("2", "Latte")]).taken("Late 2", most_common)
    'Latte'
    """
    return Weights(longest + 1, 1)


def fewest_others(longest: int) -> Weights:
    """The order of HED: fewest characters that are not common, then most common ones.

    >>> OpenText([("a", "a-----b")]).taken("ab", fewest_others)
    'a'
    """
    return Weights(2 * (longest + 1) + 1, longest + 1)


class OpenText(str):
    """A reference text with alternatives. By itself it is the text of the first ones, as what is paired with nothing.

    It equals no other text, and is sorted behind the same text without alternatives.

    Args:
        values: the values of the field in order, each as its alternatives.

    >>> text = OpenText([("Tea", "Latte"), ("hot",)])
    >>> str(text), text.taken("Late hot", most_common), text.taken("Te", most_common)
    ('Tea hot', 'Latte hot', 'Tea hot')
    """

    __slots__ = ("segments",)
    segments: tuple[tuple[str, ...], ...]

    def __new__(cls, values: Sequence[Sequence[str]]) -> OpenText:
        """The text of the first alternatives."""
        first, *others = values
        segments = (tuple(first), *(tuple(f" {text}" for text in alternatives) for alternatives in others))
        text = super().__new__(cls, "".join(alternatives[0] for alternatives in segments))
        text.segments = segments
        return text

    def __eq__(self, other: object) -> bool:
        return isinstance(other, OpenText) and self.segments == other.segments

    def __hash__(self) -> int:
        return hash(self.segments)

    def __lt__(self, other: str) -> bool:
        return _sort_key(self) < _sort_key(other)

    def __gt__(self, other: str) -> bool:
        return _sort_key(self) > _sort_key(other)

    @property
    def shortest(self) -> int:
        """The length of the shortest text."""
        return sum(min(map(len, alternatives)) for alternatives in self.segments)

    @property
    def longest(self) -> int:
        """The length of the longest text."""
        return sum(max(map(len, alternatives)) for alternatives in self.segments)

    @property
    def has_few_texts(self) -> bool:
        """Whether it is cheaper to compare all of its texts than to go value by value."""
        numbers = [len(alternatives) for alternatives in self.segments if len(alternatives) > 1]
        return len(numbers) == 1 or prod(numbers) <= _FEW

    def texts(self) -> list[str]:
        """All of its texts, those with the first alternatives first."""
        return ["".join(texts) for texts in product(*self.segments)]

    def taken(self, predicted: str, order: Order) -> str:
        """The text that counts beside a predicted text; the first on ties."""
        weights = order(max(len(predicted), self.longest))
        if not self.has_few_texts:
            return _by_values(predicted, self, weights)
        return max(
            self.texts(),
            key=lambda text: weights.common * common_length(predicted, text) - weights.length * len(text),
        )


def _sort_key(text: str) -> tuple[str, tuple[tuple[str, ...], ...]]:
    return str(text), text.segments if isinstance(text, OpenText) else ()


def extra_values(predicted: Sequence[str], expected: Sequence[str], weights: Weights) -> Integers:
    """What the best text of each reference text (columns) is worth beside each predicted text (rows).

    It is the value of its common characters, less the cost of the characters that it has more than the first text. So
    it is 0 beside "", a field that is missing, with which the first text is compared.

    >>> extra_values(["Late", ""], ["Tea", OpenText([("Tea", "Latte")])], Weights(10, 1)).tolist()
    [[10, 38], [0, 0]]
    """
    table: Integers = np.zeros((len(predicted), len(expected)), dtype=np.int64)
    few = [place for place, text in enumerate(expected) if not isinstance(text, OpenText) or text.has_few_texts]
    written = [text.texts() if isinstance(text := expected[place], OpenText) else [text] for place in few]
    step = max(1, _BLOCK // (max(1, len(predicted)) * max(map(len, written), default=1)))
    for start in range(0, len(few), step):
        columns, part = few[start : start + step], written[start : start + step]
        texts = [text for each in part for text in each]
        starts = np.cumsum([0, *map(len, part[:-1])])
        first = np.repeat([len(each[0]) for each in part], [len(each) for each in part])
        values = process.cdist(predicted, texts, scorer=LCSseq.similarity, dtype=np.int64)
        values *= weights.common
        values -= weights.length * (np.array(list(map(len, texts))) - first)
        table[:, columns] = np.maximum.reduceat(values, starts, axis=1)
    for place in set(range(len(expected))).difference(few):
        text = expected[place]
        assert isinstance(text, OpenText)
        for start, codes in _blocks_of_codes(predicted):
            best = _after_all(np.zeros((len(codes), codes.shape[1] + 1), dtype=np.int64), codes, text, weights)
            table[start : start + len(codes), place] = best[:, -1] + weights.length * len(text)
    table[[not text for text in predicted]] = 0
    return table


def _blocks_of_codes(texts: Sequence[str]) -> list[tuple[int, Integers]]:
    """The code points of texts, as rows of tables; texts are followed by -1. With the place of each first text."""
    longest = max(map(len, texts), default=0)
    step = max(1, _BLOCK // (longest + 1))
    return [(start, _codes(texts[start : start + step], longest)) for start in range(0, len(texts), step)]


def _codes(texts: Sequence[str], length: int) -> Integers:
    codes = np.full((len(texts), length), -1, dtype=np.int64)
    for row, text in zip(codes, texts, strict=True):
        row[: len(text)] = list(map(ord, text))
    return codes


def _after(values: Integers, codes: Integers, text: str, weights: Weights) -> Integers:
    """The best values with one more text at the end of the reference (Wagner and Fischer, 1974).

    Args:
        values: for each predicted text (rows) and each length of its beginning (columns), the best value so far.
        codes: the predicted texts.
        text: the next text of the reference.
        weights: those of its characters.
    """
    for character in text:
        paired = values[:, :-1] + weights.common * (codes == ord(character))
        values = values.copy()
        np.maximum(values[:, 1:], paired, out=values[:, 1:])
        np.maximum.accumulate(values, axis=1, out=values)
        values -= weights.length
    return values


def _after_all(values: Integers, codes: Integers, text: OpenText, weights: Weights) -> Integers:
    for alternatives in text.segments:
        values = np.maximum.reduce([_after(values, codes, each, weights) for each in alternatives])
    return values


def _by_values(predicted: str, text: OpenText, weights: Weights) -> str:
    """The best text: of each value the first alternative with which the rest can still be the best."""
    codes, reverse = _codes([predicted], len(predicted)), _codes([predicted[::-1]], len(predicted))
    none = np.zeros((1, len(predicted) + 1), dtype=np.int64)
    rests = [none]  # by the beginning of the predicted text that is taken, the best value of the values to come
    for alternatives in reversed(text.segments):
        best = [_after(rests[-1], reverse, each[::-1], weights) for each in alternatives]
        rests.append(np.maximum.reduce(best))
    best_value, values, taken = int(rests.pop()[0, -1]), none, ""
    for alternatives in text.segments:
        rest = rests.pop()[:, ::-1]
        for each in alternatives:
            after = _after(values, codes, each, weights)
            if int((after + rest).max()) == best_value:
                break
        values, taken = after, taken + each
    return taken
