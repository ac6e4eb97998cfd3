"""What the README and the cards show was printed by the commands they show."""

from __future__ import annotations

import re
import shlex
import subprocess
import sys

import pytest

from checkout import ROOT

PAGES = [ROOT / "README.md", *sorted((ROOT / "metrics").glob("*/README.md"))]
BLOCK = re.compile(r"```console\n\$ (.*)\n((?:.*\n)*?)```")


def shown() -> list[tuple[str, str]]:
    """The docie commands of all pages, each with the output shown under it."""
    found = []
    for page in PAGES:
        for command, output in BLOCK.findall(page.read_text(encoding="utf-8")):
            command = command.rpartition("&& ")[2]
            if command.startswith("docie "):
                found.append((command, output))
    return found


def test_there_are_commands() -> None:
    assert len(shown()) >= 3


@pytest.mark.parametrize(("command", "output"), shown())
def test_a_command_prints_what_is_shown(command: str, output: str) -> None:
    arguments = [sys.executable, "-m", "docie.cli", *shlex.split(command)[1:]]
    environment = {"COLUMNS": "120", "PYTHONIOENCODING": "utf-8"}
    done = subprocess.run(arguments, cwd=ROOT, capture_output=True, encoding="utf-8", env=environment, check=False)
    assert done.returncode == (2 if done.stderr else 0)
    assert plain(done.stdout + done.stderr) == plain(output)


def plain(text: str) -> str:
    """Without trailing blanks, which a terminal does not show."""
    return "\n".join(line.rstrip() for line in text.splitlines()).strip()


def test_no_link_is_dead() -> None:
    for page in PAGES:
        for target in re.findall(r"\]\(([^)#]+)\)", page.read_text(encoding="utf-8")):
            assert target.startswith("https://") or (page.parent / target).exists(), f"{page}: {target}"
