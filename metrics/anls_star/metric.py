"""ANLS*: the similarity of JSON values, from single answers to nested documents.

Source: Peer, Schöpf, Nebendahl, Rietzler and Stabinger, "ANLS* - A Universal Document Processing Metric for Generative
Large Language Models" (2024). ANLS (Biten et al., 2019) and ANLSL are its special cases.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

from docie.core.counts import Counts, Key, Number, Row, ratio
from docie.core.errors import warn
from docie.core.normalizers.texts import NumberText
from docie.core.scores import Score
from docie.core.settings import Common, check_flag, check_fraction, option
from docie.documents.leaves import OneOf
from docie.documents.tree import Node, parse_tree
from docie.metrics.anls_star.comparison import Comparison, Path, ratio_of

NAME, INPUTS = "anls_star", ("document", "value")
SCORES = (
    Score(
        "anls_star", "higher", "share", "Mean ANLS* of the documents; of a path, of the values under it.", headline=True
    ),
    Score("support", "neither", "count", "Number of values that were compared under a path."),
)


@dataclass(frozen=True, kw_only=True)
class Settings(Common):
    """The options of ANLS*.

    Attributes:
        threshold (float): τ in [0, 1]; the similarity of two texts counts as 0 below it.
        strict_threshold (bool): whether a similarity equal to the threshold also counts as 0, as in the first
            definition of ANLS. Equal texts always score 1.
        closest (bool): whether to add the closest reference of every document, as returned by `closest`.
        normalize: None, a normalizer's name, a list of names, or a mapping from entity type to these
            (see `docie.normalizers`).

    Raises:
        ValueError: if an option does not take its value.

    >>> Settings(threshold=50)
    Traceback (most recent call last):
    ...
    ValueError: threshold must be between 0 and 1, got 50
    """

    threshold: float = 0.5
    strict_threshold: bool = False
    closest: bool = option(False, only_if_set=True)

    def __post_init__(self) -> None:
        super().__post_init__()
        check_fraction("threshold", self.threshold)
        for name in ("strict_threshold", "closest"):
            check_flag(name, getattr(self, name))


@dataclass(slots=True)
class Documents(Row):
    """Columns of the ("document",) row: the sum of ANLS*; the numbers of references read as lists of accepted answers,
    and of documents without a difference."""

    anls_star: Number = 0.0
    lists_of_answers: Number = 0
    identical: Number = 0


DEFAULT = Settings()


def count(prediction: object, reference: object, settings: Settings = DEFAULT) -> Counts:
    """Count one document.

    Args:
        prediction: any JSON value: a text, a number, None, a list, an object.
        reference: any JSON value. A tuple or `{"$any_of": [...]}` holds alternatives, of which the best one counts.
        settings (Settings): the options.

    Returns:
        Counts: the counts of the document.

    Raises:
        DocumentError: if JSON has no such value, or if it is nested more than 100 levels deep.

    >>> Documents(*count("Wolrd", ("Hello", "World")).rows["document",]).anls_star
    0.6
    """
    comparison, expected, predicted, is_list_of_answers = parse_pair(prediction, reference, settings)
    result, by_path = comparison.compare_by_path(expected, predicted)
    rows: dict[Key, Row] = {("path", path): row for path, row in by_path.items()}
    rows["document",] = Documents(ratio_of(result), int(is_list_of_answers), int(result[0] == result[1]))
    counts = Counts.of_document(rows)
    if settings.closest:
        counts.listed.append(_closest(comparison, expected, predicted))
    return counts


def score(counts: Counts) -> dict[str, Number]:
    """The scores of counts.

    Args:
        counts (Counts): the counts of a document or of a corpus.

    Returns:
        dict of str to float: `anls_star`, the mean over documents of equation 1, in [0, 1].

    >>> figures = score(count({"a": "Hello", "b": "World", "c": "Great"}, {"a": "Hello", "b": "World"}))  # table 1, 12
    >>> round(figures["anls_star"], 2)
    0.67
    """
    return {"anls_star": ratio(counts.total("document", Documents).anls_star, counts.documents, empty=1.0)}


def breakdown(counts: Counts) -> dict[str, dict[str, dict[str, Number]]]:
    """The scores of each path of keys.

    Args:
        counts (Counts): the counts of a document or of a corpus.

    Returns:
        dict: `per_entity`, from each path to `anls_star`, the mean of the values that were compared under it, and
        `support`, their number. List elements without a counterpart count as compared with an empty value.

    >>> breakdown(count({"menu": [{"nm": "Latte"}]}, {"menu": [{"nm": "Latte", "cnt": "1"}]}))["per_entity"]["menu.cnt"]
    {'anls_star': 0.0, 'support': 1}
    """
    return {
        "per_entity": {
            str(path): {"anls_star": ratio(row.anls_star, row.compared), "support": row.compared}
            for path, row in counts.by("path", 1, Path).items()
        }
    }


def details(counts: Counts) -> dict[str, Any]:
    """The extra results for options. Warns of references that were read as lists of accepted answers.

    Args:
        counts (Counts): the counts of a document or of a corpus.

    Returns:
        dict: `closest`, a list with one value for each document, if requested.
    """
    number = counts.total("document", Documents).lists_of_answers
    if number:
        warn(
            f"lists of texts as references of texts ({number}) were read as accepted answers, of which the best "
            'counts; use a tuple, in JSON {"$any_of": [...]}, to state this'
        )
    return {"closest": counts.listed} if counts.listed else {}


def closest(prediction: object, reference: object, settings: Settings = DEFAULT) -> Any:
    """The value closest to the prediction that the reference allows: alternatives chosen, lists in its order.

    Args:
        prediction: as in `count`.
        reference: as in `count`.
        settings (Settings): the options. With `normalize`, texts are normalized.

    Returns:
        A JSON value. Values missing from the reference are None; list elements that were not predicted come last.

    Raises:
        DocumentError: as in `count`.

    >>> closest({"a": "hello!", "b": ["a", "test"]}, {"a": ("hello", "world"), "b": ["test", "is", "a"]})
    {'a': 'hello', 'b': ['a', 'test', 'is']}
    """
    comparison, expected, predicted, _ = parse_pair(prediction, reference, settings)
    return _closest(comparison, expected, predicted)


def _closest(comparison: Comparison, expected: Node, predicted: Node) -> Any:
    return plain(comparison.closest(expected, predicted))


def parse_pair(prediction: object, reference: object, settings: Settings) -> tuple[Comparison, Node, Node, bool]:
    """The comparison, both trees, and whether the reference is a list of accepted answers to a question.

    A list of texts with a text as prediction is one, at the top only: question answering sets write answers this way
    (case 14).
    """
    predicted = parse_tree(prediction, "prediction", normalize=settings.normalizer)
    is_list_of_answers = False
    if isinstance(predicted, str) and not isinstance(predicted, NumberText) and isinstance(reference, list):
        is_list_of_answers = bool(reference) and all(isinstance(answer, str) for answer in reference)
        reference = tuple(reference) if is_list_of_answers else reference
    expected = parse_tree(reference, "reference", normalize=settings.normalizer)
    comparison = Comparison(settings.threshold, strict=settings.strict_threshold)
    return comparison, expected, predicted, is_list_of_answers


def plain(node: Node) -> Any:
    """The JSON value of a tree. Of alternatives without a choice, it uses the first."""
    if isinstance(node, OneOf):
        return plain(node.alternatives[0])
    if isinstance(node, dict):
        return {key: plain(child) for key, child in node.items()}
    if isinstance(node, list):
        return [plain(child) for child in node]
    return json.loads(node) if isinstance(node, NumberText) else node
