"""Each document its own JSON Schema, joined by id: the settings of scorers that read one."""

from __future__ import annotations

import dataclasses
import hashlib
import json
import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Self

from docie.core.errors import DocumentError, InputError, shortened
from docie.core.settings import option
from docie.core.values.json_text import loads


def _described(schema: Any) -> str:
    if schema is None:
        return "none"
    digest = hashlib.sha256(json.dumps(schema, sort_keys=True).encode()).hexdigest()[:12]
    return f"{len(schema)} by id sha256={digest}" if _is_by_id(schema) else f"sha256={digest}"


@dataclass(frozen=True)
class DocumentSchemas:
    """The settings of a scorer that reads the JSON Schema of each document.

    Attributes:
        schema: the path of JSON Lines with rows `{"id": ..., "schema": ...}`, or a mapping from ids to schemas; one
            JSON Schema, or the path of one, for all documents; None for none, which a scorer refuses.

    Raises:
        ValueError: if it is none of these.

    >>> schemas = DocumentSchemas({"r-1": {"properties": {"total": {"type": "number"}}}})
    >>> schemas.of_document("r-1").schema
    {'properties': {'total': {'type': 'number'}}}
    >>> schemas.of_document("r-2")
    Traceback (most recent call last):
    ...
    docie.core.errors.DocumentError: no schema has the id 'r-2'
    """

    schema: Any = option(None, in_signature=_described)

    def __post_init__(self) -> None:
        if isinstance(self.schema, str | os.PathLike):
            object.__setattr__(self, "schema", _read(Path(self.schema)))
        if self.schema is not None and not isinstance(self.schema, Mapping):
            raise ValueError(f"schema must be a JSON Schema, schemas by id or a path, got {shortened(self.schema)}")

    def of_document(self, identity: str | None) -> Self:
        """The settings of one document.

        Raises:
            DocumentError: if there is no schema for it.
        """
        if self.schema is None:
            raise DocumentError("no schema; schema= takes rows {'id': ..., 'schema': ...}")
        if not _is_by_id(self.schema):
            return self
        if identity is None:
            raise DocumentError("no id, by which its schema would be found")
        if identity not in self.schema:
            raise DocumentError(f"no schema has the id {identity!r}")
        return dataclasses.replace(self, schema=self.schema[identity])


def _is_by_id(schema: Mapping[str, Any]) -> bool:
    """Whether a mapping is one from ids to schemas; a JSON Schema has other values, or properties."""
    return "properties" not in schema and all(isinstance(each, Mapping) for each in schema.values())


def _read(path: Path) -> Mapping[str, Any]:
    """What a file holds: a JSON Schema, or rows of them by id."""
    try:
        text = path.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"schema: {path}: cannot be read ({getattr(error, 'strerror', None) or error})") from None
    schemas = dict[str, Any]()
    for number, line in enumerate(text.splitlines() if path.suffix == ".jsonl" else [], 1):
        try:
            row = loads(line)
            schemas[str(row["id"])] = row["schema"]
        except (ValueError, KeyError, TypeError):
            raise InputError(f"{path}:{number}: expected an object with the keys id and schema") from None
    try:
        found = schemas or loads(text)
    except ValueError as error:
        raise InputError(f"schema: {path}: not JSON ({error})") from None
    if not isinstance(found, Mapping):
        raise InputError(f"schema: {path}: expected a JSON Schema, got {shortened(found)}")
    return found
