"""Planted differences of names and nesting: other case styles, other names, groups that one side does not have."""

from __future__ import annotations

import re
from collections.abc import Callable

from planted_sources import Document
from writing_cases import REFERENCES, Difference, Sides, Write, both, documents, fields_of, groups_of, with_keys


def words(name: str) -> list[str]:
    """The words of a name in any style, in small letters."""
    return [word.lower() for word in re.findall(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+", name)] or [name]


def camel(name: str) -> str:
    first, *rest = words(name)
    return first + "".join(word.capitalize() for word in rest)


def pascal(name: str) -> str:
    return "".join(word.capitalize() for word in words(name))


def joined(mark: str, change: Callable[[str], str] = str) -> Callable[[str], str]:
    return lambda name: mark.join(change(word) for word in words(name))


OTHER = {
    "vendor": "merchant", "supplier": "seller_name", "currency": "ccy", "items": "purchased_goods", "name": "title",
    "amount": "line_sum", "quantity": "count", "unit_price": "rate", "date": "issued_on", "summary": "footer",
    "subtotal": "before_tax", "total": "sum_due", "payment": "tender", "method": "paid_with", "paid": "given",
    "change": "returned", "line_items": "positions", "description": "what", "net": "excluding_vat", "tax": "vat",
    "invoice_number": "bill_no", "invoice_date": "issued", "due_date": "payable_until", "purchase_order": "po",
    "menu": "dishes", "nm": "label", "price": "cost", "cnt": "qty", "unitprice": "each", "sub_total": "sums",
    "subtotal_price": "food", "total_price": "overall", "cashprice": "cash", "changeprice": "back", "tax_price": "vat",
    "LineItem": "Rows", "ItemDescription": "Text", "ItemTotal": "Price", "InvoiceNumber": "Ref", "IssuedDate": "Day",
    "TotalAmount": "Due", "ItemUnitCount": "Pcs", "ItemUnitValue": "Each",
}  # fmt: skip
GERMAN = {
    "vendor": "Händler", "supplier": "Lieferant", "currency": "Währung", "items": "Positionen", "name": "Bezeichnung",
    "amount": "Betrag", "quantity": "Menge", "unit_price": "Einzelpreis", "date": "Datum", "total": "Gesamtbetrag",
    "subtotal": "Zwischensumme", "payment": "Zahlung", "method": "Zahlungsart", "line_items": "Positionen",
    "description": "Beschreibung", "net": "Netto", "tax": "MwSt", "invoice_number": "Rechnungsnummer",
    "invoice_date": "Rechnungsdatum", "menu": "Speisen", "nm": "Name", "price": "Preis", "cnt": "Anzahl",
    "total_price": "Summe", "LineItem": "Posten", "ItemDescription": "Text", "ItemTotal": "Summe",
}  # fmt: skip
AMOUNTS = {"total", "amount", "total_price", "price", "ItemTotal", "TotalAmount", "lineTotal", "limit"}


def some_names(names: dict[str, str]) -> Callable[[str], str]:
    return lambda name: names.get(name, name)


def first_of(names: dict[str, str], number: int) -> Callable[[str], str]:
    """Only the names that most documents have, so many of them."""
    few = ("total", "date", "amount", "nm", "price", "ItemTotal", "total_price", "invoice_date", "IssuedDate")[:number]
    return some_names({name: other for name, other in names.items() if name in few})


def group_as(form: str) -> Write:
    """Each group of records under another name."""

    def written(document: Document) -> Document:
        groups = groups_of(document)
        return {form.format(key) if key in groups else key: child for key, child in document.items()}

    return documents(written)


def header_in(name: str) -> Write:
    """The plain values of the root in an object of their own."""

    def written(document: Document) -> Document:
        fields = fields_of(document)
        return {name: fields, **{key: child for key, child in document.items() if key not in fields}}

    return documents(written)


def flattened(document: Document, mark: str | None, prefix: str = "") -> Document:
    """The fields of objects at the root: under both names, or under theirs alone."""
    written: Document = {}
    for key, child in document.items():
        name = f"{prefix}{key}"
        if isinstance(child, dict):
            written |= flattened(child, mark, "" if mark is None else f"{name}{mark}")
        else:
            written[name] = child
    return written


def flat_names(mark: str | None) -> Write:
    """Objects flattened, where there are any."""

    def write(rows, dice):  # type: ignore[no-untyped-def]
        has_objects = any(isinstance(child, dict) for row in rows for child in row["document"].values())
        return documents(lambda document: flattened(document, mark))(rows, dice) if has_objects else None

    return write


def both_sides(write: Write) -> Callable[..., list[Sides]]:
    """The sides as they are meant: both with the names of the references."""
    return lambda sides, dice: [both(write)(sides), sides]


def with_sections(document: Document) -> Document:
    """Fields by the section of the page that they stand in."""
    fields = list(fields_of(document))
    half = len(fields) // 2
    rest = {key: child for key, child in document.items() if key not in fields}
    return {
        "header": {k: document[k] for k in fields[:half]},
        **rest,
        "footer": {k: document[k] for k in fields[half:]},
    }


_NAMES = r"^(rename|unwrap|records|warning).*\b(names?|called|'\w[^']*' for '|rename)"
_NESTED = r"^(rename|unwrap|records|warning).*(names?|key|\bfor\b|under|stand)"
_STYLES: dict[str, Callable[[str], str]] = {
    "camel case": camel,
    "Pascal case": pascal,
    "snake case": joined("_"),
    "kebab case": joined("-"),
    "Title Case": joined(" ", str.capitalize),
    "CAPITALS": joined("_", str.upper),
    "small letters": joined(""),
    "with blanks": joined(" "),
}
_MARKS: dict[str, str] = {"trailing dot": "{}.", "trailing colon": "{}:", "blank behind": "{} ", "in quotes": '"{}"'}
_PREFIXES = {
    "field_": "field_{}",
    "dotted": "doc.{}",
    "attribute": "@{}",
    "namespace": "inv:{}",
    "dollar": "${}",
    "suffix": "{}_text",
}

DIFFERENCES = [
    *(Difference("names in another case style", name, with_keys(style), _NAMES) for name, style in _STYLES.items()),
    Difference(
        "names in another case style",
        "Title Case",
        with_keys(joined(" ", str.capitalize)),
        _NAMES,
        REFERENCES,
        sound=both_sides(with_keys(joined(" ", str.capitalize))),
    ),
    *(Difference("names with marks", name, with_keys(form.format), _NAMES) for name, form in _MARKS.items()),
    *(
        Difference("names with a prefix or suffix", name, with_keys(form.format), _NAMES)
        for name, form in _PREFIXES.items()
    ),
    Difference(
        "names with a unit",
        "in brackets",
        with_keys(lambda name: f"{name} (USD)" if name in AMOUNTS else name),
        _NAMES,
    ),
    Difference(
        "names with a unit",
        "behind",
        with_keys(lambda name: f"{name}_in_currency" if name in AMOUNTS else name),
        _NAMES,
    ),
    Difference("other names", "all", with_keys(some_names(OTHER)), _NAMES),
    Difference("other names", "one", with_keys(first_of(OTHER, 4)), _NAMES),
    Difference("other names", "German", with_keys(some_names(GERMAN)), _NAMES),
    Difference(
        "other names",
        "German, of references",
        with_keys(some_names(GERMAN)),
        _NAMES,
        REFERENCES,
        sound=both_sides(with_keys(some_names(GERMAN))),
    ),
    Difference("other names", "letters", with_keys(lambda name: f"f{sum(map(ord, name)) % 977}"), _NAMES),
    Difference("other names", "cut", with_keys(lambda name: name[:10] if len(name) > 10 else name[:4]), _NAMES),
    *(
        Difference("groups of other names", name, group_as(form), _NAMES)
        for name, form in (("list", "{}_list"), ("table", "table_1"), ("rows", "Rows"), ("singular", "{}Entry"))
    ),
    Difference("fields in an object of their own", "header", header_in("header"), _NESTED),
    Difference("fields in an object of their own", "fields", header_in("fields"), _NESTED),
    Difference("fields in an object of their own", "sections", documents(with_sections), _NESTED),
    Difference("fields in an object of their own", "of references", header_in("document_info"), _NESTED, REFERENCES),
    Difference("objects flattened", "underscore", flat_names("_"), _NESTED),
    Difference("objects flattened", "dot", flat_names("."), _NESTED),
    Difference("objects flattened", "slash", flat_names("/"), _NESTED),
    Difference("objects flattened", "names alone", flat_names(None), _NESTED),
    Difference(
        "objects flattened", "of references", flat_names("_"), _NESTED, REFERENCES, sound=both_sides(flat_names("_"))
    ),
]
