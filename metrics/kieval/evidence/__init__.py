"""Evidence: the places of values, which correct values stand where the reference has them, and their scores."""

from docie.metrics.kieval.evidence.grounding import Arranged, Grounding
from docie.metrics.kieval.evidence.scores import Asked, by_type, evidence_in, figures, rows_of
from docie.metrics.kieval.evidence.sides import OWN, Leaves, Side

__all__ = [
    "OWN",
    "Arranged",
    "Asked",
    "Grounding",
    "Leaves",
    "Side",
    "by_type",
    "evidence_in",
    "figures",
    "rows_of",
]
