"""LangSmith: a row evaluator, and a summary evaluator that gives the scores of the corpus. It is not imported here."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from docie.inputs.reading import Side

from ..row_scores import RowMetric, corpus_scores
from . import figures

if TYPE_CHECKING:
    from langsmith.schemas import Example, Run

__all__ = ["evaluator", "summary_evaluator"]

Results = dict[str, list[dict[str, object]]]
"""LangSmith refuses results with other keys than those of its `EvaluationResult`."""


def evaluator(
    metric: str = "kieval",
    *,
    output: str | None = None,
    reference: str | None = None,
    **options: Any,
) -> Callable[[Run, Example], Results]:
    """Make an evaluator of rows.

    Args:
        metric (str): the family of metrics.
        output (str): the key of the target's outputs that has the document or the answer of a model; None if the
            outputs are the document, or if the target returns a text.
        reference (str): the key of an example's outputs that has the reference; None if they are the reference.
        **options: those of `RowMetric`: `parse`, `config` and the options of the family, such as `normalize`.

    Returns:
        callable: it gives each row a headline score, such as `row_entity_f1`, with what was repaired in the outputs as
        comment. A row whose target failed gets none.

    Raises:
        ValueError: if the family or an option is unknown, or if an option does not take its value.

    >>> from types import SimpleNamespace as Object
    >>> run = Object(error=None, outputs={"output": 'It says {"total": "7.50"}'})
    >>> evaluator("kieval")(run, Object(outputs={"total": "7.50"}))["results"]
    [{'key': 'row_entity_f1', 'score': 1.0, 'comment': 'dropped the text around the JSON object'}]
    """
    rows = RowMetric(metric, **options)
    documents = _reader(rows, output, reference)

    def evaluate_row(run: Run, example: Example) -> Results:
        if run.error:
            return {"results": []}
        row = figures.row_of(rows, *documents(run, example))
        return {"results": [{"key": figures.row_name(rows), "score": row.score, "comment": row.comment}]}

    return evaluate_row


def summary_evaluator(
    metric: str = "kieval",
    *,
    output: str | None = None,
    reference: str | None = None,
    **options: Any,
) -> Callable[[Sequence[Run], Sequence[Example]], Results]:
    """Make a summary evaluator. It counts the rows itself: a row evaluator is not needed.

    Args:
        metric, output, reference: as for `evaluator`.
        **options: as for `evaluator`.

    Returns:
        callable: it gives the scores of the corpus, such as `kieval_entity_f1`. Rows whose target failed are not wrong
        documents: they are not scored, and a comment has their number.

    Raises:
        ValueError: if the family or an option is unknown, or if an option does not take its value.

    >>> from types import SimpleNamespace as Object
    >>> runs = [Object(error=None, outputs={"total": "7.50"}), Object(error="timeout", outputs=None)]
    >>> summary_evaluator("kieval")(runs, [Object(outputs={"total": "7.50"})] * 2)["results"][0]
    {'key': 'kieval_entity_f1', 'score': 1.0, 'comment': 'not scored because they failed: 1 of 2 rows'}
    """
    rows = RowMetric(metric, **options)
    documents = _reader(rows, output, reference)

    def evaluate_all(runs: Sequence[Run], examples: Sequence[Example]) -> Results:
        done = [(run, example) for run, example in zip(runs, examples, strict=True) if not run.error]
        scores = corpus_scores(rows.count(*documents(*each)).counts for each in done)
        failed = len(runs) - len(done)
        comment = f"not scored because they failed: {failed} of {len(runs)} rows" if failed else None
        return {"results": [{"key": key, "score": score, "comment": comment} for key, score in scores.items()]}

    return evaluate_all


def _reader(
    rows: RowMetric, output: str | None, reference: str | None
) -> Callable[[Run, Example], tuple[object, object]]:
    """The function that finds the document of a run, and that of its example."""
    how = rows.reading

    def read(run: Run, example: Example) -> tuple[object, object]:
        return _document(run.outputs, output, how.predictions), _document(example.outputs, reference, how.references)

    return read


def _document(outputs: Mapping[str, Any] | None, key: str | None, how: Side) -> object:
    """The document in outputs, or the text that a target returned, which LangSmith puts under the key "output"."""
    if key is None and outputs and [*outputs] == ["output"] and how.path[:1] != ["output"]:
        key = "output"
    return outputs if key is None else (outputs or {}).get(key)
