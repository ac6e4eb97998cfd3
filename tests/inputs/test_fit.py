"""The search for how references and predictions were written differently: what it needs, and what moves it."""

from __future__ import annotations

import os
import random
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from docie.inputs.config import entries_of, reading_of
from docie.inputs.fit.change import Change, is_found
from docie.inputs.fit.rows import SideRows
from docie.inputs.fit.sample import Sample
from docie.inputs.fit.search import Fit, fit, search
from docie.inputs.reading import Reading

from sizes import examples
from strategies import documents

ITEMS = (("Latte", "4.50"), ("Bagel", "3.25"), ("Mocha", "5.75"), ("Scone", "2.15"), ("Tea", "1.85"))
REFERENCES: list[Any] = [
    {
        "date": f"2024-03-{20 + number}",
        "total": f"1{number}.24",
        "items": [{"name": name, "price": price} for name, price in ITEMS[: 1 + number % 5]],
    }
    for number in range(8)
]
FORMS = st.sampled_from(["7.50", "7,50", 7.5, "$7", "Tea", "tea", "2024-03-21", "21.03.2024", "error", "x"])
TRAPS = {"records", "unwrap"}
"""What is told where references and predictions have it alike: values would agree in the wrong groups."""


def rows(values: list[Any]) -> SideRows:
    return SideRows.listed(values)


def fitted(predictions: list[Any], references: list[Any], reading: Reading | None = None) -> Fit:
    return fit(rows(predictions), rows(references), reading or Reading())


def changes(predictions: list[Any], references: list[Any]) -> list[tuple[str, list[str], int]]:
    return [(each.kind, entries_of(each.options), each.values) for each in fitted(predictions, references).changes]


def renamed(row: Any, **names: str) -> Any:
    return {names.get(key, key): child for key, child in row.items()}


PLANTED: dict[str, list[Any]] = {
    "rename": [renamed(row, items="lines", total="sum") for row in REFERENCES],
    "unwrap": [{"output": {"data": row}, "seconds": 3} for row in REFERENCES],
    "records": [{**row, "items": {str(n): item for n, item in enumerate(row["items"])}} for row in REFERENCES],
    "format": [{**row, "total": row["total"].replace(".", ",")} for row in REFERENCES],
    "failures": [{"error": "timeout"} if number % 3 == 0 else row for number, row in enumerate(REFERENCES)],
}


# what is found, and what is not


@pytest.mark.parametrize("kind", PLANTED)
def test_a_change_is_found_in_a_few_documents(kind: str) -> None:
    [change] = fitted(PLANTED[kind], REFERENCES).changes
    assert change.kind == kind
    if kind != "failures":
        assert change.sample.agreed == change.sample.size == fitted(REFERENCES, REFERENCES).sample.agreed
    assert "\n" not in change.text


@pytest.mark.parametrize(
    ("predictions", "references"),
    [
        ([{}], [{}]),
        ([{}] * 8, REFERENCES),
        (REFERENCES, [{}] * 8),
        ([None] * 8, REFERENCES),
        ([{"notes": "x"}] * 8, REFERENCES),
        (["sorry"] * 8, REFERENCES),
        ([{"total": row["total"]} for row in REFERENCES], REFERENCES),
        (REFERENCES, [{"total": row["total"]} for row in REFERENCES]),
        ([{**row, "comment": f"seen {row['date'][-1]} times"} for row in REFERENCES], REFERENCES),
        (REFERENCES[1:] + REFERENCES[:1], REFERENCES[:1] * 8),
    ],
)
def test_one_sided_values_are_no_difference(predictions: list[Any], references: list[Any]) -> None:
    """They are told at most, as types that stand alone: nothing is changed."""
    found = fitted(predictions, references).changes
    assert [each.kind for each in found if each.is_applied or each.is_certain] == []
    assert {each.kind for each in found} <= {"alone"}


def test_no_rows_that_belong_together() -> None:
    predictions = [{"id": name, **row} for name, row in zip("abcdefgh", REFERENCES, strict=True)]
    references = [{"id": str(number), "vendor": "Kedai"} for number in range(3)]
    assert changes(predictions, references) == []


@pytest.mark.parametrize("missing", ["drop", "empty"])
def test_what_is_asked_for_is_no_finding(missing: str) -> None:
    references = [{"id": f"r-{number}", **row} for number, row in enumerate(REFERENCES)]
    assert [each.kind for each in fitted(references[:6], references).changes] == ["join"]
    assert fitted(references[:6], references, Reading(missing=missing)).changes == []


@examples(400, 60)
@given(st.lists(documents(FORMS), min_size=1, max_size=6))
def test_identical_sides_have_nothing_but_traps(values: list[Any]) -> None:
    for change in fitted(values, values).changes:
        assert {name.partition(".")[2] for name in change.options} <= TRAPS, values


