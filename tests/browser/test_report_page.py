"""The report in a browser: its numbers lead to their values, and it is quick, silent, and readable in any way."""

from __future__ import annotations

import itertools
import random
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from page_data import documents_of, values_of
from reports import score_report

import docie
from docie import kieval

from sizes import share

DOCUMENTS = 100
DIGITS = "0123456789"
HOSTILE = '"><img src=x onerror=alert(1)><script>alert(2)</script>\u202etxt.exe'
LOOKS: dict[str, dict[str, Any]] = {
    "light": {"color_scheme": "light"},
    "dark": {"color_scheme": "dark"},
    "narrow": {"viewport": {"width": 360, "height": 740}},
    "narrow, dark": {"viewport": {"width": 360, "height": 740}, "color_scheme": "dark"},
}
OPEN_ALL = "for (const each of document.querySelectorAll('details')) each.open = true"
exhaustive = pytest.mark.exhaustive


def receipts(root: Path) -> tuple[Any, Any]:
    """The predictions and references of the examples."""
    folder = root / "examples" / "receipts"
    return docie.read(folder / "predictions-hasty.jsonl"), docie.read(folder / "references.jsonl")


def written(root: Path, path: Path, documents: int) -> Path:
    """A report of so many receipts. The first costs most, and its texts are hostile."""
    hostile: list[dict[str, Any]] = [
        {HOSTILE: [f"{number} {HOSTILE}" for number in range(min(documents, 9) ** 2)]},
        {"total": HOSTILE},
    ]
    sides = []
    for first, rows in zip(hostile, receipts(root), strict=True):
        others = (row["document"] for row in itertools.islice(itertools.cycle(rows), documents - 1))
        names = (str(number) if number else HOSTILE for number in itertools.count())
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


def status(page: Any) -> str:
    """What is found, once all is read."""
    page.locator(".docie-found", has_not_text="read").wait_for()
    return str(page.locator(".docie-found").inner_text())


@exhaustive
def test_a_hundred_documents_are_small_quick_and_silent(
    page_of_receipts: Path, opened: Callable[..., Any], capsys: pytest.CaptureFixture[str]
) -> None:
    assert page_of_receipts.stat().st_size < 2_000_000
    window = opened(page_of_receipts)
    page = window.page
    assert status(page) == f"{DOCUMENTS} documents"
    assert page.locator(".documents > li").count() == DOCUMENTS
    page.evaluate(OPEN_ALL)
    page.locator(".documents .docie-aligned").last.wait_for()
    assert (window.messages, window.requests) == ([], [])
    assert page.locator("img, iframe, script[src]").count() == 0
    assert "<img src=x" in page.locator("h1").inner_text()
    milliseconds = page.evaluate("performance.getEntriesByType('navigation')[0].domContentLoadedEventEnd")
    with capsys.disabled():
        print(f" [{page_of_receipts.stat().st_size / 1e6:.2f} MB, ready after {milliseconds:.0f} ms] ", end="")


