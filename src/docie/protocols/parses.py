"""Documents as Donut's evaluator normalises them, and evaluators that derive from it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from docie.documents.leaves import is_scored_leaf
from docie.protocols.fields import Field


def parsed(value: Any, *, keeps_empty: bool = False, alike: Callable[[str], str] = str) -> Any:
    """A value as a list of texts or of objects, an object, or None if it is left out.

    A single value is a list of its text, which may be blank. In a list with anything but objects, texts and numbers
    that are not blank count.

    Args:
        value: any JSON value. One with a confidence is read as the value.
        keeps_empty: whether `null`, blank texts, 0 and `false` outside of lists are values, too.
        alike: changes texts outside of lists.

    >>> parsed({"total": 12.0, "tax": 0, "menu": [{"nm": "Latte"}, {}], "tags": ["a", " ", 7, None]})
    {'total': ['12.0'], 'menu': [{'nm': ['Latte']}], 'tags': ['a', '7']}
    """
    if isinstance(value, Mapping) and is_scored_leaf(value):
        value = value["value"]
    if isinstance(value, Mapping):
        inner = {key: parsed(each, keeps_empty=keeps_empty, alike=alike) for key, each in value.items()}
        return {key: each for key, each in inner.items() if each} or None
    if isinstance(value, list) and all(isinstance(each, Mapping) for each in value):
        return [each for one in value if (each := parsed(one, keeps_empty=keeps_empty, alike=alike))]
    if isinstance(value, list):
        return [text for each in value if type(each) in (str, int, float) and (text := str(each).strip())]
    if not value and not keeps_empty:
        return None
    return [(alike(value) if isinstance(value, str) else str(value)).strip()]


def fields_of(value: Any, path: str = "") -> Iterator[Field]:
    """The paths of keys with texts in what `parsed` gives.

    >>> [*fields_of({"total": ["9"], "menu": [{"nm": ["Latte"]}]})]
    [('total', '9'), ('menu.nm', 'Latte')]
    """
    if isinstance(value, Mapping):
        for key, each in value.items():
            yield from fields_of(each, f"{path}.{key}" if path else key)
    elif isinstance(value, list):
        for each in value:
            yield from fields_of(each, path)
    elif value is not None:
        yield path, value
