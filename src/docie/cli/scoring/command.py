"""docie score: score predictions against references, and print the results."""

from __future__ import annotations

import contextlib
import warnings
from collections.abc import Callable, Iterable, Iterator
from enum import StrEnum
from functools import partial
from typing import TYPE_CHECKING, Annotated, Any

import typer

from docie.cli import options as cli_options
from docie.cli import reports, runs
from docie.cli.scoring import engines, partitioned
from docie.core.errors import DocumentError
from docie.core.family import Family
from docie.show import tables

if TYPE_CHECKING:  # numpy comes with it
    from docie.files.joined import Joined

Results = dict[str, dict[str, Any]]
"""From the names of families to their figures."""

HELP = (
    "Score predictions against references. "
    "A row is a document, a list of entities, tags or boxes, tagged words, "
    "or an object with only the keys id, meta, document, prediction, reference, ground_truth and gt_parse. "
    "Results go to stdout, progress and errors to stderr. Exit code 2 means bad input."
)


class Interval(StrEnum):
    """How intervals are made."""

    percentile = "percentile"
    t = "t"
    poisson = "poisson"


class Sort(StrEnum):
    """How the rows of tables by field are sorted."""

    name = "name"
    cost = "cost"
    support = "support"


def score(
    context: typer.Context,
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
    interval: Annotated[
        Interval,
        typer.Option(
            help="How they are made. t covers better where documents are few or unequal; poisson keeps no documents."
        ),
    ] = Interval.percentile,
    bootstrap_samples: Annotated[int, typer.Option(help="Number of samples that intervals are made of.")] = 1000,
    seed: Annotated[int, typer.Option(help="Seed of these samples.")] = 0,
    group_by: runs.GroupByOption = None,
    sort: Annotated[
        Sort, typer.Option(help="Sort tables by field by name, by what costs most, or by support.")
    ] = Sort.name,
    output: runs.FormatOption = runs.Format.table,
    normalize: runs.NormalizeOption = None,
    match: runs.MatchOption = None,
    schema: runs.SchemaOption = None,
    weights: runs.WeightsOption = None,
    seconds_per_correction: Annotated[
        float | None, typer.Option(help="What a correction takes; adds minutes per 100 documents.")
    ] = None,
    option: runs.FamilyOption = None,
    missing: runs.MissingOption = runs.Missing.error,
    id_key: runs.IdKeyOption = "id",
    workers: engines.WorkersOption = None,
    engine: engines.EngineOption = None,
    scheduler: engines.SchedulerOption = None,
    checkpoint: engines.CheckpointOption = None,
    max_seconds: runs.MaxSecondsOption = None,
    report: Annotated[
        str | None,
        typer.Option(
            help="Write a report of documents: one HTML file, which needs no network. It has intervals (0.95, if "
            "--confidence-level does not say) and KIEval's figures. A file that is there is replaced."
        ),
    ] = None,
    report_documents: Annotated[
        int, typer.Option(help="The number of documents that the report shows, those with most corrections.")
    ] = 100,
) -> None:
    """Score predictions against references, and print the results."""
    from docie.core.rules.weights import check_weight
    from docie.corpus import check_seconds
    from docie.documents.kinds import peek_input_kind

    if report is not None:
        metric, confidence_level = reports.needs(metric, confidence_level)
    make_settings = partial(
        cli_options.settings_of_families,
        normalize=normalize or (),
        options=option or (),
        match=match or (),
        schema=schema,
        weights=weights,
        costs=seconds_per_correction,
    )
    joined: Joined | None = None
    try:
        if seconds_per_correction is not None:
            check_weight("--seconds-per-correction", seconds_per_correction)
        check_seconds("--max-seconds", max_seconds)
        with (
            reports.opened(report) as file,
            engines.opened(engine, scheduler, workers) as crew,
        ):
            page = None
            if file:
                command = reports.command_line(context)
                page = reports.ReportFile(file, documents=report_documents, command=command)
            accepts_text = cli_options.accepts_text(metric or [])
            inputs = partitioned.inputs_of(
                references, predictions, missing=missing, id_key=id_key, accepts_text=accepts_text
            )
            joined = inputs.joined
            if page and (joined is None or checkpoint is not None):
                raise ValueError("--report needs two files, and no --checkpoint: it shows the documents that it reads")
            input_kind, pairs = peek_input_kind(inputs.pairs())
            if page:
                reports.check_kind(input_kind)
            with _advice(metric, input_kind):
                families = cli_options.choose_families(metric or [], input_kind)
                intervals: dict[str, Any] = {
                    "confidence_level": confidence_level,
                    "interval": interval.value,
                    "bootstrap_samples": bootstrap_samples,
                    "seed": seed,
                }
                counted: dict[str, Any] = {"group_by": group_by, "max_seconds": max_seconds}
                if joined is None or checkpoint is not None:
                    counted |= partitioned.kept(by_field, **intervals)
                    counting = partitioned.Counting(crew, checkpoint, counted)
                    scored = partitioned.scored(
                        families, inputs, pairs, make_settings, counting, breakdown=by_field, **intervals
                    )
                else:
                    scored = _scored(
                        families, joined, pairs, make_settings, page, by_field, workers=crew, **counted, **intervals
                    )
            if seconds_per_correction is not None:
                _add_minutes(scored.results, group_by)
            runs.print_warnings(scored.notes)
            with runs.prints_to_pipe():
                results = scored.results if by_field else _without_tables(scored.results)
                print_results(results, output, sort, scored.joined_by)
            if page and joined is not None:
                page.save(joined, scored.results, scored.notes, confidence_level)
    except DocumentError as error:
        runs.fail(joined.located(error) if joined else error)
    except (ValueError, MemoryError) as error:
        runs.fail(error)


