"""Kinds of input, and the entity types that a row of any kind holds."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from itertools import chain
from typing import Any, NamedTuple

from docie.core.normalizers.texts import number_text
from docie.core.values.plain import as_list, is_list
from docie.documents.attacked import ATTACKS, is_attacked
from docie.documents.tagging.schemes import OUTSIDE, is_tag, split_tag
from docie.documents.tagging.tagged_words import is_tagged_words
from docie.documents.values import Path, Place, content_of, places_of
from docie.inputs.row import Pair

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
        return "entities" if all(map(_is_entity, reference)) else "value"
    return "tags" if is_tag(first) else "value"


def _is_entity(value: object) -> bool:
    """Whether an element may be an entity: a category, a text and perhaps more. One of tags only is a sequence."""
    if isinstance(value, dict):
        return "category" in value
    return is_list(value) and 2 <= len(value) <= 4 and isinstance(value[0], str) and not all(map(is_tag, value))


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
    """The kind of the first reference that tells it, and all pairs."""
    rest, read, input_kind = iter(pairs), list[Pair](), None
    for pair in rest:
        read.append(pair)
        input_kind = input_kind_of(pair.reference.document)
        if input_kind is not None:
            break
    return input_kind or "entities", chain(read, rest)


_NUMBER = re.compile(r"-?([0-9]{1,15}\.[0-9]{1,15}|0[0-9]{0,14})")  # other whole numbers are written in one way
ALL_INPUTS = ("document", "tagged words", "tags", "entities", "boxes")


def entity_types(value: object, side: str, *, inputs: Collection[str] = ALL_INPUTS) -> set[str]:
    """The entity types of a document, the types of tags, the categories of entities, or the labels of boxes.

    Reads what the metrics read, but never raises: what is no row has no types.

    Args:
        value: the document of a row.
        side: "prediction" or "reference".
        inputs: the kinds of input that are read.

    >>> sorted(entity_types({"shop": "Kedai", "menu": [{"nm": "Latte", "price": ""}]}, "reference"))
    ['menu.nm', 'shop']
    >>> entity_types(["O", "B-total"], "reference"), entity_types([["total", "12.00"]], "reference")
    ({'total'}, {'total'})
    """
    if isinstance(value, Mapping):
        if is_tagged_words(value):
            return _types_of_tags(as_list(value["tags"]))
        return {name for document in _documents(value, inputs) for name, *_ in places_of(document, side)}
    if not is_list(value) or len(value) == 0:
        return set()
    elements = as_list(value)
    if is_tag(elements[0]):
        return _types_of_tags(elements) if "tags" in inputs else set()
    if not {"entities", "boxes"} & {*inputs}:
        return set()
    return {name for element in elements if isinstance(name := _name(element), str)}


def _documents(row: Mapping[str, Any], inputs: Collection[str]) -> list[object]:
    """The document of a row, or all versions of a form."""
    return [*row[ATTACKS].values()] if "attacked" in inputs and is_attacked(row) else [row]


def _types_of_tags(tags: Iterable[object]) -> set[str]:
    flat = [tag for element in tags for tag in (as_list(element) if is_list(element) else [element])]
    return {split_tag(tag)[1] for tag in {tag for tag in flat if is_tag(tag)}} - {OUTSIDE, ""}


def _name(element: object) -> Any:
    """The category of an entity, or the label of a box."""
    if isinstance(element, Mapping):
        return element.get("category", element.get("label"))
    return element[0] if isinstance(element, list | tuple) and element else None


class Seen(NamedTuple):
    """What a row looks like.

    Attributes:
        types: the entity types of all values.
        numbers: those of numbers.
        number_texts: those of texts that write a number as no JSON number is compared, such as "2.50".
        nested: those of lists of lists that look like rows.
        values: the number of values that were looked at.
    """

    types: set[str]
    numbers: set[str]
    number_texts: set[str]
    nested: set[str]
    values: int


def seen_types(value: object, side: str, *, inputs: Collection[str] = ALL_INPUTS) -> Seen:
    """The entity types of a row, as `entity_types` reads them, and which of them are numbers.

    >>> seen = seen_types({"total": 12.0, "tax": "2.50", "items": 3}, "reference")
    >>> seen.types == {"total", "tax", "items"}, seen.numbers == {"total", "items"}, seen.number_texts
    (True, True, {'tax'})
    """
    if not isinstance(value, Mapping) or is_tagged_words(value):
        listed = value["tags"] if isinstance(value, Mapping) else value
        size = len(as_list(listed)) if is_list(listed) else 0
        return Seen(entity_types(value, side, inputs=inputs), set(), set(), set(), size)
    types, numbers, number_texts, nested, values = set[str](), set[str](), set[str](), set[str](), 0
    for document in _documents(value, inputs):
        places = [*places_of(document, side)]
        values += len(places)
        nested |= _types_of_rows(places)
        for name, *_, leaf in places:
            content = content_of(leaf)
            types.add(name)
            if isinstance(content, str):
                if _NUMBER.fullmatch(content) and name not in number_texts and number_text(float(content)) != content:
                    number_texts.add(name)
            elif isinstance(content, int | float) and not isinstance(content, bool):
                numbers.add(name)
    return Seen(types, numbers, number_texts, nested, values)


def _types_of_rows(places: Iterable[Place]) -> set[str]:
    """The entity types of lists of lists that look like rows: two or more have two values or more."""
    rows = Counter((name, path[:-1]) for name, _, path, _ in places if _is_cell(path))
    tables = Counter((name, row[:-1]) for (name, row), values in rows.items() if values > 1)
    return {name for (name, _), number in tables.items() if number > 1}


def _is_cell(path: Path) -> bool:
    """Whether a value is an element of a list in a list."""
    return len(path) > 2 and isinstance(path[-1], int) and isinstance(path[-2], int)
