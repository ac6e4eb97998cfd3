"""Kleister NDA and Kleister Charity: contracts and annual reports of many pages."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from docie.core.errors import shortened

from ..grouping import Entity, to_document
from .fields import any_of, inside, list_of, objects, parsed, reading, text


def kleister(record: Mapping[str, Any]) -> dict[str, Any]:
    """The reference document of a contract or annual report: ungrouped entities, whose types stay as they are.

    Source: Stanisławek et al., "Kleister: Key Information Extraction Datasets Involving Long Documents with Complex
    Layouts" (2021); Borchmann et al., "DUE: End-to-End Document Understanding Benchmark" (2021).

    Args:
        record (dict): a record with a line of `expected.tsv`, the file of both data sets, in the column `expected`:
            pairs `key=value` with blanks between them. Underscores in values stand for blanks (and for colons, which
            cannot be told from them). A key that comes several times, as `party` does, has several values. Or a record
            with the column `annotations` of the versions in DUE's format (`meta/KleisterCharity` of
            `mPLUG/DocDownstream-1.0`): a list of `key` and `values`, each with its `value`, and with `value_variants`
            if any one of these is right.

    Returns:
        dict: a document.

    Raises:
        ValueError: for what is missing or malformed; it names record and field.

    >>> kleister({"expected": "effective_date=2014-05-20 party=Ada_Ltd. party=Babbage_Inc."})
    {'effective_date': '2014-05-20', 'party': ['Ada Ltd.', 'Babbage Inc.']}
    >>> kleister({"annotations": [{"key": "report_date", "values": [{"value": "2016-03-31"}]}]})
    {'report_date': '2016-03-31'}
    """
    with reading("Kleister", record, "name"):
        if "expected" in record:
            return _document(_pair(pair) for pair in text(record, "expected").split())
        pairs: list[tuple[str, Any]] = []
        annotations = objects({"annotations": parsed(record, "annotations")}, "annotations")
        for position, annotation in enumerate(annotations):
            with inside(f"annotations {position}"):
                key = text(annotation, "key")
                values = objects(annotation, "values")
                pairs += [(key, any_of([text(value, "value"), *_variants(value)])) for value in values]
        return _document(pairs)


def _pair(pair: str) -> tuple[str, str]:
    key, equals, value = pair.partition("=")
    if not key or not equals:
        raise ValueError(f"field 'expected' must be pairs key=value, got {shortened(pair)}")
    return key, value.replace("_", " ").strip()


def _variants(value: Mapping[str, Any]) -> list[str]:
    if value.get("value_variants") is None:
        return []
    return list_of(value, "value_variants", str, "a list of text")


def _document(pairs: Iterable[tuple[str, Any]]) -> dict[str, Any]:
    return to_document([], [Entity(key, value) for key, value in pairs if value])
