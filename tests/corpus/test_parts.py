"""Corpora in parts: the parts give what the whole gives, in any order and by any way of adding them."""

from __future__ import annotations

import itertools
import json
import random
import re
import warnings
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import docie
from docie import corpus, kieval
from docie.core.counts import Counts
from docie.core.errors import DocumentError
from docie.core.family import Family, get
from docie.corpus import Partial, count, results
from docie.corpus.matrix import Matrix

from sizes import examples

FAMILIES = [name for name in docie.families() if "document" in get(name).INPUTS]
LETTERS = st.sampled_from(["a", "b", "c"])
VALUES = st.recursive(
    st.sampled_from(["", "12.00", "12.0", "Latte", "Late", "x y z"]),
    lambda inner: st.lists(st.dictionaries(LETTERS, inner, min_size=1, max_size=2), max_size=2),
    max_leaves=4,
)
DOCUMENTS = st.dictionaries(LETTERS, VALUES, max_size=3)
PAIRS = st.lists(st.tuples(DOCUMENTS | st.none(), DOCUMENTS), min_size=1, max_size=12)
WITH_ALL: dict[str, Any] = {"breakdown": True, "confidence_level": 0.8}


def through_json(part: Partial) -> Partial:
    return Partial.from_json(json.loads(json.dumps(part.to_json())))


def cut(rows: list[Any], places: list[int]) -> list[list[Any]]:
    """The rows in parts, some of which may be empty."""
    ends = [0, *sorted(place % (len(rows) + 1) for place in places), len(rows)]
    return [rows[start:end] for start, end in itertools.pairwise(ends)]


def sides(pairs: list[Any]) -> tuple[list[Any], list[Any]]:
    return [prediction for prediction, _ in pairs], [reference for _, reference in pairs]


@examples(300)
@given(PAIRS, st.lists(st.integers(0, 20), max_size=3), st.sampled_from(FAMILIES), st.randoms(use_true_random=False))
def test_parts_in_any_order_give_the_figures_of_the_whole(
    pairs: list[Any], places: list[int], name: str, rng: random.Random
) -> None:
    family = get(name)
    parts = [through_json(count(family, *sides(each))) for each in cut(pairs, places)]
    rng.shuffle(parts)
    expected = corpus.evaluate(family, *sides(pairs), breakdown=True)
    del expected["per_document"]
    assert results(Partial.sum_of(parts), breakdown=True) == expected
    middle = rng.randrange(len(parts) + 1)
    halves = [through_json(Partial.sum_of(half)) for half in (parts[:middle], parts[middle:]) if half]
    assert results(Partial.sum_of(halves[::-1]), breakdown=True) == expected


@examples(100)
@given(PAIRS, st.lists(st.integers(0, 20), max_size=3), st.sampled_from(FAMILIES))
def test_parts_with_documents_give_all_results_of_the_whole(pairs: list[Any], places: list[int], name: str) -> None:
    family = get(name)
    rows = [({"id": n, "prediction": p, "meta": {"vendor": n % 2}}, r) for n, (p, r) in enumerate(pairs)]
    options: dict[str, Any] = {"keep": "documents", "group_by": "vendor"}
    parts = [through_json(count(family, *sides(each), **options)) for each in cut(rows, places)]
    expected = corpus.evaluate(family, *sides(rows), group_by="vendor", **WITH_ALL)
    assert results(Partial.sum_of(parts), **WITH_ALL) == expected
    before = parts[0].to_json()
    assert results(sum(parts[1:], parts[0]), **WITH_ALL) == expected
    assert parts[0].to_json() == before, "a sum leaves its terms alone"


def warnings_of(function: Any, *arguments: Any) -> list[str]:
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always", UserWarning)
        function(*arguments)
    return [str(each.message) for each in caught]


IN_FIRST = " in the first [0-9]+ documents"
CASES: dict[str, tuple[list[Any], list[Any], Any]] = {
    "nothing in common": ([{"a": "1"}] * 50, [{"b": "1"}] * 50, None),
    "a type that no document has": ([{"a": "1"}] * 50, [{"a": "1"}] * 50, kieval.Settings(normalize={"c": "number"})),
    "a type of the last part": (
        [{"a": "1"}] * 50,
        [*[{"a": "1"}] * 49, {"c": "1"}],
        kieval.Settings(normalize={"c": "number"}),
    ),
    "numbers and texts": ([{"a": 12.0}, *[{"a": "12.00"}] * 4] * 10, [{"a": "12.00"}] * 50, None),
    "unreadable": ([None] * 50, [{"a": "1"}] * 50, None),
    "flat keys": ([{"a.b": "1", "c": "1"}] * 50, [{"a": {"b": "1"}, "c": "1"}] * 50, None),
    "ids": ([{"id": n, "a": "1"} for n in range(50)], [{"a": "1"}] * 50, None),
    "wrappers and documents": ([{"document": {"a": "1"}}, {"a": "1"}] * 25, [{"a": "1"}] * 50, None),
    "a value and a group": ([{"a": {"value": "1", "score": 1}}] * 50, [{"a": "1"}] * 50, None),
}