@examples(400, 60)
@given(st.lists(st.tuples(documents(FORMS), documents(FORMS)), min_size=1, max_size=6), st.randoms())
def test_a_change_needs_values_and_can_be_asked_for(pairs: list[tuple[Any, Any]], dice: random.Random) -> None:
    found = fitted([one for one, _ in pairs], [other for _, other in pairs])
    for change in found.changes:
        assert change.values >= 3
        if change.options:
            assert change.gained >= 0
            assert Reading().with_options(change.reading) != Reading() or change.normalize
    dice.shuffle(pairs)
    again = fitted([one for one, _ in pairs], [other for _, other in pairs])
    assert [(each.kind, each.values, each.gained) for each in again.changes] == [
        (each.kind, each.values, each.gained) for each in found.changes
    ]


# what must not move it


@pytest.mark.parametrize("kind", PLANTED)
def test_the_order_of_documents_and_keys_is_no_matter(kind: str) -> None:
    expected = changes(PLANTED[kind], REFERENCES)
    for seed in range(5):
        dice = random.Random(seed)
        pairs = list(zip(PLANTED[kind], REFERENCES, strict=True))
        dice.shuffle(pairs)
        predictions, references = (
            [dict(sorted(pair[side].items(), key=lambda _: dice.random())) for pair in pairs] for side in (0, 1)
        )
        assert changes(predictions, references) == expected


@pytest.mark.exhaustive
def test_findings_are_the_same_in_every_process() -> None:
    script = "from test_fit import *; print({kind: changes(each, REFERENCES) for kind, each in PLANTED.items()})"
    path = os.pathsep.join(filter(None, (str(Path(__file__).parent), *sys.path)))
    printed = {
        subprocess.run(
            [sys.executable, "-c", script],
            env={**os.environ, "PYTHONPATH": path, "PYTHONHASHSEED": seed},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for seed in ("1", "2", "3")
    }
    assert len(printed) == 1
    assert all(kind in next(iter(printed)) for kind in PLANTED)


def test_many_documents_are_sampled() -> None:
    many = [{"id": str(number), "total": f"{number}.00"} for number in range(2000)]
    found = fitted([renamed(row, total="sum") for row in many], many)
    assert len(found.sample.pairs) == 500
    assert [each.options for each in found.changes] == [{"predictions.rename": {"sum": "total"}}]
    numbers = [int(pair[1]["id"]) for pair in found.sample.pairs]
    assert numbers == sorted(numbers)
    assert max(numbers) > 1500


def test_rows_are_read_again_where_they_are_not_kept() -> None:
    values = [{"id": str(number)} for number in range(1200)]
    many = rows(values)
    assert len(many.first) == 500
    assert many.take([1100, 3]) == [values[1100], values[3]]


# one document


@pytest.mark.parametrize("key", ["", "a=b", "."])
def test_keys_that_rename_cannot_name_are_not_renamed(key: str) -> None:
    predictions = [renamed(row, date=key, total="sum") for row in REFERENCES]
    found = fitted(predictions, REFERENCES).changes
    asked = [entries_of(each.options) for each in found if each.is_applied and each.options]
    assert asked == [["predictions.rename.sum=total"]]
    wrapped = [{"output": row} for row in predictions]
    assert any("predictions.unwrap=output" in each[1] for each in changes(wrapped, REFERENCES))


@pytest.mark.parametrize("option", ["predictions.rename.lines=items", "predictions.unwrap=output"])
def test_a_single_document(option: str) -> None:
    reference = {"vendor": "Kedai", "date": "2024-03-21", **REFERENCES[3]}
    prediction = renamed(reference, items="lines") if "rename" in option else {"output": reference}
    assert [each[1] for each in changes([prediction], [reference])] == [[option]]


# its parts


def test_enough_values_must_find_a_counterpart() -> None:
    assert [is_found(*each) for each in ((2, 2), (3, 6), (3, 7), (50, 100), (49, 100))] == [
        False,
        True,
        False,
        True,
        False,
    ]


def test_changes_build_on_each_other() -> None:
    sample = Sample([({"output": row}, expected) for row, expected in zip(PLANTED["rename"], REFERENCES, strict=True)])
    found: list[Change] = list(search(sample))
    assert [each.kind for each in found] == ["unwrap", "rename"]
    assert found[0].sample.agreed < found[1].sample.agreed == found[1].sample.size
    assert found[1].sample.reading == reading_of(
        ["predictions.unwrap=output", "predictions.rename.lines=items", "predictions.rename.sum=total"]
    )
    assert next(iter(search(sample, most=1))).options == found[0].options
