"""Answers of language models → documents: what is read, repaired, dropped and taken, and that nothing raises."""

from __future__ import annotations

import datetime
import decimal
import fractions
import json
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from docie.adapters import llm
from docie.adapters.parsed import scorable
from docie.core.values.json_text import MAX_DEPTH

from answers import check_scorable, leaves, values
from sizes import examples, length

LONG = "9" * 6000


@pytest.mark.parametrize(
    ("answer", "document", "issues"),
    [
        ({"a": 1}, {"a": 1}, 0),
        ('{"a": 1}', {"a": 1}, 0),
        (' {"a": 1}\n', {"a": 1}, 0),
        ('{"a": NaN, "b": 1e999}', {"a": pytest.approx(float("nan"), nan_ok=True)}, 1),
        (b'{"a": "\xc3\xa9"}', {"a": "é"}, 0),
        (b'{"a": "\xff"}', {"a": "\ufffd"}, 0),
        ('```json\n{"a": "}"}\n```', {"a": "}"}, 1),
        ('```json\n{"a": "}",}\n```', {"a": "}"}, 2),
        ('Sure! {"a": {"b": 1}} Anything else?', {"a": {"b": 1}}, 1),
        ([{"a": 1}], {"a": 1}, 1),
        ('[{"a": 1}]', {"a": 1}, 1),
        ('["page", {"a": 1}, {"a": 2}]', {"a": [1, 2]}, 1),
        ([{"nm": "x", "cnt": 1}, {"nm": "y"}], {"nm": ["x", "y"], "cnt": 1}, 1),
        ('"{\\"a\\": 1}"', {"a": 1}, 0),
        ("{}", {}, 0),
        ("", None, 1),
        (None, None, 1),
        (12, None, 1),
        ({1, 2}, None, 1),
        (object(), None, 1),
        ("null", None, 1),
        ("[1, 2]", None, 1),
        ("I cannot read this {image}.", None, 1),
        ('"Result": {"a": 1}', {"a": 1}, 1),
        ("{" * 100_000, None, 1),
        ("9" * 5000, None, 1),
        (datetime.date(2023, 12, 31), None, 1),
        (np.array([{"a": 1}]), {"a": 1}, 1),
    ],
)
def test_answers(answer: object, document: Any, issues: int) -> None:
    parsed = llm.to_document(answer)
    assert parsed.document == document
    assert len(parsed.issues) == issues


PAIR = '{"vendor": "Juniper", "total": "12.00"}'
JUNIPER = {"vendor": "Juniper", "total": "12.00"}


@pytest.mark.parametrize(
    ("answer", "document", "issue"),
    [
        ('First {"a": 1}, better: {"a": 2}', {"a": 2}, "took JSON object 2 of 2"),
        ('{"a": 1}\n{"a": 2}', {"a": 2}, "took JSON object 2 of 2"),
        ("So: {\"a\": 1} or rather {'a': 2}", {"a": 2}, "took JSON object 2 of 2"),  # repaired as good as valid
        ('Use {braces}: {\'b\': {"c": 3}} and {"a": 1}', {"a": 1}, "took JSON object 2 of 2"),
        (f'{PAIR}\n\nNote: I left out {{"tax": "0"}}', JUNIPER, "took JSON object 1 of 2"),
        (f'```json {PAIR}\n```\nI left out {{"tax": "0"}}', JUNIPER, "took JSON object 1 of 2"),
        (f"{PAIR}\nIf there were no fields I'd return {{}}.", JUNIPER, "took JSON object 1 of 2"),
        (f"{PAIR}\nIf there were no fields:\n{{}}", JUNIPER, "took JSON object 1 of 2"),
        ("So: {'a': 1} or rather {'a': 2}, or {'a': 3", {"a": 2}, "took JSON object 2 of 3"),  # complete before cut off
        ("```\n{'a': 'x\n```\nAgain:\n```\n{'a': 'y\n```", {"a": "y"}, "took JSON object 2 of 2"),
        ('```json\n{"a": "cut\n```\nOnce more:\n```json\n{"a": 1}\n```', {"a": 1}, "took JSON object 2 of 2"),
        (
            '{"a": 1,}}, {"b": 2}, {"c": 3}], "d": 4}',
            {"a": 1},
            "dropped the text around the JSON object",
        ),  # its parts follow
    ],
)
def test_one_of_several(answer: str, document: Any, issue: str) -> None:
    parsed = llm.to_document(answer)
    assert parsed.document == document
    assert issue in parsed.issues


