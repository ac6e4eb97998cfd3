"""JSON → documents: nesting, absolute paths, multi-values, absent values, scored leaves."""

from __future__ import annotations

import datetime
import decimal
import pickle
from collections import OrderedDict
from types import MappingProxyType
from typing import Any

import numpy as np
import pytest

from docie.core.errors import DocumentError
from docie.core.values.json_text import MAX_DEPTH
from docie.core.values.plain import NO_CONFIDENCE
from docie.documents.document import parse_document
from docie.documents.leaves import OneOf


def read(value: Any, side: str = "prediction", **options: Any) -> tuple[list[Any], dict[str, list[Any]]]:
    document = parse_document(value, side, **options)
    plain = {name: [[entity[:2] for entity in group] for group in groups] for name, groups in document.groups.items()}
    return [entity[:2] for entity in document.ungrouped], plain


@pytest.mark.parametrize(
    ("value", "ungrouped", "groups"),
    [
        ({"a": "1"}, [("a", "1")], {}),
        ({"a": ["1", ["2", ["3"]]]}, [("a", "1"), ("a", "2"), ("a", "3")], {}),
        ({"g": {"a": "1"}}, [], {"g": [[("g.a", "1")]]}),
        ({"g": [{"a": "1"}, {"a": "2"}]}, [], {"g": [[("g.a", "1")], [("g.a", "2")]]}),
        # in a mixed list each element counts by itself
        ({"g": [{"a": "1"}, "loose", [{"a": "2"}]]}, [("g", "loose")], {"g": [[("g.a", "1")], [("g.a", "2")]]}),
        # nested objects belong to the enclosing group, in document order
        (
            {"g": {"s": [{"b": "1"}, {"b": "2"}], "a": ["3", "4"], "t": {"u": {"v": "5"}}}},
            [],
            {"g": [[("g.s.b", "1"), ("g.s.b", "2"), ("g.a", "3"), ("g.a", "4"), ("g.t.u.v", "5")]]},
        ),
        # absolute keys are taken as they are, as language models write them
        (
            {"menu": {"menu.nm": "1", "menu.sub": {"menu.sub_nm": "2", "sub_cnt": "3"}, "menux": "4"}},
            [],
            {"menu": [[("menu.nm", "1"), ("menu.sub_nm", "2"), ("menu.sub.sub_cnt", "3"), ("menu.menux", "4")]]},
        ),
        # absent: None, blank text, empty lists and objects; values: 0 and false
        ({"a": None, "b": "", "c": " \t", "d": [], "e": [None, [""]], "g": {}, "h": [{}, {"x": None}]}, [], {}),
        ({"a": 0, "b": False, "c": 1.50, "d": 10**20}, [("a", "0"), ("b", "false"), ("c", "1.5"), ("d", "1" + "0" * 20)], {}),
        # scored leaves, anywhere; other keys make an object a group
        ({"a": {"value": 12, "confidence": 0.5, "box": [1, 2, 3, 4], "page": 0}}, [("a", "12")], {}),
        ({"a": [{"value": "1", "confidence": 1}, "2"]}, [("a", "1"), ("a", "2")], {}),
        ({"g": {"a": {"value": None, "confidence": 0.5}, "b": {"value": "x", "confidence": 0}}}, [], {"g": [[("g.b", "x")]]}),
        ({"a": {"value": "1", "confidence": 0.5, "unit": "kg"}}, [], {"a": [[("a.value", "1"), ("a.confidence", "0.5"), ("a.unit", "kg")]]}),
        ({"a": {"value": ["1"], "confidence": 0.5}}, [], {"a": [[("a.value", "1"), ("a.confidence", "0.5")]]}),
        # Python and numpy values
        ({"a": np.int64(3), "b": np.float32(0.5), "c": np.array([1, 2]), "d": np.str_("x")}, [("a", "3"), ("b", "0.5"), ("c", "1"), ("c", "2"), ("d", "x")], {}),
        ({"a": datetime.date(2023, 12, 31), "b": decimal.Decimal("1.50")}, [("a", "2023-12-31"), ("b", "1.5")], {}),
        ({"g": OrderedDict(a="1"), "h": MappingProxyType({"a": "2"})}, [], {"g": [[("g.a", "1")]], "h": [[("h.a", "2")]]}),
        ({1: "x", "g": {2: "y", None: "z"}}, [("1", "x")], {"g": [[("g.2", "y"), ("g.null", "z")]]}),
        # a prediction's tuple is a list
        ({"a": ("1", "2")}, [("a", "1"), ("a", "2")], {}),
    ],
)  # fmt: skip
def test_parse(value: Any, ungrouped: list[Any], groups: dict[str, list[Any]]) -> None:
    assert read(value) == (ungrouped, groups)


