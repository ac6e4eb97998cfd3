"""Pairs of groups: found in parts, they are as good as those of a table of all pairs."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray
from scipy.optimize import linear_sum_assignment

from docie.documents.leaves import OneOf
from docie.documents.multisets import Shared, Tokens, count_shared, count_shared_of_few, count_types, tokens_of
from docie.metrics.kieval import matching

from sizes import examples

PLAIN = st.lists(st.tuples(st.sampled_from("ab"), st.sampled_from("123456"), st.just(1.0)), max_size=3).map(tokens_of)
ONE_OF = st.lists(
    st.tuples(st.sampled_from("ab"), st.sampled_from([OneOf.of("12"), OneOf.of("23"), "1", "4", "5"]), st.just(1.0)),
    max_size=3,
).map(tokens_of)


def table_of(shared: Shared, predictions: list[Tokens], references: list[Tokens]) -> NDArray[np.int64]:
    table = np.zeros((len(predictions), len(references)), dtype=np.int64)
    table[shared.rows, shared.columns] = shared.numbers
    return table


def totals(pairs: list[tuple[int, int]], predictions: list[Tokens], references: list[Tokens]) -> tuple[int, int, int]:
    """The sums of S, T and I."""
    shared = table_of(count_shared(predictions, references, with_one_of=True), predictions, references)
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
        patch.setattr(matching, "ONE_TABLE", 0)
        patch.setattr(matching, "CROWDED", 2)
        pairs = matching.best_pairs(predictions, references, shared)
    rows, columns = ([pair[side] for pair in pairs] for side in (0, 1))
    assert len(set(rows)) == len(set(columns)) == len(pairs) == min(len(predictions), len(references))
    if references:
        assert totals(pairs, predictions, references) == textbook(predictions, references)


@given(predictions=st.lists(PLAIN, min_size=1, max_size=5), references=st.lists(PLAIN, min_size=1, max_size=5))
@examples(300)
def test_pairs_of_few_are_the_best(predictions: list[Tokens], references: list[Tokens]) -> None:
    references = [group for group in references if group.keys() not in [other.keys() for other in predictions]]
    if references:
        shared = count_shared_of_few(predictions, references, with_one_of=False)
        pairs = matching.best_pairs_of_few(predictions, references, shared)
        assert totals(pairs, predictions, references) == textbook(predictions, references)


@given(predictions=st.lists(PLAIN, max_size=6), references=st.lists(PLAIN, max_size=6))
@examples(300)
def test_greedy_pairs(predictions: list[Tokens], references: list[Tokens]) -> None:
    shared = count_shared(predictions, references, with_one_of=False)
    table = table_of(shared, predictions, references)
    expected: list[tuple[int, int]] = []
    cells = [(-table[row, column], column, row) for row in range(len(predictions)) for column in range(len(references))]
    for _, column, row in sorted(cells):
        if all(row != other and column != another for other, another in expected):
            expected.append((row, column))
    assert sorted(matching.greedy_pairs(shared, len(predictions), len(references))) == sorted(expected)


@pytest.mark.parametrize("number", [1000, 2000])
def test_groups_that_share_nothing_need_no_table(number: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """The table that is assigned does not grow with their number."""
    cells: list[int] = []
    monkeypatch.setattr("scipy.optimize.linear_sum_assignment", lambda weights: cells.append(weights.size))
    predictions, references = ([tokens_of([("a", f"{side}{each}", 1.0)]) for each in range(number)] for side in "pr")
    shared = count_shared(predictions, references, with_one_of=False)
    assert len(matching.best_pairs(predictions, references, shared)) == number
    assert cells == []