@pytest.mark.parametrize("name", CASES)
@pytest.mark.parametrize("size", [50, 25])
def test_parts_warn_as_the_whole_does(name: str, size: int) -> None:
    predictions, references, settings = CASES[name]
    parts = [
        count(kieval, predictions[start : start + size], references[start : start + size], settings)
        for start in range(0, 50, size)
    ]
    expected = warnings_of(corpus.evaluate, kieval, predictions, references, settings)
    found = [re.sub(IN_FIRST, "", line) for line in warnings_of(results, Partial.sum_of(parts))]
    assert sorted(found) == sorted(re.sub(IN_FIRST, "", line) for line in expected)
    assert bool(expected) == (name != "a type of the last part")


def test_an_ontology_that_no_part_has_is_an_error() -> None:
    settings = kieval.Settings(ontology=["x"])
    parts = [count(kieval, [{"a": "1"}], [{"a": "1"}], settings)] * 2
    with pytest.raises(ValueError, match="^ontology: no document has 'x'$"):
        results(Partial.sum_of(parts))


def test_what_does_not_belong_together() -> None:
    part = count(kieval, [{"a": "1"}], [{"a": "1"}])
    other = count(kieval, [{"a": "1"}], [{"a": "1"}], kieval.Settings(normalize="casefold"))
    problem = "^cannot add a Partial made as 'kieval.*casefold.*' to one made as 'kieval.*none"
    with pytest.raises(ValueError, match=problem):
        part + other
    with pytest.raises(ValueError, match=problem):
        Partial.sum_of([part, other])
    kept: list[dict[str, Any]] = [{"keep": "documents"}, {"group_by": "vendor"}]
    for options in kept:
        with pytest.raises(
            ValueError, match="^cannot add Partials that were counted with another keep, group_by or clusters$"
        ):
            part + count(kieval, [{"a": "1"}], [{"a": "1"}], **options)
    with pytest.raises(ValueError, match="^intervals need the counts of each document: count with keep="):
        results(part, confidence_level=0.9)
    with pytest.raises(ValueError, match="^confidence_level must be between 0 and 1, got 9$"):
        results(part, confidence_level=9)
    with pytest.raises(ValueError, match="^expected at least one Partial, got none$"):
        Partial.sum_of([])
    with pytest.raises(ValueError, match="^keep must be 'documents', got 'all'$"):
        count(kieval, [], [], keep="all")


@pytest.mark.parametrize("part", [{}, {"counts": 3}, None, {"counts": Counts().to_json(), "survey": {"a": 1}}, "part"])
def test_what_is_no_part(part: Any) -> None:
    with pytest.raises(ValueError, match="^expected "):
        Partial.from_json(part)
    with pytest.raises(ValueError, match="^expected a Partial, got"):
        Partial.sum_of([part])
    with pytest.raises(ValueError, match="^expected a Partial, got"):
        results(part)


def test_errors_name_the_document_of_the_part() -> None:
    with pytest.raises(DocumentError, match="^document 1, entity 'a': confidence"):
        count(kieval, [{}, {"a": {"value": "1", "confidence": 7}}], [{}, {}])


@pytest.mark.parametrize(
    "change",
    [
        *({"ends": [0, 3]}, {"ends": []}, {"ends": [0, 2, 1, 2]}, {"rows": [0, 99]}, {"rows": [0, -1]}),
        *({"known": [["x"]]}, {"known": [[["a"], ["1"]]] * 2}, {"known": None}),
        {"known": [[[""], [1, 0]], [[""], [1, 0]]]},
    ],
    ids=str,
)
def test_what_is_no_matrix(change: dict[str, Any]) -> None:
    value = Matrix([Counts(1, 0, {("correct",): [1]})]).to_json()
    assert Matrix.from_json(json.loads(json.dumps(value))).to_json() == value
    with pytest.raises(ValueError, match="^expected the JSON of documents' counts, got"):
        Matrix.from_json(value | change)


def test_rows_of_a_matrix() -> None:
    """Documents that are picked, summed or added are as if they had been counted so."""
    pairs = [
        ({"a": "1", "g": [{"b": "1"}] * number}, {"a": "12"[number % 2], "g": [{"b": "1"}]}) for number in range(5)
    ]
    counts = [kieval.count(*pair) for pair in pairs]
    whole, picked = Matrix(counts), [3, 0, 3]
    whole += Matrix(counts[:2])
    units = [(counts + counts[:2])[place] for places in ((0, 2), (1, 4, 5), (3, 6)) for place in places]
    sums = [Counts.sum_of(units[:2]), Counts.sum_of(units[2:5]), Counts.sum_of(units[5:])]
    cases: list[tuple[Matrix, list[Counts]]] = [
        (whole.of(np.array(picked)), [counts[place] for place in picked]),
        (whole.summed(np.array([0, 1, 0, 2, 1, 1, 2])), sums),
    ]
    for matrix, expected in cases:
        assert matrix.total().rows == Counts.sum_of(expected).rows
        assert len(matrix) == len(expected)
        columns = matrix.columns()
        for place, row in enumerate(expected):
            found = columns.counts(columns.rows[[place]].toarray()).rows
            assert {key: [int(each[0]) for each in found[key]] for key in row.rows} == row.rows


def test_a_family_is_a_module() -> None:
    family: Family = get("nted")
    total = count(family, [{"a": "1"}], [{"a": "2"}]) + count(family, [{}], [{}])
    assert results(total)["documents"] == 2
