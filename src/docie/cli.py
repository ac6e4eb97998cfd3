"""The command line: docie score, docie families."""

from __future__ import annotations

import importlib
import inspect
import itertools
import json
import os
import sys
import warnings
from collections.abc import Iterable
from enum import StrEnum
from typing import Annotated, Any

import typer

import docie
from docie import inputs
from docie.errors import DocumentError

app = typer.Typer(
    help="Score structured information extracted from documents.",
    add_completion=False,
    no_args_is_help=True,
    pretty_exceptions_enable=False,
)


class Format(StrEnum):
    """How results are printed."""

    table = "table"
    json = "json"
    markdown = "markdown"


class Missing(StrEnum):
    """What becomes of a reference without a prediction."""

    error = "error"
    empty = "empty"


def main() -> None:
    """The entry point: bad input is one line on stderr and exit code 2, never a traceback."""
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="backslashreplace")  # a lone surrogate in a name must not end in a traceback
    app()


def _version(wanted: bool) -> None:
    if wanted:
        print(docie.__version__)
        raise typer.Exit


@app.callback()
def _options(
    version: Annotated[
        bool, typer.Option("--version", help="Print the version and stop.", callback=_version, is_eager=True)
    ] = False,
) -> None:
    """Score structured information extracted from documents."""


@app.command()
def families() -> None:
    """List the metric families, each with what it measures."""
    for family in docie.families():
        print(f"{family:<12}{(importlib.import_module(f'docie.{family}').__doc__ or '').splitlines()[0]}")


@app.command(
    help="Score predictions against references. "
    "A row is a document, a list of entities, tags or boxes, tagged words, "
    "or an object with only the keys id, document, prediction, reference and ground_truth. "
    "Results go to stdout, progress and errors to stderr. Exit code 2 means bad input."
)
def score(
    references: Annotated[
        str,
        typer.Argument(
            help="JSON Lines, a JSON list, a file of tagged words, a folder of such or of JSON files, or - (stdin)."
        ),
    ],
    predictions: Annotated[str, typer.Argument(help="Likewise; joined by id if both sides have one, else by order.")],
    metric: Annotated[
        list[str] | None,
        typer.Option(help="A family, or all that read the input; may be repeated. By default it depends on the input."),
    ] = None,
    by_field: Annotated[bool, typer.Option("--by-field", help="Add figures by entity type and group type.")] = False,
    confidence_level: Annotated[
        float | None, typer.Option(help="Add intervals at this level, such as 0.95 (document bootstrap).")
    ] = None,
    output: Annotated[Format, typer.Option("--format", help="How to print the results.")] = Format.table,
    normalize: Annotated[
        list[str] | None, typer.Option(help="A normaliser, or ENTITY_TYPE=NORMALISER; may be repeated.")
    ] = None,
    option: Annotated[
        list[str] | None, typer.Option(help="An option of a family as NAME=VALUE, such as matching=greedy.")
    ] = None,
    missing: Annotated[
        Missing, typer.Option(help="A reference whose id has no prediction is an error, or scored against nothing.")
    ] = Missing.error,
    workers: Annotated[int, typer.Option(help="Number of processes.")] = 1,
) -> None:
    """Score predictions against references, and print the results."""
    from docie.reading import Joined, Source

    try:
        named = {name: _family(name) for name in metric or [] if name != "all"}
        texts = "all" in (metric or []) or any("value" in family.INPUTS for family in named.values())
        sources = Source(references, "reference", texts=texts), Source(predictions, "prediction", texts=texts)
        joined = Joined(*sources, missing_empty=missing == Missing.empty)
        kind, pairs = inputs.peek(joined)
        chosen = _chosen(metric or [], kind)
        settings = _settings(chosen, normalize, option)
        kept = list(pairs) if len(chosen) > 1 else []
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always", UserWarning)
            results = {
                name: _evaluate(
                    family,
                    kept or pairs,
                    settings[name],
                    breakdown=by_field,
                    confidence_level=confidence_level,
                    workers=workers,
                )
                for name, family in chosen.items()
            }
    except DocumentError as error:
        _fail(joined.located(error))
    except ValueError as error:
        _fail(error)
    except MemoryError:
        _fail(MemoryError("out of memory: a document is too large to compare all of it; part it into pages"))
    for note in [*joined.warnings(), *(warning.message for warning in caught)]:
        print(f"warning: {note}", file=sys.stderr)
    _print(results, output)


