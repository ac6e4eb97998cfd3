"""lm-evaluation-harness and lmms-eval: functions for the `utils.py` of a task, whose score is that of the corpus.

A task's YAML names them: `process_results: !function utils.process_results`, and in `metric_list` an
`aggregation: !function utils.entity_f1` for each score. Neither harness is imported here.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

from docie.core.counts import Counts
from docie.core.errors import shortened, with_close_names
from docie.core.family import families, get
from docie.core.scores import headline_of, score_of
from docie.core.values.plain import JsonObject

from ..row_scores import RowMetric, corpus_scores, picked

__all__ = ["aggregation", "process_results"]


class Item(dict[str, Any]):
    """What a harness keeps of a row for one score. The file of samples has what is in the dict.

    Attributes:
        counts: the counts of the row. Only the dict of the first score has them too.
    """

    def __init__(self, counts: JsonObject, shown: JsonObject) -> None:
        super().__init__(shown)
        self.counts = counts

    def __reduce__(self) -> tuple[object, ...]:  # between processes
        return Item, (self.counts, dict(self))


def process_results(
    metric: str = "kieval",
    *,
    reference: str = "reference",
    scores: Iterable[str] = (),
    **options: Any,
) -> Callable[..., dict[str, Item]]:
    """Make the function that counts the answer to a document of the task.

    Args:
        metric (str): the family of metrics.
        reference (str): the column of the data set that holds references: objects, or their JSON text.
        scores (list of str): the scores to report, such as `["entity_f1", "document_accuracy"]`; the family's headline
            by default. Each needs an entry in `metric_list`, under its name with the family: `kieval_entity_f1`.
        **options: those of `RowMetric`: `parse`, `config` and the options of the family, such as `normalize`.

    Returns:
        callable: `process_results(doc, results)`, which returns an item for each score: the score of this document, as
        `row_entity_f1`. The first item also has its `counts`, which the others share, and the `issues` of what was
        repaired in the answer. Items are JSON, for the file of samples. If there are several answers to a document,
        each is counted.

    Raises:
        ValueError: if the family, a score or an option is unknown, or if an option does not take its value.

    >>> count = process_results(scores=["entity_recall"])
    >>> item = count({"reference": '{"total": "7.50", "tax": "1"}'}, ['{"total": "7.50"}'])["kieval_entity_recall"]
    >>> item["row_entity_recall"], item["issues"]
    (0.5, [])
    """
    rows = RowMetric(metric, **options)
    names = [scores] if isinstance(scores, str) else [*scores] or [headline_of(rows.family)]
    for name in names:
        score_of(rows.family, name)

    def process(doc: Mapping[str, Any], results: list[Any]) -> dict[str, Item]:
        if reference not in doc:
            raise ValueError(f"no column {with_close_names([reference], doc)} in the data set")
        counted = [rows.count(answer, doc[reference]) for answer in _answers(results)]
        counts = Counts.sum_of(each.counts for each in counted)
        counts.signature = rows.signature
        values = picked(rows.scores([counts]), names, family=metric)
        items = {f"{metric}_{name}": Item(counts.to_json(), {f"row_{name}": value}) for name, value in values.items()}
        first = items[f"{metric}_{names[0]}"]
        first |= {"counts": first.counts, "issues": [issue for each in counted for issue in each.issues]}
        return items

    return process


def aggregation(score: str) -> Callable[[Sequence[JsonObject]], float]:
    """Make the function that computes a score of the corpus from the items of all documents.

    Args:
        score (str): the name of the score, with its family: `kieval_entity_f1`.

    Returns:
        callable: the aggregation, for `metric_list`.

    Raises:
        ValueError: if no family has this score.

    >>> count, entity_f1 = process_results(), aggregation("kieval_entity_f1")
    >>> answers = ['{"total": "7.50"}', "{}"]
    >>> references = [{"reference": {"total": "7.50"}}, {"reference": {"total": "1", "tax": "2"}}]
    >>> items = [count(doc, [answer]) for doc, answer in zip(references, answers)]
    >>> entity_f1([item["kieval_entity_f1"] for item in items])
    0.5
    """

    name = max((each for each in families() if score.startswith(f"{each}_")), key=len, default="")
    if not name:
        raise ValueError(f"expected a score with its family, such as kieval_entity_f1, got {shortened(score)}")
    score_of(get(name), score.removeprefix(f"{name}_"))

    def aggregate(items: Sequence[JsonObject]) -> float:
        return picked(corpus_scores(map(_counts_of, items)), [score], family=name)[score]

    return aggregate


def _counts_of(item: JsonObject) -> JsonObject:
    """The counts of an item, also of one from a file of samples."""
    if isinstance(item, Item):
        return item.counts
    if "counts" not in item:
        raise ValueError(f"expected an item with counts, which that of the first score has, got {shortened(item)}")
    counts: JsonObject = item["counts"]
    return counts


def _answers(results: list[Any]) -> Iterator[Any]:
    """The answers to a document: one, or several in a list if requests are repeated."""
    for result in results:
        if isinstance(result, list):
            yield from result
        else:
            yield result
