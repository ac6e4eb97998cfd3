"""Values with a confidence: the values that skip review at a threshold, and the calibration of confidences."""

from __future__ import annotations

import math
import warnings
from dataclasses import replace
from typing import TYPE_CHECKING

from docie import confidence, corpus
from docie.core.phrases import counted, percent, verb
from docie.core.values.plain import JsonObject
from docie.metrics import kieval
from docie.metrics.kieval.automation import AutomationCurve
from docie.show import plots

from .drawing import Part
from .rendering import render

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from .computing import Request

THRESHOLD = 0.85
"""The initial position of the slider."""
FEWEST = 20
"""With fewer values with a confidence, shares in bins are meaningless."""
Figures = JsonObject
"""The result of `docie.confidence.at_threshold`, and the row of KIEval's automation at that threshold."""


def parts(request: Request, results: Figures) -> list[Part]:
    """The effect of review at a threshold, and the quality of confidences."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # the part states it
        curve = kieval.automation_curve(request.predictions, request.references, request.settings)
        if len(curve.thresholds) < 2:
            return [Part("Values that skip review", render("review.html.j2", unseen=None))]
        values = confidence.collect(request.predictions, request.references, request.settings)
        unseen = unseen_at(request, values)
    html = render(
        "review.html.j2",
        unseen=unseen,
        sentences=_sentences(unseen),
        without=_without_confidence(values),
        chart=_chart(curve, unseen),
    )
    shown = [Part("Values that skip review", html)]
    if values.has_confidence.sum() >= FEWEST:
        shown.append(Part("Calibration of confidences", _worth(values, unseen)))
    return shown


def threshold_of(request: Request) -> float:
    """The threshold of the slider; invalid values count as the initial one."""
    value = request.controls.get("threshold", THRESHOLD)
    if not isinstance(value, int | float) or not math.isfinite(value):
        return THRESHOLD
    return min(max(float(value), 0.0), 1.0)


def unseen_at(request: Request, values: confidence.Values) -> Figures:
    """The values that skip review at the threshold of the slider."""
    threshold = threshold_of(request)
    settings = replace(request.settings, thresholds=[threshold])
    [row] = corpus.evaluate(kieval, request.predictions, request.references, settings)["automation"]
    return {**row, **confidence.at_threshold(values, threshold)}


def _sentences(unseen: Figures) -> list[str]:
    number, values, documents = unseen["unseen"], unseen["values"], unseen["documents"]
    right = f" and {percent(number - unseen['wrong'], number)} of them are correct" if number else ""
    first = (
        f"At {unseen['threshold']:.16g}, {percent(number, values)} of values skip review "
        f"({number:,} of {values:,}){right}."
    )
    second = (
        f"{counted(values - number, 'value')} {verb(values - number)} reviewed and corrected; then "
        f"{percent(unseen['aligned'], 1)} of all values are correct."
    )
    if documents == 1:
        return [first, second]
    through = round(unseen["straight_through_rate"] * documents)
    without_errors = round(unseen["straight_through_accuracy"] * through)
    correct = f", of which {without_errors:,} {verb(without_errors)} free of errors" if through else ""
    return [
        first,
        second,
        f"{through:,} of {counted(documents, 'document')} {verb(through, 'skips', 'skip')} review{correct}.",
    ]


def _without_confidence(values: confidence.Values) -> str:
    """A sentence on values without a confidence."""
    number = int((~values.has_confidence).sum())
    told = "Values without a confidence are never sent to review"
    return f"{told}: {number:,} of these {counted(len(values), 'value')}." if number else f"{told}."


def _worth(values: confidence.Values, unseen: Figures) -> str:
    """The risk–coverage curve, with the threshold on it, and the reliability diagram, with captions."""
    calibration = confidence.calibration(values)
    curve = plots.risk_coverage(confidence.risk_coverage(values))
    _hold_still(curve)
    if unseen["unseen"]:
        _mark(curve, unseen["coverage"], 1 - unseen["precision"], unseen["threshold"])
    diagram = plots.reliability_diagram(calibration)
    _hold_still(diagram)
    return render(
        "worth.html.j2",
        sentence=(
            f"The mean confidence is {percent(calibration['mean_confidence'], 1)}; "
            f"{percent(calibration['accuracy'], 1)} of values are correct."
        ),
        curve=plots.svg(
            curve,
            title=f"Incorrect values among those that skip review; the threshold {unseen['threshold']:.16g} is marked",
        ),
        diagram=plots.svg(diagram, title="The share of correct values, by confidence"),
    )


def _chart(curve: AutomationCurve, unseen: Figures) -> str:
    """The curve, with the threshold on it."""
    axes = plots.automation_curve(curve)
    _hold_still(axes)
    _mark(axes, unseen["coverage"], unseen["aligned"], unseen["threshold"])
    title = f"Aligned score after review by automation rate; the threshold {unseen['threshold']:.16g} is marked"
    return plots.svg(axes, title=title)


def _hold_still(axes: Axes) -> None:
    """Fix the layout: otherwise every drawing moves it a little, and it is drawn ten times."""
    figure: Figure = axes.figure  # not part of another figure
    figure.draw_without_rendering()
    figure.set_layout_engine("none")


def _mark(axes: Axes, x: float, y: float, threshold: float) -> None:
    """Mark the chosen threshold on a curve, with its label towards the middle."""
    axes.plot([x], [y], marker="D", markersize=7, color="#E69F00", linestyle="none", clip_on=False)
    side, offset = ("right", -7) if x > 0.5 else ("left", 7)
    axes.annotate(
        f"at {threshold:.16g}", (x, y), xytext=(offset, -3), textcoords="offset points",
        ha=side, va="top", fontsize=8, fontweight="bold",
    )  # fmt: skip
