"""Thirty invoices of four countries: what is printed, and what a model reads with its confidences, boxes and pages.

Everything is invented, and made from the number of the invoice alone. Confidences and boxes are sums of few powers of 2,
which percent and shares of a page write without loss.
"""

from __future__ import annotations

import datetime
import random
from collections.abc import Callable, Iterator
from typing import NamedTuple

from service_answers import Fields, Invoice, Value

LEAST_ITEMS, MOST_ITEMS = 2, 5
FIRST_PAGE = 3
"""The number of line items on the first page; the others, and the amounts below them, are on the second one."""
NARROW = "\u00a0"  # French groups of digits stand apart, and stay on one line
MONTHS = [
    "Januari",
    "Februari",
    "Maret",
    "April",
    "Mei",
    "Juni",
    "Juli",
    "Agustus",
    "September",
    "Oktober",
    "November",
    "Desember",
]


class Country(NamedTuple):
    """How a country writes dates and amounts, and names."""

    date: Callable[[datetime.date], str]
    amount: Callable[[int], str]
    vendors: tuple[str, ...]
    goods: tuple[str, ...]


def _grouped(cents: int, mark: str, decimal: str) -> str:
    """An amount with marks between thousands.

    >>> _grouped(123450, ".", ","), _grouped(123450, ".", "")
    ('1.234,50', '1.234')
    """
    whole = f"{cents // 100:,}".replace(",", mark)
    return f"{whole}{decimal}{cents % 100:02}" if decimal else whole


COUNTRIES = {
    "US": Country(
        lambda day: f"{day.month}/{day.day}/{day.year}",
        lambda cents: f"${_grouped(cents, ',', '.')}",
        ("Harbor & Pine Supply Co.", "O'Malley Tools, Inc.", "Blue Mesa Paper LLC"),
        ('Monitor 24"', "Desk lamp", "Paper, white", "Stapler", "Chair #7", "Whiteboard"),
    ),
    "DE": Country(
        lambda day: f"{day:%d.%m.%Y}",
        lambda cents: f"{_grouped(cents, '.', ',')} €",
        ("Müller & Söhne GmbH", "Bürobedarf Weiß KG", "Hafenkontor Kiel eG"),
        ("Schreibtisch", "Drehstuhl, grau", "Prüfgerät", "Lötkolben 60 W", "Ölfilter", "Fußleiste"),
    ),
    "FR": Country(
        lambda day: f"{day:%d/%m/%Y}",
        lambda cents: f"{_grouped(cents, NARROW, ',')} €",
        ("L'Atelier du Café", "Société Générée SARL", "Chêne & Fils"),
        ("Crème brûlée", "Thé vert", "Gâteau d'été", "Œufs frais", "Pain complet", "Huile d'olive"),
    ),
    "ID": Country(
        lambda day: f"{day.day} {MONTHS[day.month - 1]} {day.year}",
        lambda cents: f"Rp {_grouped(100 * cents, '.', '')}",
        ("PT Sumber Makmur", "Toko Bahagia Jaya", "CV Karya Mandiri"),
        ("Kopi Gayo 250 g", "Beras 5 kg", "Minyak goreng", "Gula pasir", "Teh melati", "Mi instan"),
    ),
}


class Case(NamedTuple):
    """An invoice.

    Attributes:
        id: its number, as text.
        country: a key of COUNTRIES.
        truth: what is printed.
        found: what a model read of it.
        plain: the dates and amounts of the header in the form of programs: ISO dates, and numbers with a point.
    """

    id: str
    country: str
    truth: Invoice
    found: Invoice
    plain: dict[str, str]


def cases(number: int = 30) -> list[Case]:
    """The first invoices.

    >>> [case.country for case in cases(5)], cases(1)[0].truth.header["total"].text
    (['US', 'DE', 'FR', 'ID', 'US'], '$2,338.53')
    """
    return [_case(each) for each in range(number)]


