"""Values ↔ JSON text, up to the depth that a document may have, and the stack that a walk needs."""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Callable
from functools import partial
from typing import Any, TypeVar

from docie.core.normalizers.texts import number_text
from docie.core.values.plain import JSON_TYPES, key_text, plain_value

T = TypeVar("T")

MAX_DEPTH = 1000
"""Levels of objects and lists that a document may have."""
TOO_DEEP = f"nested more than {MAX_DEPTH} levels deep"
CALLS_FOR_DEPTH = 7 * MAX_DEPTH
"""Nested Python calls that the deepest document may need."""
MAX_VALUES = 10_000_000
"""Values that a document may have. One with more fits in memory only if the same list is in many places."""
TOO_MANY = f"more than {MAX_VALUES:,} values"


def with_deep_recursion(work: Callable[[], T]) -> T:
    """Call `work()`, which may recurse as deep as a document is nested.

    Python's limit on nested calls may be too low: a training loop has already used some of it. The limit is raised when
    a document first needs it, and stays raised. All threads share it: to lower it while another thread is deep in
    recursion would end the program. For the same reason `work` must not nest C calls without a bound of its own: calls
    of Python functions take no stack, those of C functions do, and a thread may have as little as 1 MB.

    Args:
        work: may be called twice, so it must have no side effects.
    """
    try:
        return work()
    except RecursionError:
        sys.setrecursionlimit(max(sys.getrecursionlimit(), _call_depth() + CALLS_FOR_DEPTH))
        return work()


def _call_depth() -> int:
    """The depth of the caller on the call stack."""
    depth, frame = 0, sys._getframe()
    while frame.f_back is not None:
        depth, frame = depth + 1, frame.f_back
    return depth


ANY_OF = "$any_of"
"""The only key of an object that lists the alternatives of a reference. In Python, alternatives are a tuple."""
MAX_TEXT_DEPTH = 3 * MAX_DEPTH
"""Levels of JSON text that `json` may read: its C code takes 130 bytes of stack a level, and a thread may have 1 MB."""
_LISTS = (list, tuple)
_MANY_BITS = 14_000  # of 4,200 digits
_LONG_NUMBER = re.compile(r'"[^"\\]*+(?:\\.[^"\\]*+)*+"|([0-9]{4301,})', re.DOTALL)
_BRACKET = re.compile(r'"[^"\\]*+(?:\\.[^"\\]*+)*+"?|[\[\]{}]', re.DOTALL)  # or a text, including brackets in it


def as_json(value: object, *, is_reference: bool) -> Any:
    """A copy of the value that `json.dumps` can write. A tuple in a reference becomes {"$any_of": [...]}.

    Raises:
        TypeError: if JSON has no such value.
        ValueError: if it is nested more than MAX_DEPTH levels deep, as a value that contains itself is, or has more
            than MAX_VALUES values.

    >>> from decimal import Decimal
    >>> as_json({"total": ("12.00", Decimal("12"))}, is_reference=True)
    {'total': {'$any_of': ['12.00', 12]}}
    """
    return with_deep_recursion(lambda: _Copy(is_reference).of(value, 0))


class _Copy:
    """Copies one value; `left` is the number of values that it may still have."""

    def __init__(self, is_reference: bool) -> None:
        self.is_reference = is_reference
        self.left = MAX_VALUES

    def of(self, value: object, depth: int) -> object:
        if type(value) not in JSON_TYPES:
            value = plain_value(value)
        if type(value) is int and value.bit_length() > _MANY_BITS:
            number_text(value)  # raises if `json` cannot write the number
        if isinstance(value, dict):
            self.enter(value, depth)
            return {
                key if type(key) is str else key_text(key): child if type(child) is str else self.of(child, depth + 1)
                for key, child in value.items()
            }
        if isinstance(value, _LISTS):
            self.enter(value, depth)
            values = [child if type(child) is str else self.of(child, depth + 1) for child in value]
            return {ANY_OF: values} if self.is_reference and isinstance(value, tuple) else values
        return value

    def enter(self, value: dict[object, object] | list[object] | tuple[object, ...], depth: int) -> None:
        """Count the elements of an object or a list."""
        self.left -= len(value)
        if depth > MAX_DEPTH or self.left < 0:
            raise ValueError(TOO_DEEP if depth > MAX_DEPTH else TOO_MANY)


