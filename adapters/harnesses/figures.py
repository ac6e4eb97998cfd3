"""What the modules of harnesses share: what they show of a row, and scores of counts that a harness kept as text."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from docie.core.scores import headline_of
from docie.core.values.json_text import loads
from docie.core.values.plain import JsonObject

from ..row_scores import RowMetric, corpus_scores


class Row(NamedTuple):
    """What a harness shows of a row.

    Attributes:
        score: the family's headline for this row alone.
        counts: its counts, as JSON.
        issues: a line for each thing that was repaired or dropped in the prediction.
    """

    score: float
    counts: JsonObject
    issues: list[str]

    @property
    def comment(self) -> str | None:
        """The issues as one text; None if there are none."""
        return "; ".join(self.issues) or None


def row_name(metric: RowMetric) -> str:
    """The name of a row's score. Nobody takes a harness's mean of rows with this name for the score of the corpus.

    >>> row_name(RowMetric("kieval"))
    'row_entity_f1'
    """
    return f"row_{headline_of(metric.family)}"


def row_of(metric: RowMetric, prediction: object, reference: object) -> Row:
    """Count a row. Raises DocumentError as `RowMetric.count`.

    >>> row = row_of(RowMetric("kieval"), 'It says {"total": "9.00"}', {"total": "9.00"})
    >>> row.score, row.comment
    (1.0, 'dropped the text around the JSON object')
    """
    counts, issues = metric.count(prediction, reference)
    return Row(float(metric.scores([counts])[headline_of(metric.family)]), counts.to_json(), issues)


def kept_scores(rows: Iterable[str], *, number: int) -> dict[str, float]:
    """The scores of the corpus, from the counts of rows as JSON text, of one family or of several.

    A row that the harness could not evaluate has no counts. It is not a wrong document: it is not scored, and counted
    in `<family>_failed_rows`, out of the number of all rows.

    >>> from json import dumps
    >>> rows = [dumps(row_of(RowMetric("kieval"), {"total": "9.00"}, {"total": "9.00"}).counts)]
    >>> scores = kept_scores(rows, number=3)
    >>> scores["kieval_entity_f1"], scores["kieval_documents"], scores["kieval_failed_rows"]
    (1.0, 1, 2)
    """
    families: dict[str, list[JsonObject]] = {}
    for row in map(loads, rows):
        families.setdefault(row["signature"].partition("|")[0], []).append(row)
    scores: dict[str, float] = {}
    for name, of_family in families.items():
        scores |= {**corpus_scores(of_family), f"{name}_failed_rows": number - len(of_family)}
    return scores
