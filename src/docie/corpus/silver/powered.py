"""The prediction-powered headline of a family, where it is worth more than the plain one."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

import numpy as np

from docie.core.family import Family
from docie.core.scores import headline_of, rounded, score_of
from docie.corpus.intervals import Interval
from docie.corpus.matrix import Matrix
from docie.corpus.silver.few_labels import FewLabels

LEAST_WORTH = 1.05
"""Labels that are worth less than this many times their number are as good alone: the plain score stands."""
ALARM = 0.05
"""The chance of a warning that labelled documents are no random ones although they are."""


class Powered(NamedTuple):
    """A prediction-powered score.

    Attributes:
        score: its name.
        value, interval: the score that stands, with its interval.
        is_powered: whether it is the prediction-powered one; else the silver reading brings nothing.
        plain, plain_interval: the score of labelled documents alone.
        weights: those of the silver reading, for each half of the labelled documents.
        labelled, unlabelled: the numbers of documents.
        worth: the number of labels that would make the plain score as certain.
        p: of the test that the predictions agree with the silver reading as well on labelled documents as on others;
            None if there is nothing to test.
        against_silver: the score of the predictions against it, on labelled documents and on others; None for no
            documents.
    """

    score: str
    value: float
    interval: Interval
    is_powered: bool
    plain: float
    plain_interval: Interval
    weights: list[float]
    labelled: int
    unlabelled: int
    worth: float
    p: float | None
    against_silver: list[float | None]


def powered(
    family: Family, labels: Matrix, silver: Matrix, plain: tuple[float, Interval], confidence_level: float
) -> Powered:
    """The prediction-powered headline of a family.

    Args:
        family: what has counted the documents.
        labels: the counts of the labelled documents against their labels.
        silver: the counts of all documents against the silver reading, the labelled ones first, in the same order.
        plain: the score of labelled documents with its interval.
        confidence_level: between 0 and 1.
    """
    name, all_rows, size = headline_of(family), Matrix(), len(labels)
    for part in (labels, silver):
        all_rows += part
    columns = all_rows.columns()
    rows = columns.rows.astype(np.float64)
    figures = columns.figures(lambda counts: {name: family.score(counts)[name]})
    few = FewLabels(figures, name, rows[:size], rows[size : 2 * size], rows[2 * size :])
    others, none = few.others.shape[0], [0.0, 0.0]
    p = few.p() if others else None
    found = Powered(name, *plain, False, *plain, none, size, others, float(size), p, few.against_silver())
    if size < 2 or others < 2 or plain[1] is None:
        return found
    weights = few.weights()
    value, interval, worth = few.estimate(weights, confidence_level, score_of(family, name).kind)
    found = found._replace(weights=[*weights], worth=worth)
    is_powered = interval is not None and worth >= LEAST_WORTH * size
    return found._replace(value=value, interval=interval, is_powered=True) if is_powered else found


def warnings_of(found: Mapping[str, Powered]) -> list[str]:
    """A line for each family whose labelled documents do not look drawn at random.

    >>> row = Powered("entity_f1", 0.9, None, False, 0.9, None, [0.0, 0.0], 20, 80, 20.0, 0.012, [0.93, 0.85])
    >>> warnings_of({"kieval": row})
    ['entity_f1 of kieval against the silver reading is 0.9300 on labelled documents and 0.8500 on others ...']
    """
    lines = list[str]()
    for name, each in found.items():
        if each.p is not None and each.p <= ALARM:
            labelled, others = (rounded(value) for value in each.against_silver if value is not None)
            lines.append(
                f"{each.score} of {name} against the silver reading is {labelled} on labelled documents and {others} "
                f"on others (p = {each.p:.2g}): if the labelled ones were not drawn at random, no score holds for all "
                "documents"
            )
    return lines
