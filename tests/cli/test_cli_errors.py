"""docie errors: its rows are those of the package, in every format, and bad input is one line."""

from __future__ import annotations

import csv
import json
import re
from pathlib import Path
from typing import Any

import pytest
from configured import configured
from rich.cells import cell_len

from docie import corpus, kieval
from docie.core.rules.match import EXPECTED
from docie.metrics.kieval.corrections import KINDS as NAMES
from docie.metrics.kieval.corrections import ErrorRow

from checkout import ROOT, needs_package
from cli_runs import DOCUMENTS, PREDICTIONS, lines, rows, run_command

WRAPPED = rows("prediction", PREDICTIONS), rows("reference", DOCUMENTS)


def listed(*arguments: str) -> list[dict[str, Any]]:
    """The rows of a run."""
    result = run_command("errors", *arguments, "--format", "jsonl")
    assert result.exit_code == 0, result.stderr
    return [json.loads(line) for line in result.stdout.splitlines()]


def test_rows_are_those_of_the_package(inputs: list[str]) -> None:
    expected = [row._asdict() for row in corpus.errors(*WRAPPED)]
    assert listed(*inputs) == expected
    assert {row["document"] for row in expected} == {"r-0", "r-1", "r-2"}
    settings = kieval.Settings(matching="greedy", normalize={"a": "number"})
    options = ["--option", "matching=greedy", "--normalize", "a=number"]
    assert listed(*inputs, *options) == [row._asdict() for row in corpus.errors(*WRAPPED, settings)]


def test_documents_have_ids_however_they_are_written(tmp_path: Path) -> None:
    references = lines(tmp_path / "r.jsonl", [{"name": "x", "a": "1"}, {"name": "y", "a": "2"}])
    predictions = lines(tmp_path / "p.jsonl", [{"name": "y", "a": "3"}, {"name": "x", "a": "1"}])
    assert [row["document"] for row in listed(references, predictions, *configured("id=name"))] == ["y"]
    plain = lines(tmp_path / "p2.jsonl", [{"a": "1"}, {"a": "3"}])
    assert [row["document"] for row in listed(plain, lines(tmp_path / "r2.jsonl", [{"a": "1"}, {"a": "2"}]))] == [1]


def test_two_sides_that_were_written_differently(tmp_path: Path) -> None:
    references = lines(tmp_path / "r.jsonl", [{"items": {"name": name}} for name in ("Latte", "Mocha", "Bagel")])
    predictions = lines(tmp_path / "p.jsonl", [{"lines": {"name": name}} for name in ("Latte", "Mocha", "Bagel")])
    result = run_command("errors", references, predictions)
    assert result.stderr == (
        "warning: predictions and references have no entity type in common. Most frequent in predictions: 'lines.name'; "
        "in references: 'items.name'; docie check searches for the reason\n"
    )


def test_a_missing_prediction(tmp_path: Path) -> None:
    references = lines(tmp_path / "r.jsonl", rows("reference", [{"a": "1"}, {"a": "2"}]))
    predictions = lines(tmp_path / "p.jsonl", rows("prediction", [{"a": "1"}]))
    assert run_command("errors", references, predictions).exit_code == 2
    [row] = listed(references, predictions, "--config", "join.missing=empty")
    assert (row["document"], row["kind"]) == ("r-1", "missing")


def test_kinds_and_types(inputs: list[str]) -> None:
    everything = listed(*inputs)
    assert listed(*inputs, "--kind", "missing") == [row for row in everything if row["kind"] == "missing"]
    two = listed(*inputs, "--kind", "missing", "--kind", "value", "--type", "a")
    assert two == [row for row in everything if row["kind"] in ("missing", "value") and row["entity_type"] == "a"]
    assert two


def test_an_unknown_kind_or_type(inputs: list[str]) -> None:
    result = run_command("errors", *inputs, "--kind", "invalid")
    kinds = "format, group, type, duplicate, value, missing, spurious, place"
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr == f"unknown kind 'invalid', expected one of {kinds}\n"
    result = run_command("errors", *inputs, "--type", "b")
    assert (result.exit_code, result.stderr) == (0, "warning: no document has the entity type 'b' (close: 'g.b')\n")


