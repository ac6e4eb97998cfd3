"""The page's script as a person meets it: filters, links, the address, keys, exports, any screen and light."""

from __future__ import annotations

import csv
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from script_pages import in_script, page_of

HOSTILE = '"><img src=x onerror=alert(1)><script>alert(2)</script>\u202etxt.exe'
LOOKS: dict[str, dict[str, Any]] = {
    "light": {"color_scheme": "light"},
    "narrow, dark": {"viewport": {"width": 360, "height": 740}, "color_scheme": "dark"},
}
MANY = 1250
LINKS = """<p><a href="#field=total&amp;kind=value">wrong totals</a> <a href="#document=R-1201&amp;value=6">suspect</a>
<a href="#documents">all</a></p>"""
CHART = {
    "title": "Errors",
    "x": {"label": "Automated", "percent": True},
    "y": {"label": "Errors", "percent": True},
    "series": [{"name": "a", "points": [[0, 0], [1, 0.1]]}, {"name": "b", "points": [[0, 0], [1, 0.2]]}],
    "marks": [[0, 0], [0.5, 0.05], [1, 0.1]],
}
ROWS = "".join(
    f"<tr><th scope='row'>{name}</th><td>{share} %</td></tr>" for name, share in ((0.9, 0), (0.5, 50), (0, 100))
)
SLIDER = f"""<div class="docie-slider"><div class="docie-slide"></div>{in_script({"start": 1})}<details class="more"><summary>Table</summary>
<table><thead><tr><th>Threshold</th><th>Automated</th></tr></thead><tbody>{ROWS}</tbody></table></details>
<figure class="docie-chart"><figcaption>Errors</figcaption>{in_script(CHART)}</figure></div>"""


def receipt(number: int) -> list[Any]:
    """A receipt of seven values: each fifth has a wrong total, each second lacks a price."""
    total = ["total", "12.50", *([["12.80", "value", {"c": 0.4}]] if number % 5 == 0 else [["12.50", "", {"c": 0.9}]])]
    items = [
        [
            f"items[{place}]",
            "items",
            "",
            0,
            [["name", "Latte"], ["price", "3.20", *([[None, "missing"]] if number % 2 and place else [])]],
        ]
        for place in range(2)
    ]
    return [
        f"R-{number}",
        [("ACME", "Globex")[number % 2]],
        [["", "", "", 0, [["date", "2026-03-14"], total, ["note", "=1+1"]]], *items],
    ]


