"""ANLS*'s measurements, beside the authors' package anls-star.

The kernel is what no ANLS* of line items can avoid: the similarities of all texts of each field, and one assignment.
"""

from __future__ import annotations

import warnings
from typing import Any

import cases
import numpy as np
from rapidfuzz import process
from rapidfuzz.distance import Levenshtein
from scipy.optimize import linear_sum_assignment

from docie import anls_star

REFERENCE = "anls-star"


def measurements(documents: int) -> dict[tuple[str, str], cases.Row]:
    """(implementation, case) → row."""
    ours = {"corpus.evaluate": cases.ours(anls_star), "evaluate.compute": cases.through_evaluate("anls_star")}
    single = {"corpus.evaluate": ours["corpus.evaluate"], "anls-star": package, "kernel": cases.each(kernel)}
    minutes = {("anls-star", "1,000 line items")}
    return {
        **cases.rows({**ours, "anls-star": package}, cases.receipts(documents) | cases.cord()),
        **cases.rows(single, cases.groups(100) | cases.invoices(10, 100, 1000), but=minutes),
    }


def package(pairs: list[cases.Pair]) -> cases.Work:
    from anls_star import anls_score

    warnings.simplefilter("ignore")
    return lambda: [anls_score(reference, prediction) for prediction, reference in pairs]


def kernel(prediction: dict[str, Any], reference: dict[str, Any]) -> None:
    [(name, lines)] = reference.items()
    scores = np.zeros((len(lines), len(prediction[name])))
    for key in lines[0]:
        left, right = ([line.get(key, "") for line in side] for side in (lines, prediction[name]))
        scores += process.cdist(left, right, scorer=Levenshtein.normalized_similarity, dtype=np.float64)
    linear_sum_assignment(scores, maximize=True)
