"""Normalizers of text: characters, case and white space; and numbers as text."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from decimal import Decimal
from itertools import groupby
from typing import Literal

from docie.core.errors import shortened


class NumberText(str):
    """The text of a JSON number or boolean. Its decimal mark is a point, whatever the document's language."""

    __slots__ = ()


def number_text(value: float) -> NumberText | None:
    """Write a number without exponent, needless zeros and decimal point.

    Args:
        value (int or float): the number, or a boolean.

    Returns:
        NumberText: the text; None for NaN, which stands for an empty cell in tables. Booleans are written as in JSON.

    Raises:
        ValueError: if the number is infinite, as 1e999 is, or an integer of more than 4,300 digits.

    >>> number_text(12), number_text(12.0), number_text(1.2e1), number_text(0.10), number_text(-0.0), number_text(True)
    ('12', '12', '12', '0.1', '0', 'true')
    """
    if isinstance(value, bool):
        return NumberText("true" if value else "false")
    if isinstance(value, int):
        try:
            return NumberText(int.__repr__(value))
        except ValueError:
            raise ValueError("expected a number of at most 4,300 digits, got a longer one") from None
    text = float.__repr__(value)
    if text.endswith(".0"):
        text = text[:-2] if text != "-0.0" else "0"
    elif "e" in text:
        text = format(Decimal(text), "f")
    elif text == "nan":
        return None
    elif text[-1] == "f":  # inf: all numbers above the limit would be equal
        raise ValueError(f"expected a number between -1.8e308 and 1.8e308, got {text}")
    return NumberText(text)


_WIDTHS = {
    code: chr(int(parts[1], 16))
    for code in (0x3000, *range(0xFF01, 0xFFEF))
    if (parts := unicodedata.decomposition(chr(code)).split()) and parts[0] in ("<wide>", "<narrow>")
}
"""Full-width and half-width characters → the usual ones, for `str.translate`."""
_LONG_TEXT = 2000
"""From this length on, combining marks are sorted before a text is normalised."""


def nfkc(text: str) -> str:
    """Unify full-width digits, ligatures and composed letters (Unicode normalisation form NFKC).

    Args:
        text (str): the text.

    Returns:
        str: the text in normalisation form NFKC.

    >>> nfkc("１２ ﬁ")
    '12 fi'
    """
    return _normal("NFKC", text)


def narrow(text: str) -> str:
    """Unify full-width and half-width characters, and nothing else: `²` and `½` stay.

    Args:
        text (str): the text.

    Returns:
        str: the text with characters of the usual width, in Unicode normalisation form NFC.

    >>> narrow("１２ ｶﾞ ½")
    '12 ガ ½'
    """
    return text if text.isascii() else _normal("NFC", text.translate(_WIDTHS))


def casefold(text: str) -> str:
    """Make upper and lower case equal.

    Args:
        text (str): the text.

    Returns:
        str: the case-folded text.

    >>> casefold("Straße") == casefold("STRASSE")
    True
    """
    return text.casefold()


def whitespace(text: str) -> str:
    """Replace each run of white space by one space, and strip the ends.

    Args:
        text (str): the text.

    Returns:
        str: the text with single spaces.

    >>> whitespace("  LIPTON \\t PITCHER ")
    'LIPTON PITCHER'
    """
    return " ".join(text.split())


