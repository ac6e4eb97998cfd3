"""The table of values: it agrees with the walk that counts, and its paths lead to its values."""

from __future__ import annotations

import decimal
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from docie.core.errors import DocumentError
from docie.core.values.plain import NO_CONFIDENCE
from docie.documents.document import Document, parse_document
from docie.documents.leaves import OneOf
from docie.documents.values import Leaf, has_values, values_of
from docie.inputs.kinds import entity_types, seen_types
from docie.metrics.kieval.metric import parsed
from docie.metrics.kieval.options import Settings
from docie.metrics.kieval.pairs import pairs_of, sides_of

from json_lines import read_lines
from real_documents import SYSTEMS, cord_pairs, docubench_pairs, invoice_pairs
from strategies import LEAVES, ONE_OFS, documents

SIDES = ("prediction", "reference")


def counted(document: Any, side: str, **options: Any) -> Any:
    """The entities of the walk that counts, by group, or its error."""
    try:
        found = parse_document(document, side, keep_empty_groups=True, **options)
    except DocumentError as error:
        return str(error)
    return found.ungrouped, found.groups


def located(document: Any, side: str, **options: Any) -> Any:
    """The same of the table of values."""
    try:
        values = values_of(document, side, **options)
    except DocumentError as error:
        return str(error)
    groups = {name: [[leaf[:3] for leaf in group] for group in groups] for name, groups in values.groups.items()}
    return [leaf[:3] for leaf in values.ungrouped], groups


def at(document: Any, leaf: Leaf) -> Any:
    """What stands at the path of a value."""
    for step in leaf.path:
        document = document[step]
    return document


def check(document: Any, side: str) -> None:
    """Both walks agree, and every path leads to the value."""
    assert located(document, side) == counted(document, side)
    lower = {"normalize": lambda _, text: text.lower().replace("1", "")}
    assert located(document, side, **lower) == counted(document, side, **lower)
    leaves = [*values_of(document, side).leaves()]
    paths = [leaf.path for leaf in leaves]
    assert len({*paths}) == len(paths)
    for leaf in leaves:
        found = at(document, leaf)
        if isinstance(found, dict) and "confidence" in found:
            assert (found.get("box"), found.get("page")) == (leaf.box, leaf.page)
            found = found["value"]
        if not isinstance(leaf.value, OneOf) and not isinstance(found, dict | tuple):
            assert leaf.value == found
    assert {leaf.type for leaf in leaves} == entity_types(document, side) == seen_types(document, side).types
    assert bool(leaves) == has_values(document)


def check_all(pairs: Iterable[tuple[Any, Any]]) -> None:
    for pair in pairs:
        for document, side in zip(pair, SIDES, strict=True):
            if isinstance(document, dict):
                check(document, side)
            else:
                assert located(document, side) == counted(document, side)


@pytest.mark.parametrize("system", ["qwen", "layoutlm"])
def test_both_walks_agree_on_receipts(cord: dict[str, list[Any]], system: str) -> None:
    check_all(cord_pairs(cord, system))


def test_both_walks_agree_on_invoices_and_line_items(data: Path) -> None:
    check_all(invoice_pairs(data))
    for name in ("references", "deepcpcfg"):
        rows = read_lines(data / "cord-test" / f"line-items-{name}.jsonl")
        check_all((row["document"], row["document"]) for row in rows)


@pytest.mark.parametrize("system", SYSTEMS)
def test_both_walks_agree_on_docubench(data: Path, system: str) -> None:
    check_all(docubench_pairs(data, system))


@given(documents(LEAVES), documents(ONE_OFS))
def test_both_walks_agree_on_small_documents(prediction: Any, reference: Any) -> None:
    check_all([(prediction, reference)])


KEYS = st.sampled_from(["a", "b", "a.b", "g", "g.a", "g.g.a", "value", "confidence", "box", "$any_of", ""])
SCALARS = st.sampled_from(
    ["1", "X1", "", " ", None, True, 0, 12.0, -0.0, float("nan"), np.int64(3), decimal.Decimal("1.50")]
)
SCORED = st.fixed_dictionaries(
    {"value": SCALARS, "confidence": st.sampled_from([None, 0, 0.5, 1])},
    optional={"box": st.just([0, 0, 9, 9]), "page": st.integers(0, 2)},
)
ANY = st.recursive(
    st.one_of(SCALARS, SCORED, st.sampled_from([float("inf"), object, {"value": "", "confidence": 7}])),
    lambda inner: st.one_of(
        st.lists(inner, max_size=3), st.lists(inner, max_size=3).map(tuple), st.dictionaries(KEYS, inner, max_size=3)
    ),
    max_leaves=12,
)


@given(st.dictionaries(KEYS, ANY, max_size=4), st.sampled_from(SIDES))
def test_both_walks_agree_on_any_object(document: Any, side: str) -> None:
    """Whatever its nesting; what one refuses the other refuses for the same reason."""
    assert located(document, side) == counted(document, side)


