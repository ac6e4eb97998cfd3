"""The report of form attacks in a browser: silent, readable without scripts, on small screens and by axe's rules."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

import docie
from docie.robustness.form import Field, Page, Word

HOSTILE = '"><img src=x onerror=alert(1)><script>alert(2)</script>\u202etxt.exe'
LOOKS: dict[str, dict[str, Any]] = {
    "light": {"color_scheme": "light"},
    "narrow, dark": {"viewport": {"width": 360, "height": 740}, "color_scheme": "dark"},
}
exhaustive = pytest.mark.exhaustive


def _forms() -> list[Page]:
    """Forms with a hostile word and a hostile field."""
    rows = [("Total:", 10, 10), ("4.50", 60, 10), (HOSTILE, 10, 30), ("Date:", 10, 50), ("05/2020", 60, 50)]
    words = [Word(text, (x, y, x + 40, y + 10)) for text, x, y in rows]
    fields = [Field(HOSTILE, (1,), (0,)), Field("date", (4,), (3,))]
    return [Page(words, fields, page=(120, 80), id=f"{HOSTILE} {number}") for number in range(6)]


@pytest.fixture(scope="module")
def page_of_attacks(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The report of attacks on a model that finds nothing without keys, and nothing where words moved."""
    path = tmp_path_factory.mktemp("attacks") / "report.html"
    forms = _forms()

    def model(asked: Sequence[Page]) -> list[Any]:
        return [{} if form.words[0].box != forms[0].words[0].box else forms[0].document() for form in asked]

    attacks = {HOSTILE: "key_drop", "center_shift": "center_shift", "both": ["bg_typo", "key_drop"]}
    how: dict[str, Any] = {"attacks": attacks, "strengths": [0.5, 2], "families": ["kieval"]}
    result = docie.attack(forms=forms, predict=model, **how)
    docie.write(result, path, title=f"Attacks {HOSTILE}", command=HOSTILE)
    return path


def test_the_page_is_silent_and_shows_forms(page_of_attacks: Path, opened: Callable[..., Any]) -> None:
    window = opened(page_of_attacks)
    page = window.page
    assert (window.messages, window.requests) == ([], [])
    assert page.locator("img, iframe, script[src]").count() == 0
    assert "<img src=x" in page.locator("h1").inner_text()
    first = page.locator("#forms .more").first
    assert first.locator(".docie-form > svg").count() == 2
    assert first.locator(".docie-view").count() == 2
    drawn = first.locator(".docie-form > svg").last.locator(".docie-dropped, .docie-old-box")
    assert drawn.count() >= 1


@exhaustive
@pytest.mark.parametrize("look", LOOKS)
def test_axe_finds_nothing_serious(page_of_attacks: Path, opened: Callable[..., Any], look: str) -> None:
    axe = pytest.importorskip("axe_playwright_python.sync_playwright").Axe()
    page = opened(page_of_attacks, **LOOKS[look]).page
    page.evaluate("for (const each of document.querySelectorAll('details')) each.open = true")
    assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth"), "it scrolls sideways"
    violations = axe.run(page, options={"resultTypes": ["violations"]}).response["violations"]
    serious = [each for each in violations if each["impact"] in ("serious", "critical")]
    assert [(each["id"], [node["html"] for node in each["nodes"]][:3]) for each in serious] == []


@exhaustive
def test_all_can_be_read_without_scripts(page_of_attacks: Path, opened: Callable[..., Any]) -> None:
    page = opened(page_of_attacks, java_script_enabled=False).page
    for heading in ("Overview", "Attacks", "Fields", "Combinations", "Strength", "Forms", "How it was made"):
        assert page.get_by_role("heading", name=heading, exact=True).is_visible()
    assert page.locator("svg").first.is_visible()
    last = page.locator("#forms .more").last
    last.locator("summary").first.click()
    assert last.locator(".docie-form").first.is_visible()


@exhaustive
def test_words_are_in_their_boxes(page_of_attacks: Path, opened: Callable[..., Any]) -> None:
    """Texts are scaled to their boxes: none is wider than its box, whatever the fonts of this machine."""
    page = opened(page_of_attacks).page
    overhang = page.evaluate("""
        [...document.querySelectorAll("#forms .more:first-of-type .docie-form > svg g")].map((word) => {
          const text = word.querySelector("text").getBBox();
          const box = word.querySelector("rect").getBBox();
          return Math.max(box.x - text.x, text.x + text.width - box.x - box.width);
        })
    """)
    assert len(overhang) > 5
    assert max(overhang) <= 0.5
