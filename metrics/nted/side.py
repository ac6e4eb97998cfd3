"""One of the two trees, as the tables of forests need it."""

from __future__ import annotations

import numpy as np

from docie.metrics.nted.heavy_paths import Ordered
from docie.metrics.nted.trees import Trees


class Side:
    """One tree in post-order. A node is the place of its distinct subtree in the table of savings.

    In the table, units come first, then the other subtrees, children before parents.

    Args:
        trees: where the tree is stored.
        root: its root.
        is_mirrored: whether all children are taken from right to left.
        is_split: whether the root is put aside, so that key-roots are those of the forest below it.
    """

    def __init__(self, trees: Trees, root: int, *, is_mirrored: bool, is_split: bool) -> None:
        order, stack = [], [root]
        while stack:  # the root, then its children from the last to the first: post-order backwards
            tree = stack.pop()
            order.append(tree)
            if trees.texts[tree] is None:
                children = trees.children[tree]
                stack += reversed(children) if is_mirrored else children
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
        self.is_split = is_split
        self.last = {first: number for number, first in enumerate(self.first[:-1] if is_split else self.first)}
        self.begins = {first for first, number in self.last.items() if first < number}
        self.cost = [trees.cost[tree] for tree in order]
        self.levels = self._levels()
        self.keyroots = sorted(number for level in self.levels for number in level)

    def _levels(self) -> list[list[int]]:
        """The key-roots that are no units, each distinct subtree once, in levels.

        A key-root is the last of all nodes that have the same first leaf. The key-roots of a level contain only
        key-roots of the levels before.
        """
        levels: list[list[int]] = []
        known: set[int] = set()
        inside: list[tuple[int, int]] = []
        for number in sorted(self.last.values()):
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

    def nodes(self, number: int) -> slice:
        """The nodes of a node's tree."""
        return slice(self.first[number], number + 1)

    @property
    def ordered(self) -> Ordered:
        """The tree as heavy paths need it."""
        sizes = [number + 1 - first for number, first in enumerate(self.first)]
        return Ordered(self.order, sizes, [subtree < self.units for subtree in self.order])

    @property
    def work(self) -> int:
        """The number of rows, or columns, of all forest tables."""
        return sum(number + 1 - self.first[number] for number in self.keyroots)
