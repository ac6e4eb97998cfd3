"""Two charts of comparisons: differences of systems with their intervals, and whether metrics agree."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from docie.corpus import gain_of
from docie.show.plots.style import (
    BLUE,
    LONGEST,
    ORANGE,
    Cell,
    axes_for,
    draw_cells,
    grid,
    ink,
    short_name,
    write_instead,
    write_names,
    write_value,
)
from docie.show.tables import rounded

if TYPE_CHECKING:
    from matplotlib.axes import Axes


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
    rows = _rows(results, score, table)
    score = rows[0]["score"] if rows else score or "score"
    names = [_name(row) for row in rows]
    height = 0.32 if any("\n" in name for name in names) else 0.2
    title = f"differences of {score} with their intervals"
    ax = axes_for(ax, 0.75 + height * max(len(rows), 2), title, x=f"{score}: second system less first")
    if not rows:
        write_instead(ax, "no comparisons")
        return ax
    for place, row in enumerate(rows):
        _draw_difference(ax, place, row)
    ax.axvline(0, color=ink(ax), linewidth=0.8)
    is_whole = isinstance(rows[0]["difference"], int)
    write_names(ax, names)
    grid(ax, axis="x")
    ax.locator_params(axis="x", nbins=4)
    bounds = [bound for row in rows for bound in (row["interval"] or [row["difference"]])]
    margin = 0.05 * (max(0.0, *bounds) - min(0.0, *bounds)) or 1.0
    ax.set_xlim(min(0.0, *bounds) - margin, max(0.0, *bounds) + margin)
    for place, row in enumerate(rows):
        number = f"{row['difference']:+d}" if is_whole else rounded(row["difference"], 3, flags="+")
        write_value(ax, place, number + "*" * row["significant"])
    return ax


def _rows(results: Mapping[str, Any], score: str | None, table: str) -> list[Mapping[str, Any]]:
    """The comparisons to draw."""
    if table not in results or table not in ("comparisons", "per_entity"):
        raise ValueError(f"the results have no table {table!r}; 'per_entity' needs compare(..., breakdown=True)")
    rows: Sequence[Mapping[str, Any]] = results[table]
    scores = list(dict.fromkeys(row["score"] for row in rows))
    if score is not None and rows and score not in scores:
        raise ValueError(f"unknown score {score!r}, expected one of: {', '.join(scores)}")
    wanted = score or next(iter(scores), None)
    rows = [row for row in rows if row["score"] == wanted]
    if table == "per_entity":
        rows = [row for row in rows if (row["a"], row["b"]) == (rows[0]["a"], rows[0]["b"])]
    return [*rows]


def _name(row: Mapping[str, Any]) -> str:
    if "entity_type" in row:
        return short_name(row["entity_type"])
    a, b = short_name(row["a"]), short_name(row["b"])
    return f"{a} → {b}" if len(a + b) <= LONGEST else f"{a}\n→ {b}"


def _draw_difference(ax: Axes, place: int, row: Mapping[str, Any]) -> None:
    gain = gain_of(row, row["difference"])
    colour = ink(ax) if not gain else ORANGE if gain < 0 else BLUE
    if row["interval"] is not None:
        ax.plot(row["interval"], [place, place], color=colour, linewidth=1.5, marker="|", markersize=6)
    fill = colour if row["significant"] else "none"
    ax.plot([row["difference"]], [place], color=colour, marker="s", markersize=5, markerfacecolor=fill)


def agreement(results: Mapping[str, Any], *, coefficient: str = "spearman", ax: Axes | None = None) -> Axes:
    """A map of how well metrics agree, with the coefficients as numbers: the darker, the more; orange is below zero.

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
    ax = axes_for(ax, 0.9 + 0.3 * max(len(names), 2), f"{coefficient} coefficients of metrics over documents")
    if not names:
        write_instead(ax, "no figures")
        return ax
    shown = [short_name(name.rpartition(".")[2]) for name in names]
    values = [table[one][other] for one in names for other in names]
    draw_cells(
        ax, shown, shown, [Cell(0, "–") if value is None else Cell(value, rounded(value, 2)) for value in values]
    )
    return ax
