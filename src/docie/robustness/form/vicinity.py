"""Which words stand beside the values of a form."""

from __future__ import annotations

from docie.robustness.form.boxes import area, hull, shared_area
from docie.robustness.form.form import Form


def neighbors(form: Form, *, expand: float = 0.02, words: int = 2) -> list[set[int]]:
    """The neighbours of every value: background words in its zone, or near it in reading order.

    The zone is the box around the value, with width and height grown by a share of the page. A word is in the zone if
    more than half of its box is. Words of other values are no neighbours. Without boxes, only the order counts.

    Source: Xue et al., "Robustness Evaluation of Transformer-based Form Field Extractors via Form Attacks" (2021),
    where the intersection is set against the union; a zone is mostly larger than a word, so that no word could reach
    half of that. Here it is the share of the word's box.

    Args:
        form (Form): the form.
        expand (float): the share of the page by which the zone is wider and higher than the value.
        words (int): how many words before and behind each word of the value are neighbours.

    Returns:
        list of set of int: the positions of the neighbours of each field's value; none for a field without a value.

    >>> from docie.robustness.form import Field, Word
    >>> form = Form([Word(text) for text in ("Invoice", "No.", "12", "of", "May", "5")], [Field("number", (2,))])
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
