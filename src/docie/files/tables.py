"""Tables in files: CSV, Excel and Parquet. What their rows mean is in `docie.documents.table_rows`."""

from __future__ import annotations

import contextlib
import csv
import io
import os
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cached_property, partial
from itertools import chain
from pathlib import Path
from typing import IO, Any

from docie.core.errors import InputError, shortened
from docie.core.values.plain import JsonObject
from docie.documents.table_rows import BATCH, Cells, Table, batch_rows
from docie.documents.tagging.schemes import is_tag
from docie.files.source import Source, as_utf8, in_one_line

PACKED = (".gz", ".bz2", ".xz", ".zst")
_OLE = b"\xd0\xcf\x11\xe0"  # how .xls begins, and what is protected by a password
_LONGEST_CELL = 1 << 30
_EMPTY = (None, "")
_QUOTED = re.compile(r'"[^"]*"')


class TableSource(Source):
    """The rows of a table in a file. In a workbook, further sheets hold the line items of the rows of the first one.

    Args:
        path: a path, of a workbook also `path#sheet`; a URL that fsspec reads.
        side, reading, accepts_text, content: as for `Source`.
    """

    def __init__(self, path: str, side: str, **how: Any) -> None:
        super().__init__(path, side, **how)
        self.file, self.asked = split_sheet(path)
        self.sheet = self.asked
        self.cells = READERS.get(suffix_of(self.file), _refused)
        self.kept: Callable[[Sequence[str]], list[str]] = list

    def place(self, number: int) -> str:
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

    def _values(self) -> Iterator[tuple[int, bytes, object]]:
        first, *others = self._sheets()
        tables = [(self, sheet, sheet) for sheet in others]
        if self.reading and (path := self.reading.asked_of("lines", self.side)):
            if not suffix_of(split_sheet(path)[0]):
                raise InputError(f"{path}: line items are read from tables, such as .csv or .xlsx")
            lines = TableSource(path, self.side, reading=self.reading)
            sheets = lines._sheets()
            tables += [(lines, sheet, sheet if len(sheets) > 1 else Path(lines.file).stem) for sheet in sheets]
        items: dict[str, dict[str, list[tuple[str, JsonObject]]]] = {}  # by documents and groups, with their places
        for source, sheet, name in tables:
            for number, row in source._rows(sheet):
                groups = items.setdefault(source._id_in(row, number), {})
                row.pop(self.id_key)
                groups.setdefault(str(row.pop("group", name)), []).append((source.place(number), row))
        for number, row in self._rows(first):
            content = row.get("document")
            document = content if isinstance(content, dict) else row
            for name, found in items.pop(self._id_in(row, number), {}).items() if items else ():
                if name in document:
                    problem = f"a line item of {name!r}, which {self.place(number)} has, too"
                    raise InputError(f"{found[0][0]}: {problem}")
                document[name] = [item for _, item in found]
            yield number, b"", row
        for identity, groups in items.items():
            [(place, _), *_] = next(iter(groups.values()))
            raise InputError(f"{place}: a line item of {shortened(identity)}, which {self.place(0)} has not")

    def _check_id(self, number: int, value: object, identity: str | None, *, is_field: bool) -> None:
        self.has_id_among_fields |= is_field  # so that a row may have an id and nothing else
        super()._check_id(number, value, identity, is_field=is_field)

    def _rows(self, sheet: str) -> Iterator[tuple[int, JsonObject]]:
        self.sheet = sheet
        cells = partial(self.cells, self)
        table = Table(cells, self.side, self.id_key, place=self.place, tell=self._tell, keeps_all=bool(self.unwraps))
        self.kept = table.kept
        return table.rows()

    def _id_in(self, row: JsonObject, number: int) -> str:
        if (identity := self._id(number, row)) is None:
            sheets = self._sheets()
            one = f"; one sheet alone is {self.file}#{sheets[0]} ({', '.join(sheets)})" if len(sheets) > 1 else ""
            problem = f"no id in a column {self.id_key!r}, which joins documents and line items"
            raise InputError(f"{self.place(number)}: {problem}{one}")
        return identity

    def _sheets(self) -> list[str]:
        """The sheets to read; one without a name for a file that has none."""
        if self.cells is not _excel or self.asked:
            return [self.asked]
        return [each.title for each in self.workbook.worksheets if each.sheet_state == "visible"]


