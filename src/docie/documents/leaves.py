"""The leaves of a document, in one rule for all who read documents.

A leaf is one value: a scalar; a *scored leaf*, `{"value": ..., "confidence": ...}`; or, in a reference, a *one-of*, a
tuple or `{"$any_of": [...]}`, of which any one alternative is correct.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sized
from typing import Any

import numpy as np

from docie.core.errors import DocumentError, in_json, json_kind, located_errors
from docie.core.values.json_text import ANY_OF, MAX_DEPTH, MAX_VALUES, TOO_DEEP, TOO_MANY
from docie.core.values.plain import JSON_TYPES, NO_CONFIDENCE, plain_value, read_confidence, scalar_text

LEAF_KEYS = ("value", "confidence", "box", "page")
"""The keys of a scored leaf. It must have the first two."""
PLACE_KEYS = LEAF_KEYS[2:]
"""Those that say where a value stands."""
_LEAF_KEYS = frozenset(LEAF_KEYS)


def is_scored_leaf(value: Mapping[str, object]) -> bool:
    """Whether an object is one value with a confidence, and not a group.

    >>> is_scored_leaf({"value": "12.00", "confidence": 0.9}), is_scored_leaf({"value": "12.00", "unit": "kg"})
    (True, False)
    """
    if "confidence" not in value or "value" not in value:
        return False
    return value.keys() <= _LEAF_KEYS and not isinstance(value["value"], Mapping | list | tuple | np.ndarray)


def is_one_of_object(value: Mapping[str, object], side: str = "reference") -> bool:
    """Whether an object lists alternatives: `{"$any_of": [...]}` in a reference."""
    return ANY_OF in value and len(value) == 1 and side == "reference"


def is_leaf(value: object, side: str) -> bool:
    """Whether a JSON value on this side is a leaf.

    >>> is_leaf("12.00", "prediction"), is_leaf(("12.00", "12"), "reference"), is_leaf(["12.00"], "reference")
    (True, True, False)
    """
    if isinstance(value, dict):  # most objects are groups, and have neither key
        return ("confidence" in value and is_scored_leaf(value)) or (ANY_OF in value and is_one_of_object(value, side))
    return not isinstance(value, list) and not (isinstance(value, tuple) and side != "reference")


def alternatives_of(
    value: Mapping[str, object], path: str, side: str = "reference"
) -> list[object] | tuple[object, ...]:
    """What `{"$any_of": [...]}` lists.

    Raises:
        DocumentError: if that is not a list.
    """
    alternatives = value[ANY_OF]
    if not isinstance(alternatives, list | tuple):
        problem = f"{ANY_OF} must hold a list, got {in_json(alternatives)}"
        raise DocumentError(problem, entity=path or None, side=side)
    return alternatives


class OneOf:
    """The alternatives of a reference: at least two, in the order in which they were given.

    Among texts, it can stand in the place of one: it is sorted before all texts that a document may have, and equals
    another `OneOf` that has the same alternatives in any order.

    >>> OneOf.of(["12.00", "12"]) == OneOf.of(["12", "12.00", "12"])
    True
    """

    __slots__ = ("_key", "alternatives")
    alternatives: tuple[Any, ...]

    def __init__(self, alternatives: Iterable[object]) -> None:
        self.alternatives = tuple(alternatives)
        self._key: str | None = None

    @staticmethod
    def of(texts: Iterable[str]) -> OneOf:
        """The distinct ones of these texts, as alternatives."""
        return OneOf(dict.fromkeys(texts))

    @property
    def key(self) -> str:
        """A text that sorts it and tells it from others."""
        if self._key is None:
            self._key = "\0" + json.dumps(sorted(self.alternatives))  # no text of a document begins so
        return self._key

    def __eq__(self, other: object) -> bool:
        return self is other or (isinstance(other, OneOf) and self.key == other.key)

    def __hash__(self) -> int:
        return hash(self.key)

    def __lt__(self, other: OneOf | str) -> bool:
        return self.key < (other.key if isinstance(other, OneOf) else other)

    def __gt__(self, other: OneOf | str) -> bool:
        return self.key > (other.key if isinstance(other, OneOf) else other)

    def __repr__(self) -> str:
        return f"OneOf{self.alternatives}"


class Walk:
    """A walk through a document on one side, which ends with an error where it is nested too deep or too large."""

    def __init__(self, side: str) -> None:
        self.side, self.left = side, MAX_VALUES

    def enter(self, value: Sized, path: str, depth: int) -> None:
        """Count what is in an object or a list."""
        self.left -= len(value)
        if depth >= MAX_DEPTH or self.left < 0:
            raise self.refusal(path, depth)

    def refusal(self, path: str, depth: int) -> DocumentError:
        """The error of what is nested too deep, or too large."""
        return self.error(path, TOO_DEEP if depth >= MAX_DEPTH else TOO_MANY)

    def error(self, path: str, problem: str) -> DocumentError:
        """An error that names the place."""
        return DocumentError(problem, entity=path or None, side=self.side)


class LeafReader(Walk):
    """A walk that reads leaves as entities.

    Attributes:
        has_one_of: whether a value was a `OneOf`.
        has_confidences: whether a leaf had a confidence.
        has_places: whether a leaf had a box or a page.
    """

    def __init__(self, side: str) -> None:
        super().__init__(side)
        self.has_one_of = self.has_confidences = self.has_places = False

    def entity(self, path: str, leaf: object) -> tuple[str, Any, float] | None:
        """The type, the text or `OneOf`, and the confidence of a leaf; None if its value is absent."""
        confidence = NO_CONFIDENCE
        if isinstance(leaf, dict):
            if is_one_of_object(leaf, self.side):
                leaf = tuple(alternatives_of(leaf, path, self.side))
            else:
                with located_errors(path, self.side):
                    confidence = read_confidence(leaf["confidence"])
                self.has_confidences = True
                self.has_places = self.has_places or len(leaf) > 2
                leaf = leaf["value"]
        if isinstance(leaf, tuple):
            value: object = self._one_of(path, leaf)
            return None if value is None else (path, value, confidence)
        with located_errors(path, self.side):
            text = scalar_text(leaf)
        return None if not text or text.isspace() else (path, text, confidence)

    def _one_of(self, path: str, alternatives: Any) -> object:
        """The value of alternatives. Absent ones are dropped; a single one is a plain value."""
        texts = []
        for alternative in alternatives:
            if type(alternative) not in JSON_TYPES:
                alternative = self.plain(path, alternative)
            if isinstance(alternative, list | tuple) or not is_leaf(alternative, self.side):
                raise self.error(path, f"alternatives must be single values, got {json_kind(alternative)}")
            entity = self.entity(path, alternative)
            if entity is not None:
                texts.append(entity[1])
        if len(set(texts)) > 1:
            self.has_one_of = True
            return OneOf.of(texts)
        return texts[0] if texts else None

    def plain(self, path: str, value: object) -> object:
        """The JSON value of a Python value."""
        with located_errors(path, self.side):
            return plain_value(value)


def answers_of(value: Any) -> tuple[str, ...]:
    """The accepted answers of a value: its alternatives, or itself."""
    return value.alternatives if isinstance(value, OneOf) else (value,)
