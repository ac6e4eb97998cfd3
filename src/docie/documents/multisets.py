"""Groups as multisets of entities: what two groups share, and what they do not.

This is the place where two values are held equal: identical texts, a text and a one-of that lists it, or texts that a
match rule (`docie.core.rules`) holds equal.

A group becomes a dictionary of tokens. A token is (entity type, value, copy): the second "1" of a group is another
token than the first. So the size of an intersection of sets is the size of the intersection of the multisets.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Sequence, Set
from itertools import chain
from typing import Any

import numpy as np

from docie.core.counts import Outcomes
from docie.core.matching.one_to_one import first_pairs
from docie.core.rules.match import Rule, Rules
from docie.core.rules.pairs import count_by_rule, pairs_by_rule
from docie.documents.document import Document, Entity, Group, Value
from docie.documents.leaves import OneOf, answers_of

Token = tuple[str, Value, int]
Tokens = dict[Token, float]
"""The tokens of a group, each with the confidence of its entity."""
Shared = Any
"""A sparse matrix of whole numbers, `scipy.sparse.csr_array` (scipy has no types): few groups share a token."""


def sort_key(entity: Entity) -> tuple[str, object, float]:
    """Sorts entities by type, value and falling confidence; those without a confidence come first.

    If no entity has a confidence, a plain sort gives the same order in a third of the time.
    """
    entity_type, value, confidence = entity
    return entity_type, value, -confidence


def tokens_of(group: Group, *, by_confidence: bool = False) -> Tokens:
    """The tokens of a group. Equal values are copies in the order of the group: the first entity is the first copy.

    Args:
        group: the entities.
        by_confidence: of equal values, the most confident one is the first copy instead.
    """
    tokens: Tokens = {(entity_type, value, 0): confidence for entity_type, value, confidence in group}
    if len(tokens) == len(group):  # no equal values, as in most groups
        return tokens
    tokens = {}
    if by_confidence:
        group = sorted(group, key=sort_key)
    copies: dict[Token, int] = {}
    for entity_type, value, confidence in group:
        token = (entity_type, value, 0)
        if token in tokens:
            copies[token] = copy = copies.get(token, 0) + 1
            token = (entity_type, value, copy)
        tokens[token] = confidence
    return tokens


def count_types(tokens: Iterable[Token]) -> dict[str, int]:
    """How many of the tokens each entity type has."""
    counts: dict[str, int] = {}
    for entity_type, _, _ in tokens:
        counts[entity_type] = counts.get(entity_type, 0) + 1
    return counts


def has_one_of(groups: Iterable[Iterable[Token]]) -> bool:
    """Whether a value in one of these groups has alternatives."""
    return any(type(value) is OneOf for group in groups for _, value, _ in group)


def compare_tokens(
    prediction: Tokens, reference: Tokens, *, with_one_of: bool, rules: Rules | None = None
) -> tuple[Set[Token], Set[Token], Set[Token]]:
    """Compare two groups.

    Args:
        prediction: the tokens of the predicted group.
        reference: the tokens of the reference group.
        with_one_of: whether reference values may have alternatives.
        rules: the match rules; None if there are none.

    Returns:
        The correct tokens of the prediction, its incorrect ones, and the missing ones of the reference.
    """
    correct = prediction.keys() & reference.keys()
    missing: Set[Token] = reference.keys() - correct
    types: Set[str] = set()
    if with_one_of or rules:
        types = _matched_types((prediction,), (reference,), with_one_of=with_one_of, rules=rules)
    if types:
        correct = {token for token in correct if token[0] not in types}
        missing = {token for token in missing if token[0] not in types}
        predicted, expected = (_tokens_by_type(side, types) for side in (prediction, reference))
        for entity_type in sorted(types):
            rule = rules.of(entity_type) if rules else None
            pairs = _pairs(
                # a rule prefers similar values, then the first ones; alternatives prefer the most confident values
                sorted(predicted[entity_type], key=None if rule else lambda token: (-prediction[token], token)),
                sorted(expected[entity_type]),
                rule,
            )
            correct |= {token for token, _ in pairs}
            missing |= {*expected[entity_type]} - {token for _, token in pairs}
    return correct, prediction.keys() - correct, missing


def _matched_types(
    predictions: Iterable[Iterable[Token]],
    references: Iterable[Iterable[Token]],
    *,
    with_one_of: bool,
    rules: Rules | None,
) -> set[str]:
    """The types whose values need a matching: identical texts are not all that is correct."""
    types: set[str] = set()
    if with_one_of:
        types |= {token[0] for group in references for token in group if type(token[1]) is OneOf}
    if rules:
        predicted, expected = ({token[0] for group in side for token in group} for side in (predictions, references))
        types |= {entity_type for entity_type in predicted & expected if rules.of(entity_type)}
    return types


def _tokens_by_type(group: Iterable[Token], types: Collection[str]) -> defaultdict[str, list[Token]]:
    """The tokens of a group that are of these types."""
    tokens: defaultdict[str, list[Token]] = defaultdict(list)
    for token in group:
        if token[0] in types:
            tokens[token[0]].append(token)
    return tokens


def count_shared(
    predictions: Sequence[Iterable[Token]],
    references: Sequence[Iterable[Token]],
    *,
    with_one_of: bool,
    rules: Rules | None = None,
) -> Shared:
    """The number of tokens that each predicted group (rows) shares with each reference group (columns).

    >>> group = tokens_of([("cnt", "1", 1.0), ("nm", "Tea", 1.0)])
    >>> count_shared([group], [group, {}], with_one_of=False).toarray().tolist()
    [[2, 0]]
    """
    types: set[str] = set()
    if with_one_of or rules:
        types = _matched_types(predictions, references, with_one_of=with_one_of, rules=rules)
    if not types:
        return _count_equal(predictions, references)
    others = (
        [[token for token in group if token[0] not in types] for group in side] for side in (predictions, references)
    )
    shared = _count_equal(*others)
    predicted_by_type, expected_by_type = (
        [_tokens_by_type(group, types) for group in side] for side in (predictions, references)
    )
    for entity_type in sorted(types):
        predicted, expected = (
            [[value for _, value, _ in group.get(entity_type, ())] for group in side]
            for side in (predicted_by_type, expected_by_type)
        )
        rule = rules.of(entity_type) if rules else None
        if rule:
            shared = shared + count_by_rule(
                predicted, [[tuple(answers_of(value)) for value in values] for values in expected], rule
            )
        else:
            shared = shared + _count_matched(predicted, expected)
    return shared


def _count_equal(predictions: Sequence[Iterable[Token]], references: Sequence[Iterable[Token]]) -> Shared:
    """`count_shared` of identical tokens."""
    numbers: dict[Token, int] = {}
    columns = [[numbers.setdefault(token, len(numbers)) for token in group] for group in references]
    rows = [[numbers[token] for token in group if token in numbers] for group in predictions]
    largest = min(max(map(len, side), default=0) for side in (rows, columns))
    dtype = np.int16 if largest < 2**15 else np.int64  # where all share something, there are as many as pairs
    predicted, expected = (_incidence(side, len(numbers), dtype) for side in (rows, columns))
    return predicted @ expected.T


def _incidence(places: Sequence[Sequence[int]], width: int, dtype: Any) -> Shared:
    """A matrix with ones at the places of each row."""
    from scipy.sparse import csr_array

    starts = np.cumsum([0, *map(len, places)], dtype=np.int32)
    columns = np.fromiter(chain.from_iterable(places), dtype=np.int32, count=int(starts[-1]))
    return csr_array((np.ones(len(columns), dtype=dtype), columns, starts), shape=(len(places), width))


def _count_matched(predicted: list[list[str]], expected: Sequence[Sequence[object]]) -> Shared:
    """`count_shared` of the values of one type that has alternatives; a list holds the values of each group."""
    from scipy.sparse import csr_array

    is_alone = np.array([len(values) == 1 for values in expected], dtype=bool)
    columns_of = {answer: np.array(columns) for answer, columns in _places_of_answers(expected).items()}
    known: dict[tuple[object, ...], int] = {}
    starts, columns, numbers = [0], [np.empty(0, np.int64)], [np.empty(0, np.int64)]
    for values in predicted:
        hits = [columns_of[value] for value in values if value in columns_of]
        near, number = np.empty(0, np.int64), np.empty(0, np.int64)
        if len(hits) == 1:  # one value fits, and there cannot be a second
            near, number = hits[0], np.ones(len(hits[0]), dtype=np.int64)
        elif hits:
            near, number = np.unique(np.concatenate(hits), return_counts=True)
            is_single = is_alone[near] | (number == 1)
            number[is_single] = 1
            for place in np.flatnonzero(~is_single).tolist():
                reference = expected[near[place]]
                key = (*values, None, *reference)
                if key not in known:
                    known[key] = len(first_pairs(values, _places_of_answers([value] for value in reference)))
                number[place] = known[key]
        columns.append(near)
        numbers.append(number)
        starts.append(starts[-1] + len(near))
    cells = np.concatenate(numbers), np.concatenate(columns), np.array(starts)
    return csr_array(cells, shape=(len(predicted), len(expected)))


def _places_of_answers(expected: Iterable[Sequence[object]]) -> dict[str, list[int]]:
    """From each correct answer to the places of the lists of values that have it, rising."""
    places: defaultdict[str, list[int]] = defaultdict(list)
    for place, values in enumerate(expected):
        for answer in dict.fromkeys(answer for value in values for answer in answers_of(value)):
            places[answer].append(place)
    return dict(places)


def _pairs(prediction: list[Token], reference: list[Token], rule: Rule | None) -> list[tuple[Token, Token]]:
    """The pairs of a maximum one-to-one matching of values of one type where more than identical texts may be equal.

    Args:
        prediction: the predicted tokens, those first that are to be matched first.
        reference: the reference tokens.
        rule: the match rule of the type; None if it has none.
    """
    values, expected = [value for _, value, _ in prediction], [value for _, value, _ in reference]
    if len(values) == len(expected) == 1:
        pairs = [(0, 0)] if _fits(values[0], expected[0], rule) else []
    elif rule:
        pairs = pairs_by_rule(values, list(map(answers_of, expected)), rule)
    else:
        pairs = first_pairs(values, _places_of_answers([value] for value in expected))
    return [(prediction[row], reference[column]) for row, column in pairs]


def counterparts(
    correct: Collection[Token], found: Collection[Token], *, rules: Rules | None = None
) -> dict[Token, Token]:
    """From each correct token of a predicted group to the reference token that it is equal to.

    Args:
        correct: the correct predicted tokens, as of `compare_tokens`.
        found: the reference tokens that were found.
        rules: the match rules; None if there are none.

    >>> one_of = OneOf.of(["12.00", "12"])
    >>> counterparts([("total", "12", 0)], [("total", one_of, 0)])[("total", "12", 0)]
    ('total', OneOf('12.00', '12'), 0)
    """
    if {*correct} == {*found}:
        return {token: token for token in correct}
    types = {entity_type for entity_type, _, _ in correct}
    predicted, expected = _tokens_by_type(correct, types), _tokens_by_type(found, types)
    result: dict[Token, Token] = {}
    for entity_type in types:
        rule = rules.of(entity_type) if rules else None
        result.update(_pairs(sorted(predicted[entity_type]), sorted(expected[entity_type]), rule))
    return result


def count_values(prediction: Document, reference: Document, rules: Rules | None = None) -> dict[str, Outcomes]:
    """How many values of each type are correct, incorrect or spurious, and missing, whatever their group.

    >>> from docie.documents.document import parse_document
    >>> sides = [parse_document(side, "reference") for side in ({"total": ["9", "8"]}, {"total": "9"})]
    >>> count_values(*sides)["total"].numbers()
    [1, 1, 0]
    """
    sides = prediction.entities(), reference.entities()
    if not (rules or reference.has_one_of or prediction.has_confidences or reference.has_confidences):
        return _count_equal_entities(*sides)
    predicted, expected = map(tokens_of, sides)
    correct, incorrect, missing = compare_tokens(predicted, expected, with_one_of=reference.has_one_of, rules=rules)
    counts = [count_types(tokens) for tokens in (correct, incorrect, missing)]
    return {name: Outcomes(*(each.get(name, 0) for each in counts)) for name in dict.fromkeys(chain(*counts))}


def _count_equal_entities(predicted: Group, expected: Group) -> dict[str, Outcomes]:
    """`count_values` where only identical entities are equal: without tokens, in a third of the time."""
    by_type: defaultdict[str, Outcomes] = defaultdict(Outcomes)
    left: dict[Entity, int] = {}
    for entity in expected:  # faster than a Counter, of so few
        left[entity] = left.get(entity, 0) + 1
    for entity in predicted:
        number = left.get(entity)
        if number:
            left[entity] = number - 1
            by_type[entity[0]].true_positives += 1
        else:
            by_type[entity[0]].false_positives += 1
    for entity, number in left.items():
        if number:
            by_type[entity[0]].false_negatives += number
    return by_type


def _fits(value: str, expected: object, rule: Rule | None) -> bool:
    """Whether a predicted value equals a reference value, or one of its alternatives."""
    if rule is None:
        return value in answers_of(expected)
    return any(rule.holds(value, answer) for answer in answers_of(expected))
