"""`docie --help` is a table with one line a command; what else there is to say stands in the help of the command."""

from __future__ import annotations

import pytest

from cli_runs import run_command

COMMANDS = ["score", "check", "errors", "compare", "threshold", "attack", "demo", "families", "space"]


@pytest.mark.parametrize(("arguments", "commands"), [([], COMMANDS), (["space"], ["build"])])
def test_the_help_has_one_line_a_command(
    arguments: list[str], commands: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    table = run_command(*arguments, "--help").stdout.partition(" Commands ")[2]
    lines = [line for line in table.splitlines() if line.startswith("│")]
    assert [line.split()[1] for line in lines] == commands
    assert all(line.rstrip("│ ").endswith(".") for line in lines)


@pytest.mark.parametrize("command", [*COMMANDS[:8], "space build"])
def test_the_help_of_a_command_says_more_than_the_line(command: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "400")
    help_text = run_command(*command.split(), "--help").stdout.partition(f"{command.split()[-1]} [OPTIONS]")[2]
    paragraphs = [line.strip() for line in help_text.partition("╭")[0].splitlines() if line.strip()][1:]
    assert len(paragraphs) > 1