@pytest.mark.parametrize(
    ("answer", "document"),
    [
        (f'<think>Maybe {{"vendor": "X"}}</think>\n{PAIR[:-1]},}}', JUNIPER),
        (f'<think>Maybe {{"vendor": "X"}}</think>\n{PAIR[:-6]}', {"vendor": "Juniper", "total": "1"}),
        (f"<think>{{vendor: ?, total: ?}}</think>\n{PAIR}", JUNIPER),
        (f"<think>{{vendor: ?, total: ?}}</thinking>{PAIR} <reasoning> {{}} </reasoning>{PAIR}", JUNIPER),
        ('<think>Maybe {"vendor": "X"}</think>\n{“vendor”: “Juniper”, “total”: “12.00”}', JUNIPER),
    ],
)
def test_thoughts_do_not_count(answer: str, document: Any) -> None:
    parsed = llm.to_document(answer)
    assert parsed.document == document
    assert parsed.issues[0] == "dropped the thoughts beside the answer"


MARKS = [
    ("<think>", "</think>"),
    ("<Thinking>", "</Thinking>"),
    ("<thought>", "</thought>"),
    ("<reasoning>", "</reasoning>"),
    ("<seed:think>", "</seed:think>"),
    ("[THINK]", "[/THINK]"),
    ("◁think▷", "◁/think▷"),
    ("<|START_THINKING|>", "<|END_THINKING|>"),
    ("<|begin_of_thought|>", "<|end_of_thought|>"),
    ("<|channel|>analysis<|message|>", "<|end|><|start|>assistant<|channel|>final<|message|>"),
    ("<|channel|>analysis<|message|>", "<|end|><|start|>assistant<|channel|>final <|constrain|>json<|message|>"),
    ("<|channel>thought\n", "<channel|>"),
    ("<|open|>think<|sep|>", "<|close|>think<|sep|>"),
]
NO_ANSWER = (None, ["no JSON object beside the thoughts"])


@pytest.mark.parametrize(("opening", "closing"), MARKS)
def test_thoughts_are_no_answer(opening: str, closing: str) -> None:
    other = '{"vendor": "X"}'
    for thoughts in (
        f"{opening}{PAIR}",
        f"{opening}{PAIR}{closing}",
        f"{PAIR}{closing}",
        f"{opening}Or: {PAIR}{closing} Done.",
    ):
        assert llm.to_document(thoughts) == NO_ANSWER
    for answer in (f"{opening}{other}{closing}{PAIR}", f"{other}{closing}{PAIR}", f"{PAIR}{opening}{other}{closing}",
                   f"{PAIR} {opening}{other}", f"{opening}{other}{closing}{PAIR}{opening}{other}",
                   f"{opening} {opening}{other}{closing} {other}{closing}{PAIR}"):  # fmt: skip
        document, issues = llm.to_document(answer)
        assert (document, issues[0]) == (JUNIPER, "dropped the thoughts beside the answer")


def test_marks_of_thoughts_in_values_are_values() -> None:
    assert llm.to_document('{"note": "<think>", "total": "1"}') == ({"note": "<think>", "total": "1"}, [])
    assert llm.to_document('Here: {"note": "<think>", "total": "1"}').document == {"note": "<think>", "total": "1"}


@pytest.mark.parametrize(
    ("answer", "document", "issue"),
    [
        ('```json\n[{"a": 1}, {"a": 2}]\n```', {"a": [1, 2]}, "merged 2 JSON objects of a list"),
        ('[\n  {"a": 1},\n  {"a": 2,}\n]', {"a": [1, 2]}, "merged 2 JSON objects of a list"),
        ("[{'a': 1}, {'b': {'c': 2}}, {'a': 1}]", {"a": 1, "b": {"c": 2}}, "merged 3 JSON objects of a list"),
        ('[{"a": 1}, {"b": 2', {"a": 1, "b": 2}, "merged 2 JSON objects of a list"),
        ('[{"a": 1}, {"b":', {"a": 1}, "added the end, which is missing"),
        ('Note {"x": 0}\n[{"a": 1}, {"b": 2,}]\nor {"y": 0}', {"a": 1, "b": 2}, "took JSON object 2 of 3"),
    ],
)
def test_lists(answer: str, document: Any, issue: str) -> None:
    parsed = llm.to_document(answer)
    assert parsed.document == document
    assert issue in parsed.issues


