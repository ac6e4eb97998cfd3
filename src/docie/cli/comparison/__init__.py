"""docie compare: which of several systems is better, and how sure that is."""

from docie.cli.comparison.command import HELP, compare

__all__ = ["HELP", "compare"]
