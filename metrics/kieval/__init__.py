"""KIEval: entity and group F1 in structure, correction cost, and the automation curve."""

from docie.metrics.kieval.automation import AutomationCurve
from docie.metrics.kieval.errors.hints import Hints
from docie.metrics.kieval.errors.kinds import KINDS
from docie.metrics.kieval.errors.rows import ErrorRow, error_rows
from docie.metrics.kieval.explanation import AlignedGroups, RightValue, aligned_groups, explain
from docie.metrics.kieval.judgements import Judged, count_judged
from docie.metrics.kieval.metric import INPUTS, NAME, automation_curve, breakdown, count, details, score
from docie.metrics.kieval.options import Settings
from docie.metrics.kieval.repairs import Analysis, analyse, errors_by_kind, false_alarms, repaired
from docie.metrics.kieval.scores import SCORES

__all__ = [
    "INPUTS",
    "KINDS",
    "NAME",
    "SCORES",
    "AlignedGroups",
    "Analysis",
    "AutomationCurve",
    "ErrorRow",
    "Hints",
    "Judged",
    "RightValue",
    "Settings",
    "aligned_groups",
    "analyse",
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
