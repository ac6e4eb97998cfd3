"""The report of a corpus: its figures are those that are scored, and what documents say stays text."""

from __future__ import annotations

import base64
import hashlib
import html
import itertools
import json
import re
import sys
from collections import Counter
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs

import pytest
from hypothesis import given
from hypothesis import strategies as st
from page_data import documents_of, head_of, kinds_of, values_of
from reports import score_report

import docie
from docie import confidence, corpus, kieval
from docie.core.errors import DocumentError
from docie.show.page.output import imported
from docie.show.page.page import render
from docie.show.page.score import error_tables
from docie.show.page.score.collection import THRESHOLDS, Collection
from docie.show.page.score.corpus_page import corpus_page
from docie.show.result import Facts
from docie.show.section import Table, number, percent

from cli_runs import DOCUMENTS, PREDICTIONS, lines, rows, run, run_command, without_intervals
from sizes import examples
from strategies import documents

HOSTILE = [
    "<script>alert(1)</script>",
    '"><img src=x onerror=alert(1)>',
    "</style></script><svg onload=alert(1)>",
    "{{ 7 * 7 }}{% raw %}",
    "\u202eexe.gpj\u2066",
    "a\x00b\x1b[31m\x7f",
    "\ud800",
    "javascript:alert(1)",
]


class Page(HTMLParser):
    """The elements of a page, its text, and what its attributes hold."""

    def __init__(self, path: Path) -> None:
        super().__init__()
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.source, self.text, self._inside = path.read_text(encoding="utf-8"), "", ""
        self.feed(self.source)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs)))
        self._inside = tag

    def handle_data(self, data: str) -> None:
        if self._inside not in ("script", "style"):
            self.text += data

    def words(self) -> list[str]:
        """The text, also of cells beside each other, in words."""
        return html.unescape(re.sub("<[^>]*>", " ", self.source)).split()

    def tags(self, name: str) -> list[dict[str, str | None]]:
        return [attributes for tag, attributes in self.elements if tag == name]


def collected(predictions: Any, references: Any, *, documents: int = 20_000, **options: Any) -> Collection:
    """What a report collects."""
    scored = docie.score(references=references, predictions=predictions, documents=documents, **options)
    assert scored.shown is not None
    return scored.shown


def written(path: Path, predictions: Any, references: Any, *arguments: Any, **options: Any) -> Page:
    score_report(path, predictions, references, *arguments, **options)
    return Page(path)


@pytest.fixture
def receipts(root: Path) -> tuple[list[Any], list[Any]]:
    folder = root / "examples" / "receipts"
    return docie.read(folder / "predictions-hasty.jsonl"), docie.read(folder / "references.jsonl")


def test_the_note_counts_all_rows_of_the_table(tmp_path: Path) -> None:
    sides = {"$12": "12.00", "TEA": "Tea", "a": "b", "c": "d"}  # half of the substitutions, by a sample or by all
    predictions = [{"x": text} for text in sides] * 20
    references = [{"x": text} for text in sides.values()] * 20
    with pytest.warns(UserWarning, match="^24 of 64 sampled substitutions are the same value in a different format"):
        page = written(tmp_path / "r.html", predictions, references, confidence_level=None)
    note = "40 of 80 substitutions are the same value in a different format; see the option normalize"
    assert note in page.text
    assert "sampled" not in page.text
    assert "≈ different format all fields 50.0 % +50.0 0.5000 40" in " ".join(page.words())
    normalized = kieval.Settings(normalize="casefold")
    assert note not in written(tmp_path / "n.html", predictions, references, normalized, confidence_level=None).text


