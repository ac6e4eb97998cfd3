"""Each row with a column that it fits best, beside all ways to pair."""

from __future__ import annotations

from itertools import permutations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from docie.core.matching import choices
from docie.core.matching.choices import first_choices

from sizes import examples

TABLES = st.integers(1, 4).flatmap(
    lambda width: st.lists(st.lists(st.integers(0, 3), min_size=width, max_size=width), min_size=1, max_size=width)
)


@pytest.mark.parametrize("ties", [1, choices._TIES])
@given(lines=TABLES)
@examples(500)
def test_where_all_have_their_first_choice_no_sum_is_greater(ties: int, lines: list[list[int]]) -> None:
    table = np.array(lines)
    most = table.max(axis=1)
    wanted = [(row, np.flatnonzero(table[row] == most[row])) for row in range(len(table)) if most[row]]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(choices, "_TIES", ties)
        found = first_choices(wanted, table.shape)
    best = max(table[range(len(table)), way].sum() for way in permutations(range(table.shape[1]), len(table)))
    if found is None:
        assert ties == 1 or best < most.sum()
        return
    rows, columns = found
    assert rows.tolist() == [row for row, _ in wanted]
    assert len(set(columns.tolist())) == len(columns)
    assert table[rows, columns].sum() == best == most.sum()
