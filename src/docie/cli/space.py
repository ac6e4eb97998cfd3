"""docie space: folders for the Hugging Face Hub."""

from __future__ import annotations

from typing import Annotated

import typer

from docie.cli import runs
from docie.cli.output.checks import Command

app = typer.Typer(help="Make Spaces for the Hugging Face Hub.", no_args_is_help=True)
HELP = (
    "Make the folder of a Space.\n\n"
    "It has the page, the metric for evaluate.load, its card, requirements, and docie as a wheel. "
    "Nothing leaves this machine unless --push asks for it."
)


@app.callback()
def _space() -> None:
    """Make Spaces for the Hugging Face Hub."""


@app.command(cls=Command, help=HELP)
def build(
    name: Annotated[str, typer.Argument(metavar="FAMILY|explorer", help="A metric family, or explorer for all.")],
    out: Annotated[
        str,
        typer.Option(metavar="FOLDER", help="The folder to make, named as the Space. An earlier build is replaced."),
    ],
    push: Annotated[
        str | None,
        typer.Option(metavar="USER/NAME", help="Upload the folder to this public Space; created if it does not exist."),
    ] = None,
) -> None:
    """Make the folder of a Space."""
    from docie import hub

    try:
        folder = hub.build(name, out, repository=push)
        print(folder)
        if push:
            print(hub.push(folder, push))
    except (ValueError, OSError, ModuleNotFoundError) as error:
        runs.fail(error)
