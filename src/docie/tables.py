"""Results as tables: for a terminal (rich), and as Markdown that pastes into a paper."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

_LISTS = ("per_document", "closest")  # one row for each document: they are in the JSON output only
_FACTS = ("documents", "invalid_predictions", "signature")
_TITLES = {"per_entity": "by entity type", "per_group": "by group type", "automation": "automation"}
_FIRST_COLUMN = {"per_entity": "entity type", "per_group": "group type"}


class Table(NamedTuple):
    """A title, the headings of the columns, and rows of text."""

    title: str
    columns: list[str]
    rows: list[list[str]]


def tables(family: str, results: Mapping[str, Any]) -> list[Table]:
    """The figures, then one table for each breakdown by name and for each list of figures, except those per document.

    >>> tables("kieval", {"entity_f1": 0.75, "entity_f1_interval": [0.7, 0.8], "documents": 2})
    [Table(title='kieval', columns=['score', 'value', 'interval'], rows=[['entity_f1', '0.7500', '0.7000 – 0.8000']])]
    """
    scores = {name: value for name, value in results.items() if isinstance(value, int | float) and name not in _FACTS}
    rows = [[name, number(value)] for name, value in scores.items()]
    columns = ["score", "value"]
    intervals = [results.get(f"{name}_interval") for name in scores]
    if any(intervals):
        columns.append("interval")
        for row, interval, value in zip(rows, intervals, scores.values(), strict=True):
            row.append(
                " – ".join(number(bound if isinstance(value, float) else round(bound)) for bound in interval or ())
            )
    result = [Table(family, columns, rows)]
    for name, value in results.items():
        if isinstance(value, Mapping) and value:
            result.append(_breakdown(name, value))
        elif isinstance(value, list) and value and isinstance(value[0], Mapping) and name not in _LISTS:
            cells = [[number(cell) for cell in row.values()] for row in value]
            result.append(Table(_TITLES.get(name, name), list(value[0]), cells))
    return result


def _breakdown(breakdown: str, figures: Mapping[str, Mapping[str, Any]]) -> Table:
    """One row for each name: its scores and its support. The counts behind them are in the JSON output only."""
    prefix = breakdown.removeprefix("per_") + "_"  # in a table by entity, entity_f1 is just F1
    scores = [key for key, value in next(iter(figures.values())).items() if isinstance(value, float)]
    # of another level's figures, F1 is enough to compare, without precision and recall
    columns = [key for key in scores if key.startswith(prefix) or not ("_precision" in key or "_recall" in key)]
    columns.append("support")
    rows = [[name, *(number(row[column]) for column in columns)] for name, row in figures.items()]
    headings = [_FIRST_COLUMN.get(breakdown, "name"), *(column.removeprefix(prefix) for column in columns)]
    return Table(_TITLES.get(breakdown, breakdown), headings, rows)


def facts(results: Mapping[str, Any]) -> str:
    """The line under the tables: how many documents were scored, and how."""
    invalid = results.get("invalid_predictions")
    note = f" (invalid predictions: {invalid})" if invalid else ""
    documents = "1 document" if results["documents"] == 1 else f"{results['documents']} documents"
    return f"{documents}{note} · {results['signature']}"


def number(value: Any) -> str:
    """A score to four digits, a count as it is.

    >>> number(2 / 3), number(12)
    ('0.6667', '12')
    """
    return f"{value:.4f}" if isinstance(value, float) else str(value)


def markdown(table: Table) -> str:
    """The table in Markdown, with numbers on the right.

    >>> print(markdown(Table("kieval", ["score", "value"], [["entity_f1", "0.7500"]])))
    | score | value |
    | :-- | --: |
    | entity_f1 | 0.7500 |
    """
    rules = [":--", *["--:"] * (len(table.columns) - 1)]
    rows = [table.columns, rules, *table.rows]
    return "\n".join(f"| {' | '.join(printable(cell).replace('|', chr(92) + '|') for cell in row)} |" for row in rows)


def printable(text: str) -> str:
    """The text, with characters escaped that would move the cursor or break a row.

    >>> print(printable("new\\nline"))
    new\\nline
    """
    return "".join(character if character.isprintable() else ascii(character)[1:-1] for character in text)


def show(parts: list[Table], line: str) -> None:
    """Print tables and a line under them to the terminal. Nothing is cut, however narrow the terminal is."""
    from rich.console import Console
    from rich.measure import Measurement

    width = Console().width
    console = Console(highlight=False, width=10_000)  # rich cuts what does not fit; the terminal wraps it
    with console.capture() as capture:
        for table in parts:
            view = rich_table(table)
            if Measurement.get(console, console.options, view).maximum > width:
                view = rich_table(table, narrow=True)
            console.print(view)
        console.print(line, style="dim", markup=False, soft_wrap=True)
    print(capture.get(), end="")


def rich_table(table: Table, *, narrow: bool = False) -> Any:
    """The table for a terminal; if `narrow`, every word of a heading has a line of its own."""
    from rich import box
    from rich.table import Table as RichTable
    from rich.text import Text

    result = RichTable(title=table.title, title_justify="left", title_style="bold", box=box.SIMPLE_HEAD)
    for position, column in enumerate(table.columns):
        words = column.split("_") if position else column.split()
        result.add_column(("\n" if narrow else " ").join(words), justify="right" if position else "left")
    for row in table.rows:
        result.add_row(*(Text(printable(cell)) for cell in row))
    return result
