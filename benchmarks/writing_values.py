"""What writes values: amounts, dates, truth values, texts, units, and what stands beside a value."""

from __future__ import annotations

import datetime
import random
import re
import unicodedata
from collections.abc import Callable
from decimal import Decimal
from typing import Any

from planted_sources import Document, Path_, mapped
from writing_cases import (
    Rows,
    Sides,
    Write,
    all_values,
    amounts,
    both,
    documents,
    in_groups,
    number_of,
    texts,
)

# amounts


def grouped(form: str = "{}", marks: str = ",.", places: int = 2) -> Callable[[Decimal], str]:
    """An amount with marks of thousands and decimals, in a form such as `${}`."""
    return lambda number: form.format(
        f"{number:,.{places}f}".replace(",", "\0").replace(".", marks[1:]).replace("\0", marks[:1].strip("_"))
    )


def indian(number: Decimal) -> str:
    whole, _, cents = f"{abs(number):.2f}".partition(".")
    head, tail = whole[:-3], whole[-3:]
    head = re.sub(r"(?<=\d)(?=(\d\d)+$)", ",", head)
    return ("-" if number < 0 else "") + (f"{head},{tail}" if head else tail) + f".{cents}"


def scientific(number: Decimal) -> str:
    return f"{number:.5E}"


def without_zeros(number: Decimal) -> str:
    return f"{number:f}".rstrip("0").rstrip(".") if "." in f"{number:f}" else f"{number:f}"


def dashed(number: Decimal) -> str:
    """Whole amounts as shops print them."""
    return f"{number:.0f},—" if number == int(number) else f"{number:.2f}".replace(".", ",")


def negative(form: str) -> Write:
    """Negative amounts with the sign elsewhere: all amounts of the documents are made negative before."""
    return amounts(lambda number: form.format(f"{abs(number):.2f}") if number < 0 else f"{number:.2f}")


def credited(sides: Sides) -> Sides:
    """The same as credit notes: amounts are negative."""
    return both(amounts(lambda number: f"{-abs(number):.2f}"))(sides)


def without_cents(sides: Sides) -> Sides:
    """The same in a currency without cents: amounts are whole."""
    return both(amounts(lambda number: int(number * 100)))(sides)


# dates

MONTHS = (
    "January", "February", "March", "April", "May", "June",
    "July", "August", "September", "October", "November", "December",
)  # fmt: skip
GERMAN = (
    "Januar", "Februar", "März", "April", "Mai", "Juni",
    "Juli", "August", "September", "Oktober", "November", "Dezember",
)  # fmt: skip
FRENCH = (
    "janvier", "février", "mars", "avril", "mai", "juin",
    "juillet", "août", "septembre", "octobre", "novembre", "décembre",
)  # fmt: skip
EPOCH = datetime.date(1970, 1, 1)
Day = datetime.date


def day_of(value: Any) -> Day | None:
    """The day that a text means: as ISO 8601 writes it, or with points, day first."""
    if not isinstance(value, str):
        return None
    if match := re.fullmatch(r"(\d\d)\.(\d\d)\.(\d{4})", value):
        value = f"{match[3]}-{match[2]}-{match[1]}"
    try:
        return Day.fromisoformat(value) if re.fullmatch(r"\d{4}-\d\d-\d\d", value) else None
    except ValueError:
        return None


def dates(function: Callable[[Day], Any]) -> Write:
    def written(path: Path_, value: Any) -> Any:
        day = day_of(value)
        return value if day is None else function(day)

    return all_values(written)


def flagged(sides: Sides) -> Sides:
    """Documents with truth values: of records, always right, and of the root, one in twenty wrong."""

    def flags(document: Document) -> Document:
        written: Document = {}
        for key, child in document.items():
            if isinstance(child, list) and all(isinstance(each, dict) for each in child):
                child = [{**each, "taxable": len(str(each)) % 3 > 0} for each in child]
            written[key] = child
        return {**written, "is_copy": len(str(document.get("vendor", document))) % 2 == 0}

    rows: list[tuple[Document, Document]] = []
    for reference, prediction in zip(*sides, strict=True):
        wanted = flags(reference["document"])
        given = dict(prediction["document"])
        for key, child in wanted.items():
            if isinstance(child, list) and isinstance(given.get(key), list):
                lines = [each.get("taxable") for each in child if isinstance(each, dict)]
                given[key] = [
                    {**each, "taxable": lines[n]} if n < len(lines) and isinstance(each, dict) else each
                    for n, each in enumerate(given[key])
                ]
        given["is_copy"] = wanted["is_copy"] != (len(rows) % 20 == 3)
        rows.append(({**reference, "document": wanted}, {**prediction, "document": given}))
    return Sides(*(list(each) for each in zip(*rows, strict=True)))


