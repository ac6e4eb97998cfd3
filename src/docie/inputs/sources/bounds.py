"""Where a table begins and ends among the rows of a file: below a title, above a note, as wide as its header."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import chain, islice, takewhile

from docie.core.errors import InputError
from docie.inputs.sources.source import Source
from docie.inputs.sources.table import Cells

MOST_ABOVE = 10
"""The number of rows in which the header of a table is looked for, below a title."""
EMPTY = (None, "")
"""What cells without a value hold."""


def even(rows: Iterable[tuple[int, Sequence[object]]], source: Source, *, is_padded: bool) -> Cells:
    """Rows that are as long as the header, without empty ones at the end, and without a note below the table."""
    width, empty = 0, list[int]()
    for number, cells in _without_note(_without_title(rows, source), source):
        if len(cells) != width or cells[0] in EMPTY:  # most rows need no second look
            filled = next((place for place in range(len(cells), 0, -1) if cells[place - 1] not in EMPTY), 0)
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


def _without_title(rows: Iterable[tuple[int, Sequence[object]]], source: Source) -> Cells:
    """The rows but for a title above the header: one cell in each, or two above an empty row."""
    rows = ((number, cells or (None,)) for number, cells in rows)
    head = [*islice(rows, MOST_ABOVE)]
    widths = [width_of(cells) for _, cells in head]

    def may_be_title(place: int) -> bool:
        (number, _), (following, _) = head[place : place + 2]
        return widths[place] < 2 or (widths[place] == 2 and (following > number + 1 or not widths[place + 1]))

    header = sum(1 for _ in takewhile(may_be_title, range(len(head) - 1)))
    titles = [number for (number, _), width in zip(head[:header], widths, strict=False) if width]
    if titles and max(widths[:header]) < widths[header] and _is_header(head[header][1]):
        source.note(f"{source.place(titles[0])}: not read: a title above the table")
        head = head[header:]
    yield from chain(head, rows)


def _is_header(cells: Sequence[object]) -> bool:
    """Whether a row may be the header below a title: several different names, none of which is a value."""
    names = [cell for cell in cells if cell not in EMPTY]
    are_names = all(isinstance(name, str) and name.strip()[:1].isalpha() for name in names)
    return are_names and len({*names}) == len(names) > 1


def _without_note(rows: Iterable[tuple[int, Sequence[object]]], source: Source) -> Cells:
    """The rows but for a note below them: sentences alone in their rows, after an empty one, up to the end."""
    last, is_below, note = 0, False, list[tuple[int, Sequence[object]]]()
    for number, cells in rows:
        is_empty = cells[0] in EMPTY and width_of(cells) == 0
        if note or ((is_below or number > last + 1 > 1) and _is_note(cells)):
            if is_empty or width_of(cells) == 1:
                note.append((number, cells))
                continue
            yield from note
            note.clear()
        last, is_below = number, is_empty
        yield number, cells
    if note:
        source.note(f"{source.place(note[0][0])}: not read: a note below the table")


def width_of(cells: Sequence[object]) -> int:
    """The number of cells that hold something."""
    return sum(cell not in EMPTY for cell in cells)


def _is_note(cells: Sequence[object]) -> bool:
    """Whether a row is a sentence and nothing else, rather than an id."""
    return isinstance(cells[0], str) and " " in cells[0].strip() and width_of(cells) == 1