def _csv(source: TableSource) -> Cells:
    """The cells of a file of comma-separated values, or of others: the header decides."""
    csv.field_size_limit(max(csv.field_size_limit(), _LONGEST_CELL))
    with in_one_line(source.file), source.opened() as file:
        lines = _lines(as_utf8(file, source.name), source)
        start = [""]
        while not start[-1].strip() and (line := next(lines, None)) is not None:
            start.append(line if line.strip() else "\n")
        reader = csv.reader(chain(start[1:], lines), delimiter=_delimiter(start[-1]), strict=True)
        yield from _even(_numbered(reader, source), source, is_padded=False)


def _lines(file: Iterable[bytes], source: TableSource) -> Iterator[str]:
    for number, line in enumerate(file, 1):
        try:
            yield line.decode("utf-8-sig" if number == 1 else "utf-8")
        except UnicodeDecodeError as error:
            problem = f"not UTF-8 text (byte {error.start}); save the table as UTF-8"
            raise InputError(f"{source.place(number)}: {problem}") from None


def _delimiter(header: str) -> str:
    bare = _QUOTED.sub("", header)
    return max("\t;,", key=bare.count)


def _numbered(reader: Any, source: TableSource) -> Iterator[tuple[int, list[object]]]:
    """The rows of a reader, with the numbers of their first lines."""
    line = 1
    try:
        for cells in reader:
            if cells:
                yield line, cells
            line = reader.line_num + 1
    except csv.Error as error:
        raise InputError(f"{source.place(line)}: no row of a table ({error})") from None


def _even(rows: Iterable[tuple[int, Sequence[object]]], source: TableSource, *, is_padded: bool) -> Cells:
    """Rows that are as long as the header, without empty ones at the end."""
    width, empty = 0, list[int]()
    for number, cells in rows:
        if len(cells) != width or cells[0] in _EMPTY:  # most rows need no second look
            filled = next((place for place in range(len(cells), 0, -1) if cells[place - 1] not in _EMPTY), 0)
            if not filled:
                empty += [number] * bool(width)
                continue
            if width and (filled > width or (len(cells) < width and not is_padded)):
                got = max(filled, min(len(cells), width))
                raise InputError(f"{source.place(number)}: expected {width} cells, as in the header, got {got}")
            width = width or filled
            cells = [*cells[:width], *[None] * (width - len(cells))]
        yield from ((each, [None] * width) for each in empty)
        empty.clear()
        yield number, cells


def _excel(source: TableSource) -> Cells:
    """The cells of a sheet."""
    names = [sheet.title for sheet in source.workbook.worksheets]
    if source.sheet not in names:
        sheets = ", ".join(map(shortened, names))
        raise InputError(f"{source.file}: no sheet {shortened(source.sheet)}; its sheets are {sheets}")
    with in_one_line(source.file):
        sheet = source.workbook[source.sheet]
        sheet.reset_dimensions()  # some programs write wrong ones
        yield from _even(enumerate(sheet.iter_rows(values_only=True), 1), source, is_padded=True)


def _parquet(source: TableSource) -> Cells:
    from pyarrow import parquet

    with in_one_line(source.file), source.opened() as file, parquet.ParquetFile(file) as table:
        names = source.kept(table.schema_arrow.names)
        yield 0, names
        batches = table.iter_batches(BATCH, columns=names)
        yield from enumerate(chain.from_iterable(map(batch_rows, batches)), 1)


def _refused(source: TableSource) -> Cells:
    raise InputError(f"{source.file}: spreadsheets are read as .xlsx; save it so, or as CSV")
    yield


READERS: dict[str, Callable[[TableSource], Cells]] = {
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
