"""The pairs of groups that KIEval compares, and the corrections in each; predicted values, each judged by them."""

from __future__ import annotations

import math
from array import array
from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import cached_property
from typing import Literal, NamedTuple, TypeVar

from docie.core.counts import Counts
from docie.core.values.plain import NO_CONFIDENCE
from docie.documents.document import Document, Group, Value, is_counted, normalized, parse_document
from docie.documents.multisets import Token, Tokens, tokens_of
from docie.documents.values import Leaf, Values, values_of
from docie.metrics.kieval.automation import pair_substitutions
from docie.metrics.kieval.metric import DEFAULT, Comparison, compare, parsed, rows_of
from docie.metrics.kieval.options import Settings

Operation = Literal["substitution", "addition", "deletion"]
OPERATIONS: tuple[Operation, ...] = "substitution", "addition", "deletion"
Item = TypeVar("Item")
Leaves = dict[Token, Leaf]
"""The values of a group by their tokens, in the order of the document."""
_Written = tuple[str, Value, float, Value]
"""An entity, and its value before normalisation."""


class Side:
    """One of two documents that are compared: its values are read once, their places only if someone asks.

    Attributes:
        read: the values before normalisation, in all groups.
        document: what is compared.
        is_plain: whether values are texts as they are compared, without boxes and pages.
    """

    def __init__(self, value: object, side: str, settings: Settings) -> None:
        self._value, self._side, self._settings = value, side, settings
        self.read = self.document = read = parse_document(value, side, keep_empty_groups=True)
        self.is_plain = settings.normalizer is None and not read.has_places and not read.has_one_of
        self._changed: dict[str | None, list[tuple[int | None, list[_Written]]]] = {}
        has_all = settings.empty_groups == "count" or all(map(all, read.groups.values()))
        if has_all and settings.normalizer is None and settings.ontology is None:
            return
        self._changed[None] = [(None, self._listed(self._normalized(read.ungrouped)))]
        for name, groups in read.groups.items():
            self._changed[name] = [
                (number, self._listed(group))
                for number, group in enumerate(map(self._normalized, groups))
                if is_counted(name, group, settings.ontology, keep_empty=settings.empty_groups == "count")
            ]
        entities = {name: [[each[:3] for each in group] for _, group in each] for name, each in self._changed.items()}
        [ungrouped] = entities.pop(None)
        by_type = {str(name): groups for name, groups in entities.items() if groups}
        self.document = Document(ungrouped, by_type, read.has_one_of, read.has_confidences)
        new = {id(read.ungrouped): ungrouped}
        for name, groups in by_type.items():
            olds = [read.groups[name][place] for place, _ in self._changed[name] if place is not None]
            new |= {id(old): group for old, group in zip(olds, groups, strict=True)}
        self.document.nulls = [(new.get(id(group), group), name) for group, name in read.nulls]

    def _normalized(self, group: Group) -> list[_Written]:
        normalize = self._settings.normalizer
        if normalize is None:
            return [(*entity, entity[1]) for entity in group]
        found = [(name, normalized(name, value, normalize), sure, value) for name, value, sure in group]
        return [each for each in found if each[1] is not None]

    def _listed(self, group: list[_Written]) -> list[_Written]:
        ontology = self._settings.ontology
        return group if ontology is None else [each for each in group if each[0] in ontology]

    def number(self, group_type: str | None, place: int | None) -> int | None:
        """The number of a group that is compared among all of its type in the document."""
        if group_type is None or place is None:
            return None
        return self._changed[group_type][place][0] if self._changed else place

    def written(self, group_type: str | None, place: int | None) -> Mapping[Token, Value]:
        """The values of a group before normalisation, by their tokens."""
        if self._settings.normalizer is None or place is None:
            return _OWN
        _, group = self._changed[group_type][place]
        return _by_token([each[:3] for each in group], [each[3] for each in group])

    @cached_property
    def values(self) -> Values:
        """The values with their places."""
        return values_of(self._value, self._side, normalize=self._settings.normalizer)

    def leaves(self, group_type: str | None, place: int | None, tokens: Tokens | None) -> Leaves:
        """The values of a group by their tokens; without their paths, if none has a box or a page."""
        if place is None or tokens is None:
            return {}
        if not self.read.has_places and not any(copy for _, _, copy in tokens):
            written = self.written(group_type, place)
            return {token: Leaf(token[0], token[1], sure, (), written[token]) for token, sure in tokens.items()}
        number = self.number(group_type, place)
        group = self.values.ungrouped if number is None else self.values.groups[str(group_type)][number]
        leaves = [leaf for leaf in group if self._settings.ontology is None or leaf.type in self._settings.ontology]
        return _by_token([leaf[:3] for leaf in leaves], leaves)


class _Own(dict[Token, Value]):
    """Of each token its own value."""

    def __missing__(self, token: Token) -> Value:
        return token[1]


_OWN = _Own()


def _by_token(group: Group, items: Sequence[Item]) -> dict[Token, Item]:
    """What belongs to the entities of a group by the tokens that the matching gives them, in the order of the group:
    of equal values, the most confident is first."""
    if all(confidence == NO_CONFIDENCE for *_, confidence in group):
        return dict(zip(tokens_of(group), items, strict=True))
    places = sorted(range(len(group)), key=lambda place: -group[place][2])
    tokens = dict(zip(places, tokens_of([group[place] for place in places]), strict=True))
    return {tokens[place]: item for place, item in enumerate(items)}


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
        predicted_texts, expected_texts: the incorrect and the missing values before normalisation, by their tokens.
    """

    substituted: Sequence[tuple[Token, Token]] = ()
    deleted: Sequence[Token] = ()
    added: Sequence[Token] = ()
    predicted_texts: Mapping[Token, Value] = _OWN
    expected_texts: Mapping[Token, Value] = _OWN

    def __init__(self, comparison: Comparison, prediction: Side, reference: Side) -> None:
        self.comparison, self._sides = comparison, (prediction, reference)
        self.group_type, self.predicted, self.expected, self.correct, incorrect, missing, self._places = comparison
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
    comparisons = compare(prediction.document, reference.document, settings)
    return sorted([Pair(comparison, prediction, reference) for comparison in comparisons], key=_place)


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
    counts = Counts.of_document(rows_of(comparisons, expected, settings), valid=isinstance(prediction, Mapping))
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
