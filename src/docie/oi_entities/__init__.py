"""Entity error rates and F1 scores, in reading order and independent of it: ECER, EWER, Nerval, bags, CER and WER."""

from docie.oi_entities.assignment import Assigned, assignment
from docie.oi_entities.metric import INPUTS, NAME, Settings, breakdown, cost, count, score

__all__ = ["INPUTS", "NAME", "Assigned", "Settings", "assignment", "breakdown", "cost", "count", "score"]
