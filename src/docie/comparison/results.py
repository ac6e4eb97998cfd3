"""What `compare` gives: plain dicts, with types."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal, NotRequired, TypedDict, cast


class ChangedDocument(TypedDict):
    """A document that got better or worse, as `docie.comparison.changes.Change` has it, by its id or its number."""

    document: str | int
    value_a: float
    value_b: float
    effect: float


class Comparison(TypedDict):
    """A comparison of two systems by one score, of the whole corpus or of one entity type."""

    entity_type: NotRequired[str]
    score: str
    direction: Literal["higher", "lower"]
    a: str
    b: str
    value_a: float
    value_b: float
    difference: float
    interval: list[float] | None
    p_value: float
    smallest_difference: float | None
    p_value_holm: NotRequired[float]
    significant: NotRequired[bool]
    better: NotRequired[int]
    worse: NotRequired[int]
    changes: NotRequired[list[ChangedDocument]]


class Tests(TypedDict):
    """The tests of `compare`."""

    comparisons: list[Comparison]
    ranks: dict[str, dict[str, str]]
    holm: dict[str, str]
    per_entity: NotRequired[list[Comparison]]
    suspects: NotRequired[list[dict[str, str | int | None]]]


class Compared(Tests):
    """All of `compare`."""

    documents: int
    units: int
    signature: str


def compared(results: Mapping[str, Any]) -> Compared:
    """The dict that `compare` gave a user, with its types."""
    return cast(Compared, results)


def values_of(rows: list[Comparison]) -> dict[str, float]:
    """From each system in comparisons by one score to its score."""
    return {name: value for row in rows for name, value in ((row["a"], row["value_a"]), (row["b"], row["value_b"]))}
