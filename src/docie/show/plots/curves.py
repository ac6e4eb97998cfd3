"""Charts of review by confidence: the automation curve, the errors by coverage, and the reliability diagram."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING, Any, NamedTuple

from docie.confidence.review import shortest_between
from docie.core.scores import rounded
from docie.metrics.kieval.automation import AutomationCurve
from docie.show.plots.style import BLUE, axes_for, grid, ink, look_of, write_instead, write_legend_above, write_plainly

if TYPE_CHECKING:
    from matplotlib.axes import Axes

MARKS = 6
"""How many thresholds of a whole curve are named."""
MOST = 1000
"""How many points a curve has at most, about."""
FEW = 0.05
"""In a smaller share of values, the share of incorrect ones jumps: there a curve may leave its chart."""


class _Point(NamedTuple):
    """A point of a curve. All thresholds above `below`, up to `threshold`, lead to it; without `below`, this one."""

    threshold: float
    x: float
    y: float
    below: float | None = None

    @property
    def label(self) -> str:
        """A threshold that leads to this point, with as few digits as there can be."""
        shorter = None if self.below is None else shortest_between(self.below, self.threshold)
        threshold = self.threshold if shorter is None else shorter
        return ">1" if threshold > 1 else repr(float(threshold)).removesuffix(".0")  # above the confidence 1


def automation_curve(curve: AutomationCurve | Sequence[Mapping[str, float]], *, ax: Axes | None = None) -> Axes:
    """The aligned score after review against the share of values that skip review, with thresholds beside the curve.

    Args:
        curve (AutomationCurve or list of dict): what `kieval.automation_curve` returns, or `automation` of the results
            of KIEval with the option `thresholds`.
        ax (matplotlib.axes.Axes): where to draw; None for a new figure.

    Returns:
        matplotlib.axes.Axes: the axes; its `figure` can be saved.

    Raises:
        ImportError: without matplotlib.

    >>> from docie import kieval
    >>> leaf = {"value": "4.50", "confidence": 0.6}
    >>> curve = kieval.automation_curve([{"price": leaf, "nm": "Latte"}], [{"price": "4.80", "nm": "Latte"}])
    >>> [text.get_text() for text in automation_curve(curve).texts]
    ['0', '0.7']
    """
    if isinstance(curve, AutomationCurve):
        points = _between(zip(*(column.tolist() for column in curve), strict=True))
    else:
        points = [_Point(row["threshold"], row["automation_rate"], row["aligned"]) for row in curve]
    points.sort(key=lambda point: (-point.x, point.y))
    title = "aligned score after review, by automation rate"
    ax = axes_for(ax, 2.4, title, x="automation rate", y="aligned after review")
    if not points:
        write_instead(ax, "no thresholds")
        return ax
    lowest = min(point.y for point in points)
    ax.set(xlim=(0, 1), ylim=(max(0.0, lowest - 0.1 * (1 - lowest) - 0.005), 1))
    _draw(ax, points, points)
    ax.lines[0].set_clip_on(False)  # where all is right it lies on the edge
    return ax


def risk_coverage(curve: Mapping[str, Sequence[float]], *, ax: Axes | None = None) -> Axes:
    """The share of incorrect values among those that skip review, by coverage, with thresholds.

    Where less than 5 % of values skip review, the share of incorrect ones jumps, and the curve may leave the chart.

    Args:
        curve (dict): what `confidence.risk_coverage` returns.
        ax (matplotlib.axes.Axes): where to draw; None for a new figure.

    Returns:
        matplotlib.axes.Axes: the axes; its `figure` can be saved.

    Raises:
        ImportError: without matplotlib.

    >>> from docie import confidence
    >>> prediction = {"a": {"value": "1", "confidence": 0.9}, "b": {"value": "2", "confidence": 0.5}}
    >>> axes = risk_coverage(confidence.risk_coverage(confidence.collect([prediction], [{"a": "1", "b": "3"}])))
    >>> [text.get_text() for text in axes.texts]
    ['0', '0.9']
    """
    every = _between(zip(*(curve[name] for name in ("thresholds", "coverage", "error_rate")), strict=True))
    points = [point for point in every if point.x]  # of nothing, no share is wrong
    title = "errors by coverage: incorrect values among those that skip review"
    ax = axes_for(ax, 2.4, title, x="coverage (values that skip review)", y="error rate (incorrect of these)")
    if not points:
        write_instead(ax, "no value skips review")
        return ax
    steady = [point for point in points if point.x >= FEW] or points
    ax.set(xlim=(0, 1), ylim=(0, min(1.25 * max(point.y for point in steady), 1.0) or 1.0))
    _draw(ax, points, steady, offset=(-8, 7))  # it rises from left to right, and jumps
    return ax


def reliability_diagram(calibration: Mapping[str, Any], *, ax: Axes | None = None) -> Axes:
    """The share of correct values by confidence, in bins of equal counts.

    On the dashed line, confidences are probabilities. Below it, the model is overconfident.

    Args:
        calibration (dict): what `confidence.calibration` returns.
        ax (matplotlib.axes.Axes): where to draw; None for a new figure.

    Returns:
        matplotlib.axes.Axes: the axes; its `figure` can be saved.

    Raises:
        ImportError: without matplotlib.

    >>> from docie import confidence
    >>> leaves = [{"value": text, "confidence": 0.75} for text in "12"]
    >>> axes = reliability_diagram(confidence.calibration(confidence.collect([{"a": leaves}], [{"a": ["1", "3"]}])))
    >>> [text.get_text() for text in axes.get_legend().get_texts()]
    ['perfect calibration', 'bins (calibration error 0.250)']
    """
    bins = calibration["bins"]
    title = "share of correct values, by confidence"
    ax = axes_for(ax, 2.9, title, x="mean confidence", y="accuracy (correct values)")
    if not bins:
        write_instead(ax, "no confidences")
        return ax
    points = [(row["mean_confidence"], row["accuracy"]) for row in bins]
    low = max(0.0, min(map(min, points)) - 0.05)
    ax.plot([low, 1], [low, 1], color=ink(ax), linewidth=1, linestyle="--", label="perfect calibration")
    error = f"bins (calibration error {rounded(calibration['expected_calibration_error'], 3)})"
    style = {"color": BLUE, "linewidth": 1.5, "marker": "o", "markersize": 4, "clip_on": False}
    ax.plot(*zip(*points, strict=True), label=error, **style)
    write_legend_above(ax)
    ax.set(xlim=(low, 1), ylim=(low, 1))
    grid(ax)
    return ax


def _between(rows: Iterable[Sequence[float]]) -> list[_Point]:
    """The points of a whole curve: nothing changes between confidences, and the last threshold is just above one."""
    points = [_Point(*row) for row in rows]
    points[2:] = [point._replace(below=before.threshold) for before, point in pairwise(points[1:])]
    if len(points) > 1:
        points[-1] = points[-1]._replace(below=math.nextafter(points[-1].threshold, 0), threshold=math.inf)
    return points


def _draw(ax: Axes, points: Sequence[_Point], nameable: Sequence[_Point], *, offset: tuple[int, int] = (3, 3)) -> None:
    """Draw a curve through points, from right to left, and name some of the thresholds of those that are nameable.

    The axes have their limits. Where names stand at the upper one, the legend stands above them.
    """
    drawn, size = _thinned(points), look_of(ax).points
    ax.plot([point.x for point in drawn], [point.y for point in drawn], color=BLUE, linewidth=1.5)
    named = _spread(_thinned(nameable), letter=0.65 * size / (72 * ax.bbox.width / ax.figure.dpi))
    ax.plot(
        [point.x for point in named],
        [point.y for point in named],
        color=BLUE, marker="o", markersize=4, linestyle="none", label="threshold of confidence", clip_on=False,
    )  # fmt: skip
    for point in named:
        write_plainly(ax.annotate(point.label, (point.x, point.y), xytext=offset, textcoords="offset points"))
    low, high = ax.get_ylim()
    is_high = max(point.y for point in named) > high - 0.15 * (high - low)
    write_legend_above(ax, gap=offset[1] + size if is_high else 0)
    grid(ax)


def _thinned(points: Sequence[_Point]) -> Sequence[_Point]:
    """As many points as one can see: a large corpus has one for each confidence."""
    if len(points) <= MOST:
        return points
    drawn = [points[0]]
    drawn += [point for before, point in pairwise(points[:-1]) if int(before.x * MOST) != int(point.x * MOST)]
    return [*drawn, points[-1]]


def _spread(points: Sequence[_Point], letter: float) -> list[_Point]:
    """Points to name, as far from each other as their texts need: the ends, then those of few digits.

    `letter` is the width of a letter as a share of that of the chart.
    """
    chosen: list[_Point] = []
    for point in [points[0], points[-1], *sorted(points[1:-1], key=lambda point: len(point.label))]:
        # a name, and a letter's width between two
        widths = (letter * (1 + max(len(point.label), len(each.label))) for each in chosen)
        if all(abs(point.x - each.x) >= max(1 / MARKS, width) for each, width in zip(chosen, widths, strict=True)):
            chosen.append(point)
    return sorted(chosen, reverse=True, key=lambda point: point.x)
