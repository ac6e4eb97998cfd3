"""The forest tables of key-roots (Zhang and Shasha, 1989), computed row by row with numpy."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from docie.metrics.nted.trees import Side

Integers = NDArray[Any]


def inner_savings(labels: Any, other_labels: Integers) -> Integers:
    """The savings of pairs of inner nodes by themselves; 0 if one of the two is a leaf."""
    are_inner = (labels >= 0) & (other_labels >= 0)
    savings: Integers = np.add(are_inner, are_inner & (labels == other_labels), dtype=np.int8)
    return savings


class Level(NamedTuple):
    """Columns of key-roots that do not contain each other: a slice of the long row, and in it the nodes on the leftmost
    paths, their subtrees and the labels of these."""

    columns: slice
    paths: Integers
    subtrees: Integers
    labels: Integers


class Columns:
    """The columns of many forest tables of the reference in one long row, level by level.

    Each table has a first column for the empty forest. Its columns carry an offset larger than all savings before it,
    so that a single running maximum over the long row restarts at each table.

    Args:
        expected: the reference.
        savings: the table of savings of subtrees.
        tables: the nodes of each table, level by level.
    """

    def __init__(self, expected: Side, savings: list[Integers], tables: list[list[slice]]) -> None:
        self.savings, self.levels = savings, list[Level]()
        order, first = np.array(expected.order), np.array(expected.first)
        largest = sum(expected.most[nodes.stop - 1] + 1 for level in tables for nodes in level) + expected.all
        wide = np.promote_types(np.int32, integers_for(largest))
        subtrees: list[Any] = []
        before, offsets, start, offset = [], [], 0, 0
        for level in tables:
            paths, begin = [], start
            for nodes in level:
                leaves = first[nodes] - first[nodes.start]
                paths.append(start + 1 - begin + np.flatnonzero(leaves == 0)[1:])
                subtrees += [[len(expected.labels)], order[nodes]]
                before += [[start], start + leaves]
                offsets.append(np.full(len(leaves) + 1, offset, wide))
                start += len(leaves) + 1
                offset += expected.most[nodes.stop - 1] + 1
            on_paths = np.concatenate(paths)
            found: Integers = np.concatenate(subtrees[-2 * len(level) :])[on_paths]
            self.levels.append(Level(slice(begin, start), on_paths, found, expected.labels[found]))
        self.subtrees, self.before, self.offsets = map(np.concatenate, (subtrees, before, offsets))

    def compare(self, predicted: Side, nodes: slice, *, leftmost: int) -> Integers:
        """The last row of the forest tables of some nodes.

        The saving of two forests is the greatest of three: their saving without the last node of the first (the row
        above), without that of the second (the column before), and the saving of their last trees together with the
        forests before them.
        """
        row = self.offsets
        kept: dict[int, Integers] = {}  # the row before a leaf at which larger subtrees begin
        for number in range(nodes.start, nodes.stop):
            first, subtree = predicted.first[number], predicted.order[number]
            if first == leftmost < number:
                row = self._leftmost(row, subtree, int(predicted.labels[subtree]))
                continue
            if number in predicted.begins:
                kept[number] = row
            before = row
            if first < number:
                before = kept.pop(first) if predicted.last[first] == number else kept[first]
            pairs = before.take(self.before)
            pairs += self.savings[subtree].take(self.subtrees)
            np.maximum(pairs, row, out=pairs)
            row = np.maximum.accumulate(pairs, out=pairs)
        return row

    def _leftmost(self, above: Integers, subtree: int, label: int) -> Integers:
        """The row of a node on the leftmost path.

        If the node of a column is on such a path too, the forests are trees, and their last nodes may be a pair. The
        result is the saving of the two trees, which the columns of higher levels need.
        """
        row = np.empty_like(above)
        savings = self.savings[subtree]
        for columns, paths, subtrees, labels in self.levels:
            pairs, before, offsets = row[columns], above[columns], self.offsets[columns]
            np.add(savings.take(self.subtrees[columns]), offsets, out=pairs)
            np.maximum(pairs, before, out=pairs)
            both = before[paths - 1] + inner_savings(label, labels)
            pairs[paths] = np.maximum(pairs[paths], both)
            np.maximum.accumulate(pairs, out=pairs)
            savings[subtrees] = pairs[paths] - offsets[paths]
        return row


def forest_saving(savings: list[Integers], predicted: Side, expected: Side) -> int:
    """The saving of two forests.

    Args:
        savings: the table of savings of subtrees, where those of units are filled. Those of the larger subtrees that
            are, or are on the leftmost path of, a key-root are filled here.
        predicted: the forest of the rows.
        expected: the forest of the columns.
    """
    if predicted.keyroots and expected.keyroots:
        columns = Columns(expected, savings, [list(map(expected.nodes, level)) for level in expected.levels])
        for keyroot in predicted.keyroots:
            columns.compare(predicted, predicted.nodes(keyroot), leftmost=predicted.first[keyroot])
    forests = Columns(expected, savings, [[slice(0, len(expected.order))]])
    return int(forests.compare(predicted, slice(0, len(predicted.order)), leftmost=-1)[-1])


def integers_for(largest: int) -> np.dtype[Any]:
    """The narrowest integers, from two bytes up, that hold a number."""
    return np.promote_types(np.int16, np.min_scalar_type(-1 - largest))
