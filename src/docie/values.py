"""Python and numpy values → JSON values, for documents that come from code instead of a file."""

from __future__ import annotations

import datetime
import decimal
import json
from collections.abc import Mapping
from typing import Any

import numpy as np

from docie.errors import DocumentError, shortened

ANY_OF = "$any_of"
"""The one key of an object that lists the right answers of a reference; a tuple in Python."""
JSON_TYPES = {str, int, float, bool, type(None), dict, list, tuple}


def plain_value(value: Any) -> Any:
    """The JSON value that a Python or numpy value stands for: dates as ISO text, numpy scalars and arrays as numbers.

    >>> plain_value(datetime.date(2023, 12, 31)), plain_value(np.int64(12))
    ('2023-12-31', 12)
    """
    if value is None or isinstance(value, str | bool | int | float | list | dict):
        return value
    if isinstance(value, np.generic | np.ndarray):
        return plain_value(value.tolist())
    if isinstance(value, datetime.date | datetime.time):
        return value.isoformat()
    if isinstance(value, decimal.Decimal):
        return str(value)
    if isinstance(value, Mapping):
        return dict(value)
    if isinstance(value, tuple):
        return tuple(value)
    raise TypeError(f"expected text, a number, a boolean, a list or an object, got {type(value).__name__}")


def key_text(key: Any) -> str:
    """An object's key as JSON writes it. Raises DocumentError for a key that JSON does not have."""
    if isinstance(key, str):
        return str.__str__(key)
    if isinstance(key, bool | int | float | np.generic) or key is None:
        return json.dumps(plain_value(key))
    raise DocumentError(f"keys must be text, got {type(key).__name__} {shortened(key)}")


def as_json(value: Any, *, reference: bool) -> Any:
    """The value with nothing left that `json.dumps` does not know; a reference's tuple becomes {"$any_of": [...]}.

    Raises TypeError for what JSON does not have.

    >>> as_json({"total": ("12.00", np.int64(12))}, reference=True)
    {'total': {'$any_of': ['12.00', 12]}}
    """
    if type(value) not in JSON_TYPES:
        value = plain_value(value)
    if isinstance(value, dict):
        return {
            key if type(key) is str else key_text(key): child
            if type(child) is str
            else as_json(child, reference=reference)
            for key, child in value.items()
        }
    if isinstance(value, list | tuple):
        values = [as_json(child, reference=reference) for child in value]
        return {ANY_OF: values} if reference and isinstance(value, tuple) else values
    return value
