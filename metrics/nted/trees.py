"""Ordered labelled trees with text in the leaves; equal trees are stored once.

A leaf of a reference may have alternatives: its own text, which says what it costs to insert, and others. Beside a
predicted leaf, the most similar one counts.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence

import numpy as np

Forest = tuple[int, ...]
"""Trees side by side, in their order."""


class Trees:
    """Trees, each distinct one stored once. A tree is a number; equal trees have equal numbers.

    *Units* are leaves, inner nodes above a single leaf, and inner nodes without children. A unit has at most one text,
    and the saving between two units has a formula.

    >>> trees = Trees()
    >>> latte, mocha = (trees.inner("nm", [trees.leaf(text)]) for text in ("Latte", "Mocha"))
    >>> trees.cost[mocha]
    6
    """

    def __init__(self) -> None:
        self.children: list[tuple[int, ...]] = []
        self.labels: list[int] = []  # -1: a leaf
        self.texts: list[str | None] = []  # of units; None for every other node
        self.others: list[tuple[str, ...]] = []  # the alternatives to the text of a unit
        self.cost: list[int] = []  # of inserting the whole tree
        self.most: list[int] = []  # no pair of this tree and another one saves more
        self.size: list[int] = []  # in nodes; a unit counts as one
        self._trees: dict[Hashable, int] = {}
        self._labels: dict[Hashable, int] = {}
        self._has_shorter = False  # whether an alternative is shorter than the text of its leaf

    def leaf(self, text: str, *others: str) -> int:
        """The leaf with this text, or with alternatives to it."""
        key = (text, *others) if others else text
        tree = self._trees.get(key)
        if tree is not None:
            return tree
        self._has_shorter |= any(len(other) < len(text) for other in others)
        return self._add(key, -1, (), text, others)

    def inner(self, label: Hashable, children: Sequence[int]) -> int:
        """The inner node with this label above these trees, in their order."""
        return self._inner(self._labels.setdefault(label, len(self._labels)), tuple(children))

    def _inner(self, label: int, children: tuple[int, ...]) -> int:
        tree = self._trees.get((label, children))
        if tree is not None:
            return tree
        # having no child is the same as having a leaf without text: both cost nothing
        text = None if len(children) > 1 else self._text_of_leaf(children[0]) if children else ""
        others = self.others[children[0]] if children and text is not None else ()
        return self._add((label, children), label, children, text, others)

    def _text_of_leaf(self, tree: int) -> str | None:
        return self.texts[tree] if self.labels[tree] < 0 else None

    def _add(
        self, key: Hashable, label: int, children: tuple[int, ...], text: str | None, others: tuple[str, ...]
    ) -> int:
        self.children.append(children)
        self.labels.append(label)
        self.texts.append(text)
        self.others.append(others)
        own = 1 if label >= 0 else len(text or "")
        self.cost.append(own + sum(map(self.cost.__getitem__, children)))
        # a leaf may be paired with a text that is as long as its longest alternative
        longer = max(0, max(map(len, others)) - len(text or "")) if others and label < 0 else 0
        self.most.append(2 * own + longer + sum(map(self.most.__getitem__, children)))
        self.size.append(1 if text is not None else 1 + sum(map(self.size.__getitem__, children)))
        return self._trees.setdefault(key, len(self._trees))

    def forests(self, prediction: int, reference: int) -> tuple[Forest, Forest]:
        """The forests of two trees that remain to be compared: their distance is that of the trees.

        Two roots with one label are a pair in one of the best mappings, and what remains is below. Suppose they are
        not. At most one of them is in a pair at all: the other node of that pair is below the other root, which can be
        in no pair with a node below the first. To put the pair of roots in its place saves 2, and no pair of inner
        nodes saves more.

        Equal trees at both fronts or at both ends go. Write both forests in post-order: A X B and A Y B, where A and B
        are equal. A mapping keeps that order. Suppose it maps a node of X into A. Then it maps all of A to places
        further to the front. From the node of X, the pairs of A lead on to a node of A that is deleted, never into Y.
        The costs are a metric, so to delete the node of X costs no more than these pairs. The same holds for Y and for
        B. What remains are pairs of X and Y, and A and B can stay as they are.

        A leaf of Y may have alternatives, as long as none is shorter than its text: what is inserted in its place, and
        changed into one of them, is longer then. Otherwise nothing goes.
        """
        predicted: Forest = (prediction,)
        expected: Forest = (reference,)
        while True:
            if not self._has_shorter:
                predicted, expected = _without_equal_fronts(predicted, expected)
                predicted, expected = (side[::-1] for side in _without_equal_fronts(predicted[::-1], expected[::-1]))
            if not len(predicted) == len(expected) == 1:
                return predicted, expected
            label = self.labels[predicted[0]]
            if label < 0 or label != self.labels[expected[0]]:
                return predicted, expected
            predicted, expected = self.children[predicted[0]], self.children[expected[0]]


def _without_equal_fronts(predicted: Forest, expected: Forest) -> tuple[Forest, Forest]:
    pairs = zip(predicted, expected, strict=False)
    start = next((place for place, pair in enumerate(pairs) if pair[0] != pair[1]), min(len(predicted), len(expected)))
    return predicted[start:], expected[start:]


class Side:
    """A forest in post-order. A node is the position of its distinct subtree in the table of savings.

    In the table, units come first, then the other subtrees, children before parents.

    Args:
        trees: where the trees are stored.
        forest: the trees.
    """

    def __init__(self, trees: Trees, forest: Forest) -> None:
        order, stack = [], [*forest]
        while stack:  # a root, then its children from the last to the first: post-order backwards
            tree = stack.pop()
            order.append(tree)
            if trees.texts[tree] is None:
                stack += trees.children[tree]
        order.reverse()
        distinct = sorted(set(order))
        units = [tree for tree in distinct if trees.texts[tree] is not None]
        larger = [tree for tree in distinct if trees.texts[tree] is None]
        place = {tree: number for number, tree in enumerate(units + larger)}
        self.texts = [str(trees.texts[tree]) for tree in units]
        self.others = {number: trees.others[tree] for number, tree in enumerate(units) if trees.others[tree]}
        self.labels = np.array([trees.labels[tree] for tree in units + larger])
        self.children = [[place[child] for child in trees.children[tree]] for tree in larger]
        self.order = [place[tree] for tree in order]
        self.first = [number + 1 - trees.size[tree] for number, tree in enumerate(order)]
        self.last = {first: number for number, first in enumerate(self.first)}
        self.begins = {first for first, number in self.last.items() if first < number}
        self.most = [trees.most[tree] for tree in order]
        self.all = sum(trees.most[tree] for tree in forest)
        self.levels = self._levels()
        self.keyroots = sorted(number for level in self.levels for number in level)

    def _levels(self) -> list[list[int]]:
        """The key-roots that are not units, each distinct subtree once, in levels.

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
