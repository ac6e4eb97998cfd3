"""One random mutation of a text, as models garble what they write."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Any

LONGEST = 4
"""Characters that a mutation inserts, replaces, swaps or repeats at most; a slice that is cut out may be longer."""


def mutate(
    text: str, rng: random.Random, start: int = 0, end: int | None = None, *, alphabet: str | Sequence[str]
) -> str:
    """The text with one mutation inside `text[start:end]`; new characters, or pieces of text, are of the alphabet.

    A few characters are deleted, inserted, replaced, swapped with those after them or repeated, or a slice is cut out.
    The result may equal the text, where equal characters are swapped or replaced.
    """
    end = len(text) if end is None else end
    first = rng.randint(start, end)
    last = min(end, first + rng.randint(1, LONGEST))
    new = "".join(rng.choices(alphabet, k=rng.randint(1, LONGEST)))
    change = rng.choice(("delete", "insert", "replace", "swap", "repeat", "cut"))
    if change == "delete":
        return text[:first] + text[last:]
    if change == "insert":
        return text[:first] + new + text[first:]
    if change == "replace":
        return text[:first] + new + text[last:]
    if change == "swap":
        after = min(end, last + last - first)
        return text[:first] + text[last:after] + text[first:last] + text[after:]
    if change == "repeat":
        return text[:last] + text[first:last] + text[last:]
    return text[:first] + text[rng.randint(first, end) :]


class Mutator:
    """Garbled texts and values, one after the other: each has one to eight mutations more than a text or than another.

    Args:
        texts: the texts to begin with.
        rng: makes all choices.
        alphabet: characters, or pieces of text, that mutations write.
    """

    def __init__(self, texts: Sequence[str], rng: random.Random, alphabet: Sequence[str]) -> None:
        self.texts, self.rng, self.alphabet = texts, rng, alphabet

    def piece(self) -> str:
        """A short text of the alphabet."""
        return "".join(self.rng.choices(self.alphabet, k=self.rng.randint(1, LONGEST)))

    def text(self) -> str:
        """One of the texts, garbled."""
        text = self.rng.choice(self.texts)
        for _ in range(self.rng.choice((1, 1, 2, 8))):
            text = mutate(text, self.rng, alphabet=self.alphabet)
        return text

    def value(self, value: Any, others: Sequence[Any]) -> Any:
        """A copy of a JSON value in which some values are others, and some keys are garbled."""
        if self.rng.random() < 0.1:
            return self.rng.choice(others)
        if isinstance(value, dict):
            names = (key + self.piece() if self.rng.random() < 0.1 else key for key in value)
            return {name: self.value(child, others) for name, child in zip(names, value.values(), strict=True)}
        return [self.value(child, others) for child in value] if isinstance(value, list) else value
