"""The results of `compare`: plain dicts, with types."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal, NotRequired, TypedDict, cast


class ChangedDocument(TypedDict):
    """A document that got better or worse, as in `docie.comparison.changes.Change`, by its id or its number."""

    document: str | int
    value_a: float
    value_b: float
    effect: float


class BrokenDocument(TypedDict):
    """A document that lost half of its own score or more, or that can no longer be read, by its id or its number.

    `score` is the score that says so, `value_a` and `value_b` are its values for this document by itself; `reason` is
    what happened, in a few words.
    """

    document: str | int
    score: str
    value_a: float
    value_b: float
    reason: str


class Difference(TypedDict):
    """How far two systems differ in one score, for the whole corpus or one entity type."""

    entity_type: NotRequired[str]
    support: NotRequired[int]
    score: str
    direction: Literal["higher", "lower"]
    a: str
    b: str
    value_a: float
    value_b: float
    difference: float


class Comparison(Difference):
    """A difference with its test."""

    interval: list[float] | None
    p_value: float
    smallest_difference: float | None
    p_value_holm: NotRequired[float]
    significant: NotRequired[bool]
    better: NotRequired[int]
    worse: NotRequired[int]
    changes: NotRequired[list[ChangedDocument]]
    broken: NotRequired[list[BrokenDocument]]


class Check(TypedDict):
    """Whether a later system passes by one score, and why; `bound` is the one-sided 95 % bound of its loss."""

    system: str
    score: str
    passed: bool
    reason: str
    bound: float
    broken: list[BrokenDocument]


class Gate(Check):
    """All checks, and that which decides: the first that fails or, if all pass, the first."""

    checks: list[Check]


class Tests(TypedDict):
    """The tests among the results of `compare`."""

    comparisons: list[Comparison]
    ranks: dict[str, dict[str, str]]
    systems: dict[str, dict[str, float]]
    holm: dict[str, str]
    per_entity: NotRequired[list[Comparison]]
    gate: NotRequired[Gate]
    differences: NotRequired[list[Difference]]
    suspects: NotRequired[list[dict[str, str | int | None]]]
    runs: NotRequired[dict[str, dict[str, Any]]]


class Compared(Tests):
    """All results of `compare`."""

    confidence_level: float
    documents: int
    units: int
    signature: str


def compared(results: Mapping[str, Any]) -> Compared:
    """A result of `compare` that a user passed, with its types."""
    return cast(Compared, results)


def values_of(rows: list[Comparison]) -> dict[str, float]:
    """From each system to its score, read from comparisons by one score."""
    return {name: value for row in rows for name, value in ((row["a"], row["value_a"]), (row["b"], row["value_b"]))}
