"""How a side writes what can be read in two ways: what its other texts show.

A text such as `1.240`, `03/04/2024` or `45322` has one reading only if its writer is known. So a decimal mark, or
an order of dates, is that of at least LEAST other texts of the same type, or of the same side, which have one reading,
and no text speaks against it. Numbers are dates where the other side has dates for the same type. Nothing is ever
inferred from values that would be equal then.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cached_property, partial
from itertools import chain
from typing import NamedTuple

from docie.core.normalizers.amounts import number
from docie.core.normalizers.dates import date, read_date
from docie.core.normalizers.same_value import decided, is_ambiguous
from docie.inputs.fit.change import LEAST, NEARLY_ALL
from docie.inputs.fit.sample import Entities

NUMBERED = {"days": (20_000, 80_000), "seconds": (3e8, 4e9), "milliseconds": (3e11, 4e12)}
"""What numbers may count, and the range in which they are likely to: 1954 to 2119, and 1979 to 2096."""
COMPACT = ("%Y%m%d", "%d%m%Y", "%m%d%Y")
"""Formats of dates without marks, of eight digits."""


class Writing(NamedTuple):
    """How one side writes the values of an entity type. Without attributes, no text has a reading but its own.

    Attributes:
        decimal: the decimal mark.
        separates: the mark of thousands of the side, where its type has no text that shows a decimal mark. It says
            nothing of `12.000`, which has more decimals than other amounts, or is twelve thousand.
        day_first: whether the day stands before the month; with either, two digits of the year stand last.
        dates: the arguments of `date` for what is a date in this type only.
    """

    decimal: str | None = None
    separates: str = ""
    day_first: bool | None = None
    dates: tuple[tuple[str, str], ...] = ()

    def meaning(self, text: str) -> str:
        """A text as its writer means it."""
        for name, value in self.dates:
            return date(text, numbers=value) if name == "numbers" else date(text, formats=[value])
        if (self.decimal or self.day_first is not None) and is_ambiguous(text):
            amount = number(text, decimal=self.decimal) if self.decimal and self.separates in text else text
            return amount if amount != text or self.day_first is None else date(text, day_first=self.day_first)
        return text

    def specs(self, units: Iterable[str]) -> list[tuple[str, ...]]:
        """The normalizers that read texts so.

        >>> Writing(decimal=",").specs([])
        [('number(decimal=",")',), ('number', 'number(decimal=",")')]
        """
        found: list[tuple[str, ...]] = []
        for name, value in self.dates:
            return [(f'date(numbers="{value}")' if name == "numbers" else f'date(formats=["{value}"])',)]
        if self.day_first is not None:
            found.append((f"date(day_first={self.day_first})",))
        if self.decimal:
            money = [f'money(decimal="{self.decimal}", currency="{unit}")' for unit in units]
            for name in (f'number(decimal="{self.decimal}")', *money):
                found += [(name,), ("number", name)]  # texts with one reading may have the other mark
        return found


AS_WRITTEN = Writing()


class Writings:
    """How both sides of some documents write what can be read in two ways.

    Args:
        entities: the values of these documents.
    """

    def __init__(self, entities: Sequence[tuple[Entities, Entities]]) -> None:
        self.entities = entities

    def of(self, entity_type: str, predicted: Sequence[str], expected: Sequence[str]) -> tuple[Writing, Writing] | None:
        """How both sides write the values of a type, from those that find no equal counterpart; None for as they are.

        >>> [how.dates for how in Writings([]).of("day", ["45322", "45323", "45324"], ["2024-01-31"])]
        [(('numbers', 'days'),), ()]
        """
        sides = predicted, expected
        special = _special(*sides), _special(expected, predicted)
        if special != (AS_WRITTEN, AS_WRITTEN):
            return special
        if not any(map(is_ambiguous, chain(*sides))):
            return None
        found = self._by_marks(entity_type, 0, predicted), self._by_marks(entity_type, 1, expected)
        return None if found == (AS_WRITTEN, AS_WRITTEN) else found

    def _by_marks(self, entity_type: str, side: int, texts: Iterable[str]) -> Writing:
        of_type, of_side = self._shown[side].get(entity_type, _NOTHING), self._totals[side]
        decimal, order = _only(of_type[0]) or _only(of_side[0]), _only(of_type[1]) or _only(of_side[1])
        separates = {".": ",", ",": "."}[decimal] if decimal and not of_type[0] else ""
        day_first = order == "day" if order else True if _have_months(texts) else None
        return Writing(decimal, separates, day_first)

    @cached_property
    def _shown(self) -> tuple[dict[str, tuple[Counter[str], Counter[str]]], ...]:
        """Of each side, the decimal marks and the orders of dates that texts show, by entity type."""
        found: tuple[dict[str, tuple[Counter[str], Counter[str]]], ...] = ({}, {})
        for pair in self.entities:
            for types, values in zip(found, pair, strict=True):
                for entity_type, text in chain.from_iterable(chain.from_iterable(values.values())):
                    mark, order = decided(text)
                    if mark is None and order is None:
                        continue
                    marks, orders = types.setdefault(entity_type, (Counter(), Counter()))
                    if mark:
                        marks[mark] += 1
                    else:
                        orders["day" if order else "month"] += 1
        return found

    @cached_property
    def _totals(self) -> tuple[tuple[Counter[str], Counter[str]], ...]:
        return tuple(_sums(types) for types in self._shown)


_NOTHING: tuple[Counter[str], Counter[str]] = Counter(), Counter()


def _sums(types: Mapping[str, tuple[Counter[str], Counter[str]]]) -> tuple[Counter[str], Counter[str]]:
    marks, orders = Counter[str](), Counter[str]()
    for each in types.values():
        marks.update(each[0])
        orders.update(each[1])
    return marks, orders


def _only(shown: Counter[str]) -> str | None:
    """What enough texts show, and none contradicts."""
    return next(iter(shown)) if len(shown) == 1 and shown.total() >= LEAST else None


def _have_months(texts: Iterable[str]) -> bool:
    """Whether all dates with two readings have the name of the month, so that the year stands last: `31-Dec-23`."""
    dates = [(read_date(text, True), read_date(text, False)) for text in texts if is_ambiguous(text)]
    return any(one for one, _ in dates) and all(one == other for one, other in dates)


def _special(texts: Sequence[str], others: Sequence[str]) -> Writing:
    """How texts are written that mean dates only because those of the other side are such."""
    if len(texts) < LEAST:
        return AS_WRITTEN
    found = _as_dates(texts)
    return found if found.dates and _are_alike(others, _is_date) else AS_WRITTEN


def _as_dates(texts: Sequence[str]) -> Writing:
    for name, (least, most) in NUMBERED.items():
        if _are_alike(texts, partial(_is_between, least, most)):
            return Writing(dates=(("numbers", name),))
    digits = [text.strip() for text in texts if len(text.strip()) == 8 and text.strip().isdigit()]
    if len(digits) < NEARLY_ALL * len(texts):
        return AS_WRITTEN
    read = {form: sum(date(text, formats=[form]) != text for text in digits) for form in COMPACT}
    form, other = sorted(read, key=lambda form: -read[form])[:2]
    if read[form] >= NEARLY_ALL * len(digits) and read[form] - read[other] >= LEAST:
        return Writing(dates=(("formats", form),))
    return AS_WRITTEN


def _are_alike(texts: Sequence[str], is_one: Callable[[str], bool]) -> bool:
    """Whether nearly all texts are of a kind; the first ones show mostly that they are not."""
    first = texts[: LEAST + 1]
    return 2 * sum(map(is_one, first)) >= len(first) > 0 and sum(map(is_one, texts)) >= NEARLY_ALL * len(texts)


def _is_date(text: str) -> bool:
    return read_date(text) is not None


def _is_between(least: float, most: float, text: str) -> bool:
    whole, _, fraction = text.strip().partition(".")
    return whole.isdecimal() and (not fraction or fraction.isdecimal()) and least <= float(whole) <= most
