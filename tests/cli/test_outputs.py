"""No command writes what it reads, whatever the names of its files, and each option has an effect or is refused."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from enum import Enum
from pathlib import Path
from typing import Any, get_args, get_type_hints

import pytest
from typer.main import get_command

from docie.cli.app import app
from docie.cli.output.checks import CLASHES, FILES, FOLDERS, NEEDS, READ

from cli_runs import lines, rows, run_command

OVERWRITTEN = "this is an input, and would be overwritten"
TEXTS = {
    "--name",
    "--baseline",
    *(
        "name",
        "family",
        "--metric",
        "--score",
        "--protocol",
        "--run",
        "--cluster",
        "--group-by",
        "--normalize",
        "--match",
        "--option",
    ),
    "--images",
    "--config",
    *("--type", "--kind", "--attack", "--severity", "--model", "--strengths"),
    *("--push", "--score", "--document", "--workers"),
}
"""Options that are text, and no path."""
INDEPENDENT = {
    *(
        "--schema",
        "--config",
        "--workers",
        "--max-seconds",
        "--report",
    ),
    *(
        "--confidence-level",
        "--by-field",
        "--format",
        "--output",
        "--suspects",
        "--unit",
    ),
    *(
        "--max-drop",
        "--max-broken",
        "--precision",
        "--risk",
        "--verify",
        "--budget",
        "--port",
        "--no-browser",
    ),
    *("--out", "--help"),
}
"""Options of other kinds that do something by themselves, in a command at least."""


def commands() -> dict[str, Any]:
    top: dict[str, Any] = dict(get_command(app).commands)  # type: ignore[attr-defined]
    return {**top, **top.pop("space").commands}


def kinds_of(command: Any, parameter: Any) -> set[type]:
    """The types of the values of a parameter."""
    hints, found = [get_type_hints(command.callback).get(parameter.name)], set[type]()
    while hints:
        hint = hints.pop()
        hints += get_args(hint)
        found |= {hint} if isinstance(hint, type) and not get_args(hint) else set()
    return found - {type(None)}


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    lines(tmp_path / "r.jsonl", rows("reference", [{"a": "1"}, {"a": "2"}]))
    lines(tmp_path / "p.jsonl", rows("prediction", [{"a": "1"}, {"a": "3"}]))
    lines(tmp_path / "forms.jsonl", [{"words": ["Total", "9"], "labels": ["O", "total"]}])
    for name, value in (("schema.json", {"properties": {"a": {"type": "string"}}}), ("weights.json", {"a": 2})):
        (tmp_path / name).write_text(json.dumps(value))
    (tmp_path / "model.py").write_text("def answer(forms):\n    return [{} for _ in forms]\n")
    (tmp_path / "link.jsonl").symlink_to("p.jsonl")
    os.link(tmp_path / "p.jsonl", tmp_path / "hard.jsonl")
    for folder in ("parts", "documents"):
        (tmp_path / folder).mkdir()
    lines(tmp_path / "parts" / "1.jsonl", rows("prediction", [{"a": "1"}, {"a": "3"}]))
    (tmp_path / "documents" / "r-0.json").write_text('{"a": "1"}')
    (tmp_path / "documents" / "linked.json").symlink_to(tmp_path / "schema.json")
    return tmp_path


def contents(folder: Path) -> dict[str, str]:
    return {
        str(path): path.read_text() for path in folder.rglob("*") if path.is_file() and "__pycache__" not in path.parts
    }


@pytest.mark.parametrize(
    "command",
    [
        "errors r.jsonl p.jsonl --output p.jsonl",
        "errors r.jsonl p.jsonl --output ./r.jsonl",
        "errors r.jsonl p.jsonl --output documents/../p.jsonl",
        "errors r.jsonl p.jsonl --output link.jsonl",
        "errors r.jsonl link.jsonl --output p.jsonl",
        "errors r.jsonl p.jsonl --output hard.jsonl",
        "errors r.jsonl p.jsonl --schema schema.json --format csv --output schema.json",
        "errors r.jsonl p.jsonl --option schema=schema.json --format csv --output schema.json",
        "errors documents p.jsonl --format jsonl --output documents/r-0.json",
        "errors documents p.jsonl --format jsonl --output schema.json",
        "score r.jsonl p.jsonl --report p.jsonl",
        "score r.jsonl p.jsonl --option weights=weights.json --report weights.json",
        "compare r.jsonl p.jsonl hard.jsonl --report p.jsonl",
        "attack forms.jsonl --model model:answer --report forms.jsonl",
        "attack forms.jsonl --model model:answer --report model.py",
        "attack forms.jsonl --model model:answer --folder model.py",
    ],
)
def test_an_input_is_never_written(command: str, here: Path) -> None:
    before = contents(here)
    result = run_command(*command.replace("'", "").replace("{here}", str(here)).split())
    assert (result.exit_code, result.stdout, result.stderr.count("\n")) == (2, "", 1)
    assert result.stderr.endswith(f"{OVERWRITTEN}\n"), result.stderr
    assert contents(here) == before


@pytest.mark.parametrize(
    "command",
    [
        "errors documents p.jsonl --format jsonl --output documents/errors.json",
        "errors documents p.jsonl --output documents/errors.txt",
        "attack documents --model model:answer --folder documents",
    ],
)
def test_a_folder_that_is_read_gets_no_file_that_would_be_read(command: str, here: Path) -> None:
    before = contents(here)
    result = run_command(*command.split())
    assert (result.exit_code, result.stdout, result.stderr.count("\n")) == (2, "", 1)
    assert result.stderr.endswith("is read, and would hold this, too\n"), result.stderr
    assert contents(here) == before


@pytest.mark.parametrize(
    "command",
    [
        "errors r.jsonl p.jsonl --output errors.csv",
        "errors r.jsonl p.jsonl --format csv --output p.jsonl.part",
        "score documents documents --report documents/report.html",
        "errors r.jsonl p.jsonl --format csv --output /dev/stdout",
        "errors r.jsonl p.jsonl --format csv --output /dev/null",
    ],
)
def test_other_files_are_written(command: str, here: Path) -> None:
    if "--report" in command:
        pytest.importorskip("jinja2")
    before = contents(here)
    done = subprocess.run([sys.executable, "-m", "docie", *command.split()], capture_output=True, check=False)
    assert done.returncode == 0, done.stderr
    assert (b"substitution" in done.stdout) == command.endswith("/dev/stdout") or "score" in command
    assert {path: text for path, text in contents(here).items() if path in before} == before


def test_a_draft_is_no_input(here: Path) -> None:
    """A file beside the output once held the rows until they were complete, whatever it was."""
    lines(here / "out.jsonl.part", rows("prediction", [{"a": "1"}, {"a": "3"}]))
    before = contents(here)
    assert run_command("errors", "r.jsonl", "out.jsonl.part", "--output", "out.jsonl").exit_code == 0
    assert {path: text for path, text in contents(here).items() if not path.endswith("out.jsonl")} == before


@pytest.mark.exhaustive
def test_the_shell_writes_no_input_either(here: Path) -> None:
    for line in (
        "errors r.jsonl p.jsonl --format jsonl >> p.jsonl",
        "attack forms.jsonl --attack bg_drop >> forms.jsonl",
    ):
        before = contents(here)
        done = subprocess.run(
            ["bash", "-c", f'"{sys.executable}" -m docie {line}'], capture_output=True, text=True, check=False
        )
        assert (done.returncode, done.stderr) == (2, f"standard output: {OVERWRITTEN}\n")
        assert contents(here) == before
    line = "errors r.jsonl - --output p.jsonl < p.jsonl"
    done = subprocess.run(
        ["bash", "-c", f'"{sys.executable}" -m docie {line}'], capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stderr) == (2, f"--output p.jsonl: {OVERWRITTEN}\n")


def test_every_option_is_known_to_the_checks() -> None:
    """A new option is read, written, or neither; it needs another one, or it does not."""
    known = READ | FILES | FOLDERS | TEXTS
    of_options = {option.partition(" ")[0] for _, option in (*NEEDS, *CLASHES)}
    assert {command for command, _ in (*NEEDS, *CLASHES)} <= {*commands()}
    for command in commands().values():
        for parameter in command.params:
            name = parameter.name if parameter.param_type_name == "argument" else max(parameter.opts, key=len)
            is_text = str in kinds_of(command, parameter)
            assert not is_text or name in known, f"{command.name} {name}: read, written, or another text?"
            assert name in known | INDEPENDENT | of_options, f"{command.name} {name}: does it need another option?"


@pytest.mark.parametrize(("command", "option"), NEEDS)
def test_an_option_that_needs_another_is_refused_without_it(command: str, option: str) -> None:
    name, _, setting = option.partition(" ")
    [parameter] = [each for each in commands()[command].params if name in each.opts]
    kinds = kinds_of(commands()[command], parameter)
    choices: list[Any] = [next(iter(kind)) for kind in kinds if issubclass(kind, Enum)]
    value = [] if bool in kinds else choices or [f"{setting}=1" if setting else "1"]
    inputs = {"compare": ["r", "p", "q"], "attack": ["forms"]}.get(command, ["r", "p"])
    result = run_command(command, *inputs, name, *map(str, value))
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr == f"{option} needs {' or '.join(NEEDS[command, option])}\n"


@pytest.mark.parametrize(
    ("command", "message"),
    [
        (
            "score r p --option bootstrap_samples=0",
            "--option bootstrap_samples needs --interval percentile",
        ),
        ("score r p --option seed=-1", "--option seed needs --interval percentile"),
        ("score r p --interval t", "--interval needs --confidence-level or --report"),
        ("score r p --interval percentile", "--interval needs --confidence-level or --report"),
        (
            "score r p --confidence-level 0.9 --option seed=3",
            "--option seed needs --interval percentile",
        ),
        (
            "score r p --interval t --option seed=3 --confidence-level 0.9",
            "--option seed does nothing beside --interval t",
        ),
        ("score r p --all-scores --format json", "--all-scores does nothing beside --format json"),
        ("attack f --triples 0", "--triples needs --model"),
        (
            "attack f --attack bg_drop --strength 1 --severity edit_rate=0.1",
            "--strength does nothing beside --severity",
        ),
    ],
)
def test_options_that_would_do_nothing(command: str, message: str) -> None:
    result = run_command(*command.split())
    assert (result.exit_code, result.stdout, result.stderr) == (2, "", f"{message}\n")


def test_options_that_do_something(here: Path) -> None:
    pytest.importorskip("jinja2")
    for options in (
        ["--confidence-level", "0.9", "--interval", "t"],
        [
            "--confidence-level",
            "0.9",
            "--option",
            "seed=3",
            "--option",
            "bootstrap_samples=5",
            "--interval",
            "percentile",
        ],
        ["--report", "report.html", "--interval", "t"],
        ["--by-field", "--all-scores"],
    ):
        assert run_command("score", "r.jsonl", "p.jsonl", *options).exit_code == 0
