"""Documents as header and line items: what the families read that compare the characters of fields.

A *field* is one entity type of the header (the ungrouped values of a document) or of one line item (a group). Several
values of a field are joined by a space, in order. A reference text may have alternatives (an `OpenText`): in each
pair of items, the one counts that is best beside the predicted text, and the first where there is none.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import chain
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from rapidfuzz import process
from rapidfuzz.distance import LCSseq

from docie.core.explanation import place_of
from docie.core.matching.assignment import Pairs, assign
from docie.core.matching.open_texts import OpenText, Order, Weights, extra_values, fewest_others, most_common
from docie.core.matching.similarity import distinct
from docie.documents.document import Group, Value, parse_document
from docie.documents.leaves import OneOf, answers_of

Item = dict[str, str]
"""The fields of a header or a line item: entity type → text."""
NO_ITEM: Item = {}
_ROWS = 256  # of a table at a time
_MANY = 2_000_000  # pairs of items: with more, equal ones are paired beforehand, as they are half of most
_EXACT = 2**53  # whole numbers that are exact as floats

ItemPair = tuple[Item, Item, int | None, int | None]
"""A predicted item, the reference item that it is compared with, and their numbers in the section.

Where there is no counterpart, the item is NO_ITEM and its number None. Of alternatives, the reference item has those
that count.
"""


@dataclass
class Section:
    """The headers of prediction and reference, or their line items of one group type (None for the headers)."""

    group_type: str | None
    prediction: list[Item]
    reference: list[Item]
    has_alternatives: bool = False

    @property
    def is_single_pair(self) -> bool:
        """Whether each side has one item, so that there is nothing to choose."""
        return len(self.prediction) == len(self.reference) == 1

    @cached_property
    def common_lengths(self) -> NDArray[Any]:
        """For each predicted item (rows) and reference item (columns): how many characters their fields share.

        Of a section without alternatives.
        """
        longest = min(max(map(_length, items), default=0) for items in (self.prediction, self.reference))
        dtype = np.min_scalar_type(longest)
        return self._table(dtype, lambda one, other: process.cdist(one, other, scorer=LCSseq.similarity, dtype=dtype))

    def values(self, weights: Weights) -> NDArray[Any]:
        """For each predicted item (rows) and reference item (columns): the values of their fields (`extra_values`)."""
        return self._table(np.int64, lambda one, other: extra_values(one, other, weights))

    def _table(self, dtype: Any, compare: Callable[[list[str], list[str]], NDArray[Any]]) -> NDArray[Any]:
        """The sums over fields of what a comparison of distinct texts finds."""
        table = np.zeros((len(self.prediction), len(self.reference)), dtype)
        predicted_types, reference_types = (
            {entity_type for item in items for entity_type in item} for items in (self.prediction, self.reference)
        )
        for entity_type in predicted_types & reference_types:
            (predicted, rows), (expected, columns) = (
                distinct([item.get(entity_type, "") for item in items]) for items in (self.prediction, self.reference)
            )
            found = compare(predicted, expected)
            for start in range(0, len(table), _ROWS):
                table[start : start + _ROWS] += found[rows[start : start + _ROWS]][:, columns]
        return table


def sections(
    prediction: object, reference: object, normalize: Callable[[str, str], str] | None = None
) -> Iterator[Section]:
    """The headers, then the line items of each group type of either side; arguments as in `parse_document`."""
    predicted = parse_document(prediction, "prediction", normalize=normalize)
    expected = parse_document(reference, "reference", normalize=normalize)
    is_open = expected.has_one_of
    yield _section(None, [predicted.ungrouped], [expected.ungrouped], is_open=is_open)
    for group_type in sorted(predicted.groups.keys() | expected.groups.keys()):
        groups, others = (document.groups.get(group_type, []) for document in (predicted, expected))
        yield _section(group_type, groups, others, is_open=is_open)


def _section(group_type: str | None, predicted: list[Group], expected: list[Group], *, is_open: bool) -> Section:
    """A section; `is_open` if a value of the reference has alternatives, there or elsewhere."""
    items = [_item(group, _joined if is_open else " ".join) for group in expected]
    return Section(group_type, [*map(_item, predicted)], items, is_open and any(True for _ in _open_texts(items)))


def assigned_items(section: Section) -> Iterable[ItemPair]:
    """Every item once, paired as in UHED: first the pairs, then the items without a counterpart.

    The shorter side's items are all paired. Their pairs share the most characters, then leave the fewest over, then
    miss the fewest. With alternatives, the items without a counterpart then miss the fewest, too. Items are put in the
    order of their content first, so nothing depends on the order in which they come.
    """
    pairs = _assigned_pairs(section)
    return _with_alternatives(pairs, most_common) if section.has_alternatives else pairs


def _assigned_pairs(section: Section) -> Iterator[ItemPair]:
    predicted, expected = section.prediction, section.reference
    if section.is_single_pair:
        yield predicted[0], expected[0], 0, 0
        return
    rows, columns = _in_order(predicted), _in_order(expected)
    pairs: list[tuple[int, int]] = []
    if len(rows) * len(columns) > _MANY and not section.has_alternatives:
        pairs = list(_equal_items(section, rows, columns))
        rows, columns = _without((row for row, _ in pairs), rows), _without((at for _, at in pairs), columns)
    found = [places.tolist() for places in _assigned(section, rows, columns)]
    pairs += [(rows[row], columns[column]) for row, column in zip(*found, strict=True)]
    yield from ((predicted[row], expected[column], row, column) for row, column in pairs)
    yield from ((predicted[row], NO_ITEM, row, None) for row in _without((row for row, _ in pairs), rows))
    yield from ((NO_ITEM, expected[at], None, at) for at in _without((at for _, at in pairs), columns))


def _equal_items(section: Section, rows: list[int], columns: list[int]) -> Iterator[tuple[int, int]]:
    """Pairs of equal items. Some best pairs contain these.

    Let p and g be equal, and exchange (p, h), (q, g) for (p, g), (q, h). No common character is lost: the number of
    those that are not in common is a metric, so that of (q, h) is at most the sum of the others. If g had no
    counterpart, p has all of its characters in common now, and leaves none over.
    """
    waiting: defaultdict[tuple[tuple[str, str], ...], list[int]] = defaultdict(list)
    for column in reversed(columns):
        waiting[tuple(sorted(section.reference[column].items()))].append(column)
    for row in rows:
        if others := waiting.get(tuple(sorted(section.prediction[row].items()))):
            yield row, others.pop()


def _without(taken: Iterable[int], places: list[int]) -> list[int]:
    gone = set(taken)
    return [place for place in places if place not in gone]


def aligned_items(section: Section) -> Iterable[ItemPair]:
    """Every item once, paired as in HED: in order, with the fewest characters that are not in common.

    Without alternatives, these alignments have the most characters in common. With alternatives, the one with the most
    is taken. Of equally good alignments, seen from the end of both lists, a pair comes first, then a reference item
    without a counterpart, then a predicted one.
    """
    pairs = _aligned_pairs(section)
    return _with_alternatives(pairs, fewest_others) if section.has_alternatives else pairs


def _aligned_pairs(section: Section) -> Iterator[ItemPair]:
    predicted, expected = section.prediction, section.reference
    if section.is_single_pair:
        yield predicted[0], expected[0], 0, 0
        return
    table = _alignment_values(section)
    best = np.zeros(len(expected) + 1, dtype=np.int64)
    is_pair, is_missing = (np.zeros((len(predicted) + 1, len(expected) + 1), dtype=bool) for _ in range(2))
    is_missing[0, 1:] = True
    for row, values in enumerate(table, 1):
        paired = best[:-1] + values
        best[1:] = np.maximum(paired, best[1:])
        np.maximum.accumulate(best, out=best)
        np.equal(best[1:], paired, out=is_pair[row, 1:])
        np.equal(best[1:], best[:-1], out=is_missing[row, 1:])
    row, column = len(predicted), len(expected)
    while row or column:
        if is_pair[row, column]:
            row, column = row - 1, column - 1
            yield predicted[row], expected[column], row, column
        elif is_missing[row, column]:
            column -= 1
            yield NO_ITEM, expected[column], None, column
        else:
            row -= 1
            yield predicted[row], NO_ITEM, row, None


def _with_alternatives(pairs: Iterable[ItemPair], order: Order) -> Iterator[ItemPair]:
    """The pairs with the alternatives that count; where a predicted text is missing, the first."""
    for predicted, expected, row, column in pairs:
        texts = {
            entity_type: text.taken(predicted[entity_type], order)
            if isinstance(text, OpenText) and entity_type in predicted
            else str(text)
            for entity_type, text in expected.items()
        }
        yield predicted, texts, row, column


class NamedPair(NamedTuple):
    """A pair of items with the name of its place, a note on it, whether each side has an item, and the numbers of both
    among the groups of their type."""

    name: str
    note: str
    prediction: Item
    reference: Item
    is_complete: bool
    numbers: Sequence[int | None]


def named_pairs(section: Section, pairs: Iterable[ItemPair]) -> list[NamedPair]:
    """The pairs of a section in the order of the reference; what only the prediction has comes last.

    >>> section = Section("menu", [{"menu.nm": "Tea"}], [{"menu.nm": "Latte"}, {"menu.nm": "Tea"}])
    >>> [(pair.name, pair.note) for pair in named_pairs(section, assigned_items(section))]
    [('menu[0]', 'only in the reference'), ('menu[1]', 'predicted as menu[0]')]
    """
    if section.group_type is None:
        return [NamedPair("Header", "", one, other, True, numbers) for one, other, *numbers in pairs if one or other]
    last = len(section.reference)
    found = sorted(pairs, key=lambda pair: (last if pair[3] is None else pair[3], pair[2] or 0))
    return [
        NamedPair(*place_of(section.group_type, *numbers), predicted, expected, None not in numbers, numbers)
        for predicted, expected, *numbers in found
    ]


def _assigned(section: Section, rows: list[int], columns: list[int]) -> Pairs:
    """The best pairs of these items: places among them."""
    weights = _assignment_values if section.has_alternatives else _assignment_lengths
    return assign(weights(section, rows, columns))


def _assignment_lengths(section: Section, rows: list[int], columns: list[int]) -> NDArray[Any]:
    """The weights of pairs without alternatives.

    All items of the shorter side are paired. So the characters left over depend on which items of the longer side are
    paired, and with them the number of missing characters is given too.
    """
    table: NDArray[Any] = section.common_lengths[rows].take(columns, axis=1)
    if len(rows) == len(columns):
        return table
    are_all_paired = len(rows) < len(columns)
    items = (
        [section.reference[place] for place in columns]
        if are_all_paired
        else [section.prediction[place] for place in rows]
    )
    sizes = np.array(list(map(_length, items)), dtype=np.float64)
    table = table * (1 + sizes.sum())
    table -= sizes if are_all_paired else sizes[:, None]
    return table


def _assignment_values(section: Section, rows: list[int], columns: list[int]) -> NDArray[Any]:
    """The weights of pairs with alternatives.

    A common character weighs more than all characters that may be left over in pairs, and one of these more than all
    that reference texts may have more than their first ones: the missing characters of all items, of pairs or not.
    """
    extra = sum(text.longest - text.shortest for text in _open_texts(section.reference))
    predicted, expected = (
        np.array(list(map(_length, items)), dtype=np.int64) for items in (section.prediction, section.reference)
    )
    longest = 2 + int(predicted.sum() + expected.sum()) + extra
    missing = int(longest**2 * (1 + extra) < _EXACT)  # 0: in very long documents, the first two decide
    left_over = 1 + missing * extra
    table = section.values(Weights(longest * left_over, left_over + missing))
    if len(rows) <= len(columns):
        predicted[:] = 0  # their sum is given
    table = table - left_over * predicted[:, None] - left_over * expected
    return table[rows].take(columns, axis=1)


def _alignment_values(section: Section) -> NDArray[Any]:
    """How much a pair is better than its items without a counterpart: rows are predicted items, columns the others."""
    if not section.has_alternatives:
        return section.common_lengths
    return section.values(fewest_others(sum(map(_length, section.prediction))))


def _open_texts(items: list[Item]) -> Iterator[OpenText]:
    texts = chain.from_iterable(item.values() for item in items)
    return (text for text in texts if isinstance(text, OpenText))


def _length(item: Item) -> int:
    return sum(map(len, item.values()))


def _item(group: Group, join: Callable[[list[Any]], str] = " ".join) -> Item:
    values: dict[str, list[Any]] = {}  # joined at the end: one by one would be quadratic
    for entity_type, value, _ in group:
        values.setdefault(entity_type, []).append(value)
    return {entity_type: join(texts) for entity_type, texts in values.items()}


def _joined(values: list[Value]) -> str:
    """The text of a field, some of whose values may have alternatives."""
    if any(isinstance(value, OneOf) for value in values):
        return OpenText([answers_of(value) for value in values])
    return " ".join(values)


def _in_order(items: list[Item]) -> list[int]:
    """The places of the items in the order of their content."""
    return sorted(range(len(items)), key=[sorted(item.items()) for item in items].__getitem__)
