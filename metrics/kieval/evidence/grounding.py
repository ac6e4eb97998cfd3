"""Which correct values are grounded: they stand where the reference has them.

Values are matched and compared as ever. Then equal values are exchangeable: groups of the same values change places
among themselves, and so do the equal values of a group, so that most correct values are grounded.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Hashable, Mapping, Sequence
from itertools import chain
from typing import TYPE_CHECKING, Any, NamedTuple

from docie.core.errors import DocumentError, located_errors
from docie.core.geometry import ROUNDING
from docie.documents.boxes import Corners, boxes_on_pages, iou_of_unions, pages_named
from docie.documents.multisets import Token, Tokens, counterparts
from docie.documents.values import Leaf
from docie.metrics.kieval.evidence.exchange import Slot, exchanged
from docie.metrics.kieval.evidence.sides import Leaves, Side

if TYPE_CHECKING:
    from docie.metrics.kieval.matching import Places
    from docie.metrics.kieval.metric import Comparison

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
        largest = defaultdict[str, float](float), defaultdict[str, float](float)
        for side, edges, name in zip(self._sides, largest, ("prediction", "reference"), strict=True):
            for leaf in side.values.leaves() if side.read.has_places else ():
                if settings.ontology is None or leaf.type in settings.ontology:
                    with located_errors(leaf.type, name):
                        regions = self._regions[id(leaf)] = self._read(leaf)
                    for page, boxes in regions.items():
                        edges[page] = max(edges[page], *chain(*boxes), 0.0)
        _check_units(*largest)

    def _read(self, leaf: Leaf) -> Regions:
        by_page = self._least is None
        return dict.fromkeys(pages_named(leaf.page), ()) if by_page else boxes_on_pages(leaf.box, leaf.page)

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

        def key(side: int, at: int, place: int | None) -> object:
            leaves = self._leaves(comparisons[at], side, place)
            return sorted((token[:2], self._key(leaf)) for token, leaf in leaves.items())

        def gain(at: int, row: int | None, column: int | None) -> int:
            return len(self._of_groups(comparisons[at], (row, column)).grounded)

        slots = [
            Slot((_kind(each, each.predicted), _kind(each, each.expected)), len(each.correct)) for each in comparisons
        ]
        pairs = exchanged(slots, [each.places for each in comparisons], key, gain)
        return [*map(self._of_groups, comparisons, pairs)]

    def _of_groups(self, compared: Comparison, places: Places) -> Arranged:
        """Two groups, at these places, with the values of those that are compared."""
        one, other = (self._leaves(compared, side, place) for side, place in enumerate(places))
        found = (compared.expected or {}).keys() - compared.missing
        tokens: list[tuple[Token | None, Token | None]] = [
            *sorted(counterparts(compared.correct, found, rules=self._settings.rules).items()),
            *((token, None) for token in sorted(compared.incorrect)),
            *((None, token) for token in sorted(compared.missing)),
        ]
        leaves = exchanged(
            [Slot((mine and mine[:2], yours and yours[:2]), int(None not in (mine, yours))) for mine, yours in tokens],
            [(mine and one[mine], yours and other[yours]) for mine, yours in tokens],
            lambda side, at, leaf: self._key(leaf),
            lambda at, *both: self._is_grounded(*both),
        )
        pairs = [
            (mine, yours, self._is_grounded(*both))
            for (mine, yours), both in zip(tokens, leaves, strict=True)
            if mine and yours and self.has_evidence(both[1])
        ]
        sides = zip((one, other), zip(*tokens, strict=True), zip(*leaves, strict=True), strict=True) if tokens else ()
        predicted, expected = [_by_token(*side) for side in sides] or ({}, {})
        grounded, ungrounded = ([pair[:2] for pair in pairs if pair[2] is is_grounded] for is_grounded in (True, False))
        return Arranged(places, predicted, expected, grounded, ungrounded)

    def _leaves(self, compared: Comparison, side: int, place: int | None) -> Leaves:
        tokens = compared.expected if side else compared.predicted
        return self._sides[side].leaves(compared.group_type, place, tokens)

    def _key(self, leaf: Leaf | None) -> object:
        """Sorts equal values by their evidence, whatever the order of the document."""
        return sorted((page, sorted(boxes)) for page, boxes in self._regions.get(id(leaf), {}).items())


def _kind(compared: Comparison, tokens: Tokens | None) -> Hashable | None:
    """What groups of one type and the same values have in common."""
    return (compared.group_type, frozenset(tokens)) if tokens else None


def _by_token(known: Leaves, tokens: Sequence[Token | None], leaves: Sequence[Leaf | None]) -> Leaves:
    """The values of a group by these tokens, in the order in which they are known."""
    token_of = {id(leaf): token for leaf, token in zip(leaves, tokens, strict=True) if token}
    return {token_of[id(leaf)]: leaf for leaf in known.values()}


def _check_units(predicted: Mapping[str, float], expected: Mapping[str, float]) -> None:
    """Raise DocumentError if the largest edges on a page are a share of it on one side, and a length on the other."""
    for page in predicted.keys() & expected.keys():
        edges = predicted[page], expected[page]
        if min(edges) <= LARGEST_SHARE and max(edges) > LEAST_LENGTH:
            mine, yours = (f"{edge:.6g}" for edge in edges)
            got = f"got edges up to {mine} in the prediction and up to {yours} in the reference"
            raise DocumentError(f"expected boxes in one unit, {got}", item=f"page {page}")
