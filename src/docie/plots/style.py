"""What the charts share: axes, colours, and texts that are drawn as they are.

Nothing global is read by accident or changed: no pyplot, no rcParams. A user's own axes keep their colours.
"""

from __future__ import annotations

import unicodedata
import warnings
from typing import TYPE_CHECKING, Any

from docie.tables import printable

if TYPE_CHECKING:
    from matplotlib.axes import Axes

WIDTH = 3.3  # inches: a column of a paper
POINTS = 8  # size of all texts
BLUE, ORANGE, GREEN = "#0072B2", "#E69F00", "#009E73"
"""Colours that colour-blind readers tell apart. Source: Okabe and Ito, Color Universal Design (2008)."""
LONGEST, WIDEST = 24, 110  # characters of a name, and its width in points


def axes_for(ax: Axes | None, height: float, title: str) -> Axes:
    """The axes to draw in: the user's own, else those of a new figure, a column wide. `title` is for screen readers."""
    if ax is None:
        try:
            from matplotlib.figure import Figure
        except ImportError:
            raise ImportError('docie.plots needs matplotlib: pip install "docie[plots]"') from None
        ax = Figure(figsize=(WIDTH, height), layout="constrained").add_subplot()
    ax.set_label(title)
    ax.spines[["top", "right"]].set_visible(False)
    ax.tick_params(labelsize=POINTS)
    ax.set_axisbelow(True)
    return ax


def ink(ax: Axes) -> Any:
    """The colour of the axes' texts: lines in it are seen on any background that the texts are seen on."""
    return ax.xaxis.label.get_color()


def grid(ax: Axes, **which: Any) -> None:
    """Faint lines behind a chart."""
    ax.grid(color=ink(ax), alpha=0.2, linewidth=0.5, **which)


def write_axis_title(ax: Axes, axis: str, text: str) -> None:
    """Write beside an axis, "x" or "y"."""
    label = ax.set_xlabel(text) if axis == "x" else ax.set_ylabel(text)
    write_plainly(label)


def write_names(ax: Axes, names: list[str]) -> None:
    """Write names beside rows 0, 1, ... from the top."""
    ax.set_yticks(range(len(names)), names)
    ax.tick_params(axis="y", length=0)
    for label in ax.get_yticklabels():
        write_plainly(label)
    ax.set_ylim(max(len(names), 1) - 0.4, -0.6)


def write_value(ax: Axes, row: int, text: str, *, end: float | None = None) -> None:
    """Write a value behind the bar of a row that ends there; without an end, behind all bars."""
    place = {"xycoords": ax.get_yaxis_transform()} if end is None else {}
    point = (1.0 if end is None else end, row)
    write_plainly(ax.annotate(text, point, xytext=(4, 0), textcoords="offset points", va="center", **place))


def write_plainly(text: Any) -> None:
    """Have a text drawn as it is: `$x$` is no formula."""
    text.set(parse_math=False, usetex=False, fontsize=POINTS)


def write_instead(ax: Axes, text: str) -> None:
    """Say why there is nothing to see."""
    ax.set_axis_off()
    write_plainly(ax.text(0.5, 0.5, text, ha="center", va="center", transform=ax.transAxes))


def short_name(name: str) -> str:
    """A name that fits beside a chart: its beginning and its end.

    >>> short_name("total"), short_name("budgetPaymentsByChapter.actualPriorYear")
    ('total', 'budgetPayme…alPriorYear')
    """
    name = printable(name)
    for limit in range(LONGEST, 2, -1):
        start, end = limit // 2, limit - limit // 2 - 1
        text = name if len(name) <= limit else f"{name[:start]}…{name[-end:]}"
        if _width(text) <= WIDEST:
            break
    # else a number behind a name in Hebrew or Arabic would stand before it
    is_right_to_left = any(unicodedata.bidirectional(character) in ("R", "AL") for character in text)
    return f"{text}\N{LEFT-TO-RIGHT MARK}" if is_right_to_left else text


def _width(text: str) -> float:
    """The width of a text in points."""
    from matplotlib.font_manager import FontProperties
    from matplotlib.textpath import text_to_path

    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", message="Glyph")  # a sign stands for a letter that the font lacks
        width, *_ = text_to_path.get_text_width_height_descent(text, FontProperties(size=POINTS), ismath=False)
    return float(width)
