"""Whether two texts are certainly the same value in different formats: to explain errors, not to score."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import NamedTuple

from docie.core.normalizers.amounts import read_amount_text
from docie.core.normalizers.dates import may_hold_date, read_date
from docie.core.normalizers.texts import NumberText, boolean, narrow
from docie.core.normalizers.typography import decoded, folded

_LONGEST = 80
"""The longest text that is read as an amount, a date or a truth value, in characters."""
_MANY_DIGITS = 7
"""Of telephone numbers, accounts and barcodes: between fewer digits, a blank may part two values."""
_TRUTHS = ("true", "false")
_DIGIT = re.compile(r"\d")
_CENTS = re.compile(r"\d[.,]\d{1,2}(?!\d)")
_MARKED = re.compile(r"[0-9][.,][0-9]|[0-9]{1,2}([-/.])[0-9]{1,2}\1")
_HYPHEN = re.compile(r"(.)[-‐‑](?=(.))")
_MAY_BE_DATE = re.compile(r"[a-zA-Z]{3}|[0-9][-/.][0-9]{1,2}[-/.]")
_SCIENTIFIC = re.compile(r"[eE][+-][0-9]")
_NO_DIGITS = bytes(code for code in range(128) if not chr(code).isdigit())
_SIGNS = bytes(code for code in range(128) if not chr(code).isalnum())


class _Reading(NamedTuple):
    """The value of a text that has one reading; `unit` is the currency or percent sign of an amount."""

    meaning: tuple[str, ...]
    unit: str = ""

    @property
    def key(self) -> str:
        return "\0".join(self.meaning) + "%" * (self.unit == "%")


def same_value(one: str, other: str) -> bool:
    """Whether two texts are certainly the same value in different formats. In case of doubt they are not.

    They are the same value if they are equal

    * as numbers, amounts, dates or truth values with one reading each, with the same sign and leading zeros, and with
      the same currency, or a currency in only one of them;
    * except for case, full-width forms, typographic quotes and dashes, white space beside letters, full stops, commas
      and apostrophes at the end of words, and hyphens between letters;
    * except for white space in a number of seven digits or more that is not an amount, such as an IBAN. No part of it
      may be a date.

    HTML entities, escapes and mojibake are what they stand for. Texts that are read as different numbers, amounts,
    dates or truth values are never the same value.

    Args:
        one, other (str): the values. The order does not matter.

    Returns:
        bool: whether they are the same value.

    >>> same_value("$ 1,240.00", "1240"), same_value("31 Dec 2023", "2023-12-31"), same_value("Flat-White", "flatwhite")
    (True, True, True)
    >>> same_value("€5", "$5"), same_value("1.240", "1240"), same_value("A+", "A-"), same_value("1-2", "12")
    (False, False, False, False)
    """
    one, other = decoded(one), decoded(other)
    if one == other:
        return True
    is_ascii = one.isascii() and other.isascii()
    may_be_words = not is_ascii or _without(_SIGNS, one.lower()) == _without(_SIGNS, other.lower())
    if not may_be_words and _have_no_common_reading(one, other):  # of most that differs, the faster test is enough
        return False
    readings = _reading(one), _reading(other)
    if readings[0] and readings[1]:
        return _agree(readings[0], readings[1])
    if not may_be_words:
        return False
    narrowed = narrow(folded(one)), narrow(folded(other))
    texts = [text.casefold() for text in narrowed]
    if "".join(texts[0].split()) == "".join(texts[1].split()) and all(map(_is_identifier, narrowed)):
        return True
    return any(words(texts[0]) == words(texts[1]) for words in (_words, _plain_words))


def may_be_same_value(one: str, other: str) -> bool:
    """Whether two amounts or dates, at least one of them ambiguous, are equal in one of their readings.

    Args:
        one, other (str): the values. The order does not matter.

    Returns:
        bool: whether they may be the same value.

    >>> may_be_same_value("1.240", "1,240"), may_be_same_value("03/04/24", "2024-03-04"), may_be_same_value("1.5", "15")
    (True, True, False)
    """
    if not (_DIGIT.search(one) and _DIGIT.search(other)):
        return False
    if one.isascii() and other.isascii() and _have_no_common_reading(one, other):
        return False
    if _reading(one) and _reading(other):
        return False
    return any(_agree(mine, yours) for mine in _possible(one) for yours in _possible(other))


@lru_cache(maxsize=65536, typed=True)
def form_key(text: str) -> str:
    """A text that is the same for all texts that are certainly the same value: to count them without comparing pairs.

    Amounts with different currencies have one key, which is where this is not `same_value`.

    >>> form_key("$ 1,240.00") == form_key("1240"), form_key("Flat-White") == form_key("flat  white")
    (True, True)
    >>> form_key("1.240") == form_key("1240")
    False
    """
    text = decoded(text)
    if reading := _reading(text):
        return reading.key
    narrowed = narrow(folded(text))
    return "".join(narrowed.casefold().split()) if _is_identifier(narrowed) else _plain_words(narrowed.casefold())


def form_keys(text: str) -> tuple[str, ...]:
    """The key of a text, and of each of its readings as an amount or a date.

    >>> form_key("1240") in form_keys("1.240"), form_key("1.24") in form_keys("1.240"), len(form_keys("Tea"))
    (True, True, 1)
    """
    return tuple(dict.fromkeys((form_key(text), *(reading.key for reading in _possible(decoded(text))))))


def is_ambiguous(text: str) -> bool:
    """Whether a text is an amount or a date that can be read in two ways, so that normalizers leave it as it is.

    >>> is_ambiguous("39,744"), is_ambiguous("39,74"), is_ambiguous("03/04/2024"), is_ambiguous("31-Dec-23")
    (True, False, True, True)
    """
    return bool(_DIGIT.search(text)) and _reading(text) is None and bool(_possible(text))


@lru_cache(maxsize=8192, typed=True)
def decided(text: str) -> tuple[str | None, bool | None]:
    """What the writer of a text makes known: the decimal mark of an amount, and whether the day is first in a date.

    >>> decided("1.240,50"), decided("31/12/2023"), decided("1.240"), decided("03/04/2024"), decided("Tea")
    ((',', None), (None, True), (None, None), (None, None), (None, None))
    """
    if len(text) > _LONGEST or isinstance(text, NumberText) or not _MARKED.search(text):
        return None, None
    marks = [mark for mark in (".", ",") if read_amount_text(text, mark)]
    orders = [] if marks else [order for order in (True, False) if read_date(text, order)]
    return marks[0] if len(marks) == 1 else None, orders[0] if len(orders) == 1 else None


def _have_no_common_reading(one: str, other: str) -> bool:
    """Whether two texts in ASCII certainly have no reading in common: other digits, and no dates or truth values."""
    if not (_DIGIT.search(one) and _DIGIT.search(other)):
        return not (boolean(one) in _TRUTHS and boolean(other) in _TRUTHS)
    if _without(_NO_DIGITS, one).strip(b"0") == _without(_NO_DIGITS, other).strip(b"0"):
        return False
    if _SCIENTIFIC.search(one) or _SCIENTIFIC.search(other):
        return False
    return not (_may_be_date(one) and _may_be_date(other))


def _without(signs: bytes, text: str) -> bytes:
    """A text in ASCII without some characters: as bytes, which is the fastest."""
    return text.encode().translate(None, signs)


def _may_be_date(text: str) -> bool:
    """Whether a text has the parts of a date; in ASCII these are a name or three numbers."""
    return not text.isascii() or _MAY_BE_DATE.search(text) is not None


def _agree(one: _Reading, other: _Reading) -> bool:
    units = {one.unit, other.unit}
    return one.meaning == other.meaning and (len(units) == 1 or ("" in units and "%" not in units))


@lru_cache(maxsize=1024, typed=True)
def _possible(text: str) -> tuple[_Reading, ...]:
    """The readings of a text as an amount or a date; no text may be both."""
    amounts = [read_amount_text(text, decimal) for decimal in (".", ",") if len(text) <= _LONGEST]
    if any(amounts):
        return tuple(_Reading((each.value, each.sign, each.zeros), each.unit) for each in amounts if each)
    days = (read_date(text, day_first) for day_first in (True, False) if _may_be_date(text))
    return tuple(_Reading(day) for day in days if day)


@lru_cache(maxsize=8192, typed=True)  # a NumberText is read differently from the same text
def _reading(text: str) -> _Reading | None:
    """The reading of a text as an amount, a date or a truth value, if there is only one."""
    if len(text) > _LONGEST:
        return None
    if (truth := boolean(text)) in _TRUTHS:
        return _Reading((truth,))
    if not _DIGIT.search(text):
        return None
    if amount := read_amount_text(text):
        return _Reading((amount.value, amount.sign, amount.zeros), amount.unit)
    return _Reading(day) if _may_be_date(text) and (day := read_date(text)) else None


def _words(text: str) -> str:
    """The text without white space beside letters; other white space becomes a blank."""
    parts: list[str] = []
    for word in text.split():
        if parts and not (parts[-1][-1].isalpha() or word[0].isalpha()):
            parts.append(" ")
        parts.append(word)
    return "".join(parts)


def _plain_words(text: str) -> str:
    """The text without the signs at the end of words, and with a blank for each hyphen between letters."""
    text = _HYPHEN.sub(lambda match: f"{match[1]} " if match[1].isalpha() and match[2].isalpha() else match[0], text)
    words = ((word, word.rstrip(".,'’")) for word in text.split())
    return _words(" ".join(bare if bare[-1:].isalpha() else word for word, bare in words))


def _is_identifier(text: str) -> bool:
    """Whether the blanks in a text with many digits can be ignored: it is not an amount, and no part may be a date."""
    if sum(map(str.isdecimal, text)) < _MANY_DIGITS or _CENTS.search(text):
        return False
    return (_reading(text) is None or text.removeprefix("+").isdecimal()) and not may_hold_date(text)
