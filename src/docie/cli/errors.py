"""docie errors: list the errors of predictions, and what would help most."""

from __future__ import annotations

import sys
import warnings
from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import chain, islice, tee
from typing import TYPE_CHECKING, Annotated

import typer

from docie.cli import options as cli_options
from docie.cli import runs
from docie.cli.output import reports
from docie.cli.output.error_rows import WRITERS, Format, Listed, first_rows, format_of, output_to, print_parts, records
from docie.core.errors import DocumentError, shortened, with_close_names
from docie.core.reading import Reading
from docie.show.section import HINT, Explained, Part, Table, Text, texts
from docie.show.words import KINDS

if TYPE_CHECKING:  # numpy comes with it
    from docie.core.counts import Counts
    from docie.diagnosis.error_analysis import DocumentErrors
    from docie.metrics import kieval

HELP = (
    "List the errors of predictions.\n\n"
    "There is one row for each correction that KIEval counts, with its kind. "
    "Rows go to stdout as documents are read, progress and warnings to stderr. Exit code 2 means bad input."
)
Pair = tuple[object, object]
TYPES_SHOWN = 10
"""The number of entity types that the summary shows at most."""


@runs.reads
def errors(
    context: typer.Context,
    references: runs.References,
    predictions: runs.Predictions,
    kind: Annotated[
        list[str] | None,
        runs.what(
            help="Only errors of this kind: form (a different format), group (the wrong one), type (the wrong one), "
            "duplicate, value (an incorrect one), missed (missing) or invented (spurious); may be repeated."
        ),
    ] = None,
    entity_type: Annotated[
        list[str] | None, runs.what("--type", help="Only errors of this entity type; may be repeated.")
    ] = None,
    document: Annotated[
        str | None,
        runs.what(metavar="ID", help="Explain this document instead: all of its values, correct or not."),
    ] = None,
    group_by: runs.GroupByOption = None,
    normalize: runs.NormalizeOption = None,
    match: runs.MatchOption = None,
    schema: runs.SchemaOption = None,
    option: runs.FamilyOption = None,
    max_seconds: runs.MaxSecondsOption = None,
    form: Annotated[
        Format | None,
        runs.printed(
            "--format",
            help="How to write the rows. table (the default), json, latex and html end with what would help most.",
        ),
    ] = None,
    output: Annotated[
        str | None,
        runs.printed(help="Write to this file; .txt, .json, .md, .tex, .html, .csv, .jsonl and .xlsx set the format."),
    ] = None,
    reading: Reading | None = None,
) -> None:
    """List the errors of predictions."""
    from docie import corpus
    from docie.core.counts import Counts
    from docie.corpus.guard import check_seconds
    from docie.documents.kinds import peek_input_kind
    from docie.documents.rows import unzip
    from docie.files.pairing import PairedFiles
    from docie.metrics import kieval
    from docie.metrics.kieval.corrections import KINDS as KIND_NAMES

    counts, by_group, known = Counts(), dict[str, Counts](), KIND_NAMES
    try:
        check_seconds("--max-seconds", max_seconds)
        if unknown := [name for name in kind or () if name not in known]:
            raise ValueError(f"unknown kind {shortened(unknown[0])}, expected one of {', '.join(known)}")
        written = format_of(form, output)
        files = PairedFiles(references, predictions, reading=reading)
        input_kind, pairs = peek_input_kind(files)
        families = cli_options.choose_families([kieval.NAME], input_kind)
        if document is not None and written in (Format.csv, Format.jsonl, Format.xlsx):
            raise ValueError(f"--format {written} is for rows; --document has table, json, markdown, latex and html")
        if written == Format.html:
            reports.check_packages()
        is_progress_apart = written == Format.table or output is not None or not sys.stdout.isatty()
        with warnings.catch_warnings(record=True) as caught, output_to(output):
            warnings.simplefilter("always", UserWarning)
            settings = cli_options.settings_of_families(
                families, normalize or (), option or (), match or (), schema=schema, reading=reading
            )[kieval.NAME]
            if document is not None:
                parts, results = _document(pairs, settings, document, name=files.name)
                print_parts(written, parts, results, reports.command_line(context))
            else:
                pairs, sources = _sources(pairs)
                documents = corpus.errors_by_document(
                    *unzip(pairs),
                    settings,
                    counts=counts,
                    group_by=group_by,
                    progress=is_progress_apart,
                    max_seconds=max_seconds,
                )
                if group_by and written not in WRITERS:
                    documents = _counted(documents, by_group)
                rows = _chosen(
                    documents, kinds=kind or known, entity_types=entity_type or None, name=files.name, sources=sources
                )
                groups = [*filter(None, [group_by]), *([] if sources is None else ["source"])]
                if written in WRITERS:
                    WRITERS[written](groups, rows)
                elif written == Format.json:
                    print_parts(written, [], {"errors": [*records(groups, rows)], **_results(counts)})
                else:
                    parts = first_rows(groups, rows)
                    parts += _summary(counts, by_group, group_by, joined_by=files.joined_by)
                    print_parts(written, parts, command=reports.command_line(context))
    except DocumentError as error:
        runs.fail(files.located(error))
    except (ValueError, MemoryError) as error:
        runs.fail(error)
    seen = kieval.false_alarms(counts)
    unseen = [name for name in entity_type or () if name not in seen]
    notes = [f"--type: no document has {with_close_names(unseen, seen)}"] if unseen else []
    runs.print_warnings([*files.warnings(), *(warning.message for warning in caught), *notes])


