"""How commands ask a question and print its answer, and how they end."""

from __future__ import annotations

import contextlib
import re
import shlex
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any, NoReturn, TypeVar

import typer

from docie.cli.options import parsing
from docie.cli.output import streams
from docie.core.notes import noted
from docie.core.phrases import printable

if TYPE_CHECKING:  # numpy comes with them
    from docie.show.destination import Destination
    from docie.show.result import Result

OF_COMMANDS = frozenset({"output", "file", "report"})
"""The options that questions do not have: what is done with the answer."""
SHOWN_DOCUMENTS = 20_000
"""The documents that a report shows: those with the most corrections, or that move the scores most."""
AnyResult = TypeVar("AnyResult", bound="Result")


def answer(
    context: typer.Context, question: Callable[..., AnyResult], *, only: str | None = None, **more: Any
) -> AnyResult:
    """Ask a question, print the answer, and write the report.

    Args:
        context: of the command; its arguments and options are those of the question, but for `OF_COMMANDS`.
        question: the question.
        only: the one score to print; None for the whole result.
        **more: what the question gets instead of these; None for what it does not have.
    """
    from docie.corpus.progress import waiting  # numpy comes with it

    params = context.params
    with (
        ended(context),
        report_to(params.get("report")) as report,
        output_to(params.get("file"), params["output"]) as output,
    ):
        with noted(warns=False), waiting(f"docie {context.info_name}"):  # the answer has them
            result = question(**given(params, more))
        said = [*result.notes]
        print_warnings(said)
        with noted(warns=False) as found:
            if output is None:
                print_result(result, params["output"], only, command_line(context))
            else:
                write_to(output, result, params["output"], context)
        # the notes of a long answer are known at its end
        print_warnings(note for note in [*result.notes, *found] if note not in said)
        if report is not None:
            write_to(report, result, "html", context)
    return result


@contextlib.contextmanager
def ended(context: typer.Context) -> Iterator[None]:
    """Inside this block, what is wrong with the input ends the command: one line on stderr, and exit code 2."""
    try:
        yield
    except (ValueError, MemoryError, ModuleNotFoundError) as error:
        fail(error, context)


def given(params: Mapping[str, Any], more: Mapping[str, Any]) -> dict[str, Any]:
    """The arguments of a question: those that were given, with `more` in place of others.

    >>> given({"references": "r", "option": ["seed=1"], "normalize": ["nfkc"], "name": ["a"]}, {"name": None})
    {'references': 'r', 'normalize': ['nfkc'], 'seed': 1}
    """
    found = {name: value for name, value in {**params, **more}.items() if name not in OF_COMMANDS}
    settings = parsing.by_name(found.pop("option", None))
    found |= {"normalize": parsing.normalize_of(found.get("normalize")), "match": parsing.match_of(found.get("match"))}
    for name in settings.keys() & found.keys() - {"normalize", "match", "schema"}:
        raise ValueError(f"--option {name}: no setting has this name; see --help")
    return {name: value for name, value in found.items() if value not in (None, [], ())} | settings


@contextlib.contextmanager
def report_to(path: str | None) -> Iterator[Destination | None]:
    """Inside this block a report may be written; None without a path. What prevents it is found out at its beginning.

    Raises:
        ModuleNotFoundError: if a package is missing.
        ValueError: for a path that cannot be written.
    """
    with contextlib.nullcontext() if path is None else output_to(path, "html") as file:
        yield file


@contextlib.contextmanager
def destination(path: str | None) -> Iterator[Destination | None]:
    """Inside this block a file may be written; None without a path. One that cannot be is found out at its beginning.

    Raises:
        ValueError: for a path that cannot be written.
    """
    if path is None:
        yield None
        return
    from docie.show.destination import Destination

    with Destination(path) as file:
        yield file


@contextlib.contextmanager
def output_to(path: str | None, form: str | None) -> Iterator[Destination | None]:
    """Inside this block an answer may be written to a file; None without a path, for standard output.

    Raises:
        ModuleNotFoundError: if a package is missing.
        ValueError: for a path that cannot be written, and for a format that it cannot have.
    """
    from docie.show.write import Format, format_of

    with destination(path) as file:
        if format_of(sys.stdout if file is None else file, form) == Format.html:
            from docie.show.page.output import check_packages  # scipy comes with it

            check_packages()
        yield file


def print_result(result: Any, form: str | None, only: str | None = None, command: str = "") -> None:
    """Print a result, or one of its scores with all of its digits. A page names the command that made it."""
    from docie.corpus.progress import waiting
    from docie.show.write import write
    from docie.show.writers import json_text

    # a bar would stand among rows that are printed as documents are read
    with prints_to_pipe(), contextlib.nullcontext() if sys.stdout.isatty() else waiting("writing"):
        if only is None:
            write(result, sys.stdout, form, command=command)
        else:
            print(json_text(result[only]))


def write_to(file: Destination, result: Result, form: str | None, context: typer.Context) -> None:
    """Write a result to a file, with the command that made it."""
    from docie.corpus.progress import waiting
    from docie.show.write import write

    with waiting(f"writing {file.name}"):
        write(result, file, form, command=command_line(context))


def command_line(context: typer.Context) -> str:
    """The command as it was given, from what Typer has read: without options at their defaults."""
    arguments: list[str] = []
    given: list[str] = []
    command: Any = context.command
    for parameter in command.params:
        value = context.params.get(parameter.name)
        if parameter.param_type_name == "argument":
            arguments += map(str, value if isinstance(value, list | tuple) else [value])
        elif value != parameter.get_default(context):
            each = value if isinstance(value, list | tuple) else [value]
            for one in each:
                given += [parameter.opts[-1]] if one is True else [parameter.opts[-1], str(getattr(one, "value", one))]
    return shlex.join(["docie", str(context.info_name), *arguments, *given])


@contextlib.contextmanager
def prints_to_pipe() -> Iterator[None]:
    """Inside this block, results are printed."""
    try:
        with streams.results():
            yield
    except OSError as error:
        fail(error)


def print_warnings(notes: Iterable[object]) -> None:
    """Print each of these once, to stderr."""
    for note in dict.fromkeys(map(str, notes)):
        say(f"warning: {note}")


def say(message: str) -> None:
    """Print a message as one line to stderr. Names and values in it move no cursor and set no colours."""
    print(printable(message), file=sys.stderr)


def fail(error: Exception, context: typer.Context | None = None) -> NoReturn:
    """End with one line on stderr and exit code 2. Arguments are called as the options of the command line."""
    if isinstance(error, MemoryError):
        error = MemoryError("out of memory: a document is too large to be compared as a whole; split it into pages")
    message, command = str(error), None if context is None else context.command
    for parameter in getattr(command, "params", ()):
        if parameter.param_type_name == "option":
            message = with_option(message, str(parameter.name), parameter.opts[-1])
    say(message)
    raise typer.Exit(2)


def with_option(message: str, argument: str, option: str) -> str:
    """A message with an option in place of an argument: the one that it is about, and the one that it advises.

    >>> with_option("metric: expected one, got 'all'", "metric", "--metric")
    "--metric: expected one, got 'all'"
    >>> with_option('r.jsonl:1: not an object; metric="anls_star" scores texts', "metric", "--metric")
    'r.jsonl:1: not an object; --metric anls_star scores texts'
    """
    message = re.sub(rf"^{argument}(?=:| must )", option, message)
    return re.sub(rf'; {argument}=(?:"(\w+)")?', lambda found: f"; {option} {found[1] or ''}".rstrip(), message)
