"""Make the example receipts: references, and the answers of two systems with confidences and believable mistakes.

    python examples/receipts/make.py [FOLDER]

Everything is invented. The careful system makes few mistakes, and often has a low confidence where it makes one. The
hasty system makes many. A third file has the careful answers to 22 receipts as another program may write them.
"""

from __future__ import annotations

import json
import random
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

Document = dict[str, Any]

SHOPS = {  # name, lowest and highest price in cents, goods
    "EUR": [
        ("Bäckerei Lindner", 95, 480, "Roggenbrot 750g, Butterhörnchen, Käsestange, Apfelstrudel, Milchkaffee, Kakao"),
        ("Gasthaus Zur Linde", 390, 2390, "Tagessuppe, Rostbraten, Kässpätzle, Apfelschorle 0.4, Helles 0.5, Espresso"),
        ("Libreria Aurora", 150, 2800, "Taccuino A5, Penna gel nera, Atlante tascabile, Segnalibro, Gomma, Matita HB"),
    ],
    "USD": [
        ("Harbor Street Diner", 295, 1895, "Pancake Stack, Club Sandwich, Cobb Salad, Iced Tea, Coffee, Key Lime Pie"),
        (
            "Northside Hardware",
            249,
            139900,
            "Wood Screws 2in, Masking Tape, Paint Roller, Drill, LED Bulb 9W, Table Saw",
        ),
        ("Juniper Cafe", 325, 1450, "Flat White, Chai Latte, Almond Croissant, Avocado Toast, Granola Bowl, Matcha"),
    ],
}
OPTIONS = ["oat milk", "extra shot", "no onions", "large", "gluten free", "to go"]
GROCERIES = ["Tomatoes", "Oat Flakes", "Rye Bread", "Butter", "Yoghurt", "Apples", "Rice", "Pasta", "Olives", "Tuna"]
SIZES = ["250g", "500g", "1kg", "x6", "bio", "750ml"]
LOOKALIKES = {"0": "O", "1": "l", "5": "S", "8": "B", "O": "0", "l": "1", "e": "c", "a": "o", "n": "m", "r": "n"}


class System(NamedTuple):
    """How often a system makes a mistake in a field or a line item, and how often its confidence shows a mistake."""

    name: str
    field: float
    item: float
    awareness: float
    unreadable: frozenset[int] = frozenset()


SYSTEMS = [
    System("careful", field=0.03, item=0.05, awareness=0.8),
    System("hasty", field=0.08, item=0.15, awareness=0.35, unreadable=frozenset({17})),
]


def money(cents: int, currency: str) -> str:
    """Cents as the receipt prints them: 1.234,50 or 1,234.50."""
    text = f"{cents / 100:,.2f}"
    return text.translate(str.maketrans(",.", ".,")) if currency == "EUR" else text


def receipt(number: int, rng: random.Random) -> Document:
    """One receipt. Every seventh has no date, the eleventh has sixty lines."""
    currency = "EUR" if number % 2 else "USD"
    shop, lowest, highest, listed = rng.choice(SHOPS[currency])
    goods = listed.split(", ")
    lines = 60 if number == 11 else rng.choice([1, 2, 2, 3, 3, 4, 5, 6, 8])
    if lines == 60:
        shop, lowest, highest = "Frischmarkt Süd", 59, 899
        goods = [f"{name} {size}" for name in GROCERIES for size in SIZES]
    items, total = [], 0
    for name in rng.sample(goods, lines) if lines <= len(goods) else rng.choices(goods, k=lines):
        quantity, price = rng.choice([1, 1, 1, 2, 3]), rng.randrange(lowest, highest + 1, 5)
        item: Document = {"name": name, "amount": money(quantity * price, currency)}
        if quantity > 1 or rng.random() < 0.6:
            item["quantity"] = str(quantity)
        if quantity > 1 and rng.random() < 0.8:
            item["unit_price"] = money(price, currency)
        if lines < 60 and rng.random() < 0.25:
            surcharges = rng.sample([0, 0, 50, 80], k=rng.choice([1, 1, 2]))
            item["options"] = [
                {"name": option} | ({"amount": money(cents, currency)} if cents else {})
                for option, cents in zip(rng.sample(OPTIONS, len(surcharges)), surcharges, strict=True)
            ]
            total += sum(surcharges)
        items.append(item)
        total += quantity * price
    document: Document = {"vendor": shop, "currency": currency, "items": items if lines > 1 else items[0]}
    day, month, year = rng.randrange(1, 29), rng.randrange(1, 13), rng.choice([2023, 2024])
    if number % 7:
        document["date"] = f"{day:02}.{month:02}.{year}" if currency == "EUR" else f"{month:02}/{day:02}/{year}"
    if rng.random() < 0.5:
        document["receipt_number"] = str(rng.randrange(1000, 99999))
    return document | closing(total, currency, rng)


