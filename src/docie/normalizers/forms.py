"""One form for all texts that differ in form only: to look for such texts, not to score with."""

from __future__ import annotations

import re

from docie.normalizers.amounts import read_amount
from docie.normalizers.dates import date
from docie.normalizers.texts import alphanumeric, casefold, nfkc, whitespace

_ISO_DATE = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")


def standard_form(text: str) -> str:
    """One text for all that are equal as numbers, money or dates, or without case, white space and punctuation.

    Args:
        text (str): a value.

    Returns:
        str: its form.

    >>> standard_form("$ 1,240.00"), standard_form("31 Dec 2023"), standard_form("Juniper  Cafe!")
    ('1240', '2023-12-31', 'junipercafe')
    """
    if amount := read_amount(text):
        return amount.value + "%" * (amount.unit == "%")
    day = date(text)
    if day != text or _ISO_DATE.fullmatch(day):
        return day
    return alphanumeric(whitespace(casefold(nfkc(text))))
