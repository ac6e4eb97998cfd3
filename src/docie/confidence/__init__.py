"""Which values may go unseen, and at what risk: figures of predictions with confidences.

`collect` reads a corpus once and judges its predicted values, by KIEval's matching; all other functions read what it
gives.
"""

from docie.confidence.calibrated import calibration
from docie.confidence.certified import certified_threshold
from docie.confidence.review import (
    BUDGETS,
    at_threshold,
    average_precision,
    coverage_at_precision,
    errors_caught,
    risk_coverage,
    shortest_between,
    shortest_threshold,
)
from docie.confidence.summary import summarize
from docie.confidence.values import NO_CONFIDENCES, Collector, Values, collect

__all__ = [
    "BUDGETS",
    "NO_CONFIDENCES",
    "Collector",
    "Values",
    "at_threshold",
    "average_precision",
    "calibration",
    "certified_threshold",
    "collect",
    "coverage_at_precision",
    "errors_caught",
    "risk_coverage",
    "shortest_between",
    "shortest_threshold",
    "summarize",
]
