"""What the charts share: axes, colours, and texts that are drawn as they are.

Nothing global is read by accident or changed: no pyplot, no rcParams. A user's own axes keep their colours.
"""

from __future__ import annotations

import unicodedata
import warnings
from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, Literal, NamedTuple, cast
from weakref import WeakKeyDictionary

from docie.core.phrases import printable

if TYPE_CHECKING:
    from matplotlib.artist import Artist
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure, SubFigure
    from matplotlib.font_manager import FontProperties
    from matplotlib.text import Text
    from matplotlib.typing import ColorType

WIDTH = 3.3  # inches: a column of a paper
POINTS = 8  # size of all texts
BLUE, ORANGE, GREEN = "#0072B2", "#E69F00", "#009E73"
VERMILION, PURPLE, SKY = "#D55E00", "#CC79A7", "#56B4E9"
"""The series of look.css; colour-blind readers tell them apart (Okabe and Ito, Color Universal Design, 2008)."""
DPI = 100  # of a new figure
LONGEST, WIDEST = 24, 110  # characters of a name, and its width in points
LEFT = 9.8
"""What names beside a chart leave to it and its values: its width, as a multiple of the size of letters."""


class Look(NamedTuple):
    """The size of texts in points, and their font; empty for that of matplotlib."""

    points: float = POINTS
    font: str = ""


_LOOKS: WeakKeyDictionary[Figure | SubFigure, Look] = WeakKeyDictionary()
"""The looks of figures that were made here: a chart may choose their height."""


class Line(NamedTuple):
    """How a line is drawn. Lines can be told apart without colours."""

    colour: str
    marker: str
    dashes: str


COLOURS = (BLUE, ORANGE, GREEN, VERMILION, PURPLE, SKY)
LINES = tuple(map(Line, COLOURS, "os^DvP", ("-", "--", "-.", ":", "-", "--")))
"""The lines of a chart, of the same colours."""


def check_packages() -> None:
    """Find out whether charts can be drawn; the error without matplotlib says how to get it."""
    try:
        import matplotlib.figure  # noqa: F401
    except ImportError:
        raise ImportError('docie.plots needs matplotlib: pip install "docie[plots]"') from None


def paper(*, width: float = 3.25, points: float = POINTS, font: str = "", dpi: float = 300) -> Axes:
    """Axes of a new figure for a paper, for the option `ax` of one chart, which chooses the height.

    Args:
        width (float): the width in inches: 3.25 is a column of many papers, 6.75 both.
        points (float): the size of all texts.
        font (str): a family, such as "serif" or "Times New Roman"; empty for that of matplotlib.
        dpi (float): the points per inch of PNG files.

    Returns:
        matplotlib.axes.Axes: the axes; its `figure` can be saved.

    Raises:
        ImportError: without matplotlib.

    >>> from docie.show.plots import error_kinds
    >>> axes = error_kinds({"format": {"substitution": 3}}, ax=paper(width=6.75, font="serif"))
    >>> float(axes.figure.get_figwidth()), axes.figure.dpi, axes.texts[0].get_fontfamily()
    (6.75, 300, ['serif'])
    """
    check_packages()
    from matplotlib.figure import Figure

    figure = Figure(figsize=(width, width), dpi=dpi, layout="constrained")
    _LOOKS[figure] = Look(points, font)
    return figure.add_subplot()


def look_of(part: Artist) -> Look:
    """The look of the texts in a figure, from a part of it."""
    return Look() if part.figure is None else _LOOKS.get(part.figure, Look())


def _font(look: Look) -> FontProperties:
    from matplotlib import font_manager

    return font_manager.FontProperties(family=look.font or None, size=look.points)


def axes_for(ax: Axes | None, height: float, title: str, *, x: str = "", y: str = "", width: float = WIDTH) -> Axes:
    """The axes to draw in: the user's own, else those of a new figure, a column wide.

    `title` is for screen readers; `x` and `y` are written beside the axes, in lines that the figure has room for. The
    height of a figure of `paper` goes with the size of letters.
    """
    ax = paper(width=width, dpi=DPI) if ax is None else ax
    look = look_of(ax)
    if ax.figure in _LOOKS:
        cast("Figure", ax.figure).set_figheight(height * look.points / POINTS)
    ax.set_label(title)
    ax.spines[["top", "right"]].set_visible(False)
    ax.tick_params(labelsize=look.points, **({"labelfontfamily": look.font} if look.font else {}))
    ax.set_axisbelow(True)
    for write, text in ((ax.set_xlabel, x), (ax.set_ylabel, y)):
        if text:
            write_plainly(write(text, wrap=True))  # constrained layout does not look at how long a label is
    return ax


