"""Kinds of input: what a row of a corpus holds, as far as its form tells."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import chain
from typing import Any

from docie.tagging import is_tag, is_tagged

Pair = tuple[Any, Any]

KINDS = {
    "document": "documents",
    "tagged words": "tagged words",
    "tags": "tags",
    "entities": "lists of entities",
    "boxes": "labelled boxes",
    "value": "any JSON value",
}
"""Every kind that a family may read, and what people call many of them."""
DEFAULTS = {
    "document": "kieval",
    "tagged words": "oi_entities",
    "tags": "entity_f1",
    "entities": "oi_entities",
    "boxes": "box_iou",
    "value": "kieval",
}
"""The family that scores a kind where none is named."""


def kind_of(reference: object) -> str | None:
    """The kind of a reference as it stands in a file; None for an empty list, which may be of several.

    >>> kind_of({"total": "12.00"}), kind_of({"words": ["12.00"], "tags": ["B-total"]}), kind_of(["O", "B-total"])
    ('document', 'tagged words', 'tags')
    >>> kind_of([["total", "12.00"]]), kind_of([{"label": "total", "box": [0, 0, 9, 9]}]), kind_of(["12.00"])
    ('entities', 'boxes', 'value')
    """
    if isinstance(reference, dict):
        return "tagged words" if is_tagged(reference) else "document"
    if not isinstance(reference, list):
        return "value"
    if not reference:
        return None
    first = reference[0]
    if isinstance(first, dict):
        return "boxes" if {"box", "quad"} & first.keys() else "entities" if "category" in first else "value"
    if isinstance(first, list):
        pair = 2 <= len(first) <= 4 and isinstance(first[0], str) and not all(map(is_tag, first))
        return "entities" if pair else "value"  # of nothing but tags, it is a list of tag sequences
    return "tags" if is_tag(first) else "value"


def check_reads(family: str, kinds: Sequence[str], kind: str) -> None:
    """Raise ValueError where a family that reads `kinds` would misread another.

    >>> check_reads("kieval", ("document",), "tagged words")
    Traceback (most recent call last):
    ...
    ValueError: kieval reads documents, but these are tagged words
    """
    if not {kind, "value"} & {*kinds} and kind not in ("document", "value"):  # these have errors of their own
        raise ValueError(f"{family} reads {' or '.join(KINDS[name] for name in kinds)}, but these are {KINDS[kind]}")


def peek(pairs: Iterable[Pair]) -> tuple[str, Iterator[Pair]]:
    """The kind of the first reference that has one, and all pairs (prediction, reference)."""
    rest, seen = iter(pairs), list[Pair]()
    kind = None
    for pair in rest:
        seen.append(pair)
        kind = kind_of(pair[1])
        if kind is not None:
            break
    return kind or "entities", chain(seen, rest)
