"""nTED's measurements.

The textbook loop is Zhang and Shasha's algorithm as published, in plain Python: key-roots, one forest table for each
pair of them, Donut's costs (leaf costs by rapidfuzz, one pair at a time, each pair once). It reads only the generated
documents and checks nothing. The kernel is what no nTED can avoid: reading both trees, and the distances between their
texts, all at once.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, partial
from typing import Any, NamedTuple

import generate
from rapidfuzz import process
from rapidfuzz.distance import Levenshtein

from docie import corpus, nted

Pair = tuple[dict[str, Any], dict[str, Any]]


def measurements(documents: int) -> dict[str, tuple[int, Callable[[], Callable[[], Any]]]]:
    """name → number of documents, and what prepares the work and returns it; the work alone is timed."""
    kinds = (("corpus.evaluate", ours), ("textbook loop", textbook), ("kernel", kernel))
    rows: dict[str, tuple[int, Callable[[], Callable[[], Any]]]] = {
        name: (documents, partial(of_receipts, make, documents)) for name, make in kinds
    }
    for groups in (10, 40, 200):
        for name, make in kinds:
            rows[f"{name}, {groups:,} groups"] = (1, partial(of_groups, make, groups))
    return rows


def of_receipts(make: Callable[[list[Pair]], Callable[[], Any]], documents: int) -> Callable[[], Any]:
    return make(list(generate.receipts(documents)))


def of_groups(make: Callable[[list[Pair]], Callable[[], Any]], groups: int) -> Callable[[], Any]:
    return make([generate.with_groups(groups)])


def ours(pairs: list[Pair]) -> Callable[[], Any]:
    predictions, references = [p for p, _ in pairs], [r for _, r in pairs]
    return lambda: corpus.evaluate(nted, predictions, references)


def kernel(pairs: list[Pair]) -> Callable[[], Any]:
    def run() -> None:
        for prediction, reference in pairs:
            left, right = (
                sorted({node for node, leaf in tree(side).nodes if leaf}) for side in (prediction, reference)
            )
            process.cdist(left, right, scorer=Levenshtein.distance)

    return run


def textbook(pairs: list[Pair]) -> Callable[[], Any]:
    return lambda: [accuracy(prediction, reference) for prediction, reference in pairs]


def accuracy(prediction: dict[str, Any], reference: dict[str, Any]) -> float:
    left, right = tree(prediction), tree(reference)
    return max(0.0, 1 - distance(left, right) / (sum(map(cost, right.nodes)) - 1))


class Tree(NamedTuple):
    """Nodes in post-order, (label or text, whether it is a leaf), and the place of each one's first leaf."""

    nodes: list[tuple[str, bool]]
    first: list[int]

    def add(self, label: str, first: int, *, leaf: bool = False) -> None:
        self.nodes.append((label, leaf))
        self.first.append(first)


def tree(document: dict[str, Any], label: str = "<root>", into: Tree | None = None) -> Tree:
    """The tree of a generated document, or of an object in it."""
    into = Tree([], []) if into is None else into
    start = len(into.nodes)
    for key in sorted(document, key=lambda key: (len(key), key)):
        value, first = document[key], len(into.nodes)
        if isinstance(value, str):
            into.add(value, first, leaf=True)
        else:
            for item in value if isinstance(value, list) else [value]:
                if item:
                    tree(item, "<subtree>", into)
        if len(into.nodes) > first:
            into.add(key, first)
    into.add(label, start)
    return into


def cost(node: tuple[str, bool]) -> int:
    return len(node[0]) if node[1] else 1


@cache
def change(one: tuple[str, bool], other: tuple[str, bool]) -> int:
    if one[1] and other[1]:
        return Levenshtein.distance(one[0], other[0])
    return int(one[0] != other[0]) if one[1] == other[1] else cost(one) + cost(other)


def distance(left: Tree, right: Tree) -> int:
    """Zhang and Shasha's distance, in the order of their paper."""
    trees = [[0] * len(right.nodes) for _ in left.nodes]
    for i in keyroots(left):
        for j in keyroots(right):
            forests(left, right, i, j, trees)
    return trees[-1][-1]


def keyroots(tree: Tree) -> list[int]:
    return sorted({first: number for number, first in enumerate(tree.first)}.values())


def forests(left: Tree, right: Tree, i: int, j: int, trees: list[list[int]]) -> None:
    """Fill the forest table of two key-roots, and the distances of the trees on their leftmost paths."""
    top, start = left.first[i], right.first[j]
    removed, inserted = list(map(cost, left.nodes[top : i + 1])), list(map(cost, right.nodes[start : j + 1]))
    table = [[0] * (j - start + 2) for _ in range(i - top + 2)]
    for y in range(start, j + 1):
        table[0][y - start + 1] = table[0][y - start] + inserted[y - start]
    for x in range(top, i + 1):
        above, row = table[x - top], table[x - top + 1]
        row[0] = above[0] + removed[x - top]
        for y in range(start, j + 1):
            best = min(above[y - start + 1] + removed[x - top], row[y - start] + inserted[y - start])
            if left.first[x] == top and right.first[y] == start:
                best = min(best, above[y - start] + change(left.nodes[x], right.nodes[y]))
                trees[x][y] = best
            else:
                best = min(best, table[left.first[x] - top][right.first[y] - start] + trees[x][y])
            row[y - start + 1] = best
