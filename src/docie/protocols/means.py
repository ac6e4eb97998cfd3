"""Scorers whose score is the mean of those of the documents."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

from docie.core.counts import Counts, Number, Row, ratio
from docie.core.scores import Score
from docie.protocols.scorer import Scorer


@dataclass(slots=True)
class Documents(Row):
    """Columns of the ("document",) row: the sum of the documents' scores."""

    score: Number = 0.0


def counts_of(score: float, *, valid: bool) -> Counts:
    """The counts of a document with this score; `valid`: whether its prediction could be read."""
    return Counts.of_document({("document",): Documents(score)}, valid=valid)


def mean_scorer(
    name: str, quoted: str, meaning: str, count: Callable[[object, object, Any], Counts], **more: Any
) -> Scorer:
    """The scorer of a mean over documents, which is 1.0 without documents.

    Args:
        name: that of the scorer.
        quoted, meaning: the name of the score, and what it says.
        count: counts one document, as `counts_of` gives it.
        **more: further attributes of the scorer.

    >>> scorer = mean_scorer("same", "same", "Share of equal documents.", lambda *sides: counts_of(0.5, valid=True))
    >>> scorer.score(scorer.count("a", "a", None) + scorer.count("a", "b", None))
    {'same': 0.5}
    """
    scores = (Score(quoted, "higher", "share", meaning, headline=True),)
    return Scorer(NAME=name, SCORES=scores, count=count, score=partial(_mean, quoted), **more)


def _mean(quoted: str, counts: Counts) -> dict[str, Number]:
    return {quoted: ratio(counts.total("document", Documents).score, counts.documents, empty=1.0)}