def test_the_help_names_all_kinds() -> None:
    text = " ".join(run_command("errors", "--help").stdout.split())
    assert all(kind in text for kind in NAMES)


def test_csv(tmp_path: Path) -> None:
    leaf = {"value": '=HYPERLINK("http://x")', "confidence": 0.5, "box": [1, 2, 3, 4], "page": 1}
    references = lines(tmp_path / "r.jsonl", [{"a": "-12.50", "@b": "1", "c": "+1|cmd", "d": 'x,"\ny'}])
    predictions = lines(tmp_path / "p.jsonl", [{"a": leaf}])
    result = run_command("errors", references, predictions, "--format", "csv")
    table = list(csv.DictReader(result.stdout.splitlines(keepends=True)))
    assert list(table[0]) == list(ErrorRow._fields)
    assert [row["entity_type"] for row in table] == ["a", "'@b", "c", "d"]
    assert [row["reference"] for row in table] == ["-12.50", "1", "'+1|cmd", 'x,"\ny']
    assert (table[0]["prediction"], table[0]["box"]) == ('\'=HYPERLINK("http://x")', "[1, 2, 3, 4]")


def test_markdown(tmp_path: Path) -> None:
    references, predictions = (lines(tmp_path / name, [{"a": value}]) for name, value in (("r", "x|y"), ("p", "z")))
    result = run_command("errors", references, predictions, "--format", "markdown")
    repairs, errors = result.stdout.split("**errors**\n\n")
    assert errors.splitlines()[:3] == [
        "| document | place | kind | reference | prediction |",
        "| :-- | :-- | :-- | :-- | :-- |",
        r"| 0 | a | value | x\|y | z |",
    ]
    assert repairs.splitlines() == [
        "Documents with the most errors: 0 (1).",
        "",
        "**what would help most**",
        "",
        "| repaired | name | errors | entity_f1 | group_f1 | document_accuracy |",
        "| :-- | :-- | --: | --: | --: | --: |",
        "| nothing |  |  | 0.0000 | 1.0000 | 0.0000 |",
        "| kind | value | 1 | 1.0000 | 1.0000 | 1.0000 |",
        "| entity type | a | 1 | 1.0000 | 1.0000 | 1.0000 |",
        "",
    ]


def test_the_list_in_the_forms_that_other_commands_have(inputs: list[str]) -> None:
    rows = listed(*inputs)
    found = json.loads(run_command("errors", *inputs, "--format", "json").stdout)
    assert found["errors"] == rows
    assert found["repaired"] == json.loads(json.dumps(corpus.repaired(*WRAPPED)))
    assert found["documents"] == len(DOCUMENTS)
    table, latex = (run_command("errors", *inputs, "--format", form).stdout for form in ("table", "latex"))
    captions = [line for line in latex.splitlines() if line.startswith(r"\caption")]
    assert captions == [rf"\caption{{{title}}}" for title in ("patterns", "what would help most", "errors")]
    assert latex.rstrip().splitlines()[-1] == "% " + " ".join(table[table.rindex("\n3 documents") :].split()).replace(
        "| ", "|"
    )
    assert all(f" & {row['kind']} & " in latex for row in rows)


def test_tables_have_the_words_of_the_pages(inputs: list[str]) -> None:
    """Rows for programs have the names of verdicts and kinds; what people read has one vocabulary."""
    names = r"\b(missed|invented|form|right|wrong)\b"
    for form in ("table", "markdown", "latex"):
        for arguments in ((), ("--document", "r-1"), ("--document", "r-2")):
            printed = run_command("errors", *inputs, *arguments, "--format", form).stdout
            assert re.findall(names, printed.replace("wrong group", "").replace("wrong type", "")) == []
    assert {row["kind"] for row in listed(*inputs)} <= {*NAMES}


