"""What families foretell of the seconds that a document will take: values, groups, entities, boxes and texts."""

from __future__ import annotations

import math
from typing import Any

import pytest

from docie import family

FAMILIES = ["kieval", "entity_f1", "hed", "text_match", "oi_entities", "box_iou"]


def pair(name: str, number: int) -> tuple[Any, Any]:
    """A prediction and a reference of so many parts, with nothing in common."""
    if name == "oi_entities":
        return [["a", f"p {each}"] for each in range(number)], [["a", f"r {each}"] for each in range(number)]
    if name == "box_iou":
        boxes = [{"label": "a", "box": [0, 0, 100 + each % 7, 100 + each % 5]} for each in range(number)]
        return boxes, boxes[1:]
    prediction, reference = (
        {"line": [{"nm": f"{side} {each}", "cnt": "1"} for each in range(number)]} for side in "pr"
    )
    return prediction, reference


def foretold(name: str, prediction: Any, reference: Any, **options: Any) -> float:
    metric: Any = family.get(name)
    seconds = metric.cost(prediction, reference, family.settings_of(metric, options))
    assert isinstance(seconds, float)
    assert 0 <= seconds < math.inf
    return seconds


@pytest.mark.parametrize("name", FAMILIES)
def test_more_work_costs_more(name: str) -> None:
    costs = [foretold(name, *pair(name, number)) for number in (1, 10, 100, 1000)]
    assert costs == sorted(set(costs))
    assert costs[-1] > 5 * costs[-2]


@pytest.mark.parametrize("name", ["hed", "text_match", "oi_entities"])
def test_long_texts_cost_what_they_differ(name: str) -> None:
    text = "".join(chr(97 + each * each % 23) + str(each) for each in range(20_000))
    sides = [(text, text[::-1]), (text, text[:70_000] + "?" + text[70_000:])]
    if name == "oi_entities":
        costs = [foretold(name, [["a", one]], [["a", other]]) for one, other in sides]
    else:
        costs = [foretold(name, {"a": one}, {"a": other}) for one, other in sides]
    assert costs[0] > 10 * costs[1]


@pytest.mark.parametrize("name", FAMILIES)
@pytest.mark.parametrize("bad", [None, 7, "x", [[1]], [{}], {"a": {"value": 1, "confidence": 7}}, {"words": 1}, [None]])
def test_what_cannot_be_read_costs_nothing_or_little(name: str, bad: Any) -> None:
    good = pair(name, 1)[1]
    for prediction, reference in ((bad, bad), (good, bad), (bad, good)):
        assert foretold(name, prediction, reference) < 0.01


def test_options_cost() -> None:
    prediction, reference = ({"a": [f"{side} {each}" for each in range(1000)]} for side in "pr")
    for name in ("kieval", "entity_f1"):
        plain = foretold(name, prediction, reference)
        assert foretold(name, prediction, reference, match="similar(0.9)") > 1.5 * plain
    assert foretold("kieval", prediction, reference, thresholds=[0.5]) > 1.5 * foretold("kieval", prediction, reference)
