"""HED's and UHED's measurements.

The authors' package is on no index. The textbook double loop does the same: it compares every field of every pair of
line items, with common subsequences and alignment in plain Python and an assignment by scipy. The kernel is what
neither can avoid: the common subsequences of all texts of each field, and one assignment.
"""

from __future__ import annotations

from typing import Any

import cases
import numpy as np
from rapidfuzz import process
from rapidfuzz.distance import LCSseq
from scipy.optimize import linear_sum_assignment

from docie import hed

REFERENCE = "textbook loop"


def measurements(documents: int) -> dict[tuple[str, str], cases.Row]:
    """(implementation, case) → row."""
    through_corpus, loop = cases.through_corpus(hed), cases.pair_by_pair(textbook)
    on_receipts = {
        "corpus.evaluate": through_corpus,
        "evaluate.compute": cases.through_evaluate("hed"),
        "textbook loop": loop,
    }
    on_invoices = {
        "corpus.evaluate": through_corpus,
        "textbook loop": loop,
        "kernel": cases.pair_by_pair(kernel),
    }
    too_slow = {("textbook loop", "1,000 line items")}  # takes minutes
    return {
        **cases.rows(on_receipts, cases.receipts(documents) | cases.cord()),
        **cases.rows(on_invoices, cases.invoices(10, 100, 1000), without=too_slow),
    }


def textbook(prediction: dict[str, Any], reference: dict[str, Any]) -> list[int]:
    """Characters in common, in order and in any order, over all lists of line items."""
    totals = [0, 0]
    for name in prediction.keys() & reference.keys():
        predicted, expected = (
            side[name] if isinstance(side[name], list) else [side[name]] for side in (prediction, reference)
        )
        gains = [[common_in_items(item, expected_item) for expected_item in expected] for item in predicted]
        totals[0] += most_in_order(gains, len(expected))
        table = np.array(gains).reshape(len(predicted), len(expected))
        totals[1] += int(table[linear_sum_assignment(table, maximize=True)].sum())
    return totals


def common_in_items(predicted: dict[str, Any], expected: dict[str, Any]) -> int:
    """Characters in common of two line items, field by field."""
    return sum(common(text(predicted, key), text(expected, key)) for key in predicted.keys() & expected.keys())


def text(item: dict[str, Any], key: str) -> str:
    """The text of a field."""
    value = item[key]
    return value if isinstance(value, str) else " ".join(str(child) for child in value)


def common(predicted: str, expected: str) -> int:
    """The length of the longest common subsequence."""
    row = [0] * (len(expected) + 1)
    for character in predicted:
        last = 0
        for j, expected_character in enumerate(expected, 1):
            last, row[j] = row[j], last + 1 if character == expected_character else max(row[j], row[j - 1])
    return row[-1]


def most_in_order(gains: list[list[int]], columns: int) -> int:
    """The greatest sum over pairs that do not cross."""
    row = [0] * (columns + 1)
    for line in gains:
        last = 0
        for j, gain in enumerate(line, 1):
            last, row[j] = row[j], max(last + gain, row[j], row[j - 1])
    return row[-1]


def kernel(prediction: dict[str, Any], reference: dict[str, Any]) -> None:
    [(name, expected)] = reference.items()
    predicted = prediction[name]
    table = np.zeros((len(predicted), len(expected)))
    for key in expected[0]:
        predicted_texts, expected_texts = ([item.get(key, "") for item in side] for side in (predicted, expected))
        table += process.cdist(predicted_texts, expected_texts, scorer=LCSseq.similarity, dtype=np.int32)
    linear_sum_assignment(table, maximize=True)