def axes_of_rows(
    ax: Axes | None, rows: int, title: str, *, x: str, none: str, height: float, least: int, beside: float = 0.55
) -> Axes:
    """Axes for rows, `height` inches each and at least so many, `beside` for the rest; without rows they say so."""
    ax = axes_for(ax, beside + height * max(rows, least), title, x=x)
    ax.xaxis.label.set(x=1, ha="right")  # names take the left: there is room for long words
    if rows:
        grid(ax, axis="x")
    else:
        write_instead(ax, none)
    return ax


def ink(ax: Axes) -> ColorType:
    """The colour of the axes' texts: lines in it are seen on any background that the texts are seen on."""
    return ax.xaxis.label.get_color()


def grid(ax: Axes, *, axis: Literal["both", "x", "y"] = "both") -> None:
    """Faint lines behind a chart."""
    ax.grid(color=ink(ax), alpha=0.2, linewidth=0.5, axis=axis)


def write_legend_above(ax: Axes, columns: int = 1, *, gap: float = 0) -> None:
    """Write what lines or colours stand for over the chart, from the left, so many points above it."""
    from matplotlib.transforms import offset_copy

    top = offset_copy(ax.transAxes, ax.figure, y=gap / 72)
    ax.legend(
        loc="lower left", bbox_to_anchor=(0, 1), bbox_transform=top, ncols=columns, frameon=False,
        prop=_font(look_of(ax)), borderaxespad=0.2, borderpad=0.2, columnspacing=1, handlelength=1.5,
        handletextpad=0.4,
    )  # fmt: skip


def draw_interval(ax: Axes, row: int, interval: Sequence[float] | None) -> None:
    """Draw an interval over the bar of a row; nothing without one."""
    if interval is not None:
        ax.plot(interval, [row, row], color=ink(ax), linewidth=1, marker="|", markersize=5)


def draw_cells(
    ax: Axes, rows: list[str], columns: list[str], values: Iterable[float | None], shown: Callable[[float], str]
) -> None:
    """Draw a map, row by row: a square for each value between -1 and 1, the darker the larger, and its text in it."""
    from matplotlib.patches import Rectangle

    places = [(row, column) for row in range(len(rows)) for column in range(len(columns))]
    for (row, column), value in zip(places, values, strict=True):
        colour, shade = (ORANGE if (value or 0) < 0 else BLUE), 0.6 * min(abs(value or 0), 1)
        ax.add_patch(Rectangle((column - 0.5, row - 0.5), 1, 1, facecolor=colour, alpha=shade, linewidth=0))
        write_plainly(ax.text(column, row, "–" if value is None else shown(value), ha="center", va="center"))
    write_names(ax, rows)
    names = [_fitting(name, ax) for name in columns]
    ax.set_xticks(range(len(columns)), names, rotation=45, ha="right", rotation_mode="anchor")
    for label in ax.get_xticklabels():
        write_plainly(label)
    ax.tick_params(axis="x", length=0)
    ax.set(xlim=(-0.5, len(columns) - 0.5), ylim=(len(rows) - 0.5, -0.5))
    ax.spines[["left", "bottom"]].set_visible(False)


def write_names(ax: Axes, names: list[str]) -> None:
    """Write names beside rows 0, 1, ... from the top. Each line of a name is a text: browsers align no others."""
    lines = [[_fitting(line, ax) for line in name.split("\n")] for name in names]
    ax.set_yticks(range(len(names)), [each[0] if len(each) == 1 else "" for each in lines])
    ax.tick_params(axis="y", length=0)
    for label in ax.get_yticklabels():
        write_plainly(label)
    beside = ax.get_yaxis_transform()
    for row, each in enumerate(lines):
        for number, line in enumerate(each if len(each) > 1 else ()):
            place = (-5, 1.3 * look_of(ax).points * ((len(each) - 1) / 2 - number))
            text = ax.annotate(line, (0, row), xytext=place, xycoords=beside, textcoords="offset points", ha="right")
            text.set_verticalalignment("center")
            write_plainly(text)
    ax.set_ylim(max(len(names), 1) - 0.4, -0.6)


