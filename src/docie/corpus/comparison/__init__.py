"""Which of several systems is better: the test, the interval, corrections, suspected labels."""

from docie.corpus.comparison.agreement import agreement
from docie.corpus.comparison.compare import compare, gain_of, is_worse, kieval_settings
from docie.corpus.comparison.linearization import delta_intervals
from docie.corpus.comparison.suspects import Suspect, suspects
from docie.corpus.comparison.systems import errors_of_system

__all__ = [
    "Suspect",
    "agreement",
    "compare",
    "delta_intervals",
    "errors_of_system",
    "gain_of",
    "is_worse",
    "kieval_settings",
    "suspects",
]
