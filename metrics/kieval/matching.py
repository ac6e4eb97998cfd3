"""The matching of predicted groups and reference groups (Khang et al., KIEval, section 4.1).

S(p, g) is the number of entities that two groups share, T(p, g) = Σ min of their type counts (each additional one saves
a correction), I(p, g) is 1 for identical groups. The best pairs have the greatest ΣS, then the greatest ΣT, then the
greatest ΣI. One number has all three, (S·(E+1) + T)·(k+1) + I: E is the number of entities on the smaller side, k that
of pairs. It is exact in float64 as long as (E+1)²(k+1) < 2⁵³, which a table that fits into memory does not reach.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from docie.core.matching.assignment import assign, assign_sparse
from docie.core.matching.one_to_one import Places as Positions
from docie.core.matching.one_to_one import unpaired
from docie.core.matching.similarity import distinct
from docie.core.rules.match import Rules
from docie.documents.document import Document, Group
from docie.documents.multisets import (
    Shared,
    Token,
    Tokens,
    count_shared,
    count_shared_of_few,
    count_types,
    has_one_of,
    tokens_of,
)

Places = tuple[int | None, int | None]
"""The positions of two groups among those of their type; None without a counterpart."""
GroupPair = tuple[Tokens | None, Tokens | None, Places]
"""A predicted group and the reference group that it is compared with, None without a counterpart; their places."""
SMALL = 144  # up to this many pairs of groups are weighed one by one
FEW_VALUES = 10_000  # and up to this many pairs of values are compared one by one
ONE_TABLE = 250_000  # up to this many pairs, a table of all of them is faster than to pair some groups beforehand
CROWDED = 0.05  # from this share of pairs that share entities on, hardly any can be paired beforehand
_BLOCK = 2**20  # pairs that share entities at a time

GroupPairs = list[tuple[int, int]]
"""Positions of predicted groups and of the reference groups that they are compared with."""
Kind = tuple[tuple[str, int], ...]
"""How many values of each entity type a group has."""


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
    It does not depend on the order of groups. The greedy one pairs groups by the highest number of identical entities;
    on ties, the first reference group, then the first predicted group.

    Returns:
        Every group once: the pairs, then the groups without a counterpart.
    """
    has_confidences = predicted.has_confidences or expected.has_confidences
    sides = _groups_of(predicted, group_type), _groups_of(expected, group_type)
    if len(sides[0]) == len(sides[1]) == 1:
        one, other = (tokens_of(side[0], by_confidence=has_confidences) for side in sides)
        yield one, other, (0, 0)
        return
    (rows, predictions), (columns, references) = (
        _in_order(groups, is_greedy=is_greedy, has_confidences=has_confidences) for groups in sides
    )
    with_one_of = expected.has_one_of and has_one_of(references)
    if not is_greedy and not with_one_of and not rules and len(predictions) * len(references) > 1:
        # Some optimal matching pairs identical groups with each other, whatever the rest (exchange argument). To take
        # them out first makes documents of 1,000 groups 1.7 times as fast, and receipts 1.1 times.
        identical = _identical(predictions, references)
        for row, column in identical:
            yield predictions[row], references[column], (rows[row], columns[column])
        rows, predictions = _without({row for row, _ in identical}, rows, predictions)
        columns, references = _without({column for _, column in identical}, columns, references)
    pairs = _assign(predictions, references, is_greedy=is_greedy, with_one_of=with_one_of, rules=rules)
    for row, column in pairs:
        yield predictions[row], references[column], (rows[row], columns[column])
    rows, predictions = _without({row for row, _ in pairs}, rows, predictions)
    columns, references = _without({column for _, column in pairs}, columns, references)
    for place, group in zip(rows, predictions, strict=True):
        yield group, None, (place, None)
    for place, group in zip(columns, references, strict=True):
        yield None, group, (None, place)


def _groups_of(document: Document, group_type: str | None) -> list[Group]:
    return [document.ungrouped] if group_type is None else document.groups.get(group_type, [])


def _in_order(groups: list[Group], *, is_greedy: bool, has_confidences: bool) -> tuple[list[int], list[Tokens]]:
    """Groups as tokens, and before them their places; sorted, unless the matching is greedy."""
    places = [*range(len(groups))]
    if not is_greedy and len(groups) > 1:
        if has_confidences:  # as `sort_key`, without a call for every entity
            keys: list[Any] = [
                sorted([(kind, value, -confidence) for kind, value, confidence in each]) for each in groups
            ]
        else:
            keys = [*map(sorted, groups)]
        places.sort(key=keys.__getitem__)
    return places, [tokens_of(groups[place], by_confidence=has_confidences) for place in places]


