"""The entry of an attack, which stands above the function that does it, and the checks of its options."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Collection, Mapping
from functools import cache
from typing import Annotated, Any, NamedTuple, TypeGuard, TypeVar, cast, get_type_hints

from docie.core.errors import shortened
from docie.core.settings import check_choice, check_fraction, check_whole
from docie.core.values.plain import JsonObject
from docie.robustness.form import Page

CHANGES = (*("order", "words", "page", "background boxes", "value boxes", "background texts", "value texts"),)
"""What an attack may change; "words" are words that disappear."""
BOXES = ("background boxes", "value boxes")
SOURCES = ("paper", "paper, starred", "docie")
Change = TypeVar("Change", bound=Callable[..., Page])
Check = Callable[[str, Any], None]
"""The check of an option, from its name and its value: it raises ValueError."""


class Attack(NamedTuple):
    """An attack in `ATTACKS`.

    Attributes:
        function (function): (form, generator, options by name) → form.
        changes (frozenset of str): what it may change with its default options, from `CHANGES`.
        scales (str): the option that `strength` multiplies.
        source (str): one of `SOURCES`: the fourteen of the paper, the one that the paper marks with a star, and docie's
            own.
        needs_boxes (bool): whether it raises an error for forms without boxes.
    """

    function: Callable[..., Page]
    changes: frozenset[str]
    scales: str = "p"
    source: str = SOURCES[0]
    needs_boxes: bool = False

    @property
    def name(self) -> str:
        """The name of the attack."""
        return self.function.__name__

    @property
    def summary(self) -> str:
        """What it does: the first sentence of its function's docstring.

        >>> from docie.robustness.attacks import ATTACKS
        >>> ATTACKS["bg_drop"].summary
        'Drop each background word with probability p.'
        """
        return " ".join((self.function.__doc__ or "").split()).partition(". ")[0].rstrip(".") + "."

    @property
    def defaults(self) -> JsonObject:
        """The options by name, with their default values."""
        return {name: default for name, (default, _) in _options_of(self.function).items()}

    @property
    def preserves_labels(self) -> bool:
        """Whether values keep their texts and boxes."""
        return self.changes.isdisjoint(("value texts", "value boxes"))

    @property
    def preserves_texts(self) -> bool:
        """Whether values keep their texts: the reference document stays the same."""
        return "value texts" not in self.changes

    def scaled(self, given: Mapping[str, object], strength: float) -> JsonObject:
        """All options, checked and scaled. Raises ValueError for an unknown option or a value that it does not take."""
        known, options = _options_of(self.function), self.defaults
        for name, value in given.items():
            if name not in known:
                raise ValueError(f"unknown option {name!r} of {self.name}, expected one of {', '.join(known)}")
            known[name][1](name, value)
            options[name] = value
        scaled = cast(float, options[self.scales]) * strength
        options[self.scales] = min(scaled, 1.0) if self.scales == "p" else scaled
        return options


@cache  # every form asks for them
def _options_of(function: Callable[..., Page]) -> dict[str, tuple[Any, Check]]:
    """The default value and the check of each option."""
    parameters, types = inspect.signature(function).parameters, get_type_hints(function, include_extras=True)
    return {name: (parameters[name].default, types[name].__metadata__[0]) for name in [*parameters][2:]}


ATTACKS: dict[str, Attack] = {}
"""All attacks by name."""


def attack(
    *changes: str, scales: str = "p", source: str = SOURCES[0], needs_boxes: bool = False
) -> Callable[[Change], Change]:
    """Enter the function below as an attack.

    It takes a form and a generator of random numbers, and returns the attacked form; its name and its docstring, whose
    first sentence says what it does, are those of the attack. Its options are keyword-only, have defaults, and types
    such as `Share` below, which check their values.

    Args:
        *changes: what it may change, from `CHANGES`. Tests hold it to this.
        scales, source, needs_boxes: as in `Attack`.
    """

    def enter(function: Change) -> Change:
        ATTACKS[function.__name__] = Attack(function, frozenset(changes), scales, source, needs_boxes)
        return function

    return enter


def check_size(name: str, value: object) -> None:
    """Raise ValueError unless the value of an option is a number of at least 0."""
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value < float("inf"):
        raise ValueError(f"{name} must be a number of at least 0, got {shortened(value)}")


def are_texts(value: object) -> TypeGuard[Collection[str]]:
    """Whether it is a collection of texts."""
    is_texts = isinstance(value, Collection) and all(isinstance(each, str) for each in value)
    return is_texts and not isinstance(value, str | Mapping)


def choice(*choices: str) -> Check:
    """The check of an option that has one of these values."""
    return lambda name, value: check_choice(name, value, *choices)


def or_none(check: Check) -> Check:
    """The check of an option that may be None, too."""
    return lambda name, value: None if value is None else check(name, value)


def _check_types(name: str, value: object) -> None:
    if not are_texts(value):
        raise ValueError(f"{name} must be a list of entity types, got {shortened(value)}")


def _check_number(name: str, value: object) -> None:
    check_whole(name, value, 0)


Share = Annotated[float, check_fraction]
Size = Annotated[float, check_size]
WholeNumber = Annotated[int, _check_number]
Types = Annotated[Collection[str], _check_types]
TypesOrNone = Annotated[Collection[str] | None, or_none(_check_types)]
