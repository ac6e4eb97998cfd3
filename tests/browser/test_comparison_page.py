"""The report of a comparison in a browser: silent, readable without scripts, on small screens and by axe's rules."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import docie

from real_documents import SYSTEMS, docubench_pairs

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
    result = docie.compare(references=references, systems=systems, by_field=True, documents=50)
    docie.write(result, path, title=f"Receipts {HOSTILE}", command=HOSTILE)
    return path


def written(path: Path, systems: dict[str, Any], references: list[Any], **options: Any) -> Path:
    docie.write(docie.compare(references=references, systems=systems, documents=50, **options), path)
    return path


def ends_at(page: Any) -> float:
    """Where the first score ends, in pixels from the top."""
    box = page.locator("#verdict td.number").first.bounding_box()
    return float(box["y"] + box["height"])


def test_a_document_is_open_and_others_can_be_found(page_of_two: Path, opened: Callable[..., Any]) -> None:
    window = opened(page_of_two)
    page = window.page
    assert (window.messages, window.requests) == ([], [])
    assert page.locator("img, iframe, script[src]").count() == 0
    assert "<img src=x" in page.locator("h1").inner_text()
    documents, tables = page.locator("#list > li"), page.locator("#list table:visible")
    assert documents.count() == 5
    assert tables.count() >= 1
    assert documents.first.locator("table").first.is_visible()
    documents.nth(1).locator("summary").first.focus()
    page.keyboard.press("Enter")
    assert documents.nth(1).locator("table").first.is_visible(), "the keyboard opens, too"
    names = documents.locator("summary .name").all_inner_texts()
    page.evaluate("location.hash = 'document=3'")
    page.locator("#found", has_text="1 of 5 documents").wait_for()
    assert documents.locator("summary .name").first.inner_text() == names[3]
    assert documents.locator("table").first.is_visible()
    page.get_by_role("button", name="Show all").click()
    assert documents.count() == 5
    assert window.messages == []


def test_a_cell_of_the_heat_map_lists_the_documents_behind_it(page_of_two: Path, opened: Callable[..., Any]) -> None:
    page = opened(page_of_two).page
    row = page.locator("#fields tr:has(.heat)").first
    field = row.locator("th").inner_text()
    row.locator(".heat a").first.click()
    page.locator("#field option:checked", has_text=field).wait_for(state="attached")
    shown = page.locator("#list > li")
    assert shown.count() > 0
    page.get_by_role("button", name="Open all").click()
    for number in range(shown.count()):
        sought = shown.nth(number).locator("tr.docie-sought")
        assert field.endswith(sought.locator("th").first.inner_text())


def test_only_cells_that_differ_are_marked_and_runs_are_folded(page_of_two: Path, opened: Callable[..., Any]) -> None:
    page = opened(page_of_two).page
    document = page.locator("#list > li").first
    marked = document.locator("tbody td[class*='docie-']:visible")
    assert marked.count() > 0
    assert all(text.strip()[0] in "≠+−⇄⇅×≈✓" for text in marked.all_inner_texts()), "a sign beside each colour"
    fold = document.locator(".run summary").first
    inside = document.locator(".run details").first.locator("span").first
    assert not inside.is_visible()
    fold.focus()
    page.keyboard.press("Enter")
    assert inside.is_visible()


def test_a_suspected_label_leads_to_its_value(opened: Callable[..., Any], tmp_path: Path) -> None:
    references: list[Any] = [
        {"id": f"r-{number}", "reference": {f"f{place:02}": str(number) for place in range(40)}} for number in range(6)
    ]
    answers = [
        {**row["reference"], **({f"f{place:02}": "?" for place in range(30)} if row["id"] == "r-4" else {})}
        for row in references
    ]
    systems = {"a": answers, "b": [{**row, "f39": "!"} if number == 4 else row for number, row in enumerate(answers)]}
    page = opened(written(tmp_path / "report.html", systems, references, by_field=True)).page
    for number in (0, 7, 29):  # also where they are folded, in the list and in the document
        page.locator("#suspects details").evaluate_all("folds => folds.forEach(fold => { fold.open = true; })")
        page.locator(f"#suspects a[href$='suspect={number}']").click()
        page.locator("#found", has_text="1 of 6 documents").wait_for()
        assert page.locator("#list > li .name").inner_text() == "r-4"
        [row] = page.locator("#list tr.docie-sought").all()
        assert row.locator("th").inner_text() == f"f{number:02}"
        assert 0 < row.bounding_box()["y"] < page.viewport_size["height"], "it is on the screen"
    assert page.locator("#list > li b:visible", has_text="⚑").count() == 30


def test_a_cell_of_the_heat_map_leads_to_the_values_of_its_field(opened: Callable[..., Any], tmp_path: Path) -> None:
    """Not to other fields of the document, nor to fields of this name in other groups."""
    row = {"amount": "9", "tax": "1", "items": [{"amount": "5"}, {"amount": "4"}], "fees": [{"amount": "2"}]}
    wrong = {**row, "tax": "7", "amount": "8", "items": [{"amount": "5"}, {"amount": "3"}], "fees": [{"amount": "1"}]}
    systems = {"a": [row] * 6, "b": [wrong] * 6}
    page = opened(written(tmp_path / "report.html", systems, [row] * 6)).page
    for field, group, name in (
        ("items.amount", "items[1]", "amount"),
        ("amount", "Values outside of groups", "amount"),
    ):
        page.locator(f"#fields a[href='#field={field}']").first.click()
        page.locator("#found", has_text="they show these values only").wait_for()
        first = page.locator("#list > li").first
        first.locator("summary").first.evaluate("summary => { summary.parentElement.open = true; }")
        assert first.locator("tbody tr:visible th").all_inner_texts() == [group, name]
    page.locator("#clear").click()
    assert first.locator("tbody tr:visible").count() > 4


def test_the_score_is_the_largest_text_of_the_first_screen(page_of_two: Path, opened: Callable[..., Any]) -> None:
    for width, height in ((1366, 900), (390, 844)):
        page = opened(page_of_two, viewport={"width": width, "height": height}).page
        assert ends_at(page) <= 700
        ranks = page.locator("#verdict .scroll")
        assert ranks.evaluate("element => element.scrollWidth <= element.clientWidth"), "they do not scroll sideways"
        score = page.locator("#verdict td.number").first
        assert re.fullmatch(r"[01]\.\d{4}", score.inner_text())
        assert page.locator(".found").first.bounding_box()["y"] < score.bounding_box()["y"], "the verdict is above it"
        size = "element => parseFloat(getComputedStyle(element).fontSize)"
        sizes = page.locator("body *:visible").evaluate_all(f"elements => elements.map({size})")
        assert score.evaluate(size) == max(sizes)


def test_a_note_between_scores_is_not_as_large_as_they_are(opened: Callable[..., Any], tmp_path: Path) -> None:
    references = [{"total": str(number)} for number in range(30)]
    less = [{"total": "?"} if number < 6 else row for number, row in enumerate(references)]
    systems = {"base": references, "same": references, "again": references, "other": less}
    page = opened(written(tmp_path / "report.html", systems, references)).page
    note, name, score = (page.locator(f"#verdict tbody {each}").first for each in ("td[colspan]", "th", "td.number"))
    size = "element => parseFloat(getComputedStyle(element).fontSize)"
    assert note.evaluate(size) == name.evaluate(size) < score.evaluate(size)
    assert page.locator("#verdict thead th").nth(1).evaluate(size) < name.evaluate(size)


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
    assert not page.locator("#tools").is_visible()
    for heading in ("Verdict", "Fields", "Documents", "Suspected labels", "All pairs", "How it was made"):
        assert page.get_by_role("heading", name=heading, exact=True).is_visible()
    assert page.locator("svg").first.is_visible()
    documents = page.locator("#list > li")
    assert documents.count() == 5
    last = documents.nth(4)
    last.locator("summary").first.click()
    assert last.locator("table").first.is_visible()


def test_six_systems_fit_on_a_page(data: Path, opened: Callable[..., Any], tmp_path: Path) -> None:
    """50 documents with 724 fields: at most 3 MB, 12,000 pixels as it opens, and eight sheets of A4."""
    systems, references = {}, []
    for name in SYSTEMS:
        pairs = docubench_pairs(data, name)
        systems[name], references = [one for one, _ in pairs], [other for _, other in pairs]
    normalize = ["nfkc", "casefold", "whitespace", "alphanumeric"]
    path = written(tmp_path / "report.html", systems, references, by_field=True, normalize=normalize)
    assert path.stat().st_size < 3_000_000
    page = opened(path, viewport={"width": 1366, "height": 900}).page
    assert page.evaluate("document.documentElement.scrollHeight") <= 12_000
    assert page.locator("#fields > .scroll tbody tr").count() == 30
    assert ends_at(page) <= 700
    assert ends_at(opened(path, viewport={"width": 390, "height": 844}).page) <= 700
    sheets = re.findall(rb"/Type\s*/Page\b(?!s)", page.pdf(format="A4"))
    assert 1 < len(sheets) <= 8
