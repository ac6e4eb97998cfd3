"""docling's keys and values: items of texts, or a graph of cells where keys link to values and to other keys."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
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
    """Read the field items of a `DoclingDocument`, or the key-value items and forms of older ones, without confidences.

    Keys with values are fields, keys with keys are groups. Values without a key are dropped. Tables are not read: see
    `docie.adapters.tables`.

    Args:
        answer (dict): the document, as `export_to_dict` gives it, or itself.

    Returns:
        Parsed: the document, and a line for everything that was dropped.

    >>> cells = [{"label": "key", "cell_id": 0, "text": "Total:"}, {"label": "value", "cell_id": 1, "text": "7.50"}]
    >>> links = [{"label": "to_value", "source_cell_id": 0, "target_cell_id": 1}]
    >>> docling({"key_value_items": [{"graph": {"cells": cells, "links": links}}]}).document
    {'Total': {'value': '7.50', 'confidence': None}}

    A table of the same answer becomes a list of records:

    >>> from docie.adapters import tables
    >>> name = {"text": "Name", "start_row_offset_idx": 0, "start_col_offset_idx": 0, "column_header": True}
    >>> bagel = {"text": "Bagel", "start_row_offset_idx": 1, "start_col_offset_idx": 0}
    >>> answer = {"tables": [{"data": {"table_cells": [name, bagel]}}]}
    >>> tables.to_records(answer["tables"][0]).document
    [{'Name': 'Bagel'}]
    """
    return read(layouts.DOCLING, answer, prepare=_with_fields)


def _with_fields(answer: JsonObject, issues: Counter[str]) -> JsonObject:
    if not any(isinstance(answer.get(key), list) for key in ("field_items", "key_value_items", "form_items")):
        return answer
    items = objects_in(answer, "key_value_items", issues) + objects_in(answer, "form_items", issues)
    graphs = [item.get("graph") for item in items]
    of_items = _Items(answer, issues).graph()
    graphs += [of_items] if of_items["cells"] else []
    fields = [field for graph in graphs for field in _Graph(graph, issues).fields()]
    return {"fields": fields, "pages": answer.get("pages")}


class _Items:
    """The field items of a document: texts that are keys or values, perhaps deeper in the item."""

    def __init__(self, answer: JsonObject, issues: Counter[str]) -> None:
        lists = ("texts", "groups", "field_regions", "field_items")
        self.nodes = {str(node.get("self_ref")): node for key in lists for node in objects_in(answer, key, issues)}
        self.items = [node for node in self.nodes.values() if _is_item(node)]

    def graph(self) -> JsonObject:
        """The items as a graph: the first key of an item links to its values, and to the keys of items in it."""
        cells, links = [], []
        for item in self.items:
            inside = list(self.inside(item))
            keys, values = self.labelled(inside, "key"), self.labelled(inside, "value")
            inner = [key for each in inside if _is_item(each) for key in self.labelled(self.inside(each), "key")[:1]]
            cells += keys + values
            links += [
                {"label": label, "source_cell_id": keys[0]["cell_id"], "target_cell_id": target["cell_id"]}
                for label, targets in (("to_value", values), ("to_child", inner))
                for target in targets
                if keys
            ]
        return {"cells": cells, "links": links}

    def inside(self, node: JsonObject) -> Iterator[JsonObject]:
        """What is in an item, as far as the items in it."""
        waiting, seen = [node], set[str]()
        while waiting:
            for child in objects_in(waiting.pop(0), "children", Counter()):
                reference = str(child.get("$ref"))
                if reference in self.nodes and reference not in seen:
                    seen.add(reference)
                    found = self.nodes[reference]
                    yield found
                    waiting += [] if _is_item(found) else [found]

    def labelled(self, nodes: Iterable[JsonObject], label: str) -> list[JsonObject]:
        """The keys, or the values, among nodes, as cells. Those without a text are left out."""
        texts = [(node, self.text(node)) for node in nodes if node.get("label") == f"field_{label}"]
        return [{**node, "label": label, "cell_id": node["self_ref"], "text": text} for node, text in texts if text]

    def text(self, node: JsonObject) -> str:
        """The text of a node, or else of those in it."""
        parts = [node] if node.get("text") else self.inside(node)
        return " ".join(text for part in parts if isinstance(text := part.get("text"), str) and text)


def _is_item(node: JsonObject) -> bool:
    return node.get("label") == "field_item"


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
