"""The report of a comparison: what it says is what `corpus.compare` gave, and texts of users stay texts."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from page_parts import parts

from docie import corpus, kieval, nted, report
from docie.comparison.results import compared
from docie.core.explanation import Explanation
from docie.show import comparisons
from docie.show.report import output
from docie.show.report.comparison_page import comparison_page
from docie.show.report.page import Facts, Page, render
from docie.show.section import Explained, Item, Listing, Table, Text

from cli_runs import lines, rows, run_command

HOSTILE = '"><img src=x onerror=alert(1)><script>alert(2)</script>\u202etxt.exe'
REFERENCES: list[Any] = [{"total": str(number), "tax": "1", "vendor": {"name": HOSTILE}} for number in range(16)]
GOOD: list[Any] = [{**row, "total": "0"} if number == 13 else row for number, row in enumerate(REFERENCES)]
POOR: list[Any] = [
    {**row, "tax": "7"} if number < 12 else {**row, "total": row["total"]} for number, row in enumerate(REFERENCES)
]
POOR[13] = REFERENCES[13]
SYSTEMS = {"good": GOOD, "poor": POOR, HOSTILE: POOR}


@pytest.fixture(scope="module")
def results() -> dict[str, Any]:
    return corpus.compare(kieval, SYSTEMS, REFERENCES, breakdown=True, suspects=True)


def page_of(results: dict[str, Any], **facts: Any) -> Page:
    return comparison_page(results, SYSTEMS, REFERENCES, kieval.Settings(), Facts(**facts))


def verdicts(page: Page) -> list[Text]:
    return [text for text in parts(page, "Overview", Text) if text.lead]


def changed(page: Page) -> list[Item]:
    [listing] = parts(page, "Documents", Listing)
    return [*listing.items]


def shown_in(item: Item) -> list[Explanation]:
    """What an item of the list shows of the answers."""
    return [part.explain() for part in item.parts if isinstance(part, Explained)]


def explained(reference: Any, *answers: Any) -> list[Explanation]:
    return [kieval.explain(answer, reference) for answer in answers]


def words(html: str) -> str:
    """The texts of a page in one line."""
    return " ".join(re.sub(r"<(style|script).*?</\1>|<[^>]*>", " ", html, flags=re.DOTALL).split())


def test_sections_are_what_compare_gave(results: dict[str, Any]) -> None:
    page = page_of(results)
    rows = [row for row in results["comparisons"] if row["a"] == "good"]
    assert [verdict.lead for verdict in verdicts(page)] == ["Worse.", "Worse."]
    assert verdicts(page)[0].text.startswith(f"poor is worse than good: entity_f1 {rows[0]['value_b']:.4f} against ")
    [differences], [fields] = parts(page, "Differences", Table), parts(page, "Fields", Table)
    assert len(differences.rows) == 3
    assert len(fields.rows) == len(results["per_entity"]) == 9
    items = [each for each in changed(page) if each.keywords.startswith("poor ")]
    assert [each.summary.partition(":")[0] for each in items] == ["worse in poor"] * 10 + ["better in poor"]
    assert [each.keywords for each in items] == ["poor worse"] * 10 + ["poor better"]
    assert items[-1].name == "13"
    for each in items:
        number = int(each.name)
        assert shown_in(each) == explained(REFERENCES[number], GOOD[number], POOR[number])
        assert [part.title for part in each.parts if isinstance(part, Explained)] == ["good", "poor"]
    [suspects] = parts(page, "Suspected labels", Table)
    assert suspects.rows == []


def test_the_title_says_of_how_few_documents_intervals_are() -> None:
    for documents, clusters, said in (
        (24, None, "; with 24 documents, intervals may be too narrow"),
        (240, None, "1 pair of systems"),
        (240, [number % 9 for number in range(240)], "; with 9 clusters, intervals may be too narrow"),
    ):
        references = [{"a": str(number)} for number in range(documents)]
        systems = {"careful": references, "hasty": [{"a": "3"}] * documents}
        results = corpus.compare(kieval, systems, references, clusters=clusters, shuffles=99)
        assert comparisons.differences(compared(results)).title.endswith(said)


def test_what_a_comparison_hangs_on_is_said_everywhere(tmp_path: Path) -> None:
    """On stderr, in Python and on the page: one document has 20 corrections instead of none, nine others have one."""
    references = [{f"a{place}": str(place) for place in range(20)} for _ in range(40)]
    careful = [{**row, "a0": "?"} if number < 9 else row for number, row in enumerate(references)]
    hasty = [{} if number == 11 else row for number, row in enumerate(references)]
    said = "document 'r-11' carries 98 % of the squared differences; check the result without it"
    systems = {"careful": rows("prediction", careful), "hasty": rows("prediction", hasty)}
    options: dict[str, Any] = {"scores": "corrections", "clusters": "vendor"}
    labelled = [
        row | {"meta": {"vendor": "big" if number > 19 else str(number)}}
        for number, row in enumerate(rows("reference", references))
    ]
    clusters = "the largest of 21 clusters holds 50 % of the documents, so they weigh as 3.8 equal ones"
    with pytest.warns(UserWarning, match="carries 98 %") as caught:
        report.write_comparison(tmp_path / "one.html", systems, labelled, **options)
    notes = [str(each.message) for each in caught]
    assert [said in note for note in notes] == [False, True]
    assert notes[0].startswith(clusters)
    paths = [lines(tmp_path / "r.jsonl", labelled)]
    paths += [lines(tmp_path / f"{name}.jsonl", each) for name, each in systems.items()]
    page = tmp_path / "two.html"
    shown = run_command("compare", *paths, "--score", "corrections", "--cluster", "vendor", "--report", str(page))
    for text in (said, clusters):
        assert text in shown.stderr
        for path in (tmp_path / "one.html", page):
            assert text in words(path.read_text(encoding="utf-8")).replace("&#39;", "'")


def test_a_difference_without_an_interval() -> None:
    results = corpus.compare(kieval, {"a": REFERENCES, "b": list(REFERENCES)}, REFERENCES)
    table = comparisons.differences(compared(results))
    assert table.rows[0][table.columns.index("interval")] == "–"


def test_not_separated_says_what_would_have_been_found() -> None:
    almost = [{"total": "?"}, *REFERENCES[1:]]
    results = corpus.compare(kieval, {"a": REFERENCES, "b": almost}, REFERENCES)
    page = comparison_page(results, {"a": REFERENCES, "b": almost}, REFERENCES, kieval.Settings(), Facts())
    [verdict] = verdicts(page)
    assert verdict.lead == "Not separated."
    assert re.search(r"No test separates b from a: .* A difference of 0\.\d+ would have been found", verdict.text)
    assert [section.title for section in page.sections] == ["Overview", "Differences", "Documents"]


def test_the_page(results: dict[str, Any]) -> None:
    html = render(page_of(results, title=HOSTILE, command=HOSTILE, notes=[HOSTILE]))
    assert "<img" not in html
    assert "alert(2)</script>" not in html
    assert "\u202e" not in html
    assert html.count("<script>") == 1
    assert not re.search(r"""(src|href)=["'](?!#)""", html)
    shown = words(html)
    for row in results["comparisons"]:
        assert f"{row['difference']:+.4f}" in shown
        assert f"{row['p_value_holm']:.4f}" in shown
    assert results["signature"] in shown
    assert "worse in poor: entity_f1 1.0000 → 0.6667," in shown
    assert html.count("docie-theme docie-aligned") == 2 * 22
    assert html.count("<svg") == 2
    assert "3 comparisons: 3 pairs of systems; those by entity type over 9 comparisons" in shown


