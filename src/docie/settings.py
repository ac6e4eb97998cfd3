"""The settings that all families share, and checks of options."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

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
