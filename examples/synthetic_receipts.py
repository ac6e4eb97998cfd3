"""Receipts made from a seed: words, boxes, tags and the document they hold. For training examples and for tests.

Everything is invented. Vendors, items, quantities, amounts, dates and arrangements of the page that are held out never
occur in training. Key words ("TOTAL") and spellings of dates and amounts are common to both parts.

>>> receipt = receipts(1, seed=3)[0]
>>> list(zip(receipt.words, receipt.tags))[:3]
[('Bofapet', 'B-vendor'), ('Dafikot', 'I-vendor'), ('Pus', 'I-vendor')]
>>> receipt.document["vendor"], receipt.document["items"][0]
('Bofapet Dafikot Pus', {'items.amount': '23.48', 'items.quantity': '15', 'items.name': 'Nunelir'})
"""

from __future__ import annotations

import datetime
import itertools
import random
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

if TYPE_CHECKING:
    from PIL import Image

T = TypeVar("T")
PARTS = ("train", "held_out")
GROUPS = ("items", "total")
"""The group types, as `docie.adapters.grouping` takes them."""

CONSONANTS, VOWELS, ENDS = "bdfgklmnprstvz", "aeiou", "nrslt"
STREETS = ("Mill Street", "Station Road", "Park Avenue", "Harbour Lane")
DATES = ("{day:02}.{month:02}.{year}", "{year}-{month:02}-{day:02}", "{day} {name} {year}", "{name} {day}, {year}")
MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")
AMOUNTS = ("{}.{:02}", "{},{:02}", "${}.{:02}")
QUANTITIES = ("{}", "{}x", "x{}")
TOTALS = (("SUBTOTAL", "TAX", "TOTAL"), ("Net", "VAT", "Amount due"), ("Sum", "Sales tax", "To pay"))
COLUMNS = {"quantity": ("QTY", 6), "name": ("ITEM", 26), "amount": ("PRICE", 9)}
"""The heading of each column of the items, and its width in characters."""
ROWS: list[tuple[tuple[str, ...], ...]] = [
    *((order,) for order in itertools.permutations(COLUMNS)),
    (("name",), ("quantity", "amount")),
    (("name",), ("amount", "quantity")),
]
"""The columns of an item, row by row."""


class Layout(NamedTuple):
    """How a page is arranged.

    `rows` are the columns of an item, row by row. Keys stand "left" of or "above" their values. The date stands at the
    "top" or at the "bottom".
    """

    rows: tuple[tuple[str, ...], ...]
    keys: str
    date: str


class Receipt(NamedTuple):
    """The words of a page in reading order, the box, tag and group of each, and the document they hold.

    Boxes are [x0, y0, x1, y1] in pixels, `page` is [width, height], tags are IOB2. A group is the number of an item,
    counted from 1. The totals have the number after the last item. Words outside of groups have None. Slot filling of
    the tags gives `document`.
    """

    words: list[str]
    boxes: list[list[int]]
    tags: list[str]
    groups: list[int | None]
    document: dict[str, Any]
    page: list[int]
    layout: Layout


def receipts(count: int, seed: int, *, part: str = "train") -> list[Receipt]:
    """`count` receipts, the same for the same seed. `part` is "train" or "held_out".

    Items have a name, an amount, mostly a quantity and sometimes an option. Totals are the sum of the items, some with
    a tax.
    """
    rng, arrangements = random.Random(f"{part} {seed}"), layouts(part)
    return [_receipt(rng, part, rng.choice(arrangements)) for _ in range(count)]


def layouts(part: str, *, rows: Sequence[tuple[tuple[str, ...], ...]] = ROWS) -> list[Layout]:
    """The arrangements of a part. Every choice occurs in both parts, every combination of choices in one of them.

    >>> len(layouts("train")), len(layouts("held_out")), set(layouts("train")) & set(layouts("held_out"))
    (24, 8, set())
    """
    if part not in PARTS:
        raise ValueError(f"part must be one of {', '.join(PARTS)}, got {part!r}")
    choices: list[Sequence[Any]] = [rows, ["left", "above"], ["top", "bottom"]]
    return [
        Layout(*(option for _, option in combination))
        for combination in itertools.product(*map(enumerate, choices))
        if (sum(number for number, _ in combination) % 4 == 0) == (part == "held_out")
    ]


