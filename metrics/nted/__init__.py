"""nTED accuracy: how few edits turn extracted documents into the expected ones, by tree edit distance."""

from docie.metrics.nted.explanation import explain, headlines
from docie.metrics.nted.metric import INPUTS, NAME, SCORES, Settings, breakdown, count, score

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
