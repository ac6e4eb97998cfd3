"""ANLS*: the similarity of JSON values, from single answers to nested documents."""

from docie.metrics.anls_star.explanation import explain, headlines
from docie.metrics.anls_star.metric import (
    INPUTS,
    NAME,
    SCORES,
    Settings,
    breakdown,
    closest,
    count,
    details,
    score,
)

__all__ = [
    "INPUTS",
    "NAME",
    "SCORES",
    "Settings",
    "breakdown",
    "closest",
    "count",
    "details",
    "explain",
    "headlines",
    "score",
]
