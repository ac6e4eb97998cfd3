"""Which of several systems is better: the test, the interval, corrections."""

from docie.comparison.comparing import compare, gain_of, is_worse, kieval_settings
from docie.comparison.metrics_agree import agreement, correlations

__all__ = [
    "agreement",
    "compare",
    "correlations",
    "gain_of",
    "is_worse",
    "kieval_settings",
]
