"""Answers of language models → documents. Nothing here raises: what was dropped stands in `issues`."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from docie.jsontext import loads

__all__ = ["Parsed", "to_document"]


_BRACE_OR_STRING = re.compile(r'[{}]|"(?:[^"\\]|\\.)*+"', re.DOTALL)


class Parsed(NamedTuple):
    """A document, None where none could be read, and what was dropped on the way, a line each."""

    document: dict[str, Any] | None
    issues: list[str]


def to_document(answer: object) -> Parsed:
    """The document in an answer: a JSON object by itself, in a code fence, or in prose; or parsed JSON.

    Of several objects the last complete one is taken, a list of one object is that object. An answer without a
    complete object gives None, which every family scores as the empty document and counts as invalid.

    >>> to_document('Here you are:\\n```json\\n{"total": "12.00"}\\n```')
    Parsed(document={'total': '12.00'}, issues=['dropped the text around the JSON object'])
    >>> to_document('{"total": "12.')
    Parsed(document=None, issues=['no complete JSON object'])
    """
    if not isinstance(answer, str):
        return _from_value(answer)
    try:
        value = loads(answer)
    except (ValueError, RecursionError):
        return _from_prose(answer)
    return _from_value(value)


def _from_value(value: object) -> Parsed:
    if isinstance(value, Mapping):
        return Parsed(dict(value), [])
    if isinstance(value, list) and len(value) == 1 and isinstance(value[0], Mapping):
        return Parsed(dict(value[0]), ["took the one object out of its list"])
    return Parsed(None, [f"expected a JSON object, got {'null' if value is None else type(value).__name__}"])


def _from_prose(text: str) -> Parsed:
    objects = list(_objects(text))
    found = [value for value in objects if value is not None]
    if not found:
        return Parsed(None, ["no complete JSON object"])
    issues = ["dropped the text around the JSON object"]
    if len(found) > 1:
        issues.append(f"took the last of {len(found)} JSON objects")
    if len(found) < len(objects):
        issues.append(f"dropped {len(objects) - len(found)} malformed objects")
    return Parsed(found[-1], issues)


def _objects(text: str) -> Iterator[dict[str, Any] | None]:
    """The outermost objects in a text, in order, None for a malformed one; linear in the text's length."""
    start = text.find("{")
    while start >= 0:
        end = _closing_brace(text, start)
        try:
            yield loads(text[start:end])
        except (ValueError, RecursionError):
            yield None
        start = text.find("{", end)


def _closing_brace(text: str, start: int) -> int:
    """The end of the braces that open at `start`, those in strings not counted, or of the text if they stay open."""
    depth = 0
    for token in _BRACE_OR_STRING.finditer(text, start):
        depth += {"{": 1, "}": -1}.get(token[0], 0)
        if depth == 0:
            return token.end()
    return len(text)
