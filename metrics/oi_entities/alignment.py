"""Align two lists of entities one to one, in order and in any order: the core of ECER, EWER and Nerval.

Source: Villanova-Aparisi et al., "Reading Order Independent Metrics for Information Extraction in Handwritten
Documents" (2024), sections 3.1 and 3.2.

A pair of one category may save something compared with an insertion and a deletion; a pair of two categories never
does. So pairs are compared and assigned within a category.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import count
from typing import NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from docie.metrics.oi_entities.savings import ALL, Matrix, Savings

K = TypeVar("K")
V = TypeVar("V")
Entity = tuple[str, str]
"""(category, text)."""
Numbers = NDArray[np.intp]

_ONE_TABLE = 4096  # pairs: up to this number, one table for all categories is faster than one for each,
_FEW_CHARACTERS = 4_000_000  # if the texts are short: the product of the total lengths
# A deletion and an insertion cost 2, the most expensive substitution 1: in sequence, any pair spares 1 plus its saving.
# In Nerval a substitution costs 2, and only matches are counted.
_ANY_PAIR = np.array([[1.0], [1.0], [0.0]])


class Layers(NamedTuple):
    """A number for characters, one for words, and a number of matches."""

    characters: float
    words: float
    matches: int


class Alignment(NamedTuple):
    """Distances and matches of the best alignment in order, and of the best one in any order."""

    in_order: Layers
    in_any_order: Layers


class Block(NamedTuple):
    """Some references (rows) and predictions (columns): their positions and categories, and the savings of pairs."""

    rows: list[int]
    columns: list[int]
    row_categories: Numbers
    column_categories: Numbers
    savings: Savings


def align(references: Sequence[Entity], predictions: Sequence[Entity], threshold: float) -> dict[str | None, Alignment]:
    """Align two lists of entities: equations 2 to 8.

    Args:
        references: the entities of the reference.
        predictions: the predicted entities.
        threshold: a pair of one category matches if its CER is at most this. In order, pairs must not cross.

    Returns:
        The alignment of each category separately, and that of all entities (None).

    >>> alignments = align([("date", "1770"), ("serie", "X1A")], [("serie", "X1A"), ("date", "1771")], 0.3)
    >>> alignments[None].in_order
    Layers(characters=2.0, words=2.0, matches=1)
    >>> alignments[None].in_any_order
    Layers(characters=0.25, words=1.0, matches=2)
    """
    if references == predictions:
        return _perfect(references)
    pairs = Pairs(references, predictions, threshold)
    references_by_category, predictions_by_category = by_category(references), by_category(predictions)
    saved = pairs.saved()
    alignments: dict[str | None, Alignment] = {}
    for number, (category, savings) in enumerate(zip(pairs.categories, saved.tolist(), strict=True)):
        expected, predicted = references_by_category.get(category, []), predictions_by_category.get(category, [])
        in_any_order = in_order = _layers(max(len(expected), len(predicted)), savings)
        # a single pair is always in order, and so are equal lists
        if len(expected) > 1 and len(predicted) > 1 and expected != predicted:
            in_order = _layers(len(expected) + len(predicted), _most_spared(pairs.rows_of(number), len(predicted)))
        alignments[category] = Alignment(in_order, in_any_order)
    in_any_order = _layers(max(len(references), len(predictions)), saved.sum(axis=0).tolist())
    if len(pairs.categories) == 1 and len(references) > 1 and len(predictions) > 1:
        in_order = alignments[pairs.categories[0]].in_order
    else:
        in_order = _layers(len(references) + len(predictions), _most_spared(pairs.rows(), len(predictions)))
    alignments[None] = Alignment(in_order, in_any_order)
    return alignments


def _perfect(entities: Sequence[Entity]) -> dict[str | None, Alignment]:
    sizes: dict[str | None, int] = {category: len(texts) for category, texts in by_category(entities).items()}
    return {
        category: Alignment(Layers(0.0, 0.0, size), Layers(0.0, 0.0, size))
        for category, size in (sizes | {None: len(entities)}).items()
    }


def by_category(entities: Iterable[tuple[K, V]]) -> dict[K, list[V]]:
    """The texts of every category, in order (or other values in their place).

    >>> by_category([("date", "1770"), ("serie", "X1A"), ("date", "1771")])
    {'date': ['1770', '1771'], 'serie': ['X1A']}
    """
    texts: dict[K, list[V]] = {}
    for category, text in entities:
        texts.setdefault(category, []).append(text)
    return texts


class Pairs:
    """The savings of the pairs of one category.

    `saved()` is all that OIECER, OIEWER and OINerval need; `rows()` and `rows_of(number)` are for the sequential ones.

    >>> Pairs([("date", "1770"), ("date", "1771")], [("date", "1771"), ("date", "1801")], 0.3).saved().tolist()
    [[1.25, 1.0, 1.0]]
    """

    def __init__(self, references: Sequence[Entity], predictions: Sequence[Entity], threshold: float) -> None:
        self.references, self.predictions, self.threshold = references, predictions, threshold
        self.categories = list(dict.fromkeys([category for category, _ in (*references, *predictions)]))
        numbers = {category: number for number, category in enumerate(self.categories)}
        self.reference_categories, self.prediction_categories = (
            [numbers[category] for category, _ in side] for side in (references, predictions)
        )
        self.blocks = [self._block(rows, columns) for rows, columns in self._places()]
        self.block_of = {number: block for block in self.blocks for number in block.row_categories.tolist()}

    def _places(self) -> Iterator[tuple[list[int], list[int]]]:
        """The references and predictions of each table, by position: all of them, or those of a category."""
        if self._fits_one_table():
            yield list(range(len(self.references))), list(range(len(self.predictions)))
            return
        rows_by_category, columns_by_category = (
            by_category(zip(categories, count(), strict=False))
            for categories in (self.reference_categories, self.prediction_categories)
        )
        for number, rows in rows_by_category.items():
            if number in columns_by_category:
                yield rows, columns_by_category[number]

    def _fits_one_table(self) -> bool:
        """Whether one table of all pairs, including those of two categories, is faster than one for each category."""
        if not 0 < len(self.references) * len(self.predictions) <= _ONE_TABLE:
            return False
        characters = [sum(len(text) for _, text in side) for side in (self.references, self.predictions)]
        return characters[0] * characters[1] <= _FEW_CHARACTERS

    def _block(self, rows: list[int], columns: list[int]) -> Block:
        references = [self.references[place][1] for place in rows]
        predictions = [self.predictions[place][1] for place in columns]
        row_categories, column_categories = (
            np.array([categories[place] for place in places], dtype=np.intp)
            for categories, places in ((self.reference_categories, rows), (self.prediction_categories, columns))
        )
        is_same = None
        if len(self.categories) > 1 and self._is_all(rows, columns):
            is_same = row_categories[:, None] == column_categories
        savings = Savings(references, predictions, self.threshold, is_same)
        return Block(rows, columns, row_categories, column_categories, savings)

    def saved(self) -> Matrix:
        """The greatest saving of an assignment, by category and layer."""
        total = np.zeros((len(self.categories), 3))
        for block in self.blocks:
            for layer in range(3):
                rows, savings = block.savings.best(layer)
                np.add.at(total[:, layer], block.row_categories[rows], savings)
        return total

    def rows_of(self, number: int) -> Iterable[Matrix]:
        """For each reference of a category, in order, what it spares with every prediction of that category."""
        block = self.block_of[number]
        is_row, is_column = block.row_categories == number, block.column_categories == number
        rows, columns = (ALL if places.all() else places.nonzero()[0] for places in (is_row, is_column))
        return block.savings.rows(rows, columns, plus=_ANY_PAIR)

    def rows(self) -> Iterable[Matrix]:
        """For each reference, in order, what it spares with every prediction."""
        if len(self.blocks) == 1 and self._is_all(self.blocks[0].rows, self.blocks[0].columns):
            return self.blocks[0].savings.rows(plus=_ANY_PAIR)
        return self._rows_from_blocks()

    def _is_all(self, rows: Sequence[int], columns: Sequence[int]) -> bool:
        return len(rows) == len(self.references) and len(columns) == len(self.predictions)

    def _rows_from_blocks(self) -> Iterator[Matrix]:
        rows = [(block, iter(block.savings.rows())) for block in self.blocks]
        known = {place: each for each in rows for place in each[0].rows}  # a block's rows are in this order, too
        nothing_saved = np.repeat(_ANY_PAIR, len(self.predictions), axis=1)
        for place in range(len(self.references)):
            spared = nothing_saved
            if place in known:
                block, rows_of_block = known[place]
                spared = nothing_saved.copy()
                spared[:, block.columns] += next(rows_of_block)
            yield spared


def _most_spared(rows: Iterable[Matrix], width: int) -> list[float]:
    """The greatest sums over pairs that do not cross: the recursion of the edit distance, row by row.

    A cell of a row is the running maximum of sums that end in a pair there and of the row before.
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