@pytest.mark.parametrize(
    ("answer", "document"),
    [
        ("{“a”: “1”, “b”: 2}", {"a": "1", "b": 2}),
        ("{‘a’: ‘1’, „b“: 2}", {"a": "1", "b": 2}),
        ("｛＂a＂：＂1＂，＂b＂：2｝", {"a": "1", "b": 2}),
        ("{&quot;a&quot;: &quot;1&quot;}", {"a": "1"}),
        ('{\\"a\\": \\"say \\\\\\"hi\\\\\\"\\",\\n \\"b\\": 2}', {"a": 'say "hi"', "b": 2}),
        ('```json\n"{\\"a\\": \\"1\\"}"\n```', {"a": "1"}),
        ('{“a”: "“1” and “2” …"}', {"a": '"1" and "2" …'}),
    ],
)
def test_other_signs(answer: str, document: Any) -> None:
    parsed = llm.to_document(answer)
    assert parsed.document == document
    assert parsed.issues[0] == "read other quotes, escapes or full-width signs as those of JSON"


def test_signs_of_a_text_stay() -> None:
    assert llm.to_document('{"a": "“1”: ‘2’，\\\\n", "b": “2”,}').document == {"a": "“1”: ‘2’，\\n", "b": "2"}


@pytest.mark.parametrize(
    ("answer", "document"),
    [
        ('{"vendor: "Juniper", "total": "1"}', {"vendor": "Juniper", "total": "1"}),
        ('{Invoice No: "1", Total Sum: "2"}', {"Invoice No": "1", "Total Sum": "2"}),
        ('{1: "A", 2: "B"}', {"1": "A", "2": "B"}),
        ("The form {vendor, total} is empty.", None),
        ('{"}', None),
    ],
)
def test_a_garbled_first_key(answer: str, document: Any) -> None:
    assert llm.to_document(answer).document == document


