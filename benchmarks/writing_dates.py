"""Planted differences of format: dates, and truth values."""

from __future__ import annotations

import datetime
import re
from collections.abc import Callable
from typing import Any

from planted_sources import Document, Path_, mapped
from writing_cases import PREDICTIONS, REFERENCES, SIDES, Difference, Sides, Write, all_values, documents

MONTHS = (
    "January", "February", "March", "April", "May", "June",
    "July", "August", "September", "October", "November", "December",
)  # fmt: skip
GERMAN = (
    "Januar", "Februar", "März", "April", "Mai", "Juni",
    "Juli", "August", "September", "Oktober", "November", "Dezember",
)  # fmt: skip
FRENCH = (
    "janvier", "février", "mars", "avril", "mai", "juin",
    "juillet", "août", "septembre", "octobre", "novembre", "décembre",
)  # fmt: skip
EPOCH = datetime.date(1970, 1, 1)
Day = datetime.date


def day_of(value: Any) -> Day | None:
    """The day that a text means: as ISO 8601 writes it, or with points, day first."""
    if not isinstance(value, str):
        return None
    if match := re.fullmatch(r"(\d\d)\.(\d\d)\.(\d{4})", value):
        value = f"{match[3]}-{match[2]}-{match[1]}"
    try:
        return Day.fromisoformat(value) if re.fullmatch(r"\d{4}-\d\d-\d\d", value) else None
    except ValueError:
        return None


def dates(function: Callable[[Day], Any]) -> Write:
    def written(path: Path_, value: Any) -> Any:
        day = day_of(value)
        return value if day is None else function(day)

    return all_values(written)


DATES: dict[str, Callable[[Day], Any]] = {
    "day first": "{:%d/%m/%Y}".format,
    "month first": "{:%m/%d/%Y}".format,
    "ISO": "{:%Y-%m-%d}".format,
    "points": "{:%d.%m.%Y}".format,
    "points, two digits": "{:%d.%m.%y}".format,
    "slashes, year first": "{:%Y/%m/%d}".format,
    "no zeros": lambda day: f"{day.month}/{day.day}/{day.year}",
    "compact": "{:%Y%m%d}".format,
    "compact number": lambda day: int(f"{day:%Y%m%d}"),
    "month name": lambda day: f"{MONTHS[day.month - 1]} {day.day}, {day.year}",
    "short month": lambda day: f"{day.day:02}-{MONTHS[day.month - 1][:3]}-{day.year % 100:02}",
    "German month": lambda day: f"{day.day}. {GERMAN[day.month - 1]} {day.year}",
    "French month": lambda day: f"{day.day} {FRENCH[day.month - 1]} {day.year}",
    "ordinal": lambda day: f"{day.day}th of {MONTHS[day.month - 1]} {day.year}",
    "weekday": lambda day: f"{day:%a}, {day.day:02} {MONTHS[day.month - 1][:3]} {day.year}",
    "Japanese": lambda day: f"{day.year}年{day.month}月{day.day}日",
    "ISO with time": "{:%Y-%m-%d}T00:00:00Z".format,
    "pandas": "{:%Y-%m-%d} 00:00:00".format,
    "serial of Excel": lambda day: (day - Day(1899, 12, 30)).days,
    "epoch": lambda day: 86400 * (day - EPOCH).days,
    "epoch in milliseconds": lambda day: 86_400_000 * (day - EPOCH).days,
}


def flagged(sides: Sides) -> Sides:
    """Documents with truth values: of records, always right, and of the root, one in twenty wrong."""

    def flags(document: Document) -> Document:
        written: Document = {}
        for key, child in document.items():
            if isinstance(child, list) and all(isinstance(each, dict) for each in child):
                child = [{**each, "taxable": len(str(each)) % 3 > 0} for each in child]
            written[key] = child
        return {**written, "is_copy": len(str(document.get("vendor", document))) % 2 == 0}

    rows: list[tuple[Document, Document]] = []
    for reference, prediction in zip(*sides, strict=True):
        wanted = flags(reference["document"])
        given = dict(prediction["document"])
        for key, child in wanted.items():
            if isinstance(child, list) and isinstance(given.get(key), list):
                lines = [each.get("taxable") for each in child if isinstance(each, dict)]
                given[key] = [
                    {**each, "taxable": lines[n]} if n < len(lines) and isinstance(each, dict) else each
                    for n, each in enumerate(given[key])
                ]
        given["is_copy"] = wanted["is_copy"] != (len(rows) % 20 == 3)
        rows.append(({**reference, "document": wanted}, {**prediction, "document": given}))
    return Sides(*(list(each) for each in zip(*rows, strict=True)))


FLAGS: dict[str, tuple[Any, Any]] = {
    "Y, N": ("Y", "N"),
    "yes, no": ("yes", "no"),
    "1, 0": (1, 0),
    "1.0, 0.0": ("1.0", "0.0"),
    "X, blank": ("X", ""),
    "x, nothing": ("x", None),
    "Ja, Nein": ("Ja", "Nein"),
    "Oui, Non": ("Oui", "Non"),
    "ticks": ("✓", "✗"),
    "boxes": ("☑", "☐"),
    "TRUE, FALSE": ("TRUE", "FALSE"),
    "True, False": ("True", "False"),
    "WAHR, FALSCH": ("WAHR", "FALSCH"),
    "checked": ("checked", "unchecked"),
    "selected": (":selected:", ":unselected:"),
    "[x], [ ]": ("[x]", "[ ]"),
    "T, F": ("T", "F"),
    "on, off": ("on", "off"),
}


def truth(pair: tuple[Any, Any]) -> Write:
    """Truth values written as one of two texts."""

    def changed(_: Path_, value: Any) -> Any:
        return pair[not value] if isinstance(value, bool) else value

    return documents(lambda document: mapped(document, changed))


_DATE = r"^(format|ambiguous|warning).*(date|day|serial|epoch|timestamp)"
_TRUTH = r"^(format|contains|warning).*(boolean|truth|yes|true|flag)"

DIFFERENCES = [
    *(Difference("format of dates", name, dates(spell), _DATE, names_types=True) for name, spell in DATES.items()),
    *(
        Difference("format of dates", name, dates(DATES[name]), _DATE, REFERENCES, names_types=True)
        for name in ("day first", "month name", "serial of Excel")
    ),
    *(
        Difference("format of truth values", name, truth(pair), _TRUTH, side, prepare=flagged, names_types=True)
        for side in SIDES
        for name, pair in FLAGS.items()
        if side == PREDICTIONS or name in ("Y, N", "X, blank")
    ),
]
