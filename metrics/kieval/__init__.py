"""KIEval: entity and group F1 in structure, correction cost, and the automation curve."""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from docie.metrics.kieval.corrections import error_rows
from docie.metrics.kieval.evidence.scores import remarks
from docie.metrics.kieval.explanation import explain, headlines
from docie.metrics.kieval.hints import Hints
from docie.metrics.kieval.metric import INPUTS, NAME, breakdown, count, details, score
from docie.metrics.kieval.options import SCORES, Settings
from docie.metrics.kieval.repairs import errors_by_kind, false_alarms, repaired

if TYPE_CHECKING:
    from docie.confidence.automation import automation_curve

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
    "headlines",
    "remarks",
    "repaired",
    "score",
]


def __getattr__(name: str) -> Any:
    """`automation_curve` reads rows, as no family does: it is defined in a room above, and imported on first use."""
    if name != "automation_curve":
        raise AttributeError(f"module 'docie.metrics.kieval' has no attribute {name!r}")
    return import_module("docie.confidence.automation").automation_curve
