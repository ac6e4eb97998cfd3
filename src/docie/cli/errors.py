"""docie errors: list the errors of predictions, and what would help most."""

from __future__ import annotations

import csv
import json
import sys
import warnings
from collections.abc import Callable, Iterable, Iterator
from enum import StrEnum
from itertools import chain, islice
from typing import TYPE_CHECKING, Annotated, Any

import typer

from docie.cli import options as cli_options
from docie.cli import runs
from docie.errors import DocumentError, shortened, with_close_names

if TYPE_CHECKING:  # numpy comes with it
    from docie.counts import Counts
    from docie.kieval import ErrorRow

HELP = (
    "List what is wrong in predictions: one row for each correction that KIEval counts, with its kind. "
    "Rows go to stdout as documents are read, progress and warnings to stderr. Exit code 2 means bad input."
)
SHOWN = 1000
"""The number of rows that the table format shows at most."""
TYPES_SHOWN = 10
"""The number of entity types that the summary shows at most."""
_LONGEST = 40


class Format(StrEnum):
    """How rows are printed."""

    table = "table"
    csv = "csv"
    jsonl = "jsonl"
    markdown = "markdown"


def errors(
    references: runs.References,
    predictions: runs.Predictions,
    kind: Annotated[
        list[str] | None,
        typer.Option(
            help="Only errors of this kind (form, group, type, duplicate, value, missed, invented); may be repeated."
        ),
    ] = None,
    entity_type: Annotated[
        list[str] | None, typer.Option("--type", help="Only errors of this entity type; may be repeated.")
    ] = None,
    output: Annotated[
        Format, typer.Option("--format", help="How to print the rows. The table ends with what would help most.")
    ] = Format.table,
    normalize: runs.NormalizeOption = None,
    match: runs.MatchOption = None,
    schema: runs.SchemaOption = None,
    option: runs.FamilyOption = None,
    missing: runs.MissingOption = runs.Missing.error,
    id_key: runs.IdKeyOption = "id",
) -> None:
    """List the errors of predictions."""
    from docie import corpus, kieval
    from docie.counts import Counts
    from docie.documents import peek_input_kind

    counts, known = Counts(), kieval.KINDS
    try:
        if unknown := [name for name in kind or () if name not in known]:
            raise ValueError(f"unknown kind {shortened(unknown[0])}, expected one of {', '.join(known)}")
        joined = runs.join(references, predictions, missing=missing, id_key=id_key)
        input_kind, pairs = peek_input_kind(joined)
        families = cli_options.choose_families([kieval.NAME], input_kind)
        settings = cli_options.settings_of_families(
            families, normalize or (), option or (), match or (), schema=schema
        )[kieval.NAME]
        is_progress_apart = output == Format.table or not sys.stdout.isatty()
        with warnings.catch_warnings(record=True) as caught, runs.prints_to_pipe():
            warnings.simplefilter("always", UserWarning)
            rows = corpus.errors(*runs.unzip(pairs), settings, counts=counts, progress=is_progress_apart)
            chosen = (
                row._replace(document=joined.name(row.document)) if isinstance(row.document, int) else row
                for row in rows
                if (not kind or row.kind in kind) and (not entity_type or row.entity_type in entity_type)
            )
            _WRITERS[output](chosen)
            if output == Format.table:
                _show_summary(counts, joined_by=joined.joined_by)
    except DocumentError as error:
        runs.fail(joined.located(error))
    except (ValueError, MemoryError) as error:
        runs.fail(error)
    seen = kieval.false_alarms(counts)
    unseen = [name for name in entity_type or () if name not in seen]
    notes = [f"--type: no document has {with_close_names(unseen, seen)}"] if unseen else []
    runs.print_warnings([*joined.warnings(), *(warning.message for warning in caught), *notes])


def _write_csv(rows: Iterable[ErrorRow]) -> None:
    from docie.kieval import ErrorRow
    from docie.tables import safe_cell

    writer = csv.writer(sys.stdout, lineterminator="\n")
    writer.writerow(ErrorRow._fields)
    for row in rows:
        cells = (json.dumps(cell) if isinstance(cell, list | dict) else cell for cell in row)
        writer.writerow([safe_cell(cell) if isinstance(cell, str) else cell for cell in cells])


def _write_jsonl(rows: Iterable[ErrorRow]) -> None:
    for row in rows:
        print(json.dumps(row._asdict()))


def _write_markdown(rows: Iterable[ErrorRow]) -> None:
    from docie import tables
    from docie.kieval import ErrorRow

    print(tables.markdown(tables.Table("", list(ErrorRow._fields), [], texts=len(ErrorRow._fields))))
    for row in rows:
        print(tables.markdown_row(_texts(row)))


def _texts(cells: Iterable[Any]) -> Iterator[str]:
    from docie import tables

    return ("" if cell is None else cell if isinstance(cell, str) else tables.number(cell) for cell in cells)


def _show(rows: Iterable[ErrorRow]) -> None:
    """Print the first rows as a table."""
    from docie import tables

    rows = iter(rows)
    cells = [
        [
            *_texts([row.document, _group(row), row.entity_type, row.kind, row.operation]),
            *(_cut(text) for text in _texts([row.reference, row.prediction, row.confidence])),
        ]
        for row in islice(rows, SHOWN)
    ]
    columns = ["document", "group", "entity type", "kind", "operation", "reference", "prediction", "confidence"]
    rest = sum(1 for _ in rows)
    line = f"{rest} more rows: --format csv, jsonl and markdown print all" if rest else ""
    tables.show([tables.Table("errors", columns, cells, texts=7)], line)


def _group(row: ErrorRow) -> str | None:
    """The type of the group, and the numbers of the predicted and the reference group."""
    if row.group_type is None:
        return None
    numbers = ("–" if number is None else str(number) for number in (row.predicted_group, row.reference_group))
    return f"{row.group_type} {'/'.join(numbers)}"


def _cut(text: str) -> str:
    return text if len(text) <= _LONGEST else f"{text[: _LONGEST - 1]}…"


def _show_summary(counts: Counts, *, joined_by: str) -> None:
    """Print what would help most, false alarms, and the line that says what was scored."""
    from docie import kieval, tables

    table = kieval.repaired(counts)
    columns = ["repaired", "name", "rows", "corrections", "entity_f1", "aligned", "group_f1", "document_accuracy"]
    types = [row for row in table if row["repaired"] == "entity_type"]
    shown = chain((row for row in table if row["repaired"] != "entity_type"), types[:TYPES_SHOWN])
    title = "what would help most"
    if len(types) > TYPES_SHOWN:
        title += f" (the first {TYPES_SHOWN} of {len(types)} entity types)"
    parts = [tables.Table(title, columns, [[*_texts(row[name] for name in columns)] for row in shown], texts=2)]
    alarms = {name: row for name, row in kieval.false_alarms(counts).items() if row["false_alarms"]}
    if alarms:
        cells = [[name, *_texts(row.values())] for name, row in alarms.items()]
        headings = ["entity type", "documents with it", "documents without", "rate"]
        parts.append(tables.Table("false alarms: predicted where the reference lacks it", headings, cells))
    facts = {
        "documents": counts.documents,
        "invalid_predictions": counts.invalid_predictions,
        "signature": counts.signature,
    }
    tables.show(parts, tables.facts(facts, joined_by=joined_by))


_WRITERS: dict[Format, Callable[[Iterable[ErrorRow]], None]] = {
    Format.table: _show,
    Format.csv: _write_csv,
    Format.jsonl: _write_jsonl,
    Format.markdown: _write_markdown,
}
