"""What the commands `docie score` and `docie check` make of two files."""

from __future__ import annotations

import functools
import json
import os
import re
import tempfile
from pathlib import Path
from typing import NamedTuple

from typer.testing import CliRunner
from writing_cases import Files, Sides, json_lines

from docie.cli.app import app


class Scored(NamedTuple):
    """The score that is printed, None if there is none, and what was said."""

    score: float | None
    texts: list[str]


class Checked(NamedTuple):
    """What `docie check` found.

    Attributes:
        entries: of `docie.toml`, which ask for all changes.
        texts: each finding, its kind first and its entries last.
        is_shown: whether what is not explained is shown with values.
    """

    entries: list[str]
    texts: list[str]
    is_shown: bool


def run(*arguments: str) -> tuple[str, list[str]]:
    """What a command prints, and the lines that it says beside, without the folder of the files."""
    result = CliRunner().invoke(app, arguments, env={"COLUMNS": "400", **os.environ})
    said = [f"error: {result.exception!r}"] if isinstance(result.exception, Exception) else []
    lines = [line if line.startswith("warning:") else f"error: {line}" for line in result.stderr.splitlines()]
    folders = re.compile(rf"{re.escape(tempfile.gettempdir())}/\w+/(other/)?")
    return result.stdout, [folders.sub("", line) for line in (*said, *lines)]


def score(files: Files, config: list[str]) -> Scored:
    """KIEval's entity F1 of two files, read so."""
    options = [part for each in config for part in ("--config", each)]
    printed, said = run("score", *files, "--metric", "kieval", "--score", "entity_f1", *options)
    try:
        return Scored(float(printed), said)
    except ValueError:
        return Scored(None, said)


def check(files: Files, *options: str) -> Checked:
    """The findings on two files."""
    printed, said = run("check", *files, "--format", "json", *options)
    if not printed.startswith("{"):
        return Checked([], said, False)
    found = json.loads(printed)
    entries = [[each for each in finding["options"] if each != "--config"] for finding in found["findings"]]
    texts = [
        f"{finding['kind']}: {' '.join(finding['text'].split())} [{' '.join(asked)}]"
        for finding, asked in zip(found["findings"], entries, strict=True)
    ]
    return Checked([each for asked in entries for each in asked], texts, "unexplained" in found)


def score_of_rows(sides: Sides, config: list[str]) -> float | None:
    """KIEval's entity F1 of rows."""
    return _score_of_rows(json.dumps(sides), tuple(config))


@functools.lru_cache(maxsize=64)
def _score_of_rows(sides: str, config: tuple[str, ...]) -> float | None:
    with tempfile.TemporaryDirectory() as folder:
        return score(json_lines(Sides(*json.loads(sides)), Path(folder)), [*config]).score
