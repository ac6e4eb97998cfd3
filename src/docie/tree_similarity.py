"""ANLS*'s comparison of a predicted tree with a reference tree (equations 1 to 4 of the paper).

Every comparison gives a score and a length, the number of texts that it is out of; their ratio is the ANLS* of the two
trees. Elements of lists are assigned by that ratio; each pair of lists is assigned once, whatever stands above it.
"""

from __future__ import annotations

from collections.abc import Iterable

from docie.assignment import Pairs
from docie.document import longer_path
from docie.similarity_table import Tables
from docie.text_similarity import TextSimilarity
from docie.tree import AnyOf, Node, Result, size


def ratio_of(result: Result) -> float:
    """The ANLS* of a score and a length; 1.0 of nothing."""
    score, length = result
    return score / length if length else 1.0


class Comparison:
    """Compares the trees of one document. They must live as long as this does: what was compared is kept by identity.

    `threshold` is τ; a similarity of exactly τ counts, unless `strict`.
    """

    def __init__(self, threshold: float, *, strict: bool = False) -> None:
        texts = TextSimilarity(threshold, strict=strict)
        self.similarity = texts.similarity
        self._tables = Tables(texts, self.compare)
        self._chosen: dict[tuple[int, int], tuple[Node, Result]] = {}
        self._assigned: dict[tuple[int, int], tuple[Result, Pairs]] = {}

    def compare(self, reference: Node, prediction: Node) -> Result:
        """Score and length of two trees."""
        if isinstance(reference, str) and isinstance(prediction, str):
            return self.similarity(reference, prediction), 1
        if isinstance(reference, AnyOf):
            return self.choose(reference, prediction)[1]
        if not reference and not prediction:
            return 1.0, 1
        if isinstance(reference, dict) and isinstance(prediction, dict):
            score, length = 0.0, 0
            for key in _keys(reference, prediction):
                left, right = reference.get(key), prediction.get(key)
                if isinstance(left, str) and isinstance(right, str):  # a call less for most of all values
                    more, longer = self.similarity(left, right), 1
                else:
                    more, longer = self.compare(left, right)
                score += more
                length += longer
            return score, length
        if isinstance(reference, list) and isinstance(prediction, list):
            return self.lists(reference, prediction)[0]
        return 0.0, max(size(reference), size(prediction))

    def choose(self, alternatives: AnyOf, prediction: Node) -> tuple[Node, Result]:
        """The alternative of the highest ANLS*; of several the one that equals the prediction, then the first."""
        key = (id(alternatives), id(prediction))
        if key not in self._chosen:
            nodes = alternatives.nodes
            results = [self.compare(node, prediction) for node in nodes]
            ratios = [ratio_of(result) for result in results]
            highest = max(ratios)
            best = [place for place, ratio in enumerate(ratios) if ratio == highest]
            if len(best) > 1:
                best.sort(key=lambda place: self.closest(nodes[place], prediction) != prediction)
            self._chosen[key] = nodes[best[0]], results[best[0]]
        return self._chosen[key]

    def lists(self, references: list[Node], predictions: list[Node]) -> tuple[Result, Pairs]:
        """Score and length of two lists, and the pairs of their elements' places.

        Pairs have the greatest sum of ANLS*; of several such assignments, the one with the smallest length, then the
        highest score.
        """
        key = (id(references), id(predictions))
        if key not in self._assigned:
            if len(references) == len(predictions) == 1:
                self._assigned[key] = self.compare(references[0], predictions[0]), [(0, 0)]
            else:
                self._assigned[key] = self._tables.assigned(references, predictions)
        return self._assigned[key]

    def walk(
        self, reference: Node, prediction: Node, by_path: dict[str, list[float]], path: str = "", prefix: str = ""
    ) -> Result:
        """`compare`, which adds to `by_path` the ANLS* of the values that met under every path, and their number."""
        while isinstance(reference, AnyOf):
            reference = self.choose(reference, prediction)[0]
        if isinstance(reference, dict) and isinstance(prediction, dict) and (reference or prediction):
            score, length = 0.0, 0
            for key in _keys(reference, prediction):
                inner = longer_path(path, prefix, key) if prefix else key
                left, right = reference.get(key), prediction.get(key)
                if isinstance(left, str) and isinstance(right, str):
                    more, longer = self.similarity(left, right), 1
                else:
                    more, longer = self.walk(left, right, by_path, inner, prefix or key + ".")
                sums = by_path.get(inner)
                if sums is None:
                    sums = by_path[inner] = [0.0, 0]
                sums[0] += more / longer if longer else 1.0
                sums[1] += 1
                score += more
                length += longer
            return score, length
        if isinstance(reference, list) and isinstance(prediction, list) and (reference or prediction):
            result, pairs = self.lists(reference, prediction)
            for row, column in pairs:
                self.walk(reference[row], prediction[column], by_path, path, prefix)
            return result
        return self.compare(reference, prediction)

    def closest(self, reference: Node, prediction: Node) -> Node:
        """The tree nearest to the prediction that the reference allows: alternatives chosen, lists in its order."""
        if isinstance(reference, AnyOf):
            return self.closest(self.choose(reference, prediction)[0], prediction)
        if not reference and not prediction:
            return prediction
        if isinstance(reference, dict) and isinstance(prediction, dict):
            nodes = {key: self.closest(reference.get(key), prediction.get(key)) for key in _keys(reference, prediction)}
            return {key: node for key, node in nodes.items() if node or key in prediction}
        if isinstance(reference, list) and isinstance(prediction, list):
            _, pairs = self.lists(reference, prediction)
            pairs = sorted(pairs, key=lambda pair: pair[1])
            rest = sorted(set(range(len(reference))) - {row for row, _ in pairs})
            return [self.closest(reference[row], prediction[column]) for row, column in pairs] + [
                self.closest(reference[row], None) for row in rest
            ]
        return reference


def _keys(reference: dict[str, Node], prediction: dict[str, Node]) -> Iterable[str]:
    """The keys of the reference, and those that are predicted with a value."""
    if prediction.keys() <= reference.keys():
        return reference
    return [*reference, *(key for key, node in prediction.items() if node and key not in reference)]
