"""Errors as rows: the pairs of groups that were compared, the kind of each correction, and the rows."""

from docie.metrics.kieval.errors.hints import Hints
from docie.metrics.kieval.errors.kinds import KINDS
from docie.metrics.kieval.errors.pairs import Operation, Pair, pairs_of
from docie.metrics.kieval.errors.rows import ErrorRow, error_rows, located_of, rows_of_pairs, shown_reference

__all__ = [
    "KINDS",
    "ErrorRow",
    "Hints",
    "Operation",
    "Pair",
    "error_rows",
    "located_of",
    "pairs_of",
    "rows_of_pairs",
    "shown_reference",
]
