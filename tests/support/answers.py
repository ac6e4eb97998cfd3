"""What the tests of answers ask of documents, and where the values stand in a text."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

import docie
from docie.adapters.grouping import entities
from docie.core.family import get

FAMILIES: list[Any] = [get(name) for name in docie.families() if "document" in get(name).INPUTS]
"""Those that read documents."""


def check_scorable(document: Any, families: list[Any] = FAMILIES) -> None:
    for family in families:
        counts = family.count(document, {"menu": [{"nm": "Latte"}], "total": "1"})
        assert counts.invalid_predictions == 0
    entities(document, side="prediction")


def leaves(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[tuple[Any, ...], Any]]:
    """Every scalar with its path."""
    if isinstance(value, dict | list):
        for key, child in value.items() if isinstance(value, dict) else enumerate(value):
            yield from leaves(child, (*path, key))
    else:
        yield path, value


def values(text: str) -> list[tuple[tuple[Any, ...], int, int]]:
    """Every scalar of the valid object in a text: path, start and end, quotes included."""
    start = text.index("{")
    document, end = json.JSONDecoder().raw_decode(text, start)
    tokens = re.finditer(r'("(?:[^"\\]|\\.)*")(\s*:)?|[^\s{}\[\],:"]+', text[start:end])
    places = [(start + token.start(), start + token.end()) for token in tokens if not token[2]]
    return [(path, *place) for (path, _), place in zip(leaves(document), places, strict=True)]
