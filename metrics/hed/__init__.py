"""HED and UHED: how many characters of a document's fields are correct, line items in order or in any order."""

from docie.metrics.hed.explanation import explain, headlines
from docie.metrics.hed.metric import INPUTS, NAME, SCORES, Settings, breakdown, count, score

__all__ = [
    "INPUTS",
    "NAME",
    "SCORES",
    "Settings",
    "breakdown",
    "count",
    "explain",
    "headlines",
    "score",
]
