"""nTED's measurements, beside the package zss with Donut's cost functions.

The costs of leaves come from rapidfuzz here. Donut takes them from nltk, which is slower. The kernel is what no nTED
can avoid: reading both trees, and the distances between their texts, all at once.
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
    through_corpus, through_zss = cases.through_corpus(nted), cases.pair_by_pair(accuracy)
    on_receipts = {
        "corpus.evaluate": through_corpus,
        "evaluate.compute": cases.through_evaluate("nted"),
        "zss": through_zss,
    }
    on_invoices = {
        "corpus.evaluate": through_corpus,
        "zss": through_zss,
        "kernel": cases.pair_by_pair(kernel),
    }
    too_slow = {("zss", f"{number} line items") for number in ("100", "200", "1,000")}  # takes minutes
    return {
        **cases.rows(on_receipts, cases.receipts(documents) | cases.cord()),
        **cases.rows(on_invoices, cases.invoices(10, 40, 100, 200, 1000), without=too_slow),
    }


def accuracy(prediction: dict[str, Any], reference: dict[str, Any]) -> float:
    """nTED accuracy with zss."""
    import zss

    predicted, expected = tree(prediction), tree(reference)
    distance: float = zss.distance(predicted, expected, zss.Node.get_children, node_cost, node_cost, change_cost)
    return max(0.0, 1 - distance / (sum(map(node_cost, expected.iter())) - 1))


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


def node_cost(node: Any) -> int:
    """The cost of an insertion or a deletion."""
    is_leaf, label = node.label
    return len(label) if is_leaf else 1


def change_cost(predicted: Any, expected: Any) -> int:
    """The cost of changing one node into another."""
    return _change_cost(predicted.label, expected.label)


@cache
def _change_cost(predicted: Label, expected: Label) -> int:
    if predicted[0] and expected[0]:
        return Levenshtein.distance(predicted[1], expected[1])
    lengths = (len(label) if is_leaf else 1 for is_leaf, label in (predicted, expected))
    return int(predicted != expected) if predicted[0] == expected[0] else sum(lengths)


def kernel(prediction: dict[str, Any], reference: dict[str, Any]) -> None:
    predicted, expected = (
        {node.label[1] for node in tree(side).iter() if node.label[0]} for side in (prediction, reference)
    )
    process.cdist(list(predicted), list(expected), scorer=Levenshtein.distance)
