"""Tables → records, a list of objects: tables of HTML and Markdown, of docling, of Azure and of Mistral."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from docie.core.values.plain import JsonObject
from docie.documents.markup import Cell, records_of, tables_in
from docie.documents.parsed import Parsed

from .llm import to_document
from .parsed import issue_lines
from .services.places import first, objects_in, page_number

__all__ = ["to_records"]

_TEXT = ("text", "content")
_ROW = ("start_row_offset_idx", "rowIndex", "row_index")
_COLUMN = ("start_col_offset_idx", "columnIndex", "column_index")
_ROWS, _COLUMNS = ("row_span", "rowSpan"), ("col_span", "columnSpan", "column_span")
_HEADER_KINDS = ("columnHeader", "stubHead")


def to_records(
    table: object,
    *,
    index: int = 0,
    names: str | Iterable[str] = (),
    totals: str | Iterable[str] = (),
) -> Parsed:
    """Read a table as records: an object for each row below the header. Never raises.

    The header is the rows that are marked as such (`th`, `thead`, a line of dashes, column headers of a service), or
    else the first row. A name over several columns becomes an object with the names below it. Columns without a name
    are `column 3`, repeated names are numbered. A cell over several rows is a value of each of them, a cell over
    several columns one value, a table in a cell a list of records. Empty cells are left out.

    Args:
        table (str or dict): a text with tables in HTML or in Markdown; an element of `tables` of docling, of Azure
            Document Intelligence and Content Understanding, or of a page of Mistral OCR.
        index (int): which of several tables of a text, from 0.
        names (list of str): the names of the columns, instead of those in the header. Without a marked header, the
            first row then is a record.
        totals (list of str): rows that are left out, by their first text, such as "Total". By default, all rows stay.

    Returns:
        Parsed: the list of records, and a line for everything that was dropped. The list is None without a table.

    >>> to_records("<table><tr><th>Item<th>Price</tr><tr><td>Bagel<td>3.00</tr><tr><td>Total<td>3.00</table>",
    ...            totals="Total")
    Parsed(document=[{'Item': 'Bagel', 'Price': '3.00'}], issues=["dropped the row 'Total'"])
    >>> to_records("| Item | |\\n|---|---|\\n| Bagel | 3.00 |", names=["name", "price"]).document
    [{'name': 'Bagel', 'price': '3.00'}]
    >>> marked = {"kind": "columnHeader", "rowIndex": 0}
    >>> cells = [{**marked, "columnIndex": 0, "rowSpan": 2, "content": "Item"},
    ...          {**marked, "columnIndex": 1, "columnSpan": 2, "content": "Amount"},
    ...          {**marked, "rowIndex": 1, "columnIndex": 1, "content": "net"},
    ...          {**marked, "rowIndex": 1, "columnIndex": 2, "content": "gross"},
    ...          {"rowIndex": 2, "columnIndex": 0, "content": "Bagel"},
    ...          {"rowIndex": 2, "columnIndex": 1, "content": "3.00"},
    ...          {"rowIndex": 2, "columnIndex": 2, "content": "3.57"}]
    >>> answer = {"tables": [{"rowCount": 3, "columnCount": 3, "cells": cells}]}
    >>> to_records(answer["tables"][0]).document
    [{'Item': 'Bagel', 'Amount': {'net': '3.00', 'gross': '3.57'}}]
    """
    issues = Counter[str]()
    if isinstance(table, str) and not table.lstrip().startswith("{"):
        tables = tables_in(table, issues)
    else:
        opened = to_document(table)
        if not isinstance(opened.document, dict):
            return opened
        issues.update(opened.issues)
        tables = _tables(opened.document, issues)
    if not 0 <= index < len(tables):
        expected = f"more than {index} tables" if tables else "a table"
        return Parsed(None, [f"expected {expected}, got {len(tables) or 'none'}", *issue_lines(issues)])
    if len(tables) > 1:
        issues[f"read table {index + 1} of {len(tables)}"] += 1
    records = records_of(tables[index], issues, names=_listed(names), totals=_listed(totals))
    return Parsed(records, issue_lines(issues))


def _listed(texts: str | Iterable[str]) -> list[str]:
    return [texts] if isinstance(texts, str) else list(texts)


def _tables(answer: JsonObject, issues: Counter[str]) -> list[list[Cell]]:
    """The tables in an element of the tables of a service."""
    data = answer.get("data", answer)  # docling
    cells = objects_in(data, "table_cells", issues) or objects_in(data, "cells", issues)
    if cells:
        return [[cell for cell in (_cell(each, issues) for each in cells) if cell is not None]]
    content = answer.get("content")
    return tables_in(content, issues) if isinstance(content, str) else []


def _cell(cell: JsonObject, issues: Counter[str]) -> Cell | None:
    """A cell of docling or Azure; None without a place."""
    row, column = page_number(first(cell, _ROW)), page_number(first(cell, _COLUMN))
    if row is None or column is None or min(row, column) < 0:
        issues["dropped a cell without a place"] += 1
        return None
    text = first(cell, _TEXT)
    if not isinstance(text, str | None):
        issues["dropped what is no text in a cell"] += 1
    is_header = cell.get("column_header") is True or cell.get("kind") in _HEADER_KINDS
    rows, columns = (min(max(1, page_number(first(cell, names)) or 1), 1000) for names in (_ROWS, _COLUMNS))
    return Cell(" ".join(text.split()) if isinstance(text, str) else "", row, column, rows, columns, is_header)
