"""Review by confidence: what skips review at each threshold, and what that costs."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

from docie.confidence import Values, calibration, certified_threshold, risk_coverage, shortest_threshold
from docie.confidence.review import passing
from docie.show.page.score.collection import Collection
from docie.show.section import Axis, Chart, Part, Section, Series, Share, Slider, Table, Text

RISKS = (0.01, 0.02, 0.05, 0.1)
"""The risks that the report certifies a threshold for."""
SHOWN_THRESHOLDS = (0.0, 0.5, 0.7, 0.8, 0.9, 0.98, 1.0)
"""The thresholds that the table shows."""
MOST_POINTS = 400
"""The points of a curve."""
MOST_STEPS = 60
"""The thresholds that a slider goes through at most."""


def review(collection: Collection, documents: str) -> Section | None:
    """The effect of review by confidence; None without confidences."""
    values = collection.values()
    if values is None:
        return None
    rows = collection.automation()
    shown = {*SHOWN_THRESHOLDS, *(collection.settings.thresholds or ())}
    cells = [_review_row(row) for row in rows if row["threshold"] in shown]
    columns = ["Threshold", "Values that skip review", "Values correct after it", "Documents that skip review"]
    said = (
        "Each predicted value with a confidence below the threshold is reviewed and corrected. A higher "
        "threshold costs more reviews and leaves fewer errors. Values without a confidence always skip review."
    )
    risk = (
        "The risk is the share of a new document's predicted values that may be incorrect and skip review, "
        "on average. The certified threshold keeps to it (conformal risk control), for documents from the "
        f"same source as these {documents}, and a model that was not trained on them. docie threshold "
        "certifies other risks, and verifies thresholds on other documents."
    )
    curve = Chart(
        "The automation curve. The table below has its numbers.",
        Axis("values that skip review"),
        Axis("values correct after review"),
        [Series([(row["automation_rate"], row["aligned"]) for row in rows], dots=True)],
        "The effect of review: at the right nothing is reviewed, at the left each value with a confidence below 1.",
    )
    found = slider(values)
    parts: list[Part] = [
        Text(said, "hint"),
        found._replace(charts=[*found.charts, curve]),
        Table("At some thresholds", [*columns, "Share of them without error"], cells),
        _certified(values),
        Text(risk, "hint"),
    ]
    return Section(parts, "Review by confidence", "automation")


def slider(values: Values, chosen: float | None = None, *, unit: str | None = None) -> Slider:
    """What skips review at some thresholds, one at a time: first the chosen one, if any; and the curves, marked there.

    Args:
        values: the judged values.
        chosen: the threshold to begin with.
        unit: what skips review, "value" or "document", with the curves of both; None for values alone.

    >>> from docie.confidence import collect
    >>> prediction = {"a": {"value": "1", "confidence": 0.9}, "b": {"value": "2", "confidence": 0.5}}
    >>> slider(collect([prediction], [{"a": "1", "b": "3"}])).table.rows[1]
    ['0.6', '1 (50.0 %)', '1 (50.0 %)', '0 (0.0 %)', '1 of 1']
    """
    shown = values.as_documents() if unit == "document" else values
    thresholds, unseen, correct = passing(shown)
    last, total = len(thresholds) - 1, max(len(shown), 1)
    middle = round(last / 2) if chosen is None else min(int(thresholds.searchsorted(chosen)), last)
    steps = sorted({middle, *(round(step * last / MOST_STEPS) for step in range(MOST_STEPS + 1))})
    incorrect, cells, marks, all_errors = unseen - correct, [], [], int((~shown.correct).sum())
    for step in steps:
        text = f"{shortest_threshold(shown, float(thresholds[step])):.15g}"
        skips, errors = int(unseen[step]), int(incorrect[step])
        numbers = (skips, total), (len(shown) - skips, total), (errors, max(skips, 1))
        caught = f"{all_errors - errors:,} of {all_errors:,}"
        cells.append([text, *(f"{part:,} ({Share(part / whole).text})" for part, whole in numbers), caught])
        marks.append((skips / total, errors / max(skips, 1)))
    noun = f"{unit or 'value'}s"
    columns = ["Threshold", f"{noun.capitalize()} that skip review", f"{noun.capitalize()} to review"]
    columns += ["Incorrect among those that skip review", f"Incorrect {noun} that review catches"]
    charts = [errors_by_coverage(shown, noun, marks)]
    if unit is not None:
        charts.append(
            errors_by_coverage(*(values, "values") if unit == "document" else (values.as_documents(), "documents"))
        )
    return Slider(Table("Table of thresholds", columns, cells), steps.index(middle), [*charts, reliability(values)])


def errors_by_coverage(values: Values, noun: str, marks: Sequence[tuple[float, float]] = ()) -> Chart:
    """The share of incorrect values, or documents, by the share of those that skip review."""
    curve = risk_coverage(values)
    points = [*zip(curve["coverage"], curve["error_rate"], strict=True)]
    return Chart(
        "The errors by coverage.",
        Axis(f"{noun} that skip review"),
        Axis("incorrect among these"),
        [Series(thinned(points))],
        f"The share of incorrect {noun} among those that skip review. At the left, only the highest confidences do.",
        marks=marks,
    )


def reliability(values: Values) -> Chart:
    """The share of correct values by confidence."""
    bins = [row for row in calibration(values)["bins"] if row["values"]]
    return Chart(
        "The reliability diagram.",
        Axis("confidence"),
        Axis("correct values"),
        [Series([(row["mean_confidence"], row["accuracy"]) for row in bins], dots=True)],
        "Confidences that are probabilities lie on the dashed line. Below it, the model is overconfident.",
        diagonal=True,
    )


def thinned(points: Sequence[tuple[float, float]]) -> list[tuple[float, float]]:
    """At most `MOST_POINTS` of the points of a curve, the last one among them."""
    step = max(1, math.ceil(len(points) / MOST_POINTS))
    return [*points[::step], *points[-1:]]


def _review_row(row: Mapping[str, float]) -> list[str]:
    texts = {name: Share(value).text for name, value in row.items() if name != "threshold"}
    if not row["straight_through_rate"]:
        texts["straight_through_accuracy"] = "–"  # of no documents
    return [f"{row['threshold']:.16g}", *texts.values()]


def _certified(values: Values) -> Table:
    """The thresholds that keep risks on new documents; where there is none, why."""
    cells = []
    for risk in RISKS:
        found, share = certified_threshold(values, risk), f"{100 * risk:g} %"
        if found["threshold"] is None:
            cells.append([share, f"none: {found['reason']}"])
        else:
            shortest = f"{shortest_threshold(values, found['threshold']):.15g}"
            cells.append([share, shortest, Share(found["coverage"]).text, Share(found["loss"]).text])
    columns = ["Risk", "Threshold", "Values that skip review", "Incorrect and unreviewed here"]
    return Table("Certified thresholds", columns, cells, is_small=True)
