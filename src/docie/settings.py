"""The settings that all families share, and checks of options."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from numbers import Real
from typing import Any

from docie.errors import shortened
from docie.normalizers import Normalize, by_type


@dataclass(frozen=True, kw_only=True)
class Common:
    """The option that every family has; those with more inherit it.

    normalize: None, a normaliser's name, a list of names, or a mapping from entity type to these
        (see `docie.normalizers`). `normalizer` is what it asks for, a function (entity type, text) → text.

    Raises ValueError for a value outside these.

    >>> Common(normalize="upper")
    Traceback (most recent call last):
    ...
    ValueError: unknown normaliser 'upper', expected one of nfkc, casefold, whitespace, alphanumeric, number, date
    """

    normalize: Normalize = None
    normalizer: Callable[[str, str], str] | None = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "normalizer", by_type(self.normalize))


def check_choice(name: str, value: object, *choices: str) -> None:
    """Raise ValueError unless an option's value is one of its choices."""
    if not isinstance(value, str) or value not in choices:
        raise ValueError(f"{name} must be {' or '.join(map(repr, choices))}, got {shortened(value)}")


def check_flag(name: str, value: object) -> None:
    """Raise ValueError unless an option's value is True or False."""
    if not isinstance(value, bool):
        raise ValueError(f"{name} must be True or False, got {shortened(value)}")


def sorted_thresholds(thresholds: object, accepts: Callable[[Any], bool], expected: str) -> tuple[float, ...]:
    """The distinct thresholds, lowest first.

    Raises ValueError unless they are a list of numbers, at least one, that `accepts` holds for.

    >>> sorted_thresholds([0.9, 0.5, 0.9], lambda value: 0 < value <= 1, "above 0 and at most 1")
    (0.5, 0.9)
    """
    values = list(thresholds) if isinstance(thresholds, Iterable) and not isinstance(thresholds, str) else []
    wrong = [v for v in values if not isinstance(v, Real) or isinstance(v, bool) or not accepts(v)]
    if wrong or not values:
        got = shortened(wrong[0] if wrong else thresholds)
        raise ValueError(f"thresholds must be a list of numbers {expected}, got {got}")
    return tuple(sorted({float(value) for value in values}))