@needs_package("jinja2")
def test_a_page_of_errors(inputs: list[str], tmp_path: Path) -> None:
    page = tmp_path / "errors.html"
    assert run_command("errors", *inputs, "--output", str(page)).exit_code == 0
    html = page.read_text()
    assert "<caption" in html
    assert all(f"<bdi>{row['kind']}</bdi>" in html for row in listed(*inputs))
    assert run_command("errors", *inputs, "--document", "r-1", "--output", str(page)).exit_code == 0
    html = page.read_text()
    assert "incorrect value" in html
    assert "docie errors" in html, "the command that made it"


def test_one_document(inputs: list[str]) -> None:
    explanation = kieval.explain(PREDICTIONS[1], DOCUMENTS[1])
    pairs = listed(*inputs, "--document", "r-1")
    assert pairs == [pair._asdict() for pair in explanation.pairs]
    found = json.loads(run_command("errors", *inputs, "--document", "r-1", "--format", "json").stdout)
    assert found["pairs"] == [pair._asdict() for pair in explanation.pairs]
    assert (found["document"], found["sentence"], found["problem"]) == ("r-1", explanation.sentence, None)
    assert found["signature"] == corpus.evaluate(kieval, [], [])["signature"]
    for form in ("table", "markdown", "latex"):
        printed = run_command("errors", *inputs, "--document", "r-1", "--format", form).stdout
        assert explanation.sentence in printed.replace("\\_", "_")
        assert found["signature"].partition("|")[0] in printed
        assert [*map(printed.count, ("r-1", "incorrect  value" if form == "table" else "incorrect ", "0.4000"))] == [
            1,
            1,
            1,
        ]


def test_a_document_that_counts_as_empty(inputs: list[str]) -> None:
    printed = run_command("errors", *inputs, "--document", "r-2").stdout
    assert printed.startswith("The prediction is not a JSON object but nothing, so it counts as empty.\n")


def test_options_hold_for_one_document(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "140")
    references, predictions = (
        lines(tmp_path / name, [{"a": value}]) for name, value in (("r", "x" * 60), ("p", "X" * 60))
    )
    document = ("errors", references, predictions, "--document", "0")
    assert "0 of 1 value correct, 1 incorrect:" in run_command(*document).stdout
    loose = run_command(*document, "--normalize", "casefold").stdout
    assert "1 of 1 value correct:" in loose
    assert f"{'x' * 39}…" in loose, "cut in a terminal"
    assert "x" * 60 in run_command(*document, "--format", "markdown").stdout


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--document", "r-11"], "--document: there is no 'r-11' (close: 'r-1')\n"),
        (["--document", "r-1", "--kind", "value"], "--kind does nothing beside --document\n"),
    ],
)  # fmt: skip
def test_a_document_that_cannot_be_shown(inputs: list[str], options: list[str], message: str) -> None:
    result = run_command("errors", *inputs, *options)
    assert (result.exit_code, result.stdout, result.stderr) == (2, "", message)


def test_patterns_come_first_and_rows_last(inputs: list[str]) -> None:
    output = run_command("errors", *inputs).stdout
    parts = [
        "Documents with the most errors: ",
        "\npatterns\n",
        "what would help most\n",
        "\nerrors\n",
        "3 documents, joined by id",
    ]
    places = [output.index(part) for part in parts]
    assert places == sorted(places)
    assert places[0] == 0
    assert "false alarms" not in output


RECEIPTS = str(ROOT / "examples" / "receipts" / "references.jsonl")