def picture(receipt: Receipt) -> Image.Image:
    """The receipt as it would look, with real text."""
    from PIL import Image, ImageDraw, ImageFont

    image = Image.new("RGB", (receipt.page[0], receipt.page[1]), "white")
    draw = ImageDraw.Draw(image)
    for word, (x0, y0, x1, y1) in zip(receipt.words, receipt.boxes, strict=True):
        size = min(12, y1 - y0 - 2)
        while draw.textlength(word, font := ImageFont.load_default(size)) > x1 - x0:
            size -= 1
        draw.text((x0, (y0 + y1) / 2), word, fill="black", font=font, anchor="lm")
    return image


class Cell(NamedTuple):
    """A text, the character of the line where it begins, and its entity type and its group if it has these."""

    x: int
    text: str
    entity_type: str | None = None
    group: int | None = None


class Page:
    """Collects the lines of a receipt, from the top.

    `width` and `height` are those of a character. In a grid they are those of a word.
    """

    def __init__(self, left: int, top: int, width: int, height: int, gap: int = 0, *, is_grid: bool = False) -> None:
        self.left, self.top, self.width, self.height, self.gap, self.is_grid = left, top, width, height, gap, is_grid
        self.words: list[str] = []
        self.boxes: list[list[int]] = []
        self.tags: list[str] = []
        self.groups: list[int | None] = []
        self.document: dict[str, Any] = {}
        self._members: dict[int, dict[str, str]] = {}

    def line(self, *cells: Cell) -> None:
        """Add a line of cells, from left to right."""
        for x, text, entity_type, group in cells:
            for number, word in enumerate(text.split()):
                length = 1 if self.is_grid else len(word)
                start = self.left + x * self.width
                self.words.append(word)
                self.boxes.append([start, self.top, start + length * self.width, self.top + self.height])
                self.tags.append(f"{'I' if number else 'B'}-{entity_type}" if entity_type else "O")
                self.groups.append(group)
                x += length + 1
            if entity_type:
                self._add(entity_type, text, group)
        self.top += self.height + self.gap

    def _add(self, entity_type: str, text: str, group: int | None) -> None:
        if group is None:
            self.document[entity_type] = text
            return
        if group not in self._members:
            self._members[group] = {}
            self.document.setdefault(entity_type.split(".")[0], []).append(self._members[group])
        self._members[group][entity_type] = text

    def receipt(self, page: list[int], layout: Layout) -> Receipt:
        return Receipt(self.words, self.boxes, self.tags, self.groups, self.document, page, layout)


def _receipt(rng: random.Random, part: str, layout: Layout) -> Receipt:
    page = Page(rng.randrange(8, 60), rng.randrange(8, 60), width=8, height=rng.choice([12, 14, 16]), gap=4)
    if rng.random() < 0.4:
        page.line(Cell(rng.choice([0, 12]), rng.choice(["RECEIPT", "WELCOME TO", "Invoice"])))
    page.line(Cell(rng.choice([0, 4, 10]), name_of(rng, part), "vendor"))
    if rng.random() < 0.7:
        page.line(Cell(rng.choice([0, 4]), f"{rng.randrange(1, 99)} {rng.choice(STREETS)}"))
    if layout.date == "top":
        _put_date(page, rng, part, layout)
    has_tax, spelling = rng.random() < 0.6, rng.choice(AMOUNTS)
    amounts = _amounts(rng, part, has_tax)
    _put_items(page, rng, part, layout, [spelling.format(*divmod(cents, 100)) for cents in amounts])
    totals = [spelling.format(*divmod(cents, 100)) for cents in _sums(amounts, has_tax)]
    _put_totals(page, rng, layout, totals, len(amounts) + 1)
    if layout.date == "bottom":
        _put_date(page, rng, part, layout)
    page.line(Cell(rng.choice([0, 8]), rng.choice(["THANK YOU", "Please come again", "CASH SALE"])))
    width = sum(width for _, width in COLUMNS.values()) * page.width
    return page.receipt([page.left + width + rng.randrange(8, 60), page.top + rng.randrange(8, 60)], layout)


