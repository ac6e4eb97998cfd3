"""The score of a corpus, and the numbers beside it, each with its interval and a sentence."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from docie.core.counts import Counts, Outcomes
from docie.core.phrases import counted
from docie.core.results import Row
from docie.show.report.score.error_tables import amount, share_of
from docie.show.section import Headline, number


def headlines(scores: Row, counts: Counts) -> Iterator[Headline]:
    """Entity F1, which is the score of the page, and what stands beside it."""
    figures = scores.figures
    correct, incorrect, missing = (figures[name] for name in ("true_positives", "false_positives", "false_negatives"))
    said = (
        f"{correct:,} of {counted(int(correct + missing), 'value')} in the references were found, "
        f"and {correct:,} of {correct + incorrect:,} predicted values are correct."
    )
    yield _headline("Entity F1", "entity_f1", scores, said, number)
    documents = counts.documents
    correct = round(figures["document_accuracy"] * documents)
    said = f"{correct:,} of {counted(documents, 'document')} need no correction."
    yield _headline("Error-free documents", "document_accuracy", scores, said)
    replace, add, delete = (figures[name] for name in ("substitutions", "additions", "deletions"))
    said = (
        f"A person would replace {replace:,}, add {add:,} and delete {delete:,} of the values: "
        f"{amount(figures['corrections'] / max(documents, 1))} in a document."
    )
    yield _headline("Corrections", "corrections", scores, said, lambda value: f"{round(value):,}")
    yield _headline("Aligned", "aligned", scores, "The share of values that need no correction.")
    groups = counts.total("group", Outcomes)
    if groups.support + groups.false_positives:
        said = f"{groups.true_positives:,} of {counted(groups.support, 'group')}, such as line items, are all correct."
        yield _headline("Group F1", "group_f1", scores, said)
    if "weighted_entity_f1" in figures:
        sentence = "Entity F1, with each value weighted by its type."
        yield _headline("Weighted entity F1", "weighted_entity_f1", scores, sentence)
    if "minutes_per_100_documents" in figures:
        sentence = "The time that the corrections take, from the seconds for one."
        yield _headline("Minutes for 100 documents", "minutes_per_100_documents", scores, sentence, amount)
    elif "correction_cost_per_document" in figures:
        sentence = "The mean cost of the corrections, in the unit of the costs."
        yield _headline("Cost of a document", "correction_cost_per_document", scores, sentence, amount)


def _headline(name: str, key: str, scores: Row, sentence: str, shown: Callable[[float], str] | None = None) -> Headline:
    """A score and its interval as they are `shown`; a share in per cent."""
    if shown is None:
        share = share_of(scores, key)
        return Headline(name, share.text, share.interval, sentence)
    interval = " – ".join(map(shown, scores.intervals.get(key) or ()))
    return Headline(name, shown(scores.figures[key]), interval, sentence)
