"""What all readers of model output return, and share."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import Any

from docie.core.errors import shortened
from docie.documents.rows import Parsed

__all__ = ["Parsed", "issue_lines", "object_of"]


def issue_lines(issues: Counter[str]) -> list[str]:
    """Issues as lines: each one once, with the number of times that it came up.

    >>> issue_lines(Counter({"added a comma": 2}))
    ['added a comma (2 times)']
    """
    return [issue if times == 1 else f"{issue} ({times} times)" for issue, times in issues.items() if times]


def object_of(pairs: Iterable[tuple[str, Any]], issues: Counter[str]) -> dict[str, Any]:
    """The object with these keys and values. The values of a repeated key become a list, since each was meant.

    Equal texts or numbers count once, because a repetition says nothing new. Equal objects are several objects. null is
    left out.

    >>> object_of([("item", {"nm": "a"}), ("item", {"nm": "a"}), ("total", "1"), ("total", "1")], Counter())
    {'item': [{'nm': 'a'}, {'nm': 'a'}], 'total': '1'}
    """
    pairs = list(pairs)
    result = dict(pairs)
    if len(result) == len(pairs):
        return result
    values_of: dict[str, list[Any]] = {}
    for key, value in pairs:
        values_of.setdefault(key, []).append(value)
    for key, values in values_of.items():
        if len(values) > 1:
            issues[f"joined the values of the repeated key {shortened(key)}"] += 1
            result[key] = _joined(values)
    return result


def _joined(values: list[Any]) -> Any:
    elements, scalars = [], set()
    for value in values:
        for element in value if isinstance(value, list | tuple) else [value]:
            if element is None:
                continue
            if isinstance(element, str | int | float):
                if (type(element), element) in scalars:
                    continue
                scalars.add((type(element), element))
            elements.append(element)
    if len(elements) > 1 or any(isinstance(value, list | tuple) for value in values):
        return elements
    return elements[0] if elements else None
