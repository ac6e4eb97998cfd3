"""Kinds of input, and the entity types that a row of any kind holds."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from itertools import chain
from typing import Any, NamedTuple

from docie.core.errors import DocumentError
from docie.core.normalizers.texts import number_text
from docie.core.values.json_text import MAX_DEPTH
from docie.core.values.plain import JSON_TYPES, as_list, is_list, plain_value
from docie.documents.leaves import is_leaf, is_scored_leaf
from docie.documents.rows import read_row
from docie.documents.tagging.schemes import OUTSIDE, is_tag, split_tag
from docie.documents.tagging.words import is_tagged_words

Pair = tuple[object, object]

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
        if "attacked" in inputs and is_attacked(value):
            return {name for version in value[ATTACKS].values() for name in entity_types(version, side, inputs=())}
        return _types_of_tags(as_list(value["tags"])) if is_tagged_words(value) else _paths(value, side)
    if not is_list(value) or len(value) == 0:
        return set()
    elements = as_list(value)
    if is_tag(elements[0]):
        return _types_of_tags(elements) if "tags" in inputs else set()
    if not {"entities", "boxes"} & {*inputs}:
        return set()
    return {name for element in elements if isinstance(name := _name(element), str)}


def _types_of_tags(tags: Iterable[object]) -> set[str]:
    flat = [tag for element in tags for tag in (as_list(element) if is_list(element) else [element])]
    return {split_tag(tag)[1] for tag in {tag for tag in flat if is_tag(tag)}} - {OUTSIDE, ""}


def _name(element: object) -> Any:
    """The category of an entity, or the label of a box."""
    if isinstance(element, Mapping):
        return element.get("category", element.get("label"))
    return element[0] if isinstance(element, list | tuple) and element else None


class Seen(NamedTuple):
    """The entity types of a row: all, those of numbers, those of texts that write a number as no JSON number is
    compared, and those of lists of lists that look like rows. And how many values were looked at."""

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
    if "attacked" in inputs and is_attacked(value):
        versions = [seen_types(version, side, inputs=()) for version in value[ATTACKS].values()]
        union = set[str]().union
        return Seen(
            union(*(version.types for version in versions)),
            union(*(version.numbers for version in versions)),
            union(*(version.number_texts for version in versions)),
            union(*(version.nested for version in versions)),
            sum(version.values for version in versions),
        )
    types: set[str] = set()
    numbers: set[str] = set()
    nested: set[str] = set()
    texts: set[tuple[str, str]] = set()
    values = 0
    for path, leaf in _leaves(value, side, nested):
        values += 1
        types.add(path)
        found = _plain(leaf["value"]) if isinstance(leaf, dict) and is_scored_leaf(leaf) else leaf
        if isinstance(found, str):
            if _NUMBER.fullmatch(found):
                texts.add((path, found))
        elif isinstance(found, int | float) and not isinstance(found, bool):
            numbers.add(path)
    number_texts = {path for path, text in texts if number_text(float(text)) != text}
    return Seen(types, numbers, number_texts, nested, values)


def _paths(document: Mapping[str, object], side: str) -> set[str]:
    """The paths of all values that are not absent."""
    return {path for path, _ in _leaves(document, side)}


def _leaves(document: Mapping[str, object], side: str, nested: set[str] | None = None) -> Iterator[tuple[str, object]]:
    """The path and the leaf of every value that is not absent. `nested` gets the paths of rows that are lists."""
    stack: list[tuple[str, str, object, int]] = [("", "", document, 0)]
    while stack:
        path, root, value, depth = stack.pop()
        if depth > MAX_DEPTH:  # scoring refuses it; what contains itself has no end
            return
        if type(value) is str:
            if value and not value.isspace():
                yield path, value
            continue
        value = _plain(value)
        if isinstance(value, dict) and not is_leaf(value, side):
            for name, child in value.items():
                key = name if type(name) is str else str(name)
                place = key if key.startswith(root) else f"{path}.{key}"  # as `longer_path`; the first root is empty
                if type(child) is not str:
                    stack.append((place, root or key + ".", child, depth + 1))
                elif child and not child.isspace():  # most values are texts
                    yield place, child
        elif isinstance(value, list | tuple) and not is_leaf(value, side):
            stack += [(path, root, child, depth + 1) for child in value]
            if nested is not None and sum(is_list(child) and len(child) > 1 for child in value) > 1:
                nested.add(path)
        elif path and value is not None and value == value:  # NaN is absent
            yield path, value


def _plain(value: object) -> object:
    try:
        return value if type(value) in JSON_TYPES else plain_value(value)
    except TypeError:  # scoring says so, with its place
        return None
