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


def found(page: Any, text: str) -> None:
    """Wait until the list says so."""
    page.locator(".docie-found", has_text=text).wait_for()


def test_the_page_is_silent_and_its_documents_open(page_of_two: Path, opened: Callable[..., Any]) -> None:
    window = opened(page_of_two)
    page = window.page
    assert page.locator("img, iframe, script[src]").count() == 0
    assert "<img src=x" in page.locator("h1").inner_text()
    documents = page.locator(".docie-list .documents > li")
    found(page, "5 documents")
    documents.nth(1).locator("summary").first.focus()
    page.keyboard.press("Enter")
    marked = documents.nth(1).locator("tbody td[class*='docie-']:visible")
    marked.first.wait_for()
    assert all(text.strip()[0] in "≠+−⇄⇅×≈✓" for text in marked.all_inner_texts()), "a sign beside each colour"
    fold = documents.nth(1).get_by_role("button", name="correct in all systems").first
    fold.focus()
    before = documents.nth(1).locator("tbody tr:visible").count()
    page.keyboard.press("Enter")
    assert documents.nth(1).locator("tbody tr:visible").count() > before, "the keyboard opens, too"
    assert (window.messages, window.requests) == ([], [])


@pytest.mark.parametrize("kind", ["worse", "better"])
def test_a_number_leads_to_the_values_that_it_counts(page_of_two: Path, opened: Callable[..., Any], kind: str) -> None:
    page = opened(page_of_two).page
    for link in page.locator(f"#verdict a[href*='kind={kind}']").all():
        number = link.inner_text()
        link.click()
        found(page, f"{number} value")
        assert page.locator(".docie-values tbody tr").count() == int(number)


def test_a_cell_of_the_heat_map_leads_to_the_errors_of_its_system(opened: Callable[..., Any], tmp_path: Path) -> None:
    """Not to other fields of the document, nor to fields of this name in other groups, nor to other systems."""
    row = {"amount": "9", "tax": "1", "items": [{"amount": "5"}, {"amount": "4"}], "fees": [{"amount": "2"}]}
    wrong = {**row, "tax": "7", "amount": "8", "items": [{"amount": "5"}, {"amount": "3"}], "fees": [{"amount": "1"}]}
    systems = {"a": [row] * 6, "b": [wrong] * 6, "c": [{**row, "tax": "7"}] * 6}
    page = opened(written(tmp_path / "report.html", systems, [row] * 6)).page
    for field, place in (("items.amount", "items[1] amount"), ("amount", "amount")):
        page.locator(f"#fields a[href='#field={field}&system=b&kind=error']").first.click()
        found(page, "6 values in 6 documents")
        assert page.locator(".docie-values tbody td:nth-child(2)").all_inner_texts() == [place] * 6
    page.locator("#fields a[href='#field=tax&system=c&kind=error']").click()
    page.wait_for_function("document.querySelector('[name=system]').value === 'c'")
    assert page.locator("[name=field]").input_value() == "tax"
    page.go_back()
    page.wait_for_function("document.querySelector('[name=field]').value === 'amount'")


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
        page.locator(f"#suspects a[href='#document=r-4&value={number}']").click()
        found(page, "1 of 6 documents")
        row = page.locator(f".docie-list tr[data-docie-pair='{number}']")
        assert row.locator("th").inner_text() == f"f{number:02}"
        assert 0 < row.bounding_box()["y"] < page.viewport_size["height"], "it is on the screen"
        assert row.evaluate("row => row === document.activeElement")
    assert page.locator(".docie-list b:visible", has_text="⚑").count() == 30


def test_the_score_is_the_largest_text_of_the_first_screen(page_of_two: Path, opened: Callable[..., Any]) -> None:
    for width, height in ((1366, 900), (390, 844)):
        page = opened(page_of_two, viewport={"width": width, "height": height}).page
        assert ends_at(page) <= 700
        ranks = page.locator("#verdict .scroll")
        fits = ranks.evaluate("element => element.scrollWidth <= element.clientWidth")
        assert fits or width < 400, "they do not scroll sideways"
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


def test_all_but_values_can_be_read_without_scripts(page_of_two: Path, opened: Callable[..., Any]) -> None:
    page = opened(page_of_two, java_script_enabled=False).page
    for heading in ("Verdict", "Fields", "Documents", "Suspected labels", "All pairs", "How it was made"):
        assert page.get_by_role("heading", name=heading, exact=True).is_visible()
    assert page.locator("svg.bar").first.is_visible()
    assert page.locator("#docie-documents tbody tr").count() == 5


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
