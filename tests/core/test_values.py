"""Deep JSON, and values of other packages."""

from __future__ import annotations

import datetime
import json
import sys
from collections.abc import Callable
from functools import partial
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import docie
from docie import anls_star, hed, kieval, nted
from docie.adapters import donut, llm
from docie.core.values.json_text import MAX_DEPTH, TEXT_DEPTH, as_json, check_nesting, loads, may_be_deep
from docie.core.values.plain import plain_value, scalar_text

from sizes import examples

BRACKETS = [
    "[" * TEXT_DEPTH + "]" * TEXT_DEPTH,
    '["' + "[" * 1000 + '", "\\"[[", {}]',
    "[" + "[{}], " * 1000 + "1]",
    json.dumps(["[", "{\\", '"', '"[{', "]", '\\"}', '["é'] * 200),
    json.dumps([json.dumps([{"a": ["]", '"}']}] * 300)] * 5),
    json.dumps({"a": ["[" * 500, {'"\\"': ["{" * 500]}]}),
]


@pytest.mark.parametrize("text", BRACKETS)
def test_brackets_that_are_no_nesting(text: str) -> None:
    check_nesting(text)
    assert loads(text) == json.loads(text)


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("[" * 200_000, f"column {TEXT_DEPTH + 1}"),
        ('{"]": [' * 200, f"column {7 * TEXT_DEPTH // 2 + 1}"),
        ('{"\\"}": ' * 200, f"column {8 * TEXT_DEPTH + 1}"),
        ('["]",\n ' * 200, f"line {TEXT_DEPTH + 1}, column 2"),
        ('["\\\\",' * 200 + "]" * 200, f"column {6 * TEXT_DEPTH + 1}"),
    ],
)
def test_text_that_is_nested_too_deep(text: str, place: str) -> None:
    """It is refused before it is parsed."""
    for _ in range(3):
        with pytest.raises(ValueError, match=f"^nested more than 100 levels deep [(]{place}[)]$"):
            loads(text)
    assert may_be_deep(text)
    for before in ('5" ', '"', "{" * 50):  # where JSON begins in prose
        assert may_be_deep(before + text)


JSON_TEXT = st.recursive(
    st.text('[]{}"\\,é', max_size=6),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text('[{"}]\\'), inner),
)


@given(JSON_TEXT, st.integers(0, 2 * TEXT_DEPTH), st.integers(0, 200), st.text('{}[]"', max_size=5))
@examples(300)
def test_the_levels_of_any_text(value: Any, levels: int, width: int, before: str) -> None:
    def depth(value: Any) -> int:
        children = value.values() if isinstance(value, dict) else value if isinstance(value, list) else None
        return 0 if children is None else 1 + max(map(depth, children), default=0)

    value = [value] * (width + 1)
    for _ in range(levels):
        value = {'"]{': value, "[": "[}"}
    text = json.dumps(value)
    if depth(value) <= TEXT_DEPTH:
        assert loads(text) == value
    else:
        assert may_be_deep(before + text)
        with pytest.raises(ValueError, match="^nested more than 100 levels deep"):
            loads(text)


def called(calls: int, work: Callable[[], Any]) -> Any:
    return called(calls - 1, work) if calls else work()


SHAPES: dict[str, Any] = {
    "objects": lambda value: {"a": value},
    "objects of several": lambda value: {"a": value, "b": "y"},
    "lists": lambda value: [value],
    "lists of several": lambda value: [value, "b"],
    "lists of many": lambda value: [value, *"bcdefgh"],
}


@pytest.mark.parametrize("shape", SHAPES)
def test_the_deepest_documents_need_little_of_the_stack(shape: str) -> None:
    """Python allows 1,000 calls, of which a program that trains a model has used some."""
    document, other = "x", "y"
    for _ in range(MAX_DEPTH - 1):
        document, other = SHAPES[shape](document), SHAPES[shape](other)
    one, another = {"a": document}, {"a": other}
    text = json.dumps(one)
    work: list[Callable[[], Any]] = [
        lambda: loads(as_text(one)),
        lambda: llm.to_document(text, schema={"properties": {"a": {"$ref": "#"}, "b": {}}}),
        lambda: llm.to_document(f"Here: {text}", token_scores=[(text, 0.5)]),
        lambda: donut.to_document(donut.to_sequence(one)),
        lambda: donut.token2json(donut.to_sequence(one)),
        lambda: docie.load("anls_star").compute(predictions=[one], references=[another]),
        lambda: anls_star.closest(one, another),
    ]
    for family in (anls_star, kieval, nted, hed):
        work += [partial(family.count, one, another), partial(family.explain, one, another)]
    for call in work:
        before = sys.getrecursionlimit()
        called(300, call)
        assert sys.getrecursionlimit() == before


def as_text(value: object) -> str:
    return json.dumps(as_json(value, is_reference=True))


def test_scalars_of_pyarrow() -> None:
    pyarrow = pytest.importorskip("pyarrow")
    values = pyarrow.array([{"a": 1.5, "b": ["x", None]}])
    assert plain_value(values[0]) == {"a": 1.5, "b": ["x", None]}
    assert plain_value(values) == [{"a": 1.5, "b": ["x", None]}]
    assert [scalar_text(value) for value in pyarrow.array(["x", None])] == ["x", None]
    assert scalar_text(pyarrow.scalar(datetime.date(2023, 12, 31))) == "2023-12-31"
    with pytest.raises(TypeError, match="^expected text, a number, "):
        plain_value(pyarrow.scalar(b"x"))


def test_json_of_what_contains_itself() -> None:
    cycle: dict[str, Any] = {}
    cycle["a"] = [cycle, cycle]
    with pytest.raises(ValueError, match="^nested more than 100 levels deep$"):
        as_json(cycle, is_reference=False)


def test_what_holds_one_list_very_many_times(monkeypatch: pytest.MonkeyPatch) -> None:
    """40 lists, each twice in the next one, are a million million values for whoever walks through them."""
    value: Any = "x"
    for _ in range(40):
        value = [value, value]
    for module in (
        "docie.core.values.json_text",
        "docie.documents.leaves",
        "docie.adapters.parsed",
    ):
        monkeypatch.setattr(f"{module}.MAX_VALUES", 1000)
    refused: list[Callable[[], Any]] = [lambda: anls_star.count({"a": value}, {}), lambda: kieval.count({}, {"a": value}), lambda: kieval.count({"a": {"b": value}}, {}), lambda: as_json({"a": value}, is_reference=False)]  # fmt: skip
    for call in refused:
        with pytest.raises(ValueError, match="more than 10,000,000 values$"):
            call()
    assert "which is behind more than 10,000,000 values" in " ".join(llm.to_document({"a": value}).issues)
