"""Values of documents by type, whatever their group: what was found, what is wrong and what was missed."""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import chain
from typing import Any

from docie.core.counts import Outcomes
from docie.documents.document import parse_document
from docie.documents.leaves import OneOf
from docie.documents.multisets import Token, compare_tokens, counterparts, tokens_of

from .fields import Row, compared_parts
from .numbers import figure, joined


@dataclass
class ComparedValues:
    """Values of one type: right ones as (prediction, reference), wrong and missed ones."""

    right: list[tuple[str, str]] = field(default_factory=list)
    wrong: list[str] = field(default_factory=list)
    missed: list[str] = field(default_factory=list)

    @property
    def outcomes(self) -> Outcomes:
        """Their numbers."""
        return Outcomes(len(self.right), len(self.wrong), len(self.missed))

    def rows(self, found: str, other: str = "") -> list[Row]:
        """A row for each value; right ones have the name `found`, all others `other`."""
        rows = [
            Row(
                found,
                "right",
                compared_parts(None, reference)[0],  # without marks: it is right
                compared_parts(prediction, None)[1],
                label="" if prediction == reference else "counts as equal",
            )
            for prediction, reference in self.right
        ]
        rows += [Row(other, "missed", *compared_parts(None, text)) for text in self.missed]
        return rows + [Row(other, "invented", *compared_parts(text, None), label="wrong") for text in self.wrong]


def compared_values(prediction: object, reference: object, settings: Any) -> dict[str, ComparedValues]:
    """The values of each type, compared as entity F1 does it, in the order of the reference.

    >>> from docie import entity_f1
    >>> compared_values({"total": "9"}, {"total": ["9", "7"]}, entity_f1.Settings())["total"].missed
    ['7']
    """
    predicted = parse_document(prediction, "prediction", normalize=settings.normalizer)
    expected = parse_document(reference, "reference", normalize=settings.normalizer)
    tokens, expected_tokens = (tokens_of([*chain.from_iterable(each.all_groups())]) for each in (predicted, expected))
    with_one_of = expected.has_one_of
    right, wrong, missed = compare_tokens(tokens, expected_tokens, with_one_of=with_one_of, rules=settings.rules)
    partners = counterparts(right, expected_tokens.keys() - missed, rules=settings.rules)
    compared = {token[0]: ComparedValues() for token in (*expected_tokens, *tokens)}
    for token in tokens:
        if token in right:
            compared[token[0]].right.append((token[1], _text(partners[token])))
        elif token in wrong:
            compared[token[0]].wrong.append(token[1])
    for token in expected_tokens:
        if token in missed:
            compared[token[0]].missed.append(_text(token))
    return compared


def _text(token: Token) -> str:
    """A value as text: of alternatives, all of them."""
    value = token[1]
    return " | ".join(value.alternatives) if isinstance(value, OneOf) else str(value)


def outcomes_in_words(counts: Outcomes, macro_f1: float | None = None) -> str:
    """How many are right, wrong and missed, and their F1; or, if it is given, the mean F1 of their fields.

    >>> outcomes_in_words(Outcomes(2, 1, 0)), outcomes_in_words(Outcomes(2, 1, 0), macro_f1=0.5)
    ('2 right and 1 wrong · F1 0.8000', '2 right and 1 wrong · macro F1 0.5000')
    """
    names = ((counts.true_positives, "right"), (counts.false_positives, "wrong"), (counts.false_negatives, "missed"))
    numbers = joined(f"{number:,} {name}" for number, name in names if number)
    score = f"F1 {figure(counts.scores.f1)}" if macro_f1 is None else f"macro F1 {figure(macro_f1)}"
    return f"{numbers} · {score}"
