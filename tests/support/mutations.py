"""One random mutation of a text, as models garble what they write."""

from __future__ import annotations

import random
from collections.abc import Sequence

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
