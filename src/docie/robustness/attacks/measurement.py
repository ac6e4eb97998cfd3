"""The severity of attacks: how much they changed pages."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable, Mapping
from itertools import zip_longest
from typing import NamedTuple

from rapidfuzz.distance import Levenshtein

from docie.core.settings import check_fraction
from docie.documents.boxes import hull
from docie.robustness.form import Page, Word
from docie.robustness.form.words import Box, iou


class Severity(NamedTuple):
    """How much attacks changed forms. Shares refer to the words before the attack.

    Attributes:
        mean_iou (float): the mean intersection over union of the boxes before and after, on pages scaled to one size,
            as models see them; over the remaining words. None without boxes or words.
        edit_rate (float): the sum of Levenshtein distances between words before and after, divided by the number of
            characters before. All characters of a dropped word count.
        moved (float): the share of words whose boxes changed.
        reordered (float): the share of words with a new position in the order of the remaining words.
        dropped (float): the share of words that were dropped.
        replaced (float): the share of words with a new text.
        value_shift (float): how far values moved on the page: the mean distance between their centres before and after,
            relative to the diagonal, on pages scaled to one size. None without boxes or values.
    """

    mean_iou: float | None
    edit_rate: float
    moved: float
    reordered: float
    dropped: float
    replaced: float
    value_shift: float | None


def severity(before: Page | Iterable[Page], after: Page | Iterable[Page]) -> Severity:
    """Measure how much an attack changed a form, or several, whose words are counted together.

    Args:
        before (Page or iterable of Page): the forms before the attack. Any number can be read; none is kept.
        after (Page or iterable of Page): the same forms, attacked.

    Returns:
        Severity: the measures.

    Raises:
        ValueError: if the numbers of forms differ, or if `after` has words that `before` does not have.

    >>> from docie.robustness.form import Word
    >>> form = Page([Word("Total"), Word("4.50")])
    >>> severity(form, form.with_texts({0: "Totla"}))
    Severity(mean_iou=None, edit_rate=0.2222222222222222, moved=0.0, reordered=0.0, dropped=0.0, replaced=0.5, value_shift=None)
    """  # noqa: E501
    totals: defaultdict[str, float] = defaultdict(float)
    sides = [[each] if isinstance(each, Page) else each for each in (before, after)]
    for first, second in zip_longest(*sides):
        if first is None or second is None:
            raise ValueError("expected as many forms before as after")
        _count(first, second, totals)
    words = totals["words"] or 1
    return Severity(
        mean_iou=totals["overlap"] / totals["boxes"] if totals["boxes"] else None,
        edit_rate=totals["edits"] / (totals["characters"] or 1),
        moved=totals["moved"] / words,
        reordered=totals["reordered"] / words,
        dropped=(totals["words"] - totals["kept"]) / words,
        replaced=totals["replaced"] / words,
        value_shift=totals["shift"] / totals["values"] if totals["values"] else None,
    )


def _count(before: Page, after: Page, totals: defaultdict[str, float]) -> None:
    """Add the counts of one form."""
    kept = {word.id: word for word in after.words}
    left = [word for word in before.words if word.id in kept]
    if len(left) < len(kept):
        raise ValueError("the attacked form has words that the form before does not have")
    totals["words"] += len(before.words)
    totals["kept"] += len(left)
    totals["characters"] += sum(len(word.text) for word in before.words)
    totals["edits"] += sum(len(word.text) for word in before.words if word.id not in kept)
    totals["reordered"] += sum(first.id != second.id for first, second in zip(left, after.words, strict=True))
    for word in left:
        other = kept[word.id]
        if word.text != other.text:
            totals["edits"] += Levenshtein.distance(word.text, other.text)
            totals["replaced"] += 1
        if word.box is not None and other.box is not None:
            totals["boxes"] += 1
            totals["overlap"] += iou(_scaled(word.box, before), _scaled(other.box, after))
            totals["moved"] += word.box != other.box
    _count_values(before, kept, after, totals)


def _count_values(before: Page, kept: Mapping[int | None, Word], after: Page, totals: defaultdict[str, float]) -> None:
    """Add how far the values of one form moved, if they have words left."""
    for field in before.fields:
        words = [before.words[position] for position in field.values]
        boxes = [
            (_scaled(word.box, before), _scaled(other, after))
            for word in words
            if word.box is not None and word.id in kept and (other := kept[word.id].box) is not None
        ]
        if boxes:
            (x, y), (new_x, new_y) = (_centre(hull(side)) for side in zip(*boxes, strict=True))
            totals["values"] += 1
            totals["shift"] += math.hypot(new_x - x, new_y - y) / math.sqrt(2)


def _centre(box: Box) -> tuple[float, float]:
    return (box[0] + box[2]) / 2, (box[1] + box[3]) / 2


def _scaled(box: Box, form: Page) -> Box:
    """A box on a page scaled to width and height 1."""
    width, height = form.page or (1, 1)
    return box[0] / width, box[1] / height, box[2] / width, box[3] / height


def target_of(severity: object) -> tuple[str, float]:
    """The name and value of a measure in options. Raises ValueError unless there is exactly one."""
    given = severity if isinstance(severity, Mapping) else {}
    if len(given) != 1 or not {*given} <= {*Severity._fields}:
        raise ValueError(f"name one measure, such as edit_rate=0.1, of {', '.join(Severity._fields)}")
    [(figure, wanted)] = given.items()
    check_fraction(figure, wanted)
    return figure, wanted
