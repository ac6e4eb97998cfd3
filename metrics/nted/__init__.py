"""nTED accuracy: how little of a JSON document has to be edited, by tree edit distance."""

from docie.metrics.nted.explanation import explain
from docie.metrics.nted.metric import INPUTS, NAME, SCORES, Settings, breakdown, count, score

__all__ = [
    "INPUTS",
    "NAME",
    "SCORES",
    "Settings",
    "breakdown",
    "count",
    "explain",
    "score",
]
