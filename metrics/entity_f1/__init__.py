"""Entity F1: the conventional figure, of documents, in which groups have no say, and of tagged words."""

from docie.metrics.entity_f1.explanation import explain
from docie.metrics.entity_f1.metric import (
    INPUTS,
    KEY_CONVERTERS,
    NAME,
    SCORES,
    Settings,
    breakdown,
    count,
    score,
    seqeval_keys,
)

__all__ = [
    "INPUTS",
    "KEY_CONVERTERS",
    "NAME",
    "SCORES",
    "Settings",
    "breakdown",
    "count",
    "explain",
    "score",
    "seqeval_keys",
]
