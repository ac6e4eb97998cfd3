"""All attacks by name: what each may change, their options, and sequences of attacks."""

from __future__ import annotations

import inspect
import itertools
from collections.abc import Callable, Collection, Mapping, Sequence
from random import Random
from typing import Any, NamedTuple, TypeGuard, cast

from docie.core.errors import shortened
from docie.core.settings import check_choice, check_fraction, check_whole
from docie.core.values.plain import JsonObject
from docie.robustness.attacks import page_attacks, value_attacks
from docie.robustness.attacks.wording import KINDS, SOURCES
from docie.robustness.form import Page

AttackSpec = str | Sequence[Any]
"""A value for `apply`: the name of an attack, or several, each by its name or as (name, options)."""
CHANGES = (*("order", "words", "page", "background boxes", "value boxes", "background texts", "value texts"),)
"""What an attack may change; "words" are words that disappear."""
ORIGINS = ("paper", "paper, starred", "docie")


class Attack(NamedTuple):
    """An attack in `ATTACKS`.

    Attributes:
        function (function): (form, generator, options by name) → form.
        scales (str): the option that `strength` multiplies.
        changes (frozenset of str): what it may change with its default options, from `CHANGES`.
        origin (str): one of `ORIGINS`: the fourteen of the paper, the one that the paper marks with a star, and docie's
            own.
        needs_boxes (bool): whether it raises an error for forms without boxes.
    """

    function: Callable[..., Page]
    scales: str
    changes: frozenset[str]
    origin: str = "paper"
    needs_boxes: bool = False

    @property
    def name(self) -> str:
        """The name of the attack."""
        return self.function.__name__

    @property
    def defaults(self) -> JsonObject:
        """The options by name, with their default values."""
        parameters = list(inspect.signature(self.function).parameters.values())[2:]
        return {parameter.name: parameter.default for parameter in parameters}

    @property
    def preserves_labels(self) -> bool:
        """Whether values keep their texts and boxes."""
        return self.changes.isdisjoint(("value texts", "value boxes"))

    @property
    def preserves_texts(self) -> bool:
        """Whether values keep their texts: the reference document stays the same."""
        return "value texts" not in self.changes


def _attacks() -> list[Attack]:
    jitter = frozenset({"background boxes", "value boxes"})
    reorder, drop, rewrite = frozenset({"order"}), frozenset({"words"}), frozenset({"background texts"})
    places = jitter | reorder
    return [
        Attack(page_attacks.center_shift, "sigma", jitter, needs_boxes=True),
        Attack(page_attacks.box_stretch, "sigma", jitter, needs_boxes=True),
        Attack(page_attacks.margin_pad, "most", jitter | {"page"}, needs_boxes=True),
        Attack(page_attacks.global_shuffle, "p", reorder),
        Attack(page_attacks.neighbor_shuffle, "p", reorder),
        Attack(page_attacks.non_neighbor_shuffle, "p", reorder),
        Attack(page_attacks.bg_drop, "p", drop),
        Attack(page_attacks.neighbor_bg_drop, "p", drop),
        Attack(page_attacks.key_drop, "p", drop),
        Attack(page_attacks.bg_typo, "p", rewrite | drop),
        Attack(page_attacks.bg_synonyms, "p", rewrite),
        Attack(page_attacks.bg_adversarial, "p", rewrite),
        Attack(value_attacks.value_text_augment, "p", frozenset({"value texts"})),
        Attack(value_attacks.value_location_augment, "p", places, needs_boxes=True),
        Attack(value_attacks.value_location_move, "p", places | {"page"}, ORIGINS[1], needs_boxes=True),
        Attack(page_attacks.ocr_confusion, "p", rewrite, ORIGINS[2]),
        Attack(page_attacks.line_order_shuffle, "p", reorder, ORIGINS[2], needs_boxes=True),
    ]


ATTACKS: Mapping[str, Attack] = {attack.name: attack for attack in _attacks()}
"""All attacks by name, in the order of the paper, with docie's own last."""
_COMBINED = (
    *("value_text_augment", "value_location_augment", "bg_typo", "bg_synonyms", "bg_adversarial", "bg_drop"),
    *("neighbor_bg_drop", "key_drop", "center_shift", "box_stretch", "margin_pad", "neighbor_shuffle"),
    *("non_neighbor_shuffle", "global_shuffle"),
)


def names(*, own: bool = False) -> list[str]:
    """The names of the attacks: the fourteen of the paper, and value_location_move, which the paper marks with a star.

    Args:
        own (bool): include docie's own attacks.

    Returns:
        list of str: the names, in the order of the paper.

    >>> len(names()), names(own=True)[-2:]
    (15, ['ocr_confusion', 'line_order_shuffle'])
    """
    return [name for name, attack in ATTACKS.items() if own or attack.origin != "docie"]


def combinations(size: int) -> list[tuple[str, ...]]:
    """All combinations of a number of the paper's fourteen attacks: 91 pairs, 364 triples.

    In each, attacks stand in the order in which they make sense: values, then background, then boxes, then order.
    Dropped keys could no longer change places, and shuffled words have no neighbours.

    Args:
        size (int): the number of attacks, from 1 to 14.

    Returns:
        list of tuple of str: values for `apply`.

    >>> len(combinations(2)), len(combinations(3)), combinations(2)[0]
    (91, 364, ('value_text_augment', 'value_location_augment'))
    """
    check_whole("size", size, 1, most=len(_COMBINED))
    return list(itertools.combinations(_COMBINED, size))


