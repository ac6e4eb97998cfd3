"""Scores and lengths of many pairs of trees at once, the elements of two lists each with each, and their assignment.

Texts go in batches, objects a key at a time, lists by the elements of all of them; what is left goes one by one.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Hashable, Iterable, Sequence
from itertools import accumulate, chain

import numpy as np

from docie.assignment import Matrix, Pairs, assign, distinct_best
from docie.counts import ratio
from docie.normalizers import NumberText
from docie.text_similarity import TextSimilarity
from docie.tree import AnyOf, Node, Result, size
from docie.values import ANY_OF

Table = tuple[Matrix, Matrix]
"""Scores and lengths, a row a reference, a column a prediction."""
Nodes = Sequence[Node]

SMALL = 36  # up to so many pairs are compared one by one
_TEXTS = {str, NumberText}
_KINDS = {dict: "object", list: "list", AnyOf: "any of", type(None): "absent"}
_canonical = json.JSONEncoder(sort_keys=True, check_circular=False, default=lambda node: {ANY_OF: node.nodes}).encode


class Tables:
    """Compares and assigns the elements of lists, given how two texts and how two trees are compared."""

    def __init__(self, texts: TextSimilarity, compare: Callable[[Node, Node], Result]) -> None:
        self.texts, self.compare = texts, compare
        self._orders: dict[int, list[int]] = {}

    def assigned(self, references: list[Node], predictions: list[Node]) -> tuple[Result, Pairs]:
        """Score and length of two lists, and the pairs of their elements' places."""
        return self._assigned(references, predictions, *self.table(references, predictions))

    def _assigned(
        self, references: list[Node], predictions: list[Node], scores: Matrix, lengths: Matrix
    ) -> tuple[Result, Pairs]:
        ratios = scores / lengths if lengths.all() else ratio(scores, lengths, empty=1.0)
        pairs = distinct_best(ratios)
        if pairs is None:
            pairs = self._weighed(references, predictions, scores, lengths, ratios)
        alone = _without(references, [row for row, _ in pairs]) + _without(predictions, [column for _, column in pairs])
        score, length = 0.0, sum(map(size, alone))
        for pair in pairs:
            score += scores.item(pair)
            length += int(lengths.item(pair))
        return (score, length), pairs

    def _weighed(
        self, references: list[Node], predictions: list[Node], scores: Matrix, lengths: Matrix, ratios: Matrix
    ) -> Pairs:
        """The best assignment where ties must be weighed, with the elements in an order that is theirs alone."""
        left, right = self._order(references), self._order(predictions)
        block = np.ix_(left, right)
        if len(left) == len(right) and np.ptp(lengths) == 0:
            criteria: tuple[Matrix, ...] = (ratios,)
        else:
            spared = -lengths  # by a pair, of the length in all
            if len(left) > len(right):
                spared += np.array(list(map(size, references)))[:, None]
            elif len(left) < len(right):
                spared += np.array(list(map(size, predictions)))[None, :]
            criteria = (ratios, spared, scores)
        return [(left[row], right[column]) for row, column in assign(*(criterion[block] for criterion in criteria))]

    def _order(self, nodes: list[Node]) -> list[int]:
        """The places of a list's elements in the order of their JSON."""
        order = self._orders.get(id(nodes))
        if order is None:
            texts = list(map(_canonical, nodes))
            order = self._orders[id(nodes)] = sorted(range(len(nodes)), key=texts.__getitem__)
        return order

    def table(self, references: Nodes, predictions: Nodes) -> Table:
        """Scores and lengths of every reference with every prediction."""
        if len(references) * len(predictions) <= SMALL:
            return self._one_by_one(references, predictions)
        left, right = _by_kind(references), _by_kind(predictions)
        if len(left) == len(right) == 1:
            [kind], [other] = left, right
            if kind == other == "text" or kind == other == "object":
                return self._block(kind, other)(references, predictions)
        scores, lengths = _mismatched(references, predictions)
        for kind, rows in left.items():
            for other in right if kind == "any of" else [kind] if kind in right else []:
                block = np.ix_(rows, right[other])
                nodes = [references[row] for row in rows], [predictions[column] for column in right[other]]
                scores[block], lengths[block] = self._block(kind, other)(*nodes)
        return _with_nothing(references, predictions, scores, lengths)

    def _block(self, kind: str, other: str) -> Callable[[Nodes, Nodes], Table]:
        """How elements of two kinds are compared; those of one kind only meet their like, alternatives meet all."""
        if kind == "any of":
            return self._alternatives if other == "text" else self._one_by_one
        return {"text": self._texts, "object": self._objects, "list": self._lists}.get(kind, self._one_by_one)

    def _one_by_one(self, references: Nodes, predictions: Nodes) -> Table:
        results = [self.compare(reference, prediction) for reference in references for prediction in predictions]
        table = np.array(results, dtype=np.float64).reshape(len(references), len(predictions), 2)
        return table[:, :, 0], table[:, :, 1]

    def _texts(self, references: Sequence[str], predictions: Sequence[str]) -> Table:
        return self.texts.table(references, predictions), np.ones((len(references), len(predictions)))

    def _objects(self, references: Nodes, predictions: Nodes) -> Table:
        """Objects, a key at a time: it counts where the reference has it or the prediction gives it a value."""
        scores = np.zeros((len(references), len(predictions)))
        lengths = np.zeros_like(scores)
        for key in dict.fromkeys(chain.from_iterable((*references, *predictions))):
            left, right = [node.get(key) for node in references], [node.get(key) for node in predictions]
            score, length = self.table(left, right)
            named = np.array([key in node for node in references])
            if not named.all():
                counts = named[:, None] | np.array([bool(node) for node in right])[None, :]
                score, length = score * counts, length * counts
            scores += score
            lengths += length
        return _with_nothing(references, predictions, scores, lengths)

    def _lists(self, references: Sequence[list[Node]], predictions: Sequence[list[Node]]) -> Table:
        """Lists inside of lists: one table of the elements of all of them, of which each pair assigns its part."""
        left, rows = _distinct(references)
        right, columns = _distinct(predictions)
        table = self.table(list(chain.from_iterable(left)), list(chain.from_iterable(right)))
        scores, lengths = np.zeros((len(left), len(right))), np.zeros((len(left), len(right)))
        ends = [list(accumulate(map(len, lists), initial=0)) for lists in (left, right)]
        for row, reference in enumerate(left):
            for column, prediction in enumerate(right):
                part = slice(*ends[0][row : row + 2]), slice(*ends[1][column : column + 2])
                result, _ = self._assigned(reference, prediction, *(figures[part] for figures in table))
                scores[row, column], lengths[row, column] = result
        block = np.ix_(rows, columns)
        return scores[block], lengths[block]

    def _alternatives(self, references: Sequence[AnyOf], predictions: Sequence[str]) -> Table:
        """Alternatives of texts: the best similarity of each."""
        answers = [node for alternatives in references for node in alternatives.nodes]
        if not all(isinstance(node, str) for node in answers):
            return self._one_by_one(references, predictions)
        starts = list(accumulate((len(alternatives.nodes) for alternatives in references[:-1]), initial=0))
        similarities = self.texts.table(answers, predictions)
        return np.maximum.reduceat(similarities, starts), np.ones((len(references), len(predictions)))


