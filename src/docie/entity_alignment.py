"""Two lists of entities one to one, in their order and in any: the cores of ECER, EWER and Nerval.

Source: Villanova-Aparisi et al., "Reading Order Independent Metrics for Information Extraction in Handwritten
Documents" (2024), sections 3.1 and 3.2.

A pair of one category may save something against an insertion or a deletion, a pair of two categories never does. So
pairs are compared, and assigned, within a category. Three layers go through everything side by side: what a pair saves
in ECER (1 - CER, not below 0), in EWER (1 - WER), and in Nerval (1 for a match).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from rapidfuzz import process
from rapidfuzz.distance import Levenshtein
from scipy.optimize import linear_sum_assignment

Entity = tuple[str, str]
"""(category, text)."""
Matrix = NDArray[np.float64]
"""Often of three layers: (layer, reference, prediction)."""
Places = NDArray[np.intp]

_ONE_BLOCK = 4096  # pairs, up to which all categories share one table: one call is quicker than one a category
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
    """Some of the references and predictions, by their places, and what each pair saves."""

    rows: Places
    columns: Places
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
    in_order = _layers(len(references) + len(predictions), _most_spared(pairs.rows(), len(predictions)))
    found[None] = Compared(in_order, _layers(max(len(references), len(predictions)), saved.sum(axis=0).tolist()))
    return found


def by_category(entities: Iterable[Entity]) -> dict[str, list[str]]:
    """The texts of every category, in order.

    >>> by_category([("date", "1770"), ("serie", "X1A"), ("date", "1771")])
    {'date': ['1770', '1771'], 'serie': ['X1A']}
    """
    texts: dict[str, list[str]] = {}
    for category, text in entities:
        texts.setdefault(category, []).append(text)
    return texts


class Pairs:
    """What the pairs of one category save, of two lists of entities; `left` and `right` number the categories."""

    def __init__(self, references: Sequence[Entity], predictions: Sequence[Entity], threshold: float) -> None:
        self.categories = list(dict.fromkeys([category for category, _ in (*references, *predictions)]))
        numbers = {name: number for number, name in enumerate(self.categories)}
        self.left, self.right = (
            np.array([numbers[category] for category, _ in side], dtype=np.intp) for side in (references, predictions)
        )
        self.blocks = []
        for rows, columns in self._places():
            left, right = (
                [side[place][1] for place in places.tolist()]
                for side, places in ((references, rows), (predictions, columns))
            )
            savings = _savings(left, right, threshold) * (self.left[rows][:, None] == self.right[columns])
            self.blocks.append(Block(rows, columns, savings))

    def _places(self) -> Iterator[tuple[Places, Places]]:
        """References and predictions of one table, by their places: all of them, or those of a category."""
        if 0 < len(self.left) * len(self.right) <= _ONE_BLOCK:
            yield np.arange(len(self.left)), np.arange(len(self.right))
            return
        for number in np.intersect1d(self.left, self.right):  # none if one side is empty
            yield np.flatnonzero(self.left == number), np.flatnonzero(self.right == number)

    def saved(self) -> Matrix:
        """The most that an assignment saves, by category and layer."""
        total = np.zeros((len(self.categories), 3))
        for block in self.blocks:
            kinds = self.left[block.rows]
            for layer, savings in enumerate(block.savings):
                rows, columns = linear_sum_assignment(savings, maximize=True)
                total[:, layer] += np.bincount(kinds[rows], savings[rows, columns], len(total))
        return total

    def rows_of(self, number: int) -> Matrix:
        """For each reference of a category, in order, what it spares with every prediction of that category."""
        for rows, columns, savings in self.blocks:
            here = self.left[rows] == number
            if here.any():
                return _spared(savings[:, here][:, :, self.right[columns] == number])
        raise AssertionError("a category of both sides is in a block")

    def rows(self) -> Iterable[Matrix]:
        """For each reference, in order, what it spares with every prediction."""
        if len(self.left) * len(self.right) <= _ONE_BLOCK:
            return _spared(self.blocks[0].savings) if self.blocks else ()
        return self._rows_from_blocks()

    def _rows_from_blocks(self) -> Iterator[Matrix]:
        known = {place: (block, row) for block in self.blocks for row, place in enumerate(block.rows.tolist())}
        others = np.repeat(_ANY_PAIR, len(self.right), axis=1)
        for place in range(len(self.left)):
            row = others
            if place in known:
                block, number = known[place]
                row = others.copy()
                row[:, block.columns] += block.savings[:, number]
            yield row


def _savings(references: list[str], predictions: list[str], threshold: float) -> Matrix:
    characters = _costs(references, predictions)
    words = _costs([text.split() for text in references], [text.split() for text in predictions])
    return np.stack([1 - characters, 1 - words, characters <= threshold])


def _costs(references: Sequence[Sequence[str]], predictions: Sequence[Sequence[str]]) -> Matrix:
    """min(1, distance / length of the reference), of characters or of words; from an empty one to any other it is 1."""
    distances = process.cdist(references, predictions, scorer=Levenshtein.distance, dtype=np.int32)
    lengths = np.array([[len(reference) or 1] for reference in references])
    costs: Matrix = np.minimum(distances / lengths, 1.0)
    return costs


def _spared(savings: Matrix) -> Matrix:
    """For each reference, what it spares in sequence: layer, prediction."""
    return np.moveaxis(savings + _ANY_PAIR[..., None], 1, 0)


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
