"""What is not all is never shown as all, and what is something never as nothing, wherever scores are shown."""

from __future__ import annotations

import math
import re
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from page_parts import parts

import docie
from docie import corpus, form_robustness, hed, tables
from docie.core.scores import rounded
from docie.show.section import Table, Text, percent

from checkout import ROOT
from cli_runs import lines, run_command

REFERENCE = {"text": "a" * 19_999 + "b"}
PREDICTION = {"text": "a" * 19_999 + "c"}
ALL = re.compile(r"\b1\.0{3,}|\b100(\.0)? ?%|\b1\.00\b")


@given(
    value=st.floats(-3, 3)
    | st.integers(-30, 30).map(lambda power: 1 - 2.0**-power)
    | st.sampled_from([0.0, 1.0, -1.0]),
    digits=st.integers(1, 6),
)
def test_what_is_shown_is_within_a_digit_and_never_all_of_what_is_not(value: float, digits: int) -> None:
    shown = float(rounded(value, digits))
    assert abs(shown - value) <= 10.0**-digits + 1e-12
    for limit in (0.0, 1.0, -1.0):
        assert (shown == limit) == (abs(value - limit) <= 1e-12)
    assert shown in (round(value, digits), shown if round(value, digits) in (0.0, 1.0, -1.0) else None)


@pytest.mark.parametrize(
    ("value", "options", "expected"),
    [
        (0.1 + 0.2 + 0.7, {}, "1.0000"),  # as floats add up
        (-0.0, {}, "0.0000"),
        (-1e-17, {"digits": 3}, "0.000"),
        (2.5, {}, "2.5000"),
        (1.04, {"digits": 1, "whole": math.inf}, "1.0"),
        (0.04, {"digits": 1, "whole": math.inf}, "0.1"),
        (99.99, {"digits": 1, "whole": 100}, "99.9"),
        (100.0, {"digits": 1, "whole": 100}, "100.0"),
        (99.7, {"digits": 0, "whole": 100}, "99"),
        (-0.99999, {"flags": "+"}, "-0.9999"),
        (math.nan, {}, "nan"),
        (math.inf, {}, "inf"),
    ],
)
def test_rounded(value: float, options: dict[str, Any], expected: str) -> None:
    assert rounded(value, **options) == expected


def test_percent() -> None:
    shares = (0.0, 1e-6, 0.5, 19_999 / 20_000, 1.0, -0.00001)
    assert [percent(value) for value in shares] == ["0.0", "0.1", "50.0", "99.9", "100.0", "-0.1"]


@pytest.fixture
def files(tmp_path: Path) -> list[str]:
    sides = {"references": REFERENCE, "near": PREDICTION, "nothing": {"text": "z"}}
    return [lines(tmp_path / f"{name}.jsonl", [side] * 6) for name, side in sides.items()]


@pytest.mark.parametrize("form", ["table", "markdown"])
def test_one_character_of_20_000(files: list[str], form: str) -> None:
    options = ("--metric", "hed", "--metric", "anls_star", "--metric", "nted", "--by-field")
    shown = run_command("score", *files[:2], *options, "--format", form).stdout
    assert "0.9999" in shown
    assert not ALL.search(shown)
    compared = run_command("compare", *files, "--metric", "hed", "--format", form).stdout
    assert "0.9999" in compared
    assert not ALL.search(compared)


def test_reports_and_plots() -> None:
    pytest.importorskip("matplotlib", reason="charts need matplotlib")
    from docie import plots

    systems: dict[str, list[Any]] = {"near": [PREDICTION] * 6, "other": [{}] * 6}
    result = docie.compare(references=[REFERENCE] * 6, systems=systems, metric="hed", documents=6)
    page = result.page()
    texts = [parts(page, "Verdict", Text)[0].text, *map(str, parts(page, "Verdict", Table))]
    assert "difference -0.9999" in texts[0]
    assert "0.9999" in texts[1]
    assert not any(ALL.search(text) for text in texts)
    assert [text.get_text() for text in plots.forest(result.to_dict()).texts] == ["-0.999*"]
    scored = corpus.evaluate(hed, [PREDICTION], [REFERENCE], breakdown=True)
    assert [text.get_text() for text in plots.per_field(scored).texts] == ["0.99"]


def test_pages() -> None:
    pytest.importorskip("jinja2")
    from docie.spaces.common.computing import Request, compute

    for family, reference, prediction in (
        ("hed", REFERENCE, PREDICTION),
        ("text_match", REFERENCE, PREDICTION),
        ("anls_star", REFERENCE, PREDICTION),
        ("oi_entities", [["text", REFERENCE["text"]]], [["text", PREDICTION["text"]]]),
    ):
        answer = compute(Request(family=family, predictions=[prediction], references=[reference]))
        assert not re.search(r"1\.0{4}|100 %", answer.sentence)
        assert re.search(r"0\.9999|0\.0001", answer.sentence + "".join(part.html for part in answer.parts))


def test_no_place_formats_scores_by_itself() -> None:
    found = [
        f"{path.relative_to(ROOT)}: {match}"
        for folder in ("src/docie", "spaces", "adapters")
        for path in (ROOT / folder).rglob("*")
        if path.suffix in (".py", ".j2", ".js")
        for match in re.findall(r"\{[^{}]*:[+,]*\.[1-9]f\}|%\.[2-9]f|toFixed", path.read_text(encoding="utf-8"))
    ]
    assert found == []


def test_averages_are_named() -> None:
    """`f1` is a macro average in form robustness, a micro average in entity F1, and their pages say so."""
    pytest.importorskip("jinja2")
    from docie.spaces.common.computing import Request, compute

    reference, prediction = {"a": ["1", "2", "3"], "b": "4"}, {"a": ["1", "2", "3"]}
    forms = [{"attacks": {"none": side, "key_drop": side}} for side in (prediction, reference)]
    attacked = compute(Request(family="form_robustness", predictions=forms[:1], references=forms[1:]))
    assert attacked.results["f1"] == 0.5
    assert "macro F1 0.5000" in attacked.parts[0].html
    plain = compute(Request(family="entity_f1", predictions=[prediction], references=[reference]))
    assert f": f1 {tables.number(plain.results['f1'])}, precision" in plain.sentence
    assert form_robustness.SCORES[0].meaning.startswith("Mean over fields")


def test_boxes_are_counted_as_they_were_entered() -> None:
    pytest.importorskip("jinja2")
    from docie.spaces.common.computing import Request, compute

    box = {"label": "a", "box": [0, 0, 4, 2]}
    words = [box | {"group": 1}, box | {"box": [5, 0, 9, 2], "group": 1}]
    others = [box | {"box": [0, y, 4, y + 2]} for y in (10, 20, 30)]
    answer = compute(Request(family="box_iou", predictions=[others[:2]], references=[[*words, *others]]))
    assert answer.sentence.startswith("2 of 4 boxes correct, 2 missing: f1 "), "a group is one box"
    assert "The boxes of a group count as one" in answer.parts[0].html
    alone = compute(Request(family="box_iou", predictions=[others[:2]], references=[others]))
    assert alone.sentence.startswith("2 of 3 boxes correct, 1 missing: f1 ")
