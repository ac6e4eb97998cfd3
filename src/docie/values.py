"""Values as JSON has them: Python and numpy values in, JSON text in and out, nested as deep as a document may be."""

from __future__ import annotations

import datetime
import decimal
import json
import math
import sys
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any, TypeVar

import numpy as np

from docie.errors import DocumentError, shortened

T = TypeVar("T")

ANY_OF = "$any_of"
"""The only key of an object that lists the alternatives of a reference. In Python, alternatives are a tuple."""
NO_CONFIDENCE = math.inf
"""The confidence of a value that has none: it is below no threshold, so the value is never reviewed."""
JSON_TYPES = {str, int, float, bool, type(None), dict, list, tuple}
MAX_DEPTH = 1000
"""Levels of objects and lists that a document may have."""
CALLS_FOR_DEPTH = 10 * MAX_DEPTH
"""Nested Python calls that the deepest document may need."""


class NumberText(str):
    """The text of a JSON number or boolean. Its decimal mark is a point, whatever the document's language."""


def plain_value(value: Any) -> Any:
    """The JSON value that a Python or numpy value stands for.

    Args:
        value: dates and times become ISO text; numpy scalars and arrays become numbers and lists; the elements of a
            list or an object stay as they are.

    Raises:
        TypeError: if JSON has no such value.

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
    """Whether a value is a list in JSON: a list, a tuple or an array.

    >>> is_list(("B-total", "O")), is_list(np.array([1])), is_list("O")
    (True, True, False)
    """
    return isinstance(value, list | tuple) or (isinstance(value, np.ndarray) and value.ndim > 0)


def as_list(value: Any) -> list[Any]:
    """A value for which `is_list` holds, as a Python list; the elements of an array become Python values."""
    return list(value.tolist() if isinstance(value, np.ndarray) else value)


def scalar_text(value: Any) -> str | None:
    """A scalar as text. Numbers and booleans are written as JSON writes them; None stays None.

    >>> scalar_text("12.00"), scalar_text(12.0), scalar_text(True)
    ('12.00', '12.0', 'true')
    """
    if value is None:
        return None
    if isinstance(value, str):
        return str.__str__(value)  # the text itself, also of a subclass such as an enum
    plain = plain_value(value)
    try:
        return plain if isinstance(plain, str) else NumberText(json.dumps(plain))
    except ValueError:
        raise ValueError("expected a number of at most 4,300 digits, got a longer one") from None


def read_confidence(confidence: Any) -> float:
    """The confidence as a float; NO_CONFIDENCE for None.

    Raises:
        ValueError: if it is not a number between 0 and 1.
    """
    confidence = plain_value(confidence)
    if confidence is None:
        return NO_CONFIDENCE
    if isinstance(confidence, bool) or not isinstance(confidence, int | float):
        raise ValueError(f"confidence must be a number between 0 and 1, got {shortened(confidence)}")
    if not 0 <= confidence <= 1:
        raise ValueError(f"confidence must be between 0 and 1, got {shortened(confidence)}")
    return float(confidence)


def key_text(key: Any) -> str:
    """The key of an object as JSON writes it.

    Raises:
        DocumentError: if JSON has no such key.
    """
    if isinstance(key, str):
        return str.__str__(key)
    if isinstance(key, bool | int | float | np.generic) or key is None:
        return json.dumps(plain_value(key))
    raise DocumentError(f"keys must be text, got {type(key).__name__} {shortened(key)}")


def as_json(value: Any, *, is_reference: bool) -> Any:
    """A copy of the value that `json.dumps` can write. A tuple in a reference becomes {"$any_of": [...]}.

    Raises:
        TypeError: if JSON has no such value.

    >>> as_json({"total": ("12.00", np.int64(12))}, is_reference=True)
    {'total': {'$any_of': ['12.00', 12]}}
    """
    if type(value) not in JSON_TYPES:
        value = plain_value(value)
    if isinstance(value, dict):
        return {
            key if type(key) is str else key_text(key): child
            if type(child) is str
            else as_json(child, is_reference=is_reference)
            for key, child in value.items()
        }
    if isinstance(value, list | tuple):
        values = [as_json(child, is_reference=is_reference) for child in value]
        return {ANY_OF: values} if is_reference and isinstance(value, tuple) else values
    return value


def loads(text: str | bytes) -> Any:
    """The value of a JSON text.

    Raises:
        ValueError: if the text is not JSON.
        RecursionError: if it is nested far deeper than MAX_DEPTH.
    """
    return with_deep_recursion(partial(json.loads, text))


def with_deep_recursion(work: Callable[[], T]) -> T:
    """Call `work()`, which may recurse as deep as a document is nested.

    Python's limit on nested calls may be too low for that: a training loop has used up some of it already. It is raised
    when a document first needs it, and stays raised. It belongs to all threads: lowering it while another thread is
    deep in its work would end the program.

    Args:
        work: may be called twice, so it must not change anything outside of itself.
    """
    try:
        return work()
    except RecursionError:
        sys.setrecursionlimit(max(sys.getrecursionlimit(), _call_depth() + CALLS_FOR_DEPTH))
        return work()


def _call_depth() -> int:
    """How many calls deep the caller is."""
    depth, frame = 0, sys._getframe()
    while frame.f_back is not None:
        depth, frame = depth + 1, frame.f_back
    return depth