def alphanumeric(text: str) -> str:
    """Keep only letters and digits, with their combining marks.

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
    for character in _normal("NFC", text):
        # a mark goes with the character before it
        is_kept = is_kept if unicodedata.category(character).startswith("M") else character.isalnum()
        if is_kept:
            kept.append(character)
    return _normal("NFC", "".join(kept))


def boolean(text: str, *, true: str | None = None, false: str | None = None) -> str:
    """Write yes and no, in several languages and any case, and ticks as JSON booleans.

    Args:
        text (str): the text.
        true (str): what stands for true, too: "Y", "1", "X".
        false (str): what stands for false, too: "N", "0". With "", what is false is no value, as a blank box is none.

    Returns:
        str: "true" or "false"; any other text unchanged.

    Raises:
        ValueError: if `true` or `false` has a wrong value.

    >>> boolean("Yes"), boolean("nein "), boolean("TRUE"), boolean("✓"), boolean("maybe"), boolean("Y")
    ('true', 'false', 'true', 'true', 'maybe', 'Y')
    >>> boolean("y", true="Y", false="N"), boolean("N", true="Y", false="N"), boolean("no", true="X", false="")
    ('true', 'false', '')
    """
    for name, mark in (("true", true), ("false", false)):
        if mark is not None and (not isinstance(mark, str) or (name == "true" and not mark.strip())):
            raise ValueError(f"boolean: {name} must be what stands for {name}, such as 'X', got {shortened(mark)}")
    word = text.strip().casefold()
    marks = {mark.strip().casefold(): truth for mark, truth in ((false, "false"), (true, "true")) if mark}
    truth = marks.get(word) or _BOOLEANS.get(word)
    if truth is None:
        return text
    return "" if truth == "false" and false is not None and not false.strip() else truth


_BOOLEANS = {
    **dict.fromkeys(("true", "yes", "ja", "oui", "sí", "sì", "si", "sim", "checked", "selected", *"✓✔✅☑"), "true"),
    **dict.fromkeys(("false", "no", "nein", "non", "não", "nao", "nee", "nej", "nei", "unchecked", "☐"), "false"),
    **dict.fromkeys(("unselected", "not_selected"), "false"),
}


def absent(text: str, *, texts: Sequence[str] = ()) -> str:
    """Read what stands for no value, such as "N/A", as no value.

    Args:
        text (str): the text.
        texts (list of str): what stands for no value, too, in any case: "unknown".

    Returns:
        str: the empty text for a placeholder; any other text unchanged.

    Raises:
        ValueError: if `texts` is no list of texts.

    >>> absent("N/A"), absent(" null "), absent("-"), absent("none of these"), absent("0")
    ('', '', '', 'none of these', '0')
    >>> absent("Unknown"), absent("Unknown", texts=["unknown"])
    ('Unknown', '')
    """
    if isinstance(texts, str) or not all(isinstance(each, str) for each in texts):
        raise ValueError(f"absent: texts must be a list of texts, got {shortened(texts)}")
    word = text.strip().casefold()
    return "" if word in _PLACEHOLDERS or word in (each.strip().casefold() for each in texts) else text


_PLACEHOLDERS = {
    *("n/a", "n.a.", "#n/a", "<na>", "nan", "null", "none", "nil", "-", "--", "–", "—"),
    *("not available", "not applicable", "not found", "not provided", "not specified", "not present"),
}


def _normal(form: Literal["NFC", "NFKC"], text: str) -> str:
    """The text in a composed Unicode normalisation form, in linear time.

    Python sorts each run of combining marks by insertion, which takes quadratic time. So runs in long texts are sorted
    beforehand.

    >>> marks = "\u0301\u0323" * 2000
    >>> _normal("NFC", f"a{marks}") == "\u1ea1" + "\u0323" * 1999 + "\u0301" * 2000
    True
    """
    if len(text) > _LONG_TEXT and not text.isascii():
        text = _with_sorted_marks("NFKD" if form == "NFKC" else "NFD", text)
    return unicodedata.normalize(form, text)


def _with_sorted_marks(form: Literal["NFD", "NFKD"], text: str) -> str:
    """The decomposed text, with the marks behind each letter in the order of their classes."""
    parts = {character: unicodedata.normalize(form, character) for character in set(text)}
    letters = "".join(map(parts.__getitem__, text))
    classes = {character: unicodedata.combining(character) for character in set(letters)}
    if not any(classes.values()):
        return letters
    runs = groupby(letters, key=lambda character: classes[character] > 0)
    return "".join("".join(sorted(run, key=classes.__getitem__) if is_marks else run) for is_marks, run in runs)
