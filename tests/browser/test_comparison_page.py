"""The report of a comparison in a browser: silent, readable without scripts, on small screens and by axe's rules."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import docie
from docie import report

HOSTILE = '"><img src=x onerror=alert(1)><script>alert(2)</script>\u202etxt.exe'
pytestmark = pytest.mark.exhaustive


@pytest.fixture(scope="module")
def page_of_two(root: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The report of two systems; names and one document are hostile."""
    folder, path = root / "examples" / "receipts", tmp_path_factory.mktemp("comparison") / "report.html"
    careful, hasty, references = (
        [row["document"] for row in docie.read(folder / f"{name}.jsonl")][:5]
        for name in ("predictions-careful", "predictions-hasty", "references")
    )
    references[0] = {**references[0], HOSTILE: HOSTILE}
    systems = {"careful": [{**careful[0], HOSTILE: HOSTILE}, *careful[1:]], HOSTILE: hasty}
    report.write_comparison(
        path, systems, references, breakdown=True, suspects=True, title=f"Receipts {HOSTILE}", command=HOSTILE
    )
    return path


def test_the_page_is_silent_and_finds_documents(page_of_two: Path, opened: Callable[..., Any]) -> None:
    window = opened(page_of_two)
    page = window.page
    assert (window.messages, window.requests) == ([], [])
    assert page.locator("img, iframe, script[src]").count() == 0
    assert "<img src=x" in page.locator("h1").inner_text()
    shown = page.locator("#list > li:visible")
    every = shown.count()
    page.get_by_label("Find documents").fill("worse")
    assert 0 < shown.count() <= every
    shown.first.locator("summary").first.click()
    assert shown.first.locator(".docie-aligned").count() == 2


@pytest.mark.parametrize(
    "look", [{"color_scheme": "light"}, {"viewport": {"width": 360, "height": 740}, "color_scheme": "dark"}]
)
def test_axe_finds_nothing_serious(page_of_two: Path, opened: Callable[..., Any], look: dict[str, Any]) -> None:
    axe = pytest.importorskip("axe_playwright_python.sync_playwright").Axe()
    page = opened(page_of_two, **look).page
    page.evaluate("for (const each of document.querySelectorAll('details')) each.open = true")
    assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth"), "it scrolls sideways"
    violations = axe.run(page, options={"resultTypes": ["violations"]}).response["violations"]
    serious = [each for each in violations if each["impact"] in ("serious", "critical")]
    assert [(each["id"], [node["html"] for node in each["nodes"]][:3]) for each in serious] == []


def test_all_can_be_read_without_scripts(page_of_two: Path, opened: Callable[..., Any]) -> None:
    page = opened(page_of_two, java_script_enabled=False).page
    assert not page.get_by_label("Find documents").is_visible()
    for heading in ("Overview", "Differences", "Fields", "Documents", "Suspected labels", "How it was made"):
        assert page.get_by_role("heading", name=heading, exact=True).is_visible()
    assert page.locator("svg").first.is_visible()
    first = page.locator("#list > li").first
    first.locator("summary").first.click()
    assert first.locator(".docie-aligned").first.is_visible()