def test_long_tables_are_cut(results: dict[str, Any], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("docie.show.report.page.MOST_ROWS", 2)
    shown = words(render(page_of(results)))
    assert "1 more comparison; docie compare lists all." in shown
    assert "7 more comparisons; docie compare --by-field lists all." in shown


def test_documents_are_found_by_number_and_by_id() -> None:
    """A number that is an id is another document than the number of a document without one."""
    references = [{"id": f"r-{16 - number}", "reference": row} for number, row in enumerate(REFERENCES)]
    systems = {"a": [{"id": row["id"], "prediction": row["reference"]} for row in references]}
    systems["b"] = [{"id": row["id"], "prediction": {}} for row in references]
    results = corpus.compare(kieval, systems, references)
    page = comparison_page(results, systems, references, kieval.Settings(), Facts())
    for each in changed(page):
        reference = REFERENCES[16 - int(each.name.removeprefix("r-"))]
        assert shown_in(each) == explained(reference, reference, {})


def test_write_comparison(tmp_path: Path) -> None:
    path = tmp_path / "comparison.html"
    found = report.write_comparison(path, {"a": iter(GOOD), "b": iter(POOR)}, iter(REFERENCES), clusters=list("xy" * 8))
    assert found["units"] == 2
    html = path.read_text(encoding="utf-8")
    assert "2 clusters, each swapped as a whole" in words(html)
    with pytest.raises(ValueError, match="cannot be written"):
        report.write_comparison(tmp_path / "none" / "x.html", {"a": GOOD, "b": POOR}, REFERENCES)
    with pytest.raises(ValueError, match="two or more systems"):
        report.write_comparison(path, {"a": GOOD}, REFERENCES)
    assert path.read_text(encoding="utf-8") == html
    with pytest.warns(UserWarning, match="nted has no nted_accuracy by entity type here"):
        report.write_comparison(path, {"a": GOOD, "b": POOR}, REFERENCES, nted.Settings(), family=nted, breakdown=True)


@pytest.fixture
def files(tmp_path: Path) -> list[str]:
    named = {"references": ("reference", REFERENCES), "good": ("prediction", GOOD), "poor": ("prediction", POOR)}
    return [lines(tmp_path / f"{name}.jsonl", rows(*each)) for name, each in named.items()]


def test_the_command_line(files: list[str], tmp_path: Path) -> None:
    path = tmp_path / "report.html"
    result = run_command("compare", *files, "--report", str(path), "--suspects", "--format", "json")
    assert result.exit_code == 0, result.stderr
    plain = run_command("compare", *files, "--suspects", "--format", "json")
    assert json.loads(result.stdout) == json.loads(plain.stdout), "the report changes nothing of what is printed"
    shown = words(path.read_text(encoding="utf-8"))
    assert f"docie compare {' '.join(files)} --suspects --format json --report {path}" in shown
    assert "References " + files[0] in shown
    assert "16, joined by id" in shown
    assert "worse in poor" in shown
    assert "r-9" in shown
    again = run_command("compare", *files, "--report", str(path), "--fail-on-regression")
    assert again.exit_code == 1
    assert path.exists(), "a build that fails has its report"


def test_bad_input_writes_nothing(files: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "report.html"
    tags = [lines(tmp_path / f"tags-{n}.jsonl", [["B-a", "O"]] * 9) for n in range(3)]
    for arguments, problem in (
        ((*files, "--report", files[1]), f"--report {files[1]}: this is an input, and would be overwritten"),
        ((*files, "--report", str(tmp_path / "none" / "x")), f"{tmp_path}/none/x: cannot be written"),
        ((*files, "--report", str(path), "--score", "f2"), "unknown score 'f2'"),
        ((*tags, "--report", str(path)), "a report shows documents, but these are "),
    ):
        result = run_command("compare", *arguments)
        assert (result.exit_code, result.stdout) == (2, "")
        assert result.stderr.startswith(problem)
        assert result.stderr.count("\n") == 1
    monkeypatch.setitem(__import__("sys").modules, "jinja2", None)
    output.imported.cache_clear()
    assert 'pip install "docie[report]"' in run_command("compare", *files, "--report", str(path)).stderr
    output.imported.cache_clear()
    assert not path.exists()
