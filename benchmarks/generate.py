"""Random documents for the benchmarks: receipts of CORD's size and shape, and documents with many groups."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

Document = dict[str, Any]
WORDS = ["ICE", "LATTE", "CHICKEN", "RICE", "FRIED", "NOODLE", "TEA", "MANGO", "BUN", "CHEESE", "SPICY", "SOUP", "CAKE"]


def price(rng: random.Random) -> str:
    """An amount such as 42,500."""
    return f"{rng.randrange(500, 250_000, 500):,}"


def receipt(rng: random.Random) -> Document:
    """A receipt of CORD's size: about four groups and thirteen entities."""
    menu = []
    for _ in range(rng.choice([1, 1, 2, 2, 3, 4, 6])):
        item: Document = {"menu.nm": " ".join(rng.choices(WORDS, k=rng.randint(1, 3)))}
        item["menu.price"] = price(rng)
        if rng.random() < 0.9:
            item["menu.cnt"] = str(rng.choice([1, 1, 1, 2, 3]))
        if rng.random() < 0.3:
            item["menu.unitprice"] = price(rng)
        if rng.random() < 0.1:
            item["menu.sub"] = {"menu.sub_nm": rng.choice(WORDS), "menu.sub_price": price(rng)}
        menu.append(item)
    document: Document = {"menu": menu, "total": {"total.total_price": price(rng)}}
    if rng.random() < 0.66:
        document["sub_total"] = {"sub_total.subtotal_price": price(rng), "sub_total.tax_price": price(rng)}
    if rng.random() < 0.7:
        document["total"] |= {"total.cashprice": price(rng), "total.changeprice": price(rng)}
    return document


def predict(value: Any, rng: random.Random, error_rate: float = 0.12) -> Any:
    """The document as a mediocre model reads it: values misread or lost, items lost or repeated."""
    if isinstance(value, list):
        kept = [predict(item, rng, error_rate) for item in value if rng.random() >= error_rate / 2]
        return [*kept, kept[0]] if kept and rng.random() < error_rate / 2 else kept
    if isinstance(value, dict):
        return {key: predict(child, rng, error_rate) for key, child in value.items() if rng.random() >= error_rate / 3}
    return value[:-1] + "8" if rng.random() < error_rate else "".join(value)


def receipts(number: int, seed: int = 0) -> Iterator[tuple[Document, Document]]:
    """`number` distinct pairs (prediction, reference)."""
    rng = random.Random(seed)
    for _ in range(number):
        reference = receipt(rng)
        yield predict(reference, rng), reference


def misread_and_shuffled(reference: Document, rng: random.Random) -> Document:
    """The document with a third of its values misread, and its lines in another order."""
    lines = [{key: predict(text, rng, 0.33) for key, text in line.items()} for line in reference["line"]]
    rng.shuffle(lines)
    return {"line": lines}


def with_groups(groups: int, entities: int = 4, seed: int = 0) -> tuple[Document, Document]:
    """One pair (prediction, reference) with so many groups. A third of the values are wrong, many values are common."""
    rng = random.Random(seed)
    reference = {
        "line": [
            {
                "nm": f"item {number}",
                "cnt": str(rng.randint(1, 3)),
                "unit": rng.choice(["kg", "l"]),
                "price": price(rng),
            }
            | {f"more{extra}": price(rng) for extra in range(entities - 4)}
            for number in range(groups)
        ]
    }
    return misread_and_shuffled(reference, rng), reference


def invoice(items: int, seed: int = 0) -> tuple[Document, Document]:
    """One pair (prediction, reference) with so many line items of four fields. A third of the values are wrong."""
    rng = random.Random(seed)
    reference = {
        "line": [
            {
                "description": f"{' '.join(rng.choices(WORDS, k=rng.randint(2, 5)))} {rng.randint(100, 999)}",
                "quantity": str(rng.randint(1, 20)),
                "unit_price": price(rng),
                "amount": price(rng),
            }
            for _ in range(items)
        ]
    }
    return misread_and_shuffled(reference, rng), reference