def test_numbers_lead_to_exactly_their_values(page_of_receipts: Path, opened: Callable[..., Any]) -> None:
    """Of cells, patterns and repairs: as many as they say, which are those that the data has."""
    page = opened(page_of_receipts).page
    status(page)
    found = [*values_of(page_of_receipts.read_text("utf-8"))]

    def follow(link: Any) -> str:
        link.click()
        assert page.evaluate("document.activeElement.className") == "docie-found"
        return status(page)

    cells = page.locator("#fields td.heat a")
    for place in range(0, cells.count(), cells.count() // 5):
        [(field, kind)] = re.findall("^#field=(.*)&kind=(.*)$", cells.nth(place).get_attribute("href"))
        values = [each for each in found if (each.field, each.kind()) == (field, kind)]
        assert len(values) == int(cells.nth(place).inner_text())
        assert re.fullmatch(
            rf"{len(values)} values? in {len({each.document for each in values})} documents?", follow(cells.nth(place))
        )
        rows = page.locator(".docie-values tbody tr").all()
        assert len(rows) == len(values)
        assert {*page.locator(".docie-values tbody th a").all_inner_texts()} == {
            each.document.replace("\u202e", "U+202E") for each in values
        }
    for section, rows in (("#patterns", 2), ("#repairs", 4)):
        place = page.locator(f"{section} thead th").all_inner_texts().index("Errors")
        for row in page.locator(f"{section} tbody tr").all()[:rows]:
            errors = row.locator("th, td").nth(place).inner_text().strip()
            assert follow(row.locator("th a")).startswith(f"{errors} values in ")
    documents = page.locator("#fields tbody tr").first.locator("td a").last
    assert follow(documents).endswith(f" in {documents.inner_text()} documents")


@exhaustive
def test_a_failed_answer_and_suspected_labels_lead_to_their_documents(
    root: Path, tmp_path: Path, opened: Callable[..., Any]
) -> None:
    score_report(tmp_path / "report.html", *receipts(root))
    page = opened(tmp_path / "report.html").page
    note = page.locator("#overview p", has_text="Failed as a whole: 1 answer could not be read.")
    note.get_by_role("link").click()
    assert status(page) == "1 of 24 documents"
    assert "unreadable" in page.locator(".documents summary").inner_text()
    rows = page.locator("#suspects tbody tr")
    assert rows.count() == 10
    for row in rows.all():
        document, _, expected, predicted, _ = row.locator("th, td").all_inner_texts()
        row.locator("a").click()
        assert page.locator(".documents .name").all_inner_texts() == [document]
        sought = page.locator(".documents tr.docie-sought:focus")
        assert expected in sought.inner_text() or expected == "–"
        assert predicted in sought.inner_text()
        assert 0 < sought.bounding_box()["y"] < page.viewport_size["height"], "it is on the screen"


@exhaustive
def test_the_slider_moves_row_numbers_and_mark_together(page_of_receipts: Path, opened: Callable[..., Any]) -> None:
    page = opened(page_of_receipts).page
    slider = page.get_by_role("slider", name="Threshold")
    shown, rows = page.locator(".docie-slide dd"), page.locator(".docie-slider > .more tbody tr")
    mark, places = page.locator(".docie-slider .docie-mark circle"), []
    for place, key in ((0, "Home"), (1, "ArrowRight"), (rows.count() - 1, "End")):
        slider.press(key)
        threshold, *cells = rows.nth(place).locator("th, td").all_text_contents()
        assert (
            page.locator(".docie-slide output").inner_text()
            == threshold.strip()
            == slider.get_attribute("aria-valuetext")
        )
        assert shown.all_inner_texts() == [each.strip() for each in cells]
        assert rows.nth(place).get_attribute("class") == "docie-now"
        places.append(float(mark.get_attribute("cx")))
    assert places[0] > places[-1], "the higher the threshold, the fewer values skip review"


def other_values(document: Any, letters: dict[int, int]) -> Any:
    """A document with other letters and digits, of the same sizes."""
    if isinstance(document, dict):
        return {key: each if key == "confidence" else other_values(each, letters) for key, each in document.items()}
    if isinstance(document, list):
        return [other_values(each, letters) for each in document]
    return document.translate(letters) if isinstance(document, str) else document


@exhaustive
def test_twenty_thousand_documents(
    root: Path, tmp_path: Path, opened: Callable[..., Any], capsys: pytest.CaptureFixture[str]
) -> None:
    """At most 25 MB; the times are printed, and three times as long as they may take is an error."""
    documents = share(20_000, least=2000)
    draw, signs = random.Random(0), [*"abcdefghijklmnopqrstuvwxyz"]
    sides: tuple[list[Any], list[Any]] = ([], [])
    for number, pair in zip(range(documents), itertools.cycle(zip(*receipts(root), strict=True)), strict=False):
        others = [*draw.sample(signs, 26), *draw.sample(DIGITS, 10)]
        letters = str.maketrans("".join([*signs, DIGITS]), "".join(others))
        for side, row in zip(sides, pair, strict=True):
            side.append({"id": f"r-{number}", "document": other_values(row["document"], letters)})
    path = tmp_path / "report.html"
    score_report(path, *sides)
    assert path.stat().st_size <= 25_000_000 * documents / 20_000 + 1_200_000
    page = opened(path).page
    page.locator(".documents > li").first.wait_for()
    ready = page.evaluate("performance.now()")
    assert status(page) == f"{documents:,} documents"
    filtered = [
        page.evaluate(
            """([name, value]) => new Promise((done) => {
              const start = performance.now(), tool = document.querySelector(`.docie-tools [name=${name}]`);
              tool.value = value;
              tool.dispatchEvent(new Event("input", { bubbles: true }));
              requestAnimationFrame(() => setTimeout(() => done(performance.now() - start)));
            })""",
            each,
        )
        for each in (["text", "12"], ["text", ""], ["field", "items.amount"], ["kind", "value"])
    ]
    assert page.locator(".docie-values tbody tr").count() == 100
    with capsys.disabled():
        print(
            f" [{path.stat().st_size / 1e6:.1f} MB, ready in {ready:.0f} ms, filters {max(filtered):.0f} ms] ", end=""
        )
    assert ready < 3 * 2000
    assert max(filtered) < 3 * 200


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
    page.locator(".documents summary").first.click()
    wrong = page.locator("tr[data-docie-pair='1']")
    wrong.hover()
    assert page.locator("g.docie-lit").count() == 2, "both boxes of the value"
    page.locator("g[data-docie-pair='0'] rect").last.hover()
    assert page.locator("tr.docie-lit").get_attribute("data-docie-pair") == "0"
    assert page.evaluate("document.querySelector('image').getBBox().width") == 400
    violations = axe.run(page, options={"resultTypes": ["violations"]}).response["violations"]
    assert [each["id"] for each in violations if each["impact"] in ("serious", "critical")] == []
    assert (window.messages, window.requests) == ([], [])


def test_a_correct_value_in_the_wrong_place(tmp_path: Path, opened: Callable[..., Any]) -> None:
    """It is marked, drawn with the boxes of both sides, found by its kind, and nothing to correct."""
    image = pytest.importorskip("PIL.Image")
    image.new("RGB", (400, 300), "white").save(tmp_path / "page.png")
    prediction, reference = (
        {"a": {"value": "1", "confidence": None, "box": box, "page": 1}, "b": "2"}
        for box in ([10, 10, 90, 30], [[10, 100, 50, 120], [60, 100, 90, 120]])
    )
    rows = [{"prediction": prediction}], [{"reference": reference, "meta": {"image": "page.png"}}]
    score_report(tmp_path / "report.html", *rows, kieval.Settings(evidence="box"), images=tmp_path)
    window = opened(tmp_path / "report.html")
    page = window.page
    page.locator(".documents summary", has_text="all 2 correct").first.wait_for()  # once it is drawn
    page.locator(".documents summary").first.click()
    [row] = page.locator("tr.docie-place").all()
    said = " ".join(row.inner_text().split())
    assert "wrong place" in said
    assert said.endswith("in the reference page 1, box [[10, 100, 50, 120], [60, 100, 90, 120]]")
    drawn = page.locator("g.docie-place").evaluate_all(
        "all => all.map(each => each.getAttribute('class').split(' ')[0])"
    )
    assert sorted(drawn) == ["docie-of-prediction", "docie-of-reference", "docie-of-reference"]
    page.goto(page.url.partition("#")[0] + "#kind=place")
    assert "wrong place" in page.locator(".docie-values tbody tr").inner_text()
    assert window.messages == []


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
    for name in ("Overview", "What to fix first", "Fields", "Review by confidence", "Documents", "How it was made"):
        assert page.get_by_role("heading", name=name, exact=True).is_visible()
    names = page.locator("#docie-documents tbody th").all_inner_texts()
    assert len(names) == len(documents_of(small_page.read_text("utf-8"))) == 3
    assert not page.locator(".docie-slide").is_visible()
    page.locator("summary", has_text="Table of thresholds").click()
    assert page.get_by_role("table", name="Table of thresholds").is_visible()


@exhaustive
def test_the_keyboard_reaches_everything(small_page: Path, opened: Callable[..., Any]) -> None:
    page = opened(small_page).page
    page.keyboard.press("Tab")
    assert page.locator(":focus").inner_text() == "Skip to the scores"
    page.keyboard.press("Enter")
    assert page.evaluate("document.activeElement.id") == "main"
    reached = set()
    for _ in range(90):
        page.keyboard.press("Tab")
        reached.add(
            page.evaluate("document.activeElement.closest('[role=region], summary, input, select, button')?.tagName")
        )
        if page.evaluate("document.activeElement.matches('.documents summary')"):
            break
    assert {"DIV", "SUMMARY", "INPUT", "SELECT", "BUTTON"} <= reached
    page.keyboard.press("Enter")
    assert page.locator(".documents > li").first.locator(".docie-aligned").is_visible()
    page.locator("#fields td.heat a").first.press("Enter")
    page.locator(".docie-found:focus").wait_for()
    page.keyboard.press("Tab")
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    page.locator(".documents tr.docie-sought:focus").wait_for()


@exhaustive
@pytest.mark.parametrize("look", LOOKS)
def test_axe_finds_nothing_serious(small_page: Path, opened: Callable[..., Any], look: str) -> None:
    axe = pytest.importorskip("axe_playwright_python.sync_playwright").Axe()
    page = opened(small_page, **LOOKS[look]).page
    status(page)
    page.evaluate(OPEN_ALL)
    page.locator(".documents .docie-aligned").last.wait_for()
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), "it scrolls sideways"
    violations = axe.run(page, options={"resultTypes": ["violations"]}).response["violations"]
    serious = [each for each in violations if each["impact"] in ("serious", "critical")]
    assert [(each["id"], [node["html"] for node in each["nodes"]][:3]) for each in serious] == []
