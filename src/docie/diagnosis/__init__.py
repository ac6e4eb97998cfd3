"""Why a score is low: errors as rows, what repairing them would bring, and labels that may be wrong."""

from docie.diagnosis.error_analysis import (
    DocumentErrors,
    count_errors,
    errors,
    errors_by_document,
    false_alarms,
    repaired,
)
from docie.diagnosis.labels import Suspect, suspects

__all__ = [
    "DocumentErrors",
    "Suspect",
    "count_errors",
    "errors",
    "errors_by_document",
    "false_alarms",
    "repaired",
    "suspects",
]
