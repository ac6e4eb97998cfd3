"""Two lists of entities one to one, in their order and in any: the cores of ECER, EWER and Nerval.

Source: Villanova-Aparisi et al., "Reading Order Independent Metrics for Information Extraction in Handwritten
Documents" (2024), sections 3.1 and 3.2.

A pair of one category may save something against an insertion or a deletion, a pair of two categories never does. So
pairs are compared, and assigned, within a category. Three layers go through everything side by side: what a pair saves
in ECER (1 - CER, not below 0), in EWER (1 - WER), and in Nerval (1 for a match).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import count
from typing import NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray
from rapidfuzz import process
from rapidfuzz.distance import Levenshtein
from scipy.optimize import linear_sum_assignment

K = TypeVar("K")
V = TypeVar("V")
Entity = tuple[str, str]
"""(category, text)."""
Matrix = NDArray[np.float64]
"""Often of three layers: (layer, reference, prediction)."""
Places = NDArray[np.intp]

_ONE_TABLE = 4096  # pairs, up to which all categories share a table: one call is quicker than one a category,
_FEW_CHARACTERS = 4_000_000  # if their texts are short: the product of both sides' lengths
# A deletion and an insertion cost 2 and the dearest substitution 1, so that any pair in sequence spares 1, and what it
# saves. In Nerval a substitution costs 2, and matches alone are counted.
_ANY_PAIR = np.array([[1.0], [1.0], [0.0]])


class Layers(NamedTuple):
    """A number for characters, one for words, and a number of matches."""

    characters: float
    words: float
    matches: int


class Compared(NamedTuple):
    """Of one category's entities, or of all: distances and matches of the best alignment in order, and in any order."""

    in_order: Layers
    in_any: Layers


class Block(NamedTuple):
    """Some of the references and predictions, by their places, their categories, and what each pair saves."""

    rows: list[int]
    columns: list[int]
    kinds: Places
    others: Places
    savings: Matrix


def compare(
    references: Sequence[Entity], predictions: Sequence[Entity], threshold: float
) -> dict[str | None, Compared]:
    """Distances and matches of every category by itself, and of all entities (None): equations 2 to 8.

    A pair matches if its CER is at most `threshold`. In order, pairs must not cross.

    >>> found = compare([("date", "1770"), ("serie", "X1A")], [("serie", "X1A"), ("date", "1771")], 0.3)
    >>> found[None].in_order
    Layers(characters=2.0, words=2.0, matches=1)
    >>> found[None].in_any
    Layers(characters=0.25, words=1.0, matches=2)
    """
    if references == predictions:
        return _perfect(references)
    pairs = Pairs(references, predictions, threshold)
    left, right = by_category(references), by_category(predictions)
    saved = pairs.saved()
    found: dict[str | None, Compared] = {}
    for number, (name, savings) in enumerate(zip(pairs.categories, saved.tolist(), strict=True)):
        expected, predicted = left.get(name, []), right.get(name, [])
        in_any = in_order = _layers(max(len(expected), len(predicted)), savings)
        # one pair is always in order, and so are equal lists
        if len(expected) > 1 and len(predicted) > 1 and expected != predicted:
            in_order = _layers(len(expected) + len(predicted), _most_spared(pairs.rows_of(number), len(predicted)))
        found[name] = Compared(in_order, in_any)
    in_any = _layers(max(len(references), len(predictions)), saved.sum(axis=0).tolist())
    in_order = _layers(len(references) + len(predictions), _most_spared(pairs.rows(), len(predictions)))
    found[None] = Compared(in_order, in_any)
    return found


def _perfect(entities: Sequence[Entity]) -> dict[str | None, Compared]:
    sizes: dict[str | None, int] = {category: len(texts) for category, texts in by_category(entities).items()}
    return {
        category: Compared(Layers(0.0, 0.0, size), Layers(0.0, 0.0, size))
        for category, size in (sizes | {None: len(entities)}).items()
    }


def by_category(entities: Iterable[tuple[K, V]]) -> dict[K, list[V]]:
    """The texts, or whatever stands beside it, of every category, in order.

    >>> by_category([("date", "1770"), ("serie", "X1A"), ("date", "1771")])
    {'date': ['1770', '1771'], 'serie': ['X1A']}
    """
    found: dict[K, list[V]] = {}
    for category, text in entities:
        found.setdefault(category, []).append(text)
    return found


