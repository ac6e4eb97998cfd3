"""What large documents take another way through: it gives what the textbook gives, and equal texts cost nothing."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from docie import corpus, hed, kieval
from docie.core.matching import assignment
from docie.core.rules import pairs
from docie.core.rules.match import Rule, rules_of
from docie.core.rules.pairs import pairs_by_rule
from docie.documents import multisets
from docie.documents.multisets import count_shared, tokens_of
from docie.metrics.kieval import automation, error_rows

import oracle
from repairs import repaired
from sizes import examples
from strategies import ONE_OFS, VALUES, documents

TEXTS = st.text("12", min_size=1, max_size=3)
RULES = st.sampled_from(["within(1)", "similar(0.5)", "similar(0.34)"])


def rule_of(spec: str) -> Rule:
    rules = rules_of(spec)
    assert rules is not None
    assert rules.others is not None
    return rules.others


@pytest.fixture(scope="module", autouse=True)
def small_tables() -> Any:
    """Nothing is small, and blocks are."""
    with pytest.MonkeyPatch.context() as patch:
        for module, name, value in (
            *((assignment, "SMALL", 0), (pairs, "SMALL", 0), (pairs, "MANY", 4), (pairs, "_BLOCK", 10)),
            *((automation, "DENSE", 4), (multisets, "_BLOCK", 10)),
        ):
            patch.setattr(module, name, value)
        yield


GROUPS = st.lists(st.lists(TEXTS, max_size=4), min_size=1, max_size=4)


@examples(1000)
@given(GROUPS, GROUPS, RULES)
def test_groups_share_what_a_maximum_matching_has(predicted: Any, expected: Any, spec: str) -> None:
    tokens = ([tokens_of([("a", value, 1.0) for value in group]) for group in side] for side in (predicted, expected))
    shared = count_shared(*tokens, with_one_of=False, rules=rules_of(spec))
    table = np.zeros((len(predicted), len(expected)), dtype=int)
    table[shared.rows, shared.columns] = shared.numbers
    for row, values in enumerate(predicted):
        for column, group in enumerate(expected):
            best = oracle.best_pairs(values, [[each] for each in group], rule_of(spec).holds)
            assert table[row, column] == len(best)


ALTERNATIVES = st.lists(TEXTS, min_size=1, max_size=2, unique=True)


@examples(1000)
@given(st.lists(TEXTS, max_size=5), st.lists(ALTERNATIVES, max_size=5), RULES)
def test_pairs_of_many_values_are_as_good_as_the_best(predicted: Any, expected: Any, spec: str) -> None:
    holds, predicted = rule_of(spec).holds, sorted(predicted)

    def quality(found: list[tuple[int, int]]) -> tuple[int, Any]:
        similarities = [
            max(oracle.similarity(predicted[row], each) for each in expected[column] if holds(predicted[row], each))
            for row, column in found
        ]
        return len(found), sum(similarities)

    found, best = pairs_by_rule(predicted, expected, rule_of(spec)), oracle.best_pairs(predicted, expected, holds)
    assert all(len({pair[side] for pair in found}) == len(found) for side in (0, 1))
    assert quality(found) == quality(best)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(pairs, "NEAR", 1)
        found = pairs_by_rule(predicted, expected, rule_of(spec))
    assert all(len({pair[side] for pair in found}) == len(found) for side in (0, 1))
    assert len(found) == len(best)
    assert quality(found) <= quality(best)


@examples(300)
@given(documents(), documents())
def test_error_rows_of_many_values_are_as_similar(prediction: Any, reference: Any) -> None:
    def similarity() -> tuple[int, float]:
        found = [row.similarity for row in error_rows(prediction, reference) if row.similarity is not None]
        return len(found), round(sum(found), 9)

    many = similarity()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(automation, "DENSE", 10**6)
        assert many == similarity()


@examples(300)
@given(documents(VALUES), documents(VALUES) | documents(ONE_OFS), st.sampled_from([None, "within(1)"]))
def test_repairs_are_exact_with_the_optimal_matching(prediction: Any, reference: Any, match: Any) -> None:
    settings = kieval.Settings(match=match)
    rows = error_rows(prediction, reference, settings)
    for line in corpus.repaired([prediction], [reference], settings)[1:]:
        chosen = [row for row in rows if line["name"] == (row.kind if line["repaired"] == "kind" else row.entity_type)]
        again = kieval.score(kieval.count(repaired(prediction, chosen), reference, settings))
        for figure in ("true_positives", "false_positives", "false_negatives", "entity_f1"):
            assert again[figure] == line[figure]


def test_repairs_with_the_greedy_matching_keep_the_pairs() -> None:
    """A repair may change which pair is taken first: the documentation says so."""
    prediction = {"g": [{"a": "1", "b": "3", "c": "2"}, {"b": "2", "c": "3"}]}
    reference = {"g": [{"a": "2", "b": "3", "c": "3"}, {"a": "3", "b": "3"}]}
    settings = kieval.Settings(matching="greedy")
    rows = [row for row in error_rows(prediction, reference, settings) if row.entity_type == "g.b"]
    [line] = [line for line in corpus.repaired([prediction], [reference], settings) if line["name"] == "g.b"]
    again = kieval.score(kieval.count(repaired(prediction, rows), reference, settings))
    assert (line["true_positives"], again["true_positives"]) == (2, 3)


def test_equal_long_texts_are_not_refused() -> None:
    text = "".join(chr(97 + number * number % 23) for number in range(1_000_000))
    assert corpus.evaluate(hed, [{"a": text}], [{"a": text}], max_seconds=1)["hed_f1"] == 1.0


def test_of_equal_wrong_values_the_most_confident_is_the_substitution() -> None:
    prediction = {"a": [{"value": "x", "confidence": 0.2}, {"value": "x", "confidence": 0.9}]}
    [row] = [row for row in error_rows(prediction, {"a": "y"}) if row.operation == "substitution"]
    assert row.confidence == 0.9


@pytest.mark.parametrize(("least", "length", "wrong"), [("0.71", 100, 29), ("0.42", 50, 29), ("0.9", 70, 7)])
def test_a_similarity_of_exactly_the_least_is_enough(least: str, length: int, wrong: int) -> None:
    """0.29 times 100 is a little less than 29 in floats."""
    assert rule_of(f"similar({least})").holds("x" * length, "x" * (length - wrong) + "y" * wrong)