@pytest.mark.parametrize(
    ("answer", "document"),
    [
        ('{"a": 1, /* b */ "b": [1, 2,], // c\n "c": {"d": 2,}, # d\n}', {"a": 1, "b": [1, 2], "c": {"d": 2}}),
        ('{"a": "http://x.y", "b": "#4" "c": 1\n"d": [1, 2 "x" "y"]}', {"a": "http://x.y", "b": "#4", "c": 1, "d": [1, 2, "x", "y"]}),
        ("{'a': 'O'Brien\\'s', b: None, c: True, 'd': [False]}", {"a": "O'Brien's", "b": None, "c": True, "d": [False]}),
        ('{"a": -Infinity, "b": nan, c: undefined, "d": FALSE}', {"b": pytest.approx(float("nan"), nan_ok=True), "c": None, "d": False}),
        ('{a: 60,000, b: 4.50, c: .5, d: 007, e: 1e5, f: Flat White, g: -1}', {"a": "60,000", "b": 4.5, "c": ".5", "d": "007", "e": 1e5, "f": "Flat White", "g": -1}),
        ('{"a": %s, "b": 1}' % ("9" * 5000), {"a": "9" * 5000, "b": 1}),
        ('{"a": "x, "b": "y"}', {"a": "x", "b": "y"}),
        ('{"a": "x\n "b": "y"}', {"a": "x", "b": "y"}),
        ('{"a": x", "b": y}', {"a": "x", "b": "y"}),
        ('{"a": "say "hi", please", "b": 1}', {"a": 'say "hi", please', "b": 1}),
        ('{"m": [{"a": "1}, {"a": "2"}], "t": 3}', {"m": [{"a": "1"}, {"a": "2"}], "t": 3}),
        ('{"m": ["1, "2"], "t": ["3], "u": 4}', {"m": ["1", "2"], "t": ["3"], "u": 4}),
        ('{"t": {"a": "1}}', {"t": {"a": "1"}}),
        ('{"m": [{"a": "1"}, "b": "2"}, {"a": "3", "b": "4"]}', {"m": [{"a": "1", "b": "2"}, {"a": "3", "b": "4"}]}),
        ('{"m": [{"a": "1", {"a": "2"}]}', {"m": [{"a": "1"}, {"a": "2"}]}),
        ('{"m": [{"a": "1"}}, {"a": "2"}]}', {"m": [{"a": "1"}, {"a": "2"}]}),
        ('{"m": ["a": "1", "b": "2"]}', {"m": [{"a": "1", "b": "2"}]}),
        ('{"m": ["1", "b": "2"}', {"m": ["1"], "b": "2"}),
        ('{"a": "1"}, "b": "2"}', {"a": "1", "b": "2"}),
        ('{{"a": "1", "b": {{"c": "2"}}}}', {"a": "1", "b": {"c": "2"}}),
        ('"a": "1", "b": {"c": "2"}}', {"a": "1", "b": {"c": "2"}}),
        ('{"m": [{"n: "A", "q": 1}, {"n": "B", "q": 2}], "t": "3"}', {"m": [{"n": "A", "q": 1}, {"n": "B", "q": 2}], "t": "3"}),
        ('{"m": [{1: "A"}, {Invoice No: "B"}], "t": "3"}', {"m": [{"1": "A"}, {"Invoice No": "B"}], "t": "3"}),
        ('{a: "x", "b": "y"} It says "z", "c": is not legible.', {"a": "x", "b": "y"}),
        ('{"a": "x", ..., "b": "y"}', {"a": "x", "b": "y"}),
        ('{"a": "x", …}', {"a": "x"}),
        ('{"m": [{"n": "A"}, {"n": "B"}, ...], "t": "3"}', {"m": [{"n": "A"}, {"n": "B"}], "t": "3"}),
        ('{"m": [1, "x", ...\n], "t": "wait..."}', {"m": [1, "x"], "t": "wait..."}),
        ('{"a": 1 # 2\n, "m": [1, 2 // two\n, 3], "b": 3 /* c */}', {"a": 1, "m": [1, 2, 3], "b": 3}),
        ('{a: 7 #4\n, "b": y}', {"a": "7 #4", "b": "y"}),
        ('{"a": 7 #4, "b": y}', {"a": "7 #4", "b": "y"}),
        ('{"a": "x" // it\'s "a"\n, "b": "y"}', {"a": "x", "b": "y"}),
        ('{"a": "Jl. Raya 5\nTel: 021", "b": "1"}', {"a": "Jl. Raya 5\nTel: 021", "b": "1"}),
        ('{"a": "see {x} or {y}", "b": "see" {z}"}', {"a": "see {x} or {y}", "b": 'see" {z}'}),
        ('{"a": "C:\\dir \\u00e9\\ud83d\\ude00", \'b\': "two\nlines"}', {"a": "C:\\dir é😀", "b": "two\nlines"}),
        ('{"a": , "b": [,1,,2], "c"}', {"b": [1, 2]}),
    ],
)  # fmt: skip
def test_repairs(answer: str, document: Any) -> None:
    parsed = llm.to_document(answer)
    assert parsed.document == document
    assert parsed.issues


@pytest.mark.parametrize(
    ("answer", "value"),
    [
        ('{"a": tr', True),
        ('{"a": fals', False),
        ('{"a": nu', None),
        ('{"a": n', "n"),
        ('{"a": N', "N"),
        ("{name: T", "T"),
        ('{"a": No', "No"),
        ('{"a": no', "no"),
        ('{"a": "x\\', "x"),
        ('{"a": "x\\u', "x"),
        ('{"a": "x\\u00e', "x"),
        ('{"a": "x\\u00e9', "xé"),
        ('{"a": "x\\\\', "x\\"),
        ('{"a": "x\\\\u00', "x\\u00"),
    ],
)
def test_what_is_cut_off_is_not_guessed(answer: str, value: Any) -> None:
    document = llm.to_document(answer).document
    assert isinstance(document, dict)
    assert list(document.values()) == [value]


