"""The common result of all readers of model output: any Python value becomes a document that every metric accepts as a
prediction, and values that no metric could read are dropped.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterable
from typing import Any

from docie.core.errors import shortened
from docie.core.values.json_text import MAX_DEPTH, MAX_VALUES, TOO_MANY
from docie.core.values.plain import JSON_TYPES, JsonObject, key_text, plain_value, read_confidence, scalar_text
from docie.documents.leaves import is_scored_leaf


def issue_lines(issues: Counter[str]) -> list[str]:
    """Issues as lines: each one once, with the number of its occurrences.

    >>> issue_lines(Counter({"added a comma": 2}))
    ['added a comma (2 times)']
    """
    return [issue if times == 1 else f"{issue} ({times} times)" for issue, times in issues.items() if times]


def object_of(pairs: Iterable[tuple[str, Any]], issues: Counter[str]) -> JsonObject:
    """The object with these keys and values. The values of a repeated key become a list, since none should be lost.

    Equal texts or numbers count once, because a repetition adds nothing. Equal objects are several objects. null is
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
            result[key] = _merged(values)
    return result


def _merged(values: list[object]) -> object:
    elements, scalars = [], set()
    for value in values:
        for element in value if isinstance(value, list | tuple) else [value]:
            if element is None:
                continue
            scalar = element.value if isinstance(element, Scored) else element
            if isinstance(scalar, str | int | float):
                if (type(scalar), scalar) in scalars:
                    continue
                scalars.add((type(scalar), scalar))
            elements.append(element)
    if len(elements) > 1 or any(isinstance(value, list | tuple) for value in values):
        return elements
    return elements[0] if elements else None


Path = tuple[Any, str] | None
"""The path of a value: the path of its container, and a key. None for the whole document."""
_DROPPED = object()
"""The result for a value that JSON does not have."""
_LARGE = 10**1000  # smaller integers may be written out
_NUMBERS = {int, float}
_SHARE = re.compile(r"\s*([0-9]{1,20}(?:[.,][0-9]{1,20})?)\s*(%?)\s*")


def scorable(value: object) -> tuple[JsonObject, list[str]]:
    """Make a document that every metric accepts as a prediction.

    Values become JSON values as in references: dates become ISO text, decimals and numpy's numbers become numbers.
    Values that JSON does not have are dropped, as are values nested more than 100 levels deep or inside themselves,
    infinity (`1e999` is read as it), and integers of more than 4,300 digits. The confidences of scored leaves become
    numbers in [0, 1] if that is unambiguous ("95%", 95, "0.95"), or else None: a number above 1, up to 10, may be on
    any scale.

    Args:
        value: an object.

    Returns:
        The document, a copy, and a line for each changed or dropped part.

    >>> scorable({"total": {"value": "12.00", "confidence": "95%"}, "tax": {1, 2}})
    ({'total': {'value': '12.00', 'confidence': 0.95}},
     ["read the confidence '95%' of 'total' as 0.95", "dropped 'tax', which JSON does not have: set"])
    """
    try:
        walk = _Walk(value)
    except Exception:  # an object whose own code fails
        return {}, ["dropped everything, because it could not be read"]
    return walk.result if isinstance(walk.result, dict) else {}, issue_lines(walk.issues)


def plain(value: object) -> object:
    """The JSON value of `value`, whatever its class does; `_DROPPED` if JSON has none.

    >>> from decimal import Decimal
    >>> plain(Decimal("1.50"))
    1.5
    """
    if type(value) in JSON_TYPES:
        return value
    try:
        return plain_value(value)
    except Exception:
        return _DROPPED


def path_text(path: Path) -> str:
    """A path in a message: its keys separated by dots; only the last ones if there are many.

    >>> path_text(((None, "menu"), "nm"))
    "'menu.nm'"
    """
    if path is None:
        return "the document"
    keys: list[str] = []
    while path is not None and len(keys) < 6:
        keys.append(path[1][:60])
        path = path[0]
    return shortened(".".join(reversed(keys)))


class Scored:
    """A text, a number or a boolean with a confidence, of which `scorable` makes a leaf.

    >>> scorable({"total": Scored("12.00", 0.9), "tax": "1"})
    ({'total': {'value': '12.00', 'confidence': 0.9}, 'tax': '1'}, [])
    """

    __slots__ = ("confidence", "value")

    def __init__(self, value: str | float, confidence: float | None) -> None:
        self.value, self.confidence = value, confidence


def _unscored(value: object) -> object:
    if isinstance(value, Scored):
        return value.value
    return [_unscored(each) for each in value] if isinstance(value, list) else value


