"""HED and UHED: how many characters of a document's fields are correct, line items in order or in any order.

Source: DeGange, Gupta, Han, Wilkosz and Karwan, "Document Intelligence Metrics for Visually Rich Document Evaluation"
(DI-Metrics); HED by Chua and Duffy, "DeepCPCFG" (ICDAR 2021).
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import chain
from typing import Literal

from docie.core.counts import Counts, Key, Number, Outcomes, Row, ratio
from docie.core.matching.similarity import common_length
from docie.core.scores import Score
from docie.core.settings import Common, check_choice
from docie.documents.line_items import ItemPair, aligned_items, assigned_items, sections

NAME, INPUTS = "hed", ("document",)
METRICS = ("hed", "uhed")


def _scores() -> Iterator[Score]:
    for metric, order in (("hed", "in order"), ("uhed", "in any order")):
        for end, average in (("", "Mean over documents"), ("_micro", "Micro average")):
            f1 = f"{metric}_f1{end}"
            sentence = f"{average} of the {{}} of characters, line items {order}."
            yield Score(f1, "higher", "share", sentence.format("F1 score"), headline=f1 == "uhed_f1")
            for part in ("precision", "recall"):
                yield Score(f"{metric}_{part}{end}", "higher", "share", sentence.format(part), part_of=f1)


SCORES = (*_scores(), Score("support", "neither", "count", "Number of fields in the references."))


@dataclass(frozen=True, kw_only=True)
class Settings(Common):
    """The options of HED and UHED.

    Attributes:
        unmatched (str): "count" line items without a counterpart in full, or "ignore" them in UHED, as the authors'
            code does.
        normalize: None, a normalizer's name, a list of names, or a mapping from entity type to these
            (see `docie.normalizers`).

    Raises:
        ValueError: if an option does not take its value.
    """

    unmatched: Literal["count", "ignore"] = "count"

    def __post_init__(self) -> None:
        super().__post_init__()
        check_choice("unmatched", self.unmatched, "count", "ignore")


@dataclass(slots=True)
class Means(Row):
    """Columns of the ("document", metric) rows: sums over documents, from which means are computed."""

    precision: Number = 0.0
    recall: Number = 0.0
    f1: Number = 0.0


@dataclass(slots=True)
class Field(Outcomes):
    """Columns of the (metric, group type, entity type) rows: characters, and sums over documents with that field."""

    documents: Number = 0
    precision: Number = 0.0
    recall: Number = 0.0
    f1: Number = 0.0


@dataclass(slots=True)
class Support(Row):
    """Column of the ("support", group type, entity type) rows: the number of fields in the reference."""

    fields: Number = 0


DEFAULT = Settings()


def count(prediction: object, reference: object, settings: Settings = DEFAULT) -> Counts:
    """Count one document.

    Of alternatives, in each pair of fields the one counts that HED or UHED prefers: the smallest FP + FN, then the most
    TP; or the most TP, then the shortest. Without a counterpart, it is the first.

    Args:
        prediction (dict): the predicted document, a JSON object (see `docie.documents`). Anything else is scored as the
            empty document and counted in `invalid_predictions`.
        reference (dict): the reference document.
        settings (Settings): the options.

    Returns:
        Counts: the counts of the document.

    Raises:
        DocumentError: if a document cannot be read.

    >>> field = Field(*count({"total": "12.50"}, {"total": "12.00"}).rows["hed", None, "total"])
    >>> field.true_positives, field.false_positives, field.false_negatives
    (4, 1, 1)
    """
    known: dict[tuple[str, str], int] = {}  # most pairs are the same in both metrics
    fields: dict[str, dict[Key, Field]] = {metric: defaultdict(Field) for metric in METRICS}
    support: dict[Key, Row] = {}
    for section in sections(prediction, reference, settings.normalizer):
        group_type = section.group_type
        _add_characters(fields["hed"], ("hed", group_type), aligned_items(section), known)
        pairs: Iterable[ItemPair] = assigned_items(section)
        if settings.unmatched == "ignore" and group_type is not None:
            pairs = [pair for pair in pairs if pair[0] and pair[1]]
        _add_characters(fields["uhed"], ("uhed", group_type), pairs, known)
        for entity_type, fields_of_type in Counter(chain(*section.reference)).items():
            support["support", group_type, entity_type] = Support(fields_of_type)
    rows: dict[Key, Row] = {**fields["hed"], **fields["uhed"], **support}
    for metric in METRICS:
        total = Outcomes()
        for row in fields[metric].values():
            total.true_positives += row.true_positives
            total.false_positives += row.false_positives
            total.false_negatives += row.false_negatives
            row.documents = 1
            row.precision, row.recall, row.f1 = row.scores
        rows["document", metric] = Means(*total.scores)
    return Counts.of_document(rows, valid=isinstance(prediction, Mapping))


def _add_characters(
    rows: dict[Key, Field],
    place: tuple[str, str | None],
    pairs: Iterable[ItemPair],
    known: dict[tuple[str, str], int],
) -> None:
    """Add the common, spurious and missing characters of the fields of paired items. `known`: common lengths so far."""
    of_type: dict[str, Field] = {}
    for predicted, expected, _, _ in pairs:
        for entity_type in predicted | expected:
            row = of_type.get(entity_type)
            if row is None:
                row = of_type[entity_type] = rows[(*place, entity_type)]
            texts = predicted_text, expected_text = predicted.get(entity_type, ""), expected.get(entity_type, "")
            if predicted_text == expected_text:
                row.true_positives += len(expected_text)
                continue
            shared = known.get(texts)
            if shared is None:
                shared = known[texts] = common_length(*texts)
            row.true_positives += shared
            row.false_positives += len(predicted_text) - shared
            row.false_negatives += len(expected_text) - shared


def score(counts: Counts) -> dict[str, Number]:
    """The scores of counts.

    In a document, TP = length of the longest common subsequence, FP = len(prediction) - TP, FN = len(reference) - TP,
    summed over its fields.

    Args:
        counts (Counts): the counts of a document or of a corpus.

    Returns:
        dict of str to float: fractions in [0, 1]: `hed_f1`, `hed_precision`, `hed_recall`, `uhed_f1`, `uhed_precision`,
        `uhed_recall`, means over documents (the paper's table 2); and the same with the suffix `_micro`, from
        the sums over all documents.

    >>> lines = [{"nm": "Latte"}, {"nm": "Mocha"}]
    >>> figures = score(count({"menu": lines[::-1]}, {"menu": lines}))
    >>> figures["hed_f1"], figures["uhed_f1"]
    (0.5, 1.0)
    """
    figures: dict[str, Number] = {}
    sums = counts.by("document", 1, Means)
    for metric in METRICS:
        figures |= _means(metric, sums.get(metric, Means()), counts.documents, empty=1.0)
    for metric in METRICS:
        figures |= _micro(metric, counts.total(metric, Field))
    return figures


def breakdown(counts: Counts) -> dict[str, dict[str, dict[str, Number]]]:
    """The scores of each entity type and of each group type.

    Args:
        counts (Counts): the counts of a document or of a corpus.

    Returns:
        dict: `per_entity`, from each entity type to the scores of `score`, with means over the documents that have it;
        `per_group`, from each group type to the micro scores of all its fields. `support` is the number of fields in
        the reference.

    >>> figures = breakdown(count({"menu": {"nm": "Latte"}}, {"menu": {"nm": "Latte"}, "company": "Kedai"}))
    >>> {entity_type: (row["hed_f1"], row["support"]) for entity_type, row in figures["per_entity"].items()}
    {'company': (0.0, 1), 'menu.nm': (1.0, 1)}
    """
    return {"per_entity": _table(counts, 2), "per_group": _table(counts, 1)}


def _table(counts: Counts, position: int) -> dict[str, dict[str, Number]]:
    """The scores by entity type (position 2 of the keys) or by group type (1)."""
    support = counts.by("support", position, Support)
    table: dict[str, dict[str, Number]] = {}
    for metric in METRICS:
        for name, row in counts.by(metric, position, Field).items():
            if name is not None:
                figures = table.setdefault(name, {})
                if position == 2:
                    figures |= _means(metric, row, row.documents)
                figures |= _micro(metric, row)
    return {name: {**table[name], "support": support.get(name, Support()).fields} for name in sorted(table)}


def _means(metric: str, sums: Means | Field, documents: Number, *, empty: float = 0.0) -> dict[str, Number]:
    return {
        f"{metric}_{name}": ratio(value, documents, empty=empty)
        for name, value in (("f1", sums.f1), ("precision", sums.precision), ("recall", sums.recall))
    }


def _micro(metric: str, row: Outcomes) -> dict[str, Number]:
    precision, recall, f1 = row.scores
    return {f"{metric}_f1_micro": f1, f"{metric}_precision_micro": precision, f"{metric}_recall_micro": recall}
