"""The options `weights` and `costs`: the weight of an entity type, and the cost of its corrections."""

from __future__ import annotations

import math
import os
from collections.abc import Mapping
from dataclasses import dataclass
from numbers import Real
from pathlib import Path

from docie.core.errors import shortened
from docie.core.values.json_text import loads

OPERATIONS = ("substitution", "addition", "deletion")
Cost = float | Mapping[str, float]
"""The cost of every correction, or that of each operation."""


def check_weight(name: str, value: object) -> float:
    """A weight as a float. Raises ValueError unless it is a finite number of at least 0.

    >>> check_weight("weights: 'total'", -1)
    Traceback (most recent call last):
    ...
    ValueError: weights: 'total' must be a number of at least 0, got -1
    """
    if not isinstance(value, Real) or isinstance(value, bool) or not (math.isfinite(value) and float(value) >= 0):
        raise ValueError(f"{name} must be a number of at least 0, got {shortened(value)}")
    return float(value)


@dataclass(frozen=True)
class Costs:
    """The cost of a substitution, an addition and a deletion for each entity type, and for all others."""

    by_type: Mapping[str, tuple[float, float, float]]
    others: tuple[float, float, float] = (1.0, 1.0, 1.0)

    def of(self, entity_type: str) -> tuple[float, float, float]:
        """The three costs of an entity type."""
        return self.by_type.get(entity_type, self.others)


def read_weights(weights: object) -> Mapping[str, float]:
    """The weight of each entity type that an option `weights` names.

    Args:
        weights: a mapping from entity type to weight, or the path of a JSON file with one.

    Raises:
        ValueError: if it is anything else, or if a weight is negative.

    >>> read_weights({"total": 3})
    {'total': 3.0}
    """
    values = _mapping("weights", _from_file("weights", weights))
    return {name: check_weight(f"weights: {name!r}", weight) for name, weight in values.items()}


def read_costs(costs: object) -> Costs:
    """The costs of corrections that an option `costs` names.

    Args:
        costs: a number, which is the cost of each correction; or a mapping from entity type to a number or to the costs
            of "substitution", "addition" and "deletion". Other types and operations cost 1.

    Raises:
        ValueError: if it is anything else, or if a cost is negative.

    >>> read_costs({"total": {"addition": 3}}).of("total"), read_costs(2).of("total")
    ((1.0, 3.0, 1.0), (2.0, 2.0, 2.0))
    """
    if isinstance(costs, Real) and not isinstance(costs, bool):
        return Costs({}, _three("costs", costs))
    values = _mapping("costs", _from_file("costs", costs))
    return Costs({entity_type: _three(f"costs: {entity_type!r}", value) for entity_type, value in values.items()})


def _three(name: str, value: object) -> tuple[float, float, float]:
    """The costs of the three operations."""
    if not isinstance(value, Mapping):
        return (check_weight(name, value),) * 3
    if unknown := [each for each in value if each not in OPERATIONS]:
        raise ValueError(f"{name}: unknown operation {shortened(unknown[0])}, expected {', '.join(OPERATIONS)}")
    costs = {operation: check_weight(f"{name}: {operation}", cost) for operation, cost in value.items()}
    substitution, addition, deletion = (costs.get(operation, 1.0) for operation in OPERATIONS)
    return substitution, addition, deletion


def _mapping(name: str, value: object) -> Mapping[str, object]:
    if not isinstance(value, Mapping) or not all(isinstance(each, str) for each in value):
        raise ValueError(f"{name} must map entity types to numbers, got {shortened(value)}")
    return value


def _from_file(name: str, value: object) -> object:
    """The JSON in a file, if the value is a path."""
    if not isinstance(value, str | os.PathLike):
        return value
    try:
        return loads(Path(value).read_text(encoding="utf-8-sig"))
    except OSError as error:
        raise ValueError(f"{name}: {value}: cannot be read ({error.strerror or error})") from None
    except ValueError as error:
        raise ValueError(f"{name}: {value}: not JSON ({error})") from None