class Pairs:
    """What the pairs of one category save, of two lists of entities.

    `saved()` is all that OIECER, OIEWER and OINerval need; `rows()` and `rows_of(number)` are for the sequential ones.

    >>> Pairs([("date", "1770"), ("date", "1771")], [("date", "1771"), ("date", "1801")], 0.3).saved().tolist()
    [[1.25, 1.0, 1.0]]
    """

    def __init__(self, references: Sequence[Entity], predictions: Sequence[Entity], threshold: float) -> None:
        self.references, self.predictions, self.threshold = references, predictions, threshold
        self.categories = list(dict.fromkeys([category for category, _ in (*references, *predictions)]))
        numbers = {name: number for number, name in enumerate(self.categories)}
        self.left, self.right = ([numbers[category] for category, _ in side] for side in (references, predictions))
        self.blocks = [self._block(rows, columns) for rows, columns in self._places()]
        self.block_of = {number: block for block in self.blocks for number in block.kinds.tolist()}

    def _places(self) -> Iterator[tuple[list[int], list[int]]]:
        """References and predictions of one table, by their places: all of them, or those of a category."""
        if self._is_small():
            yield list(range(len(self.left))), list(range(len(self.right)))
            return
        left, right = (by_category(zip(side, count(), strict=False)) for side in (self.left, self.right))
        for number, rows in left.items():
            if number in right:
                yield rows, right[number]

    def _is_small(self) -> bool:
        """Whether one table of all pairs, also of those of two categories, is made sooner than one a category."""
        if not 0 < len(self.left) * len(self.right) <= _ONE_TABLE:
            return False
        characters = [sum(len(text) for _, text in side) for side in (self.references, self.predictions)]
        return characters[0] * characters[1] <= _FEW_CHARACTERS

    def _block(self, rows: list[int], columns: list[int]) -> Block:
        left, right = [self.references[place][1] for place in rows], [self.predictions[place][1] for place in columns]
        kinds, others = (
            np.array([side[place] for place in places], dtype=np.intp)
            for side, places in ((self.left, rows), (self.right, columns))
        )
        savings = _savings(left, right, self.threshold)
        if len(self.categories) > 1:
            savings *= kinds[:, None] == others
        return Block(rows, columns, kinds, others, savings)

    def saved(self) -> Matrix:
        """The most that an assignment saves, by category and layer."""
        total = np.zeros((len(self.categories), 3))
        for _, _, kinds, _, table in self.blocks:
            for layer, savings in enumerate(table):
                rows, columns = linear_sum_assignment(savings, maximize=True)
                np.add.at(total[:, layer], kinds[rows], savings[rows, columns])
        return total

    def rows_of(self, number: int) -> Iterable[Matrix]:
        """For each reference of a category, in order, what it spares with every prediction of that category."""
        block = self.block_of[number]
        if (block.kinds == number).all() and (block.others == number).all():
            return _spared(block.savings)
        return _spared(block.savings[:, block.kinds == number][:, :, block.others == number])

    def rows(self) -> Iterable[Matrix]:
        """For each reference, in order, what it spares with every prediction."""
        if len(self.blocks) == 1 and self.blocks[0].savings.shape[1:] == (len(self.left), len(self.right)):
            return _spared(self.blocks[0].savings)
        return self._rows_from_blocks()

    def _rows_from_blocks(self) -> Iterator[Matrix]:
        known = {place: (block, row) for block in self.blocks for row, place in enumerate(block.rows)}
        others = np.repeat(_ANY_PAIR, len(self.right), axis=1)
        for place in range(len(self.left)):
            row = others
            if place in known:
                block, number = known[place]
                row = others.copy()
                row[:, block.columns] += block.savings[:, number]
            yield row


def _savings(references: list[str], predictions: list[str], threshold: float) -> Matrix:
    result = np.empty((3, len(references), len(predictions)))
    _add_costs(result[0], references, predictions)
    _add_costs(result[1], [text.split() for text in references], [text.split() for text in predictions])
    np.less_equal(result[0], threshold, out=result[2])
    np.subtract(1, result[:2], out=result[:2])
    return result


def _add_costs(costs: Matrix, references: Sequence[Sequence[str]], predictions: Sequence[Sequence[str]]) -> None:
    """min(1, distance / length of the reference), of characters or of words; from an empty one to any other it is 1."""
    distances = process.cdist(references, predictions, scorer=Levenshtein.distance, dtype=np.int32)
    lengths = np.array([[len(reference) or 1] for reference in references])
    np.divide(distances, lengths, out=costs)
    np.minimum(costs, 1.0, out=costs)


def _spared(savings: Matrix) -> Iterator[Matrix]:
    """For each reference, what it spares in sequence: layer, prediction."""
    return (_ANY_PAIR + savings[:, place] for place in range(savings.shape[1]))


def _most_spared(rows: Iterable[Matrix], width: int) -> list[float]:
    """The greatest sums over pairs that do not cross: the edit distance's recursion, a row at a time.

    A row's cells are the running maximum of what ends in a pair there and of what the row before had.
    """
    best = np.zeros((3, width + 1))
    here, before = best[:, 1:], best[:, :-1]
    for row in rows:
        ends_here = before + row
        np.maximum(ends_here, here, out=ends_here)
        np.maximum.accumulate(ends_here, axis=1, out=here)
    sums: list[float] = best[:, -1].tolist()
    return sums


def _layers(entities: int, spared: Sequence[float]) -> Layers:
    characters, words, matches = spared
    return Layers(entities - characters, entities - words, int(matches))
