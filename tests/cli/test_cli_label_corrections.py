"""Label corrections on the shipped receipts: scores, signature, workers, every metric, and what a comparison warns of."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import docie
from docie.core.explanation import path_of

from checkout import ROOT, skip_module_without
from cli_runs import lines, run_command

skip_module_without("examples")

RECEIPTS = ROOT / "examples" / "receipts"
REFERENCES = str(RECEIPTS / "references.jsonl")
SYSTEMS = {name: str(RECEIPTS / f"predictions-{name}.jsonl") for name in ("careful", "hasty")}
ROWS: list[dict[str, Any]] = [
    {"id": "receipt-01", "path": "payment[0].method", "verdict": "value", "old": "cash", "new": "cosh", "by": "Ana"},
    {"id": "receipt-02", "path": "date", "verdict": "both", "old": "09/15/2024", "new": "09/l5/2024", "note": "?"},
    {"id": "receipt-02", "path": "items[1].name", "verdict": "label", "old": "Cobb Salad", "new": "Cobb Salod"},
    {"id": "receipt-03", "path": "items[2].amount", "verdict": "value", "old": "4,70", "new": None},
]


def judged(*systems: str, verdict: str = "value") -> list[dict[str, Any]]:
    """Judgements of the errors of these systems; where several are wrong, of those of the first."""
    found: list[dict[str, Any]] = []
    for system in systems:
        known = {(each["id"], each["path"]) for each in found}
        for row in docie.errors(references=REFERENCES, predictions=SYSTEMS[system]):
            groups = row["predicted_group"], row["reference_group"]
            path = path_of(row["group_type"], *groups, row["entity_type"])
            if (row["document"], path) not in known:
                change = {"old": row["reference"], "new": row["prediction"]}
                found.append({"id": row["document"], "path": path, "verdict": verdict, **change})
    return found


def score(path: str, *more: str, system: str = "careful") -> Any:
    result = run_command("score", REFERENCES, SYSTEMS[system], "--corrections", path, "--format", "json", *more)
    assert result.exit_code == 0, result.stderr
    return json.loads(result.stdout)["kieval"]


def test_scores_before_and_after(tmp_path: Path) -> None:
    before = Path(REFERENCES).read_bytes()
    result = docie.score(references=REFERENCES, predictions=SYSTEMS["careful"])
    assert (result["corrections"], result["true_positives"]) == (27, 610)
    path = lines(tmp_path / "changes.jsonl", ROWS)
    after = score(path)
    assert (after["corrections"], after["true_positives"], after["false_negatives"]) == (24, 612, 23)
    assert after["signature"] == result.signature.replace("kieval|", "kieval|corrected:3|")
    rows = docie.score(references=REFERENCES, predictions=SYSTEMS["careful"], corrections=iter(ROWS))
    assert rows.before is not None
    scores = {name: value for name, value in result.results["kieval"].items() if name in rows.before["kieval"]}
    assert rows.to_dict()["before_corrections"] == {"kieval": scores}
    assert rows.before["kieval"] == scores
    told = run_command("score", REFERENCES, SYSTEMS["careful"], "--corrections", path).stdout.splitlines()[0]
    assert told == str(rows).splitlines()[0] == "entity_f1 0.9660 → 0.9699 by 3 label corrections"
    assert rows.to_dict()["kieval"] == after == score(path, "--workers", "2")
    assert Path(REFERENCES).read_bytes() == before


def test_all_errors_taken_for_wrong_labels_leave_none(tmp_path: Path) -> None:
    for system in SYSTEMS:
        rows = judged(system)
        done = score(lines(tmp_path / f"{system}.jsonl", rows), system=system)
        assert (done["entity_f1"], done["group_f1"], done["document_accuracy"]) == (1.0, 1.0, 1.0)
        assert f"|corrected:{len(rows)}|" in done["signature"]


def test_labels_that_are_right_change_nothing(tmp_path: Path) -> None:
    path = lines(tmp_path / "changes.jsonl", judged("careful", verdict="label"))
    plain = docie.score(references=REFERENCES, predictions=SYSTEMS["careful"])
    same = docie.score(references=REFERENCES, predictions=SYSTEMS["careful"], corrections=path)
    assert (same.before, same.to_dict(), str(same)) == (None, plain.to_dict(), str(plain))
    assert "corrected" not in plain.signature


def test_every_metric_reads_corrected_references(tmp_path: Path) -> None:
    """Also values with alternatives, values that are gone, and new groups."""
    path = lines(tmp_path / "changes.jsonl", [*ROWS, *(row for row in judged("careful") if row["id"] > "receipt-03")])
    result = docie.score(references=REFERENCES, predictions=SYSTEMS["careful"], metric="all", corrections=path)
    before = docie.score(references=REFERENCES, predictions=SYSTEMS["careful"], metric="all")
    assert all("|corrected:" in line for line in result.signature.splitlines())
    for name, score_name in (
        ("hed", "hed_f1"),
        ("anls_star", "anls_star"),
        ("nted", "nted_accuracy"),
        ("entity_f1", "f1"),
    ):
        assert result.results[name][score_name] > before.results[name][score_name]


def test_a_report_shows_corrected_references(tmp_path: Path) -> None:
    pytest.importorskip("jinja2")
    path, page = lines(tmp_path / "changes.jsonl", ROWS), tmp_path / "report.html"
    assert (
        run_command("score", REFERENCES, SYSTEMS["careful"], "--corrections", path, "--report", str(page)).exit_code
        == 0
    )
    html = page.read_text(encoding="utf-8")
    assert "corrected:3" in html
    assert "entity_f1 0.9660 → 0.9699 by 3 label corrections." in html
    systems = [*SYSTEMS.values()]
    result = run_command("compare", REFERENCES, *systems, "--corrections", path, "--report", str(page))
    assert result.exit_code == 0
    assert "corrected:3" in page.read_text(encoding="utf-8")


def favours(corrections: Any, **options: Any) -> list[str]:
    result = docie.compare(references=REFERENCES, systems=SYSTEMS, corrections=corrections, **options)
    return [note for note in result.notes if "favour" in note]


def test_a_comparison_warns_if_errors_of_a_system_were_not_judged() -> None:
    favour = "corrections favour systems whose errors were judged; judge those of all systems"
    said = f"of the errors, {{}} were judged; {favour}"
    known = {(row["id"], row["path"]) for row in judged("careful")}
    also = sum((row["id"], row["path"]) in known for row in judged("hasty"))
    assert favours(ROWS) == [said.format("4 of 27 of careful and 2 of 104 of hasty")]
    [line] = favours(judged("careful"))
    assert line == said.format(f"27 of 27 of careful and {also} of 104 of hasty")
    assert favours(judged("careful"), workers=2, documents=3) == [line]
    assert favours(judged("careful"), metric="hed") == [line]
    assert favours(judged("careful", "hasty")) == []
    assert favours(judged("careful", verdict="label")) == []
    assert favours(None) == []


def test_both_systems_are_scored_on_the_same_labels(tmp_path: Path) -> None:
    path = lines(tmp_path / "changes.jsonl", ROWS)
    result = run_command("compare", REFERENCES, *SYSTEMS.values(), "--corrections", path, "--format", "json")
    figures = json.loads(result.stdout)
    assert "|corrected:3|" in figures["signature"]
    for name in SYSTEMS:
        assert figures["systems"][name]["entity_f1"] == score(path, system=name)["entity_f1"]


def test_bad_input_is_one_line(tmp_path: Path) -> None:
    path = lines(tmp_path / "changes.jsonl", [*ROWS, {**ROWS[0], "id": "receipt-99"}])
    for command, predictions in (("score", [SYSTEMS["hasty"]]), ("compare", [*SYSTEMS.values()])):
        result = run_command(command, REFERENCES, *predictions, "--corrections", path)
        problem = "document 'receipt-99' is not in the references, whose documents have ids"
        assert (result.exit_code, result.stdout, result.stderr) == (2, "", f"{path}:5: {problem}\n")
    report = run_command("score", REFERENCES, SYSTEMS["hasty"], "--corrections", path, "--report", path)
    assert report.stderr == f"--report {path}: this is an input, and would be overwritten\n"
    with pytest.raises(
        ValueError, match=r"^corrections\[0\]: document 'receipt-01' has no 'card' at payment\[0\]\.method, "
    ):
        docie.compare(references=REFERENCES, systems=SYSTEMS, corrections=[{**ROWS[0], "old": "card"}])
