"""The explorer in a browser: a change shows at once, errors show where they are, and nothing of a document runs."""

from __future__ import annotations

import json
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from space_links import copied

LOOKS: dict[str, dict[str, Any]] = {
    "light": {},
    "dark": {},
    "narrow": {"viewport": {"width": 360, "height": 740}},
    "narrow, dark": {"viewport": {"width": 360, "height": 740}},
}
HOSTILE = "<script>alert(1)</script><img src=x onerror=alert(2)>"
exhaustive = pytest.mark.exhaustive
QUICK = 60_000
"""Milliseconds in which a page answers: workers may have to start first."""


@pytest.fixture
def address(addresses: Callable[[str], str]) -> str:
    """The running explorer."""
    return addresses("explorer")


@pytest.fixture
def explorer(address: str, opened: Callable[..., Any]) -> Callable[..., Any]:
    """Opens the explorer in a look, once its first example is scored."""

    def open_explorer(look: str = "light", query: str = "") -> Any:
        theme = "dark" if "dark" in look else "light"
        window = opened(f"{address}?__theme={theme}{query}", **LOOKS[look])
        window.page.wait_for_selector(".dx-metric", timeout=QUICK)
        return window

    return open_explorer


def write(page: Any, field: str, text: str) -> None:
    """Replace the text of an editor."""
    page.locator(f"#{field} .cm-content").fill(text)


def row(page: Any, family: str) -> Any:
    """The row of a metric."""
    return page.locator(f"#dx-{family}-metric")


def test_a_change_shows_in_score_and_marking(explorer: Callable[..., Any]) -> None:
    window = explorer()
    page = window.page
    kieval = row(page, "kieval")
    before = kieval.locator("b").first.inner_text(), kieval.locator(".dx-told").inner_text()
    assert page.locator(".docie-aligned ins, .docie-aligned del").count() > 0
    write(page, "references", '{"vendor": "Juniper Cafe"}')
    write(page, "predictions", '{"vendor": "Juniper Cafe"}')
    page.wait_for_function("document.querySelector('[data-docie-score]')?.textContent === '1.0000'", timeout=QUICK)
    assert kieval.locator(".dx-told").inner_text() != before[1]
    assert page.locator(".docie-aligned").first.locator("ins, del").count() == 0
    assert window.messages == []
    assert [url for url in window.requests if "127.0.0.1" not in url and not url.startswith(("data:", "blob:"))] == []


@exhaustive
def test_broken_json_shows_where_it_is_broken(explorer: Callable[..., Any]) -> None:
    page = explorer().page
    before = page.locator("#results").inner_text(), page.locator("[data-docie-score]").inner_text()
    write(page, "predictions", '{\n  "vendor": "Juniper Cafe"\n  "total": "20.00"\n}')
    problem = page.locator("#predictions-problem")
    problem.get_by_role("alert").wait_for(timeout=QUICK)
    assert "Line 3, column 3" in problem.inner_text()
    assert problem.locator("mark").inner_text() == '"'
    assert page.locator("#references-problem").inner_text().strip() == ""
    assert page.get_by_text("This is the result of what stood there before").is_visible()
    assert (page.locator("#results").inner_text(), page.locator("[data-docie-score]").inner_text()) == before
    write(page, "predictions", '{"vendor": "Juniper Cafe"}')
    problem.get_by_role("alert").wait_for(state="detached", timeout=QUICK)
    assert not page.get_by_text("This is the result of what stood there before").is_visible()
    assert page.locator("#results").inner_text() != before[0]


