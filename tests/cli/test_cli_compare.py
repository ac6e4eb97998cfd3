"""docie compare: its figures are those of the package, its tables, exit codes, and bad input in one line."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from docie import corpus, entity_f1, kieval

from cli_runs import lines, rows, run_command

REFERENCES: list[Any] = [{"total": str(number), "tax": "1", "vendor": {"name": "x"}} for number in range(16)]
GOOD: list[Any] = [{**row, "total": "0"} if number == 13 else row for number, row in enumerate(REFERENCES)]
POOR: list[Any] = [{**row, "tax": "7.0"} if number < 12 else row for number, row in enumerate(REFERENCES)]
OTHER: list[Any] = [{**row, "tax": "7"} if number < 13 else row for number, row in enumerate(REFERENCES)]


@pytest.fixture
def files(tmp_path: Path) -> list[str]:
    references = [
        {**row, "meta": {"vendor": "abc"[number % 3]}} for number, row in enumerate(rows("reference", REFERENCES))
    ]
    return [
        lines(tmp_path / "references.jsonl", references),
        *(
            lines(tmp_path / f"{name}.jsonl", rows("prediction", system))
            for name, system in (("good", GOOD), ("poor", POOR), ("other", OTHER))
        ),
    ]


def compared(*arguments: str, exit_code: int = 0) -> dict[str, Any]:
    result = run_command("compare", *arguments, "--format", "json")
    assert result.exit_code == exit_code, result.stderr
    figures: dict[str, Any] = json.loads(result.stdout)
    return figures


def test_figures_are_those_of_the_package(files: list[str]) -> None:
    systems = {"good": rows("prediction", GOOD), "poor": rows("prediction", POOR), "other": rows("prediction", OTHER)}
    references = rows("reference", REFERENCES)
    expected = corpus.compare(kieval, systems, references, breakdown=True, suspects=True)
    assert compared(*files, "--by-field", "--suspects") == json.loads(json.dumps(expected))
    assert expected["comparisons"][0]["changes"][0]["document"] == "r-13"
    assert {row["document"] for row in expected["suspects"]} == set()
    with_options = compared(
        *files, "--metric", "entity_f1", "--score", "recall", "--normalize", "number", "--option", "shuffles=199", "--option", "seed=3",
        "--confidence-level", "0.9",
    )  # fmt: skip
    settings = entity_f1.Settings(normalize="number")
    assert with_options == corpus.compare(
        entity_f1, systems, references, settings, "recall", None, confidence_level=0.9, shuffles=199, seed=3
    )


def test_clusters(files: list[str]) -> None:
    assert compared(*files, "--cluster", "vendor")["units"] == 3
    shown = run_command("compare", *files, "--cluster", "vendor").stdout
    assert "16 documents, joined by id, 3 clusters · kieval|clusters:vendor|" in " ".join(shown.split())


def test_tables(files: list[str]) -> None:
    shown = run_command("compare", *files, "--by-field", "--suspects", "--score", "corrections", "--all-scores").stdout
    shown = " ".join(shown.split())  # titles are broken into lines
    for text in (
        "ranks by corrections; no test separates systems that share a letter",
        "p corrected by Holm over 3 comparisons: 3 pairs of systems",
        "corrections: 1 document better, 12 worse; the largest changes",
        "+11",
        "by entity type; p corrected by Holm over 9 comparisons: 3 pairs of systems, 3 entity types",
        "values on which all systems agree against the reference: none",
    ):
        assert text in shown
    markdown = run_command("compare", *files, "--format", "markdown").stdout
    assert "| system | entity_f1 | rank | corrections | difference | interval | p |" in markdown
    assert "| good | 0.9792 | 1 | 1 | – | – | – |" in markdown
    assert markdown.count("\n| ") == 2 + 3, "a row for each system"


def test_fields_that_differ_most_from_the_baseline(files: list[str]) -> None:
    shown = run_command("compare", *files, "--by-field", "--format", "markdown").stdout
    assert "**systems less good by entity type; p corrected for 9 comparisons**" in shown
    assert "| entity type | system | difference | interval | p |" in shown
    rows = [line.split(" | ") for line in shown.split("by entity type")[1].splitlines() if line.startswith("| ")][2:]
    assert {row[1] for row in rows} == {"poor", "other"}
    two = run_command("compare", *files[:3], "--by-field", "--format", "markdown").stdout
    assert "**poor less good by entity type; p corrected for 3 comparisons**" in two
    assert "| entity type | difference | interval | p |" in two


def test_suspects_of_two_systems(files: list[str]) -> None:
    references, _, poor, other = files
    suspects = compared(references, poor, other, "--suspects")["suspects"]
    assert len(suspects) == 12
    assert suspects[0] == {
        "document": "r-0", "group_type": None, "group": None, "entity_type": "tax", "reference": "1", "agreed": "7.0",
    }  # fmt: skip
    assert "7.0" in run_command("compare", references, poor, other, "--suspects").stdout


def test_suspects_are_values_of_documents(tmp_path: Path) -> None:
    tags = lines(tmp_path / "tags.jsonl", [["B-x", "O"]] * 6)
    refused = run_command("compare", tags, tags, tags, "--suspects")
    assert (refused.exit_code, refused.stdout) == (2, "")
    assert refused.stderr == "--suspects: they are values of documents, but these are tags\n"


def test_a_system_with_itself(files: list[str]) -> None:
    references, good, *_ = files
    [row] = compared(references, good, good)["comparisons"]
    assert (row["a"], row["b"]) == ("good", "good (2)")
    assert (row["difference"], row["p_value"]) == (0, 1.0)


def test_names_lose_what_all_have_in_common(files: list[str], tmp_path: Path) -> None:
    references, good, *_ = files
    for paths, names in (
        (("predictions-careful.jsonl", "predictions-hasty.jsonl"), ["careful", "hasty"]),
        (("a/predictions.jsonl", "b/predictions.jsonl"), ["a", "b"]),
        (("gpt-v2.jsonl", "gpt-mini-v2.jsonl", "claude-v2.jsonl"), ["gpt", "gpt-mini", "claude"]),
        (("run.jsonl", "run-2.jsonl"), ["run", "run-2"]),
        (("x_1.jsonl", "x_1.json"), [f"{tmp_path}/x_1.jsonl", f"{tmp_path}/x_1.json"]),
    ):
        for path in paths:
            (tmp_path / path).parent.mkdir(exist_ok=True)
            (tmp_path / path).write_bytes(Path(good).read_bytes())
        found = compared(references, *(str(tmp_path / path) for path in paths))
        assert {*found["ranks"]["entity_f1"]} == {*names}
        assert found["comparisons"][0]["a"] == names[0]


def test_names_and_the_baseline_can_be_given(files: list[str]) -> None:
    options = ("--name", "A b", "--name", "good", "--name", "C", "--baseline", "C")
    found = compared(*files, *options)
    assert [(row["a"], row["b"]) for row in found["comparisons"]] == [("C", "A b"), ("C", "good"), ("A b", "good")]
    references, good, poor, other = files
    reordered = compared(references, other, good, poor)
    assert [row["p_value"] for row in found["comparisons"]] == [row["p_value"] for row in reordered["comparisons"]]
    for wrong, problem in (
        (("--name", "a"), "--name: expected one name for each of 3 systems, got 1"),
        (("--name", "a", "--name", "b", "--name", "a"), "--name: each system needs a name of its own, got 'a'"),
        (("--baseline", "best"), "--baseline: 'best' is none of the systems: good, poor, other"),
    ):
        result = run_command("compare", *files, *wrong)
        assert (result.exit_code, result.stdout, result.stderr) == (2, "", f"{problem}\n")


def test_the_verdict_comes_first(files: list[str]) -> None:
    best, *_ = run_command("compare", *files).stdout.splitlines()
    assert best.startswith("good is best: entity_f1 0.9792; ")
    first, *_ = run_command("compare", *files[:3]).stdout.splitlines()
    assert first.startswith("poor is worse than good: entity_f1 0.75")


def test_the_line_says_how_each_system_was_joined(files: list[str], tmp_path: Path) -> None:
    references, good, *_ = files
    without_ids = lines(tmp_path / "plain.jsonl", POOR)
    one = run_command("compare", references, good, without_ids, "--format", "markdown")
    assert "16 documents, joined by id and order · " in one.stdout
    assert one.stderr == f"warning: plain: only {references} has ids, so rows are joined by order\n"


def test_bad_input(files: list[str], tmp_path: Path) -> None:
    references, good, poor, _ = files
    fewer = lines(tmp_path / "fewer.jsonl", rows("prediction", POOR[:-1]))
    broken = lines(
        tmp_path / "broken.jsonl", rows("prediction", [{"total": {"value": "1", "confidence": 7}}, *POOR[1:]])
    )
    (tmp_path / "torn.jsonl").write_text("{}\n{\n")
    torn = str(tmp_path / "torn.jsonl")
    for arguments, problem in {
        (references, good): "compare needs the predictions of two or more systems; docie score scores one",
        ("nope.jsonl", good, poor): "nope.jsonl: No such file or directory",
        (references, good, "nope.jsonl"): "nope.jsonl: No such file or directory",
        (torn, good, poor): f"{torn}:2: not a JSON object",
        (references, good, fewer): "'fewer': id 'r-15' is in the references but not in the predictions",
        (references, good, broken): f"{broken}:1, entity 'total': confidence must be between 0 and 1, got 7",
        (
            references,
            good,
            poor,
            "--metric",
            "all",
        ): "--metric: expected one family, got 'all'; --score names its scores",
        (references, good, poor, "--score", "f1"): "unknown score 'f1', expected some of: entity_f1, ",
        (
            references,
            good,
            poor,
            "--cluster",
            "vendr",
        ): "'good': clusters: no document has a value in its meta for 'vendr'",
        (references, good, poor, "--max-drop", "0"): "--max-drop must be a number above 0, got 0.0",
        (
            references,
            good,
            poor,
            "--max-drop",
            "3",
        ): "--max-drop must be below 1, as entity_f1 cannot drop by more, got 3",
        (references, good, poor, "--max-broken", "-1"): "--max-broken must be a whole number of at least 0, got -1",
        (references, good, poor, "--option", "shuffles=9"): "shuffles must be a whole number of at least 99, got 9",
    }.items():
        result = run_command("compare", *arguments)
        assert (result.exit_code, result.stdout) == (2, ""), arguments
        assert result.stderr.startswith(problem)
        assert result.stderr.count("\n") == 1
    assert compared(references, good, fewer, "--config", "join.missing=empty")["documents"] == 16


def test_a_folder_of_systems_is_told_with_what_it_holds(files: list[str], tmp_path: Path) -> None:
    references, *predictions = files
    folder = tmp_path / "my runs"
    folder.mkdir()
    names = ["gpt.jsonl", "llama.jsonl"]
    for name, path in zip(names, predictions, strict=False):
        (folder / name).write_bytes(Path(path).read_bytes())
    (folder / ".hidden").touch()
    command = f"docie compare REFERENCES '{folder}/gpt.jsonl' '{folder}/llama.jsonl' compares them"
    for arguments, problem in (
        ([folder], f"compare needs the predictions of two or more systems; {folder} is one, which docie score scores"),
        (
            [folder, predictions[0]],
            f"{folder}: expected as many partitions of predictions as of references, got 2 and 1",
        ),
    ):
        result = run_command("compare", references, *map(str, arguments))
        assert (result.exit_code, result.stdout) == (2, "")
        assert result.stderr.startswith(f"{problem}; it holds {', '.join(names)}; if each is a system, {command}")
        assert result.stderr.count("\n") == 1
    assert compared(references, *(str(folder / name) for name in names))["documents"] == 16