def test_the_figures_are_those_of_the_score(tmp_path: Path, receipts: tuple[list[Any], list[Any]]) -> None:
    results = score_report(tmp_path / "report.html", *receipts)
    assert results == corpus.evaluate(kieval, *receipts, breakdown=True, confidence_level=0.95)
    text = " ".join(Page(tmp_path / "report.html").text.split())
    low, high = results["entity_f1_interval"]
    assert f"entity_f1 {number(results['entity_f1'])} interval: {number(low)} – {number(high)} " in text
    assert f"corrections {results['corrections']}" in text
    assert "3 of 24 documents without an error" in text
    assert results["signature"] in text
    for name, row in kieval.breakdown(corpus.count(kieval, *receipts).counts)["per_entity"].items():
        assert re.search(rf"{re.escape(name)}\s*{percent(row['entity_f1'])} %", text), name
    low, high = results["per_entity"]["items.name"]["entity_f1_interval"]
    assert f"{percent(low)} – {percent(high)} %" in text
    assert "so these gains overlap: they do not add up" in text
    assert "rows of per_entity" not in text, "the section of the fields says it in words"


@pytest.fixture(scope="module")
def page(root: Path, tmp_path_factory: pytest.TempPathFactory) -> Page:
    """The report of the receipts."""
    folder = root / "examples" / "receipts"
    rows = (docie.read(folder / f"{name}.jsonl") for name in ("predictions-hasty", "references"))
    return written(tmp_path_factory.mktemp("report") / "report.html", *rows)


@pytest.mark.exhaustive
def test_the_same_input_gives_the_same_bytes(page: Page, tmp_path: Path, receipts: tuple[list[Any], list[Any]]) -> None:
    assert written(tmp_path / "report.html", *receipts).source == page.source


@pytest.mark.exhaustive
def test_the_page_is_the_same_whoever_counts(tmp_path: Path, receipts: tuple[list[Any], list[Any]]) -> None:
    one, two = (written(tmp_path / f"{number}.html", *receipts, workers=number).source for number in (1, 2))
    assert one == two


def test_documents_are_read_once_and_in_step(tmp_path: Path) -> None:
    read: list[str] = []

    def side(name: str, number: int) -> Iterator[dict[str, str]]:
        for each in range(number):
            read.append(name)
            yield {"total": str(each)}

    score_report(tmp_path / "report.html", side("p", 300), side("r", 300))
    assert read[-4:] in (["p", "r"] * 2, ["r", "p"] * 2)
    assert len(read) == 600
    with pytest.raises(ValueError, match="as many predictions as references, got 2 and 3"):
        score_report(tmp_path / "report.html", side("p", 2), side("r", 3))


@given(st.lists(st.tuples(documents(), documents()), min_size=1, max_size=8), st.integers(0, 9))
@examples(200)
def test_the_costliest_documents_come_first_and_totals_are_over_all(pairs: list[tuple[Any, Any]], kept: int) -> None:
    predictions, references = (
        [{side: pair[place]} for pair in pairs] for place, side in ((0, "prediction"), (1, "reference"))
    )
    collection = collected(predictions, references, documents=kept)
    costs = [len(kieval.error_rows(*pair)) for pair in pairs]
    order = sorted(range(len(pairs)), key=lambda number: (-costs[number], number))
    assert [document.name for document in collection.costliest()] == order[:kept]
    assert kieval.score(collection.counts) == kieval.score(corpus.count(kieval, predictions, references).counts)
    errors = corpus.count_errors(predictions, references).counts
    assert kieval.repaired(collection.counts) == kieval.repaired(errors)


def test_costs_decide_if_there_are_any() -> None:
    collection = collected([{"a": ["1", "2"]}, {"b": "3"}], [{}, {}], documents=1, costs={"a": 1, "b": 10})
    [document] = collection.costliest()
    assert (document.name, document.cost) == (1, 10)


