"""Entity F1 of documents: multisets, alternatives, the relation to KIEval's figure."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings

from docie import corpus, entity_f1, kieval

import oracle
from strategies import LEAVES, ONE_OFS, documents


def figures(prediction: Any, reference: Any, **options: Any) -> dict[str, Any]:
    return corpus.evaluate(entity_f1, [prediction], [reference], entity_f1.Settings(**options), breakdown=True)


@pytest.mark.parametrize(
    ("prediction", "reference", "precision", "recall"),
    [
        ({"a": "1"}, {"a": "1"}, 1.0, 1.0),
        ({"a": ["1", "1"]}, {"a": "1"}, 0.5, 1.0),  # multisets
        ({"a": "1"}, {"a": ["1", "1"]}, 1.0, 0.5),
        ({"a": "1"}, {"b": "1"}, 0.0, 0.0),  # types
        ({"g": [{"a": "1"}, {"a": "2"}]}, {"g": [{"a": ["2", "1"]}]}, 1.0, 1.0),  # groups have no say
        ({"g.a": "1"}, {"g": {"a": "1"}}, 1.0, 1.0),
        ({"a": ["1", "2"]}, {"a": [("1", "2"), "1"]}, 1.0, 1.0),  # one to one, the most of them
        ({"a": ["1", "1"]}, {"a": [("1", "2"), "3"]}, 0.5, 0.5),
        ({}, {}, 1.0, 1.0),
        ({"a": ""}, {"a": None}, 1.0, 1.0),
        (None, {"a": "1"}, 0.0, 0.0),
        ({"a": 12}, {"a": "12"}, 1.0, 1.0),
    ],
)
def test_worked_cases(prediction: Any, reference: Any, precision: float, recall: float) -> None:
    result = figures(prediction, reference)
    assert (result["precision"], result["recall"]) == (precision, recall)


def test_macro_f1_is_the_mean_over_types_of_either_side() -> None:
    result = figures({"a": ["1", "2"], "b": "1"}, {"a": ["1", "2"], "c": "1"})
    assert result["f1"] == pytest.approx(2 * 2 / 6)
    assert result["f1_macro"] == pytest.approx(1 / 3)
    assert {kind: (row["f1"], row["support"]) for kind, row in result["per_entity"].items()} == {
        "a": (1.0, 2), "b": (0.0, 0), "c": (0.0, 1)
    }  # fmt: skip


@given(prediction=documents(), reference=documents(ONE_OFS) | documents())
@settings(max_examples=1500, deadline=None)
def test_agrees_with_the_textbook(prediction: Any, reference: Any) -> None:
    """A maximum matching of all entities of the document, as if it were one group."""
    left, right = (_flat(oracle.read(document)) for document in (prediction, reference))
    hits = oracle.shared(left, right).total()
    total = entity_f1.count(prediction, reference).total("entity", entity_f1.Entities)
    assert total == (hits, left.total() - hits, right.total() - hits)


def _flat(read: Any) -> Any:
    ungrouped, groups = read
    return sum((group for listed in groups.values() for group in listed), ungrouped)


@given(prediction=documents(LEAVES), reference=documents(ONE_OFS))
@settings(max_examples=500, deadline=None)
def test_groups_can_only_lower_it(prediction: Any, reference: Any) -> None:
    in_groups = kieval.score(kieval.count(prediction, reference))
    assert entity_f1.score(entity_f1.count(prediction, reference))["f1"] >= in_groups["entity_f1"]
