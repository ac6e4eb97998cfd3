"""The pairs of groups that KIEval compares, and the corrections in each; predicted values, each judged by them."""

from __future__ import annotations

import math
from array import array
from collections import deque
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Literal, NamedTuple

from docie.core.counts import Counts
from docie.documents.document import parse_document
from docie.documents.leaves import LocatedConfidence
from docie.documents.multisets import Token, Tokens
from docie.metrics.kieval.automation import pair_substitutions
from docie.metrics.kieval.metric import DEFAULT, Comparison, compare, rows_of
from docie.metrics.kieval.options import Settings

Operation = Literal["substitution", "addition", "deletion"]


@dataclass(slots=True)
class Pair:
    """Two groups that were compared, and their differences. `substituted` maps incorrect tokens to the correct ones."""

    comparison: Comparison
    group_type: str | None
    predicted: Tokens | None
    expected: Tokens | None
    right: Collection[Token]
    substituted: list[tuple[Token, Token]]
    deleted: list[Token]
    added: list[Token]
    predicted_group: int | None = None
    reference_group: int | None = None

    @classmethod
    def of(cls, comparison: Comparison) -> Pair:
        """The pair of a comparison; tokens in alphabetical order."""
        group_type, predicted, expected, right, wrong, missed = comparison
        substituted = sorted(pair_substitutions(predicted or {}, wrong, missed)) if wrong and missed else []
        deleted = sorted({*wrong} - {token for token, _ in substituted})
        added = sorted({*missed} - {token for _, token in substituted})
        return cls(comparison, group_type, predicted, expected, right, substituted, deleted, added)

    def differences(self) -> Iterator[tuple[Operation, Token | None, Token | None]]:
        """Each correction: its operation, the incorrect token and the missing token."""
        for wrong, missed in self.substituted:
            yield "substitution", wrong, missed
        for wrong in self.deleted:
            yield "deletion", wrong, None
        for missed in self.added:
            yield "addition", None, missed


def pairs_of(prediction: object, reference: object, settings: Settings) -> list[Pair]:
    """The pairs of a document, as KIEval compares them, with the numbers of their groups."""
    pairs = list(map(Pair.of, compare(prediction, reference, settings, located=True)))
    empty_predicted, empty_expected = (
        _empty_groups(document, side, settings)
        for document, side in ((prediction, "prediction"), (reference, "reference"))
    )
    for pair in pairs:
        if pair.group_type is not None:
            pair.predicted_group = _number(pair.predicted, empty_predicted.get(pair.group_type))
            pair.reference_group = _number(pair.expected, empty_expected.get(pair.group_type))
    return sorted(pairs, key=_place)


def _place(pair: Pair) -> tuple[bool, str, float, float]:
    """Sorts pairs by the type of their groups, then by their order in the reference, then in the prediction."""
    reference, prediction = (
        math.inf if number is None else number for number in (pair.reference_group, pair.predicted_group)
    )
    return pair.group_type is None, pair.group_type or "", reference, prediction


def _number(group: Tokens | None, empty: deque[int] | None) -> int | None:
    """The number of a group in its document. All empty groups of a type are alike: any order of them is fine."""
    if group is None:
        return None
    for confidence in group.values():
        return confidence.group if isinstance(confidence, LocatedConfidence) else None
    return empty.popleft() if empty else None


def _empty_groups(document: object, side: str, settings: Settings) -> dict[str, deque[int]]:
    """The numbers of the groups without entities, by type, if these are counted."""
    if settings.empty_groups != "count":
        return {}
    groups = parse_document(document, side, normalize=settings.normalizer, keep_empty_groups=True).groups
    return {name: deque(place for place, group in enumerate(each) if not group) for name, each in groups.items()}


class Judged(NamedTuple):
    """The predicted values of a document, as three lists of equal length.

    Attributes:
        entity_types: the entity type of each value.
        confidences: the confidence of each value; infinity if it has none.
        right: 1 if the value is a true positive, else 0.
    """

    entity_types: tuple[str, ...]
    confidences: array[float]
    right: bytes


def count_judged(prediction: object, reference: object, settings: Settings = DEFAULT) -> Counts:
    """Count one document, and judge its predicted values.

    Args:
        prediction, reference, settings: as in `count`.

    Returns:
        Counts: the same as from `count`. `listed` holds one element, the `Judged` of the document.

    Raises:
        DocumentError: if a document cannot be read.

    >>> [judged] = count_judged({"a": {"value": "1", "confidence": 0.9}, "b": "2"}, {"a": "1"}).listed
    >>> judged.entity_types, judged.confidences.tolist(), [*judged.right]
    (('a', 'b'), [0.9, inf], [1, 0])
    """
    comparisons = list(compare(prediction, reference, settings))
    counts = Counts.of_document(rows_of(comparisons, settings), valid=isinstance(prediction, Mapping))
    counts.listed.append(judged(comparisons))
    return counts


def judged(comparisons: Iterable[Comparison]) -> Judged:
    """The predicted values of the groups of a document."""
    rows = [
        (token[0], predicted[token], is_right)
        for _, predicted, _, right, wrong, _ in comparisons
        if predicted
        for tokens, is_right in ((right, 1), (wrong, 0))
        for token in tokens
    ]
    entity_types, confidences, right = zip(*rows, strict=True) if rows else ((), (), ())
    return Judged(entity_types, array("d", confidences), bytes(right))