@pytest.mark.exhaustive
def test_the_surest_errors_are_suspects(receipts: tuple[list[Any], list[Any]], page: Page) -> None:
    sure = [
        (-row.confidence, row.document, row.entity_type, row.reference or "–", row.prediction, f"{row.confidence:.4f}")
        for row in corpus.errors(*receipts)
        if row.kind in ("value", "spurious") and row.confidence is not None and row.confidence >= 0.9
    ]
    assert len(sure) > 10
    section = page.source.partition('<section id="suspects"')[2].partition("</section>")[0]
    shown = " ".join(html.unescape(re.sub("<[^>]*>", " ", section)).split())
    for _, *cells in sorted(sure)[:10]:
        assert " ".join(map(str, cells)) in shown
    assert section.count("<tr>") == 11, "and the headings"
    values = {(value.document, value.number): value for value in values_of(page.source)}
    links = re.findall(r'href="#document=(.*?)&amp;value=(\d+)"', section)
    for (_, document, field, reference, prediction, _), link in zip(sorted(sure)[:10], links, strict=True):
        value = values[link[0], int(link[1])]
        assert (document, field, reference) == (value.document, value.field, value.expected or "–")
        assert value.answers[0][0] == prediction
    unsure = collected([{"a": {"value": "1", "confidence": 0.8}}, {"a": "1"}], [{"a": "2"}] * 2)
    assert unsure.surest == [], "none is sure"


@pytest.mark.parametrize("own", [None, [0.77]])
def test_the_automation_curve_is_that_of_the_corpus(receipts: tuple[list[Any], list[Any]], own: Any) -> None:
    thresholds = [*THRESHOLDS, *(own or ())]
    expected = corpus.evaluate(kieval, *receipts, kieval.Settings(thresholds=thresholds))["automation"]
    assert collected(*receipts, thresholds=own).automation() == expected
    assert collected([{"a": "1"}], [{"a": "1"}]).values() is None


def test_the_chart_of_review_says_what_its_table_says(page: Page) -> None:
    charts = [
        json.loads(each) for each in re.findall(r'<script type="application/json">(\{"title.*?)</script>', page.source)
    ]
    assert [chart["title"].partition(".")[0] for chart in charts] == [
        "The errors by coverage", "The reliability diagram", "The automation curve"
    ]  # fmt: skip
    curve = {f"{100 * x:.1f} %": f"{100 * y:.1f} %" for x, y in charts[-1]["series"][0]["points"]}
    text = " ".join(page.words()).partition("At some thresholds")[2].partition("Certified")[0]
    rows = re.findall(r"(?:0\.\d+|1|0) ([\d.]+ %) ([\d.]+ %) [\d.]+ %", text)
    assert len(rows) == 7
    assert all(curve[skips] == correct for skips, correct in rows)


def test_the_values_are_those_of_the_corpus(receipts: tuple[list[Any], list[Any]]) -> None:
    values, expected = collected(*receipts).values(), confidence.collect(*receipts)
    assert values is not None
    assert confidence.risk_coverage(values) == confidence.risk_coverage(expected)
    assert confidence.calibration(values) == confidence.calibration(expected)


@pytest.mark.exhaustive
def test_every_number_leads_to_as_many_values(page: Page) -> None:
    """Links of fields, kinds and patterns: the page's data has so many of these values."""
    kinds, patterns = kinds_of(page.source), Counter[str]()
    for _, _, _, *more in documents_of(page.source):
        keys = more[0].get("keys", ())[1::2] if more else ()
        for place, pattern in enumerate(head_of(page.source)["patterns"]):
            patterns[str(place)] += sum(key in pattern["keys"] for key in keys)
    checked = Counter[str]()
    for link, shown in re.findall(r'<td class="number[^>]*><a href="#([^"]*)">([\d,]+)</a>', page.source):
        wanted = {key: values[0] for key, values in parse_qs(html.unescape(link)).items()}
        if "pattern" in wanted:
            found = patterns[wanted["pattern"]]
        elif wanted["kind"] == "error":
            wrong = (each for each in values_of(page.source) if each.kind() != "correct")
            found = len({each.document for each in wrong if each.field == wanted["field"]})
        else:
            found = kinds[wanted["field"], wanted["kind"]]
        assert int(shown.replace(",", "")) == found, link
        checked[min(wanted)] += 1
    assert checked["pattern"] > 3
    assert checked["field"] > 40


