"""Box overlap: whether labelled boxes (words, tokens, fields) lie where they should."""

from docie.metrics.box_iou.matching import Detected, Unit, detections, units
from docie.metrics.box_iou.metric import INPUTS, NAME, Settings, breakdown, count, score
from docie.metrics.box_iou.scores import SCORES

__all__ = [
    "INPUTS",
    "NAME",
    "SCORES",
    "Detected",
    "Settings",
    "Unit",
    "breakdown",
    "count",
    "detections",
    "score",
    "units",
]
