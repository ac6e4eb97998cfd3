"""What text match says first."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from docie.core.counts import Counts
from docie.core.phrases import counted
from docie.core.scores import Headline
from docie.metrics.text_match.metric import Fields


def headlines(counts: Counts, figures: Mapping[str, Any]) -> Iterator[Headline]:
    """How many fields are identical, and how similar all are.

    Args:
        counts (Counts): the counts of a document or of a corpus.
        figures (dict): their scores.

    Returns:
        iterator of Headline: the scores, each with its sentence.

    >>> from docie.metrics.text_match import count, score
    >>> counts = count({"total": "9"}, {"total": "9", "tax": "1"})
    >>> [each.sentence for each in headlines(counts, score(counts))]
    ['1 of 2 fields identical, 0 spurious, 1 missing or different', 'mean similarity of 2 fields']
    """
    row = counts.total("field", Fields)
    fields = counted(int(row.fields), "field")
    spurious, others = row.fields - row.references, row.references - row.exact_match
    said = f"{row.exact_match:,} of {fields} identical, {spurious:,} spurious, {others:,} missing or different"
    yield Headline("exact_match", said)
    yield Headline("levenshtein_similarity", f"mean similarity of {fields}")
