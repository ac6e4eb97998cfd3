"""One walk through the answer of any service, as its `Layout` says."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable
from functools import partial
from typing import Any

from docie.core.errors import json_kind, shortened
from docie.core.values.json_text import with_deep_recursion
from docie.core.values.plain import JsonObject
from docie.documents.rows import Parsed

from ..llm import to_document
from ..parsed import issue_lines, scorable
from .layouts import Layout
from .leaves import Leaves, Path, path_text
from .places import first, found_at, page_number

Preparation = Callable[[JsonObject, Counter[str]], JsonObject]
"""Brings what is special in an answer into the shape of its layout, and counts what it drops."""
_DROPPED = object()
_FIRST = re.compile(r"[.\[]")  # ends the first key of a path
_WITHOUT_VALUE = {"type", "confidence"}
"""The keys of a field that the service did not find."""


def read(
    layout: Layout, answer: object, *, index: int = 0, normalized: bool = False, prepare: Preparation | None = None
) -> Parsed:
    """Read a document in the answer of a service. Never raises.

    Args:
        layout: where things stand in it.
        answer: the answer, or its JSON text.
        index: which of several documents, from 0.
        normalized: whether values are read in the form that the service gives them, rather than as they are printed.
        prepare: what to do with the answer first.
    """
    opened = to_document(answer)
    if not isinstance(opened.document, dict):
        return opened
    values = layout.normalized + layout.values if normalized else layout.values + layout.normalized
    work = partial(_document, layout._replace(values=values), opened.document, index, prepare)
    document, issues = with_deep_recursion(work)
    if document is not None:
        document, changes = scorable(document)
        issues += changes
    return Parsed(document, opened.issues + issues)


def _document(
    layout: Layout, answer: JsonObject, index: int, prepare: Preparation | None
) -> tuple[JsonObject | None, list[str]]:
    issues: Counter[str] = Counter()
    answer = prepare(answer, issues) if prepare else answer
    found = next((each for path in layout.root if (each := found_at(answer, path)) is not None), None)
    meta = first(answer, layout.meta)
    fields: Any = found
    if isinstance(found, dict) and found.get("type") == "url" and "url" in found:
        return None, [f"expected results, got the URL {shortened(found['url'])}; download what it holds"]
    if layout.fields is not None or (isinstance(found, list) and not layout.label):
        if not isinstance(found, list) or not 0 <= index < len(found):
            return _nothing(f"a list of more than {index} documents", layout, found, answer)
        if len(found) > 1:
            issues[f"read document {index + 1} of {len(found)}"] += 1
        found = found[index]
        meta = meta[index] if isinstance(meta, list) and index < len(meta) else meta
        fields = found if layout.fields is None else found_at(found, layout.fields)
        if fields is None and isinstance(found, dict):  # nothing was found in this document
            fields = [] if layout.label else {}
            issues[f"no {layout.fields!r} in the document"] += 1
    if not isinstance(fields, list if layout.label else dict):
        return _nothing("a list of fields" if layout.label else "an object", layout, fields, answer)
    walk = _Walk(layout, Leaves(layout, answer, found), meta)
    document = walk.container(fields, meta, ())
    for key in walk.unused:
        walk.issues[f"dropped what is said about {shortened(key)}, which is no value"] += 1
    return document, issue_lines(issues + walk.leaves.issues)


def _nothing(expected: str, layout: Layout, found: Any, answer: JsonObject) -> tuple[None, list[str]]:
    """Why there is no document."""
    status = first(answer, ("status",))
    more = f" (status {shortened(status)})" if isinstance(status, str) else ""
    got = "nothing" if found is None else json_kind(found)
    return None, [f"expected {expected} at {layout.root[0]!r}, got {got}{more}"]


class _Walk:
    """Makes the document of fields. `meta` says where plain values stand, as an object of the same shape."""

    def __init__(self, layout: Layout, leaves: Leaves, meta: Any) -> None:
        self.layout, self.leaves, self.issues = layout, leaves, leaves.issues
        self.flat_meta = meta if layout.is_flat and isinstance(meta, dict) else None
        self.unused = {key: each for key, each in (self.flat_meta or {}).items() if each}

    def node(self, node: Any, meta: Any, path: Path) -> Any:
        """The document of a field: an object, a list or a leaf."""
        layout = self.layout
        if layout.values:
            return self.field(node, path)
        if self.unused:
            self.unused.pop(_key(path), None)
        if isinstance(node, dict) and layout.wrapped and node.keys() >= layout.wrapped:
            node, meta = node["value"], node
        if isinstance(node, dict | list):
            return self.container(node, meta, path)
        return self.leaves.leaf(node, meta if self.flat_meta is None else self.flat_meta.get(_key(path)), path)

    def drop(self, path: Path, reason: str) -> Any:
        self.issues[f"dropped {path_text(path)}, {reason}"] += 1
        return _DROPPED

    def field(self, node: Any, path: Path) -> Any:
        """The document of a field that is an object with its value in it."""
        if not isinstance(node, dict):
            return None if node is None else self.drop(path, f"which is {json_kind(node)}, not an object")
        inside = first(node, self.layout.children)
        if isinstance(inside, dict | list):
            return self.container(inside, None, path)
        value = None if node.get("type") in self.layout.parents else self.value(node)
        is_empty = any(found_at(node, at) == "" for at in self.layout.values)
        is_empty = is_empty or not {key for key in node if node[key]} - _WITHOUT_VALUE
        if inside is not None or (value is None and not is_empty):
            return self.drop(path, "of which no value can be read")
        if isinstance(value, list):
            return [self.leaves.leaf(each, node, path) for each in value]
        return self.leaves.leaf(value, node, path)

    def value(self, field: JsonObject) -> Any:
        """The value in a field, in the first form in which it has one."""
        for path in self.layout.values:
            value = first(field, (path,))
            value = _scalar(value) if isinstance(value, dict) else value
            is_plain = not isinstance(value, list) or not any(isinstance(each, dict | list) for each in value)
            if value is not None and is_plain:
                return value
        return None

    def container(self, inside: Any, meta: Any, path: Path) -> Any:
        """The document of several fields."""
        if isinstance(inside, dict):
            is_about = meta and (self.flat_meta is None or not path)
            if (
                isinstance(meta, dict)
                and is_about
                and inside
                and {_FIRST.split(key)[0] for key in meta}.isdisjoint(inside)
            ):
                self.issues[f"found no confidences and places of {path_text(path) if path else 'the fields'}"] += 1
            fields = {key: self.part_of(child, meta, key, path) for key, child in inside.items()}
            return {key: field for key, field in fields.items() if field is not _DROPPED}
        if self.layout.label:
            return self.named(inside, path)
        elements = [self.part_of(child, meta, number, path) for number, child in enumerate(inside)]
        return [element for element in elements if element is not _DROPPED]

    def part_of(self, child: Any, meta: Any, key: str | int, path: Path) -> Any:
        """The document of one of the fields in an object or a list."""
        return self.node(child, self.part(meta, key, path), (*path, key))

    def part(self, meta: Any, key: str | int, path: Path) -> Any:
        """What `meta` says about one of the fields in an object or a list. Of all elements, it may say the same."""
        if isinstance(meta, dict):
            return meta if isinstance(key, int) else meta.get(key)
        if isinstance(meta, list) and isinstance(key, int):
            return meta[key] if key < len(meta) else None
        if meta is not None:
            self.issues[f"dropped what is said about {path_text(path)}, which cannot be read"] += 1
        return None

    def named(self, fields: list[Any], path: Path) -> JsonObject:
        """An object of the fields in a list. Several of one name make a list."""
        values: dict[str, list[Any]] = {}
        for field in fields:
            name = first(field, self.layout.label)
            if not isinstance(name, str):
                self.drop((*path, "?"), "which has no name")
                continue
            if path and self.layout.separator:
                name = name.rpartition(self.layout.separator)[2]
            value = self.node(field, None, (*path, name))
            if value is not _DROPPED:
                values.setdefault(name, []).append(value)
        lists = self.layout.lists
        return {name: each if len(each) > 1 or name in lists else each[0] for name, each in values.items()}


def _scalar(value: JsonObject) -> object:
    """An amount of money or a date as one value; None for any other object.

    >>> _scalar({"currencyCode": "USD", "units": "3", "nanos": 500000000}), _scalar({"amount": 7.5})
    (3.5, 7.5)
    >>> _scalar({"year": 2024, "month": 2, "day": 1}), _scalar({"city": "Trier"})
    ('2024-02-01', None)
    """
    if "amount" in value:
        return None if isinstance(value["amount"], dict | list) else value["amount"]
    if value.keys() & {"units", "nanos"}:
        units, nanos = value.get("units", 0), value.get("nanos", 0)
        try:
            return float(units) + float(nanos) / 10**9
        except (TypeError, ValueError, OverflowError):
            return None
    year, month, day = (page_number(value.get(key)) for key in ("year", "month", "day"))
    return f"{year:04}-{month:02}-{day:02}" if year and month and day else None


def _key(path: Path) -> str:
    """A path as the flat metadata write it.

    >>> _key(("items", 0, "name"))
    'items[0].name'
    """
    return "".join(f"[{key}]" if isinstance(key, int) else f".{key}" for key in path).removeprefix(".")
