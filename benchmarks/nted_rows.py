"""nTED's measurements, beside the package zss with Donut's cost functions.

Its leaf costs come from rapidfuzz here; Donut takes them from nltk, which is slower. The kernel is what no nTED can
avoid: reading both trees, and the distances between their texts, all at once.
"""

from __future__ import annotations

from functools import cache
from typing import Any

import cases
from rapidfuzz import process
from rapidfuzz.distance import Levenshtein

from docie import nted

REFERENCE = "zss"
Label = tuple[bool, str]
"""Whether a node is a leaf, and its label or text."""


def measurements(documents: int) -> dict[tuple[str, str], cases.Row]:
    """(implementation, case) → row."""
    ours = {"corpus.evaluate": cases.ours(nted), "evaluate.compute": cases.through_evaluate("nted")}
    single = {"corpus.evaluate": ours["corpus.evaluate"], "zss": cases.each(accuracy), "kernel": cases.each(kernel)}
    minutes = {("zss", f"{number} line items") for number in ("100", "200", "1,000")}
    return {
        **cases.rows({**ours, "zss": cases.each(accuracy)}, cases.receipts(documents) | cases.cord()),
        **cases.rows(single, cases.invoices(10, 40, 100, 200, 1000), but=minutes),
    }


def accuracy(prediction: dict[str, Any], reference: dict[str, Any]) -> float:
    import zss

    left, right = tree(prediction), tree(reference)
    distance: float = zss.distance(left, right, zss.Node.get_children, cost, cost, change)
    return max(0.0, 1 - distance / (sum(map(cost, right.iter())) - 1))


def tree(value: Any, label: str = "<root>") -> Any:
    """The tree of a document of text and objects."""
    import zss

    node = zss.Node((False, label))
    for key in sorted(value, key=lambda key: (len(key), key)) if isinstance(value, dict) else []:
        child = zss.Node((False, key))
        for element in value[key] if isinstance(value[key], list) else [value[key]]:
            if element:
                child.addkid(zss.Node((True, element)) if isinstance(element, str) else tree(element, "<subtree>"))
        if child.children:
            node.addkid(child)
    return node


def cost(node: Any) -> int:
    leaf, label = node.label
    return len(label) if leaf else 1


def change(one: Any, other: Any) -> int:
    return _change(one.label, other.label)


@cache
def _change(one: Label, other: Label) -> int:
    if one[0] and other[0]:
        return Levenshtein.distance(one[1], other[1])
    lengths = (len(label) if leaf else 1 for leaf, label in (one, other))
    return int(one != other) if one[0] == other[0] else sum(lengths)


def kernel(prediction: dict[str, Any], reference: dict[str, Any]) -> None:
    left, right = ({node.label[1] for node in tree(side).iter() if node.label[0]} for side in (prediction, reference))
    process.cdist(list(left), list(right), scorer=Levenshtein.distance)
