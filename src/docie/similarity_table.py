"""Scores and lengths of many pairs of trees at once: the elements of two lists, each with each.

Texts go in batches, objects a key at a time; what is neither is compared one by one, each distinct pair once.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Hashable, Iterable, Sequence

import numpy as np

from docie.assignment import Matrix
from docie.normalizers import NumberText
from docie.text_similarity import TextSimilarity
from docie.tree import AnyOf, Node, Result, size

Table = tuple[Matrix, Matrix]
"""Scores and lengths, a row a reference, a column a prediction."""
Nodes = Sequence[Node]

SMALL = 36  # up to so many pairs are compared one by one
_TEXTS = {str, NumberText}
canonical = json.JSONEncoder(sort_keys=True, check_circular=False).encode


class Tables:
    """Makes tables of pairs, given how two texts and how two trees are compared."""

    def __init__(self, texts: TextSimilarity, compare: Callable[[Node, Node], Result]) -> None:
        self.texts, self.compare = texts, compare

    def table(self, references: Nodes, predictions: Nodes) -> Table:
        """Scores and lengths of every reference with every prediction."""
        if len(references) * len(predictions) <= SMALL:
            return self._one_by_one(references, predictions)
        left, right = _by_kind(references), _by_kind(predictions)
        if left.keys() == right.keys() == {"text"}:
            return self._texts(references, predictions)
        if left.keys() == right.keys() == {"object"}:
            return self._objects(references, predictions)
        # what is of two kinds
        sizes = np.array(list(map(size, references))), np.array(list(map(size, predictions)))
        lengths = np.maximum.outer(*sizes).astype(np.float64)
        scores = np.zeros_like(lengths)
        for kind, rows in left.items():
            for other in right if kind == "any of" else [kind] if kind in right else []:
                block = np.ix_(rows, right[other])
                nodes = [references[row] for row in rows], [predictions[column] for column in right[other]]
                scores[block], lengths[block] = self._block(kind, other)(*nodes)
        return _with_nothing(references, predictions, scores, lengths)

    def _block(self, kind: str, other: str) -> Callable[[Nodes, Nodes], Table]:
        """How elements of one kind are compared."""
        if kind == "any of":
            return self._alternatives if other == "text" else self._distinct_pairs
        return {"text": self._texts, "object": self._objects}.get(kind, self._distinct_pairs)

    def _one_by_one(self, references: Nodes, predictions: Nodes) -> Table:
        results = [self.compare(reference, prediction) for reference in references for prediction in predictions]
        table = np.array(results, dtype=np.float64).reshape(len(references), len(predictions), 2)
        return table[:, :, 0], table[:, :, 1]

    def _distinct_pairs(self, references: Nodes, predictions: Nodes) -> Table:
        """Lists inside of lists, of which many may be equal: each distinct pair once."""
        left, rows = _distinct(map(canonical, references))
        right, columns = _distinct(map(canonical, predictions))
        scores, lengths = self._one_by_one(
            [references[place] for place in left], [predictions[place] for place in right]
        )
        block = np.ix_(rows, columns)
        return scores[block], lengths[block]

    def _objects(self, references: Nodes, predictions: Nodes) -> Table:
        """Objects, a key at a time: it counts where the reference has it or the prediction gives it a value."""
        scores = np.zeros((len(references), len(predictions)))
        lengths = np.zeros_like(scores)
        for key in dict.fromkeys(key for node in (*references, *predictions) for key in node):
            left, right = [node.get(key) for node in references], [node.get(key) for node in predictions]
            score, length = self.table(left, right)
            named = np.array([key in node for node in references])
            if not named.all():
                counts = named[:, None] | np.array([bool(node) for node in right])[None, :]
                score, length = score * counts, length * counts
            scores += score
            lengths += length
        return _with_nothing(references, predictions, scores, lengths)

    def _alternatives(self, references: Sequence[AnyOf], predictions: Sequence[str]) -> Table:
        """Alternatives of texts: the best similarity of each."""
        if not all(isinstance(node, str) for alternatives in references for node in alternatives):
            return self._distinct_pairs(references, predictions)
        starts = np.cumsum([0, *map(len, references)])[:-1]
        similarities = self.texts.table([node for alternatives in references for node in alternatives], predictions)
        return np.maximum.reduceat(similarities, starts), np.ones((len(references), len(predictions)))

    def _texts(self, references: Sequence[str], predictions: Sequence[str]) -> Table:
        return self.texts.table(references, predictions), np.ones((len(references), len(predictions)))


def _with_nothing(references: Nodes, predictions: Nodes, scores: Matrix, lengths: Matrix) -> Table:
    """Nothing against nothing is 1 of 1."""
    empty = np.ix_([not node for node in references], [not node for node in predictions])
    scores[empty] = lengths[empty] = 1.0
    return scores, lengths


def _by_kind(nodes: Nodes) -> dict[str, list[int]]:
    """The places of the nodes of each kind."""
    kinds = set(map(type, nodes))
    if kinds <= _TEXTS:
        return {"text": list(range(len(nodes)))}
    if kinds == {dict}:
        return {"object": list(range(len(nodes)))}
    names = {dict: "object", list: "list", AnyOf: "any of", type(None): "absent"}
    result: dict[str, list[int]] = {}
    for place, node in enumerate(nodes):
        result.setdefault(names.get(type(node), "text"), []).append(place)
    return result


def _distinct(identities: Iterable[Hashable]) -> tuple[list[int], list[int]]:
    """The place of the first of each distinct identity, and for every one the place of its first among these."""
    first: dict[Hashable, int] = {}
    listed = list(identities)
    for place, identity in enumerate(listed):
        first.setdefault(identity, place)
    numbers = {identity: number for number, identity in enumerate(first)}
    return list(first.values()), [numbers[identity] for identity in listed]
