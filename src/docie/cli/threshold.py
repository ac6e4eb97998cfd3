"""The command docie threshold: what it reads, and how it ends."""

from __future__ import annotations

import os
import warnings
from typing import TYPE_CHECKING, Annotated

import typer

from docie.cli import options as cli_options
from docie.cli import runs
from docie.cli.output import reports
from docie.cli.output import threshold_tables as printed
from docie.core.errors import DocumentError, warn
from docie.core.reading import Reading

if TYPE_CHECKING:  # numpy comes with it
    from docie.confidence import Values
    from docie.core.values.plain import JsonObject
    from docie.files.pairing import PairedFiles

HELP = (
    "Choose a confidence threshold for review.\n\n"
    "Values at or above it skip review (are auto-accepted). It is chosen so that enough of them are correct on these "
    "documents, and so that few incorrect ones are expected on new documents. "
    "Results go to stdout, progress and errors to stderr. Exit code 2 means bad input."
)


@runs.reads
def threshold(
    context: typer.Context,
    references: runs.References,
    predictions: runs.Predictions,
    by_field: Annotated[bool, runs.what("--by-field", help="Add a threshold for each entity type.")] = False,
    cluster: runs.ClusterOption = None,
    normalize: runs.NormalizeOption = None,
    match: runs.MatchOption = None,
    schema: runs.SchemaOption = None,
    option: runs.FamilyOption = None,
    precision: Annotated[
        float, runs.how_sure(help="The share of auto-accepted values that must be correct, on these documents.")
    ] = 0.99,
    risk: Annotated[
        float,
        runs.how_sure(
            help="The share of a document's values that may be incorrect and skip review, on average on new documents."
        ),
    ] = 0.01,
    verify: Annotated[
        tuple[str, str] | None,
        runs.how_sure(metavar="REFERENCES PREDICTIONS", help="Other documents to verify the thresholds on."),
    ] = None,
    budget: Annotated[
        list[float] | None,
        runs.how_sure(
            help="Review this share of values, lowest confidence first: how many errors this catches. May be "
            "repeated; without it, 0.05, 0.1, 0.2 and 0.5."
        ),
    ] = None,
    bins: Annotated[int, runs.how_sure(help="The number of bins of the calibration error.")] = 10,
    workers: runs.WorkersOption = 1,
    output: runs.FormatOption = runs.Format.table,
    report: Annotated[
        str | None,
        runs.printed(
            help="Write a report: one HTML file, which needs no network, with a slider through all thresholds. An "
            "existing file is replaced."
        ),
    ] = None,
    reading: Reading | None = None,
) -> None:
    """Choose a confidence threshold: values at or above it skip review."""
    from docie.confidence.review import BUDGETS
    from docie.confidence.summary import summarize
    from docie.confidence.values import Collector
    from docie.files.pairing import PairedFiles
    from docie.files.partitions import read_once

    options: JsonObject = {
        "precision": precision,
        "risk": risk,
        "budgets": budget or BUDGETS,
        "bins": bins,
        "breakdown": by_field,
    }
    try:
        summarize(Collector().values(), **options)  # wrong options, before files are read
        with reports.opened(report) as file:
            contents = read_once(references, predictions, *(verify or ()))
            files = PairedFiles(references, predictions, reading=reading, contents=contents)
            other = None if verify is None else PairedFiles(*verify, reading=reading, contents=contents)
            with warnings.catch_warnings(record=True) as caught:
                warnings.simplefilter("always", UserWarning)
                settings: JsonObject = {"normalize": normalize or (), "options": option or (), "match": match or ()}
                settings |= {"schema": schema, "reading": reading}
                how: JsonObject = {"clusters": cluster, "workers": workers}
                values = _collected(files, settings, how)
                others = None if other is None else _collected(other, settings, how, option="--verify: ")
                if verify is not None:
                    _warn_of_same((references, predictions), verify)
                if not len(values):  # a warning may say why
                    raise ValueError("; ".join(["no prediction has a value", *(str(each.message) for each in caught)]))
                results = summarize(values, **options, verify=others)
            all_warnings = [*files.warnings(), *(other.warnings() if other else ()), *(each.message for each in caught)]
            if file:
                facts = reports.facts_of(files, map(str, all_warnings), command=reports.command_line(context))
                file.save(printed.report(results, values, facts))
    except (ValueError, MemoryError) as error:
        runs.fail(error)
    runs.print_warnings(all_warnings)
    with runs.prints_to_pipe():
        runs.print_results(output, printed.sections(results, values, joined_by=files.joined_by), results)


def _collected(files: PairedFiles, options: JsonObject, how: JsonObject, *, option: str = "") -> Values:
    """The judged values of two paths; `option` names those of `--verify` in errors."""
    from docie import confidence
    from docie.documents.kinds import peek_input_kind
    from docie.documents.rows import unzip
    from docie.metrics import kieval

    try:
        input_kind, pairs = peek_input_kind(files)
        families = cli_options.choose_families([kieval.NAME], input_kind)
        settings = cli_options.settings_of_families(families, **options)[kieval.NAME]
        return confidence.collect(*unzip(pairs), settings, **how, progress=True)
    except DocumentError as error:
        raise files.located(error) from None
    except ValueError as error:
        raise ValueError(f"{option}{error}") from None


def _warn_of_same(chosen_on: tuple[str, str], verified_on: tuple[str, str]) -> None:
    """Warn if thresholds are tried on the documents that they were chosen on."""
    pairs = zip(map(os.path.realpath, chosen_on), map(os.path.realpath, verified_on), strict=True)
    if any(path == other for path, other in pairs):
        warn("--verify names a file that the thresholds were chosen on; only other documents verify them")
