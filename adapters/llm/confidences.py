"""Values in JSON that know the probabilities of their tokens."""

from __future__ import annotations

import re
from collections import Counter
from json import JSONDecoder
from typing import Any

from ..parsed import Scored, object_of
from ..token_scores import TokenScores

_SCALAR = re.compile(r'"((?:[^"\\]|\\.)*+)"(\s*+:)?|[^\s{}\[\],:"]++')
_SCALARS = (str, int, float, bool)


Place = tuple[int, int]
"""Where a text or a literal begins and ends, quotes excluded."""


def with_confidence(value: Any, place: Place | None, scores: TokenScores | None, issues: Counter[str]) -> Any:
    """A value with the lowest probability of the tokens in its place, if there are scores. What is absent has none.

    >>> value = with_confidence("12", (1, 3), TokenScores('"12"', [('"1', 0.9), ('2"', 0.7)]), Counter())
    >>> value.value, value.confidence
    ('12', 0.7)
    """
    if scores is None or value is None or value == "":
        return value
    confidence = scores.least([place]) if place else None
    issues["gave a value no confidence: which tokens are its own is uncertain"] += confidence is None
    return Scored(value, confidence)


def decode(text: str, start: int, end: int, scores: TokenScores) -> tuple[Any, Counter[str]]:
    """The value of `text[start:end]`, which is valid JSON, with confidences; and issues.

    `json` does not tell where a value stood. So in a copy of the text, an object of a value and its place stands for
    each value. No other object has a value of its own.
    """

    issues: Counter[str] = Counter()

    def placed(match: re.Match[str]) -> str:
        if match[2] or match[0] in ("null", '""'):
            return match[0]
        quote = match[1] is not None
        return f'{{"value":{match[0]},"place":[{start + match.start() + quote},{start + match.end() - quote}]}}'

    def made(pairs: list[tuple[str, Any]]) -> object:
        value = pairs[0][1] if pairs else ""
        is_value = type(value) in _SCALARS and value != ""
        return with_confidence(value, pairs[1][1], scores, issues) if is_value else object_of(pairs, issues)

    copy = _SCALAR.sub(placed, text[start:end])
    return JSONDecoder(object_pairs_hook=made).decode(copy), issues
