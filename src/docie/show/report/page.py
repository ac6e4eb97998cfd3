"""From sections to one page of HTML that loads nothing: templates and style sheets."""

from __future__ import annotations

import base64
import hashlib
import itertools
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from docie._version import __version__
from docie.core.phrases import counted
from docie.show import plots
from docie.show.plots.style import check_packages
from docie.show.report.forms import form_picture
from docie.show.report.output import imported
from docie.show.report.rendering import aligned_styles, environment, explanation_view, static
from docie.show.section import Chart, Details, Part, Section, Table, Text

MOST_ROWS = 300
"""The rows that a table of a page shows at most."""


@dataclass(frozen=True, kw_only=True)
class Facts:
    """How the results of a report were made.

    Attributes:
        title: the title of the report.
        references, predictions: where these come from; empty if it is not known.
        command: the command that made the report.
        joined_by: "id" or "order".
        notes: what a reader should know, a line each.
    """

    title: str = "Extraction report"
    references: str = ""
    predictions: str = ""
    command: str = ""
    joined_by: str = ""
    notes: Sequence[str] = field(default=())


class Fact(NamedTuple):
    """One line of how a page was made."""

    term: str
    text: str
    is_code: bool = False


class Page(NamedTuple):
    """A page: its title, what it is about, its sections, and how it was made."""

    title: str
    lead: str
    sections: Sequence[Section]
    making: Sequence[Fact]


def render(page: Page) -> str:
    """A page as HTML that loads nothing.

    Args:
        page (Page): what `corpus_page`, `comparison_page` or `robustness_page` made.

    Returns:
        str: the document. All texts of users in it are escaped.

    Raises:
        ModuleNotFoundError: without the packages of the extra `report`.

    >>> from docie.show.section import Section, Text
    >>> "Two &lt; three" in render(Page("Numbers", "", [Section([Text("Two < three")], "Order", "order")], []))
    True
    """
    markup, script = imported("markupsafe").Markup, static("report.js")
    lacks_plots = any(True for _ in charts_of(page.sections)) and not _has_plots()
    made: str = (
        environment()
        .get_template("page.html.j2")
        .render(
            page=page,
            version=__version__,
            lacks_plots=lacks_plots,
            number=itertools.count(1).__next__,
            drawn=lambda chart: "" if lacks_plots else markup(plots.svg(chart.draw(), title=chart.title)),
            explained=lambda part: markup(explanation_view(part.explain())),
            picture=lambda part: markup(form_picture(part.form, before=part.before)),
            styles=markup(static("report.css") + aligned_styles()),
            script=markup(script),
            script_hash=base64.b64encode(hashlib.sha256(script.encode()).digest()).decode(),
        )
    )
    return made.lstrip()


def _has_plots() -> bool:
    try:
        check_packages()
    except ImportError:
        return False
    return True


def charts_of(sections: Iterable[Section | Details]) -> Iterator[Chart]:
    """The charts of sections, in order."""
    for section in sections:
        for part in section.parts:
            if isinstance(part, Chart):
                yield part
            elif isinstance(part, Details):
                yield from charts_of([part])


def notes_of(facts: Facts) -> list[Part]:
    """What a page begins with: what a reader should know."""
    return [Text(note, "note", "Note:") for note in facts.notes]


def making_of(
    facts: Facts, *own: Fact, names: tuple[str, str] = ("References", "Predictions"), said: str = ""
) -> list[Fact]:
    """How a page was made: where from, what is its own, and by which program; `said` of it."""
    command = [Fact("Command", facts.command, is_code=True)] if facts.command else []
    sources = [*map(Fact, names, (facts.references, facts.predictions))] if facts.references else []
    program = Fact("Program", f"docie {__version__}. {said}The same input gives the same file.")
    return [*command, *sources, *own, program]


def first_rows(table: Table, noun: str = "", where: str = "") -> list[Part]:
    """As much of a table as a page shows, and how many more of the noun there are where."""
    rest = len(table.rows) - MOST_ROWS
    said = [Text(f"{counted(rest, f'more {noun}')}; {where}.", "hint")] if rest > 0 and noun else []
    return [table._replace(rows=table.rows[:MOST_ROWS]), *said]