@pytest.mark.parametrize("system", ["careful", "hasty"])
def test_tables_fit_into_eighty_columns(system: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    predictions = RECEIPTS.replace("references", f"predictions-{system}")
    narrow = run_command("errors", RECEIPTS, predictions).stdout.splitlines()
    assert max(map(cell_len, narrow)) <= 80
    assert all(line == line.rstrip() for line in narrow)
    assert not any("confidence" in line for line in narrow)
    monkeypatch.setenv("COLUMNS", "160")
    wide = run_command("errors", RECEIPTS, predictions).stdout
    assert "confidence" in wide
    assert {"careful": "items[3].name ↔ options.name", "hasty": "items[1 ↔ 0].name"}[system] in wide
    assert "…" not in wide.partition("\nerrors\n")[2]


def test_long_names_and_values_have_several_lines_but_numbers_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    document = {
        "id": "scans/2024/receipt-0001.jpg",
        "reference": {"total": "1,234,567.00", "name": "Harbor Street Diner"},
    }
    references = lines(tmp_path / "r.jsonl", [document])
    wrong = {"total": "1,234,568.00", "name": "日本の横浜営業所の東にあるレストラン"}
    predictions = lines(tmp_path / "p.jsonl", [{"id": document["id"], "prediction": wrong}])
    rows = run_command("errors", references, predictions).stdout.partition("\nerrors\n")[2].splitlines()
    assert [line.split() for line in rows[3:6]] == [
        ["scans/2024/receipt-", "name", "value", "Harbor", "Street", "Diner", "日本の横浜営業所の東"],
        ["0001.jpg", "にあるレストラン"],
        ["scans/2024/receipt-", "total", "value", "1,234,567.00", "1,234,568.00"],
    ]
    monkeypatch.setenv("COLUMNS", "200")
    assert wrong["name"] in run_command("errors", references, predictions).stdout


@pytest.mark.exhaustive
def test_the_table_names_false_alarms_and_what_it_leaves_out(tmp_path: Path) -> None:
    references = lines(tmp_path / "r.jsonl", [{}] * 600)
    predictions = lines(tmp_path / "p.jsonl", [{"a": "1", "b": "2"}] * 600)
    output = run_command("errors", references, predictions).stdout
    assert "1,150 more rows: csv, jsonl, json and xlsx have all" in output
    assert "false alarms" in output


@pytest.mark.parametrize(
    ("reference", "prediction", "expected"),
    [
        ('{"a": 1}\n{"a": ', '{"a": 1}\n{"a": 2}', ":2: not a JSON object"),
        ('{"a": "1"}', '{"a": {"value": 1, "confidence": 7}}', ":1, entity 'a': confidence must be between 0 and 1"),
        ('["B-a", "O"]', '["B-a", "O"]', "kieval"),
    ],
)
def test_bad_input_is_one_line(tmp_path: Path, reference: str, prediction: str, expected: str) -> None:
    for name, text in (("r.jsonl", reference), ("p.jsonl", prediction)):
        (tmp_path / name).write_text(text + "\n")
    result = run_command("errors", str(tmp_path / "r.jsonl"), str(tmp_path / "p.jsonl"), "--format", "jsonl")
    assert result.exit_code == 2
    assert len(result.stderr.splitlines()) == 1
    assert expected in result.stderr


def test_the_sum_of_kinds_is_the_number_of_corrections() -> None:
    receipts = ROOT / "examples" / "receipts"
    paths = str(receipts / "references.jsonl"), str(receipts / "predictions-hasty.jsonl")
    figures = json.loads(run_command("score", *paths, "--format", "json").stdout)["kieval"]
    assert len(listed(*paths)) == figures["corrections"]


def test_what_counts_as_right_is_asked_as_in_score(tmp_path: Path) -> None:
    references = lines(tmp_path / "r.jsonl", [{"total": "12.00", "shop": "Kedai"}])
    predictions = lines(tmp_path / "p.jsonl", [{"total": "12.01", "shop": "Kedei"}])
    for options, expected in (([], 2), (["--match", "total=within(0.01)"], 1), (["--match", "similar(0.7)"], 0)):
        assert len(listed(references, predictions, *options)) == expected


@pytest.mark.parametrize("command", ["score", "errors"])
@pytest.mark.parametrize(
    ("options", "expected"),
    [
        (["--schema", "{file}"], "--schema: {file}: not JSON (Expecting value: line 1 column 1 (char 0))"),
        (["--schema", "{folder}/r.jsonl"], "--schema: expected a JSON Schema with properties, got {{'total': '12'}}"),
        (["--schema", "{folder}/no"], "--schema: {folder}/no: cannot be read (No such file or directory)"),
        (["--match", "total=within(-1)"], f"--match: unknown rule 'within(-1)', {EXPECTED}"),
        (["--option", 'weights={{"total": -1}}'], "weights: 'total' must be a number of at least 0, got -1"),
        (["--option", "weights={folder}/no"], "weights: {folder}/no: cannot be read (No such file or directory)"),
        (["--option", 'costs={{"total": {{"addition": -1}}}}'], "costs: 'total': addition must be a number of at least 0, got -1"),
    ],
)  # fmt: skip
def test_options_that_cannot_be_read_are_one_line(
    command: str, options: list[str], expected: str, tmp_path: Path
) -> None:
    paths = [lines(tmp_path / name, [{"total": "12"}]) for name in ("r.jsonl", "p.jsonl")]
    (tmp_path / "text").write_text("no schema")
    places = {"folder": tmp_path, "file": tmp_path / "text"}
    result = run_command(command, *paths, *(option.format(**places) for option in options))
    assert (result.exit_code, result.stdout, result.stderr) == (2, "", expected.format(**places) + "\n")


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        (["--option", "weights={file}"], "weights: 'total' must be a number of at least 0, got -1"),
        (["--option", "seconds_per_correction=-1"], "seconds_per_correction must be a number of at least 0, got -1"),
        (["--option", "seconds_per_correction=x"], "seconds_per_correction must be a number of at least 0, got 'x'"),
    ],
)
def test_weights_and_costs_of_score_are_checked(options: list[str], expected: str, tmp_path: Path) -> None:
    paths = [lines(tmp_path / name, [{"total": "12"}]) for name in ("r.jsonl", "p.jsonl")]
    file = lines(tmp_path / "weights.json", [{"total": -1}])
    result = run_command("score", *paths, *(option.format(file=file) for option in options))
    assert (result.exit_code, result.stdout, result.stderr) == (2, "", f"{expected}\n")


