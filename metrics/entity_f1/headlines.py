"""What entity F1 says first."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from docie.core.counts import Counts, Outcomes
from docie.core.phrases import correct_of, counted
from docie.core.scores import Headline
from docie.metrics.entity_f1.metric import Tags


def headlines(counts: Counts, figures: Mapping[str, Any]) -> Iterator[Headline]:
    """The quality of values or of spans; and that of entity types or of tags.

    Args:
        counts (Counts): the counts of a document or of a corpus.
        figures (dict): their scores.

    Returns:
        iterator of Headline: the scores, each with its sentence.

    >>> from docie.metrics.entity_f1 import count, score
    >>> counts = count(["B-date", "O"], ["B-date", "B-total"])
    >>> [each.sentence for each in headlines(counts, score(counts))]
    ['1 of 2 entities correct, words and type', '1 of 2 words with the tag of the reference']
    """
    right, wrong, missed = map(int, counts.total("entity", Outcomes).numbers())
    if "accuracy" in figures:
        tags = counts.total("token", Tags)
        said = correct_of(right, wrong, missed, "entity").replace(" correct", " correct, words and type", 1)
        yield Headline("f1", said)
        yield Headline(
            "accuracy", f"{tags.right:,} of {counted(int(tags.words), 'word')} with the tag of the reference"
        )
    else:
        types = counted(len(counts.by("entity", 1, Outcomes)), "entity type")
        yield Headline("f1", correct_of(right, wrong, missed, "value"))
        yield Headline("f1_macro", f"mean of the F1 scores of {types}")
