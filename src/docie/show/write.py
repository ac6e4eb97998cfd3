"""The one writer: it puts any result into any form."""

from __future__ import annotations

import csv
import json
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from enum import StrEnum
from itertools import chain
from pathlib import Path
from typing import Any, TextIO

from docie.show import writers
from docie.show.destination import Destination
from docie.show.excel import write_excel
from docie.show.result import Result
from docie.show.terminal import to_terminal


class Format(StrEnum):
    """How results are written."""

    table = "table"
    markdown = "markdown"
    latex = "latex"
    json = "json"
    csv = "csv"
    jsonl = "jsonl"
    xlsx = "xlsx"
    html = "html"


ENDINGS = {
    ".txt": Format.table,
    ".md": Format.markdown,
    ".tex": Format.latex,
    ".json": Format.json,
    ".csv": Format.csv,
    ".jsonl": Format.jsonl,
    ".xlsx": Format.xlsx,
    ".html": Format.html,
}
"""What the name of a file says of its format."""


def write(
    result: Result,
    destination: str | os.PathLike[str] | TextIO | Destination,
    format: str | None = None,
    *,
    title: str | None = None,
    command: str = "",
) -> None:
    """Write a result.

    Args:
        result (Result): what `docie.score`, `compare`, `errors`, `threshold` or `check` gave.
        destination (path or stream): a file, which takes its name when it is whole, or a stream of text such as
            `sys.stdout`.
        format (str): "table" (for a terminal), "markdown", "latex", "json", "csv" and "jsonl" (the first table), "xlsx"
            (a sheet a table) or "html" (a report: one file that needs no network); None for what the name of the file
            ends in.
        title (str): the title of a report; None for the names of what it is about.
        command (str): what a report names as the command that made it.

    Raises:
        ModuleNotFoundError: for a report, if a package of the extra `report` is missing.
        ValueError: for a path that cannot be written, for a format that is not known, and for Excel without openpyxl.

    >>> import docie, sys
    >>> rows = [{"total": "12.00"}]
    >>> write(docie.score(references=rows, predictions=rows, metric="text_match"), sys.stdout, "markdown")
    | score | meaning | value |
    | :-- | :-- | --: |
    | exact_match | 1 of 1 field identical, 0 spurious, 0 missing or different | 1.0000 |
    ...
    """
    form = format_of(destination, format)
    if title is not None or command:
        named = {} if title is None else {"title": title}
        result = replace(result, facts=replace(result.facts, command=command, **named))
    with _opened(destination, form) as stream:
        WRITERS[form](result, stream)


def format_of(destination: Any, asked: str | None) -> Format:
    """The format that was asked for, else the one that the name of the file says.

    Raises:
        ValueError: if the name says none, or Excel would not open the file, or it would go to a terminal.

    >>> import sys
    >>> format_of("errors.CSV", None).value, format_of("errors.txt", "jsonl").value, format_of(sys.stdout, None).value
    ('csv', 'jsonl', 'table')
    """
    if asked is not None and asked not in {*Format}:
        raise ValueError(f"unknown format {asked!r}, expected one of: {', '.join(Format)}")
    if hasattr(destination, "write"):
        if asked == Format.xlsx and destination.isatty():
            raise ValueError("an Excel file cannot be shown in a terminal; name a file that ends in .xlsx")
        return Format(asked or Format.table)
    name = destination.name if isinstance(destination, Destination) else os.fspath(destination)
    suffix = Path(name).suffix.lower()
    if asked is None and suffix not in ENDINGS:
        raise ValueError(f"{name}: the name ends in none of {', '.join(ENDINGS)}; name a format")
    form = Format(asked) if asked else ENDINGS[suffix]
    if (form == Format.xlsx) != (suffix == ".xlsx"):
        raise ValueError(f"{name}: .xlsx is for the format xlsx alone, got {form}")
    return form


@contextmanager
def _opened(destination: str | os.PathLike[str] | TextIO | Destination, form: Format) -> Iterator[TextIO]:
    """The stream to write to. Of a lone surrogate, browsers get a reference, other readers its code."""
    errors = "xmlcharrefreplace" if form == Format.html else "backslashreplace"
    if isinstance(destination, Destination):
        with destination.opened(errors) as stream:
            yield stream
    elif isinstance(destination, str | os.PathLike):
        with Destination(destination) as file, file.opened(errors) as stream:
            yield stream
    else:
        yield destination


def _table(result: Result, stream: TextIO) -> None:
    print(to_terminal(result.sections(brief=True)), file=stream)


def _markdown(result: Result, stream: TextIO) -> None:
    print(writers.to_markdown(result.sections(brief=True)), file=stream)


def _latex(result: Result, stream: TextIO) -> None:
    print(writers.to_latex(result.sections(brief=True)), file=stream)


def _json(result: Result, stream: TextIO) -> None:
    print(writers.json_text(result.to_dict(), indent=2), file=stream)


def _csv(result: Result, stream: TextIO) -> None:
    table = next(result.tables())
    writer = csv.writer(stream, lineterminator="\n")
    for cells in chain([table.columns], table.cells):
        writer.writerow(map(_plain, cells))


def _plain(cell: object) -> object:
    """A cell of CSV: lists and objects are JSON, and no text is a formula."""
    text = json.dumps(cell) if isinstance(cell, list | dict) else cell
    return writers.safe_cell(text) if isinstance(text, str) else text


def _jsonl(result: Result, stream: TextIO) -> None:
    table = next(result.tables())
    for cells in table.cells:
        print(writers.json_text(dict(zip(table.columns, cells, strict=True))), file=stream)


def _xlsx(result: Result, stream: TextIO) -> None:
    write_excel(stream.buffer, result.tables())


def _html(result: Result, stream: TextIO) -> None:
    from docie.show.page.output import check_packages
    from docie.show.page.page import render

    check_packages()
    print(render(result.page()), file=stream)


WRITERS: dict[Format, Callable[[Result, TextIO], None]] = {
    Format.table: _table,
    Format.markdown: _markdown,
    Format.latex: _latex,
    Format.json: _json,
    Format.csv: _csv,
    Format.jsonl: _jsonl,
    Format.xlsx: _xlsx,
    Format.html: _html,
}
