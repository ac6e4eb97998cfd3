"""The answers of all systems to a document stand beside the value that they answer."""

from __future__ import annotations

import json
import warnings
from collections import Counter
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from docie import corpus, kieval
from docie.inputs.row import Pair, Row
from docie.show.page.comparison.shown import Collection, Shown

from sizes import examples

REFERENCE: dict[str, Any] = {
    "date": "7",
    "tags": ["a", "b", "a"],
    "menu": [{"nm": "Tea", "price": "1"}, {"nm": "Latte", "price": "4"}],
}


def collected(*answers: Any, reference: Any = REFERENCE) -> Collection:
    """One document, with the answers of as many systems."""
    pairs = [Pair(Row(answer), Row(reference)) for answer in answers]
    systems = [f"system {number}" for number in range(len(answers))]
    return Shown(systems=systems, read=lambda: [pairs], settings=kieval.Settings(), most=9).collected([])


def lines(*answers: Any, reference: Any = REFERENCE) -> list[Any]:
    """The values as a page has them, behind the names of their groups."""
    [document] = collected(*answers, reference=reference).documents().values()
    return [(name, *pair) for name, _, _, _, pairs in json.loads(document.groups) for pair in pairs]


def test_a_document_that_all_have_right() -> None:
    found = lines(REFERENCE, REFERENCE)
    assert found[:2] == [("", "date", "7"), ("", "tags", "a")]
    assert found[-1] == ("menu[1]", "price", "4")
    assert len(found) == 8
    assert lines({}, {}, reference={}) == []


def test_each_answer_stands_beside_its_value() -> None:
    """The same value twice, groups in another order, missing and spurious values."""
    first = {**REFERENCE, "tags": ["a", "a"], "menu": [*reversed(REFERENCE["menu"])]}
    menu = [{"nm": "Tea", "price": "1"}, {"nm": "Latte", "price": "5"}]
    second = {**REFERENCE, "date": "8", "note": "x", "menu": menu}
    found = lines(first, second, {})
    missing = [None, "missing"]
    assert ("", "date", "7", 0, ["8", "value"], missing) in found
    assert ("", "tags", "b", missing, 0, missing) in found
    assert ("menu[1]", "price", "4", 0, ["5", "value"], missing) in found
    assert ("", "note", None, 0, ["x", "spurious"]) in found
    assert len(found) == 8 + 1
    collection = collected(first, second, {})
    [document] = collection.documents().values()
    assert document.corrections == [1, 3, 8]
    assert (collection.worse, collection.better) == ([0, 3, 7], [0, 1, 0])


def test_what_only_predictions_have_follows_its_group_and_groups_those_of_their_type() -> None:
    reference = {**REFERENCE, "total": "9", "paid": [{"sum": "9"}]}
    more = {**reference, "tip": "1", "menu": [*REFERENCE["menu"], {"nm": "Cake"}]}
    names = [(name, field) for name, field, *_ in lines(reference, more, reference=reference)]
    assert names[4:7] == [("", "total"), ("", "tip"), ("menu[0]", "nm")]
    assert names[-2:] == [("menu[2]", "nm"), ("paid[0]", "sum")]


def test_equal_values_of_other_groups_stand_beside_each_other() -> None:
    """Both add the same item, as their second and as their third one; the reference has a second one of its own."""
    reference = {"menu": [{"nm": "Tea"}, {"nm": "Latte"}]}
    cake = {"nm": "Cake", "price": "9"}
    first = {"menu": [{"nm": "Tea"}, cake, {"nm": "Latte"}]}
    second = {"menu": [*reference["menu"], {"nm": "Pie"}, cake]}
    assert lines(first, second, reference=reference)[2:] == [
        ("menu[1]", "nm", None, ["Cake", "spurious", {"f": 1}], ["Cake", "spurious"]),
        ("menu[1]", "price", None, ["9", "spurious", {"f": 1}], ["9", "spurious"]),
        ("menu[2]", "nm", None, 0, ["Pie", "spurious"]),
    ]


def test_confidences_problems_and_accepted_values_are_kept() -> None:
    reference = {"total": {"$any_of": ["12", "7"]}, "tax": "1"}
    sure = {"total": {"value": "12", "confidence": 0.5}, "tax": "1"}
    [total, tax] = lines(sure, {"total": "8", "tax": "1"}, {"total": "7", "tax": "1"}, reference=reference)
    assert total[:4] == ("", "total", "12", ["12", "", {"c": 0.5}])
    assert total[5] == ["7", "", {"n": "compared with 7"}]
    assert tax == ("", "tax", "1")
    [document] = collected(sure, None, reference=reference).documents().values()
    assert document.problems == {"system 1": "The prediction is not a JSON object but nothing, so it counts as empty."}


@pytest.mark.parametrize(
    ("reference", "answers"),
    [
        ("12.60", ("12.00", "12")),
        ("1.00", ("1,00", "1,00")),
        ("x", ("CAT", "CAT")),
        ("x", ("CAT", "DOG")),
        ("x", ("", "")),
    ],
)
def test_flags_are_those_of_the_list_of_suspects(reference: str, answers: tuple[str, str]) -> None:
    systems = [{"a": text} for text in answers]
    listed = corpus.suspects({str(number): [each] for number, each in enumerate(systems)}, [{"a": reference}])
    [(*_, first, _)] = lines(*systems, reference={"a": reference})
    assert (first[2:] == [{"f": 1}]) == bool(listed)


VALUES = st.sampled_from(["1", "1.0", "2", "x"])
ROWS = st.fixed_dictionaries({}, optional={"nm": st.lists(VALUES, max_size=2), "price": VALUES})
DOCUMENTS = st.fixed_dictionaries(
    {}, optional={"tags": st.lists(VALUES, max_size=3), "menu": st.lists(ROWS, max_size=3)}
)


@given(answers=st.lists(DOCUMENTS, min_size=2, max_size=3), reference=DOCUMENTS)
@examples(2000, 300)
def test_nothing_is_lost_and_each_suspect_is_flagged(answers: list[Any], reference: Any) -> None:
    """Systems may say the same in another order and in groups with other numbers."""
    with warnings.catch_warnings(action="ignore"):
        listed = corpus.suspects({str(number): [each] for number, each in enumerate(answers)}, [reference])
    collection, found = collected(*answers, reference=reference), lines(*answers, reference=reference)
    assert Counter((each.field, each.reference) for each in collection.suspects) == Counter(
        (each.entity_type, each.reference) for each in listed
    )
    flagged = [number for number, line in enumerate(found) if line[3:] and line[3] and line[3][2:] == [{"f": 1}]]
    assert flagged == [each.value for each in collection.suspects]
    for system, answer in enumerate(answers):
        own = Counter(
            (pair.entity_type, pair.expected, pair.predicted) for pair in kieval.explain(answer, reference).pairs
        )
        shown = Counter[Any]()
        for _, field, expected, *of_systems in found:
            said: Any = of_systems[system] if system < len(of_systems) else 0
            if said or expected is not None:
                shown[field, expected, said[0] if said else expected] += 1
        assert shown == own
