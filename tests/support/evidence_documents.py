"""CORD's receipts as documents whose values have boxes, and LayoutLM's answers to them; boxes that are moved."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from typing import Any

GROUPS = ("menu", "void_menu", "sub_total", "total")


def receipts(cord: dict[str, list[Any]]) -> tuple[list[Any], list[Any]]:
    """The predictions and the references: values of the annotation's lines, without their printed keys, each with the
    boxes of its words; and LayoutLM's text boxes, each a value, in line items by its line numbers."""
    references = []
    for record in cord["references"]:
        lines = [
            (line["category"], line["group_id"], [word for word in line["words"] if not word["is_key"]])
            for line in json.loads(record["ground_truth"])["valid_line"]
        ]
        values = (
            (name, group, value_of(" ".join(word["text"] for word in words), [corners(word["quad"]) for word in words]))
            for name, group, words in lines
            if words
        )
        references.append(document_of(values))
    predictions = [
        document_of(
            (word["label"], word["line_item"], value_of(word["text"], word["box"], word["confidence"]))
            for word in row["words"]
            if word["label"] not in ("", "O")
        )
        for row in cord["layoutlm"]
    ]
    return predictions, references


def value_of(text: str, box: Any, confidence: float | None = None) -> dict[str, Any]:
    """A value with its place."""
    return {"value": text, "confidence": confidence, "box": box}


def corners(quad: dict[str, float]) -> list[float]:
    """The box around a quad of CORD."""
    xs, ys = ([quad[f"{axis}{number}"] for number in range(1, 5)] for axis in "xy")
    return [min(xs), min(ys), max(xs), max(ys)]


def document_of(values: Iterable[tuple[str, Any, dict[str, Any]]]) -> dict[str, Any]:
    """The line items by their numbers; all other values in one group of their type."""
    groups: dict[tuple[str, Any], dict[str, Any]] = {}
    for name, number, value in values:
        kind = name.partition(".")[0]
        group = groups.setdefault((kind, number if kind == "menu" else None), {})
        group.setdefault(name, []).append(value)
    document: dict[str, Any] = {}
    for (kind, _), group in groups.items():
        document.setdefault(kind, []).append(group)
    return document


def moved(document: Any, change: Callable[[dict[str, Any]], dict[str, Any]]) -> Any:
    """A document whose values with places are changed."""
    if isinstance(document, list):
        return [moved(each, change) for each in document]
    if isinstance(document, dict):
        if "confidence" in document:
            return change(document)
        return {key: moved(each, change) for key, each in document.items()}
    return document
