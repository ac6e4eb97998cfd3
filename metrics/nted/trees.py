"""Ordered labelled trees with text in the leaves, equal ones stored once."""

from __future__ import annotations

from collections.abc import Hashable, Sequence


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
        # to have no child is the same as to have a leaf without text: both cost nothing
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

    def stripped(self, prediction: int, reference: int) -> tuple[int, int]:
        """Trees at the same distance, without the roots' first and last children that are equal on both sides.

        Write both trees in post-order: A X B and A Y B, where A and B are equal. A mapping keeps that order. Suppose it
        maps a node of X into A. Then it maps all of A to places further to the front. From the node of X, the pairs of
        A lead on to a node of A that is deleted, never into Y. The costs are a metric, so to delete the node of X costs
        no more than these pairs. The same holds for Y and for B. What remains are pairs of X and Y, and A and B can
        stay as they are. Equal roots are part of B.
        """
        while prediction != reference and self.labels[prediction] == self.labels[reference] >= 0:
            predicted, expected = self.children[prediction], self.children[reference]
            shorter = min(len(predicted), len(expected))
            start = next((place for place in range(shorter) if predicted[place] != expected[place]), shorter)
            shorter -= start
            end = next((place for place in range(shorter) if predicted[-1 - place] != expected[-1 - place]), shorter)
            predicted, expected = predicted[start : len(predicted) - end], expected[start : len(expected) - end]
            if not len(predicted) == len(expected) == 1:
                label = self.labels[prediction]
                return self._inner(label, predicted), self._inner(label, expected)
            prediction, reference = predicted[0], expected[0]
        return prediction, reference

    def with_equal_roots(self, prediction: int, reference: int) -> tuple[int, int]:
        """Trees at the same distance, whose roots have one label; none of the two may be a unit.

        Then the roots are a pair in one of the best mappings, and what remains is the distance of the forests below.
        Suppose they are not. At most one of them is in a pair at all: the other node of that pair is below the other
        root, which can be in no pair with a node below the first. To put the pair of roots in its place saves 2, and no
        pair of inner nodes saves more.
        """
        if self.labels[prediction] == self.labels[reference]:
            return prediction, reference
        return self.inner(None, [prediction]), self.inner(None, [reference])
