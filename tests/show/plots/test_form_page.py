"""A form as a chart: every word in its box, what it is, and what an attack did to it."""

from __future__ import annotations

from typing import Any

import pytest

pytest.importorskip("matplotlib", reason="charts need matplotlib")

from matplotlib.colors import to_hex
from matplotlib.figure import Figure

from docie import plots
from docie.robustness.form import Field, Form, Word

WORDS = [Word("Total", (10, 20, 50, 30)), Word("4.50", (60, 20, 95, 30)), Word("Thank", (10, 40, 40, 50))]
FORM = Form(WORDS, [Field("total", (1,), (0,))], page=(100, 200))


def texts(axes: Any) -> list[str]:
    return [text.get_text() for text in axes.texts]


def lines(axes: Any) -> list[tuple[str, float]]:
    """The dashes and widths of the lines around boxes."""
    return [(box.get_linestyle(), box.get_linewidth()) for box in axes.patches if box.get_linewidth()]


def test_words_stand_in_their_boxes() -> None:
    axes = plots.form_page(FORM)
    assert texts(axes) == ["Total", "4.50", "Thank"]
    assert [text.get_position() for text in axes.texts] == [(30, 25), (77.5, 25), (25, 45)]
    assert (axes.get_xlim(), axes.get_ylim()) == ((0, 100), (200, 0)), "y grows downwards"
    (key, _), (value, width), (other, thin) = lines(axes)
    assert (key, value, other) == ("--", "-", "-")
    assert width > 2 * thin
    narrow = FORM.with_words([WORDS[0]._replace(box=(10, 20, 20, 30)), *WORDS[1:]])
    sizes = [plots.form_page(form).texts[0].get_fontsize() for form in (FORM, narrow)]
    assert sizes[1] < sizes[0], "letters fit into their boxes"


def test_what_an_attack_did() -> None:
    attacked = FORM.with_texts({0: "Totla"}).arranged([1, 0])
    axes = plots.form_page(attacked, before=FORM)
    assert texts(axes) == ["4.50", "1", "Thank", "Totla", "2 Total"], "new places, and the old text"
    assert [dashes for dashes, _ in lines(axes)] == ["-", ":", "--"], "a value, a dropped word, a key"
    assert [[*line.get_ydata()] for line in axes.lines] == [[45, 45]]
    moved = FORM.with_words([WORDS[0]._replace(box=(10, 90, 50, 100), id=0), *FORM.words[1:]], page=(100, 220))
    axes = plots.form_page(moved, before=FORM)
    dotted = [box.get_bbox().bounds for box in axes.patches if box.get_linestyle() == ":"]
    assert dotted == [(0, 0, 100, 200), (10, 20, 40, 10)], "the old page, and the old box"
    assert axes.get_ylim() == (220, 0)


def test_what_has_nothing_to_draw() -> None:
    assert texts(plots.form_page(Form([]))) == ["no words"]
    assert texts(plots.form_page(Form([Word("a")]))) == ["no boxes"]
    own = Figure().subplots()
    assert plots.form_page(FORM, ax=own) is own
    many = Form([Word(f"w{number}", (0, 0, 5, 5)) for number in range(9)], [Field("a", (7,))], page=(10, 10))
    assert texts(plots.form_page(many, most_words=1)) == ["w7"]
    with pytest.raises(ValueError, match="words that the form before does not have"):
        plots.form_page(many, before=FORM)


def test_texts_are_drawn_as_they_are() -> None:
    form = Form([Word("$x$ <script>\u202e", (0, 0, 5, 5))], page=(10, 10))
    picture = plots.svg(plots.form_page(form))
    assert "$x$ &lt;script&gt;\\u202e" in picture
    wide = plots.form_page(Form([Word("a", (0, 0, 1, 1))], page=(1, 1000)))
    assert wide.figure.get_figheight() <= 4 * wide.figure.get_figwidth(), "a long page is no endless figure"


def test_a_chart_on_a_dark_page_is_seen() -> None:
    own = Figure().subplots()
    own.xaxis.label.set_color("white")
    boxes = plots.form_page(FORM, ax=own).patches
    assert to_hex(boxes[-1].get_edgecolor()) == "#ffffff"
