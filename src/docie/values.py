"""Python and numpy values → JSON values, for documents that come from code instead of a file."""

from __future__ import annotations

import datetime
import decimal
import json
import math
from collections.abc import Mapping
from typing import Any

import numpy as np

from docie.errors import DocumentError, shortened
from docie.normalizers import NumberText

ANY_OF = "$any_of"
"""The one key of an object that lists the right answers of a reference; a tuple in Python."""
NO_DOUBT = -math.inf
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


def is_list(value: Any) -> bool:
    """Whether a value is a list as JSON would have it: a list, a tuple or an array.

    >>> is_list(("B-total", "O")), is_list(np.array([1])), is_list("O")
    (True, True, False)
    """
    return isinstance(value, list | tuple) or (isinstance(value, np.ndarray) and value.ndim > 0)


def as_list(value: Any) -> list[Any]:
    """What `is_list` holds for, as a list; numbers and texts of an array as Python's."""
    return list(value.tolist() if isinstance(value, np.ndarray) else value)


def scalar_text(value: Any) -> str | None:
    """A scalar as text, numbers and booleans as JSON writes them; None for None.

    >>> scalar_text("12.00"), scalar_text(12.0), scalar_text(True)
    ('12.00', '12.0', 'true')
    """
    if value is None:
        return None
    if isinstance(value, str):
        return str.__str__(value)  # of a subclass too, such as an enum's, the text itself
    plain = plain_value(value)
    try:
        return plain if isinstance(plain, str) else NumberText(json.dumps(plain))
    except ValueError:
        raise ValueError("expected a number of at most 4,300 digits, got a longer one") from None


def doubt_of(confidence: Any) -> float:
    """Minus the confidence, minus infinity where it is None. Raises ValueError unless it is between 0 and 1."""
    confidence = plain_value(confidence)
    if confidence is None:
        return NO_DOUBT
    if isinstance(confidence, bool) or not isinstance(confidence, int | float):
        raise ValueError(f"confidence must be a number between 0 and 1, got {shortened(confidence)}")
    if not 0 <= confidence <= 1:
        raise ValueError(f"confidence must be between 0 and 1, got {shortened(confidence)}")
    return -float(confidence)


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
