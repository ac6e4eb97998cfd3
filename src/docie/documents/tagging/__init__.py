"""Tagged words: `B-total`, `I-total`, `O` and their kin, their spans, and files of them."""

from docie.documents.tagging.schemes import SCHEMES
from docie.documents.tagging.spans import Span, count_spans, find_spans, tags_of
from docie.documents.tagging.words import parse_lines

__all__ = [
    "SCHEMES",
    "Span",
    "count_spans",
    "find_spans",
    "parse_lines",
    "tags_of",
]