def test_no_comma_is_missed_where_the_text_ends() -> None:
    parsed = llm.to_document('{"a": "x", "b')
    assert parsed == ({"a": "x"}, ["dropped text that is neither a key nor a value", "added the end, which is missing"])


WHOLE = '{"shop": "Juniper", "items": [{"nm": "Latte", "opt": ["oat"]}, {"nm": "Mocha", "n": 2}], "paid": true, "tip": null}'


@pytest.mark.parametrize("end", range(12, len(WHOLE)))
def test_a_text_that_ends_too_soon(end: int) -> None:
    """Every value before the cut is there, the one at the cut begins as it did, nothing else is."""
    parsed = llm.to_document(WHOLE[:end])
    whole, found = dict(leaves(json.loads(WHOLE))), dict(leaves(parsed.document))
    before = [path for path, *_, stop in values(WHOLE) if stop < end]
    assert all(found.get(path) == whole[path] for path in before)
    for path in found.keys() - set(before):
        text, cut = (value if isinstance(value, str) else json.dumps(value) for value in (whole[path], found[path]))
        assert text.startswith(cut)
    assert parsed.issues


@pytest.mark.parametrize(
    ("answer", "document"),
    [
        ('{"item": {"nm": "a"}, "item": {"nm": "b"}}', {"item": [{"nm": "a"}, {"nm": "b"}]}),
        ('{"item": {"nm": "a"}, "item": {"nm": "a"}}', {"item": [{"nm": "a"}, {"nm": "a"}]}),
        ('{"item": [{"nm": "a"}], "item": [{"nm": "b"}]}', {"item": [{"nm": "a"}, {"nm": "b"}]}),
        ('{"total": "1", "total": "1"}', {"total": "1"}),
        ('{"total": "1", "total": "2"}', {"total": ["1", "2"]}),
        ('{"total": "1", "total": null}', {"total": "1"}),
        ('{"total": null, "total": null}', {"total": None}),
        ('{"total": 1, "total": true}', {"total": [1, True]}),
    ],
)
@pytest.mark.parametrize("broken", [False, True])
def test_repeated_keys(answer: str, document: Any, broken: bool) -> None:
    parsed = llm.to_document(answer[:-1] + ",}" if broken else answer)
    assert parsed.document == document
    assert "repeated key" in "".join(parsed.issues)


@pytest.mark.parametrize(
    ("confidence", "read"),
    [
        (0, 0), (1, 1), (0.5, 0.5), (None, None),
        ("0.95", 0.95), ("0,95", 0.95), ("95%", 0.95), (" 95 % ", 0.95), ("9%", 0.09), (95, 0.95), ("95", 0.95), (100, 1.0), (10.5, 0.105),
        (1.7, None), (10, None), ("9", None), (101, None), ("101%", None), (-0.1, None), ("-5", None), ("high", None), ("", None),
        (True, None), (float("nan"), None), (float("inf"), None), ([0.5], None), ({"x": 1}, None), (10**400, None), ({1}, None),
        (np.float32(0.5), 0.5), (decimal.Decimal("0.5"), 0.5),
    ],
)  # fmt: skip
def test_confidences(confidence: Any, read: float | None) -> None:
    parsed = llm.to_document({"menu": [{"nm": {"value": "Latte", "confidence": confidence, "page": 1}}]})
    assert parsed.document == {"menu": [{"nm": {"value": "Latte", "confidence": read, "page": 1}}]}
    plain = type(confidence) in (int, float, type(None), np.float32, decimal.Decimal)
    assert len(parsed.issues) == (0 if plain and confidence == read else 1)
    assert all("'menu.nm'" in issue for issue in parsed.issues)
    check_scorable(parsed.document)


def nested(depth: int) -> Any:
    value: Any = "x"
    for _ in range(depth):
        value = {"a": value}
    return value


class Strange:
    """A value whose every attribute and conversion raises."""

    def __getattr__(self, name: str) -> Any:
        raise RuntimeError(name)

    def __repr__(self) -> str:
        raise RuntimeError


