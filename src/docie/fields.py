"""Documents as fields: what the families read that compare texts by characters (HED, UHED, text match).

A field is one entity type of the header (a document's ungrouped values) or of one line item (a group); several values
of a field are joined by a space, in order. A reference value with alternatives is first replaced by the alternative
most similar to any predicted value of its type.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray
from rapidfuzz import process
from rapidfuzz.distance import LCSseq
from scipy.optimize import linear_sum_assignment

from docie.document import Document, Group, OneOf, parse
from docie.text_similarity import distinct, most_similar

Item = dict[str, str]
"""The fields of a header or a line item: entity type → text."""
Pair = tuple[Item, Item]
"""A predicted item and the reference item it stands for; an empty one where there is no counterpart."""
NOTHING: Item = {}


@dataclass
class Section:
    """The header of both sides, or their line items of one group type (None for the header)."""

    group_type: str | None
    predicted: list[Item]
    expected: list[Item]

    @property
    def single(self) -> bool:
        """Whether each side has one item, so that there is nothing to choose."""
        return len(self.predicted) == len(self.expected) == 1

    @cached_property
    def common(self) -> NDArray[np.int64]:
        """For all pairs of items, the summed lengths of their fields' common subsequences; a row a predicted item."""
        table = np.zeros((len(self.predicted), len(self.expected)), dtype=np.int64)
        kinds = {kind for item in self.predicted for kind in item} & {kind for item in self.expected for kind in item}
        for kind in kinds:
            (left, rows), (right, columns) = (
                distinct([item.get(kind, "") for item in items]) for items in (self.predicted, self.expected)
            )
            lengths = process.cdist(left, right, scorer=LCSseq.similarity, dtype=np.int32)
            table += lengths[np.ix_(rows, columns)]
        return table


def sections(
    prediction: object, reference: object, normalize: Callable[[str, str], str] | None = None
) -> Iterator[Section]:
    """The header, then every list of line items that either side has. Arguments and errors as in `document.parse`."""
    predicted = parse(prediction, "prediction", normalize=normalize)
    expected = parse(reference, "reference", normalize=normalize)
    if expected.one_of:
        _choose_alternatives(predicted, expected)
    yield Section(None, [_item(predicted.ungrouped)], [_item(expected.ungrouped)])
    for group_type in sorted(predicted.groups.keys() | expected.groups.keys()):
        sides = (list(map(_item, document.groups.get(group_type, []))) for document in (predicted, expected))
        yield Section(group_type, *sides)


def common(predicted: str, expected: str) -> int:
    """The length of the longest common subsequence of two texts."""
    return int(LCSseq.similarity(predicted, expected))


def assigned(section: Section) -> Iterator[Pair]:
    """Every item once, as UHED pairs them: the matched pairs, then those without a counterpart.

    Min(N, M) pairs have the most common characters, then the fewest others. Items are put in the order of their content
    first: nothing depends on the order in which they come.
    """
    if section.single:
        yield section.predicted[0], section.expected[0]
        return
    predicted, left = _in_order(section.predicted)
    expected, right = _in_order(section.expected)
    weights = section.common[np.ix_(left, right)].astype(np.float64)
    if len(predicted) != len(expected):
        # all items of the shorter side are matched, so the fewest others are a matter of the longer side's items alone;
        # and with them the number of missing characters is given
        sizes = np.array([sum(map(len, item.values())) for item in max(predicted, expected, key=len)])
        weights = weights * (1 + sizes.sum()) - (sizes[:, None] if len(predicted) > len(expected) else sizes)
    rows, columns = (places.tolist() for places in linear_sum_assignment(weights, maximize=True))
    yield from ((predicted[row], expected[column]) for row, column in zip(rows, columns, strict=True))
    yield from ((predicted[row], NOTHING) for row in sorted(set(range(len(predicted))) - set(rows)))
    yield from ((NOTHING, expected[column]) for column in sorted(set(range(len(expected))) - set(columns)))


def aligned(section: Section) -> Iterator[Pair]:
    """Every item once, as HED pairs them: in order, with the most common characters.

    On ties, from the end of both lists, a pair comes first, then a reference item without a counterpart, then a
    predicted one.
    """
    predicted, expected = section.predicted, section.expected
    if section.single:
        yield predicted[0], expected[0]
        return
    table = section.common
    best = np.zeros((len(predicted) + 1, len(expected) + 1), dtype=np.int64)
    for row, gains in enumerate(table, 1):
        best[row, 1:] = np.maximum(best[row - 1, :-1] + gains, best[row - 1, 1:])
        np.maximum.accumulate(best[row], out=best[row])
    row, column = len(predicted), len(expected)
    while row or column:
        if row and column and best[row, column] == best[row - 1, column - 1] + table[row - 1, column - 1]:
            row, column = row - 1, column - 1
            yield predicted[row], expected[column]
        elif column and best[row, column] == best[row, column - 1]:
            column -= 1
            yield NOTHING, expected[column]
        else:
            row -= 1
            yield predicted[row], NOTHING


def _item(group: Group) -> Item:
    item: Item = {}
    for kind, value, _ in group:
        item[kind] = f"{item[kind]} {value}" if kind in item else value
    return item


def _in_order(items: list[Item]) -> tuple[list[Item], list[int]]:
    """The items in the order of their content, and their places."""
    places = sorted(range(len(items)), key=[sorted(item.items()) for item in items].__getitem__)
    return [items[place] for place in places], places


def _choose_alternatives(predicted: Document, expected: Document) -> None:
    values: defaultdict[str, list[str]] = defaultdict(list)
    for group in predicted.parts():
        for kind, value, _ in group:
            values[kind].append(value)
    for group in expected.parts():
        for place, (kind, value, doubt) in enumerate(group):
            if isinstance(value, OneOf):
                group[place] = kind, most_similar(value.alternatives, values[kind]), doubt
