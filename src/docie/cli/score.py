"""docie score: score predictions against references, and print the results."""

from __future__ import annotations

import itertools
import json
import os
import sys
import warnings
from collections.abc import Iterable
from enum import StrEnum
from typing import Annotated, Any, NoReturn

import typer

from docie.cli import options as cli_options
from docie.cli.hints import FormHint
from docie.errors import DocumentError
from docie.family import Family
from docie.normalizers import NORMALIZERS

HELP = (
    "Score predictions against references. "
    "A row is a document, a list of entities, tags or boxes, tagged words, "
    "or an object with only the keys id, meta, document, prediction, reference, ground_truth and gt_parse. "
    "Results go to stdout, progress and errors to stderr. Exit code 2 means bad input."
)


NORMALIZE_HELP = (
    f"A normaliser ({', '.join(NORMALIZERS)}), or ENTITY_TYPE=NORMALISER; may be repeated. "
    "What is not certain can be stated: 'number(decimal=\",\")', 'date(day_first=True)'."
)
MATCH_HELP = (
    "Which different texts still count as the same value: similar(0.9), within(0.01), within(1%), "
    "or ENTITY_TYPE=RULE; may be repeated."
)
SCHEMA_HELP = (
    "A file with a JSON Schema, or with several: numbers are compared as numbers, dates as dates, texts without case."
)


class Format(StrEnum):
    """How results are printed."""

    table = "table"
    json = "json"
    markdown = "markdown"


class Sort(StrEnum):
    """How the rows of tables by field are sorted."""

    name = "name"
    cost = "cost"
    support = "support"


class Missing(StrEnum):
    """What becomes of a reference without a prediction."""

    error = "error"
    empty = "empty"


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
        typer.Option(
            help="A family, or all that read the input; may be repeated. "
            "Without it, the input format selects the metric."
        ),
    ] = None,
    by_field: Annotated[bool, typer.Option("--by-field", help="Add figures by entity type and group type.")] = False,
    confidence_level: Annotated[
        float | None, typer.Option(help="Add intervals at this level, such as 0.95 (document bootstrap).")
    ] = None,
    bootstrap_samples: Annotated[int, typer.Option(help="Number of samples that intervals are made of.")] = 1000,
    seed: Annotated[int, typer.Option(help="Seed of these samples.")] = 0,
    sort: Annotated[
        Sort, typer.Option(help="Sort tables by field by name, by what costs most, or by support.")
    ] = Sort.name,
    output: Annotated[Format, typer.Option("--format", help="How to print the results.")] = Format.table,
    normalize: Annotated[list[str] | None, typer.Option(help=NORMALIZE_HELP)] = None,
    match: Annotated[list[str] | None, typer.Option(help=MATCH_HELP)] = None,
    schema: Annotated[str | None, typer.Option(help=SCHEMA_HELP)] = None,
    weights: Annotated[
        str | None, typer.Option(help="A JSON file that maps entity types to weights, for weighted figures.")
    ] = None,
    seconds_per_correction: Annotated[
        float | None, typer.Option(help="What a correction takes; adds minutes per 100 documents.")
    ] = None,
    option: Annotated[
        list[str] | None, typer.Option(help="An option of a family as NAME=VALUE, such as matching=greedy.")
    ] = None,
    missing: Annotated[
        Missing, typer.Option(help="A reference whose id has no prediction is an error, or scored against nothing.")
    ] = Missing.error,
    id_key: Annotated[
        str, typer.Option(help="The key that holds the id of a row, which is not scored; '' if rows have no id.")
    ] = "id",
    workers: Annotated[int, typer.Option(help="Number of processes.")] = 1,
) -> None:
    """Score predictions against references, and print the results."""
    from docie.documents import peek_input_kind
    from docie.files import Joined, Source

    input_kind = ""
    try:
        accepts_text = cli_options.accepts_text(metric or [])
        sources = (
            Source(path, side, accepts_text=accepts_text, id_key=id_key)
            for path, side in ((references, "reference"), (predictions, "prediction"))
        )
        joined = Joined(*sources, missing_empty=missing == Missing.empty)
        input_kind, pairs = peek_input_kind(joined)
        families = cli_options.choose_families(metric or [], input_kind)
        hint = FormHint()
        if "kieval" in families:
            pairs = hint.watch(pairs)
        kept = list(pairs) if len(families) > 1 else []
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always", UserWarning)
            settings = cli_options.settings_of_families(
                families,
                normalize or (),
                option or (),
                match or (),
                schema=schema,
                weights=weights,
                costs=seconds_per_correction,
            )
            results = {
                name: _evaluate(
                    family,
                    kept or pairs,
                    settings[name],
                    breakdown=by_field,
                    confidence_level=confidence_level,
                    bootstrap_samples=bootstrap_samples,
                    seed=seed,
                    workers=workers,
                )
                for name, family in families.items()
            }
        hints = list(hint.lines(settings["kieval"])) if "kieval" in families else []
    except DocumentError as error:
        if not metric and input_kind == "value":
            error.problem += "; --metric anls_star scores texts, numbers and lists"
        _fail(joined.located(error))
    except ValueError as error:
        _fail(error)
    except MemoryError:
        _fail(MemoryError("out of memory: a document is too large to be compared as a whole; split it into pages"))
    for note in dict.fromkeys([*joined.warnings(), *(str(warning.message) for warning in caught)]):
        print(f"warning: {note}", file=sys.stderr)
    for line in hints:
        print(f"hint: {line}", file=sys.stderr)
    if seconds_per_correction is not None:
        for figures in results.values():
            _add_minutes(figures)
    _print(results, output, sort=sort, joined_by=joined.joined_by)


