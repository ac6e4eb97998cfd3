"""Tables as an Excel file, their rows written one by one."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Sequence
from itertools import chain, islice
from typing import IO, TYPE_CHECKING

from docie.core.errors import warn
from docie.show.result import Rows

if TYPE_CHECKING:
    from openpyxl import Workbook
    from openpyxl.cell import WriteOnlyCell
    from openpyxl.worksheet._write_only import WriteOnlyWorksheet

MOST_ROWS = 1_048_576
"""The rows of a sheet, with its heading."""
LONGEST = 32_767
"""The length of a text, counted in units of UTF-16, as Excel does."""
_LARGEST = 2**53
"""Larger whole numbers lose digits in Excel."""
LONGEST_TITLE = 28
"""Of the name of a sheet, which has at most 31 with its number."""
_TITLE = re.compile(r"[\\/*?:\[\]]+")
"""What the name of a sheet cannot have."""
_REFUSED = re.compile("[\x00-\x08\x0b-\x1f\ud800-\udfff\ufffe\uffff]")
"""What XML has no sign for, and the carriage return, which XML reads as a line feed."""
_ESCAPE = re.compile("_(?=x[0-9A-Fa-f]{4}_)")
"""The beginning of what Excel reads as a code: _x0041_ is A."""


def write_excel(file: IO[bytes], tables: Iterable[Rows]) -> None:
    """Write tables, each with as many sheets as it needs. Numbers stay numbers, and no text is a formula.

    A character that Excel refuses becomes its code, such as \\x07. A text that is too long is cut, with a warning.

    Args:
        file: where to.
        tables: what a sheet is called, its headings and its rows; the second sheet of a table is "title 2".

    Raises:
        ValueError: without openpyxl.
    """
    try:
        from openpyxl import Workbook
    except ImportError:
        raise ValueError('Excel files need openpyxl: pip install "docie[tables]"') from None
    book = Workbook(write_only=True)
    cut = sum(_add(book, *table) for table in tables)
    book.save(file)
    if cut:
        warn(f"texts cut to the {LONGEST:,} characters of an Excel cell: {cut}; CSV and JSON Lines have them whole")


def _add(book: Workbook, title: str, columns: Sequence[str], rows: Iterable[Sequence[object]]) -> int:
    """Add the sheets of a table; the number of texts that are cut."""
    rows, next_row = iter(rows), list[Sequence[object]]()
    title = _TITLE.sub(" ", title)[:LONGEST_TITLE].strip()
    sheets = cut = 0
    while not sheets or next_row:
        sheets += 1
        sheet = book.create_sheet(title if sheets == 1 else f"{title} {sheets}")
        sheet.freeze_panes = "A2"
        cut += _fill(sheet, chain([columns], next_row, islice(rows, MOST_ROWS - 1 - len(next_row))))
        next_row = list(islice(rows, 1))
    return cut


def _fill(sheet: WriteOnlyWorksheet, rows: Iterable[Sequence[object]]) -> int:
    """Write the rows of a sheet; the number of texts that are cut."""
    cut = 0
    try:
        for row in rows:
            cells = [_plain(cell) for cell in row]
            cut += sum(isinstance(cell, str) and _length(cell) > LONGEST for cell in cells)
            sheet.append([_cell(sheet, cell) for cell in cells])
    finally:
        sheet.close()  # else openpyxl complains when a row could not be read
    return cut


def _plain(value: object) -> str | int | float | None:
    """A number that Excel has, or a text; None for nothing."""
    from docie.core.values.plain import is_number

    if value is None or (is_number(value) and abs(value) <= _LARGEST):
        return value
    text = value if isinstance(value, str) else json.dumps(value)
    return _REFUSED.sub(lambda match: ascii(match[0])[1:-1], _ESCAPE.sub("_x005F_", text))


def _length(text: str) -> int:
    return len(text) + sum(character > "\uffff" for character in text)


def _cell(sheet: WriteOnlyWorksheet, value: str | int | float | None) -> WriteOnlyCell | int | float | None:
    """A cell. A text is one whatever it begins with; openpyxl would make a formula of "=1+1"."""
    from openpyxl.cell import WriteOnlyCell

    if not isinstance(value, str):
        return value
    if _length(value) > LONGEST:
        value = value.encode("utf-16-le")[: 2 * LONGEST].decode("utf-16-le", errors="ignore")
    cell = WriteOnlyCell(sheet, value)
    cell.data_type = "s"
    return cell
