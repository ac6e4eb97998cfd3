"""One-to-one matchings and assignments of rows and columns, and how similar texts are."""

from docie.core.matching.assignment import DENSE, best_assignment
from docie.core.matching.one_to_one import Places, first_pairs, matched_rows, parts
from docie.core.matching.similarity import Similarities, distinct

__all__ = ["DENSE", "Places", "Similarities", "best_assignment", "distinct", "first_pairs", "matched_rows", "parts"]
