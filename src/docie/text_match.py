"""Text match: exact match, Levenshtein and longest common subsequence of a document's fields.

Source: DeGange, Gupta, Han, Wilkosz and Karwan, "Document Intelligence Metrics for Visually Rich Document Evaluation"
(DI-Metrics), table 1. Line items are paired as in UHED.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from rapidfuzz.distance import Levenshtein

from docie.counts import Counts, Number, precision_recall_f1, ratio
from docie.fields import assigned, common, sections
from docie.normalizers import alphanumeric
from docie.settings import Common as Settings

__all__ = ["INPUTS", "NAME", "Settings", "breakdown", "count", "details", "score"]

NAME, INPUTS = "text_match", ("document",)


class Fields(NamedTuple):
    """Columns of the ("field", group type, entity type) rows: sums over fields, and their number on the two sides."""

    exact_match: Number = 0
    exact_match_alphanumeric: Number = 0
    levenshtein_distance: Number = 0
    levenshtein_similarity: Number = 0.0
    lcs_length: Number = 0
    lcs_distance: Number = 0
    lcs_precision: Number = 0.0
    lcs_recall: Number = 0.0
    lcs_f1: Number = 0.0
    fields: Number = 0
    references: Number = 0


IN_CHARACTERS = ("levenshtein_distance", "lcs_length", "lcs_distance")
"""Figures in characters, of which nothing on either side has none; in all others it scores 1.0."""
DEFAULT = Settings()


def count(prediction: object, reference: object, settings: Settings = DEFAULT) -> Counts:
    """The additive counts of one document.

    `prediction` and `reference` are JSON objects (see `docie.document`); a prediction that is not an object is the
    empty document and is counted in `invalid_predictions`. Raises DocumentError for a document that cannot be read.

    >>> Fields(*count({"total": "12.50"}, {"total": "12.00"}).rows["field", None, "total"]).levenshtein_distance
    1
    """
    counts = Counts(1, int(not isinstance(prediction, Mapping)))
    for section in sections(prediction, reference, settings.normalizer):
        for predicted, expected in assigned(section):
            for kind in predicted | expected:  # in their order: sums of fractions are the same in every process
                match = _match(predicted.get(kind), expected.get(kind))
                counts += Counts(rows={("field", section.group_type, kind): [*match]})
    return counts


def score(counts: Counts) -> dict[str, Number]:
    """Means over all fields of the corpus, on whichever side they are.

    `exact_match`, `exact_match_alphanumeric` (letters and digits only), `levenshtein_similarity` (1 - distance / length
    of the longer text), `lcs_precision`, `lcs_recall` and `lcs_f1` (of the longest common subsequence) are in [0, 1];
    `levenshtein_distance`, `lcs_length` and `lcs_distance` (insertions and deletions) are numbers of characters.

    >>> figures = score(count({"total": "12.50", "date": "2023"}, {"total": "12.00"}))
    >>> figures["exact_match"], figures["levenshtein_distance"], figures["levenshtein_similarity"]
    (0.0, 2.5, 0.4)
    """
    return _means(counts.total("field", Fields))


def breakdown(counts: Counts) -> dict[str, dict[str, dict[str, Number]]]:
    """`per_entity` and `per_group`: the means over the fields of each entity type, and over those in the groups of each
    type; `support` is the number of the reference's fields.

    >>> breakdown(count({"total": "12.50"}, {"total": "12.00"}))["per_entity"]["total"]["lcs_length"]
    4.0
    """
    return {
        name: {
            str(kind): {**_means(row), "support": row.references}
            for kind, row in counts.by("field", position, Fields).items()
            if kind is not None
        }
        for name, position in (("per_entity", 2), ("per_group", 1))
    }


def details(counts: Counts) -> dict[str, Any]:
    """Nothing beyond figures and tables."""
    return {}


def _match(predicted: str | None, expected: str | None) -> Fields:
    """One field, of both sides or of one."""
    if predicted is None or expected is None:
        length = len(predicted or expected or "")
        return Fields(0, 0, length, 0.0, 0, length, 0.0, 0.0, 0.0, 1, int(expected is not None))
    length = common(predicted, expected)
    extra, missed = len(predicted) - length, len(expected) - length
    return Fields(
        int(predicted == expected),
        int(alphanumeric(predicted) == alphanumeric(expected)),
        Levenshtein.distance(predicted, expected),
        Levenshtein.normalized_similarity(predicted, expected),
        length,
        extra + missed,
        *precision_recall_f1(length, extra, missed),
        1,
        1,
    )


def _means(fields: Fields) -> dict[str, Number]:
    return {
        name: ratio(value, fields.fields, empty=float(name not in IN_CHARACTERS))
        for name, value in zip(Fields._fields[:-2], fields, strict=False)
    }
