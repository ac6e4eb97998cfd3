"""One-to-one matchings, beside what scipy's dense assignment says."""

from __future__ import annotations

from itertools import combinations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from scipy.optimize import linear_sum_assignment

from docie.core.matching.one_to_one import first_pairs, matched_rows, parts

from sizes import examples

TABLES = st.integers(0, 5).flatmap(
    lambda width: st.lists(st.lists(st.booleans(), min_size=width, max_size=width), min_size=1, max_size=6)
)


def most(table: list[list[bool]]) -> int:
    """The size of a maximum matching, by the dense assignment."""
    fits = np.array(table, dtype=float).reshape(len(table), -1)
    return int(fits[linear_sum_assignment(fits, maximize=True)].sum())


@given(table=TABLES)
@examples(500)
def test_first_pairs_are_the_most_and_their_rows_the_first(table: list[list[bool]]) -> None:
    places = {tuple(row): [column for column, fits in enumerate(row) if fits] for row in table}
    pairs = first_pairs(list(map(tuple, table)), places)
    rows, columns = [row for row, _ in pairs], [column for _, column in pairs]
    assert all(table[row][column] for row, column in pairs)
    assert len(pairs) == len(set(columns)) == most(table)
    # the first set of rows, in the order of rows, that can be matched as a whole
    whole = (
        each
        for each in combinations(range(len(table)), len(pairs))
        if most([table[row] for row in each] or [[]]) == len(each)
    )
    assert rows == list(next(whole))


@given(table=TABLES)
@examples(300)
def test_matched_rows_are_as_many_as_can_be(table: list[list[bool]]) -> None:
    columns = [column for row in table for column, fits in enumerate(row) if fits]
    starts = np.cumsum([0, *map(sum, table)])
    is_matched = matched_rows(starts, np.array(columns, dtype=np.int64))
    assert is_matched.sum() == most(table)
    assert most([row for row, is_in in zip(table, is_matched, strict=True) if is_in] or [[]]) == is_matched.sum()


def test_order_of_many_pairs_changes_nothing() -> None:
    fits = np.random.default_rng(0).random((150, 140)) < 0.6
    fits[::50, 1:] = False  # three rows that want the same column
    starts = np.concatenate([[0], fits.sum(axis=1).cumsum()])
    is_matched = matched_rows(starts, fits.nonzero()[1])
    assert is_matched.sum() == most(fits.tolist()) == most(fits[is_matched].tolist())


@given(table=TABLES)
@examples(200)
def test_parts_share_no_row_and_no_column(table: list[list[bool]]) -> None:
    fits = np.array(table, dtype=bool).reshape(len(table), -1)
    rows, columns = fits.nonzero()
    part = parts(rows, columns, fits.shape)
    for places in (rows, columns):
        for place in set(places.tolist()):
            assert len(set(part[places == place].tolist())) == 1
    # no part falls into smaller ones: from its first pair on, all others are reached
    for number in set(part.tolist()):
        left = {*zip(rows[part == number].tolist(), columns[part == number].tolist(), strict=True)}
        reached = [left.pop()]
        for row, column in reached:
            near = {pair for pair in left if pair[0] == row or pair[1] == column}
            left -= near
            reached += near
        assert not left


def test_work_grows_as_the_input_does() -> None:
    """Many rows of one key, of which most find nothing: a key is given up once."""

    class Columns(list[int]):
        looks = 0

        def __iter__(self):  # type: ignore[no-untyped-def]
            Columns.looks += 1
            return super().__iter__()

    places = {"a": Columns(range(50))}
    assert len(first_pairs(["a"] * 2000, places)) == 50
    assert Columns.looks == 1
