"""What box overlap says first."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from docie.core.counts import Counts
from docie.core.phrases import correct_of, counted
from docie.core.scores import Headline
from docie.metrics.box_iou.metric import Overlap, matches_of


def headlines(counts: Counts, figures: Mapping[str, Any]) -> Iterator[Headline]:
    """How many boxes are found, and how far units overlap.

    Args:
        counts (Counts): the counts of a document or of a corpus.
        figures (dict): their scores.

    Returns:
        iterator of Headline: the scores, each with its sentence.

    >>> from docie.metrics.box_iou import count, score
    >>> box = {"label": "total", "box": [0, 0, 4, 1]}
    >>> counts = count([box], [box])
    >>> [each.sentence for each in headlines(counts, score(counts))]
    ['1 of 1 box correct, overlap at least 0.5', 'mean overlap of 1 unit, the boxes of a label and a group']
    """
    row, found = counts.total("label", Overlap), int(matches_of(counts)[0])
    predicted, expected = int(row.predictions), int(row.references)
    said = correct_of(found, predicted - found, expected - found, "box")
    yield Headline("f1", said.replace(" correct", " correct, overlap at least 0.5", 1))
    units = counted(int(row.units), "unit")
    yield Headline("iou_grouped", f"mean overlap of {units}, the boxes of a label and a group")
