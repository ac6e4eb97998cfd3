"""The entity types that a row holds, whatever kind of input it is."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import Any, NamedTuple

from docie.core.normalizers import number_text
from docie.core.values.depth import MAX_DEPTH
from docie.core.values.keys import longer_path
from docie.core.values.plain import JSON_TYPES, as_list, is_list, plain_value
from docie.documents.kinds import ATTACKS, is_attacked
from docie.documents.leaves import is_leaf, is_scored_leaf
from docie.documents.tagging import OUTSIDE, is_tag, is_tagged_words, split_tag

_NUMBER = re.compile(r"-?[0-9]{1,15}(\.[0-9]{1,15})?")
ALL_INPUTS = ("document", "tagged words", "tags", "entities", "boxes")


def entity_types(value: Any, side: str, *, inputs: Collection[str] = ALL_INPUTS) -> set[str]:
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


def _types_of_tags(tags: Iterable[Any]) -> set[str]:
    flat = [tag for element in tags for tag in (as_list(element) if is_list(element) else [element])]
    return {split_tag(tag)[1] for tag in flat if is_tag(tag)} - {OUTSIDE, ""}


def _name(element: Any) -> Any:
    """The category of an entity, or the label of a box."""
    if isinstance(element, Mapping):
        return element.get("category", element.get("label"))
    return element[0] if isinstance(element, list | tuple) and element else None


class Seen(NamedTuple):
    """The entity types of a row: all, those of numbers, those of texts that write a number as no JSON number is
    compared, and those of lists of lists that look like rows."""

    types: set[str]
    numbers: set[str]
    number_texts: set[str]
    nested: set[str]


def seen_types(value: Any, side: str, *, inputs: Collection[str] = ALL_INPUTS) -> Seen:
    """The entity types of a row, as `entity_types` reads them, and which of them are numbers.

    >>> seen = seen_types({"total": 12.0, "tax": "2.50", "items": 3}, "reference")
    >>> seen.types == {"total", "tax", "items"}, seen.numbers == {"total", "items"}, seen.number_texts
    (True, True, {'tax'})
    """
    if not isinstance(value, Mapping) or is_tagged_words(value):
        return Seen(entity_types(value, side, inputs=inputs), set(), set(), set())
    if "attacked" in inputs and is_attacked(value):
        versions = [seen_types(version, side, inputs=()) for version in value[ATTACKS].values()]
        return Seen(*(set().union(*(version[place] for version in versions)) for place in range(4)))
    seen = Seen(set(), set(), set(), set())
    for path, leaf in _leaves(value, side, seen.nested):
        seen.types.add(path)
        number = _plain(leaf["value"]) if isinstance(leaf, dict) and is_scored_leaf(leaf) else leaf
        if isinstance(number, str):
            if _NUMBER.fullmatch(number) and number_text(float(number)) != number:
                seen.number_texts.add(path)
        elif isinstance(number, int | float) and not isinstance(number, bool):
            seen.numbers.add(path)
    return seen


def _paths(document: Mapping[Any, Any], side: str) -> set[str]:
    """The paths of all values that are not absent."""
    return {path for path, _ in _leaves(document, side)}


def _leaves(document: Mapping[Any, Any], side: str, nested: set[str] | None = None) -> Iterator[tuple[str, Any]]:
    """The path and the leaf of every value that is not absent. `nested` gets the paths of rows that are lists."""
    stack: list[tuple[str, str, Any, int]] = [("", "", document, 0)]
    while stack:
        path, root, value, depth = stack.pop()
        if depth > MAX_DEPTH:  # scoring refuses it; what contains itself has no end
            return
        if type(value) is str:
            if value and not value.isspace():
                yield path, value
            continue
        value = _plain(value)
        if isinstance(value, Mapping) and not is_leaf(value, side):
            for name, child in value.items():
                key = str(name)
                stack.append((longer_path(path, root, key) if root else key, root or key + ".", child, depth + 1))
        elif is_list(value) and not is_leaf(value, side):
            children = as_list(value)
            stack += [(path, root, child, depth + 1) for child in children]
            if nested is not None and sum(is_list(child) and len(child) > 1 for child in children) > 1:
                nested.add(path)
        elif path and value is not None and value == value:  # NaN is absent
            yield path, value


def _plain(value: Any) -> Any:
    try:
        return value if type(value) in JSON_TYPES else plain_value(value)
    except TypeError:  # scoring says so, with its place
        return None
