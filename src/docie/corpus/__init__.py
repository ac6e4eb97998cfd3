"""Whole corpora: fold the counts of documents, score them, say how sure the figures are.

This works for any family (`docie.kieval`, ...): it asks for counts, adds them, and has them scored. What compares
systems and explains errors lives in `docie.comparison` and `docie.diagnosis`, and is found here too.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from docie.corpus.counting import count, with_progress_bar
from docie.corpus.dask_cluster import DaskWorkers, dask_workers
from docie.corpus.evaluation import RESULT_OPTIONS, ResultOptions, check_result_options, evaluate, results
from docie.corpus.guard import check_seconds
from docie.corpus.intervals import delta_intervals
from docie.corpus.partial import Partial, in_order
from docie.corpus.stack import Stack
from docie.corpus.workers import Engine

if TYPE_CHECKING:
    from docie.comparison import agreement, compare, gain_of, is_worse, kieval_settings
    from docie.diagnosis import (
        DocumentErrors,
        Suspect,
        count_errors,
        errors,
        errors_by_document,
        false_alarms,
        repaired,
        suspects,
    )

__all__ = [
    "RESULT_OPTIONS",
    "DaskWorkers",
    "DocumentErrors",
    "Engine",
    "Partial",
    "ResultOptions",
    "Stack",
    "Suspect",
    "agreement",
    "check_result_options",
    "check_seconds",
    "compare",
    "count",
    "count_errors",
    "dask_workers",
    "delta_intervals",
    "errors",
    "errors_by_document",
    "evaluate",
    "false_alarms",
    "gain_of",
    "in_order",
    "is_worse",
    "kieval_settings",
    "repaired",
    "results",
    "suspects",
    "with_progress_bar",
]

_ABOVE = {
    **dict.fromkeys(("agreement", "compare", "gain_of"), "docie.comparison"),
    **dict.fromkeys(("is_worse", "kieval_settings"), "docie.comparison"),
    **dict.fromkeys(("DocumentErrors", "Suspect", "count_errors", "errors", "errors_by_document"), "docie.diagnosis"),
    **dict.fromkeys(("false_alarms", "repaired", "suspects"), "docie.diagnosis"),
}
"""Names of rooms that stand on this one, each with its room: imported when they are first used."""


def __getattr__(name: str) -> Any:
    if name not in _ABOVE:
        raise AttributeError(f"module 'docie.corpus' has no attribute {name!r}")
    return getattr(import_module(_ABOVE[name]), name)
