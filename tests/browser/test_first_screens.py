"""The first screen of every page: the score, its sentence and the document; what is entered stays; keyboard alone."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import docie

pytest.importorskip("gradio")
from docie.spaces.common.computing import Request, compute

from space_links import copied

PAGES = ["explorer", *sorted(docie.families())]
USUAL = ("explorer", "form_robustness")
"""Pages whose first screens differ most; the others show one metric, and no form."""
EVERY_PAGE = [pytest.param(name, marks=() if name in USUAL else pytest.mark.exhaustive) for name in PAGES]
PATIENCE = 60_000
"""Milliseconds until a page answers: workers may have to start first."""
SCORE = "[data-docie-score]"
MINE = '{"mine": "1"}'
exhaustive = pytest.mark.exhaustive

SIZES = """score => [...document.querySelectorAll("body *")]
  .filter(each => each !== score && each.checkVisibility() && [...each.childNodes].some(part => part.data?.trim()))
  .map(each => parseFloat(getComputedStyle(each).fontSize))"""
"""The font sizes of all texts that are seen, but for that of the score."""


@pytest.fixture
def screen(addresses: Callable[[str], str], opened: Callable[..., Any]) -> Callable[..., Any]:
    """Opens a page in a window of this size, once its first example is scored."""

    def open_screen(name: str, width: int = 1366, height: int = 900, theme: str = "light") -> Any:
        address = f"{addresses(name)}?__theme={theme}"
        page = opened(address, viewport={"width": width, "height": height}, color_scheme=theme).page
        page.locator(f"{SCORE}:visible").wait_for(timeout=PATIENCE)
        page.locator(".docie-view:visible").first.wait_for(timeout=PATIENCE)
        return page

    return open_screen


def top_of(page: Any, selector: str) -> float:
    return float(page.locator(f":is({selector}):visible").first.bounding_box()["y"])


def write(page: Any, field: str, text: str) -> None:
    page.locator(f"#{field} .cm-content").fill(text)


def wait_for_score(page: Any, score: str) -> None:
    page.wait_for_function(
        f"score => document.querySelector('{SCORE}')?.textContent === score", arg=score, timeout=PATIENCE
    )


@pytest.mark.parametrize("name", EVERY_PAGE)
def test_the_score_its_sentence_and_the_document_come_first(name: str, screen: Callable[..., Any]) -> None:
    page = screen(name)
    score = page.locator(f"{SCORE}:visible")
    assert score.count() == 1
    assert re.fullmatch(r"\d\.\d{4}", score.inner_text()), "alone in its element"
    place = score.bounding_box()
    assert place["y"] + place["height"] < 300, "the fold of a laptop is at 700"
    assert top_of(page, ".dx-sentence") < 300
    assert top_of(page, ".docie-view, .docie-form svg") < 800
    size = score.evaluate("each => parseFloat(getComputedStyle(each).fontSize)")
    assert max(page.evaluate(SIZES, score.element_handle())) < size, "the largest text of the page"
    page.evaluate("scrollTo(0, 9999)")
    page.wait_for_function("scrollY > 100")
    assert -5 < score.bounding_box()["y"] < 60, "it stays"


@exhaustive
@pytest.mark.parametrize("name", EVERY_PAGE)
def test_a_phone_begins_with_the_score(name: str, screen: Callable[..., Any]) -> None:
    page = screen(name, 390, 844)
    places = [SCORE, ".dx-sentence", "#references, #attacks", ".docie-view, .docie-form svg", ".dx-link"]
    tops = [top_of(page, place) for place in places]
    assert tops == sorted(tops)
    assert tops[1] < 450
    assert tops[3] < 1400, "what is entered is not long"
    assert page.evaluate("document.documentElement.scrollWidth") == 390
    headings = page.locator(".docie-view tbody th:visible")
    assert min((each.bounding_box()["width"] for each in headings.all()), default=200) > 150, "names over their values"


@exhaustive
def test_what_a_visitor_wrote_survives_examples(screen: Callable[..., Any]) -> None:
    page = screen("kieval")
    for side in ("references", "predictions"):
        write(page, side, MINE)
    wait_for_score(page, "1.0000")
    page.locator("#example").get_by_role("button", name="Examples").click()
    for name in ("Four receipts", "Line items in another order"):
        page.locator("#example").get_by_role("button", name=name).click()
        page.locator("#references .cm-content").get_by_text("Juniper").first.wait_for(timeout=PATIENCE)
    page.get_by_role("button", name="Undo").click()
    wait_for_score(page, "1.0000")
    assert [page.locator(f"#{side} .cm-content").inner_text() for side in ("references", "predictions")] == [MINE, MINE]


@exhaustive
def test_the_editors_keep_their_height_beside_open_options(screen: Callable[..., Any]) -> None:
    page = screen("explorer")
    before = page.locator("#references").bounding_box()["height"]
    page.locator("#options").get_by_role("button", name="Metrics and options").click()
    page.get_by_text("How documents are read").wait_for()
    assert page.locator("#references").bounding_box()["height"] == before > 150
    schema = page.locator("#option-schema .cm-content")
    schema.fill('{"properties": {"total": {"type": "number"}}}')
    page.locator("#results").get_by_text("schema:").first.wait_for(timeout=PATIENCE)
    indent = page.get_by_role("button", name="Pretty-print the schema")
    indent.click()
    indent.wait_for(state="hidden")
    assert [*map(str.strip, schema.inner_text().split("\n"))][:3] == ["{", '"properties": {', '"total": {']


@exhaustive
def test_a_value_lights_its_partner(screen: Callable[..., Any]) -> None:
    page = screen("kieval")
    reference = {"items": [{"name": "Latte", "amount": "4.50"}, {"name": "Mocha", "amount": "5.00"}]}
    prediction = {"items": [{"name": "Latte", "amount": "5.00"}, {"name": "Mocha", "amount": "4.50"}]}
    write(page, "references", json.dumps(reference))
    write(page, "predictions", json.dumps(prediction))
    answer = compute(Request(family="kieval", predictions=[prediction], references=[reference]))
    wait_for_score(page, answer.headline[1])
    rows = page.locator("#dx-document tr[data-docie-partner]")
    rows.first.wait_for(timeout=PATIENCE)
    assert "The value belongs to another row; correct would be" in rows.first.inner_text()
    rows.first.focus()
    lit = page.locator(".docie-lit")
    assert lit.count() >= 1
    assert {each.get_attribute("data-docie-partner") for each in lit.all()} == {
        rows.first.get_attribute("data-docie-partner")
    }


@exhaustive
def test_a_box_lights_its_row_and_that_of_the_other_side(screen: Callable[..., Any]) -> None:
    """Also a box around a group, and of two labels at one place each its own."""
    page = screen("box_iou")
    place, apart = [0, 0, 40, 10], [200, 0, 240, 10]
    reference = [
        {"label": "total", "box": place},
        *({"label": "item", "box": [x, 50, x + 20, 60], "group": 1} for x in (0, 60)),
        {"label": "date", "box": apart},
    ]
    prediction = [
        {"label": "vendor", "box": place},
        {"label": "date", "box": apart},
        *({"label": "item", "box": [x, 50, x + 20, 60], "group": 1} for x in (0, 80)),
    ]
    write(page, "references", json.dumps(reference))
    write(page, "predictions", json.dumps(prediction))
    wait_for_score(page, "0.6667")
    page.wait_for_function("document.querySelectorAll('#dx-document rect[data-docie-pair]').length === 6")
    page.locator("#dx-document rect[data-docie-pair='2']").first.dispatch_event("mouseover")
    assert "date" in page.locator("#dx-document details.docie-lit > summary").inner_text(), "a row that is folded"
    page.evaluate("for (const each of document.querySelectorAll('#dx-document details')) each.open = true")
    page.wait_for_function("document.querySelectorAll('#dx-document tr[data-docie-pair]').length === 4")

    def lit() -> tuple[list[str], list[str]]:
        """The boxes, and the rows by their names."""
        rows = page.locator("tr.docie-lit th > bdi").all_inner_texts()
        return page.locator("rect.docie-lit").all_text_contents(), rows

    expected = [
        ["total, reference"],
        ["item, reference, around a group", "item, prediction, around a group"],
        ["date, reference", "date, prediction"],
        ["vendor, prediction"],
    ]
    sources = page.locator("#dx-document [data-docie-pair]").all()
    assert len(sources) == 4 + 6
    for each in sources:
        page.mouse.move(0, 0)
        each.dispatch_event("mouseover")  # the mouse does not reach a box under another one
        number = int(each.get_attribute("data-docie-pair"))
        assert lit() == (expected[number], [f"no. {number + 1}"])
    word = page.locator("#dx-document rect:not([data-docie-pair])").last.bounding_box()
    page.mouse.move(word["x"] + word["width"] / 2, word["y"] + word["height"] / 2)
    assert lit() == (expected[1], ["no. 2"]), "a word of a group"


READ = {"value": "20.80", "confidence": 0.4, "box": [50, 690, 200, 720]}
WITH_BOXES = {"kieval": ({"total": {**READ, "value": "20.00", "box": [55, 695, 150, 715]}}, {"total": READ})}


@exhaustive
@pytest.mark.parametrize("name", ["kieval", "box_iou"])
def test_a_picture_of_the_page_bears_the_boxes(name: str, screen: Callable[..., Any], tmp_path: Path) -> None:
    image = pytest.importorskip("PIL.Image")
    image.new("RGB", (600, 800), "white").save(tmp_path / "page.png")
    (tmp_path / "no.png").write_bytes(b"no picture")
    page = screen(name)
    for side, document in zip(("references", "predictions"), WITH_BOXES.get(name, ()), strict=False):
        write(page, side, json.dumps(document))
    if name in WITH_BOXES:
        wait_for_score(page, "0.0000")
    link = copied(page)

    def add(file: str) -> None:
        with page.expect_file_chooser() as chooser:
            page.get_by_role("button", name="Add pictures of the pages").click()
        chooser.value.set_files(tmp_path / file)

    add("page.png")
    drawing = page.locator("#dx-document svg:has(image)")
    drawing.wait_for(timeout=PATIENCE)
    paper = drawing.locator("image").bounding_box()
    assert paper["height"] / paper["width"] == pytest.approx(4 / 3, rel=0.01)
    drawn = drawing.locator("rect[data-docie-pair]:not(.docie-hull), [data-docie-pair] rect").first
    box = drawn.bounding_box()
    x, y = ((box[axis] - paper[axis]) / paper["width"] * 600 for axis in ("x", "y"))
    assert (x, y) == pytest.approx((55, 695) if name == "kieval" else (40, 30), abs=5)
    assert drawn.evaluate("each => getComputedStyle(each).stroke") != "none"
    drawn.hover(force=True)
    assert page.locator(".docie-lit").count() >= 2
    assert copied(page) == link, "no link holds the picture"
    add("no.png")
    page.locator("#scans-file-problem").get_by_text("Only pictures can be opened here").wait_for(timeout=PATIENCE)
    assert drawing.count() == 1, "what was there stays"
    page.locator("#example").get_by_role("button", name="Examples").click()
    page.locator("#example > * button").first.click()
    drawing.wait_for(state="detached", timeout=PATIENCE)


@exhaustive
def test_the_picture_of_a_document_is_not_shown_beside_another(screen: Callable[..., Any], tmp_path: Path) -> None:
    pytest.importorskip("PIL.Image").new("RGB", (600, 800), "white").save(tmp_path / "page.png")
    page = screen("kieval")
    for side, document in zip(("references", "predictions"), WITH_BOXES["kieval"], strict=True):
        write(page, side, json.dumps([document, document]))
    page.locator("#score .dx-bar").get_by_text("all 2 documents").wait_for(timeout=PATIENCE)
    with page.expect_file_chooser() as chooser:
        page.get_by_role("button", name="Add pictures of the pages").click()
    chooser.value.set_files(tmp_path / "page.png")
    drawing = page.locator("#dx-document svg:has(image)")
    drawing.wait_for(timeout=PATIENCE)
    page.locator("#document input").click()
    page.get_by_role("option", name="Document 2 of 2").click()
    drawing.wait_for(state="detached", timeout=PATIENCE)


@exhaustive
def test_three_hundred_line_items_are_quick_and_short(screen: Callable[..., Any]) -> None:
    page = screen("explorer")
    items = [{"name": f"item {number}", "count": "1", "amount": f"{number}.00"} for number in range(300)]
    wrong = [{**item, "amount": "0.01"} if number % 20 == 7 else item for number, item in enumerate(items)]
    write(page, "references", json.dumps({"items": items}))
    page.wait_for_timeout(3000)
    answer = compute(Request(family="kieval", predictions=[{"items": wrong}], references=[{"items": items}]))
    start = page.evaluate("performance.now()")
    write(page, "predictions", json.dumps({"items": wrong}))
    wait_for_score(page, answer.headline[1])
    page.evaluate("new Promise(requestAnimationFrame)")
    assert page.evaluate("performance.now()") - start < 10_000, "docs/spaces.md says how long it takes"
    assert page.evaluate("document.documentElement.scrollHeight") < 6_000
    page.locator("#dx-hed-metric > summary").click()
    assert page.locator("#dx-hed-metric .docie-view").first.is_visible()


def press_until(page: Any, selector: str, key: str = "Tab", most: int = 120) -> None:
    """Press a key until an element has the focus."""
    for _ in range(most):
        if page.evaluate("selector => document.activeElement?.matches(selector)", selector):
            return
        page.keyboard.press(key)
    raise AssertionError(f"{selector} is not reached")


@exhaustive
@pytest.mark.parametrize("name", ["explorer", "kieval"])
def test_keyboard_alone_leads_from_opening_to_a_link(
    name: str, screen: Callable[..., Any], opened: Callable[..., Any]
) -> None:
    page = screen(name)
    for side in ("references", "predictions"):
        press_until(page, f"#{side} .cm-content")
        page.keyboard.press("Control+a")
        page.keyboard.type('{"total": "' + ("7" if side == "references" else "9"), delay=5)
        page.keyboard.press("Escape")
    wait_for_score(page, "0.0000")
    page.wait_for_timeout(3000)  # a half-written document has that score, too
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.keyboard.press("Escape")  # an editor lets Tab leave it for two seconds
    press_until(page, ".dx-link")
    page.keyboard.press("Enter")
    page.get_by_role("button", name="Copied").wait_for()
    again = opened(page.evaluate("navigator.clipboard.readText()")).page
    wait_for_score(again, "0.0000")
    assert "total" in again.locator("#predictions .cm-content").inner_text()


@exhaustive
@pytest.mark.parametrize("name", PAGES)
def test_everything_that_can_be_used_has_a_name(name: str, screen: Callable[..., Any]) -> None:
    page = screen(name)
    snapshot = page.locator("body").aria_snapshot()
    nameless = re.findall(
        r"^ *- (?:button|link|textbox|checkbox|combobox|slider|spinbutton|tab|region)(?: \[.*\])?:?$", snapshot, re.M
    )
    assert nameless == []
    if name == "form_robustness":
        page.get_by_role("tab", name="Score answers").click()
    for side in ("Reference: the correct values", "Prediction: what the model extracted"):
        assert page.get_by_role("textbox", name=f"{side}. Escape, then Tab leaves it.").count() == 1
    assert page.get_by_role("navigation", name="On this page").count() >= 1


@exhaustive
@pytest.mark.parametrize("name", PAGES)
@pytest.mark.parametrize(
    ("theme", "width", "height"), [("light", 1366, 900), ("dark", 1366, 900), ("light", 390, 844), ("dark", 390, 844)]
)
def test_every_page_can_be_read(name: str, theme: str, width: int, height: int, screen: Callable[..., Any]) -> None:
    axe = pytest.importorskip("axe_playwright_python.sync_playwright").Axe()
    page = screen(name, width, height, theme)
    for opens in page.locator("#options > button, #example > button").all():
        if opens.is_visible():
            opens.click()
    page.evaluate("for (const each of document.querySelectorAll('details')) each.open = true")
    page.wait_for_timeout(300)
    found = axe.run(page).response["violations"]
    serious = [each for each in found if each["impact"] in ("serious", "critical")]
    assert [(each["id"], [node["html"] for node in each["nodes"]][:3]) for each in serious] == []
