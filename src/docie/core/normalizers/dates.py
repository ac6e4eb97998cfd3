"""Dates, in the ways in which documents print them."""

from __future__ import annotations

import functools
import re
import unicodedata
from collections.abc import Iterator, Sequence
from datetime import date as _date
from datetime import datetime
from itertools import combinations

from docie.core.errors import shortened
from docie.core.normalizers.amounts import FULL_WIDTH
from docie.core.normalizers.month_names import month_of

_LONGEST = 80
"""Characters of the longest text that may be a date."""
_TIME = (
    r"(?:[01]?[0-9]|2[0-4])(?:(?::[0-5][0-9]){1,2}(?:[.,][0-9]+)?|h[0-5][0-9])(?:\s?[ap]\.?m\.?)?"
    r"(?:\s?(?:Z|UTC|GMT|[+\-][0-9]{2}:?[0-9]{2}))?(?:\s?(?:Uhr|hrs?|h))?"
)
_WITH_TIME = re.compile(
    rf"(?:(?P<before>{_TIME}),?\s+)?(?P<date>.+?)(?:(?:,?\s+|T)(?P<behind>{_TIME}))?", re.IGNORECASE
)
_FIRST = r"(?P<first>[0-9]{1,2})"
_TH = r"(?:st|nd|rd|th|er|º|°)"
_NAME = r"(?P<name>[^\W\d_]{3,})"
_YEAR = r"(?P<year>[0-9]{4}|'?[0-9]{2})"
_OF = r"\b(?:of|de|del)\s+"
_GAP = rf"[-/.,\s]*(?:{_OF})?"
_NUMBERS_IN_A_ROW = re.compile(r"[0-9]+(?:[-/.,'\s]{1,3}[0-9]+)*")
_WORDS = re.compile(r"[^\W\d_]{3,}")
_DATE_SIGNS = re.compile("[年년月월日일]")
_DATES = [
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        r"(?P<year>[0-9]{4})(?P<mark>[-/.])(?P<month>[0-9]{1,2})(?P=mark)(?P<day>[0-9]{1,2})",
        rf"{_FIRST}(?P<mark>[-/.])(?P<second>[0-9]{{1,2}})(?P=mark){_YEAR}",
        rf"{_FIRST}(?P<is_day>{_TH})?[-/.,\s]*(?P<of>{_OF})?{_NAME}{_GAP}{_YEAR}",
        rf"{_NAME}{_GAP}(?P<day>[0-9]{{1,2}}){_TH}?[-/.,\s]+{_YEAR}",
        rf"(?P<year>[0-9]{{4}}){_GAP}{_NAME}{_GAP}(?P<day>[0-9]{{1,2}}){_TH}?\.?",
        r"(?P<year>[0-9]{4})\s?[年년]\s?(?P<month>[0-9]{1,2})\s?[月월]\s?(?P<day>[0-9]{1,2})\s?[日일]",
    )
]


def date(text: str, *, day_first: bool | None = None, formats: Sequence[str] = ()) -> str:
    """Write a date as in ISO 8601.

    The month may be digits or a name in one of twenty languages. Of years with two digits, 69 to 99 are 1969 to 1999,
    and 00 to 68 are 2000 to 2068, as in POSIX. Such a year may stand first or last, so `23/12/31` and `31-Dec-23` stay;
    `12/31/23`, `31/12/'23`, `31st Dec 23` and `68/12/31` are certain. A time before or behind the date is dropped.

    Args:
        text (str): the text.
        day_first (bool): True for dates such as `31/12/23`, False for `12/31/23`. With either, a year of two digits
            stands last. None: the text must show the order by itself.
        formats (list of str): formats of `datetime.strptime` with day, month and year, which are tried first.

    Returns:
        str: the date. A text that is no date stays as it is; so does one that can be read in two ways (`03/04/2024`,
        `23/12/31`).

    Raises:
        ValueError: if `day_first` or `formats` is something else.

    >>> date("31.12.2023"), date("Dec 31st, 2023"), date("31 de diciembre de 2023"), date("12/31/23 14:05")
    ('2023-12-31', '2023-12-31', '2023-12-31', '2023-12-31')
    >>> date("03/04/2024"), date("03/04/2024", day_first=True), date("23/12/31", formats=["%y/%m/%d"])
    ('03/04/2024', '2024-04-03', '2023-12-31')
    >>> date("23/12/31"), date("23/12/31", day_first=True)
    ('23/12/31', '2031-12-23')
    """
    if not isinstance(day_first, bool | None):
        raise ValueError(f"date: day_first must be True, False or None, got {shortened(day_first)}")
    stripped = text.strip()
    if formats:
        for date_format in _checked_formats(formats):
            try:
                return datetime.strptime(stripped, date_format).date().isoformat()
            except ValueError:
                continue
    return (_read(stripped, day_first) or (text, ""))[0]


