"""Checks that all data sets share: each raises ValueError with the field, `reading` puts the record before it."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

from docie.errors import shortened
from docie.jsontext import loads
from docie.values import as_list, is_list, plain_value

__all__ = [
    "field",
    "flag",
    "inside",
    "joined",
    "list_of",
    "number",
    "objects",
    "parsed",
    "plain",
    "reading",
    "text",
    "whole",
]


@contextmanager
def reading(dataset: str, record: Any, key: str = "id", otherwise: Any = None) -> Iterator[None]:
    """Every ValueError inside names the record, by the value of `key` or `otherwise`.

    >>> with reading("SROIE", {"id": "7"}):
    ...     raise ValueError("field 'words' must be a list, got str")
    Traceback (most recent call last):
    ...
    ValueError: SROIE record '7': field 'words' must be a list, got str
    """
    if not isinstance(record, Mapping):
        raise ValueError(f"{dataset} record must be an object, got {type(record).__name__}")
    name = record.get(key, record.get("id", otherwise))
    with inside(f"{dataset} record" if name is None else f"{dataset} record {shortened(plain(name))}"):
        yield


@contextmanager
def inside(place: str) -> Iterator[None]:
    """Every ValueError inside begins with the place."""
    try:
        yield
    except ValueError as error:
        raise ValueError(f"{place}: {error}") from None


def field(value: Any, name: str, kinds: Any, expected: str) -> Any:
    """A field of an object, which must be of these kinds; a boolean is no number."""
    found = plain(value.get(name) if isinstance(value, Mapping) else None)
    if not isinstance(found, kinds) or isinstance(found, bool):
        raise ValueError(f"field {name!r} must be {expected}, got {type(found).__name__}")
    return found


def text(value: Any, name: str) -> str:
    return str(field(value, name, str, "text"))


def whole(value: Any, name: str) -> int:
    return int(field(value, name, int, "a whole number"))


def number(value: Any, name: str) -> int | float:
    found: int | float = field(value, name, int | float, "a number")
    if not math.isfinite(found):
        raise ValueError(f"field {name!r} must be finite, got {found}")
    return found


def flag(value: Any, name: str) -> bool:
    found = plain(value.get(name) if isinstance(value, Mapping) else None)
    if not isinstance(found, int):
        raise ValueError(f"field {name!r} must be 0 or 1, got {type(found).__name__}")
    return bool(found)


def list_of(value: Any, name: str, kinds: Any = object, expected: str = "a list") -> list[Any]:
    """A field that is a list, each element of these kinds."""
    found = value.get(name) if isinstance(value, Mapping) else None
    if not is_list(found):
        raise ValueError(f"field {name!r} must be {expected}, got {type(found).__name__}")
    elements = [plain(element) for element in as_list(found)]
    for position, element in enumerate(elements):
        if not isinstance(element, kinds) or (isinstance(element, bool) and kinds is not object):
            raise ValueError(f"field {name!r} must be {expected}, got {type(element).__name__} at {position}")
    return elements


def objects(value: Any, name: str) -> list[Mapping[str, Any]]:
    """A field that is a list of objects, or an object of lists of one length, as `datasets` gives such a feature.

    >>> objects({"form": {"id": [0, 1], "text": ["Name:", "Ada"]}}, "form")
    [{'id': 0, 'text': 'Name:'}, {'id': 1, 'text': 'Ada'}]
    """
    found = value.get(name) if isinstance(value, Mapping) else None
    if not isinstance(found, Mapping):
        return list_of(value, name, Mapping, "a list of objects")
    columns = {column: list_of(found, column) for column in found}
    lengths = {column: len(rows) for column, rows in columns.items()}
    if len(set(lengths.values())) > 1:
        raise ValueError(f"field {name!r} must have columns of one length, got {lengths}")
    return [dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True)]


def parsed(record: Mapping[str, Any], name: str) -> Any:
    """What a field holds: JSON text is parsed."""
    found = record.get(name)
    if not isinstance(found, str):
        return found
    try:
        return loads(found)
    except (ValueError, RecursionError) as error:
        raise ValueError(f"field {name!r} is not JSON ({error})") from None


def plain(value: Any) -> Any:
    """Python's own value of a numpy scalar."""
    return plain_value(value) if hasattr(value, "dtype") and not is_list(value) else value


def joined(words: Sequence[str]) -> str:
    """The words of a value, blank ones left out, joined by blanks."""
    return " ".join(word for part in words for word in part.split())
