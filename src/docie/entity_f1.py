"""Entity F1: the conventional figure, in which groups have no say.

Source: the field F1 of Kim et al., "OCR-free Document Understanding Transformer" (Donut, 2022), and the figure that
Khang et al. compare KIEval with ("KIEval", 2025, section 3).
"""

from __future__ import annotations

from collections.abc import Mapping
from itertools import chain
from typing import Any, NamedTuple

from docie.counts import Counts, Key, Number, macro_f1, precision_recall_f1
from docie.document import Document, Group, parse
from docie.matching import difference, tokens
from docie.settings import Common as Settings

__all__ = ["INPUT", "NAME", "Settings", "breakdown", "count", "details", "score"]

NAME, INPUT = "entity_f1", "document"


class Entities(NamedTuple):
    """Columns of the ("entity", entity type) rows."""

    true_positives: Number = 0
    false_positives: Number = 0
    false_negatives: Number = 0


DEFAULT = Settings()


def count(prediction: object, reference: object, settings: Settings = DEFAULT) -> Counts:
    """The additive counts of one document.

    `prediction` and `reference` are JSON objects (see `docie.document`); a prediction that is not an object is the
    empty document and is counted in `invalid_predictions`. Raises DocumentError for a document that cannot be read.

    >>> count({"menu": [{"nm": "Latte"}, {"nm": "Tea"}]}, {"menu": {"nm": "Latte"}}).rows["entity", "menu.nm"]
    [1, 1, 0]
    """
    predicted = parse(prediction, "prediction", normalize=settings.normalizer)
    expected = parse(reference, "reference", normalize=settings.normalizer)
    left, right = tokens(_entities(predicted)), tokens(_entities(expected))
    rows: dict[Key, list[Number]] = {}
    for column, found in enumerate(difference(left, right, one_of=expected.one_of)):
        for kind, _, _ in found:
            rows.setdefault(("entity", kind), [0, 0, 0])[column] += 1
    return Counts(1, int(not isinstance(prediction, Mapping)), rows)


def score(counts: Counts) -> dict[str, Number]:
    """`precision`, `recall` and `f1`: micro averages over documents and entity types, in [0, 1]; `f1_macro`: the mean
    of the F1 of the entity types found on either side.

    >>> score(count({"nm": ["Latte", "Tea"]}, {"nm": "Latte", "price": "4.50"}))["f1"]
    0.5
    """
    types = counts.by("entity", 1, Entities)
    return {
        **precision_recall_f1(*counts.total("entity", Entities))._asdict(),
        "f1_macro": macro_f1(types.values()),
    }


def breakdown(counts: Counts) -> dict[str, dict[str, dict[str, Number]]]:
    """`per_entity`: the figures of each entity type, with `support`, its number of reference entities.

    >>> breakdown(count({"nm": "Latte"}, {"nm": ["Latte", "Tea"]}))["per_entity"]["nm"]["recall"]
    0.5
    """
    return {
        "per_entity": {
            str(kind): {**precision_recall_f1(*row)._asdict(), "support": row.true_positives + row.false_negatives}
            for kind, row in counts.by("entity", 1, Entities).items()
        }
    }


def details(counts: Counts) -> dict[str, Any]:
    """Nothing beyond figures and tables."""
    return {}


def _entities(document: Document) -> Group:
    """All entities, in groups or not."""
    return list(chain.from_iterable(document.parts()))
