"""Tables in files: CSV, Excel and Parquet. What their rows mean is in `docie.inputs.sources.table`."""

from __future__ import annotations

import contextlib
import csv
import io
import os
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from functools import cached_property, partial
from itertools import chain, islice, pairwise
from pathlib import Path
from typing import IO, Any

from docie.core.errors import InputError, shortened
from docie.core.values.plain import JsonObject, identity_text
from docie.documents.tagging.schemes import is_tag
from docie.inputs.reading import Side
from docie.inputs.row import Row
from docie.inputs.sources.bounds import EMPTY, MOST_ABOVE, even, width_of
from docie.inputs.sources.source import Source, as_utf8, in_one_line
from docie.inputs.sources.table import BATCH, Cells, Table, batch_rows

PACKED = (".gz", ".bz2", ".xz", ".zst")
_OLE = b"\xd0\xcf\x11\xe0"  # how .xls begins, and what is protected by a password
_LONGEST_CELL = 1 << 30  # csv refuses cells above 131,072 characters unless told otherwise
_WINDOWS = "cp1252"
_DELIMITERS = "\t;,"
LineItems = dict[str, dict[str, list[tuple[str, JsonObject]]]]
"""Line items with their places, by documents and groups."""
_QUOTED = re.compile(r'"[^"]*"')


class TableFile(Source):
    """The rows of a table in a file. In a workbook, further sheets hold the line items of the rows of the first one.

    Args:
        path: a path, of a workbook also `path#sheet`; a URL that fsspec reads.
        content: what is read in place of the file.
        side: "prediction" or "reference".
        how: how its rows are read: the key of their ids, and the table with their line items.
    """

    is_table = True

    def __init__(self, path: str, content: bytes | None = None, *, side: str, how: Side) -> None:
        super().__init__(path)
        self.content, self.side, self.how = content, side, how
        self.id_key = self.line_key = how.id_key
        self.file, self.asked = split_sheet(path)
        self.sheet = self.asked
        self.cells = READERS.get(suffix_of(self.file), _refused)
        self.kept: Callable[[Sequence[str]], list[str]] = list

    def place(self, number: int) -> str:
        """Where a row stands; without a number, the table."""
        if self.cells is _csv and number:
            return f"{self.file}:{number}"
        where = f"{self.file}, sheet {self.sheet}" if self.sheet else self.file
        return f"{where}, row {number}" if number else where

    def opened(self) -> contextlib.AbstractContextManager[IO[bytes]]:
        """The file, open."""
        if self.content is not None:
            return io.BytesIO(self.content)
        import fsspec

        return fsspec.open(self.file, "rb")  # type: ignore[no-any-return]

    @cached_property
    def workbook(self) -> Any:
        """The workbook, open."""
        try:
            from openpyxl import load_workbook
        except ImportError:
            raise InputError(f'{self.file}: Excel files need openpyxl: pip install "docie[tables]"') from None
        with in_one_line(self.file), self.opened() as file:
            content = file.read()
            if content.startswith(_OLE):
                problem = "protected by a password, or of the old format .xls; save it as .xlsx without a password"
                raise InputError(f"{self.file}: {problem}")
            return load_workbook(io.BytesIO(content), read_only=True, data_only=True)

    def __iter__(self) -> Iterator[Row]:
        first, *others = self._sheets()
        self.line_key = self._key_of_lines(first, others)
        items = self._line_items(others)
        for number, row in self._rows(first):
            place = self.place(number)
            content = row.get("document")
            document = content if isinstance(content, dict) else row
            for name, found in items.pop(self._id_in(row, number), {}).items() if items else ():
                if name in document:
                    raise InputError(f"{found[0][0]}: a line item of {name!r}, which {place} has, too")
                document[name] = [item for _, item in found]
            yield Row(row, place)
        for identity, groups in items.items():
            [(place, _), *_] = next(iter(groups.values()))
            raise InputError(f"{place}: a line item of {shortened(identity)}, which {self.place(0)} has not")

    def _line_items(self, sheets: Sequence[str]) -> LineItems:
        """The line items in these sheets, and in the table of them."""
        tables = [(self, sheet, sheet) for sheet in sheets]
        if path := self.how.lines:
            if not suffix_of(split_sheet(path)[0]):
                raise InputError(f"{path}: line items are read from tables, such as .csv or .xlsx")
            lines = TableFile(path, side=self.side, how=replace(self.how, lines=""))
            names = lines._sheets()
            tables += [(lines, sheet, sheet if len(names) > 1 else Path(lines.file).stem) for sheet in names]
        items: LineItems = {}
        for table, sheet, name in tables:
            for number, row in table._rows(sheet):
                groups = items.setdefault(table._id_in(row, number), {})
                row.pop(table.line_key)
                groups.setdefault(str(row.pop("group", name)), []).append((table.place(number), row))
        return items

    def _rows(self, sheet: str) -> Iterator[tuple[int, JsonObject]]:
        self.sheet = sheet
        cells = partial(self.cells, self)
        keeps_all = bool(self.how.unwrap)
        table = Table(cells, self.side, self.id_key, place=self.place, tell=self.note, keeps_all=keeps_all)
        self.kept = table.kept
        return table.rows()

    def _id_in(self, row: JsonObject, number: int) -> str:
        try:
            identity = identity_text("id", row.get(self.line_key))
        except ValueError as error:
            raise InputError(f"{self.place(number)}: {error}") from None
        if identity is None:
            problem = f"no id in a column {self.id_key!r}, which joins documents and line items"
            raise InputError(f"{self.place(number)}: {problem}{self._advice()}")
        return self.how.stripped(identity)

    def _advice(self) -> str:
        """How one sheet of a workbook is read alone."""
        sheets = self._sheets()
        return f"; one sheet alone is {self.file}#{sheets[0]} ({', '.join(sheets)})" if len(sheets) > 1 else ""

    def _key_of_lines(self, first: str, others: Sequence[str]) -> str:
        """The column that joins the sheets: that of ids, or the first that all have and that tells documents apart."""
        header, *rows = self._cells_of(first) if others and self.how.id is None else [()]
        if not rows or self.id_key in header:
            return self.id_key
        names = [{*next(iter(self._cells_of(sheet)), ())} for sheet in others]
        for number, name in enumerate(header):
            if name and all(name in each for each in names):
                column = [row[number] for row in rows]
                if len({*column}) == len(column) and not {*column} & {*EMPTY}:
                    self.note(f"{self.file}: the column {name!r} joins {first} and {', '.join(others)}")
                    return str(name)
        return self.id_key

    def _cells_of(self, sheet: str) -> list[Sequence[object]]:
        self.sheet = sheet
        return [cells for _, cells in self.cells(self)]

    def _sheets(self) -> list[str]:
        """The sheets to read; one without a name for a file that has none."""
        if self.cells is not _excel or self.asked:
            return [self.asked]
        first, *others = [each.title for each in self.workbook.worksheets if each.sheet_state == "visible"]
        widths = {sheet: [*map(width_of, islice(_rows_of(self, sheet), MOST_ABOVE))] for sheet in others}
        if texts := [sheet for sheet, each in widths.items() if max(each, default=0) == 1]:
            self.note(f"{self.file}: not read, as they hold no table: {', '.join(texts)}")
        return [first, *(sheet for sheet in others if max(widths[sheet], default=0) > 1)]


