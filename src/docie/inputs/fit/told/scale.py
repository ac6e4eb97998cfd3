"""Numbers that are the same but for a power of ten: cents and units, shares and per cent, thousands."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator
from decimal import Decimal, InvalidOperation
from itertools import chain

from docie.core.normalizers.amounts import read_amount
from docie.inputs.fit.change import LEAST, LISTED, NEARLY_ALL, OF_TEXTS, Change, is_found
from docie.inputs.fit.sample import Entities, Sample

RARE = 100
"""From this factor on numbers are hardly ever multiples by chance."""
FACTORS = (10, 100, 1000, 1_000_000)
"""Cents are a hundredth, and tables are in thousands or millions; ten is a decimal mark that was lost."""
DIGITS = 9
"""The number of decimals that are compared: a number of JSON may be 0.15000000000000002."""


def propose(sample: Sample) -> Iterator[Change]:
    """Types whose numbers are multiples of those of the references: told, since no option scales them."""
    open_types = Counter(name for pair in sample.unequal for name in pair[0].keys() & pair[1].keys())
    documents = [tuple(_numbers(side, open_types) for side in pair) for pair in sample.entities if open_types]
    for name, number in sorted(open_types.items()):
        if number < LEAST:
            continue
        pairs = [(predicted[name], expected[name]) for predicted, expected in documents]
        size = sum(min(map(len, pair)) for pair in pairs)
        for is_larger in (True, False):
            for factor in FACTORS:
                larger = pairs if is_larger else [(expected, predicted) for predicted, expected in pairs]
                same = [_multiples(*pair, factor) for pair in larger]
                found = [example for each in same for example in each]
                least = NEARLY_ALL if factor < RARE else OF_TEXTS
                if is_found(len(found), size, least) and sum(map(bool, same)) >= LEAST:
                    yield Change("contains", {}, len(found), 0, _text(name, factor, is_larger, found), sample)


def _text(name: str, factor: int, is_larger: bool, found: list[tuple[str, str]]) -> str:
    one, other = ("predictions", "references") if is_larger else ("references", "predictions")
    shown = dict.fromkeys(f"{larger!r} and {smaller!r}" for larger, smaller in found)
    examples = ", ".join([*shown][:LISTED])
    return f"the values of {name!r} in the {one} are {factor:,} times those in the {other}: {examples}"


def _numbers(side: Entities, names: Counter[str]) -> defaultdict[str, list[tuple[Decimal, str]]]:
    """The numbers of a document but zeros, by their types, with their texts."""
    found: defaultdict[str, list[tuple[Decimal, str]]] = defaultdict(list)
    for name, text in chain(*chain(*side.values())):
        if name in names and (amount := read_amount(text)):
            try:
                number = round(Decimal(amount.value), DIGITS)
            except InvalidOperation:
                continue
            if number:
                found[name].append((number, text))
    return found


def _multiples(
    larger: list[tuple[Decimal, str]], smaller: list[tuple[Decimal, str]], factor: int
) -> list[tuple[str, str]]:
    """The texts of numbers of which one is so many times the other."""
    waiting: defaultdict[Decimal, list[str]] = defaultdict(list)
    for number, text in smaller:
        waiting[number * factor].append(text)
    return [(text, waiting[number].pop()) for number, text in larger if waiting.get(number)]
