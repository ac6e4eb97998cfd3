"""Documents side by side: every value is there once, in order, and next to the one that it is compared with."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from docie import kieval
from docie.documents.leaves import OneOf
from docie.metrics.kieval.corrections import ErrorRow
from docie.metrics.kieval.explanation import AlignedGroups, RightValue, aligned_groups

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


def right_values(aligned: list[AlignedGroups]) -> list[RightValue]:
    return [entity for groups in aligned for entity in groups.entities if isinstance(entity, RightValue)]


def error_rows(aligned: list[AlignedGroups]) -> list[ErrorRow]:
    return [entity for groups in aligned for entity in groups.entities if isinstance(entity, ErrorRow)]


def places(aligned: list[AlignedGroups], side: str) -> Counter[tuple[Any, ...]]:
    """How often each value of a side is there, with its place."""
    return Counter(
        (groups.group_type, getattr(groups, f"{side}_group"), entity.entity_type, value)
        for groups in aligned
        for entity in groups.entities
        if (value := entity.reference if side == "reference" else entity.prediction) is not None
    )


@examples(1000)
@given(documents(), documents(), SETTINGS)
def test_every_value_of_both_documents_is_there_once(prediction: Any, reference: Any, settings: Any) -> None:
    aligned = aligned_groups(prediction, reference, settings)
    assert places(aligned, "predicted") == Counter(cells(prediction, "prediction"))
    assert places(aligned, "reference") == Counter(cells(reference, "reference"))


@examples(1000)
@given(documents(), documents(ONE_OFS), SETTINGS)
def test_numbers_are_those_of_the_score(prediction: Any, reference: Any, settings: Any) -> None:
    check_numbers(prediction, reference, settings)


def check_numbers(prediction: Any, reference: Any, settings: kieval.Settings) -> None:
    aligned = aligned_groups(prediction, reference, settings)
    figures = kieval.score(kieval.count(prediction, reference, settings))
    found = Counter[str](row.operation for row in error_rows(aligned))
    assert all(found[operation] == figures[f"{operation}s"] for operation in ("substitution", "addition", "deletion"))
    assert len(right_values(aligned)) == figures["true_positives"]
    rows = kieval.error_rows(prediction, reference, settings, document=0)
    assert Counter(map(repr, error_rows(aligned))) == Counter(map(repr, rows))


@examples(1000)
@given(documents(), documents(ONE_OFS))
def test_right_values_stand_beside_an_answer_that_equals_them(prediction: Any, reference: Any) -> None:
    """Each with a reference value of its own."""
    left = cells(reference, "reference")
    aligned = aligned_groups(prediction, reference)
    for groups in aligned:
        for entity in groups.entities:
            if isinstance(entity, RightValue):
                assert entity.reference == entity.prediction
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
    aligned = aligned_groups({"a": predicted}, {"a": expected}, kieval.Settings(**option))
    assert {(value.prediction, value.reference) for value in right_values(aligned)} == pairs
    assert not error_rows(aligned)


def test_the_order_is_that_of_the_reference() -> None:
    prediction = {"z": [{"x": "1", "b": "2", "new": "3", "a": "9"}], "invented": "1", "c": [{"a": "1"}]}
    reference = {"z": [{"b": "2", "a": "1", "missed": "4"}], "top": "1", "m": [{"a": "1"}, {"a": "2"}]}
    aligned = aligned_groups(prediction, reference)
    assert [(groups.group_type, groups.reference_group) for groups in aligned] == [
        (None, None), ("z", 0), ("m", 0), ("m", 1), ("c", None)
    ]  # fmt: skip
    assert [entity.entity_type for entity in aligned[1].entities] == ["z.x", "z.b", "z.new", "z.a", "z.missed"]
    assert [entity.entity_type for entity in aligned[0].entities] == ["invented", "top"]


@pytest.mark.parametrize("prediction", [None, "text", [1]])
def test_an_invalid_prediction_has_missed_everything(prediction: Any) -> None:
    aligned = aligned_groups(prediction, {"a": "1", "g": [{"b": "2"}]})
    assert [row.kind for row in error_rows(aligned)] == ["missed", "missed"]
    assert aligned[1].predicted_group is None


def test_real_documents(cord: dict[str, list[Any]], data: Path) -> None:
    pairs = [*cord_pairs(cord, "qwen"), *cord_pairs(cord, "layoutlm")[::5], *invoice_pairs(data)[::10]]
    for prediction, reference in [*pairs, *docubench_pairs(data, "gpt")[::5]]:
        check_numbers(prediction, reference, kieval.Settings())
