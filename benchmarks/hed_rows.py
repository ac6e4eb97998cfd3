"""HED's and UHED's measurements.

The authors' package is on no index; what it does, comparing every field of every pair of line items, stands here as
the textbook double loop: longest common subsequences, alignment and all in plain Python, assignment by scipy. The
kernel is what neither can avoid: the common subsequences of all texts of each field, and one assignment.
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
    ours = {"corpus.evaluate": cases.ours(hed), "evaluate.compute": cases.through_evaluate("hed")}
    single = {
        "corpus.evaluate": ours["corpus.evaluate"],
        "textbook loop": cases.each(textbook),
        "kernel": cases.each(kernel),
    }
    minutes = {("textbook loop", "1,000 line items")}
    return {
        **cases.rows({**ours, "textbook loop": cases.each(textbook)}, cases.receipts(documents) | cases.cord()),
        **cases.rows(single, cases.invoices(10, 100, 1000), but=minutes),
    }


def textbook(prediction: dict[str, Any], reference: dict[str, Any]) -> list[int]:
    """Characters in common, in order and in any order, over all lists of line items."""
    totals = [0, 0]
    for name in prediction.keys() & reference.keys():
        left, right = (side[name] if isinstance(side[name], list) else [side[name]] for side in (prediction, reference))
        gains = [
            [sum(common(text(one, key), text(other, key)) for key in one.keys() & other.keys()) for other in right]
            for one in left
        ]
        totals[0] += aligned(gains, len(right))
        table = np.array(gains).reshape(len(left), len(right))
        totals[1] += int(table[linear_sum_assignment(table, maximize=True)].sum())
    return totals


def text(item: dict[str, Any], key: str) -> str:
    value = item[key]
    return value if isinstance(value, str) else " ".join(str(child) for child in value)


def common(one: str, other: str) -> int:
    row = [0] * (len(other) + 1)
    for a in one:
        last = 0
        for j, b in enumerate(other, 1):
            last, row[j] = row[j], last + 1 if a == b else max(row[j], row[j - 1])
    return row[-1]


def aligned(gains: list[list[int]], columns: int) -> int:
    row = [0] * (columns + 1)
    for line in gains:
        last = 0
        for j, gain in enumerate(line, 1):
            last, row[j] = row[j], max(last + gain, row[j], row[j - 1])
    return row[-1]


def kernel(prediction: dict[str, Any], reference: dict[str, Any]) -> None:
    [(name, lines)] = reference.items()
    table = np.zeros((len(prediction[name]), len(lines)))
    for key in lines[0]:
        left, right = ([line.get(key, "") for line in side] for side in (prediction[name], lines))
        table += process.cdist(left, right, scorer=LCSseq.similarity, dtype=np.int32)
    linear_sum_assignment(table, maximize=True)
