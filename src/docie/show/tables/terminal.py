"""Tables for a terminal, through rich."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Literal

from docie.show.tables.table import Table, printable


def show(parts: list[Table], *lines: str) -> None:
    """Print tables and lines under them to the terminal. Nothing is cut, however narrow the terminal is."""
    from rich.console import Console
    from rich.measure import Measurement

    width = Console().width
    # rich cuts what does not fit; the terminal wraps it
    console = Console(highlight=False, markup=False, emoji=False, width=_enough(parts))
    with console.capture() as capture:
        for table in parts:
            view = rich_table(table)
            if Measurement.get(console, console.options, view).maximum > width:
                view = rich_table(table, narrow=True)
            console.print(view)
        for line in filter(None, lines):
            console.print(printable(line), style="dim", soft_wrap=True)
    print(capture.get(), end="")


def _enough(parts: Iterable[Table]) -> int:
    """A width that all tables fit in. A character takes at most two columns."""
    widths = (
        sum(
            2 * max(len(printable(cell)) for cell in column) + 4
            for column in zip(table.columns, *table.rows, strict=True)
        )
        for table in parts
    )
    return max(10_000, *widths)


def rich_table(table: Table, *, narrow: bool = False) -> Any:
    """The table for a terminal; if `narrow`, every word of a heading has a line of its own."""
    from rich import box
    from rich.table import Table as RichTable
    from rich.text import Text

    result = RichTable(
        title=Text(printable(table.title)), title_justify="left", title_style="bold", box=box.SIMPLE_HEAD
    )
    for position, column in enumerate(table.columns):
        words = column.split("_") if position else column.split()
        justify: Literal["left", "right"] = "left" if position < table.texts else "right"
        result.add_column(Text(("\n" if narrow else " ").join(map(printable, words))), justify=justify)
    for row in table.rows:
        result.add_row(*(Text(printable(cell)) for cell in row))
    return result
