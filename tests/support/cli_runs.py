"""Runs of the command line inside of the test's process, and the files that they read."""

from __future__ import annotations

import functools
import json
import re
import shlex
from pathlib import Path
from typing import Any

from typer import testing

from docie import corpus, kieval
from docie.cli.app import app

# making all commands takes longer than most of them run
testing._get_command = functools.cache(testing._get_command)  # type: ignore[attr-defined]

DOCUMENTS: list[Any] = [{"a": "1", "g": [{"b": "2"}, {"b": "3"}]}, {"a": "2"}, {"a": ["3", "4"]}]
PREDICTIONS: list[Any] = [{"a": "1", "g": [{"b": "3"}]}, {"a": {"value": "9", "confidence": 0.4}}, None]
EXPECTED = corpus.evaluate(kieval, PREDICTIONS, DOCUMENTS)


def lines(path: Path, rows: list[Any]) -> str:
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return str(path)


def rows(name: str, documents: list[Any]) -> list[Any]:
    return [{"id": f"r-{number}", name: document} for number, document in enumerate(documents)]


def run(*arguments: str, stdin: str | None = None) -> Any:
    return run_command("score", *arguments, stdin=stdin)


def run_command(*arguments: str, stdin: str | None = None) -> Any:
    result = testing.CliRunner().invoke(app, [*arguments], input=stdin)
    assert result.exception is None or isinstance(result.exception, SystemExit), result.exception
    return result


def without_intervals(stderr: str) -> str:
    """Messages but for the one about scores without an interval, of which test_intervals.py has tests."""
    return "".join(line for line in stderr.splitlines(True) if not line.startswith("warning: no interval for "))


def scored_by_family(*arguments: str, stdin: str | None = None, warning: str = "") -> dict[str, dict[str, Any]]:
    """The figures of a run that warns of nothing, or of what `warning` says, but for scores without an interval."""
    result = run(*arguments, "--format", "json", stdin=stdin)
    assert (result.exit_code, without_intervals(result.stderr)) == (0, f"warning: {warning}\n" if warning else "")
    figures: dict[str, Any] = json.loads(result.stdout)
    figures.pop("issues", None)
    return figures


def scored(*arguments: str, stdin: str | None = None, warning: str = "") -> dict[str, Any]:
    """The figures of a run of one family."""
    [figures] = scored_by_family(*arguments, stdin=stdin, warning=warning).values()
    return figures


def commands_of(printed: str) -> list[list[str]]:
    """The commands that `docie check` advises, as the arguments behind `docie`."""
    text = printed[
        printed.rindex("\ndocie check ") if "\ndocie check " in printed else printed.rindex("\ndocie score ") :
    ]
    return [shlex.split(each.replace("\\\n", ""))[1:] for each in re.split(r"; |;\n", text)]
