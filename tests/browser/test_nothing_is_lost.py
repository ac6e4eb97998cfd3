"""What is entered in a page stays: over a reload, broken texts, buttons that set options, and examples."""

from __future__ import annotations

import io
import json
import re
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("gradio")
from space_links import copied, packed, unpacked

PATIENCE = 60_000
"""Milliseconds until a page answers: workers may have to start first."""
OF_GRADIO = ("[svelte-i18n] Message with id", "AbortError: signal is aborted")
"""Its own remarks on names of choices, and on a page that is left while it answers."""
MINE = '{"vendor": "Warung Tea", "items": [{"name": "Teh Tarik"}, {"name": "Kopi"}, {"name": "Roti"}]}'
READ = '{"vendor": "Warung Tea", "lines": [{"name": "Teh Tarik"}, {"name": "Kopi"}, {"name": "Roti"}]}'
BROKEN = '{"vendor": "Warung Tea"\n "total": "7.50"}'
BEFORE = "This is the result of what stood there before"
APPLIED = "Applied: predictions.rename.lines=items"
LOOKS = [
    pytest.param(theme, width, height, id=f"{theme} {width}")
    for width, height in ((1280, 800), (360, 740))
    for theme in ("light", "dark")
]
exhaustive = pytest.mark.exhaustive


@pytest.fixture
def space(addresses: Callable[[str], str], opened: Callable[..., Any]) -> Iterator[Callable[..., Any]]:
    """Opens a page, once it shows a score. In the end, no page has said a thing in its console."""
    windows = []

    def open_space(name: str = "kieval", query: str = "", **look: Any) -> Any:
        windows.append(opened(addresses(name) + query, **look))
        windows[-1].page.locator("[data-docie-score]:visible").wait_for(timeout=PATIENCE)
        return windows[-1].page

    yield open_space
    messages = [message for window in windows for message in window.messages]
    assert [message for message in messages if not message.startswith(OF_GRADIO)] == []


def write(page: Any, **texts: str) -> None:
    for field, text in texts.items():
        page.locator(f"#{field} .cm-content").fill(text)


def texts(page: Any) -> list[str]:
    return [page.locator(f"#{side} .cm-content").inner_text() for side in ("references", "predictions")]


def said(page: Any, place: str) -> str:
    return str(page.locator(place).inner_text()).strip()


def wait_for_score(page: Any, score: str) -> None:
    page.wait_for_function(
        "score => document.querySelector('#score [data-docie-score]')?.textContent === score",
        arg=score,
        timeout=PATIENCE,
    )


def wait_for_text(page: Any, place: str, text: str) -> None:
    page.locator(place).get_by_text(text).first.wait_for(timeout=PATIENCE)


def take_example(page: Any, name: str) -> None:
    example = page.locator("#example").get_by_role("button", name=name)
    if not example.is_visible():
        page.locator("#example").get_by_role("button", name="Examples").click()
    example.click()


def open_options(page: Any) -> None:
    page.locator("#options").get_by_role("button", name="Options").click()
    page.get_by_text("How documents are read").wait_for()
    page.wait_for_timeout(500)  # Gradio listens to new fields a moment later


def violations(page: Any) -> list[tuple[str, list[str]]]:
    axe = pytest.importorskip("axe_playwright_python.sync_playwright").Axe()
    found = axe.run(page).response["violations"]
    serious = [each for each in found if each["impact"] in ("serious", "critical")]
    return [(each["id"], [node["html"] for node in each["nodes"]][:3]) for each in serious]


def rows(side: str, key: str, wrong: int = -1) -> str:
    """Five documents in JSON Lines; the values of one of them are wrong."""
    values = [
        {key: str(number), "tax": "x" if number == wrong and side == "prediction" else "1"} for number in range(5)
    ]
    return "\n".join(json.dumps({"id": f"r-{number}", side: value}) for number, value in enumerate(values))


@exhaustive
@pytest.mark.parametrize(("theme", "width", "height"), LOOKS)
def test_a_visit(theme: str, width: int, height: int, space: Callable[..., Any]) -> None:
    """Type, reload, break the JSON, apply, take back, take an example, undo; all of it can be read."""
    page = space(query=f"?__theme={theme}", viewport={"width": width, "height": height}, color_scheme=theme)
    write(page, references=MINE, predictions=READ)
    wait_for_text(page, "#finding", "other names")
    wait_for_score(page, "0.2500")
    page.reload()
    wait_for_score(page, "0.2500")
    assert texts(page) == [MINE, READ]

    page.get_by_role("button", name="Apply", exact=True).click()
    wait_for_score(page, "1.0000")
    assert said(page, "#applied") == APPLIED
    write(page, predictions=BROKEN)
    wait_for_text(page, "#predictions-problem", "Line 2, column 2")
    assert page.get_by_text(BEFORE).is_visible()
    assert page.locator("#score [data-docie-score]").inner_text() == "1.0000"
    assert page.locator("#results .docie-view").first.is_visible()
    assert said(page, "#applied") == APPLIED, "it survives edits"
    assert violations(page) == []
    assert page.evaluate("document.documentElement.scrollWidth") == width

    page.reload()
    wait_for_text(page, "#results", "Not scored")
    assert texts(page) == [MINE, BROKEN]
    write(page, predictions=READ)
    wait_for_score(page, "1.0000")
    page.get_by_role("button", name="Take back").click()
    wait_for_score(page, "0.2500")
    assert not page.get_by_role("button", name="Take back").is_visible()

    take_example(page, "Four receipts")
    wait_for_text(page, "#references", "Juniper")
    take_example(page, "Line items in another order")
    assert page.get_by_text("An example took the place of what you had entered.").is_visible()
    wait_for_score(page, "1.0000")
    assert violations(page) == []
    page.reload()
    wait_for_score(page, "1.0000")
    page.get_by_role("button", name="Undo").click()
    wait_for_score(page, "0.2500")
    assert texts(page) == [MINE, READ]
    assert not page.get_by_role("button", name="Undo").is_visible()


