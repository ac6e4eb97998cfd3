"""Comparing: which of several systems is better, and whether metrics agree."""

from docie.cli.comparison.agreement import HELP_OF_AGREEMENT, agreement
from docie.cli.comparison.command import HELP, compare

__all__ = ["HELP", "HELP_OF_AGREEMENT", "agreement", "compare"]
