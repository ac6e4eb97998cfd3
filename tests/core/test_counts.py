"""Counts add up in any order and any grouping, to the last bit."""

from __future__ import annotations

import json
import pickle
import random
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from docie.core.counts import (
    Counts,
    ExactSum,
    Key,
    Number,
    Outcomes,
    Row,
    exact_sum,
    macro_f1,
    precision_recall_f1,
    ratio,
)

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


def test_what_is_listed_is_joined_and_the_signature_is_kept() -> None:
    one, two = Counts(1, 0, {}, "kieval", ["a"]), Counts(1, 1, {}, "", ["b", "c"])
    assert one + two == Counts(2, 1, {}, "kieval", ["a", "b", "c"])
    assert Counts.sum_of([one, two]).listed == ["a", "b", "c"]
    assert (one.listed, two.listed) == (["a"], ["b", "c"])  # unchanged
    one += two
    assert one == Counts(2, 1, {}, "kieval", ["a", "b", "c"])
    assert Counts.from_json(json.loads(json.dumps(one.to_json()))) == one
    assert "listed" not in Counts(1).to_json()


def test_rows_of_one_column_and_of_several_have_their_numbers_in_order() -> None:
    @dataclass(slots=True)
    class Errors(Row):
        errors: int = 0

    @dataclass(slots=True)
    class Shares(Errors):
        length: float = 1.5

    assert Errors(2).numbers() == [2]
    assert Shares(2).numbers() == [2, 1.5]
    assert Counts.of_document({("a",): Errors(3)}).rows == {("a",): [3]}


def test_rows_by_one_element_of_their_keys() -> None:
    rows: dict[Key, list[Number]] = {
        ("e", "b", "y"): [1, 2, 3],
        ("e", None, "x"): [1, 1, 1],
        ("e", "a", "x"): [4, 0, 5],
        ("f", "a"): [9],
    }
    counts = Counts(1, 0, rows)
    by_group = counts.by("e", 1, Outcomes)
    assert [*by_group.items()] == [(None, Outcomes(1, 1, 1)), ("a", Outcomes(4, 0, 5)), ("b", Outcomes(1, 2, 3))]
    assert counts.by("e", 2, Outcomes) == {"x": Outcomes(5, 1, 6), "y": Outcomes(1, 2, 3)}
    assert counts.total("e", Outcomes) == Outcomes(6, 3, 9)
    assert counts.total("g", Outcomes) == Outcomes(0, 0, 0)
    counts.add_row(("e", "b", "y"), Outcomes(1, 0, 2))
    counts.add_row(("e", "c", "y"), Outcomes(0, 1, 0))
    assert counts.by("e", 1, Outcomes)["b"] == Outcomes(2, 2, 5)
    assert counts.by("e", 1, Outcomes)["c"] == Outcomes(0, 1, 0)


JSON = {"documents": 1, "invalid_predictions": 0, "rows": [[["a", None], [1, 0.5, [0.6, -1e-17]]]], "signature": ""}


@pytest.mark.parametrize(
    "change",
    [
        *({name: value} for name in ("documents", "invalid_predictions") for value in (-1, True, 1.0, "1", None)),
        *({"rows": [[key, [1]]]} for key in ("a", [], ["a", 1], None)),
        *({"rows": [[["a"], [number]]]} for number in ("x", True, None, [], [0.5, "x"], float("nan"), [float("inf")])),
        *({"rows": rows} for rows in (None, [[["a"]]], [[["a"], [1]], [["a"], [2]]], [[["a"], 1]])),
        *({"signature": 1}, {"signature": None}, {"listed": "text"}, {"listed": None}),
    ],
)
def test_json_that_is_none_of_counts(change: dict[str, Any]) -> None:
    assert Counts.from_json(JSON).to_json() == JSON
    with pytest.raises(ValueError, match="^expected the JSON of counts, got {"):
        Counts.from_json(JSON | change)
    for name in JSON:
        with pytest.raises(ValueError, match="^expected the JSON of counts"):
            Counts.from_json({key: value for key, value in JSON.items() if key != name})


@pytest.mark.parametrize("outcomes", [(0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1), (3, 1, 2)])
def test_arrays_give_what_numbers_give(outcomes: tuple[int, ...]) -> None:
    tp, fp, fn = outcomes
    expected = (1.0, 1.0, 1.0)  # nothing on either side
    if any(outcomes):
        expected = (tp / (tp + fp) if tp + fp else 0.0, tp / (tp + fn) if tp + fn else 0.0, 2 * tp / (2 * tp + fp + fn))
    assert precision_recall_f1(*outcomes) == expected
    arrays = precision_recall_f1(*(np.array([each, 7]) for each in outcomes))
    assert [values.tolist() for values in arrays] == [[figure, 0.5] for figure in expected]
    assert macro_f1([Outcomes(*outcomes), Outcomes(1, 1, 1)]) == ((expected[2] + 0.5) / 2 if any(outcomes) else 0.5)


def test_ratios_with_denominator_zero() -> None:
    assert (ratio(1, 0), ratio(0, 0, empty=1)) == (0.0, 1.0)
    assert type(ratio(0, 0, empty=1)) is float
