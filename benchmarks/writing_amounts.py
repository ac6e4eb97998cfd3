"""Planted differences of format: amounts, and their signs."""

from __future__ import annotations

import re
from collections.abc import Callable
from decimal import Decimal
from typing import Any

from writing_cases import REFERENCES, Difference, Sides, Write, amounts, both


def grouped(form: str = "{}", marks: str = ",.", places: int = 2) -> Callable[[Decimal], str]:
    """An amount with marks of thousands and decimals, in a form such as `${}`."""
    return lambda number: form.format(
        f"{number:,.{places}f}".replace(",", "\0").replace(".", marks[1:]).replace("\0", marks[:1].strip("_"))
    )


def indian(number: Decimal) -> str:
    whole, _, cents = f"{abs(number):.2f}".partition(".")
    head, tail = whole[:-3], whole[-3:]
    head = re.sub(r"(?<=\d)(?=(\d\d)+$)", ",", head)
    return ("-" if number < 0 else "") + (f"{head},{tail}" if head else tail) + f".{cents}"


def scientific(number: Decimal) -> str:
    return f"{number:.5E}"


def without_zeros(number: Decimal) -> str:
    return f"{number:f}".rstrip("0").rstrip(".") if "." in f"{number:f}" else f"{number:f}"


def dashed(number: Decimal) -> str:
    """Whole amounts as shops print them."""
    return f"{number:.0f},—" if number == int(number) else f"{number:.2f}".replace(".", ",")


def negative(form: str) -> Write:
    """Negative amounts with the sign elsewhere: all amounts of the documents are made negative before."""
    return amounts(lambda number: form.format(f"{abs(number):.2f}") if number < 0 else f"{number:.2f}")


def credited(sides: Sides) -> Sides:
    """The same as credit notes: amounts are negative."""
    return both(amounts(lambda number: f"{-abs(number):.2f}"))(sides)


def whole(sides: Sides) -> Sides:
    """The same in a currency without cents: amounts are whole."""
    return both(amounts(lambda number: int(number * 100)))(sides)


AMOUNTS: dict[str, Callable[[Decimal], Any]] = {
    "decimal comma": grouped("{}", ".,"),
    "decimal comma, no marks": grouped("{}", "_,"),
    "commas": grouped(),
    "blanks": grouped("{}", "\N{NO-BREAK SPACE},"),
    "narrow blanks": grouped("{}", "\N{NARROW NO-BREAK SPACE}."),
    "apostrophes": grouped("{}", "’."),
    "lakhs": indian,
    "dollar sign": grouped("${}"),
    "euro sign behind": grouped("{} €", ".,"),
    "code before": grouped("USD {}"),
    "code behind": grouped("{} CHF", "'."),
    "Rp": grouped("Rp. {}", ".,", 0),
    "stars": grouped("***{}"),
    "numbers of JSON": float,
    "no trailing zeros": without_zeros,
    "four decimals": grouped("{}", "_.", 4),
    "scientific": scientific,
    "dash for cents": dashed,
    "plus sign": grouped("+{}", "_."),
    "equals sign": grouped("={}", "_."),
}
NEGATIVES = {"sign behind": "{}-", "brackets": "({})", "minus of typesetters": "−{}", "CR": "{} CR"}


_TOLD = r"^(format|ambiguous|warning).*(number|money|amount|same_amount|currency|decimal)|^contains.*'([+=]|\*{3}|cr)'"

DIFFERENCES = [
    *(
        Difference(
            "format of amounts", name, amounts(spell), _TOLD, names_types=True, prepare=whole if name == "Rp" else None
        )
        for name, spell in AMOUNTS.items()
    ),
    *(
        Difference("format of amounts", name, amounts(AMOUNTS[name]), _TOLD, REFERENCES, names_types=True)
        for name in ("decimal comma", "dollar sign", "numbers of JSON")
    ),
    *(
        Difference("sign of amounts", name, negative(form), _TOLD, prepare=credited, names_types=True)
        for name, form in NEGATIVES.items()
    ),
]
