"""Scores and lengths of all pairs of two lists' elements at once, and the assignment of the elements.

Texts are compared in batches, objects key by key, lists by one table of all their elements, and other values one by
one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import accumulate, chain, pairwise
from typing import Any

import numpy as np

from docie.core.counts import ratio
from docie.core.normalizers.texts import NumberText
from docie.documents.leaves import OneOf
from docie.documents.tree import Node
from docie.metrics.anls_star.assignment import Matrix, Places, assign_by, canonical, only_assignment
from docie.metrics.anls_star.nested import Compared, Elements, assign_lists, distinct_lists
from docie.metrics.anls_star.similarity import TextSimilarity

Result = tuple[float, int]
"""A score, and its length."""
Table = tuple[Matrix, Matrix]
"""Scores and lengths: a row for each reference, a column for each prediction."""
Nodes = Sequence[Node]

SMALL = 36  # up to this many pairs are compared one by one
LARGE = 2**18  # from this many pairs on, the elements are sorted before their table is made, not the table
MANY = 2**32  # pairs of characters: from this number on, texts are not compared in one table,
_CALL = 24  # if each has so many more: two short texts take as long
CELLS = 2**18  # of the tables in memory at a time
NESTED = 2  # up to this level of tables, pairs of lists are compared in tables: their number grows with every level
REMEMBERED = 2**22  # pairs of nested lists whose scores are cached, to bound memory
_TEXTS = {str, NumberText}
_KINDS = {dict: "object", list: "list", OneOf: "one of", type(None): "absent"}


class Tables:
    """Compares and assigns the elements of lists.

    Args:
        texts: compares two texts.
        size: the number of texts in a tree.
        compare: compares two trees.
    """

    def __init__(
        self, texts: TextSimilarity, size: Callable[[Node], int], compare: Callable[[Node, Node], Result]
    ) -> None:
        self.texts, self.size, self.compare = texts, size, compare
        self._orders: dict[int, list[int]] = {}
        self._compared: dict[int, Compared] = {}  # from the identity of a reference list to its last table
        self._cells = 0  # the pairs in all these tables
        self._nesting = 0  # tables one by one, inside each other

    def assigned(self, references: list[Node], predictions: list[Node]) -> tuple[Result, Places]:
        """Score and length of two lists, and the places of the elements that are compared with each other."""
        if _are_many_texts(references, predictions):
            return self._assigned_texts(references, predictions)
        if len(references) * len(predictions) < LARGE:
            return self._assigned(references, predictions, *self.table(references, predictions))
        rows, columns = self._order(references), self._order(predictions)
        expected, predicted = [references[row] for row in rows], [predictions[column] for column in columns]
        result, pairs = self._assigned(expected, predicted, *self.table(expected, predicted), in_order=True)
        return result, [(rows[row], columns[column]) for row, column in pairs]

    def _assigned_texts(self, references: list[Node], predictions: list[Node]) -> tuple[Result, Places]:
        """As `assigned`, without a table. Each pair has length 1, so those that score 0 are any."""
        rows, columns = (np.array(self._order(nodes)) for nodes in (references, predictions))
        places = self.texts.pairs([references[row] for row in rows], [predictions[column] for column in columns])
        similar = list(zip(rows[places[0]].tolist(), columns[places[1]].tolist(), strict=True))
        score = 0.0
        for row, column in similar:
            score += self.compare(references[row], predictions[column])[0]
        rest = (np.delete(side, paired).tolist() for side, paired in zip((rows, columns), places, strict=True))
        return (score, max(len(references), len(predictions))), [*similar, *zip(*rest, strict=False)]

    def _assigned(
        self, references: list[Node], predictions: list[Node], *figures: Matrix, in_order: bool = False
    ) -> tuple[Result, Places]:
        scores, lengths = figures
        ratios = scores / lengths if lengths.all() else ratio(scores, lengths, empty=1.0)
        pairs = only_assignment(ratios)
        if pairs is None:
            criteria = self._criteria(references, predictions, scores, lengths, ratios)
            if in_order:
                pairs = assign_by(*criteria)
            else:  # in the order of the elements' JSON, so that their own does not matter
                rows, columns = self._order(references), self._order(predictions)
                pairs = assign_by(*(criterion[np.ix_(rows, columns)] for criterion in criteria))
                pairs = [(rows[row], columns[column]) for row, column in pairs]
        unpaired = _without(references, [row for row, _ in pairs])
        unpaired += _without(predictions, [column for _, column in pairs])
        score, length = 0.0, sum(map(self.size, unpaired))
        for pair in pairs:
            score += scores.item(pair)
            length += int(lengths.item(pair))
        return (score, length), pairs

    def _criteria(
        self, references: list[Node], predictions: list[Node], scores: Matrix, lengths: Matrix, ratios: Matrix
    ) -> list[Matrix]:
        """What decides on pairs: the ratio, then how much a pair takes off the total length, then the score."""
        if len(references) == len(predictions) and np.ptp(lengths) == 0:
            return [ratios]
        spared = np.negative(lengths, dtype=np.float32)  # whole numbers, exact below 16 million
        if len(references) > len(predictions):
            spared += np.array(list(map(self.size, references)))[:, None]
        elif len(references) < len(predictions):
            spared += np.array(list(map(self.size, predictions)))[None, :]
        return [ratios, spared, scores]

    def _order(self, nodes: list[Node]) -> list[int]:
        """The positions of a list's elements in the order of their JSON."""
        order = self._orders.get(id(nodes))
        if order is None:
            texts = list(map(canonical, nodes))
            order = self._orders[id(nodes)] = sorted(range(len(nodes)), key=texts.__getitem__)
        return order

    def table(self, references: Nodes, predictions: Nodes) -> Table:
        """Scores and lengths of every reference with every prediction."""
        if len(references) * len(predictions) <= (SMALL if self._nesting < NESTED else 1):
            return self._one_by_one(references, predictions)
        rows_by_kind, columns_by_kind = _by_kind(references), _by_kind(predictions)
        if rows_by_kind.keys() == columns_by_kind.keys() and len(rows_by_kind) == 1:
            [kind] = rows_by_kind
            if kind in ("text", "object"):
                return self._block(kind)(references, predictions)
        scores, lengths = self._mismatched(references, predictions)
        for kind, rows in rows_by_kind.items():
            for other_kind, columns in columns_by_kind.items():
                if kind == "one of" or (kind == other_kind and kind != "absent"):
                    block = np.ix_(rows, columns)
                    nodes = [references[row] for row in rows], [predictions[column] for column in columns]
                    scores[block], lengths[block] = self._block(kind)(*nodes)
        return _with_nothing(references, predictions, scores, lengths)

    def _mismatched(self, references: Nodes, predictions: Nodes) -> Table:
        """The table of pairs of two kinds: each scores 0, out of the larger of the two."""
        # lengths are whole numbers: half the width holds them exactly
        sizes = (np.array(list(map(self.size, nodes)), dtype=np.float32) for nodes in (references, predictions))
        lengths = np.maximum.outer(*sizes)
        return np.zeros(lengths.shape), lengths

    def _block(self, kind: str) -> Callable[[Nodes, Nodes], Table]:
        """Comparisons of elements of two kinds. Alternatives meet every kind, the others only their own."""
        blocks: dict[str, Callable[[Any, Any], Table]]
        blocks = {"text": self._texts, "object": self._objects, "list": self._lists, "one of": self._alternatives}
        return blocks[kind]

    def _one_by_one(self, references: Nodes, predictions: Nodes) -> Table:
        self._nesting += 1
        try:
            results = [self.compare(reference, prediction) for reference in references for prediction in predictions]
        finally:
            self._nesting -= 1
        table = np.array(results, dtype=np.float64).reshape(len(references), len(predictions), 2)
        return table[:, :, 0], table[:, :, 1]

    def _texts(self, references: Sequence[str], predictions: Sequence[str]) -> Table:
        return self.texts.table(references, predictions), np.ones((len(references), len(predictions)))

    def _objects(self, references: Nodes, predictions: Nodes) -> Table:
        """Objects, key by key. A key counts if the reference has it or the prediction gives it a value."""
        scores = np.zeros((len(references), len(predictions)))
        lengths = np.zeros_like(scores)
        for key in dict.fromkeys(chain.from_iterable((*references, *predictions))):
            expected, predicted = [node.get(key) for node in references], [node.get(key) for node in predictions]
            score, length = self.table(expected, predicted)
            is_named = np.array([key in node for node in references])
            if not is_named.all():
                counts = is_named[:, None] | np.array([bool(node) for node in predicted])[None, :]
                score, length = score * counts, length * counts
            scores += score
            lengths += length
        return _with_nothing(references, predictions, scores, lengths)

    def _lists(self, references: Sequence[list[Node]], predictions: Sequence[list[Node]]) -> Table:
        """Nested lists. A recursive comparison needs them at every level, so tables are cached."""
        try:
            return self._compared[id(references[0])].part(references, predictions)
        except KeyError:
            compared = self._compared_lists(references, predictions)
        self._remember(compared)
        return compared.part(references, predictions)

    def _remember(self, compared: Compared) -> None:
        self._cells += compared.scores.size
        if self._cells > REMEMBERED:
            self._compared.clear()
            self._cells = compared.scores.size
        if self._cells <= REMEMBERED:
            self._compared.update(dict.fromkeys(compared.rows, compared))

    def _compared_lists(self, references: Sequence[list[Node]], predictions: Sequence[list[Node]]) -> Compared:
        """Nested lists: tables of the elements of all of them, in which each pair assigns its part."""
        expected, rows = distinct_lists(references)
        predicted, columns = distinct_lists(predictions)
        lengths = np.add.outer(list(map(self.size, expected)), list(map(self.size, predicted))).astype(np.float64)
        scores = np.zeros_like(lengths)  # those of an empty list with any other
        filled, others = ([place for place, nodes in enumerate(lists) if nodes] for lists in (expected, predicted))
        second = [predicted[place] for place in others]
        number = sum(map(len, second))
        for part in _parts([expected[place] for place in filled], max(1, CELLS // max(1, number))):
            block = np.ix_(filled[part], others)
            first = [expected[place] for place in filled[part]]
            if first and second:
                scores[block], lengths[block] = self._of_lists(first, second)
        return Compared(rows, columns, scores, lengths)

    def _of_lists(self, expected: list[list[Node]], predicted: list[list[Node]]) -> Table:
        """Scores and lengths of pairs of lists, none of which is empty."""
        rows, columns = Elements(expected, self.size), Elements(predicted, self.size)
        table = self.table(rows.nodes, columns.nodes)
        scores, lengths, rest = assign_lists(rows, columns, *table)
        for row, column in zip(*(places.tolist() for places in rest), strict=True):
            part = rows.part(row), columns.part(column)
            result, _ = self._assigned(expected[row], predicted[column], *(each[part] for each in table))
            scores[row, column], lengths[row, column] = result
        return scores, lengths

    def _alternatives(self, references: Sequence[OneOf], predictions: Nodes) -> Table:
        """Alternatives: the best of each, the first on ties."""
        table = self.table([node for one_of in references for node in one_of.alternatives], predictions)
        ends = list(accumulate((len(one_of.alternatives) for one_of in references), initial=0))
        results = np.empty((2, len(references), len(predictions)))
        columns = np.arange(len(predictions))
        for row, (start, end) in enumerate(pairwise(ends)):
            scores, lengths = (figures[start:end] for figures in table)
            ratios = ratio(scores, lengths, empty=1.0)
            best = ratios.argmax(axis=0)
            results[:, row] = scores[best, columns], lengths[best, columns]
            # among perfect ones, that which equals the prediction is chosen; it matters if lengths differ
            is_other = (ratios == 1.0) & (lengths != results[1, row])
            for column in np.flatnonzero(is_other.any(axis=0) & (ratios[best, columns] == 1.0)).tolist():
                results[:, row, column] = self.compare(references[row], predictions[column])
        return results[0], results[1]


def _are_many_texts(references: list[Node], predictions: list[Node]) -> bool:
    if not set(map(type, (*references, *predictions))) <= _TEXTS | {type(None)}:
        return False
    first, second = (sum(len(node or "") + _CALL for node in nodes) for nodes in (references, predictions))
    return first * second >= MANY


def _parts(lists: list[list[Node]], number: int) -> Iterator[slice]:
    """Slices of lists with about so many elements in total."""
    start = size = 0
    for place, nodes in enumerate(lists):
        size += len(nodes)
        if size >= number:
            yield slice(start, place + 1)
            start, size = place + 1, 0
    yield slice(start, len(lists))


def _with_nothing(references: Nodes, predictions: Nodes, scores: Matrix, lengths: Matrix) -> Table:
    """Two empty values score 1 of 1."""
    empty = np.ix_([not node for node in references], [not node for node in predictions])
    scores[empty] = lengths[empty] = 1.0
    return scores, lengths


def _without(nodes: list[Node], places: list[int]) -> list[Node]:
    if len(nodes) == len(places):
        return []
    taken = set(places)
    return [node for place, node in enumerate(nodes) if place not in taken]


def _by_kind(nodes: Nodes) -> dict[str, list[int]]:
    """The positions of the nodes of each kind."""
    types = set(map(type, nodes))
    if types <= _TEXTS:
        return {"text": list(range(len(nodes)))}
    if types == {dict}:
        return {"object": list(range(len(nodes)))}
    places: dict[str, list[int]] = {}
    for place, node in enumerate(nodes):
        places.setdefault(_KINDS.get(type(node), "text"), []).append(place)
    return places
