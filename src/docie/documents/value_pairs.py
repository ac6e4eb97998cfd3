"""Predicted values beside the reference values that they equal, whatever their group: what explanations show."""

from __future__ import annotations

from typing import Any

from docie.core.explanation import Pair, verdict_of
from docie.core.rules.match import Rules
from docie.documents.leaves import answers_of
from docie.documents.multisets import Token, compare_tokens, counterparts, tokens_of
from docie.documents.values import Leaf, Values

LeafPair = tuple[Leaf | None, Leaf | None]
"""A predicted value and a reference value; None for a missing one."""


def value_pairs(prediction: Values, reference: Values, rules: Rules | None = None) -> dict[str, list[LeafPair]]:
    """The values of each type, predicted and expected, whatever their group: correct, missing and spurious ones.

    All have a text: of alternatives, a correct value has the one that it equals, and a missing one all.

    >>> from docie.documents.values import values_of
    >>> sides = [values_of(side, "reference") for side in ({"total": ["9", "8"]}, {"total": ["9", "7"]})]
    >>> [(one and one.text, other and other.text) for one, other in value_pairs(*sides)["total"]]
    [('9', '9'), (None, '7'), ('8', None)]
    """
    predicted, expected = _by_token(prediction), _by_token(reference)
    sides = [{token: leaf.confidence for token, leaf in side.items()} for side in (predicted, expected)]
    correct, incorrect, missing = compare_tokens(*sides, with_one_of=reference.has_one_of, rules=rules)
    partners = counterparts(correct, expected.keys() - missing, rules=rules)
    pairs: dict[str, list[LeafPair]] = {token[0]: [] for token in (*expected, *predicted)}
    for token, leaf in predicted.items():
        if token in correct:
            other = expected[partners[token]]
            pairs[leaf.type].append((leaf, other._replace(text=_answer_to(leaf, other, rules))))
    for token, leaf in expected.items():
        if token in missing:
            pairs[leaf.type].append((None, leaf._replace(text=" | ".join(answers_of(leaf.text)))))
    for token, leaf in predicted.items():
        if token in incorrect:
            pairs[leaf.type].append((leaf, None))
    return pairs


def _by_token(values: Values) -> dict[Token, Leaf]:
    leaves = [*values.leaves()]
    return dict(zip(tokens_of([leaf[:3] for leaf in leaves]), leaves, strict=True))


def _answer_to(predicted: Leaf, expected: Leaf, rules: Rules | None) -> str:
    """The text that a correct value equals, by a rule if not by its own."""
    answers, rule = answers_of(expected.text), rules.of(predicted.type) if rules else None
    if predicted.text in answers or rule is None:
        return str(predicted.text)
    return str(next((answer for answer in answers if rule.holds(predicted.text, answer)), answers[0]))


def places_in_pair(predicted: Leaf | None, expected: Leaf | None) -> dict[str, Any]:
    """What a pair of an explanation says of where its values come from: confidence, boxes and pages.

    >>> places_in_pair(Leaf("total", "9", 0.5, ("total",), "9", page=1), None)
    {'confidence': 0.5, 'box': None, 'page': 1, 'expected_box': None, 'expected_page': None}
    """
    return {
        "confidence": predicted and predicted.known_confidence,
        "box": predicted and predicted.box,
        "page": predicted and predicted.page,
        "expected_box": expected and expected.box,
        "expected_page": expected and expected.page,
    }


def shown_pair(group: str, entity_type: str, values: LeafPair) -> Pair:
    """The pair of an explanation for correct, missing or spurious values."""
    predicted, expected = (leaf and leaf.text for leaf in values)
    verdict = verdict_of(predicted, expected, is_correct=True)
    return Pair(group, entity_type, predicted, expected, verdict, float(None not in values), **places_in_pair(*values))
