"""The command docie compare: what it reads, and how it ends."""

from __future__ import annotations

import contextlib
import warnings
from collections.abc import Callable, Iterator, Mapping
from typing import TYPE_CHECKING, Annotated, Any

import typer

from docie.cli import options as cli_options
from docie.cli import runs
from docie.cli.output import reports
from docie.cli.output.system_names import names_of
from docie.core.errors import DocumentError
from docie.core.family import Family
from docie.core.reading import Reading

if TYPE_CHECKING:  # numpy comes with it
    from docie.comparison.results import Gate
    from docie.core.values.plain import JsonObject
    from docie.files.pairing import PairedFiles
    from docie.show.destination import Destination
    from docie.show.report.page import Facts

HELP = (
    "Compare the predictions of several systems.\n\n"
    "All read the same documents. The tables have differences with p-values and intervals, and ranks. "
    "Results go to stdout, progress and errors to stderr. "
    "Exit code 1 means that the gate fails (see --max-drop), 2 bad input."
)


@runs.reads
def compare(
    context: typer.Context,
    references: runs.References,
    predictions: Annotated[
        list[str],
        typer.Argument(help="Two or more systems, the baseline first; joined by id if all have one, else by order."),
    ],
    metric: Annotated[str | None, runs.what(help="A family. Without it, the input format selects the metric.")] = None,
    score: Annotated[
        list[str] | None,
        runs.what(help="A score, as docie families FAMILY lists them; may be repeated. Without it, the headline."),
    ] = None,
    name: Annotated[
        list[str] | None,
        runs.what(help="The name of a system, in the order of the files; repeat it for each. Without it, file names."),
    ] = None,
    baseline: Annotated[
        str | None, runs.what(help="The name of the system that others are compared with. Without it, the first.")
    ] = None,
    by_field: Annotated[bool, runs.what("--by-field", help="Add the comparison of each entity type.")] = False,
    cluster: runs.ClusterOption = None,
    suspects: Annotated[
        bool, runs.what("--suspects", help="List values on which all systems agree against the reference.")
    ] = False,
    normalize: runs.NormalizeOption = None,
    match: runs.MatchOption = None,
    schema: runs.SchemaOption = None,
    option: runs.FamilyOption = None,
    weights: runs.WeightsOption = None,
    confidence_level: Annotated[float, runs.how_sure(help="The level of intervals and verdicts.")] = 0.95,
    max_drop: Annotated[
        float | None,
        runs.how_sure(
            help="Exit code 1 if a later system is worse than the first, or if a drop of this much, in the unit of the "
            "score, cannot be excluded: 0.03 is 3 points."
        ),
    ] = None,
    max_broken: Annotated[
        int | None,
        runs.how_sure(
            help="Exit code 1 if more documents than this lose half of their own score or more, or can no longer be "
            "read."
        ),
    ] = None,
    shuffles: Annotated[int, runs.how_sure(help="The number of random shuffles of the test.")] = 10_000,
    seed: Annotated[int, runs.how_sure(help="Seed of the shuffles.")] = 0,
    workers: runs.WorkersOption = 1,
    max_seconds: runs.MaxSecondsOption = None,
    comment: Annotated[
        str | None,
        runs.printed(
            metavar="FILE",
            help="Write a comment for a pull request, in Markdown: the scores of the base and the new system, their "
            "difference, the fields that lost most. An existing file is replaced.",
        ),
    ] = None,
    output: runs.FormatOption = runs.Format.table,
    report: Annotated[
        str | None,
        runs.printed(
            help="Write a report: one HTML file, which needs no network: the verdict, fields by system, all systems' "
            "answers to a document side by side, and suspected labels. An existing file is replaced."
        ),
    ] = None,
    reading: Reading | None = None,
) -> None:
    """Compare the predictions of several systems."""
    from docie import corpus
    from docie.comparison.systems import of_all_systems
    from docie.corpus.guard import check_seconds
    from docie.documents.kinds import INPUT_KINDS
    from docie.files.pairing import PairedFiles
    from docie.files.partitions import read_once
    from docie.show import comparisons
    from docie.show.writers import to_markdown

    systems: dict[str, PairedFiles] = {}
    try:
        check_seconds("--max-seconds", max_seconds)
        names = names_of(predictions, name or (), baseline)
        with reports.opened(report) as file:
            pairs: dict[str, list[Any]] = {}
            accepts_text = cli_options.accepts_text([metric] if metric else [])
            contents = read_once(*[references] * len(names), *predictions)
            for system, path in names.items():
                systems[system] = PairedFiles(
                    references, path, reading=reading, accepts_text=accepts_text, contents=contents
                )
                pairs[system], input_kind = _read(system, systems[system])
            rows, expected = of_all_systems(pairs)
            if file:
                reports.check_kind(input_kind)
            if suspects and input_kind != "document":
                raise ValueError(f"--suspects lists values of documents, but these are {INPUT_KINDS[input_kind]}")
            family = _family(metric, input_kind)
            with _comment_to(comment, len(systems)) as comment_file, warnings.catch_warnings(record=True) as caught:
                warnings.simplefilter("always", UserWarning)
                [settings] = cli_options.settings_of_families(
                    {family.NAME: family},
                    normalize or (),
                    option or (),
                    match or (),
                    schema=schema,
                    weights=weights,
                    reading=reading,
                ).values()
                results = corpus.compare(
                    family,
                    rows,
                    expected,
                    settings,
                    score,
                    cluster,
                    confidence_level,
                    shuffles,
                    seed,
                    breakdown=by_field or comment is not None,
                    differences=report is not None,
                    suspects=suspects or report is not None,
                    workers=workers,
                    progress=True,
                    max_seconds=max_seconds,
                    max_drop=max_drop,
                    max_broken=max_broken,
                )
                if comment_file:
                    name_of = next(iter(systems.values())).name
                    parts = comparisons.comment(results, joined_by=_joined_by(systems), name_of=name_of)
                    comment_file.save(to_markdown(parts) + "\n")
            notes = list(dict.fromkeys([*_notes(systems), *(str(warning.message) for warning in caught)]))
            if file:
                facts = _facts(systems, reports.command_line(context), notes)
                file.save(_page(results, rows, expected, settings, facts, systems))
    except DocumentError as error:
        if reading is not None and isinstance(error.document, int):  # of those that all systems have
            error.document = f"document {expected[error.document].id or error.document}"
        runs.fail(_located(error, systems))
    except (ValueError, MemoryError) as error:
        runs.fail(error)
    results.pop("differences", None)
    if not by_field:
        results.pop("per_entity", None)
        results["holm"].pop("per_entity", None)
    if not suspects:
        results.pop("suspects", None)
    first = next(iter(systems.values()))
    _name_documents(results, first.name)
    runs.print_warnings(notes)
    with runs.prints_to_pipe():
        runs.print_results(output, comparisons.sections(results, joined_by=_joined_by(systems)), results)
    if "gate" in results:
        _end(results["gate"])