def cyclic() -> dict[str, Any]:
    value: dict[str, Any] = {"x": "1"}
    value |= {"a": value, "b": [value]}
    return value


@pytest.mark.parametrize(
    ("value", "document", "issues"),
    [
        ({"a": datetime.date(2023, 12, 31), "b": decimal.Decimal("1.50"), "c": np.int64(3)}, {"a": "2023-12-31", "b": 1.5, "c": 3}, 0),
        ({"a": np.float32(12.3), "b": fractions.Fraction(1, 2), "c": decimal.Decimal("2.0")}, {"a": 12.3, "b": 0.5, "c": 2}, 0),
        ({"a": ("x", "y"), "b": np.array([1.5, 2.0])}, {"a": ["x", "y"], "b": [1.5, 2.0]}, 0),
        ({1: "x", None: "y", np.int64(4): "w", 0.5: "v"}, {"1": "x", "null": "y", "4": "w", "0.5": "v"}, 0),
        ({("a", "b"): "x", b"c": "y", "d": "z"}, {"d": "z"}, 2),
        ({"a": {1, 2}, "b": b"x", "c": 1j, "d": [object(), "x"], "e": Strange()}, {"d": ["x"]}, 5),
        ({"a": np.longdouble(1.5), "b": np.clongdouble(1)}, {"a": 1.5}, 1),
        ({"a": 10**5000, "b": [-(10**5000), 10**4000]}, {"b": [10**4000]}, 2),
        ({"a": {"value": {1}, "confidence": 0.5}, "b": {"value": np.int64(2), "confidence": 1}}, {"b": {"value": 2, "confidence": 1}}, 1),
        (cyclic(), {"x": "1", "b": []}, 2),
        (nested(MAX_DEPTH), nested(MAX_DEPTH), 0),
        ('{"a": "\\ud800", "\\udc00": "x\\u0000"}', {"a": "\ud800", "\udc00": "x\0"}, 0),
    ],
)  # fmt: skip
def test_strange_values(value: Any, document: Any, issues: int) -> None:
    parsed = llm.to_document(value)
    assert json.dumps(parsed.document) == json.dumps(document)
    assert len(parsed.issues) == issues
    check_scorable(parsed.document)


@pytest.mark.parametrize("depth", [MAX_DEPTH + 1, 150, 3000, 100_000])
def test_what_is_nested_too_deep_is_dropped(depth: int) -> None:
    for answer in (
        nested(depth),
        '{"a": ' * depth + '"x"' + "}" * depth,
        '{"a": ' + "[" * depth,
        '{"z": ' + '{"a": ' * depth,
    ):
        parsed = llm.to_document(answer)
        assert any("levels deep" in issue for issue in parsed.issues)
        check_scorable(parsed.document)


JSON_VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=5), inner, max_size=4),
    max_leaves=12,
)


@given(st.dictionaries(st.text(max_size=5), JSON_VALUES, max_size=4), st.sampled_from([None, 1]), st.booleans())
@examples(500)
def test_valid_json_is_read_as_it_stands(document: dict[str, Any], indent: int | None, ascii_only: bool) -> None:
    text = json.dumps(document, indent=indent, ensure_ascii=ascii_only)
    for answer in (text, f"Here: {text}.", f"```json\n{text}\n```\nDone."):
        parsed = llm.to_document(answer)
        assert scorable(document)[0] == parsed.document
        assert [issue for issue in parsed.issues if "confidence" not in issue] == (
            [] if answer is text else ["dropped the text around the JSON object"]
        )


@given(st.text(alphabet="{}[]\"',:\\/*#a1 \n`", max_size=60))
@examples(2000)
def test_reading_never_raises(text: str) -> None:
    for answer in (text, '{"a": ' + text, '{"a": "' + text + '", "b": 1}'):
        parsed = llm.to_document(answer)
        assert parsed.issues or parsed.document is not None
        if parsed.document is not None:
            check_scorable(parsed.document)


SOUPS = ["{", '{"a":', '{"', "```json\n", '{"a": "x', "a: b,", "{a: b,", "//", "{// x\n", "[", '{"a":[', '"', "{x} ", '{"x} ',
         '{"a": {', '{"a":}', '{"a":1}', '{"a": "\\', '{"a": "b", x', "{'a':'b',", '{"a": "//\n', ", ", '{"a": [1,', "}]", "{“a”:"]  # fmt: skip