@exhaustive
def test_an_option_that_is_changed_by_hand_is_no_longer_what_was_applied(space: Callable[..., Any]) -> None:
    page = space()
    write(page, references=MINE, predictions=READ)
    wait_for_text(page, "#finding", "other names")
    page.get_by_role("button", name="Apply", exact=True).click()
    wait_for_score(page, "1.0000")
    open_options(page)
    page.get_by_label("How line items are paired").click()
    page.keyboard.press("Escape")
    page.keyboard.press("Tab")
    assert said(page, "#applied") == APPLIED, "an option was only looked at"
    page.get_by_label("Fields to score").press_sequentially("vendor", delay=50)
    page.get_by_role("button", name="Take back").wait_for(state="hidden")


@exhaustive
def test_options_and_the_chosen_document_survive_a_reload_and_a_link(
    space: Callable[..., Any], opened: Callable[..., Any]
) -> None:
    page = space()
    write(page, references=rows("reference", "total"), predictions=rows("prediction", "total", wrong=3))
    wait_for_score(page, "0.9000")
    chooser = page.get_by_label("Document", exact=True)
    assert chooser.input_value() == "r-3 · 1 to correct", "the worst one comes first"
    chooser.click()
    assert page.get_by_role("option").all_inner_texts()[0].endswith("r-3 · 1 to correct")
    page.get_by_role("option", name="r-2 · 0 to correct").click()
    wait_for_text(page, "#dx-document", "r-2")
    open_options(page)
    page.get_by_label("Fields to score").press_sequentially("tax", delay=50)
    wait_for_score(page, "0.8000")
    link = copied(page)
    page.reload()
    for each in (page, opened(link).page):
        wait_for_score(each, "0.8000")
        wait_for_text(each, "#dx-document", "r-2")
        assert each.get_by_label("Document", exact=True).input_value() == "r-2 · 0 to correct"
        assert each.url.partition("?")[0] == each.url, "what is entered from now on is not in the address"
    take_example(page, "Four receipts")
    wait_for_text(page, "#dx-document", "Document 1 of 4")
    open_options(page)
    assert page.get_by_label("Fields to score").input_value() == ""


@exhaustive
def test_a_link_wins_and_what_is_edited_then_survives(space: Callable[..., Any]) -> None:
    page = space()
    write(page, references=MINE, predictions=MINE)
    wait_for_score(page, "1.0000")
    link = copied(page)
    assert unpacked(link)["references"] == MINE
    write(page, predictions="{}")
    wait_for_score(page, "0.0000")
    page.goto(link)
    wait_for_score(page, "1.0000")
    write(page, predictions=READ)
    wait_for_score(page, "0.2500")
    page.reload()
    wait_for_score(page, "0.2500")


@exhaustive
def test_a_link_is_copied_or_shown(space: Callable[..., Any]) -> None:
    page = space()
    address = page.url
    link = copied(page)
    assert page.url == address, "the page stays"
    page.get_by_role("button", name="Link to this page").wait_for()
    page.evaluate("() => { navigator.clipboard.writeText = () => Promise.reject(new Error('refused')); }")
    page.get_by_role("button", name="Link to this page").click()
    assert page.get_by_label("Copy this by hand").input_value() == link
    assert violations(page) == []
    noise = "".join(f"{number * 7919 % 104729:x}" for number in range(9000))
    write(page, references=json.dumps({"a": noise}), predictions="{}")
    wait_for_score(page, "0.0000")
    page.get_by_role("button", name="Link to this page").click()
    page.get_by_role("button", name="Too long for a link").wait_for()


@exhaustive
@pytest.mark.parametrize(
    "link", ["", "nonsense", packed("x"), packed({"references": 1}), packed({"form": "x"}), packed(1)[:-4]]
)
def test_damaged_links_say_so(link: str, space: Callable[..., Any]) -> None:
    page = space(query=f"?state={link}")
    assert said(page, "#notice") == "The link is damaged: it holds nothing that could be read."
    take_example(page, "Line items in another order")
    page.locator("#notice").get_by_text("damaged").wait_for(state="hidden")


