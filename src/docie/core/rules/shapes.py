"""JSON Schemas: what they say of a value, through references, branches and the elements of lists."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple
from urllib.parse import unquote

from docie.core.errors import shortened

_BRANCHES = ("anyOf", "oneOf", "allOf", "prefixItems")
_PARTS = ("items", "then", "else")

Schemas = tuple[Any, ...]
"""The schemas of one value."""


class Shape(NamedTuple):
    """What schemas say of the objects in a value.

    Attributes:
        properties: the schemas of each property.
        others: the schemas of other keys; None if there may be none.
    """

    properties: dict[str, Schemas]
    others: Schemas | None


def schema_root(schema: object) -> Mapping[str, Any]:
    """A JSON Schema as it stands, or that of a class with `model_json_schema()`, as pydantic's models have.

    Raises:
        ValueError: for anything else.

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


def parts_of(root: Mapping[str, Any], schemas: Schemas) -> list[Mapping[str, Any]]:
    """The schemas of a value and all that they point to: references, branches, and the schemas of a list's elements.

    >>> root = {"$defs": {"Name": {"type": "string"}}}
    >>> parts_of(root, ({"type": "array", "items": {"$ref": "#/$defs/Name"}},))[-1]
    {'type': 'string'}
    """
    parts: list[Mapping[str, Any]] = []
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


def shape_of(root: Mapping[str, Any], schemas: Schemas) -> Shape:
    """The properties of the objects in a value, and what is said of other keys."""
    properties: dict[str, Schemas] = {}
    others: Schemas | None = None
    for schema in parts_of(root, schemas):
        if isinstance(schema.get("properties"), Mapping):
            for name, inner in schema["properties"].items():
                properties[name] = (*properties.get(name, ()), inner)
        if schema.get("additionalProperties") not in (None, False):
            others = (*(others or ()), schema["additionalProperties"])
        if isinstance(schema.get("patternProperties"), Mapping):
            others = (*(others or ()), *schema["patternProperties"].values())
    return Shape(properties, others)


def _referred(root: Mapping[str, Any], reference: Any) -> Any:
    """What `#/$defs/name` points to; None if that is not in the schema."""
    if not isinstance(reference, str) or not f"{reference}/".startswith("#/"):
        return None
    target: Any = root
    for part in unquote(reference).split("/")[1:]:
        name = part.replace("~1", "/").replace("~0", "~")
        if isinstance(target, Mapping):
            target = target.get(name)
        elif isinstance(target, list) and name.isdecimal() and int(name) < len(target):
            target = target[int(name)]
        else:
            return None
    return target
