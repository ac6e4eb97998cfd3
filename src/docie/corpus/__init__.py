"""Whole corpora: fold the counts of documents, score them, say how sure the figures are.

This works for any family (`docie.kieval`, ...): it asks for counts, adds them, and has them scored.
"""

from docie.corpus.bootstrap import Stack, intervals, resampled
from docie.corpus.comparison import Suspect, compare, delta_intervals, errors_of_system, is_worse, suspects
from docie.corpus.error_analysis import (
    DocumentErrors,
    count_errors,
    errors,
    errors_by_document,
    false_alarms,
    repaired,
)
from docie.corpus.evaluation import RESULT_OPTIONS, check_result_options, count, evaluate, merge, summarize
from docie.corpus.groups import in_order
from docie.corpus.time_limit import check_seconds, spoken

__all__ = [
    "RESULT_OPTIONS",
    "DocumentErrors",
    "Stack",
    "Suspect",
    "check_result_options",
    "check_seconds",
    "compare",
    "count",
    "count_errors",
    "delta_intervals",
    "errors",
    "errors_by_document",
    "errors_of_system",
    "evaluate",
    "false_alarms",
    "in_order",
    "intervals",
    "is_worse",
    "merge",
    "repaired",
    "resampled",
    "spoken",
    "summarize",
    "suspects",
]
