"""How much attacks changed forms, and how strong an attack must be to change them as much as another one."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from itertools import zip_longest
from typing import Any, NamedTuple

from rapidfuzz.distance import Levenshtein

from docie.attacks.registry import apply
from docie.errors import shortened
from docie.form import Box, Form, iou

STEPS = 20
"""How often the range of strengths is halved."""


class Severity(NamedTuple):
    """What attacks did to forms. Shares are of the words before the attack.

    Attributes:
        mean_iou (float): the mean intersection over union of the boxes before and after, on pages scaled to one size,
            as models see them; of the words that are left. None without boxes or words.
        edit_rate (float): the Levenshtein distances of words before and after, over the characters before. All
            characters of a dropped word count.
        moved (float): the share of words whose boxes changed.
        reordered (float): the share of words with another place in the order of those that are left.
        dropped (float): the share of words that are gone.
        replaced (float): the share of words that have other texts.
    """

    mean_iou: float | None
    edit_rate: float
    moved: float
    reordered: float
    dropped: float
    replaced: float


def severity(before: Form | Iterable[Form], after: Form | Iterable[Form]) -> Severity:
    """What an attack did to a form, or to several, whose words are counted together.

    Args:
        before (Form or iterable of Form): the forms as they were. None is kept: there may be any number of them.
        after (Form or iterable of Form): the same forms, attacked.

    Returns:
        Severity: the figures.

    Raises:
        ValueError: for unequal numbers of forms, and if `after` has words that `before` does not have.

    >>> from docie.form import Word
    >>> form = Form([Word("Total"), Word("4.50")])
    >>> severity(form, form.with_texts({0: "Totla"}))
    Severity(mean_iou=None, edit_rate=0.2222222222222222, moved=0.0, reordered=0.0, dropped=0.0, replaced=0.5)
    """
    totals: defaultdict[str, float] = defaultdict(float)
    sides = [[each] if isinstance(each, Form) else each for each in (before, after)]
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
    )


def _count(before: Form, after: Form, totals: defaultdict[str, float]) -> None:
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


def _scaled(box: Box, form: Form) -> Box:
    """A box on a page of one unit."""
    width, height = form.page or (1, 1)
    return box[0] / width, box[1] / height, box[2] / width, box[3] / height


def strength_for(
    attack: str | Sequence[Any], forms: Sequence[Form], *, seed: int, most: float = 100.0, **target: Any
) -> float:
    """How strong an attack must be to reach a severity on forms, so that attacks are compared at equal severity.

    It halves the range of strengths, because an attack of larger strength, with the same random numbers, does more.
    What it reaches may miss the target a little, because words are changed one by one.

    Args:
        attack (str or list): as in `apply`.
        forms (list of Form): forms to measure on.
        seed (int): as in `apply`.
        most (float): the largest strength that is tried.
        target: one of `Severity`'s figures with its value, such as mean_iou=0.75 or edit_rate=0.1; further options go
            to the attack.

    Returns:
        float: the least strength that reaches the target.

    Raises:
        ValueError: if not one figure is named, or if no strength reaches it; the message says how far the attack goes.

    >>> from docie.form import Word
    >>> words = [Word(str(number), (10 * number, 0, 10 * number + 8, 5)) for number in range(9)]
    >>> strength = strength_for("center_shift", [Form(words, page=(100, 100))], seed=0, mean_iou=0.75)
    >>> attacked = apply("center_shift", Form(words, page=(100, 100)), seed=0, strength=strength)
    >>> round(severity(Form(words, page=(100, 100)), attacked).mean_iou, 3)
    0.75
    """
    figures = [name for name in target if name in Severity._fields]
    if len(figures) != 1:
        raise ValueError(f"name one figure, such as edit_rate=0.1, of {', '.join(Severity._fields)}")
    figure = figures[0]
    wanted = target.pop(figure)
    if isinstance(wanted, bool) or not isinstance(wanted, int | float) or not 0 <= wanted <= 1:
        raise ValueError(f"{figure} must be between 0 and 1, got {shortened(wanted)}")
    sign = -1 if figure == "mean_iou" else 1

    def reached(strength: float) -> float | None:
        attacked = [apply(attack, form, seed=seed, strength=strength, **target) for form in forms]
        value: float | None = getattr(severity(forms, attacked), figure)
        return value

    end = reached(most)
    if end is None:
        raise ValueError(f"{figure} cannot be measured: the forms have no boxes")
    if sign * end < sign * wanted:
        raise ValueError(f"no strength up to {most:g} reaches {figure} {wanted:g}; at {most:g} it is {end:.3g}")
    low, high = 0.0, most
    for _ in range(STEPS):
        middle = (low + high) / 2
        value = reached(middle)
        if value is not None and sign * value >= sign * wanted:
            high = middle
        else:
            low = middle
    return high