def closing(total: int, currency: str, rng: random.Random) -> Document:
    """The summary, and sometimes the payment."""
    summary = {"subtotal": money(total, currency)} if rng.random() < 0.8 else {}
    if rng.random() < 0.25:
        discount = total // 10
        summary["discount"] = "-" + money(discount, currency)
        total -= discount
    if currency == "USD":
        tax = round(total * 0.08)
        summary["tax"] = money(tax, currency)
        total += tax
    summary["total"] = money(total, currency)
    if rng.random() < 0.3:
        return {"summary": summary}
    if rng.random() < 0.5:
        paid = -(-total // 500) * 500
        return {
            "summary": summary,
            "payment": {"method": "cash", "paid": money(paid, currency), "change": money(paid - total, currency)},
        }
    return {"summary": summary, "payment": {"method": "card", "paid": money(total, currency)}}


def misread(text: str, rng: random.Random) -> str:
    """A value as poor recognition reads it: with a lookalike, without a character, without a decimal mark."""
    places = [place for place, character in enumerate(text) if character in LOOKALIKES]
    if "," in text and rng.random() < 0.3:
        return text.replace(",", "", 1)
    if places and rng.random() < 0.7:
        place = rng.choice(places)
        return text[:place] + LOOKALIKES[text[place]] + text[place + 1 :]
    place = rng.randrange(len(text))
    return text[:place] + text[place + 1 :] or text + "."


def scored(value: str, system: System, rng: random.Random, is_wrong: bool) -> Document:
    """The value with a confidence. The more aware the system, the more often a wrong value has a low confidence."""
    confidence = 1 - rng.betavariate(1.2, 22)
    if is_wrong and rng.random() < system.awareness:
        confidence -= rng.uniform(0.15, 0.6)
    return {"value": value, "confidence": round(max(confidence, 0.05), 3)}


def read_fields(fields: Document, system: System, rng: random.Random) -> Document:
    """The fields of one object as the system reads them: some missed, some misread, some spelled another way."""
    result: Document = {}
    for key, value in fields.items():
        if not isinstance(value, str):
            is_list = isinstance(value, list) or key == "items"
            parts = value if isinstance(value, list) else [value]
            parts = [read_fields(part, system, rng) for part in parts]
            result[key] = parts if is_list else parts[0]
        elif rng.random() >= system.field:
            result[key] = scored(value, system, rng, is_wrong=False)
        elif rng.random() < 0.7:
            predicted = misread(value, rng) if rng.random() < 0.8 else value.lower() + " "
            result[key] = scored(predicted, system, rng, is_wrong=predicted != value)
    return result


def shift_amounts(items: list[Document], _: System, rng: random.Random) -> None:
    """Amounts slip by one line, as on a tilted photo."""
    start = rng.randrange(len(items))
    amounts = [item.pop("amount", None) for item in items[start:]]
    for item, amount in zip(items[start:], amounts[1:] + amounts[:1], strict=True):
        if amount is not None:
            item["amount"] = amount


def merge_items(items: list[Document], _: System, rng: random.Random) -> None:
    """Two neighbouring lines become one item with two names."""
    if len(items) > 1:
        place = rng.randrange(len(items) - 1)
        second = items.pop(place + 1)
        first = items[place]
        first["name"] = [leaf for leaf in (first.get("name"), second.get("name")) if leaf]


def promote_option(items: list[Document], _: System, rng: random.Random) -> None:
    """An option is taken for an item of its own."""
    for place, item in enumerate(items):
        if item.get("options"):
            items.insert(place + 1, item["options"].pop())
            return


def lose_item(items: list[Document], _: System, rng: random.Random) -> None:
    """A line is overlooked."""
    items.pop(rng.randrange(len(items)))


def repeat_item(items: list[Document], _: System, rng: random.Random) -> None:
    """A line is given twice."""
    items.insert(0, dict(rng.choice(items)))


def invent_item(items: list[Document], system: System, rng: random.Random) -> None:
    """A heading is taken for an item."""
    items.append({"name": scored(rng.choice(["TABLE 4", "Ihr Einkauf", "GUEST CHECK"]), system, rng, is_wrong=True)})


ITEM_MISTAKES: list[Callable[[list[Document], System, random.Random], None]] = [
    shift_amounts, merge_items, promote_option, lose_item, repeat_item, invent_item,
]  # fmt: skip


def answer(number: int, reference: Document, system: System, rng: random.Random) -> Any:
    """What the system answers for a receipt. None stands for an answer that could not be parsed."""
    if number in system.unreadable:
        return None
    prediction = read_fields(reference, system, rng)
    items = prediction["items"]
    for _ in items if len(items) < 20 else items[:12]:
        if items and rng.random() < system.item:
            rng.choice(ITEM_MISTAKES)(items, system, rng)
    summary = prediction["summary"]
    if rng.random() < system.item and {"subtotal", "total"} <= summary.keys():
        summary["subtotal"], summary["total"] = summary["total"], summary["subtotal"]
    if "payment" not in reference and rng.random() < 0.5:
        prediction["payment"] = {}
    return prediction


def exported(row: Document) -> Document:
    """An answer as another program writes it: by the name of its file, beside the model's, with other names."""
    document = {"lines" if key == "items" else key: value for key, value in row["prediction"].items()}
    if "currency" in document:
        document["currency"] = {**document["currency"], "value": document["currency"]["value"].lower()}
    return {"file": f"scans/{row['id']}.pdf", "model": "careful-2", "output": document}


def again(document: Any, rng: random.Random) -> Any:
    """An answer of another run, without confidences: a value in twenty is read in another way."""
    if isinstance(document, list):
        return [again(child, rng) for child in document]
    if "value" not in document:
        return {key: again(child, rng) for key, child in document.items()}
    return misread(document["value"], rng) if rng.random() < 0.05 else document["value"]


def write(path: Path, rows: list[Document]) -> None:
    """Write JSON Lines that people can read."""
    path.write_text("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows), encoding="utf-8")


def main(folder: Path) -> None:
    """Write references.jsonl, and predictions of each system, of another program and of several runs."""
    references = {f"receipt-{number:02}": receipt(number, random.Random(number)) for number in range(1, 25)}
    rows = [
        {"id": name, "reference": value, "meta": {"vendor": value["vendor"], "currency": value["currency"]}}
        for name, value in references.items()
    ]
    write(folder / "references.jsonl", rows)
    for system in SYSTEMS:
        answers = [
            {"id": name, "prediction": answer(number, reference, system, random.Random(f"{system.name} {number}"))}
            for number, (name, reference) in enumerate(references.items(), 1)
        ]
        write(folder / f"predictions-{system.name}.jsonl", answers)
        if system.name == "careful":
            write(folder / "predictions-exported.jsonl", [exported(row) for row in answers[:22]])
            runs = [
                {"id": row["id"], "seed": seed, "prediction": again(row["prediction"], random.Random(f"{seed} {row}"))}
                for seed in range(1, 4)
                for row in answers
            ]
            write(folder / "predictions-runs.jsonl", runs)


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).parent)