@pytest.fixture(scope="module")
def receipts(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A page of receipts in three blocks."""
    path = tmp_path_factory.mktemp("script") / "receipts.html"
    path.write_text(page_of([receipt(number) for number in range(MANY)], LINKS + SLIDER, columns=["vendor"]), "utf-8")
    return path


@pytest.fixture(scope="module")
def hostile(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A page of two systems with hostile, long and deep texts, and a picture."""
    pair = [
        HOSTILE,
        HOSTILE,
        [f"{HOSTILE}!", "value", {"n": HOSTILE, "b": [0.1, 0.1, 0.4, 0.2], "f": 1}],
        [None, "missing"],
    ]
    groups = [
        ["", "", "", 0, [pair, ["long", "x" * 300_000, ["y" * 300_000, "value"]], ["שם", "שלום", ["שלוס", "value"]]]]
    ]
    more = {"problems": {HOSTILE: HOSTILE}, "images": [["data:image/gif;base64,R0lGODlhAQABAAAAACw=", 400, 300]]}
    documents = [[HOSTILE, [HOSTILE], groups, more], [f"{HOSTILE} 2", [""], groups]]
    path = tmp_path_factory.mktemp("script") / "hostile.html"
    path.write_text(page_of(documents, SLIDER, columns=[HOSTILE], systems=[HOSTILE, "b"]), "utf-8")
    return path


def status(page: Any) -> str:
    """What is found, once all is read."""
    page.locator(".docie-found", has_not_text="read").wait_for()
    return str(page.locator(".docie-found").inner_text())


def test_a_link_lists_exactly_its_values_and_the_address_keeps_them(receipts: Path, opened: Callable[..., Any]) -> None:
    window = opened(receipts)
    page = window.page
    assert status(page) == "1,250 documents"
    page.get_by_role("link", name="wrong totals").click()
    assert status(page) == "250 values in 250 documents"
    assert page.url.endswith("#field=total&kind=value")
    assert page.evaluate("document.activeElement.className") == "docie-found"
    assert page.locator("a[aria-current]").inner_text() == "wrong totals"
    first = page.locator(".docie-values tbody tr").first
    assert first.inner_text().split("\t") == ["R-0", "total", "≠ incorrect value", "12.50", "12.80", "0.4"]
    page.get_by_label("vendor").select_option("Globex")
    assert status(page) == "125 values in 125 documents"
    page.go_back()
    assert (status(page), page.get_by_label("vendor").input_value()) == ("250 values in 250 documents", "")
    page.go_back()
    assert (status(page), page.get_by_label("Kind").input_value()) == ("1,250 documents", "")
    page.go_forward()
    page.go_forward()
    assert status(opened(page.url).page) == status(page) == "125 values in 125 documents"
    page.get_by_role("button", name="Clear").click()
    assert status(page) == "1,250 documents"
    assert (window.messages, window.requests) == ([], [])


def test_typing_finds_and_leaves_no_steps_behind(receipts: Path, opened: Callable[..., Any]) -> None:
    page = opened(receipts).page
    assert status(page) == "1,250 documents"
    steps = page.evaluate("history.length")
    page.get_by_label("Find documents").press_sequentially("R-124")
    assert status(page) == "11 of 1,250 documents"
    page.get_by_label("Confidence below").fill("0.5")
    assert status(page) == "2 values in 2 documents"
    assert page.url.endswith("#text=R-124&below=0.5")
    assert page.evaluate("history.length") == steps
    page.get_by_label("View").select_option("documents")
    item = page.locator(".documents > li").first
    item.locator("summary").first.click()
    assert item.locator("tr.docie-sought th > bdi").all_inner_texts() == ["total"]
    assert item.locator("details.docie-block").count() == 2, "other groups are folded"
    rows = item.locator("tr[data-docie-pair]")
    before = rows.count()
    item.locator("details.docie-block > summary").first.click()
    rows.nth(before + 1).wait_for(state="attached")  # what is folded is drawn a moment later
    assert rows.count() == before + 2


def test_a_link_to_a_value_opens_its_document_and_stands_on_it(receipts: Path, opened: Callable[..., Any]) -> None:
    page = opened(receipts.as_uri() + "#document=R-1201&value=6").page
    row = page.locator("tr:focus")
    row.wait_for()
    assert "price" in row.inner_text()
    assert row.evaluate("row => row.closest('li').querySelector('.name').textContent") == "R-1201"
    assert 0 < row.bounding_box()["y"] < page.viewport_size["height"]
    page.get_by_role("link", name="all").click()
    assert status(page) == "1,250 documents"
    page.get_by_role("link", name="suspect").click()
    page.locator("tr[data-docie-pair='6']:focus").wait_for()


def test_keys(receipts: Path, opened: Callable[..., Any]) -> None:
    page = opened(receipts).page
    assert status(page) == "1,250 documents"
    page.keyboard.press("n")
    page.keyboard.press("n")
    assert page.locator(".documents > li > details[open] .name").all_inner_texts() == ["R-1"]
    page.keyboard.press("p")
    assert page.locator(".documents > li > details[open] .name").all_inner_texts() == ["R-0"]
    page.keyboard.press("/")
    page.keyboard.type("n?")
    assert page.get_by_label("Find documents").input_value() == "n?", "no keys in a field"
    page.get_by_label("Find documents").evaluate("field => field.blur()")
    page.keyboard.press("Escape")
    assert page.get_by_label("Find documents").input_value() == ""
    page.keyboard.press("?")
    assert "next document" in page.get_by_role("dialog").inner_text()
    page.keyboard.press("Escape")
    assert not page.get_by_role("dialog").is_visible()


def test_rows_are_drawn_as_they_are_looked_at(receipts: Path, opened: Callable[..., Any]) -> None:
    page = opened(receipts).page
    assert status(page) == "1,250 documents"
    rows = page.locator(".documents > li")
    assert rows.count() <= 300
    down = "() => new Promise(done => { scrollTo(0, 1e9); requestAnimationFrame(() => setTimeout(() => done())) })"
    for _ in range(100):
        page.evaluate(down)
        if rows.count() == MANY:
            break
    assert rows.count() == MANY
    assert not page.locator(".docie-more").is_visible()


def test_what_is_found_comes_as_files(receipts: Path, opened: Callable[..., Any], tmp_path: Path) -> None:
    window = opened(receipts.as_uri() + "#kind=missing&vendor=Globex&text=R-12")
    page = window.page
    assert status(page) == "30 values in 30 documents"
    with page.expect_download() as download:
        page.get_by_role("button", name="JSON Lines").click()
    download.value.save_as(tmp_path / "values.jsonl")
    rows = [json.loads(line) for line in (tmp_path / "values.jsonl").read_text("utf-8").splitlines()]
    assert len(rows) == 30
    assert {row["field"] for row in rows} == {"items.price"}
    page.goto(receipts.as_uri() + "#field=note&document=R-1249")
    with page.expect_download() as download:
        page.get_by_role("button", name="CSV").click()
    download.value.save_as(tmp_path / "values.csv")
    with (tmp_path / "values.csv").open(newline="", encoding="utf-8") as file:
        [row] = csv.DictReader(file)
    assert (row["document"], row["reference"], row["kind"]) == ("R-1249", "'=1+1", "correct")
    assert window.messages == []


def test_the_slider_moves_row_numbers_and_marks(receipts: Path, opened: Callable[..., Any]) -> None:
    page = opened(receipts).page
    slider, mark = page.get_by_role("slider", name="Threshold"), page.locator(".docie-mark circle")
    places = []
    for key, name in (("Home", "0.9"), ("ArrowRight", "0.5"), ("End", "0")):
        slider.press(key)
        assert page.locator(".docie-slide output").inner_text() == name == slider.get_attribute("aria-valuetext")
        assert page.locator("tr.docie-now th").text_content() == name
        assert page.locator("tr.docie-now td").text_content() == page.locator(".docie-slide dd").inner_text()
        places.append(float(mark.get_attribute("cx")))
    assert places == sorted(set(places))
    assert page.locator(".docie-legend").inner_text().split() == ["a", "b"]


def test_what_appears_later_is_drawn_without_documents(opened: Callable[..., Any], tmp_path: Path) -> None:
    groups = [["", "", "", 0, [["total", "12.50", ["12.80", "incorrect", {"n": "0.8"}]]]]]
    drawing = {"type": "fields", "title": "Values", "lead": "", "noun": "key", "scattered": False, "groups": groups}
    html = page_of()
    (tmp_path / "space.html").write_text(html, "utf-8")
    window = opened(tmp_path / "space.html")
    page, explanation = window.page, in_script({"sentence": "One is wrong.", "drawings": [drawing]})
    page.evaluate(
        "html => { document.querySelector('main').innerHTML = html }", f'<div class="docie-drawn">{explanation}</div>'
    )
    page.locator(".docie-drawn ins").wait_for()
    assert page.locator("main").inner_text().startswith("One is wrong.")
    other = in_script({"sentence": "Two are.", "drawings": [drawing, drawing]})
    for data, fields in ((other, 2), (other, 2), (explanation, 1)):  # as Gradio does, with the nodes that are there
        page.evaluate(
            """html => {
              const [data, drawing] = document.querySelector('.docie-drawn').children;
              data.firstChild.data = new DOMParser().parseFromString(html, 'text/html').querySelector('script').text;
              drawing.remove();
            }""",
            data,
        )
        page.locator(".docie-drawn ins").nth(fields - 1).wait_for()
        assert page.locator(".docie-drawn ins").count() == fields
    assert window.messages == []


@pytest.mark.parametrize("look", LOOKS)
def test_hostile_texts_any_screen_and_axe(hostile: Path, opened: Callable[..., Any], look: str) -> None:
    axe = pytest.importorskip("axe_playwright_python.sync_playwright").Axe()
    window = opened(hostile, **LOOKS[look])
    page = window.page
    page.locator(".documents summary").first.click()
    page.locator(".docie-answers").wait_for()
    assert page.locator("img, main script:not([type='application/json'])").count() == 0
    width = page.viewport_size["width"]
    for view in ("documents", "values"):
        page.get_by_label("View").select_option(view)
        if view == "documents":
            page.locator(".documents summary").first.click()
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        violations = axe.run(page, options={"resultTypes": ["violations"]}).response["violations"]
        assert [(each["id"], [node["html"] for node in each["nodes"]][:3]) for each in violations] == []
    assert (window.messages, window.requests) == ([], [])


def test_paper_has_open_documents_and_no_tools(receipts: Path, opened: Callable[..., Any]) -> None:
    page = opened(receipts).page
    page.locator(".documents summary").nth(1).click()
    page.emulate_media(media="print")
    assert not page.get_by_label("Find documents").is_visible()
    assert page.locator(".documents > li:visible .name").all_inner_texts() == ["R-1"]
    assert page.locator(".docie-aligned").is_visible()
