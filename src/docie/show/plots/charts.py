"""Charts of bars: scores by entity type, and kinds of errors."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

from docie.core.family import Family, family_of
from docie.core.scores import headline_of, is_better_low, main_of
from docie.metrics.kieval import KINDS, ErrorRow
from docie.show.plots.style import (
    BLUE,
    GREEN,
    ORANGE,
    axes_for,
    draw_interval,
    grid,
    short_name,
    write_instead,
    write_legend_above,
    write_names,
    write_value,
)
from docie.show.tables import cost, rounded

if TYPE_CHECKING:
    from matplotlib.axes import Axes

OPERATIONS = {"substitution": (BLUE, ""), "addition": (ORANGE, "////"), "deletion": (GREEN, "xxxx")}
"""Each operation with its colour and its hatch: they can be told apart without colours."""


def per_field(results: Mapping[str, Any], *, score: str | None = None, limit: int = 30, ax: Axes | None = None) -> Axes:
    """Bars of a score by entity type, the worst one first, with its support and, if there is one, its interval.

    Args:
        results (dict): what `corpus.evaluate(..., breakdown=True)` or `compute(..., breakdown=True)` returns. With
            `confidence_level` too, bars have intervals, but for types that very few documents have.
        score (str): a score of the table `per_entity`; None for the headline of the family's
            `SCORES`.
        limit (int): at most so many entity types are drawn: those that cost most corrections.
        ax (matplotlib.axes.Axes): where to draw; None for a new figure.

    Returns:
        matplotlib.axes.Axes: the axes; its `figure` can be saved.

    Raises:
        ImportError: without matplotlib.
        ValueError: if the results have no such table, or the table no such score, and if their signature names no
            family.

    >>> from docie import corpus, kieval
    >>> results = corpus.evaluate(kieval, [{"date": "1", "tax": "2"}], [{"date": "1", "tax": "3"}], breakdown=True)
    >>> [text.get_text() for text in per_field(results).get_yticklabels()]
    ['tax (1)', 'date (1)']
    """
    if "per_entity" not in results:
        raise ValueError("the results have no table 'per_entity': evaluate with breakdown=True")
    table, family = results["per_entity"], family_of(results)
    score = _score(family, table, score)
    costliest = sorted(table, key=lambda name: -cost(family, table[name]))[:limit]
    sign = -1 if is_better_low(family, score) else 1
    names = sorted(costliest, key=lambda name: sign * table[name][score])
    left_out = f" of the {len(names)} costliest types of {len(table)}" if len(names) < len(table) else ""
    title = f"{score} by entity type, the worst one first"
    ax = axes_for(ax, 0.55 + 0.17 * max(len(names), 4), title, x=score + left_out)
    if not names:
        write_instead(ax, "no entity types")
        return ax
    values = [table[name][score] for name in names]
    ax.barh(range(len(names)), values, height=0.7, color=BLUE)
    for row, name in enumerate(names):
        draw_interval(ax, row, table[name].get(f"{score}_interval"))
        write_value(ax, row, rounded(table[name][score], 2))
    write_names(ax, [f"{short_name(name)} ({table[name]['support']:,})" for name in names])
    grid(ax, axis="x")
    ax.set_xlim(0, max(1.0, *values))
    return ax


def _score(family: Family, table: Mapping[str, Mapping[str, Any]], score: str | None) -> str:
    """The score to draw."""
    row: Mapping[str, Any] = next(iter(table.values()), {})
    scores = [name for name, value in row.items() if isinstance(value, float)]
    if score is None:
        return main_of(family, scores or [headline_of(family)])
    if row and score not in scores:
        raise ValueError(f"unknown score {score!r}, expected one of: {', '.join(scores)}")
    return score


def error_kinds(errors: Iterable[ErrorRow] | Mapping[str, Mapping[str, int]], *, ax: Axes | None = None) -> Axes:
    """Bars of the numbers of errors by kind, the most frequent one first, each split by operation.

    Args:
        errors (iterable of ErrorRow, or dict): what `corpus.errors` gives, read once and not kept; or the numbers, from
            kind to operation to number, such as `kieval.errors_by_kind` returns.
        ax (matplotlib.axes.Axes): where to draw; None for a new figure.

    Returns:
        matplotlib.axes.Axes: the axes; its `figure` can be saved.

    Raises:
        ImportError: without matplotlib.

    >>> from docie import corpus
    >>> axes = error_kinds(corpus.errors([{"a": "1,00", "b": "7", "c": "8"}], [{"a": "1.00", "b": "9"}]))
    >>> [text.get_text() for text in axes.get_yticklabels()]
    ['form', 'value', 'invented']
    """
    numbers = _numbers(errors)
    totals = {kind: sum(numbers[kind, operation] for operation in OPERATIONS) for kind in KINDS}
    kinds = sorted((kind for kind in KINDS if totals[kind]), key=lambda kind: -totals[kind])
    title = "errors by kind and operation, the most frequent kind first"
    ax = axes_for(ax, 0.85 + 0.2 * max(len(kinds), 3), title, x="corrections")
    if not kinds:
        write_instead(ax, "no errors")
        return ax
    starts = [0] * len(kinds)
    for operation, (colour, hatch) in OPERATIONS.items():
        widths = [numbers[kind, operation] for kind in kinds]
        if any(widths):
            style = {"color": colour, "hatch": hatch, "edgecolor": "white", "linewidth": 0, "label": operation}
            ax.barh(range(len(kinds)), widths, left=starts, height=0.7, **style)
        starts = [start + width for start, width in zip(starts, widths, strict=True)]
    for row, kind in enumerate(kinds):
        write_value(ax, row, f"{totals[kind]:,}", end=totals[kind])
    write_names(ax, [*kinds])
    grid(ax, axis="x")
    ax.set_xlim(0, 1.12 * max(totals.values()))
    ax.xaxis.get_major_locator().set_params(integer=True, nbins=5)
    write_legend_above(ax, columns=3)
    return ax


def _numbers(errors: Iterable[ErrorRow] | Mapping[str, Mapping[str, int]]) -> Counter[tuple[str, str]]:
    """The numbers of errors, by kind and operation."""
    if not isinstance(errors, Mapping):
        return Counter((row.kind, row.operation) for row in errors)
    numbers: Counter[tuple[str, str]] = Counter()
    for kind, row in errors.items():
        for operation, number in row.items():
            numbers[kind, operation] += number
    return numbers