def _identical(predictions: list[Tokens], references: list[Tokens]) -> GroupPairs:
    """The pairs of equal groups, in order."""
    waiting: defaultdict[frozenset[Token], list[int]] = defaultdict(list)
    for column in reversed(range(len(references))):
        waiting[frozenset(references[column])].append(column)
    return [(row, columns.pop()) for row, group in enumerate(predictions) if (columns := waiting.get(frozenset(group)))]


def _without(taken: set[int], places: list[int], groups: list[Tokens]) -> tuple[list[int], list[Tokens]]:
    """The groups that are left, and before them their places."""
    if not taken:
        return places, groups
    left = [number for number in range(len(groups)) if number not in taken]
    return [places[number] for number in left], [groups[number] for number in left]


def _assign(
    predictions: list[Tokens], references: list[Tokens], *, is_greedy: bool, with_one_of: bool, rules: Rules | None
) -> GroupPairs:
    if not predictions or not references:
        return []
    if len(predictions) == len(references) == 1:
        return [(0, 0)]
    is_plain = not with_one_of and not rules
    cells = len(predictions) * len(references)
    if cells <= SMALL and not is_greedy and (is_plain or _values(predictions) * _values(references) <= FEW_VALUES):
        few = count_shared_of_few(predictions, references, with_one_of=with_one_of, rules=rules)
        return best_pairs_of_few(predictions, references, few)
    shared = count_shared(predictions, references, with_one_of=with_one_of, rules=rules)
    if is_greedy:
        return greedy_pairs(shared, len(predictions), len(references))
    return best_pairs(predictions, references, shared)


def _values(groups: list[Tokens]) -> int:
    return sum(map(len, groups))


def best_pairs(predictions: list[Tokens], references: list[Tokens], shared: Shared) -> GroupPairs:
    """The best pairs: as many as the smaller number of groups."""
    kinds = [[tuple(sorted(count_types(group).items())) for group in side] for side in (predictions, references)]
    pairs: GroupPairs = []
    cells = len(predictions) * len(references)
    if cells > ONE_TABLE and len(shared.rows) < CROWDED * cells:
        pairs = [*_alone(shared), *_of_one_kind(shared, *kinds)]
    rows, columns = (
        unpaired(len(predictions), (row for row, _ in pairs)),
        unpaired(len(references), (at for _, at in pairs)),
    )
    if not len(rows) or not len(columns):
        return pairs
    predicted, expected = (
        [side[place] for place in places.tolist()] for side, places in zip(kinds, (rows, columns), strict=True)
    )
    row, column = _assigned(predicted, expected, _among(shared, rows, columns) if pairs else shared)
    return [*pairs, *zip(rows[row].tolist(), columns[column].tolist(), strict=True)]


def _alone(shared: Shared) -> Iterator[tuple[int, int]]:
    """The groups that share entities with each other alone: the greatest ΣS has these pairs."""
    by_row, by_column = np.bincount(shared.rows), np.bincount(shared.columns)
    is_alone = (by_row[shared.rows] == 1) & (by_column[shared.columns] == 1)
    return zip(shared.rows[is_alone].tolist(), shared.columns[is_alone].tolist(), strict=True)


def _of_one_kind(shared: Shared, row_kinds: list[Kind], column_kinds: list[Kind]) -> Iterator[tuple[int, int]]:
    """Pairs of groups of one kind that share nothing with any group.

    Some best pairs contain these. Let p and g be of one kind, and exchange (p, h), (q, g) for (p, g), (q, h). No T is
    lost: |p ∩ h| + |g ∩ q| ≤ |p| + |h ∩ q|, in bags of types. No S is lost: p and g share nothing. Nor is an identical
    pair: p and g could have one only if they are empty, and then they are identical themselves.
    """
    waiting: defaultdict[Kind, list[int]] = defaultdict(list)
    for column in reversed(unpaired(len(column_kinds), shared.columns).tolist()):
        waiting[column_kinds[column]].append(column)
    for row in unpaired(len(row_kinds), shared.rows).tolist():
        if waiting[row_kinds[row]]:
            yield row, waiting[row_kinds[row]].pop()


def _among(shared: Shared, rows: Positions, columns: Positions) -> Shared:
    """What these groups share, by their numbers among these."""
    row, column = (
        np.full(1 + max(places.max(), of.max(initial=0)), -1, dtype=np.int32)
        for places, of in ((rows, shared.rows), (columns, shared.columns))
    )
    row[rows], column[columns] = np.arange(len(rows)), np.arange(len(columns))
    row, column = row[shared.rows], column[shared.columns]
    is_in = (row >= 0) & (column >= 0)
    return Shared(row[is_in], column[is_in], shared.numbers[is_in])


