"""Whole corpora: fold the counts of documents, score them, say how sure the figures are.

This works for any family (`docie.kieval`, ...): it asks for counts, adds them, and has them scored. What compares
systems and explains errors lives in `docie.comparison` and `docie.diagnosis`, and is found here too.
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
    from docie.diagnosis.labels import suspects

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
    "suspects": "docie.diagnosis.labels",
}
"""Names of rooms that stand on this one, each with its module: imported when they are first used."""


def __getattr__(name: str) -> Any:
    if name not in _ABOVE:
        raise AttributeError(f"module 'docie.corpus' has no attribute {name!r}")
    return getattr(import_module(_ABOVE[name]), name)
