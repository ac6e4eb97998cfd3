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

from collections.abc import Sequence

import numpy as np
from rapidfuzz import process
from rapidfuzz.distance import Levenshtein

from docie.metrics.nted.key_roots import Integers, forest_saving, inner_savings, integers_for
from docie.metrics.nted.trees import Side, Trees

BLOCK = 2**22  # distances of texts at a time: what is computed of them takes no more than 50 MB


def distance(trees: Trees, prediction: int, reference: int) -> int:
    """The cost of the cheapest edits between two trees.

    >>> trees = Trees()
    >>> latte, mocha = (trees.inner("nm", [trees.leaf(text)]) for text in ("Latte", "Mocha"))
    >>> distance(trees, trees.inner("menu", [latte]), trees.inner("menu", [mocha, latte]))
    6
    """
    forests = trees.forests(prediction, reference)
    cost = sum(trees.cost[tree] for forest in forests for tree in forest)
    if not all(forests):
        return cost
    predicted, expected = (Side(trees, forest) for forest in forests)
    return cost - forest_saving(_unit_savings(predicted, expected, cost), predicted, expected)


def _unit_savings(predicted: Side, expected: Side, cost: int) -> list[Integers]:
    """The table of savings, filled wherever one of the two subtrees is a unit. No saving is more than the cost.

    Rows are the distinct predicted subtrees, columns those of the reference. Two units save what their texts save and,
    if both have an inner node, what these save. A last column of zeros stands for the empty tree. Rows of units hold
    small numbers, which take little memory: there may be thousands of them.
    """
    texts, others, width = predicted.texts, expected.texts, len(expected.labels) + 1
    integers = integers_for(2 * max(map(len, texts + others)) + 2)
    lengths = [np.array(list(map(len, side)), integers) for side in (texts, others)]
    narrow = np.zeros((len(texts), width), integers)
    table = [*narrow, *np.zeros((len(predicted.children), width), integers_for(cost))]
    units, columns = narrow[:, : len(others)], [row[: len(others)] for row in table]
    step = max(1, BLOCK // width)
    blocks = [slice(start, start + step) for start in range(0, len(texts), step)]
    for rows in blocks:
        np.add(lengths[0][rows, None], lengths[1], out=units[rows])
        units[rows] -= process.cdist(texts[rows], others, scorer=Levenshtein.distance, dtype=integers)
    _save_alternatives(units, predicted, expected)
    _save_alternatives(units.T, expected, predicted)
    _add_larger(columns, predicted)
    for rows in blocks:
        labels, by_column = predicted.labels[: len(texts)][rows], narrow[rows].T.copy()  # with contiguous columns
        _add_larger(by_column, expected)
        by_column[: len(others)] += inner_savings(expected.labels[: len(others), None], labels)
        _add_larger(by_column, expected, labels)
        narrow[rows] = by_column.T
    _add_larger(columns, predicted, expected.labels[: len(others)])
    return table


def _save_alternatives(units: Integers, side: Side, other: Side) -> None:
    """Add, in place, what the nearest alternative of a unit (rows) saves more than its text beside those of a side.

    A unit without text may have no leaf, so it saves nothing.
    """
    has_text = np.array(list(map(bool, other.texts)))
    for row, alternatives in side.others.items():
        texts = (side.texts[row], *alternatives)
        distances = process.cdist(texts, other.texts, scorer=Levenshtein.distance, dtype=np.int64)
        units[row] += ((distances[0] - distances.min(axis=0)) * has_text).astype(units.dtype)


def _add_larger(rows: Sequence[Integers] | Integers, side: Side, unit_labels: Integers | None = None) -> None:
    """Fill the rows of larger subtrees against units, children first.

    Without labels: the most that the texts alone save. Then, with the labels of the units, their savings: either both
    nodes are a pair, and the text goes with one of those below; or the whole unit goes into a child.
    """
    for row, children in enumerate(side.children, len(side.texts)):
        best = rows[row]
        if unit_labels is not None:
            best += inner_savings(side.labels[row], unit_labels)
        for child in children:
            np.maximum(best, rows[child], out=best)