def attack_named(name: object) -> Attack:
    """The attack of this name. Raises ValueError if it is unknown."""
    if not isinstance(name, str) or name not in ATTACKS:
        raise ValueError(f"unknown attack {shortened(name)}, expected one of {', '.join(ATTACKS)}")
    return ATTACKS[name]


def scaled_options(attack: Attack, given: Mapping[str, object], strength: float) -> JsonObject:
    """All options of an attack, checked and scaled."""
    options = attack.defaults
    for name, value in given.items():
        if name not in options:
            raise ValueError(f"unknown option {name!r} of {attack.name}, expected one of {', '.join(options)}")
        CHECKS[name](name, value)
        options[name] = value
    scaled = cast(float, options[attack.scales]) * strength
    options[attack.scales] = min(scaled, 1.0) if attack.scales == "p" else scaled
    return options


class Step(NamedTuple):
    """One attack of a sequence, as returned by `plan`.

    Attributes:
        attack (Attack): the attack.
        options (dict): all of its options, scaled by the strength.
        seed (str): the seed of its random numbers, combined with the form.
    """

    attack: Attack
    options: dict[str, Any]
    seed: str

    def apply(self, form: Page) -> Page:
        """The attacked page. Raises ValueError if the attack needs boxes and the page has none."""
        if self.attack.needs_boxes:
            page_attacks.need_boxes(self.attack.name, form)
        return self.attack.function(form, Random(f"{self.seed} {form.key}"), **self.options)

    @property
    def preserves_texts(self) -> bool:
        """Whether values keep their texts with these options: an option of ocr_confusion changes them."""
        return self.attack.preserves_texts and self.options.get("on", "background") == "background"


def plan(attack: AttackSpec, *, seed: int, strength: float = 1.0, options: Mapping[str, object]) -> list[Step]:
    """The steps of `apply`: one attack after the other, with checked options.

    Args:
        attack (str or list): as in `apply`.
        seed (int): as in `apply`.
        strength (float): as in `apply`.
        options (dict): as in `apply`.

    Returns:
        list of Step: the attacks.

    Raises:
        ValueError: if an attack or option is unknown, or if an option does not take its value.

    >>> [(step.attack.name, step.options) for step in plan(["key_drop", "bg_drop"], seed=0, strength=3, options={})]
    [('key_drop', {'p': 1.0}), ('bg_drop', {'p': 0.3...})]
    """
    check_whole("seed", seed, 0)
    _check_size("strength", strength)
    asked = [(attack, {})] if isinstance(attack, str) else [_named(each) for each in _list(attack)]
    found = [(attack_named(name), own) for name, own in asked]
    unknown = [name for name in options if not any(name in each.defaults for each, _ in found)]
    if unknown:
        known = sorted({name for each, _ in found for name in each.defaults})
        raise ValueError(f"unknown option {unknown[0]!r}, expected one of {', '.join(known)}")
    steps: list[Step] = []
    for each, own in found:
        shared = {name: value for name, value in options.items() if name in each.defaults}
        repeat = sum(step.attack.name == each.name for step in steps)
        label = f"{seed} {each.name}" + (f" {repeat}" if repeat else "")
        steps.append(Step(each, scaled_options(each, {**shared, **own}, strength), label))
    return steps


def _list(attacks: object) -> list[object]:
    if not isinstance(attacks, Sequence) or not attacks:
        raise ValueError(f"attacks must be a name or a list of names, got {shortened(attacks)}")
    return list(attacks)


def _named(attack: object) -> tuple[str, dict[str, object]]:
    """A name, and the options of this attack only."""
    if isinstance(attack, str):
        return attack, {}
    if isinstance(attack, Sequence) and len(attack) == 2 and isinstance(attack[1], Mapping):
        return attack[0], dict(attack[1])
    hint = "; options stand in brackets with their attack: [(name, options)]" if isinstance(attack, Mapping) else ""
    raise ValueError(f"expected the name of an attack, or a name and its options, got {shortened(attack)}{hint}")


def _check_size(name: str, value: object) -> None:
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value < float("inf"):
        raise ValueError(f"{name} must be a number of at least 0, got {shortened(value)}")


def _are_texts(value: object) -> TypeGuard[Collection[str]]:
    is_texts = isinstance(value, Collection) and all(isinstance(each, str) for each in value)
    return is_texts and not isinstance(value, str | Mapping)


def _check_types(name: str, value: object) -> None:
    if value is not None and not _are_texts(value):
        raise ValueError(f"{name} must be a list of entity types, got {shortened(value)}")


def _check_kinds(name: str, value: object) -> None:
    if not _are_texts(value) or not value or not {*value} <= {*KINDS}:
        raise ValueError(f"{name} must be a list of {', '.join(KINDS)}, got {shortened(value)}")


def _check_character(name: str, value: object) -> None:
    if value is not None and (not isinstance(value, str) or len(value) != 1):
        raise ValueError(f"{name} must be one character, got {shortened(value)}")


def _check_source(name: str, value: object) -> None:
    if value is not None:
        check_choice(name, value, *SOURCES)


CHECKS: Mapping[str, Callable[[str, Any], None]] = {
    "p": check_fraction,
    "sigma": _check_size,
    "most": _check_size,
    "expand": _check_size,
    "neighbor_words": lambda name, value: check_whole(name, value, 0),
    "kinds": _check_kinds,
    "character": _check_character,
    "source": _check_source,
    "keep": _check_types,
    "only": _check_types,
    "types": _check_types,
    "on": lambda name, value: check_choice(name, value, "background", "values", "all"),
}
"""The check of each option."""
