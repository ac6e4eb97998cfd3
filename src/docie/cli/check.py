"""docie check: whether references and predictions were written alike, before a score is believed."""

from __future__ import annotations

import os
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import typer

from docie.cli import runs
from docie.cli.options import arguments as o
from docie.core.errors import InputError

if TYPE_CHECKING:  # numpy comes with it
    from docie.questions.check import CheckResult

HELP = (
    "Check whether references and predictions were written alike.\n\n"
    "Ids, names, structure and formats that differ lower a score although the values are correct. Each finding names "
    "the entries of docie.toml that allow for the difference; --write makes the file. A low score that none explains "
    "is told, with values. "
    "Exit code 1 if documents cannot be scored as they are, or if docie.toml would have lines that are no comments; 0 "
    "if findings are only told, or left to a person; 2 for bad input."
)


def check(
    context: typer.Context,
    references: o.References,
    predictions: o.Predictions,
    normalize: o.Normalize = None,
    match: o.Match = None,
    schema: o.Schema = None,
    option: o.OfFamily = None,
    config: o.Config = None,
    output: o.Printed = o.Format.table,
    write: o.WriteConfig = None,
    force: o.Force = False,
) -> None:
    """Check whether references and predictions were written alike."""
    from docie.diagnosis.config_file import has_active
    from docie.questions.check import check as ask

    def asked(**given: Any) -> CheckResult:
        return replace(ask(**given), config_file=write)

    if write is not None and os.path.exists(write) and not force:
        runs.fail(InputError(f"--write {write}: it exists; --force replaces it"))
    found = runs.answer(context, asked, write=None, force=None, progress=True)
    if write is not None:
        _write(write, found)
    if found.problem or has_active(found, found.given):
        raise typer.Exit(1)


def _write(path: str, found: CheckResult) -> None:
    """Write what asks for all changes to a file, if there are any."""
    from docie.diagnosis.config_file import config_file
    from docie.show.destination import Destination

    if not found.options:
        return runs.say(f"{path}: not written, as no option changes anything")
    try:
        with Destination(path) as file, file.opened() as stream:
            stream.write(config_file(found, found.given, path))
    except ValueError as error:
        runs.fail(error)
