"""pydantic-evals: an evaluator of cases, and an evaluator of the report that gives the score of the corpus."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from pydantic_evals.evaluators import (
    EvaluationReason,
    Evaluator,
    EvaluatorContext,
    ReportEvaluator,
    ReportEvaluatorContext,
)
from pydantic_evals.reporting.analyses import ReportAnalysis, ScalarResult

from ..row_scores import RowMetric, corpus_scores, picked
from . import figures

__all__ = ["CorpusScores", "RowScore"]


@dataclass(repr=False)
class _Rows:
    """What both evaluators take.

    Attributes:
        metric (str): the family of metrics.
        parse (str): how outputs are read, as in `RowMetric`.
        config (path, dict or list): how rows are read, and when values are equal, as in `RowMetric`.
        options (dict): the options of the family, such as `normalize`.
    """

    metric: str = "kieval"
    parse: str | None = field(default=None, kw_only=True)
    config: Any = field(default=None, kw_only=True)
    options: dict[str, Any] = field(default_factory=dict, kw_only=True)

    @cached_property
    def rows(self) -> RowMetric:
        """What counts a case."""
        return RowMetric(self.metric, parse=self.parse, config=self.config, **self.options)


@dataclass(repr=False)
class RowScore(_Rows, Evaluator[Any, Any, Any]):
    """The headline score of a case, under a name such as `row_entity_f1`; its reason is what was repaired.

    The report prints the mean of these scores, which is not the score of the corpus: `CorpusScores` has that.
    """

    def evaluate(self, ctx: EvaluatorContext[Any, Any, Any]) -> dict[str, EvaluationReason]:
        """The score of a case, from its output and its expected output."""
        row = figures.row_of(self.rows, ctx.output, ctx.expected_output)
        return {figures.row_name(self.rows): EvaluationReason(row.score, row.comment)}


@dataclass(repr=False)
class CorpusScores(_Rows, ReportEvaluator[Any, Any, Any]):
    """The scores of the corpus, from the outputs of all cases, with names such as `kieval_entity_f1`.

    Repeated cases count as often as they ran. Cases whose task failed are not counted: `kieval_documents` is the number
    of those that were.

    Attributes:
        scores (list of str): the names of the scores to report; None for all.
    """

    scores: list[str] | None = field(default=None, kw_only=True)

    def evaluate(self, ctx: ReportEvaluatorContext[Any, Any, Any]) -> list[ReportAnalysis]:
        """The scores of a report."""
        cases = ctx.report.cases
        found = corpus_scores(self.rows.count(case.output, case.expected_output).counts for case in cases)
        names = found if self.scores is None or not found else self.scores  # all tasks may have failed
        shown = picked(found, names, family=self.metric)
        return [ScalarResult(title=name, value=value) for name, value in shown.items()]
