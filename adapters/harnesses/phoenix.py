"""Phoenix evals: an evaluator for `evaluate_dataframe`, and the scores of the corpus from the frame it returns.

Phoenix has no place for scores of a corpus. So the `Score` of every row carries its counts.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from docie.core.scores import headline_of, is_better_low

from ..row_scores import RowMetric
from . import figures

if TYPE_CHECKING:
    import pandas as pd
    from phoenix.evals import Evaluator, Score

__all__ = ["corpus_scores", "evaluator"]

_COUNTS = "docie.counts"


def evaluator(metric: str = "kieval", **options: Any) -> Evaluator:
    """Make an evaluator of the columns `output` and `expected`. `phoenix.evals.bind_evaluator` names other columns.

    Args:
        metric (str): the family of metrics.
        **options: those of `RowMetric`: `parse`, `config` and the options of the family, such as `normalize`.

    Returns:
        Evaluator: it gives each row a headline score, such as `row_entity_f1`, with what was repaired in the output as
        explanation.

    Raises:
        ValueError: if the family or an option is unknown, or if an option does not take its value.
    """
    from phoenix.evals import Score, create_evaluator

    rows = RowMetric(metric, **options)

    def count(output: Any, expected: Any) -> Score:
        row = figures.row_of(rows, output, expected)
        # of a dict, Phoenix drops the metadata
        return Score(score=row.score, explanation=row.comment, metadata={_COUNTS: json.dumps(row.counts)})

    is_low = is_better_low(rows.family, headline_of(rows.family))
    return create_evaluator(name=figures.row_name(rows), direction="minimize" if is_low else "maximize")(count)


def corpus_scores(frame: pd.DataFrame) -> dict[str, float]:
    """The scores of the corpus.

    Args:
        frame (DataFrame): what `evaluate_dataframe` returned, with one evaluator of this module or several.

    Returns:
        dict: the scores, such as `kieval_entity_f1`, and `kieval_failed_rows`: the number of rows that could not be
        evaluated.

    Raises:
        ValueError: if no row has counts.
    """
    columns = [frame[name] for name in frame.columns if str(name).endswith("_score")]
    notes = [score.get("metadata") or {} for column in columns for score in column if isinstance(score, dict)]
    rows = [each[_COUNTS] for each in notes if _COUNTS in each]
    if not rows:
        raise ValueError("no row of this frame has counts, expected one that was evaluated by an evaluator of docie")
    return figures.kept_scores(rows, number=len(frame))
