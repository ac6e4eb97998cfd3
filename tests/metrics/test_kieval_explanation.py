"""Documents side by side: every value is there once, in order, and next to the one that it is compared with."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from docie import kieval
from docie.core.explanation import Explanation, Fields, Group, Pair
from docie.core.scores import rounded
from docie.documents.leaves import OneOf
from docie.metrics.kieval.corrections import ErrorRow

from real_documents import cord_pairs, docubench_pairs, invoice_pairs
from repairs import cells
from sizes import examples
from strategies import ONE_OFS, documents

SETTINGS = st.sampled_from(
    [
        kieval.Settings(),
        kieval.Settings(matching="greedy"),
        kieval.Settings(empty_groups="count"),
        kieval.Settings(normalize=lambda text: text[:1]),
        kieval.Settings(match="within(1)"),
        kieval.Settings(match={"g.a": "similar(0.5)"}),
    ]
)


OPERATIONS = {"incorrect": "substitution", "missing": "addition", "spurious": "deletion"}


def groups_of(explanation: Explanation) -> list[Group]:
    [fields] = explanation.drawings
    assert isinstance(fields, Fields)
    assert explanation.pairs == [pair for group in fields.groups for pair in group.pairs]
    return [*fields.groups]


def place_of(group: Group, pair: Pair, side: str) -> tuple[Any, ...]:
    """The type and the number of a pair's group on a side, and the full entity type."""
    assert pair.group in ("", group.name)
    if not pair.group:
        return None, None, pair.entity_type
    moved = group.note.removeprefix("predicted as ")
    group_type, _, number = (moved if side == "predicted" and moved != group.note else group.name).rpartition("[")
    return group_type, int(number.removesuffix("]")), f"{group_type}.{pair.entity_type}"


def places(explanation: Explanation, side: str) -> Counter[tuple[Any, ...]]:
    """How often each value of a side is there, with its place."""
    return Counter(
        (*place_of(group, pair, side), value)
        for group in groups_of(explanation)
        for pair in group.pairs
        if (value := pair.expected if side == "reference" else pair.predicted) is not None
    )


def errors_shown(explanation: Explanation) -> Counter[str]:
    """The errors, with all that an error row has of them but the number of a group that a side lacks."""
    return Counter(
        repr(
            (
                *place_of(group, pair, "reference")[::2],
                OPERATIONS[str(pair.verdict)],
                *pair[7:11],
                pair.expected,
                pair.predicted,
            )
        )
        for group in groups_of(explanation)
        for pair in group.pairs
        if not pair.is_correct
    )


def errors_listed(rows: list[ErrorRow]) -> Counter[str]:
    return Counter(
        repr((
            row.group_type, row.entity_type, row.operation, row.kind, row.confidence, row.box, row.page,
            row.reference, row.prediction,
        ))
        for row in rows
    )  # fmt: skip


@examples(1000)
@given(documents(), documents(), SETTINGS)
def test_every_value_of_both_documents_is_there_once(prediction: Any, reference: Any, settings: Any) -> None:
    aligned = kieval.explain(prediction, reference, settings)
    assert places(aligned, "predicted") == Counter(cells(prediction, "prediction"))
    assert places(aligned, "reference") == Counter(cells(reference, "reference"))


def test_a_pair_says_where_both_values_stand() -> None:
    leaf = {"value": "9", "confidence": 0.5, "box": [1, 2, 3, 4], "page": 1}
    [pair] = kieval.explain({"a": leaf}, {"a": leaf | {"value": "8", "box": [1, 2, 3, 5], "page": 2}}).pairs
    assert (pair.box, pair.page, pair.expected_box, pair.expected_page) == ([1, 2, 3, 4], 1, [1, 2, 3, 5], 2)


@examples(1000)
@given(documents(), documents(ONE_OFS), SETTINGS)
def test_numbers_are_those_of_the_score(prediction: Any, reference: Any, settings: Any) -> None:
    check_numbers(prediction, reference, settings)


