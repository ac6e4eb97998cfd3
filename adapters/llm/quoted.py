"""What stands between the quotes of a JSON text that may be broken."""

from __future__ import annotations

import json
import re

_CUT_ESCAPE = re.compile(r"(?<!\\)((?:\\\\)*+)\\(?:u[0-9a-fA-F]{0,3})?\Z")
_LENIENT = json.JSONDecoder(strict=False)
_DOUBLED = re.compile(r'"(?:[^"\\]|\\.)++|(?:[^"\\]|\\.)++"', re.DOTALL)  # with a quote at one end, and no other
_INCHES = re.compile(r'(?<![\d.,:/a-wyzA-WYZ-])[1-9]\d{0,2}(?:[.,]\d|/\d{1,2})?"\Z')
_ESCAPED = re.compile(r"\\.", re.DOTALL)
_ESCAPE = re.compile(r'\\(?:(["\\/bfnrt]|u[0-9a-fA-F]{4})|(\'))?|"')


def without_doubled_quote(raw: str) -> str:
    """A text without the quote at one of its ends if it has no other one: the quote beside it was doubled.

    >>> without_doubled_quote('"x'), without_doubled_quote('x"'), without_doubled_quote('the "x"')
    ('x', 'x', 'the "x"')
    >>> without_doubled_quote('TV 12"')
    'TV 12"'
    """
    if '"' not in raw or not _DOUBLED.fullmatch(raw) or _INCHES.search(raw):
        return raw
    return raw[1:] if raw[0] == '"' else raw[:-1]


def without_cut_escape(raw: str) -> str:
    """A text that is cut off, without an escape at its end that is not whole."""
    return _CUT_ESCAPE.sub(r"\1", raw)


def is_clear(raw: str, quote: str) -> bool:
    """Whether a text has no quote in it, so that it ends where it seems to end."""
    return quote not in raw or quote not in _ESCAPED.sub("", raw)


def decoded(raw: str) -> str:
    """The text of a JSON string. Invalid escapes stand for themselves."""
    if "\\" not in raw:
        return raw
    body = _ESCAPE.sub(lambda match: match[0] if match[1] else "'" if match[2] else "\\" + match[0], raw)
    text: str = _LENIENT.decode(f'"{body}"')
    return text
