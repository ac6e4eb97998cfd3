"""A form as a picture: the page with the box and the text of every word."""

from __future__ import annotations

import unicodedata
from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

from docie.core.phrases import counted
from docie.robustness.form.frame import Frame, Rectangle
from docie.robustness.form.marks import CHANGES, Mark, marks_of, most_telling
from docie.robustness.form.page import Page
from docie.show.page.rendering import environment

KINDS = {"value": "of values", "key": "of keys", "background": "of the background"}
"""How to speak of several words."""
MOST_WORDS = 600
"""So many words are drawn at most."""
MOST_LINES = 40
"""With more words that moved far, lines from their old places would hide the page."""
PAGE_MARGIN = 8
"""Around the page, in units of the drawing."""
SMALLEST, LARGEST = 9, 16
"""The size of what is written above a box."""
MOST_NOTES, LONGEST_NOTE = 50, 100
"""So many fields, and so many changed words, are told to those who do not see the picture, and so much of each."""
_HEIGHT, _WIDTH, _WIDE = 0.78, 0.55, 1.0
"""The size of letters as a share of their box's height, and the width of a letter as a share of its size."""


class DrawnWord(NamedTuple):
    """A word as it is drawn; its text is fitted into its box."""

    mark: Mark
    box: Rectangle
    old_box: Rectangle | None

    @property
    def fit(self) -> tuple[float, float]:
        """The size of its letters, and the length of its text, as far as letters keep their shape."""
        text = self.mark.shown_text
        letters = sum(_WIDE if unicodedata.east_asian_width(sign) in "FW" else _WIDTH for sign in text) or _WIDTH
        size = min(_HEIGHT * self.box.height, 1.4 * self.box.width / letters)
        return round(size, 2), round(min(0.96 * self.box.width, 1.4 * size * letters), 2)

    @property
    def size_above(self) -> float:
        """The size of what stands above it: not wider than the box, if it can be read then."""
        letters = len(f"{self.mark.place or ''} {self.mark.shown_old_text}".strip())
        fitting = 1.1 * self.box.width / (_WIDTH * letters)
        return round(max(min(0.6 * self.box.height, fitting, LARGEST), SMALLEST), 1)

    @property
    def is_far(self) -> bool:
        """Whether it moved by more than its height, so that a line shows where from."""
        if self.old_box is None:
            return False
        across, down = (abs(new - old) for new, old in zip(self.box.center, self.old_box.center, strict=True))
        return max(across, down) > self.box.height


def form_picture(form: Page, *, before: Page | None = None) -> str:
    """A form as a picture: a page with the box and the text of every word, those of values, keys and background apart.

    Beside the form before an attack, it shows which words were replaced (with the old text), dropped (struck out where
    they were), moved (with their old boxes), and which have another place in the order. A form without boxes is a line
    of text with the same marks. At most 600 words are drawn, changed ones first; the picture says how many are not. It
    needs no script, and the styles of `docie.report.aligned_styles`.

    Args:
        form (Page): the form.
        before (Page): the form before an attack; None if there is nothing to compare with.

    Returns:
        str: a fragment of HTML with one `<svg>`; without boxes, with a paragraph. All texts in it are escaped.

    Raises:
        ValueError: if the form has words that the form before does not have.
        ModuleNotFoundError: without the packages of the extra `report`.

    >>> from docie.robustness.form import Field, Word
    >>> words = [Word("Total", (10, 20, 50, 30)), Word("<4.50>", (60, 20, 95, 30))]
    >>> form = Page(words, [Field("total", values=(1,), keys=(0,))], page=(100, 200))
    >>> picture = form_picture(form.with_texts({0: "Totla"}), before=form)
    >>> "&lt;4.50&gt;" in picture, "By the attack: 1 replaced." in picture
    (True, True)
    """
    marks = marks_of(form, before)
    shown = most_telling(marks, MOST_WORDS)
    page, old_page = form.page or (1.0, 1.0), None if before is None else before.page
    old_page = None if old_page == page else old_page
    width, height = map(max, page, old_page or page)
    frame = Frame((0, 0, width, height), margin=PAGE_MARGIN)
    words = [
        DrawnWord(mark, frame.drawn(mark.box), None if mark.old_box is None else frame.drawn(mark.old_box))
        for mark in shown
        if mark.box is not None
    ]
    left = len(marks) - len(shown)
    html: str = (
        environment("docie.robustness")
        .get_template("form.html.j2")
        .render(
            sentence=_sentence(marks, form, before),
            legend=_legend(shown, has_boxes=bool(words)),
            description=_description(marks, form),
            marks=shown,
            words=words,
            frame=frame,
            edge=frame.drawn((0, 0, *page)),
            old_edge=None if old_page is None else frame.drawn((0, 0, *old_page)),
            # lines show where words come from; on another page, all have moved
            has_lines=old_page is None and sum(word.is_far for word in words) <= MOST_LINES,
            omitted=f"Not drawn: {counted(left, 'word')}." if left else "",
        )
    )
    return html


def _legend(marks: Sequence[Mark], *, has_boxes: bool) -> list[tuple[str, str]]:
    """What lines and marks stand for: those that are there."""
    words = {"value": "value: a thick line", "key": "key: a dashed line", "background": "background: a thin line"}
    changes = {
        "replaced": f"replaced: the old text {'above' if has_boxes else 'struck out'}",
        "dropped": "dropped: struck out",
        "moved": "moved: from the dotted box",
        "at another place in the order": f"its {'new' if has_boxes else 'old'} place in the order",
    }
    found = [(kind, words[kind]) for kind in KINDS if any(mark.kind == kind and not mark.is_dropped for mark in marks)]
    return found + [(name, label) for name, label in changes.items() if any(name in mark.changes for mark in marks)]


def _description(marks: Sequence[Mark], form: Page) -> str:
    """The fields and the changed words, for those who do not see the picture."""
    notes = [f"{field.type}: {form.text_of(field)}" for field in form.fields if field.values][:MOST_NOTES]
    notes += [mark.note for mark in marks if mark.changes][:MOST_NOTES]
    return ". ".join(note[:LONGEST_NOTE] for note in notes)


def _sentence(marks: Sequence[Mark], form: Page, before: Page | None) -> str:
    """The numbers of words, and what an attack did to them.

    >>> from docie.robustness.form import Word
    >>> form = Page([Word("Total"), Word("4.50")])
    >>> attacked = form.with_texts({0: "Totla"}).arranged([0])
    >>> _sentence(marks_of(attacked, form), attacked, form)
    '1 word, 1 of the background. By the attack: 1 replaced, 1 dropped.'
    """
    left = [mark for mark in marks if not mark.is_dropped]
    kinds = Counter(mark.kind for mark in left)
    parts = ", ".join(f"{kinds[kind]:,} {name}" for kind, name in KINDS.items() if kinds[kind])
    text = f"{counted(len(left), 'word')}{', ' if parts else ''}{parts}."
    if before is None:
        return text
    numbers = Counter(name for mark in marks for name in mark.changes)
    done = [f"{numbers[name]:,} {name}" for name in CHANGES if numbers[name]]
    if form.page != before.page and form.page and before.page:
        done.append("the page is now " + " instead of ".join(f"{x:.6g} × {y:.6g}" for x, y in (form.page, before.page)))
    return f"{text} By the attack: {', '.join(done)}." if done else f"{text} The attack changed nothing."
