"""What ANLS* says first."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from docie.core.counts import Counts
from docie.core.phrases import counted
from docie.core.scores import Headline
from docie.metrics.anls_star.metric import Documents


def headlines(counts: Counts, figures: Mapping[str, Any]) -> Iterator[Headline]:
    """The similarity of documents.

    Args:
        counts (Counts): the counts of a document or of a corpus.
        figures (dict): their scores.

    Returns:
        iterator of Headline: the score with its sentence.

    >>> from docie.metrics.anls_star import count, score
    >>> counts = count("Late", "Latte")
    >>> [each.sentence for each in headlines(counts, score(counts))]
    ['mean similarity of 1 document, 0 without a difference']
    """
    same = counts.total("document", Documents).identical
    documents = counted(counts.documents, "document")
    yield Headline("anls_star", f"mean similarity of {documents}, {same:,} without a difference")
