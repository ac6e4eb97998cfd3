"""Files whose names are ids, beside a table that has the ids in a column of another name."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import docie

from cli_runs import run_command

NAMES = [f"INV-{number:03}" for number in (4, 2, 3, 1)]


@pytest.fixture
def sides(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Answers in a folder, in the order of their names; labels in a table, in another order."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "answers").mkdir()
    for name in NAMES:
        (tmp_path / "answers" / f"{name}.json").write_text(json.dumps({"total": name[-1]}))
    write(NAMES)
    return tmp_path


def write(names: list[str]) -> None:
    rows = "".join(f"{name},{name[-1]}\n" for name in names)
    Path("labels.csv").write_text(f"Invoice,total\n{rows}")


def test_another_order_is_refused_with_the_option_that_joins(sides: Path) -> None:
    done = run_command("score", "labels.csv", "answers")
    assert (done.exit_code, done.stdout) == (2, "")
    assert done.stderr == (
        "rows are not in the same order; only answers has ids, so rows are joined by order; the ids are the values of "
        "'Invoice' in labels.csv: --config references.id=Invoice joins by them\n"
    )
    assert docie.score(references="labels.csv", predictions="answers", config="references.id=Invoice")["entity_f1"] == 1


def test_the_same_order_is_scored_and_told(sides: Path) -> None:
    write(sorted(NAMES))
    done = run_command("score", "labels.csv", "answers")
    assert done.exit_code == 0
    assert "'Invoice' in labels.csv: --config references.id=Invoice joins by them" in done.stderr


def test_a_file_that_is_missing_leads_to_the_option(sides: Path) -> None:
    write(sorted(NAMES))
    (sides / "answers" / "INV-004.json").unlink()
    done = run_command("score", "labels.csv", "answers")
    assert done.exit_code == 2
    assert "--config references.id=Invoice joins by them" in done.stderr
    assert "docie check" not in done.stderr


def test_numbers_may_be_anything(sides: Path) -> None:
    """Files 1 to 3, and a column that happens to have these numbers in another order."""
    for name in NAMES:
        (sides / "answers" / f"{name}.json").unlink()
    for number in (1, 2, 3):
        (sides / "answers" / f"{number}.json").write_text(json.dumps({"items": str(number % 3 + 1)}))
    Path("labels.csv").write_text("items\n2\n3\n1\n")
    done = run_command("score", "labels.csv", "answers")
    assert done.exit_code == 0
    assert "references.id" not in done.stderr
