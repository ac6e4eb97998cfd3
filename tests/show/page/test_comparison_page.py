"""The report of a comparison: what it says is what `corpus.compare` gave, and texts of users stay texts."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs

import pytest
from page_data import Value, documents_of, head_of, values_of
from page_parts import parts

import docie
from docie import corpus, kieval
from docie.comparison.results import compared
from docie.questions.compare import CompareResult
from docie.show import comparisons
from docie.show.page import output
from docie.show.page.page import render
from docie.show.result import Page
from docie.show.section import Details, Documents, Table, Text

from cli_runs import lines, rows, run_command

HOSTILE = '"><img src=x onerror=alert(1)><script>alert(2)</script>\u202etxt.exe'
REFERENCES: list[Any] = [{"total": str(number), "tax": "1", "vendor": {"name": HOSTILE}} for number in range(16)]
GOOD: list[Any] = [{**row, "total": "0"} if number == 13 else row for number, row in enumerate(REFERENCES)]
POOR: list[Any] = [
    {**row, "tax": "7"} if number < 12 else {**row, "total": row["total"]} for number, row in enumerate(REFERENCES)
]
POOR[13] = REFERENCES[13]
SYSTEMS = {"good": GOOD, "poor": POOR, HOSTILE: POOR}


def result_of(systems: dict[str, Any], references: list[Any] = REFERENCES, **options: Any) -> CompareResult:
    return docie.compare(references=references, systems=systems, **{"documents": 50, **options})


@pytest.fixture(scope="module")
def result() -> CompareResult:
    return result_of(SYSTEMS, by_field=True, suspects=True)


def page_of(result: CompareResult, **facts: Any) -> Page:
    return replace(result, facts=replace(result.facts, **facts)).page()


def verdicts(page: Page) -> list[Text]:
    return [text for text in parts(page, "Verdict", Text) if text.style == "found"]


def pairs_table(page: Page) -> Table:
    [table] = parts(page, "All pairs", Table)
    return table


def names_of(page: Page) -> list[str]:
    """The documents that are shown."""
    [documents] = parts(page, "Documents", Documents)
    return [json.loads(text)[0] for text in documents.texts]


def asked_for(html: str, link: str) -> list[Value]:
    """The values to which a link leads."""
    head, asked = head_of(html), {key: value for key, [value] in parse_qs(link).items()}
    system, kind = head["systems"].index(asked["system"]), asked["kind"]

    def is_asked(value: Value) -> bool:
        first, own = (value.kind(each) == "correct" for each in (0, system))
        return {"error": not own, "worse": first and not own, "better": own and not first}[kind]

    return [each for each in values_of(html) if asked.get("field", each.field) == each.field and is_asked(each)]


def words(html: str) -> str:
    """The texts of a page in one line."""
    return " ".join(re.sub(r"<(style|script).*?</\1>|<[^>]*>", " ", html, flags=re.DOTALL).split())


def test_sections_are_what_compare_gave(result: CompareResult) -> None:
    page, results = page_of(result, date="2024-02-29"), result.to_dict()
    assert results == corpus.compare(kieval, SYSTEMS, REFERENCES, breakdown=True, suspects=True)
    assert page.lead.endswith(" compared with good, the baseline: 16 documents, 2024-02-29.")
    assert [section.title for section in page.sections] == [
        "Verdict", "Fields", "Suspected labels", "All pairs", "Documents",
    ]  # fmt: skip
    [verdict] = verdicts(page)
    assert verdict.text == "good is best: entity_f1 0.9792; all others are worse."
    [ranking] = parts(page, "Verdict", Table)
    assert ranking.columns == [
        "System", "entity F1", "Rank", "Difference to good, points", "p corrected",
        "Worse values", "Better values",
    ]  # fmt: skip
    assert [row[0] for row in ranking.rows] == ["good", "poor", HOSTILE]
    assert [row[2] for row in ranking.rows] == ["1 (a)", "2 – 3 (b)", "2 – 3 (b)"]
    compared_to_good = [row for row in results["comparisons"] if row["a"] == "good"]
    assert {(row["b"], row["significant"]) for row in compared_to_good} == {("poor", True), (HOSTILE, True)}
    for cells, row in zip(ranking.rows[1:], compared_to_good, strict=True):
        low, high = row["interval"]
        assert cells[3] == f"{100 * row['difference']:+.1f} ({100 * low:+.1f} to {100 * high:+.1f})"
        assert cells[4] == f"{row['p_value_holm']:.4f}*"
        assert cells[5:] == ["12", "1"], "tax of 12 documents, and the total of the other"
    assert [bar and bar[:] for bar in ranking.bars] == [
        None, *((row["difference"], *row["interval"]) for row in compared_to_good),
    ]  # fmt: skip
    assert ranking.remarks == {"good": "baseline"}
    assert [pairs_table(page).rows[number][0] for number in range(3)] == [
        "good → poor", f"good → {HOSTILE}", f"poor → {HOSTILE}",
    ]  # fmt: skip
    assert [bar and bar.value for bar in pairs_table(page).bars] == [
        row["difference"] for row in results["comparisons"]
    ]
    assert sorted(map(int, names_of(page))) == [*range(16)]
    [suspects] = parts(page, "Suspected labels", Text)
    assert suspects.text.startswith("There is none: ")


def test_fields_are_sorted_by_effect(result: CompareResult) -> None:
    page = result.page()
    [fields] = parts(page, "Fields", Table)
    assert fields.columns == ["Field", "Values", "good (baseline)", "poor", HOSTILE]
    assert fields.rows == [
        ["tax", "16", "1.0000", "-75.0*", "-75.0*"],
        ["total", "16", "0.9375", "+6.2", "+6.2"],
    ]
    shade = pytest.approx((1 / 16 / 0.75) ** 0.5)
    assert {place: tuple(heat[:2]) for place, heat in fields.heat.items()} == {
        (0, 3): (1, "worse"), (0, 4): (1, "worse"), (1, 3): (shade, "better"), (1, 4): (shade, "better"),
    }  # fmt: skip
    assert parts(page, "Fields", Text)[-1].text == "1 field has the same entity F1 in all systems."


def test_links_lead_to_what_they_count(result: CompareResult) -> None:
    page = result.page()
    html = render(page)
    [ranking], [fields] = parts(page, "Verdict", Table), parts(page, "Fields", Table)
    for (row, column), heat in ranking.heat.items():
        assert len(asked_for(html, heat.link)) == int(ranking.rows[row][column])
    assert len(ranking.heat) == 4
    for (row, column), heat in fields.heat.items():
        name, system = fields.rows[row][0], fields.columns[column]
        expected = sum(a[name] != b[name] for a, b in zip(SYSTEMS[system], REFERENCES, strict=True))
        found = asked_for(html, heat.link)
        assert ({each.field for each in found} or {name}, len(found)) == ({name}, expected)


def test_documents_have_all_answers_and_what_is_known_beside_them() -> None:
    references = [{"id": f"r-{n}", "reference": row, "meta": {"vendor": "ACME"}} for n, row in enumerate(REFERENCES)]
    answers = [{"id": f"r-{n}", "prediction": row} for n, row in enumerate(POOR)]
    broken = [{**row, "prediction": None} if n == 3 else row for n, row in enumerate(answers)]
    html = render(result_of({"a": answers, "b": broken}, references).page())
    head, documents = head_of(html), {name: more for name, *more in documents_of(html)}
    assert (head["systems"], head["columns"], head["documents"]) == (["a", "b"], ["vendor"], 16)
    assert {meta[0] for meta, *_ in documents.values()} == {"ACME"}
    assert documents["r-3"][2]["problems"].keys() == {"b"}
    assert [len(each) for each in documents.values()].count(3) == 1, "all others have no problem"
    [tax] = [each for each in values_of(html) if (each.document, each.field) == ("r-3", "tax")]
    assert (tax.expected, tax.answers) == ("1", [["7", "value"], [None, "missing"]])


def test_at_most_thirty_fields_are_shown_and_the_rest_is_folded() -> None:
    references = [{f"f{place:02}": "1" for place in range(40)} for _ in range(6)]
    hasty = [{name: "1" for name in row if int(name[1:]) < number} for number, row in enumerate(references, 35)]
    page = result_of({"a": references, "b": hasty, "c": hasty}, references, by_field=True).page()
    assert len(parts(page, "Fields", Table)[0].rows) == 5, "35 are the same in all systems"
    few: list[dict[str, str]] = [{}] * 6
    page = result_of({"a": references, "b": few}, references, by_field=True).page()
    [shown], [folded] = parts(page, "Fields", Table), parts(page, "Fields", Details)
    assert isinstance(rest := folded.parts[0], Table)
    assert (len(shown.rows), len(rest.rows), folded.title) == (30, 10, "10 more fields")
    assert "+0.0" not in words(render(page))


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
    said = "document 'r-11' carries 0.98 of the squared differences; check the result without it"
    systems = {"careful": rows("prediction", careful), "hasty": rows("prediction", hasty)}
    labelled = [
        row | {"meta": {"vendor": "big" if number > 19 else str(number)}}
        for number, row in enumerate(rows("reference", references))
    ]
    clusters = "the largest of 21 clusters holds 0.50 of the documents, so they weigh as 3.8 equal ones"
    result = result_of(systems, labelled, scores="corrections", cluster="vendor")
    docie.write(result, tmp_path / "one.html")
    assert [said in note for note in result.notes] == [False, True]
    assert result.notes[0].startswith(clusters)
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
    page = result_of({"a": REFERENCES, "b": almost}).page()
    [verdict] = verdicts(page)
    assert verdict.lead == "○"
    assert re.fullmatch(
        r"b cannot be told from a by entity_f1 \(p 1\.0000\)\. A difference of 0\.\d{4} in entity_f1 would have been "
        r"found with a chance of 80 %\.",
        verdict.text,
    )
    assert [section.title for section in page.sections] == [
        "Verdict", "Fields", "Suspected labels", "All pairs", "Documents",
    ]  # fmt: skip


@pytest.mark.exhaustive
def test_a_star_and_an_interval_that_disagree_are_explained_where_they_stand() -> None:
    """Of four systems, one difference has an interval without 0, and a p that the correction lifts above 0.05."""
    systems = {"base": REFERENCES, "same": REFERENCES, "again": REFERENCES}
    systems["other"] = [{**row, "total": "?"} if number < 6 else row for number, row in enumerate(REFERENCES)]
    result = result_of(systems)
    page = result.page()
    rows = pairs_table(page).rows
    notes = {before[0]: row[1] for before, row in pairwise(rows) if row[0] == "note"}
    assert [*notes] == ["base → other", "same → other", "again → other"]
    said = "The interval excludes 0, yet the test finds no difference: interval and p 0.0312 are of this pair alone, and p corrected "
    assert notes["base → other"] == f"{said}for 6 comparisons is 0.1875. The corrected test decides."
    [ranking] = parts(page, "Verdict", Table)
    assert [row for row in ranking.rows if len(row) == 2] == [["note", notes["base → other"]]]
    assert ranking.remarks == {"base": "baseline"} | dict.fromkeys(("same", "again", "other"), "not separated")
    html = render(page)
    assert html.count("yet the test finds no difference") == 4
    [section] = result.sections(brief=True)
    assert f"base → other: {notes['base → other']}" in [part.text for part in section.parts if isinstance(part, Text)]


def test_of_several_such_systems_it_is_only_said_that_p_decides() -> None:
    less = [{**row, "total": "?"} if number < 6 else row for number, row in enumerate(REFERENCES)]
    systems = {"base": REFERENCES, "same": REFERENCES, "one": less, "other": less}
    [section] = result_of(systems).sections(brief=True)
    said = [part.text for part in section.parts if isinstance(part, Text)]
    assert "Of one and other, interval and p say different things; p decides." in said
    assert not [text for text in said if "yet the test" in text]


def test_the_page(result: CompareResult) -> None:
    results = result.to_dict()
    html = render(page_of(result, title=HOSTILE, command=HOSTILE, notes=[HOSTILE]))
    assert "<img" not in html
    assert "alert(2)</script>" not in html
    assert "\u202e" not in html
    assert html.count('<script type="module">') == html.count("<script>") + 1 == 1
    assert not re.search(r"""(src|href)=["'](?!#)""", html)
    shown = words(html)
    for row in results["comparisons"]:
        assert f"{row['difference']:+.4f}" in shown
        assert f"{row['p_value_holm']:.4f}" in shown
    assert results["signature"] in shown
    assert html.count("<svg") == 2 + 3, "bars of ranks and of all pairs"
    assert "3 comparisons: 3 pairs of systems; those by entity type over 9 comparisons" in shown


