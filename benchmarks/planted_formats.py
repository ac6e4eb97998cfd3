"""Planted changes of format: amounts, dates and texts that one side writes in another way.

Nothing of docie is imported.
"""

from __future__ import annotations

import datetime
import functools
import random
import re
from collections import Counter
from collections.abc import Callable, Mapping
from typing import Any

from planted_drafts import SIDES, Draft, Options, Planted, is_enough
from planted_sources import Path_, mapped, values

Put = Callable[[Draft, str, random.Random], Planted | None]
Spelling = Callable[[Any], Any]
LEAST_RISE = 0.025
"""A little more than what a finding about formats must raise the score."""
AMOUNT = re.compile(r"-?\d+\.\d\d")
WHOLE = re.compile(r"-?\d+")
DATE = re.compile(r"\d{4}-\d\d-\d\d")
MONTHS = "January February March April May June July August September October November December".split()  # noqa: SIM905


def respell(
    draft: Draft,
    side: str,
    dice: random.Random,
    *,
    is_sound: Callable[[Any], bool],
    write: tuple[Spelling, ...],
    normalizers: tuple[str, ...],
) -> Planted | None:
    """One side writes the values of all types of a kind in another way, or in two ways by country.

    Args:
        draft, side, dice: as for every plant.
        is_sound: whether a value is of that kind, in the format that both sides have.
        write: the other spelling; of two, `meta` says by its country which one a document has.
        normalizers: the normalizers that make the spellings equal; the first two letters of an argument may follow.
    """
    if len(write) > 1 and draft.layouts["references"].path != ("reference",):
        return None
    ways = {each: dice.choice(write) for each in draft.meta}
    types = _types_of_kind(draft, is_sound)
    concerned, right = _written_anew(draft, side, ways, lambda path, value: path in types and is_sound(value))
    types = {path for path in types if is_enough(right[path], concerned[path])}
    found = sum(right[path] for path in types)
    total = sum(len(values(draft.sound[each][key])) for each in SIDES for key in draft.ids)
    if not found or 2 * found / total < LEAST_RISE:
        return None
    changed = {
        each: mapped(document, functools.partial(_spelled, types, is_sound, ways[each]))
        for each, document in draft.changed[side].items()
    }
    draft.changed[side] = changed
    if len(write) > 1:
        draft.keeps_meta = True
        for each, way in ways.items():
            draft.meta[each]["country"] = ("DE", "US")[write.index(way)]
    asks = functools.partial(_normalizes, normalizers, len(write) > 1)
    return Planted("format", asks, sum(concerned[path] for path in types), found)


def _types_of_kind(draft: Draft, is_sound: Callable[[Any], bool]) -> set[Path_]:
    """The types nearly all of whose values have a kind."""
    found: dict[Path_, list[bool]] = {}
    for document in draft.documents():
        for path, value in values(document):
            found.setdefault(path, []).append(is_sound(value))
    return {path for path, verdicts in found.items() if sum(verdicts) >= 0.9 * len(verdicts)}


def _spelled(types: set[Path_], is_sound: Callable[[Any], bool], write: Spelling, path: Path_, value: Any) -> Any:
    return write(value) if path in types and is_sound(value) else value


def _written_anew(
    draft: Draft, side: str, ways: dict[str, Spelling], is_concerned: Callable[[Path_, Any], bool]
) -> tuple[Counter[Path_], Counter[Path_]]:
    """By type: the values of a side that are written in another way, and those that the other side has too."""
    concerned, right = Counter[Path_](), Counter[Path_]()
    other = "predictions" if side == "references" else "references"
    for each in draft.answered:
        left = Counter(values(draft.sound[other][each]))
        for path, value in values(draft.sound[side][each]):
            if is_concerned(path, value) and ways[each](value) != value:
                concerned[path] += 1
                right[path] += left[path, value] > 0
                left[path, value] -= 1
    return concerned, right


def _normalizes(normalizers: tuple[str, ...], is_by_country: bool, options: Options) -> bool:
    """Whether options name one of these normalizers, for some types or for all, one by country, or a rule for money."""
    if is_by_country and "values.normalize_by" in options:
        return True
    if "money" in normalizers and "same_amount" in str(options.get("values.match", "")):
        return True
    asked = options.get("values.normalize", ())
    names = [*asked.values()] if isinstance(asked, Mapping) else [asked]  # by type, or for all
    return any(
        str(name).startswith(normalizers)
        for each in names
        for name in (each if isinstance(each, list | tuple) else [each])
    )