def _case(number: int) -> Case:
    rng = random.Random(number)
    name = [*COUNTRIES][number % len(COUNTRIES)]
    country = COUNTRIES[name]
    day = datetime.date(2024, 1, 1) + datetime.timedelta(rng.randrange(300))
    items, total = list[dict[str, str]](), 0
    for goods in rng.sample(country.goods, rng.randint(LEAST_ITEMS, MOST_ITEMS)):
        quantity, price = rng.randint(1, 9), rng.randint(100, 30_000)
        total += quantity * price
        texts = (goods, str(quantity), country.amount(price), country.amount(quantity * price))
        items.append(dict(zip(("description", "quantity", "unit_price", "amount"), texts, strict=True)))
    dates = {"invoice_date": day, "due_date": day + datetime.timedelta(30)}
    cents = {"subtotal": total, "tax": total // 10, "total": total + total // 10}
    header = {
        "vendor_name": rng.choice(country.vendors),
        "customer_name": f"{rng.choice(country.vendors)} ({rng.randint(10, 99)})",
        "invoice_number": f"{rng.randint(1, 99999):05}",
        **{key: country.date(each) for key, each in dates.items()},
        **{key: country.amount(each) for key, each in cents.items()},
    }
    plain = {key: each.isoformat() for key, each in dates.items()}
    plain |= {key: str(each) if name == "ID" else f"{each // 100}.{each % 100:02}" for key, each in cents.items()}
    truth = Invoice(_placed(header, 0, rng), [_placed(item, 1 + row, rng) for row, item in enumerate(items)])
    return Case(str(101 + number), name, truth, _read(truth, rng), plain)


def _placed(texts: dict[str, str], row: int, rng: random.Random) -> Fields:
    """Values with a confidence and a place: those of the header stand below each other, those of a row side by side."""
    page = 2 if row > FIRST_PAGE else 1
    fields = {}
    for place, (name, text) in enumerate(texts.items()):
        x, y = (place % 4, row) if row else (5, place)
        box = (x / 8, y / 16, (x + 1) / 8, (2 * y + 1) / 32)
        on_page = 2 if not row and name in ("subtotal", "tax", "total") else page
        fields[name] = Value(text, rng.randint(32, 127) / 128, box, on_page)
    return fields


def _read(truth: Invoice, rng: random.Random) -> Invoice:
    """What a model reads: some values are missing or incorrect, and a row is read twice in some invoices."""

    def read(fields: Fields) -> Fields:
        found: Fields = {}
        for name, value in fields.items():
            luck = rng.random()
            if luck < 0.06 and len(found) > 1:
                continue
            is_wrong = luck > 0.88
            sure = value.confidence / 2 if is_wrong and rng.random() < 0.8 else value.confidence
            found[name] = value._replace(text=f"{value.text[:-1]}8" if is_wrong else value.text, confidence=sure)
        return found

    items = [read(item) for item in truth.items]
    return Invoice(read(truth.header), [read(items[0])] * (rng.random() < 0.2) + items)


def header_only(case: Case) -> Case:
    """The invoice without its line items."""
    return case._replace(truth=case.truth._replace(items=[]), found=case.found._replace(items=[]))


def texts_of(invoice: Invoice) -> dict[str, object]:
    """An invoice as a document of texts."""
    items = [{name: value.text for name, value in item.items()} for item in invoice.items]
    return {**{name: value.text for name, value in invoice.header.items()}, **({"items": items} if items else {})}


def leaf_of(value: Value) -> dict[str, object]:
    return {"value": value.text, "confidence": value.confidence, "box": [*value.box], "page": value.page}


def leaves_of(invoice: Invoice) -> dict[str, object]:
    """An invoice as a document of values with confidences, boxes and pages."""
    items = [{name: leaf_of(value) for name, value in item.items()} for item in invoice.items]
    return {**{name: leaf_of(value) for name, value in invoice.header.items()}, **({"items": items} if items else {})}


def values_of(invoice: Invoice) -> Iterator[tuple[str, Value]]:
    """The values with their paths, such as `items.1.amount`."""
    yield from invoice.header.items()
    for row, item in enumerate(invoice.items, 1):
        yield from ((f"items.{row}.{name}", value) for name, value in item.items())
