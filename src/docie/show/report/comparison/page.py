"""From the sections of a comparison to one page of HTML that loads nothing."""

from __future__ import annotations

from typing import Any

from docie.show import plots
from docie.show.report.comparison.content import Comparison
from docie.show.report.packages import imported
from docie.show.report.page import framed
from docie.show.report.rendering import aligned_view


def render_comparison(report: Comparison) -> str:
    """The page of a comparison.

    Args:
        report (Comparison): its sections.

    Returns:
        str: HTML that loads nothing.

    Raises:
        ModuleNotFoundError: without the packages of the extra `report`.

    >>> import warnings
    >>> from docie import corpus, kieval
    >>> from docie.show.report import Comparison, Facts
    >>> systems, references = {"careful": [{"total": "12"}], "hasty": [{}]}, [{"total": "12"}]
    >>> with warnings.catch_warnings(action="ignore"):
    ...     results = corpus.compare(kieval, systems, references)
    >>> "No test separates hasty from careful" in render_comparison(
    ...     Comparison(results, systems, references, kieval.Settings(), Facts())
    ... )
    True
    """
    markup = imported("markupsafe").Markup

    def view(prediction: Any, reference: Any) -> Any:
        return markup(aligned_view(prediction, reference, report.settings))

    charts = {name: markup(_forest(report, name)) for name in ("comparisons", "per_entity") if report.results.get(name)}
    return framed("comparison/page.html.j2", report, view=view, charts=charts)


def _forest(report: Comparison, table: str) -> str:
    """A forest plot as an element of SVG; empty without matplotlib."""
    try:
        axes = plots.forest(report.results, table=table)
    except ImportError:
        return ""
    return plots.svg(axes, title="Differences with their intervals. The table below has their numbers.")
