"""The assignment: of a table, and of the pairs that fit, beside all ways to pair."""

from __future__ import annotations

from itertools import permutations
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray
from scipy.optimize import linear_sum_assignment

from docie.core.matching import assignment
from docie.core.matching.assignment import assign, assign_sparse

from sizes import examples

SIDES = st.integers(0, 6), st.integers(0, 6)


def table_of(data: Any, height: int, width: int, weights: Any) -> NDArray[Any]:
    cells = data.draw(st.lists(weights, min_size=height * width, max_size=height * width))
    return np.array(cells, dtype=np.float64 if height * width == 0 else None).reshape(height, width)


def most(table: NDArray[Any]) -> float:
    """The greatest sum of all ways to pair."""
    table = table if table.shape[0] <= table.shape[1] else table.T
    ways = permutations(range(table.shape[1]), table.shape[0])
    return max(float(sum(table[row, column] for row, column in enumerate(way))) for way in ways)


@examples(1000)
@given(st.data(), *SIDES, st.sampled_from([st.integers(-3, 3), st.floats(0, 1)]), st.booleans())
def test_a_table_is_paired_as_well_as_can_be(data: Any, height: int, width: int, weights: Any, by_hand: bool) -> None:
    table = table_of(data, height, width, weights)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(assignment, "FEW", 64 * by_hand)
        patch.setattr(assignment, "FIRST", 0)
        rows, columns = assign(table)
    assert rows.tolist() == sorted(set(rows.tolist()))
    assert len(rows) == len(set(columns.tolist())) == min(height, width)
    assert table[rows, columns].sum() == pytest.approx(most(table))
    assert [rows.tolist(), columns.tolist()] == [side.tolist() for side in linear_sum_assignment(table, maximize=True)]


@examples(1000)
@given(
    st.data(),
    *SIDES,
    st.sampled_from([st.integers(0, 3), st.just(0) | st.floats(0.01, 1)]),
    st.booleans(),
    st.booleans(),
)
def test_pairs_that_fit_are_paired_as_well_as_can_be(
    data: Any, height: int, width: int, weights: Any, is_large: bool, is_sparse: bool
) -> None:
    table = table_of(data, height, width, weights)
    places = np.nonzero(table)
    order = np.array(data.draw(st.permutations(range(len(places[0])))), dtype=np.int64)
    with pytest.MonkeyPatch.context() as patch:
        if is_large:
            patch.setattr(assignment, "SMALL", 0)
        if is_sparse:
            patch.setattr(assignment, "CROWDED", 2)
        rows, columns = assign_sparse(places[0][order], places[1][order], table[places][order], (height, width))
        again = assign_sparse(places[0], places[1], table[places], (height, width))
    assert [rows.tolist(), columns.tolist()] == [side.tolist() for side in again]
    assert rows.tolist() == sorted(set(rows.tolist()))
    assert len(set(columns.tolist())) == len(columns)
    assert (table[rows, columns] > 0).all()
    assert table[rows, columns].sum() == pytest.approx(most(table))


@pytest.mark.parametrize("share", [0.01, 0.4])
def test_many_pairs_are_paired_as_in_a_table(share: float) -> None:
    random = np.random.default_rng(0)
    table = (random.random((400, 350)) < share) * random.random((400, 350))
    rows, columns = np.nonzero(table)
    found = assign_sparse(rows, columns, table[rows, columns], (400, 350))
    assert table[found].sum() == pytest.approx(table[linear_sum_assignment(table, maximize=True)].sum())


def test_larger_tables_by_hand_are_those_of_scipy() -> None:
    random = np.random.default_rng(0)
    for height, width in [(40, 40), (30, 64), (64, 30)]:
        for table in (random.integers(0, 4, (height, width)), random.random((height, width))):
            with pytest.MonkeyPatch.context() as patch:
                patch.setattr(assignment, "FEW", 4096)
                found = assign(table)
            assert [side.tolist() for side in found] == [
                side.tolist() for side in linear_sum_assignment(table, maximize=True)
            ]


def test_of_equally_good_pairs_of_a_row_or_a_column_the_first_is_taken() -> None:
    assert [side.tolist() for side in assign(np.ones((2, 3)))] == [[0, 1], [0, 1]]
    star = assign_sparse(np.array([0, 1, 2]), np.array([0, 0, 0]), np.ones(3), (3, 1))
    assert [side.tolist() for side in star] == [[0], [0]]
