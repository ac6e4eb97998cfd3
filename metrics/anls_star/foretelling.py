"""How long ANLS* takes, from the numbers of elements that are compared."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from itertools import chain
from typing import Any

from docie.core.cost import CHARACTER_PAIR, comparing_texts
from docie.documents import Node, OneOf

CALL = 1e-6  # of comparing two values by themselves
CELL = 1.5e-8  # of a pair in a table of texts, or of a key of objects
ALTERNATIVE = 1.5e-7  # of a pair in a table of alternatives
PAIR_OF_LISTS, PAIR_OF_ELEMENTS = 2.5e-7, 1e-7  # of lists in lists
ASSIGNED = 4e-8  # of a pair in a table that is assigned; more where many are alike
FEW = 36  # pairs that are compared by themselves


def seconds(reference: Node, prediction: Node) -> float:
    """The seconds that the comparison of two trees takes."""
    if isinstance(reference, OneOf):
        return CALL + sum(seconds(node, prediction) for node in reference.alternatives)
    if isinstance(reference, str) and isinstance(prediction, str):
        return CALL + len(reference) * len(prediction) * CHARACTER_PAIR
    if isinstance(reference, dict) and isinstance(prediction, dict):
        return CALL + sum(seconds(node, prediction.get(key)) for key, node in reference.items())
    if isinstance(reference, list) and isinstance(prediction, list):
        return _elements(reference, prediction) + len(reference) * len(prediction) * ASSIGNED
    return CALL


def _elements(references: Sequence[Node], predictions: Sequence[Node]) -> float:
    """The seconds of comparing each of some trees with each of others."""
    total = CALL * min(FEW, len(references) * len(predictions))
    expected, predicted = _by_kind(references), _by_kind(predictions)
    total += comparing_texts(expected[str], predicted[str]) + len(expected[str]) * len(predicted[str]) * CELL
    total += _objects(expected[dict], predicted[dict]) + _lists(expected[list], predicted[list])
    one_ofs = expected[OneOf]
    if one_ofs:
        nodes = list(chain.from_iterable(one_of.alternatives for one_of in one_ofs))
        total += len(nodes) * len(predictions) * ALTERNATIVE + _elements(nodes, predictions)
    return total


def _objects(references: list[dict[str, Node]], predictions: list[dict[str, Node]]) -> float:
    if not references or not predictions:
        return 0.0
    expected, predicted = _by_key(references), _by_key(predictions)
    pairs, keys = len(references) * len(predictions), expected.keys() | predicted.keys()
    cells = sum(_elements(expected[key], predicted[key]) for key in expected.keys() & predicted.keys())
    return cells + pairs * len(keys) * (CALL if pairs <= FEW else CELL)


def _lists(references: list[list[Node]], predictions: list[list[Node]]) -> float:
    if not references or not predictions:
        return 0.0
    expected, predicted = list(chain.from_iterable(references)), list(chain.from_iterable(predictions))
    lists = len(references) * len(predictions) * PAIR_OF_LISTS
    return _elements(expected, predicted) + lists + len(expected) * len(predicted) * PAIR_OF_ELEMENTS


def _by_kind(nodes: Iterable[Node]) -> defaultdict[type, list[Any]]:
    kinds: defaultdict[type, list[Any]] = defaultdict(list)
    for node in nodes:
        kinds[str if isinstance(node, str) else type(node)].append(node)
    return kinds


def _by_key(objects: Iterable[dict[str, Node]]) -> defaultdict[str, list[Node]]:
    children: defaultdict[str, list[Node]] = defaultdict(list)
    for node in objects:
        for key, child in node.items():
            children[key].append(child)
    return children
