"""Sections for a terminal, through rich. Nothing is wider than it: words go to the next line, numbers stay whole."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import zip_longest
from typing import TYPE_CHECKING, Literal

from docie.core.phrases import printable
from docie.show.section import HINT, MOST_CHARACTERS, Headlines, Part, Section, Table, Text
from docie.show.writers import in_words

if TYPE_CHECKING:
    from rich.table import Table as RichTable

NARROWEST = 80
"""The columns of a terminal for which lines are broken at least."""
WIDEST = 10**9
"""The columns of a terminal that nothing is cut for: rich cuts what does not fit."""
HANGING = "  "
"""What the further lines of a paragraph begin with."""
TALLEST = 3
"""The number of lines that a heading may have."""
LEAST = 12
"""The columns that a text keeps where a table is made narrow."""
SHORTEST = 8
"""The columns that a shortened text has at least."""
_ONLY_DIGITS = re.compile(r"(?=.*\d)[\W\d_]{1,24}")
"""A number, an amount, a date: without letters."""
_TRAILING = re.compile(r"(?<! ) ++((?:\x1b\[[\d;]*m)*)$", re.MULTILINE)
_SEAMS = re.compile(r"(?<=[|,])")
"""Where a word may be broken that is wider than a line, such as a signature."""
_SEAMS_OF_CELLS = re.compile(r"(?<=[|,._/-])")
"""Where one of a cell may be, such as the name of an entity type."""
_ARGUMENTS = re.compile(r"(?:--[\w-]+ )?(?:[^\s'\"]|'[^']*'|\"[^\"]*\")+")
"""The arguments of a command, each with its option."""


def to_terminal(sections: Iterable[Section]) -> str:
    """Sections for a terminal, as wide as it is, but for at least 80 columns."""
    return "\n\n".join(_terminal([*in_words(section.parts, MOST_CHARACTERS)]) for section in sections)


def _terminal(parts: Sequence[Part]) -> str:
    from rich.console import Console

    width = max(Console().width, NARROWEST)
    console = Console(highlight=False, markup=False, emoji=False, width=WIDEST)
    with console.capture() as capture:
        for part, following in zip_longest(parts, parts[1:]):
            if isinstance(part, Table):
                if part.title:
                    console.print("\n".join(wrapped(part.title, width, hanging="")), style="bold")
                for view in _views(part, width):
                    console.print(view)
            elif isinstance(part, Headlines):
                console.print(_rich_list(_rows(part), width, right=(1,)))
                console.print()
            elif isinstance(part, Text):
                if part.style == "code" and part is not parts[0]:
                    console.print()
                lines = command_lines(part.text, width) if part.style == "code" else wrapped(part.text, width)
                console.print("\n".join(lines), style="dim" if part.style == HINT else None, soft_wrap=True)
                if isinstance(following, Table) and not following.is_list:
                    console.print()
    return _TRAILING.sub(r"\1", capture.get()).removesuffix("\n")


def _views(table: Table, width: int) -> Iterable[RichTable]:
    """A table for rich; none without rows, as its title says all then."""
    if not table.rows:
        return ()
    return [_rich_list(table.rows, width)] if table.is_list else _rich_tables(_fitted(table, width), width)


def _fitted(table: Table, width: int) -> Table:
    """The table without what its `fits` lets go, so that only its texts that may be broken are too wide."""
    table = table._replace(rows=[[*map(printable, row)] for row in table.rows])
    for column in [column for column, how in table.fits.items() if how == "drop"][::-1]:
        if _widths(table, TALLEST, width) is None:
            table = table.with_columns(place for place in range(len(table.columns)) if place != column)
    if not table.fits or _widths(table, TALLEST, width) is not None:
        return table
    cuts, places = {column for column, how in table.fits.items() if how == "cut"}, range(table.texts)
    widths, least = _least(table), _least(table._replace(rows=[]))
    for column in places:
        cells = [row[column] for row in table.rows]
        if column in cuts:
            least[column] = max([least[column], SHORTEST, *map(len, filter(_ONLY_DIGITS.fullmatch, cells))])
        elif column in table.fits:
            widths[column] = max([least[column], *map(len, " ".join(cells).split())])
    while sum(widths) + 2 * len(widths) > width and (wide := [each for each in cuts if widths[each] > least[each]]):
        widths[max(wide, key=lambda column: (widths[column], column))] -= 1
    rows = [
        [_shortened(row[at], widths[at]) if at in cuts else row[at] for at in range(len(row))] for row in table.rows
    ]
    return table._replace(rows=rows)


def _shortened(text: str, width: int) -> str:
    """The text without its middle, if it is wider than there is room. Numbers stay whole.

    >>> _shortened("Harbor Street Diner", 11), _shortened("1,240,000.00", 8), _shortened("日本の横浜営業所", 8)
    ('Harbo…Diner', '1,240,000.00', '日本…所')
    """
    from rich.cells import cell_len, set_cell_size

    if cell_len(text) <= width or _ONLY_DIGITS.fullmatch(text):
        return text
    end = (width - 1) // 2
    return f"{set_cell_size(text, width - 1 - end).rstrip()}…{set_cell_size(text[::-1], end).rstrip()[::-1]}"


def _rows(part: Headlines) -> list[list[str]]:
    """The scores to begin with: a line each, with the sentence in as many lines as it needs beside the value."""
    has_intervals = any(each.interval for each in part.scores)
    rows = []
    for each in part.scores:
        interval = [f"({each.interval})" if each.interval else ""] * has_intervals
        rows.append([each.name, each.text, *interval, each.sentence])
    return rows


def _rich_list(rows: Sequence[Sequence[str]], width: int, *, right: Iterable[int] = ()) -> RichTable:
    """Lines without headings, whose last column is in as many lines as it needs."""
    from rich.table import Table as RichTable
    from rich.text import Text

    result = RichTable(box=None, show_header=False, width=width, pad_edge=False, padding=(0, 2, 0, 0))
    aligned = {*right}
    for position in range(len(rows[0]) - 1):
        result.add_column(no_wrap=True, justify="right" if position in aligned else "left")
    result.add_column(ratio=1, overflow="fold")
    for row in rows:
        result.add_row(*(Text(printable(cell)) for cell in row))
    return result


def wrapped(text: str, width: int, *, hanging: str = HANGING, seams: re.Pattern[str] = _SEAMS) -> list[str]:
    """A paragraph in lines, broken at blanks. What is wider than a line is broken elsewhere, too.

    >>> wrapped("24 documents · kieval|matching:optimal|normalize:none", 30)
    ['24 documents · kieval|', '  matching:optimal|', '  normalize:none']
    """
    from rich.cells import cell_len

    lines, line = list[str](), ""
    for word in _words(printable(text), width - len(hanging), seams):
        if line.strip() and cell_len(line + word.rstrip()) > width:
            lines.append(line.rstrip())
            line = hanging
        line += word
    return [*lines, line.rstrip()]


def _words(text: str, width: int, seams: re.Pattern[str]) -> Iterator[str]:
    """The words of a text, each with the blanks behind it, and parts of those that are too wide."""
    from rich.cells import cell_len

    for word in re.findall(r"\S+\s*|\s+", text):
        for part in [word] if cell_len(word) <= width else seams.split(word):
            most = width if cell_len(part) == len(part) else width // 2  # letters may be two columns wide
            yield from [part] if cell_len(part) <= width else (part[at : at + most] for at in range(0, len(part), most))


def command_lines(text: str, width: int) -> list[str]:
    """A command, or two behind each other, in lines that a shell takes as they are: a path is never broken.

    >>> command_lines("docie check r.jsonl p.jsonl --write docie.toml; docie score r.jsonl p.jsonl", 40)
    ['docie check r.jsonl p.jsonl \\\\', '  --write docie.toml;', 'docie score r.jsonl p.jsonl']
    """
    from rich.cells import cell_len

    text = printable(text)
    if cell_len(text) <= width:
        return [text]
    lines, line = list[str](), ""
    for argument in _ARGUMENTS.findall(text):
        if line.endswith(";"):
            lines.append(line)
            line = argument
        elif line.strip() and cell_len(f"{line} {argument} \\") > width:
            lines.append(f"{line} \\")
            line = HANGING + argument
        else:
            line = f"{line} {argument}" if line else argument
    return [*lines, line]


def _rich_tables(table: Table, width: int) -> Iterator[RichTable]:
    """A table with headings as low as they can be, then with narrow texts; else its columns in several tables."""
    size = len(table.columns)
    widths = next(filter(None, (_widths(table, lines, width) for lines in range(1, TALLEST + 1))), None)
    widths = widths or _narrowed(table, width)
    if widths or size <= table.texts + 1:
        yield _rich_table(table, widths or _least(table))
        return
    first = [*range(max(table.texts, 1))]
    for last in range(size - 1, len(first), -1):
        part = table.with_columns(range(last))
        if last == len(first) + 1 or _widths(part, TALLEST, width) or _narrowed(part, width):
            yield from _rich_tables(part, width)
            yield from _rich_tables(table.with_columns([*first, *range(last, size)]), width)
            return


def _widths(table: Table, lines: int, width: int) -> list[int] | None:
    """The widths of columns whose headings have at most so many lines; None if the table is too wide then."""
    widths = [max(_width_of(table, place), _heading_width(table, place, lines)) for place in range(len(table.columns))]
    return widths if sum(widths) + 2 * len(widths) <= width else None


def _narrowed(table: Table, width: int) -> list[int] | None:
    """The widths of columns where texts are broken, the widest first; None if the table is too wide for that, too."""
    widths = _least(table)
    for _ in range(sum(widths)):
        if sum(widths) + 2 * len(widths) <= width:
            return widths
        widest = max(range(min(table.texts, len(widths))), key=widths.__getitem__, default=0)
        if widths[widest] <= LEAST:
            return None
        widths[widest] -= 1
    return None


def _least(table: Table) -> list[int]:
    places = range(len(table.columns))
    return [max(_width_of(table, place), _heading_width(table, place, TALLEST)) for place in places]


def _width_of(table: Table, place: int) -> int:
    from rich.cells import cell_len

    return max((cell_len(printable(row[place])) for row in table.rows), default=0)


def _heading_width(table: Table, place: int, lines: int) -> int:
    return max(map(len, _heading(table, place, lines)), default=0)


def _heading(table: Table, place: int, lines: int) -> list[str]:
    """A heading in at most so many lines, as narrow as they can be. Underscores are blanks, but in the first column."""
    column = printable(table.columns[place])
    words = column.split("_") if place else column.split()
    text = " ".join(words)
    for width in range(max(map(len, text.split()), default=0), len(text)):
        found = wrapped(text, width, hanging="")
        if len(found) <= lines:
            return found
    return [text]


def _rich_table(table: Table, widths: Sequence[int]) -> RichTable:
    from rich import box
    from rich.table import Table as RichTable
    from rich.text import Text

    result = RichTable(box=box.SIMPLE_HEAD, padding=(0, 1, 0, 0))
    for place, width in enumerate(widths):
        justify: Literal["left", "right"] = "left" if place < table.texts else "right"
        fitting = (lines for lines in range(1, TALLEST + 1) if _heading_width(table, place, lines) <= width)
        heading = _heading(table, place, next(fitting, TALLEST))
        result.add_column(Text("\n".join(heading)), justify=justify, width=width, overflow="fold")
    for row in table.rows:
        cells = (wrapped(*each, hanging="", seams=_SEAMS_OF_CELLS) for each in zip(row, widths, strict=True))
        result.add_row(*(Text("\n".join(lines)) for lines in cells))
    return result