@pytest.mark.parametrize("command", ["score", "errors"])
@pytest.mark.parametrize(
    ("options", "expected"),
    [
        (["--match", "totl=within(1)"], "match: no document has 'totl' (close: 'sum.total')"),
        (["--normalize", "totl=number"], "normalize: no document has 'totl' (close: 'sum.total')"),
        (["--option", 'weights={"totl": 2}'], "weights: no document has 'totl' (close: 'sum.total')"),
        (["--schema", "SCHEMAS"], "schema: schemas disagree on 'sum.total'; these are compared as text"),
    ],
)
def test_rules_that_may_be_mistaken_are_warned_of(
    command: str, options: list[str], expected: str, tmp_path: Path
) -> None:
    paths = [lines(tmp_path / name, [{"sum": {"total": "12"}}]) for name in ("r.jsonl", "p.jsonl")]
    schemas = [{"properties": {"sum": {"properties": {"total": {"type": name}}}}} for name in ("number", "string")]
    place = lines(tmp_path / "schemas.jsonl", schemas)
    result = run_command(command, *paths, *(place if option == "SCHEMAS" else option for option in options))
    assert (result.exit_code, result.stderr) == (0, f"warning: {expected}\n")


def test_the_documents_with_the_most_errors_come_first_and_blanks_are_seen(tmp_path: Path) -> None:
    references = lines(tmp_path / "r.jsonl", [{"id": f"d{number}", "a": "1", "b": "2"} for number in range(8)])
    rows = [{"id": f"d{number}", "a": "1 ", "b": "x" if number % 2 else "2"} for number in range(7)]
    predictions = lines(tmp_path / "p.jsonl", [*rows, {"id": "d7", "a": "1", "b": "2"}])
    first, *shown = run_command("errors", references, predictions).stdout.splitlines()
    assert first == "Documents with the most errors: d1 (2), d3 (2), d5 (2), d0 (1), d2 (1)."
    assert [line.split() for line in shown].count(["d4", "a", "format", "1", "'1", "'"]) == 1
    found = json.loads(run_command("errors", references, predictions, "--format", "json").stdout)
    assert found["worst_documents"][0] == {"document": "d1", "errors": 2}
    of_type = run_command("errors", references, predictions, "--type", "b").stdout
    assert of_type.startswith("Documents with the most errors: d1 (1), d3 (1), d5 (1).")
