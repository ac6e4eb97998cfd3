"""Errors as rows: the pairs of groups that were compared, the kind of each correction, and the rows."""

from docie.kieval.errors.hints import Hints
from docie.kieval.errors.kinds import KINDS
from docie.kieval.errors.pairs import Operation, Pair, pairs_of
from docie.kieval.errors.rows import ErrorRow, error_rows, located_of, rows_of_pairs, shown_reference

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