def test_confidence_is_kept() -> None:
    document = parse_document({"a": {"value": "1", "confidence": 0.25}, "b": "2"}, "prediction")
    assert document.ungrouped == [("a", "1", 0.25), ("b", "2", NO_CONFIDENCE)]


@pytest.mark.parametrize("value", [None, "text", [], [{"a": "1"}], 12, float("nan")])
def test_what_is_no_object(value: Any) -> None:
    assert read(value) == ([], {})
    with pytest.raises(DocumentError, match="reference must be a JSON object, got"):
        parse_document(value, "reference")


def test_one_of_is_a_references_own() -> None:
    [(kind, value, _)] = parse_document({"a": ("2", "1", 2)}, "reference").ungrouped
    assert isinstance(value, OneOf)
    assert (kind, value.alternatives) == ("a", ("2", "1"))
    assert value == OneOf.of(["1", "2"]) == pickle.loads(pickle.dumps(value))
    assert pickle.loads(pickle.dumps(value)).alternatives == ("2", "1")
    assert parse_document({"a": ("1", "1")}, "reference").has_one_of is False
    assert len(parse_document({"a": [("1", "2"), ("3", "4")]}, "reference").ungrouped) == 2
    assert parse_document({"a": {"$any_of": ["1", {"value": "2", "confidence": 1}]}}, "reference").has_one_of
    # a prediction's is an object like any other
    assert read({"a": {"$any_of": ["1"]}}) == ([], {"a": [[("a.$any_of", "1")]]})


@pytest.mark.parametrize(
    ("value", "message"),
    [
        ({"g": {"a": ("1", {"b": "2"})}}, "entity 'g.a': alternatives must be single values, got an object"),
        ({"a": (["1"], "2")}, "entity 'a': alternatives must be single values, got a list"),
        ({"a": {"$any_of": "12"}}, r"entity 'a': \$any_of must hold a list, got '12'"),
        ({"a": object()}, "entity 'a': expected text, a number, a boolean, a list or an object, got object"),
        ({"a": 10**5000}, "entity 'a': expected a number of at most 4,300 digits, got a longer one$"),
    ],
)
def test_malformed_references(value: Any, message: str) -> None:
    with pytest.raises(DocumentError, match=f"^{message}"):
        parse_document(value, "reference")


@pytest.mark.parametrize("kind", ["objects", "lists", "both", "root lists"])
def test_depth_is_bounded(kind: str) -> None:
    def nested(levels: int) -> Any:
        value: Any = "x"
        for level in range(levels):
            in_list = kind.endswith("lists") or (kind == "both" and level % 2)
            value = [value] if in_list else {"k": value}
        return {"a": value if kind == "root lists" else {"b": value}}

    inside = MAX_DEPTH - (1 if kind == "root lists" else 2)
    document = parse_document(nested(inside), "prediction")
    [(_, value, _)] = document.groups["a"][0] if document.groups else document.ungrouped
    assert value == "x"
    for levels in (inside + 1, 10_000):
        with pytest.raises(DocumentError, match=f"nested more than {MAX_DEPTH} levels deep") as error:
            parse_document(nested(levels), "prediction")
        assert "\n" not in str(error.value)
        assert len(str(error.value)) < 200


def test_an_object_that_contains_itself_is_an_error() -> None:
    value: dict[str, Any] = {}
    value["g"] = value
    with pytest.raises(DocumentError, match="nested more than"):
        parse_document(value, "prediction")


def test_normalisation_comes_after_reading() -> None:
    options: dict[str, Any] = {"normalize": lambda kind, text: text.strip("-").lower()}
    assert read({"a": "X-", "g": {"b": "--"}}, **options) == ([("a", "x")], {})
    assert read({"a": ["--", "x"], "g": [{"b": "- -", "c": "y"}]}, normalize=lambda kind, text: text.replace("-", "")) == (
        [("a", "x")], {"g": [[("g.c", "y")]]}
    )  # fmt: skip
    [(_, value, _)] = parse_document({"a": ("X", "x-", "y")}, "reference", **options).ungrouped
    assert isinstance(value, OneOf)
    assert value.alternatives == ("x", "y")
    assert parse_document({"a": ("X", "x-")}, "reference", **options).ungrouped == [("a", "x", NO_CONFIDENCE)]


def test_errors_survive_pickling() -> None:
    error = DocumentError("no good", entity="a.b", side="reference", document=3)
    copy = pickle.loads(pickle.dumps(error))
    assert str(copy) == str(error) == "document 3, entity 'a.b': no good"
    assert copy.side == "reference"
