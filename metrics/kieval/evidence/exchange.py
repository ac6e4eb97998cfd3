"""Pairs whose items change places with others of their kind, so that most is gained."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Hashable, Iterator, Sequence
from typing import Any, NamedTuple, TypeVar

import numpy as np

from docie.core.matching.assignment import assign

Item = TypeVar("Item")


class Slot(NamedTuple):
    """Where a predicted and an expected item stand side by side.

    Attributes:
        kinds: those of its items, which change places with others of the same; None for one that stays.
        most: the most that can be gained here.
    """

    kinds: tuple[Hashable | None, Hashable | None]
    most: int


def exchanged(
    slots: Sequence[Slot],
    pairs: Sequence[tuple[Item, Item]],
    key: Callable[[int, int, Item], Any],
    gain: Callable[[int, Item, Item], int],
) -> list[tuple[Item, Item]]:
    """The items of these slots, for the greatest sum of gains.

    Both sides are put in the order of their keys, so that the order in which they are given does not matter. Then the
    expected items change places, and then the predicted ones. The sum is the greatest one where all items of a kind
    face one kind or nothing; where they face several, it may be a little below.

    Args:
        slots: the slots.
        pairs: their items.
        key: a function (side, number of a slot, item) → what sorts the items of a kind.
        gain: a function (number of a slot, predicted item, expected item) → what is gained there.

    >>> slots = [Slot(("x", "X"), 1)] * 2
    >>> exchanged(slots, [("a", "B"), ("b", "A")], lambda side, at, item: item, lambda at, one, two: one.upper() == two)
    [('a', 'A'), ('b', 'B')]
    """
    predicted, expected = sides = [pair[0] for pair in pairs], [pair[1] for pair in pairs]
    for side, items in enumerate(sides):
        for places in _several(slots, side):
            in_order = sorted((key(side, place, items[place]), at) for at, place in enumerate(places))
            _reorder(items, places, [at for _, at in in_order])
    for side in (1, 0):
        for places in _several(slots, side):
            now = sum(gain(place, predicted[place], expected[place]) for place in places)
            if now < sum(slots[place].most for place in places):
                gains = [
                    [
                        gain(place, predicted[place if side else other], expected[other if side else place])
                        for other in places
                    ]
                    for place in places
                ]
                stays = np.eye(len(places), dtype=np.int64)  # on ties
                _reorder(sides[side], places, assign(np.array(gains) * (len(places) + 1) + stays)[1].tolist())
    return [*zip(predicted, expected, strict=True)]


def _several(slots: Sequence[Slot], side: int) -> Iterator[list[int]]:
    """The places of each kind that a side has more than once."""
    places: defaultdict[Hashable, list[int]] = defaultdict(list)
    for place, slot in enumerate(slots):
        if slot.kinds[side] is not None:
            places[slot.kinds[side]].append(place)
    return (each for each in places.values() if len(each) > 1)


def _reorder(items: list[Item], places: Sequence[int], order: Sequence[int]) -> None:
    """Put the items at these places in another order."""
    before = [items[place] for place in places]
    for place, at in zip(places, order, strict=True):
        items[place] = before[at]
