"""Pipes and standard input: what can be read only once is read once, however often it is named."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any

import pytest

from docie.core.errors import InputError
from docie.inputs.join import Join
from docie.inputs.sources.lines import Lines

from cli_runs import lines, rows, run_command

BOTH: list[Any] = [
    {"id": f"r-{n}", "reference": {"a": "1"}, "prediction": {"a": {"value": str(n % 3), "confidence": n / 40}}}
    for n in range(30)
]

needs_pipes = pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs named pipes")


@pytest.fixture
def both(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A file whose rows hold both sides."""
    monkeypatch.chdir(tmp_path)
    return Path(lines(tmp_path / "both.jsonl", BOTH))


def shell(command: str) -> tuple[int, str, str]:
    """A line of bash, in which `docie` is the command. A command that hangs fails."""
    script = f'docie() {{ "{sys.executable}" -m docie "$@"; }}; {command}'
    done = subprocess.run(["bash", "-c", script], capture_output=True, text=True, check=False, timeout=120)
    return done.returncode, done.stdout, done.stderr


def fed(pipe: Path, content: bytes) -> threading.Thread:
    """A thread that writes into a pipe once, as a process substitution does."""
    thread = threading.Thread(target=pipe.write_bytes, args=(content,), daemon=True)
    thread.start()
    return thread


@needs_pipes
@pytest.mark.parametrize("command", ["score", "errors", "threshold", "all", "compare", "verify"])
def test_one_pipe_for_all_that_is_read(command: str, both: Path) -> None:
    names = {
        "compare": ["compare", "{0}", "{0}", "{1}"],
        "all": ["score", "{0}", "{1}", "--metric", "all"],
        "verify": ["threshold", "{0}", "{1}", "--verify", "{0}", "{0}"],
    }.get(command, [command, "{0}", "{1}"])
    os.mkfifo("pipe")
    Path("same").symlink_to("pipe")
    feeding = fed(Path("pipe"), both.read_bytes())
    result = run_command(*(name.format("pipe", "same") for name in names))
    feeding.join(timeout=10)
    expected = run_command(*(name.format("both.jsonl", "./both.jsonl") for name in names))
    assert result.exit_code == expected.exit_code == 0
    if command != "compare":  # whose systems have the names of their files
        assert result.stdout == expected.stdout


@pytest.mark.parametrize(
    "names",
    [
        ["score", "-", "-"],
        ["errors", "-", "-"],
        ["threshold", "-", "-", "--verify", "-", "-"],
        ["score", "-", "-", "--metric", "all"],
        ["compare", "-", "-", "-"],
    ],
)
def test_standard_input_for_all_that_is_read(names: list[str], both: Path) -> None:
    result = run_command(*names, stdin=both.read_text())
    expected = run_command(*(name.replace("-", "both.jsonl") if name == "-" else name for name in names))
    assert result.exit_code == expected.exit_code == 0
    if names[0] != "compare":
        assert result.stdout == expected.stdout


@pytest.mark.exhaustive
@pytest.mark.skipif(os.name == "nt", reason="needs bash")
def test_process_substitution(both: Path) -> None:
    lines(Path("r.jsonl"), rows("reference", [{"a": "1"}, {"a": "2"}]))
    lines(Path("p.jsonl"), rows("prediction", [{"a": "1"}, {"a": "3"}]))
    code, shown, messages = shell("docie compare <(cat r.jsonl) <(cat p.jsonl) <(cat r.jsonl) --format json")
    assert (code, without_names(messages)) == (0, without_names(shell("docie compare r.jsonl p.jsonl r.jsonl")[2]))
    assert '"documents": 2' in shown
    assert shell("docie score <(cat r.jsonl) <(cat p.jsonl)") == shell("docie score r.jsonl p.jsonl")
    code, _, of_stdin = shell("cat r.jsonl | docie compare - /dev/stdin p.jsonl")
    assert (code, without_names(of_stdin)) == (0, without_names(messages))


def without_names(messages: str) -> str:
    """Messages without the names of systems, which are those of files."""
    return re.sub(r"of \S+ and \S+:", "of two systems:", messages)


@needs_pipes
def test_what_would_be_read_again_elsewhere_is_refused(both: Path) -> None:
    os.mkfifo("pipe")
    Path("parts").mkdir()
    lines(Path("parts/1.jsonl"), BOTH[:10])
    lines(Path("parts/2.jsonl"), BOTH[10:])
    for arguments, expected in {
        ("parts", "pipe"): "pipe: a pipe has no partitions, and is read only once; write it to a file",
        ("parts", "-"): "standard input has no partitions, and is read only once; write it to a file",
    }.items():
        feeding = fed(Path("pipe"), both.read_bytes()) if arguments[0] == "pipe" else None
        result = run_command("score", *arguments, stdin=both.read_text())
        if feeding is not None:
            feeding.join(timeout=10)
        assert (result.exit_code, result.stdout, result.stderr) == (2, "", f"{expected}\n")


@needs_pipes
def test_tagged_words_from_a_pipe(both: Path) -> None:
    os.mkfifo("words.bio")
    feeding = fed(Path("words.bio"), b"9.00 B-total\n")
    result = run_command("score", "words.bio", "words.bio", "--metric", "entity_f1")
    feeding.join(timeout=10)
    assert (result.exit_code, result.stderr) == (0, "")
    assert "1 document" in result.stdout


def test_standard_input_for_both_sides_in_python() -> None:
    with pytest.raises(InputError, match="^only one of references and predictions can be standard input$"):
        Join(Lines("-", side="reference"), Lines("-", side="prediction"), in_python=False)
