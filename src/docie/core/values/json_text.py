"""Values ↔ JSON text, up to the depth that a document may have."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from functools import partial
from typing import Any

from docie.core.normalizers.texts import number_text
from docie.core.values.plain import JSON_TYPES, key_text, plain_value

MAX_DEPTH = 100
"""Levels of objects and lists that a document may have. Whoever walks through one may recurse."""
TOO_DEEP = f"nested more than {MAX_DEPTH} levels deep"
TEXT_DEPTH = MAX_DEPTH + 10
"""Levels of JSON text: a document may stand in a row of a list, and its values may be objects with a confidence."""
MAX_VALUES = 10_000_000
"""Values that a document may have. One with more fits in memory only if the same list is in many places."""
TOO_MANY = f"more than {MAX_VALUES:,} values"
ANY_OF = "$any_of"
"""The only key of an object that lists the alternatives of a reference. In Python, alternatives are a tuple."""
_LISTS = (list, tuple)
_NESTED = (dict, list, tuple)
_MANY_BITS = 14_000  # of 4,200 digits
_LONG_NUMBER = re.compile(r'"[^"\\]*+(?:\\.[^"\\]*+)*+"|([0-9]{4301,})', re.DOTALL)
_BRACKET = re.compile(r'"[^"\\]*+(?:\\.[^"\\]*+)*+"?|[\[\]{}]', re.DOTALL)  # or a text, including brackets in it
_TEXT = re.compile(rb'"[^"]*"?')
_KEY_END = re.compile(r'"\s*+:')  # or the end of a quotation in a text
_NO_SIGNS = bytes({*range(256)} - {*b'[]{}"'})
_NO_ESCAPES = bytes({*_NO_SIGNS} - {*b"\\/bfnrtu"})


def as_json(value: object, *, is_reference: bool) -> Any:
    """A copy of the value that `json.dumps` can write. A tuple in a reference becomes {"$any_of": [...]}.

    Raises:
        TypeError: if JSON has no such value.
        ValueError: if its JSON is nested more than TEXT_DEPTH levels deep, as that of a value that contains itself is,
            or has more than MAX_VALUES values.

    >>> from decimal import Decimal
    >>> as_json({"total": ("12.00", Decimal("12"))}, is_reference=True)
    {'total': {'$any_of': ['12.00', 12]}}
    """
    return _Copy(is_reference).of(value, 0)


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
            is_one_of = self.is_reference and isinstance(value, tuple)
            depth += is_one_of  # an object around the list
            self.enter(value, depth)
            values = [child if type(child) is str else self.of(child, depth + 1) for child in value]
            return {ANY_OF: values} if is_one_of else values
        return value

    def enter(self, value: dict[object, object] | list[object] | tuple[object, ...], depth: int) -> None:
        """Count the elements of an object or a list."""
        self.left -= len(value)
        if depth >= TEXT_DEPTH or self.left < 0:
            raise ValueError(TOO_DEEP if depth >= TEXT_DEPTH else TOO_MANY)


def loads(text: str | bytes, *, on_repeated: Callable[[str], object] | None = None) -> Any:
    """The value of a JSON text.

    Args:
        text: the JSON text.
        on_repeated: is called with each key that an object has twice. The last value of such a key is kept.

    Raises:
        ValueError: if the text is not JSON, is nested more than TEXT_DEPTH levels deep, or has a whole number of more
            than 4,300 digits.

    >>> loads('{"total": 1, "total": 2}', on_repeated=print)
    total
    {'total': 2}
    """
    if not isinstance(text, str):
        text = text.decode(json.detect_encoding(text), "surrogatepass")
    check_nesting(text)
    try:
        return json.loads(text) if on_repeated is None else _with_all_keys(text, on_repeated)
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
        except ValueError:
            return value
        return found if isinstance(found, dict | list) else value
    return value


def _long_number(text: str) -> str:
    """The error of JSON text with a whole number that is too long for Python."""
    found = next((match for match in _LONG_NUMBER.finditer(text) if match[1]), None)
    expected = "expected a number of at most 4,300 digits"
    if found is None:  # a limit that the user has set
        return f"{expected}, got a longer one"
    return f"{expected}, got one of {len(found[1]):,} ({_place(text, found.start())})"


def _place(text: str, position: int) -> str:
    """The line, of several ones, and the column of a position."""
    before = text[:position]
    line = f"line {before.count(chr(10)) + 1}, " if "\n" in before else ""
    return f"{line}column {len(before) - before.rfind(chr(10))}"


def check_nesting(text: str) -> None:
    """Raise an error for JSON text that is nested too deep, before it is parsed.

    Raises:
        ValueError: if it is nested more than TEXT_DEPTH levels deep; it names the place.

    >>> check_nesting("[" * 100_000)
    Traceback (most recent call last):
    ...
    ValueError: nested more than 100 levels deep (column 111)
    """
    signs = _signs(text)
    if not signs or not _are_deep(_TEXT.sub(b"", signs)):
        return
    depth = 0
    for bracket in _BRACKET.finditer(text):
        depth += (bracket[0] in "[{") - (bracket[0] in "]}")
        if depth > TEXT_DEPTH:
            raise ValueError(f"{TOO_DEEP} ({_place(text, bracket.start())})")


def may_be_deep(text: str) -> bool:
    """Whether JSON that begins anywhere in a text may be nested more than TEXT_DEPTH levels deep. Fast.

    >>> may_be_deep('5" x 7": {"total": "12.00"}'), may_be_deep("[{}]" * 100_000), may_be_deep('5": ' + "[" * 100_000)
    (False, False, True)
    """
    signs = _signs(text)
    return any(_are_deep(_TEXT.sub(b"", start + signs)) for start in (b"", b'"')) if signs else False


def is_deep(value: object) -> bool:
    """Whether a Python value is nested more than TEXT_DEPTH levels deep, as one that contains itself is.

    >>> is_deep({"total": ["12.00"]})
    False
    """
    level = [value]
    for _ in range(TEXT_DEPTH + 1):
        inner = (each.values() if isinstance(each, dict) else each for each in level if isinstance(each, _NESTED))
        # each of them once, however often it is there
        level = [*{id(child): child for each in inner for child in each if isinstance(child, _NESTED)}.values()]
        if not level:
            return False
    return True


def _signs(text: str) -> bytes:
    """The brackets and quotes of a text, without escaped ones and texts that have none; nothing for few brackets."""
    if len(text) <= TEXT_DEPTH or text.count("{") + text.count("[") <= TEXT_DEPTH:  # nearly all rows
        return b""
    signs = text.encode("utf-8", "surrogatepass")
    if b"\\" in signs:
        signs = signs.translate(None, _NO_ESCAPES).replace(b"\\\\", b"").replace(b'\\"', b"")
    return signs.translate(None, _NO_SIGNS).replace(b'""', b"")


def _are_deep(brackets: bytes) -> bool:
    """Whether brackets may open more than TEXT_DEPTH levels from any of them on."""
    levels = before = 0
    while len(brackets) != before and levels <= TEXT_DEPTH:
        before = len(brackets)
        brackets = brackets.replace(b"{}", b"").replace(b"[]", b"")  # at most the two innermost levels
        levels += 2
    return levels + brackets.count(b"{") + brackets.count(b"[") > TEXT_DEPTH


def _with_all_keys(text: str, on_repeated: Callable[[str], object]) -> Any:
    """The value of a JSON text; `on_repeated` is called with each key that an object has twice.

    Pairs of keys and values are only looked at where the text may hold more keys than its objects: to count takes half
    the time.
    """
    keys = 0

    def count(found: dict[str, object]) -> dict[str, object]:
        nonlocal keys
        keys += len(found)
        return found

    value = json.loads(text, object_hook=count)
    if text.count(":") == keys or len(_KEY_END.findall(text)) == keys:  # at least as many as there are keys
        return value
    return json.loads(text, object_pairs_hook=partial(_object, on_repeated))


def _object(on_repeated: Callable[[str], object], pairs: list[tuple[str, object]]) -> dict[str, object]:
    result = dict(pairs)
    if len(result) < len(pairs):
        keys = [key for key, _ in pairs]
        for key in result:
            if keys.count(key) > 1:
                on_repeated(key)
    return result
