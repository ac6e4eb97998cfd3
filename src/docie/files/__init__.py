"""References and predictions from files."""

from docie.files.joined import Joined
from docie.files.source import CERTAIN_SUFFIXES, InputError, Row, Source

__all__ = ["CERTAIN_SUFFIXES", "InputError", "Joined", "Row", "Source"]
