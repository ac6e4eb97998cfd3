"""What the metrics of entities in any order say first."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from docie.core.counts import Counts
from docie.core.phrases import counted
from docie.core.scores import Headline, rounded
from docie.metrics.oi_entities.metric import Entities


def headlines(counts: Counts, figures: Mapping[str, Any]) -> Iterator[Headline]:
    """The errors of an entity, in any order and in reading order.

    Args:
        counts (Counts): the counts of a document or of a corpus.
        figures (dict): their scores.

    Returns:
        iterator of Headline: the scores, each with its sentence.

    >>> from docie.metrics.oi_entities import count, score
    >>> counts = count([["date", "1771"]], [["date", "1770"]])
    >>> [each.sentence for each in headlines(counts, score(counts))][0]
    'errors per entity, in any order: 0.2 for 1 entity; 0 is best'
    """
    row = Entities(*counts.rows.get(("entities", None), ()))
    entities = counted(int(row.references), "entity")
    for name, order in (("oi_ecer", "any order"), ("ecer", "reading order")):
        errors = rounded(getattr(row, name), 1)
        yield Headline(name, f"errors per entity, in {order}: {errors} for {entities}; 0 is best")
