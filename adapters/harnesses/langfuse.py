"""Langfuse: an item evaluator, and a run evaluator that gives the scores of the corpus, for `run_experiment`."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from ..row_scores import RowMetric, corpus_scores
from . import figures

if TYPE_CHECKING:
    from langfuse import Evaluation

__all__ = ["evaluator", "run_evaluator"]


def evaluator(metric: str = "kieval", **options: Any) -> Callable[..., Evaluation]:
    """Make an evaluator of items.

    Args:
        metric (str): the family of metrics.
        **options: those of `RowMetric`: `parse`, `config` and the options of the family, such as `normalize`.

    Returns:
        callable: it gives each item a headline score, such as `row_entity_f1`, with what was repaired in the output as
        comment.

    Raises:
        ValueError: if the family or an option is unknown, or if an option does not take its value.
    """
    from langfuse import Evaluation

    rows = RowMetric(metric, **options)

    def evaluate_item(*, output: Any, expected_output: Any = None, **_: Any) -> Evaluation:
        row = figures.row_of(rows, output, expected_output)
        return Evaluation(name=figures.row_name(rows), value=row.score, comment=row.comment)

    return evaluate_item


def run_evaluator(metric: str = "kieval", **options: Any) -> Callable[..., list[Evaluation]]:
    """Make a run evaluator. It counts the items itself: an item evaluator is not needed.

    Args:
        metric: as for `evaluator`.
        **options: as for `evaluator`.

    Returns:
        callable: it gives the scores of the corpus, such as `kieval_entity_f1`. Langfuse does not show it items whose
        task failed. They are not wrong documents: a comment says that they are not scored, and how many items are.

    Raises:
        ValueError: if the family or an option is unknown, or if an option does not take its value.
    """
    from langfuse import Evaluation

    rows = RowMetric(metric, **options)

    def evaluate_run(*, item_results: list[Any], **_: Any) -> list[Evaluation]:
        scores = corpus_scores(rows.count(each.output, _expected(each.item)).counts for each in item_results)
        comment = f"{len(item_results)} items; items that failed are not scored"
        return [Evaluation(name=name, value=value, comment=comment) for name, value in scores.items()]

    return evaluate_run


def _expected(item: Any) -> object:
    """The expected output of an item: a dict, or an item of a data set."""
    return item.get("expected_output") if isinstance(item, dict) else item.expected_output
