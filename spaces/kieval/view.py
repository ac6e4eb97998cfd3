"""KIEval, seen: what a person would correct, and what goes through without a person at a threshold of confidence."""

from __future__ import annotations

import math
import warnings
from dataclasses import replace
from typing import Any, NamedTuple

from docie import confidence, corpus
from docie.metrics import kieval
from docie.metrics.kieval import AutomationCurve
from docie.show import plots

from ..common.computing import Part, Request
from ..views import counted, document_figures, figure, joined, percent, render, verb

THRESHOLD = 0.85
"""Where the slider stands at first."""
FEWEST = 20
"""Of fewer values with a confidence, no share in a bin means anything."""


class Unseen(NamedTuple):
    """What goes through at a threshold without a person.

    Attributes:
        threshold: values with a confidence below it are looked at.
        predicted: the number of predicted values.
        values, right: how many of them nobody looks at, and how many of these are right.
        aligned: the aligned score after review.
        documents, right_documents: of how many documents nobody looks at anything, and how many of these have no error.
    """

    threshold: float
    predicted: int
    values: int
    right: int
    aligned: float
    documents: int
    right_documents: int


def parts(request: Request, results: dict[str, Any]) -> list[Part]:
    """What review brings at a threshold, and how sure confidences are. (The documents come from the report.)"""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # the part says it
        curve = kieval.automation_curve(request.predictions, request.references, request.settings)
        if len(curve.thresholds) < 2:
            return [Part("What goes through unseen", render("kieval/templates/automation.html.j2", unseen=None))]
        unseen = unseen_at(request, results, threshold_of(request))
        values = confidence.collect(request.predictions, request.references, request.settings)
    html = render(
        "kieval/templates/automation.html.j2",
        unseen=unseen,
        sentences=_sentences(unseen, results["documents"]),
        without=_without_confidence(values),
        chart=_chart(curve, unseen),
    )
    shown = [Part("What goes through unseen", html)]
    if values.has_confidence.sum() >= FEWEST:
        shown.append(Part("What confidences are worth", _worth(values, unseen)))
    return shown


def sentence(request: Request, results: dict[str, Any]) -> str:
    """What KIEval means for the document that is shown."""
    figures = document_figures(request, results)
    right = figures["true_positives"]
    expected = right + figures["false_negatives"]
    names = (("substitutions", "to replace"), ("additions", "to add"), ("deletions", "to delete"))
    todo = joined(f"{figures[name]:,} {action}" for name, action in names if figures[name])
    f1 = figure(figures["entity_f1"])
    if not figures["corrections"]:
        return f"Nothing is to be corrected; all {counted(right, 'value')} stand where they belong: entity F1 is {f1}."
    return (
        f"{right:,} of {counted(expected, 'value')} {verb(right)} right in {verb(right, 'its', 'their')} place, and a "
        f"person has {counted(figures['corrections'], 'correction')} left, {todo}: entity F1 is {f1}."
    )


def threshold_of(request: Request) -> float:
    """The threshold that the slider has; values that are none count as the first one."""
    value = request.controls.get("threshold", THRESHOLD)
    is_number = isinstance(value, int | float) and math.isfinite(value)
    return min(max(float(value), 0.0), 1.0) if is_number else THRESHOLD


def unseen_at(request: Request, results: dict[str, Any], threshold: float) -> Unseen:
    """What goes through at a threshold, from the family's own figures and error rows."""
    settings = replace(request.settings, thresholds=[threshold])
    [row] = corpus.evaluate(kieval, request.predictions, request.references, settings)["automation"]
    predicted = results["true_positives"] + results["false_positives"]
    values = round(row["automation_rate"] * predicted)
    wrong = sum(
        error.prediction is not None and (error.confidence is None or error.confidence >= threshold)
        for error in corpus.errors(request.predictions, request.references, request.settings)
    )
    documents = round(row["straight_through_rate"] * results["documents"])
    right_documents = round(row["straight_through_accuracy"] * documents)
    return Unseen(threshold, predicted, values, values - wrong, row["aligned"], documents, right_documents)


def _sentences(unseen: Unseen, documents: int) -> list[str]:
    looked_at = unseen.predicted - unseen.values
    right = ""
    if unseen.values:
        right = f" and {percent(unseen.right, unseen.values)} of these are right"
    first = (
        f"At {unseen.threshold:.16g}, {percent(unseen.values, unseen.predicted)} of values go through unseen "
        f"({unseen.values:,} of {unseen.predicted:,}){right}."
    )
    second = (
        f"A person looks at {looked_at:,}, and mends what is wrong in them; then "
        f"{percent(unseen.aligned, 1)} of all is right."
    )
    if documents == 1:
        return [first, second]
    correct = f", of which {unseen.right_documents:,} {verb(unseen.right_documents)} free of errors"
    if not unseen.documents:
        correct = ""
    third = f"Nobody looks at {unseen.documents:,} of {counted(documents, 'document')}{correct}."
    return [first, second, third]


def _without_confidence(values: confidence.Values) -> str:
    """What becomes of values without a confidence, and how many there are."""
    number = int((~values.has_confidence).sum())
    told = "Values without a confidence are never sent to review"
    return f"{told}: {number:,} of these {counted(len(values), 'value')}." if number else f"{told}."


def _worth(values: confidence.Values, unseen: Unseen) -> str:
    """The risk–coverage curve, with the threshold on it, and the reliability diagram; and what they say."""
    calibration = confidence.calibration(values)
    curve = plots.risk_coverage(confidence.risk_coverage(values))
    _hold_still(curve.figure)
    if unseen.values:
        _mark(curve, unseen.values / unseen.predicted, 1 - unseen.right / unseen.values, unseen.threshold)
    diagram = plots.reliability_diagram(calibration)
    _hold_still(diagram.figure)
    return render(
        "kieval/templates/worth.html.j2",
        sentence=(
            f"Confidences promise that {percent(calibration['mean_confidence'], 1)} of values are right on average; "
            f"{percent(calibration['accuracy'], 1)} are."
        ),
        curve=plots.svg(
            curve, title=f"Wrong ones of the unseen values; the threshold {unseen.threshold:.16g} is marked"
        ),
        diagram=plots.svg(diagram, title="The share of values that is right, by confidence"),
    )


def _chart(curve: AutomationCurve, unseen: Unseen) -> str:
    """The curve, with the threshold on it."""
    axes = plots.automation_curve(curve)
    _hold_still(axes.figure)
    _mark(axes, unseen.values / unseen.predicted if unseen.predicted else 1.0, unseen.aligned, unseen.threshold)
    title = f"Aligned score after review by automation rate; the threshold {unseen.threshold:.16g} is marked"
    return plots.svg(axes, title=title)


def _hold_still(figure_of_axes: Any) -> None:
    """Fix the layout: else every drawing moves it a little, and it is drawn ten times."""
    figure_of_axes.draw_without_rendering()
    figure_of_axes.set_layout_engine("none")


def _mark(axes: Any, x: float, y: float, threshold: float) -> None:
    """Put the chosen threshold on a curve, named towards the middle."""
    axes.plot([x], [y], marker="D", markersize=7, color="#E69F00", linestyle="none", clip_on=False)
    side, offset = ("right", -7) if x > 0.5 else ("left", 7)
    axes.annotate(
        f"at {threshold:.16g}", (x, y), xytext=(offset, -3), textcoords="offset points",
        ha=side, va="top", fontsize=8, fontweight="bold",
    )  # fmt: skip