def _put_date(page: Page, rng: random.Random, part: str, layout: Layout) -> None:
    """Add the date, and a receipt number that is no entity."""
    day = datetime.date.fromordinal(draw(lambda: rng.randrange(738000, 739500), part, int))
    text = rng.choice(DATES).format(day=day.day, month=day.month, year=day.year, name=MONTHS[day.month - 1])
    key, number_key, number = (
        rng.choice(["DATE", "Date:"]),
        rng.choice(["NO", "Receipt"]),
        str(rng.randrange(100, 9999)),
    )
    if layout.keys == "above":
        page.line(Cell(0, key), Cell(18, number_key))
        page.line(Cell(0, text, "date"), Cell(18, number))
    else:
        page.line(Cell(0, key), Cell(8, text, "date"))
        page.line(Cell(0, number_key), Cell(8, number))


def _put_items(page: Page, rng: random.Random, part: str, layout: Layout, amounts: list[str]) -> None:
    """Add the items. Their first field is never missing, because slot filling needs it to tell items apart."""
    if rng.random() < 0.5:
        page.line(*(Cell(x, COLUMNS[column][0]) for x, column in _columns(layout.rows[0])))
    spelling, is_sparse = rng.choice(QUANTITIES), layout.rows[0][0] != "quantity" and rng.random() < 0.5
    for number, amount in enumerate(amounts, 1):
        item = {"name": name_of(rng, part), "amount": amount}
        if not is_sparse or rng.random() < 0.5:
            item["quantity"] = spelling.format(draw(lambda: rng.randrange(1, 25), part, int))
        for row in layout.rows:
            cells = [(x, column) for x, column in _columns(row) if column in item]
            page.line(*(Cell(x, item[column], f"items.{column}", number) for x, column in cells))
        if rng.random() < 0.15:
            page.line(Cell(3, "+"), Cell(5, name_of(rng, part).lower(), "items.option", number))


def _columns(row: tuple[str, ...]) -> list[tuple[int, str]]:
    """The columns of a row, each with the character where it begins."""
    starts = itertools.accumulate((COLUMNS[column][1] for column in row[:-1]), initial=0)
    return list(zip(starts, row, strict=True))


def _put_totals(page: Page, rng: random.Random, layout: Layout, amounts: list[str], group: int) -> None:
    """Add the total, after subtotal and tax if there are three amounts, and sometimes a payment, which is no entity."""
    keys, fields = (names[-len(amounts) :] for names in (rng.choice(TOTALS), ("subtotal", "tax", "amount")))
    totals = list(zip(keys, fields, amounts, strict=True))
    if layout.keys == "above":
        page.line(*(Cell(14 * place, key) for place, (key, _, _) in enumerate(totals)))
        page.line(*(Cell(14 * place, text, f"total.{field}", group) for place, (_, field, text) in enumerate(totals)))
    else:
        for key, field, text in totals:
            page.line(Cell(12, key), Cell(26, text, f"total.{field}", group))
    if rng.random() < 0.3:
        page.line(Cell(12, "CASH"), Cell(26, f"{rng.randrange(20, 100, 10)}.00"))


def name_of(rng: random.Random, part: str) -> str:
    """One to three words of one to three syllables."""

    def word() -> str:
        syllables = [rng.choice(CONSONANTS) + rng.choice(VOWELS) for _ in range(rng.choice([1, 2, 2, 3]))]
        return "".join(syllables) + rng.choice(ENDS)

    def number(word: str) -> int:
        return sum(map(ord, word))

    return " ".join(draw(word, part, number) for _ in range(rng.choice([1, 1, 2, 2, 3]))).title()


def _amounts(rng: random.Random, part: str, has_tax: bool) -> list[int]:
    """The amounts of the items in cents. Their sums belong to the part too."""
    count = rng.choice([1, 2, 2, 3, 3, 3, 4, 4, 5, 9])
    while True:
        amounts = [draw(lambda: rng.randrange(80, 6000), part, int) for _ in range(count)]
        if all(_belongs(cents, part) for cents in _sums(amounts, has_tax)):
            return amounts


def _sums(amounts: list[int], has_tax: bool) -> list[int]:
    """Subtotal, tax and total, or the total alone."""
    subtotal = sum(amounts)
    tax = subtotal * 8 // 100
    return [subtotal, tax, subtotal + tax] if has_tax else [subtotal]


def draw(make: Callable[[], T], part: str, number: Callable[[T], int]) -> T:
    """A random value that belongs to the part."""
    while not _belongs(number(value := make()), part):
        pass
    return value


def _belongs(number: int, part: str) -> bool:
    """Whether a value with this number (cents, a day, a quantity, the sum of a word's letters) may occur in a part."""
    return (number % 7 >= 4) == (part == "held_out")
