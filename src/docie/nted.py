"""nTED accuracy: how little of a JSON document has to be edited, by tree edit distance.

Source: Kim et al., "OCR-free Document Understanding Transformer" (Donut, 2022); the distance is that of
Zhang and Shasha (1989). Both documents become ordered trees: a root, its keys in one order, the values below them.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from functools import partial
from typing import Any, NamedTuple

from docie.counts import Counts, Number, ratio
from docie.document import is_scored_leaf, longer_path
from docie.errors import DocumentError
from docie.jsontext import with_room
from docie.settings import Common as Settings
from docie.text_similarity import most_similar
from docie.tree import AnyOf, Node, read
from docie.tree_distance import Trees
from docie.values import ANY_OF

__all__ = ["INPUTS", "NAME", "Settings", "breakdown", "count", "details", "score"]

NAME, INPUTS = "nted", ("document",)


class Documents(NamedTuple):
    """Columns of the ("document",) row."""

    accuracy: Number = 0.0


DEFAULT = Settings()
ROOT, SUBTREE = 0, 1  # labels of the nodes that are no keys; keys are text


def count(prediction: object, reference: object, settings: Settings = DEFAULT) -> Counts:
    """The additive counts of one document: its accuracy, max(0, 1 - TED(prediction, reference) / TED({}, reference)).

    `prediction` and `reference` are JSON objects; a prediction that is not an object is the empty document and is
    counted in `invalid_predictions`. Keys count in any order, list elements in theirs; absent values (None, blank text,
    [], {}) are dropped, a single value is a list of one, and beside scalars a list's objects do not count. An empty
    reference scores 1.0 if the prediction is empty too, else 0.0.

    Raises DocumentError for a document that cannot be read.

    >>> count({"menu": {"nm": "Mocha", "cnt": 1}}, {"menu": {"cnt": "1", "nm": "Latte"}}).rows  # 1 - 5 / 10
    {('document',): [0.5]}
    """
    if not isinstance(reference, Mapping):
        raise DocumentError(f"reference must be a JSON object, got {type(reference).__name__}", side="reference")
    invalid = not isinstance(prediction, Mapping)
    predicted = _read({} if invalid else prediction, "prediction", settings)
    expected = _read(reference, "reference", settings)
    accuracy = with_room(partial(_accuracy, predicted, expected))
    return Counts(1, int(invalid), {("document",): [accuracy]})


def score(counts: Counts) -> dict[str, Number]:
    """`nted_accuracy`, in [0, 1]: the mean accuracy of the documents, 1.0 where there is none.

    >>> score(count({"total": "12.00"}, {"total": "12.00"}) + count({}, {"total": "12.00"}))
    {'nted_accuracy': 0.5}
    """
    total = counts.total("document", Documents)
    return {"nted_accuracy": ratio(total.accuracy, counts.documents, empty=1.0)}


def breakdown(counts: Counts) -> dict[str, dict[str, dict[str, Number]]]:
    """No tables: a tree's edits belong to no single key."""
    return {}


def details(counts: Counts) -> dict[str, Any]:
    """Nothing beyond the figure."""
    return {}


def _read(document: Any, side: str, settings: Settings) -> dict[str, Node]:
    if is_scored_leaf(document) or (len(document) == 1 and ANY_OF in document):
        document = {**document, "": None}  # a document is an object even if it looks like a value; "" is dropped
    tree: dict[str, Node] = read(document, side, normalize=settings.normalizer, single_answers=True)
    return tree


def _accuracy(predicted: dict[str, Node], expected: dict[str, Node]) -> float:
    _decide(expected, predicted)
    trees = Trees()
    left, right = (_object(document, ROOT, trees) for document in (predicted, expected))
    if left is None or right is None:
        return float(left == right)  # without a prediction, everything but the root has to be inserted: 1 - 1
    return max(0.0, 1 - trees.distance(left, right) / (trees.cost[right] - 1))


def _object(node: dict[str, Node], label: str | int, trees: Trees) -> int | None:
    """The tree of an object, its keys sorted by length, then text; None if nothing is in it."""
    keys = []
    for key in sorted(node, key=lambda key: (len(key), key)):
        values = _values(node[key], trees)
        if values:
            keys.append(trees.inner(key, values))
    return trees.inner(label, keys) if keys else None


def _values(node: Node, trees: Trees) -> list[int]:
    """The trees below a key: its texts or, if there is none, its objects."""
    leaves, objects = [], []
    for element in _elements(node):
        if isinstance(element, dict):
            objects.append(element)
        elif element is not None and (text := element.strip()):
            leaves.append(trees.leaf(text))
    subtrees = []
    for element in objects if not leaves else []:
        subtree = _object(element, SUBTREE, trees)
        if subtree is not None:
            subtrees.append(subtree)
    return leaves or subtrees


def _elements(node: Node) -> Iterator[Node]:
    """A value as a list of values that are no lists."""
    stack = [node]
    while stack:
        element = stack.pop()
        if isinstance(element, list):
            stack += reversed(element)
        else:
            yield element


def _decide(expected: dict[str, Node], predicted: dict[str, Node]) -> None:
    """Replace alternatives, in place, by the one most similar to any predicted value of the same entity type."""
    undecided = [place for place in _places(expected) if isinstance(place.holder[place.key], AnyOf)]
    if not undecided:
        return
    texts: defaultdict[str, set[str]] = defaultdict(set)
    for path, holder, key in _places(predicted):
        if holder[key] is not None:
            texts[path].add(holder[key].strip())
    for path, holder, key in undecided:
        present = [answer.strip() for answer in holder[key].nodes if answer]  # leaves are stripped too
        holder[key] = most_similar(present, texts[path]) if present else None


class _Place(NamedTuple):
    """Where a single value stands: its entity type, and the object or list that holds it."""

    path: str
    holder: Any
    key: Any


def _places(document: dict[str, Node]) -> Iterator[_Place]:
    stack: list[tuple[str, str, Node]] = [("", "", document)]
    while stack:
        path, prefix, node = stack.pop()
        entries: Iterable[tuple[Any, Node]] = node.items() if isinstance(node, dict) else enumerate(node)
        for key, child in entries:
            inner = path
            if isinstance(node, dict):
                inner = longer_path(path, prefix, key) if prefix else key
            if isinstance(child, dict | list):
                stack.append((inner, prefix or key + ".", child))
            else:
                yield _Place(inner, node, key)