@pytest.mark.parametrize("text", HOSTILE)
def test_texts_of_users_stay_texts(tmp_path: Path, text: str) -> None:
    reference = {"id": f"id {text}", "reference": {f"t {text}": [f"one {text}"], f"g {text}": [{f"k {text}": text}]}}
    prediction = {"id": f"id {text}", "prediction": {f"t {text}": f"two {text}", f"u {text}": f"one {text}"}}
    page = written(tmp_path / "report.html", [prediction], [reference], title=f"title {text}", command=f"run {text}")
    plain = written(tmp_path / "plain.html", [json.loads(json.dumps(prediction).replace(json.dumps(text)[1:-1], "x"))],
                    [json.loads(json.dumps(reference).replace(json.dumps(text)[1:-1], "x"))], title="title x", command="run x")  # fmt: skip
    allowed = {"span"}  # signs for characters that nobody would see
    assert [tag for tag, _ in page.elements if tag not in allowed] == [
        tag for tag, _ in plain.elements if tag not in allowed
    ]
    assert not re.search("[\x00-\x08\x0b-\x1f\x7f\u202a-\u202e\u2066-\u2069\ud800-\udfff]", page.source)
    if text.isprintable():
        assert f"id {text}" in page.text


def test_nothing_is_loaded_and_one_script_may_run(page: Page) -> None:
    [script] = re.findall(r'<script type="module">(.*?)</script>', page.source, re.DOTALL)
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    [policy] = [meta["content"] for meta in page.tags("meta") if meta.get("http-equiv") == "Content-Security-Policy"]
    assert str(policy).startswith("default-src 'none'")
    assert f"script-src 'sha256-{digest}'" in str(policy)
    for tag, attributes in page.elements:
        assert tag not in {"link", "img", "iframe", "object", "embed", "form", "base"}
        assert not any(name == "src" or name.startswith("on") for name in attributes)
        assert str(attributes.get("href", "#")).startswith("#")
    ids = [attributes["id"] for _, attributes in page.elements if "id" in attributes]
    assert len(ids) == len({*ids})
    links = {str(link["href"])[1:] for link in page.tags("a")}
    assert {link for link in links if "=" not in link} <= {*ids}
    for link in links - {*ids}:  # a filter of the documents
        wanted = parse_qs(link, strict_parsing=True)
        assert wanted.keys() <= {"field", "kind", "value", "document", "pattern", "failed"}
        assert not wanted.get("document") or wanted["document"][0] in {each[0] for each in documents_of(page.source)}


def test_headings_are_in_order_and_tables_have_captions(page: Page) -> None:
    levels = [int(tag[1]) for tag, _ in page.elements if re.fullmatch("h[1-6]", tag)]
    assert levels[0] == 1
    assert levels.count(1) == 1
    assert all(after <= before + 1 for before, after in itertools.pairwise(levels))
    assert len(page.tags("table")) == len(page.tags("caption"))


def test_a_table_for_each_column_of_groups() -> None:
    collection = collected(PREDICTIONS[:2], DOCUMENTS[:2])
    results = corpus.evaluate(kieval, PREDICTIONS[:2], DOCUMENTS[:2], breakdown=True, confidence_level=0.9)
    parts = {
        name: {"documents": 1, **corpus.evaluate(kieval, [prediction], [reference])}
        for name, prediction, reference in zip(("<i>Acme", "Bolt"), PREDICTIONS, DOCUMENTS, strict=False)
    }
    said = {"kieval": [*kieval.headlines(collection.counts, results)]}
    source = render(corpus_page({"kieval": results | {"by_vendor": parts}}, collection, Facts(), said=said))
    table = source[source.index('id="column-1"') :]
    assert table.index("Bolt") < table.index("&lt;i&gt;Acme")  # the lowest F1 first
    assert "By vendor" in source


