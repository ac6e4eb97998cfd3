"""Entity error rates and F1 scores, in reading order and independent of it: ECER, EWER, Nerval, bags, CER and WER."""

from docie.metrics.oi_entities.explanation import explain, headlines
from docie.metrics.oi_entities.metric import INPUTS, NAME, Settings, breakdown, count, score
from docie.metrics.oi_entities.scores import SCORES

__all__ = [
    "INPUTS",
    "NAME",
    "SCORES",
    "Settings",
    "breakdown",
    "count",
    "explain",
    "headlines",
    "score",
]
