"""A page has every part of its sections, whatever its kind, and every text in it stays text."""

from __future__ import annotations

import base64
import json
import re
import zlib
from functools import partial
from typing import Any, get_args

import pytest

from docie import kieval, plots
from docie.show.report.page import first_rows, render
from docie.show.result import Page
from docie.show.section import (
    Answers,
    Beside,
    Chart,
    Details,
    Explained,
    Headline,
    Headlines,
    Heat,
    Item,
    Listing,
    Part,
    Picture,
    Section,
    Share,
    Table,
    Text,
)

MARK = "<b>marked"
CHART = Chart(lambda: plots.error_kinds({}), MARK)
EXPLAINED = Explained(lambda: kieval.explain({"total": MARK}, {}))
PARTS: list[Any] = [
    Text(MARK),
    Table("t", ["name", "number"], [["a", MARK]]),
    Headlines([Headline("F1", "0.5", "", MARK)]),
    CHART,
    EXPLAINED,
    Picture(lambda: "<svg><text>&lt;b&gt;marked</text></svg>", "As it was"),
    Beside((EXPLAINED, Explained(lambda: kieval.explain({}, {})))),
    Listing([Item(MARK, "", [])]),
    Answers([MARK], [kieval.explain({"total": MARK}, {})]),
    Details("more", [Text(MARK)]),
]


def page(*parts: Any) -> str:
    return render(Page("Title", "", [Section(parts, "First", "first")], []))


@pytest.mark.parametrize("part", PARTS, ids=lambda part: type(part).__name__)
def test_a_part_of_any_kind_is_shown(part: Any) -> None:
    html = page(part)
    assert "&lt;b&gt;marked" in html
    assert "<b>marked" not in html


def test_there_are_no_other_kinds() -> None:
    assert {type(part) for part in PARTS} == {*get_args(Part)}


def test_bars_remarks_and_short_rows() -> None:
    rows = [["form", "50.0 %", "1", "2"], ["value", "0.0 %", "none: too few"]]
    table = Table(
        "t", ["kind", "share", "x", "y"], rows, 2, [Share(0.5, 0.25, 0.75), Share(0.0)], True, {"form": "why"}
    )
    html = page(table)
    assert html.count('<svg class="bar cost"') == 2
    assert html.count('class="range"') == 1, "the one with an interval"
    assert "25.0 – 75.0 %" in html
    assert re.search(r"form</bdi> <small>why</small></th>", html)
    assert '<td colspan="2"><bdi>none: too few</bdi></td></tr>' in html
    assert re.findall(r'<td class="number">(.*?)</td>', html) == ["1", "2"]


def test_parts_that_open_and_are_searched() -> None:
    items = [Item("one", "said", [Text("inside")], "key"), Item("two", "said", [])]
    assert page(Listing(items, is_open=True)).count("<details open>") == 1, "the first of the list is open"
    searched = page(Listing(items, "name"))
    assert "<details open>" not in searched
    assert '<label for="sought">Find documents by name</label><input id="sought"' in searched
    assert block(searched, "index")[2][0][1:] == [[], "one key"]


def block(html: str, name: str) -> Any:
    """A block of documents that a page holds for its script."""
    [text] = re.findall(rf'<script type="text/plain" id="{name}">([^<]*)</script>', html)
    return json.loads(zlib.decompress(base64.b64decode(text)))


def test_a_long_list_is_packed_behind_its_first_hundred() -> None:
    explained = [Explained(partial(kieval.explain, {"a": f"X{number}"}, {"a": MARK})) for number in range(203)]
    items = [Item(f"d-{number}", "", [each], errors=[("a", "value")]) for number, each in enumerate(explained)]
    html = page(Listing(items, "name or value"))
    assert html.count('<span class="name">') == 100
    assert "103 more documents need scripts." in html
    assert [len(block(html, f"bodies-{number}")) for number in (1, 2)] == [100, 3]
    [last] = block(html, "bodies-2")[2:]
    assert "X202" in re.sub("<[^>]*>", "", last)
    assert "&lt;b&gt;" in last
    assert "<b>marked" not in last
    errors, kinds, entries = block(html, "index")
    assert (errors, kinds["value"]) == ([["a", "value"]], "≠ incorrect value")
    assert [entry[1:] for entry in entries] == [[[0], f"d-{number} x{number} <b>marked"] for number in range(203)]


def test_correct_values_between_errors_are_folded() -> None:
    prediction = {**dict.fromkeys("abc", "1"), "d": "2", "e": "1", "items": [{"x": "1"}] * 3}
    html = page(Explained(lambda: kieval.explain(prediction, prediction | {"d": "3"})))
    assert "3 correct<span" in html
    assert html.count('class="docie-run"') == 1, "one correct value alone is not folded"
    assert "3 groups, all correct" in html


def test_a_heat_map_links_its_cells() -> None:
    table = Table("t", ["field", "form"], [["a", "7"], ["b", "1"]], links={1: "field=b"})
    html = page(table._replace(heat={(0, 1): Heat(0.3, "format", "field=a&kind=format")}))
    assert '<td class="number heat docie-format" data-level="2"><a href="#field=a&amp;kind=format">7</a></td>' in html
    assert '<th scope="row"><a href="#field=b"><bdi>b</bdi></a></th><td class="number">1</td>' in html
    html = page(table._replace(heat={(0, 1): Heat(1.0, "worse", "field=a")}))
    assert '<td class="number heat docie-worse" data-level="4"><a href="#field=a"><i aria-label="worse"' in html


def test_a_long_table_is_folded() -> None:
    rows = [[f"row {number}", "1"] for number in range(5)]
    heat = {(number, 1): Heat(0.5, "form", f"field={number}") for number in range(5)}
    table = Table("t", ["name", "number"], rows, heat=heat)
    first, folded = first_rows(table, "row", most=2)
    assert isinstance(first, Table)
    assert isinstance(folded, Details)
    [rest] = folded.parts
    assert isinstance(rest, Table)
    assert (folded.title, first.rows + rest.rows) == ("3 more rows", rows)
    assert {place: each.link for place, each in rest.heat.items()} == {
        (0, 1): "field=2",
        (1, 1): "field=3",
        (2, 1): "field=4",
    }
    assert first_rows(table, most=5) == [table]


def test_a_slider_has_all_its_rows_in_the_page() -> None:
    html = page(Table("t", ["threshold", "values"], [["0.1", "7"], ["0.9", "3"]], slides=1))
    assert 'type="range" min="0" max="1" step="1" value="1" aria-valuetext="0.9"' in html
    assert "<dd>3</dd>" in html
    assert re.findall(r'<td class="number">(.)</td>', html) == ["7", "3"]
