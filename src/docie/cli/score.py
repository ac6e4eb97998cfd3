"""docie score: score predictions against references, and print the results."""

from __future__ import annotations

import contextlib
import warnings
from collections.abc import Iterator, Mapping
from enum import StrEnum
from typing import TYPE_CHECKING, Annotated, TypeAlias

import typer

from docie.cli import options as cli_options
from docie.cli import runs
from docie.cli.output import reports
from docie.core.errors import DocumentError
from docie.core.family import Family
from docie.core.reading import Reading
from docie.core.scores import rounded
from docie.show import tables
from docie.show.section import Section, Table

if TYPE_CHECKING:  # numpy comes with it
    from docie.core.values.plain import JsonObject
    from docie.corpus.workers import Engine
    from docie.files.counting import Counted

Results: TypeAlias = "dict[str, JsonObject]"
"""From the names of families to their scores."""
Coefficients = Mapping[str, Mapping[str, Mapping[str, float | None]]]

HELP = (
    "Score predictions against references.\n\n"
    "A row is a document, a list of entities, tags or boxes, tagged words, "
    "or an object with only the keys id, meta, document, prediction, reference, ground_truth and gt_parse. "
    "Results go to stdout, progress and errors to stderr. Exit code 2 means bad input."
)


class Interval(StrEnum):
    """How intervals are made."""

    t = "t"
    percentile = "percentile"
    poisson = "poisson"


class Sort(StrEnum):
    """How the rows of tables by field are sorted."""

    name = "name"
    cost = "cost"
    support = "support"


class EngineName(StrEnum):
    """An engine that counts documents elsewhere."""

    dask = "dask"


@runs.reads
def score(
    context: typer.Context,
    references: runs.References,
    predictions: runs.Predictions,
    metric: Annotated[
        list[str] | None,
        runs.what(
            help="A family, or all that read the input, with their agreement over documents; may be repeated. "
            "Without it, the input format selects the metric."
        ),
    ] = None,
    by_field: Annotated[bool, runs.what("--by-field", help="Add scores by entity type and group type.")] = False,
    group_by: runs.GroupByOption = None,
    cluster: runs.ClusterOption = None,
    normalize: runs.NormalizeOption = None,
    match: runs.MatchOption = None,
    schema: runs.SchemaOption = None,
    option: runs.FamilyOption = None,
    weights: runs.WeightsOption = None,
    seconds_per_correction: Annotated[
        float | None, runs.when(help="The time that a correction takes; adds minutes per 100 documents.")
    ] = None,
    confidence_level: Annotated[float | None, runs.how_sure(help="Add intervals at this level, such as 0.95.")] = None,
    interval: Annotated[
        Interval,
        runs.how_sure(
            help="The method: t, from the variation between documents; percentile, from resampled documents, which "
            "covers less often if these are few or unequal; poisson, the same without keeping documents in memory."
        ),
    ] = Interval.t,
    bootstrap_samples: Annotated[
        int, runs.how_sure(help="Number of samples, for --interval percentile and poisson.")
    ] = 1000,
    seed: Annotated[int, runs.how_sure(help="Seed of the samples.")] = 0,
    workers: Annotated[
        int | None, runs.large(help="Number of processes; 1 by default, and with --engine dask one for each core.")
    ] = None,
    max_seconds: runs.MaxSecondsOption = None,
    checkpoint: Annotated[
        str | None,
        runs.large(help="A folder for finished counts; after an interruption, the same command counts only the rest."),
    ] = None,
    engine: Annotated[
        EngineName | None,
        runs.large(help="Count on a Dask cluster: on this machine, unless --scheduler names another one."),
    ] = None,
    scheduler: Annotated[
        str | None, runs.large(help="The address of a Dask scheduler, such as tcp://10.0.0.1:8786; for --engine dask.")
    ] = None,
    output: runs.FormatOption = runs.Format.table,
    score_only: Annotated[
        str | None, runs.printed(metavar="SCORE", help="Print only the value of this score, with all digits.")
    ] = None,
    sort: Annotated[
        Sort, runs.printed(help="Sort tables by field: by name, by cost (highest first) or by support.")
    ] = Sort.name,
    report: Annotated[
        str | None,
        runs.printed(
            help="Write a report: one HTML file, which needs no network. It has intervals (at 0.95, if "
            "--confidence-level is not given) and KIEval's scores. An existing file is replaced."
        ),
    ] = None,
    report_documents: Annotated[
        int, runs.printed(help="The number of documents that the report shows, those with the most corrections.")
    ] = 20_000,
    title: Annotated[
        str | None, runs.printed(help="The title of the report; without it, the names of the system and the data.")
    ] = None,
    images: Annotated[
        str | None,
        runs.printed(
            metavar="FOLDER",
            help="Show page images in the report, with the boxes of values: of the hundred documents with the most "
            "corrections, those in this folder that meta.image of their rows names.",
        ),
    ] = None,
    reading: Reading | None = None,
) -> None:
    """Score predictions against references, and print the results."""
    from docie.core.rules.weights import check_weight
    from docie.corpus.guard import check_seconds
    from docie.documents.kinds import peek_input_kind
    from docie.files.counting import count_files
    from docie.files.pairing import PairedFiles

    if report is not None:
        metric, confidence_level = reports.needs(metric, confidence_level)
    values: JsonObject = {
        "normalize": normalize or (),
        "options": option or (),
        "match": match or (),
        "schema": schema,
        "weights": weights,
        "costs": seconds_per_correction,
        "reading": reading,
    }
    wanted: JsonObject = {
        "breakdown": by_field,
        "confidence_level": confidence_level,
        "interval": interval.value,
        "bootstrap_samples": bootstrap_samples,
        "seed": seed,
    }
    files = None
    shows_agreement = "all" in (metric or []) and output != runs.Format.json  # where every key is a metric
    try:
        if seconds_per_correction is not None:
            check_weight("--seconds-per-correction", seconds_per_correction)
        check_seconds("--max-seconds", max_seconds)
        with reports.opened(report) as file, _opened(engine, scheduler, workers) as engine_or_workers:
            page = None
            if file:
                options: JsonObject = {"documents": report_documents, "title": title or "", "images": images}
                page = reports.ReportFile(file, command=reports.command_line(context), **options)
            accepts_text = cli_options.accepts_text(metric or [])
            files = PairedFiles(references, predictions, reading=reading, accepts_text=accepts_text)
            if page and (files.is_partitioned or checkpoint is not None):
                raise ValueError("--report needs two files, and no --checkpoint: it shows the documents that it reads")
            input_kind, pairs = peek_input_kind(files)
            if page:
                reports.check_kind(input_kind)
            with _advice(metric, input_kind), warnings.catch_warnings(record=True) as caught:
                warnings.simplefilter("always", UserWarning)
                families = cli_options.choose_families(metric or [], input_kind)
                runs.check_score(score_only, families)
                settings = cli_options.settings_of_families(families, **values)
                if page:
                    pairs = page.watch(files, pairs, settings["kieval"])
                counted = count_files(
                    files,
                    pairs,
                    settings,
                    workers=engine_or_workers,
                    checkpoint=checkpoint,
                    group_by=group_by,
                    clusters=cluster,
                    max_seconds=max_seconds,
                    **_kept(wanted, shows_agreement),
                )
                results = _results(families, counted, wanted, group_by, with_tables=page is not None)
                agreement = _agreement(families, counted) if shows_agreement else None
            notes = [*counted.notes, *(str(warning.message) for warning in caught)]
            if counted.resumed:
                runs.say(f"checkpoint: {counted.resumed}")
            if seconds_per_correction is not None:
                _add_minutes(results, group_by)
            runs.print_warnings(notes)
            with runs.prints_to_pipe():
                if score_only is not None:
                    runs.print_score(score_only, results)
                else:
                    shown = results if by_field else _without_tables(results)
                    sections = [
                        *tables.sections(shown, sort=sort, joined_by=counted.joined_by),
                        *_agreement_of(agreement),
                    ]
                    runs.print_results(output, sections, shown)
            if page:
                page.save(files, results, notes, confidence_level)
    except DocumentError as error:
        runs.fail(files.located(error) if files else error)
    except (ValueError, MemoryError) as error:
        runs.fail(error)