def _assigned(predicted: list[Kind], expected: list[Kind], shared: Shared) -> tuple[Positions, Positions]:
    """The best pairs of groups of these kinds."""
    (row_kinds, rows), (column_kinds, columns) = distinct(predicted), distinct(expected)
    row_sizes, column_sizes = (
        np.array([sum(number for _, number in kind) for kind in side])[places]
        for side, places in ((row_kinds, rows), (column_kinds, columns))
    )
    shape = len(rows), len(columns)
    of_type = min(shape) + 1.0
    types = _same_types(row_kinds, column_kinds) * of_type
    entities = 1 + min(row_sizes.sum(), column_sizes.sum())

    def weights_of(row: NDArray[Any], column: NDArray[Any], number: NDArray[Any]) -> NDArray[np.float64]:
        """What a pair weighs more than groups of its kinds that share nothing."""
        is_identical = (number == row_sizes[row]) & (number == column_sizes[column])
        return np.asarray(number * (entities * of_type) + is_identical)

    is_sparse = shape[0] * shape[1] > ONE_TABLE and len(shared.rows) < CROWDED * shape[0] * shape[1]
    if is_sparse and types.min() == types.max():  # ΣT is given, whichever of the others are paired
        near = assign_sparse(shared.rows, shared.columns, weights_of(*shared), shape)
        others = [unpaired(size, paired) for size, paired in zip(shape, near, strict=True)]
        most = min(map(len, others))
        row, column = (np.concatenate([one, more[:most]]) for one, more in zip(near, others, strict=True))
        return row, column
    blocks = [[side[start : start + _BLOCK] for side in shared] for start in range(0, len(shared.rows), _BLOCK)]
    # The rows with the best pairs come first: a table with many ties is solved in half the time.
    best = types.max(axis=1)[rows]
    for row, column, number in blocks:
        np.maximum.at(best, row, weights_of(row, column, number) + types[rows[row], columns[column]])
    order = np.argsort(-best, kind="stable")
    weights = types[rows[order]].take(columns, axis=1)  # in rows, as scipy needs it: `[:, columns]` would be in columns
    place = order.argsort()
    for row, column, number in blocks:
        weights[place[row], column] += weights_of(row, column, number)
    weights[np.ix_(row_sizes[order] == 0, column_sizes == 0)] += 1  # empty groups are identical
    row, column = assign(weights)
    return order[row], column


def _same_types(rows: list[Kind], columns: list[Kind]) -> NDArray[np.int64]:
    """T of groups of these kinds."""
    table = np.zeros((len(rows), len(columns)), dtype=np.int64)
    for entity_type in {name for kind in rows for name, _ in kind}:
        numbers = (np.array([dict(kind).get(entity_type, 0) for kind in side]) for side in (rows, columns))
        table += np.minimum.outer(*numbers)
    return table


def best_pairs_of_few(predictions: list[Tokens], references: list[Tokens], shared: list[list[int]]) -> GroupPairs:
    """`best_pairs` for a few groups: here numpy's overhead would take most of a document's time."""
    reference_types = list(map(count_types, references))
    entities = 1 + min(sum(map(len, predictions)), sum(map(len, references)))
    of_type = 1 + min(len(predictions), len(references))
    weights = []
    for predicted, numbers in zip(predictions, shared, strict=True):
        row, predicted_types = [], count_types(predicted).items()
        for expected, expected_types, number in zip(references, reference_types, numbers, strict=True):
            same_types = sum([min(count, expected_types.get(each, 0)) for each, count in predicted_types])
            is_identical = number == len(predicted) == len(expected)
            row.append((number * entities + same_types) * of_type + is_identical)
        weights.append(row)
    order = sorted(range(len(weights)), key=lambda place: -max(weights[place]))  # as in `_assigned`
    rows, columns = assign(np.array([weights[place] for place in order]))
    return [*zip([order[row] for row in rows.tolist()], columns.tolist(), strict=True)]


def greedy_pairs(shared: Shared, rows: int, columns: int) -> GroupPairs:
    """The highest number first; on ties the first reference group, then the first predicted group."""
    order = np.lexsort((shared.rows, shared.columns, -shared.numbers))
    free_rows, free_columns = dict.fromkeys(range(rows)), dict.fromkeys(range(columns))
    pairs = []
    for row, column in zip(shared.rows[order].tolist(), shared.columns[order].tolist(), strict=True):
        if row in free_rows and column in free_columns:
            del free_rows[row], free_columns[column]
            pairs.append((row, column))
    return [*pairs, *zip(free_rows, free_columns, strict=False)]  # the remaining ones share nothing
