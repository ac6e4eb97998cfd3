"""Which predicted group is compared with which reference group (Khang et al., KIEval, section 4.1)."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import linear_sum_assignment

from docie.documents import (
    Document,
    Group,
    Token,
    Tokens,
    count_shared,
    count_types,
    has_one_of,
    sort_key,
    tokens_of,
)
from docie.rules import Rules

GroupPair = tuple[Tokens | None, Tokens | None]
"""A predicted group and the reference group it is compared with; None where there is no counterpart."""

SMALL = 36  # up to so many pairs of groups are weighed one by one


def pair_groups(
    predicted: Document,
    expected: Document,
    group_type: str | None,
    *,
    is_greedy: bool,
    rules: Rules | None = None,
) -> Iterator[GroupPair]:
    """Pair the groups of one group type. The ungrouped entities (group type None) are one special group.

    The optimal matching has the most identical entities, then the fewest corrections, then the most identical groups.
    It does not depend on the order of groups. The greedy one takes the highest number of identical entities first; on
    ties, the first reference group, then the first predicted group.

    Returns:
        Every group once: the pairs, then the groups without a counterpart.
    """
    has_confidences = predicted.has_confidences or expected.has_confidences
    predictions = _groups_of(predicted, group_type, is_greedy=is_greedy, has_confidences=has_confidences)
    references = _groups_of(expected, group_type, is_greedy=is_greedy, has_confidences=has_confidences)
    with_one_of = expected.has_one_of and has_one_of(references)
    if not is_greedy and not with_one_of and not rules and len(predictions) * len(references) > 1:
        # Some optimal matching pairs identical groups with each other, whatever the rest (exchange argument). To take
        # them out first makes documents of 1,000 groups 1.7 times as fast, and receipts 1.1 times.
        yield from _take_identical(predictions, references)
    pairs = _assign(predictions, references, is_greedy=is_greedy, with_one_of=with_one_of, rules=rules)
    for row, column in pairs:
        yield predictions[row], references[column]
    rows, columns = {row for row, _ in pairs}, {column for _, column in pairs}
    yield from ((group, None) for row, group in enumerate(predictions) if row not in rows)
    yield from ((None, group) for column, group in enumerate(references) if column not in columns)


def _groups_of(document: Document, group_type: str | None, *, is_greedy: bool, has_confidences: bool) -> list[Tokens]:
    """The groups of a type, as tokens; sorted, unless the matching is greedy."""
    groups = [document.ungrouped] if group_type is None else document.groups.get(group_type, [])
    if has_confidences:
        groups = [sorted(group, key=sort_key) for group in groups]
    elif len(groups) > 1:  # the order of entities matters to that of groups only
        groups = [sorted(group) for group in groups]
    if not is_greedy and len(groups) > 1:
        groups.sort(key=_sort_key_of_group if has_confidences else None)
    return list(map(tokens_of, groups))


def _sort_key_of_group(group: Group) -> list[tuple[object, ...]]:
    return list(map(sort_key, group))


def _take_identical(predictions: list[Tokens], references: list[Tokens]) -> Iterator[GroupPair]:
    """Pair equal groups, in order, and take them out of both lists."""
    waiting: defaultdict[frozenset[Token], list[Tokens]] = defaultdict(list)
    for group in reversed(references):
        waiting[frozenset(group)].append(group)
    rest = []
    for group in predictions:
        equal_groups = waiting.get(frozenset(group))
        if equal_groups:
            yield group, equal_groups.pop()
        else:
            rest.append(group)
    predictions[:] = rest
    unpaired = {id(group) for groups in waiting.values() for group in groups}
    references[:] = [group for group in references if id(group) in unpaired]


def _assign(
    predictions: list[Tokens], references: list[Tokens], *, is_greedy: bool, with_one_of: bool, rules: Rules | None
) -> list[tuple[int, int]]:
    if not predictions or not references:
        return []
    if len(predictions) == len(references) == 1:
        return [(0, 0)]
    if len(predictions) * len(references) <= SMALL and not (is_greedy or with_one_of or rules):
        rows, columns = linear_sum_assignment(_small_weights(predictions, references), maximize=True)
        return list(zip(rows.tolist(), columns.tolist(), strict=True))
    shared = count_shared(predictions, references, with_one_of=with_one_of, rules=rules)
    if is_greedy:
        return _greedy_pairs(shared)
    weights = _weights(shared, predictions, references)
    # The rows with the best pairs come first: where ties are many, this is up to 25 times as fast.
    order = np.argsort(-weights.max(axis=1), kind="stable")
    rows, columns = linear_sum_assignment(weights[order], maximize=True)
    return list(zip(order[rows].tolist(), columns.tolist(), strict=True))


def _small_weights(predictions: list[Tokens], references: list[Tokens]) -> list[list[int]]:
    """`_weights` for a few pairs, none identical. Here numpy's overhead would take most of a document's time."""
    reference_types = list(map(count_types, references))
    entities = min(sum(map(len, predictions)), sum(map(len, references)))
    weights = []
    for predicted in predictions:
        row, predicted_types = [], count_types(predicted).items()
        for expected, expected_types in zip(references, reference_types, strict=True):
            shared = len(predicted.keys() & expected.keys())
            same_types = sum([min(number, expected_types.get(each, 0)) for each, number in predicted_types])
            row.append(shared * (entities + 1) + same_types)
        weights.append(row)
    return weights


def _weights(shared: NDArray[np.int64], predictions: list[Tokens], references: list[Tokens]) -> NDArray[np.float64]:
    """One number a pair for all three criteria: (S·(E+1) + T)·(k+1) + I.

    S is the number of identical entities. T = Σ min of the type counts; each one less saves a correction. I is 1 for
    identical groups. E is the number of entities of the smaller side, k the number of pairs. Exact in float64 as long
    as (E+1)²(k+1) < 2⁵³, which a matrix that fits into memory does not reach.
    """
    types = ([_type_tokens(group) for group in side] for side in (predictions, references))
    same_types = count_shared(*types, with_one_of=False)
    predicted_sizes, expected_sizes = (np.array(list(map(len, side))) for side in (predictions, references))
    is_identical = (shared == predicted_sizes[:, None]) & (shared == expected_sizes[None, :])
    entities = min(predicted_sizes.sum(), expected_sizes.sum())
    weights = (shared * (entities + 1) + same_types) * (min(shared.shape) + 1) + is_identical
    return np.asarray(weights, dtype=np.float64)


def _type_tokens(group: Tokens) -> list[Token]:
    """The tokens of a group without their values: T is the number of them that two groups share."""
    return [(each, "", copy) for each, number in count_types(group).items() for copy in range(number)]


def _greedy_pairs(shared: NDArray[np.int64]) -> list[tuple[int, int]]:
    """The highest number first; on ties the first reference group, then the first predicted group."""
    order = np.argsort(-shared.T, axis=None, kind="stable")
    free_rows, free_columns = set(range(shared.shape[0])), set(range(shared.shape[1]))
    pairs = []
    for place in order.tolist():
        column, row = divmod(place, shared.shape[0])
        if row in free_rows and column in free_columns:
            free_rows.remove(row)
            free_columns.remove(column)
            pairs.append((row, column))
            if not free_rows or not free_columns:
                break
    return pairs