def truth(pair: tuple[Any, Any]) -> Write:
    """Truth values written as one of two texts."""

    def changed(_: Path_, value: Any) -> Any:
        return pair[not value] if isinstance(value, bool) else value

    return documents(lambda document: mapped(document, changed))


# texts


def marked(sides: Sides) -> Sides:
    """Names that hold an apostrophe, a hyphen, an ampersand, an umlaut and quotes: the same ones on both sides."""

    def name(text: str) -> str:
        head, blank, rest = text.partition(" ")
        return f'{head}\'s "{rest}" & Söhne - Zürich' if blank else f"{head} - l'Été"

    return both(texts(name))(sides)


def wide(text: str) -> str:
    """Digits, letters and marks as wide as East Asian ones."""
    return "".join(chr(ord(each) + 0xFEE0) if "!" <= each <= "~" else each for each in text)


def mojibake(text: str) -> str:
    return text.encode().decode("cp1252", errors="replace")


def accents_dropped(text: str) -> str:
    return "".join(each for each in unicodedata.normalize("NFD", text) if not unicodedata.combining(each))


TRANSLITERATED = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue", "ß": "ss", "É": "E", "é": "e"})
TYPESET = str.maketrans({"'": "’", "-": "–"})


def placeholders(text: str) -> Write:
    """A placeholder for each field of the root, and of records, that a document does not have."""

    def write(rows: Rows, dice: Any) -> Rows:
        documents_of = [row["document"] for row in rows]
        fields = {k for each in documents_of for k, v in each.items() if not isinstance(v, dict | list)}
        inner: dict[str, set[str]] = {}
        for each in documents_of:
            for key, child in each.items():
                for record in child if isinstance(child, list) else [child]:
                    if isinstance(record, dict):
                        names = {k for k, v in record.items() if not isinstance(v, dict | list)}
                        inner.setdefault(key, set()).update(names)

        def filled(record: Any, names: set[str]) -> Any:
            if not isinstance(record, dict):
                return record
            return {
                **{name: text for name in sorted(names) if record.get(name) in (None, "")},
                **{k: v for k, v in record.items() if v not in (None, "")},
            }

        def written(document: Document) -> Document:
            done: Document = filled(document, fields)
            for key, child in done.items():
                names = inner.get(key, set())
                done[key] = [filled(each, names) for each in child] if isinstance(child, list) else filled(child, names)
            return done

        return documents(written)(rows, dice) or []

    return write


def wide_numbers(_: Path_, value: Any) -> Any:
    return wide(value) if isinstance(value, str) and re.search(r"\d", value) else value


# values

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


# units

CURRENCIES = {"EUR": "€", "USD": "$", "GBP": "£"}
WORDS = {"EUR": "Euro", "USD": "US Dollar", "GBP": "Pound Sterling"}


def rated(sides: Sides) -> Sides:
    """Records with the rate of a tax, and documents with one: the same on both sides."""

    def write(rows: Rows, _: random.Random) -> Rows:
        lists = in_groups(
            lambda records, _: [{**each, "tax_rate": ("19 %", "7 %", "20 %")[n % 3]} for n, each in enumerate(records)]
        )
        return [
            {**row, "document": {**row["document"], "discount_rate": "2.5 %"}}
            for row in lists(rows, random.Random(0)) or rows
        ]

    return both(write)(sides)


def share(value: Any) -> Any:
    match = re.fullmatch(r"([\d.]+) %", value) if isinstance(value, str) else None
    return value if match is None else f"{float(match[1]) / 100:g}"


def percent(form: str) -> Write:
    def written(path: Path_, value: Any) -> Any:
        match = re.fullmatch(r"([\d.]+) %", value) if isinstance(value, str) else None
        return value if match is None else form.format(match[1])

    return all_values(written)


def with_currency(sides: Sides) -> Sides:
    """Records that name their currency."""

    def write(rows: Rows, _: random.Random) -> Rows:
        def of(row: Document) -> Document:
            code = row["document"].get("currency") or "EUR"
            lists = in_groups(lambda records, _: [{**each, "currency": code} for each in records])
            [written] = lists([row], random.Random(0)) or [row]
            return dict(written)

        return [of(row) for row in rows]

    return both(write)(sides)


def currency(table: dict[str, str]) -> Write:
    return all_values(lambda path, value: table.get(value, value) if isinstance(value, str) else value)


def cents(number: Any) -> Any:
    return int(number * 100)