@pytest.mark.exhaustive
def test_groups_of_documents_in_both_ways(root: Path, tmp_path: Path) -> None:
    files = [str(root / "examples" / "invoices" / f"{name}.jsonl") for name in ("references", "predictions")]
    path = tmp_path / "report.html"
    assert run(*files, "--group-by", "vendor", "--report", str(path)).exit_code == 0
    references, predictions = map(docie.read, files)
    figures = score_report(tmp_path / "again.html", predictions, references, group_by="vendor")
    assert len(figures["by_vendor"]) > 2
    for page in (Page(path), Page(tmp_path / "again.html")):
        text = "".join(page.text.split())
        table = text[text.index("ByvendorThelowestF1first") :]
        for name, row in figures["by_vendor"].items():
            low, high = map(percent, row["entity_f1_interval"])
            shown = f"{name} {percent(row['entity_f1'])} % {low} – {high} % {percent(row['aligned'])} %"
            assert "".join(shown.split()) in table
    assert "#column-1" in [link["href"] for link in page.tags("a")]


def test_the_report_states_the_certified_thresholds(page: Page, receipts: tuple[list[Any], list[Any]]) -> None:
    values = confidence.collect(*receipts)
    text = "".join(page.text[page.text.index("Certified thresholds") :].split())
    for risk in (0.05, 0.1):
        found = confidence.certified_threshold(values, risk)
        threshold = f"{confidence.shortest_threshold(values, found['threshold']):g}"
        assert f"{100 * risk:g}%{threshold}{percent(found['coverage'])}%{percent(found['loss'])}%" in text
    assert "errors by coverage" in page.source
    assert not re.search("risk.coverage|risk by coverage", page.text.lower()), "a risk is the limit of the loss alone"
    assert "1%none:24documentsaretoofew:ariskof0.01needsatleast99" in text, "a reason, and no figures"


def test_without_confidences_no_threshold_is_certified(tmp_path: Path) -> None:
    assert "Certified" not in written(tmp_path / "without.html", [{"a": "1"}], [{"a": "1"}]).text


def test_empty_and_perfect_corpora(tmp_path: Path) -> None:
    assert "Nothing: there are no errors." in written(tmp_path / "one.html", [{"a": "1"}], [{"a": "1"}]).text
    with pytest.raises(ValueError, match="^references: no documents$"):
        score_report(tmp_path / "none.html", [], [])
    assert documents_of(written(tmp_path / "void.html", [{}], [{}]).source) == [["0", [], [], {"number": 0}]]


@pytest.mark.parametrize("documents", [[["O", "B-total"]], [[{"label": "a", "box": [0, 0, 1, 1]}]], [[["a", "b"]]]])
def test_only_documents_have_a_report(tmp_path: Path, documents: list[Any]) -> None:
    with pytest.raises(ValueError, match="^a report shows documents, but these are "):
        score_report(tmp_path / "report.html", documents, documents)
    assert list(tmp_path.iterdir()) == []


def test_a_document_that_cannot_be_scored_leaves_what_was_there(tmp_path: Path) -> None:
    path = tmp_path / "report.html"
    path.write_text("yesterday's")
    with pytest.raises(DocumentError, match="document 1"):
        score_report(path, [{}, {"a": {"value": "1", "confidence": 7}}], [{}, {}])
    assert [each.name for each in tmp_path.iterdir()] == ["report.html"]
    assert path.read_text() == "yesterday's"
    score_report(path, [{}], [{}])
    assert path.read_text().startswith("<!doctype html>")


def test_warnings_stand_in_the_report_too(tmp_path: Path) -> None:
    with pytest.warns(UserWarning, match="no entity type in common"):
        page = written(tmp_path / "report.html", [{"a": "1"}], [{"b": "1"}])
    assert "Note: predictions and references have no entity type in common" in " ".join(page.text.split())


