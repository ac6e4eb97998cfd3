"""What nTED accuracy says first."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from docie.core.counts import Counts
from docie.core.phrases import counted
from docie.core.scores import Headline
from docie.metrics.nted.metric import Documents


def headlines(counts: Counts, figures: Mapping[str, Any]) -> Iterator[Headline]:
    """The accuracy of documents.

    Args:
        counts (Counts): the counts of a document or of a corpus.
        figures (dict): their scores.

    Returns:
        iterator of Headline: the score with its sentence.

    >>> from docie.metrics.nted import count, score
    >>> counts = count({"total": "9"}, {"total": "9"})
    >>> [each.sentence for each in headlines(counts, score(counts))]
    ['mean of 1 document, 1 without an edit']
    """
    same = counts.total("document", Documents).identical
    yield Headline("nted_accuracy", f"mean of {counted(counts.documents, 'document')}, {same:,} without an edit")
