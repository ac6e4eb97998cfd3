"""The leaves of a document, in one rule for all who read documents.

A leaf is one value: a scalar; a *scored leaf*, `{"value": ..., "confidence": ...}`; or, in a reference, a *one-of*, a
tuple or `{"$any_of": [...]}`, of which any one alternative is right.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sized
from typing import Any

import numpy as np

from docie.core.errors import DocumentError, in_json
from docie.core.values.json_text import ANY_OF, MAX_DEPTH, MAX_VALUES, TOO_DEEP, TOO_MANY

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


def has_values(document: object) -> bool:
    """Whether a document has a value: a leaf that is neither null nor blank.

    >>> has_values({"total": "12.00"}), has_values({"total": {"value": None, "confidence": 0.9}, "items": [" "]})
    (True, False)
    """
    left = [document]
    while left:
        value = left.pop()
        if isinstance(value, Mapping):
            left += [value["value"]] if is_scored_leaf(value) else value.values()
        elif isinstance(value, list | tuple | np.ndarray):
            left += value
        elif isinstance(value, str):
            if value.strip():
                return True
        elif value is not None and value == value:  # NaN is null
            return True
    return False


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


class LocatedConfidence(float):
    """A confidence that also says where its entity comes from.

    It goes with the entity wherever the confidence goes: through normalizers, an ontology and a matching.

    Attributes:
        value: the value before normalisation, a text or a `OneOf`.
        group: the number of the group among the objects of its type, from 0; None outside of all groups.
        position: the number of the entity in its group, from 0.
        box, page: those of the scored leaf; None if it has none.

    >>> LocatedConfidence(0.9, page=2) == 0.9, LocatedConfidence(0.9, page=2).page
    (True, 2)
    """

    __slots__ = ("box", "group", "page", "position", "value")
    box: object
    group: int | None
    page: object
    position: int
    value: Any  # str | OneOf

    def __new__(cls, confidence: float, *, box: object = None, page: object = None) -> LocatedConfidence:
        """A confidence with the box and the page of its leaf."""
        located = super().__new__(cls, confidence)
        located.value, located.group, located.position, located.box, located.page = None, None, 0, box, page
        return located


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
        if depth > MAX_DEPTH or self.left < 0:
            raise self.refusal(path, depth)

    def refusal(self, path: str, depth: int) -> DocumentError:
        """The error of what is nested too deep, or too large."""
        return self.error(path, TOO_DEEP if depth > MAX_DEPTH else TOO_MANY)

    def error(self, path: str, problem: str) -> DocumentError:
        """An error that names the place."""
        return DocumentError(problem, entity=path or None, side=self.side)


def answers_of(value: Any) -> tuple[str, ...]:
    """The accepted answers of a value: its alternatives, or itself."""
    return value.alternatives if isinstance(value, OneOf) else (value,)
