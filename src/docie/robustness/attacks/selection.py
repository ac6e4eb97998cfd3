"""Which of several things an attack is applied to."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from random import Random
from typing import TypeVar

from docie.robustness.form import Form

T = TypeVar("T")


def chosen(generator: Random, items: Collection[T], p: float) -> list[T]:
    """Each item with probability p. One number is drawn for each, so a larger p chooses the same ones and more."""
    draw = generator.random
    return [item for item in items if draw() < p]


def shuffled_places(form: Form, groups: Sequence[Collection[int]], generator: Random, p: float) -> Form:
    """The form with the words at these positions in a random order among themselves, group by group.

    Each word takes part with probability p.
    """
    order = list(range(len(form.words)))
    for group in groups:
        places = chosen(generator, sorted(group), p)
        words = [order[place] for place in places]
        generator.shuffle(words)
        for place, word in zip(places, words, strict=True):
            order[place] = word
    return form.arranged(order)


def need_boxes(name: str, form: Form) -> None:
    """Raise ValueError if the words of a form have no boxes."""
    if form.words and not form.has_boxes:
        place = "the form" if form.id is None else f"form {form.id!r}"
        raise ValueError(f"{name} needs boxes, and {place} has none")