@contextlib.contextmanager
def _opened(engine: EngineName | None, scheduler: str | None, workers: int | None) -> Iterator[int | Engine]:
    """Inside this block, documents may be counted by what this gives: the `workers` of `corpus.count`.

    Raises:
        ValueError: for a cluster that cannot be reached.
    """
    if engine is None:
        yield 1 if workers is None else workers
        return
    from docie.corpus import dask_workers

    with dask_workers(scheduler, number=workers) as cluster:
        yield cluster


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


def _kept(wanted: JsonObject, shows_agreement: bool) -> JsonObject:
    """What must be kept of each document for these results: options of `corpus.count`."""
    from docie.corpus.evaluation import ResultOptions

    options = ResultOptions(**wanted)
    options.check()
    return {"keep": options.keep or ("documents" if shows_agreement else None), **options.sampling}


def _results(
    families: Mapping[str, Family],
    counted: Counted,
    wanted: JsonObject,
    group_by: str | None,
    *,
    with_tables: bool,
) -> Results:
    """The results of the families. With a report, those of KIEval have its tables."""
    from docie import corpus

    results = {}
    for name, family in families.items():
        breakdown = wanted["breakdown"] or (with_tables and name == "kieval")
        found = corpus.results(counted.partials[name], **{**wanted, "breakdown": breakdown})
        if breakdown and not any(isinstance(found[key], dict) for key in found if key != f"by_{group_by}"):
            warnings.warn(f"{family.NAME} has no scores by field here", stacklevel=2)
        results[name] = found
    return results


def _agreement(families: Mapping[str, Family], counted: Counted) -> Coefficients | None:
    """The agreement of the metrics; None for a single metric, and if no documents were kept."""
    from docie.comparison.metrics_agree import correlations

    has_documents = all(partial.documents is not None for partial in counted.partials.values())
    return correlations(families.values(), counted.partials) if len(families) > 1 and has_documents else None


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


def _agreement_of(coefficients: Coefficients | None) -> Iterator[Section]:
    """The section on the agreement of the metrics; none without coefficients."""
    if coefficients is not None:
        yield Section([_table_of(name, coefficients[name]) for name in ("pearson", "spearman")], "agreement")


def _table_of(name: str, rows: Mapping[str, Mapping[str, float | None]]) -> Table:
    """The coefficients of one kind; a dash for a score that is the same in all documents."""
    cells = [
        [figure, *("–" if value is None else rounded(value, 3) for value in row.values())]
        for figure, row in rows.items()
    ]
    title = "agreement of the metrics: " + ("Pearson" if name == "pearson" else "Spearman, how they order documents")
    return Table(title, ["figure", *(figure.rpartition(".")[2] for figure in rows)], cells)
