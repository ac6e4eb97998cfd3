"""Tagged words: `B-total`, `I-total`, `O` and their kin, their spans, and files of them."""

from docie.documents.tagging.schemes import OUTSIDE, PREFIXES, SCHEMES, check_reading, check_scheme, is_tag, split_tag
from docie.documents.tagging.spans import Span, count_spans, find_spans, first_fault, sentence_bounds, tags_of
from docie.documents.tagging.words import (
    OTHER_NAMES,
    SUFFIXES,
    LineError,
    TaggedWords,
    check_names_of_words,
    is_tagged_words,
    parse_file,
    parse_lines,
    parse_tagged_words,
    word_files,
)

__all__ = [
    "OTHER_NAMES",
    "OUTSIDE",
    "PREFIXES",
    "SCHEMES",
    "SUFFIXES",
    "LineError",
    "Span",
    "TaggedWords",
    "check_names_of_words",
    "check_reading",
    "check_scheme",
    "count_spans",
    "find_spans",
    "first_fault",
    "is_tag",
    "is_tagged_words",
    "parse_file",
    "parse_lines",
    "parse_tagged_words",
    "sentence_bounds",
    "split_tag",
    "tags_of",
    "word_files",
]
