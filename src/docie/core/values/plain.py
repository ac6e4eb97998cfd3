"""Python values as JSON values: those of numpy, pandas, pyarrow and pydantic, dates, decimals and enums; the keys of
objects, and the paths that they make.
"""

from __future__ import annotations

import dataclasses
import datetime
import decimal
import enum
import json
import math
from collections.abc import Iterator, Mapping, Sequence
from numbers import Real
from typing import TYPE_CHECKING, Any, TypeGuard

import numpy as np

from docie.core.errors import DocumentError, in_json, json_kind, shortened
from docie.core.normalizers.texts import number_text

if TYPE_CHECKING:
    from pydantic import BaseModel

JsonObject = dict[str, Any]
"""A JSON object in Python: a document, or the columns of a record. Its readers check its content."""
Columns = dict[str, list[Any]]
"""Columns of equal length by name, such as words and their tags."""
NO_CONFIDENCE = math.inf
"""The confidence of a value without one: it is below no threshold, so the value is never reviewed."""
JSON_TYPES = {str, int, float, bool, type(None), dict, list, tuple}
_MOST_DIGITS = 4300  # as of integers in JSON text
_FINE = ("ns", "ps", "fs", "as")  # units of time that Python does not have


def plain_value(value: Any) -> Any:
    """The JSON value of a Python or numpy value.

    Args:
        value: dates and times become ISO text; decimals, numpy scalars and arrays become numbers and lists; an enum
            member becomes its value; dataclass instances and pydantic models become objects, a model with the keys of
            its aliases; scalars and arrays of pyarrow become their Python values; pandas' NaT and NA become None. The
            elements of a list or an object are not converted.

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
        return _float(value)
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


def _plain_array(value: Any) -> object:
    """The Python value of a numpy scalar or array."""
    if value.dtype.kind == "f" and value.dtype != np.float64:
        # the shortest text in the number's own precision: the nearest double of a float32 12.3 is 12.300000190734863
        value = value.astype(str).astype(np.float64)
    elif value.dtype.kind in "mM":  # tolist makes integers of nanoseconds
        value = value.astype(f"{value.dtype.kind}8[us]") if np.datetime_data(value.dtype)[0] in _FINE else value
    elif value.dtype.kind == "c":
        raise TypeError("expected text, a number, a boolean, a list or an object, got a complex number")
    plain = value.tolist()
    return plain if isinstance(plain, list) else plain_value(plain)


def _float(value: Real) -> float:
    try:
        return float(value)
    except OverflowError:  # a large fraction
        return math.inf


def _plain_decimal(value: decimal.Decimal) -> float:
    """A decimal as the number that a JSON file would have: an integer, or a double."""
    if not value.is_finite():
        return float("nan") if value.is_nan() else float(value)
    if value.adjusted() > _MOST_DIGITS:
        raise ValueError("expected a number of at most 4,300 digits, got a longer one")
    return int(value) if value == value.to_integral_value() else float(value)


def _plain_model(model: BaseModel) -> object:
    """The fields of a pydantic model, by alias."""
    values = model.model_dump(by_alias=True)
    try:
        return _with_numbers(model.model_dump(mode="json", by_alias=True), values)
    except Exception:  # one of the values is not JSON
        return values


def _with_numbers(written: object, values: object) -> object:
    """The JSON that pydantic writes, with the original numbers: it writes decimals as text and NaN as null."""
    if isinstance(values, decimal.Decimal | float):
        return values
    if isinstance(written, dict) and isinstance(values, dict) and len(written) == len(values):
        children = zip(written.items(), values.values(), strict=True)
        return {key: _with_numbers(child, value) for (key, child), value in children}
    if isinstance(written, list) and isinstance(values, list | tuple) and len(written) == len(values):
        return [_with_numbers(child, value) for child, value in zip(written, values, strict=True)]
    return written


def is_number(value: object) -> TypeGuard[float]:
    """Whether a value is a number that fits a float. A boolean is not.

    >>> is_number(12), is_number(float("inf")), is_number(10**400), is_number(True)
    (True, False, False, False)
    """
    try:
        return isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value)
    except OverflowError:
        return False


def is_list(value: object) -> TypeGuard[Sequence[Any]]:
    """Whether a value is a list in JSON: a list, a tuple or an array.

    >>> is_list(("B-total", "O")), is_list(np.array([1])), is_list("O")
    (True, True, False)
    """
    return isinstance(value, list | tuple) or (isinstance(value, np.ndarray) and value.ndim > 0)


def as_list(value: object) -> list[Any]:
    """A value for which `is_list` holds, as a Python list; the elements of an array become Python values."""
    return [*value] if type(value) is list else list(plain_value(value))


def scalar_text(value: object) -> str | None:
    """A scalar as text: numbers without needless zeros, booleans as in JSON. None and NaN are missing: None.

    Raises:
        TypeError: if it is not a scalar.
        ValueError: if it is infinite, or an integer of more than 4,300 digits.

    >>> scalar_text("12.00"), scalar_text(12.0), scalar_text(True), scalar_text(float("nan"))
    ('12.00', '12', 'true', None)
    """
    if value is None:
        return None
    plain = value if type(value) in JSON_TYPES else plain_value(value)
    if isinstance(plain, str):
        return str.__str__(plain)  # the text itself, also for a subclass
    if isinstance(plain, int | float):
        return number_text(plain)
    if plain is None:
        return None
    raise TypeError(f"expected a single value, got {json_kind(value)}")


def read_confidence(confidence: object) -> float:
    """The confidence as a float; NO_CONFIDENCE for None.

    Raises:
        ValueError: if it is not a number between 0 and 1.
    """
    confidence = plain_value(confidence)
    if confidence is None:
        return NO_CONFIDENCE
    if isinstance(confidence, bool) or not isinstance(confidence, int | float):
        raise ValueError(f"confidence must be a number between 0 and 1, got {in_json(confidence)}")
    if not 0 <= confidence <= 1:
        raise ValueError(f"confidence must be between 0 and 1, got {in_json(confidence)}")
    return float(confidence)


def identity_text(name: str, value: object) -> str | None:
    """What identifies a document or a group, as text; None for None. `name` stands in the error.

    Raises:
        ValueError: if it is neither text nor a whole number.
    """
    if isinstance(value, np.generic):
        value = value.item()
    if isinstance(value, float) and value.is_integer():  # tables write whole numbers so if one is missing
        value = int(value)
    if value is None or isinstance(value, str):
        return value if value is None else str.__str__(value)
    if isinstance(value, bool) or not isinstance(value, int):
        raise ValueError(f"{name} must be text or a whole number, got {in_json(value)}")
    return str(value)


def scalars(value: object) -> Iterator[object]:
    """The single values in objects and lists, in any order.

    >>> sorted(scalars({"menu": [{"nm": "Latte"}, {"nm": "Mocha"}], "total": "9"}))
    ['9', 'Latte', 'Mocha']
    """
    waiting = [value]
    while waiting:
        each = waiting.pop()
        if isinstance(each, Mapping):
            waiting += each.values()
        elif isinstance(each, list | tuple):
            waiting += each
        else:
            yield each


def key_text(key: object) -> str:
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


def longer_path(path: str, root: str, key: str) -> str:
    """The path of `key` inside `path`. A key that starts with `root` (the top-level key and a dot) is a whole path.

    >>> longer_path("menu.sub", "menu.", "nm"), longer_path("menu.sub", "menu.", "menu.sub_nm")
    ('menu.sub.nm', 'menu.sub_nm')
    """
    return key if key.startswith(root) else f"{path}.{key}"
