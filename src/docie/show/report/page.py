"""From sections to one page of HTML that loads nothing: templates and style sheets."""

from __future__ import annotations

import base64
import hashlib
import itertools

from docie._version import __version__
from docie.core.phrases import counted
from docie.show import plots
from docie.show.report.all_systems import lines_of, to_correct
from docie.show.report.output import imported
from docie.show.report.packing import TOGETHER, packed
from docie.show.report.rendering import aligned_styles, environment, explanation_view, static
from docie.show.report.scans import scans_view
from docie.show.result import Page
from docie.show.section import Chart, Details, Explained, Part, Table, Text

MOST_ROWS = 300
"""The rows that a table of a page shows at most."""


def render(page: Page) -> str:
    """A page as HTML that loads nothing. All texts of users in it are escaped.

    >>> from docie.show.section import Section, Text
    >>> "Two &lt; three" in render(Page("Numbers", "", [Section([Text("Two < three")], "Order", "order")], []))
    True
    """
    script = "".join(map(static, ("light.js", "slide.js", "report.js")))
    made: str = (
        environment()
        .get_template("page.html.j2")
        .render(
            page=page,
            version=__version__,
            number=itertools.count(1).__next__,
            drawn=_drawn,
            explained=explained_view,
            packed=packed,
            most_items=TOGETHER,
            lines_of=lines_of,
            to_correct=to_correct,
            styles=static("report.css") + static("comparison.css") + aligned_styles() + static("print.css"),
            script=script,
            script_hash=base64.b64encode(hashlib.sha256(script.encode()).digest()).decode(),
        )
    )
    return made.lstrip()


def explained_view(part: Explained) -> str:
    """What is behind the score of a document, as HTML; beside the pages of its `scans`, if there are any."""
    explanation = part.explain()
    if not part.scans:
        return explanation_view(explanation, folds=True, anchors=part.anchors)
    view = explanation_view(explanation, folds=True, numbers=True, anchors=part.anchors)
    return f'<div class="docie-scanned"><div>{scans_view(explanation, part.scans)}</div>{view}</div>'


def _drawn(chart: Chart) -> str:
    """A chart as SVG; without matplotlib, how to get it."""
    try:
        drawn: str = imported("markupsafe").Markup(plots.svg(chart.draw(), title=chart.title))
    except ImportError as error:
        return str(error)
    return drawn


def first_rows(table: Table, noun: str = "", where: str = "", *, most: int = MOST_ROWS) -> list[Part]:
    """As much of a table as a page shows: `most` rows, more of them folded, and how many more of the noun are where."""
    folded = [table.part(most, MOST_ROWS)] if table.rows[most:MOST_ROWS] else []
    more = [Details(counted(len(each.rows), f"more {noun}"), [each]) for each in folded]
    rest = len(table.rows) - MOST_ROWS
    said = [Text(f"{counted(rest, f'more {noun}')}; {where}.", "hint")] if rest > 0 and noun else []
    return [table.part(0, min(most, MOST_ROWS)), *more, *said]