@contextlib.contextmanager
def _comment_to(path: str | None, systems: int) -> Iterator[Destination | None]:
    """Inside this block the comment on so many systems may be saved; None without a path."""
    if path is None:
        yield None
        return
    from docie.show.destination import Destination

    if systems != 2:
        raise ValueError(f"--comment: expected two systems, the base and the new one, got {systems}")
    with Destination(path) as file:
        yield file


def _name_documents(results: JsonObject, name: Callable[[int], str | int]) -> None:
    """Write the ids of documents where results have their numbers."""
    rows = results["comparisons"]
    listed = (each for row in rows for each in (*row["changes"], *row.get("broken", ())))  # a gate has the same ones
    for each in (*results.get("suspects", ()), *listed):
        if isinstance(each["document"], int):
            each["document"] = name(each["document"])


def _notes(systems: Mapping[str, PairedFiles]) -> Iterator[str]:
    """What was seen when files were read."""
    for name, files in systems.items():
        yield from (f"{name}: {note}" for note in files.warnings())


def _joined_by(systems: Mapping[str, PairedFiles]) -> str:
    """How rows were joined: "id", "order", or both, if systems differ."""
    return " and ".join(dict.fromkeys(each.joined_by for each in systems.values()))


def _facts(systems: Mapping[str, PairedFiles], command: str, notes: list[str]) -> Facts:
    from docie.show.report.page import Facts

    first = next(iter(systems.values()))
    return Facts(
        title="Comparison",
        references=first.names[0],
        predictions=", ".join(each.names[1] for each in systems.values()),
        command=command,
        joined_by=_joined_by(systems),
        notes=notes,
    )


def _page(
    results: dict[str, Any],
    rows: Mapping[str, list[object]],
    expected: list[object],
    settings: object,
    facts: Facts,
    systems: Mapping[str, PairedFiles],
) -> str:
    """The report."""
    from docie.metrics.kieval.options import kieval_settings
    from docie.show.report.comparison_page import comparison_page
    from docie.show.report.page import render

    name_of = next(iter(systems.values())).name
    compared = kieval_settings(settings)
    return render(comparison_page(results, rows, expected, compared, facts, name_of=name_of))


def _read(name: str, files: PairedFiles) -> tuple[list[Any], str]:
    """The predictions of a system with their references, and the kind of its input."""
    from docie.documents.kinds import peek_input_kind

    with _errors_of(name):
        input_kind, pairs = peek_input_kind(files)
        return list(pairs), input_kind


@contextlib.contextmanager
def _errors_of(name: str) -> Iterator[None]:
    """Inside this block, errors name the system, unless they name the file."""
    from docie.core.errors import InputError, MismatchError, errors_of_system

    try:
        yield
    except InputError as error:
        if not isinstance(error, MismatchError):
            raise
        with errors_of_system(name):
            raise
    except DocumentError:
        with errors_of_system(name):
            raise


def _family(metric: str | None, input_kind: str) -> Family:
    families = cli_options.choose_families([metric] if metric else [], input_kind)
    if metric == "all" or len(families) != 1:
        raise ValueError("compare takes one metric; --score names its scores")
    return next(iter(families.values()))


def _located(error: DocumentError, systems: Mapping[str, PairedFiles]) -> DocumentError:
    """The error with its place in the files, which says whose document it is."""
    if error.system is not None and isinstance(error.document, int):
        files, error.system = systems[error.system], None
        return files.located(error)
    return error


def _end(gate: Gate) -> None:
    """Say what the gate decides, and end with exit code 1 if it fails."""
    from docie.comparison.gate import lines_of

    for line in lines_of(gate):
        runs.say(line)
    if not gate["passed"]:
        raise typer.Exit(1)
