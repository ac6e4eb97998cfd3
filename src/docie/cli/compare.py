"""The command docie compare: what it reads, and how it ends."""

from __future__ import annotations

import contextlib
import warnings
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from docie.cli import options as cli_options
from docie.cli import runs
from docie.cli.output import reports
from docie.core.errors import DocumentError
from docie.core.family import Family
from docie.core.reading import Reading
from docie.show import tables

if TYPE_CHECKING:  # numpy comes with it
    from docie.comparison.results import Comparison
    from docie.core.values.plain import JsonObject
    from docie.files.pairing import PairedFiles
    from docie.show.destination import Destination
    from docie.show.report.page import Facts

HELP = (
    "Compare the predictions of several systems.\n\n"
    "All read the same documents. The tables have differences with p-values and intervals, and ranks. "
    "Results go to stdout, progress and errors to stderr. "
    "Exit code 1 means a regression (see --fail-on-regression), 2 bad input."
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
    cluster: Annotated[
        str | None, runs.what(help="A column of the rows' meta objects, such as vendor: its documents count as one.")
    ] = None,
    suspects: Annotated[
        bool, runs.what("--suspects", help="List values on which all systems agree against the reference.")
    ] = False,
    normalize: runs.NormalizeOption = None,
    match: runs.MatchOption = None,
    schema: runs.SchemaOption = None,
    option: runs.FamilyOption = None,
    weights: runs.WeightsOption = None,
    confidence_level: Annotated[float, runs.how_sure(help="The level of intervals and verdicts.")] = 0.95,
    fail_on_regression: Annotated[
        bool,
        runs.how_sure("--fail-on-regression", help="Exit code 1 if a system is significantly worse than the first."),
    ] = False,
    tolerance: Annotated[
        float, runs.how_sure(help="For --fail-on-regression: only a loss of more than this counts.", show_default=True)
    ] = 0.0,
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
    from docie.core.rules.weights import check_weight
    from docie.corpus.guard import check_seconds
    from docie.documents.kinds import INPUT_KINDS
    from docie.files.pairing import PairedFiles
    from docie.files.partitions import read_once
    from docie.show import comparisons
    from docie.show.writers import to_markdown

    systems: dict[str, PairedFiles] = {}
    try:
        check_weight("--tolerance", tolerance)
        check_seconds("--max-seconds", max_seconds)
        names = _names(predictions, name or (), baseline)
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
                    breakdown=by_field or report is not None or comment is not None,
                    suspects=suspects or report is not None,
                    workers=workers,
                    progress=True,
                    max_seconds=max_seconds,
                )
                if comment_file:
                    joined_by, fails = _joined_by(systems), fail_on_regression
                    parts = comparisons.comment(results, joined_by=joined_by, tolerance=tolerance, fails=fails)
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
    if fail_on_regression:
        _fail_if_worse(results["comparisons"], next(iter(names)), tolerance)


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
    listed = [*results.get("suspects", ()), *(change for row in results["comparisons"] for change in row["changes"])]
    for each in listed:
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


def _names(predictions: list[str], given: Sequence[str], baseline: str | None) -> dict[str, str]:
    """From the name of each system to its path, the baseline first."""
    if len(predictions) < 2:
        raise ValueError("compare needs the predictions of two or more systems; docie score scores one")
    if given and len(given) != len(predictions):
        raise ValueError(f"--name: expected one name for each of {len(predictions)} systems, got {len(given)}")
    if double := [name for name, times in Counter(given).items() if times > 1 or not name]:
        raise ValueError(f"--name: each system needs a name of its own, got {double[0]!r}")
    names = dict(zip(given or _short_names(predictions), predictions, strict=True))
    if baseline is not None and baseline not in names:
        raise ValueError(f"--baseline: {baseline!r} is none of the systems: {', '.join(names)}")
    return names if baseline is None else {baseline: names[baseline]} | names


def _short_names(predictions: list[str]) -> list[str]:
    """The names of files or, where these do not tell them apart, their paths, without what all have in common.

    >>> _short_names(["runs/a/predictions-gpt.jsonl", "runs/b/predictions-gemini.jsonl"])
    ['gpt', 'gemini']
    >>> _short_names(["runs/a/out.jsonl", "runs/b/out.jsonl"]), _short_names(["x/a.json", "x/a.json"])
    (['a', 'b'], ['a', 'a (2)'])
    """
    files = len({*predictions})
    names = ["stdin" if path == "-" else Path(path).stem for path in predictions]
    if len({*names}) < files:
        names = [str(Path(path).with_suffix("")) for path in predictions]
    if len({*names}) < files:  # two files differ in their ending
        names = predictions
    elif files > 1:
        for _ in range(2):  # what they begin with, and then what they end with
            first, last = min(names), max(names)
            common = [place for place, (one, other) in enumerate(zip(first[:-1], last, strict=False)) if one != other]
            start = first[: common[0] if common else len(first) - 1]
            cut = max(map(start.rfind, "-_./\\ ")) + 1
            names = [name[cut:][::-1] for name in names]
    return [name if number == 1 else f"{name} ({number})" for name, number in _numbered(names)]


def _numbered(names: Iterable[str]) -> Iterator[tuple[str, int]]:
    """Each name with how often it has been there so far: a system may be compared with itself."""
    seen: Counter[str] = Counter()
    for name in names:
        seen[name] += 1
        yield name, seen[name]


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


def _fail_if_worse(rows: Iterable[Comparison], first: str, tolerance: float) -> None:
    """End with exit code 1 if a system is significantly worse than the first."""
    from docie.comparison.comparing import is_worse

    worse = [row for row in rows if row["a"] == first and is_worse(row, tolerance)]
    for row in worse:
        values = " against ".join(map(tables.number, (row["value_b"], row["value_a"])))
        runs.say(f"regression: {row['b']} is worse than {first}: {row['score']} {values}")
    if worse:
        raise typer.Exit(1)
