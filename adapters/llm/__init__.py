"""Answers of language models → documents, and the prompts that ask for them.

Reading never raises, and every metric takes what it returns. `issues` says what was repaired or dropped.
"""

from .answers import to_document
from .prompts import prompt

__all__ = [
    "prompt",
    "to_document",
]
