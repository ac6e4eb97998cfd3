"""Waiting is seen: bars on a terminal once something takes long, and nothing anywhere else."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from docie.corpus import progress

pty = pytest.importorskip("pty")

ENVIRONMENT = {**os.environ, "TERM": "xterm", "COLUMNS": "120"}
SCRIPT = """
import sys
from docie.corpus import progress
from docie import cli

progress.SECONDS = float(sys.argv.pop(1))
sys.exit(cli.main())
"""


@pytest.fixture
def files(tmp_path: Path) -> list[str]:
    paths = [tmp_path / f"{name}.jsonl" for name in ("references", "one", "other")]
    for number, path in enumerate(paths):
        rows = ({"id": f"r-{row}", "total": f"{row + number % 2}.00", "shop": "Kedai"} for row in range(300))
        path.write_text("".join(f"{json.dumps(row)}\n" for row in rows))
    return [*map(str, paths)]


def run(arguments: list[str], seconds: float = 0.0) -> tuple[int, str, str]:
    """The exit code, what a command prints, and what a terminal gets from its stderr."""
    ours, theirs = pty.openpty()
    command = [sys.executable, "-c", SCRIPT, str(seconds), *arguments]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=theirs, env=ENVIRONMENT) as process:
        os.close(theirs)
        said = b"".join(_read(ours))
        assert process.stdout is not None
        printed = process.stdout.read().decode()
    os.close(ours)
    return process.returncode, printed, said.decode()


def _read(terminal: int) -> Iterator[bytes]:
    try:
        while found := os.read(terminal, 4096):
            yield found
    except OSError:  # Linux says so that the other end is closed
        return


@pytest.mark.parametrize(
    ("arguments", "seen"),
    [
        (["check", "references", "one"], ["docie check", "reading predictions", "scoring"]),
        (["compare", "references", "one", "other"], ["docie compare", "scoring one", "scoring other"]),
        (["errors", "references", "one"], ["writing", "scoring"]),
        (["score", "references", "one", "--report", "report.html"], ["docie score", "scoring", "report.html"]),
        (["threshold", "references", "one"], ["docie threshold"]),
    ],
    ids=lambda each: each[0],
)
def test_a_terminal_sees_what_takes_long(
    arguments: list[str], seen: list[str], files: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    if "--report" in arguments:
        pytest.importorskip("jinja2", reason="reports need Jinja")
    monkeypatch.chdir(Path(files[0]).parent)
    arguments = [f"{each}.jsonl" if f"{each}.jsonl" in map(os.path.basename, files) else each for each in arguments]
    _, printed, said = run(arguments)
    for text in seen:
        assert text in said
    code, quick, silent = run(arguments, 600)
    assert "\x1b" not in silent
    assert quick == printed
    plain = subprocess.run([sys.executable, "-m", "docie", *arguments], capture_output=True, text=True, env=ENVIRONMENT)
    assert (plain.returncode, plain.stdout) == (code, printed)
    assert plain.stderr == silent.replace("\r\n", "\n")


@contextmanager
def on_a_terminal(monkeypatch: pytest.MonkeyPatch) -> Iterator[int]:
    """Inside this block stderr is a terminal, whose other end this is."""
    ours, theirs = pty.openpty()
    with os.fdopen(theirs, "w") as terminal, monkeypatch.context() as patched:
        patched.setattr(sys, "stderr", terminal)
        patched.setattr(progress, "SECONDS", 0)
        yield ours
    os.close(ours)


def test_blocks_in_blocks_share_their_bars(monkeypatch: pytest.MonkeyPatch) -> None:
    def shown() -> list[str]:
        return [task.description for bars in progress._shown for task in bars.tasks]

    with on_a_terminal(monkeypatch) as terminal:
        with progress.waiting("outer"):
            inner = progress.with_progress_bar(range(3), 3, "inner")
            assert next(inner) == 0
            assert shown() == ["outer", "inner"]
            inner.close()  # type: ignore[attr-defined]
            assert shown() == ["outer"]
        assert not progress._shown
        assert b"outer" in os.read(terminal, 4096)


def test_an_error_ends_the_bar(monkeypatch: pytest.MonkeyPatch) -> None:
    with on_a_terminal(monkeypatch):
        with pytest.raises(ValueError, match="inside"), progress.waiting("outer"):
            raise ValueError("inside")
        assert not progress._shown
