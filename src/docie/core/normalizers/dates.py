"""Dates, in the formats that documents print."""

from __future__ import annotations

import functools
import re
import unicodedata
from collections.abc import Container, Iterator, Sequence
from datetime import date as _date
from datetime import datetime, timedelta
from decimal import Decimal
from itertools import combinations

from docie.core.errors import shortened
from docie.core.normalizers.amounts import FULL_WIDTH
from docie.core.normalizers.calendar_names import month_of, weekdays_of

_CLOCKS = {
    "days": (datetime(1899, 12, 30), 1, 61, ""),
    "seconds": (datetime(1970, 1, 1), 86_400, 0, "Z"),
    "milliseconds": (datetime(1970, 1, 1), 86_400_000, 0, "Z"),
}
"""What numbers may count: from when, how many make a day, the first one that is read, and the time zone. Spreadsheets
count a 29 February 1900, so the days before it differ."""
_PLAIN_NUMBER = re.compile(r"[0-9]{1,15}(?:\.[0-9]{1,12})?")
_LONGEST = 80
"""The longest text that may be a date, in characters."""
_TIME = (
    r"(?:[01]?[0-9]|2[0-4])(?:(?::[0-5][0-9]){1,2}(?:[.,][0-9]+)?|h[0-5][0-9])(?:\s?[ap]\.?m\.?)?"
    r"(?:\s?(?:Z|UTC|GMT|[+\-][0-9]{2}:?[0-9]{2}))?(?:\s?(?:Uhr|hrs?|h))?"
)
_PARTS_OF_TIME = re.compile(
    r"(?P<hour>[0-9]+)[:h](?P<minute>[0-9]+)(?::(?P<second>[0-9]+))?(?:[.,](?P<fraction>[0-9]+))?"
    r"(?:(?P<half>[ap])\.?m\.?)?(?P<zone>z|utc|gmt|(?P<offset>[+\-][0-9]{2}):?(?P<minutes>[0-9]{2}))?(?:uhr|hrs?|h)?"
)
_WITH_TIME = re.compile(
    rf"(?:(?P<before>{_TIME}),?\s+)?(?P<date>.+?)(?:(?:,?\s+|T)(?P<behind>{_TIME}))?", re.IGNORECASE
)
_BEHIND_WEEKDAY = re.compile(r"(?P<weekday>[^\W\d_]{2,}?)(?:-feira)?\.?,?\s+(?P<date>.+)", re.IGNORECASE)
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


def date(text: str, *, day_first: bool | None = None, formats: Sequence[str] = (), numbers: str | None = None) -> str:
    """Write a date in ISO 8601 format.

    The month may be digits or a name in one of twenty languages. Two-digit years from 69 to 99 are 1969 to 1999, and 00
    to 68 are 2000 to 2068, as in POSIX. Such a year may stand first or last, so `23/12/31` and `31-Dec-23` are
    ambiguous and stay as they are; `12/31/23`, `31/12/'23`, `31st Dec 23` and `68/12/31` have one reading. So has a
    date behind its weekday, and none behind another one. A time before or after the date follows it, with its time
    zone; midnight is dropped.

    Args:
        text (str): the text.
        day_first (bool): True for dates such as `31/12/23`, False for `12/31/23`. With either, a two-digit year stands
            last. None: the order must be clear from the text.
        formats (list of str): formats of `datetime.strptime` with day, month and year, which are tried first.
        numbers (str): what plain numbers count: "days" of a spreadsheet (45322 is 2024-01-31), or "seconds" or
            "milliseconds" since 1970 in UTC, as computers do.

    Returns:
        str: the date, and its time if it has one. Any other text is returned unchanged, as is a date with two readings
            (`03/04/2024`, `23/12/31`).

    Raises:
        ValueError: if `day_first`, `formats` or `numbers` has a wrong value.

    >>> date("31.12.2023"), date("Dec 31st, 2023"), date("31 de diciembre de 2023"), date("12/31/23 00:00")
    ('2023-12-31', '2023-12-31', '2023-12-31', '2023-12-31')
    >>> date("12/31/23 2:05 PM"), date("2023-12-31T23:30:00-0500")
    ('2023-12-31T14:05', '2023-12-31T23:30-05:00')
    >>> date("Mon, 08 Jan 2024"), date("Mo. 08/01/24"), date("Tue, 08 Jan 2024")
    ('2024-01-08', '2024-01-08', 'Tue, 08 Jan 2024')
    >>> date("03/04/2024"), date("03/04/2024", day_first=True), date("23/12/31", formats=["%y/%m/%d"])
    ('03/04/2024', '2024-04-03', '2023-12-31')
    >>> date("23/12/31"), date("23/12/31", day_first=True)
    ('23/12/31', '2031-12-23')
    >>> date("45322.5", numbers="days"), date("1706659200", numbers="seconds")
    ('2024-01-31T12:00', '2024-01-31')
    """
    if not isinstance(day_first, bool | None):
        raise ValueError(f"date: day_first must be True, False or None, got {shortened(day_first)}")
    for date_format in _checked_formats(formats):
        try:
            moment = datetime.strptime(text.strip(), date_format)
        except ValueError:
            continue
        return _written(moment.date().isoformat(), _time_of(moment.timetz().isoformat()) or "")
    counted = None if numbers is None else _counted(text.strip(), numbers)
    found = counted or read_date(text, day_first)
    return text if found is None else _written(*found)