def write_value(ax: Axes, row: int, text: str, *, end: float | None = None) -> None:
    """Write a value behind the bar of a row that ends there; without an end, behind all bars."""
    place = {"xycoords": ax.get_yaxis_transform()} if end is None else {}
    point = (1.0 if end is None else end, row)
    write_plainly(ax.annotate(text, point, xytext=(4, 0), textcoords="offset points", va="center", **place))


def write_plainly(text: Text) -> None:
    """Have a text drawn as it is, in the look of its figure: `$x$` is no formula."""
    text.set(parse_math=False, usetex=False, fontproperties=_font(look_of(text)))


def write_beside_lines(ax: Axes, names: list[str], ends: Sequence[tuple[float, float]]) -> None:
    """Write the names of `LINES` to the right of the chart, as near to their ends as texts may stand to each other."""
    from matplotlib.lines import Line2D

    limits = ax.get_xlim(), ax.get_ylim()
    low, high = limits[1]
    gap = 0.075 * (high - low)
    labels = sorted(zip(names, ends, LINES, strict=False), key=lambda label: -label[1][1])
    heights = [end[1] for _, end, _ in labels]
    for place in range(1, len(labels)):
        heights[place] = min(heights[place], heights[place - 1] - gap)
    leader = {"arrowstyle": "-", "color": ink(ax), "linewidth": 0.5, "alpha": 0.5, "relpos": (0, 0.5)}
    beside = ax.get_yaxis_transform()
    for below, ((name, end, line), height) in enumerate(zip(reversed(labels), reversed(heights), strict=True)):
        lifted = max(height, low + below * gap)  # what would stand below the chart moves up, and all above it
        mark = {"color": line.colour, "marker": line.marker, "markersize": 4, "clip_on": False, "transform": beside}
        ax.add_line(Line2D([1.06], [lifted], **mark))
        shown = f"  {_fitting(name, ax)}"
        text = ax.annotate(shown, end, xytext=(1.06, lifted), textcoords=beside, va="center", arrowprops=leader)
        write_plainly(text)
    ax.set(xlim=limits[0], ylim=limits[1])


def write_instead(ax: Axes, text: str) -> None:
    """Say why there is nothing to see."""
    ax.set_axis_off()
    write_plainly(ax.text(0.5, 0.5, text, ha="center", va="center", transform=ax.transAxes))


def short_name(name: str) -> str:
    """A name that fits beside a chart: its beginning and its end.

    >>> short_name("total"), short_name("budgetPaymentsByChapter.actualPriorYear")
    ('total', 'budgetPayme…alPriorYear')
    """
    text = _cut(printable(name), LONGEST, WIDEST, Look())
    # else a number behind a name in Hebrew or Arabic would stand before it
    is_right_to_left = any(unicodedata.bidirectional(character) in ("R", "AL") for character in text)
    return f"{text}\N{LEFT-TO-RIGHT MARK}" if is_right_to_left else text


def _fitting(text: str, ax: Axes) -> str:
    """A name as it is or, in a narrow figure, cut so that there is room for the chart."""
    spec = ax.get_subplotspec()
    columns = 1 if spec is None else spec.get_gridspec().ncols / len(spec.colspan)
    room, look = cast("Figure", ax.figure).get_figwidth() * 72 / columns, look_of(ax)
    return _cut(text, len(text), max(room - LEFT * look.points, room / 4), look)


def _cut(text: str, longest: int, widest: float, look: Look) -> str:
    """The beginning and the end of a text, as long as there is room."""
    for limit in range(longest, 2, -1):
        start, end = limit // 2, limit - limit // 2 - 1
        shown = text if len(text) <= limit else f"{text[:start]}…{text[-end:]}"
        if _width(shown, look) <= widest:
            return shown
    return text[:2]


def _width(text: str, look: Look) -> float:
    """The width of a text in points."""
    from matplotlib.textpath import text_to_path

    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", message="Glyph")  # a sign stands for a letter that the font lacks
        width, *_ = text_to_path.get_text_width_height_descent(text, _font(look), ismath=False)
    return float(width)
