"""A form as a picture: what its words are, what an attack did to them, and a chart of them for papers and slides.

`docie.report.form_picture` draws the same for HTML pages.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, NamedTuple

from docie.robustness.form import Form
from docie.robustness.form.words import Box
from docie.show.plots.style import BLUE, GREEN, PURPLE, VERMILION, WIDTH, axes_for, ink, write_instead, write_plainly
from docie.show.section import cut, printable

if TYPE_CHECKING:
    from matplotlib.axes import Axes

CHANGES = ("replaced", "dropped", "moved", "at another place in the order")
"""How an attack may have changed a word."""
LONGEST = 60
"""Characters of a word that are drawn at most."""
LINES = {"value": (BLUE, 0.9, "-"), "key": (VERMILION, 0.7, "--"), "background": (None, 0.25, "-")}
"""The lines around words: colour, width and dashes. None is the colour of texts."""
TALLEST = 4.0
"""The height of a figure, as a multiple of its width, at most."""


class Mark(NamedTuple):
    """A word, and how it changed.

    Attributes:
        kind: "value", "key" or "background".
        fields: the types of the fields that it belongs to.
        text: its text; of a dropped word the one it had.
        box: its box; of a dropped word the one it had.
        is_dropped: whether it is gone.
        old_text: its text before, if it is another one.
        old_box: its box before, if it is another one.
        place: its place in the order of the words that are left, from 1, if it is another one; otherwise 0.
        old_place: the one before.
    """

    kind: str
    fields: tuple[str, ...]
    text: str
    box: Box | None
    is_dropped: bool = False
    old_text: str | None = None
    old_box: Box | None = None
    place: int = 0
    old_place: int = 0

    @property
    def changes(self) -> list[str]:
        """How it changed, from `CHANGES`; nothing for an unchanged word."""
        happened = (self.old_text is not None, self.is_dropped, self.old_box is not None, bool(self.place))
        return [name for name, has in zip(CHANGES, happened, strict=True) if has]

    @property
    def shown_text(self) -> str:
        """Its text, as long as it can be drawn."""
        return cut(self.text, LONGEST)

    @property
    def shown_old_text(self) -> str:
        """The text before, as long as it can be drawn; empty if it is the same."""
        return cut(self.old_text or "", LONGEST)

    @property
    def note(self) -> str:
        """What it is and how it changed, in words."""
        parts = [f"{self.kind}{' of ' if self.fields else ''}{', '.join(self.fields)}: {self.text}"]
        parts += ["dropped"] if self.is_dropped else []
        parts += [f"was {self.old_text}"] if self.old_text is not None else []
        parts += ["moved"] if self.old_box is not None else []
        parts += [f"place {self.place} in the order, was {self.old_place}"] if self.place else []
        return "; ".join(parts)


def marks_of(form: Form, before: Form | None = None) -> list[Mark]:
    """What there is to draw of a form: its words in order. A dropped word follows the one that it stood behind.

    Args:
        form (Form): the form.
        before (Form): the form before an attack; None if there is nothing to compare with.

    Returns:
        list of Mark: the words.

    Raises:
        ValueError: if the form has words that the form before does not have.

    >>> from docie.robustness.form import Word
    >>> form = Form([Word("Total"), Word("4.50")])
    >>> [mark.note for mark in marks_of(form.with_texts({0: "Totla"}).arranged([0]), form)]
    ['background: Totla; was Total', 'background: 4.50; dropped']
    """
    kinds, fields = _kinds(form), _fields(form)
    plain = [
        Mark(kind, types, word.text, word.box) for kind, types, word in zip(kinds, fields, form.words, strict=True)
    ]
    return plain if before is None else _compared(plain, form, before)


def most_telling(marks: Sequence[Mark], most: int) -> list[Mark]:
    """At most so many words, in their order: changed ones go first, then those of fields.

    Args:
        marks (list of Mark): the words.
        most (int): the number.

    Returns:
        list of Mark: as many or fewer.

    >>> from docie.robustness.form import Field, Word
    >>> form = Form([Word("Total"), Word("4.50"), Word("Thanks")], [Field("total", (1,))])
    >>> [mark.text for mark in most_telling(marks_of(form), 1)]
    ['4.50']
    """
    order = sorted(range(len(marks)), key=lambda number: (not marks[number].changes, not marks[number].fields))
    return [marks[number] for number in sorted(order[:most])]


def _compared(plain: Sequence[Mark], form: Form, before: Form) -> list[Mark]:
    """The words beside those of the form before."""
    positions = {word.id: position for position, word in enumerate(before.words)}
    kept = {word.id for word in form.words}
    if not kept <= positions.keys():
        raise ValueError("the form has words that the form before does not have")
    places = {word.id: place for place, word in enumerate((each for each in before.words if each.id in kept), 1)}
    dropped = _dropped(before, kept)
    result = [*dropped[None]]
    for place, (mark, word) in enumerate(zip(plain, form.words, strict=True), 1):
        old = before.words[positions[word.id]]
        result.append(
            mark._replace(
                old_text=old.text if old.text != word.text else None,
                old_box=old.box if old.box != word.box else None,
                place=place if places[word.id] != place else 0,
                old_place=places[word.id] if places[word.id] != place else 0,
            )
        )
        result += dropped[word.id]
    return result


def _dropped(before: Form, kept: Iterable[int | None]) -> defaultdict[int | None, list[Mark]]:
    """The words that are gone, by the word that is left and stood before them; None for the beginning."""
    left, last = {*kept}, None
    result: defaultdict[int | None, list[Mark]] = defaultdict(list)
    for word, kind, types in zip(before.words, _kinds(before), _fields(before), strict=True):
        if word.id in left:
            last = word.id
        else:
            result[last].append(Mark(kind, types, word.text, word.box, is_dropped=True))
    return result


def _kinds(form: Form) -> list[str]:
    return [
        "value" if position in form.values else "key" if position in form.keys else "background"
        for position in range(len(form.words))
    ]


def _fields(form: Form) -> list[tuple[str, ...]]:
    """The types of the fields that each word belongs to."""
    types: list[dict[str, None]] = [{} for _ in form.words]
    for field in form.fields:
        for position in (*field.values, *field.keys):
            types[position][field.type] = None
    return [tuple(each) for each in types]


def form_page(form: Form, *, before: Form | None = None, most_words: int = 600, ax: Axes | None = None) -> Axes:
    """The page of a form with the box and the text of every word.

    Values have thick lines, keys dashed ones, other words thin ones. Beside the form before an attack, dropped words
    are struck out where they were, replaced ones have their old text above, moved ones their old box in dots, and words
    at another place in the order the number of that place.

    Args:
        form (Form): the form.
        before (Form): the form before an attack; None if there is nothing to compare with.
        most_words (int): at most so many words are drawn, changed ones first.
        ax (matplotlib.axes.Axes): where to draw; None for a new figure.

    Returns:
        matplotlib.axes.Axes: the axes; its `figure` can be saved.

    Raises:
        ImportError: without matplotlib.
        ValueError: if the form has words that the form before does not have.

    >>> from docie.robustness.form import Field, Word
    >>> words = [Word("Total", (10, 20, 50, 30)), Word("4.50", (60, 20, 95, 30))]
    >>> form = Form(words, [Field("total", values=(1,), keys=(0,))], page=(100, 60))
    >>> [text.get_text() for text in form_page(form.with_texts({0: "Totla"}), before=form).texts]
    ['Totla', 'Total', '4.50']
    """
    marks = [mark for mark in most_telling(marks_of(form, before), most_words) if mark.box is not None]
    pages = [each.page for each in (form, before) if each is not None and each.page is not None]
    width, height = (max(sides) for sides in zip(*pages, strict=True)) if pages else (1.0, 1.0)
    ax = axes_for(ax, WIDTH * min(height / width, TALLEST), "the page of a form with the boxes of its words")
    if not marks or form.page is None:
        write_instead(ax, "no boxes" if form.words else "no words")
        return ax
    ax.set(xlim=(0, width), ylim=(height, 0), aspect="equal", xticks=[], yticks=[])
    ax.spines[:].set(visible=True, alpha=0.3)
    if len({*pages}) > 1 and before is not None and before.page is not None:
        _draw_box(ax, (0, 0, *before.page), linestyle=":", linewidth=0.5)
    points = _points_of_a_unit(ax, width, height)
    for mark in marks:
        _draw_word(ax, mark, points)
    return ax


def _points_of_a_unit(ax: Axes, width: float, height: float) -> float:
    """How long a unit of the page is, in points."""
    extent = ax.get_window_extent()
    dots: float = min(extent.width / width, extent.height / height)
    inches: float = dots / ax.figure.dpi
    return 72 * inches


def _draw_word(ax: Axes, mark: Mark, points: float) -> None:
    assert mark.box is not None
    colour, linewidth, dashes = LINES[mark.kind]
    if mark.old_box is not None:
        _draw_box(ax, mark.old_box, linestyle=":", linewidth=0.5, alpha=0.6)
    if mark.is_dropped:
        colour, dashes = PURPLE, ":"
        middle = (mark.box[1] + mark.box[3]) / 2
        ax.plot([mark.box[0], mark.box[2]], [middle, middle], color=PURPLE, linewidth=0.8)
    edge = ink(ax) if colour is None else colour
    fill = GREEN if mark.old_text is not None else BLUE if mark.kind == "value" and not mark.is_dropped else None
    _draw_box(ax, mark.box, edge, linestyle=dashes, linewidth=linewidth, fill=fill)
    x0, y0, x1, y1 = mark.box
    size = _size(mark.shown_text, mark.box, points)
    text = ax.text((x0 + x1) / 2, (y0 + y1) / 2, printable(mark.shown_text), ha="center", va="center_baseline")
    write_plainly(text)
    text.set(fontsize=size, clip_on=True)
    above = f"{mark.place or ''} {printable(mark.shown_old_text)}".strip()
    if above:
        text = ax.text(x0, y0, above, va="bottom", ha="left")
        write_plainly(text)
        text.set(fontsize=0.6 * _size("", mark.box, points), style="italic")


def _size(text: str, box: Box, points: float) -> float:
    """The size of letters such that a text fills its box."""
    high = 0.75 * (box[3] - box[1])
    wide = (box[2] - box[0]) / (0.6 * max(len(text), 1)) if text else high
    return max(min(high, wide) * points, 0.5)


def _draw_box(
    ax: Axes,
    box: Box,
    colour: str | None = None,
    *,
    linestyle: str,
    linewidth: float,
    alpha: float = 1.0,
    fill: str | None = None,
) -> None:
    from matplotlib.patches import Rectangle

    place, size = box[:2], (box[2] - box[0], box[3] - box[1])
    if fill is not None:
        ax.add_patch(Rectangle(place, *size, facecolor=fill, alpha=0.15, linewidth=0))
    edge = ink(ax) if colour is None else colour
    look = {"linestyle": linestyle, "linewidth": linewidth, "alpha": alpha}
    ax.add_patch(Rectangle(place, *size, facecolor="none", edgecolor=edge, **look))
