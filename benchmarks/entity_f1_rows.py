"""Entity F1's measurements.

The textbook loop is the field F1 as Donut's evaluation counts it: predicted fields are looked up in the list of
expected ones. The kernel is what none can avoid: flattening both documents and counting their fields.
"""

from __future__ import annotations

from collections import Counter
from typing import Any

import cases

from docie import entity_f1

REFERENCE = "textbook loop"


def measurements(documents: int) -> dict[tuple[str, str], cases.Row]:
    """(implementation, case) → row."""
    makers = {
        "corpus.evaluate": cases.ours(entity_f1),
        "evaluate.compute": cases.through_evaluate("entity_f1"),
        "textbook loop": cases.each(textbook),
        "kernel": cases.each(kernel),
    }
    return cases.rows(makers, cases.receipts(documents) | cases.invoices(100, 1000))


def flat(value: Any, path: str = "") -> list[tuple[str, str]]:
    """Fields of a document, (path of keys, text)."""
    if isinstance(value, dict):
        return [field for key, child in value.items() for field in flat(child, f"{path}.{key}")]
    return [field for child in value for field in flat(child, path)] if isinstance(value, list) else [(path, value)]


def textbook(prediction: Any, reference: Any) -> tuple[int, int]:
    expected, right, wrong = flat(reference), 0, 0
    for field in flat(prediction):
        if field in expected:
            expected.remove(field)
            right += 1
        else:
            wrong += 1
    return right, wrong + len(expected)


def kernel(prediction: Any, reference: Any) -> int:
    return (Counter(flat(prediction)) & Counter(flat(reference))).total()
