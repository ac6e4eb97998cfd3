"""What a document will cost, told before it is counted: it grows with the work, and never raises."""

from __future__ import annotations

import math
import random
from collections.abc import Callable
from typing import Any

import pytest

import docie
from docie.core import family
from docie.core.cost import Size, size_of
from docie.core.errors import DocumentError

every_family = pytest.mark.parametrize("name", docie.families())
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


def both(make: Make, size: int) -> tuple[Any, Any]:
    """Prediction and reference of one shape, with other texts."""
    rngs = [random.Random(seed) for seed in (1, 2)]
    prediction, reference = (make(lambda rng=rng: "".join(rng.choices("abcdefgh", k=5)), size) for rng in rngs)  # type: ignore[misc]
    return prediction, reference


def pair(name: str, number: int) -> tuple[Any, Any]:
    """A prediction and a reference of so many parts, with nothing in common, as a family reads them."""
    if name == "oi_entities":
        return [["a", f"p {each}"] for each in range(number)], [["a", f"r {each}"] for each in range(number)]
    if name == "box_iou":
        boxes = [{"label": "a", "box": [0, 0, 100 + each % 7, 100 + each % 5]} for each in range(number)]
        return boxes, boxes[1:]
    prediction, reference = (
        {"line": [{"nm": f"{side} {each}", "cnt": "1"} for each in range(number)]} for side in "pr"
    )
    if name == "form_robustness":
        return {"attacks": {"none": prediction}}, {"attacks": {"none": reference}}
    return prediction, reference


def foretold(name: str, prediction: Any, reference: Any, **options: Any) -> float:
    metric = family.get(name)
    seconds = metric.cost(prediction, reference, family.settings_of(metric, options))
    assert isinstance(seconds, float)
    assert 0 <= seconds < math.inf
    return seconds


# --- it grows with the work -------------------------------------------------------------------------------------------


@every_family
def test_more_work_costs_more(name: str) -> None:
    costs = [foretold(name, *pair(name, number)) for number in (1, 10, 100, 1000)]
    assert costs == sorted(set(costs))
    assert costs[-1] > 5 * costs[-2]


HARD: list[tuple[str, Make, int]] = [
    ("nted", items, 500),
    ("nted", caterpillar, 60),
    ("nted", caterpillar, 150),
    ("nted", binary, 256),
    ("nted", binary, 1024),
    ("nted", long_text, 20_000),
    ("anls_star", items, 300),
    ("anls_star", items, 1000),
    ("anls_star", lists, 400),
    ("anls_star", mixed, 1200),
    ("anls_star", long_text, 20_000),
    ("hed", long_text, 20_000),
    ("text_match", long_text, 20_000),
]


@pytest.mark.parametrize(("name", "make", "size"), HARD, ids=[f"{row[0]} {row[1].__name__} {row[2]}" for row in HARD])
def test_the_cost_grows_as_the_work_does(name: str, make: Make, size: int) -> None:
    costs = [foretold(name, *both(make, size // part)) for part in (4, 2, 1)]
    assert 0 < costs[0] < costs[1] < costs[2] < 60
    assert costs[2] > 4 * costs[0]


@pytest.mark.parametrize("name", ["hed", "text_match", "oi_entities"])
def test_long_texts_cost_what_they_differ(name: str) -> None:
    text = "".join(chr(97 + each * each % 23) + str(each) for each in range(20_000))
    others = text[::-1], text[:70_000] + "?" + text[70_000:]
    if name == "oi_entities":
        costs = [foretold(name, [["a", text]], [["a", other]]) for other in others]
    else:
        costs = [foretold(name, {"a": text}, {"a": other}) for other in others]
    assert costs[0] > 10 * costs[1]


def test_what_is_equal_costs_its_reading_only() -> None:
    wide = {f"key {number}": f"value {number}" for number in range(2000)}
    assert foretold("nted", wide, wide) < 0.1 < foretold("nted", *both(items, 700))
    prediction, reference = pair("kieval", 2000)
    assert foretold("kieval", reference, reference) < foretold("kieval", prediction, reference) / 5


def test_options_cost() -> None:
    prediction, reference = ({"a": [f"{side} {each}" for each in range(1000)]} for side in "pr")
    for name in ("kieval", "entity_f1"):
        plain = foretold(name, prediction, reference)
        assert foretold(name, prediction, reference, match="similar(0.9)") > 1.5 * plain
        assert foretold(name, prediction, {"a": [(text, "x") for text in reference["a"]]}) > 1.5 * plain
    assert foretold("kieval", prediction, reference, thresholds=[0.5]) > 1.5 * foretold("kieval", prediction, reference)


# --- it never raises --------------------------------------------------------------------------------------------------


@every_family
def test_the_cost_of_what_is_equal_or_empty_is_small(name: str) -> None:
    (_, nothing), (_, document) = pair(name, 0), pair(name, 3)
    for prediction, reference in ((nothing, nothing), (None, document), (document, nothing), (document, document)):
        assert 0 < foretold(name, prediction, reference) < 0.01


BAD: list[Any] = [
    *(None, 7, "x", [[1]], [{}], [None], {"words": 1}, {"a": {1}}, {"a": object}),
    {"a": {"value": "x", "confidence": 7}},
]


@every_family
@pytest.mark.parametrize("bad", BAD, ids=str)
def test_what_cannot_be_read_costs_nothing_or_little(name: str, bad: Any) -> None:
    _, good = pair(name, 2)
    for prediction, reference in ((bad, bad), (good, bad), (bad, good)):
        assert foretold(name, prediction, reference) < 0.01


@pytest.mark.parametrize("name", ["anls_star", "nted"])
@pytest.mark.parametrize("bad", BAD[-3:], ids=str)
def test_one_value_that_cannot_be_read(name: str, bad: Any) -> None:
    _, good = pair(name, 100)
    with pytest.raises(DocumentError):
        family.get(name).count(good, good | bad, family.get(name).Settings())
    assert foretold(name, good, good | bad) == 0.0


@every_family
def test_documents_that_hold_themselves(name: str) -> None:
    endless: Any = {"a": []}
    endless["a"] += [endless, endless]
    deep: Any = "x"
    for _ in range(5000):
        deep = [deep]
    for document in (endless, {"a": deep}, deep):
        assert foretold(name, document, {"a": "x"}) < 0.01
        assert foretold(name, {"a": "x"}, document) < 0.01


@every_family
def test_any_value_has_a_cost(name: str) -> None:
    values: list[Any] = [None, 3, "text", [], ["a", {"b": [None]}], {"a": [{}]}]
    for value in values:
        for other in ({}, {"a": ("x", "y")}, {"a": [("x", "y")], "b": {}}):
            foretold(name, value, other)
            foretold(name, other, value)


def test_sizes() -> None:
    assert size_of({"a": ("x", None, 1.5), "b": [["yz"]]}) == Size(8, 3)
    assert size_of("text") == Size(1, 4)
    assert size_of({}) == size_of(None) == Size(1, 0)
