"""Ordered labelled trees with text in the leaves, and the edit distance between them.

Source: Zhang and Shasha, "Simple Fast Algorithms for the Editing Distance between Trees and Related Problems" (1989),
with the costs of Donut (Kim et al., "OCR-free Document Understanding Transformer", 2022): inserting or deleting a leaf
costs its length, an inner node 1; a leaf becomes another at their Levenshtein distance, an inner node another for 0 if
the labels agree, else 1; a leaf becomes an inner node, or the reverse, for the price of both.

Distances are computed as savings: what a mapping saves against deleting one tree and inserting the other. So borders
are 0, a leaf and an inner node are never worth a pair, and a row of the forest table is a running maximum.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray
from rapidfuzz import process
from rapidfuzz.distance import Levenshtein

Integers = NDArray[Any]

BLOCK = 512  # rows of leaf costs computed at a time: bounds what stands beside the tables


class Trees:
    """Trees, each distinct one once: a tree is a number, equal trees are equal numbers.

    A leaf, an inner node above a single leaf, and an inner node without children are *units*: they have one text at
    most, and a saving between two units has a formula.

    >>> trees = Trees()
    >>> latte, mocha = (trees.inner("nm", [trees.leaf(text)]) for text in ("Latte", "Mocha"))
    >>> trees.distance(trees.inner("menu", [latte]), trees.inner("menu", [mocha, latte]))
    6
    >>> trees.cost[mocha]
    6
    """

    def __init__(self) -> None:
        self.children: list[tuple[int, ...]] = []
        self.labels: list[int] = []  # -1: a leaf
        self.texts: list[str | None] = []  # of units; None for every other node
        self.cost: list[int] = []  # of inserting the whole tree
        self.size: list[int] = []  # in nodes, a unit being one
        self._trees: dict[Hashable, int] = {}
        self._labels: dict[Hashable, int] = {}

    def leaf(self, text: str) -> int:
        """The leaf with this text."""
        tree = self._trees.get(text)
        return self._add(text, -1, (), text, len(text)) if tree is None else tree

    def inner(self, label: Hashable, children: Sequence[int]) -> int:
        """The inner node with this label above these trees, in their order."""
        return self._inner(self._labels.setdefault(label, len(self._labels)), tuple(children))

    def _inner(self, label: int, children: tuple[int, ...]) -> int:
        tree = self._trees.get((label, children))
        if tree is not None:
            return tree
        # no child is as good as one leaf without text: both cost nothing
        text = None if len(children) > 1 else self._text_of_leaf(children[0]) if children else ""
        return self._add((label, children), label, children, text, 1 + sum(map(self.cost.__getitem__, children)))

    def _text_of_leaf(self, tree: int) -> str | None:
        return self.texts[tree] if self.labels[tree] < 0 else None

    def _add(self, key: Hashable, label: int, children: tuple[int, ...], text: str | None, cost: int) -> int:
        self.children.append(children)
        self.labels.append(label)
        self.texts.append(text)
        self.cost.append(cost)
        self.size.append(1 if text is not None else 1 + sum(map(self.size.__getitem__, children)))
        return self._trees.setdefault(key, len(self._trees))

    def distance(self, left: int, right: int) -> int:
        """The cost of the cheapest edits that make one tree the other; the same in both directions."""
        left, right = self._stripped(left, right)
        if left == right:
            return 0
        return self.cost[left] + self.cost[right] - _saving(self, left, right)

    def _stripped(self, left: int, right: int) -> tuple[int, int]:
        """Trees at the same distance, without what is equal at the beginning and at the end of the roots' children.

        Write both trees in post-order: A X B and A Y B, A and B being equal. A mapping keeps that order. If it takes a
        node of X into A, it takes all of A to places further to the front: from X one comes into A, and by A's own
        pairs to an A that is deleted, never into Y. The costs are a metric (texts and labels are metric spaces that
        touch in "nothing"), so deleting the node of X costs no more than those pairs; likewise for Y and for B. What
        remains are pairs of X and Y, and A and B can stand still. The same holds of equal roots: they are part of B.
        """
        while left != right and self.labels[left] == self.labels[right] >= 0:
            ours, theirs = self.children[left], self.children[right]
            shorter = min(len(ours), len(theirs))
            start = next((place for place in range(shorter) if ours[place] != theirs[place]), shorter)
            shorter -= start
            end = next((place for place in range(shorter) if ours[-1 - place] != theirs[-1 - place]), shorter)
            ours, theirs = ours[start : len(ours) - end], theirs[start : len(theirs) - end]
            if not len(ours) == len(theirs) == 1:
                return self._inner(self.labels[left], ours), self._inner(self.labels[right], theirs)
            left, right = ours[0], theirs[0]
        return left, right


class _Side:
    """One tree in post-order, every node as the place of its distinct subtree in the table of savings: units first,
    then the others, children before parents. `mirrored` takes all children from right to left."""

    def __init__(self, trees: Trees, root: int, *, mirrored: bool) -> None:
        order, stack = [], [root]
        while stack:  # the root, then its children from the last to the first: post-order, backwards
            tree = stack.pop()
            order.append(tree)
            if trees.texts[tree] is None:
                children = trees.children[tree]
                stack += reversed(children) if mirrored else children
        order.reverse()
        distinct = sorted(set(order))
        units = [tree for tree in distinct if trees.texts[tree] is not None]
        larger = [tree for tree in distinct if trees.texts[tree] is None]
        place = {tree: number for number, tree in enumerate(units + larger)}
        self.units = len(units)
        self.texts = [str(trees.texts[tree]) for tree in units]
        self.labels = np.array([trees.labels[tree] for tree in units + larger])
        self.children = [[place[child] for child in trees.children[tree]] for tree in larger]
        self.order = [place[tree] for tree in order]
        self.first = [number + 1 - trees.size[tree] for number, tree in enumerate(order)]
        self.begins = {first for number, first in enumerate(self.first) if first < number}
        self.cost = [trees.cost[tree] for tree in order]
        self.levels = self._levels()
        self.keyroots = sorted(number for level in self.levels for number in level)

    def _levels(self) -> list[list[int]]:
        """The key-roots that are no units, each distinct subtree once. Those of a level contain key-roots of the levels
        before only. A key-root is the last node of all that have the same first leaf."""
        levels: list[list[int]] = []
        known: set[int] = set()
        inside: list[tuple[int, int]] = []
        for number in sorted({first: number for number, first in enumerate(self.first)}.values()):
            first = self.first[number]
            if first == number:
                continue
            depth = 0
            while inside and inside[-1][0] > first:
                depth = max(depth, inside.pop()[1] + 1)
            inside.append((number, depth))
            if self.order[number] not in known:
                known.add(self.order[number])
                if depth == len(levels):
                    levels.append([])
                levels[depth].append(number)
        return levels

    @property
    def work(self) -> int:
        """The number of rows, or columns, of all forest tables."""
        return sum(number + 1 - self.first[number] for number in self.keyroots)


def _saving(trees: Trees, left: int, right: int) -> int:
    sides = [[_Side(trees, root, mirrored=mirrored) for root in (left, right)] for mirrored in (False, True)]
    ours, theirs = min(sides, key=lambda pair: pair[0].work * pair[1].work)
    savings = _unit_savings(ours, theirs)
    if ours.keyroots and theirs.keyroots:
        columns = _Columns(theirs, savings)
        for keyroot in ours.keyroots:
            columns.compare(ours, keyroot)
    return int(savings[ours.order[-1], theirs.order[-1]])


def _unit_savings(ours: _Side, theirs: _Side) -> Integers:
    """The table of savings, our distinct subtrees × theirs, filled wherever one of the two is a unit.

    Two units save what their texts save and, where each has an inner node, what those save. A last column of zeros
    stands for "nothing".
    """
    savings = np.zeros((len(ours.labels), len(theirs.labels) + 1), _integers(theirs))
    units = savings[: ours.units, : theirs.units]
    our_labels, their_labels = ours.labels[: ours.units], theirs.labels[: theirs.units]
    lengths = np.array([len(text) for text in theirs.texts])
    blocks = [slice(start, start + BLOCK) for start in range(0, ours.units, BLOCK)]
    for rows in blocks:
        texts = ours.texts[rows]
        distances = process.cdist(texts, theirs.texts, scorer=Levenshtein.distance, dtype=np.int32)
        units[rows] = np.array([[len(text)] for text in texts]) + lengths - distances
    _add_larger(savings[:, : theirs.units], ours)
    _add_larger(savings.T[:, : ours.units], theirs)
    for rows in blocks:
        units[rows] += _inner_savings(our_labels[rows, None], their_labels)
    _add_larger(savings[:, : theirs.units], ours, their_labels)
    _add_larger(savings.T[:, : ours.units], theirs, our_labels)
    return savings


def _integers(side: _Side) -> type[np.signedinteger[Any]]:
    """The narrowest integers for the savings and for the offsets of the key-roots' columns."""
    largest = sum(2 * side.cost[number] + 1 for number in (*side.keyroots, -1))
    return np.int32 if largest < 2**31 else np.int64


