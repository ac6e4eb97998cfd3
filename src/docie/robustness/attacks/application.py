"""Attacks applied: to a form, as strong as a severity needs, and to records of data sets."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from docie.core.values.plain import JsonObject
from docie.robustness.attacks.measurement import Severity, target_of
from docie.robustness.attacks.measurement import severity as measured
from docie.robustness.attacks.pictures import redraw
from docie.robustness.attacks.registry import AttackSpec, plan
from docie.robustness.form import Page

LIMIT = 100.0
"""The largest strength that is tried to reach a severity."""
STEPS = 20
"""How often the range of strengths is halved."""
TRIES = 20
"""How often an attack is tried on a form before it counts as one that finds nothing there."""


class OutOfReachError(ValueError):
    """No strength of an attack reaches a severity."""


def apply(
    attack: AttackSpec,
    form: Page,
    *,
    seed: int,
    strength: float = 1.0,
    severity: Mapping[str, float] | None = None,
    **options: object,
) -> Page:
    """Attack a form, with one attack or with several, one after the other.

    What is random depends on the seed, on the attack and on the form (its id, or its words if it has none), and on
    nothing else: neither on other forms, nor on the number of processes.

    Args:
        attack (str or list): a name of `names(own=True)`, or several. In a list, ("bg_drop", {"p": 0.2}) gives one of
            them options of its own.
        form (Page): the form. It stays as it is.
        seed (int): a number; another one attacks otherwise.
        strength (float): multiplies what the attack does by default: its sigma, its share of the page, or its
            probability, which is at most 1. 0 changes nothing.
        severity (dict): instead of a strength, one of `Severity`'s figures with its value, such as {"mean_iou": 0.75}:
            the attack is as strong as `strength_for` says for this form.
        options: options of the attacks, by name. Each goes to those that have it, and one of them must.

    Returns:
        Page: the attacked form.

    Raises:
        ValueError: for unknown attacks and options, for a value that an option does not take, and for a form without
            boxes if the attack needs them.
        OutOfReachError: if no strength reaches the severity. It is a ValueError, too.
        ImportError: if random texts are needed, and Faker is not installed.

    >>> from docie.robustness.form import Field, Word
    >>> form = Page([Word(text) for text in ("Total:", "4.50", "Thank", "you")], [Field("total", (1,), (0,))])
    >>> [word.text for word in apply("key_drop", form, seed=0).words]
    ['4.50', 'Thank', 'you']
    >>> [word.text for word in apply(["bg_typo", ("global_shuffle", {"p": 0.9})], form, seed=1, p=1.0).words]
    ['Tgtal:', '4.50', 'Xhank', 'ycu']
    >>> [word.text for word in apply("bg_drop", form, seed=0, severity={"edit_rate": 0.25}).words]
    ['4.50', 'Thank', 'you']
    """
    if not isinstance(form, Page):
        raise ValueError(f"expected a Form, got {type(form).__name__}")
    if severity is not None:
        if strength != 1:
            raise ValueError("give a strength or a severity, not both")
        strength = _least_strength(attack, [form], seed, LIMIT, severity, options)
    return _applied(attack, form, seed, strength, options)


def _applied(attack: AttackSpec, form: Page, seed: int, strength: float, options: Mapping[str, object]) -> Page:
    for step in plan(attack, seed=seed, strength=strength, options=options):
        form = step.apply(form)
    return form


def can_act(attack: AttackSpec, form: Page, **options: object) -> bool:
    """Whether an attack finds anything in a form that it can change, as key_drop finds nothing in a form without keys.

    Chance and strength have no say: bg_typo, which misspells every tenth word, can act on every form in which it can
    misspell a word. The attack is tried at full strength, with p=1, and with other random numbers if it changes
    nothing. Of several attacks, one must find something.

    Args:
        attack (str or list): as in `apply`.
        form (Page): the form.
        options: options of the attacks, as in `apply`.

    Returns:
        bool: whether it can act. No attack can on a form without words.

    Raises:
        ValueError: as `apply`.
        ImportError: as `apply`.

    >>> from docie.robustness.form import Word
    >>> form = Page([Word("Total:"), Word("4.50")])
    >>> can_act("key_drop", form), can_act("bg_typo", form), can_act("bg_typo", form, kinds=["swap"], character="!")
    (False, True, False)
    """
    return bool(form.words) and any(_at_full_strength(attack, form, seed, options) != form for seed in range(TRIES))


def acted(attack: AttackSpec, before: Page, after: Page, **options: object) -> bool:
    """Whether a form counts among those that an attack was made on: it changed, or by chance did not, but could have.

    Args:
        attack (str or list): as in `apply`.
        before (Page): the form as it was.
        after (Page): what `apply` made of it.
        options: options of the attacks, as in `apply`.

    Returns:
        bool: whether it counts.

    Raises:
        ValueError: as `apply`.
        ImportError: as `apply`.

    >>> from docie.robustness.form import Word
    >>> form = Page([Word("Total:"), Word("4.50")])
    >>> acted("key_drop", form, form), acted("bg_drop", form, form), acted("bg_drop", form, form.arranged([1]))
    (False, True, True)
    """
    return bool(before.words) and (before != after or can_act(attack, before, **options))


def _at_full_strength(attack: AttackSpec, form: Page, seed: int, options: Mapping[str, object]) -> Page:
    for step in plan(attack, seed=seed, options=options):
        form = step._replace(options={**step.options, step.attack.scales: 1.0}).apply(form)
    return form


def strength_for(
    attack: AttackSpec, forms: Sequence[Page], *, seed: int, limit: float = LIMIT, **target: object
) -> float:
    """How strong an attack must be to reach a severity on forms, so that attacks are compared at equal severity.

    It halves the range of strengths, because an attack of larger strength, with the same random numbers, does more.
    What it reaches may miss the target a little, because words are changed one by one.

    Args:
        attack (str or list): as in `apply`.
        forms (list of Page): forms to measure on.
        seed (int): as in `apply`.
        limit (float): the largest strength that is tried.
        target: one of `Severity`'s figures with its value, such as mean_iou=0.75 or edit_rate=0.1; further options go
            to the attack.

    Returns:
        float: the least strength that reaches the target.

    Raises:
        ValueError: if not one figure is named, or if it cannot be measured on these forms.
        OutOfReachError: if no strength reaches it; the message says how far the attack goes. It is a ValueError, too.

    >>> from docie.robustness.form import Word
    >>> words = [Word(str(number), (10 * number, 0, 10 * number + 8, 5)) for number in range(9)]
    >>> strength = strength_for("center_shift", [Page(words, page=(100, 100))], seed=0, mean_iou=0.75)
    >>> attacked = apply("center_shift", Page(words, page=(100, 100)), seed=0, strength=strength)
    >>> from docie.robustness.attacks import severity
    >>> round(severity(Page(words, page=(100, 100)), attacked).mean_iou, 3)
    0.75
    """
    figures = {name: target.pop(name) for name in Severity._fields if name in target}
    return _least_strength(attack, forms, seed, limit, figures, target)


def _least_strength(
    attack: AttackSpec, forms: Sequence[Page], seed: int, limit: float, target: object, options: Mapping[str, object]
) -> float:
    figure, wanted = target_of(target)
    forms = list(forms)
    if not forms:
        raise ValueError("there are no forms to measure a severity on")
    sign = -1 if figure == "mean_iou" else 1

    def reached(strength: float) -> float | None:
        attacked = [_applied(attack, form, seed, strength, options) for form in forms]
        value: float | None = getattr(measured(forms, attacked), figure)
        return value

    end = reached(limit)
    if end is None:
        missing = "values with boxes" if figure == "value_shift" else "boxes"
        raise ValueError(f"{figure} cannot be measured: the forms have no {missing}")
    if sign * end < sign * wanted:
        raise OutOfReachError(f"no strength up to {limit:g} reaches {figure} {wanted:g}; at {limit:g} it is {end:.3g}")
    low, high = 0.0, limit
    for _ in range(STEPS):
        middle = (low + high) / 2
        value = reached(middle)
        if value is not None and sign * value >= sign * wanted:
            high = middle
        else:
            low = middle
    return high


@dataclass(frozen=True, kw_only=True)
class RecordAttack:
    """An attack on records, as `dataset.map` takes it with any number of processes: a record in, its new columns out.

    The random numbers depend on the record's `id`, or on its words if it has none.

    Attributes:
        attack (str or list): as in `apply`.
        seed (int): as in `apply`.
        strength (float): as in `apply`.
        options (dict): options of the attack.
        reading (dict): options of `Page.from_record`, such as names= and types=.
        columns (tuple of str): further columns of the record with an element for each word, to carry along.
        image (str): the column of the picture, which is drawn anew as `redraw` does it. A column `<image>_missing` says
            how many words the new picture does not show. None: pictures stay as they are.

    Raises:
        ValueError: for unknown attacks and options.

    >>> record = {"id": "a", "words": ["Total", "4.50"], "labels": ["O", "total"]}
    >>> RecordAttack(attack="bg_drop", seed=0, options={"p": 1.0})(record)
    {'words': ['4.50'], 'labels': ['total']}
    """

    attack: AttackSpec
    seed: int
    strength: float = 1.0
    options: Mapping[str, Any] = field(default_factory=dict)
    reading: Mapping[str, Any] = field(default_factory=dict)
    columns: Sequence[str] = ()
    image: str | None = None

    def __post_init__(self) -> None:
        plan(self.attack, seed=self.seed, strength=self.strength, options=self.options)

    def __call__(self, record: Mapping[str, object]) -> JsonObject:
        before, after = self.forms(record)
        return self.columns_of(record, before, after)

    def forms(self, record: Mapping[str, object]) -> tuple[Page, Page]:
        """The form of a record before and after the attack."""
        before = Page.from_record(record, **self.reading)
        return before, apply(self.attack, before, seed=self.seed, strength=self.strength, **self.options)

    def columns_of(self, record: Mapping[str, object], before: Page, after: Page) -> JsonObject:
        """The new columns of a record."""
        columns: JsonObject = after.to_record(record, names=self.reading.get("names"), columns=self.columns)
        if self.image is not None:
            redrawn = redraw(record[self.image], before, after)
            columns |= {self.image: redrawn.image, f"{self.image}_missing": len(redrawn.missing)}
        return columns
