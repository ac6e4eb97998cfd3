"""KIEval: entity and group F1 in structure, correction cost, and the automation curve."""

from docie.metrics.kieval.automation import AutomationCurve
from docie.metrics.kieval.errors.hints import Hints
from docie.metrics.kieval.errors.rows import error_rows
from docie.metrics.kieval.explanation import aligned_groups, explain
from docie.metrics.kieval.judgements import count_judged
from docie.metrics.kieval.metric import INPUTS, NAME, automation_curve, breakdown, count, details, score
from docie.metrics.kieval.options import Settings
from docie.metrics.kieval.repairs import errors_by_kind, false_alarms, repaired
from docie.metrics.kieval.scores import SCORES

__all__ = [
    "INPUTS",
    "NAME",
    "SCORES",
    "AutomationCurve",
    "Hints",
    "Settings",
    "aligned_groups",
    "automation_curve",
    "breakdown",
    "count",
    "count_judged",
    "details",
    "error_rows",
    "errors_by_kind",
    "explain",
    "false_alarms",
    "repaired",
    "score",
]