def check_numbers(prediction: Any, reference: Any, settings: kieval.Settings) -> None:
    aligned = kieval.explain(prediction, reference, settings)
    figures = kieval.score(kieval.count(prediction, reference, settings))
    found = Counter(OPERATIONS.get(str(pair.verdict), "correct") for pair in aligned.pairs)
    assert all(found[operation] == figures[f"{operation}s"] for operation in ("substitution", "addition", "deletion"))
    assert found["correct"] == figures["true_positives"]
    assert all(pair.is_correct == (not pair.kind) == bool(pair.credit) for pair in aligned.pairs)
    assert errors_shown(aligned) == errors_listed(kieval.error_rows(prediction, reference, settings))
    assert aligned.sentence.endswith(f": entity_f1 {rounded(figures['entity_f1'])}.")
    assert all(group.is_correct for group in groups_of(aligned)) == bool(figures["document_accuracy"])


@examples(1000)
@given(documents(), documents(ONE_OFS))
def test_right_values_stand_beside_an_answer_that_equals_them(prediction: Any, reference: Any) -> None:
    """Each with a reference value of its own."""
    left = cells(reference, "reference")
    aligned = kieval.explain(prediction, reference)
    assert {pair.verdict for pair in aligned.pairs if pair.is_correct} <= {"correct"}
    assert all(pair.expected == pair.predicted for pair in aligned.pairs if pair.verdict == "correct")
    without = Counter((kind, number, name) for kind, number, name, _ in left)
    shown = places(aligned, "reference")
    assert Counter((kind, number, name) for kind, number, name, _ in shown.elements()) == without
    for kind, number, name, text in shown:
        answers = [value for *place, value in left if place == [kind, number, name]]
        assert any(text in (value.alternatives if isinstance(value, OneOf) else (value,)) for value in answers)


@pytest.mark.parametrize(
    ("option", "predicted", "expected", "pairs"),
    [
        ({}, ["12", "7"], [("7", "seven"), ("12.00", "12")], {("12", "12"), ("7", "7")}),
        ({"match": "within(0.5)"}, ["1.1", "2.1"], ["2", "1"], {("1.1", "1"), ("2.1", "2")}),
        ({"match": "similar(0.7)"}, ["Latte!", "Tea"], ["Tea", "Latte"], {("Latte!", "Latte"), ("Tea", "Tea")}),
        ({"normalize": "casefold"}, ["LATTE"], ["Latte"], {("LATTE", "Latte")}),
    ],
)
def test_right_values_that_are_written_in_another_way(
    option: Any, predicted: Any, expected: Any, pairs: set[tuple[str, str]]
) -> None:
    aligned = kieval.explain({"a": predicted}, {"a": expected}, kieval.Settings(**option))
    assert {(pair.predicted, pair.expected) for pair in aligned.pairs} == pairs
    assert all(pair.verdict == "correct" for pair in aligned.pairs)


def test_the_order_is_that_of_the_reference() -> None:
    prediction = {"z": [{"x": "1", "b": "2", "new": "3", "a": "9"}], "spurious": "1", "c": [{"a": "1"}]}
    reference = {"z": [{"b": "2", "a": "1", "missing": "4"}], "top": "1", "m": [{"a": "1"}, {"a": "2"}]}
    aligned = groups_of(kieval.explain(prediction, reference))
    assert [(group.name, group.note) for group in aligned] == [
        ("Values outside of groups", ""), ("z[0]", ""), ("m[0]", "only in the reference"),
        ("m[1]", "only in the reference"), ("c[0]", "only in the prediction"),
    ]  # fmt: skip
    assert [pair.entity_type for pair in aligned[1].pairs] == ["x", "b", "new", "a", "missing"]
    assert [pair.entity_type for pair in aligned[0].pairs] == ["spurious", "top"]


@pytest.mark.parametrize("prediction", [None, "text", [1]])
def test_an_invalid_prediction_has_missed_everything(prediction: Any) -> None:
    aligned = kieval.explain(prediction, {"a": "1", "g": [{"b": "2"}]})
    assert [pair.kind for pair in aligned.pairs] == ["missing", "missing"]
    assert groups_of(aligned)[1].is_alone
    assert aligned.problem


def test_real_documents(cord: dict[str, list[Any]], data: Path) -> None:
    pairs = [*cord_pairs(cord, "qwen"), *cord_pairs(cord, "layoutlm")[::5], *invoice_pairs(data)[::10]]
    for prediction, reference in [*pairs, *docubench_pairs(data, "gpt")[::5]]:
        check_numbers(prediction, reference, kieval.Settings())