def _counted(documents: Iterable[DocumentErrors], by_group: dict[str, Counts]) -> Iterator[DocumentErrors]:
    """Pass the documents through, and add the counts of each to those of its group."""
    from docie.core.counts import Counts

    for each in documents:
        by_group.setdefault(each.group or "", Counts()).__iadd__(each.counts)
        yield each


def _chosen(
    documents: Iterable[DocumentErrors],
    *,
    kinds: Iterable[str],
    entity_types: Iterable[str] | None,
    name: Callable[[int], str | int],
    sources: Iterator[str] | None,
) -> Iterator[Listed]:
    """The rows of these kinds and types, with their groups, their sources and the ids of their documents."""
    for each in documents:
        group = [*([] if each.group is None else [each.group]), *([] if sources is None else [next(sources)])]
        for row in each.rows:
            if row.kind in kinds and (entity_types is None or row.entity_type in entity_types):
                yield group, row._replace(document=name(row.document)) if isinstance(row.document, int) else row


def _sources(pairs: Iterable[Pair]) -> tuple[Iterator[Pair], Iterator[str] | None]:
    """The pairs, and the sources of their predictions; None if the first one has none."""
    from docie.documents.rows import spy
    from docie.files.answers import source_of

    first, rest = spy(pairs)
    if first is None or not source_of(first[0]):
        return rest, None
    rest, again = tee(rest)
    return rest, (source_of(prediction) for prediction, _ in again)


def _document(
    pairs: Iterable[tuple[object, object]],
    settings: kieval.Settings,
    document: str,
    *,
    name: Callable[[int], str | int],
) -> tuple[list[Part], dict[str, object]]:
    """What is behind the score of one document, to show and as JSON has it.

    Raises:
        DocumentError: for a document that cannot be read.
        ValueError: if there is none of this name.
    """
    from docie.core.errors import errors_of_document
    from docie.core.settings import signature
    from docie.metrics import kieval

    number, prediction, reference = _found(pairs, document, name)
    with errors_of_document(number):
        explanation = kieval.explain(prediction, reference, settings)
    sentence, values, _, problem = explanation
    line = signature(kieval.NAME, settings)
    results: dict[str, object] = {"document": document, "sentence": sentence, "problem": problem or None}
    results |= {"pairs": [pair._asdict() for pair in values], "signature": line}
    return [Explained(lambda: explanation, f"document {document}"), Text(line, HINT)], results