@exhaustive
def test_more_than_the_browser_keeps_breaks_nothing(space: Callable[..., Any]) -> None:
    page = space()
    page.evaluate("sessionStorage.setItem('other', 'x'.repeat(5_100_000))")
    write(page, references=json.dumps({"total": "x" * 200_000}), predictions='{"total": "1"}')
    wait_for_score(page, "0.0000")
    page.reload()
    wait_for_text(page, "#references-problem", "The reference is empty")
    assert texts(page)[1] == '{"total": "1"}'
    page.evaluate("() => { Storage.prototype.setItem = () => { throw new Error('refused'); }; }")
    write(page, references='{"total": "1"}')
    wait_for_score(page, "1.0000")


def zipped(contents: dict[str, bytes]) -> bytes:
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w") as file:
        for name, content in contents.items():
            file.writestr(name, content)
    return made.getvalue()


def workbook() -> bytes:
    book, made = pytest.importorskip("openpyxl").Workbook(), io.BytesIO()
    for cells in (["id", "total"], ["r-1", "12.00"]):
        book.active.append(cells)
    book.save(made)
    return made.getvalue()


def parquet() -> bytes:
    arrow, made = pytest.importorskip("pyarrow"), io.BytesIO()
    pytest.importorskip("pyarrow.parquet").write_table(arrow.table({"id": ["r-1"], "total": ["12.00"]}), made)
    return made.getvalue()


ROW = b'{"id": "r-1", "total": "12.00"}'
OPENED: dict[str, Callable[[], bytes]] = {
    "a.xlsx": workbook, "a.csv": lambda: b"id,total\nr-1,12.00\n", "a.tsv": lambda: b"id\ttotal\nr-1\t12.00\n",
    "a.parquet": parquet, "a.json": lambda: ROW, "a.jsonl": lambda: ROW + b"\n",
    "a.zip": lambda: zipped({"r-1.json": b'{"total": "12.00"}'}), "tables.zip": lambda: zipped({"a.csv": b"id,total\nr-1,12.00\n"}),
    "a.txt": lambda: b'I read this: {"total": "12.00"',
}  # fmt: skip


@exhaustive
@pytest.mark.parametrize("name", ["explorer", "kieval", "anls_star", "entity_f1", "hed", "nted", "text_match"])
def test_files_of_every_kind_are_opened(name: str, space: Callable[..., Any], tmp_path: Path) -> None:
    page = space(name)

    def add(button: str, file: str, content: bytes) -> None:
        (tmp_path / file).write_bytes(content)
        with page.expect_file_chooser() as chooser:
            page.get_by_role("button", name=button).click()
        chooser.value.set_files(tmp_path / file)

    write(page, references='{"id": "r-1", "total": "12.00"}', predictions="{}")
    wait_for_score(page, "0.0000")
    for file, content in OPENED.items():
        add("Open files as the prediction", file, content())
        wait_for_score(page, "1.0000")
        write(page, predictions="{}")
        wait_for_score(page, "0.0000")
    for file in ("a.png", "pages.zip"):
        picture = b"\x89PNG\r\n"
        add("Open files as the prediction", file, picture if file == "a.png" else zipped({"1.png": picture}))
        wait_for_text(page, "#predictions-file-problem", f"{file} has pictures only: open what was read from them")
    assert texts(page)[1] == "{}"


@exhaustive
def test_the_first_metric_of_a_single_value_says_something(space: Callable[..., Any]) -> None:
    page = space("explorer")
    take_example(page, "An answer to a question")
    wait_for_score(page, "0.9286")
    assert "anls_star" in page.locator("#score .dx-bar").inner_text()


@exhaustive
def test_labels_are_judged_and_the_score_says_what_that_did(space: Callable[..., Any]) -> None:
    page = space()
    take_example(page, "Four receipts")
    wait_for_text(page, "#score", "all 4 documents")
    before = said(page, "#score [data-docie-score]")
    page.get_by_role("button", name="Judge errors").click()
    dialog = page.get_by_role("dialog", name="System or label: which is wrong?")
    at = page.locator(".docie-at")
    assert re.fullmatch(r"Error 1 of \d+ · 0 judged", at.inner_text())
    while "North Books" not in dialog.locator("dl").inner_text():
        page.keyboard.press("n")
    page.keyboard.press("2")
    page.keyboard.press("Escape")
    wait_for_text(page, "#score", f"entity_f1 {before} →")
    after = said(page, "#score [data-docie-score]")
    assert float(after) > float(before)
    assert "by 1 label correction." in said(page, "#score")
    page.get_by_role("button", name="Judge errors").click()
    assert "· 1 judged" in at.inner_text()
    page.keyboard.press("Escape")
    page.reload()
    wait_for_text(page, "#score", f"entity_f1 {before} → {after} by 1 label correction.")
    page.locator("#score").get_by_role("button", name="Take back").click()
    wait_for_score(page, before)
    assert "label correction" not in said(page, "#score")