@exhaustive
def test_texts_stay_texts(explorer: Callable[..., Any]) -> None:
    window = explorer()
    page = window.page
    write(page, "references", json.dumps({HOSTILE: HOSTILE, "items": [{"a": HOSTILE}]}))
    write(page, "predictions", json.dumps({HOSTILE: f"x{HOSTILE}", "items": [{"a": HOSTILE}]}))
    page.get_by_text("<script>alert(1)").first.wait_for(timeout=QUICK)
    write(page, "predictions", f'{{"a": {HOSTILE}}}')
    page.locator("#predictions-problem").get_by_role("alert").wait_for(timeout=QUICK)
    assert page.locator("#results img, #predictions-problem img").count() == 0
    assert [message for message in window.messages if "dialog" in message] == []


@exhaustive
def test_a_link_reopens_the_page(explorer: Callable[..., Any], opened: Callable[..., Any], address: str) -> None:
    page = explorer().page
    write(page, "references", '{"total": "7.50"}')
    write(page, "predictions", 'I read this: {"total": "7.60"')
    page.get_by_label("The prediction is").click()
    page.get_by_role("option", name="a language model's answer").click()
    page.get_by_text("The answer was read like this").wait_for(timeout=QUICK)
    link = copied(page)
    figures = page.locator("#dx-metrics").inner_text()

    again = opened(link)
    again.page.get_by_text("The answer was read like this").wait_for(timeout=2 * QUICK)
    assert again.page.locator("#dx-metrics").inner_text() == figures
    assert again.page.locator("#predictions .cm-content").inner_text() == 'I read this: {"total": "7.60"'
    assert copied(again.page) == link


@exhaustive
def test_a_damaged_link_says_so(explorer: Callable[..., Any]) -> None:
    page = explorer(query="&state=nonsense").page
    assert "The link is damaged" in page.locator("#notice").inner_text()


@exhaustive
def test_tables_sort_by_every_column(explorer: Callable[..., Any]) -> None:
    page = explorer().page
    row(page, "kieval").locator("> summary").click()
    row(page, "kieval").locator("summary", has_text="By field").click()
    table = page.locator(".dx-sortable").first
    heading = table.get_by_role("columnheader", name="f1")
    button = heading.get_by_role("button")
    button.focus()
    page.keyboard.press("Enter")
    assert heading.get_attribute("aria-sort") == "ascending"
    values = [float(text) for text in table.locator("tbody td:nth-child(2)").all_inner_texts()]
    assert values == sorted(values)
    page.keyboard.press("Enter")
    values = [float(text) for text in table.locator("tbody td:nth-child(2)").all_inner_texts()]
    assert values == sorted(values, reverse=True)


@exhaustive
def test_files_are_opened_and_saved(explorer: Callable[..., Any], tmp_path: Any) -> None:
    page = explorer().page
    for side, text in (("reference", '{"a": "=1+1"}'), ("prediction", '{"a": "=1+2", "=b": "1"}')):
        path = tmp_path / f"{side}.json"
        path.write_text(text, encoding="utf-8")
        with page.expect_file_chooser() as chooser:
            page.get_by_role("button", name=f"Open files as the {side}").click()
        chooser.value.set_files(path)
        page.locator(f"#{side}s .cm-content", has_text="=1+").wait_for(timeout=QUICK)
    page.get_by_role("rowheader", name="=b").first.wait_for(timeout=QUICK)
    row(page, "kieval").locator("> summary").click()
    row(page, "kieval").locator("summary", has_text="By field").click()
    with page.expect_download() as download:
        page.locator("a[download='kieval-by-field.csv']").click()
    assert "\n'=b," in download.value.path().read_text()
    page.get_by_role("button", name="Make the HTML report").click()
    with page.expect_download() as download:
        page.get_by_role("link", name="Save the report").click(timeout=QUICK)
    assert download.value.path().read_text().startswith("<!doctype html>")


