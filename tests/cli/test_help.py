"""Help fits on a screen: a line for a command, one or two for an option. The rest stands in `docs/options.md`."""

from __future__ import annotations

from typing import Any

import pytest
from typer.main import get_command
from typer.testing import CliRunner

from docie.cli.app import app

from cli_runs import run_command

COMMANDS = ["score", "check", "errors", "compare", "threshold", "attack", "protocols", "demo", "families", "space"]
ASKING = COMMANDS[:6]


@pytest.fixture(autouse=True)
def _narrow(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "80")


@pytest.mark.parametrize(("arguments", "commands"), [([], COMMANDS), (["space"], ["build"])])
def test_the_help_has_one_line_a_command(arguments: list[str], commands: list[str]) -> None:
    lines = run_command(*arguments, "--help").stdout.partition("Commands:\n")[2].splitlines()
    assert [line.split()[0] for line in lines] == commands
    assert all(line.endswith(".") and not line.endswith("..") for line in lines)


@pytest.mark.parametrize("command", [*COMMANDS[:9], "space build"])
def test_the_help_of_a_command_says_more_than_the_line(command: str) -> None:
    said = run_command(*command.split(), "--help").stdout.partition("Arguments:")[0]
    assert len(said.strip().split("\n\n")) > 2


@pytest.mark.parametrize("command", ASKING)
def test_the_help_of_a_command_fits_on_a_screen(command: str) -> None:
    lines = run_command(command, "--help").stdout.splitlines()
    assert len(lines) <= 50
    assert max(map(len, lines)) <= 80


@pytest.mark.parametrize("command", ASKING)
def test_an_option_takes_two_lines_at_most_and_nothing_is_cut(command: str) -> None:
    printed = run_command(command, "--help").stdout.partition("Arguments:\n")[2].splitlines()
    starts = [number for number, line in enumerate(printed) if line.startswith("  --")]
    for start in starts:
        assert not all(line.startswith(" " * 20) for line in printed[start + 1 : start + 3]), printed[start]
    whole = " ".join(" ".join(printed).split())
    parameters: list[Any] = get_command(app).commands[command].params  # type: ignore[attr-defined]
    options = [each for each in parameters if each.param_type_name == "option"]
    assert len(starts) == len(options)
    for each in options:
        assert each.help.partition("\n\n")[0].rstrip(".") in whole


def test_without_arguments_docie_says_what_to_do_first() -> None:
    done = run_command()
    assert done.exit_code == 0
    lines = done.stdout.splitlines()
    assert len(lines) <= 10
    assert max(map(len, lines)) <= 80
    for command in ("score", "check", "errors", "compare"):
        [line] = [each for each in lines if each.startswith(f"  docie {command} ")]
        arguments = line.split("    ")[0].split()[1:]
        named = run_command(*arguments)
        assert "No such file" in named.stderr, "only the files are missing"


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        ("score r p --metric an", ["anls_star"]),
        ("score r p --metric al", ["all"]),
        ("compare r p q --metric ki", ["kieval"]),
        ("score r p --normalize alp", ["alphanumeric"]),
        ("score r p --normalize total=mo", ["total=money"]),
        ("check r p --match sa", ["same_amount"]),
        ("score r p --format ma", ["markdown"]),
        ("errors r p --format xl", ["xlsx"]),
        ("attack f --attack key", ["key_drop"]),
        ("score r p --protocol docv", ["docvqa"]),
        ("protocols docv", ["docvqa"]),
        ("sco", ["score"]),
    ],
)
def test_a_shell_completes_values(arguments: str, expected: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("_DOCIE_COMPLETE", "complete_bash")
    monkeypatch.setenv("COMP_WORDS", f"docie {arguments}")
    monkeypatch.setenv("COMP_CWORD", str(len(arguments.split())))
    assert CliRunner().invoke(app, [], prog_name="docie").stdout.split() == expected