def loads(text: str | bytes, *, on_repeated: Callable[[str], object] | None = None) -> Any:
    """The value of a JSON text.

    Args:
        text: the JSON text.
        on_repeated: is called with each key that an object has twice. The last value of such a key is kept.

    Raises:
        ValueError: if the text is not JSON, or has a whole number of more than 4,300 digits.
        RecursionError: if it is nested far deeper than MAX_DEPTH.

    >>> loads('{"total": 1, "total": 2}', on_repeated=print)
    total
    {'total': 2}
    """
    hook = None if on_repeated is None else partial(_object, on_repeated)
    if not isinstance(text, str):
        text = text.decode(json.detect_encoding(text), "surrogatepass")
    if len(text) > MAX_TEXT_DEPTH and has_many_brackets(text):  # the first check saves most calls of the second
        check_nesting(text)
    try:
        return with_deep_recursion(partial(json.loads, text, object_pairs_hook=hook))
    except json.JSONDecodeError:
        raise
    except ValueError:  # Python's message names a setting of Python
        raise ValueError(_long_number(text)) from None


def parsed(value: object) -> object:
    """The object or list that a JSON text holds; any other value as it is.

    >>> parsed('{"total": "9"}'), parsed("60.000")
    ({'total': '9'}, '60.000')
    """
    if isinstance(value, str) and value.lstrip()[:1] in ("{", "["):
        try:
            found = loads(value)
        except (ValueError, RecursionError):
            return value
        return found if isinstance(found, dict | list) else value
    return value


def _long_number(text: str) -> str:
    """The error of JSON text with a whole number that is too long for Python."""
    found = next((match for match in _LONG_NUMBER.finditer(text) if match[1]), None)
    expected = "expected a number of at most 4,300 digits"
    if found is None:  # a limit that the user has set
        return f"{expected}, got a longer one"
    before = text[: found.start()]
    line = f"line {before.count(chr(10)) + 1}, " if "\n" in before else ""
    return f"{expected}, got one of {len(found[1]):,} ({line}column {len(before) - before.rfind(chr(10))})"


def has_many_brackets(text: str) -> bool:
    """Whether JSON text may be nested more than MAX_TEXT_DEPTH levels deep. Fast for short texts.

    >>> has_many_brackets("[" * 100_000), has_many_brackets('{"total": "12.00"}')
    (True, False)
    """
    return len(text) > MAX_TEXT_DEPTH and text.count("[") + text.count("{") > MAX_TEXT_DEPTH


def check_nesting(text: str, start: int = 0) -> None:
    """Raise RecursionError for JSON text that is nested too deep for `json` on a small stack.

    Only texts with `has_many_brackets` need the check.

    Args:
        text: the text.
        start: where its value begins. The text after that value is not read.

    Raises:
        RecursionError: if it is nested more than MAX_TEXT_DEPTH levels deep.

    >>> check_nesting("[" * 100_000)
    Traceback (most recent call last):
    ...
    RecursionError: nested more than 3000 levels deep
    """
    depth = 0
    for bracket in _BRACKET.finditer(text, start):
        depth += (bracket[0] in "[{") - (bracket[0] in "]}")
        if depth > MAX_TEXT_DEPTH:
            raise RecursionError(f"nested more than {MAX_TEXT_DEPTH} levels deep")
        if depth < 1:
            return


def _object(on_repeated: Callable[[str], object], pairs: list[tuple[str, object]]) -> dict[str, object]:
    result = dict(pairs)
    if len(result) < len(pairs):
        keys = [key for key, _ in pairs]
        for key in result:
            if keys.count(key) > 1:
                on_repeated(key)
    return result
