"""The edit distance between ordered labelled trees with text in the leaves.

Source: Zhang and Shasha, "Simple Fast Algorithms for the Editing Distance between Trees and Related Problems" (1989),
with the costs of Donut (Kim et al., "OCR-free Document Understanding Transformer", 2022). Inserting or deleting a leaf
costs its length, an inner node 1. Changing a leaf into another costs their Levenshtein distance, an inner node into
another 0 if the labels agree, else 1; changing a leaf into an inner node, or the reverse, costs the price of both. A
leaf with alternatives is inserted as its own text; changing a leaf into it costs the distance to the nearest one.

Distances are computed as savings: how much a mapping saves compared with deleting one tree and inserting the other. So
borders are 0, a leaf and an inner node are never worth pairing, and a row of the forest table is a running maximum.

The distance is the same in both directions. By convention the first tree is the prediction, the second the reference.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np
from rapidfuzz import process
from rapidfuzz.distance import Levenshtein

from docie.metrics.nted import heavy_paths
from docie.metrics.nted.key_roots import Integers, fill_savings, forest_saving, inner_savings
from docie.metrics.nted.trees import Side, Trees

LARGE = 10**7  # cells of the key-roots' tables: from this number on, heavy paths are considered
TABLES = 2**27  # the largest number of cells in all tables along heavy paths
SPLIT = 2**15  # pairs of nodes: from this number on, roots are handled separately
BLOCK = 2**22  # costs of leaves that are computed at a time, to bound memory
ROOTS = 2  # the saving of a pair of roots with the same label


def distance(trees: Trees, prediction: int, reference: int) -> int:
    """The cost of the cheapest edits between two trees.

    >>> trees = Trees()
    >>> latte, mocha = (trees.inner("nm", [trees.leaf(text)]) for text in ("Latte", "Mocha"))
    >>> distance(trees, trees.inner("menu", [latte]), trees.inner("menu", [mocha, latte]))
    6
    """
    way = plan(trees, prediction, reference)
    return sum(side.cost[-1] for side in way.sides) - _saving(way) if way else 0


def plan(trees: Trees, prediction: int, reference: int) -> Plan | None:
    """How two trees are compared; None if they are equal."""
    prediction, reference = trees.stripped(prediction, reference)
    return None if prediction == reference else _plan(trees, prediction, reference)


Sides = tuple[Side, Side]


class Plan(NamedTuple):
    """How two trees are compared: by the tables of their key-roots, both as they are or both mirrored; or the first
    along its heavy paths, with so many forests of it (0: not so)."""

    sides: Sides
    forests: int


def _plan(trees: Trees, prediction: int, reference: int) -> Plan:
    """The way with the least work."""
    roots = prediction, reference
    are_large = math.prod(map(trees.size.__getitem__, roots)) >= SPLIT
    directions = [_sides(trees, roots, is_mirrored=is_mirrored, is_split=are_large) for is_mirrored in (False, True)]
    predicted, expected = min(directions, key=cells_of)
    cells, plan = cells_of((predicted, expected)), Plan((predicted, expected), 0)
    if cells >= LARGE:
        predicted, expected = directions[0]
        for sides in ((predicted, expected), (expected, predicted)):
            table = (len(sides[1].order) + 1) ** 2
            if table < min(cells, TABLES):
                forests, tables = heavy_paths.work(sides[0].ordered)
                if (tables + 6) * table < TABLES and forests * table < cells:
                    cells, plan = forests * table, Plan(sides, forests)
    return plan


def _sides(trees: Trees, roots: tuple[int, int], *, is_mirrored: bool, is_split: bool) -> Sides:
    """The sides of two trees. Both are split, if requested and if neither is a unit."""
    if is_split and all(trees.texts[root] is None for root in roots):
        roots = trees.with_equal_roots(*roots)
    else:
        is_split = False
    predicted, expected = (Side(trees, root, is_mirrored=is_mirrored, is_split=is_split) for root in roots)
    return predicted, expected


def cells_of(sides: Sides) -> int:
    """The cells of all tables of the key-roots of two trees, and of the forests below roots that are split off."""
    predicted, expected = sides
    forests = len(predicted.order) * len(expected.order) if predicted.is_split else 0
    return predicted.work * expected.work + forests


def _saving(plan: Plan) -> int:
    predicted, expected = plan.sides
    savings = _unit_savings(plan)
    if plan.forests:
        heavy_paths.fill_savings(
            savings,
            predicted.ordered,
            expected.ordered,
            lambda row, columns: inner_savings(predicted.labels[row], expected.labels[columns]),
        )
    else:
        fill_savings(savings, predicted, expected)
        if predicted.is_split:
            return forest_saving(savings, predicted, expected) + ROOTS
    return int(savings[predicted.order[-1], expected.order[-1]])


def _unit_savings(plan: Plan) -> Integers:
    """The table of savings, filled wherever one of the two subtrees is a unit.

    Rows are the distinct predicted subtrees, columns those of the reference. Two units save what their texts save and,
    if both have an inner node, what these save. A last column of zeros stands for the empty tree.
    """
    predicted, expected = plan.sides
    integers = _integers(plan)
    savings = np.zeros((len(predicted.labels), len(expected.labels) + 1), integers)
    units = savings[: predicted.units, : expected.units]
    lengths = np.array(list(map(len, expected.texts)), integers)
    step = max(1, BLOCK // len(expected.order))
    blocks = [slice(start, start + step) for start in range(0, predicted.units, step)]
    for rows in blocks:
        texts = predicted.texts[rows]
        distances = process.cdist(texts, expected.texts, scorer=Levenshtein.distance, dtype=integers)
        np.add.outer(np.array(list(map(len, texts)), integers), lengths, out=units[rows])
        units[rows] -= distances
    _save_alternatives(units, predicted, expected)
    _save_alternatives(units.T, expected, predicted)
    _add_larger(savings[:, : expected.units], predicted)
    for rows in blocks:
        part, labels = savings[: predicted.units][rows].T, predicted.labels[: predicted.units][rows]
        by_column = part.copy()  # a copy with contiguous columns
        _add_larger(by_column, expected)
        by_column[: expected.units] += inner_savings(expected.labels[: expected.units, None], labels)
        _add_larger(by_column, expected, labels)
        part[...] = by_column
    _add_larger(savings[:, : expected.units], predicted, expected.labels[: expected.units])
    return savings


def _save_alternatives(units: Integers, side: Side, other: Side) -> None:
    """Add, in place, what the nearest alternative of a unit (rows) saves more than its text beside those of a side.

    A unit without text may have no leaf, so it saves nothing.
    """
    places = [*side.others]
    has_text = np.array(list(map(bool, other.texts)))
    step = max(1, BLOCK // (len(other.order) * max(map(len, side.others.values()), default=1)))
    for start in range(0, len(places), step):
        rows = places[start : start + step]
        alternatives = [(side.texts[row], *side.others[row]) for row in rows]
        texts = [text for each in alternatives for text in each]
        distances = process.cdist(texts, other.texts, scorer=Levenshtein.distance, dtype=np.int64)
        starts = np.cumsum([0, *map(len, alternatives[:-1])])
        saved = (distances[starts] - np.minimum.reduceat(distances, starts, axis=0)) * has_text
        units[rows] += saved.astype(units.dtype)


def _integers(plan: Plan) -> type[np.signedinteger[Any]]:
    """The narrowest integers that hold all savings; narrow ones only for large tables: they are slower in small ones.

    Two trees save at most twice the cost of one of them. Roots that are split off save nothing in the table.
    """
    with_roots = plan.forests or not plan.sides[0].is_split
    largest = 2 * max(max(side.cost if with_roots else side.cost[:-1]) for side in plan.sides)
    if largest < 2**15 and math.prod(len(side.labels) for side in plan.sides) >= LARGE:
        return np.int16
    return np.int32 if largest < 2**31 else np.int64


def _add_larger(savings: Integers, side: Side, unit_labels: Integers | None = None) -> None:
    """Fill the rows of larger subtrees against units, children first.

    Without labels: the most that the texts alone save. Then, with the labels of the units, their savings: either both
    nodes are a pair, and the text goes with one of those below; or the whole unit goes into a child.
    """
    for row, children in enumerate(side.children, side.units):
        best = savings[row]
        if unit_labels is not None:
            best += inner_savings(side.labels[row], unit_labels)
        for child in children:
            np.maximum(best, savings[child], out=best)
