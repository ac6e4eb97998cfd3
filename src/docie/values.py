"""Values as JSON has them: Python and numpy values in, JSON text in and out, nested as deep as a document may be."""

from __future__ import annotations

import dataclasses
import datetime
import decimal
import enum
import json
import math
import re
import sys
from collections.abc import Callable, Mapping
from functools import partial
from numbers import Real
from typing import Any, TypeVar

import numpy as np

from docie.errors import DocumentError, shortened
from docie.normalizers import number_text

T = TypeVar("T")

ANY_OF = "$any_of"
"""The only key of an object that lists the alternatives of a reference. In Python, alternatives are a tuple."""
NO_CONFIDENCE = math.inf
"""The confidence of a value that has none: it is below no threshold, so the value is never reviewed."""
JSON_TYPES = {str, int, float, bool, type(None), dict, list, tuple}
MAX_DEPTH = 1000
"""Levels of objects and lists that a document may have."""
TOO_DEEP = f"nested more than {MAX_DEPTH} levels deep"
CALLS_FOR_DEPTH = 7 * MAX_DEPTH
"""Nested Python calls that the deepest document may need."""
MAX_TEXT_DEPTH = 3 * MAX_DEPTH
"""Levels of JSON text that is given to `json`: its C code takes 130 bytes of stack for each, a thread may have 1 MB."""
_BRACKET = re.compile(r'"[^"\\]*+(?:\\.[^"\\]*+)*+"?|[\[\]{}]', re.DOTALL)  # or a text, with the brackets in it
_MOST_DIGITS = 4300  # as of integers in JSON text
_FINE = ("ns", "ps", "fs", "as")  # units of time that Python does not have


def plain_value(value: Any) -> Any:
    """The JSON value that a Python or numpy value stands for.

    Args:
        value: dates and times become ISO text; decimals, numpy scalars and arrays become numbers and lists; an enum's
            member is its value; dataclass instances and pydantic models become objects, a model with the keys of its
            aliases; scalars and arrays of pyarrow are their Python values; pandas' NaT and NA are None. The elements of
            a list or an object stay as they are.

    Raises:
        TypeError: if JSON has no such value.

    >>> plain_value(datetime.date(2023, 12, 31)), plain_value(np.float32(12.3)), plain_value(decimal.Decimal("12.50"))
    ('2023-12-31', 12.3, 12.5)
    """
    if isinstance(value, enum.Enum):
        return plain_value(value.value)
    if value is None or isinstance(value, str | bool | int | float | list | dict):
        return value
    if isinstance(value, np.generic | np.ndarray):
        return _plain_array(value)
    package = type(value).__module__.partition(".")[0]
    if package == "pandas" and type(value).__name__ in ("NaTType", "NAType"):
        return None
    if package == "pyarrow" and (hasattr(value, "as_py") or hasattr(value, "to_pylist")):
        return plain_value(value.as_py() if hasattr(value, "as_py") else value.to_pylist())
    if isinstance(value, datetime.date | datetime.time):
        return value.isoformat()
    if isinstance(value, decimal.Decimal):
        return _plain_decimal(value)
    if isinstance(value, Real):
        return float(value)
    if isinstance(value, Mapping):
        return dict(value)
    if isinstance(value, tuple):
        return tuple(value)
    if isinstance(value, type):
        raise TypeError(f"expected a value, got the class {value.__name__}")
    if hasattr(type(value), "model_dump"):
        return _plain_model(value)
    if dataclasses.is_dataclass(value):
        return {field.name: getattr(value, field.name) for field in dataclasses.fields(value)}
    raise TypeError(f"expected text, a number, a boolean, a list or an object, got {type(value).__name__}")


def _plain_array(value: Any) -> Any:
    """The Python value of a numpy scalar or array."""
    if value.dtype.kind == "f" and value.dtype != np.float64:
        # the shortest text of its own precision: the nearest double of a float32 12.3 is 12.300000190734863
        value = value.astype(str).astype(np.float64)
    elif value.dtype.kind in "mM":  # of nanoseconds, tolist makes integers
        value = value.astype(f"{value.dtype.kind}8[us]") if np.datetime_data(value.dtype)[0] in _FINE else value
    elif value.dtype.kind == "c":
        raise TypeError("expected text, a number, a boolean, a list or an object, got a complex number")
    plain = value.tolist()
    return plain if isinstance(plain, list) else plain_value(plain)


def _plain_decimal(value: decimal.Decimal) -> float:
    """A decimal as the number that it would be in a JSON file: an integer, or a double."""
    if not value.is_finite():
        return float("nan") if value.is_nan() else float(value)
    if value.adjusted() > _MOST_DIGITS:
        raise ValueError("expected a number of at most 4,300 digits, got a longer one")
    return int(value) if value == value.to_integral_value() else float(value)


def _plain_model(model: Any) -> Any:
    """The fields of a pydantic model, by their aliases."""
    values = model.model_dump(by_alias=True)
    try:
        return _with_numbers(model.model_dump(mode="json", by_alias=True), values)
    except RecursionError:
        raise
    except Exception:  # one of the values is no JSON
        return values


def _with_numbers(written: Any, values: Any) -> Any:
    """What pydantic writes as JSON, with the numbers as they are: it writes decimals as text and NaN as null."""
    if isinstance(values, decimal.Decimal | float):
        return values
    if isinstance(written, dict) and isinstance(values, dict) and len(written) == len(values):
        children = zip(written.items(), values.values(), strict=True)
        return {key: _with_numbers(child, value) for (key, child), value in children}
    if isinstance(written, list) and isinstance(values, list | tuple) and len(written) == len(values):
        return [_with_numbers(child, value) for child, value in zip(written, values, strict=True)]
    return written


