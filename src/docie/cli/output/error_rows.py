"""Error rows as `docie errors` writes them: for people, for spreadsheets and for programs."""

from __future__ import annotations

import contextlib
import csv
import json
import sys
from collections.abc import Callable, Iterable, Iterator
from enum import StrEnum
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from docie.cli import runs
from docie.cli.output.excel import write_excel
from docie.show.destination import Destination
from docie.show.section import HINT, Part, Section, Table, Text, cut, texts
from docie.show.words import KINDS
from docie.show.writers import json_text, markdown, markdown_row, safe_cell

if TYPE_CHECKING:  # numpy comes with it
    from docie.metrics.kieval.corrections import ErrorRow

SHOWN = 1000
"""The number of rows that the table format shows at most."""

Groups = list[str]
"""What stands before a row: nothing, or the group of its document. Of a heading, the name of that column."""
Listed = tuple[Groups, "ErrorRow"]


class Format(StrEnum):
    """How rows are written."""

    table = "table"
    json = "json"
    markdown = "markdown"
    latex = "latex"
    html = "html"
    csv = "csv"
    jsonl = "jsonl"
    xlsx = "xlsx"


_SUFFIXES = {
    ".csv": Format.csv,
    ".html": Format.html,
    ".json": Format.json,
    ".jsonl": Format.jsonl,
    ".md": Format.markdown,
    ".tex": Format.latex,
    ".txt": Format.table,
    ".xlsx": Format.xlsx,
}


def format_of(asked: Format | None, path: str | None) -> Format:
    """The format that was asked for, else the one that the name of the file says.

    Raises:
        ValueError: if the name says none, or Excel would not open the file, or it would go to a terminal.

    >>> format_of(None, "errors.CSV").value, format_of(Format.jsonl, "errors.txt").value, format_of(None, None).value
    ('csv', 'jsonl', 'table')
    """
    if path is None:
        if asked == Format.xlsx and sys.stdout.isatty():
            raise ValueError("an Excel file cannot be shown in a terminal; name a file with --output errors.xlsx")
        return asked or Format.table
    suffix = Path(path).suffix.lower()
    if asked is None and suffix not in _SUFFIXES:
        raise ValueError(f"--output {path}: the name ends in none of {', '.join(_SUFFIXES)}; say --format")
    chosen = asked or _SUFFIXES[suffix]
    if (chosen == Format.xlsx) != (suffix == ".xlsx"):
        raise ValueError(f"--output {path}: .xlsx is for --format xlsx alone, got --format {chosen}")
    return chosen


@contextlib.contextmanager
def output_to(path: str | None) -> Iterator[None]:
    """Inside this block, what is printed goes to a file, if one is named. The file takes its name when it is whole."""
    if path is None:
        with runs.prints_to_pipe():
            yield
    else:
        with Destination(path) as file, file.opened() as stream, contextlib.redirect_stdout(stream):
            yield


def print_parts(form: Format, parts: list[Part], results: object = None, command: str = "") -> None:
    """Print what is shown in a form for people, or for programs all of the results as JSON."""
    if form != Format.html:
        runs.print_results(runs.Format(form.value), [Section(parts)], results)
        return
    from docie.show.report.page import Facts, Page, making_of, render

    page = Page("Errors", "The corrections that KIEval counts.", [], making_of(Facts(command=command)))
    print(render(page._replace(sections=[Section(parts, "What is wrong", "errors")])))


def _columns(groups: Groups) -> list[str]:
    from docie.metrics.kieval.corrections import ErrorRow

    fields = ErrorRow._fields
    return [*(name if name not in fields else f"meta.{name}" for name in groups), *fields]


def _write_csv(groups: Groups, rows: Iterable[Listed]) -> None:
    writer = csv.writer(sys.stdout, lineterminator="\n")
    writer.writerow(_safe_cells(_columns(groups)))
    for group, row in rows:
        writer.writerow(_safe_cells([*group, *row]))


def _safe_cells(cells: Iterable[object]) -> list[object]:
    texts = (json.dumps(cell) if isinstance(cell, list | dict) else cell for cell in cells)
    return [safe_cell(cell) if isinstance(cell, str) else cell for cell in texts]


def records(groups: Groups, rows: Iterable[Listed]) -> Iterator[dict[str, object]]:
    """The rows as JSON has them."""
    columns = _columns(groups)
    for group, row in rows:
        yield dict(zip(columns, [*group, *row], strict=True))


def _write_jsonl(groups: Groups, rows: Iterable[Listed]) -> None:
    for record in records(groups, rows):
        print(json_text(record))


def _write_markdown(groups: Groups, rows: Iterable[Listed]) -> None:
    columns = _columns(groups)
    print(markdown(Table("", columns, [], texts=len(columns))))
    for group, row in rows:
        print(markdown_row(texts([*group, *row._replace(kind=cast(Any, KINDS[row.kind]))])))


def _write_excel(groups: Groups, rows: Iterable[Listed]) -> None:
    write_excel(sys.stdout.buffer, "errors", _columns(groups), ([*group, *row] for group, row in rows))


def first_rows(groups: Groups, rows: Iterable[Listed]) -> list[Part]:
    """The first rows as a table, and how many more there are."""
    rows = iter(rows)
    cells = [
        [
            *(cut(text) for text in group),
            *texts([row.document, _group(row), row.entity_type, KINDS[row.kind], row.operation]),
            *(cut(text) for text in texts([row.reference, row.prediction, row.confidence])),
        ]
        for group, row in islice(rows, SHOWN)
    ]
    names = ["document", "group", "entity type", "kind", "operation", "reference", "prediction", "confidence"]
    columns = [*groups, *names]
    rest = sum(1 for _ in rows)
    line = f"{rest} more rows: --format csv, jsonl, markdown and xlsx have all" if rest else ""
    return [Table("errors", columns, cells, texts=len(columns) - 1), *([Text(line, HINT)] if line else [])]


def _group(row: ErrorRow) -> str | None:
    """The type of the group, and the numbers of the predicted and the reference group."""
    if row.group_type is None:
        return None
    numbers = ("–" if number is None else str(number) for number in (row.predicted_group, row.reference_group))
    return f"{row.group_type} {'/'.join(numbers)}"


WRITERS: dict[Format, Callable[[Groups, Iterable[Listed]], None]] = {
    Format.csv: _write_csv,
    Format.jsonl: _write_jsonl,
    Format.markdown: _write_markdown,
    Format.xlsx: _write_excel,
}
"""What prints the rows alone to standard output, one by one."""
