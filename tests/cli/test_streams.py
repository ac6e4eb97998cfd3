"""Streams that are closed or full, signals, and names that a terminal or Markdown would read as more than text."""

from __future__ import annotations

import importlib.util
import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from docie.core.phrases import printable
from docie.show import writers

from checkout import ROOT
from cli_runs import lines, run, run_command
from sizes import examples

PLACES = ("2>&-", "2>/dev/full")
FULL = "No space left on device"
NAMES = [
    "\x1b[31mred\x1b[0m",
    ":smile:",
    "a\\|b",
    "a|b",
    "<img src=x onerror=alert(1)>",
    "![x](http://x)",
    "[x](y)",
    "new\nline",
]
needs_dev_full = pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs /dev/full")


def shell(command: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run a line of the shell, in which `docie` is the command."""
    script = f'docie() {{ "{sys.executable}" -m docie "$@"; }}; set -o pipefail; {command}'
    return subprocess.run(["bash", "-c", script, "bash", *arguments], capture_output=True, text=True, check=False)


@pytest.mark.exhaustive
@needs_dev_full
def test_results_that_cannot_be_written(inputs: list[str]) -> None:
    """All commands in one shell: a process each, and nothing more."""
    commands = ["families", "--version", "--help", 'score "$1" "$2"', 'errors "$1" "$2" --format csv']
    runs = [f"docie {command} >/dev/full; echo $? >&2" for command in commands]
    script = "; ".join([*runs, 'docie score "$1" "$2" >&-; echo $? >&2'])
    done = shell(script, *inputs)
    assert done.stdout == ""
    found = [line for line in done.stderr.splitlines() if not line.startswith(("hint: ", "warning: "))]
    assert found == [f"standard output: {FULL}", "2"] * len(commands) + ["standard output is closed", "2"]


@needs_dev_full
@pytest.mark.exhaustive
def test_messages_that_cannot_be_written(inputs: list[str]) -> None:
    score = """docie score "$1" "$2" --format json --option 'ontology=["a", "zz"]' """
    runs = [f'{score} {place} >"$3" || exit 1; docie score nowhere nowhere {place}; echo $?' for place in PLACES]
    done = shell("; ".join([*runs, 'cat "$3"']), *inputs, str(Path(inputs[0]).with_name("out.json")))
    codes, figures = done.stdout[:4], done.stdout[4:]
    assert (done.returncode, codes) == (0, "2\n2\n")
    assert json.loads(figures)["kieval"]["documents"] == 3


def test_readers_that_have_seen_enough() -> None:
    done = shell("docie families | head -0; echo $?; docie --help | head -0; echo $?")
    assert done.stdout.split() == ["0", "0"]
    assert done.stderr == ""


def test_a_reader_of_attacked_forms_that_has_seen_enough() -> None:
    forms = ROOT / "examples" / "forms.jsonl"
    done = shell(f"for each in 1 2 3 4 5 6 7 8; do cat '{forms}'; done | docie attack - --attack key_drop | head -c 1")
    assert (done.stdout, done.stderr) == ("{", "")


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_signals(number: signal.Signals, tmp_path: Path) -> None:
    """While rows are still read, and workers wait."""
    references = lines(tmp_path / "r.jsonl", [{"a": "1"}] * 2000)
    command = [sys.executable, "-m", "docie", "score", references, "-", "--workers", "2"]
    process = subprocess.Popen(
        command,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        # a shell's background jobs begin with SIGINT ignored
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler),
    )
    try:
        assert process.stdin
        process.stdin.write(b'{"a": "1"}\n' * 1500)
        process.stdin.flush()
        children = Path(f"/proc/{process.pid}/task/{process.pid}/children")
        deadline = time.monotonic() + 60
        while children.exists() and len(children.read_text().split()) < 2:
            assert time.monotonic() < deadline
            time.sleep(0.02)
        process.send_signal(number)
        output, errors = process.communicate(timeout=10)  # workers that stay would keep these pipes open
        assert process.returncode == (130 if number == signal.SIGINT else -number)
        assert (output, errors) == (b"", b"")
    finally:
        process.kill()


@pytest.mark.exhaustive
@pytest.mark.skipif(os.name == "nt", reason="Windows has no SIGINT for a group of processes")
@pytest.mark.skipif(importlib.util.find_spec("distributed") is None, reason="needs Dask")
@pytest.mark.parametrize("is_counting", [False, True], ids=["at its start", "while it counts"])
def test_ctrl_c_with_an_engine(is_counting: bool, tmp_path: Path) -> None:
    """As a terminal sends it: to the processes of the engine, too."""
    references = lines(tmp_path / "r.jsonl", [{"a": "1"}] * 2000)
    command = [sys.executable, "-m", "docie", "score", references, "-", "--workers", "dask"]
    process = subprocess.Popen(
        command,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        start_new_session=True,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler),
    )
    try:
        assert process.stdin
        deadline = time.monotonic() + 120
        while len(engine_processes(process.pid)) < 2:
            assert time.monotonic() < deadline
            time.sleep(0.02)
        if is_counting:  # it waits for the second half of the rows
            process.stdin.write(b'{"a": "1"}\n' * 1500)
            process.stdin.flush()
            time.sleep(3)
        os.killpg(process.pid, signal.SIGINT)
        output, errors = process.communicate(timeout=120)  # workers that stay would keep these pipes open
        assert (process.returncode, output, errors) == (130, b"", b"")
    finally:
        process.kill()


def engine_processes(parent: int) -> list[str]:
    """The workers that an engine has started."""
    found = subprocess.run(
        ["ps", "-ww", "-o", "args=", "--ppid", str(parent)], capture_output=True, text=True, check=False
    )
    return [line for line in found.stdout.splitlines() if "spawn_main" in line]


@pytest.fixture
def in_japanese(tmp_path: Path) -> list[str]:
    return [lines(tmp_path / "r.jsonl", [{"shop": "横浜"}]), lines(tmp_path / "p.jsonl", [{"shop": "大阪"}])]


@pytest.mark.exhaustive
@pytest.mark.parametrize("encoding", ["ascii", "latin-1"])
def test_results_are_utf_8_whatever_the_encoding(encoding: str, in_japanese: list[str]) -> None:
    prepared = f"import io, sys; sys.stdout = io.TextIOWrapper(sys.stdout.buffer, encoding={encoding!r})"
    code = f"{prepared}; from docie.cli import main; main()"
    for form in ("csv", "markdown", "table"):  # JSON Lines are ASCII
        done = subprocess.run(
            [sys.executable, "-c", code, "errors", *in_japanese, "--format", form],
            capture_output=True,
            check=False,
        )
        assert done.returncode == 0
        assert "横浜" in done.stdout.decode("utf-8")


def test_results_are_utf_8_whatever_the_locale(in_japanese: list[str]) -> None:
    environment = {"LC_ALL": "POSIX", "PYTHONUTF8": "0", "PATH": os.environ["PATH"]}
    command = [sys.executable, "-m", "docie", "errors", *in_japanese, "--format", "csv"]
    done = subprocess.run(command, capture_output=True, check=False, env=environment)
    assert "横浜" in done.stdout.decode("utf-8")


def test_names_are_printed_as_they_are(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for name in (*NAMES, "全" * 12_000):
        rows = lines(tmp_path / "r.jsonl", [{name: "1"}])
        other = lines(tmp_path / "p.jsonl", [{"other": "1"}])
        table = run(rows, rows, "--by-field", "--option", f"ontology={json.dumps([name])}")
        shown, whole = "".join(printable(name).split()), "".join(table.stdout.split())  # long ones are broken
        assert f"|ontology:{shown}|" in whole
        assert whole.count(shown) == 1 + (len(shown) < 40)
        assert name.isprintable() or name not in table.stdout + table.stderr
        missing = run(rows, other, "--option", f"ontology={json.dumps(['total', name])}")
        for result in (missing, run(rows, other), run_command("errors", rows, other, "--format", "markdown")):
            assert result.exit_code == 0
            assert all(line.isprintable() for line in (result.stdout + result.stderr).splitlines())


@pytest.mark.parametrize("name", ["\x1b[31m\n.jsonl", "p\r.jsonl", "\x9b.jsonl"])
def test_names_of_files(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    lines(Path(name), [{"id": "1", "document": {}}])
    lines(Path("r.jsonl"), [{}])
    result = run("r.jsonl", name)
    assert result.stderr == f"warning: only {printable(name)} has ids, so rows are joined by order\n"
    Path(name).write_text("{")
    assert run("r.jsonl", name).stderr.startswith(f"{printable(name)}:1: not a JSON object")


TEXTS = st.lists(st.sampled_from([*r"\|`*_~[]()<>&!#$^", "a", "B1", " ", "amp;", "http", "img"]), max_size=12).map(
    "".join
)


@given(cells=st.lists(TEXTS, min_size=2, max_size=3))
@examples(2000)
def test_markdown_shows_the_text(cells: list[str]) -> None:
    cells = [f"x{cell}y" for cell in cells]  # a cell is shown without white space around it
    source = "\n".join([writers.markdown_row(cells), "|" + " -- |" * len(cells)])
    tokens = MarkdownIt("commonmark").enable(["table", "strikethrough"]).parse(source)
    shown = [token.children or [] for token in tokens if token.type == "inline"]
    assert [{child.type for child in children} - {"text", "text_special"} for children in shown] == [set()] * len(cells)
    assert ["".join(child.content for child in children) for children in shown] == cells


@pytest.mark.parametrize("name", ["menu.nm", "entity_f1", "a-b/c", "R&D", "$12.00", "größe_cm", "5% + 3", "#1"])
def test_ordinary_names_stay_as_they_are_in_markdown(name: str) -> None:
    assert writers.markdown_text(name) == name


@pytest.mark.parametrize(("text", "expected"), [("a|b", r"a\|b"), (r"a\|b", r"a\\\|b"), ("||", r"\|\|")])
def test_bars_in_markdown(text: str, expected: str) -> None:
    assert writers.markdown_row([text]) == f"| {expected} |"


def test_json_is_strict(tmp_path: Path) -> None:
    def refuse(name: str) -> Any:
        raise AssertionError(name)

    rows = tmp_path / "r.jsonl"
    rows.write_text('{"a": NaN, "b": {"value": "x", "confidence": 0.5, "box": [Infinity, 0, NaN, 1e999]}}\n')
    options = ["--metric", "anls_star", "--option", "closest=true", "--format", "json"]
    figures = json.loads(run(str(rows), str(rows), *options).stdout, parse_constant=refuse)
    assert figures["anls_star"]["closest"] == [{"a": None, "b": "x"}]
    empty = lines(tmp_path / "p.jsonl", [{}])
    for output in ("csv", "jsonl"):
        for sides in ([str(rows), empty], [empty, str(rows)]):
            assert run_command("errors", *sides, "--format", output).exit_code == 0
    for line in run_command("errors", str(rows), empty, "--format", "jsonl").stdout.splitlines():
        json.loads(line, parse_constant=refuse)