def _evaluate(family: Any, pairs: Iterable[tuple[Any, Any]], settings: Any, **options: Any) -> dict[str, Any]:
    from docie import corpus

    left, right = itertools.tee(pairs)
    predictions, references = (prediction for prediction, _ in left), (reference for _, reference in right)
    results = corpus.evaluate(family, predictions, references, settings, progress=True, **options)
    if options["breakdown"] and not any(isinstance(value, dict) for value in results.values()):
        warnings.warn(f"{family.NAME} has no figures by field here", stacklevel=2)
    return results


def _family(name: str) -> Any:
    docie.path(name)  # raises for an unknown name
    return importlib.import_module(f"docie.{name}")


def _chosen(metrics: list[str], kind: str) -> dict[str, Any]:
    """The families of the named metrics; of all, those that read this kind of input; else the one for it."""
    families: dict[str, Any] = {}
    for metric in metrics or [inputs.DEFAULTS[kind]]:
        for name in docie.families() if metric == "all" else [metric]:
            family = _family(name)
            if metric != "all":
                inputs.check_reads(name, family.INPUTS, kind)
            if metric != "all" or kind in family.INPUTS:
                families[name] = family
    return families


def _settings(chosen: dict[str, Any], normalize: list[str] | None, options: list[str] | None) -> dict[str, Any]:
    """The settings of every family: each takes those of the options that it has."""
    values: dict[str, Any] = {}
    for text in options or []:
        name, mark, value = text.partition("=")
        if not mark:
            raise ValueError(f"--option must be NAME=VALUE, got {text!r}")
        values[name] = _json_or_text(value)
    if normalize:
        values["normalize"] = _normalize(normalize)
    known = {name: inspect.signature(family.Settings).parameters.keys() for name, family in chosen.items()}
    unknown = values.keys() - set().union(*known.values())
    if unknown:
        expected = ", ".join(sorted(set().union(*known.values())))
        raise ValueError(f"unknown option {min(unknown)!r} of {', '.join(chosen)}, expected one of: {expected}")
    return {
        name: family.Settings(**{option: value for option, value in values.items() if option in known[name]})
        for name, family in chosen.items()
    }


def _normalize(specs: list[str]) -> list[str] | dict[str, list[str]]:
    """["nfkc", ...] for all entity types, or {entity type: [...]} if every one names its type."""
    by_type: dict[str, list[str]] = {}
    for spec in specs:
        kind, mark, name = spec.partition("=")
        if mark and "(" not in kind:
            by_type.setdefault(kind, []).append(name)
    if by_type and sum(map(len, by_type.values())) < len(specs):
        raise ValueError("--normalize: name an entity type for every normaliser, or for none")
    return by_type or specs


def _json_or_text(value: str) -> Any:
    try:
        return json.loads(value)
    except (ValueError, RecursionError):
        return value


def _print(results: dict[str, dict[str, Any]], output: Format) -> None:
    try:
        print_results(results, output)
        sys.stdout.flush()
    except BrokenPipeError:  # the reader has seen enough, as `head` does
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    except OSError as error:
        _fail(error)


def print_results(results: dict[str, dict[str, Any]], output: Format) -> None:
    """Print the results of the families, in the asked form."""
    from docie import tables

    if output == Format.json:
        print(json.dumps(next(iter(results.values())) if len(results) == 1 else results, indent=2))
        return
    for number, (name, figures) in enumerate(results.items()):
        found = tables.tables(name, figures)
        if number:
            print()
        if output == Format.markdown:
            heading = [f"### {name}"] if len(results) > 1 else []
            print("\n\n".join([*heading, *map(tables.markdown, found), tables.facts(figures)]))
        else:
            tables.show(found, tables.facts(figures))


def _fail(error: Exception) -> None:
    print("\\n".join(str(error).splitlines()), file=sys.stderr)
    raise typer.Exit(2)


if __name__ == "__main__":
    main()
