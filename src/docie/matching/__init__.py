"""One-to-one matchings of rows and columns of which few fit each other."""

from docie.matching.one_to_one import Places, first_pairs, matched_rows, parts

__all__ = ["Places", "first_pairs", "matched_rows", "parts"]