def _csv(source: TableFile) -> Cells:
    """The cells of a file of comma-separated values, or of others: the header decides."""
    csv.field_size_limit(max(csv.field_size_limit(), _LONGEST_CELL))
    with in_one_line(source.file), source.opened() as file:
        lines = _lines(as_utf8(file, source.name), source)
        start = [line if line.strip() else "\n" for line in islice(lines, MOST_ABOVE)]
        reader = csv.reader(chain(start, lines), delimiter=_delimiter(start), strict=True)
        yield from even(_numbered(reader, source), source, is_padded=False)


def _lines(file: Iterable[bytes], source: TableFile) -> Iterator[str]:
    """The lines of a file in UTF-8, or, as Excel still writes them in Western Europe, in Windows-1252."""
    encoding = "utf-8-sig"
    for number, line in enumerate(file, 1):
        try:
            yield line.decode(encoding)
            encoding = encoding.removesuffix("-sig")
        except UnicodeDecodeError as error:
            if encoding == _WINDOWS:
                raise InputError(f"{source.place(number)}: not {encoding} text (byte {error.start})") from None
            encoding = _WINDOWS
            try:
                if b"\0" in line:
                    raise
                yield line.decode(encoding)
            except UnicodeDecodeError:
                problem = f"not UTF-8 text (byte {error.start}); save the table as UTF-8"
                raise InputError(f"{source.place(number)}: {problem}") from None
            source.note(f"{source.place(number)}: not UTF-8 text; read as Windows-1252 from here on")


