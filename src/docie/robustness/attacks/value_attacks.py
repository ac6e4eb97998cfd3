"""Attacks on values: their texts, and their boxes."""

from __future__ import annotations

import itertools
import math
from decimal import Decimal
from random import Random

from docie.core.normalizers.amounts import read_amount
from docie.robustness.attacks.entries import BOXES, Share, Types, TypesOrNone, attack
from docie.robustness.attacks.page_attacks import chosen
from docie.robustness.attacks.random_values import (
    data_type_of,
    long_date,
    money_text,
    random_date,
    random_money,
    random_number,
    random_text,
)
from docie.robustness.form import Field, Page, Word

SUMS = (
    *(
        "amount_due",
        "total_amount",
        "total",
        "amount",
        "subtotal",
        "total_price",
        "subtotal_price",
        "price",
        "unitprice",
    ),
    *("itemsubtotal", "discountprice", "discount_price", "service_price", "othersvc_price", "cashprice", "changeprice"),
    *("creditcardprice", "emoneyprice", "sub_price", "sub_unitprice"),
)
"""Fields whose amounts must add up, by the last part of their names: those of the paper, SROIE and CORD."""
TAXES = ("total_tax", "tax", "tax_price")
TOTALS = ("total_amount", "total", "total_price")
"""The total from which a tax is computed: the names in the paper, SROIE and CORD. The first one in a form counts."""
MOST_TAX = 0.15  # of the total
NAMED = {
    "company": "company",
    "vendor": "company",
    "store": "company",
    "address": "address",
    "name": "name",
    "customer": "name",
}
"""Text fields for which Faker has texts, by the last part of their names."""


def _last(entity_type: str) -> str:
    return entity_type.rpartition(".")[2].casefold()


@attack("value texts")
def value_text_augment(
    form: Page, generator: Random, *, p: Share = 1.0, keep: Types = SUMS, only: TypesOrNone = None
) -> Page:
    """Replace values, except sums, by random ones of their data type, with the same number of words.

    Fields in `keep`, named in full or by the last part of the name, are kept, because their amounts must add up; a tax
    is between 0 and 15 % of the total. Companies, addresses and names come from Faker, and are kept if it has none of
    the same length; other texts become random words. `only` names the fields to replace. If fields share words, the
    first one is replaced.
    """
    texts: dict[int, str] = {}
    for number in chosen(generator, range(len(form.fields)), p):
        field = form.fields[number]
        names = {field.type, _last(field.type)}
        if not field.values or names & {*keep} or (only is not None and not names & {*only}):
            continue
        own = Random(generator.getrandbits(64))
        words = _new_words(form, field, own)
        if words is not None and not any(position in texts for position in field.values):
            texts.update(zip(field.values, words, strict=True))
    return form.with_texts(texts)


def _new_words(form: Page, field: Field, generator: Random) -> list[str] | None:
    """A new value with as many words; None to keep the value."""
    before = [form.words[position].text for position in field.values]
    kind = field.data_type or data_type_of(" ".join(before))
    if kind == "money":
        amount = _tax(form, generator) if _last(field.type) in TAXES else random_money(generator)
        digits = [place for place, text in enumerate(before) if any(character.isdigit() for character in text)]
        if amount is None or len(digits) > 1:
            return None
        has_sign = len(before) > 1  # a separate currency
        place = digits[0] if digits else 0
        return [*before[:place], amount.lstrip("$") if has_sign else amount, *before[place + 1 :]]
    if kind == "number":
        text: str | None = random_number(generator, len(before))
    elif kind == "date":
        text = random_date(generator) if len(before) == 1 else long_date(generator, len(before))
    else:
        text = random_text(generator, NAMED.get(_last(field.type), "words"), len(before))
    return None if text is None else text.split()


def _tax(form: Page, generator: Random) -> str | None:
    """A tax of 0 to 15 % of the form's total; None if no total can be read."""
    for name in TOTALS:
        for field in form.fields:
            if _last(field.type) == name and field.values:
                amount = read_amount(form.text_of(field))
                if amount is None or amount.unit == "%":
                    continue
                cents = round(Decimal(amount.value) * 100)
                return money_text(generator.randint(0, int(max(cents, 0) * MOST_TAX)))
    return None


