"""Planted differences of units: currencies by symbol and code, cents, thousands, shares and per cent."""

from __future__ import annotations

import random
import re
from typing import Any

from planted_sources import Document, Path_
from writing_cases import REFERENCES, Difference, Rows, Sides, Write, all_values, amounts, both, in_groups

CURRENCIES = {"EUR": "€", "USD": "$", "GBP": "£"}
WORDS = {"EUR": "Euro", "USD": "US Dollar", "GBP": "Pound Sterling"}


def rated(sides: Sides) -> Sides:
    """Records with the rate of a tax, and documents with one: the same on both sides."""

    def write(rows: Rows, _: random.Random) -> Rows:
        lists = in_groups(
            lambda records, _: [{**each, "tax_rate": ("19 %", "7 %", "20 %")[n % 3]} for n, each in enumerate(records)]
        )
        return [
            {**row, "document": {**row["document"], "discount_rate": "2.5 %"}}
            for row in lists(rows, random.Random(0)) or rows
        ]

    return both(write)(sides)


def share(value: Any) -> Any:
    match = re.fullmatch(r"([\d.]+) %", value) if isinstance(value, str) else None
    return value if match is None else f"{float(match[1]) / 100:g}"


def percent(form: str) -> Write:
    def written(path: Path_, value: Any) -> Any:
        match = re.fullmatch(r"([\d.]+) %", value) if isinstance(value, str) else None
        return value if match is None else form.format(match[1])

    return all_values(written)


def with_currency(sides: Sides) -> Sides:
    """Records that name their currency."""

    def write(rows: Rows, _: random.Random) -> Rows:
        def of(row: Document) -> Document:
            code = row["document"].get("currency") or "EUR"
            lists = in_groups(lambda records, _: [{**each, "currency": code} for each in records])
            [written] = lists([row], random.Random(0)) or [row]
            return dict(written)

        return [of(row) for row in rows]

    return both(write)(sides)


def currency(table: dict[str, str]) -> Write:
    return all_values(lambda path, value: table.get(value, value) if isinstance(value, str) else value)


def cents(number: Any) -> Any:
    return int(number * 100)


_UNITS = (
    r"^(format|contains|units?|warning).*(\bcents?\b|\bunits?\b|hundred|thousand|\btimes\b|factor|×|per ?cent|share|%)"
)
_CODE = r"^(format|contains|values?|warning).*(€|EUR|Euro|symbol|sign|code|currency)"

DIFFERENCES = [
    Difference("symbol for code", "€", currency(CURRENCIES), _CODE, prepare=with_currency, names_types=True),
    Difference("symbol for code", "words", currency(WORDS), _CODE, prepare=with_currency, names_types=True),
    Difference(
        "symbol for code",
        "of references",
        currency(CURRENCIES),
        _CODE,
        REFERENCES,
        prepare=with_currency,
        names_types=True,
    ),
    Difference(
        "symbol for code",
        "small letters",
        currency({code: code.lower() for code in CURRENCIES}),
        _CODE + "|case",
        prepare=with_currency,
        names_types=True,
    ),
    Difference("cents for units", "whole", amounts(cents), _UNITS, names_types=True),
    Difference("cents for units", "of references", amounts(cents), _UNITS, REFERENCES, names_types=True),
    Difference("thousands for units", "T€", amounts(lambda number: float(number / 1000)), _UNITS, names_types=True),
    Difference(
        "shares for per cent",
        "0.19",
        all_values(lambda path, value: share(value)),
        _UNITS,
        prepare=rated,
        names_types=True,
    ),
    Difference("shares for per cent", "19", percent("{}"), _UNITS, prepare=rated, names_types=True),
    Difference("shares for per cent", "19%", percent("{}%"), _UNITS, prepare=rated, names_types=True),
    Difference("shares for per cent", "19.0 percent", percent("{} percent"), _UNITS, prepare=rated, names_types=True),
]
