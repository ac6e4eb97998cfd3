"""Which of several systems is better: the test, the interval, corrections."""

from docie.comparison.comparing import compare, gain_of, is_worse, kieval_settings
from docie.comparison.linearization import delta_intervals
from docie.comparison.metrics_agree import agreement

__all__ = [
    "agreement",
    "compare",
    "delta_intervals",
    "gain_of",
    "is_worse",
    "kieval_settings",
]
