"""One walk through the answer of any service, as its `Layout` says."""

from __future__ import annotations

import re
from collections import Counter
from typing import Any

from docie.core.errors import json_kind, shortened
from docie.core.values.plain import JsonObject, is_number
from docie.documents.parsed import Parsed

from ..llm import to_document
from ..parsed import issue_lines, scorable
from .layouts import Layout
from .places import first, found_at, scalar_of
from .standing import Path, Standing, heads, path_text

_DROPPED = object()
_FIRST = re.compile(r"[.\[]")  # ends the first key of a path
_MARK = re.compile(r":(un)?selected:")
_TYPES = ("type", "kind", "valueType")
_WITHOUT_VALUE = {*_TYPES, "value_type", "confidence"}
"""The keys of a field that the service did not find."""


def read(layout: Layout, answer: JsonObject, index: int | None, issues: Counter[str]) -> Parsed:
    """Read a document in the answer of a service. Never raises.

    Args:
        layout: where things stand in it.
        answer: the answer.
        index: which of several documents, from 0; None for the first one with fields.
        issues: what was dropped before.
    """
    document, lines = _document(layout, answer, index, issues)
    if document is not None:
        document, changes = scorable(document)
        lines += changes
    return Parsed(document, lines)


def _document(
    layout: Layout, answer: JsonObject, index: int | None, issues: Counter[str]
) -> tuple[JsonObject | None, list[str]]:
    found = next((each for path in layout.root if (each := found_at(answer, path)) is not None), None)
    if isinstance(found, str) and "{" in found:
        opened = to_document(found)
        found, issues = opened.document, issues + Counter(opened.issues)
    if isinstance(found, dict) and found.get("type") == "url" and "url" in found:
        why = f"expected results, got the URL {shortened(found['url'])}; download what it holds"
        return None, [*issue_lines(issues), why]
    meta, fields = first(answer, layout.meta), found
    if layout.fields is not None or (isinstance(found, list) and not layout.label):
        index = _first_with_fields(layout, found) if index is None else index
        if not isinstance(found, list) or not 0 <= index < len(found):
            why = _missing(f"a list of more than {index} documents", layout, found, answer)
            return None, [*issue_lines(issues), why]
        if len(found) > 1:
            issues[f"read document {index + 1} of {len(found)}"] += 1
        found, meta = found[index], meta[index] if isinstance(meta, list) and index < len(meta) else meta
        fields = found if layout.fields is None else found_at(found, layout.fields)
        if fields is None and isinstance(found, dict):  # nothing was found in this document
            fields = [] if layout.label else {}
            issues[f"no {layout.fields!r} in the document"] += 1
    if not isinstance(fields, list if layout.label else dict):
        expected = "a list of fields" if layout.label else "an object"
        return None, [*issue_lines(issues), _missing(expected, layout, fields, answer)]
    walk = _Walk(layout, answer, found, meta, issues)
    document = walk.container(fields, meta, ())
    for key in walk.unused:
        issues[f"dropped what is said about {shortened(key)}, which is no value"] += 1
    return document, issue_lines(issues)


def _first_with_fields(layout: Layout, documents: object) -> int:
    """The place of the first of several documents that has fields; 0 if none has."""
    listed = documents if isinstance(documents, list) and layout.fields else ()
    return next((place for place, each in enumerate(listed) if first(each, (layout.fields or "",))), 0)


def _missing(expected: str, layout: Layout, found: Any, answer: JsonObject) -> str:
    """Why there is no document."""
    status = first(answer, ("status", "JobStatus"))
    more = f" (status {shortened(status)})" if isinstance(status, str) else ""
    got = "nothing" if found is None else json_kind(found)
    return f"expected {expected} at {layout.root[0]!r}, got {got}{more}"


