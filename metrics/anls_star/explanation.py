"""How an ANLS* comes about: the score of every value of a document, as a tree."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import partial
from typing import Any, Literal

from docie.core.values.json_text import with_deep_recursion
from docie.documents.leaves import OneOf
from docie.documents.tree import Node
from docie.metrics.anls_star.comparison import Comparison, keys_of, ratio_of
from docie.metrics.anls_star.metric import DEFAULT, Settings, parse_pair, plain

Kind = Literal["object", "list", "text", "absent", "mismatch", "missed", "invented"]


@dataclass(slots=True)
class Explained:
    """Two values that ANLS* compares, and what their score is made of.

    Attributes:
        kind: "object", "list" or "text" if both values are one; "absent" if both are missing; "mismatch" if they are of
            different kinds; "missed" or "invented" for an element of a list without a counterpart.
        reference, prediction: both values, as JSON; None for what is missing. Of alternatives, the one that was chosen.
        score: how much of the length is right: the sum of the similarities of all texts below.
        length: the number of texts that the score is out of.
        key: the key in the object above; None in lists, and at the top.
        reference_place, predicted_place: the places in the lists above, from 0; None outside of lists, and for what a
            side lacks.
        alternatives: all alternatives of the reference, if it has some.
        children: the values inside.
    """

    kind: Kind
    reference: Any
    prediction: Any
    score: float
    length: int
    key: str | None = None
    reference_place: int | None = None
    predicted_place: int | None = None
    alternatives: list[Any] = field(default_factory=list)
    children: list[Explained] = field(default_factory=list)

    @property
    def anls_star(self) -> float:
        """The ANLS* of the two values, in [0, 1]; 1.0 of nothing."""
        return ratio_of((self.score, self.length))


def explain(prediction: object, reference: object, settings: Settings = DEFAULT) -> Explained:
    """How the ANLS* of one document comes about.

    Source: equations 1 to 4 of the paper, as `count` computes them: the root has the figure of `score`.

    Args:
        prediction: as in `count`.
        reference: as in `count`.
        settings (Settings): the options. With `normalize`, texts are the normalised ones.

    Returns:
        Explained: the comparison of the whole documents, and in it those of their parts. Elements of lists stand in the
        order of the reference, invented ones last.

    Raises:
        DocumentError: as in `count`.

    >>> tree = explain({"nm": "Lattes", "cnt": 2}, {"nm": "Latte", "price": "4.50"})
    >>> [(child.key, child.kind, round(child.anls_star, 3)) for child in tree.children]
    [('nm', 'text', 0.833), ('price', 'mismatch', 0.0), ('cnt', 'mismatch', 0.0)]
    >>> round(tree.score, 3), tree.length, round(tree.anls_star, 3)
    (0.833, 3, 0.278)
    """
    comparison, expected, predicted, _ = parse_pair(prediction, reference, settings)
    return with_deep_recursion(partial(_explained, comparison, expected, predicted))


def _explained(comparison: Comparison, reference: Node, prediction: Node) -> Explained:
    alternatives: list[Any] = []
    while isinstance(reference, OneOf):
        alternatives = alternatives or [plain(node) for node in reference.alternatives]
        reference = comparison.choose(reference, prediction)[0]
    score, length = comparison.compare(reference, prediction)
    result = Explained("mismatch", plain(reference), plain(prediction), score, length, alternatives=alternatives)
    if isinstance(reference, str) and isinstance(prediction, str):
        result.kind = "text"
    elif not reference and not prediction:
        result.kind = "absent"
    elif isinstance(reference, dict) and isinstance(prediction, dict):
        result.kind = "object"
        for key in keys_of(reference, prediction):
            child = _explained(comparison, reference.get(key), prediction.get(key))
            child.key = key
            result.children.append(child)
    elif isinstance(reference, list) and isinstance(prediction, list):
        result.kind, result.children = "list", _elements(comparison, reference, prediction)
    return result


def _elements(comparison: Comparison, references: list[Node], predictions: list[Node]) -> list[Explained]:
    _, pairs = comparison.assign_lists(references, predictions)
    partners = dict(pairs)
    elements = []
    for place, reference in enumerate(references):
        if place in partners:
            element = _explained(comparison, reference, predictions[partners[place]])
            element.predicted_place = partners[place]
        else:
            element = Explained("missed", plain(reference), None, 0.0, comparison.size(reference))
        element.reference_place = place
        elements.append(element)
    for place in sorted(set(range(len(predictions))) - set(partners.values())):
        prediction = predictions[place]
        size = comparison.size(prediction)
        elements.append(Explained("invented", None, plain(prediction), 0.0, size, predicted_place=place))
    return elements
