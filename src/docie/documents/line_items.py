"""Documents as header and line items: what the families read that compare the characters of fields.

A *field* is one entity type of the header (the ungrouped values of a document) or of one line item (a group). Several
values of a field are joined by a space, in order. A reference value with alternatives is first replaced by the
alternative that is most similar to any predicted value of its type.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from rapidfuzz import process
from rapidfuzz.distance import LCSseq

from docie.core.explanation import place_of
from docie.core.matching.assignment import best_assignment
from docie.core.matching.one_to_one import Places
from docie.core.matching.similarity import distinct, most_similar
from docie.documents.document import Document, Group, parse_document
from docie.documents.leaves import OneOf

Item = dict[str, str]
"""The fields of a header or a line item: entity type → text."""
ItemPair = tuple[Item, Item]
"""A predicted item and the reference item it is compared with; NO_ITEM where there is no counterpart."""
NO_ITEM: Item = {}
_ROWS = 256  # of a table at a time


@dataclass
class Section:
    """The headers of prediction and reference, or their line items of one group type (None for the headers)."""

    group_type: str | None
    prediction: list[Item]
    reference: list[Item]

    @property
    def is_single_pair(self) -> bool:
        """Whether each side has one item, so that there is nothing to choose."""
        return len(self.prediction) == len(self.reference) == 1

    @cached_property
    def common_lengths(self) -> NDArray[Any]:
        """For each predicted item (rows) and reference item (columns): how many characters their fields share."""
        longest = min(max(map(_length, items), default=0) for items in (self.prediction, self.reference))
        table = np.zeros((len(self.prediction), len(self.reference)), dtype=np.min_scalar_type(longest))
        predicted_types, reference_types = (
            {entity_type for item in items for entity_type in item} for items in (self.prediction, self.reference)
        )
        for entity_type in predicted_types & reference_types:
            (predicted, rows), (expected, columns) = (
                distinct([item.get(entity_type, "") for item in items]) for items in (self.prediction, self.reference)
            )
            lengths = process.cdist(predicted, expected, scorer=LCSseq.similarity, dtype=table.dtype)
            for start in range(0, len(table), _ROWS):
                table[start : start + _ROWS] += lengths[rows[start : start + _ROWS]][:, columns]
        return table


def sections(
    prediction: object, reference: object, normalize: Callable[[str, str], str] | None = None
) -> Iterator[Section]:
    """The headers, then the line items of each group type of either side; arguments as in `parse_document`."""
    predicted = parse_document(prediction, "prediction", normalize=normalize)
    expected = parse_document(reference, "reference", normalize=normalize)
    if expected.has_one_of:
        _choose_alternatives(predicted, expected)
    yield Section(None, [_item(predicted.ungrouped)], [_item(expected.ungrouped)])
    for group_type in sorted(predicted.groups.keys() | expected.groups.keys()):
        sides = (list(map(_item, document.groups.get(group_type, []))) for document in (predicted, expected))
        yield Section(group_type, *sides)


def assigned_items(section: Section) -> Iterator[ItemPair]:
    """Every item once, paired as in UHED: first the pairs, then the items without a counterpart.

    The shorter side's items are all paired. Their pairs share the most characters, then leave the fewest over. Items
    are put in the order of their content first, so nothing depends on the order in which they come.
    """
    if section.is_single_pair:
        yield section.prediction[0], section.reference[0]
        return
    predicted, predicted_places = _in_order(section.prediction)
    expected, expected_places = _in_order(section.reference)
    rows, columns = (places.tolist() for places in _assigned(section, predicted_places, expected_places))
    yield from ((predicted[row], expected[column]) for row, column in zip(rows, columns, strict=True))
    yield from ((predicted[row], NO_ITEM) for row in sorted(set(range(len(predicted))) - set(rows)))
    yield from ((NO_ITEM, expected[column]) for column in sorted(set(range(len(expected))) - set(columns)))


def aligned_items(section: Section) -> Iterator[ItemPair]:
    """Every item once, paired as in HED: in order, with the most characters in common.

    Of equally good alignments, seen from the end of both lists, a pair comes first, then a reference item without a
    counterpart, then a predicted one.
    """
    predicted, expected = section.prediction, section.reference
    if section.is_single_pair:
        yield predicted[0], expected[0]
        return
    table = section.common_lengths
    best = np.zeros(len(expected) + 1, dtype=np.int64)
    is_pair, is_missed = (np.zeros((len(predicted) + 1, len(expected) + 1), dtype=bool) for _ in range(2))
    is_missed[0, 1:] = True
    for row, lengths in enumerate(table, 1):
        paired = best[:-1] + lengths
        best[1:] = np.maximum(paired, best[1:])
        np.maximum.accumulate(best, out=best)
        np.equal(best[1:], paired, out=is_pair[row, 1:])
        np.equal(best[1:], best[:-1], out=is_missed[row, 1:])
    row, column = len(predicted), len(expected)
    while row or column:
        if is_pair[row, column]:
            row, column = row - 1, column - 1
            yield predicted[row], expected[column]
        elif is_missed[row, column]:
            column -= 1
            yield NO_ITEM, expected[column]
        else:
            row -= 1
            yield predicted[row], NO_ITEM


class NamedPair(NamedTuple):
    """A pair of items with the name of its place, a note on it, and whether each side has an item."""

    name: str
    note: str
    prediction: Item
    reference: Item
    is_complete: bool


def named_pairs(section: Section, pairs: Iterable[ItemPair]) -> list[NamedPair]:
    """The pairs of a section in the order of the reference; what only the prediction has comes last.

    >>> section = Section("menu", [{"menu.nm": "Tea"}], [{"menu.nm": "Latte"}, {"menu.nm": "Tea"}])
    >>> [(pair.name, pair.note) for pair in named_pairs(section, assigned_items(section))]
    [('menu[0]', 'only in the reference'), ('menu[1]', 'predicted as menu[0]')]
    """
    if section.group_type is None:
        return [NamedPair("Header", "", *pair, True) for pair in pairs if any(pair)]
    places = [{id(item): place for place, item in enumerate(side)} for side in (section.prediction, section.reference)]
    placed = [(pair, places[0].get(id(pair[0])), places[1].get(id(pair[1]))) for pair in pairs]
    placed.sort(key=lambda each: (len(section.reference) if each[2] is None else each[2], each[1] or 0))
    return [
        NamedPair(*place_of(section.group_type, predicted, expected), *pair, None not in (predicted, expected))
        for pair, predicted, expected in placed
    ]


def _assigned(section: Section, rows: list[int], columns: list[int]) -> tuple[Places, Places]:
    """The best pairs of items, which are given by their places: places among these."""
    table, sides = section.common_lengths, (section.prediction, section.reference)
    # All items of the shorter side are paired. So the characters left over depend on which items of the longer side are
    # paired, and with them the number of missed characters is given too.
    longer = sides[len(rows) <= len(columns)]
    sizes = np.array(list(map(_length, longer)), dtype=np.int64)
    if len(rows) > len(columns):
        sizes = sizes[:, None]

    def weights(kinds: slice) -> NDArray[Any]:
        if len(rows) == len(columns):
            return table[kinds]
        weights: NDArray[Any] = table[kinds].astype(np.int64) * (1 + sizes.sum())  # numpy 1 keeps small types
        return weights - (sizes[kinds] if len(rows) > len(columns) else sizes)

    return best_assignment(weights, *(np.array(places, dtype=np.int64) for places in (rows, columns)))


def _length(item: Item) -> int:
    return sum(map(len, item.values()))


def _item(group: Group) -> Item:
    values: dict[str, list[str]] = {}  # joined at the end: one by one would be quadratic
    for entity_type, value, _ in group:
        values.setdefault(entity_type, []).append(value)
    return {entity_type: " ".join(texts) for entity_type, texts in values.items()}


def _in_order(items: list[Item]) -> tuple[list[Item], list[int]]:
    """The items in the order of their content, and their places before."""
    places = sorted(range(len(items)), key=[sorted(item.items()) for item in items].__getitem__)
    return [items[place] for place in places], places


def _choose_alternatives(predicted: Document, expected: Document) -> None:
    values: defaultdict[str, list[str]] = defaultdict(list)
    for group in predicted.all_groups():
        for entity_type, value, _ in group:
            values[entity_type].append(value)
    for group in expected.all_groups():
        for place, (entity_type, value, confidence) in enumerate(group):
            if isinstance(value, OneOf):
                group[place] = entity_type, most_similar(value.alternatives, values[entity_type]), confidence
