"""KIEval: entity and group F1 in structure, correction cost, and the automation curve."""

from docie.kieval.automation import AutomationCurve
from docie.kieval.metric import INPUTS, NAME, Settings, automation_curve, breakdown, count, details, score

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
