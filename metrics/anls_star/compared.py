"""Lists inside of lists that were compared with each other, all of one side with all of the other."""

from __future__ import annotations

import json
from collections.abc import Hashable, Sequence
from typing import NamedTuple

import numpy as np

from docie.core.values.json_text import ANY_OF
from docie.documents.tree import Node
from docie.metrics.anls_star.assignment import Matrix

canonical = json.JSONEncoder(
    sort_keys=True, check_circular=False, default=lambda one_of: {ANY_OF: one_of.alternatives}
).encode
"""The JSON of a tree; equal trees have the same."""


class Compared(NamedTuple):
    """Scores and lengths of lists, and the row or column of each list, by its identity."""

    rows: dict[int, int]
    columns: dict[int, int]
    scores: Matrix
    lengths: Matrix

    def part(self, references: Sequence[list[Node]], predictions: Sequence[list[Node]]) -> tuple[Matrix, Matrix]:
        """Scores and lengths of some of the lists; KeyError if others are among them."""
        block = np.ix_([self.rows[id(each)] for each in references], [self.columns[id(each)] for each in predictions])
        return self.scores[block], self.lengths[block]


def distinct_lists(lists: Sequence[list[Node]]) -> tuple[list[list[Node]], dict[int, int]]:
    """The distinct lists, and from the identity of every list to its place among them."""
    if len(lists) == 1:
        return [*lists], {id(lists[0]): 0}
    first: dict[Hashable, tuple[int, list[Node]]] = {}
    places = {id(nodes): first.setdefault(canonical(nodes), (len(first), nodes))[0] for nodes in lists}
    return [nodes for _, nodes in first.values()], places
