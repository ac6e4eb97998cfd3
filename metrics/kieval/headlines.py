"""What KIEval says first."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from docie.core.counts import Counts, Outcomes
from docie.core.phrases import correct_of, counted, in_words
from docie.core.scores import Headline, rounded
from docie.metrics.kieval.metric import Documents
from docie.metrics.kieval.weighing import Entities

_FURTHER = {
    "weighted_entity_f1": "entity_f1, with each value weighted by its type",
    "correction_cost_per_document": "mean cost of the corrections, in the unit of the costs",
    "minutes_per_100_documents": "time that the corrections take, from the seconds for one",
}


def headlines(counts: Counts, figures: Mapping[str, Any]) -> Iterator[Headline]:
    """The quality of values and of groups, the documents without an error, and the work that is left.

    Args:
        counts (Counts): the counts of a document or of a corpus.
        figures (dict): their scores, also those that were made from them, such as minutes.

    Returns:
        iterator of Headline: the scores, each with its sentence.

    >>> from docie.metrics.kieval import count, score
    >>> counts = count({"total": "9", "tax": "1"}, {"total": "9", "tax": "2"})
    >>> [each.sentence for each in headlines(counts, score(counts))][::2]
    ['1 of 2 values correct, 1 of 2 predicted is incorrect', '1 to replace: 1 a document']
    """
    values, groups = counts.total("entity", Entities), counts.total("group", Outcomes)
    yield Headline("entity_f1", correct_of(*_numbers(values), "value"))
    if groups.support or groups.false_positives:
        said = correct_of(*_numbers(groups), "group").replace(" correct", ", such as items, wholly correct", 1)
        yield Headline("group_f1", said)
    correct = counts.total("correct", Documents).correct
    yield Headline("document_accuracy", f"{correct:,} of {counted(counts.documents, 'document')} without an error")
    todo = (
        (figures["substitutions"], "to replace"),
        (figures["additions"], "to add"),
        (figures["deletions"], "to delete"),
    )
    mean = rounded(figures["corrections"] / max(counts.documents, 1), 1).removesuffix(".0")
    yield Headline("corrections", f"{in_words(*todo, empty='nothing to correct')}: {mean} a document")
    for name, sentence in _FURTHER.items():
        if name in figures:
            yield Headline(name, sentence)


def _numbers(row: Outcomes | Entities) -> tuple[int, int, int]:
    right, wrong, missed = row.true_positives, row.false_positives, row.false_negatives
    return int(right), int(wrong), int(missed)
