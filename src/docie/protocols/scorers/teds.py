"""TEDS: how few edits turn the tree of an HTML table into the expected one, as a share of its nodes.

Source: Zhong et al., "Image-based table recognition: data, model, and evaluation" (2019), arXiv 1911.10683. To insert
or to delete a node costs 1, and so does another tag or span; another text of a cell costs the edits of its characters
over the length of the longer text. The distance is that of Zhang and Shasha (1989).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from rapidfuzz.distance import Levenshtein

from docie.core.counts import Counts
from docie.core.errors import DocumentError, shortened
from docie.core.settings import check_flag
from docie.documents.markup.table_trees import Node, table_of
from docie.metrics import anls_star
from docie.protocols.means import counts_of, mean_scorer

Floats = NDArray[np.float64]
Places = NDArray[np.int64]


@dataclass(frozen=True)
class Settings:
    """The options of TEDS.

    Attributes:
        structure (bool): whether the texts of cells do not matter (TEDS-Struct).
    """

    structure: bool = False

    def __post_init__(self) -> None:
        check_flag("structure", self.structure)


def count(prediction: object, reference: object, settings: Settings) -> Counts:
    """Count one document: the first table of a text in HTML. A prediction without a table scores 0.

    Raises:
        DocumentError: for a reference without a table.

    >>> table = "<table><tr><td>Latte<td>4.50</table>"
    >>> count(table.replace("4.50", "4.60"), table, Settings()).rows  # 1 - 1 / 4 / 4 nodes
    {('document',): [0.9375]}
    """
    expected = table_of(reference) if isinstance(reference, str) else None
    if expected is None:
        raise DocumentError(f"reference must be a text with a table in HTML, got {shortened(reference)}")
    predicted = table_of(prediction) if isinstance(prediction, str) else None
    similarity = _similarity(predicted, expected, settings) if predicted else 0.0
    return counts_of(similarity, valid=predicted is not None)


def _similarity(predicted: Node, expected: Node, settings: Settings) -> float:
    """1 - the edits between two trees / the number of nodes of the larger one."""
    nodes, first = zip(*map(_in_post_order, (predicted, expected)), strict=True)
    renames = np.array([[_rename(node, other, settings) for other in nodes[1]] for node in nodes[0]])
    return max(0.0, 1 - edit_distance(renames, *first) / max(map(len, nodes)))


def _in_post_order(tree: Node) -> tuple[list[Node], Places]:
    """The nodes of a tree, and for each the place of its first leaf."""
    nodes, first = list[Node](), list[int]()

    def visit(node: Node) -> int:
        places = [visit(child) for child in node.children]
        first.append(places[0] if places else len(nodes))
        nodes.append(node)
        return first[-1]

    visit(tree)
    return nodes, np.array(first)


def _rename(node: Node, other: Node, settings: Settings) -> float:
    if node.label != other.label:
        return 1.0
    return 0.0 if settings.structure else float(Levenshtein.normalized_distance(node.tokens or (), other.tokens or ()))


def edit_distance(renames: Floats, first: Places, others: Places) -> float:
    """The cost of the cheapest edits between two ordered trees, where to insert or to delete a node costs 1.

    Args:
        renames: the costs of changing each node into each of the other tree, at most 1.
        first, others: for the nodes of both trees, in post-order, the place of their first leaf.
    """
    rows, columns = np.arange(len(first)), np.arange(len(others))
    # a leaf and a tree: all nodes of the tree but one, and the cheapest change into that one
    to_leaf = np.stack([renames[start : row + 1].min(axis=0) for row, start in zip(rows, first, strict=True)])
    of_leaf = np.stack(
        [renames[:, start : column + 1].min(axis=1) for column, start in zip(columns, others, strict=True)], axis=1
    )
    trees = np.where(others == columns, to_leaf + (rows - first)[:, None], of_leaf + (columns - others))
    for root in _key_roots(first):
        for other in _key_roots(others):
            _compare(trees, renames, first[: root + 1], others[: other + 1])
    return float(trees[-1, -1])


def _key_roots(first: Places) -> list[int]:
    """The last nodes of all that have the same first leaf, without leaves."""
    return sorted({start: place for place, start in enumerate(first.tolist()) if start < place}.values())


def _compare(trees: Floats, renames: Floats, first: Places, others: Places) -> None:
    """Fill in the distances of the trees on the leftmost paths of two nodes, the last ones, by those of forests."""
    top, left = int(first[-1]), int(others[-1])
    before = others[left:] - left
    columns, on_path = np.arange(len(before) + 1), np.flatnonzero(before == 0)
    table = np.empty((len(first) - top + 1, len(columns)))
    table[0] = columns
    for row, (start, above) in enumerate(zip(first[top:].tolist(), table, strict=False), top):
        pairs = table[start - top][before] + trees[row, left : len(others)]
        if start == top:
            pairs[on_path] = above[on_path] + renames[row, left + on_path]
        best = np.concatenate([above[:1], np.minimum(pairs - 1, above[1:])]) - columns
        table[row - top + 1] = np.minimum.accumulate(best) + columns + 1
        if start == top:
            trees[row, left + on_path] = table[row - top + 1, on_path + 1]


_MEANING = "Mean over tables of 1 minus their edits per node."
SCORER = mean_scorer("teds", "teds", _MEANING, count, INPUTS=("value",), Settings=Settings, explained=anls_star.explain)
