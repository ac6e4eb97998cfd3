"""inspect_ai: a scorer whose metric is the score of the corpus, over all samples and epochs."""

from __future__ import annotations

from typing import Any

from inspect_ai.log import transcript
from inspect_ai.scorer import Metric, SampleScore, Score, Scorer, Target, Value, metric, scorer
from inspect_ai.solver import TaskState

from .. import row_scores
from . import figures

__all__ = ["corpus_scores", "document_scorer"]


@metric(scores="unreduced")  # a reducer of epochs keeps the metadata of the first one only
def corpus_scores() -> Metric:
    """All scores of the corpus, with names such as `kieval_entity_f1`.

    With several epochs, every run of a sample is a document. Samples that failed are not counted; `kieval_documents` is
    the number of those that were.

    Returns:
        Metric: the metric of `document_scorer`.
    """

    def compute(scores: list[SampleScore]) -> Value:
        metadata: list[dict[str, Any]] = [score.score.metadata or {} for score in scores]
        return row_scores.corpus_scores(each.get("counts", {}) for each in metadata)

    return compute


@scorer(metrics=[corpus_scores()])
def document_scorer(metric: str = "kieval", **options: Any) -> Scorer:
    """A scorer of documents. The target of a sample is its reference as JSON text.

    A sample that failed has no answer, and no score: also when a log is scored again, where inspect_ai asks for one.

    A sample's value is its own headline score, such as the F1 score of its entities; its metadata hold its counts, and
    the issues of what was repaired in the answer. If you pass `metrics` to the task, keep `corpus_scores()` among them.

    Args:
        metric (str): the family of metrics.
        **options: those of `RowMetric`: `parse`, `config` and the options of the family, such as `normalize`.

    Returns:
        Scorer: the scorer, for `Task(scorer=...)`.

    Raises:
        ValueError: if the family or an option is unknown, or if an option does not take its value.
    """
    rows = row_scores.RowMetric(metric, **options)

    async def score(state: TaskState, target: Target) -> Score | None:
        if _has_failed():
            return None
        reference = target.text if len(target) == 1 else [*target]
        row = figures.row_of(rows, state.output.completion, reference)
        return Score(
            value=row.score,
            answer=state.output.completion,
            explanation=row.comment,
            metadata={"counts": row.counts, "issues": row.issues},
        )

    return score


def _has_failed() -> bool:
    """Whether the sample failed before its first scoring. If a scorer failed, there is an answer."""
    for event in transcript().events:
        if event.event == "error":
            return True
        if event.event == "span_begin" and event.name == "scorers":
            return False
    return False
