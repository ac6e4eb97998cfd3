"""The ANLS* of a document, explained: the score of every value, as a tree."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from docie.core.counts import Counts
from docie.core.explanation import Explanation, Node, Pair, Root, Tree, explained, verdict_of
from docie.core.phrases import amount, counted, figure
from docie.core.scores import Headline, rounded
from docie.documents.leaves import OneOf
from docie.documents.tree import Node as Value
from docie.metrics.anls_star.comparison import Comparison, keys_of, ratio_of
from docie.metrics.anls_star.metric import DEFAULT, SCORES, Documents, Settings, parse_pair, plain


@dataclass
class _Compared:
    """Two values, the parts of their score, and their position: `path` and the positions in their list."""

    reference: Value
    prediction: Value
    score: float
    length: int
    path: str
    name: str
    notes: list[str] = field(default_factory=list)
    children: list[_Compared] = field(default_factory=list)

    def leaves(self) -> Iterator[_Compared]:
        """Whether it has no children."""
        stack = [self]
        while stack:
            each = stack.pop()
            stack += reversed(each.children)
            if not each.children:
                yield each


def explain(prediction: object, reference: object, settings: Settings = DEFAULT) -> Explanation:
    """Explain the ANLS* of one document.

    Source: equations 1 to 4 of the paper, as `count` computes them. The value of the tree's root is that of `score`.

    Args:
        prediction: as in `count`.
        reference: as in `count`.
        settings (Settings): the options. With `normalize`, texts are normalized.

    Returns:
        Explanation: a pair for each value without children, whose credit is its ANLS*. Elements of lists are in the
        order of the reference, spurious ones last. Of alternatives, the chosen one.

    Raises:
        DocumentError: as in `count`.

    >>> explanation = explain({"nm": "Lattes", "cnt": 2}, {"nm": "Latte", "price": "4.50"})
    >>> [(pair.entity_type, pair.verdict, round(pair.credit, 3)) for pair in explanation.pairs]
    [('nm', 'incorrect', 0.833), ('price', 'missing', 0.0), ('cnt', 'spurious', 0.0)]
    >>> explanation.sentence
    '0 of 2 texts correct, 1 incorrect, 1 missing, 1 spurious: anls_star 0.2778.'
    """
    comparison, expected, predicted, _ = parse_pair(prediction, reference, settings)
    return _explanation(comparison, expected, predicted, settings)


def _explanation(comparison: Comparison, expected: Value, predicted: Value, settings: Settings) -> Explanation:
    root = _compared(comparison, expected, predicted, "", "")
    root.name = "the whole document" if root.children else "the answer"
    lead = f"A text that is less similar than {settings.threshold:g} counts as 0."
    tree = Tree("The score of every value", [Root("", _node(root))], lead)
    figures = {"anls_star": ratio_of((root.score, root.length))}
    return explained([_pair(each) for each in root.leaves()], [tree], SCORES, figures, "anls_star", noun="text")


def _compared(comparison: Comparison, reference: Value, prediction: Value, path: str, name: str) -> _Compared:
    notes = []
    if isinstance(reference, OneOf):
        notes = [f"the best of {len(reference.alternatives)} alternatives"]
    while isinstance(reference, OneOf):
        reference = comparison.choose(reference, prediction)[0]
    result = _Compared(reference, prediction, *comparison.compare(reference, prediction), path, name, notes)
    if isinstance(reference, dict) and isinstance(prediction, dict) and (reference or prediction):
        inner = f"{path}.{name}".strip(".") if name[:1] != "[" else f"{path}{name}"
        result.children = [
            _compared(comparison, reference.get(key), prediction.get(key), inner, key)
            for key in keys_of(reference, prediction)
        ]
    elif isinstance(reference, list) and isinstance(prediction, list) and (reference or prediction):
        result.children = [*_elements(comparison, reference, prediction, f"{path}.{name}".strip("."))]
    return result


def _elements(
    comparison: Comparison, references: list[Value], predictions: list[Value], path: str
) -> Iterator[_Compared]:
    _, pairs = comparison.assign_lists(references, predictions)
    partners = dict(pairs)
    for place, reference in enumerate(references):
        if place not in partners:
            yield _Compared(reference, None, 0.0, comparison.size(reference), path, f"[{place}]")
            continue
        element = _compared(comparison, reference, predictions[partners[place]], path, f"[{place}]")
        if partners[place] != place:
            element.notes.append(f"predicted as [{partners[place]}]")
        yield element
    for place in sorted(set(range(len(predictions))) - set(partners.values())):
        prediction = predictions[place]
        yield _Compared(None, prediction, 0.0, comparison.size(prediction), path, f"[{place}]")


def _pair(each: _Compared) -> Pair:
    texts = _text(each.prediction), _text(each.reference)
    is_correct = each.score == each.length
    if not each.length or texts == (None, None):
        texts = "", ""  # two empty values are equal
    verdict = verdict_of(*texts, is_correct=is_correct)
    return Pair(each.path, each.name, *texts, verdict, ratio_of((each.score, each.length)), _label(each))


def _label(each: _Compared) -> str:
    """Why a value has its score, in words."""
    if each.score:
        return "" if each.score == each.length else "similar"
    if _text(each.prediction) is None or _text(each.reference) is None:
        return ""
    return (
        "too different" if isinstance(each.prediction, str) and isinstance(each.reference, str) else "of another kind"
    )


def _text(value: Value) -> str | None:
    """A value as text, or else as JSON; None if it is missing."""
    found: Any = plain(value)
    if found is None or found in ("", [], {}):
        return None
    return found if isinstance(found, str) else json.dumps(found, ensure_ascii=False, default=str)


def _node(each: _Compared) -> Node:
    note = ", ".join(each.notes)
    numbers = _sum_of(each) + (f" of {each.length:,}" if each.length != 1 or each.children else "")
    if each.children:
        numbers += f" = {figure(ratio_of((each.score, each.length)))}"
        return Node(
            each.name,
            "correct" if each.score == each.length else None,
            numbers=numbers,
            note=note,
            children=[*map(_node, each.children)],
        )
    pair = _pair(each)
    return Node(each.name, pair.verdict, pair.note, pair.predicted, pair.expected, numbers, note)


def _sum_of(each: _Compared) -> str:
    """The sum of similarities, at most its length."""
    return rounded(each.score, whole=each.length).rstrip("0").rstrip(".")


def headlines(counts: Counts, figures: Mapping[str, Any]) -> Iterator[Headline]:
    """The similarity of documents.

    Args:
        counts (Counts): the counts of a document or of a corpus.
        figures (dict): their scores.

    Returns:
        iterator of Headline: the score with its sentence.

    >>> from docie.metrics.anls_star import count, score
    >>> counts = count("Late", "Latte")
    >>> [each.sentence for each in headlines(counts, score(counts))]
    ['mean similarity of 1 document, 0 without a difference']
    """
    same = counts.total("document", Documents).identical
    documents = counted(counts.documents, "document")
    yield Headline("anls_star", f"mean similarity of {documents}, {amount(same)} without a difference")