class _Walk:
    """Makes the document of fields. `meta` says where plain values stand, as an object of the same shape."""

    def __init__(self, layout: Layout, answer: JsonObject, document: object, meta: Any, issues: Counter[str]) -> None:
        self.layout, self.issues = layout, issues
        self.standing = Standing(layout.where, answer, document, issues)
        self.flat_meta = meta if layout.is_flat and isinstance(meta, dict) else None
        self.unused = {key: each for key, each in (self.flat_meta or {}).items() if each}

    def node(self, node: Any, meta: Any, path: Path) -> Any:
        """The document of a field: an object, a list or a leaf."""
        layout = self.layout
        if layout.values:
            return self.field(node, path)
        if self.unused:
            self.unused.pop(_key(path), None)
        if isinstance(node, dict) and layout.wrapped and node.keys() >= {*layout.wrapped}:
            node, meta = node["value"], node
        if isinstance(node, dict | list):
            return self.container(node, meta, path)
        return self.leaf(node, meta if self.flat_meta is None else self.flat_meta.get(_key(path)), path)

    def drop(self, path: Path, reason: str) -> Any:
        self.issues[f"dropped {path_text(path)}, {reason}"] += 1
        return _DROPPED

    def field(self, node: Any, path: Path) -> Any:
        """The document of a field that is an object with its value in it."""
        if not isinstance(node, dict):
            return None if node is None else self.drop(path, f"which is {json_kind(node)}, not an object")
        inside, mixed = (first(node, paths) for paths in (self.layout.children, self.layout.mixed))
        inside = mixed if inside is None and _has_objects(mixed) else inside
        if isinstance(inside, dict | list):
            return self.container(inside, None, path)
        value = None if first(node, _TYPES) in self.layout.parents else self.value(node)
        if inside is not None or (value is None and not self.is_empty(node)):
            return self.drop(path, "of which no value can be read")
        if isinstance(value, list):
            return [self.leaf(each, node, path) for each in value]
        return self.leaf(value, node, path)

    def is_empty(self, field: JsonObject) -> bool:
        """Whether the service did not find a field."""
        is_blank = any(found_at(field, at) == "" or field.get(at, "") is None for at in self.layout.values)
        return is_blank or not {key for key in field if field[key]} - _WITHOUT_VALUE

    def value(self, field: JsonObject) -> Any:
        """The value in a field, in the first form in which it has one. That of a mark is not its text."""
        text = None
        for path in self.layout.values:
            value = first(field, (path,))
            value = scalar_of(value) if isinstance(value, dict) else value
            is_plain = not isinstance(value, list) or not any(isinstance(each, dict | list) for each in value)
            if isinstance(value, str) and _MARK.search(value):
                text = value
            elif value is not None and is_plain:
                return value
        return text

    def container(self, inside: Any, meta: Any, path: Path) -> Any:
        """The document of several fields."""
        if isinstance(inside, list) and self.layout.label:
            return self.named(inside, path)
        is_about = isinstance(inside, dict) and isinstance(meta, dict) and not (path and self.layout.is_flat)
        if is_about and inside and meta and {_FIRST.split(key)[0] for key in meta}.isdisjoint(inside):
            self.issues[f"found no confidences and places of {path_text(path) if path else 'the fields'}"] += 1
        children = inside.items() if isinstance(inside, dict) else enumerate(inside)
        made = ((key, self.node(child, self.part(meta, key, path), (*path, key))) for key, child in children)
        kept = [(key, each) for key, each in made if each is not _DROPPED]
        return dict(kept) if isinstance(inside, dict) else [each for _, each in kept]

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

    def leaf(self, value: Any, meta: Any, path: Path) -> Any:
        if value is None:
            return None
        if not self.layout.values and not self.is_known(meta):
            self.issues[f"dropped what is said about {path_text(path)}, which cannot be read"] += 1
        leaf = {"value": value, "confidence": self.confidence(meta, path)}
        page, box = self.standing.of(meta, path)
        return leaf | {key: each for key, each in (("box", box), ("page", page)) if each is not None}

    def is_known(self, meta: Any) -> bool:
        """Whether an object or a list can say something about a value."""
        known = heads(self.layout.where.regions + self.layout.confidences)
        if isinstance(meta, dict):
            return not meta or not known or not known.isdisjoint(meta)
        return meta is None or (isinstance(meta, list) and (not meta or "" in known))

    def confidence(self, meta: Any, path: Path) -> float | None:
        found = [each for at in self.layout.confidences if (each := found_at(meta, at)) is not None]
        known = [each / self.layout.scale for each in found if is_number(each)]
        valid = [each for each in known if 0 <= each <= 1]
        if found and not valid:
            problem = f"which is no number from 0 to {self.layout.scale}"
            self.issues[f"dropped the confidence {shortened(found[0])} of {path_text(path)}, {problem}"] += 1
        lowest = min(valid, default=None)
        if lowest == 0 and self.layout.is_zero_unset:
            self.issues["read a confidence of 0 as none"] += 1
            return None
        return lowest


def _key(path: Path) -> str:
    """A path as the flat metadata write it.

    >>> _key(("items", 0, "name"))
    'items[0].name'
    """
    return "".join(f"[{key}]" if isinstance(key, int) else f".{key}" for key in path).removeprefix(".")


def _has_objects(value: Any) -> bool:
    members = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return any(isinstance(each, dict) for each in members)
