"""The report in a browser: quick, silent, readable without scripts, by keyboard, in any light and on paper."""

from __future__ import annotations

import itertools
import random
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from reports import score_report

import docie
from docie import kieval
from docie.show.report import explanation_view

from sizes import share

DOCUMENTS = 100
MANY = 130
DIGITS = "0123456789"
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
    score_report(path, sides[0], sides[1], title=f"Receipts {HOSTILE}", command=HOSTILE)
    return path


@pytest.fixture(scope="module")
def page_of_receipts(root: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The report of a hundred receipts."""
    return written(root, tmp_path_factory.mktemp("report") / "report.html", DOCUMENTS)


@pytest.fixture(scope="module")
def small_page(root: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The report of a few receipts, which axe reads in a moment."""
    return written(root, tmp_path_factory.mktemp("report") / "report.html", 3)


@exhaustive
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
    found.fill("cobb sal")
    assert 0 < shown.count() < DOCUMENTS
    assert page.locator("#found").inner_text() == f"{shown.count()} of {DOCUMENTS} documents"
    found.fill("")
    assert shown.count() == DOCUMENTS
    milliseconds = page.evaluate("performance.getEntriesByType('navigation')[0].domContentLoadedEventEnd")
    with capsys.disabled():
        print(f" [{page_of_receipts.stat().st_size / 1e6:.2f} MB, ready after {milliseconds:.0f} ms] ", end="")


@pytest.fixture(scope="module")
def many(root: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The report of more receipts than are shown at first."""
    return written(root, tmp_path_factory.mktemp("report") / "many.html", MANY)


def test_a_cell_filters_the_documents_and_the_address_keeps_it(
    root: Path, page_of_receipts: Path, opened: Callable[..., Any]
) -> None:
    page = opened(page_of_receipts).page
    page.locator("a[href='#field=items.amount&kind=value']").click()
    assert page.url.endswith("#field=items.amount&kind=value")
    rows = page.locator("#list > li")
    folder = root / "examples" / "receipts"
    predictions, references = (
        {row["id"]: row["document"] for row in docie.read(folder / f"{name}.jsonl")}
        for name in ("predictions-hasty", "references")
    )
    names = [*references]
    expected = {
        number
        for number in range(1, DOCUMENTS)
        for error in kieval.error_rows(*(side[names[(number - 1) % len(names)]] for side in (predictions, references)))
        if (error.entity_type, error.kind) == ("items.amount", "value")
    }
    assert {int(name.strip("␣")) for name in page.locator("#list .name").all_inner_texts()} == expected
    assert page.evaluate("document.activeElement.id") == "found"
    assert page.locator("[aria-current]").count() == 1
    rows.first.locator("summary").first.click()
    sought = rows.first.locator("tr.docie-sought")
    assert {*sought.locator("th > bdi").all_inner_texts()} == {"amount"}
    assert rows.first.locator(".docie-block:visible").count() == sought.count(), "other groups are hidden"
    again = opened(page.url).page
    again.locator("#tools").wait_for()
    assert again.locator("#list > li").count() == rows.count() == len(expected)
    again.get_by_label("Field", exact=True).select_option("")
    again.get_by_label("Find documents").fill("12,50")
    assert again.url.endswith("#value=12%2C50&kind=value")
    again.get_by_role("button", name="Show all").click()
    assert again.locator("#list > li").count() == DOCUMENTS
    assert "=" not in again.url
    again.evaluate("location.hash = 'value=onerror'")
    again.locator("#found", has_text=f"1 of {DOCUMENTS} documents").wait_for()
    assert again.locator("#list .docie-aligned").is_visible(), "the only document is open"


@exhaustive
def test_documents_behind_the_first_hundred_open_from_within_the_file(
    root: Path, many: Path, opened: Callable[..., Any]
) -> None:
    window = opened(many)
    page, rows = window.page, window.page.locator("#list > li")
    assert rows.count() == 100
    page.get_by_role("button", name="Show 100 more").click()
    assert rows.count() == MANY
    assert not page.get_by_role("button", name="Show 100 more").is_visible()
    last = rows.nth(MANY - 1)
    assert last.locator(".docie-aligned").count() == 0
    last.locator("summary").first.click()
    last.locator(".docie-aligned").wait_for()
    number = int(last.locator(".name").inner_text().strip("␣"))
    number = int(last.locator(".name").inner_text().strip("␣"))
    folder = root / "examples" / "receipts"
    prediction, reference = (
        docie.read(folder / f"{name}.jsonl")[(number - 1) % 24]["document"]
        for name in ("predictions-hasty", "references")
    )
    written_again = explanation_view(kieval.explain(prediction, reference), folds=True)
    unpacked = last.locator(".docie-aligned").evaluate("element => element.outerHTML")
    as_element = "html => { document.body.insertAdjacentHTML('beforeend', html); return document.body.lastElementChild.outerHTML }"
    assert unpacked == page.evaluate(as_element, written_again)
    assert window.messages == []
    assert window.requests == []


@exhaustive
def test_the_slider_shows_the_rows_of_its_table(page_of_receipts: Path, opened: Callable[..., Any]) -> None:
    page = opened(page_of_receipts).page
    slider = page.get_by_role("slider", name="Threshold")
    slider.focus()
    page.keyboard.press("Home")
    shown, rows = page.locator(".docie-slider dd"), page.locator("table[data-slides] tbody tr")
    for place, key in ((0, "Home"), (1, "ArrowRight"), (rows.count() - 1, "End")):
        page.keyboard.press(key)
        threshold, *cells = rows.nth(place).locator("th, td").all_text_contents()
        assert page.locator(".docie-slider output").inner_text() == threshold == slider.get_attribute("aria-valuetext")
        assert shown.all_inner_texts() == cells


def other_values(document: Any, letters: dict[int, int]) -> Any:
    """A document with other letters and digits, of the same sizes."""
    if isinstance(document, dict):
        return {key: each if key == "confidence" else other_values(each, letters) for key, each in document.items()}
    if isinstance(document, list):
        return [other_values(each, letters) for each in document]
    return document.translate(letters) if isinstance(document, str) else document


@exhaustive
def test_a_suspected_label_leads_to_its_value(root: Path, tmp_path: Path, opened: Callable[..., Any]) -> None:
    folder = root / "examples" / "receipts"
    predictions, references = (docie.read(folder / f"{name}.jsonl") for name in ("predictions-hasty", "references"))
    score_report(tmp_path / "report.html", predictions, references)
    page = opened(tmp_path / "report.html").page
    rows = page.locator("#suspects tbody tr")
    assert rows.count() == 10
    for row in rows.all():
        document, _, expected, predicted, _ = row.locator("th, td").all_inner_texts()
        row.locator("a").click()
        assert page.locator("#list .name").all_inner_texts() == [document]
        [sought] = page.locator("#list tr.docie-sought:visible").all()
        assert expected in sought.inner_text() or expected == "–"
        assert predicted in sought.inner_text()
        assert 0 < sought.bounding_box()["y"] < page.viewport_size["height"], "it is on the screen"


@exhaustive
def test_twenty_thousand_documents(
    root: Path, tmp_path: Path, opened: Callable[..., Any], capsys: pytest.CaptureFixture[str]
) -> None:
    """At most 25 MB; the times are printed, and three times as long as they may take is an error."""
    documents = share(20_000, least=2000)
    draw, signs = random.Random(0), [*"abcdefghijklmnopqrstuvwxyz"]
    folder = root / "examples" / "receipts"
    sides: tuple[list[Any], list[Any]] = ([], [])
    pairs = zip(*(docie.read(folder / f"{name}.jsonl") for name in ("predictions-hasty", "references")), strict=True)
    for number, pair in zip(range(documents), itertools.cycle(pairs), strict=False):
        others = [*draw.sample(signs, 26), *draw.sample(DIGITS, 10)]
        letters = str.maketrans("".join([*signs, DIGITS]), "".join(others))
        for side, row in zip(sides, pair, strict=True):
            side.append({"id": f"r-{number}", "document": other_values(row["document"], letters)})
    path = tmp_path / "report.html"
    score_report(path, *sides)
    assert path.stat().st_size <= 25_000_000 * documents / 20_000 + 1_200_000
    page = opened(path).page
    page.locator("#tools").wait_for()
    ready = page.evaluate("performance.now()")
    filtered = [
        page.evaluate(
            """([id, value]) => new Promise((done) => {
              const start = performance.now(), tool = document.getElementById(id);
              tool.value = value;
              tool.dispatchEvent(new Event("input", { bubbles: true }));
              requestAnimationFrame(() => setTimeout(() => done(performance.now() - start)));
            })""",
            each,
        )
        for each in (["sought", "12"], ["sought", ""], ["field", "items.amount"], ["kind", "value"])
    ]
    assert page.locator("#list > li").count() == 100
    with capsys.disabled():
        print(
            f" [{path.stat().st_size / 1e6:.1f} MB, ready in {ready:.0f} ms, filters {max(filtered):.0f} ms] ", end=""
        )
    assert ready < 3 * 2000
    assert max(filtered) < 3 * 200


@exhaustive
def test_the_keyboard_alone_comes_from_a_cell_to_its_documents(
    page_of_receipts: Path, opened: Callable[..., Any]
) -> None:
    page = opened(page_of_receipts).page
    page.locator("#fields a").first.focus()
    page.keyboard.press("Enter")
    page.locator("#found:focus").wait_for()
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.matches('#list summary')")
    page.keyboard.press("Enter")
    assert page.locator("#list > li").first.locator(".docie-aligned").is_visible()


@exhaustive
@pytest.mark.parametrize("look", LOOKS)
def test_a_value_and_its_box_light_each_other(tmp_path: Path, opened: Callable[..., Any], look: str) -> None:
    image, axe = pytest.importorskip("PIL.Image"), pytest.importorskip("axe_playwright_python.sync_playwright").Axe()
    image.new("RGB", (400, 300), "white").save(tmp_path / "page.png")
    sides: list[Any] = [
        [{side: {name: {"value": text, "confidence": 0.9, "box": [10, y, 90, y + 20]} for name, text, y in rows}}]
        for side, rows in (
            ("prediction", [("a", "1", 10), ("b", "2", 90)]),
            ("reference", [("a", "1", 10), ("b", "3", 95)]),
        )
    ]
    sides[1][0]["meta"] = {"image": "page.png"}
    score_report(tmp_path / "report.html", *sides, images=tmp_path)
    window = opened(tmp_path / "report.html", **LOOKS[look])
    page = window.page
    page.locator("#list summary").first.click()
    wrong = page.locator("tr[data-docie-pair='1']")
    wrong.hover()
    assert page.locator("g.docie-lit").count() == 2, "both boxes of the value"
    page.locator("g[data-docie-pair='0'] rect").last.hover()
    assert page.locator("tr.docie-lit").get_attribute("data-docie-pair") == "0"
    assert page.evaluate("document.querySelector('image').getBBox().width") == 400
    violations = axe.run(page, options={"resultTypes": ["violations"]}).response["violations"]
    assert [each["id"] for each in violations if each["impact"] in ("serious", "critical")] == []
    assert (window.messages, window.requests) == ([], [])


@exhaustive
def test_the_score_is_on_the_first_screen(page_of_receipts: Path, opened: Callable[..., Any]) -> None:
    for width, height in ((1366, 900), (390, 844)):
        page = opened(page_of_receipts, viewport={"width": width, "height": height}).page
        score = page.locator("[data-docie-score]")
        assert re.fullmatch(r"0\.\d{4}", score.inner_text())
        box = score.bounding_box()
        assert box["y"] + box["height"] < 700
        sizes = page.evaluate(
            "[...document.querySelectorAll('body *')].map((each) => parseFloat(getComputedStyle(each).fontSize))"
        )
        assert max(sizes) == score.evaluate("element => parseFloat(getComputedStyle(element).fontSize)")


@exhaustive
def test_all_can_be_read_without_scripts(small_page: Path, opened: Callable[..., Any]) -> None:
    page = opened(small_page, java_script_enabled=False).page
    assert not page.get_by_label("Find documents").is_visible()
    for heading in (
        "Overview",
        "What to fix first",
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
    page.set_viewport_size({"width": 680, "height": 1000})  # A4 without its margins
    assert page.evaluate("document.documentElement.scrollWidth") <= 680
    assert page.locator("h2").first.evaluate("element => getComputedStyle(element).breakAfter") == "avoid"
    assert page.locator("#fields tr").last.evaluate("element => getComputedStyle(element).breakInside") == "avoid"
    assert not page.locator(".docie-slider").is_visible()
    assert not page.get_by_label("Find documents").is_visible()
    assert not page.get_by_role("navigation").is_visible()
    assert page.get_by_role("heading", name="Fields").is_visible()
    assert page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(255, 255, 255)"
    assert page.evaluate("getComputedStyle(document.querySelector('h1')).color") == "rgb(28, 33, 39)"
    assert page.pdf(format="A4").startswith(b"%PDF")
