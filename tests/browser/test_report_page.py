"""The report in a browser: quick, silent, readable without scripts, by keyboard, in any light and on paper."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import docie
from docie import report

DOCUMENTS = 100
HOSTILE = '"><img src=x onerror=alert(1)><script>alert(2)</script>\u202etxt.exe'
LOOKS: dict[str, dict[str, Any]] = {
    "light": {"color_scheme": "light"},
    "dark": {"color_scheme": "dark"},
    "narrow": {"viewport": {"width": 360, "height": 740}},
    "narrow, dark": {"viewport": {"width": 360, "height": 740}, "color_scheme": "dark"},
}
exhaustive = pytest.mark.exhaustive


def written(root: Path, path: Path, documents: int) -> Path:
    """A report of so many receipts. The first costs most, and its texts are hostile."""
    folder = root / "examples" / "receipts"
    predictions, references = (docie.read(folder / f"{name}.jsonl") for name in ("predictions-hasty", "references"))
    hostile: list[dict[str, Any]] = [
        {HOSTILE: [f"{number} {HOSTILE}" for number in range(min(documents, 9) ** 2)]},
        {"total": HOSTILE},
    ]
    sides = []
    for first, rows in zip(hostile, (predictions, references), strict=True):
        others = (row["document"] for row in itertools.islice(itertools.cycle(rows), documents - 1))
        names = (f"{number} {'' if number else HOSTILE}" for number in itertools.count())
        sides.append([{"id": name, "document": each} for name, each in zip(names, (first, *others), strict=False)])
    report.write(path, sides[0], sides[1], title=f"Receipts {HOSTILE}", command=HOSTILE)
    return path


@pytest.fixture(scope="module")
def page_of_receipts(root: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The report of a hundred receipts."""
    return written(root, tmp_path_factory.mktemp("report") / "report.html", DOCUMENTS)


@pytest.fixture(scope="module")
def small_page(root: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The report of a few receipts, which axe reads in a moment."""
    return written(root, tmp_path_factory.mktemp("report") / "report.html", 3)


def test_a_hundred_documents_are_small_quick_and_silent(
    page_of_receipts: Path, opened: Callable[..., Any], capsys: pytest.CaptureFixture[str]
) -> None:
    assert page_of_receipts.stat().st_size < 2_000_000
    window = opened(page_of_receipts)
    page = window.page
    assert page.locator("#list > li").count() == DOCUMENTS
    assert (window.messages, window.requests) == ([], [])
    assert page.locator("img, iframe, script[src]").count() == 0
    assert "<img src=x" in page.locator("h1").inner_text()
    found, shown = page.get_by_label("Find documents"), page.locator("#list > li:visible")
    found.fill("TYPE")
    assert 0 < shown.count() < DOCUMENTS
    assert page.get_by_role("status").inner_text() == f"{shown.count()} of {DOCUMENTS} documents"
    found.fill("")
    assert shown.count() == DOCUMENTS
    milliseconds = page.evaluate("performance.getEntriesByType('navigation')[0].domContentLoadedEventEnd")
    with capsys.disabled():
        print(f" [{page_of_receipts.stat().st_size / 1e6:.2f} MB, ready after {milliseconds:.0f} ms] ", end="")


@exhaustive
def test_all_can_be_read_without_scripts(small_page: Path, opened: Callable[..., Any]) -> None:
    page = opened(small_page, java_script_enabled=False).page
    assert not page.get_by_label("Find documents").is_visible()
    for heading in (
        "Overview",
        "What would help most",
        "Fields",
        "Review by confidence",
        "Documents",
        "How it was made",
    ):
        assert page.get_by_role("heading", name=heading, exact=True).is_visible()
    first = page.locator("#list > li").first
    first.locator("summary").first.click()
    assert first.locator(".docie-aligned").is_visible()


@exhaustive
def test_the_keyboard_reaches_everything(small_page: Path, opened: Callable[..., Any]) -> None:
    page = opened(small_page).page
    page.keyboard.press("Tab")
    assert page.locator(":focus").inner_text() == "Skip to the scores"
    page.keyboard.press("Enter")
    assert page.evaluate("document.activeElement.id") == "main"
    reached = set()
    for _ in range(60):
        page.keyboard.press("Tab")
        reached.add(page.evaluate("document.activeElement.closest('[role=region], summary, input, button')?.tagName"))
        if page.evaluate("document.activeElement.matches('#list summary')"):
            break
    assert {"DIV", "SUMMARY", "INPUT", "BUTTON"} <= reached
    page.keyboard.press("Enter")
    assert page.locator("#list > li").first.locator(".docie-aligned").is_visible()


@exhaustive
@pytest.mark.parametrize("look", LOOKS)
def test_axe_finds_nothing_serious(small_page: Path, opened: Callable[..., Any], look: str) -> None:
    axe = pytest.importorskip("axe_playwright_python.sync_playwright").Axe()
    page = opened(small_page, **LOOKS[look]).page
    page.evaluate("for (const each of document.querySelectorAll('details')) each.open = true")
    violations = axe.run(page, options={"resultTypes": ["violations"]}).response["violations"]
    serious = [each for each in violations if each["impact"] in ("serious", "critical")]
    assert [(each["id"], [node["html"] for node in each["nodes"]][:3]) for each in serious] == []


@exhaustive
def test_the_page_never_scrolls_sideways(small_page: Path, opened: Callable[..., Any]) -> None:
    page = opened(small_page, **LOOKS["narrow"]).page
    page.evaluate("for (const each of document.querySelectorAll('details')) each.open = true")
    assert page.evaluate("document.documentElement.scrollWidth") <= 360


@exhaustive
def test_paper_has_figures_and_no_tools(small_page: Path, opened: Callable[..., Any]) -> None:
    page = opened(small_page, color_scheme="dark").page
    page.emulate_media(media="print")
    assert not page.get_by_label("Find documents").is_visible()
    assert not page.get_by_role("navigation").is_visible()
    assert page.get_by_role("heading", name="Fields").is_visible()
    assert page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(255, 255, 255)"
    assert page.evaluate("getComputedStyle(document.querySelector('h1')).color") == "rgb(28, 33, 39)"
    assert page.pdf(format="A4").startswith(b"%PDF")
