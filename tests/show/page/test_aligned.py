"""The aligned view: its numbers are KIEval's, its HTML is whole, and no text of a user gets out of its place."""

from __future__ import annotations

import re
import sys
from collections import Counter
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from docie import kieval, report
from docie.core.explanation import Fields, Group
from docie.metrics.kieval.corrections import KINDS
from docie.show.page import aligned_styles, aligned_view, output, rendering
from docie.show.page.data import KINDS as LOOKS_OF_KINDS

from real_documents import cord_pairs, docubench_pairs
from sizes import examples
from strategies import ONE_OFS, documents

TAGS = {"b", "bdi", "caption", "div", "em", "i", "p", "small", "span", "table", "tbody", "td", "th", "thead", "tr"}
ATTRIBUTES = {"aria-hidden", "class", "scope"}
CHARACTERS = st.characters(exclude_categories=())  # surrogates too
EVIL = ["<script>alert(1)</script>", "<img src=x onerror=alert(1)>", '"><b onclick="x">', "'><svg/onload=x>", "</td></table><h1>", "{{ 7 * 7 }}", "&lt;b&gt;", "\u202e00.21\u202c", "\u2066\u200f", "\0\x1b[31m\x85", "\ud800", "a\udfffb", "--> <!--", "javascript:alert(1)"]  # fmt: skip


OPERATIONS = {"incorrect": "substitutions", "missing": "additions", "spurious": "deletions"}


