"""Sequences of attacks: their names, the combinations of the paper, and the steps of one that is asked for."""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from random import Random
from typing import Any, NamedTuple

from docie.core.errors import shortened
from docie.core.settings import check_whole
from docie.robustness.attacks.entries import ATTACKS, SOURCES, Attack, check_size
from docie.robustness.attacks.page_attacks import need_boxes
from docie.robustness.form import Page

AttackSpec = str | Sequence[Any]
"""A value for `apply`: the name of an attack, or several, each by its name or as (name, options)."""
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
    listed = sorted(ATTACKS.values(), key=lambda attack: SOURCES.index(attack.source))
    return [attack.name for attack in listed if own or attack.source != "docie"]


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
        raise ValueError(f"unknown attack {shortened(name)}, expected one of {', '.join(names(own=True))}")
    return ATTACKS[name]


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
            need_boxes(self.attack.name, form)
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
    check_size("strength", strength)
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
        steps.append(Step(each, each.scaled({**shared, **own}, strength), label))
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
