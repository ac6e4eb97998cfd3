"""What the commands that read references and predictions share: their arguments, and how they end."""

from __future__ import annotations

import contextlib
import dataclasses
import inspect
import os
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from enum import StrEnum
from functools import partial, wraps
from typing import Annotated, Any, NoReturn

import typer

from docie.cli.output import streams
from docie.core.errors import InputError
from docie.core.family import Family
from docie.core.normalizers import NORMALIZERS
from docie.core.reading import DATASETS, RECORDS, Reading
from docie.core.scores import score_of
from docie.show import writers
from docie.show.section import Section, printable

NORMALIZE_HELP = (
    f"A normalizer ({', '.join(NORMALIZERS)}), or ENTITY_TYPE=NORMALIZER; may be repeated. "
    "Arguments settle ambiguous formats: 'number(decimal=\",\")', 'date(day_first=True)'."
)

MATCH_HELP = (
    "Which different texts still count as the same value: a match rule such as 'similar(0.9)' or 'within(1%)', "
    "or ENTITY_TYPE=RULE; may be repeated."
)
SCHEMA_HELP = (
    "A file with one or more JSON Schemas: numbers are compared as numbers, dates as dates, texts without case."
)


class Format(StrEnum):
    """How results are printed."""

    table = "table"
    json = "json"
    markdown = "markdown"
    latex = "latex"


WRITERS: dict[Format, Callable[[Iterable[Section]], str]] = {
    Format.table: writers.to_terminal,
    Format.markdown: writers.to_markdown,
    Format.latex: writers.to_latex,
}


class Missing(StrEnum):
    """How a reference without a prediction is scored."""

    error = "error"
    empty = "empty"


# an option in one of the groups of the help
what = partial(typer.Option, rich_help_panel="What to score")
when = partial(typer.Option, rich_help_panel="When a value is correct")
how_read = partial(typer.Option, rich_help_panel="How references and predictions are read")
how_sure = partial(typer.Option, rich_help_panel="How sure")
large = partial(typer.Option, rich_help_panel="Large corpora")
printed = partial(typer.Option, rich_help_panel="Output")

References = Annotated[
    str,
    typer.Argument(
        help="JSON Lines, a JSON list, a table (CSV, TSV, Excel, Parquet), a file of tagged words, a folder of these "
        "or of JSON files, a URL, or - (stdin)."
    ),
]
Predictions = Annotated[str, typer.Argument(help="Likewise; joined by id if all have one, else by order.")]
NormalizeOption = Annotated[list[str] | None, when("--normalize", help=NORMALIZE_HELP)]
MatchOption = Annotated[list[str] | None, when("--match", help=MATCH_HELP)]
SchemaOption = Annotated[str | None, when("--schema", help=SCHEMA_HELP)]
GroupByOption = Annotated[
    str | None, what(help="Add scores by a column of the rows' meta objects, such as vendor or template.")
]
ClusterOption = Annotated[
    str | None,
    what(
        "--cluster",
        help="A column of the rows' meta objects, such as vendor, whose documents are alike: they count as one.",
    ),
]
FamilyOption = Annotated[
    list[str] | None, when("--option", help="An option of a family as NAME=VALUE, such as matching=greedy.")
]
WeightsOption = Annotated[str | None, when(help="A JSON file that maps entity types to weights, for weighted scores.")]
WorkersOption = Annotated[int, large(help="Number of processes.")]
MaxSecondsOption = Annotated[float | None, large(help="Stop at a document that takes longer, and name it.")]
FormatOption = Annotated[
    Format, printed("--format", help="How to print the results; markdown and latex paste into a paper.")
]


_SIDE = "[references:|predictions:]"
_READING = {
    "unwrap": (f"{_SIDE}PATH", "Where the document stands in a row, such as output.data; may be repeated."),
    "parse": (
        f"{_SIDE}HOW",
        "How rows are written: auto, no (as they stand), llm or donut (texts), or the name of a service or an "
        "annotation tool, such as textract_expense or label_studio; may be repeated. [default: auto]",
    ),
    "lines": (
        f"{_SIDE}FILE",
        "A table with the line items of a table of documents, joined by the id; may be repeated.",
    ),
    "id_key": (
        "KEY[:PREDICTIONS_KEY]",
        "The key with the id of a row, which is not scored; '' if rows have no id. [default: id]",
    ),
    "strip_id": (
        "ending|folder|zeros|TEXT",
        "What is removed from ids before they are compared: the file ending, the folder, the zeros that numbers begin "
        "with, or a text that ids begin or end with; may be repeated.",
    ),
    "common_ids": (None, "Only documents whose ids are in both references and predictions."),
    "missing": (None, "A reference whose id has no prediction: an error, or an empty document."),
    "rename": (
        "PREDICTIONS_NAME=NAME|FILE|SERVICE:KIND",
        "An entity type or group of the predictions that the references name otherwise; a JSON or YAML file that maps "
        "names to names; or the ready names of a service, such as textract_expense:invoices; may be repeated.",
    ),
    "ignore": ("TYPE", "An entity type or group that is not scored; may be repeated."),
    "records": (
        "|".join((*RECORDS, *DATASETS)),
        "How groups are written, if not as objects, or the data set whose records the references are; may be repeated.",
    ),
    "pages": (
        f"{_SIDE}name|KEY",
        "Rows are pages, which are merged to documents: by the number at the end of their names or ids, or by that "
        "under a key of the row; may be repeated.",
    ),
    "failures": (
        "KEY",
        "A key that only a report of a failure has, such as error: such a prediction is invalid; may be repeated.",
    ),
    "normalize_by": (
        "FILE",
        "A JSON file, or JSON text, with normalizers by a column of the rows' meta: "
        '{"country": {"DE": {"total": "number(decimal=\\",\\")"}}}.',
    ),
    "dataset": ("FOLDER|NAME", "A data set in place of REFERENCES: a folder, or its name on the Hugging Face Hub."),
    "split": (None, "The split of --dataset, such as test."),
    "issues": ("FILE", "Write what was repaired or dropped in answers of models and services, as JSON Lines."),
}
"""The options of commands that read rows, most of them of a `Reading`: what stands for values, and what the help says.

Those of a data set are none by then: `checks.Command` has made the references of them.
"""
_KINDS: dict[object, tuple[Any, object]] = {
    (): (list[str] | None, None),
    False: (bool, False),
    "error": (Missing, Missing.error),
}
"""From the defaults of a `Reading` to types and defaults on the command line."""


