"""Normalisers of any text."""

from __future__ import annotations

import unicodedata


def nfkc(text: str) -> str:
    """Give full-width digits, ligatures and composed letters one spelling (Unicode normalisation form NFKC).

    Args:
        text (str): the text.

    Returns:
        str: the text in that form.

    >>> nfkc("１２ ﬁ")
    '12 fi'
    """
    return unicodedata.normalize("NFKC", text)


def casefold(text: str) -> str:
    """Make upper and lower case equal.

    Args:
        text (str): the text.

    Returns:
        str: the text without differences of case.

    >>> casefold("Straße") == casefold("STRASSE")
    True
    """
    return text.casefold()


def whitespace(text: str) -> str:
    """Turn each run of white space into one space, and remove it at the ends.

    Args:
        text (str): the text.

    Returns:
        str: the text with single spaces.

    >>> whitespace("  LIPTON \\t PITCHER ")
    'LIPTON PITCHER'
    """
    return " ".join(text.split())


def alphanumeric(text: str) -> str:
    """Keep letters and digits only, with their combining marks.

    Args:
        text (str): the text.

    Returns:
        str: its letters and digits, in Unicode normalisation form NFC.

    >>> alphanumeric("Rp. 12,500-"), alphanumeric("कि") == alphanumeric("की"), alphanumeric("e\\u0301") == "é"
    ('Rp12500', False, True)
    """
    if text.isascii():
        return "".join(filter(str.isalnum, text))
    kept: list[str] = []
    is_kept = False
    for character in unicodedata.normalize("NFC", text):
        # a mark goes with the character before it
        is_kept = is_kept if unicodedata.category(character).startswith("M") else character.isalnum()
        if is_kept:
            kept.append(character)
    return unicodedata.normalize("NFC", "".join(kept))


def boolean(text: str) -> str:
    """Write yes and no, in any case, as JSON writes booleans.

    Args:
        text (str): the text.

    Returns:
        str: "true" or "false"; any other text stays as it is.

    >>> boolean("Yes"), boolean("no "), boolean("TRUE"), boolean("maybe")
    ('true', 'false', 'true', 'maybe')
    """
    return _BOOLEANS.get(text.strip().casefold(), text)


_BOOLEANS = {"true": "true", "yes": "true", "false": "false", "no": "false"}