class _Walk:
    def __init__(self, value: object) -> None:
        self.issues: Counter[str] = Counter()
        self.holders: set[int] = set()
        self.left = MAX_VALUES
        self.result = self.node(value, None, 0)

    def node(self, value: object, path: Path, depth: int) -> object:
        if type(value) is str or value is None:
            return value
        if type(value) not in JSON_TYPES:
            if isinstance(value, Scored):
                made = self.scalar(value.value, path)
                return made if made is _DROPPED else {"value": made, "confidence": value.confidence}
            type_name, value = type(value).__name__, plain(value)
            if value is _DROPPED:
                return self.drop(path, f"which JSON does not have: {type_name}")
        if not isinstance(value, dict | list | tuple):
            return self.scalar(value, path)
        if id(value) in self.holders or depth >= MAX_DEPTH:
            problem = "is in itself" if id(value) in self.holders else f"is nested more than {MAX_DEPTH} levels deep"
            return self.drop(path, f"which {problem}")
        self.left -= len(value)
        if self.left < 0:
            return self.drop(path, f"which is behind {TOO_MANY}")
        if isinstance(value, dict) and is_scored_leaf(value):
            return self.leaf(value, path, depth)
        self.holders.add(id(value))
        if isinstance(value, dict):
            result: object = self.object(value, path, depth)
        else:
            children = [self.node(child, path, depth + 1) for child in value]
            result = [child for child in children if child is not _DROPPED]
        self.holders.discard(id(value))
        return result

    def object(self, value: dict[Any, Any], path: Path, depth: int) -> JsonObject:
        result = {}
        for name, child in value.items():
            try:
                key = name if type(name) is str else key_text(name)
            except (TypeError, ValueError):
                self.drop(path, f"which has a key that is not text: {type(name).__name__}")
                continue
            kept = self.node(child, (path, key), depth + 1)
            if kept is not _DROPPED:
                result[key] = kept
        return result

    def leaf(self, leaf: dict[Any, Any], path: Path, depth: int) -> Any:
        if isinstance(leaf["value"], Scored) or isinstance(leaf["confidence"], Scored):
            self.issues["kept the confidence that the model wrote"] += 1
            leaf = {key: _unscored(part) for key, part in leaf.items()}
        value = self.node(leaf["value"], path, depth)
        if value is _DROPPED:
            return _DROPPED
        if len(leaf) == 2:
            return {**leaf, "value": value, "confidence": self.confidence(leaf["confidence"], path)}
        kept = {"value": value, "confidence": self.confidence(leaf["confidence"], path)}
        for key, part in leaf.items():
            if key not in kept:  # box and page
                kept[key] = [*part] if _is_plain_box(part) else self.node(part, (path, str(key)), depth + 1)
        return {str(key): kept[key] for key in leaf if kept[key] is not _DROPPED}

    def scalar(self, value: Any, path: Path) -> Any:
        if isinstance(value, float):
            return self.drop(path, "which is not a finite number") if math.isinf(value) else value
        if isinstance(value, int) and -_LARGE < value < _LARGE:
            return value
        try:
            text = scalar_text(value)
        except (TypeError, ValueError):
            return self.drop(path, "a number of more than 4,300 digits")
        return text if isinstance(value, str) else value

    def confidence(self, value: Any, path: Path) -> Any:
        value = plain(value)
        try:
            read_confidence(value)
        except (TypeError, ValueError):
            pass
        else:
            return value
        share = _share(value)
        if share is None:
            self.issues[f"dropped the confidence of {path_text(path)}, which is not a number in [0, 1]"] += 1
        else:
            self.issues[f"read the confidence {shortened(value)} of {path_text(path)} as {share}"] += 1
        return share

    def drop(self, path: Path, reason: str) -> Any:
        self.issues[f"dropped {path_text(path)}, {reason}"] += 1
        return _DROPPED


def _is_plain_box(value: object) -> bool:
    """Whether a value is a list of numbers, none of them very large: most boxes then need no check of each number."""
    return (
        type(value) is list
        and len(value) == 4
        and {*map(type, value)} <= _NUMBERS
        and -1e9 < min(value) <= max(value) < 1e9
    )


def _share(value: object) -> float | None:
    """The number in [0, 1] that is meant; None if that is ambiguous."""
    percent = ""
    if isinstance(value, str):
        match = _SHARE.fullmatch(value)
        if not match:
            return None
        value, percent = float(match[1].replace(",", ".")), match[2]
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value <= 100:
        return None
    if percent or value > 10:
        return value / 100
    return value if value <= 1 else None
