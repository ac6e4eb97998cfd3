"""ANLS*'s comparison of a predicted tree with a reference tree (equations 1 to 4 of the paper).

A comparison gives a score and a length, the number of texts behind it. Their ratio is the ANLS* of the two trees, by
which the elements of lists are assigned. Each pair of lists is assigned only once.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass

from docie.core.counts import Number, Row
from docie.core.values.plain import longer_path
from docie.documents.leaves import OneOf
from docie.documents.tree import Node, TreeSizes
from docie.metrics.anls_star.assignment import Places
from docie.metrics.anls_star.pairwise import Result, Tables
from docie.metrics.anls_star.similarity import TextSimilarity


def ratio_of(result: Result) -> float:
    """The ANLS* for a score and a length; 1.0 for empty trees."""
    score, length = result
    return score / length if length else 1.0


@dataclass(slots=True)
class Path(Row):
    """Columns of the ("path", entity type) rows: the sum of ANLS*, and the number of comparisons."""

    anls_star: Number = 0.0
    compared: Number = 0


class Comparison:
    """Compares the trees of one document.

    Comparisons are cached by identity, so the trees must live as long as this object.

    Args:
        threshold: τ in [0, 1]; a similarity of exactly τ counts, unless `strict`.
        strict: whether a similarity of exactly τ is 0.
    """

    def __init__(self, threshold: float, *, strict: bool = False) -> None:
        texts = TextSimilarity(threshold, strict=strict)
        self.similarity = texts.similarity
        self.size = TreeSizes().of
        self._tables = Tables(texts, self.size, self.compare)
        self._chosen: dict[tuple[int, int], tuple[Node, Result]] = {}
        self._assigned: dict[tuple[int, int], tuple[Result, Places]] = {}

    def compare(self, reference: Node, prediction: Node) -> Result:
        """Score and length of two trees."""
        if isinstance(reference, str) and isinstance(prediction, str):
            return self.similarity(reference, prediction), 1
        if isinstance(reference, OneOf):
            return self.choose(reference, prediction)[1]
        if not reference and not prediction:
            return 1.0, 1
        if isinstance(reference, dict) and isinstance(prediction, dict):
            score, length = 0.0, 0
            for key in keys_of(reference, prediction):
                expected, predicted = reference.get(key), prediction.get(key)
                if isinstance(expected, str) and isinstance(predicted, str):  # most values: saves a call
                    child_score, child_length = self.similarity(expected, predicted), 1
                else:
                    child_score, child_length = self.compare(expected, predicted)
                score += child_score
                length += child_length
            return score, length
        if isinstance(reference, list) and isinstance(prediction, list):
            return self.assign_lists(reference, prediction)[0]
        return 0.0, max(self.size(reference), self.size(prediction))

    def choose(self, one_of: OneOf, prediction: Node) -> tuple[Node, Result]:
        """The alternative with the highest ANLS*; on ties the one that equals the prediction, or else the first.

        An alternative equals the prediction if the closest value that it allows does: empty values are equal.
        """
        key = (id(one_of), id(prediction))
        if key not in self._chosen:
            nodes = one_of.alternatives
            results = [self.compare(node, prediction) for node in nodes]
            ratios = [ratio_of(result) for result in results]
            highest = max(ratios)
            best = [place for place, ratio in enumerate(ratios) if ratio == highest]
            if len(best) > 1:
                best.sort(key=lambda place: self.closest(nodes[place], prediction) != prediction)
            self._chosen[key] = nodes[best[0]], results[best[0]]
        return self._chosen[key]

    def assign_lists(self, references: list[Node], predictions: list[Node]) -> tuple[Result, Places]:
        """Score and length of two lists, and the positions of the elements that are compared with each other.

        The pairs have the greatest sum of ANLS*; on ties the smallest length, then the highest score.
        """
        key = (id(references), id(predictions))
        if key not in self._assigned:
            if len(references) == len(predictions) == 1:
                self._assigned[key] = self.compare(references[0], predictions[0]), [(0, 0)]
            else:
                self._assigned[key] = self._tables.assigned(references, predictions)
        return self._assigned[key]

    def compare_by_path(self, reference: Node, prediction: Node) -> tuple[Result, dict[str, Path]]:
        """Score and length of two trees, and a row for each path of keys."""
        by_path: defaultdict[str, Path] = defaultdict(Path)
        return self._walk(reference, prediction, by_path, "", ""), by_path

    def _walk(self, reference: Node, prediction: Node, by_path: defaultdict[str, Path], path: str, root: str) -> Result:
        """`compare`, which adds the comparisons under each path to its row."""
        while isinstance(reference, OneOf):
            reference = self.choose(reference, prediction)[0]
        if isinstance(reference, dict) and isinstance(prediction, dict) and (reference or prediction):
            score, length = 0.0, 0
            for key in keys_of(reference, prediction):
                inner = longer_path(path, root, key) if root else key
                expected, predicted = reference.get(key), prediction.get(key)
                if isinstance(expected, str) and isinstance(predicted, str):
                    child_score, child_length = self.similarity(expected, predicted), 1
                else:
                    child_score, child_length = self._walk(expected, predicted, by_path, inner, root or key + ".")
                row = by_path[inner]
                row.anls_star += child_score / child_length if child_length else 1.0
                row.compared += 1
                score += child_score
                length += child_length
            return score, length
        if isinstance(reference, list) and isinstance(prediction, list) and (reference or prediction):
            result, pairs = self.assign_lists(reference, prediction)
            for place, predicted_place in pairs:
                self._walk(reference[place], prediction[predicted_place], by_path, path, root)
            return result
        return self.compare(reference, prediction)

    def closest(self, reference: Node, prediction: Node) -> Node:
        """The closest tree to the prediction that the reference allows: alternatives chosen, lists in its order."""
        if isinstance(reference, OneOf):
            return self.closest(self.choose(reference, prediction)[0], prediction)
        if not reference and not prediction:
            return prediction
        if isinstance(reference, dict) and isinstance(prediction, dict):
            nodes = {
                key: self.closest(reference.get(key), prediction.get(key)) for key in keys_of(reference, prediction)
            }
            return {key: node for key, node in nodes.items() if node or key in prediction}
        if isinstance(reference, list) and isinstance(prediction, list):
            _, pairs = self.assign_lists(reference, prediction)
            pairs = sorted(pairs, key=lambda pair: pair[1])
            rest = sorted(set(range(len(reference))) - {row for row, _ in pairs})
            return [self.closest(reference[row], prediction[column]) for row, column in pairs] + [
                self.closest(reference[row], None) for row in rest
            ]
        return reference


def keys_of(reference: dict[str, Node], prediction: dict[str, Node]) -> Iterable[str]:
    """The keys of the reference, and those that are predicted with a value."""
    if prediction.keys() <= reference.keys():
        return reference
    return [*reference, *(key for key, node in prediction.items() if node and key not in reference)]
