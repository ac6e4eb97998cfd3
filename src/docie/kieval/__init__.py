"""KIEval: entity and group F1 in structure, correction cost, and the automation curve."""

from docie.kieval.automation import AutomationCurve
from docie.kieval.metric import INPUTS, NAME, automation_curve, breakdown, count, details, score
from docie.kieval.options import Settings

__all__ = [
    "INPUTS",
    "NAME",
    "AutomationCurve",
    "Settings",
    "automation_curve",
    "breakdown",
    "count",
    "details",
    "score",
]
