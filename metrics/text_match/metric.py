"""Text match: exact match, Levenshtein and longest common subsequence of a document's fields.

Source: DeGange, Gupta, Han, Wilkosz and Karwan, "Document Intelligence Metrics for Visually Rich Document Evaluation"
(DI-Metrics), table 1. Line items are paired as in UHED.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from docie.core.counts import Counts, Number, Row, precision_recall_f1, ratio
from docie.core.matching.similarity import common_length, edit_distance
from docie.core.normalizers.texts import alphanumeric
from docie.core.rules.match import Rule
from docie.core.scores import Score
from docie.core.settings import Valued
from docie.documents.line_items import assigned_items, sections

NAME, INPUTS = "text_match", ("document",)
SCORES = (
    Score("exact_match", "higher", "share", "Share of fields with the text of the reference."),
    Score("exact_match_alphanumeric", "higher", "share", "The same, comparing only letters and digits."),
    Score("levenshtein_distance", "lower", "length", "Mean number of characters to insert, delete or replace."),
    Score(
        "levenshtein_similarity", "higher", "share", "Mean of 1 - distance / length of the longer text.", headline=True
    ),
    Score("lcs_length", "higher", "length", "Mean length of the longest common subsequence."),
    Score("lcs_distance", "lower", "length", "Mean number of characters to insert or delete."),
    Score("lcs_precision", "higher", "share", "Mean share of the predicted text that is common.", part_of="lcs_f1"),
    Score("lcs_recall", "higher", "share", "Mean share of the reference text that is common.", part_of="lcs_f1"),
    Score("lcs_f1", "higher", "share", "Mean F1 score of the longest common subsequence."),
    Score("support", "neither", "count", "Number of fields in the references."),
)


@dataclass(slots=True)
class Fields(Row):
    """Columns of the ("field", group type, entity type) rows: sums over fields, and their number.

    `fields` are those of reference or prediction, `references` those of the reference.
    """

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


FIGURES = {score.name: float(score.kind == "share") for score in SCORES if score.kind != "count"}
"""The means, each with its value without any field: 1.0 for a share, 0.0 for a number of characters."""
Settings = Valued
DEFAULT = Settings()


def count(prediction: object, reference: object, settings: Settings = DEFAULT) -> Counts:
    """Count one document.

    Of alternatives, the one counts that has the most characters in common with the predicted field, then the shortest.

    Args:
        prediction (dict): the predicted document, a JSON object (see `docie.documents`). Anything else is scored as the
            empty document and counted in `invalid_predictions`.
        reference (dict): the reference document.
        settings (Settings): the options.

    Returns:
        Counts: the counts of the document.

    Raises:
        DocumentError: if a document cannot be read.

    >>> Fields(*count({"total": "12.50"}, {"total": "12.00"}).rows["field", None, "total"]).levenshtein_distance
    1
    """
    counts = Counts(1, int(not isinstance(prediction, Mapping)))
    for section in sections(prediction, reference, settings.normalizer):
        for predicted, expected, _, _ in assigned_items(section):
            for entity_type in predicted | expected:  # in their order, so that sums are the same in every process
                rule = settings.rules.of(entity_type) if settings.rules else None
                match = match_field(predicted.get(entity_type), expected.get(entity_type), rule)
                counts.add_row(("field", section.group_type, entity_type), match)
    return counts


def match_field(predicted: str | None, expected: str | None, rule: Rule | None) -> Fields:
    """One field; None if it is missing. A rule defines which texts match exactly."""
    if predicted is None or expected is None:
        length = len(predicted or expected or "")
        references = int(expected is not None)
        return Fields(levenshtein_distance=length, lcs_distance=length, fields=1, references=references)
    is_same = predicted == expected  # the usual case
    shared = len(expected) if is_same else common_length(predicted, expected)
    extra, missing = len(predicted) - shared, len(expected) - shared
    precision, recall, f1 = precision_recall_f1(shared, extra, missing)
    distance = 0 if is_same else edit_distance(predicted, expected)
    longest = max(len(predicted), len(expected))
    return Fields(
        exact_match=int(rule.holds(predicted, expected) if rule else is_same),
        exact_match_alphanumeric=int(is_same or alphanumeric(predicted) == alphanumeric(expected)),
        levenshtein_distance=distance,
        levenshtein_similarity=1.0 - distance / longest if longest else 1.0,
        lcs_length=shared,
        lcs_distance=extra + missing,
        lcs_precision=precision,
        lcs_recall=recall,
        lcs_f1=f1,
        fields=1,
        references=1,
    )


def score(counts: Counts) -> dict[str, Number]:
    """Means over all fields of the corpus, including missing and spurious ones.

    Args:
        counts (Counts): the counts of a document or of a corpus.

    Returns:
        dict of str to float:

        * in [0, 1]: `exact_match`, `exact_match_alphanumeric` (letters and digits only), `levenshtein_similarity` (1 -
          distance / length of the longer text), `lcs_precision`, `lcs_recall`, `lcs_f1` (of the longest common
          subsequence);
        * in characters: `levenshtein_distance`, `lcs_length`, `lcs_distance` (insertions and deletions).

    >>> figures = score(count({"total": "12.50", "date": "2023"}, {"total": "12.00"}))
    >>> figures["exact_match"], figures["levenshtein_distance"], figures["levenshtein_similarity"]
    (0.0, 2.5, 0.4)
    """
    return _means(counts.total("field", Fields))


def breakdown(counts: Counts) -> dict[str, dict[str, dict[str, Number]]]:
    """The scores of each entity type and of each group type.

    Args:
        counts (Counts): the counts of a document or of a corpus.

    Returns:
        dict: `per_entity` and `per_group`, the means over the fields of each entity type and over the fields in the
        groups of each type. `support` is the number of fields in the reference.

    >>> breakdown(count({"total": "12.50"}, {"total": "12.00"}))["per_entity"]["total"]["lcs_length"]
    4.0
    """
    return {
        table: {
            str(name): {**_means(row), "support": row.references}
            for name, row in counts.by("field", position, Fields).items()
            if name is not None
        }
        for table, position in (("per_entity", 2), ("per_group", 1))
    }


def _means(row: Fields) -> dict[str, Number]:
    return {name: ratio(getattr(row, name), row.fields, empty=empty) for name, empty in FIGURES.items()}
