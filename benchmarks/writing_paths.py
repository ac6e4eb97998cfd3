"""Planted differences of line items: their fields at the root, under their paths."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from planted_sources import Document
from writing_cases import REFERENCES, Difference, Write, documents, groups_of
from writing_records import is_flat


def paths(form: Callable[[str, int, str], str], first: int = 0) -> Write:
    """The fields of records at the root, under their paths."""

    def written(document: Document) -> Document:
        flat: Document = {}
        for key, child in document.items():
            if key not in groups_of(document) or not is_flat(child):
                flat[key] = child
                continue
            for number, record in enumerate(child, first):
                flat |= {form(key, number, name): value for name, value in record.items()}
        return flat

    return documents(written)


def everything_as_paths(document: Document) -> Document:
    flat: Document = {}

    def walk(value: Any, path: str) -> None:
        if isinstance(value, dict):
            for key, child in value.items():
                walk(child, f"{path}.{key}" if path else key)
        elif isinstance(value, list):
            for number, child in enumerate(value):
                walk(child, f"{path}[{number}]")
        else:
            flat[path] = value

    walk(document, "")
    return flat


_RECORDS = r"^(records|unwrap|rename|leaf|warning).*({})"

DIFFERENCES = [
    Difference("paths", "items[0].name", paths("{}[{}].{}".format), _RECORDS.format("path|\\[0\\]")),
    Difference("paths", "items_1_name", paths("{}_{}_{}".format, 1), _RECORDS.format("path|_1_")),
    Difference("paths", "items.0.name", paths("{}.{}.{}".format), _RECORDS.format("path|\\.0\\.")),
    Difference("paths", "items/0/name", paths("{}/{}/{}".format), _RECORDS.format("path|/0/")),
    Difference(
        "paths", "name_1", paths(lambda key, number, name: f"{name}_{number}", 1), _RECORDS.format("path|_1\\b|number")
    ),
    Difference(
        "paths",
        "Item 1 name",
        paths(lambda key, number, name: f"{key.title()} {number} {name}", 1),
        _RECORDS.format("path|\\b1\\b"),
    ),
    Difference("paths", "of everything", documents(everything_as_paths), _RECORDS.format("path|\\[0\\]")),
    Difference("paths", "of references", paths("{}[{}].{}".format), _RECORDS.format("path|\\[0\\]"), REFERENCES),
]
