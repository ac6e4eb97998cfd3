"""The pairs of groups that KIEval compares, and the corrections in each; predicted values, each judged by them."""

from __future__ import annotations

import math
from array import array
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Literal, NamedTuple

from docie.core.counts import Counts
from docie.core.values.plain import NO_CONFIDENCE
from docie.documents.document import Document, is_counted
from docie.documents.multisets import Token, Tokens, tokens_of
from docie.documents.values import Leaf, Values, values_of
from docie.metrics.kieval.automation import pair_substitutions
from docie.metrics.kieval.metric import DEFAULT, Comparison, compare, comparisons_of, rows_of
from docie.metrics.kieval.options import Settings

Operation = Literal["substitution", "addition", "deletion"]
Leaves = dict[Token, Leaf]
"""The values of a group by their tokens, in the order of the document."""


@dataclass
class Pair:
    """Two groups that were compared, and their differences.

    Attributes:
        comparison: how they were compared.
        group_type: their type; None for the values outside of groups.
        predicted, expected: the tokens of each; None if there is no such group.
        predicted_group, reference_group: their numbers among the groups of their type in each document.
        correct: the correct tokens.
        substituted: pairs of an incorrect token and the correct one.
        deleted, added: the other incorrect tokens, and the other missing ones.
        leaves: the values of each group.
    """

    comparison: Comparison
    group_type: str | None
    predicted: Tokens | None
    expected: Tokens | None
    predicted_group: int | None
    reference_group: int | None
    correct: Collection[Token]
    substituted: list[tuple[Token, Token]]
    deleted: list[Token]
    added: list[Token]
    leaves: tuple[list[Leaf], list[Leaf]]

    @classmethod
    def of(cls, comparison: Comparison, predictions: _Groups, references: _Groups) -> Pair:
        """The pair of a comparison; tokens in alphabetical order."""
        group_type, predicted, expected, correct, incorrect, missing, (row, column) = comparison
        substituted = sorted(pair_substitutions(predicted or {}, incorrect, missing)) if incorrect and missing else []
        deleted = sorted({*incorrect} - {token for token, _ in substituted})
        added = sorted({*missing} - {token for _, token in substituted})
        number, leaves = (None, []) if row is None else predictions[group_type][row]
        other, others = (None, []) if column is None else references[group_type][column]
        groups = group_type, predicted, expected, number, other
        return cls(comparison, *groups, correct, substituted, deleted, added, (leaves, others))

    @cached_property
    def predicted_leaves(self) -> Leaves:
        """The values of the predicted group."""
        return _by_token(self.leaves[0])

    @cached_property
    def expected_leaves(self) -> Leaves:
        """The values of the reference group."""
        return _by_token(self.leaves[1])

    def leaves_of(self, predicted: Token | None, expected: Token | None) -> tuple[Leaf | None, Leaf | None]:
        """The values of two tokens; None without a token."""
        found = None if predicted is None else self.predicted_leaves[predicted]
        return found, None if expected is None else self.expected_leaves[expected]

    def differences(self) -> Iterator[tuple[Operation, Token | None, Token | None]]:
        """Each correction: its operation, the incorrect token and the missing token."""
        for incorrect, missing in self.substituted:
            yield "substitution", incorrect, missing
        for incorrect in self.deleted:
            yield "deletion", incorrect, None
        for missing in self.added:
            yield "addition", None, missing


def pairs_of(prediction: object, reference: object, settings: Settings) -> list[Pair]:
    """The pairs of a document, as KIEval compares them, with the numbers of their groups."""
    options = {"normalize": settings.normalizer}
    predicted, expected = values_of(prediction, "prediction", **options), values_of(reference, "reference", **options)
    groups = _groups(predicted, settings), _groups(expected, settings)
    comparisons = compare(_document(predicted, groups[0]), _document(expected, groups[1]), settings)
    return sorted((Pair.of(comparison, *groups) for comparison in comparisons), key=_place)


_Groups = dict[str | None, list[tuple[int | None, list[Leaf]]]]
"""The groups that are compared, by type, each with its number; under None the values outside of groups."""


def _groups(values: Values, settings: Settings) -> _Groups:
    """The values of the entities that `parsed` has."""
    ontology, keep_empty = settings.ontology, settings.empty_groups == "count"
    groups: _Groups = {
        name: [
            (number, group)
            for number, group in enumerate(each)
            if is_counted(name, group, ontology, keep_empty=keep_empty)
        ]
        for name, each in values.groups.items()
    }
    groups[None] = [(None, values.ungrouped)]
    if ontology is None:
        return groups
    return {
        name: [(number, [leaf for leaf in group if leaf.type in ontology]) for number, group in each]
        for name, each in groups.items()
    }


def _document(values: Values, groups: _Groups) -> Document:
    """The document that is compared."""
    entities = {name: [[leaf[:3] for leaf in group] for _, group in each] for name, each in groups.items() if each}
    [ungrouped] = entities.pop(None)
    by_type = {str(name): each for name, each in entities.items()}
    return Document(ungrouped, by_type, values.has_one_of, values.has_confidences)


def _by_token(leaves: list[Leaf]) -> Leaves:
    """The values of a group by the tokens that the matching gives them: of equal ones, the most confident is first."""
    if all(leaf.confidence == NO_CONFIDENCE for leaf in leaves):
        return dict(zip(tokens_of([leaf[:3] for leaf in leaves]), leaves, strict=True))
    places = sorted(range(len(leaves)), key=lambda place: -leaves[place].confidence)
    tokens = dict(zip(places, tokens_of([leaves[place][:3] for place in places]), strict=True))
    return {tokens[place]: leaf for place, leaf in enumerate(leaves)}


def _place(pair: Pair) -> tuple[bool, str, float, float]:
    """Sorts pairs by the type of their groups, then by their order in the reference, then in the prediction."""
    reference, prediction = (
        math.inf if number is None else number for number in (pair.reference_group, pair.predicted_group)
    )
    return pair.group_type is None, pair.group_type or "", reference, prediction


class Judged(NamedTuple):
    """The predicted values of a document, as three lists of equal length.

    Attributes:
        entity_types: the entity type of each value.
        confidences: the confidence of each value; infinity if it has none.
        correct: 1 if the value is a true positive, else 0.
    """

    entity_types: tuple[str, ...]
    confidences: array[float]
    correct: bytes


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
    """
    comparisons = comparisons_of(prediction, reference, settings)
    counts = Counts.of_document(rows_of(comparisons, settings), valid=isinstance(prediction, Mapping))
    counts.listed.append(judged(comparisons))
    return counts


def judged(comparisons: Iterable[Comparison]) -> Judged:
    """The predicted values of the groups of a document."""
    rows = [
        (token[0], predicted[token], is_correct)
        for _, predicted, _, correct, incorrect, _, _ in comparisons
        if predicted
        for tokens, is_correct in ((correct, 1), (incorrect, 0))
        for token in tokens
    ]
    entity_types, confidences, correct = zip(*rows, strict=True) if rows else ((), (), ())
    return Judged(entity_types, array("d", confidences), bytes(correct))