def is_list(value: Any) -> bool:
    """Whether a value is a list in JSON: a list, a tuple or an array.

    >>> is_list(("B-total", "O")), is_list(np.array([1])), is_list("O")
    (True, True, False)
    """
    return isinstance(value, list | tuple) or (isinstance(value, np.ndarray) and value.ndim > 0)


def as_list(value: Any) -> list[Any]:
    """A value for which `is_list` holds, as a Python list; the elements of an array become Python values."""
    return list(plain_value(value))


def scalar_text(value: Any) -> str | None:
    """A scalar as text: numbers by their value, booleans as JSON writes them. What is absent (None, NaN) is None.

    Raises:
        TypeError: if it is no scalar.
        ValueError: for an integer of more than 4,300 digits.

    >>> scalar_text("12.00"), scalar_text(12.0), scalar_text(True), scalar_text(float("nan"))
    ('12.00', '12', 'true', None)
    """
    if value is None:
        return None
    plain = value if type(value) in JSON_TYPES else plain_value(value)
    if isinstance(plain, str):
        return str.__str__(plain)  # the text itself, of a subclass too
    if isinstance(plain, int | float):
        return number_text(plain)
    if plain is None:
        return None
    raise TypeError(f"expected a single value, got {type(value).__name__}")


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
    if isinstance(key, enum.Enum):
        return key_text(key.value)
    if isinstance(key, bool | int | float | np.generic) or key is None:
        return json.dumps(plain_value(key))
    raise DocumentError(f"keys must be text, got {type(key).__name__} {shortened(key)}")


def as_json(value: Any, *, is_reference: bool) -> Any:
    """A copy of the value that `json.dumps` can write. A tuple in a reference becomes {"$any_of": [...]}.

    Raises:
        TypeError: if JSON has no such value.
        ValueError: if it is nested more than MAX_DEPTH levels deep, as what contains itself is.

    >>> as_json({"total": ("12.00", np.int64(12))}, is_reference=True)
    {'total': {'$any_of': ['12.00', 12]}}
    """
    return _as_json(value, is_reference, 0)


def _as_json(value: Any, is_reference: bool, depth: int) -> Any:
    if type(value) not in JSON_TYPES:
        value = plain_value(value)
    if isinstance(value, dict | list | tuple) and depth > MAX_DEPTH:
        raise ValueError(TOO_DEEP)
    if isinstance(value, dict):
        return {
            key if type(key) is str else key_text(key): child
            if type(child) is str
            else _as_json(child, is_reference, depth + 1)
            for key, child in value.items()
        }
    if isinstance(value, list | tuple):
        values = [_as_json(child, is_reference, depth + 1) for child in value]
        return {ANY_OF: values} if is_reference and isinstance(value, tuple) else values
    return value


def loads(text: str | bytes, *, on_repeated: Callable[[str], object] | None = None) -> Any:
    """The value of a JSON text.

    Args:
        text: the JSON text.
        on_repeated: is called with each key that an object has twice. The last value of such a key is kept.

    Raises:
        ValueError: if the text is not JSON.
        RecursionError: if it is nested far deeper than MAX_DEPTH.

    >>> loads('{"total": 1, "total": 2}', on_repeated=print)
    total
    {'total': 2}
    """
    hook = None if on_repeated is None else partial(_object, on_repeated)
    if not isinstance(text, str):
        text = text.decode(json.detect_encoding(text), "surrogatepass")
    check_nesting(text)
    return with_deep_recursion(partial(json.loads, text, object_pairs_hook=hook))


def check_nesting(text: str, start: int = 0) -> None:
    """Raise RecursionError for JSON text that is nested so deep that a small stack could not hold `json`.

    Texts with few brackets cost next to nothing.

    Args:
        text: the text.
        start: where its value begins. What stands behind that value does not matter.

    Raises:
        RecursionError: if it is nested more than MAX_TEXT_DEPTH levels deep.

    >>> check_nesting("[" * 100_000)
    Traceback (most recent call last):
    ...
    RecursionError: nested more than 3000 levels deep
    """
    if text.count("[", start) + text.count("{", start) <= MAX_TEXT_DEPTH:
        return
    depth = 0
    for bracket in _BRACKET.finditer(text, start):
        depth += (bracket[0] in "[{") - (bracket[0] in "]}")
        if depth > MAX_TEXT_DEPTH:
            raise RecursionError(f"nested more than {MAX_TEXT_DEPTH} levels deep")
        if depth < 1:
            return


def _object(on_repeated: Callable[[str], object], pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    result = dict(pairs)
    if len(result) < len(pairs):
        keys = [key for key, _ in pairs]
        for key in result:
            if keys.count(key) > 1:
                on_repeated(key)
    return result


def with_deep_recursion(work: Callable[[], T]) -> T:
    """Call `work()`, which may recurse as deep as a document is nested.

    Python's limit on nested calls may be too low for that: a training loop has used up some of it already. It is raised
    when a document first needs it, and stays raised. It belongs to all threads: lowering it while another thread is
    deep in its work would end the program. For the same reason `work` must not nest C code without a bound of its own:
    calls of Python functions take no stack, those of C functions do, and a thread may have as little as 1 MB.

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


def longer_path(path: str, root: str, key: str) -> str:
    """The path of `key` inside of `path`. A key that starts with `root` (the top-level key and a dot) is a whole path.

    >>> longer_path("menu.sub", "menu.", "nm"), longer_path("menu.sub", "menu.", "menu.sub_nm")
    ('menu.sub.nm', 'menu.sub_nm')
    """
    return key if key.startswith(root) else f"{path}.{key}"