def _evaluate(family: Family, pairs: Iterable[tuple[Any, Any]], settings: Any, **options: Any) -> dict[str, Any]:
    from docie import corpus

    pairs, again = itertools.tee(pairs)
    predictions, references = (prediction for prediction, _ in pairs), (reference for _, reference in again)
    results = corpus.evaluate(family, predictions, references, settings, progress=True, **options)
    if options["breakdown"] and not any(isinstance(value, dict) for value in results.values()):
        warnings.warn(f"{family.NAME} has no figures by field here", stacklevel=2)
    return results


def _add_minutes(figures: dict[str, Any]) -> None:
    """Seconds per document, as `--seconds-per-correction` gives them, as minutes per 100 documents."""
    for end in ("", "_interval"):
        if (seconds := figures.get(f"correction_cost_per_document{end}")) is not None:
            minutes = [100 * each / 60 for each in seconds] if end else 100 * seconds / 60
            figures[f"minutes_per_100_documents{end}"] = minutes


def _print(results: dict[str, dict[str, Any]], output: Format, **options: str) -> None:
    try:
        print_results(results, output, **options)
        sys.stdout.flush()
    except BrokenPipeError:  # the reader has seen enough, as `head` does
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    except OSError as error:
        _fail(error)


def print_results(
    results: dict[str, dict[str, Any]], output: Format, *, sort: str = Sort.name, joined_by: str = ""
) -> None:
    """Print the results of the families in the asked form."""
    from docie import tables

    if output == Format.json:
        print(json.dumps(results, indent=2))
        return
    for number, (name, figures) in enumerate(results.items()):
        parts, line = tables.tables(name, figures, sort=sort), tables.facts(figures, joined_by=joined_by)
        if number:
            print()
        if output == Format.markdown:
            heading = [f"### {name}"] if len(results) > 1 else []
            print("\n\n".join([*heading, *map(tables.markdown, parts), line]))
        else:
            tables.show(parts, line)


def _fail(error: Exception) -> NoReturn:
    print("\\n".join(str(error).splitlines()), file=sys.stderr)
    raise typer.Exit(2)
