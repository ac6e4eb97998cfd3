"""What the readers of model output return, and have in common."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import Any, NamedTuple

from docie.errors import shortened

__all__ = ["Parsed", "listed", "object_of"]


class Parsed(NamedTuple):
    """A document, None where none could be read, and what was repaired or dropped on the way, a line each.

    >>> Parsed({"total": "12.00"}, []).document
    {'total': '12.00'}
    """

    document: dict[str, Any] | None
    issues: list[str]


def listed(issues: Counter[str]) -> list[str]:
    """Issues as lines, each once, with the times that it came up.

    >>> listed(Counter({"added a comma": 2}))
    ['added a comma (2 times)']
    """
    return [issue if times == 1 else f"{issue} ({times} times)" for issue, times in issues.items() if times]


def object_of(pairs: Iterable[tuple[str, Any]], issues: Counter[str]) -> dict[str, Any]:
    """The object of these keys and values; the values of a repeated key become a list, since each was meant.

    Equal texts or numbers count once, as a repetition says nothing new; equal objects are several, and null is none.

    >>> object_of([("item", {"nm": "a"}), ("item", {"nm": "a"}), ("total", "1"), ("total", "1")], Counter())
    {'item': [{'nm': 'a'}, {'nm': 'a'}], 'total': '1'}
    """
    pairs = list(pairs)
    result = dict(pairs)
    if len(result) == len(pairs):
        return result
    several: dict[str, list[Any]] = {}
    for key, value in pairs:
        several.setdefault(key, []).append(value)
    for key, values in several.items():
        if len(values) > 1:
            issues[f"joined the values of the repeated key {shortened(key)}"] += 1
            result[key] = _together(values)
    return result


def _together(values: list[Any]) -> Any:
    found, scalars = [], set()
    for value in values:
        for element in value if isinstance(value, list) else [value]:
            if not isinstance(element, dict | list):
                if element is None or (type(element), element) in scalars:
                    continue
                scalars.add((type(element), element))
            found.append(element)
    if len(found) > 1 or any(isinstance(value, list) for value in values):
        return found
    return found[0] if found else None