def _found(
    pairs: Iterable[tuple[object, object]], document: str, name: Callable[[int], str | int]
) -> tuple[int, object, object]:
    """The number of a document, its prediction and its reference."""
    from docie.documents.pairs.joining import paired_rows
    from docie.documents.rows import unzip

    seen = list[str]()
    for number, (predicted, expected) in enumerate(paired_rows(*unzip(pairs))):
        seen.append(str(name(number)))
        if seen[-1] == document:
            return number, predicted.document, expected.document
    raise ValueError(f"--document: there is no {with_close_names([document], seen)}")


def _results(counts: Counts) -> dict[str, object]:
    """What ends the list of errors, as JSON has it."""
    from docie.metrics import kieval

    return {
        "repaired": kieval.repaired(counts),
        "false_alarms": kieval.false_alarms(counts),
        "documents": counts.documents,
        "invalid_predictions": counts.invalid_predictions,
        "signature": counts.signature,
    }


def _summary(counts: Counts, by_group: Mapping[str, Counts], column: str | None, *, joined_by: str) -> Iterator[Part]:
    """What would help most, false alarms, scores by group, and the line that says what was scored."""
    from docie.metrics import kieval
    from docie.metrics.kieval.repairs import failed_answers
    from docie.show import tables

    yield _repairs(counts)
    if failed := failed_answers(counts):
        yield Text(failed)
    alarms = {name: row for name, row in kieval.false_alarms(counts).items() if row["false_alarms"]}
    if alarms:
        cells = [[name, *texts(row.values())] for name, row in alarms.items()]
        headings = ["entity type", "documents with it", "documents without", "rate"]
        yield Table("false alarms: predicted where the reference lacks it", headings, cells)
    if column is not None:
        yield _groups(column, by_group)
    yield Text(tables.facts(_results(counts), joined_by=joined_by), HINT)


def _repairs(counts: Counts) -> Table:
    """What would help most, by kind and by entity type."""
    from docie.metrics import kieval

    table = kieval.repaired(counts)
    columns = ["repaired", "name", "rows", "corrections", "entity_f1", "aligned", "group_f1", "document_accuracy"]
    columns[4:4] = [name for name in ("correction_cost", "weighted_entity_f1") if name in table[0]]
    types = [row for row in table if row["repaired"] == "entity_type"]
    shown = chain((row for row in table if row["repaired"] != "entity_type"), types[:TYPES_SHOWN])
    title = "what would help most"
    if len(types) > TYPES_SHOWN:
        title += f" (the first {TYPES_SHOWN} of {len(types)} entity types)"
    named = (row | {"name": KINDS[row["name"]]} if row["repaired"] == "kind" else row for row in shown)
    return Table(title, columns, [[*texts(row[name] for name in columns)] for row in named], texts=2)


def _groups(column: str, by_group: Mapping[str, Counts]) -> Table:
    """The scores of each group of documents, and the kind of error whose repair would help it most."""
    from docie import corpus
    from docie.metrics import kieval
    from docie.show import tables

    headings = [column, "helps most", "documents", "corrections", "entity_f1", "repaired", "entity_f1 then"]
    cells = []
    for name, counts in islice(corpus.in_order(by_group), tables.GROUPS_SHOWN):
        now, *repairs = kieval.repaired(counts)
        best = repairs[0] if repairs else {"name": None, "rows": None, "entity_f1": None}
        alarms = sum(row["false_alarms"] for row in kieval.false_alarms(counts).values())
        facts = [counts.documents, now["corrections"], now["entity_f1"], best["rows"], best["entity_f1"], alarms]
        helps = KINDS[best["name"]] if best.get("repaired") == "kind" else best["name"]
        cells.append([name, *texts([helps, *facts])])
    title = tables.title_of_groups(column, len(by_group))
    return Table(title, [*headings, "false alarms"], cells, texts=2)
