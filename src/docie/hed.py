"""HED and UHED: how many characters of a document's fields were read, line items in order or in any order.

Source: DeGange, Gupta, Han, Wilkosz and Karwan, "Document Intelligence Metrics for Visually Rich Document Evaluation"
(DI-Metrics); HED by Chua and Duffy, "DeepCPCFG" (ICDAR 2021).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple

from docie.counts import Counts, Key, Number, precision_recall_f1, ratio
from docie.fields import Pair, aligned, assigned, common, sections
from docie.settings import Common, check_choice

__all__ = ["INPUTS", "NAME", "Settings", "breakdown", "count", "details", "score"]

NAME, INPUTS = "hed", ("document",)
METRICS = ("hed", "uhed")


@dataclass(frozen=True, kw_only=True)
class Settings(Common):
    """The options of HED and UHED.

    unmatched: "count" line items without a counterpart in full, or "ignore" them in UHED, as the authors' code does.
    normalize: None, a normaliser's name, a list of names, or a mapping from entity type to these
        (see `docie.normalizers`).

    Raises ValueError for a value outside these.
    """

    unmatched: Literal["count", "ignore"] = "count"

    def __post_init__(self) -> None:
        super().__post_init__()
        check_choice("unmatched", self.unmatched, "count", "ignore")


class Field(NamedTuple):
    """Columns of the (metric, group type, entity type) rows: characters, and sums over the documents that have it."""

    true_positives: Number = 0
    false_positives: Number = 0
    false_negatives: Number = 0
    documents: Number = 0
    precision: Number = 0.0
    recall: Number = 0.0
    f1: Number = 0.0


class Documents(NamedTuple):
    """Columns of the ("document", metric) rows: sums over documents."""

    precision: Number = 0.0
    recall: Number = 0.0
    f1: Number = 0.0


class Support(NamedTuple):
    """Columns of the ("support", group type, entity type) rows: the number of fields in the reference."""

    fields: Number = 0


DEFAULT = Settings()


def count(prediction: object, reference: object, settings: Settings = DEFAULT) -> Counts:
    """The additive counts of one document.

    `prediction` and `reference` are JSON objects (see `docie.document`); a prediction that is not an object is the
    empty document and is counted in `invalid_predictions`. Raises DocumentError for a document that cannot be read.

    >>> counts = count({"total": "12.50"}, {"total": "12.00"})
    >>> counts.rows["hed", None, "total"][:3]  # true positives, false positives, false negatives
    [4, 1, 1]
    """
    rows: dict[Key, list[Number]] = {}
    for section in sections(prediction, reference, settings.normalizer):
        for metric, pair_items in (("hed", aligned), ("uhed", assigned)):
            pairs: Iterable[Pair] = pair_items(section)
            if metric == "uhed" and settings.unmatched == "ignore" and section.group_type is not None:
                pairs = [(predicted, expected) for predicted, expected in pairs if predicted and expected]
            _count_fields((metric, section.group_type), pairs, rows)
        for kind in (kind for item in section.expected for kind in item):
            rows.setdefault(("support", section.group_type, kind), [0])[0] += 1
    for metric in METRICS:
        totals = [0, 0, 0]
        for key, row in rows.items():
            if key[0] == metric:
                totals = [total + number for total, number in zip(totals, row, strict=True)]
                row += [1, *precision_recall_f1(*row)]
        rows["document", metric] = [*precision_recall_f1(*totals)]
    return Counts(1, int(not isinstance(prediction, Mapping)), rows)


def _count_fields(place: tuple[str, str | None], pairs: Iterable[Pair], rows: dict[Key, list[Number]]) -> None:
    """Add the characters that the fields of paired items have in common, invent and miss."""
    for predicted, expected in pairs:
        for kind in predicted | expected:
            one, other = predicted.get(kind, ""), expected.get(kind, "")
            right = common(one, other)
            row = rows.setdefault((*place, kind), [0, 0, 0])
            row[0] += right
            row[1] += len(one) - right
            row[2] += len(other) - right


def score(counts: Counts) -> dict[str, Number]:
    """HED's and UHED's F1, precision and recall in [0, 1]: means over documents (the paper's table 2), and micro.

    In a document, TP = length of the longest common subsequence, FP = len(prediction) - TP, FN = len(reference) - TP,
    summed over its fields; micro figures are those of the sums over all documents.

    >>> lines = [{"nm": "Latte"}, {"nm": "Mocha"}]
    >>> figures = score(count({"menu": lines[::-1]}, {"menu": lines}))
    >>> figures["hed_f1"], figures["uhed_f1"]
    (0.5, 1.0)
    """
    result: dict[str, Number] = {}
    for metric in METRICS:
        sums = counts.by("document", 1, Documents).get(metric, Documents())
        result |= _named(metric, "", [ratio(value, counts.documents, empty=1.0) for value in sums])
    for metric in METRICS:
        result |= _named(metric, "_micro", precision_recall_f1(*counts.total(metric, Field)[:3]))
    return result


def breakdown(counts: Counts) -> dict[str, dict[str, dict[str, Number]]]:
    """`per_entity`: the same figures for every entity type, the means over the documents that have it on either side;
    `per_group`: the micro figures of all fields of each group type. `support` is the number of the reference's fields.

    >>> figures = breakdown(count({"menu": {"nm": "Latte"}}, {"menu": {"nm": "Latte"}, "company": "Kedai"}))
    >>> {kind: (row["hed_f1"], row["support"]) for kind, row in figures["per_entity"].items()}
    {'company': (0.0, 1), 'menu.nm': (1.0, 1)}
    """
    return {"per_entity": _table(counts, 2), "per_group": _table(counts, 1)}


def details(counts: Counts) -> dict[str, Any]:
    """Nothing beyond figures and tables."""
    return {}


def _table(counts: Counts, position: int) -> dict[str, dict[str, Number]]:
    """The figures by entity type (position 2 of the rows' keys) or by group type (1)."""
    support = counts.by("support", position, Support)
    rows: dict[str, dict[str, Number]] = {}
    for metric in METRICS:
        for name, field in counts.by(metric, position, Field).items():
            if name is not None:
                figures = rows.setdefault(name, {})
                if position == 2:
                    figures |= _named(metric, "", [ratio(value, field.documents) for value in field[4:]])
                figures |= _named(metric, "_micro", precision_recall_f1(*field[:3]))
    return {name: {**rows[name], "support": support.get(name, Support()).fields} for name in sorted(rows)}


def _named(metric: str, suffix: str, figures: Iterable[Number]) -> dict[str, Number]:
    precision, recall, f1 = figures
    names = (f"{metric}_{figure}{suffix}" for figure in ("f1", "precision", "recall"))
    return dict(zip(names, (f1, precision, recall), strict=True))
