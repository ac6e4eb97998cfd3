"""Values of fields by the scores of words."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from docie.adapters.tokens import field_values

WORDS = ["a", "b", "c", "d", "e"]


def of(*scores: float) -> list[list[float]]:
    """Scores of one field beside "O"."""
    return [[1 - score, score] for score in scores]


def values(scores: Any, **options: Any) -> list[str]:
    return [entity.value for entity in field_values(scores, WORDS, ["O", "x"], **options)]


def test_one_word_a_field_by_default() -> None:
    assert values(of(0.2, 0.9, 0.3, 0.9, 0)) == ["b"], "the first of the best ones"
    assert values(of(0.1, 0.1, 0.05, 0, 0)) == [], "above the threshold, not at it"
    assert values(of(0.11, 0.1, 0.05, 0, 0)) == ["a"], "although O is likelier"
    assert values(of(0.11, 0, 0, 0, 0), threshold=0.5) == []


def test_fields_of_several_words() -> None:
    scores = of(0.9, 0, 0.3, 0.05, 0.2)
    assert values(scores, multi_word=["x"]) == ["a c e"]
    assert values(scores, multi_word=["x"], gap=0) == ["a", "c", "e"]
    assert values(of(0.9, 0.8, 0, 0, 0.2), multi_word=["x"], gap=1) == ["a b", "e"]
    assert values(scores, multi_word=["y"]) == ["a"]
    [entity] = field_values(scores, WORDS, ["O", "x"], multi_word=["x"])
    assert entity.confidence == 0.2


def test_a_word_belongs_to_its_best_field() -> None:
    scores = [[0.1, 0.4, 0.5], [0.0, 0.3, 0.7], [0.9, 0.06, 0.04]]
    assert field_values(scores, WORDS[:3], ["O", "x", "y"]) == [("y", "b", 0.7, None)], "no word is left for x"


def test_tags_of_one_field_are_added() -> None:
    scores = np.array([[0.1, 0.4, 0.2, 0.3], [0.9, 0.0, 0.1, 0.0]])
    labels = {0: "O", 1: "B-x", 2: "I-x", 3: "B-y"}
    found = field_values(scores, ["a", "b"], labels)
    assert [(entity.type, entity.value) for entity in found] == [("x", "a")]
    assert found[0].confidence == pytest.approx(0.6)


@given(st.lists(st.lists(st.floats(0, 1), min_size=3, max_size=3), max_size=8), st.floats(0, 1))
def test_as_the_textbook(scores: list[list[float]], threshold: float) -> None:
    words = [str(number) for number in range(len(scores))]
    found = {entity.type: entity.value for entity in field_values(scores, words, ["O", "x", "y"], threshold=threshold)}
    expected = {}
    for column, field in ((1, "x"), (2, "y")):
        own = [n for n, row in enumerate(scores) if row[column] > threshold and (row[1] >= row[2]) == (column == 1)]
        if own:
            expected[field] = words[max(own, key=lambda n: scores[n][column])]
    assert found == expected


@pytest.mark.parametrize(
    ("scores", "options", "message"),
    [
        ([[1, 0]] * 4, {}, r"^scores must be 5 words × 2 labels, got the shape \(4, 2\)$"),
        ([[7.0, -1.0]] * 5, {}, "^scores must be probabilities from 0 to 1; logits need a softmax first$"),
        ([[float("nan"), 0.0]] * 5, {}, "^scores must be probabilities"),
        (of(0, 0, 0, 0, 0), {"threshold": 2}, "^threshold must be between 0 and 1, got 2$"),
        (of(0, 0, 0, 0, 0), {"gap": -1}, "^gap must be a whole number of at least 0, got -1$"),
        (of(0, 0, 0, 0, 0), {"multi_word": "x"}, "^multi_word must be a list"),
    ],
)
def test_what_is_refused(scores: Any, options: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        values(scores, **options)


def test_nothing_to_find() -> None:
    assert field_values([], [], ["O", "x"]) == []
    assert field_values([[1.0]], ["a"], ["O"]) == []


@pytest.mark.parametrize("prefixes", ["BI", "IE", "BIES", "BILU"])
def test_tags_of_every_scheme_are_fields(prefixes: str) -> None:
    labels = ["O", *(f"{prefix}-x" for prefix in prefixes)]
    scores = np.full((1, len(labels)), 0.5 / len(prefixes))
    [entity] = field_values(scores, ["9.00"], labels)
    assert (entity.type, entity.value) == ("x", "9.00")
    assert entity.confidence == pytest.approx(0.5)
