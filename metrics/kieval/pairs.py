"""The pairs of groups that KIEval compares, and the corrections in each; predicted values, each judged by them."""

from __future__ import annotations

import math
from array import array
from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import cached_property
from itertools import repeat
from typing import Literal, NamedTuple

from docie.core.counts import Counts
from docie.documents.document import Value
from docie.documents.multisets import Token
from docie.documents.values import Leaf
from docie.metrics.kieval.automation import pair_substitutions
from docie.metrics.kieval.evidence.grounding import Arranged, Grounding
from docie.metrics.kieval.evidence.sides import OWN, Leaves, Side
from docie.metrics.kieval.metric import DEFAULT, Comparison, compare, parsed, rows_of
from docie.metrics.kieval.options import Settings

Operation = Literal["substitution", "addition", "deletion", "relocation"]
"""A correction, or what a correct value in the wrong place needs: a relocation."""
OPERATIONS: tuple[Operation, ...] = "substitution", "addition", "deletion"
"""The corrections that KIEval counts."""


class Pair:
    """Two groups that were compared, and their differences; tokens in alphabetical order.

    Attributes:
        comparison: how they were compared.
        group_type: their type; None for the values outside of groups.
        predicted, expected: the tokens of each; None if there is no such group.
        predicted_group, reference_group: their numbers among the groups of their type in each document.
        correct: the correct tokens.
        substituted: pairs of an incorrect token and the correct one.
        deleted, added: the other incorrect tokens, and the other missing ones.
        misplaced: pairs of a correct token and that of the reference, which stands in another place.
        predicted_texts, expected_texts: the incorrect and the missing values before normalisation, by their tokens.
    """

    substituted: Sequence[tuple[Token, Token]] = ()
    deleted: Sequence[Token] = ()
    added: Sequence[Token] = ()
    predicted_texts: Mapping[Token, Value] = OWN
    expected_texts: Mapping[Token, Value] = OWN
    misplaced: Sequence[tuple[Token, Token]] = ()

    def __init__(
        self, comparison: Comparison, prediction: Side, reference: Side, arranged: Arranged | None = None
    ) -> None:
        self.comparison, self._sides = comparison, (prediction, reference)
        self.group_type, self.predicted, self.expected, self.correct, incorrect, missing, self._places = comparison
        if arranged is not None:
            self._places, self.predicted_leaves, self.expected_leaves, _, self.misplaced = arranged
        row, column = self._places
        self.predicted_group = prediction.number(self.group_type, row)
        self.reference_group = reference.number(self.group_type, column)
        if not incorrect and not missing:  # as most
            return
        if incorrect and missing:
            self.substituted = sorted(pair_substitutions(self.predicted or {}, incorrect, missing))
        self.predicted_texts = prediction.written(self.group_type, row)
        self.expected_texts = reference.written(self.group_type, column)
        self.deleted = sorted({*incorrect} - {token for token, _ in self.substituted})
        self.added = sorted({*missing} - {token for _, token in self.substituted})

    @property
    def has_places(self) -> bool:
        """Whether a value of the documents has a box or a page."""
        return any(side.read.has_places for side in self._sides)

    @property
    def is_plain(self) -> bool:
        """Whether values are texts as they are compared, in the order of the documents, without boxes and pages."""
        prediction, reference = self._sides
        if not prediction.is_plain or not reference.is_plain:
            return False
        if not prediction.read.has_confidences and not reference.read.has_confidences:
            return True
        # of equal values, the most confident one is the first copy
        return not [token for group in (self.predicted, self.expected) for token in group or () if token[2]]

    @cached_property
    def predicted_leaves(self) -> Leaves:
        """The values of the predicted group."""
        return self._sides[0].leaves(self.group_type, self._places[0], self.predicted)

    @cached_property
    def expected_leaves(self) -> Leaves:
        """The values of the reference group."""
        return self._sides[1].leaves(self.group_type, self._places[1], self.expected)

    def leaf(self, token: Token) -> Leaf:
        """A predicted value; without its path, if it has neither a box nor a page."""
        if self.predicted is None or self._sides[0].read.has_places:
            return self.predicted_leaves[token]
        return Leaf(token[0], token[1], self.predicted[token], (), self.predicted_texts[token])

    def errors(self) -> Iterator[tuple[Operation, Token | None, Token | None]]:
        """Each correction as `differences` has them, then each correct value in the wrong place."""
        yield from self.differences()
        for token, other in self.misplaced:
            yield "relocation", token, other

    def differences(self) -> Iterator[tuple[Operation, Token | None, Token | None]]:
        """Each correction: its operation, the incorrect token and the missing token."""
        for incorrect, missing in self.substituted:
            yield "substitution", incorrect, missing
        for incorrect in self.deleted:
            yield "deletion", incorrect, None
        for missing in self.added:
            yield "addition", None, missing


