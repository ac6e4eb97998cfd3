"""Lines of text on a page, and the order in which they are read."""

from __future__ import annotations

import unicodedata
from typing import Protocol

from docie.robustness.form.parts import Word


class WithWords(Protocol):
    """What has words and may be arranged anew: a form."""

    @property
    def words(self) -> tuple[Word, ...]: ...


def lines(form: WithWords) -> list[list[int]]:
    """The lines of a form, from the top. A word belongs to a line if its middle is above the line's first bottom.

    Args:
        form (Form): a form with boxes.

    Returns:
        list of list of int: the positions of the words of each line, in the order of the form.

    >>> from docie.robustness.form import Form
    >>> words = [Word("4.50", (60, 11, 90, 21)), Word("Thanks", (10, 40, 50, 50)), Word("Total", (10, 10, 50, 20))]
    >>> lines(Form(words, page=(100, 100)))
    [[0, 2], [1]]
    """
    middles = sorted((word.box[1] + word.box[3], position) for position, word in enumerate(form.words) if word.box)
    found: list[list[int]] = []
    bottom = float("-inf")
    for doubled_middle, position in middles:
        box = form.words[position].box
        if doubled_middle / 2 > bottom and box:
            found.append([])
            bottom = box[3]
        found[-1].append(position)
    return [sorted(line) for line in found]


def reading_order(form: WithWords) -> list[int]:
    """The positions of the words line by line: from left to right, or from right to left if most letters run so.

    `form.arranged(reading_order(form))` is the form in that order. Annotations often have another one: CORD's lists
    field by field.

    Args:
        form (Form): a form with boxes.

    Returns:
        list of int: all positions.

    >>> from docie.robustness.form import Form
    >>> words = [Word("4.50", (60, 11, 90, 21)), Word("Total", (10, 10, 50, 20))]
    >>> reading_order(Form(words, page=(100, 100)))
    [1, 0]
    """
    directions = [unicodedata.bidirectional(letter) for word in form.words for letter in word.text]
    is_leftwards = 2 * sum(each in ("R", "AL") for each in directions) > sum(
        each in ("L", "R", "AL") for each in directions
    )

    def place(position: int) -> float:
        box = form.words[position].box or (0, 0, 0, 0)
        return -box[2] if is_leftwards else box[0]

    return [position for line in lines(form) for position in sorted(line, key=place)]
