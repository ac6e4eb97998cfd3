"""What HED and UHED say first."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from docie.core.counts import Counts
from docie.core.phrases import counted
from docie.core.scores import Headline


def headlines(counts: Counts, figures: Mapping[str, Any]) -> Iterator[Headline]:
    """The share of characters that are correct, in any order of line items and in theirs.

    Args:
        counts (Counts): the counts of a document or of a corpus.
        figures (dict): their scores.

    Returns:
        iterator of Headline: the scores, each with its sentence.

    >>> from docie.metrics.hed import count, score
    >>> counts = count({"total": "9"}, {"total": "9"})
    >>> [each.sentence for each in headlines(counts, score(counts))][0]
    'F1 of characters, mean of 1 document, line items in any order'
    """
    mean = f"F1 of characters, mean of {counted(counts.documents, 'document')}, line items in"
    yield Headline("uhed_f1", f"{mean} any order")
    yield Headline("hed_f1", f"{mean} their order")
