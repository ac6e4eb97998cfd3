"""Scorers of fields as multisets: precision, recall and F1 over all documents, and by field."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any

from docie.core.counts import Counts, Key, Number, Row, precision_recall_f1
from docie.core.errors import DocumentError, json_kind
from docie.core.scores import Score
from docie.protocols.scorer import NoSettings, Scorer

Field = tuple[str, str]
"""The name of a field, and a text."""
FieldsOf = Callable[[Mapping[str, Any]], Iterable[Field]]
SCORES = (
    Score("f1", "higher", "share", "F1 score of fields, over all documents.", headline=True),
    Score("precision", "higher", "share", "Share of predicted fields that are correct.", part_of="f1"),
    Score("recall", "higher", "share", "Share of reference fields that were found.", part_of="f1"),
    Score("support", "neither", "count", "Number of reference fields."),
)


@dataclass(slots=True)
class Fields(Row):
    """Columns of the ("entity", name) rows: the fields of this name that are correct, spurious or missing."""

    true_positives: Number = 0
    false_positives: Number = 0
    false_negatives: Number = 0


def field_scorer(name: str, fields_of: FieldsOf) -> Scorer:
    """The scorer of what a function finds in a document: names of fields with texts, which are equal or not.

    >>> scorer = field_scorer("keys", dict.items)
    >>> counts = scorer.count({"total": "9", "date": ""}, {"total": "8", "date": ""}, None)
    >>> scorer.score(counts)
    {'f1': 0.5, 'precision': 0.5, 'recall': 0.5}
    """
    return Scorer(NAME=name, SCORES=SCORES, count=partial(_count, fields_of), score=_score, breakdown=_breakdown)


def _count(fields_of: FieldsOf, prediction: object, reference: object, settings: NoSettings) -> Counts:
    if not isinstance(reference, Mapping):
        raise DocumentError(f"reference must be a JSON object, got {json_kind(reference)}", side="reference")
    is_valid = isinstance(prediction, Mapping)
    predicted = Counter(fields_of(prediction if isinstance(prediction, Mapping) else {}))
    expected = Counter(fields_of(reference))
    rows: dict[Key, Row] = {}
    for kind, fields in zip(
        ("true_positives", "false_positives", "false_negatives"),
        (predicted & expected, predicted - expected, expected - predicted),
        strict=True,
    ):
        for (name, _), number in fields.items():
            row = rows.setdefault(("entity", name), Fields())
            setattr(row, kind, getattr(row, kind) + number)
    return Counts.of_document(rows, valid=is_valid)


def _score(counts: Counts) -> dict[str, Number]:
    return _figures(counts.total("entity", Fields))


def _breakdown(counts: Counts) -> dict[str, dict[str, dict[str, Number]]]:
    rows = counts.by("entity", 1, Fields)
    support = {name: row.true_positives + row.false_negatives for name, row in rows.items()}
    return {"per_entity": {str(name): {**_figures(row), "support": support[name]} for name, row in rows.items()}}


def _figures(row: Fields) -> dict[str, Number]:
    figures = precision_recall_f1(row.true_positives, row.false_positives, row.false_negatives)
    return {"f1": figures.f1, "precision": figures.precision, "recall": figures.recall}
