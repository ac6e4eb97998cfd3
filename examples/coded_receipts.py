"""Short receipts for a model that reads pictures. Their few words are drawn as colours, which a tiny model can learn.

Both parts have the words of `WORDS`. Held-out receipts have other arrangements and new combinations of words.

>>> receipt = receipts(1, seed=3)[0]
>>> receipt.words, receipt.page
(['Quay', '6.75', 'Quiche', 'TOTAL', '2.35', '2024-08-17'], [64, 64])
"""

from __future__ import annotations

import itertools
import random
from collections.abc import Iterator
from typing import TYPE_CHECKING

from synthetic_receipts import Cell, Layout, Page, Receipt, layouts

if TYPE_CHECKING:
    from PIL import Image

ROWS: list[tuple[tuple[str, ...], ...]] = [(("name", "amount"),), (("amount", "name"),), (("name",), ("amount",))]
WORDS = {
    "vendor": ["Juniper", "Lantern", "Maple", "Falcon", "Copper", "Quay"],
    "date": [f"2024-{month:02}-17" for month in range(1, 9)],
    "name": [
        *["Latte", "Bagel", "Soup", "Salad", "Burger", "Pasta", "Rice", "Muffin"],
        *["Waffle", "Steak", "Tacos", "Curry", "Sorbet", "Quiche", "Tea", "Juice"],
    ],
    "amount": [f"{number % 9 + 1}.{number * 7 % 20 * 5:02}" for number in range(24)],
    "key": ["TOTAL"],
}
COLOURS = ("black", "red", "lime", "blue")
CELL = 8
"""The width and the height of a word, in pixels. A page has eight by eight of them."""


def receipts(count: int, seed: int, *, part: str = "train") -> list[Receipt]:
    """`count` receipts of at most ten words, the same for the same seed. `part` is "train" or "held_out"."""
    rng, arrangements = random.Random(f"{part} {seed}"), layouts(part, rows=ROWS)
    return [_receipt(rng, rng.choice(arrangements)) for _ in range(count)]


def picture(receipt: Receipt) -> Image.Image:
    """The page. Every word is four coloured squares."""
    from PIL import Image, ImageDraw

    codes = dict(zip(itertools.chain(*WORDS.values()), _codes(), strict=False))
    image = Image.new("RGB", (receipt.page[0], receipt.page[1]), "white")
    draw = ImageDraw.Draw(image)
    half = CELL // 2
    for word, (x, y, _, _) in zip(receipt.words, receipt.boxes, strict=True):
        for place, colour in enumerate(codes[word]):
            left, top = x + place % 2 * half, y + place // 2 * half
            draw.rectangle((left, top, left + half - 1, top + half - 1), fill=COLOURS[colour])
    return image


def _codes() -> Iterator[tuple[int, ...]]:
    """The colours of four squares. Because of the last one, any two codes differ in at least two squares."""
    for code in itertools.product(range(len(COLOURS)), repeat=3):
        yield *code, sum(code) % len(COLOURS)


def _receipt(rng: random.Random, layout: Layout) -> Receipt:
    page = Page(0, 0, width=CELL, height=CELL, is_grid=True)
    page.line(Cell(rng.randrange(8), rng.choice(WORDS["vendor"]), "vendor"))
    date = Cell(rng.randrange(8), rng.choice(WORDS["date"]), "date")
    if layout.date == "top":
        page.line(date)
    count = rng.randint(1, 3 if len(layout.rows) == 1 else 2)
    for number in range(1, count + 1):
        item = {column: rng.choice(WORDS[column]) for column in ("name", "amount")}
        for row in layout.rows:
            page.line(*(Cell(4 * place, item[column], f"items.{column}", number) for place, column in enumerate(row)))
    key, total = "TOTAL", Cell(4, rng.choice(WORDS["amount"]), "total.amount", count + 1)
    if layout.keys == "above":
        page.line(Cell(4, key))
        page.line(total)
    else:
        page.line(Cell(2, key), total)
    if layout.date == "bottom":
        page.line(date)
    return page.receipt([8 * CELL, 8 * CELL], layout)
