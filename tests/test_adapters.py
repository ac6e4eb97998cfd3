"""Dataset records and model outputs → documents."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from docie import kieval
from docie.adapters import grouping, llm, records
from docie.adapters.grouping import Entity

PARSE = {"menu": [{"nm": "Latte", "sub": {"nm": "oat"}}], "total": {"total_price": "4.50"}}
NAMED = {
    "menu": [{"menu.nm": "Latte", "menu.sub": {"menu.sub_nm": "oat"}}],
    "total": {"total.total_price": "4.50"},
}


@pytest.mark.parametrize(
    "record",
    [
        {"image": None, "ground_truth": json.dumps({"gt_parse": PARSE, "meta": {"image_id": 3}, "valid_line": []})},
        {"ground_truth": {"gt_parse": PARSE}},
        {"gt_parse": PARSE, "valid_line": []},
    ],
)
def test_cord(record: Any) -> None:
    assert records.cord(record) == NAMED


@pytest.mark.parametrize(
    ("record", "message"),
    [
        ({"id": "r1", "ground_truth": "{"}, "CORD record 'r1': field 'ground_truth' is not JSON"),
        ({"ground_truth": "[]"}, "CORD record: field 'ground_truth' is no object, got list"),
        ("text", "CORD record must be an object, got str"),
        ({"ground_truth": '{"a":' * 100_000}, "CORD record: field 'ground_truth' is not JSON"),
        ({"meta": "x"}, "CORD record: field 'gt_parse' must be an object, got NoneType"),
        ({"meta": {"image_id": 3}}, "CORD record 3: field 'gt_parse' must be an object, got NoneType"),
    ],
)
def test_cord_names_record_and_field(record: Any, message: str) -> None:
    with pytest.raises(ValueError, match=f"^{message}"):
        records.cord(record)


@pytest.mark.parametrize(
    "prediction",
    [
        PARSE,
        NAMED,
        {"menu": [{"menu.nm": "Latte", "sub": [{"sub_nm": "oat"}]}], "total": [{"total_price": "4.50"}]},
        {"menu": {"nm": "Latte", "menu.sub_nm": "oat"}, "total": {"total_price": {"value": "4.50", "confidence": 0.5}}},
        {"menu": {"nm": "Latte", "sub": {"nm": "oat", "sub_nm": None}}, "total": {"total_price": ["4.50"]}},
    ],
)
def test_one_renaming_serves_every_spelling(prediction: Any) -> None:
    assert kieval.score(kieval.count(records.cord_names(prediction), NAMED))["document_accuracy"] == 1.0


@pytest.mark.parametrize("value", [None, "text", [PARSE]])
def test_what_is_no_document_is_not_renamed(value: Any) -> None:
    assert records.cord_names(value) == value


@pytest.mark.parametrize(
    ("answer", "document", "issues"),
    [
        ({"a": 1}, {"a": 1}, 0),
        ('{"a": 1}', {"a": 1}, 0),
        (' {"a": 1}\n', {"a": 1}, 0),
        ('```json\n{"a": "}"}\n```', {"a": "}"}, 1),
        ('Sure! {"a": {"b": 1}} Anything else?', {"a": {"b": 1}}, 1),
        ('First {"a": 1}, better: {"a": 2}', {"a": 2}, 2),
        ('Use {braces}: {\'b\': {"c": 3}} and {"a": 1}', {"a": 1}, 3 - 1),
        ([{"a": 1}], {"a": 1}, 1),
        ('[{"a": 1}]', {"a": 1}, 1),
        ("{}", {}, 0),
        ("", None, 1),
        (None, None, 1),
        (12, None, 1),
        ("null", None, 1),
        ("[1, 2]", None, 1),
        ('{"a": {"b": 1}', None, 1),
        ("{'a': 1}", None, 1),
        ("{" * 100_000, None, 1),
        ('{"a":' * 100_000, None, 1),
        ("9" * 5000, None, 1),
    ],
)
def test_llm_answers(answer: object, document: Any, issues: int) -> None:
    parsed = llm.to_document(answer)
    assert parsed.document == document
    assert len(parsed.issues) == issues


@given(st.text(alphabet='{}[]",:a1 \n', max_size=60))
@settings(max_examples=1000, deadline=None)
def test_llm_answers_never_raise(text: str) -> None:
    parsed = llm.to_document(text)
    assert parsed.document is None or isinstance(parsed.document, dict)
    assert parsed.issues or parsed.document is not None


@pytest.mark.parametrize(
    "text", ["{" * 10**6, '{"a": {' * 150_000, "{x} " * 250_000, '{"x} ' * 250_000, '{"' * 500_000]
)
def test_long_answers(text: str) -> None:
    assert llm.to_document(text).document is None  # in linear time, or this test runs for minutes


WORDS = [
    Entity("menu.nm", "Latte", 0.9, 1),
    Entity("date", "2023-12-31"),
    Entity("menu.cnt", "2", 0.8, 1),
    Entity("menu.nm", "Mocha", 0.7, ""),
    Entity("total.price", "9", None, None),
    Entity("menu.cnt", "1", 0.6, 2),
    Entity("menu.cnt", "3", 0.5, 2),
]


def leaf(value: str, confidence: float) -> dict[str, Any]:
    return {"value": value, "confidence": confidence}


def test_by_group_id() -> None:
    assert grouping.by_group_id(WORDS, ["menu", "total"]) == {
        "menu": [
            {"menu.nm": leaf("Latte", 0.9), "menu.cnt": leaf("2", 0.8)},
            {"menu.nm": leaf("Mocha", 0.7)},
            {"menu.cnt": [leaf("1", 0.6), leaf("3", 0.5)]},
        ],
        "total": [{"total.price": "9"}],
        "date": "2023-12-31",
    }


def test_slot_filling() -> None:
    # other types do not close a group: the total stands between Mocha and its count
    assert grouping.slot_filling(WORDS, {"menu": ["menu.nm", "menu.cnt"], "total": ["total.price"]}) == {
        "menu": [
            {"menu.nm": leaf("Latte", 0.9), "menu.cnt": leaf("2", 0.8)},
            {"menu.nm": leaf("Mocha", 0.7), "menu.cnt": leaf("1", 0.6)},
            {"menu.cnt": leaf("3", 0.5)},
        ],
        "total": [{"total.price": "9"}],
        "date": "2023-12-31",
    }


def test_grouping_without_groups_or_entities() -> None:
    assert grouping.slot_filling([], ["menu"]) == {}
    assert grouping.slot_filling(iter([("a", "1"), ("a", "2")]), []) == {"a": ["1", "2"]}
    with pytest.raises(ValueError, match="groups must be a list of group types, got 'menu'"):
        grouping.by_group_id(WORDS, "menu")
    with pytest.raises(ValueError, match="groups must map each group type to a list of entity types"):
        grouping.by_group_id(WORDS, {"menu": "menu.nm"})


def test_group_types_are_whole_names_and_blank_ids_are_none() -> None:
    entities = [Entity("menu.nm", "a", None, ""), Entity("menu.cnt", "1", None, None), Entity("menus.x", "b")]
    assert grouping.by_group_id(entities, ["menu"]) == {"menu": [{"menu.nm": "a", "menu.cnt": "1"}], "menus.x": "b"}


def test_a_group_type_that_is_an_entity_type_too() -> None:
    document = grouping.to_document([("menu", [Entity("menu.nm", "Latte")])], [Entity("menu", "x")])
    assert document == {"menu": [{"menu.nm": "Latte"}, "x"]}
