"""The data type of a value, and random values of that type.

Source of types and ranges: Xue et al. (2021): dates from 2001 to 2021 in four formats, numbers of
3 to 12 digits, amounts of money from 1 to 10,000,000.
"""

from __future__ import annotations

import datetime
import re
import threading
from functools import lru_cache
from random import Random
from typing import Protocol, cast

from docie.core.normalizers.amounts import read_amount
from docie.core.normalizers.dates import date

FIRST, LAST = datetime.date(2001, 1, 1).toordinal(), datetime.date(2021, 12, 31).toordinal()
MONTHS = (
    *("January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November"),
    "December",
)
FORMATS = (
    "{month:02}/{day:02}/{year:02}",
    "{year:02}-{month:02}-{day:02}",
    "{day:02}/{name}/{year:02}",
    "{day:02}/{short}/{year:02}",
)
"""mm/dd/yy, yy-mm-dd, dd/month/yy and dd/mon/yy."""
_NUMERIC_DATE = re.compile(r"\d{1,4}([-/.])\d{1,2}\1\d{2,4}(?:[ T]\d{1,2}:\d{2}(?::\d{2})?)?")
_TIME = re.compile(r" \d{1,2}:\d{2}(?::\d{2})?$")
_MONEY = re.compile(r"\d{1,3}(?:[.,'’]\d{3})+(?:[.,]\d{2})?|\d+[.,]\d{2}")
_MARKS = re.compile(r"[/-]")


def data_type_of(text: str) -> str:
    """The data type of a value, inferred from its text.

    Money has a currency, cents or thousands separators; a number is any other text in which every word has a digit.

    Args:
        text (str): the text of the value.

    Returns:
        str: "date", "number", "money" or "text".

    >>> [data_type_of(text) for text in ("05/06/21", "May 5, 2021", "Rp 12.500", "-1,240.00", "INV-0012", "2 x", "Ada")]
    ['date', 'date', 'money', 'money', 'number', 'text', 'text']
    """
    stripped = " ".join(text.split())
    if _NUMERIC_DATE.fullmatch(stripped) or _is_named_date(stripped):
        return "date"
    digits = [word for word in stripped.split() if any(character.isdigit() for character in word)]
    if not digits:
        return "text"
    amount = read_amount(stripped)
    if amount is not None and amount.unit == "%":
        return "number"
    if (amount is not None and amount.unit) or _MONEY.fullmatch(stripped.strip("+-−()$€£¥ ")):
        return "money"
    return "number" if len(digits) == len(stripped.split()) else "text"


def _is_named_date(text: str) -> bool:
    without_time = _TIME.sub("", text)
    return without_time[-1:].isalnum() and date(without_time, day_first=True) != without_time


def random_date(generator: Random, formats: tuple[str, ...] = FORMATS) -> str:
    """A random date, as one word.

    >>> random_date(Random(1))
    '01/06/04'
    """
    day = datetime.date.fromordinal(generator.randint(FIRST, LAST))
    name = MONTHS[day.month - 1]
    return generator.choice(formats).format(
        day=day.day, month=day.month, year=day.year % 100, name=name, short=name[:3]
    )


def long_date(generator: Random, words: int) -> str | None:
    """A random date of so many words: three with blanks as separators, one more for a time; None for other numbers.

    >>> long_date(Random(1), 2), long_date(Random(1), 3), long_date(Random(1), 5)
    ('01/06/04 08:07', '06 January 04', None)
    """
    if words > 4:
        return None
    # with blanks, only a month's name distinguishes a date from numbers
    text = random_date(generator) if words < 3 else _MARKS.sub(" ", random_date(generator, FORMATS[2:]))
    return text if words % 2 else f"{text} {generator.randrange(24):02}:{generator.randrange(60):02}"


def random_number(generator: Random, words: int = 1) -> str:
    """Random numbers of 3 to 12 digits, one for each word."""
    return " ".join(_digits(generator, generator.randint(3, 12)) for _ in range(words))


def _digits(generator: Random, length: int) -> str:
    return str(generator.randrange(10 ** (length - 1), 10**length))


def random_money(generator: Random) -> str:
    """A random amount from 1 to 10,000,000, with two decimals, thousands separators, and $ at random.

    >>> random_money(Random(2))
    '983,385.20'
    """
    sign = generator.choice(("", "$"))
    return sign + money_text(generator.randint(1_00, 10_000_000_00))


def money_text(cents: int) -> str:
    """An amount of money.

    >>> money_text(5), money_text(123456789)
    ('0.05', '1,234,567.89')
    """
    return f"{cents // 100:,}.{cents % 100:02}"


def random_text(generator: Random, kind: str, words: int, tries: int = 20) -> str | None:
    """A text of so many words from Faker; None if Faker returns none of that length.

    Args:
        generator: the source of randomness.
        kind: "company", "address", "name" or "words".
        words: how many words it must have.
        tries: how many texts are drawn.
    """
    fake = _faker(threading.get_ident())
    fake.seed_instance(generator.getrandbits(64))
    makers = {"company": fake.company, "address": fake.address, "name": fake.name}
    if kind not in makers:
        return " ".join(fake.word() for _ in range(words))
    for _ in range(tries):
        text = " ".join(makers[kind]().split())
        if text.count(" ") + 1 == words:
            return text
    return None


class _Faker(Protocol):
    """The methods of Faker that are used."""

    def seed_instance(self, seed: int) -> object: ...
    def company(self) -> str: ...
    def address(self) -> str: ...
    def name(self) -> str: ...
    def word(self) -> str: ...


@lru_cache(maxsize=64)
def _faker(thread: int) -> _Faker:
    """A Faker for each thread, because it is seeded again for every value."""
    try:
        from faker import Faker
    except ImportError:
        raise ImportError("random texts need Faker: pip install 'docie[robustness]'") from None
    return cast(_Faker, Faker("en_US"))