def is_amount(value: Any) -> bool:
    """Whether a value is a number, or a text with two decimals."""
    if isinstance(value, int | float) and not isinstance(value, bool):
        return round(value, 2) == value and (value == 0 or value >= 5) and not 1900 <= value <= 2100
    return isinstance(value, str) and AMOUNT.fullmatch(value) is not None


def is_whole(value: Any) -> bool:
    """Whether a value is a whole number that is no year."""
    if isinstance(value, bool) or not isinstance(value, int | float | str):
        return False
    text = (
        f"{value:.0f}" if isinstance(value, int) or (isinstance(value, float) and value == int(value)) else str(value)
    )
    return WHOLE.fullmatch(text) is not None and not 1900 <= int(text) <= 2100 and abs(int(text)) < 10**9


def is_date(value: Any) -> bool:
    """Whether a value is a date as ISO 8601 writes it."""
    return isinstance(value, str) and DATE.fullmatch(value) is not None


def is_word(value: Any) -> bool:
    """Whether a value is a text with four letters in a row, and no digits."""
    return isinstance(value, str) and re.search(r"[a-zA-Z]{4}", value) is not None and re.search(r"\d", value) is None


def amount(value: Any, form: str, marks: str = ",.") -> str:
    """An amount with marks of thousands and decimals, in a form such as `${}`."""
    text = f"{float(value):,.2f}".translate(str.maketrans(",.", marks))
    return form.format(text)


def whole(value: Any, mark: str) -> str:
    """A whole number with a mark of thousands."""
    return f"{int(float(value)):,}".replace(",", mark)


def date(value: str, form: str) -> str:
    """A date in a form such as `{0:%d/%m/%Y}`."""
    try:
        day = datetime.date.fromisoformat(value)
    except ValueError:  # misread
        return value
    return form.format(day, month=MONTHS[day.month - 1])


def other_case(value: str) -> str:
    """The text in small letters, or in capitals if it has only small ones."""
    return value.lower() if value.lower() != value else value.upper()


def _put(is_sound: Callable[[Any], bool], normalizers: tuple[str, ...], *write: Spelling) -> Put:
    return functools.partial(respell, is_sound=is_sound, write=write, normalizers=normalizers)


def _amount(form: str, marks: str = ",.") -> Spelling:
    return functools.partial(amount, form=form, marks=marks)


def _whole(mark: str) -> Spelling:
    return functools.partial(whole, mark=mark)


def _date(form: str) -> Spelling:
    return functools.partial(date, form=form)


_DAY_FIRST, _MONTH_FIRST = _date("{0:%d/%m/%Y}"), _date("{0:%m/%d/%Y}")
FORMATS: dict[str, Put] = {
    "thousands": _put(is_amount, ("number", "money"), _amount("{}")),
    "decimal-comma": _put(is_amount, ("number", "money"), _amount("{}", ".,")),
    "dollars": _put(is_amount, ("money",), _amount("${}")),
    "euros": _put(is_amount, ("money",), _amount("{} €", ".,")),
    "currency-code": _put(is_amount, ("money",), _amount("CHF {}", "'.")),
    "amounts-by-country": _put(is_amount, ("number", "money"), _amount("{}", ".,"), _amount("{}")),
    "whole-with-points": _put(is_whole, ("number(", "money("), _whole(".")),
    "whole-with-commas": _put(is_whole, ("number(", "money("), _whole(",")),
    "whole-by-country": _put(is_whole, (), _whole("."), _whole(",")),
    "day-first": _put(is_date, ("date",), _DAY_FIRST),
    "month-first": _put(is_date, ("date",), _MONTH_FIRST),
    "date-with-points": _put(is_date, ("date",), _date("{0:%d.%m.%Y}")),
    "month-written-out": _put(is_date, ("date",), _date("{0.day} {month} {0.year}")),
    "month-before-day": _put(is_date, ("date",), _date("{month} {0.day}, {0.year}")),
    "dates-by-country": _put(is_date, (), _DAY_FIRST, _MONTH_FIRST),
    "other-case": _put(is_word, ("casefold", "alphanumeric"), other_case),
}
