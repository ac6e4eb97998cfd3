"""Scores of a corpus: count documents, add the counts, score them, and compute confidence intervals.

This works for any family (`docie.kieval`, ...): the family counts and scores. The functions that compare systems and
explain errors are defined in `docie.comparison` and `docie.diagnosis`, and are available here too.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from docie.corpus.counting import count
from docie.corpus.evaluation import evaluate, results
from docie.corpus.partial import Partial, in_order
from docie.corpus.workers import dask_workers

if TYPE_CHECKING:
    from docie.comparison.comparing import compare
    from docie.comparison.metrics_agree import agreement
    from docie.diagnosis.error_analysis import count_errors, errors, errors_by_document, false_alarms, repaired
    from docie.diagnosis.suspect_labels import suspects

__all__ = [
    "Partial",
    "agreement",
    "compare",
    "count",
    "count_errors",
    "dask_workers",
    "errors",
    "errors_by_document",
    "evaluate",
    "false_alarms",
    "in_order",
    "repaired",
    "results",
    "suspects",
]

_ABOVE = {
    "agreement": "docie.comparison.metrics_agree",
    "compare": "docie.comparison.comparing",
    **dict.fromkeys(("count_errors", "errors", "errors_by_document"), "docie.diagnosis.error_analysis"),
    **dict.fromkeys(("false_alarms", "repaired"), "docie.diagnosis.error_analysis"),
    "suspects": "docie.diagnosis.suspect_labels",
}
"""Names from rooms above this one, with their modules: they are imported on first use."""


def __getattr__(name: str) -> Any:
    if name not in _ABOVE:
        raise AttributeError(f"module 'docie.corpus' has no attribute {name!r}")
    return getattr(import_module(_ABOVE[name]), name)