def test_a_link_stays_a_link(tmp_path: Path) -> None:
    (tmp_path / "real.html").write_text("old")
    (tmp_path / "link.html").symlink_to(tmp_path / "real.html")
    score_report(tmp_path / "link.html", [{}], [{}])
    assert (tmp_path / "link.html").is_symlink()
    assert (tmp_path / "real.html").read_text() != "old"


def test_a_missing_package_is_found_first(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "jinja2", None)
    imported.cache_clear()
    with pytest.raises(ModuleNotFoundError, match=r'needs the package jinja2: pip install "docie\[report\]"'):
        score_report(tmp_path / "report.html", [{}], [{}])
    done = run("missing.jsonl", "missing.jsonl", "--report", str(tmp_path / "report.html"))
    assert (done.exit_code, done.stderr) == (2, 'a report needs the package jinja2: pip install "docie[report]"\n')
    imported.cache_clear()


@pytest.fixture
def inputs(tmp_path: Path) -> list[str]:
    return [
        lines(tmp_path / "references.jsonl", rows("reference", DOCUMENTS)),
        lines(tmp_path / "predictions.jsonl", rows("prediction", PREDICTIONS)),
    ]


@pytest.mark.exhaustive
def test_the_command_prints_what_it_prints_without_a_report(tmp_path: Path, inputs: list[str]) -> None:
    path = tmp_path / "report.html"
    for output in ("json", "markdown", "table"):
        options = [*inputs, "--format", output, "--option", "thresholds=[0.5]"]
        with_report, without = run(*options, "--report", str(path)), run(*options, "--confidence-level", "0.95")
        assert (with_report.exit_code, with_report.stdout) == (0, without.stdout)
        assert with_report.stderr == without.stderr
    page = Page(path)
    # what is at its default is left out
    command = f"docie score {inputs[0]} {inputs[1]} --option 'thresholds=[0.5]' --report {path}"
    assert command in page.text
    assert "r-1" in page.text
    assert "joined by id" in page.text


@pytest.mark.exhaustive
def test_a_report_is_named_for_the_system_the_data_and_the_day(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1709164800")
    (folder := tmp_path / "receipts").mkdir()
    files = [
        lines(folder / "references.jsonl", [{"total": "9"}] * 3),
        lines(folder / "predictions-hasty.jsonl", [{"total": {"value": each, "confidence": 0.5}} for each in "989"]),
    ]
    path = tmp_path / "report.html"
    assert run(*files, "--report", str(path)).exit_code == 0
    pages = {"hasty on receipts": path, "Ours, <weekly>": tmp_path / "titled.html"}
    result = docie.score(references=files[0], predictions=files[1], documents=3)
    docie.write(result, pages["Ours, <weekly>"], title="Ours, <weekly>")
    for title, page in pages.items():
        source = page.read_text(encoding="utf-8")
        assert f"<title>{html.escape(title)}, 2024-02-29</title>" in source
        assert f"<h1><bdi>{html.escape(title)}</bdi></h1>" in re.sub(r"\s*\n\s*", "", source)
        assert "hasty on receipts: 3 documents, scored on 2024-02-29." in source
    assert run_command("threshold", *files, "--report", str(path)).exit_code == 0
    assert "<title>Thresholds for hasty on receipts, 2024-02-29</title>" in path.read_text(encoding="utf-8")


def test_other_families_stand_in_the_report(tmp_path: Path, inputs: list[str]) -> None:
    done = run(*inputs, "--metric", "hed", "--format", "json", "--report", str(tmp_path / "report.html"))
    assert [*json.loads(done.stdout)] == ["hed", "kieval"]
    text = Page(tmp_path / "report.html").text
    assert "All scores of kieval" in text
    assert "All scores of hed" in text


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--report", "none/report.html"], "none/report.html: cannot be written (No such file or directory)"),
        (["--report", "."], ".: cannot be written (Is a directory)"),
    ],
)  # fmt: skip
def test_bad_options_are_found_before_the_input(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, options: list[str], message: str
) -> None:
    monkeypatch.chdir(tmp_path)
    done = run("missing.jsonl", "missing.jsonl", *options)
    assert (done.exit_code, done.stdout, done.stderr) == (2, "", f"{message}\n")
    assert list(tmp_path.iterdir()) == []


