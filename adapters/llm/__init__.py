"""Answers of language models → documents, and the prompts that ask for them.

Reading never raises, and every metric takes what it returns. `issues` says what was repaired or dropped.
"""

from docie.documents.rows import Parsed

from .answers import to_document
from .prompts import prompt

__all__ = ["Parsed", "prompt", "to_document"]