def reads(command: Callable[..., None]) -> Callable[..., None]:
    """Give a command the options of a `Reading`, which it gets as its argument `reading`, and `--issues`."""

    @wraps(command)
    def with_reading(**arguments: Any) -> None:
        given = {name: arguments.pop(name) for name in _READING}
        try:
            with _issues_to(given.pop("issues")):
                command(**arguments, reading=_reading_of(given))
        except ValueError as error:
            fail(error)

    signature = inspect.signature(command, eval_str=True)
    own = [each for name, each in signature.parameters.items() if name != "reading"]
    parameters = [*own, *map(_parameter, _READING)]
    with_reading.__signature__ = signature.replace(parameters=parameters)  # type: ignore[attr-defined]
    with_reading.__annotations__ = {each.name: each.annotation for each in parameters}
    return with_reading


def _parameter(name: str) -> inspect.Parameter:
    """The option of a command, by the default that it has in a `Reading`: several texts, a switch, or one text."""
    metavar, text = _READING[name]
    default = next((each.default for each in dataclasses.fields(Reading) if each.name == name), None)
    kind, given = _KINDS.get(default, (str | None, None))
    option = (printed if name == "issues" else how_read)(f"--{name.replace('_', '-')}", metavar=metavar, help=text)
    annotation = Annotated[kind, option]  # type: ignore[valid-type]
    return inspect.Parameter(name, inspect.Parameter.POSITIONAL_OR_KEYWORD, default=given, annotation=annotation)


@contextlib.contextmanager
def _issues_to(path: str | None) -> Iterator[None]:
    """Inside this block, the issues of answers are kept. They are written to a file, unless the command fails.

    Raises:
        ValueError: if it cannot be written.
    """
    if path is None:
        yield
        return
    from docie.files.answers import kept_issues
    from docie.show.destination import Destination

    with Destination(path) as file, kept_issues() as issues:
        code = 0
        try:
            yield
        except typer.Exit as end:
            code = end.exit_code
        if code != 2:
            with file.opened() as stream:
                stream.writelines(f"{writers.json_text(issue._asdict())}\n" for issue in issues)
    if code:
        raise typer.Exit(code)


def _reading_of(given: dict[str, Any]) -> Reading | None:
    """The reading that options ask for.

    Raises:
        InputError: for a value that an option does not take.
    """
    try:
        names = [each for text in given["rename"] or () for each in _ready_names(text)]
        return Reading.of({name: value for name, value in {**given, "rename": names}.items() if value is not None})
    except ValueError as error:
        name, _, rest = str(error).partition(" ")
        option = name.rstrip(":").replace("_", "-")
        raise InputError(f"--{option}{':' * name.endswith(':')} {rest}") from None


def _ready_names(text: str) -> list[str]:
    """The names of a service that a text of the option `rename` asks for; otherwise the text."""
    service, mark, kind = text.partition(":")
    if not mark or "=" in text or os.path.exists(text):
        return [text]
    from docie.adapters import services
    from docie.core.names import as_texts, with_groups

    try:
        return as_texts(with_groups(services.names(kind, service)))
    except ValueError as error:
        raise ValueError(f"rename: {error}") from None


@contextlib.contextmanager
def prints_to_pipe() -> Iterator[None]:
    """Inside this block, results are printed."""
    try:
        with streams.results():
            yield
    except OSError as error:
        fail(error)


def print_results(output: Format, sections: Iterable[Section], results: object) -> None:
    """Print sections of results, or for programs all of the results as JSON."""
    print(writers.json_text(results, indent=2) if output == Format.json else WRITERS[output](sections))


def check_score(score: str | None, families: Mapping[str, Family]) -> None:
    """Raise ValueError if none of the families has this score; without a score, anything is fine."""
    if score is not None and not any(each.names(score) for family in families.values() for each in family.SCORES):
        score_of(next(iter(families.values())), score)


def print_score(score: str, results: Mapping[str, Mapping[str, object]]) -> None:
    """Print one number, with all of its digits."""
    found = [figures[score] for figures in results.values() if score in figures]
    if len(found) != 1:
        raise ValueError(f"--score-only {score}: expected one metric that has it with these options, got {len(found)}")
    print(writers.json_text(found[0]))


def print_warnings(notes: Iterable[object]) -> None:
    """Print each of these once, to stderr."""
    for note in dict.fromkeys(map(str, notes)):
        say(f"warning: {note}")


def say(message: str) -> None:
    """Print a message as one line to stderr. Names and values in it move no cursor and set no colours."""
    print(printable(message), file=sys.stderr)


def fail(error: Exception) -> NoReturn:
    """End with one line on stderr and exit code 2."""
    if isinstance(error, MemoryError):
        error = MemoryError("out of memory: a document is too large to be compared as a whole; split it into pages")
    say(str(error))
    raise typer.Exit(2)
