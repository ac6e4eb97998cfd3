"""`--run`: several answers for each document in score, compare, errors and reports, and rows that do not fit."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path
from typing import Any

import pytest

import docie

from cli_runs import lines, run_command

TRUTH = [{"total": str(number), "items": [{"name": "tea", "price": "1"}]} for number in range(12)]
REFERENCES = [{"id": f"r-{number}", "document": each} for number, each in enumerate(TRUTH)]


def answer(number: int, run: str) -> dict[str, Any]:
    """Of every third document, only run "a" reads the total; every fourth has an item more in run "b"."""
    read = TRUTH[number]
    if number % 3 == 0 and run != "a":
        read = {**read, "total": f"{number}{run}"}
    if number % 4 == 0 and run == "b":
        read = {**read, "items": [*read["items"], {"name": "cup"}]}
    return read


RUNS = [{"id": f"r-{number}", "run": run, "document": answer(number, run)} for run in "abc" for number in range(12)]
IN_ORDER = [{key: value for key, value in row.items() if key != "run"} for row in RUNS]


@pytest.fixture
def paths(tmp_path: Path) -> tuple[str, str]:
    return lines(tmp_path / "r.jsonl", REFERENCES), lines(tmp_path / "runs.jsonl", RUNS)


def test_score_tells_what_differs_most_unstable_first(paths: tuple[str, str]) -> None:
    done = run_command("score", *paths, "--run", "run")
    assert done.exit_code == 0, done.stderr
    text = " ".join(done.stdout.split())
    assert "12 documents with 3 answers each." in text
    # of 36 values 4 totals differ; of 3 documents one run has a name that no other has
    assert "7 of 39 values (17.9 %) differ between runs, most in r-0 (2), r-3 (1), r-4 (1) and 3 more." in text
    assert "r-3 total 3 3 (1), 3b (1), 3c (1)" in text
    assert "r-4 items.name nothing (2), cup (1)" in text
    found = json.loads(run_command("score", *paths, "--run", "run", "--format", "json").stdout)
    runs = found["runs"]["kieval"]
    assert (runs["documents"], runs["answers"], runs["values"], runs["unstable_values"]) == (12, 36, 39, 7)
    assert [each["place"] for each in runs["unstable"]] == ["total"] * 4 + ["items.name"] * 3
    assert runs["unstable"][0]["answers"] == [
        {"prediction": f"0{run}".removesuffix("a"), "runs": [run]} for run in "abc"
    ]
    assert found["kieval"]["documents"] == 12


def test_order_and_names_say_the_same(paths: tuple[str, str], tmp_path: Path) -> None:
    in_order = lines(tmp_path / "order.jsonl", IN_ORDER)
    by_name, by_order = (
        json.loads(run_command("score", paths[0], path, "--run", how, "--format", "json").stdout)
        for path, how in ((paths[1], "run"), (in_order, "order"))
    )
    assert "run(run)" in by_name["kieval"].pop("signature")
    assert "run(order)" in by_order["kieval"].pop("signature")
    names = by_name["runs"]["kieval"].pop("unstable"), by_order["runs"]["kieval"].pop("unstable")
    assert by_name == by_order
    numbers = ([[len(said["runs"]) for said in each["answers"]] for each in unstable] for unstable in names)
    assert next(numbers) == next(numbers)


def test_python_and_config_are_the_same_call(paths: tuple[str, str]) -> None:
    of_rows = docie.score(references=REFERENCES, predictions=RUNS, run="run")
    of_config = docie.score(references=paths[0], predictions=paths[1], config={"predictions": {"run": "run"}})
    assert of_rows.to_dict() == of_config.to_dict()


def test_several_metrics_have_a_section_each(paths: tuple[str, str]) -> None:
    found = docie.score(references=paths[0], predictions=paths[1], run="run", metric=["kieval", "anls_star"])
    assert [*found.runs] == ["kieval", "anls_star"]
    assert [each.title for each in found.sections(brief=True)][-2:] == [
        "Several runs: kieval",
        "Several runs: anls_star",
    ]


def test_an_id_that_stands_twice_names_the_option(paths: tuple[str, str], tmp_path: Path) -> None:
    done = run_command("score", paths[0], lines(tmp_path / "order.jsonl", IN_ORDER))
    assert done.exit_code == 2
    assert "id 'r-0' stands twice" in done.stderr
    assert done.stderr.endswith("; if they are answers of several runs, --config predictions.run=order reads them\n")
    tables = tmp_path / "runs.csv"
    tables.write_text("id,seed,total\n" + "".join(f"r-{number},{seed},1\n" for seed in (1, 2) for number in range(12)))
    assert "--config predictions.run=seed reads them" in run_command("score", paths[0], str(tables)).stderr


@pytest.mark.parametrize(
    ("rows", "how", "expected"),
    [
        ([*RUNS, RUNS[5]], "run", "runs.jsonl:37: id 'r-5' stands twice in the run 'a', first at runs.jsonl:6"),
        ([*RUNS[:3], *IN_ORDER[3:]], "run", "runs.jsonl:4: no key 'run', which predictions.run names"),
        ([{**RUNS[0], "run": None}], "run", "runs.jsonl:1: no key 'run', which predictions.run names"),
        ([row["document"] for row in RUNS], "order", "--config predictions.run=order needs rows with ids"),
    ],
)
def test_rows_that_do_not_fit(
    rows: list[Any], how: str, expected: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    lines(Path("r.jsonl"), REFERENCES)
    lines(Path("runs.jsonl"), rows)
    done = run_command("score", "r.jsonl", "runs.jsonl", "--run", how)
    assert (done.exit_code, done.stdout) == (2, "")
    assert expected in done.stderr


def test_runs_of_different_numbers_are_told(paths: tuple[str, str], tmp_path: Path) -> None:
    done = run_command("score", paths[0], lines(tmp_path / "some.jsonl", RUNS[:20]), "--run", "run")
    assert "documents have 1 to 2 answers; each counts with the mean of its own" in done.stderr
    assert "12 documents with 1 to 2 answers each." in done.stdout
    assert "of whole runs" not in done.stdout
    one = run_command("score", paths[0], lines(tmp_path / "one.jsonl", RUNS[:12]), "--run", "run")
    assert "run: no document has several answers" in one.stderr


def test_runs_that_are_good_or_bad_as_a_whole_are_told(tmp_path: Path) -> None:
    """As those of models that were trained with different seeds: run 0 misreads a third, run 1 nothing."""
    references = [{"id": f"r-{number}", "total": str(number)} for number in range(60)]
    answers = [
        {"id": f"r-{number}", "seed": seed, "document": {"total": "x" if number % 3 == seed else str(number)}}
        for seed in (0, 7)
        for number in range(60)
    ]
    paths = lines(tmp_path / "r.jsonl", references), lines(tmp_path / "p.jsonl", answers)
    text = " ".join(run_command("score", *paths, "--run", "seed").stdout.split())
    assert "Whole runs differ by more than answers that have nothing in common would" in text
    spread = json.loads(run_command("score", *paths, "--run", "seed", "--format", "json").stdout)
    assert spread["runs"]["kieval"]["scores"]["entity_f1"]["of_whole_runs"] == pytest.approx(1 / 3 / 2**0.5)


def test_compare_has_a_row_for_each_system(paths: tuple[str, str], tmp_path: Path) -> None:
    other = lines(tmp_path / "other.jsonl", [{**row, "run": "a"} for row in REFERENCES])
    done = run_command("compare", *paths, other, "--run", "run")
    assert done.exit_code == 0, done.stderr
    rows = [line.split() for line in done.stdout.splitlines()]
    # of 36 values, 36 + 36 - 4 + 36 - 4 are read, and 3 names too many
    f1 = 2 * (100 / 3) / (36 + 36 + 1)
    assert ["runs", f"{f1:.4f}"] in [row[:2] for row in rows]
    assert any(row[:2] == ["runs", "3"] and row[-3:] == ["7", "of", "39"] for row in rows)
    assert ["other", "1", "–", "–"] in rows
    found = json.loads(run_command("compare", *paths, other, "--run", "run", "--format", "json").stdout)
    assert found["documents"] == 12
    assert found["systems"]["runs"]["entity_f1"] == pytest.approx(f1)
    assert found["runs"]["other"]["most"] == 1
    assert run_command("compare", *paths, other, "--run", "run", "--suspects").exit_code == 2


def test_documents_that_a_system_lacks_are_left_out_with_their_answers(paths: tuple[str, str], tmp_path: Path) -> None:
    other = lines(tmp_path / "other.jsonl", [{**row, "run": "a"} for row in REFERENCES[1:]])
    more = ["--run", "run", "--config", "join.missing=drop", "--format", "json"]
    found = json.loads(run_command("compare", *paths, other, *more).stdout)
    assert (found["documents"], found["runs"]["runs"]["documents"], found["runs"]["runs"]["answers"]) == (11, 11, 33)


def test_errors_are_those_of_all_answers(paths: tuple[str, str]) -> None:
    done = run_command("errors", *paths, "--run", "run", "--format", "csv")
    rows = [*csv.DictReader(io.StringIO(done.stdout))]
    assert sorted((row["run"], row["document"], row["entity_type"]) for row in rows) == sorted(
        [(run, f"r-{number}", "total") for run in "bc" for number in (0, 3, 6, 9)]
        + [("b", f"r-{number}", "items.name") for number in (0, 4, 8)]
    )
    text = run_command("errors", *paths, "--run", "run").stdout
    assert text.startswith("Documents with the most errors: r-0 (3), r-3 (2)")
    assert "7 of 39 values (17.9 %) differ between runs" in text
    assert "12 documents, 36 answers, joined by id" in " ".join(text.split())
    summary = json.loads(run_command("errors", *paths, "--run", "run", "--format", "json").stdout)
    assert (summary["documents"], summary["answers"], summary["runs"]["unstable_values"]) == (12, 36, 7)
    one = run_command("errors", *paths, "--run", "run", "--document", "r-3, run c")
    assert "document r-3, run c" in one.stdout
    assert "3c" in one.stdout
    assert "r-3" in run_command("errors", *paths, "--run", "run", "--document", "r-3").stdout


def test_reports_show_the_answers_of_all_runs(paths: tuple[str, str], tmp_path: Path) -> None:
    pytest.importorskip("jinja2", reason="a report needs the extra report")
    score, compare = tmp_path / "score.html", tmp_path / "compare.html"
    assert run_command("score", *paths, "--run", "run", "--report", str(score)).exit_code == 0
    page = score.read_text(encoding="utf-8")
    assert "12 documents with 3 answers each." in page
    assert "r-0, run b" in page
    other = lines(tmp_path / "other.jsonl", [{**row, "run": "a"} for row in REFERENCES])
    assert run_command("compare", *paths, other, "--run", "run", "--report", str(compare)).exit_code == 0
    assert "Of several runs, it is the answer of the first." in compare.read_text(encoding="utf-8")


def test_label_corrections_count_answers_by_their_mean() -> None:
    """The label of r-0 is wrong: of its three answers, one says what is true."""
    wrong = [{**REFERENCES[0], "document": {**TRUTH[0], "total": "?"}}, *REFERENCES[1:]]
    judged = [{"id": "r-0", "path": "total", "verdict": "value", "old": "?", "new": "0"}]
    found = docie.score(references=wrong, predictions=RUNS, run="run", corrections=judged)
    assert found["true_positives"] == pytest.approx(36 - 8 / 3)
    assert found.before is not None
    assert found.before["kieval"]["true_positives"] == pytest.approx(36 - 8 / 3 - 1 / 3)
    systems = {"runs": RUNS, "other": [{**row, "run": "a"} for row in REFERENCES]}
    compared = docie.compare(references=wrong, systems=systems, run="run", corrections=judged)
    # of 3 wrong totals of r-0, 2 of three other documents, and 3 spurious names
    assert [note for note in compared.notes if note.startswith("of the errors, 3 of 12 of runs and 1 of 1 of other")]
