"""nTED accuracy: how few edits turn extracted documents into the expected ones, by tree edit distance.

Source: Kim et al., "OCR-free Document Understanding Transformer" (Donut, 2022). The distance is that of Zhang and
Shasha (1989). Both documents become ordered trees: a root, its keys in one order, and the values below them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from docie.core.counts import Counts, Number, Row, ratio
from docie.core.errors import DocumentError, json_kind
from docie.core.scores import Score
from docie.core.settings import Common
from docie.documents.leaves import OneOf, is_one_of_object, is_scored_leaf
from docie.documents.tree import Node, parse_tree
from docie.metrics.nted.tree_edit_distance import distance
from docie.metrics.nted.trees import Trees

NAME, INPUTS = "nted", ("document",)
SCORES = (Score("nted_accuracy", "higher", "share", "Mean nTED accuracy of the documents.", headline=True),)


@dataclass(slots=True)
class Documents(Row):
    """Columns of the ("document",) row: the sum of accuracies, and the number of documents without an edit."""

    accuracy: Number = 0.0
    identical: Number = 0


Settings = Common
DEFAULT = Settings()
ROOT, SUBTREE = 0, 1  # the labels of nodes that are not keys; keys are text


def count(prediction: object, reference: object, settings: Settings = DEFAULT) -> Counts:
    """Count one document: its accuracy is max(0, 1 - TED(prediction, reference) / TED({}, reference)).

    The order of keys is ignored, that of list elements is not. Empty values (None, blank text, [], {}) are dropped. A
    single value is a list of one. In a list with scalars, objects are ignored. An empty reference scores 1.0 if the
    prediction is empty too, and 0.0 otherwise. To change a predicted text into alternatives costs the edits into the
    nearest one; to insert them costs the length of the first.

    Args:
        prediction (dict): the predicted document, a JSON object. Anything else is scored as the empty document and
            counted in `invalid_predictions`.
        reference (dict): the reference document.
        settings (Settings): the options.

    Returns:
        Counts: the counts of the document.

    Raises:
        DocumentError: if a document cannot be read.

    >>> count({"menu": {"nm": "Mocha", "cnt": 1}}, {"menu": {"cnt": "1", "nm": "Latte"}}).rows  # 1 - 5 / 10
    {('document',): [0.5, 0]}
    """
    if not isinstance(reference, Mapping):
        raise DocumentError(f"reference must be a JSON object, got {json_kind(reference)}", side="reference")
    is_valid = isinstance(prediction, Mapping)
    predicted = parse_side(prediction if is_valid else {}, "prediction", settings)
    expected = parse_side(reference, "reference", settings)
    accuracy = _accuracy(predicted, expected)
    return Counts.of_document({("document",): Documents(accuracy, int(accuracy == 1.0))}, valid=is_valid)


def score(counts: Counts) -> dict[str, Number]:
    """The scores of counts.

    Args:
        counts (Counts): the counts of a document or of a corpus.

    Returns:
        dict of str to float: `nted_accuracy`, the mean accuracy of the documents, in [0, 1]; 1.0 without documents.

    >>> score(count({"total": "12.00"}, {"total": "12.00"}) + count({}, {"total": "12.00"}))
    {'nted_accuracy': 0.5}
    """
    return {"nted_accuracy": ratio(counts.total("document", Documents).accuracy, counts.documents, empty=1.0)}


def breakdown(counts: Counts) -> dict[str, dict[str, dict[str, Number]]]:
    """An empty dict: an edit of a tree belongs to no single key.

    Args:
        counts (Counts): the counts of a document or of a corpus.

    Returns:
        dict: empty.

    >>> breakdown(Counts())
    {}
    """
    return {}


def parse_side(document: Any, side: str, settings: Settings) -> dict[str, Node]:
    """A prediction or reference, as objects, lists and texts."""
    if is_scored_leaf(document) or is_one_of_object(document):
        document = {**document, "": None}  # a document is an object even if it resembles a leaf; "" is dropped
    tree: dict[str, Node] = parse_tree(document, side, normalize=settings.normalizer, only_text_alternatives=True)
    return tree


def _accuracy(predicted: dict[str, Node], expected: dict[str, Node]) -> float:
    trees, predicted_tree, expected_tree = _trees(predicted, expected)
    if predicted_tree is None or expected_tree is None:
        # without a prediction, all but the root must be inserted: 1 - 1
        return float(predicted_tree == expected_tree)
    return max(0.0, 1 - distance(trees, predicted_tree, expected_tree) / (trees.cost[expected_tree] - 1))


def _trees(predicted: dict[str, Node], expected: dict[str, Node]) -> tuple[Trees, int | None, int | None]:
    trees = Trees()
    return trees, object_tree(predicted, ROOT, trees), object_tree(expected, ROOT, trees)


def object_tree(node: dict[str, Node], label: str | int, trees: Trees) -> int | None:
    """The tree of an object, its keys sorted by length, then text; None if it has no value."""
    keys = []
    for key in sorted(node, key=lambda key: (len(key), key)):
        values = _values(node[key], trees)
        if values:
            keys.append(trees.inner(key, values))
    return trees.inner(label, keys) if keys else None


def _values(node: Node, trees: Trees) -> list[int]:
    """The trees below a key: its texts or, if there are none, its objects."""
    leaves, objects = [], []
    for element in _flattened(node):
        if isinstance(element, dict):
            objects.append(element)
        elif isinstance(element, OneOf):
            texts = dict.fromkeys(text.strip() for text in element.alternatives if text)
            leaves += [trees.leaf(*texts)] if texts else []
        elif element is not None and (text := element.strip()):
            leaves.append(trees.leaf(text))
    if leaves:
        return leaves
    subtrees = (object_tree(element, SUBTREE, trees) for element in objects)
    return [subtree for subtree in subtrees if subtree is not None]


def _flattened(node: Node) -> Iterator[Node]:
    """The elements of a list and of the lists in it; of anything else, the value itself."""
    stack = [node]
    while stack:
        element = stack.pop()
        if isinstance(element, list):
            stack += reversed(element)
        else:
            yield element
