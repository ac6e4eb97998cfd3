"""What every metric says of a right prediction and of six predictions with one fault each: a table in Markdown.

    python examples/faults.py

The page on choosing a metric and the cards of these metrics show it.
"""

from __future__ import annotations

from typing import Any

import docie
from docie import corpus, tables
from docie.core import family
from docie.core.scores import headline_of

FLAT_WHITE, BAGEL, COOKIE = (
    {"name": "Flat White", "amount": "4.50"},
    {"name": "Bagel", "amount": "3.00"},
    {"name": "Cookie", "amount": "2.00"},
)
RECEIPT = {"vendor": "Juniper Cafe", "items": [FLAT_WHITE, BAGEL, COOKIE], "total": "9.50"}
SWAPPED = [FLAT_WHITE | {"amount": "3.00"}, BAGEL | {"amount": "4.50"}, COOKIE]
PREDICTIONS: dict[str, dict[str, Any]] = {
    "all correct": RECEIPT,
    "a letter misread (Flat Whlte)": RECEIPT | {"items": [FLAT_WHITE | {"name": "Flat Whlte"}, BAGEL, COOKIE]},
    "items in another order": RECEIPT | {"items": [COOKIE, BAGEL, FLAT_WHITE]},
    "two amounts swapped": RECEIPT | {"items": SWAPPED},
    "a missing item": RECEIPT | {"items": [FLAT_WHITE, BAGEL]},
    "a spurious item": RECEIPT | {"items": [FLAT_WHITE, BAGEL, COOKIE, {"name": "Tip", "amount": "1.00"}]},
    "'total' named 'sum'": {"vendor": "Juniper Cafe", "items": [FLAT_WHITE, BAGEL, COOKIE], "sum": "9.50"},
}
COLUMNS = {
    "entity F1": ("entity_f1", "f1"),
    "KIEval entity F1": ("kieval", "entity_f1"),
    "KIEval group F1": ("kieval", "group_f1"),
    "ANLS*": ("anls_star", "anls_star"),
    "HED": ("hed", "hed_f1"),
    "UHED": ("hed", "uhed_f1"),
    "text match": ("text_match", "levenshtein_similarity"),
    "nTED": ("nted", "nted_accuracy"),
}
"""The family and the figure of each column."""
COLUMNS |= {  # of every other family that reads documents, its headline
    family.card(name)["title"]: (name, headline_of(family.get(name)))
    for name in docie.families()
    if "document" in family.get(name).INPUTS and name not in dict(COLUMNS.values())
}


def table() -> tables.Table:
    """A row for each prediction, a column for each figure."""
    rows = [[fault, *figures(prediction)] for fault, prediction in PREDICTIONS.items()]
    return tables.Table("faults", ["prediction", *COLUMNS], rows)


def figures(prediction: dict[str, Any]) -> list[str]:
    """The scores of a prediction, column by column."""
    return [
        f"{corpus.evaluate(family.get(name), [prediction], [RECEIPT])[figure]:.2f}" for name, figure in COLUMNS.values()
    ]


if __name__ == "__main__":
    print(tables.markdown(table()))
