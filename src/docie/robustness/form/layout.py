"""Lines of text on a page, the order in which they are read, and which words stand beside values."""

from __future__ import annotations

import unicodedata

from docie.robustness.form.page import Page
from docie.robustness.form.words import area, hull, shared_area


def lines(form: Page) -> list[list[int]]:
    """The lines of a form, from the top. A word belongs to a line if its middle is above the line's first bottom.

    Args:
        form (Page): a form with boxes.

    Returns:
        list of list of int: the positions of the words of each line, in the order of the form.

    >>> from docie.robustness.form import Word
    >>> words = [Word("4.50", (60, 11, 90, 21)), Word("Thanks", (10, 40, 50, 50)), Word("Total", (10, 10, 50, 20))]
    >>> lines(Page(words, page=(100, 100)))
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


def reading_order(form: Page) -> list[int]:
    """The positions of the words line by line: from left to right, or from right to left if most letters run so.

    `form.arranged(reading_order(form))` is the form in that order. Annotations often have another one: CORD's lists
    field by field.

    Args:
        form (Page): a form with boxes.

    Returns:
        list of int: all positions.

    >>> from docie.robustness.form import Word
    >>> words = [Word("4.50", (60, 11, 90, 21)), Word("Total", (10, 10, 50, 20))]
    >>> reading_order(Page(words, page=(100, 100)))
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


def neighbors(form: Page, *, expand: float = 0.02, words: int = 2) -> list[set[int]]:
    """The neighbours of every value: background words in its zone, or near it in reading order.

    The zone is the box around the value, with width and height grown by a share of the page. A word is in the zone if
    more than half of its box is. Words of other values are no neighbours. Without boxes, only the order counts.

    Source: Xue et al., "Robustness Evaluation of Transformer-based Form Field Extractors via Form Attacks" (2021),
    where the intersection is set against the union; a zone is mostly larger than a word, so that no word could reach
    half of that. Here it is the share of the word's box.

    Args:
        form (Page): the form.
        expand (float): the share of the page by which the zone is wider and higher than the value.
        words (int): how many words before and behind each word of the value are neighbours.

    Returns:
        list of set of int: the positions of the neighbours of each field's value; none for a field without a value.

    >>> from docie.robustness.form import Field, Word
    >>> form = Page([Word(text) for text in ("Invoice", "No.", "12", "of", "May", "5")], [Field("number", (2,))])
    >>> neighbors(form, words=1)
    [{1, 3}]
    """
    width, height = form.page or (0, 0)
    across, down = width * expand / 2, height * expand / 2
    background = [(position, box, area(box)) for position in form.background if (box := form.words[position].box)]
    is_background = set(form.background)
    found = []
    for field in form.fields:
        near = {
            other
            for position in field.values
            for other in range(position - words, position + words + 1)
            if other in is_background
        }
        boxes = [box for position in field.values if (box := form.words[position].box)]
        if boxes:
            x0, y0, x1, y1 = hull(boxes)
            zone = (x0 - across, y0 - down, x1 + across, y1 + down)
            near.update(position for position, box, size in background if shared_area(zone, box) > size / 2)
        found.append(near)
    return found