def sides_of(prediction: object, reference: object, settings: Settings) -> tuple[Side, Side]:
    """Two documents that are compared."""
    return Side(prediction, "prediction", settings), Side(reference, "reference", settings)


def pairs_of(prediction: Side, reference: Side, settings: Settings) -> list[Pair]:
    """The pairs of a document, as KIEval compares them, with the numbers of their groups."""
    comparisons = [*compare(prediction.document, reference.document, settings)]
    arranged = (
        [*Grounding(prediction, reference, settings).arranged(comparisons)] if settings.evidence else repeat(None)
    )
    pairs = [Pair(each, prediction, reference, more) for each, more in zip(comparisons, arranged, strict=False)]
    return sorted(pairs, key=_place)


def _place(pair: Pair) -> tuple[bool, str, float, float]:
    """Sorts pairs by the type of their groups, then by their order in the reference, then in the prediction."""
    reference = math.inf if pair.reference_group is None else pair.reference_group
    prediction = math.inf if pair.predicted_group is None else pair.predicted_group
    return pair.group_type is None, pair.group_type or "", reference, prediction


class Judged(NamedTuple):
    """The predicted values of a document, as three lists of equal length; and the document as a whole.

    Attributes:
        entity_types: the entity type of each value.
        confidences: the confidence of each value; infinity if it has none.
        correct: 1 if the value is a true positive, else 0.
        is_correct: whether the document has no error; missing values are errors, too.
        most: the highest confidence that the document as a whole can have, whatever those of its values.
    """

    entity_types: tuple[str, ...]
    confidences: array[float]
    correct: bytes
    is_correct: bool
    most: float = math.inf


def count_judged(prediction: object, reference: object, settings: Settings = DEFAULT) -> Counts:
    """Count one document, and judge its predicted values.

    Args:
        prediction, reference, settings: as in `count`.

    Returns:
        Counts: the same as from `count`. `listed` holds one element, the `Judged` of the document.

    Raises:
        DocumentError: if a document cannot be read.

    >>> [judged] = count_judged({"a": {"value": "1", "confidence": 0.9}, "b": "2"}, {"a": "1"}).listed
    >>> judged.entity_types, judged.confidences.tolist(), [*judged.correct]
    (('a', 'b'), [0.9, inf], [1, 0])
    >>> judged.is_correct
    False
    """
    predicted, expected = parsed(prediction, reference, settings)
    comparisons = [*compare(predicted, expected, settings)]
    rows = rows_of(comparisons, expected, settings, (prediction, reference))
    counts = Counts.of_document(rows, valid=isinstance(prediction, Mapping))
    counts.listed.append(judged(comparisons))
    return counts


def judged(comparisons: Collection[Comparison]) -> Judged:
    """The predicted values of the groups of a document."""
    entity_types, confidences, correct = list[str](), array("d"), bytearray()
    for each in comparisons:
        for tokens, is_correct in ((each.correct, b"\1"), (each.incorrect, b"\0")):
            if each.predicted and tokens:
                entity_types += [token[0] for token in tokens]
                confidences.extend(map(each.predicted.__getitem__, tokens))
                correct += is_correct * len(tokens)
    has_no_error = all(each.is_identical for each in comparisons)
    return Judged(tuple(entity_types), confidences, bytes(correct), has_no_error)
