"""What a document will cost, told before it is counted: it grows with the work, never raises, and is about right."""

from __future__ import annotations

import math
import random
from collections.abc import Callable
from types import ModuleType
from typing import Any

import pytest

from docie import anls_star, nted
from docie.cost import Size, size_of
from docie.errors import DocumentError

FAMILIES = [anls_star, nted]
every_family = pytest.mark.parametrize("family", FAMILIES, ids=lambda family: family.NAME)
Make = Callable[[Callable[[], str], int], Any]
"""Makes a document of a size, from a function that gives texts."""


def items(text: Callable[[], str], number: int) -> Any:
    return {"line": [{"description": text() + text(), "quantity": text(), "amount": text()} for _ in range(number)]}


def lists(text: Callable[[], str], number: int) -> Any:
    return {"list": [[text(), text()] for _ in range(number)]}


def caterpillar(text: Callable[[], str], levels: int) -> Any:
    value: Any = {"a": text()}
    for _ in range(levels):
        value = {"a": text(), "bb": value, "ccc": text()}
    return value


def binary(text: Callable[[], str], number: int) -> Any:
    return {"a": binary(text, number // 2), "b": binary(text, number // 2)} if number > 1 else text()


def mixed(text: Callable[[], str], number: int) -> Any:
    kinds: list[Callable[[], Any]] = [text, lambda: {"a": text()}, lambda: [text(), text()], lambda: None]
    return {"list": [kinds[place % 4]() for place in range(number)]}


def long_text(text: Callable[[], str], number: int) -> Any:
    return {"text": "".join(text() for _ in range(number))}


def pair(make: Make, size: int) -> tuple[Any, Any]:
    """Prediction and reference of one shape, with other texts."""
    rngs = [random.Random(seed) for seed in (1, 2)]
    prediction, reference = (make(lambda rng=rng: "".join(rng.choices("abcdefgh", k=5)), size) for rng in rngs)  # type: ignore[misc]
    return prediction, reference


HARD: list[tuple[ModuleType, Make, int]] = [
    (nted, items, 500),
    (nted, caterpillar, 60),
    (nted, caterpillar, 150),
    (nted, binary, 256),
    (nted, binary, 1024),
    (nted, long_text, 20_000),
    (anls_star, items, 300),
    (anls_star, items, 1000),
    (anls_star, lists, 400),
    (anls_star, mixed, 1200),
    (anls_star, long_text, 20_000),
]
every_hard_input = pytest.mark.parametrize(
    ("family", "make", "size"), HARD, ids=[f"{family.NAME} {make.__name__} {size}" for family, make, size in HARD]
)


@every_hard_input
def test_the_cost_grows_as_the_work_does(family: ModuleType, make: Make, size: int) -> None:
    costs = [family.cost(*pair(make, size // part)) for part in (4, 2, 1)]
    assert 0 < costs[0] < costs[1] < costs[2] < 60
    assert costs[2] > 4 * costs[0]


@every_family
def test_the_cost_of_what_is_equal_or_empty_is_small(family: ModuleType) -> None:
    document = items(lambda: "text", 3)
    for prediction, reference in (({}, {}), (None, document), (document, {}), (document, document)):
        assert 0 < family.cost(prediction, reference) < 0.01


def test_equal_trees_cost_their_reading_only() -> None:
    wide = {f"key {number}": f"value {number}" for number in range(2000)}
    assert nted.cost(wide, wide) < 0.1 < nted.cost(*pair(items, 700))


UNREADABLE: list[Any] = [{"a": {1}}, {"a": {"value": "x", "confidence": 7}}, {"a": object()}]


@every_family
@pytest.mark.parametrize("bad", UNREADABLE, ids=str)
def test_what_cannot_be_read_costs_nothing_and_raises_nothing(family: ModuleType, bad: Any) -> None:
    other = items(lambda: "text", 100)
    for document in (bad, other | bad):
        with pytest.raises(DocumentError):
            family.count(other, document)
        assert family.cost(other, document) >= 0.0
        assert family.cost(document, other) >= 0.0


@every_family
def test_documents_that_hold_themselves(family: ModuleType) -> None:
    endless: Any = {"a": []}
    endless["a"] += [endless, endless]
    assert family.cost(endless, {"a": "x"}) == family.cost({"a": "x"}, endless) == 0.0
    deep: Any = "x"
    for _ in range(5000):
        deep = [deep]
    assert family.cost({"a": deep}, {"a": "x"}) == 0.0


def test_sizes() -> None:
    assert size_of({"a": ("x", None, 1.5), "b": [["yz"]]}) == Size(8, 3)
    assert size_of("text") == Size(1, 4)
    assert size_of({}) == size_of(None) == Size(1, 0)


@every_family
def test_any_value_has_a_cost(family: ModuleType) -> None:
    values: list[Any] = [None, 3, "text", [], ["a", {"b": [None]}], {"a": [{}]}]
    for value in values:
        for other in ({}, {"a": ("x", "y")}, {"a": [("x", "y")], "b": {}}):
            cost = family.cost(value, other)
            assert cost >= 0.0
            assert math.isfinite(cost)
