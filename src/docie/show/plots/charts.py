"""Charts of results: scores by entity type, kinds of errors, differences of systems, and whether metrics agree."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from functools import partial
from typing import TYPE_CHECKING, Any

from docie.comparison.comparing import gain_of
from docie.comparison.results import Compared, Comparison, compared
from docie.core.family import Family, family_of
from docie.core.results import read_results
from docie.core.scores import headline_of, is_better_low, main_of, rounded, score_of
from docie.metrics.kieval.corrections import KINDS, ErrorRow
from docie.show.error_kinds import KIND_NAMES
from docie.show.plots import style
from docie.show.tables import cost

if TYPE_CHECKING:
    from matplotlib.axes import Axes

OPERATIONS = {
    "substitution": (style.ORANGE, ""),
    "addition": (style.BLUE, "////"),
    "deletion": (style.PURPLE, "xxxx"),
    "relocation": (style.SKY, "...."),
}
"""Each operation with its colour, as on pages, and its hatch: they can be told apart without colours."""


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
    rows, family = read_results(results).tables["per_entity"], family_of(results)
    table = {name: row.figures for name, row in rows.items()}
    score = _score(family, table, score)
    costliest = sorted(table, key=lambda name: -cost(family, table[name]))[:limit]
    sign = -1 if is_better_low(family, score) else 1
    names = sorted(costliest, key=lambda name: sign * table[name][score])
    left_out = f" of the {len(names)} costliest types of {len(table)}" if len(names) < len(table) else ""
    title = f"{score} by entity type, the worst one first"
    ax = style.axes_of_rows(ax, len(names), title, x=score + left_out, none="no entity types", height=0.17, least=4)
    if not names:
        return ax
    values = [table[name][score] for name in names]
    ax.barh(range(len(names)), values, height=0.7, color=style.BLUE)
    for row, name in enumerate(names):
        style.draw_interval(ax, row, rows[name].intervals.get(score))
        style.write_value(ax, row, rounded(table[name][score], 2))
    style.write_names(ax, [f"{style.short_name(name)} ({table[name]['support']:,})" for name in names])
    ax.set_xlim(0, max(1.0, *values))
    return ax


def _score(family: Family, table: Mapping[str, Mapping[str, float]], score: str | None) -> str:
    """The score to draw."""
    row = next(iter(table.values()), {})
    scores = [name for name in row if score_of(family, name).kind != "count"]
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
    ['different format', 'incorrect value', 'spurious']
    """
    if isinstance(errors, Mapping):
        numbers = Counter({(kind, name): number for kind, row in errors.items() for name, number in row.items()})
    else:
        numbers = Counter((row.kind, row.operation) for row in errors)
    totals = {kind: sum(numbers[kind, operation] for operation in OPERATIONS) for kind in KINDS}
    kinds = sorted((kind for kind in KINDS if totals[kind]), key=lambda kind: -totals[kind])
    title = "errors by kind and operation, the most frequent kind first"
    ax = style.axes_of_rows(ax, len(kinds), title, x="corrections", none="no errors", height=0.2, least=3, beside=0.85)
    if not kinds:
        return ax
    starts = [0] * len(kinds)
    for operation, (colour, hatch) in OPERATIONS.items():
        widths = [numbers[kind, operation] for kind in kinds]
        if any(widths):
            look = {"color": colour, "hatch": hatch, "edgecolor": "white", "linewidth": 0, "label": operation}
            ax.barh(range(len(kinds)), widths, left=starts, height=0.7, **look)
        starts = [start + width for start, width in zip(starts, widths, strict=True)]
    for row, kind in enumerate(kinds):
        style.write_value(ax, row, f"{totals[kind]:,}", end=totals[kind])
    style.write_names(ax, [KIND_NAMES[kind] for kind in kinds])
    ax.set_xlim(0, 1.12 * max(totals.values()))
    ax.xaxis.get_major_locator().set_params(integer=True, nbins=5)
    is_narrow = ax.get_figure(root=True).get_figwidth() < 3  # names of kinds take half of it
    style.write_legend_above(ax, columns=1 if is_narrow else 3)
    return ax


