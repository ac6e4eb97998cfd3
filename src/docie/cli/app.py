"""The application: its commands, and how it ends.

What needs numpy is imported when a command runs, so that `docie --help` and `docie families` answer at once.
"""

from __future__ import annotations

import gc
import sys
from functools import partial
from typing import Annotated, Any

import typer

import docie
from docie.cli import attack, check, compare, demo, errors, protocols, runs, score, space, threshold
from docie.cli.output import checks, streams
from docie.cli.output.help import WithShortHelp
from docie.core.family import description, get
from docie.show.section import Section, Table
from docie.show.terminal import to_terminal

app = typer.Typer(
    help="Score structured information extracted from documents.",
    invoke_without_command=True,
    rich_markup_mode=None,  # a line for each option, where panels would take two screens
    pretty_exceptions_enable=False,
)
question = partial(app.command, cls=checks.Command, epilog="More of each option: docs/options.md.")
question(help=score.HELP)(score.score)
question(help=check.HELP)(check.check)
question(help=errors.HELP)(errors.errors)
question(help=compare.HELP)(compare.compare)
question(help=threshold.HELP)(threshold.threshold)
question(help=attack.HELP)(attack.attack)
question(help=protocols.HELP)(protocols.protocols)
app.command(cls=checks.Command, help=demo.HELP)(demo.demo)
app.add_typer(space.app, name="space")

START = """\
docie scores what a model extracted from documents. Begin with one of these:

  docie score references.jsonl predictions.jsonl     how good are they?
  docie check references.jsonl predictions.jsonl     were both written alike?
  docie errors references.jsonl predictions.jsonl    what is wrong, what to fix?
  docie compare references.jsonl a.jsonl b.jsonl     which of two is better?

docie --help lists all commands, and docie COMMAND --help the options of one."""
"""What is printed without a command."""
RARELY = 50_000, 20, 50
"""When unreachable cycles of objects are looked for: values that are read and kept form none, and looking at them again
and again took an eighth of the time of errors, comparisons and reports."""
_UsageError: Any = typer.BadParameter.__base__
"""The error of wrong arguments. Versions of typer have it in different places."""


def main() -> None:
    """The entry point. Bad input is one line on stderr and exit code 2, never a traceback."""
    gc.set_threshold(*RARELY)
    streams.prepare()
    try:
        with streams.results():
            code = _run()
    except OSError as error:
        runs.say(str(error))
        code = 2
    sys.stderr.flush()
    sys.exit(code)


def _run() -> int:
    try:
        return app(standalone_mode=False) or 0
    except typer.Abort:  # Ctrl-C
        return 130
    except SystemExit:  # rich ends so when the reader of a pipe has gone
        return 0
    except Exception as error:
        if not isinstance(error, _UsageError):
            raise
        context = error.ctx
        if message := " ".join(error.format_message().split()):
            runs.say(f"{message.rstrip('.')}; see {context.command_path if context else 'docie'} --help")
        return 2


def _print_version(is_wanted: bool) -> None:
    if is_wanted:
        print(docie.__version__)
        raise typer.Exit


@app.callback()
def _options(
    context: typer.Context,
    version: Annotated[
        bool, typer.Option("--version", help="Print the version and stop.", callback=_print_version, is_eager=True)
    ] = False,
) -> None:
    """Score structured information extracted from documents."""
    if context.invoked_subcommand is None:
        print(START)


@app.command(cls=WithShortHelp)
def families(
    family: Annotated[str | None, typer.Argument(help="A family, to list its scores.", show_default=False)] = None,
) -> None:
    """List the metric families, or the scores of one family.

    Of each family, it says what it measures; of each score, what it means.
    """
    if family is not None:
        _print_scores(family)
        return
    rows = [[name, description(name)] for name in docie.families()]
    print(to_terminal([Section([Table("", ["family", "what it measures"], rows, texts=2, is_list=True)])]))


def _print_scores(family: str) -> None:
    try:
        scores = get(family).SCORES
    except ValueError as error:
        runs.fail(error)
    rows = [
        [f"{each.name} (headline)" if each.headline else each.name, each.better, each.kind, each.meaning]
        for each in scores
    ]
    table = Table(family, ["score", "better", "kind", "meaning"], rows, texts=4)
    print(to_terminal([Section([table])]))