def _mismatched(references: Nodes, predictions: Nodes) -> Table:
    """The table of pairs that are not of a kind: nothing, out of the larger of the two."""
    lengths = np.maximum.outer(list(map(size, references)), list(map(size, predictions))).astype(np.float64)
    return np.zeros_like(lengths), lengths


def _with_nothing(references: Nodes, predictions: Nodes, scores: Matrix, lengths: Matrix) -> Table:
    """Nothing against nothing is 1 of 1."""
    empty = np.ix_([not node for node in references], [not node for node in predictions])
    scores[empty] = lengths[empty] = 1.0
    return scores, lengths


def _without(nodes: list[Node], places: list[int]) -> list[Node]:
    if len(nodes) == len(places):
        return []
    taken = set(places)
    return [node for place, node in enumerate(nodes) if place not in taken]


def _by_kind(nodes: Nodes) -> dict[str, list[int]]:
    """The places of the nodes of each kind."""
    kinds = set(map(type, nodes))
    if kinds <= _TEXTS:
        return {"text": list(range(len(nodes)))}
    if kinds == {dict}:
        return {"object": list(range(len(nodes)))}
    result: dict[str, list[int]] = {}
    for place, node in enumerate(nodes):
        result.setdefault(_KINDS.get(type(node), "text"), []).append(place)
    return result


def _distinct(lists: Iterable[list[Node]]) -> tuple[list[list[Node]], list[int]]:
    """The distinct lists, and the place among them of every one."""
    first: dict[Hashable, tuple[int, list[Node]]] = {}
    places = [first.setdefault(_canonical(nodes), (len(first), nodes))[0] for nodes in lists]
    return [nodes for _, nodes in first.values()], places
