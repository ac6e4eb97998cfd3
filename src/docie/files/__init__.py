"""References and predictions from files."""

from docie.files.joined import Joined
from docie.files.source import InputError, Row, Source

__all__ = ["InputError", "Joined", "Row", "Source"]
