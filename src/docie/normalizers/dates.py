"""Dates, in the ways in which documents print them."""

from __future__ import annotations

import functools
import re
import unicodedata
from collections.abc import Sequence
from datetime import date as _date
from datetime import datetime

from docie.errors import shortened
from docie.normalizers.amounts import FULL_WIDTH
from docie.normalizers.month_names import month_of

_LONGEST = 80
"""Characters of the longest text that may be a date."""
_TIME = (
    r"(?:[01]?[0-9]|2[0-4])(?:(?::[0-5][0-9]){1,2}(?:[.,][0-9]+)?|h[0-5][0-9])(?:\s?[ap]\.?m\.?)?"
    r"(?:\s?(?:Z|UTC|GMT|[+\-][0-9]{2}:?[0-9]{2}))?(?:\s?(?:Uhr|hrs?|h))?"
)
_WITH_TIME = re.compile(rf"(?:{_TIME},?\s+)?(?P<date>.+?)(?:(?:,?\s+|T){_TIME})?", re.IGNORECASE)
_DAY = r"(?P<day>[0-9]{1,2})(?:st|nd|rd|th|er|º|°)?"
_NAME = r"(?P<name>[^\W\d_]{3,})"
_YEAR = r"(?P<year>[0-9]{4}|'?[0-9]{2})"
_GAP = r"[-/.,\s]*(?:\b(?:of|de|del)\s+)?"
_DATES = [
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        r"(?P<year>[0-9]{4})(?P<mark>[-/.])(?P<month>[0-9]{1,2})(?P=mark)(?P<day>[0-9]{1,2})",
        rf"(?P<first>[0-9]{{1,2}})(?P<mark>[-/.])(?P<second>[0-9]{{1,2}})(?P=mark){_YEAR}",
        rf"{_DAY}{_GAP}{_NAME}{_GAP}{_YEAR}",
        rf"{_NAME}{_GAP}{_DAY}[-/.,\s]+{_YEAR}",
        rf"(?P<year>[0-9]{{4}}){_GAP}{_NAME}{_GAP}{_DAY}\.?",
        r"(?P<year>[0-9]{4})\s?[年년]\s?(?P<month>[0-9]{1,2})\s?[月월]\s?(?P<day>[0-9]{1,2})\s?[日일]",
    )
]


def date(text: str, *, day_first: bool | None = None, formats: Sequence[str] = ()) -> str:
    """Write a date as in ISO 8601.

    The month may be digits or a name in one of twenty languages. A year of two digits stands last; 69 to 99 are 1969 to
    1999, 00 to 68 are 2000 to 2068, as in POSIX. (`23-12-31` stays, because its year may stand first.) A time before or
    behind the date is dropped.

    Args:
        text (str): the text.
        day_first (bool): whether the day stands before the month. None: the text must show it by itself.
        formats (list of str): formats of `datetime.strptime` with day, month and year, which are tried first.

    Returns:
        str: the date. A text that is no date stays as it is; so does one that can be read in two ways (`03/04/2024`).

    Raises:
        ValueError: if `day_first` or `formats` is something else.

    >>> date("31.12.2023"), date("Dec 31st, 2023"), date("31 de diciembre de 2023"), date("31/12/23 14:05")
    ('2023-12-31', '2023-12-31', '2023-12-31', '2023-12-31')
    >>> date("03/04/2024"), date("03/04/2024", day_first=True), date("24/04/03", formats=["%y/%m/%d"])
    ('03/04/2024', '2024-04-03', '2024-04-03')
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
    if len(stripped) > _LONGEST:
        return text
    with_time = _WITH_TIME.fullmatch(unicodedata.normalize("NFC", stripped).translate(FULL_WIDTH))
    for pattern in _DATES:
        match = pattern.fullmatch(with_time["date"]) if with_time else None
        if match is not None:
            return _iso(match.groupdict(), day_first) or text
    return text


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
    year = _full_year(parts["year"] or "")
    if parts.get("name"):
        readings = {(month_of(parts["name"] or "") or 0, int(parts["day"] or 0))}
    elif parts.get("first"):
        first, second = int(parts["first"] or 0), int(parts["second"] or 0)
        readings = {(second, first), (first, second)}
        if day_first is not None:
            readings = {(second, first) if day_first else (first, second)}
        elif (
            parts["mark"] == "-"
            and len(parts["year"] or "") == 2
            and _valid(_full_year(f"{first:02}"), second, year % 100)
        ):
            return None  # the year may stand first, as in 23-12-31
    else:
        readings = {(int(parts["month"] or 0), int(parts["day"] or 0))}
    dates = {day for day in (_valid(year, *reading) for reading in readings) if day}
    return dates.pop() if len(dates) == 1 else None


def _full_year(digits: str) -> int:
    """The year that two or four digits mean; of two, as POSIX has it for `%y`."""
    year = int(digits.lstrip("'"))
    return year if len(digits) == 4 else year + (1900 if year >= 69 else 2000)


def _valid(year: int, month: int, day: int) -> str | None:
    try:
        return _date(year, month, day).isoformat()
    except ValueError:
        return None
