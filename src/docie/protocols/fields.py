"""Scorers of fields as multisets: precision, recall and F1 over all documents, and by field."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from functools import partial
from typing import Any

from docie.core.counts import Counts, Key, Number, Outcomes, Row
from docie.core.scores import Score
from docie.protocols.scorer import NoSettings, Scorer, objects

Field = tuple[str, str]
"""The name of a field, and a text."""
FieldsOf = Callable[[Mapping[str, Any]], Iterable[Field]]
SCORES = (
    Score("f1", "higher", "share", "F1 score of fields, over all documents.", headline=True),
    Score("precision", "higher", "share", "Share of predicted fields that are correct.", part_of="f1"),
    Score("recall", "higher", "share", "Share of reference fields that were found.", part_of="f1"),
    Score("support", "neither", "count", "Number of reference fields."),
)


def field_scorer(name: str, fields_of: FieldsOf) -> Scorer:
    """The scorer of what a function finds in a document: names of fields with texts, which are equal or not.

    >>> scorer = field_scorer("keys", dict.items)
    >>> counts = scorer.count({"total": "9", "date": ""}, {"total": "8", "date": ""}, None)
    >>> scorer.score(counts)
    {'precision': 0.5, 'recall': 0.5, 'f1': 0.5}
    """
    return Scorer(NAME=name, SCORES=SCORES, count=partial(_count, fields_of), score=_score, breakdown=_breakdown)


def _count(fields_of: FieldsOf, prediction: object, reference: object, settings: NoSettings) -> Counts:
    predicted, expected = (Counter(fields_of(side)) for side in objects(prediction, reference))
    rows: dict[Key, Row] = {}
    for kind, fields in zip(
        ("true_positives", "false_positives", "false_negatives"),
        (predicted & expected, predicted - expected, expected - predicted),
        strict=True,
    ):
        for (name, _), number in fields.items():
            row = rows.setdefault(("entity", name), Outcomes())
            setattr(row, kind, getattr(row, kind) + number)
    return Counts.of_document(rows, valid=isinstance(prediction, Mapping))


def _score(counts: Counts) -> dict[str, Number]:
    return counts.total("entity", Outcomes).scores._asdict()


def _breakdown(counts: Counts) -> dict[str, dict[str, dict[str, Number]]]:
    rows = counts.by("entity", 1, Outcomes)
    return {"per_entity": {str(name): {**row.scores._asdict(), "support": row.support} for name, row in rows.items()}}
