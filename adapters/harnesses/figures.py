"""What the modules of some harnesses share: the score of a row, and scores of counts that a harness kept as text."""

from __future__ import annotations

from collections.abc import Iterable

from docie.core.scores import headline_of
from docie.core.values.json_text import loads

from ..row_scores import Counted, RowMetric, corpus_scores


def row_name(metric: RowMetric) -> str:
    """The name of a row's score. Nobody takes a harness's mean of rows with this name for the score of the corpus.

    >>> row_name(RowMetric("kieval"))
    'row_entity_f1'
    """
    return f"row_{headline_of(metric.family)}"


def row_score(metric: RowMetric, counted: Counted) -> float:
    """The family's headline for a single row."""
    return float(metric.scores([counted.counts])[headline_of(metric.family)])


def kept_scores(rows: Iterable[str], *, number: int) -> dict[str, float]:
    """The scores of the corpus, from the counts of rows as JSON text, of one family or of several.

    A row that the harness could not evaluate has no counts. It is not a wrong document: it is not scored, and counted
    in `<family>_failed_rows`, out of the number of all rows.

    >>> from json import dumps
    >>> rows = [dumps(RowMetric("kieval").count({"total": "9.00"}, {"total": "9.00"}).counts.to_json())]
    >>> scores = kept_scores(rows, number=3)
    >>> scores["kieval_entity_f1"], scores["kieval_documents"], scores["kieval_failed_rows"]
    (1.0, 1, 2)
    """
    families: dict[str, list[str]] = {}
    for row in rows:
        families.setdefault(loads(row)["signature"].partition("|")[0], []).append(row)
    scores: dict[str, float] = {}
    for name, of_family in families.items():
        scores |= {**corpus_scores(of_family), f"{name}_failed_rows": number - len(of_family)}
    return scores
