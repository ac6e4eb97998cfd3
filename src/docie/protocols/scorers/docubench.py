"""DocuBench: the share of correct leaves of each document's own schema, as a mean over documents.

Source: DocuPipe, DocuBench (2026), its page on scoring and its public scorer.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from itertools import product
from typing import Any

from docie.core.counts import Counts, ratio
from docie.documents.leaves import is_scored_leaf
from docie.protocols.means import counts_of, mean_scorer
from docie.protocols.schemas import DocumentSchemas
from docie.protocols.scorer import objects

_DROPPED = re.compile(r"[\s\W]+")
_BLANK: tuple[Any, ...] = ("", [], {})
_LARGEST = 1e300
ITEM = "_val"
"""The name of the only leaf of an element that is no object."""
Path = tuple[str, ...]


def count(prediction: object, reference: object, settings: DocumentSchemas) -> Counts:
    """Count one document: the mean of its correct leaves outside lists and of its lists, weighted by leaves.

    A leaf outside lists is correct or not; where both sides are empty, it is left out. Elements of a list are paired
    greedily, those with the largest share of equal leaves first; a list weighs as its longer side times the mean number
    of leaves of the reference's elements. Numbers are equal to six decimals; texts by their letters and digits.
    """
    predicted, expected = (_normalized(_stripped(side)) for side in objects(prediction, reference))
    schema = settings.of_document(None).schema
    leaves = [
        _at(expected, path) == _at(predicted, path) for path in _fields(schema) if _is_filled(path, expected, predicted)
    ]
    parts: dict[str, tuple[float, float]] = {"": (sum(leaves), len(leaves))}
    for path in _lists(schema):  # of several lists below one key of the document, the original keeps the last
        parts[path[0]] = _of_list(*(_elements(_at(side, path)) for side in (expected, predicted)))
    correct, weight = (sum(column) for column in zip(*parts.values(), strict=True))
    return counts_of(ratio(correct, weight, empty=1.0), valid=isinstance(prediction, Mapping))


def _stripped(value: Any) -> Any:
    """A value without empty texts, lists and objects in its objects."""
    if isinstance(value, Mapping):
        if is_scored_leaf(value):
            return _stripped(value["value"])
        inner = {key: _stripped(child) for key, child in value.items()}
        return {key: child for key, child in inner.items() if child not in _BLANK}
    return [_stripped(child) for child in value] if isinstance(value, list) else value


def _normalized(value: Any) -> Any:
    """A value as it is compared."""
    if isinstance(value, Mapping):
        return {key: _normalized(child) for key, child in value.items()}
    if isinstance(value, list):
        return [_normalized(child) for child in value]
    if isinstance(value, str):
        return _DROPPED.sub("", value.lower())
    is_number = isinstance(value, int | float) and not isinstance(value, bool) and abs(value) < _LARGEST
    return round(float(value), 6) if is_number else value


def _types(schema: Any) -> list[Any]:
    kind = schema.get("type") if isinstance(schema, Mapping) else None
    return [*kind] if isinstance(kind, list) else [kind]


def _properties(schema: Any) -> Mapping[str, Any]:
    found = schema.get("properties") if isinstance(schema, Mapping) else None
    return found if isinstance(found, Mapping) else {}


def _fields(schema: Any, path: Path = ()) -> Iterator[Path]:
    """The paths of the leaves outside lists. An object that may be null is one leaf, as in the original."""
    if "object" in _types(schema):
        inner = [each for name, child in _properties(schema).items() for each in _fields(child, (*path, name))]
        yield from inner if schema["type"] == "object" else [path] * bool(inner)
    elif schema and "array" not in _types(schema):
        yield path


def _lists(schema: Any, path: Path = ()) -> Iterator[Path]:
    """The paths of lists that are not in lists."""
    if "array" in _types(schema):
        yield path
        return
    for name, child in _properties(schema).items():
        yield from _lists(child, (*path, name))


def _at(document: Any, path: Path) -> Any:
    for name in path:
        document = document.get(name) if isinstance(document, Mapping) else None
    return document


def _is_filled(path: Path, *sides: Any) -> bool:
    return any(_at(side, path) not in (None, *_BLANK) for side in sides)


def _elements(value: Any) -> list[dict[str, Any]]:
    """The leaves of each element of a list that are not empty, by their names."""
    return [dict(_leaves(each, "")) for each in value] if isinstance(value, list) else []


def _leaves(value: Any, name: str) -> Iterator[tuple[str, Any]]:
    if isinstance(value, Mapping):
        for key, child in value.items():
            yield from _leaves(child, f"{name}.{key}" if name else key)
    elif value not in (None, *_BLANK):
        yield name or ITEM, json.dumps(value, sort_keys=True) if isinstance(value, list) and name else value


def _of_list(expected: list[dict[str, Any]], predicted: list[dict[str, Any]]) -> tuple[float, float]:
    """The weighted score of a list, and its weight."""
    pairs = [
        (_similarity(one, other), i, j) for (i, one), (j, other) in product(enumerate(expected), enumerate(predicted))
    ]
    taken: tuple[set[int], set[int]] = set(), set()
    total = 0.0
    for similarity, i, j in sorted(pairs, key=lambda pair: -pair[0]):
        if i not in taken[0] and j not in taken[1]:
            total += similarity
            taken[0].add(i)
            taken[1].add(j)
    leaves = sum(max(len(each), 1) for each in expected) / len(expected) if expected else 1.0
    return total * leaves, max(len(expected), len(predicted)) * leaves


def _similarity(one: Mapping[str, Any], other: Mapping[str, Any]) -> float:
    """The share of equal leaves among those that either has; 1.0 if neither has any."""
    names = one.keys() | other.keys()
    return ratio(sum(one.get(name) == other.get(name) for name in names), len(names), empty=1.0)  # type: ignore[no-any-return]


MEANING = "Mean over documents of the leaf-weighted share of correct leaves."
SCORER = mean_scorer("docubench", "docubench", MEANING, count, Settings=DocumentSchemas)
