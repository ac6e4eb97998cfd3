"""From the sections of a report to one page of HTML that loads nothing."""

from __future__ import annotations

import base64
import hashlib
from typing import Any, NamedTuple

from docie.confidence import Values, calibration, certified_threshold, risk_coverage, shortest_threshold
from docie.show import plots
from docie.show.report.collection import Collection, Costly
from docie.show.report.content import Report, errors_in, summary
from docie.show.report.packages import imported
from docie.show.report.rendering import aligned_styles, aligned_view, environment, static
from docie.show.report.wording import Share, counted

RISKS = (0.01, 0.02, 0.05, 0.1)
"""The risks that the report certifies a threshold for."""


def render(report: Report) -> str:
    """The page of a report.

    Args:
        report (Report): its sections.

    Returns:
        str: HTML that loads nothing.

    Raises:
        ModuleNotFoundError: without the packages of the extra `report`.

    >>> from docie import corpus, kieval
    >>> from docie.show.report import Collection, Facts
    >>> collection = Collection(kieval.Settings())
    >>> pairs = list(collection.watch([{"total": "12"}], [{"total": "13"}]))
    >>> results = {"kieval": corpus.evaluate(kieval, [{"total": "12"}], [{"total": "13"}], breakdown=True)}
    >>> "0 of 1 document can be used as predicted." in render(Report(results, collection, Facts()))
    True
    """
    markup = imported("markupsafe").Markup

    def view(document: Costly) -> Any:
        return markup(aligned_view(document.prediction, document.reference, report.collection.settings))

    drawn = [each._replace(svg=markup(each.svg)) for each in drawings(report.collection)]
    return framed(
        "report/page.html.j2",
        report,
        view=view,
        summary=summary,
        errors_in=errors_in,
        drawings=drawn,
        certified=certified(report.collection),
    )


def framed(template: str, report: Any, **values: Any) -> str:
    """The page that a template makes: one that fills `frame.html.j2`.

    Args:
        template: its name.
        report: what it shows, with `facts` and `version`.
        **values: what else it needs.
    """
    markup, script = imported("markupsafe").Markup, static("report.js")
    html: str = (
        environment()
        .get_template(template)
        .render(
            report=report,
            counted=counted,
            styles=markup(static("report.css") + aligned_styles()),
            script=markup(script),
            script_hash=base64.b64encode(hashlib.sha256(script.encode()).digest()).decode(),
            **values,
        )
    )
    return html


def check_packages() -> None:
    """Find out whether the packages of the extra `report` are there.

    Raises:
        ModuleNotFoundError: if one of them is not; the message says how to get it.

    >>> check_packages()
    """
    for name in ("jinja2", "regex"):
        imported(name)


class Drawing(NamedTuple):
    """A chart as an element of SVG, and what it says."""

    svg: str
    caption: str


def drawings(collection: Collection) -> list[Drawing]:
    """The charts of review by confidence; none without confidences, or without matplotlib."""
    values = collection.values()
    if values is None:
        return []
    try:
        automation = plots.automation_curve(collection.automation())
    except ImportError:
        return []
    return [
        Drawing(
            plots.svg(automation, title="The automation curve. The table below has its numbers."),
            "What review brings: to the right nothing is reviewed, to the left every value with a confidence below 1.",
        ),
        Drawing(
            plots.svg(plots.risk_coverage(risk_coverage(values)), title="The risk–coverage curve."),
            "How many of the values that nobody looks at are wrong. To the left, only the surest ones go unseen.",
        ),
        Drawing(
            plots.svg(plots.reliability_diagram(calibration(values)), title="The reliability diagram."),
            "Whether confidences are probabilities, as on the dashed line. Below it they promise too much.",
        ),
    ]


class Certified(NamedTuple):
    """A threshold that keeps the risk on new documents, in words; without one, `threshold` says why."""

    risk: str
    threshold: str
    coverage: str = ""
    loss: str = ""


def certified(collection: Collection) -> list[Certified]:
    """The certified threshold at each of `RISKS`; none without confidences."""
    values = collection.values()
    return [] if values is None else [_certified(values, risk) for risk in RISKS]


def _certified(values: Values, risk: float) -> Certified:
    found, share = certified_threshold(values, risk), f"{100 * risk:g} %"
    if found["threshold"] is None:
        return Certified(share, f"none: {found['reason']}")
    shortest = f"{shortest_threshold(values, found['threshold']):.15g}"
    return Certified(share, shortest, Share(found["coverage"]).text, Share(found["loss"]).text)