@attack(*BOXES, "order", needs_boxes=True)
def value_location_augment(form: Page, generator: Random, *, p: Share = 1.0) -> Page:
    """Exchange the places of key-value pairs with equal numbers of key words and of value words.

    Words take the boxes of others, and their positions in the order. Each pair takes part with probability p, and then
    changes its place if there is another pair of its size. Pairs that share words with an earlier one are kept.
    """
    classes: dict[tuple[int, int], list[tuple[int, ...]]] = {}
    taken: set[int] = set()
    for field in form.fields:
        pair = (*field.keys, *field.values)
        if field.keys and field.values and taken.isdisjoint(pair):
            classes.setdefault((len(field.keys), len(field.values)), []).append(pair)
            taken.update(pair)
    places = list(range(len(form.words)))
    for pairs in classes.values():
        moved = chosen(generator, pairs, p)
        for pair, target in zip(moved, _cycled(moved, generator), strict=True):
            for position, place in zip(pair, target, strict=True):
                places[place] = position
    words = [
        Word(form.words[position].text, form.words[place].box, form.words[position].id)
        for place, position in enumerate(places)
    ]
    return form.arranged(places).with_words(words)


def _cycled(pairs: list[tuple[int, ...]], generator: Random) -> list[tuple[int, ...]]:
    """The pairs in a random order in which none keeps its place: a random cycle (Sattolo 1986)."""
    cycled = list(pairs)
    for last in range(len(cycled) - 1, 0, -1):
        other = generator.randrange(last)
        cycled[last], cycled[other] = cycled[other], cycled[last]
    return cycled


@attack(*BOXES, "order", "page", source="paper, starred", needs_boxes=True)
def value_location_move(
    form: Page, generator: Random, *, p: Share = 1.0, types: Types = ("company", "address")
) -> Page:
    """Move companies and addresses (`types`) to the bottom of the page, and close the gap that they leave.

    `types` names the fields to move, in full or by the last part of their names. Their words come last in the order;
    order and arrangement inside a value are kept. The page grows if there is no room at the bottom.
    """
    numbers = [
        number
        for number, field in enumerate(form.fields)
        if field.values and {field.type, _last(field.type)} & {*types}
    ]
    moved: set[int | None] = set()
    for number in chosen(generator, numbers, p):
        ids = {form.words[position].id for position in form.fields[number].values}
        if moved.isdisjoint(ids):
            form = _moved_down(form, form.fields[number].values)
            moved |= ids
    return form


def _moved_down(form: Page, positions: tuple[int, ...]) -> Page:
    """The form with these words below all others."""
    rest = [position for position in range(len(form.words)) if position not in positions]
    block = [_vertical(form, position) for position in positions]
    others = [_vertical(form, position) for position in rest]
    top = min(start for start, _ in block)
    if form.page is None or not others or top >= max(end for _, end in others):
        return form
    gaps = _uncovered(block, others)
    shifts = [sum(end - start for start, end in gaps if end <= first) for first, _ in others]
    spacing = sum(end - start for start, end in block) / len(block) / 4
    down = max(end - shift for (_, end), shift in zip(others, shifts, strict=True)) + spacing - top
    moves = [*(-shift for shift in shifts), *([down] * len(block))]
    words = [_shifted(form.words[position], move) for position, move in zip([*rest, *positions], moves, strict=True)]
    lowest = max(end for _, end in block) + down
    height = max(form.page[1], math.ceil(lowest) if isinstance(form.page[1], int) else lowest)
    ordered = form.arranged([*rest, *positions])
    return ordered.with_words(words, page=(form.page[0], height))


def _vertical(form: Page, position: int) -> tuple[float, float]:
    box = form.words[position].box or (0, 0, 0, 0)
    return box[1], box[3]


def _shifted(word: Word, down: float) -> Word:
    x0, y0, x1, y1 = word.box or (0, 0, 0, 0)
    return Word(word.text, (x0, max(y0 + down, 0), x1, y1 + down), word.id)


def _uncovered(block: list[tuple[float, float]], others: list[tuple[float, float]]) -> list[tuple[float, float]]:
    """The parts of these spans that no other span covers."""
    edges = sorted({edge for span in (*block, *others) for edge in span})
    return [
        (start, end)
        for start, end in itertools.pairwise(edges)
        if any(first <= start and end <= last for first, last in block)
        and not any(first <= start and end <= last for first, last in others)
    ]