def forest(
    results: Mapping[str, Any], *, score: str | None = None, table: str = "comparisons", ax: Axes | None = None
) -> Axes:
    """Differences with their intervals, a row for each comparison: a forest plot.

    A filled mark stands for a difference that the corrected test finds, and its number has a star. Blue says that the
    second system is better, orange that it is worse; a line marks no difference.

    Args:
        results (dict): what `corpus.compare` returns.
        score (str): the score; None for the first one that was compared.
        table (str): "comparisons", or "per_entity" for the differences by entity type of the first two systems.
        ax (matplotlib.axes.Axes): where to draw; None for a new figure.

    Returns:
        matplotlib.axes.Axes: the axes; its `figure` can be saved.

    Raises:
        ImportError: without matplotlib.
        ValueError: if the results have no such table, or no such score.

    >>> from docie import corpus, kieval
    >>> references = [{"total": str(number)} for number in range(8)]
    >>> results = corpus.compare(kieval, {"careful": references, "hasty": [{}] * 8}, references)
    >>> [text.get_text() for text in forest(results).texts]
    ['-1.000*']
    """
    rows = _compared(compared(results), score, table)
    score = rows[0]["score"] if rows else score or "score"
    names = [_name(row) for row in rows]
    height = 0.32 if any("\n" in name for name in names) else 0.2
    title = f"differences of {score} with their intervals"
    x = f"{score}: second system minus first"
    ax = style.axes_of_rows(ax, len(rows), title, x=x, none="no comparisons", height=height, least=2, beside=0.75)
    if not rows:
        return ax
    for place, row in enumerate(rows):
        _draw_difference(ax, place, row)
    ax.axvline(0, color=style.ink(ax), linewidth=0.8)
    is_whole = isinstance(rows[0]["difference"], int)
    style.write_names(ax, names)
    ax.locator_params(axis="x", nbins=4)
    bounds = [bound for row in rows for bound in (row["interval"] or [row["difference"]])]
    margin = 0.05 * (max(0.0, *bounds) - min(0.0, *bounds)) or 1.0
    ax.set_xlim(min(0.0, *bounds) - margin, max(0.0, *bounds) + margin)
    for place, row in enumerate(rows):
        number = f"{row['difference']:+d}" if is_whole else rounded(row["difference"], 3, flags="+")
        style.write_value(ax, place, number + "*" * row["significant"])
    return ax


def _compared(results: Compared, score: str | None, table: str) -> list[Comparison]:
    """The comparisons to draw."""
    if table not in results or table not in ("comparisons", "per_entity"):
        raise ValueError(f"the results have no table {table!r}; 'per_entity' needs compare(..., breakdown=True)")
    rows = results["comparisons"] if table == "comparisons" else results["per_entity"]
    scores = list(dict.fromkeys(row["score"] for row in rows))
    if score is not None and rows and score not in scores:
        raise ValueError(f"unknown score {score!r}, expected one of: {', '.join(scores)}")
    wanted = score or next(iter(scores), None)
    rows = [row for row in rows if row["score"] == wanted]
    if table == "per_entity":
        rows = [row for row in rows if (row["a"], row["b"]) == (rows[0]["a"], rows[0]["b"])]
    return rows


def _name(row: Comparison) -> str:
    if "entity_type" in row:
        return style.short_name(row["entity_type"])
    a, b = style.short_name(row["a"]), style.short_name(row["b"])
    return f"{a} → {b}" if len(a + b) <= style.LONGEST else f"{a}\n→ {b}"


def _draw_difference(ax: Axes, place: int, row: Comparison) -> None:
    gain = gain_of(row, row["difference"])
    colour = style.ink(ax) if not gain else style.ORANGE if gain < 0 else style.BLUE
    if row["interval"] is not None:
        ax.plot(row["interval"], [place, place], color=colour, linewidth=1.5, marker="|", markersize=6)
    fill = colour if row["significant"] else "none"
    ax.plot([row["difference"]], [place], color=colour, marker="s", markersize=5, markerfacecolor=fill)


def agreement(results: Mapping[str, Any], *, coefficient: str = "spearman", ax: Axes | None = None) -> Axes:
    """A heat map of the agreement of metrics, with the coefficients as numbers: darker is higher, orange is below zero.

    Args:
        results (dict): what `corpus.agreement` returns.
        coefficient (str): "spearman" or "pearson".
        ax (matplotlib.axes.Axes): where to draw; None for a new figure.

    Returns:
        matplotlib.axes.Axes: the axes; its `figure` can be saved.

    Raises:
        ImportError: without matplotlib.
        ValueError: for another coefficient.

    >>> from docie import corpus, hed, kieval
    >>> results = corpus.agreement([kieval, hed], [{"a": "1"}, {}], [{"a": "1"}] * 2)
    >>> [text.get_text() for text in agreement(results).texts]
    ['1.00', '1.00', '1.00', '1.00']
    """
    if coefficient not in ("spearman", "pearson"):
        raise ValueError(f"coefficient must be 'spearman' or 'pearson', got {coefficient!r}")
    table: Mapping[str, Mapping[str, float | None]] = results[coefficient]
    names = [*table]
    ax = style.axes_for(ax, 0.9 + 0.3 * max(len(names), 2), f"{coefficient} coefficients of metrics over documents")
    if not names:
        style.write_instead(ax, "no scores")
        return ax
    shown = [style.short_name(name.rpartition(".")[2]) for name in names]
    values = [table[one][other] for one in names for other in names]
    style.draw_cells(ax, shown, shown, values, partial(rounded, digits=2))
    return ax
