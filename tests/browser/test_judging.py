"""Judging errors in a browser: with the keyboard alone, and what the file says of it."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import docie

pytestmark = pytest.mark.exhaustive
REFERENCES: list[dict[str, Any]] = [
    {"id": "r-1", "total": "9.00", "items": [{"name": "Tea"}, {"name": "Cake", "price": "3"}]},
    {"id": "r-2", "total": "5.00", "note": "paid\ncash"},
    {"id": "r-3", "total": "7.00"},
]
PREDICTIONS: list[dict[str, Any]] = [
    {
        "id": "r-1",
        "total": {"value": "8.00", "confidence": 0.9},
        "items": [{"name": "Tea", "price": {"value": "2", "confidence": 0.6}}, {"name": "Cake", "price": "3"}],
    },
    {"id": "r-2", "total": {"value": "5.50", "confidence": 0.8}, "note": {"value": "paid\nby card", "confidence": 0.7}},
    {"id": "r-3", "total": "7.00", "items": [{"name": {"value": "Pie", "confidence": 0.5}}]},
]
FIRST = {"id": "r-1", "path": "total", "verdict": "label", "old": "9.00", "new": None}


@pytest.fixture
def report(tmp_path: Path) -> Path:
    """Errors in the order of their confidences: a total, another total, a text of two lines, a price, a new item."""
    path = tmp_path / "report.html"
    docie.write(docie.score(references=REFERENCES, predictions=PREDICTIONS, documents=3), path)
    return path


def judge(page: Any) -> Any:
    """The dialog, opened with a key."""
    page.locator(".docie-found", has_text="3 documents").wait_for()
    page.keyboard.press("j")
    dialog = page.get_by_role("dialog", name="System or label: which is wrong?")
    dialog.wait_for()
    return dialog


def saved(page: Any) -> list[Any]:
    """What the downloaded file says."""
    with page.expect_download() as download:
        page.get_by_role("button", name="Download changes.jsonl").click()
    assert download.value.suggested_filename == "changes.jsonl"
    return [json.loads(line) for line in Path(download.value.path()).read_text(encoding="utf-8").splitlines()]


def test_errors_are_judged_with_the_keyboard(report: Path, opened: Callable[..., Any]) -> None:
    window = opened(report, accept_downloads=True)
    page = window.page
    dialog, status = judge(page), page.locator(".docie-at")
    assert status.inner_text() == "Error 1 of 5 · 0 judged"
    assert "r-1" in dialog.inner_text()
    page.keyboard.press("1")
    assert status.inner_text() == "Error 2 of 5 · 1 judged"
    page.keyboard.press("e")
    page.keyboard.type("5.05")
    page.keyboard.press("Enter")
    page.keyboard.press("3")
    for key in ("n", "p", "1", "u", "2", "2"):
        page.keyboard.press(key)
    assert status.inner_text() == "All 5 errors are judged."
    by = {"id": "r-2", "path": "note", "verdict": "both", "old": "paid\ncash", "new": "paid\nby card"}
    price = {"id": "r-1", "path": "items[0].price", "verdict": "value", "old": None, "new": "2"}
    pie = {"id": "r-3", "path": "items[+0].name", "verdict": "value", "old": None, "new": "Pie"}
    second = {"id": "r-2", "path": "total", "verdict": "value", "old": "5.00", "new": "5.05"}
    assert saved(page) == [FIRST, second, by, price, pie]
    page.keyboard.press("Escape")
    assert not dialog.is_visible()
    assert window.messages == []
    assert [each for each in window.requests if not each.startswith("blob:")] == []


def test_judgements_stay_until_the_tab_is_closed(report: Path, opened: Callable[..., Any]) -> None:
    page = opened(report, accept_downloads=True).page
    judge(page)
    page.keyboard.press("1")
    page.get_by_label("Judged by").fill("Ana")
    page.get_by_role("button", name="Both are right").click()
    both = {"id": "r-2", "path": "total", "verdict": "both", "old": "5.00", "new": "5.50", "by": "Ana"}
    assert saved(page) == [FIRST, both]
    page.reload()
    judge(page)
    assert page.locator(".docie-at").inner_text() == "Error 3 of 5 · 2 judged"
    page.keyboard.press("p")
    assert page.get_by_role("button", name="Both are right").get_attribute("aria-pressed") == "true"
    assert saved(page) == [FIRST, both]


def test_errors_that_are_filtered_are_judged(report: Path, opened: Callable[..., Any]) -> None:
    page = opened(report).page
    page.goto(report.as_uri() + "#field=total&kind=error")
    page.locator(".docie-found", has_text="2 values in 2 documents").wait_for()
    page.get_by_role("button", name="Judge errors").click()
    assert page.locator(".docie-at").inner_text() == "Error 1 of 2 · 0 judged"


def test_documents_without_ids_are_named_by_their_numbers(tmp_path: Path, opened: Callable[..., Any]) -> None:
    references, systems = (
        [{key: value for key, value in row.items() if key != "id"} for row in side]
        for side in (REFERENCES, PREDICTIONS)
    )
    score = docie.score(references=references, predictions=systems, documents=3)
    docie.write(score, tmp_path / "score.html")
    both = docie.compare(references=references, systems={"a": systems, "b": systems}, documents=3)
    docie.write(both, tmp_path / "comparison.html")
    for name in ("score", "comparison"):
        page = opened(tmp_path / f"{name}.html", accept_downloads=True).page
        judge(page)
        for _ in range(5):
            page.keyboard.press("2")
        rows = saved(page)
        assert [row["id"] for row in rows] == [0, 1, 1, 0, 2]
        assert docie.score(references=references, predictions=systems, corrections=rows)["entity_f1"] == 1


def test_values_without_a_label_cannot_both_be_right(report: Path, opened: Callable[..., Any]) -> None:
    page = opened(report).page
    page.goto(report.as_uri() + "#kind=spurious")
    page.locator(".docie-found", has_text="2 values").wait_for()
    page.keyboard.press("j")
    assert page.get_by_role("button", name="Both are right").is_disabled()
    page.keyboard.press("3")
    assert page.locator(".docie-at").inner_text() == "Error 1 of 2 · 0 judged"


@pytest.mark.parametrize("look", [{}, {"viewport": {"width": 360, "height": 740}, "color_scheme": "dark"}])
def test_axe_finds_nothing(report: Path, opened: Callable[..., Any], look: dict[str, Any]) -> None:
    axe = pytest.importorskip("axe_playwright_python.sync_playwright").Axe()
    page = opened(report, **look).page
    judge(page)
    page.keyboard.press("1")
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    violations = axe.run(page, options={"resultTypes": ["violations"]}).response["violations"]
    assert [(each["id"], [node["html"] for node in each["nodes"]][:3]) for each in violations] == []


def test_twelve_values_are_judged_downloaded_and_scored(root: Path, tmp_path: Path, opened: Callable[..., Any]) -> None:
    """As a person does it, from the report of the shipped receipts to the score with other labels."""
    folder = root / "examples" / "receipts"
    paths: dict[str, Any] = {
        "references": folder / "references.jsonl",
        "predictions": folder / "predictions-hasty.jsonl",
    }
    before = docie.score(**paths, documents=24)
    docie.write(before, tmp_path / "report.html")
    page = opened(tmp_path / "report.html", accept_downloads=True).page
    page.locator(".docie-found", has_text="24 documents").wait_for()
    page.keyboard.press("j")
    for key in "121211212112":
        page.keyboard.press(key)
    rows = saved(page)
    changes = [row for row in rows if row["verdict"] != "label"]
    assert (len(rows), len(changes)) == (12, 5)
    after = docie.score(**paths, corrections=rows)
    assert f"|corrected:{len(changes)}|" in after.signature
    assert after.before is not None
    assert after.before["kieval"]["entity_f1"] == before["entity_f1"] < after["entity_f1"]
    assert after["corrections"] == before["corrections"] - len(changes)
