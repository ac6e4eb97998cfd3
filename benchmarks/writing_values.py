"""Planted differences of what one value holds: labels, units, several fields in one, one in several."""

from __future__ import annotations

import random
import re
from collections.abc import Callable
from typing import Any

from planted_sources import Document, Path_
from writing_cases import (
    REFERENCES,
    Difference,
    Rows,
    Write,
    all_values,
    amounts,
    documents,
    in_groups,
    is_name,
    number_of,
)
from writing_dates import day_of

NAMES = ("name", "description", "nm", "ItemDescription", "transactionDescription", "coverageType")
COUNTS = ("quantity", "cnt", "ItemUnitCount")


def of_types(names: tuple[str, ...], function: Callable[[Any], Any]) -> Write:
    """The values of some types written anew."""
    return all_values(lambda path, value: function(value) if path[-1] in names else value)


def labelled(form: str, *, only: Callable[[Any], bool] = lambda value: number_of(value) is not None) -> Write:
    """The name of the field in the value."""

    def written(path: Path_, value: Any) -> Any:
        return form.format(path[-1].replace("_", " ").title(), value) if only(value) else value

    return all_values(written)


def whole(value: Any) -> bool:
    return re.fullmatch(r"\d{1,3}(\.0)?", str(value)) is not None


def counted(form: str) -> Write:
    """A unit, or a mark, with quantities."""
    return of_types(COUNTS, lambda value: form.format(value) if whole(value) else value)


def merged(form: str, *, keeps: bool = False) -> Write:
    """Quantity and name of a record in one value."""

    def record(each: Document) -> Document:
        name = next((key for key in NAMES if each.get(key)), None)
        count = next((key for key in COUNTS if each.get(key)), None)
        if name is None or count is None or isinstance(each[name], list):
            return each
        written = {**each, name: form.format(each[count], each[name])}
        return written if keeps else {key: child for key, child in written.items() if key != count}

    return in_groups(lambda records, _: [record(each) for each in records])


def numbered(rows: Rows, _: random.Random) -> Rows | None:
    """The number of the line in the name of each record."""

    def records(each: list[Document], _: str) -> list[Document]:
        names = [next((key for key in NAMES if isinstance(one.get(key), str)), "") for one in each]
        return [
            {**one, name: f"{n}. {one[name]}"} if name else one
            for n, (one, name) in enumerate(zip(each, names, strict=True), 1)
        ]

    return in_groups(records)(rows, random.Random(0))


def split_dates(form: Callable[[str], tuple[str, str, str]], *, nested: bool = False) -> Write:
    """Each date in three fields."""

    def written(value: Any) -> Any:
        if isinstance(value, list):
            return [written(each) for each in value]
        if not isinstance(value, dict):
            return value
        done: Document = {}
        for key, child in value.items():
            day = day_of(child)
            if day is None:
                done[key] = written(child)
                continue
            names, parts = form(key), (f"{day.day}", f"{day.month}", f"{day.year}")
            fields = dict(zip(names, parts, strict=True))
            done |= {key: fields} if nested else fields
        return done

    return documents(written)


def split_names(document: Document) -> Document:
    """The name of the seller in two fields."""
    for key in ("vendor", "supplier", "namedInsured"):
        head, _, rest = str(document.get(key) or "").partition(" ")
        if rest:
            others = {name: child for name, child in document.items() if name != key}
            return {f"{key}_1": head, f"{key}_2": rest, **others}
    return document


def cited(form: str) -> Write:
    """A reference to the page behind each value."""
    return all_values(lambda path, value: form.format(value))


_CONTAINS = r"^(contains|format|warning).*({})|^contains"
_MERGED = _CONTAINS.format("quantity|cnt|name|nm") + r"|^alone.*(quantity|cnt|count)"
"""That values stand beside others, or which type has none left."""
_SPLIT = r"^(contains|records|alone|unwrap|warning).*(split|year|month|parts?|several|together|_1|_y)"

