"""Text match: exact match, Levenshtein and longest common subsequence of a document's fields."""

from docie.metrics.text_match.explanation import explain, headlines
from docie.metrics.text_match.metric import INPUTS, NAME, SCORES, Settings, breakdown, count, score

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
