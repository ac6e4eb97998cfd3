"""Which of several systems is better: the test, the interval, corrections for many tests, and suspected labels."""

from docie.corpus.comparison.compare import compare, is_worse
from docie.corpus.comparison.suspects import Suspect, suspects

__all__ = ["Suspect", "compare", "is_worse", "suspects"]
