"""Types of tags, entities and boxes under other names, or left out."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from docie.core.values.plain import as_list, is_list
from docie.documents.tagging.schemes import OUTSIDE, is_tag, split_tag

Rename = Callable[[str], str | None]
"""From a type to its new name; None if it is left out."""
Normalize = Callable[[str, str], str]


def with_types(document: Any, rename: Rename, normalize: Normalize | None = None) -> Any:
    """Tagged words, tags, entities or boxes whose types have other names.

    Args:
        document: a document of one of these kinds.
        rename: gives the new name of a type; None leaves it out: its words get the tag O.
        normalize: what texts of entities are written as, from entity type and text; words stay as they are.

    >>> with_types({"words": ["Total", "9"], "tags": ["O", "B-sum"]}, {"sum": "total"}.get)
    {'words': ['Total', '9'], 'tags': ['O', 'B-total']}
    >>> with_types([["sum", "9"], {"category": "note", "text": "-"}], {"sum": "total"}.get)
    [['total', '9']]
    >>> with_types([{"label": "sum", "box": [0, 0, 9, 9]}], {"sum": "total"}.get)
    [{'label': 'total', 'box': [0, 0, 9, 9]}]
    """
    if isinstance(document, Mapping):
        return {**document, "tags": _tags(as_list(document["tags"]), rename)}
    if document and is_tag(document[0]):
        return _tags(document, rename)
    elements = (_element(each, rename, normalize) for each in document)
    return [each for each in elements if each is not None]


def _tags(tags: list[Any], rename: Rename) -> list[Any]:
    return [_tags(as_list(tag), rename) if is_list(tag) else _tag(tag, rename) for tag in tags]


def _tag(tag: Any, rename: Rename) -> Any:
    if tag == OUTSIDE or not is_tag(tag):  # what is no tag is refused when it is scored
        return tag
    prefix, name = split_tag(tag)
    new = rename(name)
    return tag if new == name else OUTSIDE if new is None else f"{prefix}-{new}"


def _element(element: Any, rename: Rename, normalize: Normalize | None) -> Any:
    """An entity or a box; None if it is left out. What is neither is refused when it is scored."""
    is_object = isinstance(element, Mapping)
    if not is_object and not is_list(element):
        return element
    parts: dict[Any, Any] = dict(element) if is_object else dict(enumerate(element))
    name, text = (0, 1) if not is_object else ("category", "text") if "category" in parts else ("label", "")
    if not isinstance(parts.get(name), str):
        return element
    parts[name] = rename(parts[name])
    if parts[name] is None:
        return None
    if normalize is not None and isinstance(parts.get(text), str):
        parts[text] = normalize(parts[name], parts[text])
    return parts if is_object else [*parts.values()]
