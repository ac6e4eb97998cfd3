"""Documents that will take long are noted on stderr, or refused."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from docie.cli.notes import time as long_documents

from cli_runs import lines, run, run_command


def items(number: int, text: str) -> dict[str, Any]:
    return {"items": [{"name": f"{text} {each}", "price": str(each)} for each in range(number)]}


@pytest.fixture
def files(tmp_path: Path) -> tuple[str, str]:
    small = {"id": "small", "document": {"total": "7"}}
    references = [small, *({"id": f"large-{each}", "document": items(200, "item")} for each in range(7))]
    predictions = [small, *({"id": f"large-{each}", "document": items(200, "thing")} for each in range(7))]
    return lines(tmp_path / "references.jsonl", references), lines(tmp_path / "predictions.jsonl", predictions)


def test_a_note_names_the_document_and_the_time(files: tuple[str, str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(long_documents, "LONG", 1e-9)
    done = run(*files, "--metric", "nted")
    assert done.exit_code == 0
    notes = [line for line in done.stderr.splitlines() if "nted takes" in line]
    assert notes == [
        f"document large-{each}: nted takes less than 1 s; see --max-seconds" for each in range(long_documents.NOTED)
    ]
    assert "more documents will take long; they are not listed" in done.stderr


def test_ordinary_documents_give_no_note(files: tuple[str, str]) -> None:
    done = run(*files, "--metric", "nted")
    assert done.exit_code == 0
    assert "nted takes" not in done.stderr


def test_what_takes_longer_than_allowed_is_refused_by_name(files: tuple[str, str]) -> None:
    done = run(*files, "--metric", "nted", "--max-seconds", "0.005")
    assert (done.exit_code, done.stdout) == (2, "")
    assert done.stderr.startswith(f"{files[0]}:2: nted would take less than 1 s, more than 0.005 s")


def test_docie_errors_has_notes_and_a_limit(files: tuple[str, str], monkeypatch: pytest.MonkeyPatch) -> None:
    done = run_command("errors", *files, "--max-seconds", "0.002")
    assert (done.exit_code, done.stdout) == (2, "")
    assert done.stderr.startswith(f"{files[0]}:2: kieval would take less than 1 s, more than 0.002 s")
    monkeypatch.setattr(long_documents, "LONG", 1e-9)
    done = run_command("errors", *files)
    assert done.exit_code == 0
    assert done.stderr.startswith("document large-0: kieval takes less than 1 s; see --max-seconds\n")


def test_docie_compare_has_notes_and_a_limit(
    files: tuple[str, str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ids = ["small", *(f"large-{each}" for each in range(7))]
    quick = lines(tmp_path / "quick.jsonl", [{"id": identity, "document": {}} for identity in ids])
    done = run_command("compare", files[0], quick, files[1], "--metric", "nted", "--max-seconds", "0.005")
    assert (done.exit_code, done.stdout) == (2, "")
    assert done.stderr.startswith(f"{files[0]}:2: nted would take less than 1 s, more than 0.005 s")
    monkeypatch.setattr(long_documents, "LONG", 0.005)
    done = run_command("compare", files[0], quick, files[1], "--metric", "nted")
    assert done.exit_code == 0
    notes = [line for line in done.stderr.splitlines() if "nted takes" in line]
    assert notes == [
        f"predictions: document large-{each}: nted takes less than 1 s; see --max-seconds"
        for each in range(long_documents.NOTED)
    ]


@pytest.mark.parametrize("command", ["score", "errors", "compare"])
def test_a_limit_that_makes_no_sense(files: tuple[str, str], command: str) -> None:
    systems = files[1:] * (2 if command == "compare" else 1)
    done = run_command(command, files[0], *systems, "--max-seconds", "0")
    assert (done.exit_code, done.stdout) == (2, "")
    assert done.stderr == "--max-seconds must be a number of seconds above 0, got 0.0\n"
