"""Make the example invoices: what a bookkeeping system has of them, and what a model reads from their pages.

    python examples/invoices/make.py [FOLDER]

Everything is invented. The model copies what is printed, so most of its values have another form than those of the
bookkeeping system. It also makes a few real mistakes.
"""

from __future__ import annotations

import copy
import json
import random
import sys
from collections import Counter
from datetime import date, timedelta
from pathlib import Path
from typing import Any, NamedTuple

Document = dict[str, Any]
MONTHS = {
    "en": [
        "January", "February", "March", "April", "May", "June",
        "July", "August", "September", "October", "November", "December",
    ],
    "fr": [
        "janvier", "février", "mars", "avril", "mai", "juin",
        "juillet", "août", "septembre", "octobre", "novembre", "décembre",
    ],
}  # fmt: skip


class Vendor(NamedTuple):
    """Who writes invoices, and how they are printed."""

    name: str
    printed_name: str
    currency: str
    amount: str
    date: str
    goods: tuple[str, ...]


VENDORS = [
    Vendor(
        "Harbor Tools Inc", "Harbor Tools, Inc.", "USD", "${:,.2f}", "{0:%m/%d/%Y}",
        ("Table Saw", "Masking Tape", "Wood Screws 2in", "Paint Roller", "Work Light"),
    ),
    Vendor(
        "Lindner Papier GmbH", "LINDNER PAPIER GMBH", "EUR", "{:,.2f} €", "{0:%d.%m.%Y}",
        ("Kopierpapier A4", "Ordner 80 mm", "Briefumschläge C5", "Toner schwarz"),
    ),
    Vendor(
        "Atelier Moreau SARL", "Atelier Moreau S.A.R.L.", "EUR", "{:,.2f} EUR", "{0.day} {fr} {0.year}",
        ("Table en chêne", "Chaise pliante", "Lampe de bureau", "Étagère murale"),
    ),
    Vendor(
        "Northgate Supplies Ltd", "Northgate Supplies Ltd.", "GBP", "£{:,.2f}", "{0.day} {en} {0.year}",
        ("Safety Gloves", "Steel Shelving", "Pallet Jack", "Label Printer", "Packing Tape"),
    ),
]  # fmt: skip
AMOUNTS = ("net", "tax", "total")


def invoice(number: int, vendor: Vendor, rng: random.Random) -> Document:
    """What the bookkeeping system has: amounts with a point, dates as ISO 8601 writes them."""
    items, net = [], 0
    for description in rng.sample(vendor.goods, rng.choice([1, 2, 3, 3, 4])):
        quantity, price = rng.choice([1, 2, 4, 10, 25]), rng.randrange(250, 90000, 5)
        amounts = {"unit_price": f"{price / 100:.2f}", "amount": f"{quantity * price / 100:.2f}"}
        items.append({"description": description, "quantity": str(quantity), **amounts})
        net += quantity * price
    tax = round(net * 0.19)
    day = date(2024, 1, 8) + timedelta(days=11 * number)
    document: Document = {
        "supplier": vendor.name,
        "invoice_number": f"{vendor.name[:2].upper()}-{20240100 + number}",
        "invoice_date": day.isoformat(),
        "currency": vendor.currency,
        "line_items": items,
        "net": f"{net / 100:.2f}",
        "tax": f"{tax / 100:.2f}",
        "total": f"{(net + tax) / 100:.2f}",
    }
    if rng.random() < 0.6:
        document["due_date"] = (day + timedelta(days=30)).isoformat()
    if rng.random() < 0.6:
        document["purchase_order"] = f"PO {rng.randrange(4000, 9999)}"
    return document


def printed_amount(text: str, vendor: Vendor) -> str:
    """An amount as the vendor prints it: 1.240,00 € in Germany, 1 240,00 EUR in France."""
    printed = vendor.amount.format(float(text))
    if vendor.currency == "EUR":
        thousands = "." if printed.endswith("€") else " "
        printed = printed.translate(str.maketrans(",.", f"{thousands},"))
    return printed


def printed_date(text: str, vendor: Vendor) -> str:
    """A date as the vendor prints it."""
    day = date.fromisoformat(text)
    return vendor.date.format(day, **{language: names[day.month - 1] for language, names in MONTHS.items()})


def printed(document: Document, vendor: Vendor) -> Document:
    """The invoice as it stands on the page."""
    page = copy.deepcopy(document)
    page["supplier"] = vendor.printed_name
    for row in [page, *page["line_items"]]:
        for key in row.keys() & {*AMOUNTS, "unit_price", "amount"}:
            row[key] = printed_amount(row[key], vendor)
        for key in row.keys() & {"invoice_date", "due_date"}:
            row[key] = printed_date(row[key], vendor)
    return page


def answer(document: Document, vendor: Vendor, rng: random.Random) -> tuple[Document, Counter[str]]:
    """What the model reads, and how many corrections its real mistakes need, by entity type."""
    read, mistakes = copy.deepcopy(document), Counter[str]()
    if vendor.currency == "GBP" and rng.random() < 0.6:  # this vendor prints the total above the net
        read["net"], read["total"] = read["total"], read["net"]
        mistakes.update(net=1, total=1)
    if vendor.currency == "USD" and rng.random() < 0.7:  # tax that was computed line by line
        read["tax"] = f"{float(read['tax']) + 0.01:.2f}"
    if rng.random() < 0.3 and read.pop("purchase_order", None):
        mistakes["purchase_order"] += 1
    if "due_date" not in read and rng.random() < 0.6:
        read["due_date"] = read["invoice_date"]
        mistakes["due_date"] += 1
    if len(read["line_items"]) > 1 and rng.random() < 0.2:
        lost = read["line_items"].pop()
        mistakes.update(f"line_items.{key}" for key in lost)
    if rng.random() < 0.15:
        read["invoice_number"] = read["invoice_number"].replace("0", "O", 1)
        mistakes["invoice_number"] += 1
    return printed(read, vendor), mistakes


def rows() -> tuple[list[Document], list[Document], Counter[str]]:
    """The rows of both files, and the corrections that real mistakes need, by entity type."""
    references, predictions, mistakes = [], [], Counter[str]()
    for number in range(24):
        vendor, rng = VENDORS[number % len(VENDORS)], random.Random(number)
        document = invoice(number, vendor, rng)
        prediction, wrong = answer(document, vendor, rng)
        name = {"id": f"inv-{number + 1:02}", "meta": {"vendor": vendor.name}}
        references.append({**name, "reference": document})
        predictions.append({**name, "prediction": prediction})
        mistakes += wrong
    return references, predictions, mistakes


def main(folder: Path) -> None:
    """Write references.jsonl and predictions.jsonl."""
    references, predictions, _ = rows()
    for name, content in (("references", references), ("predictions", predictions)):
        lines = [json.dumps(row, ensure_ascii=False) + "\n" for row in content]
        (folder / f"{name}.jsonl").write_text("".join(lines), encoding="utf-8")


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).parent)
