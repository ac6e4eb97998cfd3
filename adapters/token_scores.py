"""The position of generated tokens in a text, and the lowest probability of the tokens in a part of it."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterable
from itertools import accumulate
from numbers import Real
from typing import Any

from docie.core.errors import shortened

from .grouping.documents import checked_iterable
from .grouping.labelled_words import least_confidence

_BLANKS = " \u2581\u0120\u010a\n"  # also as tokenizers write blanks and line ends
_REACH = 64  # a token of more than two characters may begin this far after the end of the token before it
_GAP = 2000  # characters of tokens that were not found; after more of them, a token is not searched any further
_PAIRS = (tuple, list)
_NUMBERS: Any = (float, Real)  # nearly all are floats, and the first check is fast
_WHITE = re.compile(r"\s*")


class TokenScores:
    """The tokens of a text with their probabilities and positions.

    If the tokens make the text, perhaps with others before and after it, each one stands where it does there: the
    letter that a token is a part of, too. Otherwise tokens are searched. Then blanks, and the marks that tokenizers
    write for them, are ignored. A token that is not found, such as a part of a letter, stands for the text between the
    tokens around it. If there is no text between them, it is a control token. `lost` is the number of probabilities
    that are not numbers between 0 and 1.

    Args:
        text: the text.
        token_scores: pairs of a token's text, or its bytes in UTF-8, and its probability, in order.

    Raises:
        ValueError: if it is anything else.

    >>> tokens = [("<s_total>", 1.0), ("▁9.", 0.9), ("00", 0.7), ("�", 0.8), ("�", 0.6)]
    >>> scores = TokenScores("<s_total> 9.00 é", tokens)
    >>> scores.least([(10, 14)]), scores.least([(10, 12)]), scores.least([(15, 16)])
    (0.7, 0.9, 0.6)
    """

    def __init__(self, text: str, token_scores: Iterable[tuple[str | bytes, float]]) -> None:
        self.starts: list[int] = []
        self.ends: list[int] = []
        self.probabilities: list[float] = []
        pairs = [_pair(number, pair) for number, pair in enumerate(checked_iterable("token_scores", token_scores))]
        known = [_is_probability(probability) for _, probability in pairs]
        self.lost = known.count(False)
        start = first_byte([token for token, _ in pairs], text)
        if start is None:
            self._search(text, [pair for pair, is_known in zip(pairs, known, strict=True) if is_known])
        else:
            self._place(text, start, pairs)

    def _place(self, text: str, position: int, pairs: list[tuple[str | bytes, Any]]) -> None:
        """Place tokens one after the other, the first one `position` bytes after the start of the text."""
        letters = [*accumulate((len(_bytes(letter)) for letter in text), initial=0)]  # where each one begins, in bytes
        for token, probability in pairs:
            start, position = position, position + len(_bytes(token))
            if position > start and _is_probability(probability):
                self.starts.append(bisect_right(letters, start) - 1)
                self.ends.append(bisect_left(letters, position))
                self.probabilities.append(float(probability))

    def _search(self, text: str, pairs: list[tuple[str | bytes, Any]]) -> None:
        end, waiting, missing = 0, list[Any](), 0
        for token, probability in pairs:
            token = token if isinstance(token, str) else token.decode("utf-8", errors="replace")
            piece = token.strip(_BLANKS).removeprefix("##")  # WordPiece's mark for the later parts of a word
            piece = piece[:_GAP]
            if piece:
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


def _pair(number: int, pair: Any) -> tuple[str | bytes, Any]:
    if not isinstance(pair, _PAIRS) or len(pair) != 2 or not isinstance(pair[0], str | bytes):
        expected = "expected pairs of a token's text and its probability"
        raise ValueError(f"token_scores {number}: {expected}, got {shortened(pair)}")
    return pair[0], pair[1]


def _is_probability(value: Any) -> bool:
    return isinstance(value, _NUMBERS) and bool(0 <= value <= 1)


def _bytes(text: str | bytes) -> bytes:
    return text if isinstance(text, bytes) else text.encode("utf-8", "surrogatepass")


def first_byte(tokens: list[str | bytes], text: str) -> int | None:
    """Where the tokens begin, in bytes before the text; None if they do not make it. The text may stand there again."""
    place = b"".join(map(_bytes, tokens)).rfind(_bytes(text))
    return None if place < 0 else -place