def _counted(text: str, numbers: str) -> tuple[str, str] | None:
    """The date and the time that a plain number counts to; None for any other text."""
    if numbers not in _CLOCKS:
        raise ValueError(f"date: numbers must be {' or '.join(map(repr, _CLOCKS))}, got {shortened(numbers)}")
    start, day, first, zone = _CLOCKS[numbers]
    if not _PLAIN_NUMBER.fullmatch(text) or Decimal(text) < first:
        return None
    try:
        moment = start + timedelta(milliseconds=round(Decimal(text) / day * 86_400_000))
    except OverflowError:
        return None
    if numbers == "days":  # which have no more than fifteen digits, so parts of a second mean nothing
        moment = (moment + timedelta(milliseconds=500)).replace(microsecond=0)
    return moment.date().isoformat(), _time_of(f"{moment.time().isoformat()}{zone}") or ""


def read_date(text: str, day_first: bool | None = None) -> tuple[str, str] | None:
    """The date in a text, if it has one reading only, and the time beside it, both in ISO 8601 format.

    Args:
        text (str): the text.
        day_first (bool): the order of day and month, as in `date`.

    Returns:
        tuple of str: the date, and the time with its zone, "" for none and for midnight; None if the text is not a
            date, or has two readings.

    >>> read_date("31.12.2023 2:05 PM"), read_date("2023-12-31"), read_date("03/04/2024")
    (('2023-12-31', '14:05'), ('2023-12-31', ''), None)
    """
    stripped = text.strip()
    if len(stripped) > _LONGEST:
        return None
    stripped = unicodedata.normalize("NFC", stripped).translate(FULL_WIDTH)
    found = _read(stripped, day_first)
    if found is None and (match := _BEHIND_WEEKDAY.fullmatch(stripped)) and (days := weekdays_of(match["weekday"])):
        return _read(match["date"], day_first, days)
    return found


def _read(text: str, day_first: bool | None, weekdays: Container[int] = range(7)) -> tuple[str, str] | None:
    """The date in a text, if it has one reading on one of some weekdays, and the time beside it."""
    with_time = _WITH_TIME.fullmatch(text)
    for pattern in _DATES:
        match = pattern.fullmatch(with_time["date"]) if with_time else None
        if with_time is not None and match is not None:
            day, times = _iso(match.groupdict(), day_first, weekdays), with_time.group("before", "behind")
            time = None if all(times) else _time_of(times[0] or times[1] or "")
            return None if day is None or time is None else (day, time)
    return None


def _written(day: str, time: str) -> str:
    return f"{day}T{time}" if time else day


def _time_of(text: str) -> str | None:
    """A time as ISO 8601 writes it, without seconds that are zero; "" for midnight, None if its parts disagree.

    >>> _time_of("2:05 p.m."), _time_of("14:05:30.50 GMT"), _time_of("00:00:00Z"), _time_of("14:05 am")
    ('14:05', '14:05:30.5Z', '', None)
    """
    parts = _PARTS_OF_TIME.fullmatch("".join(text.split()).casefold())
    if parts is None:
        return None if text else ""
    hour, minute, half = int(parts["hour"]), parts["minute"], parts["half"]
    second, fraction = parts["second"] or "00", (parts["fraction"] or "").rstrip("0")
    if (half == "a" and hour > 12) or (parts["fraction"] and not parts["second"]):
        return None
    if half and hour <= 12:
        hour = hour % 12 + 12 * (half == "p")
    if hour == 24 and (int(minute) or int(second) or fraction):
        return None
    if not (hour or int(minute) or int(second) or fraction):
        return ""
    seconds = f":{second}{'.' * bool(fraction)}{fraction}" if int(second) or fraction else ""
    offset = f"{parts['offset']}:{parts['minutes']}" if parts["offset"] else ""
    zone = "Z" if parts["zone"] and offset in ("", "+00:00", "-00:00") else offset
    return f"{hour:02}:{minute}{seconds}{zone}"


def may_hold_date(text: str) -> bool:
    """Whether a part of a text could be a date: with any separators, blanks or nothing between its parts.

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
    """Whether three numbers are a year, a month and a day, in any order with the year first or last."""
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


def _iso(parts: dict[str, str | None], day_first: bool | None, weekdays: Container[int]) -> str | None:
    """The date that the parts of a text make, if there is only one, on one of some weekdays."""
    days = {_valid(*reading) for reading in _readings(parts, day_first)} - {None}
    readings = [day.isoformat() for day in days if day and day.weekday() in weekdays]
    return readings[0] if len(readings) == 1 else None


def _readings(parts: dict[str, str | None], day_first: bool | None) -> Iterator[tuple[str, int, int]]:
    """The years, months and days that the parts of a text may stand for."""
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
    """The year for two or four digits; for two, as POSIX defines `%y`."""
    year = int(digits.lstrip("'"))
    return year if len(digits) == 4 else year + (1900 if year >= 69 else 2000)


def _valid(year: str, month: int, day: int) -> _date | None:
    try:
        return _date(_full_year(year), month, day)
    except ValueError:
        return None
