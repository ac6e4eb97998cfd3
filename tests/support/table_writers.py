"""Tables with known cells, written as HTML in several styles, as Markdown, and as docling and Azure write tables in JSON."""

from __future__ import annotations

import html
import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple

NAMES = ("Item", "Qty.", "Unit price", "Art. Nr.", "Amount", "Tax", "Größe", "net", "gross", "Menge")
TEXTS = ("Bagel", "Flat White", "3.00", "1.234,50", "A & B", "x|y", "5 < 6 kg", "Größe 4", "10 %", "007", "Käse alt", "(2)")  # fmt: skip
TOTAL = "Total"


class Placed(NamedTuple):
    """A cell that is written: its text, its place, and whether it is in a header."""

    text: str
    row: int
    column: int
    rows: int = 1
    columns: int = 1
    is_header: bool = False


@dataclass
class Table:
    """A table.

    Attributes:
        header: the names of each column, one or two of them, from the top.
        rows: the text of each column in each row; "" for an empty cell.
        merged: the rows whose first cell is one with the row above.
        breaks: the rows above which the header is repeated.
        total: an amount, below the rows, beside a cell over all columns but the last one; "" for none.
    """

    header: list[tuple[str, ...]]
    rows: list[list[str]]
    merged: set[int]
    breaks: set[int]
    total: str

    @property
    def records(self) -> list[dict[str, Any]]:
        """The records that a reader should find, without the total."""
        return [self._record(row) for row in self.rows]

    @property
    def total_record(self) -> dict[str, Any]:
        """The record of the total."""
        return self._record([TOTAL, *[""] * (len(self.header) - 2), self.total])

    def _record(self, row: list[str]) -> dict[str, Any]:
        record: dict[str, Any] = {}
        for path, text in zip(self.header, row, strict=True):
            if text:
                target = record.setdefault(path[0], {}) if len(path) == 2 else record
                target[path[-1]] = " ".join(text.split())
        return record

    def cells(self) -> Iterator[Placed]:
        """All cells, row by row. Those without a text are cells, too."""
        number = 0
        for place, row in enumerate(self.rows):
            if place == 0 or place in self.breaks:
                yield from self._header_cells(number)
                number += max(map(len, self.header))
            for column, text in enumerate(row):
                if column or place not in self.merged:
                    following = range(place + 1, len(self.rows)) if column == 0 else ()
                    rows = next((n - place for n in following if n not in self.merged), len(self.rows) - place)
                    yield Placed(text, number, column, rows if column == 0 else 1)
            number += 1
        if self.total:
            yield Placed(TOTAL, number, 0, 1, len(self.header) - 1)
            yield Placed(self.total, number, len(self.header) - 1)

    def _header_cells(self, number: int) -> Iterator[Placed]:
        levels = max(map(len, self.header))
        for column, path in enumerate(self.header):
            if len(path) == 1:
                yield Placed(path[0], number, column, levels, 1, True)
            elif not column or self.header[column - 1][0] != path[0]:
                width = sum(other[0] == path[0] for other in self.header)
                yield Placed(path[0], number, column, 1, width, True)
        for column, path in enumerate(self.header):
            if len(path) == 2:
                yield Placed(path[1], number + 1, column, 1, 1, True)


def random_table(rng: random.Random) -> Table:
    """A table with two to six columns."""
    names = rng.sample(NAMES, rng.randint(2, 6))
    header: list[tuple[str, ...]] = [(name,) for name in names]
    if len(names) > 3 and rng.random() < 0.5:
        first = rng.randint(1, len(names) - 3)
        header[first : first + 3] = [(names[first], names[first + 1]), (names[first], names[first + 2])]
    size = rng.randint(1, 8)
    rows = [[rng.choice((*TEXTS, "")) for _ in header[:-1]] + [rng.choice(TEXTS)] for _ in range(size)]
    breaks = {place for place in range(1, size) if rng.random() < 0.1}
    merged = {place for place in range(1, size) if place not in breaks and rng.random() < 0.2}
    for place in sorted(merged):
        rows[place][0] = rows[place - 1][0]
    return Table(header, rows, merged, breaks, rng.choice(("", "7.50")))


def in_rows(table: Table) -> list[list[Placed]]:
    rows: list[list[Placed]] = []
    for cell in sorted(table.cells(), key=lambda cell: (cell.row, cell.column)):
        rows += [[] for _ in range(cell.row + 1 - len(rows))]
        rows[cell.row].append(cell)
    return rows


def _spans(cell: Placed) -> str:
    rows = f' rowspan="{cell.rows}"' if cell.rows > 1 else ""
    return rows + (f' colspan="{cell.columns}"' if cell.columns > 1 else "")


def _row(cells: list[Placed], name: Callable[[Placed], str]) -> str:
    inner = "".join(f"<{name(c)}{_spans(c)}>{html.escape(c.text, quote=False)}</{name(c)}>" for c in cells)
    return f"<tr>{inner}</tr>\n"


def html_th(table: Table) -> str:
    """Header cells are `th`."""
    return (
        f"<table>{''.join(_row(row, lambda cell: 'th' if cell.is_header else 'td') for row in in_rows(table))}</table>"
    )


