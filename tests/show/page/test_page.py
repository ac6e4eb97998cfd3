"""A page has every part of its sections, whatever its kind, and every text in it stays text."""

from __future__ import annotations

import json
import re
from typing import Any, get_args

import pytest
from page_data import documents_of, head_of

from docie import kieval
from docie.show.page.data import AT_FIRST, TOGETHER, document_text, unique_names
from docie.show.page.page import first_rows, render, with_bars
from docie.show.result import Page
from docie.show.section import (
    Axis,
    Beside,
    Chart,
    Details,
    Documents,
    Explained,
    Headline,
    Headlines,
    Heat,
    Part,
    Picture,
    Section,
    Series,
    Share,
    Slider,
    Table,
    Text,
)

MARK = "<b>marked"
CHART = Chart(MARK, Axis("x"), Axis("y"), [Series([(0, 1)])])
EXPLAINED = Explained(lambda: kieval.explain({"total": MARK}, {}))
TABLE = Table("t", ["name", "number"], [["a", MARK]])
PARTS: list[Any] = [
    Text(MARK),
    TABLE,
    Headlines([Headline("F1", "0.5", "", MARK)]),
    CHART,
    Slider(TABLE, 0, [CHART]),
    EXPLAINED,
    Picture(lambda: "<svg><text>&lt;b&gt;marked</text></svg>", "As it was"),
    Beside([EXPLAINED, Explained(lambda: kieval.explain({}, {}))]),
    Documents([document_text(MARK, [], "[]", {})], TABLE, systems=[MARK], patterns=[(MARK, [1])]),
    Details("more", [Text(MARK)]),
]


def page(*parts: Any) -> str:
    return render(Page("Title", "", [Section(parts, "First", "first")], []))


@pytest.mark.parametrize("part", PARTS, ids=lambda part: type(part).__name__)
def test_a_part_of_any_kind_is_shown_and_is_text(part: Any) -> None:
    html = page(part)
    assert "&lt;b&gt;marked" in html or "\\u003cb>marked" in html
    assert "<b>marked" not in html


def test_there_are_no_other_kinds() -> None:
    assert {type(part) for part in PARTS} == {*get_args(Part)}


def test_bars_remarks_and_short_rows() -> None:
    rows = [["form", "50.0 %", "1", "2"], ["value", "0.0 %", "none: too few"]]
    bars = [Share(0.5, 0.25, 0.75), Share(0.0)]
    html = page(Table("t", ["kind", "share", "x", "y"], rows, 2, bars, costs=True, remarks={"form": "why"}))
    assert html.count('<svg class="bar cost"') == 2
    assert html.count('class="range"') == 1, "the one with an interval"
    assert "25.0 – 75.0 %" in html
    assert re.search(r"form</bdi> <small>why</small></th>", html)
    assert '<td colspan="2"><bdi>none: too few</bdi></td></tr>' in html
    assert re.findall(r'<td class="number"><bdi>(.*?)</bdi></td>', html) == ["1", "2"]


def test_bars_on_both_sides_of_zero() -> None:
    table = Table("t", ["attack", "drop"], [["none", ""], ["a", "0.3"], ["b", "-0.1"]])
    html = page(with_bars(table, [None, Share(0.3, 0.2, 0.4), Share(-0.1)], 1))
    assert re.findall(r'class="fill" x="(.*?)" width="(.*?)"', html) == [("20.0", "60.0"), ("0.0", "20.0")]
    assert html.count('class="zero" d="M20.0 0v10"') == 2
    assert "%" not in html.partition("</main>")[0].partition("<main")[2], "the cells have the numbers"


def test_documents_are_packed_in_blocks() -> None:
    number = AT_FIRST + TOGETHER + 3
    texts = [document_text(f"d-{each}", ["x"], "[]", {"problem": MARK} if each == 7 else {}) for each in range(number)]
    html = page(Documents(texts, TABLE, columns=["vendor"], patterns=[("many", [2, 5])]))
    head = head_of(html)
    assert (head["documents"], head["blocks"], head["systems"], head["columns"]) == (number, 3, [""], ["vendor"])
    assert head["patterns"] == [{"text": "many", "keys": [2, 5]}]
    assert documents_of(html)[6:8] == [["d-6", ["x"], []], ["d-7", ["x"], [], {"problem": MARK}]]
    assert [each[0] for each in documents_of(html)] == [f"d-{each}" for each in range(number)]


def test_names_of_documents_are_unique() -> None:
    assert unique_names(["a", "a", "a (2)", "a"]) == ["a", "a (2)", "a (2) (2)", "a (3)"]


def test_a_heat_map_links_its_cells() -> None:
    table = Table("t", ["field", "form"], [["a", "7"], ["b", "1"]], links={1: "field=b"})
    html = page(table._replace(heat={(0, 1): Heat(0.3, "format", "field=a&kind=format")}))
    assert '<td class="number heat docie-format" data-level="2"><a href="#field=a&amp;kind=format">7</a></td>' in html
    assert re.search(r'<th scope="row"><a href="#field=b"><bdi>b</bdi></a></th>\s*<td class="number"><bdi>1<', html)
    html = page(table._replace(heat={(0, 1): Heat(1.0, "worse", "field=a")}))
    assert '<td class="number heat docie-worse" data-level="4"><a href="#field=a"><i aria-label="worse"' in html
    html = page(table._replace(heat={(0, 1): Heat(0.0, "correct", "field=a")}))
    assert '<td class="number"><a href="#field=a">7</a></td>' in html, "a link alone"


def test_a_long_table_is_folded() -> None:
    rows = [[f"row {number}", "1"] for number in range(6)]
    heat = {(number, 1): Heat(0.5, "form", f"field={number}") for number in range(6)}
    table = Table("t", ["name", "number"], rows, heat=heat)
    first, folded = first_rows(table, "row", most=2)
    assert isinstance(first, Table)
    assert isinstance(folded, Details)
    [rest] = folded.parts
    assert isinstance(rest, Table)
    assert (folded.title, first.rows + rest.rows) == ("4 more rows", rows)
    places = {place: each.link for place, each in rest.heat.items()}
    assert places == {(0, 1): "field=2", (1, 1): "field=3", (2, 1): "field=4", (3, 1): "field=5"}
    assert first_rows(table, most=6) == [table]
    assert first_rows(table, most=3) == [table], "three more rows are not worth a fold"


def test_a_slider_has_its_table_and_its_charts_in_the_page() -> None:
    chart = CHART._replace(title="Curve", marks=[(0.1, 0.7), (0.9, 0.3)])
    html = page(Slider(Table("t", ["threshold", "values"], [["0.1", "7"], ["0.9", "3"]]), 1, [chart]))
    start, drawn = map(json.loads, re.findall(r'<script type="application/json">(.*?)</script>', html))
    assert start == {"start": 1}
    assert (drawn["title"], drawn["marks"], drawn["series"][0]["points"]) == (
        "Curve",
        [[0.1, 0.7], [0.9, 0.3]],
        [[0, 1]],
    )
    assert re.findall(r'<td class="number"><bdi>(.)</bdi></td>', html) == ["7", "3"]
