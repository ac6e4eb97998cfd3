"""A table as cells with their places and spans → records, one for each row below the header.

Columns are named by their header cells. Cells over several columns are further levels of names: net and gross below
"Amount" are an object at "Amount". Nothing raises; what is dropped is counted in `issues`. Cells have the places that
the HTML standard gives them (4.9.12, forming a table), but may reach from the header into the body.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import groupby
from typing import Any, NamedTuple

from docie.core.errors import shortened
from docie.core.values.plain import JsonObject

MOST_SPANNED = 1_000_000
"""The number of places that cells over several rows of a table may take: in a table with more, they take one each."""
MOST_LEVELS = 8
"""The number of header rows that are found. Tables with more are no tables of records."""
Path = tuple[str, ...]


class Cell(NamedTuple):
    """A cell of a table.

    Attributes:
        text: what stands in it.
        row, column: where it begins, from 0; without a column, in the first one that those before and above it leave.
        rows, columns: how many it takes.
        is_header: whether it is marked as one that names columns.
        inner: the tables in it.
    """

    text: str
    row: int
    column: int | None = None
    rows: int = 1
    columns: int = 1
    is_header: bool = False
    inner: tuple[Any, ...] = ()


class _Row(NamedTuple):
    """A row: the cells that begin in it, and all of its cells by the column where they begin, in order."""

    own: list[Cell]
    cells: dict[int, Cell]

    @property
    def is_header(self) -> bool:
        """Whether all cells that begin in this row are marked as header cells."""
        return any(cell.is_header for cell in self.own) and all(cell.is_header or not cell.text for cell in self.own)

    @property
    def texts(self) -> tuple[str, ...]:
        """Its texts, from left to right."""
        return tuple([cell.text for cell in self.cells.values()])

    @property
    def name(self) -> str:
        """Its first text."""
        return next(filter(None, self.texts), "")


def records_of(
    table: Sequence[Cell], issues: Counter[str], *, names: Sequence[str] = (), totals: Iterable[str] = ()
) -> list[JsonObject]:
    """The rows of a table as records. `docie.adapters.tables.to_records` describes the options.

    >>> table = [Cell("Name", 0), Cell("Price", 0), Cell("Bagel", 1), Cell("3.00", 1)]
    >>> records_of(table, Counter())
    [{'Name': 'Bagel', 'Price': '3.00'}]
    """
    rows = _rows(table, issues)
    top = _titles(rows)
    issues.update(f"dropped the title {shortened(row.name)}" for row in rows[:top])
    start = top + _levels(rows[top:], issues, is_named=bool(names))
    headers, body = rows[top:start], rows[start:]
    issues.update(f"no row has a cell below {shortened(text)}" for text in _above_nothing(headers, body))
    issues["dropped a table in the header"] += any(cell.inner for row in headers for cell in row.own)
    issues["found no row below the header"] += not body
    paths = _paths(headers, sorted({column for row in body for column in row.cells}), names, issues)
    known, unwanted = {row.texts for row in rows[:start] if row.name}, {_folded(text) for text in totals}
    records = []
    for row in body:
        if row.texts in known:
            issues["dropped a repeated header"] += 1
        elif unwanted and _folded(row.name) in unwanted:
            issues[f"dropped the row {shortened(row.name)}"] += 1
        else:
            records.append(_record(row, paths, issues))
    return records


def _rows(table: Sequence[Cell], issues: Counter[str]) -> list[_Row]:
    """The rows in which something stands, with the cells that reach into them from above."""
    numbers = sorted({cell.row for cell in table})
    places = {number: place for place, number in enumerate(numbers)}
    rows = [_Row([], {}) for _ in numbers]
    for cell in table:
        rows[places[cell.row]].own.append(cell)
    tall = {id(cell): bisect_left(numbers, cell.row + cell.rows) for cell in table if cell.rows > 1}
    if sum(tall[id(cell)] - places[cell.row] for cell in table if cell.rows > 1) > MOST_SPANNED:
        issues["read cells over several rows in their first row only, since there are too many"] += 1
        tall = {}
    for place, row in enumerate(rows):
        above, passed, column = sorted(row.cells), 0, 0
        for cell in row.own:
            while passed < len(above) and above[passed] <= column:
                column = max(column, above[passed] + row.cells[above[passed]].columns)
                passed += 1
            column = column if cell.column is None else cell.column
            issues["dropped a cell at the place of another one"] += column in row.cells
            for other in rows[place : tall.get(id(cell), place + 1)]:
                other.cells.setdefault(column, cell)
            column += cell.columns
    kept = [row for row in rows if any(cell.text or cell.inner or cell.is_header for cell in row.own)]
    issues["dropped an empty row"] += len(rows) - len(kept)
    return [row._replace(cells=dict(sorted(row.cells.items()))) for row in kept]


def _titles(rows: list[_Row]) -> int:
    """The number of rows above the header that are a single cell; such a row is the header if no other row is."""
    top = next((number for number, row in enumerate(rows) if len(row.cells) > 1), 0)
    return 0 if any(row.is_header for row in rows[:top]) and not rows[top].is_header else top


def _levels(rows: list[_Row], issues: Counter[str], *, is_named: bool) -> int:
    """The number of header rows: those that are marked as such, or else the first one and what it needs below it."""
    is_marked = bool(rows) and rows[0].is_header
    if not rows or (is_named and not is_marked):
        return 0
    issues["took the first row as the header, since no cell is marked as one"] += not is_marked
    least = min(2, len(rows[0].cells))
    ends = (count for count, row in enumerate(rows[:MOST_LEVELS]) if not row.is_header or len(row.cells) < least)
    count = next(ends, 1) or 1  # where all rows are marked, only the first one is a header
    while count < min(len(rows) - 1, MOST_LEVELS) and _goes_on(rows[count - 1], rows[count], is_marked=is_marked):
        count += 1
    return count


def _goes_on(last: _Row, following: _Row, *, is_marked: bool) -> bool:
    """Whether a header goes on in the row below: a cell reaches there, or takes several columns that it cannot name.
    A row with numbers is no header."""
    is_wide = not is_marked and any(cell.columns > 1 for cell in last.cells.values())
    text = "".join(cell.text for cell in following.own)
    return (is_wide or len(following.cells) > len(following.own)) and not any(map(str.isdigit, text))


def _above_nothing(headers: list[_Row], body: list[_Row]) -> list[str]:
    """The texts of the last header row that are to the right of all records: rows were cut, say."""
    if not headers or not body:
        return []
    end = max(column + cell.columns for row in body for column, cell in row.cells.items())
    return [cell.text for column, cell in headers[-1].cells.items() if cell.text and column >= end]


def _paths(levels: list[_Row], columns: Sequence[int], names: Sequence[str], issues: Counter[str]) -> dict[int, Path]:
    """The name of each column, as the keys that lead to its value in a record."""
    texts: dict[int, list[str]] = {}
    for place, cell in (each for row in levels for each in row.cells.items()):
        for column in range(place, place + cell.columns):
            texts.setdefault(column, []).append(cell.text)
    paths: dict[int, Path] = {}
    leaves, inner, numbers = set[Path](), set[Path](), Counter[Path]()
    for column in columns:
        over = (text for text, _ in groupby(filter(None, texts.get(column, ()))))  # repeated ones count once
        path = (names[column],) if column < len(names) else tuple(over)
        if not path:
            path = (f"column {column + 1}",)
            issues["numbered a column without a name"] += len(levels) > 0
        if any(path[:length] in leaves for length in range(1, len(path))):  # a column is named like these together
            path = (".".join(path),)
        new = path
        while new in leaves or new in inner:
            numbers[path] += 1
            new = (*path[:-1], f"{path[-1]} {numbers[path] + 1}")
        if new != path:
            issues[f"numbered the repeated name {shortened('.'.join(path))}"] += 1
        paths[column] = new
        leaves.add(new)
        inner.update(new[:length] for length in range(1, len(new)))
    return paths


def _record(row: _Row, paths: dict[int, Path], issues: Counter[str]) -> JsonObject:
    record: JsonObject = {}
    for column, cell in row.cells.items():
        value: object = cell.text
        if cell.inner:
            value = [each for table in cell.inner for each in records_of(table, issues)] or value
            issues["dropped the text beside a table in a cell"] += bool(cell.text) and value != cell.text
        if value:
            *outer, last = paths[column]
            target = record
            for key in outer:
                target = target.setdefault(key, {})
            target[last] = value
    return record


def _folded(text: str) -> str:
    return text.casefold().rstrip(" :")
