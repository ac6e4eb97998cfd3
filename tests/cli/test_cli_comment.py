"""`docie compare --comment`: what a pull request shows."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from markdown_it import MarkdownIt

from checkout import ROOT, skip_module_without
from cli_runs import lines, rows, run_command

skip_module_without("examples")

RECEIPTS = ROOT / "examples" / "receipts"
REFERENCES, CAREFUL, HASTY = (
    str(RECEIPTS / f"{name}.jsonl") for name in ("references", "predictions-careful", "predictions-hasty")
)


def commented(tmp_path: Path, *arguments: str) -> tuple[Any, str]:
    """A run of the command, and its comment."""
    path = tmp_path / "comment.md"
    result = run_command("compare", *arguments, "--comment", str(path))
    return result, path.read_text(encoding="utf-8") if path.exists() else ""


def cells(comment: str, heading: str) -> list[list[str]]:
    """The rows of the table whose first column has this heading."""
    table = re.search(rf"^\| {heading} \|.*\n\| :--.*\n((?:\|.*\n)+)", comment, re.MULTILINE)
    assert table is not None
    return [row.strip("| ").split(" | ") for row in table[1].splitlines()]


def test_a_regression(tmp_path: Path) -> None:
    options = ("--max-drop", "0.03", "--max-broken", "0")
    result, comment = commented(tmp_path, REFERENCES, CAREFUL, HASTY, *options)
    assert result.exit_code == 1
    verdict = "worse by 0.0845 (0.8815 against 0.9660); 1 broken document, more than 0"
    assert f"\nGate failed: hasty, entity_f1: {verdict}.\n" in comment
    broken = "1 document of hasty lost half of its entity_f1 or more, or can no longer be read: receipt-17"
    assert f"{broken} (can no longer be read).\n" in comment
    found = json.loads(run_command("compare", REFERENCES, CAREFUL, HASTY, "--by-field", "--format", "json").stdout)
    [row] = found["comparisons"]
    low, high = row["interval"]
    [shown] = cells(comment, "score")
    assert shown == ["entity_f1", "0.9660", "0.8815", "-0.0845", f"{low:.4f} – {high:.4f}", "0.0003\\*"]
    lost = [row for row in found["per_entity"] if row["difference"] < 0]
    assert len(found["per_entity"]) == len(lost) + 1
    losses = sorted(lost, key=lambda row: (not row["significant"], row["difference"], row["value_b"]))
    assert [name for name, *_ in cells(comment, "entity type")] == [row["entity_type"] for row in losses[:10]]
    assert losses[0]["entity_type"] == "items.amount"  # the only significant one, though six lost more
    assert "### Fields that lost most entity_f1 (10 of 16)\n" in comment
    assert found["signature"] in comment
    assert "\n\\* chance hardly explains this difference, whatever its interval; with 24 documents" in comment
    # the log of the run is what it is without the comment
    assert result.stdout == run_command("compare", REFERENCES, CAREFUL, HASTY, *options).stdout


def test_only_fields_that_lost_are_said_to_have_lost(tmp_path: Path) -> None:
    rows = [json.loads(line) for line in Path(CAREFUL).read_text(encoding="utf-8").splitlines()]
    documents = [row.get("prediction", row.get("document", row)) for row in rows]
    next(each for each in documents if "vendor" in each)["vendor"] = "?"
    (tmp_path / "new.jsonl").write_text("".join(f"{json.dumps(row)}\n" for row in rows), encoding="utf-8")
    _, comment = commented(tmp_path, REFERENCES, CAREFUL, str(tmp_path / "new.jsonl"))
    assert [name for name, *_ in cells(comment, "entity type")] == ["vendor"]
    assert "### Fields that lost most entity_f1\n" in comment


def test_no_regression(tmp_path: Path) -> None:
    result, comment = commented(tmp_path, REFERENCES, HASTY, CAREFUL, "--max-drop", "0.01")
    assert result.exit_code == 0
    assert re.search(r"^Gate passed: careful, entity_f1: a drop of 0.01 is excluded \(bound -0.\d+\).$", comment, re.M)
    assert "can no longer be read" not in comment
    result, comment = commented(tmp_path, REFERENCES, CAREFUL, CAREFUL)
    assert result.exit_code == 0
    assert "Gate" not in comment
    assert "chance hardly" not in comment  # there is no star
    assert "\nwith 24 documents, intervals may be too narrow\n" in comment
    fields = cells(comment, "entity type")
    assert {difference for _, _, _, difference, *_ in fields} == {"+0.0000"}
    assert fields[0][2] == min(value for _, _, value, *_ in fields)  # of equal losses, the worst field is first


def test_a_score_that_fields_do_not_have(tmp_path: Path) -> None:
    scores = ("--score", "entity_f1", "--score", "group_f1")
    result, comment = commented(tmp_path, REFERENCES, CAREFUL, HASTY, *scores)
    assert "warning: kieval has no group_f1 by entity type here\n" in result.stderr
    assert [name for name, *_ in cells(comment, "score")] == ["entity_f1", "group_f1"]
    _, alone = commented(tmp_path, REFERENCES, CAREFUL, HASTY, "--score", "entity_f1")
    assert cells(comment, "entity type") == cells(alone, "entity type")


@pytest.mark.parametrize(("score", "worst"), [("entity_f1", min), ("corrections", max)])
def test_no_field_lost(score: str, worst: Any, tmp_path: Path) -> None:
    _, comment = commented(tmp_path, REFERENCES, HASTY, CAREFUL, "--score", score)
    assert f"### No field lost {score}; the worst (10 of 17)\n" in comment
    fields = cells(comment, "entity type")
    values = [float(value) for _, _, value, *_ in fields]
    assert values == sorted(values, reverse=worst is max)
    assert len({difference for _, _, _, difference, *_ in fields}) > 1, "not sorted by what they gained"


def test_a_score_of_which_less_is_better(tmp_path: Path) -> None:
    _, comment = commented(tmp_path, REFERENCES, CAREFUL, HASTY, "--score", "corrections")
    assert cells(comment, "score")[0][:4] == ["corrections", "27", "104", "+77"]
    fields = cells(comment, "entity type")
    assert fields == sorted(fields, key=lambda row: (not row[5].endswith("*"), -int(row[3])))
    assert int(fields[0][3]) > 0


def test_names_are_text_and_nothing_else(tmp_path: Path) -> None:
    hostile = "<img src=x>|@team [a](b)"
    references, right, wrong = (
        lines(tmp_path / f"{name}.jsonl", rows(kind, [{hostile: value}] * 9))
        for name, kind, value in (
            ("r", "reference", "1"),
            ("base", "prediction", "1"),
            ("<img src=y>", "prediction", "2"),
        )
    )
    _, comment = commented(tmp_path, references, right, wrong)
    html = MarkdownIt("gfm-like", {"linkify": False}).render(comment)
    assert html.count("<table>") == 2
    assert "<img" not in html
    assert "<a " not in html
    assert "&lt;img src=x&gt;|@team [a](b)</td>" in html


@pytest.mark.parametrize(
    ("systems", "path", "message"),
    [
        ([CAREFUL, HASTY, CAREFUL], "comment.md", "--comment: expected two systems, the base and the new one, got 3\n"),
        ([CAREFUL, HASTY], "no/folder.md", "no/folder.md: cannot be written (No such file or directory)\n"),
        ([CAREFUL, HASTY], CAREFUL, f"--comment {CAREFUL}: this is an input, and would be overwritten\n"),
    ],
)
def test_what_cannot_be_commented(
    systems: list[str], path: str, message: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    result = run_command("compare", REFERENCES, *systems, "--comment", path)
    assert (result.exit_code, result.stderr, result.stdout) == (2, message, "")
    assert list(tmp_path.iterdir()) == []
