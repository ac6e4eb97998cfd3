"""docie score: score predictions against references, and print the results."""

from __future__ import annotations

import warnings
from collections.abc import Iterable
from enum import StrEnum
from typing import Annotated, Any

import typer

from docie.cli import options as cli_options
from docie.cli import runs
from docie.cli.hints import FormHint
from docie.errors import DocumentError
from docie.family import Family

HELP = (
    "Score predictions against references. "
    "A row is a document, a list of entities, tags or boxes, tagged words, "
    "or an object with only the keys id, meta, document, prediction, reference, ground_truth and gt_parse. "
    "Results go to stdout, progress and errors to stderr. Exit code 2 means bad input."
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


def score(
    references: runs.References,
    predictions: runs.Predictions,
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
    normalize: runs.NormalizeOption = None,
    match: runs.MatchOption = None,
    schema: runs.SchemaOption = None,
    weights: Annotated[
        str | None, typer.Option(help="A JSON file that maps entity types to weights, for weighted figures.")
    ] = None,
    seconds_per_correction: Annotated[
        float | None, typer.Option(help="What a correction takes; adds minutes per 100 documents.")
    ] = None,
    option: runs.FamilyOption = None,
    missing: runs.MissingOption = runs.Missing.error,
    id_key: runs.IdKeyOption = "id",
    workers: Annotated[int, typer.Option(help="Number of processes.")] = 1,
) -> None:
    """Score predictions against references, and print the results."""
    from docie.documents import peek_input_kind

    input_kind = ""
    try:
        accepts_text = cli_options.accepts_text(metric or [])
        joined = runs.join(references, predictions, missing=missing, id_key=id_key, accepts_text=accepts_text)
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
        hints = []
        if "kieval" in families:
            hints = list(hint.lines(settings["kieval"], results["kieval"]["corrections"]))
    except DocumentError as error:
        if not metric and input_kind == "value" and ("must be a JSON" in error.problem or "not JSON" in error.problem):
            error.problem += "; --metric anls_star scores texts, numbers and lists"
        runs.fail(joined.located(error))
    except (ValueError, MemoryError) as error:
        runs.fail(error)
    runs.print_warnings([*joined.warnings(), *(warning.message for warning in caught)])
    for line in hints:
        runs.say(f"hint: {line}")
    if seconds_per_correction is not None:
        for figures in results.values():
            _add_minutes(figures)
    with runs.prints_to_pipe():
        print_results(results, output, sort=sort, joined_by=joined.joined_by)


def _evaluate(family: Family, pairs: Iterable[tuple[Any, Any]], settings: Any, **options: Any) -> dict[str, Any]:
    from docie import corpus

    results = corpus.evaluate(family, *runs.unzip(pairs), settings, progress=True, **options)
    if options["breakdown"] and not any(isinstance(value, dict) for value in results.values()):
        warnings.warn(f"{family.NAME} has no figures by field here", stacklevel=2)
    return results


def _add_minutes(figures: dict[str, Any]) -> None:
    """Seconds per document, as `--seconds-per-correction` gives them, as minutes per 100 documents."""
    for end in ("", "_interval"):
        if (seconds := figures.get(f"correction_cost_per_document{end}")) is not None:
            minutes = [100 * each / 60 for each in seconds] if end else 100 * seconds / 60
            figures[f"minutes_per_100_documents{end}"] = minutes


def print_results(
    results: dict[str, dict[str, Any]], output: Format, *, sort: str = Sort.name, joined_by: str = ""
) -> None:
    """Print the results of the families in the asked form."""
    from docie import tables

    if output == Format.json:
        print(tables.json_text(results, indent=2))
        return
    for number, (name, figures) in enumerate(results.items()):
        parts, line = tables.tables(name, figures, sort=sort), tables.facts(figures, joined_by=joined_by)
        if number:
            print()
        if output == Format.markdown:
            heading = [f"### {name}"] if len(results) > 1 else []
            print("\n\n".join([*heading, *map(tables.markdown, parts), tables.markdown_text(line)]))
        else:
            tables.show(parts, line)
