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
    through_corpus = cases.through_corpus(anls_star)
    on_receipts: dict[str, cases.Maker] = {
        "corpus.evaluate": through_corpus,
        "evaluate.compute": cases.through_evaluate("anls_star"),
        "anls-star": package,
    }
    on_single_documents: dict[str, cases.Maker] = {
        "corpus.evaluate": through_corpus,
        "anls-star": package,
        "kernel": cases.pair_by_pair(kernel),
    }
    too_slow = {("anls-star", "1,000 line items")}  # takes minutes
    return {
        **cases.rows(on_receipts, cases.receipts(documents) | cases.cord()),
        **cases.rows(on_single_documents, cases.groups(100) | cases.invoices(10, 100, 1000), without=too_slow),
    }


def package(pairs: list[cases.Pair]) -> cases.Work:
    """The package anls-star."""
    from anls_star import anls_score

    warnings.simplefilter("ignore")
    return lambda: [anls_score(reference, prediction) for prediction, reference in pairs]


def kernel(prediction: dict[str, Any], reference: dict[str, Any]) -> None:
    [(name, expected)] = reference.items()
    predicted = prediction[name]
    scores = np.zeros((len(expected), len(predicted)))
    for key in expected[0]:
        expected_texts, predicted_texts = ([item.get(key, "") for item in side] for side in (expected, predicted))
        similarity = Levenshtein.normalized_similarity
        scores += process.cdist(expected_texts, predicted_texts, scorer=similarity, dtype=np.float64)
    linear_sum_assignment(scores, maximize=True)
