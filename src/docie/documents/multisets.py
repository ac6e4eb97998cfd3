"""Groups as multisets of entities: what two groups share, and what they do not.

This is the place where two values are held equal: identical texts, a text and a one-of that lists it, or texts that a
match rule (`docie.core.rules`) holds equal.

A group becomes a dictionary of tokens. A token is (entity type, value, copy): the second "1" of a group is another
token than the first. So the size of an intersection of sets is the size of the intersection of the multisets.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Hashable, Iterable, Sequence, Set
from itertools import chain
from typing import Any, Generic, NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from docie.core.counts import Outcomes
from docie.core.matching.one_to_one import Places, first_pairs, matched_rows
from docie.core.matching.similarity import distinct
from docie.core.rules.match import Rule, Rules
from docie.core.rules.pairs import fits, pairs_by_rule
from docie.documents.document import Document, Entity, Group, Value
from docie.documents.leaves import OneOf, answers_of

T = TypeVar("T", bound=Hashable)
Token = tuple[str, Value, int]
Tokens = dict[Token, float]
"""The tokens of a group, each with the confidence of its entity."""
_BLOCK = 2**20  # pairs of values at a time


class Shared(NamedTuple):
    """How many tokens a predicted group (row) shares with a reference group (column), for those pairs that share some.

    They are in the order of rows, then of columns.
    """

    rows: NDArray[Any]
    columns: NDArray[Any]
    numbers: NDArray[Any]


def sort_key(entity: Entity) -> tuple[str, object, float]:
    """Sorts entities by type, value and falling confidence; those without a confidence come first.

    If no entity has a confidence, a plain sort gives the same order, and is faster.
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
    >>> [side.tolist() for side in count_shared([group], [group, {}], with_one_of=False)]
    [[0], [0], [2]]
    """
    types: set[str] = set()
    if with_one_of or rules:
        types = _matched_types(predictions, references, with_one_of=with_one_of, rules=rules)
    if not types:
        return _count_equal(predictions, references)
    others = (
        [[token for token in group if token[0] not in types] for group in side] for side in (predictions, references)
    )
    found = [_count_equal(*others)]
    by_type = [[_tokens_by_type(group, types) for group in side] for side in (predictions, references)]
    for entity_type in sorted(types):
        predicted, expected = (
            [[value for _, value, _ in group.get(entity_type, ())] for group in side] for side in by_type
        )
        found.append(_count_matched(predicted, expected, rules.of(entity_type) if rules else None))
    rows, columns, numbers = _joined(found)
    pairs, where = np.unique(rows * np.int64(len(references)) + columns, return_inverse=True)
    return Shared(*np.divmod(pairs, len(references)), np.bincount(where, numbers).astype(np.int64))


def count_shared_of_few(
    predictions: Sequence[Tokens], references: Sequence[Tokens], *, with_one_of: bool, rules: Rules | None = None
) -> list[list[int]]:
    """`count_shared` as a table, for a few groups: here numpy's overhead would take most of a document's time."""
    types: set[str] = set()
    if with_one_of or rules:
        types = _matched_types(predictions, references, with_one_of=with_one_of, rules=rules)
    if not types:
        return [[len(group.keys() & other.keys()) for other in references] for group in predictions]
    rules_of = {entity_type: rules.of(entity_type) if rules else None for entity_type in types}
    predicted, expected = (
        [({token for token in group if token[0] not in types}, _tokens_by_type(group, types)) for group in side]
        for side in (predictions, references)
    )
    return [
        [
            len(tokens & others)
            + sum([_number(values, mine[name], rules_of[name]) for name, values in by_type.items() if name in mine])
            for others, mine in expected
        ]
        for tokens, by_type in predicted
    ]


def _number(prediction: list[Token], reference: list[Token], rule: Rule | None) -> int:
    """The size of a maximum matching of values of one type."""
    if len(prediction) == len(reference) == 1:
        return _fits(prediction[0][1], reference[0][1], rule)
    places = {
        value: near
        for _, value, _ in prediction
        if (near := [place for place, (_, other, _) in enumerate(reference) if _fits(value, other, rule)])
    }
    return len(first_pairs([value for _, value, _ in prediction], places))


def _count_equal(predictions: Sequence[Iterable[Token]], references: Sequence[Iterable[Token]]) -> Shared:
    """`count_shared` of identical tokens."""
    columns: defaultdict[Token, list[int]] = defaultdict(list)
    for column, group in enumerate(references):
        for token in group:
            columns[token].append(column)
    columns_of = {token: np.array(places) for token, places in columns.items()}
    found = []
    for row, group in enumerate(predictions):
        near = [columns_of[token] for token in group if token in columns_of]
        if near:
            numbers = np.bincount(np.concatenate(near))
            found.append(_shared(numbers[None], np.array([row]), np.arange(len(numbers))))
    return _joined(found)


def _shared(numbers: NDArray[np.int64], rows: Places, columns: Places) -> Shared:
    """The numbers above 0 of a table of these groups."""
    row, column = numbers.nonzero()
    return Shared(*(each.astype(np.int32) for each in (rows[row], columns[column], numbers[row, column])))


def _joined(found: Sequence[Shared]) -> Shared:
    none = np.empty(0, dtype=np.int32)
    return Shared(*map(np.concatenate, zip((none, none, none), *found, strict=True)))


class _Groups(Generic[T]):
    """The values of groups of one entity type, group by group, of those groups that have some.

    Attributes:
        places: the groups.
        sizes: how many values each of them has.
        values: the number of each value among the distinct ones, group by group.
        distinct: these.
    """

    def __init__(self, groups: Sequence[Sequence[T]]) -> None:
        sizes = np.array(list(map(len, groups)), dtype=np.int64)
        self.places = sizes.nonzero()[0]
        self.sizes = sizes[self.places]
        self.ends = np.cumsum(self.sizes)
        self.distinct, self.values = distinct([*chain.from_iterable(groups)])


def _count_matched(predicted: list[list[str]], expected: list[list[Value]], rule: Rule | None) -> Shared:
    """`count_shared` of the values of one type that has alternatives or a rule; a list holds the values of a group.

    At most as many are shared as values of the one group that fit one of the other, and as the other has.
    """
    rows, columns = _Groups(predicted), _Groups(expected)
    if not len(rows.values) or not len(columns.values):
        return _joined([])
    table = fits(rows.distinct, [*map(answers_of, columns.distinct)], rule)
    known: dict[tuple[tuple[str, ...], tuple[Value, ...]], int] = {}
    found = []
    step = max(1, _BLOCK // (len(columns.values) * int(rows.sizes.max())))
    for start in range(0, len(rows.places), step):
        block = slice(start, start + step)
        starts = rows.ends[block] - rows.sizes[block]
        fitting = table[rows.values[starts[0] : rows.ends[block][-1]]].take(columns.values, axis=1)
        has_partner = np.logical_or.reduceat(fitting, columns.ends - columns.sizes, axis=1)
        numbers = np.add.reduceat(has_partner, starts - starts[0], axis=0, dtype=np.int64)
        np.minimum(numbers, columns.sizes, out=numbers)
        for row, column in np.argwhere(numbers > 1).tolist():
            group, other = predicted[rows.places[start + row]], expected[columns.places[column]]
            key = tuple(group), tuple(other)
            if key not in known:
                first, end = starts[row] - starts[0], columns.ends[column]
                near = fitting[first : first + len(group), end - len(other) : end]
                ends = np.cumsum(near.sum(axis=1))
                known[key] = int(np.count_nonzero(matched_rows(np.append(0, ends), near.nonzero()[1])))
            numbers[row, column] = known[key]
        found.append(_shared(numbers, rows.places[block], columns.places))
    return _joined(found)


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
    """`count_values` where only identical entities are equal: without tokens, which is faster."""
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


def _fits(value: str, expected: Value, rule: Rule | None) -> bool:
    """Whether a predicted value equals a reference value, or one of its alternatives."""
    if rule is None:
        return value in answers_of(expected)
    if type(expected) is not OneOf:
        return rule.holds(value, expected)
    return any(rule.holds(value, answer) for answer in answers_of(expected))
