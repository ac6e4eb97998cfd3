"""The position of generated tokens in a text, and the lowest probability of the tokens in a part of it."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterable
from numbers import Real
from typing import Any

from docie.core.errors import shortened

from ..grouping.documents import checked_iterable
from ..grouping.words import least_confidence

_BLANKS = " \u2581\u0120\u010a\n"  # also as tokenizers write blanks and line ends
_REACH = 64  # a token of more than two characters may begin this far after the end of the token before it
_GAP = 2000  # characters of tokens that were not found; after more of them, a token is not searched any further
_PAIRS = (tuple, list)
_NUMBERS: Any = (float, Real)  # nearly all are floats, and the first check is fast
_WHITE = re.compile(r"\s*")


class TokenScores:
    """The tokens of a text with their probabilities and positions.

    Blanks, and the marks that tokenizers write for them, are ignored. A token that is not found, such as a part of a
    letter, stands for the text between the tokens around it. If there is no text between them, it is a control token.
    `lost` is the number of probabilities that are not numbers between 0 and 1.

    Args:
        text: the text.
        token_scores: pairs of a token's text and its probability, in order.

    Raises:
        ValueError: if it is anything else.

    >>> tokens = [("<s_total>", 1.0), ("▁9.", 0.9), ("00", 0.7), ("�", 0.8), ("�", 0.6)]
    >>> scores = TokenScores("<s_total> 9.00 é", tokens)
    >>> scores.least([(10, 14)]), scores.least([(10, 12)]), scores.least([(15, 16)])
    (0.7, 0.9, 0.6)
    """

    def __init__(self, text: str, token_scores: Iterable[tuple[str, float]]) -> None:
        self.starts: list[int] = []
        self.ends: list[int] = []
        self.probabilities: list[float] = []
        self.lost = 0
        end, waiting, missing = 0, list[Any](), 0
        for number, pair in enumerate(checked_iterable("token_scores", token_scores)):
            if not isinstance(pair, _PAIRS) or len(pair) != 2 or not isinstance(pair[0], str):
                expected = "expected pairs of a token's text and its probability"
                raise ValueError(f"token_scores {number}: {expected}, got {shortened(pair)}")
            token, probability = pair
            piece = token.strip(_BLANKS).removeprefix("##")  # WordPiece's mark for the later parts of a word
            if len(piece) > _GAP:
                piece = piece[:_GAP]
            if not isinstance(probability, _NUMBERS) or not 0 <= probability <= 1:
                self.lost += 1
            elif piece:
                blank = _WHITE.match(text, end)
                limit = (blank.end() if blank else end) + missing + len(piece)
                start = text.find(piece, end, limit + (_REACH if len(piece) > 2 else 0))
                if start < 0:
                    waiting.append(probability)
                    missing = min(missing + len(piece), _GAP)
                    continue
                self._add(text, end, start, waiting)
                self._add(text, start, start + len(piece), [probability])
                end, waiting, missing = start + len(piece), [], 0
        self._add(text, end, len(text), waiting)

    def _add(self, text: str, start: int, end: int, probabilities: list[float]) -> None:
        """Assign the smallest of these probabilities, if there are any, to the text between two positions."""
        if probabilities and text[start:end].strip():
            self.starts.append(start)
            self.ends.append(end)
            self.probabilities.append(float(min(probabilities)))

    def least(self, places: list[tuple[int, int]]) -> float | None:
        """The smallest probability of the tokens between two positions; None if there is none."""
        probabilities: list[float] = []
        for start, end in places:
            probabilities += self.probabilities[bisect_right(self.ends, start) : bisect_left(self.starts, end)]
        return least_confidence(probabilities)
