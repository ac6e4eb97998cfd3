"""Records as groups: columns, cells, numbered objects, name-value pairs, dotted keys, JSON text and tables in texts."""

from __future__ import annotations

import csv
import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from docie.core.values.json_text import parsed
from docie.core.values.plain import JsonObject
from docie.documents.leaves import PLACE_KEYS, is_leaf
from docie.documents.markup import records_in
from docie.documents.renaming import put
from docie.inputs.reading import RECORDS
from docie.inputs.records.paths import ROWS, from_paths

NAME_KEYS = ("name", "key", "field", "field_name", "label", "type", "entity", "entity_type")
VALUE_KEYS = ("value", "text", "content", "mention_text", "mentionText", "answer", "transcription")
"""The keys of a name-value pair."""
_FACTS = {"confidence", *PLACE_KEYS}
"""What may stand beside them."""
_NUMBERED = re.compile(r"(\D{0,30}?)[ _-]?(\d{1,6})")
_BESIDE_ROWS = ("index", "index_names", "column_names")
"""What pandas writes beside the header and the cells with `orient="split"` or "tight"."""
_PLACES = [re.compile(rf"{name}([_ ]?(index|idx|no|nr|number|id))?", re.IGNORECASE) for name in ("row", "col(umn)?")]
"""The keys of a cell that hold its row and its column."""
_MARKS = (";", "\t", "|", ",")
"""What stands between the cells of a line of CSV."""
_NAME = re.compile(r"[^\W\d][^\d]{0,60}")


def _from_tables(value: object) -> object:
    """The rows of all tables in a text: those of a table over several pages are often several tables."""
    return (records_in(value) or _from_csv(value) or value) if isinstance(value, str) else value


def _from_csv(text: str) -> list[JsonObject]:
    """The rows of a text that is CSV with a header; none of any other text."""
    for mark in _MARKS if "\n" in text else ():
        try:
            header, *rows = csv.reader(text.strip().splitlines(), delimiter=mark)
        except (csv.Error, ValueError):  # a very long cell, or no line
            continue
        least = 3 if mark == "," else 2  # addresses and names have commas, too
        if len(header) >= least and {*map(len, rows)} == {len(header)} and _is_header(header, rows):
            return [{name: cell for name, cell in zip(header, row, strict=True) if cell} for row in rows]
    return []


def _from_numbered(value: object) -> object:
    """The objects at numbered keys, as a list: `{"1": {...}, "2": {...}}`, `{"item_1": {...}}`."""
    if not isinstance(value, dict) or not all(isinstance(each, dict) for each in value.values()):
        return value
    numbers = [_NUMBERED.fullmatch(key) for key in value if isinstance(key, str)]
    if not value or len(numbers) < len(value) or not all(numbers) or len({each[1] for each in numbers if each}) > 1:
        return value
    order = sorted(range(len(numbers)), key=lambda place: int(numbers[place][2]))  # type: ignore[index]
    rows = list(value.values())
    return [rows[place] for place in order]


def _from_columns(value: object) -> object:
    """The rows of columns of one length: `{"name": [...], "price": [...]}`, or `{"name": {"0": ..., "1": ...}}`."""
    if not isinstance(value, dict) or not value or is_leaf(value, "reference"):
        return value
    columns = [*map(_column_of, value.values())]
    if not all(each and _are_leaves(each) for each in columns):
        return value
    if len(set(map(len, columns))) > 1:
        return value
    return [dict(zip(value, row, strict=True)) for row in zip(*columns, strict=True)]


def _column_of(value: object) -> list[object]:
    """The cells of a column: a list, or the values of an object whose keys are the numbers of rows from 0 or 1."""
    if isinstance(value, dict):
        numbers = [int(key) if str(key).isdecimal() else -1 for key in value]
        return [*value.values()] if numbers in ([*range(len(value))], [*range(1, 1 + len(value))]) else []
    return value if type(value) is list else []


def _from_cells(value: object) -> object:
    """The rows of a list of lists of single values, or of cells with their places. Without a header, columns are named
    by their numbers, from 1."""
    if isinstance(value, dict):
        return _from_header_and_cells(value)
    if type(value) is list and value and isinstance(value[0], dict):
        return _from_cells(table) if (table := _table_of(value)) else value
    if type(value) is not list or not value or not all(type(row) is list and row and _are_leaves(row) for row in value):
        return value
    if not any(isinstance(cell, str | dict) for row in value for cell in row):  # a matrix, or a polygon
        return value
    header, *rows = value
    if not _is_header(header, rows):
        header, rows = [str(number) for number in range(1, 1 + max(map(len, value)))], value
    return [dict(zip(header, row, strict=False)) for row in rows]


