"""Entity F1: the conventional score of documents, regardless of groups, and of tagged words."""

from docie.metrics.entity_f1.explanation import explain, headlines
from docie.metrics.entity_f1.metric import INPUTS, KEY_CONVERTERS, NAME, SCORES, Settings, breakdown, count, score

__all__ = [
    "INPUTS",
    "KEY_CONVERTERS",
    "NAME",
    "SCORES",
    "Settings",
    "breakdown",
    "count",
    "explain",
    "headlines",
    "score",
]
