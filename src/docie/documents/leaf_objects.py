"""Objects that stand for one value with what is known of it: `{"content": "9.15", "score": 0.98, "polygon": [...]}`.

They become values or scored leaves, `{"value", "confidence", "box", "page"}`, for all who read documents.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any

from docie.core.leaf_keys import BESIDE, LeafKeys
from docie.core.values.plain import JsonObject
from docie.documents.leaves import is_leaf

_EDGES = (
    ("x0", "y0", "x1", "y1"),
    ("x1", "y1", "x2", "y2"),
    ("xmin", "ymin", "xmax", "ymax"),
    ("left", "top", "right", "bottom"),
)
MOST_POSITIONS = 4
"""The length of lists that may stand for one value: with its confidence, its box and its page."""
_SIZES = (("x", "y", "w", "h"), ("x", "y", "width", "height"), ("left", "top", "width", "height"))


def with_leaves(value: Any, leaves: Iterable[LeafKeys]) -> Any:
    """A document whose objects that stand for a value are values, or scored leaves where a fact is known of them.

    An object stands for a value if it has the key of the value, with a single value, and no keys that are not named.
    Positions are the keys of lists: `{"value": "0", "confidence": "1"}` for `["9.15", 0.98]`.

    >>> from docie.core.leaf_keys import leaf_keys
    >>> keys = leaf_keys({"value": "content", "confidence": "score", "box": "polygon"})
    >>> with_leaves({"total": {"content": "9.15", "score": 0.98}, "day": {"content": "2 May"}}, keys)
    {'total': {'value': '9.15', 'confidence': 0.98}, 'day': '2 May'}
    >>> with_leaves({"total": "9.15", "total_conf": 98}, leaf_keys({"value": "*", "percent": "*_conf"}))
    {'total': {'value': '9.15', 'confidence': 0.98}}
    """
    leaves = [*leaves]
    return {key: _changed(child, leaves) for key, child in _beside(value, leaves).items()}


def _changed(value: Any, leaves: list[LeafKeys]) -> Any:
    if isinstance(value, list):
        for keys in leaves if (listed := by_position(value)) else ():
            facts = {name: listed.get(key) for name, key in keys.facts.items()}
            if (
                keys.value in listed
                and listed.keys() == keys.keys
                and not any(isinstance(x, str) for x in facts.values())
            ):
                return _leaf(listed[keys.value], facts)
        return [_changed(each, leaves) for each in value]
    if not isinstance(value, dict) or is_leaf(value, "reference"):
        return value
    for keys in leaves:
        if keys.value in value and value.keys() <= keys.keys and not isinstance(value[keys.value], dict | list):
            return _leaf(value[keys.value], {name: value.get(key) for name, key in keys.facts.items()})
    return with_leaves(value, leaves)


def by_position(values: list[Any]) -> JsonObject:
    """A list of several values, or of a value and lists of numbers, by their positions; empty for any other list.

    >>> by_position(["9.15", 0.98]), by_position(["9.15"]), by_position([{"value": "9.15"}, {}])
    ({'0': '9.15', '1': 0.98}, {}, {})
    """
    if not 2 <= len(values) <= MOST_POSITIONS or any(isinstance(each, dict) for each in values):
        return {}
    return {str(position): each for position, each in enumerate(values)}


def _leaf(value: object, given: Mapping[str, object]) -> object:
    """A value with its facts; alone if none is known."""
    confidence, box, page = number_of(given.get("confidence")), corners(given.get("box")), number_of(given.get("page"))
    if (percent := number_of(given.get("percent"))) is not None:
        confidence = percent / 100
    facts = {"confidence": confidence, "box": box, "page": None if page is None else int(page)}
    known = {name: fact for name, fact in facts.items() if fact is not None}
    return {"value": value, "confidence": None, **known} if known else value


def number_of(value: Any) -> float | None:
    """A number, or the number that a text is; None for anything else.

    >>> number_of("0.98"), number_of(97), number_of("98 %"), number_of(True)
    (0.98, 97, 98.0, None)
    """
    if isinstance(value, bool) or not isinstance(value, int | float | str):
        return None
    if not isinstance(value, str):
        return value
    text = value.strip().removesuffix("%").rstrip()
    return float(text) if re.fullmatch(r"[0-9]{1,9}(\.[0-9]{1,20})?", text) else None


def corners(value: Any) -> list[float] | None:
    """The box `[x0, y0, x1, y1]` of four numbers, of points, or of an object with edges; None for anything else.

    >>> corners([1, 2, 5, 3]), corners([[1, 2], [5, 2], [5, 3], [1, 3]]), corners({"x": 1, "y": 2, "w": 4, "h": 1})
    ([1, 2, 5, 3], [1, 2, 5, 3], [1, 2, 5, 3])
    """
    if isinstance(value, dict):
        for names in (*_EDGES, *_SIZES):
            if value.keys() >= {*names} and all(map(_is_number, map(value.get, names))):
                left, top, right, bottom = (value[name] for name in names)
                return [left, top, *((left + right, top + bottom) if names in _SIZES else (right, bottom))]
        return None
    if not isinstance(value, list) or not value:
        return None
    points = [[each.get("x"), each.get("y")] if isinstance(each, dict) else each for each in value]
    flat = [each for point in points for each in (point if isinstance(point, list) else [point])]
    if not all(map(_is_number, flat)) or len(flat) < 4 or len(flat) % 2:
        return None
    if len(flat) == 4 and points == flat:
        return flat
    return [min(flat[::2]), min(flat[1::2]), max(flat[::2]), max(flat[1::2])]


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _beside(value: JsonObject, leaves: Iterable[LeafKeys]) -> JsonObject:
    """An object with the facts that stand beside its values in these."""
    for keys in leaves:
        if keys.value != BESIDE:
            continue
        taken: dict[str, set[str]] = {}
        result = dict(value)
        for key, child in value.items():
            places = {name: _place(value, pattern.replace(BESIDE, key)) for name, pattern in keys.facts.items()}
            places = {name: place for name, place in places.items() if place and place != (key,)}
            if not places or isinstance(child, dict | list):
                continue
            result[key] = _leaf(child, {name: _at(value, place) for name, place in places.items()})
            for root, *inner in places.values():
                taken.setdefault(root, set()).update(inner)
        for root, inside in taken.items():
            left = {key: child for key, child in value[root].items() if key not in inside} if inside else {}
            result.pop(root)
            result |= {root: left} if left else {}
        value = result
    return value


def _place(value: Mapping[str, Any], name: str) -> tuple[str, ...]:
    """The keys that lead to a name in an object: the name itself, or its parts; none if it is not there."""
    if name in value:
        return (name,)
    root, dot, rest = name.partition(".")
    inner = value.get(root)
    return (root, rest) if dot and isinstance(inner, dict) and rest in inner else ()


def _at(value: Mapping[str, Any], place: tuple[str, ...]) -> object:
    return value[place[0]] if len(place) == 1 else value[place[0]][place[1]]
