"""docie score: what it reads, who counts, and what it prints."""

from docie.cli.scoring.command import HELP, score

__all__ = ["HELP", "score"]