def test_the_table_of_values() -> None:
    total = {"value": 12.0, "confidence": 0.5, "box": [1, 2, 3, 4], "page": 1}
    document = {
        "shop": ["A ", "", ["B"]],
        "items": [{"name": "Tea"}, {}, [{"amount": total}]],
        "tip": {"g": {"x": True}},
    }
    values = values_of(document, "prediction", normalize=lambda _, text: text.strip())
    assert values.ungrouped == [
        Leaf("shop", "A", NO_CONFIDENCE, ("shop", 0), "A "),
        Leaf("shop", "B", NO_CONFIDENCE, ("shop", 2, 0), "B"),
    ]
    assert values.groups == {
        "items": [
            [Leaf("items.name", "Tea", NO_CONFIDENCE, ("items", 0, "name"), "Tea")],
            [],
            [Leaf("items.amount", "12", 0.5, ("items", 2, 0, "amount"), 12.0, [1, 2, 3, 4], 1)],
        ],
        "tip": [[Leaf("tip.g.x", "true", NO_CONFIDENCE, ("tip", "g", "x"), True)]],
    }
    assert [leaf.written for leaf in values.leaves()] == ["A ", "B", "Tea", "12", "true"]
    [leaf] = values_of({"total": ("X", "x", 12)}, "reference", normalize=lambda _, text: text.lower()).leaves()
    assert leaf.text.alternatives == ("x", "12")
    assert leaf.value.alternatives == leaf.written.alternatives == ("X", "x", "12")


def test_values_of_numpy_and_pandas_in_scored_leaves() -> None:
    pandas = pytest.importorskip("pandas")
    leaves = {"a": pandas.NA, "b": np.float32("nan"), "c": np.int64(3), "d": decimal.Decimal("1.50"), "e": " "}
    document = {name: {"value": value, "confidence": 0.5} for name, value in leaves.items()}
    assert [leaf.value for leaf in values_of(document, "prediction").leaves()] == [3, 1.5]
    seen = seen_types(document, "prediction")
    assert seen.types == seen.numbers == {"c", "d"}
    assert not has_values({"a": document["a"], "e": document["e"]})


def test_what_cannot_be_read_has_the_types_before_it() -> None:
    assert entity_types({"a": "1", "b": {frozenset(): "2"}, "c": "3"}, "reference") == {"a"}
    assert entity_types({"a": {"value": "1", "confidence": "high"}, "b": ({"x": 1}, {"x": 2})}, "reference") == {
        "a",
        "b",
    }
    assert entity_types("text", "reference") == entity_types(None, "prediction") == set()


@pytest.mark.parametrize(
    ("document", "types"),
    [
        ({"rows": [["Tea", "2"], ["Latte", "3"]]}, {"rows"}),
        ({"g": {"rows": [["Tea", "2"], ["Latte", "3"]]}}, {"g.rows"}),
        ({"rows": [["Tea", "2"], ["Latte"]]}, set()),
        ({"rows": [["Tea"], ["Latte"]], "list": ["1", "2"]}, set()),
        ({"rows": [[{"a": "1"}, {"a": "2"}], [{"a": "3"}, {"a": "4"}]]}, set()),
    ],
)
def test_lists_of_lists_that_look_like_rows(document: Any, types: set[str]) -> None:
    assert seen_types(document, "reference").nested == types


OPTIONS = [
    {},
    {"empty_groups": "count"},
    {"normalize": "number"},
    {"ontology": ["g.a", "x"]},
    {"ontology": ["g.a", "x"], "empty_groups": "count", "matching": "greedy"},
]


def _shown(leaf: Leaf) -> tuple[object, ...]:
    """What is shown of a value: all but its path."""
    return *leaf[:3], leaf.written, repr(leaf.box), leaf.page


@pytest.mark.parametrize("options", OPTIONS)
@given(documents(LEAVES), documents(ONE_OFS))
def test_explained_groups_are_those_that_are_counted(options: dict[str, Any], prediction: Any, reference: Any) -> None:
    """The values of a group are those of the same number in the document, each at the token that it is counted as."""
    settings = Settings(**options)
    tables = [
        values_of(each, side, normalize=settings.normalizer)
        for each, side in zip((prediction, reference), SIDES, strict=True)
    ]
    shown: list[Document] = [Document(), Document()]
    for pair in pairs_of(*sides_of(prediction, reference, settings), settings):
        sides = (
            (pair.predicted, pair.predicted_leaves, pair.predicted_group),
            (pair.expected, pair.expected_leaves, pair.reference_group),
        )
        for place, (tokens, leaves, number) in enumerate(sides):
            if tokens is None:
                assert (leaves, number) == ({}, None)
                continue
            group = [leaf[:3] for leaf in leaves.values()]
            assert {token: leaf.confidence for token, leaf in leaves.items()} == tokens
            assert [token[:2] for token in leaves] == [entity[:2] for entity in group]
            if pair.group_type is None:
                shown[place].ungrouped = group
            else:
                assert number is not None
                known = tables[place].groups[pair.group_type][number] if group else ()
                assert {*map(_shown, leaves.values())} <= {*map(_shown, known)}
                shown[place].groups.setdefault(pair.group_type, []).append(group)
    for document, other in zip(shown, parsed(prediction, reference, settings), strict=True):
        assert document.ungrouped == other.ungrouped
        assert {name: sorted(groups, key=repr) for name, groups in document.groups.items()} == {
            name: sorted(groups, key=repr) for name, groups in other.groups.items()
        }
