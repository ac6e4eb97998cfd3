"""Tables of Markdown → cells: lines of cells between pipes, with a line of dashes below the header."""

from __future__ import annotations

import re
from collections import Counter

from docie.documents.markup.cells import Cell
from docie.documents.markup.html import OUTSIDE, plain_text

_PIPE = re.compile(r"(?<!\\)\|")
_DASHES = re.compile(r"\s*:?-+:?\s*")
_MARKED = re.compile(r"\*\*([^*]+)\*\*|`([^`]+)`")
_ESCAPED = re.compile(r"\\([!-/:-@\[-`{-~])")

Line = list[str]


def markdown_tables(text: str, issues: Counter[str]) -> list[list[Cell]]:
    """The tables of a Markdown text, in their order.

    >>> [table] = markdown_tables("| Name | Price |\\n|:--|--:|\\n| A \\\\| B | **3.00** |", Counter())
    >>> [(cell.text, cell.row, cell.is_header) for cell in table]
    [('Name', 0, True), ('Price', 0, True), ('A | B', 1, False), ('3.00', 1, False)]
    """
    tables: list[list[Cell]] = []
    lines: list[str] = []
    for line in [*text.split("\n"), ""]:
        if "|" in line:
            lines.append(line.strip())
            continue
        if table := _table(lines, issues):
            tables.append(table)
        lines = []
        issues[OUTSIDE] += bool(line.strip())
    return tables


def _table(lines: list[str], issues: Counter[str]) -> list[Cell]:
    """The cells of lines with pipes; none if they are no table."""
    rows = [_cells(line) for line in lines]
    rules = [number for number, row in enumerate(rows) if all(map(_DASHES.fullmatch, row))]
    is_framed = [line.startswith("|") and line.endswith("|") for line in lines]
    if not rules and (len(lines) < 2 or not all(is_framed)):
        issues[OUTSIDE] += len(lines)
        return []
    first = rules[0] if rules else 0  # the line above it, and those with a pipe at their beginning
    start = max(0, first - 1)
    while start and is_framed[start - 1] and len(rows[start - 1]) == len(rows[first]):
        start -= 1
    issues[OUTSIDE] += start
    kept = sorted({*range(start, len(rows))} - {*rules})
    return [
        Cell(_plain(text), row, is_header=number < first) for row, number in enumerate(kept) for text in rows[number]
    ]


def _cells(line: str) -> Line:
    cells = _PIPE.split(line)
    return cells[cells[0] == "" : len(cells) - (cells[-1] == "") or None]


def _plain(text: str) -> str:
    """The text of a cell without marks of emphasis and code, tags, entities and backslashes."""
    text = plain_text(text)
    if "*" in text or "`" in text:
        text = _MARKED.sub(lambda found: found[1] or found[2], text)
    return _ESCAPED.sub(r"\1", text) if "\\" in text else text
