"""ANLS*: how alike two JSON values are, from single answers to nested documents.

Source: Peer, Schöpf, Nebendahl, Rietzler and Stabinger, "ANLS* - A Universal Document Processing Metric for Generative
Large Language Models" (2024). ANLS (Biten et al., 2019) and ANLSL are its special cases.
"""

from __future__ import annotations

import json
import warnings
from dataclasses import dataclass, field
from functools import partial
from numbers import Real
from typing import Any, NamedTuple

from docie.counts import Counts, Number, ratio
from docie.errors import shortened
from docie.jsontext import with_room
from docie.normalizers import NumberText
from docie.settings import Common, check_flag
from docie.tree import AnyOf, Node, Result, read
from docie.tree_similarity import Comparison, ratio_of

__all__ = ["INPUTS", "NAME", "Settings", "breakdown", "closest", "count", "details", "score"]

NAME, INPUTS = "anls_star", ("document", "value")


@dataclass(frozen=True, kw_only=True)
class Settings(Common):
    """The options of ANLS*.

    threshold: τ in [0, 1]; a similarity of two texts below it counts as 0.
    strict_threshold: True for 0 at exactly τ too, as in the first definition of ANLS; equal texts always score 1.
    closest: True for the closest reference of every document, as `closest` gives it.
    normalize: None, a normaliser's name, a list of names, or a mapping from entity type to these
        (see `docie.normalizers`).

    Raises ValueError for a value outside these.

    >>> Settings(threshold=50)
    Traceback (most recent call last):
    ...
    ValueError: threshold must be between 0 and 1, got 50
    """

    threshold: float = 0.5
    strict_threshold: bool = False
    closest: bool = field(default=False, metadata={"optional": True})

    def __post_init__(self) -> None:
        super().__post_init__()
        number = isinstance(self.threshold, Real) and not isinstance(self.threshold, bool)
        if not number or not 0 <= self.threshold <= 1:
            raise ValueError(f"threshold must be between 0 and 1, got {shortened(self.threshold)}")
        for name in ("strict_threshold", "closest"):
            check_flag(name, getattr(self, name))


class Documents(NamedTuple):
    """Columns of the ("document",) row: the sum of ANLS*, and references that were read as accepted answers."""

    anls_star: Number = 0.0
    lists_of_answers: Number = 0


class Path(NamedTuple):
    """Columns of the ("path", entity type) rows: the sum of ANLS*, and of how many comparisons."""

    anls_star: Number = 0.0
    compared: Number = 0


DEFAULT = Settings()


def count(prediction: object, reference: object, settings: Settings = DEFAULT) -> Counts:
    """The additive counts of one pair of values.

    `prediction` and `reference` are any JSON values: text, a number, None, a list, an object. In a reference, a tuple
    or `{"$any_of": [...]}` holds alternatives, of which the best counts. Raises DocumentError for a value that JSON
    does not have, or nesting beyond 1,000 levels.

    >>> count("Wolrd", ("Hello", "World")).rows["document",][0]
    0.6
    """
    comparison, expected, predicted, answers = _read(prediction, reference, settings)
    result, by_path = with_room(partial(_walked, comparison, expected, predicted))
    document: list[Number] = [ratio_of(result), int(answers)]
    counts = Counts(1, 0, {("document",): document, **{("path", path): row for path, row in by_path.items()}})
    if settings.closest:
        counts.listed.append(_closest(comparison, expected, predicted))
    return counts


def _walked(comparison: Comparison, expected: Node, predicted: Node) -> tuple[Result, dict[str, list[float]]]:
    by_path: dict[str, list[float]] = {}
    return comparison.walk(expected, predicted, by_path), by_path


def score(counts: Counts) -> dict[str, Number]:
    """`anls_star`: the mean over documents of equation 1, in [0, 1].

    >>> figures = score(count({"a": "Hello", "b": "World", "c": "Great"}, {"a": "Hello", "b": "World"}))  # table 1, 12
    >>> round(figures["anls_star"], 2)
    0.67
    """
    total = counts.total("document", Documents)
    return {"anls_star": ratio(total.anls_star, counts.documents, empty=1.0)}


def breakdown(counts: Counts) -> dict[str, dict[str, dict[str, Number]]]:
    """`per_entity`: the mean ANLS* of the values that met under each path of keys, `support` their number.

    Elements of a list that were left without a counterpart meet nothing.

    >>> breakdown(count({"menu": [{"nm": "Latte"}]}, {"menu": [{"nm": "Latte", "cnt": "1"}]}))["per_entity"]["menu.cnt"]
    {'anls_star': 0.0, 'support': 1}
    """
    paths = counts.by("path", 1, Path)
    return {
        "per_entity": {
            str(path): {"anls_star": ratio(row.anls_star, row.compared), "support": row.compared}
            for path, row in paths.items()
        }
    }


def details(counts: Counts) -> dict[str, Any]:
    """`closest`, one value a document, if it was asked for. Warns of references that were read as accepted answers."""
    number = counts.total("document", Documents).lists_of_answers
    if number:
        warnings.warn(
            f"lists of texts as references of texts ({number}) were read as accepted answers, of which the best "
            'counts; a tuple, in JSON {"$any_of": [...]}, says so',
            stacklevel=2,
        )
    return {"closest": counts.listed} if counts.listed else {}


def closest(prediction: object, reference: object, settings: Settings = DEFAULT) -> Any:
    """The value nearest to the prediction that the reference allows: alternatives chosen, lists in its order.

    What the reference lacks is None, elements that were not predicted come last. With `normalize`, texts are the
    normalised ones. Arguments and errors as in `count`.

    >>> closest({"a": "hello!", "b": ["a", "test"]}, {"a": ("hello", "world"), "b": ["test", "is", "a"]})
    {'a': 'hello', 'b': ['a', 'test', 'is']}
    """
    comparison, expected, predicted, _ = _read(prediction, reference, settings)
    return _closest(comparison, expected, predicted)


def _closest(comparison: Comparison, expected: Node, predicted: Node) -> Any:
    return with_room(lambda: _plain(comparison.closest(expected, predicted)))


def _read(prediction: object, reference: object, settings: Settings) -> tuple[Comparison, Node, Node, bool]:
    """The comparison, both trees, and whether the reference is a list of accepted answers to a question.

    A list of texts against a text is one, at the top only: so come the answers in question answering sets (case 14).
    """
    predicted = read(prediction, "prediction", normalize=settings.normalizer)
    answers = False
    if isinstance(predicted, str) and not isinstance(predicted, NumberText) and isinstance(reference, list):
        answers = bool(reference) and all(isinstance(answer, str) for answer in reference)
        reference = tuple(reference) if answers else reference
    expected = read(reference, "reference", normalize=settings.normalizer)
    return Comparison(settings.threshold, strict=settings.strict_threshold), expected, predicted, answers


def _plain(node: Node) -> Any:
    """The JSON value of a tree; of alternatives that nothing was chosen from, the first."""
    if isinstance(node, AnyOf):
        return _plain(node.nodes[0])
    if isinstance(node, dict):
        return {key: _plain(child) for key, child in node.items()}
    if isinstance(node, list):
        return [_plain(child) for child in node]
    return json.loads(node) if isinstance(node, NumberText) else node