def _add_larger(savings: Integers, side: _Side, labels: Integers | None = None) -> None:
    """Fill in the rows of a side's larger subtrees, against units, children first.

    Without labels: the most that the texts alone save. Then, with the labels of the units, which it adds: both nodes
    are a pair and the text goes with one of those below, or the unit as a whole goes into a child.
    """
    for row, children in enumerate(side.children, side.units):
        best = savings[row]
        if labels is not None:
            best += _inner_savings(side.labels[row], labels)
        for child in children:
            np.maximum(best, savings[child], out=best)


def _inner_savings(labels: Any, others: Integers) -> Integers:
    """What pairs of inner nodes save by themselves; nothing where one of the two is a leaf."""
    savings: Integers = ((labels >= 0) & (others >= 0)) * (1 + (labels == others))
    return savings


class _Columns:
    """The columns of all forest tables of one side's key-roots in one long row, level after level.

    Each key-root has a first column for the empty forest. Its columns carry an offset larger than all savings before
    it, so that one running maximum over the long row begins anew at each key-root.
    """

    def __init__(self, side: _Side, savings: Integers) -> None:
        self.savings, self.labels = savings, side.labels
        self.levels: list[tuple[slice, Integers]] = []  # columns, and among them the nodes on the leftmost paths
        order, first = np.array(side.order), np.array(side.first)
        subtrees, before, offsets, start, offset = [], [], [], 0, 0
        for level in side.levels:
            paths, begun = [], start
            for number in level:
                nodes = slice(first[number], number + 1)
                leaves = first[nodes] - first[number]
                paths.append(start + 1 + np.flatnonzero(leaves == 0)[1:])
                subtrees += [[len(side.labels)], order[nodes]]
                before += [[start], start + leaves]
                offsets.append(np.full(len(leaves) + 1, offset, savings.dtype))
                start += len(leaves) + 1
                offset += 2 * side.cost[number] + 1
            self.levels.append((slice(begun, start), np.concatenate(paths)))
        self.subtrees, self.before, self.offsets = map(np.concatenate, (subtrees, before, offsets))

    def compare(self, side: _Side, keyroot: int) -> None:
        """Fill in the savings of the larger subtrees on the leftmost path of a key-root of the other side.

        A forest pair saves the most of: what it saves without its last node on either side (the row above, the column
        before), or what its last trees save together and the forests before them.
        """
        start = side.first[keyroot]
        row = self.offsets
        kept: dict[int, Integers] = {}  # the row before a leaf where larger subtrees begin
        for number in range(start, keyroot + 1):
            first, subtree = side.first[number], side.order[number]
            if first == start < number:
                row = self._leftmost(row, subtree, int(side.labels[subtree]))
                continue
            if number in side.begins:
                kept[number] = row
            pairs = (row if first == number else kept[first]).take(self.before)
            pairs += self.savings[subtree].take(self.subtrees)
            np.maximum(pairs, row, out=pairs)
            row = np.maximum.accumulate(pairs, out=pairs)

    def _leftmost(self, above: Integers, subtree: int, label: int) -> Integers:
        """The row of a node on the leftmost path: where a column's node is on such a path too, the forests are trees,
        the last nodes may be a pair, and the result is their saving, which columns of higher levels need."""
        row = np.empty_like(above)
        savings = self.savings[subtree]
        for columns, path in self.levels:
            pairs = savings.take(self.subtrees[columns])
            pairs += self.offsets[columns]
            np.maximum(pairs, above[columns], out=pairs)
            subtrees, within = self.subtrees[path], path - columns.start
            both = above[path - 1] + _inner_savings(label, self.labels[subtrees])
            pairs[within] = np.maximum(pairs[within], both)
            np.maximum.accumulate(pairs, out=row[columns])
            savings[subtrees] = row[path] - self.offsets[path]
        return row
