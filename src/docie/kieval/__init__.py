"""KIEval: entity and group F1 in structure, correction cost, and the automation curve."""

from docie.kieval.automation import AutomationCurve
from docie.kieval.errors import KINDS, ErrorRow, error_rows
from docie.kieval.metric import INPUTS, NAME, automation_curve, breakdown, cost, count, details, score
from docie.kieval.options import Settings
from docie.kieval.repairs import Analysis, analyse, false_alarms, repaired

__all__ = [
    "INPUTS",
    "KINDS",
    "NAME",
    "Analysis",
    "AutomationCurve",
    "ErrorRow",
    "Settings",
    "analyse",
    "automation_curve",
    "breakdown",
    "cost",
    "count",
    "details",
    "error_rows",
    "false_alarms",
    "repaired",
    "score",
]
