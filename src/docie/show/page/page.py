"""From sections to one page of HTML that loads nothing: plain HTML, and the data that its script draws."""

from __future__ import annotations

import base64
import hashlib
import itertools
from collections.abc import Mapping, Sequence
from typing import Any

from docie._version import __version__
from docie.core.phrases import counted
from docie.show.page.data import blocks, explained, in_script
from docie.show.page.rendering import environment, explanation_view
from docie.show.page.script import script, styles
from docie.show.result import Page
from docie.show.section import Details, Documents, Part, Share, Table, Text

MOST_ROWS = 300
"""The rows that a table of a page shows at most."""
FEW = 3
"""Rows that are not worth to be folded."""


def render(page: Page) -> str:
    """A page as HTML that loads nothing. All texts of users in it are escaped.

    >>> from docie.show.section import Section, Text
    >>> "Two &lt; three" in render(Page("Numbers", "", [Section([Text("Two < three")], "Order", "order")], []))
    True
    """
    own = script()
    return _rendered(
        "page.html.j2",
        page=page,
        version=__version__,
        head=_head,
        blocks=blocks,
        styles=styles(),
        script=own,
        script_hash=base64.b64encode(hashlib.sha256(own.encode()).digest()).decode(),
    )


def parts_alone(parts: Sequence[Part]) -> str:
    """Parts as HTML, for a page that has the styles and the script."""
    return _rendered("parts_alone.html.j2", parts=parts)


def _rendered(template: str, **values: object) -> str:
    tools = {"number": itertools.count(1).__next__, "place": _place, "in_script": in_script}
    tools |= {"explained": explained, "explanation_view": explanation_view}
    made: str = environment().get_template(template).render(**tools, **values)
    return made.lstrip()


def _head(documents: Documents, number: int) -> Mapping[str, Any]:
    """What the script must know before it reads the documents, which stand in a `number` of blocks."""
    return {
        "systems": [*documents.systems],
        "columns": [*documents.columns],
        "patterns": [{"text": text, "keys": [*keys]} for text, keys in documents.patterns],
        "documents": len(documents.texts),
        "blocks": number,
    }


def _place(value: float | None, table: Table) -> float:
    """Where a value lies among 100 units of a bar."""
    low, high = table.span
    return 0.0 if value is None else round(100 * (min(max(value, low), high) - low) / ((high - low) or 1), 1)


def first_rows(table: Table, noun: str = "", where: str = "", *, most: int = MOST_ROWS) -> list[Part]:
    """As much of a table as a page shows: `most` rows, more of them folded, and how many more of the noun are where."""
    if len(table.rows) <= most + FEW:
        most = len(table.rows)
    folded = [table.part(most, MOST_ROWS)] if table.rows[most:MOST_ROWS] else []
    more = [Details(counted(len(each.rows), f"more {noun}"), [each]) for each in folded]
    rest = len(table.rows) - MOST_ROWS
    said = [Text(f"{counted(rest, f'more {noun}')}; {where}.", "hint")] if rest > 0 and noun else []
    return [table.part(0, min(most, MOST_ROWS)), *more, *said]


def with_bars(table: Table, bars: Sequence[Share | None], column: int) -> Table:
    """The table with bars in a column, which begin at 0, to either side."""
    ends = [end for each in bars if each for end in each if end is not None]
    return table._replace(bars=bars, bars_in=column, span=(min([0.0, *ends]), max([0.0, *ends])))
