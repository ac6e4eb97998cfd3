"""Which of several systems is better: the test, the interval, corrections."""

from docie.comparison.metrics_agree import agreement
from docie.comparison.comparing import compare, gain_of, is_worse, kieval_settings
from docie.comparison.linearization import delta_intervals

__all__ = [
    "agreement",
    "compare",
    "delta_intervals",
    "gain_of",
    "is_worse",
    "kieval_settings",
]
