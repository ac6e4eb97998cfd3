"""Which of several systems is better: the test, the interval, corrections for many tests, and suspected labels."""

from docie.corpus.comparison.compare import compare, is_worse
from docie.corpus.comparison.linearization import delta_intervals
from docie.corpus.comparison.suspects import Suspect, suspects
from docie.corpus.comparison.systems import errors_of_system

__all__ = ["Suspect", "compare", "delta_intervals", "errors_of_system", "is_worse", "suspects"]
