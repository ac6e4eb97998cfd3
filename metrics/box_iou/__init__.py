"""Box overlap: whether labelled boxes (words, tokens, fields) are in the correct place."""

from docie.metrics.box_iou.explanation import explain, headlines
from docie.metrics.box_iou.metric import INPUTS, NAME, SCORES, Settings, breakdown, count, score

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
