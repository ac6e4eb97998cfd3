"""MLflow: a scorer for `mlflow.genai.evaluate`, and the scores of the corpus, logged to the same run.

MLflow's aggregations get the values of one name, not counts. So the feedback of every row carries its counts.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from ..row_scores import RowMetric
from . import figures

if TYPE_CHECKING:
    from mlflow.genai import Scorer
    from mlflow.genai.evaluation.entities import EvaluationResult

__all__ = ["log_corpus_scores", "scorer"]

_COUNTS = "docie.counts"
_RUN = "mlflow.assessment.sourceRunId"


def scorer(metric: str = "kieval", *, reference: str = "expected_response", **options: Any) -> Scorer:
    """Make a scorer for `mlflow.genai.evaluate`.

    Args:
        metric (str): the family of metrics.
        reference (str): the key of a row's expectations that has the reference: a document or its JSON text.
        **options: those of `RowMetric`: `parse`, `config` and the options of the family, such as `normalize`.

    Returns:
        Scorer: it gives each row a headline score, such as `row_entity_f1`, with what was repaired in the output as
        rationale. The mean of rows is not logged. A row whose `predict_fn` failed gets no feedback.

    Raises:
        ValueError: if the family or an option is unknown, or if an option does not take its value.
    """
    from mlflow.entities import Feedback, Trace, TraceState
    from mlflow.genai import scorer as decorated

    rows = RowMetric(metric, **options)

    def count(outputs: Any, expectations: dict[str, Any], trace: Trace | None = None) -> Feedback | None:
        if outputs is None and trace is not None and trace.info.state == TraceState.ERROR:
            return None
        if reference not in expectations:
            raise ValueError(f"expected the reference in expectations[{reference!r}], got {', '.join(expectations)}")
        row = figures.row_of(rows, outputs, expectations[reference])
        return Feedback(value=row.score, rationale=row.comment, metadata={_COUNTS: json.dumps(row.counts)})

    return decorated(name=figures.row_name(rows), aggregations=[])(count)


def log_corpus_scores(results: EvaluationResult) -> dict[str, float]:
    """Log the scores of the corpus to the run of an evaluation.

    Args:
        results (EvaluationResult): what `mlflow.genai.evaluate` returned, with one scorer of this module or several.

    Returns:
        dict: the logged scores, such as `kieval_entity_f1`, and `kieval_failed_rows`: the number of rows that are not
        scored, because their prediction failed or because MLflow lost their trace.

    Raises:
        ValueError: if no row has counts.
    """
    import mlflow

    frame = results.result_df
    feedback = [] if frame is None else [each for row in frame["assessments"] for each in row]
    notes = [each.get("metadata") or {} for each in feedback]
    # traces that were evaluated before have the feedback of those runs too
    rows = [each[_COUNTS] for each in notes if _COUNTS in each and each[_RUN] == results.run_id]
    if frame is None or not rows:
        raise ValueError("no row of these results has counts, expected an evaluation with a scorer of docie")
    scores = figures.kept_scores(rows, number=_number_of_rows(results.run_id) or len(frame))
    mlflow.log_metrics(scores, run_id=results.run_id)
    return scores


def _number_of_rows(run: str) -> int | None:
    """The number of rows in the only data set of a run. The frame of results lacks rows whose trace was lost."""
    import mlflow

    datasets = [each.dataset for each in mlflow.get_run(run).inputs.dataset_inputs]
    profiles = [json.loads(each.profile) if each.profile else {} for each in datasets]
    return profiles[0].get("num_rows") if len(profiles) == 1 else None
