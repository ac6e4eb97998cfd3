"""--group-by: figures, errors and what would help most, by a column of the rows' meta."""

from __future__ import annotations

import csv
import json
from pathlib import Path
from typing import Any

import pytest

from docie import corpus, entity_f1, kieval

from cli_runs import lines, run, run_command, scored, scored_by_family

VENDORS: list[Any] = ["ACME", "Kedai", "ACME", None]
REFERENCES: list[Any] = [
    {"id": str(number), "reference": {"total": "12.00", "tax": "1"}, "meta": {"vendor": vendor, "page": 2}}
    for number, vendor in enumerate(VENDORS)
]
PREDICTIONS: list[Any] = [
    {"id": str(number), "prediction": prediction}
    for number, prediction in enumerate(
        [{"total": "12,00", "tip": "3"}, {"total": "12.00", "tax": "1"}, {"total": "12.00", "tax": "7"}, {}]
    )
]
WARNING = "group_by: 1 of 4 documents have no 'vendor' in meta, and are listed as '(none)'"


@pytest.fixture
def files(tmp_path: Path) -> list[str]:
    # in another order: joined by id
    return [lines(tmp_path / "r.jsonl", REFERENCES), lines(tmp_path / "p.jsonl", PREDICTIONS[::-1])]


def test_the_figures_are_those_of_the_package(files: list[str]) -> None:
    options = ["--confidence-level", "0.9"]
    figures = scored(*files, "--group-by", "vendor", *options, warning=WARNING)
    expected = corpus.evaluate(kieval, PREDICTIONS, REFERENCES, group_by="vendor", confidence_level=0.9)
    assert figures == expected
    assert list(figures["by_vendor"]) == ["ACME", "Kedai", "(none)"]
    assert scored(*files, "--group-by", "vendor", "--workers", "2", *options, warning=WARNING) == expected


def test_every_family_has_its_own(files: list[str]) -> None:
    figures = scored_by_family(*files, "--metric", "all", "--group-by", "vendor", warning=WARNING)
    assert len(figures) > 4
    for name, results in figures.items():
        assert [row["documents"] for row in results["by_vendor"].values()] == [2, 1, 1], name
    assert figures["entity_f1"] == corpus.evaluate(entity_f1, PREDICTIONS, REFERENCES, group_by="vendor")


def test_the_table(files: list[str]) -> None:
    result = run(*files, "--group-by", "vendor", "--format", "markdown")
    table = result.stdout.partition("**by vendor**\n\n")[2].partition("\n\n")[0].splitlines()
    assert table[0] == (
        "| vendor | documents | entity_f1 | aligned | entity_f1_macro | group_f1 | document_accuracy | corrections |"
    )
    assert [row.split(" | ")[:3] for row in table[2:]] == [
        ["| ACME", "2", "0.2500"], ["| Kedai", "1", "1.0000"], ["| (none)", "1", "0.0000"],
    ]  # fmt: skip
    with_intervals = run(*files, "--group-by", "vendor", "--format", "markdown", "--confidence-level", "0.9")
    assert "corrections | entity_f1_interval |\n" in with_intervals.stdout
    assert "by vendor" in run(*files, "--group-by", "vendor").stdout


def test_minutes_are_by_group_too(files: list[str]) -> None:
    figures = scored(*files, "--group-by", "vendor", "--option", "seconds_per_correction=6", warning=WARNING)
    assert [row["minutes_per_100_documents"] for row in figures["by_vendor"].values()] == [20.0, 0.0, 20.0]


