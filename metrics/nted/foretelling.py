"""How long nTED takes, from the sizes of its tables."""

from __future__ import annotations

from docie.core.cost import comparing_texts
from docie.metrics.nted.key_roots import WIDE
from docie.metrics.nted.tree_edit_distance import Plan

NODE = 8e-6  # of a tree that is made
ROW = 8e-6  # of a forest table
LEVEL = 1.5e-5  # of key-roots, in a row of a node on a leftmost path
CELL, CELL_IN_LANES, CELL_ALONG_PATHS = 5e-9, 3e-9, 2.5e-9
SAVING = 4e-9  # of a larger subtree with a unit


def seconds(plan: Plan) -> float:
    """The seconds that carrying out a plan takes."""
    predicted, expected = plan.sides
    nodes = len(predicted.order) + len(expected.order)
    total = nodes * NODE + comparing_texts(predicted.texts, expected.texts)
    total += (len(predicted.order) * expected.units + len(expected.order) * predicted.units) * SAVING
    if plan.forests:
        return total + plan.forests * (len(expected.order) + 1) * (1e-6 + len(expected.order) * CELL_ALONG_PATHS)
    if predicted.is_split:
        total += _rows(len(predicted.order), len(expected.order))
    if predicted.keyroots and expected.keyroots:
        total += _rows(predicted.work, expected.work) + len(predicted.children) * len(expected.levels) * LEVEL
    return total


def _rows(rows: int, columns: int) -> float:
    return rows * (ROW + columns * (CELL if columns < WIDE else CELL_IN_LANES))
