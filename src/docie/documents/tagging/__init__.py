"""Tagged words: `B-total`, `I-total`, `O` and their kin, their spans, and files of them."""

from docie.documents.tagging.schemes import SCHEMES
from docie.documents.tagging.spans import find_spans

__all__ = [
    "SCHEMES",
    "find_spans",
]
