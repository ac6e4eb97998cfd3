"""Stickler: the weighted mean of the fields' similarities, those below a threshold being 0, as a mean over documents.

Source: stickler-eval 1.0.0 (AWS Labs), with the comparators that a JSON Schema gets by default. Elements of lists are
paired by the greatest sum of similarities without thresholds.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from docie.core.counts import Counts
from docie.core.errors import DocumentError, with_close_names
from docie.core.matching.assignment import assign
from docie.core.rules.schemas import Schemas, parts_of, shape_of
from docie.documents.leaves import is_scored_leaf
from docie.protocols.comparators import COMPARATORS
from docie.protocols.means import counts_of, mean_scorer
from docie.protocols.schemas import DocumentSchemas
from docie.protocols.scorer import objects

_OBJECT, _ELEMENT = 0.7, 0.01
"""The similarity from which objects count, and that from which the elements of a list of objects do."""
_BY_TYPE = {
    "string": ("LevenshteinComparator", 0.5), "boolean": ("ExactComparator", 0.5),
    "number": ("NumericComparator", 0.5), "integer": ("NumericComparator", 0.5),
}  # fmt: skip
_DATES, _CLOSED = ("date", "date-time"), ("time", "uri", "uuid")
_PREFIX = "x-aws-stickler-"
Fields = dict[str, "Field"]


@dataclass(frozen=True)
class Field:
    """How a field is compared: a list by its elements, objects by their fields, other values by a comparator."""

    compare: Callable[[Any, Any], float]
    threshold: float
    weight: float
    clips: bool
    is_list: bool
    fields: Fields


def count(prediction: object, reference: object, settings: DocumentSchemas) -> Counts:
    """Count one document by its schema; what the schema does not name does not matter.

    Raises:
        DocumentError: for a reference that is no object, and for a schema that needs another comparator.

    >>> schema = {"properties": {"nm": {"type": "string"}, "price": {"type": "number"}}}
    >>> count({"nm": "Late", "price": 4}, {"nm": "Latte", "price": 4.5}, DocumentSchemas(schema)).rows
    {('document',): [0.4]}
    """
    schema = settings.of_document(None).schema
    similarity = _mean(_fields(schema, (schema,), ()), *objects(prediction, reference), is_raw=False)
    return counts_of(similarity, valid=isinstance(prediction, Mapping))


def _fields(root: Mapping[str, Any], schemas: Schemas, above: tuple[Schemas, ...]) -> Fields:
    """The fields of the objects in a value."""
    if schemas in above:
        raise DocumentError("expected a schema that does not refer to itself")
    inner = shape_of(root, schemas).properties.items()
    return {name: _field(root, each, (*above, schemas)) for name, each in inner}


def _field(root: Mapping[str, Any], schemas: Schemas, above: tuple[Schemas, ...]) -> Field:
    parts: list[Mapping[str, Any]] = parts_of(root, schemas)
    kinds = [part["type"] if isinstance(part["type"], list) else [part["type"]] for part in parts if "type" in part]
    types = [kind for each in kinds for kind in each if kind != "null"]
    fields, scalars = _fields(root, schemas, above), {*types} - {"array"}
    is_closed = any("enum" in part or "const" in part or part.get("format") in _CLOSED for part in parts)
    name, threshold = "ExactComparator", 1.0
    if not is_closed and len(scalars) == 1 and types.count("array") < 2:
        name, threshold = _BY_TYPE.get(scalars.pop(), (name, threshold))
        if any(part.get("format") in _DATES for part in parts):
            name, threshold = "DateComparator", 1.0
    said = {key.removeprefix(_PREFIX): part[key] for part in reversed(parts) for key in part if key.startswith(_PREFIX)}
    name = said.get("comparator", name)
    if name not in COMPARATORS or "comparator-config" in said:
        raise DocumentError(f"schema: no comparator {with_close_names([str(name)], COMPARATORS)} without options")
    return Field(
        COMPARATORS[name],
        said.get("threshold", _OBJECT if fields and "array" not in types else threshold),
        said.get("weight", 1.0),
        said.get("clip-under-threshold", True),
        "array" in types,
        fields,
    )


def _mean(fields: Fields, predicted: Any, expected: Any, *, is_raw: bool) -> float:
    """The similarity of two objects; `is_raw`: without thresholds, and without the fields that neither has."""
    sides = [each if isinstance(each, Mapping) else {} for each in (predicted, expected)]
    total = weight = 0.0
    for name, field in fields.items():
        value, other = (_value(side.get(name)) for side in sides)
        absent = [
            each is None or (each in ("", [], {}) and not (field.fields and each == {})) for each in (value, other)
        ]
        if not (is_raw and all(absent)):
            total += field.weight * (all(absent) if any(absent) else _similarity(field, value, other, is_raw=is_raw))
            weight += field.weight
    return total / weight if weight else float(is_raw)


def _value(node: Any) -> Any:
    return node["value"] if isinstance(node, Mapping) and is_scored_leaf(node) else node


def _similarity(field: Field, value: Any, other: Any, *, is_raw: bool) -> float:
    if field.is_list != isinstance(value, list) or field.is_list != isinstance(other, list):
        return 0.0
    if field.is_list:
        return _of_lists(field, value, other, is_raw=is_raw)
    # of its two ways to compare, with thresholds and without, the original takes the other one for objects in objects
    similarity = _mean(field.fields, value, other, is_raw=not is_raw) if field.fields else field.compare(value, other)
    return similarity if is_raw or not field.clips or similarity >= field.threshold else 0.0


def _of_lists(field: Field, predicted: list[Any], expected: list[Any], *, is_raw: bool) -> float:
    inner, threshold = field.fields, 0.0 if is_raw else field.threshold
    predicted, expected = ([_value(each) for each in side] for side in (predicted, expected))
    similarities = np.array(
        [
            [_mean(inner, one, other, is_raw=True) if inner else field.compare(one, other) for other in expected]
            for one in predicted
        ]
    )
    pairs = assign(similarities)
    scores = similarities[pairs]
    if inner:
        threshold = _ELEMENT
        scores = np.array([_mean(inner, predicted[i], expected[j], is_raw=False) for i, j in zip(*pairs, strict=True)])
    is_kept = (scores >= threshold - 1e-10) | (not inner and not field.clips)
    return float(scores[is_kept].sum() / max(len(predicted), len(expected)))


_MEANING = "Mean over documents of the weighted mean of the similarities of fields, those below a threshold being 0."
SCORER = mean_scorer("stickler", "overall_score", _MEANING, count, Settings=DocumentSchemas)