def _table_of(cells: list[Any]) -> list[list[object]]:
    """The lines of cells with their places, such as `{"row": 0, "column": 1, "text": "3.00"}`; none of other lists."""
    keys = [next(filter(pattern.fullmatch, filter(_is_text, cells[0])), None) for pattern in _PLACES]
    texts = [key for key in cells[0] if _is_text(key) and key.casefold() in VALUE_KEYS]
    lines: defaultdict[int, dict[int, object]] = defaultdict(dict)
    for cell in cells if None not in keys and len(texts) == 1 else ():
        row, column = (cell.get(key) if isinstance(cell, dict) else None for key in keys)
        if type(row) is not int or type(column) is not int:
            return []
        lines[row][column] = cell.get(texts[0])
    columns = sorted({column for line in lines.values() for column in line})
    return [[line.get(column) for column in columns] for _, line in sorted(lines.items())]


def _is_text(value: object) -> bool:
    return isinstance(value, str)


def _from_header_and_cells(value: dict[Any, Any]) -> object:
    """The rows of an object with a list of names and a list of lists: `{"headers": ["nm"], "rows": [["Latte"]]}`."""
    tables = [each for key, each in value.items() if key not in _BESIDE_ROWS]
    if len(tables) != 2 or not all(type(each) is list and each for each in tables):
        return value
    header, rows = sorted(tables, key=lambda each: isinstance(each[0], list))
    if not all(isinstance(name, str) and name for name in header) or len({*header}) < len(header):
        return value
    if not all(type(row) is list and _are_leaves(row) for row in rows) or max(map(len, rows)) != len(header):
        return value
    return [dict(zip(header, row, strict=False)) for row in rows]


def _is_header(header: Sequence[object], rows: Sequence[Sequence[object]]) -> bool:
    """Whether the first row names the columns: distinct names without digits, over a column of values with digits."""
    if not rows or len({str(cell) for cell in header}) < len(header):
        return False
    if not all(isinstance(cell, str) and _NAME.fullmatch(cell) for cell in header):
        return False
    return any(re.search(r"\d", str(cell)) for row in rows for cell in row)


def _are_leaves(values: Iterable[object]) -> bool:
    return all(is_leaf(each, "reference") for each in values)


def pair_of(value: object) -> tuple[str, object] | None:
    """The name and the leaf of a name-value pair, such as `{"name": "total", "value": "12.00"}`.

    >>> pair_of({"field": "total", "value": "12.00", "confidence": 0.9}), pair_of({"name": "Latte", "price": "3.00"})
    (('total', {'value': '12.00', 'confidence': 0.9}), None)
    >>> pair_of(["total", "12.00"]), pair_of(["2", "12.00"])
    (('total', '12.00'), None)
    """
    if type(value) is list:
        is_pair = len(value) == 2 and isinstance(value[0], str) and is_leaf(value[1], "reference")
        return (value[0], value[1]) if is_pair and _NAME.fullmatch(value[0]) else None
    if not isinstance(value, dict):
        return None
    names, texts = ([key for key in keys if key in value] for keys in (NAME_KEYS, VALUE_KEYS))
    if len(names) != 1 or len(texts) != 1 or not isinstance(value[names[0]], str):
        return None
    facts = [key for key in value if key not in (*names, *texts) and value[key] not in ([], {}, None)]
    if not {*facts} <= _FACTS:
        return None
    name, leaf = value[names[0]], value[texts[0]]
    if "confidence" in facts and not isinstance(leaf, dict | list):
        leaf = {"value": leaf, **{key: value[key] for key in sorted(facts)}}
    return name, leaf


def is_pairs(value: object) -> bool:
    """Whether a value is a list of name-value pairs; if they are lists of two, each name stands there once."""
    if type(value) is not list or not value or not all(pairs := [*map(pair_of, value)]):
        return False
    return type(value[0]) is dict or len(value) == len({pair[0] for pair in pairs if pair}) > 1


def _from_pairs(value: object) -> object:
    """The same object, with the name-value pairs of its lists as its fields; a list of pairs becomes an object."""
    if is_pairs(value):
        value = {"": value}
    if not isinstance(value, dict) or not any(map(is_pairs, value.values())):
        return value
    result: JsonObject = {}
    for key, child in value.items():
        for name, each in map(pair_of, child) if is_pairs(child) else [(key, child)]:  # type: ignore[misc]
            put(result, [name], each)
    return result


def _undotted(value: Any, root: str = "") -> Any:
    """The same document with nested objects for keys such as "vendor.name". Keys that begin with `root`, the top-level
    key that they are in, are whole paths already."""
    if isinstance(value, list):
        return [_undotted(each, root) for each in value]
    if not isinstance(value, dict) or is_leaf(value, "reference"):
        return value
    result: JsonObject = {}
    for key, child in value.items():
        put(result, key.split(".") if _is_dotted(key, root) else [key], _undotted(child, root or f"{key}."))
    return result


