"""Attacks on the order in which words come. Words and boxes stay as they are."""

from __future__ import annotations

from random import Random

from docie.robustness.attacks.selection import chosen, need_boxes, shuffled_places
from docie.robustness.form import Form, lines, neighbors


def global_shuffle(form: Form, generator: Random, *, p: float = 1.0) -> Form:
    """Shuffle the order of the words; each takes part with probability p."""
    return shuffled_places(form, [range(len(form.words))], generator, p)


def neighbor_shuffle(
    form: Form, generator: Random, *, p: float = 1.0, expand: float = 0.02, neighbor_words: int = 2
) -> Form:
    """Shuffle the order of each value's neighbours among themselves, value by value. Values stay."""
    return shuffled_places(form, neighbors(form, expand=expand, words=neighbor_words), generator, p)


def non_neighbor_shuffle(
    form: Form, generator: Random, *, p: float = 1.0, expand: float = 0.02, neighbor_words: int = 2
) -> Form:
    """Shuffle the order of the words that are neither values nor their neighbours."""
    near = set[int]().union(*neighbors(form, expand=expand, words=neighbor_words))
    return shuffled_places(form, [set(form.background) - near], generator, p)


def line_order_shuffle(form: Form, generator: Random, *, p: float = 1.0) -> Form:
    """Shuffle the order of the lines; inside of a line the words keep theirs. docie's own."""
    need_boxes("line_order_shuffle", form)
    found = lines(form)
    places = chosen(generator, range(len(found)), p)
    moved = [found[place] for place in places]
    generator.shuffle(moved)
    for place, line in zip(places, moved, strict=True):
        found[place] = line
    if not places:
        return form
    return form.arranged([position for line in found for position in line])
