"""Charts of form attacks: the loss by attack, field, combination and strength. They need matplotlib."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from docie.core.scores import rounded
from docie.robustness.result import RobustnessReport, UnderAttack, combined, is_clear, singles, sweeps
from docie.show.plots import style

if TYPE_CHECKING:
    from matplotlib.axes import Axes


__all__ = ["combinations", "drop_heat_map", "drops", "severity_curves"]

SCORES = {"f1": "F1", "precision": "precision", "recall": "recall"}
SEVERITIES = ("mean_iou", "edit_rate", "moved", "reordered", "dropped", "replaced", "value_shift")
"""What severity is measured in, beside the strength that was asked for."""
_WITH_NUMBERS = 8
"""Columns of a heat map that fit into a column of a paper."""


def drops(report: RobustnessReport, *, score: str = "f1", most: int = 30, ax: Axes | None = None) -> Axes:
    """Bars of the drop under each attack, the largest first, with paired intervals.

    A bar is filled if its whole interval is above 0, on 20 forms or more: this drop is no accident of these forms.
    Where an attack helps, the bar is orange and goes to the left. An attack that finds something to change in some of
    the forms only has their number behind its name; the axis says how many forms there are.

    Source: Xue et al., "Robustness Evaluation of Transformer-based Form Field Extractors via Form Attacks" (2021),
    figure 4.

    Args:
        report (RobustnessReport): what `robustness.run` returns. Combinations and further strengths are left out.
        score (str): "f1", "precision" or "recall".
        most (int): at most so many attacks are drawn.
        ax (matplotlib.axes.Axes): where to draw; None for a new figure.

    Returns:
        matplotlib.axes.Axes: the axes; its `figure` can be saved.

    Raises:
        ImportError: without matplotlib.
        ValueError: for another score.

    >>> from docie import robustness
    >>> from docie.robustness.form import Field, Page, Word
    >>> forms = [Page([Word("Total"), Word(str(number))], [Field("total", (1,), (0,))]) for number in range(9)]
    >>> def last_word(forms):
    ...     return [{"total": form.words[-1].text} if len(form.words) > 1 else {} for form in forms]
    >>> axes = drops(robustness.run(last_word, forms, attacks=["bg_typo", "key_drop"]))
    >>> [text.get_text() for text in (*axes.get_yticklabels(), *axes.texts)]
    ['key_drop', 'bg_typo', '1.000', '0.000']
    """
    every = _largest_first(singles(report), score)
    names = [_with_forms(style.short_name(row.attack), row, report) for row in every[:most]]
    x = _axis_title(report, score, len(names), len(every))
    title = f"drop of {SCORES[score]} by attack, the largest first"
    ax = style.axes_of_rows(ax, len(names), title, x=x, none="no attacks", height=0.17, least=4)
    return _with_bars(ax, every[:most], names, score)


def combinations(
    report: RobustnessReport, *, size: int | None = None, score: str = "f1", most: int = 10, ax: Axes | None = None
) -> Axes:
    """Bars of the combinations of attacks that cost most, with paired intervals, drawn as in `drops`.

    A diamond marks the drop of the worst of the combined attacks alone, if the report has it: behind it, the
    combination costs more than that.

    Source: Xue et al., "Robustness Evaluation of Transformer-based Form Field Extractors via Form Attacks" (2021),
    figure 3.

    Args:
        report (RobustnessReport): what `robustness.run` returns.
        size (int): 2 for pairs, 3 for triples; None for all combinations.
        score (str): "f1", "precision" or "recall".
        most (int): at most so many combinations are drawn.
        ax (matplotlib.axes.Axes): where to draw; None for a new figure.

    Returns:
        matplotlib.axes.Axes: the axes; its `figure` can be saved.

    Raises:
        ImportError: without matplotlib.
        ValueError: for another score.

    >>> from docie import robustness
    >>> from docie.robustness.form import Field, Page, Word
    >>> forms = [Page([Word("Total"), Word(str(number))], [Field("total", (1,), (0,))]) for number in range(9)]
    >>> report = robustness.run(lambda forms: [{}] * len(forms), forms, attacks=[["bg_typo", "key_drop"]])
    >>> [text.get_text() for text in combinations(report).texts]
    ['0.000', 'bg_typo', '+ key_drop']
    """
    every = _largest_first(combined(report, size), score)
    rows = every[:most]
    names = [_with_forms("\n+ ".join(map(style.short_name, row.attack.split("+"))), row, report) for row in rows]
    height = 0.05 + 0.13 * max([1, *(name.count("\n") + 1 for name in names)])
    title = f"drop of {SCORES[score]} by combination of attacks, the largest first"
    x = _axis_title(report, score, len(rows), len(every))
    ax = style.axes_of_rows(ax, len(rows), title, x=x, none="no combinations", height=height, least=2)
    ax = _with_bars(ax, rows, names, score)
    alone = {row.attack: _drop(row, score) for row in singles(report)}
    for place, row in enumerate(rows):
        if found := [alone[part] for part in row.parts if part in alone]:
            ax.plot([max(found)], [place], marker="D", markersize=4, color=style.ink(ax), markerfacecolor="none")
    return ax


def _axis_title(report: RobustnessReport, score: str, drawn: int, of: int) -> str:
    left_out = f", the largest {drawn} of {of}" if drawn < of else ""
    forms = f"{report.forms:,} form{'s' * (report.forms != 1)}"
    return f"drop of {SCORES[score]} from {rounded(getattr(report, score), 2)} on {forms}{left_out}"


def _with_forms(name: str, row: UnderAttack, report: RobustnessReport) -> str:
    """The name of an attack, with the number of its forms if these are not all."""
    return name if row.forms == report.forms else f"{name} ({row.forms:,})"


def _largest_first(rows: list[UnderAttack], score: str) -> list[UnderAttack]:
    _check_score(score)
    return sorted(rows, key=lambda row: -_drop(row, score))


def _with_bars(ax: Axes, rows: Sequence[UnderAttack], names: list[str], score: str) -> Axes:
    """The axes with a bar for each row, its name, interval and number; as they are without rows."""
    if not rows:
        return ax
    for place, row in enumerate(rows):
        drop, interval = _drop(row, score), _interval(row, score)
        colour = style.BLUE if drop >= 0 else style.ORANGE
        filling = colour if is_clear(row, score) else "none"
        ax.barh(place, drop, height=0.7, color=filling, edgecolor=colour, linewidth=1)
        style.draw_interval(ax, place, interval)
        style.write_value(ax, place, rounded(drop, 3))
    style.write_names(ax, names)
    ax.axvline(0, color=style.ink(ax), linewidth=0.8)
    ax.spines["left"].set_visible(False)
    ax.locator_params(axis="x", nbins=5)
    bounds = [bound for row in rows for bound in (_drop(row, score), *(_interval(row, score) or ()))]
    low, high = min(0.0, *bounds), max(0.05, *bounds)
    ax.set_xlim(low - 0.02 * (high - low), high + 0.02 * (high - low))
    return ax


def _check_score(score: str) -> None:
    if score not in SCORES:
        raise ValueError(f"score must be one of {', '.join(SCORES)}, got {score!r}")


def _drop(row: UnderAttack, score: str) -> float:
    return float(getattr(row, f"drop_{score}"))


def _interval(row: UnderAttack, score: str) -> list[float] | None:
    interval: list[float] | None = getattr(row, f"drop_{score}_interval")
    return interval


def drop_heat_map(
    report: RobustnessReport,
    *,
    score: str = "f1",
    most_attacks: int = 30,
    most_fields: int = 20,
    ax: Axes | None = None,
) -> Axes:
    """A map of the drop of each field under each attack, in points: 79 is 0.79. Darker is more; orange is a gain.

    A dash stands where a field has nothing to lose (`RobustnessReport.field_drop`).

    Args:
        report (RobustnessReport): what `robustness.run` returns. Combinations and further strengths are left out.
        score (str): "f1", "precision" or "recall".
        most_attacks (int): at most so many attacks are drawn: those that cost most.
        most_fields (int): at most so many fields: those that lose most under one of the drawn attacks.
        ax (matplotlib.axes.Axes): where to draw; None for a new figure, which is as wide as its fields need.

    Returns:
        matplotlib.axes.Axes: the axes; its `figure` can be saved.

    Raises:
        ImportError: without matplotlib.
        ValueError: for another score.

    >>> from docie import robustness
    >>> from docie.robustness.form import Field, Page, Word
    >>> forms = [Page([Word("Total"), Word(str(number))], [Field("total", (1,), (0,))]) for number in range(9)]
    >>> def last_word(forms):
    ...     return [{"total": form.words[-1].text} if len(form.words) > 1 else {} for form in forms]
    >>> axes = drop_heat_map(robustness.run(last_word, forms, attacks=["key_drop", "bg_typo"]))
    >>> [text.get_text() for text in axes.texts]
    ['100', '0']
    """
    _check_score(score)
    attacks = singles(report)[:most_attacks]
    table = {field: [report.field_drop(field, row.attack, score) for row in attacks] for field in report.per_entity}
    most = {field: max((drop for drop in drops if drop is not None), default=-1.0) for field, drops in table.items()}
    fields = sorted(table, key=lambda field: (-most[field], field))[:most_fields]
    left_out = f", the largest {len(fields)} of {len(table)} fields" if len(fields) < len(table) else ""
    title = f"drop of {SCORES[score]} by field and attack, in points"
    width = style.WIDTH + 0.26 * max(0, len(fields) - _WITH_NUMBERS)
    x = f"drop of {SCORES[score]} in points{left_out}"
    ax = style.axes_for(ax, 1.3 + 0.19 * max(len(attacks), 2), title, x=x, width=width)
    if not attacks or not fields:
        style.write_instead(ax, "no attacks" if not attacks else "no fields")
        return ax
    cells = [table[field][row] for row in range(len(attacks)) for field in fields]
    names = [_with_forms(style.short_name(row.attack), row, report) for row in attacks]
    style.draw_cells(ax, names, [style.short_name(field) for field in fields], cells, _whole_points)
    return ax


def _whole_points(drop: float) -> str:
    """A drop in whole points, for more there is no room: less than half a point is 0, and only all is 100."""
    return rounded(100 * drop, 0, whole=100) if abs(drop) > 0.005 else "0"


def severity_curves(
    report: RobustnessReport, *, by: str = "strength", score: str = "f1", most: int = 6, ax: Axes | None = None
) -> Axes:
    """The drop of each attack against how strong it was: a line for each attack that was made at several strengths.

    Every line begins where nothing is attacked. Thin lines are paired intervals.

    Args:
        report (RobustnessReport): what `robustness.run(..., strengths=...)` returns.
        by (str): "strength", or a measure of `docie.attacks.severity`, such as "edit_rate".
        score (str): "f1", "precision" or "recall".
        most (int): at most so many attacks are drawn, from 1 to 6: those with the largest drops.
        ax (matplotlib.axes.Axes): where to draw; None for a new figure.

    Returns:
        matplotlib.axes.Axes: the axes; its `figure` can be saved.

    Raises:
        ImportError: without matplotlib.
        ValueError: for another score, another severity, and another number of lines.

    >>> from docie import robustness
    >>> from docie.robustness.form import Field, Page, Word
    >>> forms = [Page([Word("Total"), Word(str(number))], [Field("total", (1,), (0,))]) for number in range(9)]
    >>> def last_word(forms):
    ...     return [{"total": form.words[-1].text} if len(form.words) > 1 else {} for form in forms]
    >>> axes = severity_curves(robustness.run(last_word, forms, attacks=["bg_drop"], strengths=[5, 10]))
    >>> axes.lines[0].get_xdata().tolist(), [text.get_text() for text in axes.texts]
    ([0.0, 1.0, 5.0, 10.0], ['  bg_drop'])
    """
    _check_score(score)
    if by != "strength" and by not in SEVERITIES:
        raise ValueError(f"by must be one of strength, {', '.join(SEVERITIES)}, got {by!r}")
    if not 1 <= most <= len(style.LINES):
        raise ValueError(f"most must be between 1 and {len(style.LINES)}, got {most}")
    found = sweeps(report)
    curves = {name: _points(rows, by, score) for name, rows in [*found.items()][:most]}
    curves = {name: points for name, points in curves.items() if len(points) > 1}
    left_out = f", {len(curves)} of {len(found)} attacks" if len(curves) < len(found) else ""
    title = f"drop of {SCORES[score]} by {by.replace('_', ' ')} of the attack"
    ax = style.axes_for(ax, 2.6, title, x=by.replace("_", " ") + left_out, y=f"drop of {SCORES[score]}")
    if not curves:
        style.write_instead(ax, "no attack was made at several strengths")
        return ax
    for points, line in zip(curves.values(), style.LINES, strict=False):
        x, y, intervals = zip(*points, strict=True)
        ax.plot(x, y, color=line.colour, marker=line.marker, linestyle=line.dashes, markersize=4, linewidth=1.5)
        for place, interval in zip(x, intervals, strict=True):
            if interval is not None:
                ax.plot([place, place], interval, color=line.colour, linewidth=0.8, alpha=0.6)
    ax.axhline(0, color=style.ink(ax), linewidth=0.8)
    style.grid(ax)
    if by == "mean_iou":
        ax.invert_xaxis()  # to the right, an attack does more
    ends = [(points[-1][0], points[-1][1]) for points in curves.values()]
    style.write_beside_lines(ax, [style.short_name(name) for name in curves], ends)
    return ax


def _points(rows: Sequence[UnderAttack], by: str, score: str) -> list[tuple[float, float, list[float] | None]]:
    """Severity, drop and interval, from nothing to the strongest attack."""
    found = []
    for row in rows:
        severity = row.strength if by == "strength" else row.severity.get(by)
        if severity is not None:
            found.append((float(severity), _drop(row, score), _interval(row, score)))
    nothing = 1.0 if by == "mean_iou" else 0.0
    return [(nothing, 0.0, None), *(point for point in found if point[0] != nothing)]
