"""Groups as multisets of entities: what two groups share, and what they do not.

This is the place where two values are held equal: identical texts, or a text and a one-of that lists it.

A group becomes a dictionary of tokens. A token is (entity type, value, copy): the second "1" of a group is another
token than the first. So the size of an intersection of sets is the size of the intersection of the multisets.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence, Set
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import linear_sum_assignment

from docie.documents.document import Entity, Group
from docie.documents.leaves import OneOf

Token = tuple[str, Any, int]
Tokens = dict[Token, float]
"""The tokens of a group, each with the confidence of its entity."""


def sort_key(entity: Entity) -> tuple[str, Any, float]:
    """Sorts entities by type, value and falling confidence; those without a confidence come first.

    If no entity has a confidence, a plain sort gives the same order in a third of the time.
    """
    entity_type, value, confidence = entity
    return entity_type, value, -confidence


def tokens_of(group: Group) -> Tokens:
    """The tokens of a group. Equal values are copies in the order of the group: the first entity is the first copy."""
    tokens: Tokens = {}
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
    prediction: Tokens, reference: Tokens, *, with_one_of: bool
) -> tuple[Set[Token], Set[Token], Set[Token]]:
    """Compare two groups.

    Args:
        prediction: the tokens of the predicted group.
        reference: the tokens of the reference group.
        with_one_of: whether reference values may have alternatives.

    Returns:
        The predicted tokens that are right, those that are wrong, and the reference tokens that were missed.
    """
    right = prediction.keys() & reference.keys()
    missed: Set[Token] = reference.keys() - right
    types = {entity_type for entity_type, value, _ in reference if type(value) is OneOf} if with_one_of else set()
    if types:
        right = {token for token in right if token[0] not in types}
        missed = {token for token in missed if token[0] not in types}
        for entity_type in sorted(types):
            right_of_type, missed_of_type = _match_one_of(
                sorted(
                    (token for token in prediction if token[0] == entity_type),
                    key=lambda token: (-prediction[token], token),
                ),
                sorted(token for token in reference if token[0] == entity_type),
            )
            right |= right_of_type
            missed |= missed_of_type
    return right, prediction.keys() - right, missed


def count_shared(
    predictions: Sequence[Iterable[Token]], references: Sequence[Iterable[Token]], *, with_one_of: bool
) -> NDArray[np.int64]:
    """The number of tokens that each predicted group (rows) shares with each reference group (columns)."""
    if with_one_of:
        return _count_shared_with_one_of(predictions, references)
    places: defaultdict[Token, list[int]] = defaultdict(list)  # an index of the references' tokens
    for column, group in enumerate(references):
        for token in group:
            places[token].append(column)
    columns_of = {token: np.array(columns) for token, columns in places.items()}
    shared = np.zeros((len(predictions), len(references)), dtype=np.int64)
    for row, group in enumerate(predictions):
        hits = [columns_of[token] for token in group if token in columns_of]
        if hits:
            shared[row] = np.bincount(np.concatenate(hits), minlength=len(references))
    return shared


def _count_shared_with_one_of(
    predictions: Sequence[Iterable[Token]], references: Sequence[Iterable[Token]]
) -> NDArray[np.int64]:
    """The types that have alternatives one by one, the others as always."""
    types = {entity_type for group in references for entity_type, value, _ in group if isinstance(value, OneOf)}
    others = (
        [[token for token in group if token[0] not in types] for group in side] for side in (predictions, references)
    )
    shared = count_shared(*others, with_one_of=False)
    for entity_type in types:
        predicted, expected = (
            [[token for token in group if token[0] == entity_type] for group in side]
            for side in (predictions, references)
        )
        is_alone = np.array([len(group) == 1 for group in expected])
        places: defaultdict[str, list[int]] = defaultdict(list)
        for column, group in enumerate(expected):
            for answer in {answer for _, value, _ in group for answer in _answers(value)}:
                places[answer].append(column)
        columns_of = {answer: np.array(columns) for answer, columns in places.items()}
        for row, group in enumerate(predicted):
            hits = [columns_of[value] for value in {value for _, value, _ in group} if value in columns_of]
            columns = np.unique(np.concatenate(hits)) if hits else np.array([], dtype=np.int64)
            is_simple = is_alone[columns] | (len(group) == 1)  # one value fits, and there cannot be a second
            shared[row, columns[is_simple]] += 1
            for column in columns[~is_simple]:
                shared[row, column] += len(_match_one_of(group, expected[column])[0])
    return shared


def _match_one_of(prediction: list[Token], reference: list[Token]) -> tuple[set[Token], set[Token]]:
    """Maximum one-to-one matching of values of one type where reference values may have alternatives.

    Args:
        prediction: the predicted tokens, most confident first.
        reference: the reference tokens.

    Returns:
        The predicted tokens that are right, and the reference tokens that were missed.
    """
    fits = [[value in _answers(expected) for _, expected, _ in reference] for _, value, _ in prediction]
    if len(prediction) == 1 or len(reference) == 1:
        pairs = [(row, column) for row, line in enumerate(fits) for column, fit in enumerate(line) if fit][:1]
    else:
        # Positive weights that fall from row to row make the assignment a maximum matching and, among these, one whose
        # right values are the most confident: the sets of tokens that can be matched are a matroid.
        weights = np.array(fits) * np.arange(len(prediction), 0, -1)[:, None]
        rows, columns = linear_sum_assignment(weights, maximize=True)
        pairs = [(row, column) for row, column in zip(rows, columns, strict=True) if weights[row, column]]
    return {prediction[row] for row, _ in pairs}, set(reference) - {reference[column] for _, column in pairs}


def _answers(value: Any) -> Sequence[str]:
    return value.alternatives if isinstance(value, OneOf) else (value,)
