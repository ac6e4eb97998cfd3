"""docling's key-value items: a graph of cells, keys that link to values and to other keys."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any

from docie.core.values.json_text import MAX_DEPTH
from docie.core.values.plain import JsonObject
from docie.documents.rows import Parsed

from . import layouts
from .lists import label_of, objects_in
from .walking import read

_KEY_TO_VALUE = {"to_value": 1, "to_child": 1, "to_key": -1, "to_parent": -1}
"""The kinds of links; -1 for those that lead from a value to its key."""


def docling(answer: object) -> Parsed:
    """Read the key-value items and forms of a `DoclingDocument`. It has no confidences.

    Keys with values are fields, keys with keys are groups. Values without a key are dropped. Tables are not read.

    Args:
        answer (dict): the document, as `export_to_dict` gives it, or itself.

    Returns:
        Parsed: the document, and a line for everything that was dropped.

    >>> cells = [{"label": "key", "cell_id": 0, "text": "Total:"}, {"label": "value", "cell_id": 1, "text": "7.50"}]
    >>> links = [{"label": "to_value", "source_cell_id": 0, "target_cell_id": 1}]
    >>> docling({"key_value_items": [{"graph": {"cells": cells, "links": links}}]}).document
    {'Total': {'value': '7.50', 'confidence': None}}
    """
    return read(layouts.DOCLING, answer, prepare=_with_fields)


def _with_fields(answer: JsonObject, issues: Counter[str]) -> JsonObject:
    if not isinstance(answer.get("key_value_items"), list) and not isinstance(answer.get("form_items"), list):
        return answer
    items = objects_in(answer, "key_value_items", issues) + objects_in(answer, "form_items", issues)
    fields = [field for item in items for field in _Graph(item.get("graph"), issues).fields()]
    return {"fields": fields, "pages": answer.get("pages")}


class _Graph:
    def __init__(self, graph: Any, issues: Counter[str]) -> None:
        self.issues = issues
        self.cells = {str(cell.get("cell_id")): cell for cell in objects_in(graph, "cells", issues)}
        issues["dropped an item without cells"] += not self.cells
        self.targets: dict[str, list[str]] = {}
        self.used: set[str] = set()
        for link in objects_in(graph, "links", issues):
            ends = [str(link.get("source_cell_id")), str(link.get("target_cell_id"))]
            direction = _KEY_TO_VALUE.get(str(link.get("label")))
            if direction is None or not self.cells.keys() >= {*ends}:
                issues["dropped a link between cells"] += 1
                continue
            source, target = ends[::direction]
            if target not in self.targets.setdefault(source, []):
                self.targets[source].append(target)

    def fields(self) -> Iterator[JsonObject]:
        """The fields of the keys that no key links to."""
        inner = {target for targets in self.targets.values() for target in targets}
        for cell_id in self.cells:
            if cell_id not in inner and cell_id in self.targets:
                yield from self.of(cell_id)
        for cell_id in self.cells:
            if cell_id not in self.used:
                kind = "key without a value" if self.is_key(cell_id) else "value without a key"
                self.issues[f"dropped a {kind}"] += 1

    def is_key(self, cell_id: str) -> bool:
        return self.cells[cell_id].get("label") == "key" or cell_id in self.targets

    def of(self, cell_id: str, depth: int = 0) -> Iterator[JsonObject]:
        """The fields of one key: its values, and a group of the keys in it."""
        self.used.add(cell_id)
        name = label_of(self.cells[cell_id].get("text"))
        members: list[JsonObject] = []
        for target in self.targets[cell_id]:
            if target in self.used or depth == MAX_DEPTH:
                continue
            if target in self.targets:
                members += self.of(target, depth + 1)
            elif not self.is_key(target):
                self.used.add(target)
                yield {**self.cells[target], "name": name}
        if members:
            yield {"name": name, "fields": members}
