"""Savings between two trees along heavy paths: for deep trees, whose tables of key-roots are too large.

Source: Klein, "Computing the Edit-Distance between Unrooted Ordered Trees" (1998). The first tree is decomposed along
its heavy paths, which lead from a node to its largest child, the second tree in every way: its forest (i, j) has the
nodes that are among the last i in pre-order and among the first j in post-order.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

Integers = NDArray[Any]
InnerSavings = Callable[[int, Integers], Integers]
"""The savings of pairs of inner nodes, for a row and columns of the table of savings."""


class Ordered(NamedTuple):
    """A tree in post-order: the distinct subtrees of its nodes as numbers, their sizes in nodes, and whether each is a
    unit."""

    subtrees: list[int]
    sizes: list[int]
    is_unit: list[bool]

    def children(self, node: int) -> list[int]:
        """The children of a node in post-order, from the last to the first."""
        children, first = [], node - self.sizes[node] + 1
        child = node - 1
        while child >= first:
            children.append(child)
            child -= self.sizes[child]
        return children

    def paths(self) -> list[list[int]]:
        """Heavy paths from their first node down, smaller trees first; each distinct tree once, units never."""
        paths, known = [], set()
        stack = [len(self.sizes) - 1]
        while stack:
            node = stack.pop()
            if self.is_unit[node] or self.subtrees[node] in known:
                continue
            known.add(self.subtrees[node])
            path = [node]
            while not self.is_unit[node]:
                children = self.children(node)
                heavy = max(children, key=self.sizes.__getitem__)
                stack += [child for child in children if child != heavy]
                path.append(node := heavy)
            paths.append(path)
        return sorted(paths, key=lambda path: self.sizes[path[0]])

    def sides(self, heavy: int, node: int) -> tuple[list[int], list[int]]:
        """The nodes beside the heavy child of a node: those after it in post-order, those before it in reverse
        pre-order."""
        begin, end = node + 1 - self.sizes[node], heavy + 1 - self.sizes[heavy]
        return list(range(heavy + 1, node)), _reverse_pre_order(self, begin, end)


def work(tree: Ordered) -> tuple[int, int]:
    """The number of forests along all heavy paths of a tree, and the number of their tables that are needed at once."""
    forests = most = 0
    for path in tree.paths():
        forests += tree.sizes[path[0]]
        for heavy, node in pairwise(reversed(path)):
            for nodes in tree.sides(heavy, node):
                starts, last_use = _last_uses(tree, nodes)
                is_open = 0
                for number, start in enumerate(starts):
                    is_open += last_use.get(number, number) > number
                    most = max(most, is_open)
                    is_open -= last_use[start] == number > start
    return forests, most


def fill_savings(savings: Integers, first: Ordered, second: Ordered, inner: InnerSavings) -> None:
    """Fill the savings of the larger subtrees, after those of units.

    Args:
        savings: the table of savings; rows and columns are distinct subtrees.
        first: the tree of the rows.
        second: the tree of the columns.
        inner: returns the savings of pairs of inner nodes by themselves.
    """
    forests = _Forests(savings, second, inner)
    for path in first.paths():
        forests.climb(first, path)


class _Direction(NamedTuple):
    """One of the two orders in which nodes are added: in post-order as last roots, in reverse pre-order as first ones.

    A forest (i, j) of the second tree has the nodes that are among the first i in one order, and among the first j in
    the other.
    """

    subtrees: Integers  # of the nodes, in this order
    without: Integers  # how many nodes come before the tree of each node
    is_in: Integers  # (node, i): 1 if the node is among the first i of the other order, else 0


class _Forests:
    """Tables of the savings between one forest of the first tree and every forest (i, j) of the second.

    A row of a table is a j: its running maxima go from row to row, so they are computed for all i at once.
    """

    def __init__(self, savings: Integers, second: Ordered, inner: InnerSavings) -> None:
        self.savings, self.inner = savings, inner
        number = len(second.sizes)
        self.empty = np.zeros((number + 1, number + 1), savings.dtype)
        reverse = np.array(_reverse_pre_order(second, 0, number))  # the nodes, in this order
        self.reverse = np.argsort(reverse)  # the position of each node in it
        by_post, sizes, places = np.array(second.subtrees), np.array(second.sizes), np.arange(number)
        counts = np.arange(number + 1)
        is_among = [(order[:, None] < counts).astype(savings.dtype) for order in (self.reverse, reverse)]
        self.last = _Direction(by_post, places + 1 - sizes, is_among[0])
        self.first = _Direction(by_post[reverse], places + 1 - sizes[reverse], is_among[1])
        self.larger = np.flatnonzero(~np.array(second.is_unit))

    def climb(self, tree: Ordered, path: list[int]) -> None:
        """Fill the savings of the nodes on a path, from its end up."""
        table = self._best(self.savings[tree.subtrees[path[-1]]].take(self.last.subtrees), self.empty)
        for heavy, node in pairwise(reversed(path)):
            behind, before = tree.sides(heavy, node)
            table = self._with(table, tree, behind, self.last)
            if before:
                table = self._with(table.T.copy(), tree, before, self.first).T.copy()
            table = self._with_root(table, tree.subtrees[node])

    def _best(self, single: Integers, below: Integers) -> Integers:
        """The greatest of `below`, and of the savings of the single nodes in each forest."""
        table = np.empty_like(self.empty)
        table[0] = 0
        np.multiply(self.last.is_in, single[:, None], out=table[1:])
        return _running_maxima(table, below)

    def _with_root(self, below: Integers, subtree: int) -> Integers:
        """The table of a tree, from that of the forest below its root."""
        single, nodes = self.savings[subtree].take(self.last.subtrees), self.larger
        columns = self.last.subtrees[nodes]
        single[nodes] = below[nodes, self.reverse[nodes]] + self.inner(subtree, columns)
        table = self._best(single, below)
        self.savings[subtree, columns] = table[nodes + 1, self.reverse[nodes] + 1]
        return table

    def _with(self, table: Integers, tree: Ordered, nodes: list[int], direction: _Direction) -> Integers:
        """The table with further nodes, each the first or last root when it is added."""
        starts, last_use = _last_uses(tree, nodes)
        kept: dict[int, Integers] = {}
        for number, (node, start) in enumerate(zip(nodes, starts, strict=True)):
            if last_use.get(number, number) > number:
                kept[number] = table
            without = table if start == number else kept[start]
            pairs = np.empty_like(table)
            pairs[0] = 0
            np.take(without, direction.without, axis=0, out=pairs[1:], mode="clip")  # otherwise it makes a copy
            pairs[1:] += self.savings[tree.subtrees[node]].take(direction.subtrees)[:, None]
            pairs[1:] *= direction.is_in
            table = _running_maxima(pairs, table)
            if last_use[start] == number:
                kept.pop(start, None)
        return table


def _running_maxima(table: Integers, least: Integers) -> Integers:
    """The table, in place, each row at least as great as the row before and as that of `least`."""
    np.maximum(table, least, out=table)
    above = table[0]
    for row in table[1:]:  # faster than np.maximum.accumulate, which goes cell by cell
        above = np.maximum(row, above, out=row)
    return table


def _last_uses(tree: Ordered, nodes: list[int]) -> tuple[list[int], dict[int, int]]:
    """For nodes in an order, each the last of its tree: the positions where the trees begin, and for each such position
    the last node whose tree begins there."""
    starts = [number + 1 - tree.sizes[node] for number, node in enumerate(nodes)]
    return starts, {start: number for number, start in enumerate(starts)}


def _reverse_pre_order(tree: Ordered, begin: int, end: int) -> list[int]:
    """The nodes of the trees between two places in post-order, in the reverse of pre-order."""
    stack, order = [], []
    while end > begin:
        stack.append(end - 1)
        end -= tree.sizes[end - 1]
    while stack:
        node = stack.pop()
        order.append(node)
        stack += tree.children(node)
    return order[::-1]
