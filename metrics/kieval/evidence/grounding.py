"""Which correct values are grounded: they stand where the reference has them.

Values are matched and compared as ever. Then equal values are exchangeable: groups of the same values change places
among themselves, and so do the equal values of a group, until most correct values are grounded. That is exact unless
groups of one kind, on both sides, are compared with groups of several kinds.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

import numpy as np

from docie.core.errors import DocumentError, located_errors
from docie.core.geometry import ROUNDING
from docie.core.matching.assignment import assign
from docie.documents.boxes import Corners, boxes_on_pages, iou_of_unions, pages_named
from docie.documents.multisets import Token, counterparts
from docie.documents.values import Leaf
from docie.metrics.kieval.evidence.sides import Leaves, Side

if TYPE_CHECKING:
    from docie.metrics.kieval.matching import Places
    from docie.metrics.kieval.metric import Comparison

Item = TypeVar("Item")
Regions = Mapping[str, Sequence[Corners]]
"""The evidence of a value: its boxes by their pages, or its pages, each without boxes."""
LARGEST_SHARE, LEAST_LENGTH = 1, 2
"""Boxes of a page up to the first are shares of it; above the second, they are not."""


class Arranged(NamedTuple):
    """Two groups whose equal values are paired so that most are grounded.

    Attributes:
        places: the places of the groups in the documents.
        predicted, expected: their values by their tokens, in the order of the documents.
        grounded: the pairs of correct values that are.
        ungrounded: those that are not, though the reference has evidence.
    """

    places: Places
    predicted: Leaves
    expected: Leaves
    grounded: list[tuple[Token, Token]]
    ungrounded: list[tuple[Token, Token]]


class Grounding:
    """Judges which correct values of two documents are grounded.

    Raises:
        DocumentError: for a box or a page that cannot be read; for boxes in different units.
    """

    def __init__(self, prediction: Side, reference: Side, settings: Any) -> None:
        self._sides, self._settings, self._least = (prediction, reference), settings, settings.asked_evidence.least
        self._regions: dict[int, Regions] = {}
        largest: list[dict[str, float]] = []
        for side, name in zip(self._sides, ("prediction", "reference"), strict=True):
            largest.append({})
            for leaf in side.values.leaves() if side.read.has_places else ():
                if settings.ontology is None or leaf.type in settings.ontology:
                    with located_errors(leaf.type, name):
                        regions = self._regions[id(leaf)] = self._read(leaf)
                    for page, boxes in regions.items():
                        known = largest[-1].get(page, 0.0)
                        largest[-1][page] = max([known, *(edge for box in boxes for edge in box)])
        _check_units(*largest)

    def _read(self, leaf: Leaf) -> Regions:
        if self._least is None:
            return dict.fromkeys(sorted(pages_named(leaf.page)), ())
        return boxes_on_pages(leaf.box, leaf.page)

    def has_evidence(self, leaf: Leaf | None) -> bool:
        """Whether a value carries evidence of the kind that is asked for."""
        return bool(self._regions.get(id(leaf)))

    def _is_grounded(self, predicted: Leaf | None, expected: Leaf | None) -> bool:
        one, other = self._regions.get(id(predicted), {}), self._regions.get(id(expected), {})
        if not other or one.keys() != other.keys():
            return False
        least = self._least
        return least is None or all(iou_of_unions(one[page], other[page]) >= least - ROUNDING for page in other)

    def arranged(self, comparisons: Sequence[Comparison]) -> list[Arranged]:
        """The groups that are compared, in this order; groups of the same values have changed places."""
        by_type: defaultdict[str | None, list[int]] = defaultdict(list)
        for number, each in enumerate(comparisons):
            by_type[each.group_type].append(number)
        found: dict[int, Arranged] = {}
        for numbers in by_type.values():
            found |= zip(numbers, self._of_type([comparisons[number] for number in numbers]), strict=True)
        return [found[number] for number in range(len(comparisons))]

    def _of_type(self, comparisons: Sequence[Comparison]) -> Iterator[Arranged]:
        before = [each.places[0] for each in comparisons]
        columns = _exchanged(
            [each.places[1] for each in comparisons],
            [None if each.expected is None else frozenset(each.expected) for each in comparisons],
            lambda at, column: len(self._of_groups(comparisons[at], (before[at], column)).grounded),
        )
        rows = _exchanged(
            before,
            [None if each.predicted is None else frozenset(each.predicted) for each in comparisons],
            lambda at, row: len(self._of_groups(comparisons[at], (row, columns[at])).grounded),
        )
        return map(self._of_groups, comparisons, zip(rows, columns, strict=True))

    def _of_groups(self, compared: Comparison, places: Places) -> Arranged:
        """Two groups, at these places, with the values of those that are compared."""
        tokens = compared.predicted, compared.expected
        one, other = (
            side.leaves(compared.group_type, place, known)
            for side, place, known in zip(self._sides, places, tokens, strict=True)
        )
        found = (compared.expected or {}).keys() - compared.missing
        slots: list[tuple[Token | None, Token | None]] = [
            *counterparts(compared.correct, found, rules=self._settings.rules).items(),
            *((token, None) for token in compared.incorrect),
            *((None, token) for token in compared.missing),
        ]
        before = [token and one[token] for token, _ in slots]
        expected = _exchanged(
            [token and other[token] for _, token in slots],
            [token and token[:2] for _, token in slots],
            lambda at, leaf: self._is_grounded(before[at], leaf),
        )
        predicted = _exchanged(
            before,
            [token and token[:2] for token, _ in slots],
            lambda at, leaf: self._is_grounded(leaf, expected[at]),
        )
        grounded, ungrounded = list[tuple[Token, Token]](), list[tuple[Token, Token]]()
        for (mine, yours), *leaves in zip(slots, predicted, expected, strict=True):
            if mine and yours and self.has_evidence(leaves[1]):
                (grounded if self._is_grounded(*leaves) else ungrounded).append((mine, yours))
        sides = (
            _in_order(known, dict(zip(map(id, leaves), tokens, strict=True)))
            for known, leaves, tokens in zip((one, other), (predicted, expected), zip(*slots, strict=True), strict=True)
        )
        predicted_leaves, expected_leaves = sides if slots else ({}, {})
        return Arranged(places, predicted_leaves, expected_leaves, grounded, sorted(ungrounded))


def _in_order(known: Leaves, tokens: Mapping[int, Token]) -> Leaves:
    """The values of a group by other tokens, in the same order."""
    return {tokens[id(leaf)]: leaf for leaf in known.values()}


def _exchanged(items: Sequence[Item], kinds: Sequence[Hashable], gain: Callable[[int, Item], int]) -> list[Item]:
    """Items of one kind, exchanged among their slots for the greatest sum of gains; on ties, as many as can be stay.

    >>> _exchanged("abc", [1, 1, None], lambda slot, item: "ba".index(item) == slot)
    ['b', 'a', 'c']
    """
    slots_of: defaultdict[Hashable, list[int]] = defaultdict(list)
    for slot, kind in enumerate(kinds):
        if kind is not None:
            slots_of[kind].append(slot)
    result = [*items]
    for slots in slots_of.values():
        if len(slots) > 1:
            gains = np.array([[gain(slot, items[other]) for other in slots] for slot in slots], dtype=np.int64)
            _, chosen = assign(gains * (len(slots) + 1) + np.eye(len(slots), dtype=np.int64))
            for slot, place in zip(slots, chosen.tolist(), strict=True):
                result[slot] = items[slots[place]]
    return result


def _check_units(predicted: Mapping[str, float], expected: Mapping[str, float]) -> None:
    """Raise DocumentError if the largest edges on a page are a share of it on one side, and a length on the other."""
    for page in predicted.keys() & expected.keys():
        edges = predicted[page], expected[page]
        if min(edges) <= LARGEST_SHARE and max(edges) > LEAST_LENGTH:
            mine, yours = (f"{edge:.6g}" for edge in edges)
            got = f"got edges up to {mine} in the prediction and up to {yours} in the reference"
            raise DocumentError(f"expected boxes in one unit, {got}", item=f"page {page}")