def test_an_input_is_not_overwritten(inputs: list[str]) -> None:
    before = Path(inputs[1]).read_bytes()
    done = run(*inputs, "--report", inputs[1])
    assert done.exit_code == 2
    assert done.stderr == f"--report {inputs[1]}: this is an input, and would be overwritten\n"
    assert Path(inputs[1]).read_bytes() == before


def test_results_are_printed_though_the_report_cannot_be_saved(
    tmp_path: Path, inputs: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("os.replace", full)
    done = run(*inputs, "--format", "json", "--report", str(tmp_path / "report.html"))
    assert done.exit_code == 2
    assert json.loads(done.stdout)["kieval"]["documents"] == len(DOCUMENTS)
    expected = f"{tmp_path}/report.html: cannot be written (No space left on device)\n"
    assert without_intervals(done.stderr) == expected
    assert [path.name for path in tmp_path.glob("*report*")] == []


def test_a_side_may_come_from_standard_input(tmp_path: Path, inputs: list[str]) -> None:
    predictions = Path(inputs[1]).read_text(encoding="utf-8")
    path = tmp_path / "report.html"
    assert run(inputs[0], "-", "--report", str(path), stdin=predictions).exit_code == 0
    text = Page(path).text
    assert "<stdin>" in text
    assert "r-2" in text


def test_tagged_words_have_no_report(root: Path, tmp_path: Path) -> None:
    folder = root / "examples" / "registers"
    done = run(str(folder / "references"), str(folder / "predictions"), "--report", str(tmp_path / "report.html"))
    assert (done.exit_code, done.stderr) == (2, "a report shows documents, but these are tagged words\n")
    assert list(tmp_path.iterdir()) == []


def test_minutes_and_weights_stand_in_the_overview(tmp_path: Path, inputs: list[str]) -> None:
    weights = tmp_path / "weights.json"
    weights.write_text('{"a": 3}')
    path = str(tmp_path / "report.html")
    assert (
        run(
            *inputs, "--option", "seconds_per_correction=10", "--option", f"weights={weights}", "--report", path
        ).exit_code
        == 0
    )
    text = Page(tmp_path / "report.html").text
    assert "minutes_per_100_documents" in text
    assert "weighted_entity_f1" in text


def test_what_to_fix_first_follows_weights_and_costs() -> None:
    """One error each in three fields and one that is spurious: what is worth most comes first, with its own gain."""
    references = [{"a": "1", "b": "1", "c": "1", "d": "1"}] * 2
    predictions = [{"a": "2", "b": "1", "c": "1", "d": "1"}, {"a": "1", "b": "2", "c": "2", "d": "1"}]
    cases: list[tuple[dict[str, Any], bool, list[str], list[str]]] = [
        ({}, False, ["Gain", "F1 then"], ["a", "50.0 %"]),
        ({"weights": {"b": 5}}, False, ["Gain", "Weighted F1 then"], ["b", "33.3 %", "+31.2", "0.8750"]),
        ({"costs": {"c": 30}}, False, ["Cost saved", "Cost then"], ["c", "33.3 %", "15.0", "1.0"]),
        ({"costs": {"c": 30}}, True, ["Minutes saved", "Minutes then"], ["c", "33.3 %", "25.0", "1.7"]),
    ]
    for options, in_minutes, columns, first in cases:
        counts = corpus.count_errors(predictions, references, kieval.Settings(**options)).counts
        section = error_tables.repairs(counts, in_minutes=in_minutes)
        [table] = [part for part in section.parts if isinstance(part, Table)]
        assert table.columns[2:4] == columns
        if options:
            assert next(row for row in table.rows if not row[0].startswith("≠"))[: len(first)] == first
