"""Each kind of report in a browser: magnified, on a phone, on paper, and in the dark."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import pytest

import docie
from docie.robustness.form import Field, Page, Word

SYSTEMS = "careful", "hasty"
OPEN_ALL = "for (const each of document.querySelectorAll('details')) each.open = true"
WIDTH = "document.documentElement.scrollWidth"
pytestmark = pytest.mark.exhaustive


@cache
def rows(folder: Path, name: str) -> list[Any]:
    return list(docie.read(folder / f"{name}.jsonl"))


def score(folder: Path) -> Any:
    hasty, references = rows(folder, "predictions-hasty"), rows(folder, "references")
    return docie.score(references=references, predictions=hasty, metric="kieval", documents=24, confidence_level=0.95)


def compared(folder: Path, times: int) -> Any:
    systems = {
        f"{name} {time}": rows(folder, "references")[:time] + rows(folder, f"predictions-{name}")[time:]
        for time in range(times)
        for name in SYSTEMS
    }
    references = rows(folder, "references")
    return docie.compare(references=references, systems=systems, by_field=True, documents=24)


def comparison(folder: Path) -> Any:
    return compared(folder, 1)


def six_systems(folder: Path) -> Any:
    return compared(folder, 3)


def threshold(folder: Path) -> Any:
    careful, references = rows(folder, "predictions-careful"), rows(folder, "references")
    return docie.threshold(references=references, predictions=careful, risk=0.05, by_field=True)


def whole_documents(folder: Path) -> Any:
    careful, hasty, references = (
        rows(folder, name) for name in ("predictions-careful", "predictions-hasty", "references")
    )
    options: dict[str, Any] = {"risk": 0.1, "confidence_level": 0.5, "seconds_per_document": 40}
    return docie.threshold(references=references, predictions=careful, agree=hasty, unit="document", **options)


def attack(folder: Path) -> Any:
    texts = [("Total amount due:", 10, 10), ("4.50", 80, 10), ("Date:", 10, 50), ("05/2020", 60, 50)]
    words = [Word(text, (x, y, x + 40, y + 10)) for text, x, y in texts]
    fields = [Field("total", (1,), (0,)), Field("date", (3,), (2,))]
    forms = [Page(words, fields, page=(140, 80), id=f"form {number}") for number in range(4)]

    def predict(asked: Any) -> list[Any]:
        return [{} if form.words[0].box != forms[0].words[0].box else forms[0].document() for form in asked]

    attacks: dict[str, Any] = {"key_drop": "key_drop", "center_shift": "center_shift"}
    return docie.attack(forms=forms, predict=predict, attacks=attacks, families=["kieval"])


KINDS: dict[str, Callable[[Path], Any]] = {
    made.__name__: made for made in (score, comparison, six_systems, threshold, whole_documents, attack)
}


@pytest.fixture(scope="module", params=KINDS)
def report(request: pytest.FixtureRequest, root: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp(request.param) / "report.html"
    docie.write(KINDS[request.param](root / "examples" / "receipts"), path, title=request.param)
    return path


def settled(page: Any) -> None:
    """Wait for the list of documents, where there is one, and open all that folds."""
    for found in page.locator(".docie-found").all():
        page.wait_for_function("element => !/read/.test(element.textContent)", arg=found.element_handle())
    page.evaluate(OPEN_ALL)


@pytest.mark.parametrize("width", [320, 640])
def test_no_report_scrolls_sideways(report: Path, opened: Callable[..., Any], width: int) -> None:
    """320 and 640 pixels are what 1280 become at 400 and 200 % zoom."""
    page = opened(report, viewport={"width": width, "height": 450}).page
    settled(page)
    for view in ("values", "documents") if page.locator(".docie-tools").count() else ():
        page.locator(".docie-tools [name=view]").select_option(view)
        settled(page)
        page.locator(".docie-values td, .documents .docie-aligned").last.wait_for()
        assert page.evaluate(WIDTH) <= width
    assert page.evaluate(WIDTH) <= width


def test_paper_has_figures_and_no_tools(report: Path, opened: Callable[..., Any]) -> None:
    window = opened(report, color_scheme="dark")
    page = window.page
    settled(page)
    page.emulate_media(media="print")
    page.set_viewport_size({"width": 680, "height": 1000})  # A4 without its margins
    assert page.evaluate(WIDTH) <= 680
    assert page.locator("h2").first.evaluate("element => getComputedStyle(element).breakAfter") == "avoid"
    for tools in (".docie-slide", ".docie-tools", "nav", ".skip"):
        assert not page.locator(tools).filter(visible=True).count(), tools
    assert page.locator(".number").filter(visible=True).count() > 2
    assert page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(255, 255, 255)"
    assert page.evaluate("getComputedStyle(document.querySelector('h1')).color") == "rgb(28, 33, 39)"
    assert page.pdf(format="A4").startswith(b"%PDF")
    assert (window.messages, window.requests) == ([], [])
