"""nTED accuracy: how little of a JSON document has to be edited, by tree edit distance."""

from docie.metrics.nted.edits import EditedNode, TreeEdits, edits
from docie.metrics.nted.metric import INPUTS, NAME, SCORES, Settings, breakdown, count, score

__all__ = [
    "INPUTS",
    "NAME",
    "SCORES",
    "EditedNode",
    "Settings",
    "TreeEdits",
    "breakdown",
    "count",
    "edits",
    "score",
]
