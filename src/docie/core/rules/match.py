"""The option `match`: which different texts count as the same value of an entity type.

A rule is not transitive: "12.00" and "12.01" may be within a cent, "12.01" and "12.02" too, "12.00" and "12.02" not.
Identical texts are equal under every rule.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from functools import cached_property
from typing import NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray
from rapidfuzz.distance import Levenshtein
from rapidfuzz.process import cdist

from docie.core.errors import DocumentError, shortened
from docie.core.normalizers.amounts import AmountText, read_amount, read_amount_text

Spec = str | Callable[[str, str], bool]
Match = Spec | Mapping[str, Spec] | None

CALL = re.compile(r"\s*(\w+)(?:\(\s*([0-9]+(?:\.[0-9]+)?|\.[0-9]+)\s*(%?)\s*\))?\s*", re.ASCII)
"""A name with a number: the name, the number if there is one, and "%" behind it."""
_CUTOFF = 1e-5
"""So far below the limit a comparison is given up: with a nearer cutoff, rapidfuzz gives up some at the limit."""
_EXACT = 1e-12
"""Between two similarities of texts of a million characters, and limits of as many digits, is more than this."""
_ROUNDING = 1e-9
"""Differences this close to the tolerance, relative to the numbers, are computed exactly."""


class Rule(Protocol):
    """Decides which texts are equal, one pair at a time or many at once."""

    def holds(self, prediction: str, reference: str) -> bool:
        """Whether two texts are equal."""

    def table(self, predictions: Sequence[str], references: Sequence[str]) -> NDArray[np.bool_]:
        """Whether each predicted text (rows) equals each reference text (columns)."""


@dataclass(frozen=True)
class Similar:
    """Texts are equal if 1 − Levenshtein distance / length of the longer text is at least `least`.

    >>> Similar(Fraction("0.9")).holds("Kedai Kopi", "Kedai K0pi"), Similar(Fraction("0.9")).holds("Kedai", "Keday")
    (True, False)
    """

    least: Fraction

    def holds(self, prediction: str, reference: str) -> bool:
        allowed = self._allowed(max(len(prediction), len(reference)))
        return Levenshtein.distance(prediction, reference, score_cutoff=allowed) <= allowed

    def table(self, predictions: Sequence[str], references: Sequence[str]) -> NDArray[np.bool_]:
        return self.similarities(predictions, references) >= 0

    def similarities(self, predictions: Sequence[str], references: Sequence[str]) -> NDArray[np.float64]:
        """The similarity of each predicted text with each reference text; -1 where they are not equal."""
        cutoff = max(0.0, float(self.least) - _CUTOFF)
        found: NDArray[np.float64] = cdist(
            predictions, references, scorer=Levenshtein.normalized_similarity, score_cutoff=cutoff, dtype=np.float64
        )
        found[found < float(self.least) - _EXACT] = -1.0
        return found

    def _allowed(self, length: int) -> int:
        """The largest distance of texts whose longer one has this length; exact, unlike with the float 1 - 0.9."""
        part, whole = self._unlike
        return length * part // whole

    @cached_property
    def _unlike(self) -> tuple[int, int]:
        """The largest share of a text that may be unlike, as a fraction."""
        return (1 - self.least).as_integer_ratio()


class _Amount(NamedTuple):
    """The number in a text, and whether it is a percentage."""

    value: Fraction
    is_percentage: bool


@dataclass(frozen=True)
class Within:
    """Numbers are equal if they differ by at most `tolerance`, or by at most that share of the reference.

    Numbers are read as by the normalizer `number`, but currencies are ignored, and a percentage is compared
    with percentages only. A text that is not a number, or has two readings, equals identical texts only.

    >>> cent = Within(Fraction("0.01"), is_relative=False)
    >>> cent.holds("$1,240.00", "1240.01"), cent.holds("12.00", "12.02"), cent.holds("12", "12%"), cent.holds("a", "a")
    (True, False, False, True)
    """

    tolerance: Fraction
    is_relative: bool

    def holds(self, prediction: str, reference: str) -> bool:
        if prediction == reference:
            return True
        predicted, expected = _read(prediction), _read(reference)
        return predicted is not None and expected is not None and self._is_near(predicted, expected)

    def table(self, predictions: Sequence[str], references: Sequence[str]) -> NDArray[np.bool_]:
        texts = (np.array(side, dtype=object) for side in (predictions, references))
        result: NDArray[np.bool_] = np.equal.outer(*texts).astype(bool)
        (rows, predicted), (columns, expected) = map(_amounts, (predictions, references))
        if not rows or not columns:
            return result
        first, second = (np.array([_float(each.value) for each in side]) for side in (predicted, expected))
        with np.errstate(invalid="ignore", over="ignore"):
            distances = np.abs(first[:, None] - second)
            allowed = _float(self.tolerance) * (np.abs(second) if self.is_relative else np.ones(len(second)))
            scale = np.maximum(np.abs(first)[:, None], np.abs(second) + allowed)
            is_near = distances <= allowed
            is_unsure = ~(np.abs(distances - allowed) > _ROUNDING * scale)  # includes infinite numbers
        for row, column in np.argwhere(is_unsure):
            is_near[row, column] = self._is_near(predicted[row], expected[column])
        kinds = (np.array([each.is_percentage for each in side]) for side in (predicted, expected))
        result[np.ix_(rows, columns)] |= is_near & np.equal.outer(*kinds)
        return result

    def _is_near(self, predicted: _Amount, expected: _Amount) -> bool:
        allowed = self.tolerance * (abs(expected.value) if self.is_relative else 1)
        return predicted.is_percentage == expected.is_percentage and abs(predicted.value - expected.value) <= allowed


@dataclass(frozen=True)
class SameAmount:
    """Amounts are equal if their numbers are, and their currencies are or only one of them has one.

    Amounts are read as by the normalizer `money`: a text that is none, has two readings or begins with a zero as codes
    do equals identical texts only, and a percentage equals percentages only.

    >>> rule = SameAmount()
    >>> rule.holds("€ 1,240.00", "1240"), rule.holds("€5", "5.00 EUR"), rule.holds("€5", "$5"), rule.holds("007", "7")
    (True, True, False, False)
    """

    def holds(self, prediction: str, reference: str) -> bool:
        return prediction == reference or self._are_same(*map(read_amount_text, (prediction, reference)))

    def table(self, predictions: Sequence[str], references: Sequence[str]) -> NDArray[np.bool_]:
        texts = (np.array(side, dtype=object) for side in (predictions, references))
        result: NDArray[np.bool_] = np.equal.outer(*texts).astype(bool)
        columns: defaultdict[str, list[tuple[int, AmountText]]] = defaultdict(list)
        for column, amount in enumerate(map(read_amount_text, references)):
            if amount is not None:
                columns[amount.value].append((column, amount))
        for row, amount in enumerate(map(read_amount_text, predictions)):
            for column, other in columns.get(amount.value, ()) if amount else ():
                result[row, column] |= self._are_same(amount, other)
        return result

    @staticmethod
    def _are_same(one: AmountText | None, other: AmountText | None) -> bool:
        if one is None or other is None or one.value != other.value or one.zeros or other.zeros:
            return False
        units = {one.unit, other.unit}
        return len(units) == 1 or ("" in units and "%" not in units)


class Named(NamedTuple):
    """A named rule: examples of its notation, and what makes it from its number, if any, and whether that is in %."""

    examples: Sequence[str]
    make: Callable[[Fraction | None, bool], Rule]


def _similar(least: Fraction | None, is_percentage: bool) -> Rule:
    if least is None or is_percentage or not 0 < least <= 1:
        raise ValueError("similar takes a number above 0 and at most 1")
    return Similar(least)


def _within(tolerance: Fraction | None, is_percentage: bool) -> Rule:
    if tolerance is None:
        raise ValueError("within takes a number or a percentage")
    return Within(tolerance / 100 if is_percentage else tolerance, is_relative=is_percentage)


def _same_amount(number: Fraction | None, _: bool) -> Rule:
    if number is not None:
        raise ValueError("same_amount takes no number")
    return SameAmount()


RULES = {
    "similar": Named(["similar(0.9)"], _similar),
    "within": Named(["within(0.01)", "within(1%)"], _within),
    "same_amount": Named(["same_amount"], _same_amount),
}
"""The rules by name: a new one is a class above and a line here."""
EXPECTED = f"expected {', '.join(text for rule in RULES.values() for text in rule.examples)} or a function of two texts"


@dataclass(frozen=True)
class Custom:
    """Texts are equal if a function of the predicted and the reference text returns True."""

    function: Callable[[str, str], object]

    def holds(self, prediction: str, reference: str) -> bool:
        if prediction == reference:
            return True
        answer = self.function(prediction, reference)
        if not isinstance(answer, bool | np.bool_):
            raise DocumentError(f"a match rule must give True or False, got {shortened(answer)}")
        return bool(answer)

    def table(self, predictions: Sequence[str], references: Sequence[str]) -> NDArray[np.bool_]:
        cells = [[self.holds(prediction, reference) for reference in references] for prediction in predictions]
        return np.array(cells, dtype=bool).reshape(len(predictions), len(references))


@dataclass(frozen=True)
class Rules:
    """The rule of each entity type, and that of all others."""

    by_type: Mapping[str, Rule]
    others: Rule | None = None

    def of(self, entity_type: str) -> Rule | None:
        """The rule of an entity type; None if its values are compared as texts."""
        return self.by_type.get(entity_type, self.others)


def rules_of(match: Match, of_schema: Mapping[str, Spec] | None = None) -> Rules | None:
    """The rules for an option `match`.

    Args:
        match: a rule for all entity types, or a mapping from entity type to rule; None for none.
        of_schema: the rules of a schema, by entity type. A mapping `match` takes precedence over them; they take
            precedence over a rule for all types.

    Returns:
        The rules; None if there are none.

    Raises:
        ValueError: if a rule is invalid.

    >>> rules_of({"total": "within(0.01)"}).of("total").holds("12.00", "12.01")
    True
    >>> rules_of("similar(2)")
    Traceback (most recent call last):
    ...
    ValueError: match: similar takes a number above 0 and at most 1, got 'similar(2)'
    """
    if match is None and not of_schema:
        return None
    by_type = {entity_type: _rule(spec) for entity_type, spec in (of_schema or {}).items()}
    if isinstance(match, Mapping):
        by_type |= {entity_type: _rule(spec) for entity_type, spec in match.items()}
        return Rules(by_type) if by_type else None
    return Rules(by_type, None if match is None else _rule(match))


def _read(text: str) -> _Amount | None:
    amount = read_amount(text)
    return None if amount is None else _Amount(Fraction(Decimal(amount.value)), amount.unit == "%")


def _float(value: Fraction) -> float:
    return float(Decimal(value.numerator) / Decimal(value.denominator))


def _amounts(texts: Sequence[str]) -> tuple[list[int], list[_Amount]]:
    """The positions of the texts that are numbers, and these numbers."""
    amounts = [(place, amount) for place, text in enumerate(texts) if (amount := _read(text)) is not None]
    return [place for place, _ in amounts], [amount for _, amount in amounts]


def _rule(spec: object) -> Rule:
    if callable(spec):
        return Custom(spec)
    match = CALL.fullmatch(spec) if isinstance(spec, str) else None
    if match is None or match[1] not in RULES:
        raise ValueError(f"match: unknown rule {shortened(spec)}, {EXPECTED}")
    try:
        return RULES[match[1]].make(None if match[2] is None else Fraction(match[2]), bool(match[3]))
    except ValueError as error:
        raise ValueError(f"match: {error}, got {shortened(spec)}") from None