ROW = '{"menu.nm": "Iced Latte", "menu.cnt": "2", "menu.price": "4,500"}'


def long_answers(length: int) -> Iterator[str]:
    for soup in SOUPS:
        yield soup * (length // len(soup))
        yield '{"a": ' + soup * (length // len(soup))
        yield '{"a": ["' + soup * (length // len(soup))
    rows = '{"menu": [' + ", ".join([ROW] * (length // len(ROW))) + "]}"
    yield from (
        rows,
        rows[1:],
        "{menu" + rows[6:],
        rows[: length // 2] + '"' + rows[length // 2 :],
        rows[:-2],
        rows[:-1] + ",}",
    )
    yield '{"m": [{"a": 1}' + "".join(f', "k{number}": 1}}' for number in range(length // 12))


@length(400_000, 20_000)
def test_long_answers(length: int) -> None:
    for text in long_answers(length):  # in linear time, or this test runs for hours
        parsed = llm.to_document(text)
        assert parsed.issues or parsed.document is not None, text[:40]


def test_what_repeats_itself_without_end() -> None:
    assert llm.to_document('{"a":} ' * 19_999 + '{"b": 1,}').document == {"b": 1}
    assert llm.to_document('{"a":} ' * 20_001 + '{"b": 1,}').document == {}


def test_a_document_may_look_like_something_else() -> None:
    for answer in (
        '{"words": ["a"], "tags": ["B-x", 1]}',
        '{"$any_of": [{"a": 1}]}',
        '{"value": "x", "confidence": 7}',
        '{"": {"": [[]]}}',
        '{"a": {"$any_of": "x"}}',
        '{"a": {"$any_of": [{"b": 1}]}}',
    ):
        check_scorable(llm.to_document(answer).document)


def test_real_answers(cord: dict[str, list[Any]]) -> None:
    """Qwen2-VL's answers are read as they stand, and as they stood when a key lacks a comma before it."""
    for row in cord["qwen"]:
        text = json.dumps(row["prediction"], ensure_ascii=False)
        assert llm.to_document(row["prediction"]) == llm.to_document(text) == (row["prediction"], [])
        assert llm.to_document(text.replace('", "', '" "')).document == row["prediction"]


@pytest.mark.parametrize(
    ("answer", "document"),
    [
        ('{"a": 1}\n{"b": 2}', {"b": 2}),  # the last one
        ('{"a": 1}\n{}', {"a": 1}),  # that has content
        ('{"a": 1}\nas {"b": 2} is', {"a": 1}),  # and stands first on its line
        ('{"a": 1}\n{"b": "2', {"a": 1}),  # and is complete
        ('as {"a": 1} is\n{}', {"a": 1}),  # content comes before the place
        ('as {"a": 1} is\n{"b": "2', {"b": "2"}),  # the place before the end
    ],
)
def test_which_object_of_an_answer_is_taken(answer: str, document: Any) -> None:
    assert llm.to_document(answer).document == document


def test_an_empty_object_without_an_end_is_no_object() -> None:
    assert llm.to_document("The brace { opens an object.").document is None
    assert llm.to_document('Here: {"a": "1"}\nand {') == ({"a": "1"}, ["dropped the text around the JSON object"])
    assert llm.to_document('{"a": "1"}\n{"b').issues == ["dropped the text around the JSON object"]
    assert llm.to_document('{"a":') == (None, ["no JSON object"])  # cut off before its first value
    assert llm.to_document('{"a": "1"}\n{"b":').issues == ["dropped the text around the JSON object"]
    assert llm.to_document("Nothing: {}").document == {}


def test_a_number_too_long_for_python_is_text_with_an_issue() -> None:
    for answer in (f'{{"total": {LONG}}}', f'Here: {{"total": {LONG}, "date": '):
        parsed = llm.to_document(answer)
        assert isinstance(parsed.document, dict)
        assert parsed.document["total"] == LONG
        assert "read a number of 6,000 characters as text" in parsed.issues
