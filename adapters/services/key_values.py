"""docling's keys and values: items of texts, or a graph of cells where keys link to values and to other keys."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any

from docie.core.values.json_text import MAX_DEPTH
from docie.core.values.plain import JsonObject

from .layouts import Asked
from .places import label_of, objects_in

Cells = dict[str, JsonObject]
Links = list[tuple[str, str]]
"""From a key to a value of it, or to a key in it."""
_GRAPHS = ("key_value_items", "form_items")
_KEY_TO_VALUE = {"to_value": True, "to_child": True, "to_key": False, "to_parent": False}
"""The kinds of links, and whether they lead from a key to its value."""


def docling(answer: JsonObject, issues: Counter[str], asked: Asked) -> JsonObject:
    """Keys with values are fields, keys with keys are groups: of field items, or of key-value items and forms in older
    documents. Values without a key are dropped."""
    if not any(isinstance(answer.get(key), list) for key in ("field_items", *_GRAPHS)):
        return answer
    items = [item for key in _GRAPHS for item in objects_in(answer, key, issues)]
    graphs = [*(_of_graph(item.get("graph"), issues) for item in items), _of_items(answer, issues)]
    return {**answer, "fields": [field for graph in graphs for field in _fields(*graph, issues)]}


def _of_graph(graph: Any, issues: Counter[str]) -> tuple[Cells, Links]:
    """The cells of a graph, and its links from keys to what belongs to them."""
    cells = {str(cell.get("cell_id")): cell for cell in objects_in(graph, "cells", issues)}
    issues["dropped an item without cells"] += not cells
    links = []
    for link in objects_in(graph, "links", issues):
        source, target = str(link.get("source_cell_id")), str(link.get("target_cell_id"))
        is_downwards = _KEY_TO_VALUE.get(str(link.get("label")))
        if is_downwards is None or not cells.keys() >= {source, target}:
            issues["dropped a link between cells"] += 1
        else:
            links.append((source, target) if is_downwards else (target, source))
    return cells, links


def _of_items(answer: JsonObject, issues: Counter[str]) -> tuple[Cells, Links]:
    """The texts in field items that are keys or values, as cells. The first key of an item links to its values, and to
    the first keys of the items in it."""
    lists = ("texts", "groups", "field_regions", "field_items")
    nodes = {str(node.get("self_ref")): node for key in lists for node in objects_in(answer, key, issues)}
    parents = {
        str(child.get("$ref")): reference
        for reference, node in nodes.items()
        for child in objects_in(node, "children", Counter())
    }

    def holder(reference: str, *labels: str) -> str:
        """The node itself, or the next one around it, that has one of these labels; "" if there is none."""
        seen = set[str]()
        while reference in nodes and reference not in seen:
            if nodes[reference].get("label") in labels:
                return reference
            seen.add(reference)
            reference = parents.get(reference, "")
        return ""

    cells: Cells = {}
    keys: dict[str, str] = {}
    for reference, node in nodes.items():
        cell = holder(reference, "field_key", "field_value", "field_item")
        item = holder(cell, "field_item")
        if item not in ("", cell) and isinstance(text := node.get("text"), str) and text:
            made = cells.setdefault(cell, {**nodes[cell], "item": item, "text": ""})
            made["text"] = f"{made['text']} {text}".strip()
            if made["label"] == "field_key":
                keys.setdefault(item, cell)
    links = [(keys.get(made["item"], ""), cell) for cell, made in cells.items() if made["label"] == "field_value"]
    links += [(keys.get(holder(parents.get(item, ""), "field_item"), ""), key) for item, key in keys.items()]
    return cells, [(source, target) for source, target in links if source]


def _fields(cells: Cells, links: Links, issues: Counter[str]) -> list[JsonObject]:
    """The fields of the keys that no key links to."""
    left, targets, inner = dict(cells), dict[str, list[str]](), {target for _, target in links}
    for source, target in dict.fromkeys(links):
        targets.setdefault(source, []).append(target)

    def is_key(cell: str) -> bool:
        return cell in targets or cells[cell].get("label") in ("key", "field_key")

    def of(key: str, depth: int) -> Iterator[JsonObject]:
        """The fields of one key: its values, and a group of the keys in it."""
        name = label_of(left.pop(key).get("text"))
        members: list[JsonObject] = []
        for target in targets[key] if depth < MAX_DEPTH else ():
            if target in left and target in targets:
                members += of(target, depth + 1)
            elif target in left and not is_key(target):
                yield {**left.pop(target), "name": name}
        if members:
            yield {"name": name, "fields": members}

    fields = [field for key in cells if key in targets and key not in inner for field in of(key, 0)]
    issues.update(f"dropped a {'key without a value' if is_key(cell) else 'value without a key'}" for cell in left)
    return fields
