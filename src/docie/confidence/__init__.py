"""Auto-accept thresholds and their errors: which predicted values may skip review.

`collect` reads a corpus once and judges its predicted values by KIEval's matching; all other functions take its result.
"""

from docie.confidence.calibrated import calibration
from docie.confidence.certified import certified_threshold
from docie.confidence.review import at_threshold, errors_caught, risk_coverage, shortest_threshold
from docie.confidence.values import Values, collect

__all__ = [
    "Values",
    "at_threshold",
    "calibration",
    "certified_threshold",
    "collect",
    "errors_caught",
    "risk_coverage",
    "shortest_threshold",
]