class Page(HTMLParser):
    """What a fragment of HTML holds. Tags that do not fit together fail."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.tags: Counter[str] = Counter()
        self.attributes: set[str] = set()
        self.classes: Counter[str] = Counter()
        self.rows: list[list[str]] = []
        self.feed(html)
        self.close()
        assert not self.open

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.open.append(tag)
        self.tags[tag] += 1
        self.attributes |= {name for name, _ in attrs}
        self.classes.update(name for key, value in attrs if key == "class" for name in (value or "").split())
        if tag == "tr":
            self.rows.append([])
        if tag in ("td", "th"):
            assert tag == "td" or dict(attrs)["scope"] in ("row", "col")
            self.rows[-1].append("")

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        if {"td", "th"} & {*self.open}:
            self.rows[-1][-1] += data


def groups_of(prediction: Any, reference: Any, settings: kieval.Settings | None = None) -> list[Group]:
    """What the view shows."""
    [fields] = kieval.explain(prediction, reference, settings or kieval.Settings()).drawings
    assert isinstance(fields, Fields)
    return [*fields.groups]


@examples(300)
@given(documents(), documents(ONE_OFS), st.sampled_from(["optimal", "greedy"]), st.sampled_from(["ignore", "count"]))
def test_the_numbers_are_those_of_the_score(prediction: Any, reference: Any, matching: Any, empty_groups: Any) -> None:
    check_numbers(prediction, reference, kieval.Settings(matching=matching, empty_groups=empty_groups))


def check_numbers(prediction: Any, reference: Any, settings: kieval.Settings | None = None) -> None:
    page = Page(aligned_view(prediction, reference, settings, most_entities=10_000))
    figures = kieval.score(kieval.count(prediction, reference, settings or kieval.Settings()))
    errors = sum(page.classes[f"docie-{kind}"] for kind in KINDS)
    assert (errors, page.classes["docie-correct"]) == (figures["corrections"], figures["true_positives"])
    assert page.tags["tr"] == errors + figures["true_positives"] + page.tags["thead"]


def test_the_numbers_of_real_documents(cord: dict[str, list[Any]], data: Path) -> None:
    for prediction, reference in [*cord_pairs(cord, "qwen")[::2], *docubench_pairs(data, "gemini")[::10]]:
        check_numbers(prediction, reference)


ITEM = {"n": "Tea", "p": "3"}


@pytest.mark.parametrize(
    ("prediction", "reference", "sentence"),
    [
        ({}, {}, "No value on either side: entity_f1 1.0000."),
        ({"a": "1"}, {}, "1 spurious: entity_f1 0.0000."),
        ({"a": "1"}, {"a": "1"}, "1 of 1 value correct: entity_f1 1.0000."),
        ({"a": "1", "b": "2"}, {"a": "1"}, "1 of 1 value correct, 1 spurious: entity_f1 0.6667."),
        ({"g": ITEM}, {"g": ITEM}, "2 of 2 values correct: entity_f1 1.0000."),
        ({"a": "2"}, {"a": "1"}, "0 of 1 value correct, 1 incorrect: entity_f1 0.0000."),
        ({"a": "1", "b": "3"}, {"a": "1", "b": "2"}, "1 of 2 values correct, 1 incorrect: entity_f1 0.5000."),
        ({"g": [ITEM, {"n": "X"}], "a": "7"}, {"g": [ITEM, {"n": "Y", "p": "4"}]}, "2 of 4 values correct, 1 incorrect, 1 missing, 1 spurious: entity_f1 0.5000."),
        ({}, {"a": [str(n) for n in range(1200)]}, "0 of 1,200 values correct, 1,200 missing: entity_f1 0.0000."),
    ],
)  # fmt: skip
def test_the_sentence_has_the_numbers_of_the_document(prediction: Any, reference: Any, sentence: str) -> None:
    assert f">{sentence}<" in aligned_view(prediction, reference)


def test_every_kind_is_shown_with_its_mark_and_its_name() -> None:
    prediction: dict[str, Any] = {"f": "12,00", "g": [{"n": "x", "p": "2"}, {"n": "y", "p": "1"}], "t": "7", "d": ["55", "55"], "v": "cosh", "i": "9"}  # fmt: skip
    reference: dict[str, Any] = {"f": "12.00", "g": [{"n": "x", "p": "1"}, {"n": "y", "p": "2"}], "u": "7", "d": "55", "v": "cash", "m": "Z"}  # fmt: skip
    prediction["o"], reference["o"] = ({"value": "8", "confidence": None, "page": page} for page in (1, 2))
    page = Page(aligned_view(prediction, reference, kieval.Settings(evidence="page")))
    assert {*KINDS} == {*LOOKS_OF_KINDS}
    for name, (mark, label) in LOOKS_OF_KINDS.items():
        assert page.classes[f"docie-{name}"], name
        assert any(row[0].startswith(mark) and label in row[0] for row in page.rows), name
    told = [
        ("≠v incorrect value", "cash", "cosh"),
        ("⇅t wrong type", "not in the reference", "7"),
        ("+m missing", "Z", "not predicted"),
        ("−i spurious", "not in the reference", "9"),
    ]
    for row in told:
        assert [*row] in page.rows, row
    assert ["✓n correct", "x", "x"] in page.rows


def test_a_right_value_that_is_written_differently_counts_as_equal() -> None:
    html = aligned_view({"a": "LATTE"}, {"a": "Latte"}, kieval.Settings(normalize="casefold"))
    assert ["✓a correct", "Latte", "LATTE counts as equal"] in Page(html).rows


def test_groups_are_named_with_their_numbers() -> None:
    prediction = {"g": [{"n": "Tea", "p": "3"}, {"n": "Latte", "p": "4"}], "h": {"x": "1"}}
    reference = {"g": [{"n": "Latte", "p": "5"}, {"n": "Tea", "p": "3"}, {"n": "Pie"}]}
    groups = groups_of(prediction, reference)
    assert [(group.name, group.note, group.heading, group.is_correct) for group in groups] == [
        ("g[0]", "predicted as g[1]", "1 of 2 correct, 1 incorrect", False),
        ("g[1]", "predicted as g[0]", "2 of 2 correct", True),
        ("g[2]", "only in the reference", "0 of 1 correct, 1 missing", False),
        ("h[0]", "only in the prediction", "1 spurious", False),
    ]
    html = aligned_view(prediction, reference)
    assert all(group.heading in html and group.note in html for group in groups)


def test_groups_without_values() -> None:
    groups = groups_of({"g": [{}, {}]}, {"g": [{}]}, kieval.Settings(empty_groups="count"))
    assert [(group.note, group.heading, group.is_correct) for group in groups] == [
        ("", "empty", True),
        ("only in the prediction", "empty", False),
    ]
    assert Page(aligned_view({"g": [{}, {}]}, {"g": [{}]}, kieval.Settings(empty_groups="count"))).tags["table"] == 2


def test_confidences_are_noted() -> None:
    leaf = {"value": "1", "confidence": 0.25, "page": 2, "box": [1, 2, 3.5, 4]}
    page = Page(aligned_view({"a": leaf, "b": {"value": "2", "confidence": 1}}, {"a": "1", "b": "3"}))
    assert [row[2] for row in page.rows] == ["Prediction", "1 confidence 0.25", "2 confidence 1"]


@pytest.mark.parametrize(("prediction", "got"), [(None, "nothing"), ("I see no receipt", "'I see no receipt'"), ([1], "[1]")])  # fmt: skip
def test_an_invalid_prediction_is_named(prediction: Any, got: str) -> None:
    explanation = kieval.explain(prediction, {"a": "1", "b": "2"})
    assert explanation.problem == f"The prediction is not a JSON object but {got}, so it counts as empty."
    assert explanation.sentence.startswith("0 of 2 values correct, 2 missing:")
    assert "not a JSON object" in aligned_view(prediction, {"a": "1"})
    assert "not a JSON object" not in aligned_view({}, {"a": "1"})


@pytest.mark.parametrize("text", EVIL)
def test_no_text_gets_out_of_its_place(text: str) -> None:
    leaf = {"value": text, "confidence": 0.5, "page": text, "box": text}
    everywhere = {text: text, f"{text}g": [{text: leaf, "n": "1"}], "a": f"1{text}"}
    html = aligned_view(everywhere, {text: f"{text}2", f"{text}g": [{text: text, "n": "1"}]}, document=text)
    html += aligned_view(text, {text: text}, document=text)
    check_html(html)
    if text.isprintable():
        assert any(text in cell for row in Page(html).rows for cell in row)


@examples(300)
@given(st.text(CHARACTERS, min_size=1, max_size=6), st.text(CHARACTERS, max_size=6))
def test_no_random_text_gets_out_of_its_place(prediction: str, reference: str) -> None:
    check_html(aligned_view({"a": prediction, prediction: "1"}, {"a": reference, "g": {prediction: "2"}}))


def check_html(html: str) -> None:
    page = Page(html)
    assert {*page.tags} <= TAGS
    assert page.attributes <= ATTRIBUTES
    assert all(name.startswith("docie-") for name in page.classes)
    assert page.tags["caption"] == page.tags["table"]
    html.encode("utf-8")
    assert not re.search(r"[\x00-\x09\x0b-\x1f\x7f-\x9f\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff]", html)


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        (" 12", "' 12'"),
        ("a b", "a b"),
        ("1\n2", "1\\n2"),
        ("1\x002", "1\\x002"),
        ("\u202e12", "\\u202e12"),
        ("1\ud8002", "1\\ud8002"),
    ],
)
def test_what_nobody_would_see_has_a_sign(value: str, shown: str) -> None:
    assert ["✓a correct", shown, shown] in Page(aligned_view({"a": value}, {"a": value})).rows


@pytest.mark.parametrize("most", [1, 3, 70])
def test_large_documents_are_bounded(most: int) -> None:
    prediction = {"g": [{"a": str(place), "b": "1"} for place in range(60)], "h": [{"c": "1"}] * 30}
    reference = {"g": [{"a": str(place), "b": "2"} for place in range(60)], "h": [{"c": "1"}] * 30}
    page = Page(html := aligned_view(prediction, reference, most_entities=most))
    assert page.classes["docie-value"] == min(most, 60), "errors come first"
    assert page.tags["tr"] - page.tags["thead"] == most
    assert f"Not shown: {150 - most} values." in html
    assert "90 of 150 values correct, 60 incorrect:" in html
    assert "Not shown" not in aligned_view(prediction, reference)


def test_long_values_are_bounded() -> None:
    value = "word " * 100_000
    assert len(aligned_view({"a": value, "b": value}, {"a": value, "b": value.upper()})) < 10_000


def test_what_is_asked_for_is_checked() -> None:
    with pytest.raises(ValueError, match="most_entities must be a whole number of at least 1, got 0"):
        aligned_view({}, {}, most_entities=0)


@pytest.mark.parametrize("package", ["jinja2"])
def test_a_missing_package_is_named_with_its_extra(package: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, package, None)
    output.imported.cache_clear()
    rendering.environment.cache_clear()
    with pytest.raises(ModuleNotFoundError, match=re.escape(f'{package}: pip install "docie[report]"')):
        output.imported(package)
    output.imported.cache_clear()


def test_styles_concern_nothing_else_on_a_page() -> None:
    styles = re.sub(r"/\*.*?\*/", "", aligned_styles(), flags=re.DOTALL)
    outermost = styles
    for _ in range(3):  # rules inside of rules concern what those concern
        outermost = re.sub(r"\{[^{}]*\}", ";", outermost)
    assert "{" not in outermost
    for selector in re.split(r"[;,](?![^()]*\))", outermost):
        assert not selector.strip() or ".docie-" in selector, selector
    assert {name for name in re.findall(r"\.([a-z][\w-]*)", styles) if not name.startswith("docie-")} <= {
        "gradio-container",
        "dark",
    }
    page = Page(aligned_view({"a": "1"}, {"a": "2"}, document="r"))
    assert page.classes["docie-aligned"] == 1
    assert "<script" not in aligned_view({}, {}) + styles
    assert "url(" not in styles


THEMES = dict(re.findall(r"--docie-([\w-]+): light-dark\((.+?)\)", aligned_styles()))
TINTS = ["surface", "raised"]


@pytest.mark.parametrize("theme", [0, 1], ids=["light", "dark"])
@pytest.mark.parametrize(
    ("text", "background"),
    [
        *((text, background) for text in ("text", "muted", "correct") for background in TINTS),
        *((name, f"{name}-tint") for name in ("replace", "add", "delete", "format", "move")),
        *((name, "surface") for name in ("replace", "add", "delete", "format", "move")),
        *(("text", area) for area in ("replace-tint", "better", "worse")),
    ],
)
def test_contrasts(theme: int, text: str, background: str) -> None:
    """WCAG 2.2, success criterion 1.4.3, level AA."""
    lighter, darker = sorted((luminance(THEMES[name].split(", ")[theme]) for name in (text, background)), reverse=True)
    assert (lighter + 0.05) / (darker + 0.05) >= 4.5


def luminance(color: str) -> float:
    """The relative luminance of "#rrggbb", as WCAG 2.2 defines it."""
    channels = [int(color[start : start + 2], 16) / 255 for start in (1, 3, 5)]
    linear = [value / 12.92 if value <= 0.04045 else ((value + 0.055) / 1.055) ** 2.4 for value in channels]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def test_the_same_names_are_public() -> None:
    assert {"aligned_styles", "aligned_view"} <= {*report.__all__}
