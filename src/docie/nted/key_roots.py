"""The forest tables of key-roots (Zhang and Shasha, 1989), whose rows are made all at once."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from docie.nted.side import Side

Integers = NDArray[Any]

WIDE = 4096  # columns, from which rows have lanes


def inner_savings(labels: Any, other_labels: Integers) -> Integers:
    """How much pairs of inner nodes save by themselves; 0 where one of the two is a leaf."""
    savings: Integers = ((labels >= 0) & (other_labels >= 0)) * (1 + (labels == other_labels))
    return savings


class Lanes:
    """The order of a long row in which its running maxima are fast: whole vectors at a time, not cell by cell.

    The row is cut into many short pieces. First come the first cells of all pieces, then the second ones, and so on.

    >>> Lanes(40).running_maxima(Lanes(40).spread(np.arange(40)))[:3]
    array([ 0, 32,  1])
    """

    LENGTH = 32  # of a piece

    def __init__(self, length: int) -> None:
        self.length, self.pieces = length, -(-length // self.LENGTH)

    def spread(self, row: Integers) -> Integers:
        """A row in this order; its last cell fills it up."""
        full = np.pad(row, (0, self.pieces * self.LENGTH - self.length), mode="edge")
        spread: Integers = full.reshape(self.pieces, self.LENGTH).T.ravel()
        return spread

    def joined(self, row: Integers) -> Integers:
        """A row in its own order."""
        joined: Integers = row.reshape(self.LENGTH, self.pieces).T.ravel()
        return joined[: self.length]

    def places(self, cells: Integers) -> Integers:
        """Where cells of a row are in this order."""
        places: Integers = cells % self.LENGTH * self.pieces + cells // self.LENGTH
        return places

    def running_maxima(self, row: Integers) -> Integers:
        """The running maxima of a row, in place; row and result are in this order."""
        lanes = row.reshape(self.LENGTH, self.pieces)
        above = lanes[0]
        for lane in lanes[1:]:
            above = np.maximum(above, lane, out=lane)
        np.maximum(lanes[:, 1:], np.maximum.accumulate(above[:-1]), out=lanes[:, 1:])
        return row


class Columns:
    """The columns of all forest tables of the reference's key-roots in one long row, level by level.

    Each key-root has a first column for the empty forest. Its columns carry an offset larger than all savings before
    it, so that one running maximum over the long row begins anew at each key-root.
    """

    def __init__(self, expected: Side, savings: Integers) -> None:
        self.savings, self.labels = savings, expected.labels
        self.levels: list[tuple[slice, Integers]] = []  # columns, and among them the nodes on the leftmost paths
        order, first = np.array(expected.order), np.array(expected.first)
        subtrees, before, offsets, start, offset = [], [], [], 0, 0
        for level in expected.levels:
            paths, begin = [], start
            for number in level:
                nodes = slice(first[number], number + 1)
                leaves = first[nodes] - first[number]
                paths.append(start + 1 + np.flatnonzero(leaves == 0)[1:])
                subtrees += [[len(expected.labels)], order[nodes]]
                before += [[start], start + leaves]
                offsets.append(np.full(len(leaves) + 1, offset, savings.dtype))
                start += len(leaves) + 1
                offset += 2 * expected.cost[number] + 1
            self.levels.append((slice(begin, start), np.concatenate(paths)))
        self.subtrees, self.before, self.offsets = map(np.concatenate, (subtrees, before, offsets))
        self.lanes = Lanes(len(self.subtrees)) if len(self.subtrees) >= WIDE else None
        self.all_subtrees, self.all_before = self.subtrees, self.before
        if self.lanes is not None:
            self.all_subtrees = self.lanes.spread(self.subtrees)
            self.all_before = self.lanes.places(self.lanes.spread(self.before))

    def compare(self, predicted: Side, keyroot: int) -> None:
        """Fill the savings of the larger subtrees on the leftmost path of a predicted key-root.

        The saving of two forests is the greatest of three: what they save without the last node of one side (the row
        above), without that of the other side (the column before), and what their last trees save together with the
        forests before them.
        """
        start = predicted.first[keyroot]
        lanes = self.lanes
        row = self.offsets if lanes is None else lanes.spread(self.offsets)
        kept: dict[int, Integers] = {}  # the row before a leaf at which larger subtrees begin
        for number in range(start, keyroot + 1):
            first, subtree = predicted.first[number], predicted.order[number]
            if first == start < number:
                label = int(predicted.labels[subtree])
                if lanes is None:
                    row = self._leftmost(row, subtree, label)
                else:
                    row = lanes.spread(self._leftmost(lanes.joined(row), subtree, label))
                continue
            if number in predicted.begins:
                kept[number] = row
            pairs = (row if first == number else kept[first]).take(self.all_before)
            pairs += self.savings[subtree].take(self.all_subtrees)
            np.maximum(pairs, row, out=pairs)
            row = np.maximum.accumulate(pairs, out=pairs) if lanes is None else lanes.running_maxima(pairs)

    def _leftmost(self, above: Integers, subtree: int, label: int) -> Integers:
        """The row of a node on the leftmost path.

        Where the node of a column is on such a path too, the forests are trees, and their last nodes may be a pair. The
        result is the saving of the two trees, which the columns of higher levels need.
        """
        row = np.empty_like(above)
        savings = self.savings[subtree]
        for columns, path in self.levels:
            pairs = savings.take(self.subtrees[columns])
            pairs += self.offsets[columns]
            np.maximum(pairs, above[columns], out=pairs)
            subtrees, within = self.subtrees[path], path - columns.start
            both = above[path - 1] + inner_savings(label, self.labels[subtrees])
            pairs[within] = np.maximum(pairs[within], both)
            np.maximum.accumulate(pairs, out=row[columns])
            savings[subtrees] = row[path] - self.offsets[path]
        return row
