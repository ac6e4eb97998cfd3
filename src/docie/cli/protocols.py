"""docie protocols: list the published scores that can be made by name, or say all of one."""

from __future__ import annotations

from typing import Annotated

import typer

from docie.cli import runs
from docie.cli.options import arguments as o
from docie.cli.options import completion

HELP = (
    "List the published scores, or explain one.\n\n"
    "Of each, it says what it is, which metric computes it and which score is quoted; of one, also its options, "
    "published scores, known faults of the original, and what it was compared with. docie score --protocol NAME "
    "computes it."
)


def protocols(
    context: typer.Context,
    name: Annotated[
        str | None,
        typer.Argument(help="A protocol, to explain it.", show_default=False, autocompletion=completion.protocols),
    ] = None,
    output: o.Printed = o.Format.table,
) -> None:
    """List the published scores, or explain one."""
    from docie.questions.protocols import protocols as ask

    runs.answer(context, ask)
