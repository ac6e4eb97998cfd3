"""Omni Extract Bench: the share of values that agree, among all places where either document has one.

Source: omni-extract-bench 0.1.7 (Datalab). Elements of lists are paired so that most values agree, and among such
pairings so that most places are shared; what is not paired counts against its document.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any

import numpy as np

from docie.core.counts import Counts, Number, Row, ratio
from docie.core.matching.assignment import assign
from docie.core.rules.schemas import Schemas, Shape, shape_of
from docie.core.scores import Score
from docie.protocols.said_values import said
from docie.protocols.schemas import DocumentSchemas
from docie.protocols.scorer import Scorer, objects

_BESIDE_VALUE = {
    "bbox", "citation", "citations", "confidence", "evidence", "extraction_status", "meta", "offset", "offsets", "page",
    "pages", "provenance", "reasoning", "score", "source", "sources", "span", "spans", "status",
}  # fmt: skip
_MATCHED = 2**24  # what a value that agrees is worth: more than all shared places together
Path = tuple[str, ...]


@dataclass(slots=True)
class Documents(Row):
    """Columns of the ("document",) row: sums of the documents' scores."""

    accuracy: Number = 0.0
    precision: Number = 0.0
    recall: Number = 0.0
    f1: Number = 0.0


def count(prediction: object, reference: object, settings: DocumentSchemas) -> Counts:
    """Count one document by its schema, which says what is left open. What states nothing (null, "") has no place.

    Raises:
        DocumentError: for a reference that is no object.

    >>> settings = DocumentSchemas({"properties": {"nm": {"type": "string"}, "price": {"type": "number"}}})
    >>> count({"nm": "LATTE", "price": "$4.50"}, {"nm": "Latte", "price": 4.5, "note": ""}, settings).rows
    {('document',): [1.0, 1.0, 1.0, 1.0]}
    """
    given, label = objects(prediction, reference)
    reader = _Reader(settings.of_document(None).schema)
    expected, predicted = reader.read(label, is_predicted=False), reader.read(given, is_predicted=True)
    matched, shared = _agreement(predicted, expected)
    sizes = _size(predicted), _size(expected)
    accuracy = ratio(matched, sum(sizes) - shared)
    row = Documents(accuracy, ratio(matched, sizes[0]), ratio(matched, sizes[1]), ratio(2 * matched, sum(sizes)))
    return Counts.of_document({("document",): row}, valid=isinstance(prediction, Mapping))


def score(counts: Counts) -> dict[str, Number]:
    """Means over documents; 1.0 without documents."""
    row = counts.total("document", Documents)
    return {each.name: ratio(getattr(row, each.name), counts.documents, empty=1.0) for each in fields(row)}


class _Reader:
    """Reads documents without what states nothing and what the schema leaves open.

    The keys of an object with `additionalProperties` are the document's own. Of a value with what is beside it, such as
    its page, the value counts.
    """

    def __init__(self, schema: Mapping[str, Any]) -> None:
        self.schema = schema
        self.shapes: dict[tuple[int, ...], Shape] = {}

    def read(self, document: object, *, is_predicted: bool) -> dict[str, Any]:
        """An object of objects, lists that are not empty, and values as they are compared."""
        node = self._node(document, (self.schema,), is_predicted)
        return node if isinstance(node, dict) else {}

    def _node(self, node: Any, schemas: Schemas, is_predicted: bool) -> Any:
        while isinstance(node, Mapping) and len(node) > 1 and node.keys() - _BESIDE_VALUE == {"value"}:
            node = node["value"]
        key = tuple(map(id, schemas))
        if key not in self.shapes:
            self.shapes[key] = shape_of(self.schema, schemas)
        properties, others = self.shapes[key]
        if others is not None or node is None:
            return None
        if isinstance(node, Mapping):
            kept = [key for key in node if not is_predicted or not _is_beside(key, node)]
            inner = {key: self._node(node[key], properties.get(key, ()), is_predicted) for key in kept}
            return {key: value for key, value in inner.items() if value is not None} or None
        if isinstance(node, list):
            return [
                each for each in (self._node(each, schemas, is_predicted) for each in node) if each is not None
            ] or None
        return said(str(node)) if str(node).strip() else None


def _is_beside(key: str, node: Mapping[str, Any]) -> bool:
    """Whether a key holds what is beside the value of another key."""
    return any(key.endswith(suffix) and key.removesuffix(suffix) in node for suffix in ("_citations", "_meta"))


def _agreement(predicted: dict[str, Any], expected: dict[str, Any]) -> tuple[int, int]:
    """How many values agree, and how many places both have, once the elements of lists are paired."""
    places, others = _places(predicted), _places(expected)
    matched = shared = 0
    for path in places.keys() & others.keys():
        value, other = places[path], others[path]
        if isinstance(value, str) and isinstance(other, str):
            matched, shared = matched + (value == other), shared + 1
        elif isinstance(value, list) and isinstance(other, list):
            more = _of_lists(value, other)
            matched, shared = matched + more[0], shared + more[1]
    return matched, shared


def _of_lists(predicted: list[Any], expected: list[Any]) -> tuple[int, int]:
    counts = np.zeros((2, len(predicted), len(expected)))  # of values that agree, of places that both have
    columns: dict[Any, list[int]] = {}
    lists: dict[Path, list[tuple[int, list[Any]]]] = {}
    for column, element in enumerate(expected):
        for path, value in _places(element).items():
            if isinstance(value, str):
                columns.setdefault((path, value), []).append(column)
                columns.setdefault(path, []).append(column)
            else:
                lists.setdefault(path, []).append((column, value))
    for row, element in enumerate(predicted):
        for path, value in _places(element).items():
            if isinstance(value, str):
                counts[0, row, columns.get((path, value), [])] += 1
                counts[1, row, columns.get(path, [])] += 1
            else:
                for column, other in lists.get(path, ()):
                    counts[:, row, column] += _of_lists(value, other)
    weights = np.where(counts[0] > 0, counts[0] * _MATCHED + counts[1], 0)
    rows, taken = assign(weights)
    matched, shared = (counts[:, rows, taken] * (weights[rows, taken] > 0)).sum(axis=1)
    return int(matched), int(shared)


def _places(node: Any, path: Path = ()) -> dict[Path, Any]:
    """The values and lists of an element, each by the keys that lead to it."""
    if not isinstance(node, dict):
        return {path: node}
    return {place: value for key, child in node.items() for place, value in _places(child, (*path, key)).items()}


def _size(node: Any) -> int:
    """The number of values."""
    if isinstance(node, str):
        return 1
    return sum(map(_size, node.values() if isinstance(node, dict) else node))


_MEANING = "Mean over documents of the share of {} values that agree."
SCORER = Scorer(
    NAME="omni_extract_bench",
    SCORES=(
        Score("accuracy", "higher", "share", _MEANING.format("predicted or expected"), headline=True),
        Score("precision", "higher", "share", _MEANING.format("predicted"), part_of="f1"),
        Score("recall", "higher", "share", _MEANING.format("expected"), part_of="f1"),
        Score("f1", "higher", "share", "Mean over documents of the F1 score of values."),
    ),
    count=count,
    score=score,
    Settings=DocumentSchemas,
)
