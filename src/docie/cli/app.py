"""The application: its commands, and how it ends.

What needs numpy is imported when a command runs, so that `docie --help` and `docie families` answer at once.
"""

from __future__ import annotations

import sys
from typing import Annotated

import typer

import docie
from docie.cli import demo, errors, score, space
from docie.family import description

app = typer.Typer(
    help="Score structured information extracted from documents.",
    add_completion=False,
    no_args_is_help=True,
    pretty_exceptions_enable=False,
)
app.command(help=score.HELP)(score.score)
app.command(help=errors.HELP)(errors.errors)
app.command(help=demo.HELP)(demo.demo)
app.add_typer(space.app, name="space")


def main() -> None:
    """The entry point. Bad input is one line on stderr and exit code 2, never a traceback."""
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="backslashreplace")  # a lone surrogate in a name must not end in a traceback
    app()


def _print_version(is_wanted: bool) -> None:
    if is_wanted:
        print(docie.__version__)
        raise typer.Exit


@app.callback()
def _options(
    version: Annotated[
        bool, typer.Option("--version", help="Print the version and stop.", callback=_print_version, is_eager=True)
    ] = False,
) -> None:
    """Score structured information extracted from documents."""


@app.command()
def families() -> None:
    """List the metric families, each with what it measures."""
    for family in docie.families():
        print(f"{family:<12}{description(family)}")