def html_thead(table: Table) -> str:
    """Header cells are `td` in `thead`, as structure recognition writes them, in a page."""
    rows = in_rows(table)
    levels = max(map(len, table.header))
    head, body = ("".join(_row(row, lambda cell: "td") for row in part) for part in (rows[:levels], rows[levels:]))
    return f"<html><body><table border='1'><thead>{head}</thead><tbody>{body}</tbody></table></body></html>"


def html_td(table: Table) -> str:
    """No header cell is marked."""
    return f"<table>{''.join(_row(row, lambda cell: 'td') for row in in_rows(table))}</table>"


def html_open(table: Table) -> str:
    """Without ends, in capitals."""
    return html_th(table).replace("</th>", "").replace("</td>", "").replace("</tr>", "").replace("<t", "<T").replace("</table>", "")  # fmt: skip


def html_dressed(table: Table) -> str:
    """With attributes, tags in cells and line breaks, in a code fence."""
    text = html_th(table).replace("<tr>", '<tr class="row > 1">\n  ').replace("<td>", "<td style='width: 5%'><b>\n").replace("</td>", "</b></td>\n ")  # fmt: skip
    return f"```html\n{text}\n```"


def html_rows(table: Table) -> str:
    """Without `table`."""
    return html_th(table).removeprefix("<table>").removesuffix("</table>")


def markdown(table: Table) -> str:
    """Merged cells are repeated in each row, and in each column of a header; the amount of a total stays in its column."""
    size, width = max(cell.row for cell in table.cells()) + 1, len(table.header)
    grid, headers = [[""] * width for _ in range(size)], set()
    for cell in table.cells():
        for row in range(cell.row, cell.row + cell.rows):
            for column in range(cell.column, cell.column + (cell.columns if cell.is_header else 1)):
                grid[row][column] = cell.text.replace("|", "\\|")
        headers |= {cell.row + cell.rows - 1} if cell.is_header else set()
    lines = [f"| {' | '.join(row)} |" for row in grid]
    levels = max(map(len, table.header))
    return "\n".join([*lines[:levels], "|" + ":--|" * width, *lines[levels:]])


def docling(table: Table) -> dict[str, Any]:
    """An element of `tables` of a `DoclingDocument`."""
    cells = [
        {
            "row_span": cell.rows, "col_span": cell.columns, "text": cell.text, "column_header": cell.is_header,
            "start_row_offset_idx": cell.row, "end_row_offset_idx": cell.row + cell.rows,
            "start_col_offset_idx": cell.column, "end_col_offset_idx": cell.column + cell.columns,
            "row_header": False, "row_section": False,
        }
        for cell in table.cells()
    ]  # fmt: skip
    rows = max(cell.row + cell.rows for cell in table.cells())
    data = {"table_cells": cells, "num_rows": rows, "num_cols": len(table.header)}
    return {"self_ref": "#/tables/0", "label": "table", "prov": [], "data": data}


def azure(table: Table) -> dict[str, Any]:
    """An element of `tables` of Azure Document Intelligence, which leaves out spans of 1 and the kind of plain cells."""
    cells: list[dict[str, Any]] = []
    for cell in table.cells():
        cells.append(
            {"rowIndex": cell.row, "columnIndex": cell.column, "content": cell.text, "spans": [], "boundingRegions": []}
        )
        cells[-1] |= {"kind": "columnHeader"} if cell.is_header else {}
        cells[-1] |= {"rowSpan": cell.rows} if cell.rows > 1 else {}
        cells[-1] |= {"columnSpan": cell.columns} if cell.columns > 1 else {}
    return {"rowCount": max(cell.row for cell in table.cells()) + 1, "columnCount": len(table.header), "cells": cells}


def mistral(table: Table) -> dict[str, Any]:
    """An element of `tables` of a page of Mistral OCR."""
    return {"id": "tbl-0.html", "content": html_th(table), "format": "html"}


WRITERS: dict[str, Callable[[Table], Any]] = {
    each.__name__: each
    for each in (
        *(html_th, html_thead, html_td, html_open, html_dressed, html_rows, markdown, docling, azure),
        mistral,
    )
}


def html_of(items: list[dict[str, Any]]) -> str:
    """Line items as an HTML table. Groups in an item are tables in its cell."""
    names = list(dict.fromkeys(name for item in items for name in item))
    rows = ["".join(f"<td>{_content(item.get(name))}</td>" for name in names) for item in items]
    header = "".join(f"<th>{html.escape(name)}</th>" for name in names)
    return f"<table><tr>{header}</tr>{''.join(f'<tr>{row}</tr>' for row in rows)}</table>"


def _content(value: Any) -> str:
    if isinstance(value, dict | list):
        return html_of(value if isinstance(value, list) else [value])
    return "" if value is None else html.escape(str(value))


def markdown_of(items: list[dict[str, Any]]) -> str:
    """Line items without groups as a Markdown table."""
    names = list(dict.fromkeys(name for item in items for name in item))
    lines = [
        names,
        ["---"] * len(names),
        *([str(item.get(name, "")).replace("|", "\\|") for name in names] for item in items),
    ]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)
