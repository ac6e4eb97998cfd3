"""Which predicted group stands for which reference group (definitions of KIEval, Khang et al., section 4.1).

Groups are multisets of entities, here dictionaries of tokens. A token is (entity type, value, copy): the second "1" of
a group is another token than the first, so that the size of a set intersection is that of the multisets'.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence, Set

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import linear_sum_assignment

from docie.document import Group, OneOf

Token = tuple[str, str, int]
Tokens = dict[Token, float]
"""The tokens of a group, each with its entity's doubt."""
Pair = tuple[Tokens | None, Tokens | None]
"""A predicted group and the reference group it stands for; None where there is no counterpart."""

SMALL = 36  # up to so many pairs of groups are weighed one by one


def tokens(group: Group) -> Tokens:
    """The tokens of a sorted group: of equal values the most confident is the first copy."""
    result: Tokens = {}
    copies: dict[Token, int] = {}
    for kind, value, doubt in group:
        token = (kind, value, 0)
        if token in result:
            copies[token] = copy = copies.get(token, 0) + 1
            token = (kind, value, copy)
        result[token] = doubt
    return result


def types_of(group: Iterable[Token]) -> dict[str, int]:
    """How many of the tokens are of each entity type."""
    counts: dict[str, int] = {}
    for kind, _, _ in group:
        counts[kind] = counts.get(kind, 0) + 1
    return counts


def pair_groups(predicted: list[Group], reference: list[Group], *, greedy: bool, one_of: bool) -> Iterator[Pair]:
    """Every group of one group type once: the matched pairs, then those without a counterpart.

    The optimal matching has the most identical entities, then the fewest corrections, then the most identical groups,
    and does not depend on the order of groups; the greedy one takes the highest number of identical entities first,
    reference groups and then predicted groups in input order.
    """
    predicted = [sorted(group) for group in predicted]
    reference = [sorted(group) for group in reference]
    if not greedy:
        predicted.sort()
        reference.sort()
    one_of = one_of and any(type(value) is OneOf for group in reference for _, value, _ in group)
    left = [tokens(group) for group in predicted]
    right = [tokens(group) for group in reference]
    if not greedy and not one_of and len(left) * len(right) > 1:
        # Identical groups belong together in some optimal matching, whatever the rest (exchange argument). Without
        # them 1,000 groups take 1.7 times as long, receipts 1.1 times.
        yield from _take_identical(left, right)
    pairs = _assign(left, right, greedy=greedy, one_of=one_of)
    for n, m in pairs:
        yield left[n], right[m]
    matched_left, matched_right = {n for n, _ in pairs}, {m for _, m in pairs}
    for n, group in enumerate(left):
        if n not in matched_left:
            yield group, None
    for m, group in enumerate(right):
        if m not in matched_right:
            yield None, group


def difference(predicted: Tokens, reference: Tokens, *, one_of: bool) -> tuple[Set[Token], Set[Token], Set[Token]]:
    """The predicted tokens that are right, those that are wrong, and the reference tokens that were missed."""
    right = predicted.keys() & reference.keys()
    missed: set[Token] = reference.keys() - right
    kinds = {kind for kind, value, _ in reference if type(value) is OneOf} if one_of else set()
    if kinds:
        right = {token for token in right if token[0] not in kinds}
        missed = {token for token in missed if token[0] not in kinds}
        for kind in sorted(kinds):
            hits, misses = _match_one_of(
                sorted((token for token in predicted if token[0] == kind), key=lambda token: (predicted[token], token)),
                sorted(token for token in reference if token[0] == kind),
            )
            right |= hits
            missed |= misses
    return right, predicted.keys() - right, missed


def _match_one_of(predicted: list[Token], reference: list[Token]) -> tuple[set[Token], set[Token]]:
    """Maximum one-to-one matching of values where a reference value may have alternatives; hits and misses.

    Predicted tokens come most confident first. The falling positive weights make the assignment a maximum matching
    and, among those, the one whose hits are the most confident (the sets of matchable tokens are a matroid).
    """
    fits = [[value in _answers(expected) for _, expected, _ in reference] for _, value, _ in predicted]
    if len(predicted) == 1 or len(reference) == 1:
        pairs = [(i, m) for i, row in enumerate(fits) for m, fit in enumerate(row) if fit][:1]
    else:
        weights = np.array(fits) * np.arange(len(predicted), 0, -1)[:, None]
        pairs = [(i, m) for i, m in zip(*linear_sum_assignment(weights, maximize=True), strict=True) if weights[i, m]]
    return {predicted[i] for i, _ in pairs}, set(reference) - {reference[m] for _, m in pairs}


def _answers(expected: str) -> Iterable[str]:
    return expected.alternatives if isinstance(expected, OneOf) else (expected,)


def _take_identical(left: list[Tokens], right: list[Tokens]) -> Iterator[Pair]:
    """Pair equal groups, in order, and take them out of both lists."""
    waiting: defaultdict[frozenset[Token], list[Tokens]] = defaultdict(list)
    for group in reversed(right):
        waiting[frozenset(group)].append(group)
    rest = []
    for group in left:
        equals = waiting.get(frozenset(group))
        if equals:
            yield group, equals.pop()
        else:
            rest.append(group)
    left[:] = rest
    unpaired = {id(group) for groups in waiting.values() for group in groups}
    right[:] = [group for group in right if id(group) in unpaired]


