"""Whole corpora: fold the counts of documents, score them, say how sure the figures are.

This works for any family (`docie.kieval`, ...): it asks for counts, adds them, and has them scored.
"""

from docie.corpus.bootstrap import Stack, intervals, resampled
from docie.corpus.error_analysis import count_errors, errors, false_alarms, repaired
from docie.corpus.evaluation import RESULT_OPTIONS, check_result_options, count, evaluate, merge, summarize

__all__ = [
    "RESULT_OPTIONS",
    "Stack",
    "check_result_options",
    "count",
    "count_errors",
    "errors",
    "evaluate",
    "false_alarms",
    "intervals",
    "merge",
    "repaired",
    "resampled",
    "summarize",
]
