"""Documents that take longer than `--max-seconds` end the command, by name."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from cli_runs import lines, run, run_command


def items(text: str) -> dict[str, Any]:
    """An object that nTED compares for minutes."""
    return {"items": [{"name": f"{text} {each}", "price": f"{each}{text}"} for each in range(5000)]}


@pytest.fixture
def files(tmp_path: Path) -> tuple[str, str]:
    small = {"id": "small", "document": {"total": "7"}}
    references = [small, {"id": "large", "document": items("item")}]
    predictions = [small, {"id": "large", "document": items("thing")}]
    return lines(tmp_path / "references.jsonl", references), lines(tmp_path / "predictions.jsonl", predictions)


def test_what_takes_longer_than_allowed_is_ended_by_name(files: tuple[str, str]) -> None:
    done = run(*files, "--metric", "nted", "--max-seconds", "0.5")
    assert (done.exit_code, done.stdout) == (2, "")
    assert done.stderr == f"{files[0]}:2: nted took more than 0.5 s, and was ended\n"


def test_a_system_that_takes_longer_is_named(files: tuple[str, str], tmp_path: Path) -> None:
    quick = lines(tmp_path / "quick.jsonl", [{"id": name, "document": {}} for name in ("small", "large")])
    done = run_command("compare", files[0], quick, files[1], "--metric", "nted", "--max-seconds", "0.5")
    assert (done.exit_code, done.stdout) == (2, "")
    assert done.stderr == f"{files[0]}:2: nted took more than 0.5 s, and was ended\n"


@pytest.mark.exhaustive
@pytest.mark.parametrize("workers", ["1", "2"])
def test_partitions_have_the_limit_for_each_document(files: tuple[str, str], tmp_path: Path, workers: str) -> None:
    for path in files:
        folder = tmp_path / Path(path).stem
        folder.mkdir()
        Path(path).rename(folder / "part-0.jsonl")
        lines(folder / "part-1.jsonl", [{"id": "other", "document": {"total": "7"}}])
    folders = [str(tmp_path / Path(path).stem / "*.jsonl") for path in files]
    done = run(*folders, "--metric", "nted", "--max-seconds", "0.5", "--workers", workers)
    assert (done.exit_code, done.stdout) == (2, "")
    assert done.stderr.endswith("part-0.jsonl:2: nted took more than 0.5 s, and was ended\n")


@pytest.mark.parametrize("command", ["score", "errors", "compare"])
def test_a_limit_that_makes_no_sense(files: tuple[str, str], command: str) -> None:
    systems = files[1:] * (2 if command == "compare" else 1)
    done = run_command(command, files[0], *systems, "--max-seconds", "0")
    assert (done.exit_code, done.stdout) == (2, "")
    assert done.stderr == "--max-seconds must be a number of seconds above 0, got 0.0\n"
