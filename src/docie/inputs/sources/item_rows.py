"""Rows of which each is an item of a document, with the id of it, become documents."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

from docie.core.errors import InputError, shortened
from docie.core.phrases import counted, some_of
from docie.core.values.plain import JsonObject, identity_text
from docie.documents.leaves import is_leaf
from docie.inputs.openers import is_wrapper, plain_row
from docie.inputs.reading import BY_ROWS
from docie.inputs.row import Row

ITEMS = "items"
"""The group of the columns of items, if their names say nothing else."""
NAMED = 8
"""The number of columns that a note names."""
BLANK = (None, "")


def is_flat(row: object) -> bool:
    """Whether a row may be one of columns: an object without lists of objects, and no wrapper.

    >>> is_flat({"id": "a", "vendor": {"name": "Ada"}}), is_flat({"id": "a", "vendors": [{"name": "Ada"}]})
    (True, False)
    """
    return isinstance(row, dict) and not is_wrapper(row) and not any(map(is_group, row.values()))


def is_group(value: object) -> bool:
    """Whether a value is a list of objects."""
    return isinstance(value, list) and any(isinstance(each, dict) for each in value)


def grouped(rows: Iterable[Row], key: str, tell: Callable[[str], object], name: str) -> Iterator[Row]:
    """The documents of rows of items, in the order of their first ones. All rows are kept in memory.

    A column is one of documents if it has the same value in all rows of an id, or a value in the first of them alone,
    whatever the id; any other is one of items. A row without an id belongs to the document of the row above it.

    Args:
        rows: the rows, as they stand in their source.
        key: the key of their ids.
        tell: is called with a line about what was found.
        name: what the source is called in it.

    Raises:
        InputError: for rows without ids, and for those that are no rows of columns.

    >>> rows = [Row({"id": "a", "total": "9", "name": "Latte"}), Row({"id": "", "name": "Bagel"})]
    >>> [row.document for row in grouped(rows, "id", print, "items.csv")]
    items.csv: 1 document of 2 rows; their items have 'name'
    [{'id': 'a', 'total': '9', 'items': [{'name': 'Latte'}, {'name': 'Bagel'}]}]
    """
    documents: dict[str, list[Row]] = {}
    identity: str | None = None
    for row in rows:
        fields = plain_row(row.document)
        rest = {column: value for column, value in fields.items() if column != key} if isinstance(fields, dict) else {}
        if not isinstance(fields, dict) or is_wrapper(rest):
            raise InputError(f"{row.place or name}: {BY_ROWS!r} are rows of columns, got {shortened(fields)}")
        if fields.get(key) not in BLANK:
            identity = identity_text(key, fields[key])
        if identity is None:
            raise InputError(f"{row.place or name}: no id under {key!r}, by which rows of items become documents")
        documents.setdefault(identity, []).append(row._replace(document=rest, id=identity))
    items = _columns_of_items([[row.document for row in each] for each in documents.values()])
    number = sum(map(len, documents.values()))
    found = f"their items have {some_of(map(repr, items), NAMED)}" if items else "no column differs in rows of an id"
    tell(f"{name}: {counted(len(documents), 'document')} of {counted(number, 'row')}; {found}")
    for identity, each in documents.items():
        yield each[0]._replace(document={key: identity, **_document([row.document for row in each], items)}, id=None)


def _columns_of_items(documents: Sequence[Sequence[JsonObject]]) -> list[str]:
    """The columns that have different values in rows of one document."""
    columns = dict.fromkeys(name for rows in documents for row in rows for name in row)
    return [name for name in columns if not all(_is_of_document([row.get(name) for row in rows]) for rows in documents)]


def _is_of_document(values: Sequence[object]) -> bool:
    """Whether the values of a column in the rows of a document may be one value of it."""
    first, *rest = values
    return all(value in BLANK for value in rest) or all(value == first for value in rest)


def _document(rows: Sequence[JsonObject], items: Sequence[str]) -> JsonObject:
    """The document of some rows: what their first one says, and a list for each group of items."""
    document: JsonObject = {name: value for name, value in rows[0].items() if name not in items}
    groups: dict[str, list[Any]] = {}
    for row in rows:
        found: dict[str, JsonObject] = {}
        for name in items:
            value = row.get(name)
            if value in BLANK:
                continue
            if isinstance(value, dict) and not is_leaf(value, "prediction"):
                found.setdefault(name, {}).update(value)
            else:
                found.setdefault(ITEMS, {})[name] = value
        for group, item in found.items():
            groups.setdefault(group, []).append(item)
    return {**document, **groups}
