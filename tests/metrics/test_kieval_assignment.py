"""Pairs of groups: found in parts, they are as good as those of a table of all pairs."""

from __future__ import annotations

from itertools import permutations
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.optimize import linear_sum_assignment

from docie.documents.leaves import OneOf
from docie.documents.multisets import Tokens, count_shared, count_types, tokens_of
from docie.metrics.kieval import assignment

from sizes import examples

PLAIN = st.lists(st.tuples(st.sampled_from("ab"), st.sampled_from("123456"), st.just(1.0)), max_size=3).map(tokens_of)
ONE_OF = st.lists(
    st.tuples(st.sampled_from("ab"), st.sampled_from([OneOf.of("12"), OneOf.of("23"), "1", "4", "5"]), st.just(1.0)),
    max_size=3,
).map(tokens_of)


def totals(pairs: list[tuple[int, int]], predictions: list[Tokens], references: list[Tokens]) -> tuple[int, int, int]:
    """The sums of S, T and I."""
    shared = count_shared(predictions, references, with_one_of=True).toarray()
    sums = np.zeros(3, dtype=int)
    for row, column in pairs:
        predicted, expected = predictions[row], references[column]
        types = count_types(expected)
        same = sum(min(number, types.get(each, 0)) for each, number in count_types(predicted).items())
        sums += shared[row, column], same, shared[row, column] == len(predicted) == len(expected)
    return tuple(sums.tolist())


def textbook(predictions: list[Tokens], references: list[Tokens]) -> tuple[int, int, int]:
    """The best sums: one number a pair, so large that no criterion disturbs the one before."""
    weights = [
        [
            s * 10**6 + t * 10**3 + i
            for column in range(len(references))
            for s, t, i in [totals([(row, column)], predictions, references)]
        ]
        for row in range(len(predictions))
    ]
    rows, columns = linear_sum_assignment(np.array(weights).reshape(len(predictions), len(references)), maximize=True)
    return totals(list(zip(rows.tolist(), columns.tolist(), strict=True)), predictions, references)


@pytest.mark.exhaustive
@pytest.mark.parametrize("one_of", [False, True])
@given(data=st.data())
@examples(600, 150)
def test_parts_give_the_best_pairs(one_of: bool, data: Any) -> None:
    predictions = data.draw(st.lists(PLAIN, min_size=1, max_size=6))
    references = data.draw(st.lists(ONE_OF if one_of else PLAIN, min_size=1, max_size=6))
    if not one_of:  # as in `pair_groups`: identical groups are taken out before
        references = [group for group in references if group.keys() not in [other.keys() for other in predictions]]
    shared = count_shared(predictions, references, with_one_of=one_of)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(assignment, "ONE_TABLE", -1)
        pairs = assignment.best_pairs(predictions, references, shared, is_exact=not one_of)
    rows, columns = ([pair[side] for pair in pairs] for side in (0, 1))
    assert len(set(rows)) == len(set(columns)) == len(pairs) == min(len(predictions), len(references))
    if references:
        assert totals(pairs, predictions, references) == textbook(predictions, references)


@given(data=st.data(), rows=st.integers(1, 5), columns=st.integers(1, 5))
@examples(100)
def test_clear_pairs_are_the_only_best_ones(data: Any, rows: int, columns: int) -> None:
    line = st.lists(st.integers(0, 9), min_size=columns, max_size=columns)
    weights = data.draw(st.lists(line, min_size=rows, max_size=rows))
    pairs = assignment.clear_pairs(weights)
    sums = sorted(
        sum(weights[row][column] for row, column in pairs_of_all) for pairs_of_all in _all_pairings(rows, columns)
    )
    if pairs is not None:
        assert sorted(pairs) == pairs
        assert sum(weights[row][column] for row, column in pairs) == sums[-1]
        assert len(sums) == 1 or sums[-2] < sums[-1]


def _all_pairings(rows: int, columns: int) -> list[list[tuple[int, int]]]:
    if rows <= columns:
        return [[*enumerate(chosen)] for chosen in permutations(range(columns), rows)]
    return [[(row, column) for column, row in enumerate(chosen)] for chosen in permutations(range(rows), columns)]


@given(predictions=st.lists(PLAIN, max_size=6), references=st.lists(PLAIN, max_size=6))
@examples(300)
def test_greedy_pairs(predictions: list[Tokens], references: list[Tokens]) -> None:
    shared = count_shared(predictions, references, with_one_of=False)
    table = shared.toarray()
    expected: list[tuple[int, int]] = []
    cells = [(-table[row, column], column, row) for row in range(len(predictions)) for column in range(len(references))]
    for _, column, row in sorted(cells):
        if all(row != other and column != another for other, another in expected):
            expected.append((row, column))
    assert sorted(assignment.greedy_pairs(shared)) == sorted(expected)


@pytest.mark.parametrize("number", [1000, 2000])
def test_groups_that_share_nothing_need_no_table(number: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """The table that is assigned does not grow with their number."""
    cells: list[int] = []
    monkeypatch.setattr("scipy.optimize.linear_sum_assignment", lambda weights: cells.append(weights.size))
    predictions, references = ([tokens_of([("a", f"{side}{each}", 1.0)]) for each in range(number)] for side in "pr")
    shared = count_shared(predictions, references, with_one_of=False)
    assert len(assignment.best_pairs(predictions, references, shared, is_exact=True)) == number
    assert cells == []
