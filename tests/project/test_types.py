"""A wrong call from one room into another is an error of types: mypy sees the whole package as it is installed."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from checkout import ROOT, needs_package, skip_module_without
from typed import copy_package

skip_module_without("src", "metrics", "adapters", "spaces")
pytestmark = [pytest.mark.exhaustive(minutes=True), needs_package("mypy")]

PLANTED = {
    "adapters/training/scores.py": [
        ("from docie.metrics import kieval", ""),
        ("kieval.count({}, {}, 'optimal')", 'Argument 3 to "count" has incompatible type "str"; expected "Settings"'),
        ("kieval.score({'entity_f1': 1.0})", 'Argument 1 to "score" has incompatible type "dict[str, float]"'),
        ("kieval.Settings(matching='best')", 'Argument "matching" to "Settings" has incompatible type'),
    ],
    "spaces/common/work.py": [
        ("from docie.adapters import llm, tokens", ""),
        ("llm.prompt(['total'])", 'Argument 1 to "prompt" has incompatible type "list[str]"'),
        ("llm.to_document('{}').issue", '"Parsed" has no attribute "issue"'),
        ("tokens.word_labels([[1]], [[0]], id2label=1)", 'Argument "id2label" to "word_labels" has incompatible type'),
    ],
}
"""Lines that are added to files, and what mypy must say of each."""


@pytest.fixture
def copied(tmp_path: Path) -> Path:
    """The package as it is installed."""
    copy_package(tmp_path)
    return tmp_path


def errors_in(folder: Path, files: list[str]) -> list[str]:
    """What mypy says of files, and of nothing else."""
    options = ["--config-file", str(ROOT / "pyproject.toml"), "--cache-dir", str(folder / "cache")]
    command = [sys.executable, "-m", "mypy", *options, *files]
    run = subprocess.run(command, cwd=folder, env={"MYPYPATH": str(folder)}, capture_output=True, text=True)
    assert not run.stderr
    return [line for line in run.stdout.splitlines() if ": error: " in line]


def test_a_wrong_call_into_another_room_is_found(copied: Path) -> None:
    files = [f"docie/{name}" for name in PLANTED]
    assert errors_in(copied, files) == []
    expected = []
    for name, planted in PLANTED.items():
        path = copied / "docie" / name
        source = path.read_text(encoding="utf-8")
        first = len(source.splitlines()) + 1
        path.write_text(source + "\n".join(line for line, _ in planted) + "\n", encoding="utf-8")
        expected += [(f"docie/{name}:{number}: ", text) for number, (_, text) in enumerate(planted, first) if text]
    found = errors_in(copied, files)
    assert len(found) == len(expected)
    for place, text in expected:
        assert any(line.startswith(place) and text in line for line in found), (place, text, found)
