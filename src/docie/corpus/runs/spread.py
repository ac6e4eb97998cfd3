"""Several runs of one system: a document counts with the mean of its answers, and how far the score of one run is
likely to be from that of another.

What an answer adds to a score is its linearisation (`docie.corpus.intervals.contributions`) at the mean counts. Its
variance has two parts, those of a one-way model with random effects (Searle, Casella and McCulloch, "Variance
components", 1992, chapter 3): w between answers for one document, and b between documents, which is the variance of the
means less what the answers add to it, and not below 0. Of n documents:

* The score of one run has the standard deviation sqrt(n w).
* The score of all runs has a variance of n (b + w mean(1 / r)), where r is the number of a document's answers.

This takes the answers of a run to be independent, as samples of a language model are. Those of models that were trained
with different seeds may be good or bad together. Where all documents have the same runs, the scores of whole runs tell:
their variance over n w has an F distribution if answers are independent; by simulation, the test is wrong in at most
5.5 % of all cases, also where few answers vary (`benchmarks/several_runs.py`).
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_matrix
from scipy.special import fdtrc

from docie.core.family import Family
from docie.core.values.plain import JsonObject
from docie.corpus.intervals import NO_SPREAD, gradients
from docie.corpus.matrix import FiguresOf
from docie.corpus.runs.answers import Runs


class Spread(NamedTuple):
    """How far the score of one run is likely to be from that of another, and what more answers would bring.

    Attributes:
        standard_deviation: of the score of one run.
        of_whole_runs: that of the scores of the runs; None unless all documents have the same ones.
        p: of the test that runs are not good or bad as a whole; None likewise, and where answers do not vary.
        another_run: the width of the interval with one more run of each document, as a share of the width now.
        more_documents: likewise, with as many new answers for other documents instead.
    """

    standard_deviation: float
    of_whole_runs: float | None
    p: float | None
    another_run: float
    more_documents: float


def record_of(family: Family, runs: Runs) -> JsonObject:
    """Plain values: the numbers of documents and answers, and the spread of each score.

    Args:
        family: what has counted the answers.
        runs: their counts.
    """
    found = dict[str, Spread]()
    if runs.most > 1:
        columns = runs.matrix.columns()
        found = spreads(columns.figures(family.score), columns.rows, runs.names)
    numbers = {"documents": len(runs), "answers": len(runs.matrix), "least": runs.least, "most": runs.most}
    return {**numbers, "scores": {name: each._asdict() for name, each in found.items()}}


def spreads(figures_of: FiguresOf[str], rows: csr_matrix, names: Sequence[Sequence[str]]) -> dict[str, Spread]:
    """The spread of each score.

    Args:
        figures_of: computes scores from sums of counts.
        rows: the counts of the answers, a row each: those of a document follow each other.
        names: the runs that have answered, for each document; of at least one document, several.
    """
    rows, sizes = rows.astype(np.float64), np.array([*map(len, names)])
    document_of = np.repeat(np.arange(len(sizes)), sizes)
    member = csr_matrix((1 / sizes[document_of], (document_of, np.arange(len(document_of)))))
    by_column = rows.tocsc()
    places = np.flatnonzero(np.diff(by_column.indptr))
    found = gradients(figures_of, np.asarray((member @ rows).sum(axis=0)).ravel(), places)
    whole, of_places = _whole_runs(figures_of, rows, names), by_column[:, places].tocsr()
    return {
        name: _spread(of_places @ gradient, member, document_of, sizes, whole.get(name))
        for name, gradient in found.items()
    }


def _whole_runs(
    figures_of: FiguresOf[str], rows: csr_matrix, names: Sequence[Sequence[str]]
) -> Mapping[str, NDArray[np.float64]]:
    """The scores of each run; of none unless all documents have the same runs."""
    runs = sorted({*names[0]})
    if any(sorted(own) != runs for own in names):
        return {}
    run_of = [runs.index(name) for own in names for name in own]
    return figures_of((csr_matrix((np.ones(len(run_of)), (run_of, np.arange(len(run_of))))) @ rows).toarray())


def _spread(
    added: NDArray[np.float64],
    member: csr_matrix,
    document_of: NDArray[np.int64],
    sizes: NDArray[np.int64],
    whole: NDArray[np.float64] | None,
) -> Spread:
    """The spread of a score.

    Args:
        added: what each answer adds to it.
        member: the means of documents, of answers.
        document_of: the document of each answer.
        sizes: the number of answers for each document.
        whole: the scores of whole runs.
    """
    documents, more = len(sizes), int((sizes - 1).sum())
    means = member @ added
    within = float(np.sum((added - means[document_of]) ** 2)) / more
    if math.sqrt(documents * within) <= NO_SPREAD:
        within = 0.0
    of_answers, of_more = (within * float(np.mean(1 / each)) for each in (sizes, sizes + 1))
    between = max(0.0, float(np.var(means, ddof=1)) - of_answers) if documents > 1 else 0.0
    now, each = between + of_answers, sizes.mean()
    another = math.sqrt((between + of_more) / now) if now else 1.0
    deviation, of_whole, p = math.sqrt(documents * within), None, None
    if whole is not None:
        of_whole = float(np.std(whole, ddof=1))
        if within and documents > 1:
            p = float(fdtrc(len(whole) - 1, more, (of_whole / deviation) ** 2))
    return Spread(deviation, of_whole, p, another, math.sqrt(each / (each + 1)))
