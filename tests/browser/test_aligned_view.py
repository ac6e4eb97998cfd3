"""The aligned view alone on a page of somebody else: it scrolls nowhere, runs nothing, and follows the page's theme."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from docie.show.page import aligned_styles, aligned_view

PREDICTION = {
    "vendor": {"value": "<img src=x onerror=alert(1)>", "confidence": 0.5},
    "items": [{"name": "Latte " * 30, "amount": "4.80"}, {"name": "x" * 300}, {"name": "Tea", "amount": "2"}],
    "السعر": "١٢٫٥٠\u202e",
}
REFERENCE = {
    "vendor": "<script>alert(1)</script>",
    "items": [{"name": "Latte " * 29, "amount": "4.50"}, {"name": "Tea", "amount": "2"}, {"name": "Pie"}],
    "السعر": "١٢٫٤٠",
}
LIGHT, DARK = "rgb(255, 255, 255)", "rgb(22, 24, 29)"


@pytest.fixture(scope="module")
def page_of_view(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A page with the view, as a notebook would make it."""
    path = tmp_path_factory.mktemp("pages") / "view.html"
    head = '<meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>A view</title>'
    style = f"<style>table, td, th {{ border: 9px solid; color: red }}</style><style>{aligned_styles()}</style>"
    view = aligned_view(PREDICTION, REFERENCE, document="r-1")
    html = f'<!doctype html><html lang="en"><head>{head}{style}</head><body><main><h1>A view</h1>{view}</main></body>'
    path.write_text(html, encoding="utf-8")
    return path


@pytest.mark.parametrize("scheme", ["light", pytest.param("dark", marks=pytest.mark.exhaustive)])
@pytest.mark.parametrize("width", [1200, pytest.param(360, marks=pytest.mark.exhaustive)])
def test_it_can_be_read_everywhere(page_of_view: Path, opened: Callable[..., Any], scheme: str, width: int) -> None:
    axe = pytest.importorskip("axe_playwright_python.sync_playwright").Axe()
    view = opened(page_of_view, color_scheme=scheme, viewport={"width": width, "height": 900})
    assert view.page.get_by_role("table").count() == 4
    assert view.page.evaluate("document.documentElement.scrollWidth") == width
    violations = axe.run(view.page).response["violations"]
    assert [each["id"] for each in violations if each["impact"] in ("serious", "critical")] == []
    assert view.messages == []  # no dialog either
    assert view.requests == []


@pytest.mark.exhaustive
@pytest.mark.parametrize(
    ("scheme", "script", "background"),
    [
        ("light", "", LIGHT),
        ("dark", "", DARK),
        ("light", "document.documentElement.dataset.theme = 'dark'", DARK),
        ("dark", "document.documentElement.dataset.theme = 'light'", LIGHT),
        ("light", "document.body.className = 'dark'", DARK),  # as Gradio says it
        ("dark", "document.body.className = 'gradio-container'", LIGHT),
        ("light", "document.body.dataset.jpThemeLight = 'false'", DARK),  # as Jupyter says it
        ("dark", "document.body.dataset.jpThemeLight = 'true'", LIGHT),
    ],
)
def test_the_theme_is_that_of_the_page(
    page_of_view: Path, opened: Callable[..., Any], scheme: str, script: str, background: str
) -> None:
    view = opened(page_of_view, color_scheme=scheme)
    view.page.evaluate(script or "0")
    found = view.page.locator(".docie-aligned").evaluate("element => getComputedStyle(element).backgroundColor")
    assert found == background


@pytest.mark.exhaustive
def test_styles_of_the_page_do_not_reach_into_it(page_of_view: Path, opened: Callable[..., Any]) -> None:
    view = opened(page_of_view, color_scheme="light")
    cell = view.page.locator(".docie-aligned td").first
    assert cell.evaluate("element => getComputedStyle(element).borderBottomWidth") == "0px"
    assert cell.evaluate("element => getComputedStyle(element).color") != "rgb(255, 0, 0)"