def _delimiter(lines: Sequence[str]) -> str:
    """What stands between cells: what the header has most of, the first line with something of which the next has, too.

    >>> _delimiter(["Export, May 2024\\n", "\\n", "file;total\\n", "a.pdf;9,15\\n"])
    ';'
    """
    bare = [line for line in _QUOTED.sub("", "".join(lines)).splitlines() if line.strip()]
    for line, below in pairwise([*bare, *bare[-1:]]):
        mark = max(_DELIMITERS, key=line.count)
        if mark in line and mark in below:
            return mark
    return max(_DELIMITERS, key=bare[0].count) if bare else ","


def _numbered(reader: Any, source: TableFile) -> Iterator[tuple[int, list[object]]]:
    """The rows of a reader, with the numbers of their first lines."""
    line = 1
    try:
        for cells in reader:
            if cells:
                yield line, cells
            line = reader.line_num + 1
    except csv.Error as error:
        raise InputError(f"{source.place(line)}: no row of a table ({error})") from None


def _excel(source: TableFile) -> Cells:
    """The cells of a sheet."""
    names = [sheet.title for sheet in source.workbook.worksheets]
    if source.sheet not in names:
        sheets = ", ".join(map(shortened, names))
        raise InputError(f"{source.file}: no sheet {shortened(source.sheet)}; its sheets are {sheets}")
    with in_one_line(source.file):
        yield from even(enumerate(_rows_of(source, source.sheet), 1), source, is_padded=True)


def _rows_of(source: TableFile, sheet: str) -> Iterator[Sequence[object]]:
    """The rows of a sheet as they stand there."""
    found = source.workbook[sheet]
    found.reset_dimensions()  # some programs write wrong ones
    return found.iter_rows(values_only=True)  # type: ignore[no-any-return]


def _parquet(source: TableFile) -> Cells:
    from pyarrow import parquet

    with in_one_line(source.file), source.opened() as file, parquet.ParquetFile(file) as table:
        names = source.kept(table.schema_arrow.names)
        yield 0, names
        batches = table.iter_batches(BATCH, columns=names)
        yield from enumerate(chain.from_iterable(map(batch_rows, batches)), 1)


def _refused(source: TableFile) -> Cells:
    raise InputError(f"{source.file}: spreadsheets are read as .xlsx; save it so, or as CSV")
    yield


READERS: dict[str, Callable[[TableFile], Cells]] = {
    ".csv": _csv,
    ".tsv": _csv,
    ".xlsx": _excel,
    ".xlsm": _excel,
    ".parquet": _parquet,
    ".xls": _refused,
    ".xlsb": _refused,
    ".ods": _refused,
}
"""What reads tables, by the endings of files."""
TABLES = tuple(suffix for suffix, cells in READERS.items() if cells is not _refused)
"""The endings of tables that can be read."""


def suffix_of(path: str) -> str:
    """The ending of a table, also of a packed one; an empty text for what is no table."""
    stem, suffix = os.path.splitext(path.lower())
    suffix = os.path.splitext(stem)[1] if suffix in PACKED else suffix
    return suffix if suffix in READERS else ""


def what_it_holds(path: str, content: bytes | None, id_key: str) -> str:
    """Whether a file holds a "table", tagged "words", or other "rows". In a `.tsv` the first line decides.

    Raises:
        InputError: if it could be a table or tagged words.
    """
    suffix = suffix_of(split_sheet(path)[0])
    if suffix != ".tsv" or os.path.isdir(path):
        return "table" if suffix and not os.path.isdir(path) else "rows"
    with in_one_line(path), open(path, "rb") if content is None else io.BytesIO(content) as file:
        line = next((line for line in as_utf8(file, path) if line.strip()), b"")
    words = line.decode("utf-8-sig", "replace").split()
    if not words or words[0][0] in "{[":
        return "rows"
    if len(words) == 1 or not is_tag(words[-1]):
        return "table"
    if words[0] in ("document", id_key):
        raise InputError(f"{path}: a table or tagged words; name it .csv if it is a table, else .conll")
    return "words"


def split_sheet(path: str) -> tuple[str, str]:
    """The path of a workbook and the name of its sheet, which may follow as `#sheet`.

    >>> split_sheet("invoices.xlsx#Lines"), split_sheet("invoices#2.xlsx")
    (('invoices.xlsx', 'Lines'), ('invoices#2.xlsx', ''))
    """
    file, _, sheet = path.rpartition("#")
    return (file, sheet) if READERS.get(suffix_of(file)) is _excel else (path, "")
