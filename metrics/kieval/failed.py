"""Answers that failed: without any value, where the reference has values."""

from __future__ import annotations

from dataclasses import dataclass

from docie.core.counts import Counts, Number, Row
from docie.core.phrases import counted, verb
from docie.metrics.kieval.metric import score


@dataclass(slots=True)
class Failed(Row):
    """Columns of the ("failed",) row: answers without a value where values are expected, those of them that could not
    be read, and the values that they miss."""

    answers: Number = 0
    unreadable: Number = 0
    additions: Number = 0


def failed_answers(counts: Counts) -> str:
    """How many of the missing values are in answers without any value, in a sentence; "" if there are no such answers.

    Args:
        counts (Counts): the counts of `docie.corpus.count_errors`.

    >>> from docie import corpus
    >>> failed_answers(corpus.count_errors([None, {"a": "1"}], [{"a": "1", "b": "2"}, {"a": "1", "c": "3"}]).counts)
    '2 of 3 missing values are in 1 answer without any value (1 could not be read): look there first.'
    """
    failed = counts.total("failed", Failed)
    if not failed.answers:
        return ""
    unreadable = f" ({failed.unreadable:,} could not be read)" if failed.unreadable else ""
    of = counted(int(score(counts)["additions"]), "missing value")
    answers = counted(int(failed.answers), "answer")
    found = f"{failed.additions:,} of {of} {verb(int(failed.additions))} in {answers} without any value"
    return f"{found}{unreadable}: look there first."
