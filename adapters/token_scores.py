"""Which generated tokens make up which part of a text, and how sure the least sure of them is."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable

__all__ = ["TokenScores"]

_BLANKS = " \u2581\u0120\u010a\n"  # also as tokenizers write blanks and line ends
_REACH = 64  # how far a token may stand from the end of the one before


class TokenScores:
    """The tokens of a text with their probabilities, each in its place.

    `token_scores` are pairs of a token's text and its probability, in order. Blanks do not matter; a token that is not
    found where it should be (half of a letter, say) is left out.

    >>> scores = TokenScores("<s_total> 9.00", [("<s_total>", 1.0), ("\u25819.", 0.9), ("00", 0.7)])
    >>> scores.least([(9, 14)]), scores.least([(10, 12)]), scores.lost
    (0.7, 0.9, 0)
    """

    def __init__(self, text: str, token_scores: Iterable[tuple[str, float]]) -> None:
        self.starts: list[int] = []
        self.ends: list[int] = []
        self.probabilities: list[float] = []
        self.lost = 0
        end = 0
        for token, probability in token_scores:
            piece = token.strip(_BLANKS)
            if not piece:
                continue
            start = text.find(piece, end, end + _REACH + len(piece))
            if start < 0 or not 0 <= probability <= 1:
                self.lost += 1
                continue
            end = start + len(piece)
            self.starts.append(start)
            self.ends.append(end)
            self.probabilities.append(float(probability))

    def least(self, places: list[tuple[int, int]]) -> float | None:
        """The smallest probability of the tokens in places (start, end), None where there is none."""
        found: list[float] = []
        for start, end in places:
            found += self.probabilities[bisect_right(self.ends, start) : bisect_left(self.starts, end)]
        return min(found, default=None)
