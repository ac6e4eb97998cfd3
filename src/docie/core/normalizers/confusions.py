"""Characters that OCR confuses: to explain errors and to make them, not to score."""

from __future__ import annotations

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
"""Character sequences, and what OCR may read instead."""
_CONFUSED = {*CONFUSIONS, *((instead, read) for read, instead in CONFUSIONS)}
_WORD = 4
"""The least number of letters of a text in which one letter for another one is a slip, and no other text."""


def confusion(text: str, read: str) -> tuple[str, str] | None:
    """The characters of a text, and those that were read instead, if this is all in which the other text differs.

    A letter may be read for a digit, or for another letter of a word; other characters only as OCR does. Digits that
    differ are another number.

    >>> confusion("2000", "2O0O"), confusion("modern", "modem"), confusion("Cobb Salad", "Cobb Salod")
    (('0', 'O'), ('rn', 'm'), ('a', 'o'))
    >>> confusion("12.00", "13.00"), confusion("A1", "B1"), confusion("2000", "2O01")
    (None, None, None)
    """
    if len(text) == len(read):
        found = {pair for pair in zip(text, read, strict=True) if pair[0] != pair[1]}
    elif abs(len(text) - len(read)) == 1:
        least = min(len(text), len(read))
        start = next((place for place in range(least) if text[place] != read[place]), least)
        rest = next((place for place in range(least - start) if text[-1 - place] != read[-1 - place]), least - start)
        found = {(text[start : len(text) - rest], read[start : len(read) - rest])}
    else:
        return None
    pair = found.pop() if found else ("", "")
    return None if found or not _are_confused(*pair, letters=sum(map(str.isalpha, text))) else pair


def _are_confused(text: str, read: str, *, letters: int) -> bool:
    if (text, read) in _CONFUSED:
        return True
    is_slip = len(text) == len(read) == 1 and text.isalpha() and read.isalpha() and letters >= _WORD
    if is_slip:
        return text.casefold() != read.casefold() and text.isupper() == read.isupper()
    both = {text, read}
    return any(map(str.isalpha, both)) and any(map(str.isdecimal, both)) and len(text) == len(read) == 1
