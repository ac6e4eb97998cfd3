"""Which edits make the predicted tree the reference: the textbook algorithm, with its way back, for trees to look at.

Source: Zhang and Shasha, "Simple Fast Algorithms for the Editing Distance between Trees and Related Problems" (1989).
The costs are those of `docie.metrics.nted.tree_edit_distance`, which computes the distance itself, and far faster.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any, Literal, NamedTuple

from rapidfuzz.distance import Levenshtein

from docie.core.values.json_text import with_deep_recursion
from docie.documents.tree import Node
from docie.metrics.nted.metric import DEFAULT, ROOT, Settings, choose_alternatives, object_tree, parse_side

MOST_CELLS = 2_000_000
"""Cells of all forest tables: about a second of work."""
Operation = Literal["equal", "rename", "delete", "insert"]
Table = list[list[int]]


@dataclass(slots=True, eq=False)
class EditedNode:
    """A node of one of the two trees, and what becomes of it.

    Attributes:
        label: the key; None for a leaf, the root, and the objects of a list.
        text: the text of a leaf; None for every other node.
        children: the nodes below, in order.
        operation: "equal", "rename" (a leaf or a key that becomes another), "delete" (only the prediction has it) or
            "insert" (only the reference has it).
        cost: what the edit costs; 0 if there is none. A rename has it on both sides.
        counterpart: the node of the other tree that it is or becomes; None if there is none.
    """

    label: str | None
    text: str | None
    children: list[EditedNode] = field(default_factory=list)
    operation: Operation = "equal"
    cost: int = 0
    counterpart: EditedNode | None = None

    @property
    def price(self) -> int:
        """What it costs to insert or to delete the node alone."""
        return 1 if self.text is None else len(self.text)

    def walk(self) -> Iterator[EditedNode]:
        """The node and all below it, each before its children."""
        stack = [self]
        while stack:
            node = stack.pop()
            yield node
            stack += reversed(node.children)


class TreeEdits(NamedTuple):
    """The edits of one document.

    Attributes:
        prediction, reference: both trees.
        distance: the cost of all edits, TED(prediction, reference).
        full_cost: what it costs to write the whole reference, TED({}, reference).
    """

    prediction: EditedNode
    reference: EditedNode
    distance: int
    full_cost: int

    @property
    def accuracy(self) -> float:
        """The nTED accuracy of the document: max(0, 1 - distance / full_cost)."""
        if not self.full_cost:
            return float(not self.distance)
        return max(0.0, 1 - self.distance / self.full_cost)


def edits(prediction: object, reference: object, settings: Settings = DEFAULT) -> TreeEdits | None:
    """The cheapest edits that make the prediction the reference.

    Args:
        prediction (dict): as in `count`.
        reference (dict): as in `count`.
        settings (Settings): the options.

    Returns:
        TreeEdits: both trees, each node with its edit; None if the trees are too large for the textbook algorithm.

    Raises:
        DocumentError: as in `count`.

    >>> found = edits({"menu": {"nm": "Mocha", "cnt": 1}}, {"menu": {"cnt": "1", "nm": "Latte"}})
    >>> [(node.operation, node.text, node.cost) for node in found.prediction.walk() if node.operation != "equal"]
    [('rename', 'Mocha', 5)]
    >>> found.distance, found.full_cost, found.accuracy
    (5, 10, 0.5)
    """
    expected = parse_side(reference, "reference", settings)
    predicted = parse_side(prediction if isinstance(prediction, Mapping) else {}, "prediction", settings)
    return with_deep_recursion(partial(_edits, predicted, expected))


def _edits(predicted: dict[str, Node], expected: dict[str, Node]) -> TreeEdits | None:
    choose_alternatives(expected, predicted)
    sides = [_Side(_tree_of(document)) for document in (predicted, expected)]
    if sides[0].work * sides[1].work > MOST_CELLS:
        return None
    distance = _Distances(*sides).mark()
    full_cost = sum(node.price for node in sides[1].nodes) - sides[1].nodes[-1].price
    return TreeEdits(sides[0].nodes[-1], sides[1].nodes[-1], distance, full_cost)


def _tree_of(document: dict[str, Node]) -> EditedNode:
    builder: Any = _Builder()
    tree: Any = object_tree(document, ROOT, builder)
    return EditedNode(None, None) if tree is None else tree


class _Builder:
    """Builds nodes where the family builds numbers: equal subtrees at two places are two nodes here."""

    @staticmethod
    def leaf(text: str) -> EditedNode:
        return EditedNode(None, text)

    @staticmethod
    def inner(label: Hashable, children: Sequence[EditedNode]) -> EditedNode:
        return EditedNode(label if isinstance(label, str) else None, None, [*children])


class _Side:
    """A tree in post-order, with the place of the first leaf of every node, and the key-roots."""

    def __init__(self, root: EditedNode) -> None:
        self.nodes: list[EditedNode] = []
        self.first: list[int] = []
        self._visit(root)
        self.keyroots = sorted({first: place for place, first in enumerate(self.first)}.values())

    def _visit(self, node: EditedNode) -> int:
        firsts = [self._visit(child) for child in node.children]
        first = firsts[0] if firsts else len(self.nodes)
        self.nodes.append(node)
        self.first.append(first)
        return first

    @property
    def work(self) -> int:
        """The number of rows, or columns, of all forest tables."""
        return sum(place + 1 - self.first[place] for place in self.keyroots)


class _Distances:
    """The distances of all pairs of subtrees, and from them the edits."""

    def __init__(self, predicted: _Side, expected: _Side) -> None:
        self.predicted, self.expected = predicted, expected
        self.renames = [[_rename(node, other) for other in expected.nodes] for node in predicted.nodes]
        self.trees: Table = [[0] * len(expected.nodes) for _ in predicted.nodes]
        for row in predicted.keyroots:
            for column in expected.keyroots:
                self._forests(row, column)

    def _forests(self, row: int, column: int) -> Table:
        """The distances of the forests of two subtrees; those of forests that are trees are kept."""
        top, left = self.predicted.first[row], self.expected.first[column]
        deletions = [node.price for node in self.predicted.nodes[top : row + 1]]
        insertions = [node.price for node in self.expected.nodes[left : column + 1]]
        table = [[0] * (len(insertions) + 1) for _ in range(len(deletions) + 1)]
        for place, price in enumerate(insertions):
            table[0][place + 1] = table[0][place] + price
        for i, deletion in enumerate(deletions):
            above, here = table[i], table[i + 1]
            here[0] = above[0] + deletion
            inner_row = table[self.predicted.first[top + i] - top]
            is_tree = self.predicted.first[top + i] == top
            trees, renames = self.trees[top + i], self.renames[top + i]
            for j, insertion in enumerate(insertions):
                first = self.expected.first[left + j]
                both_trees = is_tree and first == left
                pair = above[j] + renames[left + j] if both_trees else inner_row[first - left] + trees[left + j]
                here[j + 1] = min(pair, above[j + 1] + deletion, here[j] + insertion)
                if both_trees:
                    trees[left + j] = here[j + 1]
        return table

    def mark(self) -> int:
        """Mark all nodes with their edits.

        Returns:
            The distance of the two trees.
        """
        roots = len(self.predicted.nodes) - 1, len(self.expected.nodes) - 1
        open_pairs = [roots]
        while open_pairs:
            open_pairs += self._mark_forests(*open_pairs.pop())
        return self.trees[roots[0]][roots[1]]

    def _mark_forests(self, row: int, column: int) -> Iterator[tuple[int, int]]:
        """Go back through the table of two subtrees. What are subtrees with a first leaf of their own is left to do."""
        table = self._forests(row, column)
        top, left = self.predicted.first[row], self.expected.first[column]
        while row >= top or column >= left:
            i, j = row - top + 1, column - left + 1
            if row >= top and column >= left:
                inner = self.predicted.first[row] - top, self.expected.first[column] - left
                if inner == (0, 0):
                    if table[i][j] == table[i - 1][j - 1] + self.renames[row][column] and self._are_alike(row, column):
                        self._pair(row, column)
                        row, column = row - 1, column - 1
                        continue
                elif table[i][j] == table[inner[0]][inner[1]] + self.trees[row][column]:
                    yield row, column
                    row, column = top + inner[0] - 1, left + inner[1] - 1
                    continue
            if row >= top and table[i][j] == table[i - 1][j] + self.predicted.nodes[row].price:
                _drop(self.predicted.nodes[row], "delete")
                row -= 1
            else:
                _drop(self.expected.nodes[column], "insert")
                column -= 1

    def _are_alike(self, row: int, column: int) -> bool:
        """Whether both are leaves, or none is: else to delete one and insert the other costs the same."""
        return (self.predicted.nodes[row].text is None) == (self.expected.nodes[column].text is None)

    def _pair(self, row: int, column: int) -> None:
        node, other, cost = self.predicted.nodes[row], self.expected.nodes[column], self.renames[row][column]
        for one, another in ((node, other), (other, node)):
            one.operation, one.cost, one.counterpart = ("rename" if cost else "equal"), cost, another


def _drop(node: EditedNode, operation: Literal["delete", "insert"]) -> None:
    node.operation, node.cost = operation, node.price


def _rename(node: EditedNode, other: EditedNode) -> int:
    """What it costs to change a node into another."""
    if node.text is not None and other.text is not None:
        return int(Levenshtein.distance(node.text, other.text))
    if node.text is None and other.text is None:
        return int(node.label != other.label)
    return node.price + other.price
