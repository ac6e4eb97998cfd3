"""Answers of language models → documents, and prompts for them.

Reading never raises, and every metric accepts the result. `issues` lists what was repaired or dropped.
"""

from .answers import to_document, to_list
from .prompts import prompt

__all__ = [
    "prompt",
    "to_document",
    "to_list",
]
