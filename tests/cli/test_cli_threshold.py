"""docie threshold: its figures are those of the package, sentences and tables, and bad input in one line."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

import docie
from docie import confidence, kieval
from docie.confidence.summary import summarize
from docie.show.section import Slider

from cli_runs import lines, rows, run_command


def documents(number: int, wrong: int) -> tuple[list[Any], list[Any]]:
    """Predictions with two values of each type, and references: in the first documents the less sure total is wrong."""
    sure, unsure = {"value": "1", "confidence": 0.934}, {"value": "2", "confidence": 0.612}
    predictions = [{"total": [sure, unsure], "tax": {"value": "7", "confidence": 0.8}} for _ in range(number)]
    references = [{"total": ["1", "3" if each < wrong else "2"], "tax": "7"} for each in range(number)]
    return predictions, references


PREDICTIONS, REFERENCES = documents(30, 6)
OTHER_PREDICTIONS, OTHER_REFERENCES = documents(10, 1)


@pytest.fixture
def files(tmp_path: Path) -> list[str]:
    return [
        lines(tmp_path / "references.jsonl", rows("reference", REFERENCES)),
        lines(tmp_path / "predictions.jsonl", rows("prediction", PREDICTIONS)),
        "--verify",
        lines(tmp_path / "more-references.jsonl", rows("reference", OTHER_REFERENCES)),
        lines(tmp_path / "more-predictions.jsonl", rows("prediction", OTHER_PREDICTIONS)),
    ]


def chosen(*arguments: str) -> dict[str, Any]:
    result = run_command("threshold", *arguments, "--format", "json")
    assert (result.exit_code, result.stderr) == (0, "")
    figures: dict[str, Any] = json.loads(result.stdout)
    return figures


def shown(*arguments: str) -> str:
    result = run_command("threshold", *arguments)
    assert (result.exit_code, result.stderr) == (0, "")
    return " ".join(result.stdout.split())  # titles are broken into lines


def test_figures_are_those_of_the_package(files: list[str]) -> None:
    values, others = (
        confidence.collect(PREDICTIONS, REFERENCES),
        confidence.collect(OTHER_PREDICTIONS, OTHER_REFERENCES),
    )
    assert chosen(*files[:2]) == summarize(values)
    expected = summarize(values, precision=0.95, risk=0.05, budgets=[0.25], bins=3, breakdown=True, verify=others)
    options = ("--precision", "0.95", "--risk", "0.05", "--budget", "0.25", "--option", "bins=3", "--by-field")
    assert chosen(*files, *options) == expected
    assert expected["certified_threshold"]["verification"]["documents"] == 10
    settings = kieval.Settings(ontology=["tax"])
    only_tax = summarize(confidence.collect(PREDICTIONS, REFERENCES, settings))
    assert chosen(*files[:2], "--option", 'ontology=["tax"]') == only_tax


def test_sentences_and_tables(files: list[str]) -> None:
    text = shown(*files, "--risk", "0.05", "--by-field")
    for part in (
        "Threshold 0.7: 60 of 90 values skip review, 0 of them incorrect (asked: at most 1 % of them, on these documents).",
        "Certified threshold 0.7: 60 of 90 values skip review, 0 of them incorrect (asked: at most 5 % of a document's "
        "values, on average over new documents like these).",
        "On the 10 documents to verify: 20 of 30 values skip review, 0 of them incorrect, on average 0.0000 of a "
        "document's values.",
        "thresholds of each entity type, and how many of its values skip review",
        "tax 30 0 0 30 0 30",
        "30 documents, joined by id · kieval|",
    ):
        assert part in text, part
    assert "Certified threshold 0: 90 of 90 values skip review, 6 of" in shown(*files[:2], "--risk", "0.5")
    assert "Threshold 0: 90 of 90 values skip review, 6 of them" in shown(*files[:2], "--precision", ".9")
    markdown = run_command("threshold", *files[:2], "--format", "markdown").stdout
    assert (
        "No certified threshold: 30 documents are too few: a risk of 0.01 needs at least 99 (asked: at most" in markdown
    )


def test_a_spreadsheet_has_all_tables(files: list[str]) -> None:
    references, predictions = ([*docie.read(path)] for path in files[:2])
    found = docie.threshold(references=references, predictions=predictions, by_field=True)
    first, budgets, calibration, types = ([*map(list, table.cells)] for table in found.tables())
    assert first[0] == ["precision 0.99", 0.7, 0.6667, 1.0, 0.0, 30, 90]
    assert first[1] == ["certified, risk 0.01", "none", "", "", "", "", ""]
    assert budgets[0] == ["0.05", 4, 0.8, 0.1333]
    assert calibration[0][0] == 90
    assert types[0][:6] == ["tax", 30, 1.0, 0, 1.0, "none"]


def test_values_without_a_confidence_are_named(tmp_path: Path) -> None:
    leaf = {"value": "1", "confidence": 0.5}
    references = lines(tmp_path / "r.jsonl", [{"a": "1", "b": "2"}])
    predictions = lines(tmp_path / "p.jsonl", [{"a": leaf, "b": "3"}])
    text = shown(references, predictions)
    assert "1 value of 2 without a confidence: always auto-accepted." in text
    assert (
        "No threshold: of the 2 values with the highest confidence, 1 is incorrect (asked: at most 1 % of them" in text
    )


def test_a_file_that_verifies_nothing(files: list[str]) -> None:
    references, predictions = files[:2]
    result = run_command("threshold", references, predictions, "--verify", references, predictions)
    assert result.exit_code == 0
    assert result.stderr == (
        "warning: verify names what the thresholds were chosen on; only other documents verify them\n"
    )
    rows: dict[str, Any] = {"references": REFERENCES, "predictions": PREDICTIONS}
    [note] = docie.threshold(**rows, verify=(REFERENCES, PREDICTIONS)).notes
    assert f"warning: {note}\n" == result.stderr
    assert docie.threshold(**rows, verify=([*REFERENCES], [*PREDICTIONS])).notes == []


def test_bad_input(files: list[str], tmp_path: Path) -> None:
    references, predictions = files[:2]
    plain = lines(tmp_path / "plain.jsonl", rows("prediction", REFERENCES))
    empty = lines(tmp_path / "empty.jsonl", rows("prediction", [{}] * 30))
    fewer = lines(tmp_path / "fewer.jsonl", rows("prediction", PREDICTIONS[:-1]))
    broken = lines(
        tmp_path / "broken.jsonl", rows("prediction", [{"a": {"value": "1", "confidence": 7}}, *PREDICTIONS[1:]])
    )
    for arguments, problem in {
        (references, plain): "no prediction has a confidence, so there is nothing to choose a threshold by. ",
        (references, predictions, "--verify", references, plain): "--verify: no prediction has a confidence, ",
        (references, empty): "no prediction has a value",
        (
            references,
            predictions,
            "--option",
            'ontology=["tex"]',
        ): "no prediction has a value; ontology: no document has 'tex'",
        (references, fewer): "id 'r-29' is in the references but not in the predictions",
        (references, broken): f"{broken}:1, entity 'a': confidence must be between 0 and 1, got 7",
        (references, predictions, "--verify", references, broken): f"{broken}:1, entity 'a': confidence must be ",
        (references, predictions, "--risk", "0"): "--risk must be above 0 and below 1, got 0",
        (references, predictions, "--precision", "99"): "--precision must be between 0 and 1, got 99",
        (references, predictions, "--budget", "10"): "--budget must be between 0 and 1, got 10",
        (references, predictions, "--option", "bins=0"): "bins must be a whole number of at least 1, got 0",
        (references, predictions, "--option", "bins=30000000"): "bins must be at most 10,000, got 30000000",
        (references, predictions, "--match", "close"): "--match: unknown rule 'close', expected ",
        (references, str(tmp_path / "none.jsonl")): f"{tmp_path / 'none.jsonl'}: No such file or directory",
    }.items():
        result = run_command("threshold", *arguments)
        assert (result.exit_code, result.stdout) == (2, ""), arguments
        assert result.stderr.startswith(problem), result.stderr
        assert result.stderr.count("\n") == 1
    filled = run_command("threshold", references, fewer, "--config", "join.missing=empty", "--format", "json")
    assert json.loads(filled.stdout)["documents"] == 30
    assert filled.stderr == "warning: 1 reference without a prediction, scored against nothing\n"


def test_from_standard_input(files: list[str]) -> None:
    references, predictions = files[:2]
    result = run_command("threshold", references, "-", "--format", "json", stdin=Path(predictions).read_text())
    assert json.loads(result.stdout) == chosen(references, predictions)


# in Python


def test_python_has_the_figures_of_the_command(files: list[str]) -> None:
    pandas = pytest.importorskip("pandas")
    references, predictions, _, *verify = files
    given = ("--risk", "0.05", "--budget", "0.25", "--option", "bins=3", "--by-field", "--normalize", "casefold")
    command = run_command("threshold", *files, *given)
    options: dict[str, Any] = {"risk": 0.05, "budgets": [0.25], "bins": 3, "by_field": True, "normalize": "casefold"}
    listed = rows("reference", REFERENCES), rows("prediction", PREDICTIONS)[::-1]
    others = rows("reference", OTHER_REFERENCES), rows("prediction", OTHER_PREDICTIONS)
    asked: list[tuple[Any, Any, Any]] = [
        (references, Path(predictions), verify),
        (*listed, others),
        (pandas.DataFrame(listed[0]), pandas.DataFrame(listed[1]), [*map(pandas.DataFrame, others)]),
    ]
    for of_references, of_predictions, pair in asked:
        result = docie.threshold(references=of_references, predictions=of_predictions, verify=pair, **options)
        assert result.to_dict() == chosen(*files, *given)
        assert f"{result}\n" == command.stdout
        assert (result.facts.joined_by, result.notes) == ("id", [])


def test_a_written_report_is_that_of_the_command(files: list[str], tmp_path: Path) -> None:
    pytest.importorskip("jinja2")
    pytest.importorskip("matplotlib")
    report, written = tmp_path / "report.html", tmp_path / "written.html"
    result = docie.threshold(references=files[0], predictions=files[1], risk=0.05)
    assert run_command("threshold", *files[:2], "--risk", "0.05", "--report", str(report)).exit_code == 0
    line = f"docie threshold {files[0]} {files[1]} --risk 0.05 --report {report}"
    docie.write(result, written, command=line)
    assert written.read_text(encoding="utf-8") == report.read_text(encoding="utf-8")
    titles = [section.title for section in result.page().sections]
    assert titles == ["Overview", "Review by confidence", "Thresholds"]


def test_tables_of_csv(files: list[str]) -> None:
    result = run_command("threshold", *files[:2], "--format", "csv")
    assert result.stdout.splitlines()[:2] == [
        "required,threshold,coverage,precision,loss,documents,values",
        "precision 0.99,0.7,0.6667,1.0,0.0,30,90",
    ]


def test_bad_input_in_python(files: list[str]) -> None:
    with pytest.raises(ValueError, match="^no prediction has a confidence"):
        docie.threshold(references=REFERENCES, predictions=REFERENCES)
    with pytest.raises(ValueError, match="^verify: no prediction has a confidence"):
        docie.threshold(references=REFERENCES, predictions=PREDICTIONS, verify=(REFERENCES, REFERENCES))
    with pytest.raises(ValueError, match="^risk must be above 0 and below 1"):
        docie.threshold(references="none.jsonl", predictions="none.jsonl", risk=1)


def test_shares_to_review_that_are_asked_for_are_shown(inputs: list[str]) -> None:
    shown = run_command("threshold", *inputs, "--budget", "0.25").stdout
    assert "\n 0.25 " in shown
    assert "errors caught" not in run_command("threshold", *inputs).stdout


# whole documents


def whole(number: int, wrong: int) -> tuple[list[Any], list[Any]]:
    """Predictions of one value, the first of which are wrong and least sure, two that have no value, and references."""
    predictions = [{"total": {"value": "1", "confidence": 0.5 if each < wrong else 0.9}} for each in range(number - 2)]
    references = [{"total": "2" if each < wrong else "1"} for each in range(number)]
    return [*predictions, {}, {}], references


def copies(paths: list[str]) -> list[str]:
    """The same files under other names: other documents, for whom it may concern."""
    return [shutil.copy(path, f"{path.removesuffix('.jsonl')}-copy.jsonl") for path in paths]


@pytest.fixture
def whole_files(tmp_path: Path) -> list[str]:
    predictions, references = whole(102, 10)
    meta = [{"vendor": "ACME" if number % 2 else "Kedai"} for number in range(102)]
    rows_of = [{**row, "meta": each} for row, each in zip(rows("reference", references), meta, strict=True)]
    return [
        lines(tmp_path / "whole-references.jsonl", rows_of),
        lines(tmp_path / "whole-predictions.jsonl", rows("prediction", predictions)),
    ]


def test_the_first_line_is_for_who_runs_the_operation(whole_files: list[str]) -> None:
    asked = ("--unit", "document", "--risk", "0.05", "--option", "seconds_per_document=40")
    text = shown(*whole_files, *asked, "--confidence-level", "0.95", "--group-by", "vendor")
    for part in (
        "Of 100 documents, 88.2 skip review, 0 of them with an error, 59 minutes saved. Certified threshold 0.6: 90 of 102 "
        "documents skip review, 0 of them with an error: 0.0 %, 95 % interval 0.0 – 4.0 % (asked: at most 5 % of all "
        "documents skip review and have an error, on average over new documents like these).",
        "Certified threshold 0.6: 90 of 102 documents skip review, 0 of them with an error: 0.0 %, 95 % interval 0.0 – "
        "4.0 % (asked: at most 5 % of the documents that skip review have an error, at a confidence level of 0.95).",
        "2 documents of 102 are always reviewed: without a value, or with one that has no confidence.",
        "documents that skip review at the certified threshold, by vendor",
        "ACME 51 45 0.8824 0 0.0000 0.0000 – 0.0787",
    ):
        assert part in text, part
    figures = chosen(*whole_files, *asked, "--confidence-level", "0.95", "--group-by", "vendor")
    values = confidence.collect(*whole(102, 10))
    expected = summarize(values, risk=0.05, unit="document", confidence_level=0.95)
    assert {name: figures[name] for name in expected} == expected
    assert figures["minutes_saved_per_100_documents"] == pytest.approx(100 * 90 / 102 * 40 / 60)
    assert [*figures["by_vendor"]] == ["ACME", "Kedai"]


def test_no_threshold_says_how_many_documents_are_missing(whole_files: list[str]) -> None:
    text = shown(*whole_files, "--unit", "document", "--confidence-level", "0.95", "--group-by", "vendor")
    assert text.startswith("Of 100 documents, none skips review. ")
    needed = (
        "299 documents that skip review without an error are needed, and 100 of 102 can: at this share at least 305 "
    )
    assert f"No certified threshold: {needed}documents, 203 more (asked: at most 1 % of the documents that" in text
    assert "No table by vendor: there is no certified threshold." in text


def test_whole_documents_are_verified_and_clustered(whole_files: list[str]) -> None:
    asked = ("--unit", "document", "--risk", "0.4", "--cluster", "vendor")
    text = shown(*whole_files, *asked, "--verify", *copies(whole_files))
    assert (
        "On the 102 documents of 2 clusters to verify: 90 of 102 documents skip review, 0 of them with an error: "
        in text
    )
    assert chosen(*whole_files, *asked)["certified_threshold"]["clusters"] == 2


def test_agreement_in_place_of_confidences(whole_files: list[str], tmp_path: Path) -> None:
    references, predictions = whole_files
    others = [json.loads(line) for line in Path(predictions).read_text(encoding="utf-8").splitlines()]
    for row in others[:10]:
        row["prediction"] = {"total": "2"}
    other = lines(tmp_path / "other.jsonl", [*others[::-1], {"id": "more", "prediction": {}}])
    for unit in ("value", "document"):
        figures = chosen(references, predictions, "--unit", unit, "--risk", "0.05", "--agree", other)
        assert figures["certified_threshold"]["loss"] == 0
        ranked = {"average_precision": 1.0, "area": figures["area"]}
        difference = {"difference": 0.0, "interval": [0.0, 0.0]}
        assert figures["confidences"] == {"agreement": ranked, "own": ranked | difference}
        assert "|confidences:agreement|" in figures["signature"]
    itself = run_command("threshold", references, predictions, "--agree", predictions)
    assert itself.stderr.startswith("warning: agree names the predictions themselves; ")
    plain = lines(tmp_path / "plain.jsonl", rows("prediction", [{"total": "1"}] * 102))
    assert [*chosen(references, plain, "--agree", other)["confidences"]] == ["agreement"]
    verified = chosen(references, plain, "--agree", other, "--verify", *copies(whole_files), "--risk", "0.05")
    assert verified["certified_threshold"]["verification"]["documents"] == 102
    streamed = run_command(
        "threshold", references, predictions, "--agree", "-", "--format", "json", stdin=Path(other).read_text()
    )
    assert json.loads(streamed.stdout) == chosen(references, predictions, "--agree", other)
    fewer = lines(tmp_path / "fewer-others.jsonl", others[1:])
    result = run_command("threshold", references, predictions, "--agree", fewer)
    assert (result.exit_code, result.stderr.startswith("--agree: id 'r-0'")) == (2, True), result.stderr


def test_python_takes_whole_documents_as_rows(whole_files: list[str]) -> None:
    predictions, references = whole(102, 10)
    options: dict[str, Any] = {"unit": "document", "risk": 0.05, "seconds_per_document": 40}
    result = docie.threshold(references=iter(references), predictions=iter(predictions), agree=predictions, **options)
    assert result.results["confidences"]["own"]["average_precision"] == 1.0
    with pytest.raises(ValueError, match="^agree: .* needs rows with ids"):
        docie.threshold(references=whole_files[0], predictions=whole_files[1], agree=predictions)
    files = docie.threshold(references=whole_files[0], predictions=whole_files[1], **options)
    command = run_command(
        "threshold", *whole_files, "--unit", "document", "--risk", "0.05", "--option", "seconds_per_document=40"
    )
    assert f"{files}\n" == command.stdout
    table = [*next(files.tables()).cells]
    assert table[0] == ["certified, risk 0.05", 0.6, 0.8824, 1.0, 0.0, 102]


def test_options_of_whole_documents(whole_files: list[str]) -> None:
    for arguments, problem in {
        ("--confidence-level", "0.95"): "--confidence-level needs --unit document",
        ("--confidence-level", "0.95", "--unit", "value"): "--confidence-level must come with documents as units: ",
        ("--confidence-level", "95", "--unit", "document"): "--confidence-level must be between 0 and 1, got 95",
        ("--unit", "document", "--by-field"): "--by-field does nothing beside --unit document",
        ("--option", "seconds_per_document=40"): "--option seconds_per_document needs --unit document",
        ("--unit", "document", "--option", "seconds_per_document=-1"): "seconds_per_document",
        ("--unit", "document", "--group-by", "shop"): "--group-by: no document has a value in its meta for 'shop'",
    }.items():
        result = run_command("threshold", *whole_files, *arguments)
        assert (result.exit_code, result.stdout) == (2, ""), arguments
        assert result.stderr.startswith(problem), result.stderr
        assert result.stderr.count("\n") == 1


def test_a_report_of_whole_documents_has_both_curves(whole_files: list[str], tmp_path: Path) -> None:
    pytest.importorskip("jinja2")
    result = docie.threshold(references=whole_files[0], predictions=whole_files[1], unit="document", risk=0.05)
    _, review, _ = result.page().sections
    [slider] = [part for part in review.parts if isinstance(part, Slider)]
    axes = [chart.x.label for chart in slider.charts]
    assert axes == ["documents that skip review", "values that skip review", "confidence"]
    assert slider.table.columns[1] == "Documents that skip review"
    assert slider.table.rows[slider.start] == ["0.6", "90 (88.2 %)", "12 (11.8 %)", "0 (0.0 %)", "12 of 12"]
    docie.write(result, tmp_path / "report.html")
