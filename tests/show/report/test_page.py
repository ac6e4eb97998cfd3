"""A page has every part of its sections, whatever its kind, and every text in it stays text."""

from __future__ import annotations

import re
from typing import Any, get_args

import pytest

from docie import kieval, plots
from docie.robustness.form import Form, Word
from docie.show.report.page import Page, render
from docie.show.section import (
    Beside,
    Chart,
    Details,
    Explained,
    Headline,
    Headlines,
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
    Picture(Form([Word(MARK)]), title="As it was"),
    Beside((EXPLAINED, Explained(lambda: kieval.explain({}, {})))),
    Listing([Item(MARK, "", [])]),
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
    assert page(Listing(items)).count("<details open>") == 1, "the first of a short list is open"
    searched = page(Listing(items, "name"))
    assert "<details open>" not in searched
    assert 'data-find="one key"' in searched
    assert "Find documents by name" in searched