def test_long_tables_are_cut(result: CompareResult, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("docie.show.page.page.MOST_ROWS", 2)
    monkeypatch.setattr("docie.show.page.page.first_rows.__kwdefaults__", {"most": 2})
    page = result.page()
    assert len(pairs_table(page).rows) == 2
    assert "1 more comparison; docie compare lists all." in words(render(page))


def test_documents_that_move_the_scores_most_come_first() -> None:
    references = [{f"f{place}": "1" for place in range(12)} for _ in range(24)]
    answers = [dict.fromkeys([*row][min(number, 23 - number) :], "1") for number, row in enumerate(references)]
    for most in (50, 3):
        page = result_of({"a": references, "b": answers}, references, documents=most).page()
        names, [documents] = names_of(page), parts(page, "Documents", Documents)
        assert len(names) == min(most, 24)
        lost = [min(int(name), 23 - int(name)) for name in names]
        assert lost == sorted(lost, reverse=True), "then those with the most corrections"
        assert documents.worst.rows[0] == [names[0], "0", "11"]
        said = "; 21 more are not shown" if most == 3 else "corrections in any system. A value"
        assert said in parts(page, "Documents", Text)[0].text


def test_documents_are_found_by_number_and_by_id() -> None:
    """A number that is an id is another document than the number of a document without one."""
    references = [{"id": f"r-{16 - number}", "reference": row} for number, row in enumerate(REFERENCES)]
    systems = {"a": [{"id": row["id"], "prediction": row["reference"]} for row in references]}
    systems["b"] = [{"id": row["id"], "prediction": {}} for row in references]
    html = render(result_of(systems, references).page())
    totals = {each.document: each.expected for each in values_of(html) if each.field == "total"}
    assert totals == {f"r-{16 - number}": row["total"] for number, row in enumerate(REFERENCES)}


def test_documents_that_a_system_lacks_are_not_shown(tmp_path: Path) -> None:
    """Each lacks others: they are read in step again."""
    named = rows("reference", REFERENCES)
    answers = {name: rows("prediction", each) for name, each in (("good", GOOD), ("poor", POOR))}
    systems = {
        name: lines(tmp_path / f"{name}.jsonl", each[at : 14 + at]) for at, (name, each) in enumerate(answers.items())
    }
    result = result_of(systems, named, config={"join": {"missing": "drop"}})
    html = render(result.page())
    assert result.results["documents"] == len(documents_of(html)) == 13
    for each in values_of(html):
        number = int(each.document.removeprefix("r-"))
        said = [row[number].get(each.field) for row in (GOOD, POOR)]
        if each.field in ("total", "tax"):
            assert [answer[0] if answer else each.expected for answer in each.answers] == said


def named(key: str, documents: list[Any]) -> list[Any]:
    return [{"id": f"line {number}", key: document} for number, document in enumerate(documents, 1)]


def test_suspects_lead_to_their_values() -> None:
    systems = {"a": named("prediction", POOR), "b": named("prediction", POOR)}
    for most in (16, 5):
        page = result_of(systems, named("reference", REFERENCES), documents=most).page()
        [shown] = parts(page, "Suspected labels", Table)
        assert [row[0] for row in shown.rows] == [f"line {number}" for number in range(1, 13)]
        html = render(page)
        values = {(each.document, str(each.number)): each for each in values_of(html)}
        flagged = {place for place, each in values.items() if each.answers[0] and {"f": 1} in each.answers[0]}
        assert len(shown.links) == len(flagged) == min(12, most), "documents that are not shown have no links"
        for number, link in shown.links.items():
            asked = parse_qs(link)
            place = asked["document"][0], asked["value"][0]
            assert place in flagged
            said = values[place]
            assert shown.rows[number] == [said.document, said.field, said.expected, said.answers[1][0]]


def test_the_report_in_python(tmp_path: Path) -> None:
    path = tmp_path / "comparison.html"
    labelled = [{"reference": row, "meta": {"side": "xy"[number % 2]}} for number, row in enumerate(REFERENCES)]
    result = result_of({"a": iter(GOOD), "b": iter(POOR)}, iter(labelled), cluster="side")  # type: ignore[arg-type]
    assert result.to_dict()["units"] == 2
    docie.write(result, path, title="Two readers")
    html = path.read_text(encoding="utf-8")
    assert "2 clusters, each swapped as a whole" in words(html)
    assert "Two readers b compared with a, the baseline: 16 documents" in words(html)
    assert "References references Predictions a, b" in words(html)
    with pytest.raises(ValueError, match="cannot be written"):
        docie.write(result, tmp_path / "none" / "x.html")
    with pytest.raises(ValueError, match="^systems must be a mapping from the names of two or more systems, got "):
        result_of({"a": GOOD})
    assert path.read_text(encoding="utf-8") == html
    notes = result_of({"a": GOOD, "b": POOR}, metric="nted", by_field=True).notes
    assert "nted has no nted_accuracy by entity type here" in notes


def test_a_report_without_documents_shows_what_is_printed(tmp_path: Path) -> None:
    result = result_of({"a": GOOD, "b": POOR}, documents=None)
    docie.write(result, tmp_path / "comparison.html")
    shown = words((tmp_path / "comparison.html").read_text(encoding="utf-8"))
    assert "b is worse than a: entity_f1 0.75" in shown
    assert "ranks by entity_f1" in shown
    assert "Documents" not in shown


@pytest.fixture
def files(tmp_path: Path) -> list[str]:
    sides = {"references": ("reference", REFERENCES), "good": ("prediction", GOOD), "poor": ("prediction", POOR)}
    return [lines(tmp_path / f"{name}.jsonl", rows(*each)) for name, each in sides.items()]


def test_the_command_line(files: list[str], tmp_path: Path) -> None:
    path = tmp_path / "report.html"
    result = run_command("compare", *files, "--report", str(path), "--suspects", "--format", "json")
    assert result.exit_code == 0, result.stderr
    plain = run_command("compare", *files, "--suspects", "--format", "json")
    assert "suspects" not in json.loads(
        run_command("compare", *files, "--format", "json", "--report", str(path)).stdout
    )
    run_command("compare", *files, "--report", str(path), "--suspects", "--format", "json")
    assert json.loads(result.stdout) == json.loads(plain.stdout), "the report changes nothing of what is printed"
    shown = words(path.read_text(encoding="utf-8"))
    assert f"docie compare {' '.join(files)} --suspects --format json --report {path}" in shown
    assert "References " + files[0] in shown
    assert "16, joined by id" in shown
    assert "▼ poor is worse than good: entity_f1 0.75" in shown
    assert "r-9" in shown
    again = run_command("compare", *files, "--report", str(path), "--max-drop", "0.03")
    assert again.exit_code == 1
    shown = words(path.read_text(encoding="utf-8"))
    assert "Gate failed: poor, entity_f1: worse by 0.2292 (0.7500 against 0.9792)." in shown


def test_a_report_costs_no_warnings_and_no_tests(files: list[str], tmp_path: Path) -> None:
    """It shows how far fields differ; their tests, with a correction for all of them, are asked for by `--by-field`."""
    path, few = tmp_path / "report.html", [lines(tmp_path / f"few-{n}.jsonl", [{"a": "1", "b": "2"}] * 6) for n in "xy"]
    few.append(lines(tmp_path / "few-z.jsonl", [{"a": "1", "b": "3"}] * 6))
    for arguments in (files, few, [*few, "--metric", "nted"]):
        plain = run_command("compare", *arguments)
        result = run_command("compare", *arguments, "--report", str(path))
        assert (result.exit_code, result.stdout, result.stderr) == (0, plain.stdout, plain.stderr)
        shown = words(path.read_text(encoding="utf-8"))
        assert "These differences are not tested; docie compare --by-field tests them." in shown or "nted" in arguments
        assert "by entity type" not in shown, "nor is a warning about them"
    run_command("compare", *few, "--report", str(path), "--by-field")
    shown = words(path.read_text(encoding="utf-8"))
    assert "corrected for 2 comparisons" in shown
    result = result_of({"a": GOOD, "b": POOR})
    docie.write(result, path)
    assert not {"per_entity", "differences", "suspects"} & result.to_dict().keys()
    assert "entity F1 by field" in words(path.read_text(encoding="utf-8"))


def test_differences_are_those_of_the_tests() -> None:
    tested = corpus.compare(kieval, SYSTEMS, REFERENCES, breakdown=True, differences=True)
    rows = [row for row in tested["per_entity"] if row["a"] == "good"]
    assert tested["differences"] == [{name: row[name] for name in tested["differences"][0]} for row in rows]


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
