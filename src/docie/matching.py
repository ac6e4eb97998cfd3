"""Which predicted group stands for which reference group (definitions of KIEval, Khang et al., section 4.1).

Groups are multisets of entities, here dictionaries of tokens. A token is (entity type, value, copy): the second "1" of
a group is another token than the first, so that the size of a set intersection is that of the multisets'.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence, Set
from typing import Any

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
    n = len(predicted)
    weights = np.zeros((n, len(reference)))
    for m, (_, expected, _) in enumerate(reference):
        answers = expected.alternatives if isinstance(expected, OneOf) else {expected}
        for i, (_, value, _) in enumerate(predicted):
            if value in answers:
                weights[i, m] = 2 * n - i
    hits, misses = set(), set(reference)
    for i, m in zip(*linear_sum_assignment(weights, maximize=True), strict=True):
        if weights[i, m]:
            hits.add(predicted[i])
            misses.discard(reference[m])
    return hits, misses


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
        weights: Any = _small_weights(left, right)
    else:
        shared = _shared_with_alternatives(left, right) if one_of else _shared(left, right)
        if greedy:
            return _greedy(shared)
        weights = _weights(shared, left, right)
    rows, columns = linear_sum_assignment(weights, maximize=True)
    return list(zip(rows.tolist(), columns.tolist(), strict=True))


def _small_weights(left: list[Tokens], right: list[Tokens]) -> list[list[int]]:
    """`_weights` for a few pairs, where numpy's overhead would be most of a document's time."""
    right_types = [types_of(group) for group in right]
    entities = min(sum(map(len, left)), sum(map(len, right)))
    pairs = min(len(left), len(right))
    weights = []
    for group in left:
        row, types = [], types_of(group).items()
        for other, other_types in zip(right, right_types, strict=True):
            shared = len(group.keys() & other.keys())
            same_types = sum([min(number, other_types.get(kind, 0)) for kind, number in types])
            identical = shared == len(group) == len(other)
            row.append((shared * (entities + 1) + same_types) * (pairs + 1) + identical)
        weights.append(row)
    return weights


def _weights(shared: NDArray[np.int64], left: list[Tokens], right: list[Tokens]) -> NDArray[np.float64]:
    """One number a pair for the three criteria: (S·(E+1) + T)·(k+1) + I.

    S: identical entities; T = Σ min of the type counts, each one less saves a correction; I: 1 for identical groups.
    Exact in float64 as long as (E+1)²(k+1) < 2⁵³, which a matrix that fits into memory does not reach.
    """
    same_types = np.zeros(shared.shape, dtype=np.int64)
    left_types, right_types = _type_counts(left), _type_counts(right)
    for kind in left_types.keys() & right_types.keys():
        same_types += np.minimum.outer(left_types[kind], right_types[kind])
    left_sizes, right_sizes = (np.array([len(group) for group in side]) for side in (left, right))
    identical = (shared == left_sizes[:, None]) & (shared == right_sizes[None, :])
    entities = min(left_sizes.sum(), right_sizes.sum())
    weights = (shared * (entities + 1) + same_types) * (min(shared.shape) + 1) + identical
    return np.asarray(weights, dtype=np.float64)


def _shared(left: Sequence[Tokens], right: Sequence[Tokens]) -> NDArray[np.int64]:
    """S: the number of tokens that each pair has in common, through an index of the right side's tokens."""
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
    """S where a value may have alternatives: pairs of groups that have any answer in common are matched in full."""
    shared = _shared(left, right)
    places: defaultdict[tuple[str, str], set[int]] = defaultdict(set)
    for n, group in enumerate(left):
        for kind, value, _ in group:
            places[kind, value].add(n)
    for m, group in enumerate(right):
        answers = [(kind, value.alternatives) for kind, value, _ in group if isinstance(value, OneOf)]
        found = [places.get((kind, answer), set()) for kind, alternatives in answers for answer in alternatives]
        for n in set().union(*found):
            shared[n, m] = len(difference(left[n], group, one_of=True)[0])
    return shared


def _type_counts(groups: Sequence[Tokens]) -> dict[str, NDArray[np.int64]]:
    """For each entity type, how many entities of it each group has."""
    counts: defaultdict[str, NDArray[np.int64]] = defaultdict(lambda: np.zeros(len(groups), dtype=np.int64))
    for n, group in enumerate(groups):
        for kind, count in types_of(group).items():
            counts[kind][n] = count
    return counts


def _greedy(shared: NDArray[Any]) -> list[tuple[int, int]]:
    """Highest count first; on ties the first reference group, then the first predicted group."""
    order = np.argsort(-shared.T, axis=None, kind="stable")
    free_left, free_right = np.ones(shared.shape[0], dtype=bool), np.ones(shared.shape[1], dtype=bool)
    pairs = []
    for m, n in zip(*(index.tolist() for index in np.unravel_index(order, shared.T.shape)), strict=True):
        if free_left[n] and free_right[m]:
            free_left[n] = free_right[m] = False
            pairs.append((n, m))
    return pairs