def test_many_groups_are_in_json_only(tmp_path: Path) -> None:
    references = [{"reference": {"a": "1"}, "meta": {"by": number % 40}} for number in range(50)]
    files = [
        lines(tmp_path / "r.jsonl", references),
        lines(tmp_path / "p.jsonl", [{"a": "2"}] * 20 + [{"a": "1"}] * 30),
    ]
    for command in ("score", "errors"):
        output = run_command(command, *files, "--group-by", "by").stdout
        assert "by by (the first 30 of 40)" in output
        table = output[output.index("by by (") :]
        firsts = [line.split()[0] for line in table.splitlines() if line.split() and line.split()[0].isdigit()]
        assert firsts[:30] == [*map(str, range(10)), *sorted(map(str, range(10, 40)))[:20]]
        assert "11" in firsts
        assert "39" not in firsts
    assert len(scored(*files, "--group-by", "by")["by_by"]) == 40


def test_rows_of_errors_begin_with_their_group(files: list[str]) -> None:
    result = run_command("errors", *files, "--group-by", "vendor", "--format", "jsonl")
    rows = [json.loads(line) for line in result.stdout.splitlines()]
    assert result.stderr == f"warning: {WARNING}\n"
    plain = run_command("errors", *files, "--format", "jsonl").stdout.splitlines()
    assert [{"vendor": VENDORS[int(row["document"])] or "(none)", **row} for row in map(json.loads, plain)] == rows
    assert next(iter(rows[0])) == "vendor"
    for form, start, end in (("csv", None, None), ("markdown", "**errors**", -2)):
        output = run_command("errors", *files, "--group-by", "vendor", "--format", form).stdout.strip().splitlines()
        output = output[output.index(start) + 2 if start else 0 : end]
        assert output[0].strip("| ").startswith("vendor")
        assert output[-1].strip("| ").startswith("(none)")


def test_a_column_that_has_the_name_of_a_field(files: list[str]) -> None:
    result = run_command("errors", *files, "--group-by", "page", "--format", "jsonl")
    first = json.loads(result.stdout.splitlines()[0])
    assert (first["meta.page"], first["page"]) == ("2", None)
    result = run_command("errors", *files, "--group-by", "page", "--format", "csv")
    assert next(csv.reader(result.stdout.splitlines()))[0] == "meta.page"


def test_what_would_help_each_group_most(files: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "120")
    output = run_command("errors", *files, "--group-by", "vendor").stdout
    table = output[output.index("by vendor") : output.index("\nerrors\n")].splitlines()
    [acme, kedai, nobody] = [line.split() for line in table if line.strip().startswith(("ACME", "Kedai", "(none)"))]
    assert acme == [
        "ACME",
        "format",
        "2",
        "4",
        "0.2500",
        "1",
        "0.5000",
        "1",
    ]  # of four, two would be right
    assert kedai == ["Kedai", "1", "0", "1.0000", "0"]
    assert nobody == ["(none)", "missing", "1", "2", "0.0000", "2", "1.0000", "0"]


@pytest.mark.parametrize("command", ["score", "errors"])
@pytest.mark.parametrize(
    ("name", "meta", "expected"),
    [
        ("vndor", {"vendor": "x"}, "--group-by: no document has a value in its meta for 'vndor' (close: 'vendor')"),
        ("vendor", {"vendor": ["x"]}, "r.jsonl:2: 'vendor' in meta must be a text, a number or a boolean, got ['x']"),
        ("vendor", "x", "r.jsonl:2: meta must be an object, got 'x'"),
        ("", {"vendor": "x"}, "--group-by must be the name of a column in meta, got ''"),
    ],
)
def test_bad_input_is_one_line(command: str, name: str, meta: Any, expected: str, tmp_path: Path) -> None:
    references = [{"reference": {"a": "1"}}, {"reference": {"a": "1"}, "meta": meta}]
    files = [lines(tmp_path / "r.jsonl", references), lines(tmp_path / "p.jsonl", [{"a": "1"}] * 2)]
    result = run_command(command, *files, "--group-by", name)
    assert (result.exit_code, result.stderr.replace(f"{tmp_path}/", "")) == (2, f"{expected}\n")


def test_a_family_without_figures_by_field_says_so_still(files: list[str]) -> None:
    result = run(*files, "--metric", "nted", "--by-field", "--group-by", "vendor")
    assert "nted has no scores by field here" in result.stderr
