"""docie threshold: which values may go unseen, and at what risk."""

from docie.cli.threshold.command import HELP, threshold

__all__ = ["HELP", "threshold"]
