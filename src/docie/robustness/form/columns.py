"""The columns of records of words."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

from docie.core.errors import in_json, json_kind
from docie.core.settings import check_list
from docie.core.values.plain import as_list, is_list, plain_value
from docie.documents.tagging import OUTSIDE, find_spans, split_tag

WORDS, BOXES = ("words", "tokens"), ("boxes", "bboxes", "bbox")
TAGS = "ner_tags"
NO_LABELS = ("", OUTSIDE, None)


def named(record: Mapping[str, Any], choices: Sequence[str], *, needed: bool = True) -> str:
    """The name of the column that a record has of several that mean the same; "" for none."""
    found = next((name for name in choices if record.get(name) is not None), "")
    if needed and not found:
        raise ValueError(f"column {choices[0]!r} is missing")
    return found


def column(record: Mapping[str, Any], name: str, words: int | None = None, *, default: Any = None) -> list[Any]:
    """A column with an element for each word; the default for each word if the record has no such column."""
    values = record.get(name)
    if values is None and words is not None:
        return [default] * words
    if not is_list(values):
        raise ValueError(f"{name} must be a list, got {json_kind(values)}")
    elements = list(as_list(values))
    if words is not None and len(elements) != words:
        raise ValueError(f"{name} must be as long as the words, got {len(elements)} and {words}")
    return elements


def finite(value: Any) -> bool:
    """Whether a value is a number that is not infinite."""
    return isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value)


def label_texts(
    record: Mapping[str, Any], words: int, names: Sequence[str] | None
) -> tuple[list[str], list[int | None] | None]:
    """The label of each word, "" for none, and the number of its span if the record has tags."""
    is_tagged = record.get(TAGS) is not None
    texts = tag_texts(record, TAGS if is_tagged else "labels", words, names)
    if not is_tagged and not _are_tags(texts):
        return ["" if text in NO_LABELS else text for text in texts], None
    labels = [""] * words
    numbers: list[int | None] = [None] * words
    for number, span in enumerate(find_spans(texts)):
        for position in range(span.first, span.last + 1):
            labels[position], numbers[position] = span.type, number
    return labels, numbers


def tag_texts(record: Mapping[str, Any], name: str, words: int, names: Sequence[str] | None) -> list[str]:
    """The labels or tags of a column as texts."""
    if names is not None:
        check_list("names", names)
    texts = []
    for position, element in enumerate(column(record, name, words, default=OUTSIDE)):
        value = plain_value(element)
        if isinstance(value, int) and not isinstance(value, bool):
            if names is None:
                raise ValueError(f"{name} has numbers, whose names must be given as names=")
            if not 0 <= value < len(names):
                raise ValueError(f"{name} must be from 0 to {len(names) - 1}, got {value} at {position}")
            value = names[value]
        if not isinstance(value, str | None):
            raise ValueError(f"{name} must be texts or whole numbers, got {in_json(value)} at {position}")
        texts.append(value or OUTSIDE)
    return texts


def _are_tags(texts: Sequence[str]) -> bool:
    """Whether labels are tags: all that are not O have a prefix."""
    inside = [text for text in texts if text != OUTSIDE]
    return bool(inside) and all(text[:2] in ("B-", "I-") and split_tag(text)[1] for text in inside)


def entity_numbers(record: Mapping[str, Any], words: int) -> list[int | None]:
    """The number of the entity of each word, None for none."""
    numbers = [plain_value(number) for number in column(record, "entities", words)]
    wrong = [number for number in numbers if number is not None and not isinstance(number, int | str)]
    if wrong:
        raise ValueError(f"entities must be numbers, texts or null, got {in_json(wrong[0])}")
    return numbers


def linked_entities(record: Mapping[str, Any]) -> list[tuple[Any, Any]] | None:
    """The links as (entity of the key, entity of the value); None if the record has none."""
    if record.get("links") is None:
        return None
    if record.get("entities") is None:
        raise ValueError("links need the column 'entities', whose numbers they name")
    links = []
    for position, link in enumerate(column(record, "links")):
        ends = [plain_value(end) for end in as_list(link)] if is_list(link) else []
        if len(ends) != 2 or not all(isinstance(end, int | str) for end in ends):
            raise ValueError(f"links must be pairs of entities, got {in_json(link)} at {position}")
        links.append((ends[0], ends[1]))
    return links
