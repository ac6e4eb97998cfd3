"""nTED, explained: the edits from the predicted tree to the reference, by the textbook algorithm with backtracking.

Source: Zhang and Shasha, "Simple Fast Algorithms for the Editing Distance between Trees and Related Problems" (1989).
The costs are those of `docie.metrics.nted.tree_edit_distance`, which computes the distance itself, and far faster.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, NamedTuple

from rapidfuzz.distance import Levenshtein

from docie.core.counts import Counts
from docie.core.explanation import Explanation, Fields, Node, Pair, Root, Tree, Verdict, explained, no_document
from docie.core.phrases import amount, counted, enumerated, figure
from docie.core.scores import Headline
from docie.documents.tree import Node as Value
from docie.metrics.nted.metric import (
    DEFAULT,
    ROOT,
    SCORES,
    Documents,
    Settings,
    count,
    object_tree,
    parse_side,
    score,
)

MOST_CELLS = 2_000_000
"""Cells of all forest tables: about a second of work."""
OBJECT = "{ }"
"""The name of an object in a list, and of the whole document."""
Operation = Literal["equal", "rename", "delete", "insert"]
Table = list[list[int]]
_VERDICTS: Mapping[Operation, Verdict] = {
    "equal": "correct", "rename": "incorrect", "delete": "spurious", "insert": "missing",
}  # fmt: skip
_VERBS = {"rename": "changed", "delete": "deleted", "insert": "inserted"}


def explain(prediction: object, reference: object, settings: Settings = DEFAULT) -> Explanation:
    """The cheapest edits from the predicted tree to the reference's.

    Source: as in `count`. Trees too large for the textbook algorithm have no pairs, and the drawing states that.

    Args:
        prediction (dict): as in `count`.
        reference (dict): as in `count`.
        settings (Settings): the options.

    Returns:
        Explanation: a pair for each node, a key or a text. The note of a renamed or missing node has its cost; the
        credit of a text is 1 - its edits / its length. Of alternatives, the pair has the one that counts.

    Raises:
        DocumentError: as in `count`.

    >>> explanation = explain({"menu": {"nm": "Mocha", "cnt": 1}}, {"menu": {"cnt": "1", "nm": "Latte"}})
    >>> [(pair.predicted, pair.expected, pair.note) for pair in explanation.pairs if pair.verdict == "incorrect"]
    [('Mocha', 'Latte', 'costs 5')]
    >>> explanation.sentence
    '6 of 7 nodes correct, 1 incorrect: nted_accuracy 0.5000.'
    """
    figures = score(count(prediction, reference, settings))
    expected = parse_side(reference, "reference", settings)
    predicted = parse_side(prediction if isinstance(prediction, Mapping) else {}, "prediction", settings)
    edits, title, told = _edits(predicted, expected), "Trees and edits", "nted_accuracy"
    if edits is None:
        lead = "These trees are too large to show their edits here; their scores are exact nevertheless."
        return Explanation(f"{told} {figure(figures[told])}.", [], [Fields(title, [], lead)])
    roots = [
        Root("Predicted tree", _shown(edits.prediction, is_expected=False), "prediction"),
        Root("Reference tree", _shown(edits.reference, is_expected=True), "reference"),
    ]
    prices = "To insert or to delete a text costs its characters, a key or an object 1."
    nodes = [*edits.prediction.walk(), *(node for node in edits.reference.walk() if node.operation == "insert")]
    tree = Tree(title, roots, f"{_in_words(nodes)} {_equation(edits)} {prices}")
    pairs, problem = [_pair(node) for node in nodes], no_document(prediction)
    return explained(pairs, [tree], SCORES, figures, told, noun="node", problem=problem)


def _in_words(nodes: Sequence[_Edited]) -> str:
    costs = {name: [node.cost for node in nodes if node.operation == name] for name in _VERBS}
    told = (
        f"{counted(len(found), 'node')} {_VERBS[name]} for {sum(found):,}" for name, found in costs.items() if found
    )
    return f"The cheapest edits: {enumerated(told)}."


def _equation(edits: _Edits) -> str:
    if not edits.full_cost:
        return "The reference is empty."
    share = f"1 − {edits.distance:,} / {edits.full_cost:,}"
    return f"The accuracy is {share}{'' if edits.distance <= edits.full_cost else ', never below 0'}."


@dataclass(slots=True, eq=False)
class _Edited:
    """A node of one of the two trees, and the edit on it.

    Attributes:
        label: the key; None for a leaf, the root, and the objects of a list.
        text: the text of a leaf, of alternatives the one that counts; None for every other node.
        children: the nodes below, in order.
        operation: "equal", "rename" (a leaf or a key that becomes another), "delete" (only the prediction has it) or
            "insert" (only the reference has it).
        cost: the cost of the edit; 0 if there is none. A rename has it in both trees.
        counterpart: the node of the other tree that it equals or becomes; None if there is none.
        others: the alternatives to the text of a leaf.
    """

    label: str | None
    text: str | None
    children: list[_Edited] = field(default_factory=list)
    operation: Operation = "equal"
    cost: int = 0
    counterpart: _Edited | None = None
    others: tuple[str, ...] = ()

    @property
    def price(self) -> int:
        """The cost of inserting or deleting the node alone."""
        return 1 if self.text is None else len(self.text)

    def walk(self) -> Iterator[_Edited]:
        """The node and its descendants, each before its children."""
        stack = [self]
        while stack:
            node = stack.pop()
            yield node
            stack += reversed(node.children)


class _Edits(NamedTuple):
    """Both trees with their edits, the cost of all edits, and the cost of writing the whole reference."""

    prediction: _Edited
    reference: _Edited
    distance: int
    full_cost: int


def _pair(node: _Edited) -> Pair:
    """A node of the prediction with its counterpart, or a missing one."""
    predicted: str | None = _content(node)
    expected = None if node.counterpart is None else _content(node.counterpart)
    if node.operation == "insert":
        predicted, expected = expected, predicted
    longest = max(len(predicted or ""), len(expected or "")) or 1
    credit = max(0.0, 1 - node.cost / longest) if node.text is not None else float(not node.cost)
    verdict = _VERDICTS[node.operation]
    kind = "key" if node.text is None else "text"
    return Pair("", kind, predicted, expected, verdict, credit, f"costs {node.cost:,}" if node.cost else "")


def _content(node: _Edited) -> str:
    return node.text if node.text is not None else OBJECT if node.label is None else node.label


def _shown(node: _Edited, *, is_expected: bool) -> Node:
    """A node as it is drawn: a key with a single text takes one line."""
    leaf = node.children[0] if len(node.children) == 1 and node.children[0].text is not None else None
    edited = [each for each in (node, leaf) if each is not None and each.cost]
    text = leaf or node
    predicted, expected = text.text, None if text.counterpart is None else text.counterpart.text
    if is_expected:
        predicted, expected = expected, predicted
    return Node(
        "" if node.text is not None else _content(node),
        _VERDICTS[edited[0].operation] if edited else None,
        " and ".join(dict.fromkeys(map(_label, edited))),
        predicted,
        expected,
        " + ".join(f"{each.cost:,}" for each in edited),
        children=[] if leaf else [_shown(child, is_expected=is_expected) for child in node.children],
    )


def _label(node: _Edited) -> str:
    if node.operation != "rename":
        return _VERBS[node.operation]
    return "changed" if node.text is not None else "another key"


def _edits(predicted: dict[str, Value], expected: dict[str, Value]) -> _Edits | None:
    """The cheapest edits; None if the trees are too large for the textbook algorithm."""
    sides = [_Side(_tree_of(document)) for document in (predicted, expected)]
    if sides[0].work * sides[1].work > MOST_CELLS:
        return None
    full_cost = sum(node.price for node in sides[1].nodes) - sides[1].nodes[-1].price  # of the first alternatives
    distance = _Distances(*sides).mark()
    return _Edits(sides[0].nodes[-1], sides[1].nodes[-1], distance, full_cost)


def _tree_of(document: dict[str, Value]) -> _Edited:
    builder: Any = _Builder()
    tree: Any = object_tree(document, ROOT, builder)
    return _Edited(None, None) if tree is None else tree


class _Builder:
    """Builds nodes where the family builds numbers: equal subtrees in two places are two nodes here."""

    @staticmethod
    def leaf(text: str, *others: str) -> _Edited:
        return _Edited(None, text, others=others)

    @staticmethod
    def inner(label: Hashable, children: Sequence[_Edited]) -> _Edited:
        return _Edited(label if isinstance(label, str) else None, None, [*children])


class _Side:
    """A tree in post-order, with the position of the first leaf of every node, and the key-roots."""

    def __init__(self, root: _Edited) -> None:
        self.nodes: list[_Edited] = []
        self.first: list[int] = []
        self._visit(root)
        self.keyroots = sorted({first: place for place, first in enumerate(self.first)}.values())

    def _visit(self, node: _Edited) -> int:
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
        """Backtrack through the table of two subtrees. Subtrees with a first leaf of their own remain to be done."""
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
        """Whether both are leaves, or neither is: otherwise deleting one and inserting the other costs the same."""
        return (self.predicted.nodes[row].text is None) == (self.expected.nodes[column].text is None)

    def _pair(self, row: int, column: int) -> None:
        node, other, cost = self.predicted.nodes[row], self.expected.nodes[column], self.renames[row][column]
        if node.text is not None and other.text is not None:
            other.text = _nearest(node.text, other)
        for one, another in ((node, other), (other, node)):
            one.operation, one.cost, one.counterpart = ("rename" if cost else "equal"), cost, another


def _drop(node: _Edited, operation: Literal["delete", "insert"]) -> None:
    node.operation, node.cost = operation, node.price


def _rename(node: _Edited, other: _Edited) -> int:
    """The cost of changing a node into another."""
    if node.text is not None and other.text is not None:
        return int(Levenshtein.distance(node.text, _nearest(node.text, other)))
    if node.text is None and other.text is None:
        return int(node.label != other.label)
    return node.price + other.price


def _nearest(text: str, leaf: _Edited) -> str:
    """The alternative of a leaf that counts beside a predicted text; the first on ties."""
    assert leaf.text is not None
    if not leaf.others:
        return leaf.text
    return min((leaf.text, *leaf.others), key=lambda other: Levenshtein.distance(text, other))


def headlines(counts: Counts, figures: Mapping[str, Any]) -> Iterator[Headline]:
    """The accuracy of documents.

    Args:
        counts (Counts): the counts of a document or of a corpus.
        figures (dict): their scores.

    Returns:
        iterator of Headline: the score with its sentence.

    >>> from docie.metrics.nted import count, score
    >>> counts = count({"total": "9"}, {"total": "9"})
    >>> [each.sentence for each in headlines(counts, score(counts))]
    ['mean of 1 document, 1 without an edit']
    """
    same = counts.total("document", Documents).identical
    yield Headline("nted_accuracy", f"mean of {counted(counts.documents, 'document')}, {amount(same)} without an edit")
