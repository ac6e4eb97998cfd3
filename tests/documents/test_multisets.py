"""When two values of a group are the same: small cases, counted by hand."""

from __future__ import annotations

import numpy as np
import pytest

from docie.core.rules.match import rules_of
from docie.documents.leaves import OneOf
from docie.documents.multisets import Tokens, count_shared, count_types, counterparts, tokens_of


def group(*values: object) -> Tokens:
    return tokens_of([("a", value, 1.0) for value in values])


def test_alternatives_of_two_values_are_matched() -> None:
    references = [
        group(OneOf.of("12"), OneOf.of("21")),  # each value has one
        group(OneOf.of("12"), OneOf.of("34")),  # both fit the first only
        group(OneOf.of("12"), OneOf.of("25")),  # 1 must take the first, so that 2 can take the second
        group(OneOf.of("12")),  # a single one has room for one of both
        group("3"),
        group(),
    ]
    shared = count_shared([group("1", "2"), group("3"), group("9", "8")], references, with_one_of=True)
    table = np.zeros((3, 6), dtype=int)
    table[shared.rows, shared.columns] = shared.numbers
    assert table.tolist() == [[2, 1, 2, 1, 0, 0], [0, 1, 0, 0, 1, 0], [0, 0, 0, 0, 0, 0]]


@pytest.mark.parametrize(
    ("predicted", "expected", "number"),
    [
        (["10", "20"], ["11", "21"], 2),
        (["10", "11"], ["11"], 1),
        (["10", "12"], ["11", "30"], 1),  # both fit one value
        (["10", "12"], ["11", "13"], 2),  # 12 fits both, 10 only one
        (["10"], ["30"], 0),
    ],
)
def test_a_rule_says_which_values_fit(predicted: list[str], expected: list[str], number: int) -> None:
    shared = count_shared([group(*predicted)], [group(*expected)], with_one_of=False, rules=rules_of("within(1)"))
    assert shared.numbers.tolist() == [number] * (number > 0)


def test_types_are_counted() -> None:
    assert count_types([("a", "1", 0), ("b", "1", 0), ("a", "2", 0), ("a", "1", 1)]) == {"a": 3, "b": 1}


def test_counterparts_fit_by_their_rule() -> None:
    right, found = [("a", "12", 0), ("a", "20", 0), ("b", "x", 0)], [("a", "20.5", 0), ("a", "12.5", 0), ("b", "x", 0)]
    assert counterparts(right, found, rules=rules_of("within(1)")) == dict(
        zip(right, [found[1], found[0], found[2]], strict=True)
    )