def _assign(left: list[Tokens], right: list[Tokens], *, greedy: bool, one_of: bool) -> list[tuple[int, int]]:
    if not left or not right:
        return []
    if len(left) == len(right) == 1:
        return [(0, 0)]
    if len(left) * len(right) <= SMALL and not (greedy or one_of):
        rows, columns = linear_sum_assignment(_small_weights(left, right), maximize=True)
        return list(zip(rows.tolist(), columns.tolist(), strict=True))
    shared = _shared_with_alternatives(left, right) if one_of else _shared(left, right)
    if greedy:
        return _greedy(shared)
    weights = _weights(shared, left, right)
    # rows with the best pairs first: on tables full of ties the assignment is up to 25 times as fast
    order = np.argsort(-weights.max(axis=1), kind="stable")
    rows, columns = linear_sum_assignment(weights[order], maximize=True)
    return list(zip(order[rows].tolist(), columns.tolist(), strict=True))


def _small_weights(left: list[Tokens], right: list[Tokens]) -> list[list[int]]:
    """`_weights` for a few pairs, none identical, where numpy's overhead would be most of a document's time."""
    right_types = [types_of(group) for group in right]
    entities = min(sum(map(len, left)), sum(map(len, right)))
    weights = []
    for group in left:
        row, types = [], types_of(group).items()
        for other, other_types in zip(right, right_types, strict=True):
            shared = len(group.keys() & other.keys())
            same_types = sum([min(number, other_types.get(kind, 0)) for kind, number in types])
            row.append(shared * (entities + 1) + same_types)
        weights.append(row)
    return weights


def _weights(shared: NDArray[np.int64], left: list[Tokens], right: list[Tokens]) -> NDArray[np.float64]:
    """One number a pair for the three criteria: (S·(E+1) + T)·(k+1) + I.

    S: identical entities; T = Σ min of the type counts, each one less saves a correction; I: 1 for identical groups.
    Exact in float64 as long as (E+1)²(k+1) < 2⁵³, which a matrix that fits into memory does not reach.
    """
    same_types = _shared(*([_type_tokens(group) for group in side] for side in (left, right)))
    left_sizes, right_sizes = (np.array([len(group) for group in side]) for side in (left, right))
    identical = (shared == left_sizes[:, None]) & (shared == right_sizes[None, :])
    entities = min(left_sizes.sum(), right_sizes.sum())
    weights = (shared * (entities + 1) + same_types) * (min(shared.shape) + 1) + identical
    return np.asarray(weights, dtype=np.float64)


def _type_tokens(group: Tokens) -> list[Token]:
    """The tokens that are left of a group when its values are forgotten: T is the number that two groups share."""
    return [(kind, "", copy) for kind, number in types_of(group).items() for copy in range(number)]


def _shared(left: Sequence[Iterable[Token]], right: Sequence[Iterable[Token]]) -> NDArray[np.int64]:
    """The number of tokens that each pair has in common, through an index of the right side's tokens."""
    places: defaultdict[Token, list[int]] = defaultdict(list)
    for m, group in enumerate(right):
        for token in group:
            places[token].append(m)
    columns = {token: np.array(found) for token, found in places.items()}
    shared = np.zeros((len(left), len(right)), dtype=np.int64)
    for n, group in enumerate(left):
        found = [columns[token] for token in group if token in columns]
        if found:
            shared[n] = np.bincount(np.concatenate(found), minlength=len(right))
    return shared


def _shared_with_alternatives(left: Sequence[Tokens], right: Sequence[Tokens]) -> NDArray[np.int64]:
    """S where values may have alternatives: the types that have some, one by one, and the others as always."""
    kinds = {kind for group in right for kind, value, _ in group if isinstance(value, OneOf)}
    others = ([[token for token in group if token[0] not in kinds] for group in side] for side in (left, right))
    shared = _shared(*others)
    for kind in kinds:
        values, expected = _of_type(kind, left), _of_type(kind, right)
        alone = np.array([len(group) == 1 for group in expected])
        places: defaultdict[str, list[int]] = defaultdict(list)
        for m, group in enumerate(expected):
            for answer in {answer for _, value, _ in group for answer in _answers(value)}:
                places[answer].append(m)
        columns = {answer: np.array(found) for answer, found in places.items()}
        for n, group in enumerate(values):
            hits = [columns[value] for value in {value for _, value, _ in group} if value in columns]
            found = np.unique(np.concatenate(hits)) if hits else np.array([], dtype=np.int64)
            simple = alone[found] | (len(group) == 1)  # any answer fits, and no second one can
            shared[n, found[simple]] += 1
            for m in found[~simple]:
                shared[n, m] += len(_match_one_of(group, expected[m])[0])
    return shared


def _of_type(kind: str, groups: Sequence[Tokens]) -> list[list[Token]]:
    return [[token for token in group if token[0] == kind] for group in groups]


def _greedy(shared: NDArray[np.int64]) -> list[tuple[int, int]]:
    """Highest count first; on ties the first reference group, then the first predicted group."""
    order = np.argsort(-shared.T, axis=None, kind="stable")
    free_left, free_right = set(range(shared.shape[0])), set(range(shared.shape[1]))
    pairs = []
    for place in order.tolist():
        m, n = divmod(place, shared.shape[0])
        if n in free_left and m in free_right:
            free_left.remove(n)
            free_right.remove(m)
            pairs.append((n, m))
            if not free_left or not free_right:
                break
    return pairs
