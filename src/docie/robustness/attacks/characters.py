"""Typos, and what an OCR takes one character for."""

from __future__ import annotations

import unicodedata
from collections.abc import Collection
from functools import cache
from random import Random

KINDS = ("swap", "delete", "insert", "replace")
_PAIRS = [
    "O0",
    "o0",
    "D0",
    "Q0",
    "l1",
    "I1",
    "i1",
    "|1",
    "Il",
    "S5",
    "s5",
    "B8",
    "Z2",
    "z2",
    "G6",
    "b6",
    "g9",
    "q9",
    "ce",
    "uv",
    "VY",
    "hb",
    ".,",
    ":;",
    "'`",
]
_LONGER = [("rn", "m"), ("cl", "d"), ("vv", "w"), ("ii", "u"), ("nn", "m"), ("VV", "W"), ("li", "h")]
CONFUSIONS = [
    *((pair[0], pair[1]) for pair in _PAIRS),
    *((pair[1], pair[0]) for pair in _PAIRS),
    *_LONGER,
    *((single, double) for double, single in _LONGER[:3]),
]
"""What stands in a text, and what an OCR may read instead."""
_TABLE: dict[str, list[str]] = {}
for _read, _instead in CONFUSIONS:
    _TABLE.setdefault(_read, []).append(_instead)


def misspelt(text: str, generator: Random, kinds: Collection[str] = KINDS, character: str | None = None) -> str | None:
    """A text with one typo of a random kind; None if this kind cannot change it, as a swap cannot change "7" or "00".

    >>> misspelt("Total", Random(3)), misspelt("7", Random(1), ["replace"]), misspelt("aa", Random(1), ["swap"])
    ('Totasl', '4', None)
    """
    kind = generator.choice(sorted(kinds))
    places = [place for place in range(len(text)) if character in (None, text[place])]
    if kind == "swap":
        places = [place for place in places if text[place] != text[place + 1 : place + 2] != ""]
    if not places:
        return None
    place = generator.choice(places)
    before, here, after = text[:place], text[place], text[place + 1 :]
    if kind == "swap":
        return before + after[0] + here + after[1:]
    if kind == "delete":
        return before + after
    other = generator.choice(alike(here))
    return before + other + (here if kind == "insert" else "") + after


@cache
def alike(character: str) -> str:
    """Other characters of the same kind and script: of the same category among 32 neighbours in Unicode.

    >>> alike("7"), alike("q")[:5], alike("é")[:5]
    ('012345689', 'abcde', 'àáâãä')
    """
    first = ord(character) & ~31
    category = unicodedata.category(character)
    near = map(chr, range(first, first + 32))
    return "".join(other for other in near if unicodedata.category(other) == category and other != character) or "x"


def confused(text: str, generator: Random) -> str | None:
    """A text with one place read wrongly; None if no place of it is easily confused.

    >>> confused("corner", Random(0)), confused("€", Random(0))
    ('corncr', None)
    """
    found = []
    for place, character in enumerate(text):
        for read in (character, text[place : place + 2]):
            found += [(place, read, instead) for instead in _TABLE.get(read, ())]
        bare = unicodedata.normalize("NFD", character)[0]
        if bare != character and not unicodedata.category(character).startswith("Lo"):
            found.append((place, character, bare))
    if not found:
        return None
    place, read, instead = generator.choice(found)
    return text[:place] + instead + text[place + len(read) :]