@exhaustive
def test_several_files_are_several_documents(explorer: Callable[..., Any], tmp_path: Any) -> None:
    page = explorer().page
    for side, tags in (("reference", "B-shop O"), ("prediction", "O O")):
        folder = tmp_path / side
        folder.mkdir()
        for name in ("one.bio", "two.bio"):
            lines = zip(("Kedai", "Kopi"), tags.split(), strict=True)
            (folder / name).write_text("".join(f"{word} {tag}\n" for word, tag in lines), encoding="utf-8")
        with page.expect_file_chooser() as chooser:
            page.get_by_role("button", name=f"Open files as the {side}").click()
        chooser.value.set_files([*folder.iterdir()])
        page.locator(f"#{side}s .cm-content", has_text="Kedai").wait_for(timeout=QUICK)
    page.get_by_text("each opens its explanation of one").wait_for(timeout=QUICK)
    assert row(page, "entity_f1").locator("b").first.inner_text() == "0.0000"


@exhaustive
def test_a_workbook_is_scored_against_a_zip(explorer: Callable[..., Any], tmp_path: Path) -> None:
    openpyxl = pytest.importorskip("openpyxl")
    page = explorer().page
    book = openpyxl.Workbook()
    for cells in (["id", "total"], ["r-1", "Kedai 12"], ["r-2", "Kedai 13"]):
        book.active.append(cells)
    book.save(tmp_path / "references.xlsx")
    with zipfile.ZipFile(tmp_path / "predictions.zip", "w") as file:
        for name, total in (("r-2", "Kedai 13"), ("r-1", "Kedai 11")):
            file.writestr(f"answers/{name}.json", json.dumps({"total": total}))
    for side, name in (("reference", "references.xlsx"), ("prediction", "predictions.zip")):
        with page.expect_file_chooser() as chooser:
            page.get_by_role("button", name=f"Open files as the {side}").click()
        chooser.value.set_files(tmp_path / name)
        page.locator(f"#{side}s .cm-content", has_text="Kedai").wait_for(timeout=QUICK)
    page.get_by_text("each opens its explanation of r-1").wait_for(timeout=QUICK)
    assert row(page, "kieval").locator("b").first.inner_text() == "0.5000"


@exhaustive
def test_a_file_that_is_too_large_is_refused(explorer: Callable[..., Any], tmp_path: Any) -> None:
    page = explorer().page
    path = tmp_path / "large.json"
    path.write_text(json.dumps({"a": "x" * 1_500_000}), encoding="utf-8")
    with page.expect_file_chooser() as chooser:
        page.get_by_role("button", name="Open files as the reference").click()
    chooser.value.set_files(path)
    problem = page.locator("#references-file-problem")
    problem.get_by_role("alert").wait_for(timeout=QUICK)
    assert "at most 1,000,000 are read" in problem.inner_text()
    assert page.locator(".dx-metric").count() > 0  # what was there stays


@exhaustive
@pytest.mark.parametrize("look", LOOKS)
def test_it_can_be_read_everywhere(explorer: Callable[..., Any], look: str) -> None:
    axe = pytest.importorskip("axe_playwright_python.sync_playwright").Axe()
    page = explorer(look).page
    page.get_by_role("button", name="Metrics and options").click()
    page.evaluate("for (const each of document.querySelectorAll('details')) each.open = true")
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    background = page.locator(".docie-aligned").first.evaluate("element => getComputedStyle(element).backgroundColor")
    assert background == ("rgb(22, 24, 29)" if "dark" in look else "rgb(255, 255, 255)")
    violations = axe.run(page).response["violations"]
    serious = [each for each in violations if each["impact"] in ("serious", "critical")]
    assert [(each["id"], [node["html"] for node in each["nodes"]][:3]) for each in serious] == []


@exhaustive
def test_the_keyboard_enters_and_leaves_an_editor(explorer: Callable[..., Any]) -> None:
    page = explorer().page
    editor = page.locator("#references .cm-content")
    editor.focus()
    assert "Escape, then Tab" in (editor.get_attribute("aria-label") or "")
    page.keyboard.press("Escape")
    page.keyboard.press("Tab")
    assert not editor.evaluate("element => element === document.activeElement")
