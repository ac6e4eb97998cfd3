"""The score of a corpus, and the numbers beside it, each with its interval and a sentence."""

from __future__ import annotations

import math
from collections.abc import Iterator

from docie.core.counts import Counts, Outcomes
from docie.core.phrases import counted
from docie.core.results import Row
from docie.core.scores import rounded
from docie.show.report.score.error_tables import share_of
from docie.show.section import Headline, number


def headlines(scores: Row, counts: Counts) -> Iterator[Headline]:
    """Entity F1, which is the score of the page, and what stands beside it."""
    figures = scores.figures
    right, wrong, missed = (figures[name] for name in ("true_positives", "false_positives", "false_negatives"))
    yield Headline(
        "Entity F1",
        number(figures["entity_f1"]),
        " – ".join(map(number, scores.intervals.get("entity_f1") or ())),
        f"{right:,} of {counted(int(right + missed), 'value')} in the references were found, "
        f"and {right:,} of {right + wrong:,} predicted values are correct.",
    )
    documents = counts.documents
    correct = round(figures["document_accuracy"] * documents)
    yield _headline(
        "Error-free documents",
        "document_accuracy",
        scores,
        f"{correct:,} of {counted(documents, 'document')} need no correction.",
    )
    low_high = scores.intervals.get("corrections") or ()
    replace, add, delete = (figures[name] for name in ("substitutions", "additions", "deletions"))
    yield Headline(
        "Corrections",
        f"{figures['corrections']:,}",
        " – ".join(f"{round(bound):,}" for bound in low_high),
        f"A person would replace {replace:,}, add {add:,} and delete {delete:,} of the values: "
        f"{_amount(figures['corrections'] / max(documents, 1))} in a document.",
    )
    yield _headline("Aligned", "aligned", scores, "The share of values that need no correction.")
    groups = counts.total("group", Outcomes)
    if groups.support + groups.false_positives:
        said = f"{groups.true_positives:,} of {counted(groups.support, 'group')}, such as line items, are all correct."
        yield _headline("Group F1", "group_f1", scores, said)
    if "weighted_entity_f1" in figures:
        sentence = "Entity F1, with each value weighted by its type."
        yield _headline("Weighted entity F1", "weighted_entity_f1", scores, sentence)
    yield from _costs(scores)


def _headline(name: str, key: str, scores: Row, sentence: str) -> Headline:
    share = share_of(scores, key)
    return Headline(name, share.text, share.interval, sentence)


def _costs(scores: Row) -> Iterator[Headline]:
    if "minutes_per_100_documents" in scores.figures:
        name, key = "Minutes for 100 documents", "minutes_per_100_documents"
        sentence = "The time that the corrections take, from the seconds for one."
    elif "correction_cost_per_document" in scores.figures:
        name, key = "Cost of a document", "correction_cost_per_document"
        sentence = "The mean cost of the corrections, in the unit of the costs."
    else:
        return
    interval = scores.intervals.get(key) or ()
    yield Headline(name, _amount(scores.figures[key]), " – ".join(map(_amount, interval)), sentence)


def _amount(value: float) -> str:
    """A number without a limit."""
    return rounded(value, 1, whole=math.inf, flags=",")