@contextlib.contextmanager
def _advice(metric: list[str] | None, input_kind: str) -> Iterator[None]:
    """Inside this block, errors of what the selected metric does not score name the metric that does."""
    try:
        yield
    except DocumentError as error:
        if not metric and input_kind == "value" and ("must be a JSON" in error.problem or "not JSON" in error.problem):
            error.problem += "; --metric anls_star scores texts, numbers and lists"
        if not metric and input_kind == "tagged words" and error.problem.startswith("expected as many tags"):
            error.problem += "; --metric oi_entities scores entities of pages with other words"
        raise


def _scored(
    families: dict[str, Family],
    joined: Joined,
    pairs: Iterator[tuple[Any, Any]],
    make_settings: Callable[[dict[str, Family]], dict[str, Any]],
    page: reports.ReportFile | None,
    by_field: bool,
    **options: Any,
) -> partitioned.Scored:
    """The results of the families, and warnings. With a report, those of KIEval have its tables."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always", UserWarning)
        settings = make_settings(families)
        if page:
            pairs = page.watch(joined, pairs, settings["kieval"])
        kept = list(pairs) if len(families) > 1 else []
        results = {}
        for name, family in families.items():
            breakdown = by_field or (page is not None and name == "kieval")
            results[name] = _evaluate(family, kept or pairs, settings[name], breakdown=breakdown, **options)
    notes = [*joined.warnings(), *(str(warning.message) for warning in caught)]
    return partitioned.Scored(results, notes, joined.joined_by)


def _evaluate(family: Family, pairs: Iterable[tuple[Any, Any]], settings: Any, **options: Any) -> dict[str, Any]:
    from docie import corpus

    results = corpus.evaluate(family, *runs.unzip(pairs), settings, progress=True, **options)
    if options["breakdown"]:
        partitioned.check_tables(family, results, options["group_by"])
    return results


def _add_minutes(results: Results, group_by: str | None) -> None:
    """Seconds per document, as `--seconds-per-correction` gives them, as minutes per 100 documents."""
    for results_of_family in results.values():
        for figures in (results_of_family, *results_of_family.get(f"by_{group_by}", {}).values()):
            for end in ("", "_interval"):
                if f"correction_cost_per_document{end}" in figures:
                    seconds = figures[f"correction_cost_per_document{end}"]
                    minutes = [100 * each / 60 for each in seconds or ()] or None if end else 100 * seconds / 60
                    figures[f"minutes_per_100_documents{end}"] = minutes


def _without_tables(results: Results) -> Results:
    """Results without what only a breakdown has."""
    return {
        name: {key: value for key, value in figures.items() if key not in tables.BREAKDOWN}
        for name, figures in results.items()
    }


def print_results(results: Results, output: runs.Format, sort: Sort, joined_by: str) -> None:
    """Print the results of the families in the asked form."""
    if output == runs.Format.json:
        print(tables.json_text(results, indent=2))
        return
    for number, (name, figures) in enumerate(results.items()):
        parts, line = tables.tables(name, figures, sort=sort), tables.facts(figures, joined_by=joined_by)
        if number:
            print()
        if output == runs.Format.markdown:
            heading = [f"### {name}"] if len(results) > 1 else []
            print("\n\n".join([*heading, *map(tables.markdown, parts), tables.markdown_text(line)]))
        else:
            tables.show(parts, line)