DIFFERENCES = [
    Difference(
        "label in the value", "Total: 9,15", labelled("{}: {}"), _CONTAINS.format("label|Total"), names_types=True
    ),
    Difference(
        "label in the value", "of texts", labelled("{}: {}", only=is_name), _CONTAINS.format("label"), names_types=True
    ),
    Difference("label in the value", "equals", labelled("{} = {}"), _CONTAINS.format("label"), names_types=True),
    Difference(
        "label in the value",
        "number sign",
        of_types(("invoice_number", "receipt_number", "InvoiceNumber", "policyNumber"), lambda value: f"No. {value}"),
        _CONTAINS.format("No"),
        names_types=True,
    ),
    Difference(
        "label in the value",
        "of references",
        labelled("{}: {}"),
        _CONTAINS.format("label"),
        REFERENCES,
        names_types=True,
    ),
    Difference(
        "label in the value",
        "dates",
        all_values(lambda path, value: f"Date: {value}" if day_of(value) else value),
        _CONTAINS.format("Date"),
        names_types=True,
    ),
    *(
        Difference(
            "unit in the value", form.format(2), counted(form), _CONTAINS.format("unit|pcs|x|Stk|ea"), names_types=True
        )
        for form in ("{} pcs", "{} x", "x{}", "{} Stk.", "{} ea", "Qty {}", "{},00")
    ),
    Difference(
        "unit in the value",
        "of amounts",
        amounts(lambda number: f"{number:.2f} per unit"),
        _CONTAINS.format("unit"),
        names_types=True,
    ),
    Difference(
        "tax letter in the value",
        "A",
        amounts(lambda number: f"{number:.2f} A"),
        _CONTAINS.format("A"),
        names_types=True,
    ),
    Difference(
        "tax letter in the value",
        "star",
        amounts(lambda number: f"{number:.2f}*"),
        _CONTAINS.format("\\*"),
        names_types=True,
    ),
    Difference("quantity and name in one", "2 Latte", merged("{} {}"), _MERGED),
    Difference("quantity and name in one", "2x Latte", merged("{}x {}"), _MERGED),
    Difference("quantity and name in one", "Latte (2)", merged("{1} ({0})"), _MERGED),
    Difference("quantity and name in one", "kept, too", merged("{} × {}", keeps=True), _MERGED),
    Difference(
        "quantity and name in one",
        "of references",
        merged("{} {}"),
        _MERGED,
        REFERENCES,
    ),
    Difference("number and name in one", "1. Latte", numbered, _CONTAINS.format("name|nm")),
    Difference(
        "date in three fields",
        "date_day",
        split_dates(lambda key: (f"{key}_day", f"{key}_month", f"{key}_year")),
        _SPLIT,
    ),
    Difference("date in three fields", "day", split_dates(lambda key: ("day", "month", "year"), nested=True), _SPLIT),
    Difference(
        "date in three fields",
        "of references",
        split_dates(lambda key: (f"{key}_d", f"{key}_m", f"{key}_y")),
        _SPLIT,
        REFERENCES,
    ),
    Difference("name in two fields", "seller", documents(split_names), _SPLIT),
    Difference(
        "time behind the date",
        "14:32",
        all_values(lambda path, value: f"{value} 14:32" if day_of(value) else value),
        r"^(contains|format|warning).*(time|date)",
        names_types=True,
    ),
    Difference(
        "weekday before the date",
        "Mon",
        all_values(lambda path, value: f"Mon {value}" if day_of(value) else value),
        r"^(contains|format|warning).*(day|date)",
        names_types=True,
    ),
    Difference("source in the value", "[p. 1]", cited("{} [p. 1]"), _CONTAINS.format("p\\. 1"), names_types=True),
    Difference(
        "source in the value", "footnote", cited("{}【4:0†source】"), _CONTAINS.format("source"), names_types=True
    ),
    Difference("source in the value", "confidence", cited("{} (95%)"), _CONTAINS.format("95"), names_types=True),
]
