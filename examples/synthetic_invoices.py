"""Invoices made from a seed, as forms: words with boxes, fields with keys and data types. For attacks and for tests.

Everything is invented. The fields are seven of invoices, and the vendor, which has no key. Vendors, numbers, days of
issue and totals that are held out never occur in training, as in `synthetic_receipts`. The words of keys are common to
both. `forms.jsonl` has six invoices as records; this script prints them.

>>> invoice = invoices(1, seed=3)[0]
>>> {field.type: invoice.text_of(field) for field in invoice.fields if field.type.startswith("invoice")}
{'invoice_date': '28/04/2020', 'invoice_number': '33316/A'}
>>> [[invoice.words[position].text for position in field.keys] for field in invoice.fields][:2]
[[], ['PO', 'Number']]
"""

from __future__ import annotations

import datetime
import json
import random
from typing import NamedTuple

from docie.robustness.form import Field, Page, Word

from synthetic_receipts import AMOUNTS, MONTHS, PARTS, STREETS, draw, name_of

KEYS = {
    "invoice_number": ("Invoice No.", "Invoice Number", "INV #", "Invoice"),
    "purchase_order": ("Purchase Order", "PO Number", "Order No.", "P.O."),
    "invoice_date": ("Invoice Date", "Date of issue", "Issued", "Date:"),
    "due_date": ("Due Date", "Payable by", "Pay by", "Due:"),
    "total_tax": ("Sales Tax", "VAT", "Tax"),
    "total_amount": ("Total Amount", "Invoice Total", "Total"),
    "amount_due": ("Amount Due", "Balance Due", "To pay"),
}
"""The keys of each field, of which an invoice has one."""
DATA_TYPES = {
    **dict.fromkeys(("invoice_number", "purchase_order"), "number"),
    **dict.fromkeys(("invoice_date", "due_date"), "date"),
    **dict.fromkeys(("total_tax", "total_amount", "amount_due"), "money"),
    "vendor": "text",
}
DATES = ("{day:02}/{month:02}/{year}", "{year}-{month:02}-{day:02}", "{day} {name} {year}")
NUMBERS = ("{}", "INV-{}", "{}/A")
FOOTERS = ("Thank you for your business", "Please quote the number with your payment", "Goods remain ours until paid")
CHARACTER, LINE = 8, 20
"""The width of a character and the height of a line, in pixels."""


class Cell(NamedTuple):
    """A text, the character of the line where it begins, and its field and part ("key" or "value") if it has these."""

    x: int
    text: str
    field: str = ""
    part: str = ""


def invoices(count: int, seed: int, *, part: str = "train") -> list[Page]:
    """`count` invoices, the same for the same seed. `part` is "train" or "held_out"."""
    if part not in PARTS:
        raise ValueError(f"part must be one of {', '.join(PARTS)}, got {part!r}")
    rng = random.Random(f"invoices {part} {seed}")
    return [_form(_lines(rng, part), f"{part}-{seed}-{number}", rng) for number in range(count)]


def _lines(rng: random.Random, part: str) -> list[list[Cell]]:
    """The lines of an invoice, from the top."""
    texts = _texts(rng, part)
    header = [
        [Cell(0, name_of(rng, part), "vendor", "value")],
        [Cell(0, f"{rng.randrange(1, 99)} {rng.choice(STREETS)}")],
    ]
    fields = rng.sample(["invoice_number", "purchase_order", "invoice_date", "due_date"], 4)
    if rng.random() < 0.5:
        block = [_pair(field, texts[field], 36, rng) for field in fields]
    else:
        sides = zip(fields[:2], fields[2:], strict=True)
        block = [_pair(left, texts[left], 0, rng) + _pair(right, texts[right], 36, rng) for left, right in sides]
    items = [[Cell(0, "Description"), Cell(38, "Quantity"), Cell(52, "Amount")]]
    for _ in range(rng.randrange(2, 7)):
        amount = rng.choice(AMOUNTS).format(rng.randrange(1, 500), rng.randrange(100))
        items.append([Cell(0, name_of(rng, part)), Cell(38, str(rng.randrange(1, 20))), Cell(52, amount)])
    totals = [_pair(field, texts[field], 36, rng) for field in ("total_tax", "total_amount", "amount_due")]
    return [*header, [], *block, [], *items, [], *totals, [], [Cell(0, rng.choice(FOOTERS))]]


def _pair(field: str, text: str, x: int, rng: random.Random) -> list[Cell]:
    return [Cell(x, rng.choice(KEYS[field]), field, "key"), Cell(x + 17, text, field, "value")]


def _texts(rng: random.Random, part: str) -> dict[str, str]:
    """The values of all fields but the vendor."""
    number, order = (draw(lambda: rng.randrange(1_000, 100_000), part, int) for _ in range(2))
    day = draw(lambda: rng.randrange(737_000, 738_000), part, int)
    spelling, form = rng.choice(DATES), rng.choice(AMOUNTS)
    cents = draw(lambda: rng.randrange(5_000, 2_000_000), part, int)
    amounts = {"total_tax": cents * 8 // 108, "total_amount": cents, "amount_due": cents}
    return {
        "invoice_number": rng.choice(NUMBERS).format(number),
        "purchase_order": str(order),
        "invoice_date": _date(day, spelling),
        "due_date": _date(day + rng.choice([14, 30, 60]), spelling),
        **{field: form.format(*divmod(amount, 100)) for field, amount in amounts.items()},
    }


def _date(ordinal: int, spelling: str) -> str:
    day = datetime.date.fromordinal(ordinal)
    return spelling.format(day=day.day, month=day.month, year=day.year, name=MONTHS[day.month - 1])


def _form(lines: list[list[Cell]], form_id: str, rng: random.Random) -> Page:
    """The words of the lines with their boxes, and the fields in the order of their values."""
    left, top = rng.randrange(20, 80), rng.randrange(20, 80)
    words: list[Word] = []
    places: dict[tuple[str, str], list[int]] = {}
    for row, line in enumerate(lines):
        for x, text, field, part in line:
            for word in text.split():
                start = left + x * CHARACTER
                y = top + row * LINE
                places.setdefault((field, part), []).append(len(words))
                words.append(Word(word, (start, y, start + len(word) * CHARACTER, y + LINE - 5)))
                x += len(word) + 1
    fields = [
        Field(field, tuple(positions), tuple(places.get((field, "key"), ())), DATA_TYPES[field])
        for (field, part), positions in places.items()
        if part == "value"
    ]
    return Page(words, fields, (left + 70 * CHARACTER, top + len(lines) * LINE + 40), form_id)


def records(forms: list[Page]) -> list[str]:
    """The forms as lines of JSON, in the columns that `Page.from_record` reads."""
    return [json.dumps({"id": form.id, **form.to_record()}, ensure_ascii=False) for form in forms]


if __name__ == "__main__":
    print("\n".join(records(invoices(6, seed=0))))
