"""KIEval: entity and group F1 in structure, correction cost, and the automation curve."""

from docie.metrics.kieval.corrections import error_rows
from docie.metrics.kieval.explanation import explain
from docie.metrics.kieval.hints import Hints
from docie.metrics.kieval.metric import INPUTS, NAME, automation_curve, breakdown, count, details, score
from docie.metrics.kieval.options import SCORES, Settings
from docie.metrics.kieval.repairs import errors_by_kind, false_alarms, repaired

__all__ = [
    "INPUTS",
    "NAME",
    "SCORES",
    "Hints",
    "Settings",
    "automation_curve",
    "breakdown",
    "count",
    "details",
    "error_rows",
    "errors_by_kind",
    "explain",
    "false_alarms",
    "repaired",
    "score",
]
