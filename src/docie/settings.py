"""What the settings of all families share: the normaliser, and checks of options."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from docie.errors import shortened
from docie.normalizers import Normalize, by_type


@dataclass(frozen=True, kw_only=True)
class Common:
    """The one option that every family has; `normalizer` is what it asks for, a function (entity type, text) → text."""

    normalize: Normalize = None
    normalizer: Callable[[str, str], str] | None = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "normalizer", by_type(self.normalize))


def check_choice(name: str, value: object, *choices: str) -> None:
    """Raise ValueError unless an option's value is one of its choices."""
    if not isinstance(value, str) or value not in choices:
        raise ValueError(f"{name} must be {' or '.join(map(repr, choices))}, got {shortened(value)}")
