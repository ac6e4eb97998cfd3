"""JSON Schemas: what they say about a value, through references, branches and list elements; and the option `schema`,
by which a schema sets how the values of its entity types are compared.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import unquote

from docie.core.errors import shortened, warn
from docie.core.normalizers.specs import normalizer_of
from docie.core.phrases import some_of
from docie.core.rules.match import rules_of
from docie.core.rules.weights import check_weight
from docie.core.values.json_text import loads
from docie.core.values.plain import longer_path

_BRANCHES = ("anyOf", "oneOf", "allOf", "prefixItems")
_PARTS = ("items", "then", "else")

Schemas = tuple[Any, ...]
"""The schemas of one value."""


class Shape(NamedTuple):
    """What schemas say about the objects in a value.

    Attributes:
        properties: the schemas of each property.
        others: the schemas of other keys; None if no other keys are allowed.
    """

    properties: dict[str, Schemas]
    others: Schemas | None


def schema_root(schema: object) -> Mapping[str, object]:
    """A JSON Schema as it is, or that of a class with `model_json_schema()`, such as a pydantic model.

    Raises:
        ValueError: if it is anything else.

    >>> schema_root("total")
    Traceback (most recent call last):
    ...
    ValueError: schema must be a JSON Schema or a pydantic model class, got 'total'
    """
    made = getattr(schema, "model_json_schema", None)
    root = made() if callable(made) else schema
    if not isinstance(root, Mapping):
        raise ValueError(f"schema must be a JSON Schema or a pydantic model class, got {shortened(root)}")
    return root


def parts_of(root: Mapping[str, object], schemas: Schemas) -> list[Mapping[str, object]]:
    """The schemas of a value and all that they refer to: references, branches, and the schemas of list elements.

    >>> root = {"$defs": {"Name": {"type": "string"}}}
    >>> parts_of(root, ({"type": "array", "items": {"$ref": "#/$defs/Name"}},))[-1]
    {'type': 'string'}
    """
    parts: list[Mapping[str, object]] = []
    seen: set[int] = set()
    waiting = list(schemas)
    while waiting:
        schema = waiting.pop()
        if not isinstance(schema, Mapping) or id(schema) in seen:
            continue
        seen.add(id(schema))
        parts.append(schema)
        if "$ref" in schema:
            waiting.append(_referred(root, schema["$ref"]))
        for branch in _BRANCHES:
            if isinstance(schema.get(branch), list | tuple):
                waiting += reversed(schema[branch])
        waiting += [schema[part] for part in _PARTS if part in schema]
    return parts


def shape_of(root: Mapping[str, object], schemas: Schemas) -> Shape:
    """The properties of the objects in a value, and the schemas of other keys."""
    properties: dict[str, Schemas] = {}
    others: Schemas | None = None
    for schema in parts_of(root, schemas):
        named, patterns = schema.get("properties"), schema.get("patternProperties")
        if isinstance(named, Mapping):
            for name, inner in named.items():
                properties[name] = (*properties.get(name, ()), inner)
        if schema.get("additionalProperties") not in (None, False):
            others = (*(others or ()), schema["additionalProperties"])
        if isinstance(patterns, Mapping):
            others = (*(others or ()), *patterns.values())
    return Shape(properties, others)


def _referred(root: Mapping[str, object], reference: object) -> object:
    """The target of `#/$defs/name`; None if it is not in the schema."""
    if not isinstance(reference, str) or not f"{reference}/".startswith("#/"):
        return None
    target: object = root
    for part in unquote(reference).split("/")[1:]:
        name = part.replace("~1", "/").replace("~0", "~")
        if isinstance(target, Mapping):
            target = target.get(name)
        elif isinstance(target, list) and name.isdecimal() and int(name) < len(target):
            target = target[int(name)]
        else:
            return None
    return target


TEXT = ("nfkc", "casefold", "whitespace")
"""The normalizers for text."""
_BY_KIND = {"date": ("date",), "number": ("number",), "boolean": ("boolean",), "text": TEXT}
"""The normalizers for each kind of value, in the order in which they apply to a type of several kinds."""
_KINDS = {"number": "number", "integer": "number", "boolean": "boolean", "string": "text"}
_DATES = ("date", "date-time")
_NAMED = 5


class Field(NamedTuple):
    """What a schema says about an entity type: normalizers, a match rule or None, a weight or None."""

    normalize: tuple[str, ...]
    match: str | None = None
    weight: float | None = None


@dataclass(frozen=True)
class Schema:
    """What schemas say about each entity type. In a signature: the number of types and a checksum.

    Attributes:
        fields: from each entity type to what they say.
        is_one: whether there is a single one.
    """

    fields: Mapping[str, Field]
    is_one: bool = True

    def __str__(self) -> str:
        text = json.dumps(sorted(self.fields.items()))
        return f"{len(self.fields)} types sha256={hashlib.sha256(text.encode()).hexdigest()[:12]}"

    @property
    def normalizers(self) -> dict[str, tuple[str, ...]]:
        """The normalizers of each type."""
        return {entity_type: field.normalize for entity_type, field in self.fields.items()}

    @property
    def matches(self) -> dict[str, str]:
        """The match rules of the types that have one."""
        return {entity_type: field.match for entity_type, field in self.fields.items() if field.match is not None}

    @property
    def weights(self) -> dict[str, float]:
        """The weights of the types that have one."""
        return {entity_type: field.weight for entity_type, field in self.fields.items() if field.weight is not None}


def read_schema(schema: object) -> Schema | None:
    """What an option `schema` says about each entity type.

    Numbers and integers are compared as numbers, `format: date` and `date-time` as dates, booleans as truth values, and
    all other values as text, ignoring case, white space and variants of Unicode. A property may override this by
    `x-docie-normalize`, `x-docie-match` and `x-docie-weight`.

    Args:
        schema: a JSON Schema, the path of a file with one or several (JSON, or JSON Lines), a class with
            `model_json_schema()`, or a list of these; None. If the schemas of a list disagree, values are compared as
            text.

    Returns:
        Schema: the normalizers, rules and weights; empty for None.

    Raises:
        ValueError: if it is not a schema, or names no entity type.

    >>> item = {"type": "array", "items": {"properties": {"price": {"type": "number"}, "nm": {"type": "string"}}}}
    >>> read_schema({"properties": {"menu": item, "paid": {"type": "string", "format": "date"}}}).normalizers
    {'menu.price': ('number',), 'menu.nm': ('nfkc', 'casefold', 'whitespace'), 'paid': ('date',)}
    """
    if schema is None or isinstance(schema, Schema):
        return schema
    fields: dict[str, Field] = {}
    disputed: dict[str, None] = {}
    schemas = [*_listed(schema)]
    for each in schemas:
        own = _fields(schema_root(each))
        if not own:
            raise ValueError(f"schema: expected a JSON Schema with properties, got {shortened(each)}")
        disputed |= {name: None for name, field in own.items() if fields.get(name, field) != field}
        fields |= own
    if disputed:
        warn(f"schema: schemas disagree on {some_of(map(repr, disputed), _NAMED)}; these are compared as text")
    return Schema({**fields, **dict.fromkeys(disputed, Field(TEXT))}, len(schemas) == 1)


def _listed(schema: object) -> Iterable[object]:
    """The schemas of an option."""
    schemas = list(schema) if isinstance(schema, list | tuple) else [schema]
    if not schemas:
        raise ValueError("schema: expected a JSON Schema, got an empty list")
    return [
        each for one in schemas for each in (_read_file(Path(one)) if isinstance(one, str | os.PathLike) else [one])
    ]


def _read_file(path: Path) -> list[object]:
    """The schemas in a file: one, a list, or one a line; a row may hold its schema under the key `schema`."""
    try:
        text = path.read_text(encoding="utf-8-sig")
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
        raise ValueError(f"schema: {path}: cannot be read ({reason})") from None
    try:
        value = loads(text)
    except ValueError as error:
        try:
            value = [loads(line) for line in text.splitlines() if line.strip()]
        except ValueError:
            raise ValueError(f"schema: {path}: not JSON ({error})") from None
    rows = value if isinstance(value, list) else [value]
    if not rows:
        raise ValueError(f"schema: {path}: holds no JSON Schema")
    return [_unwrapped(row) for row in rows]


def _unwrapped(row: object) -> object:
    if isinstance(row, Mapping) and isinstance(row.get("schema"), Mapping) and "properties" not in row:
        return row["schema"]
    return row


def _fields(root: Mapping[str, object]) -> dict[str, Field]:
    """What a schema says about each entity type."""
    fields: dict[str, Field] = {}
    stack: list[tuple[str, str, Schemas, frozenset[Schemas]]] = [("", "", (root,), frozenset())]
    while stack:
        path, top, schemas, above = stack.pop()
        parts = parts_of(root, schemas)
        key = tuple(map(id, parts))
        if key in above:  # a schema that refers to itself
            continue
        for part in parts:
            _check_part(path, part)
        if path and (field := _field(path, parts)) is not None:
            fields[path] = field
        properties = shape_of(root, schemas).properties
        for name in reversed(properties):
            inner = longer_path(path, top, name) if top else name
            stack.append((inner, top or f"{name}.", properties[name], above | {key}))
    return fields


def _field(path: str, parts: list[Mapping[str, Any]]) -> Field | None:
    """What the schemas of one value say; None if it is not a single value."""
    kinds = {kind for part in parts for kind in _kinds(part)}
    is_structure = any(part.keys() & {"properties", "additionalProperties", "patternProperties"} for part in parts)
    is_structure = is_structure or any("object" in _types(part) for part in parts)
    said = {name: part[name] for part in reversed(parts) for name in part if str(name).startswith("x-docie-")}
    if not kinds and is_structure and not said:
        return None
    normalize = tuple(name for kind, names in _BY_KIND.items() if kind in (kinds or {"text"}) for name in names)
    match, weight = said.get("x-docie-match"), said.get("x-docie-weight")
    try:
        if "x-docie-normalize" in said:
            spec = said["x-docie-normalize"] or []
            normalizer_of(spec)
            normalize = (spec,) if isinstance(spec, str) else tuple(spec)
        rules_of(match)
        if weight is not None:
            check_weight("x-docie-weight", weight)
    except ValueError as error:
        raise ValueError(f"schema: property {path!r}: {error}") from None
    return Field(normalize, match, weight)


def _kinds(part: Mapping[str, object]) -> set[str]:
    """The kinds of single values that one schema allows."""
    kinds = {_KINDS[name] for name in _types(part) if name in _KINDS}
    if not kinds and not _types(part) and part.keys() & {"enum", "const", "format", "pattern"}:
        kinds = {"text"}
    return {"date"} if kinds == {"text"} and part.get("format") in _DATES else kinds


def _types(part: Mapping[str, object]) -> list[str]:
    types = part.get("type", [])
    return [types] if isinstance(types, str) else [*types] if isinstance(types, list) else []


def _check_part(path: str, part: Mapping[str, object]) -> None:
    """Raise ValueError if a JSON Schema cannot be like this."""
    place = f"property {path!r}: " if path else ""
    types = part.get("type", [])
    if not isinstance(types, str) and not (isinstance(types, list) and all(isinstance(each, str) for each in types)):
        raise ValueError(f"schema: {place}type must be a text or a list of texts, got {shortened(types)}")
    if not isinstance(part.get("properties", {}), Mapping):
        raise ValueError(f"schema: {place}properties must be an object, got {shortened(part['properties'])}")
