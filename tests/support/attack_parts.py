"""What the page on robustness says of attacks: what each does, and what it makes of one form."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator
from typing import Any

from docie import attacks
from docie.robustness.attacks.entries import ATTACKS, CHANGES
from docie.robustness.form import Page

SEED = 0
LINES = ("5 Mill Lane", "Invoice No. 4711", "Due Date 05/06/21", "Total 12.40", "Thank you. Please come again")
LABELS = [*["address"] * 3, *["number"] * 3, *["due_date"] * 3, *["total"] * 2, *["O"] * 5]
KEYS = {3, 4, 6, 7, 9}
OPTIONS: dict[str, dict[str, Any]] = {"bg_synonyms": {"source": "lexicon"}}  # WordNet may be installed or not
PLACED = "4711"
"""The word whose box stands for all."""


def form() -> Page:
    """A form on which every attack of the paper does something at this seed, and none needs a text of Faker.

    >>> form().document()
    {'address': '5 Mill Lane', 'number': '4711', 'due_date': '05/06/21', 'total': '12.40'}
    """
    words, boxes = [], []
    for number, line in enumerate(LINES):
        right = 10
        for word in line.split():
            words.append(word)
            boxes.append([right, 10 + 20 * number, right + 8 * len(word), 26 + 20 * number])
            right += 8 * len(word) + 8
    record = {"id": "i-30", "words": words, "boxes": boxes, "labels": LABELS, "page": [250, 120]}
    return Page.from_record({**record, "is_key": [place in KEYS for place in range(len(words))]})


def all_attacks() -> Iterator[tuple[str, ...]]:
    """A row for each attack: its name, what it does, its options, what it may change."""
    for name in attacks.names(own=True):
        attack = ATTACKS[name]
        options = ", ".join(f"`{option}={_short(value)}`" for option, value in attack.defaults.items())
        own = " docie's own." if attack.source == "docie" else ""
        yield f"`{name}`", attack.summary + own, options, ", ".join(each for each in CHANGES if each in attack.changes)


def _short(value: object) -> str:
    if isinstance(value, tuple) and len(value) > 4:
        return f"({value[0]!r}, … {len(value) - 1} more)"
    return repr(value)


def on_a_form(rows: Iterable[list[str]]) -> Iterator[tuple[str, ...]]:
    """The rows of a table with what the attacks in the first column make of the form in the last one.

    The first row is of the form as it is.
    """
    unattacked, *others = rows
    before = form()
    yield (*unattacked[:-1], " ".join(word.text for word in before.words))
    shown = [cells[0].strip("`*") for cells in others]
    if shown != attacks.names():
        raise ValueError(f"the rows are {shown}, and the attacks are {attacks.names()}")
    for name, cells in zip(shown, others, strict=True):
        after = attacks.apply(name, before, seed=SEED, **OPTIONS.get(name, {}))
        yield (*cells[:-1], difference(before, after))


def difference(before: Page, after: Page) -> str:
    """The words after an attack, with dropped ones struck out and others in bold; or how a box has changed.

    >>> from docie.robustness.form import Word
    >>> page = Page([Word("Total"), Word("4.50"), Word("EUR")])
    >>> difference(page, page.with_texts({0: "Sum", 2: ""})), difference(page, page.arranged([0, 2, 1]))
    ('**Sum** 4.50 ~~EUR~~', 'Total **EUR 4.50**')
    """
    found = {word.id: word for word in after.words}
    ids = [word.id for word in before.words if word.id in found]
    if [word.text for word in before.words] == [word.text for word in after.words]:
        return _box_moved(before, after)
    if [*found] != ids:  # in another order
        marked = [("**" * (new.id != old.id), new.text) for old, new in zip(before.words, after.words, strict=True)]
    else:
        marked = [_marked(word.text, found[word.id].text if word.id in found else None) for word in before.words]
    runs = ((mark, " ".join(text for _, text in run)) for mark, run in itertools.groupby(marked, lambda each: each[0]))
    return " ".join(f"{mark}{text}{mark}" for mark, text in runs)


def _marked(before: str, after: str | None) -> tuple[str, str]:
    if after is None:
        return "~~", before
    return "**" * (after != before), after


def _box_moved(before: Page, after: Page) -> str:
    """How the box of one word has changed, and the page."""
    old, new = (
        [round(edge) for word in page.words if word.text == PLACED and word.box for edge in word.box]
        for page in (before, after)
    )
    pages = f", page {before.page} → {after.page}" if before.page != after.page else ""
    return f"box of {PLACED}: {old} → {new}{pages}"
