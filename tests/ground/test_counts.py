"""Counts add up in any order and any grouping, to the last bit."""

from __future__ import annotations

import json
import pickle
import random
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from docie.counts import Counts, ExactSum, exact_sum

from sizes import examples

FLOATS = st.lists(st.floats(-1e200, 1e200), min_size=1, max_size=30)


@given(FLOATS, st.randoms(use_true_random=False))
@examples(200, 200)
def test_sums_of_floats_are_exact(terms: list[float], rng: random.Random) -> None:
    total = exact_sum(terms)
    assert float(total) == float(sum(map(Fraction, terms)))
    assert sum(map(Fraction, getattr(total, "parts", [total]))) == sum(map(Fraction, terms))
    shuffled = rng.sample(terms, len(terms))
    cut = rng.randint(1, len(terms))
    parts = [exact_sum(part) for part in (shuffled[:cut], shuffled[cut:]) if part]
    assert repr(exact_sum(parts)) == repr(total)
    assert getattr(exact_sum(parts), "parts", None) == getattr(total, "parts", None)


def counts(*numbers: float) -> Counts:
    return Counts(1, 0, {("a", "b"): [*numbers]})


def test_exact_sums_are_written_and_read() -> None:
    total = counts(0.1, 1) + counts(0.2, 2) + counts(0.3, 3)
    [number, whole] = total.rows["a", "b"]
    assert isinstance(number, ExactSum)
    assert (number, whole) == (0.6, 6)
    for copy in (Counts.from_json(json.loads(json.dumps(total.to_json()))), pickle.loads(pickle.dumps(total))):
        assert copy == total
        assert copy.rows["a", "b"][0].parts == number.parts
    with pytest.raises(ValueError, match="^expected the JSON of counts"):
        Counts.from_json(total.to_json() | {"rows": [[["a"], [["x"]]]]})


def test_whole_numbers_and_arrays_are_added_as_they_are() -> None:
    assert (counts(2**60) + counts(1)).rows["a", "b"] == [2**60 + 1]
    assert type((counts(0.5) + counts(0.5)).rows["a", "b"][0]) is float
    assert exact_sum([np.array([1, 2]), np.array([3, 4])]).tolist() == [4, 6]
    for odd in (float("inf"), float("nan")):
        assert repr(exact_sum([odd, 1.0])) == repr(odd)


def test_counts_add_up_with_sum() -> None:
    each = [counts(1, 0.1), Counts(2, 1, {("c",): [3]}), counts(2, 0.2)]
    assert sum(each) == Counts.sum_of(each) == each[0] + each[1] + each[2]
    assert sum(each, Counts()) == Counts.sum_of(each)
    assert Counts.sum_of([]) == Counts()
    assert each[0] == counts(1, 0.1)  # unchanged
    with pytest.raises(TypeError):
        sum(each, 1)
