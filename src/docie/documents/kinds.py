"""Kinds of input: what a row of a corpus holds, as far as its form tells."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain
from typing import Any

from docie.core.errors import DocumentError
from docie.documents.rows import read_row
from docie.documents.tagging import is_tag, is_tagged_words

Pair = tuple[Any, Any]

INPUT_KINDS = {
    "document": "documents",
    "tagged words": "tagged words",
    "tags": "tags",
    "entities": "lists of entities",
    "boxes": "labelled boxes",
    "attacked": "forms with attacked versions",
    "value": "any JSON value",
}
"""Every kind of input that a family may read, and its plural."""


ATTACKS = "attacks"
"""The only key of a form with attacked versions: it holds a document for each attack."""


def is_attacked(value: object) -> bool:
    """Whether a row holds the versions of a form under attacks.

    >>> is_attacked({"attacks": {"none": {"total": "12.00"}, "key_drop": {}}}), is_attacked({"attacks": "12"})
    (True, False)
    """
    return isinstance(value, Mapping) and value.keys() == {ATTACKS} and isinstance(value[ATTACKS], Mapping)


def input_kind_of(reference: object) -> str | None:
    """The kind of a reference as it stands in a file; None for an empty list, which may be of several.

    >>> input_kind_of({"total": "12.00"}), input_kind_of({"words": ["12.00"], "tags": ["B-total"]})
    ('document', 'tagged words')
    >>> input_kind_of(["O", "B-total"]), input_kind_of([["total", "12.00"]])
    ('tags', 'entities')
    >>> input_kind_of([{"label": "total", "box": [0, 0, 9, 9]}]), input_kind_of(["12.00"])
    ('boxes', 'value')
    """
    if isinstance(reference, dict):
        if is_attacked(reference) and any(isinstance(version, dict) for version in reference[ATTACKS].values()):
            return "attacked"
        return "tagged words" if is_tagged_words(reference) else "document"
    if not isinstance(reference, list):
        return "value"
    if not reference:
        return None
    first = reference[0]
    if isinstance(first, dict):
        return "boxes" if {"box", "quad"} & first.keys() else "entities" if "category" in first else "value"
    if isinstance(first, list):
        is_entity = 2 <= len(first) <= 4 and isinstance(first[0], str) and not all(map(is_tag, first))
        return "entities" if is_entity else "value"  # a list of tags only is a list of sequences
    return "tags" if is_tag(first) else "value"


def check_input_kind(family: str, kinds: Sequence[str], input_kind: str) -> None:
    """Raise ValueError if a family that reads `kinds` would misread another.

    >>> check_input_kind("kieval", ("document",), "tagged words")
    Traceback (most recent call last):
    ...
    ValueError: kieval reads documents, but these are tagged words
    """
    # families have errors of their own for what is neither document nor list
    if not {input_kind, "value"} & {*kinds} and input_kind not in ("document", "value"):
        expected = " or ".join(INPUT_KINDS[kind] for kind in kinds)
        raise ValueError(f"{family} reads {expected}, but these are {INPUT_KINDS[input_kind]}")


def peek_input_kind(pairs: Iterable[Pair]) -> tuple[str, Iterator[Pair]]:
    """The kind of the first reference that tells it, and all pairs of rows (prediction, reference)."""
    rest = iter(pairs)
    read: list[Pair] = []
    input_kind = None
    for pair in rest:
        read.append(pair)
        try:
            input_kind = input_kind_of(read_row(pair[1], "reference"))
        except DocumentError:  # a text that is no JSON
            input_kind = "value"
        if input_kind is not None:
            break
    return input_kind or "entities", chain(read, rest)
