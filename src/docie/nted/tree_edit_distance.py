"""The edit distance between ordered labelled trees with text in the leaves.

Source: Zhang and Shasha, "Simple Fast Algorithms for the Editing Distance between Trees and Related Problems" (1989),
with the costs of Donut (Kim et al., "OCR-free Document Understanding Transformer", 2022). To insert or delete a leaf
costs its length, an inner node 1. To change a leaf into another costs their Levenshtein distance, an inner node into
another 0 if the labels agree, else 1; to change a leaf into an inner node, or the reverse, costs the price of both.

Distances are computed as savings: how much a mapping saves compared with deleting one tree and inserting the other. So
borders are 0, a leaf and an inner node are never worth a pair, and a row of the forest table is a running maximum.

The distance is the same in both directions. By convention the first tree is the prediction, the second the reference.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from rapidfuzz import process
from rapidfuzz.distance import Levenshtein

from docie.nted.heavy_paths import fill_savings, work
from docie.nted.key_roots import Columns, Integers, inner_savings
from docie.nted.side import Side
from docie.nted.trees import Trees

LARGE = 10**7  # cells of the key-roots' tables, from which heavy paths are worth a look
TABLES = 2**27  # the most cells that tables along heavy paths may have together
BLOCK = 2048  # rows of leaf costs that are computed at a time, to bound memory


def distance(trees: Trees, prediction: int, reference: int) -> int:
    """The cost of the cheapest edits that make one tree the other.

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


class Plan(NamedTuple):
    """How two trees are compared: by the tables of their key-roots, both as they are or both mirrored; or the first
    along its heavy paths, which takes so many forests of it (0: not so)."""

    sides: tuple[Side, Side]
    forests: int


def _plan(trees: Trees, prediction: int, reference: int) -> Plan:
    """The way that takes the least work."""
    directions = [
        tuple(Side(trees, root, is_mirrored=is_mirrored) for root in (prediction, reference))
        for is_mirrored in (False, True)
    ]
    predicted, expected = min(directions, key=lambda sides: sides[0].work * sides[1].work)
    cells, plan = predicted.work * expected.work, Plan((predicted, expected), 0)
    if cells >= LARGE:
        predicted, expected = directions[0]
        for sides in ((predicted, expected), (expected, predicted)):
            table = (len(sides[1].order) + 1) ** 2
            if table < min(cells, TABLES):
                forests, tables = work(sides[0].ordered)
                if (tables + 6) * table < TABLES and forests * table < cells:
                    cells, plan = forests * table, Plan(sides, forests)
    return plan


def _saving(plan: Plan) -> int:
    predicted, expected = plan.sides
    savings = _unit_savings(predicted, expected)
    if plan.forests:
        fill_savings(
            savings,
            predicted.ordered,
            expected.ordered,
            lambda row, columns: inner_savings(predicted.labels[row], expected.labels[columns]),
        )
    elif predicted.keyroots and expected.keyroots:
        columns = Columns(expected, savings)
        for keyroot in predicted.keyroots:
            columns.compare(predicted, keyroot)
    return int(savings[predicted.order[-1], expected.order[-1]])


def _unit_savings(predicted: Side, expected: Side) -> Integers:
    """The table of savings, filled wherever one of the two subtrees is a unit.

    Rows are the distinct predicted subtrees, columns those of the reference. Two units save what their texts save and,
    where both have an inner node, what these save. A last column of zeros stands for "nothing".
    """
    savings = np.zeros((len(predicted.labels), len(expected.labels) + 1), _integers(expected))
    units = savings[: predicted.units, : expected.units]
    predicted_labels, expected_labels = predicted.labels[: predicted.units], expected.labels[: expected.units]
    lengths = np.array([len(text) for text in expected.texts])
    blocks = [slice(start, start + BLOCK) for start in range(0, predicted.units, BLOCK)]
    for rows in blocks:
        texts = predicted.texts[rows]
        distances = process.cdist(texts, expected.texts, scorer=Levenshtein.distance, dtype=np.int32)
        units[rows] = np.array([[len(text)] for text in texts]) + lengths - distances
    _add_larger(savings[:, : expected.units], predicted)
    for rows in blocks:
        _add_larger(savings[: predicted.units][rows].T, expected)
    for rows in blocks:
        units[rows] += inner_savings(predicted_labels[rows, None], expected_labels)
    _add_larger(savings[:, : expected.units], predicted, expected_labels)
    for rows in blocks:
        _add_larger(savings[: predicted.units][rows].T, expected, predicted_labels[rows])
    return savings


def _integers(side: Side) -> type[np.signedinteger[Any]]:
    """The narrowest integers that hold all savings, and the offsets of the key-roots' columns."""
    largest = sum(2 * side.cost[number] + 1 for number in (*side.keyroots, -1))
    return np.int32 if largest < 2**31 else np.int64


def _add_larger(savings: Integers, side: Side, unit_labels: Integers | None = None) -> None:
    """Fill the rows of a side's larger subtrees against units, children first.

    Without labels: the most that the texts alone save. Then, with the labels of the units, what these add: either both
    nodes are a pair, and the text goes with one of those below; or the whole unit goes into a child.
    """
    for row, children in enumerate(side.children, side.units):
        best = savings[row]
        if unit_labels is not None:
            best += inner_savings(side.labels[row], unit_labels)
        for child in children:
            np.maximum(best, savings[child], out=best)
