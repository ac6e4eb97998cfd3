"""Whole corpora: fold the counts of documents, score them, say how sure the figures are.

This works for any family (`docie.kieval`, ...): it asks for counts, adds them, and has them scored. What compares
systems and explains errors lives in `docie.comparison` and `docie.diagnosis`, and is found here too.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from docie.corpus.bootstrap import Stack, intervals, resampled
from docie.corpus.counting import merge, with_progress_bar
from docie.corpus.evaluation import count, evaluate, summarize
from docie.corpus.groups import in_order
from docie.corpus.guard import check_seconds
from docie.corpus.poisson.parts import merge_replicates, poisson_bootstrap, summarize_replicates
from docie.corpus.poisson.replicates import Replicates
from docie.corpus.results import RESULT_OPTIONS, check_result_options
from docie.corpus.scale.checkpoint import Checkpoint
from docie.corpus.scale.dask_cluster import DaskWorkers, dask_workers
from docie.corpus.scale.parts import PartsTotal, count_part, evaluate_parts, merge_parts
from docie.corpus.workers import Engine, results_in_order

if TYPE_CHECKING:
    from docie.comparison import agreement, compare, delta_intervals, gain_of, is_worse, kieval_settings
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
    "Checkpoint",
    "DaskWorkers",
    "DocumentErrors",
    "Engine",
    "PartsTotal",
    "Replicates",
    "Stack",
    "Suspect",
    "agreement",
    "check_result_options",
    "check_seconds",
    "compare",
    "count",
    "count_errors",
    "count_part",
    "dask_workers",
    "delta_intervals",
    "errors",
    "errors_by_document",
    "evaluate",
    "evaluate_parts",
    "false_alarms",
    "gain_of",
    "in_order",
    "intervals",
    "is_worse",
    "kieval_settings",
    "merge",
    "merge_parts",
    "merge_replicates",
    "poisson_bootstrap",
    "repaired",
    "resampled",
    "results_in_order",
    "summarize",
    "summarize_replicates",
    "suspects",
    "with_progress_bar",
]

_ABOVE = {
    **dict.fromkeys(("agreement", "compare", "delta_intervals", "gain_of"), "docie.comparison"),
    **dict.fromkeys(("is_worse", "kieval_settings"), "docie.comparison"),
    **dict.fromkeys(("DocumentErrors", "Suspect", "count_errors", "errors", "errors_by_document"), "docie.diagnosis"),
    **dict.fromkeys(("false_alarms", "repaired", "suspects"), "docie.diagnosis"),
}
"""Names of rooms that stand on this one, each with its room: imported when they are first used."""


def __getattr__(name: str) -> Any:
    if name not in _ABOVE:
        raise AttributeError(f"module 'docie.corpus' has no attribute {name!r}")
    return getattr(import_module(_ABOVE[name]), name)
