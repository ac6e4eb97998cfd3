"""Tables and texts as Markdown that pastes into a paper, as CSV, and as JSON."""

from __future__ import annotations

import csv
import io
import json
import math
import re
from collections.abc import Iterable, Mapping
from typing import Any

from docie.show.tables.table import Table, printable

_MARKDOWN = re.compile(r"[\\`*<\[~^]|(?<![^\W_])_|_(?![^\W_])|&(?=#?\w+;)")
_MARKDOWN_AND_FORMULAS = re.compile(rf"{_MARKDOWN.pattern}|\$")
_FORMULA = re.compile(r"\s*[=+\-@＝＋－＠]|[\t\r\n]")
_NUMBER = re.compile(r"[+-]?[\d.,]+%?", re.ASCII)


def json_text(value: Any, **options: Any) -> str:
    """Results as JSON text that every reader takes: numbers that JSON does not have are texts.

    Args:
        value: results, or a part of them.
        **options: those of `json.dumps`.

    >>> json_text({"closest": [float("inf"), None]})
    '{"closest": ["Infinity", null]}'
    """
    try:
        return json.dumps(value, allow_nan=False, **options)
    except ValueError:
        return json.dumps(_finite(value), allow_nan=False, **options)


def _finite(value: Any) -> Any:
    if isinstance(value, Mapping):
        return {key: _finite(child) for key, child in value.items()}
    if isinstance(value, list | tuple):
        return [_finite(child) for child in value]
    return json.dumps(value) if isinstance(value, float) and not math.isfinite(value) else value


def markdown(table: Table) -> str:
    """The table in Markdown, with numbers on the right.

    >>> print(markdown(Table("kieval", ["score", "value"], [["entity_f1", "0.7500"]])))
    | score | value |
    | :-- | --: |
    | entity_f1 | 0.7500 |
    """
    rules = [":--"] * table.texts + ["--:"] * (len(table.columns) - table.texts)
    return "\n".join(map(markdown_row, [table.columns, rules, *table.rows]))


def markdown_row(cells: Iterable[str]) -> str:
    """One row of a table in Markdown.

    >>> print(markdown_row(["a|b", "0.7500"]))
    | a\\|b | 0.7500 |
    """
    return f"| {' | '.join(markdown_text(cell).replace('|', chr(92) + '|') for cell in cells)} |"


def markdown_text(text: str) -> str:
    """The text, with a backslash before what Markdown would read as more than text. Most names stay as they are.

    That is what CommonMark, the tables of GitHub and pandoc interpret inside of a line: HTML, links, images, entities,
    code, emphasis (an underscore inside of a word is none), strikethrough, and two dollars as a formula.

    >>> print(markdown_text("entity_f1 of <b>menu.nm</b>"), markdown_text("_total_ [1](x)"))
    entity_f1 of \\<b>menu.nm\\</b> \\_total\\_ \\[1](x)
    """
    signs = _MARKDOWN if text.count("$") < 2 else _MARKDOWN_AND_FORMULAS
    return signs.sub(r"\\\g<0>", printable(text))


def as_csv(table: Table) -> str:
    """The table as a CSV file, which no spreadsheet takes for formulas.

    >>> as_csv(Table("by entity type", ["entity type", "f1"], [["=1+1", "0.7500"]]))
    "entity type,f1\\n'=1+1,0.7500\\n"
    """
    file = io.StringIO()
    writer = csv.writer(file, lineterminator="\n")
    writer.writerows([safe_cell(cell) for cell in row] for row in (table.columns, *table.rows))
    return file.getvalue()


def safe_cell(text: str) -> str:
    """The text, with an apostrophe before it if a spreadsheet would read it as a formula.

    Source: OWASP, "CSV Injection". A number with its sign is left as it is.

    >>> safe_cell("=1+1"), safe_cell("@SUM(A1)"), safe_cell("-12.50"), safe_cell("-1+1"), safe_cell("a=b")
    ("'=1+1", "'@SUM(A1)", '-12.50', "'-1+1", 'a=b')
    """
    return f"'{text}" if _FORMULA.match(text) and not _NUMBER.fullmatch(text) else text
