"""docie errors: list the errors of predictions, and what would help most."""

from __future__ import annotations

import sys

import typer

from docie.cli import runs
from docie.cli.options import arguments as o

HELP = (
    "List the errors of predictions, and what they have in common.\n\n"
    "There is one row for each correction that KIEval counts, with its kind. "
    "Rows go to stdout as documents are read, progress and warnings to stderr."
)


def errors(
    context: typer.Context,
    references: o.References,
    predictions: o.Predictions,
    kind: o.Kinds = None,
    entity_type: o.EntityTypes = None,
    document: o.DocumentId = None,
    group_by: o.GroupBy = None,
    normalize: o.Normalize = None,
    match: o.Match = None,
    schema: o.Schema = None,
    option: o.OfFamily = None,
    config: o.Config = None,
    run: o.Run = None,
    max_seconds: o.MaxSeconds = None,
    output: o.Rows = None,
    file: o.OutputFile = None,
) -> None:
    """List the errors of predictions."""
    from docie.questions.errors import errors as ask

    # a bar would stand among rows that are printed as documents are read
    progress = output in (None, "table") or file is not None or not sys.stdout.isatty()
    runs.answer(context, ask, progress=progress)