def read_date(text: str, day_first: bool | None = None) -> tuple[str, str] | None:
    """The date that a text certainly is, as in ISO 8601, and the time beside it as it is written, without blanks.

    Args:
        text (str): the text.
        day_first (bool): the order of day and month, as in `date`.

    Returns:
        tuple of str: the date, and the time, "" for none; None if the text can be read in two ways, or is no date.

    >>> read_date("31.12.2023 2:05 PM"), read_date("2023-12-31"), read_date("03/04/2024")
    (('2023-12-31', '2:05pm'), ('2023-12-31', ''), None)
    """
    return _read(text.strip(), day_first)


def _read(stripped: str, day_first: bool | None) -> tuple[str, str] | None:
    """A date and its time, if the text has a form of dates and one reading."""
    if len(stripped) > _LONGEST:
        return None
    with_time = _WITH_TIME.fullmatch(unicodedata.normalize("NFC", stripped).translate(FULL_WIDTH))
    for pattern in _DATES:
        match = pattern.fullmatch(with_time["date"]) if with_time else None
        if with_time is not None and match is not None:
            day = _iso(match.groupdict(), day_first)
            time = " ".join(filter(None, (with_time["before"], with_time["behind"])))
            return None if day is None else (day, "".join(time.split()).casefold())
    return None


def may_hold_date(text: str) -> bool:
    """Whether something in a text could be a date in any reading: with any marks, blanks or nothing between its parts.

    >>> may_hold_date("ref 1 12 2024"), may_hold_date("20241231"), may_hold_date("3 mai"), may_hold_date("030 1234567")
    (True, True, True, False)
    """
    if _DATE_SIGNS.search(text) or any(map(month_of, _WORDS.findall(text))):
        return True
    for run in _NUMBERS_IN_A_ROW.findall(text):
        numbers = re.findall("[0-9]+", run)
        parts = [*zip(numbers, numbers[1:], numbers[2:], strict=False)]
        for digits in (*numbers, "".join(numbers)):
            if 6 <= len(digits) <= 8:
                cuts = combinations(range(1, len(digits)), 2)
                parts += [(digits[:first], digits[first:second], digits[second:]) for first, second in cuts]
        if any(_may_be_date(*each) for each in parts):
            return True
    return False


def _may_be_date(first: str, second: str, third: str) -> bool:
    """Whether three numbers are a year, a month and a day, in any order but with the year at one end."""
    for year, one, other in ((third, first, second), (first, second, third)):
        is_year = len(year) == 2 or (len(year) == 4 and year[:2] in ("18", "19", "20", "21"))
        if is_year and len(one) <= 2 and len(other) <= 2:
            months_and_days = (int(one), int(other)), (int(other), int(one))
            if any(_valid(year, *each) for each in months_and_days):
                return True
    return False


def _checked_formats(formats: Sequence[str]) -> Sequence[str]:
    """The formats, if each of them reads a whole date."""
    if isinstance(formats, str) or not all(isinstance(date_format, str) for date_format in formats):
        raise ValueError(f"date: formats must be a list of texts, got {shortened(formats)}")
    for date_format in formats:
        if not _reads_dates(date_format):
            problem = "a format must have day, month and year as in datetime.strptime"
            raise ValueError(f"date: {problem}, got {shortened(date_format)}")
    return formats


@functools.cache
def _reads_dates(date_format: str) -> bool:
    day = datetime(2001, 12, 31)
    try:
        return datetime.strptime(day.strftime(date_format), date_format).date() == day.date()
    except ValueError:
        return False


def _iso(parts: dict[str, str | None], day_first: bool | None) -> str | None:
    """The date that parts of a text make, if there is one only."""
    readings = {_valid(*reading) for reading in _readings(parts, day_first)} - {None}
    return readings.pop() if len(readings) == 1 else None


def _readings(parts: dict[str, str | None], day_first: bool | None) -> Iterator[tuple[str, int, int]]:
    """The years, months and days that parts of a text may stand for."""
    year, first, second = parts["year"] or "", parts.get("first"), parts.get("second")
    month = (month_of(parts["name"] or "") or 0) if "name" in parts else int(second or parts.get("month") or 0)
    if not first:
        yield year, month, int(parts["day"] or 0)
        return
    if day_first is not False or not second:
        yield year, month, int(first)
    if day_first is not True and second:
        yield year, int(first), month
    states_day = parts.get("is_day") or parts.get("of") or day_first is not None
    if len(first) == 2 and len(year) == 2 and not states_day:  # `'23` is longer
        yield first, month, int(year)


def _full_year(digits: str) -> int:
    """The year that two or four digits mean; of two, as POSIX has it for `%y`."""
    year = int(digits.lstrip("'"))
    return year if len(digits) == 4 else year + (1900 if year >= 69 else 2000)


def _valid(year: str, month: int, day: int) -> str | None:
    try:
        return _date(_full_year(year), month, day).isoformat()
    except ValueError:
        return None
