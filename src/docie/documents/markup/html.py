"""HTML tables → cells. Whatever a browser would show is read: tags may be missing, doubled or cut off.

`html.parser` of the standard library is not used: in many releases of Python it takes quadratic time for broken tags.
"""

from __future__ import annotations

import html
import re
from collections import Counter
from dataclasses import dataclass, field

from docie.documents.markup.cells import Cell

MOST_NESTED = 20
"""Levels of tables in cells. The rows of tables below are read as rows of the table around them."""
WIDEST = 1000
"""The number of columns that a cell may take, as in browsers."""
OUTSIDE = "dropped text outside of the cells"
_STRUCTURE = "table|thead|tbody|tfoot|tr|td|th"
_BLOCKS = "body|br|caption|center|col|colgroup|dd|div|dl|dt|h[1-6]|head|header|hr|html|li|ol|p|pre|section|ul"
_INLINE = "a|abbr|big|b|code|del|em|font|img|input|ins|i|label|mark|nobr|small|span|strike|strong|sub|sup|s|u|wbr"
# Attributes end at the next "<", so that broken tags take linear time. Other names are text, such as <ann@example.com>.
_ATTRIBUTES = r"""((?:[^<>"']++|"[^"<]*+"|'[^'<]*+'|["'])*+(?=>)|[^<>]*+)"""
_BLANKS = re.compile(r"[ \t\n\r\f]+")  # a no-break space, as in amounts, is part of the text
_SPACE = re.compile(r"&nbsp;|&#160;|&#xa0;", re.IGNORECASE)
TAG = re.compile(
    rf"<(/?)(?:({_STRUCTURE})|({_BLOCKS})|{_INLINE})(?=[\s/>]){_ATTRIBUTES}>|<!--.*?(?:-->|\Z)|<[!?][^<>]*+>",
    re.IGNORECASE | re.DOTALL,
)
_CUT_OFF = re.compile(r"<(?:[/!?a-zA-Z][^<>]*+)?\Z")
SPAN = re.compile(r"""\b(row|col)span\s*=[\s"'\\]*(\d+)""", re.IGNORECASE)


def plain_text(markup: str) -> str:
    """The text of HTML without tables: one line, without tags and entities.

    >>> plain_text("<b>Flat</b> \\n White<br>0.3 l &lt; 1 l&nbsp;")
    'Flat White 0.3 l < 1 l'
    """
    if "<" in markup:
        markup = TAG.sub(lambda tag: " " if tag[2] or tag[3] else "", markup)
    if "&" in markup:
        markup = unescaped(_SPACE.sub(" ", markup))  # a blank that must not break the line
    return _BLANKS.sub(" ", markup).strip()


def unescaped(text: str) -> str:
    """A text with characters in place of entities.

    >>> unescaped("Tea &amp; Co")
    'Tea & Co'
    """
    try:
        return html.unescape(text)
    except ValueError:  # the number of a character with more than 4,300 digits
        return text


def html_tables(text: str, issues: Counter[str]) -> list[list[Cell]]:
    """The tables of an HTML text, in their order. Those in the cells of others are `inner` ones of these cells.

    >>> [table] = html_tables("<table><tr><th>Name<th>Price<tr><td>Bagel<td>3.00</table>", Counter())
    >>> [(cell.text, cell.row) for cell in table]
    [('Name', 0), ('Price', 0), ('Bagel', 1), ('3.00', 1)]
    """
    if text.rfind("<!--") > text.rfind("-->"):
        issues["dropped a comment that does not end"] += 1
    elif cut_off := _CUT_OFF.search(text):
        issues["dropped a tag that is cut off"] += 1
        text = text[: cut_off.start()]
    reader = _Reader(issues)
    parts = TAG.split(text)
    reader.text(parts[0])
    for place in range(1, len(parts), 5):
        slash, name, block, attributes, after = parts[place : place + 5]
        if name:
            reader.end(name.lower()) if slash else reader.start(name.lower(), attributes)
        reader.text(" " + after if block else after)
    return list(_tables(reader.tables))


@dataclass(slots=True)
class _Open:
    """A cell while it is read, in its row."""

    row: int
    is_header: bool
    rows: int
    columns: int
    texts: list[str] = field(default_factory=list)
    inner: list[_Table] = field(default_factory=list)


@dataclass(slots=True)
class _Table:
    """A table while it is read: its cells, and where in it the reader is."""

    cells: list[_Open] = field(default_factory=list)
    cell: _Open | None = None
    row: int = -1
    in_row: bool = False
    in_head: bool = False


def _tables(tables: list[_Table]) -> tuple[list[Cell], ...]:
    """Those with cells."""

    def cell(each: _Open) -> Cell:
        text = plain_text("".join(each.texts))
        return Cell(text, each.row, None, each.rows, each.columns, each.is_header, _tables(each.inner))

    return tuple([*map(cell, table.cells)] for table in tables if table.cells)


class _Reader:
    """Takes tags and texts one after the other. Of the tables that are open, each is in a cell of the one before."""

    def __init__(self, issues: Counter[str]) -> None:
        self.issues = issues
        self.tables: list[_Table] = []
        self.open: list[_Table] = []

    def text(self, text: str) -> None:
        """Take a text."""
        if self.open and self.open[-1].cell:
            self.open[-1].cell.texts.append(text)
        elif not text.isspace():
            self.issues[OUTSIDE] += bool(text)

    def start(self, name: str, attributes: str) -> None:
        """Take the beginning of a table or of a part of one. Rows and cells may stand outside of a table."""
        if name == "table" or not self.open:
            self.begin_table()
        if name == "table":
            return
        table, is_cell = self.open[-1], name in ("td", "th")
        if not is_cell:
            self.end(name)
            table.in_head = name == "thead" or (name == "tr" and table.in_head)
        if name == "tr" or (is_cell and not table.in_row):
            table.row += 1
            table.in_row = True
        if is_cell:
            spans = {kind.lower(): int(digits[:6]) for kind, digits in SPAN.findall(attributes)} if attributes else {}
            rows = spans.get("row", 1) or 10**6  # 0 is down to the last row
            is_header = name == "th" or table.in_head
            table.cell = _Open(table.row, is_header, rows, min(spans.get("col", 1) or 1, WIDEST))
            table.cells.append(table.cell)

    def begin_table(self) -> None:
        """Open a table."""
        if len(self.open) == MOST_NESTED:
            self.issues[f"read tables nested more than {MOST_NESTED} levels deep as rows of those around them"] += 1
            return
        if self.open and not self.open[-1].cell:  # where a browser would end it, too
            self.open.pop()
        holder = self.open[-1].cell if self.open else None
        self.open.append(_Table())
        (holder.inner if holder else self.tables).append(self.open[-1])

    def end(self, name: str) -> None:
        """Take the end of a table or of a part of one."""
        if self.open:
            table = self.open[-1]
            table.cell = None
            table.in_row = table.in_row and name in ("td", "th")
            table.in_head = table.in_head and name in ("td", "th", "tr")
            if name == "table":
                self.open.pop()