def _is_dotted(key: object, root: str) -> bool:
    return isinstance(key, str) and "." in key and "." in key.strip(".") and not (root and key.startswith(root))


_CHANGES: dict[str, Callable[[object], object]] = {
    "json": parsed,
    "tables": _from_tables,
    "pairs": _from_pairs,
    "paths": from_paths,
    "dotted": _undotted,
    "numbered": _from_numbered,
    "columns": _from_columns,
    "cells": _from_cells,
}
_OBJECT_KINDS = ("numbered", "columns", "cells")
"""Kinds that make a list of an object: a document stays an object."""


def with_records(document: object, kinds: Iterable[str]) -> object:
    """A document whose records of these kinds are groups; `docie.inputs.reading.Side` describes the kinds.

    >>> with_records({"total": "9", "menu": {"1": {"nm": "Latte"}, "2": {"nm": "Mocha"}}}, ["numbered"])
    {'total': '9', 'menu': [{'nm': 'Latte'}, {'nm': 'Mocha'}]}
    >>> with_records({"menu": {"nm": ["Latte", "Mocha"], "price": ["3.00", "4.00"]}}, ["columns"])
    {'menu': [{'nm': 'Latte', 'price': '3.00'}, {'nm': 'Mocha', 'price': '4.00'}]}
    >>> with_records({"menu": [["nm", "price"], ["Latte", "3.00"]], "vendor.name": "Kedai"}, ["cells", "dotted"])
    {'menu': [{'nm': 'Latte', 'price': '3.00'}], 'vendor': {'name': 'Kedai'}}
    >>> with_records({"items[0].nm": "Latte", "items[0].price": "3.00", "items[1].nm": "Mocha"}, ["paths"])
    {'items': [{'nm': 'Latte', 'price': '3.00'}, {'nm': 'Mocha'}]}
    >>> with_records({"menu": {"headers": ["nm", "price"], "rows": [["Latte", "3.00"]]}}, ["cells"])
    {'menu': [{'nm': 'Latte', 'price': '3.00'}]}
    >>> with_records([{"name": "total", "value": "9"}], ["pairs"])
    {'total': '9'}
    >>> with_records("| nm | price |\\n|---|---|\\n| Latte | 3.00 |", ["tables"])
    {'rows': [{'nm': 'Latte', 'price': '3.00'}]}
    """
    for kind in (kind for kind in RECORDS if kind in kinds):
        if kind == "dotted":
            document = _undotted(document)
        elif kind == "tables" and isinstance(document, str):
            rows = _from_tables(document)
            document = {ROWS: rows} if isinstance(rows, list) else document
        else:
            document = _changed(document, _CHANGES[kind], is_root=kind in _OBJECT_KINDS)
    return document


def record_kinds(document: object) -> set[str]:
    """The kinds of records that a document holds beside objects and lists of objects.

    >>> sorted(record_kinds({"menu": {"1": {"nm": "Latte"}}, "tax": [["0.50", "A"]], "vendor.name": "Kedai"}))
    ['cells', 'dotted', 'numbered']
    """
    kinds = set[str]()
    waiting: list[tuple[object, str | None]] = [(document, None)]  # with the top-level key that each stands in
    while waiting:
        value, root = waiting.pop()
        if isinstance(value, str):
            if value[:1] in ("{", "[") and parsed(value) is not value:
                kinds.add("json")
            elif _from_tables(value) is not value:
                kinds.add("tables")
        elif isinstance(value, dict) and not is_leaf(value, "reference"):
            kinds.update(kind for kind in _OBJECT_KINDS if root is not None and _CHANGES[kind](value) is not value)
            if from_paths(value) is not value:
                kinds.add("paths")
            if any(_is_dotted(key, root or "") for key in value):
                kinds.add("dotted")
            waiting += [(child, f"{key}." if root is None else root) for key, child in value.items()]
        elif isinstance(value, list) and value:
            if root is not None and _from_cells(value) is not value:
                kinds.add("cells")
            if is_pairs(value):
                kinds.add("pairs")
            waiting += [(child, root or "") for child in value if isinstance(child, dict | list | str)]
    return kinds


def _changed(value: object, change: Callable[[object], object], *, is_root: bool = False) -> object:
    """The value with a change made to what is in it and, unless it is a root that must stay an object, to itself."""
    if not is_root:
        value = change(value)
    if isinstance(value, dict) and not is_leaf(value, "reference"):
        return {key: _changed(child, change) for key, child in value.items()}
    return [_changed(child, change) for child in value] if isinstance(value, list) else value
