"""Apply attacks: to a form, with a given severity, and to records of data sets."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from docie.core.values.plain import JsonObject
from docie.robustness.attacks.measurement import Severity, target_of
from docie.robustness.attacks.measurement import severity as measured
from docie.robustness.attacks.pictures import redraw
from docie.robustness.attacks.sequences import AttackSpec, plan
from docie.robustness.form import Page

LIMIT = 100.0
"""The largest strength that is tried to reach a severity."""
STEPS = 20
"""How often the range of strengths is halved."""
TRIES = 20
"""How often an attack is tried on a form before it counts as not applicable."""


class OutOfReachError(ValueError):
    """No strength of an attack reaches the severity."""


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

    Randomness depends only on the seed, the attack and the form (its id, or its words if it has none): not on other
    forms or the number of processes.

    Args:
        attack (str or list): a name of `names(own=True)`, or several. In a list, ("bg_drop", {"p": 0.2}) sets options
            of one attack.
        form (Page): the form. It is not changed.
        seed (int): the seed of the random changes.
        strength (float): multiplies the attack's main option: its sigma, its share of the page, or its probability,
            which is at most 1. 0 changes nothing.
        severity (dict): instead of a strength, one measure of `Severity` with its value, such as {"mean_iou": 0.75}:
            the attack gets the strength that `strength_for` finds for this form.
        options: options of the attacks, by name. Each is passed to the attacks that have it; at least one must.

    Returns:
        Page: the attacked form.

    Raises:
        ValueError: if an attack or option is unknown, if an option does not take its value, or if the attack needs
            boxes and the form has none.
        OutOfReachError: if no strength reaches the severity. It is a ValueError, too.
        ImportError: if random texts are needed and Faker is not installed.

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
        raise ValueError(f"expected a Page, got {type(form).__name__}")
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
    """Whether an attack finds anything to change in a form: key_drop, say, finds nothing in a form without keys.

    Chance and strength play no role: bg_typo, which misspells every tenth word, can act on every form with a word that
    it can misspell. The attack is tried at full strength, with p=1, and with other random numbers if it changes
    nothing. With several attacks, one must find something.

    Args:
        attack (str or list): as in `apply`.
        form (Page): the form.
        options: options of the attacks, as in `apply`.

    Returns:
        bool: whether it can act. No attack can act on a form without words.

    Raises:
        ValueError: for the same reasons as `apply`.
        ImportError: for the same reason as `apply`.

    >>> from docie.robustness.form import Word
    >>> form = Page([Word("Total:"), Word("4.50")])
    >>> can_act("key_drop", form), can_act("bg_typo", form), can_act("bg_typo", form, kinds=["swap"], character="!")
    (False, True, False)
    """
    return bool(form.words) and any(_at_full_strength(attack, form, seed, options) != form for seed in range(TRIES))


def acted(attack: AttackSpec, before: Page, after: Page, **options: object) -> bool:
    """Whether an attack applies to a form: it changed the form, or could have but by chance did not.

    Args:
        attack (str or list): as in `apply`.
        before (Page): the form before the attack.
        after (Page): the result of `apply`.
        options: options of the attacks, as in `apply`.

    Returns:
        bool: whether it applies.

    Raises:
        ValueError: for the same reasons as `apply`.
        ImportError: for the same reason as `apply`.

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
    """The strength at which an attack reaches a severity on forms, to compare attacks at equal severity.

    The range of strengths is halved repeatedly: with the same random numbers, a stronger attack changes more. The
    result may miss the target slightly, because words are changed one by one.

    Args:
        attack (str or list): as in `apply`.
        forms (list of Page): the forms to measure on.
        seed (int): as in `apply`.
        limit (float): the largest strength that is tried.
        target: one measure of `Severity` with its value, such as mean_iou=0.75 or edit_rate=0.1; further options are
            passed to the attack.

    Returns:
        float: the smallest strength that reaches the target.

    Raises:
        ValueError: unless exactly one measure is named, or if it cannot be measured on these forms.
        OutOfReachError: if no strength reaches it; the message has the highest severity reached. It is a ValueError,
            too.

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
    """An attack on records, for `dataset.map` with any number of processes: takes a record, returns its new columns.

    The random numbers depend on the record's `id`, or on its words if it has none.

    Attributes:
        attack (str or list): as in `apply`.
        seed (int): as in `apply`.
        strength (float): as in `apply`.
        options (dict): options of the attack.
        reading (dict): options of `Page.from_record`, such as names= and types=.
        columns (tuple of str): further columns of the record with an element for each word, which are reordered along.
        image (str): the column of the picture, which is redrawn by `redraw`. A column `<image>_missing` has the number
            of words that the new picture does not show. None: pictures are not changed.

    Raises:
        ValueError: if an attack or option is unknown.

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
