"""The attacks of a run, and their names."""

from __future__ import annotations

import contextlib
import random
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from docie.core.errors import shortened, warn
from docie.core.settings import check_whole
from docie.metrics.form_robustness import UNATTACKED
from docie.metrics.form_robustness.versions import check_attack
from docie.robustness import attacks as form_attacks
from docie.robustness.attacks.application import OutOfReachError
from docie.robustness.attacks.sequences import AttackSpec, Step, plan
from docie.robustness.form import Page


class Planned(NamedTuple):
    """An attack of a run.

    Attributes:
        name: its name in results.
        spec: the value for `docie.attacks.apply`.
        strength: how strong it is; 1 is its default.
        seed: the seed of its random numbers.
    """

    name: str
    spec: AttackSpec
    strength: float
    seed: int

    @property
    def parts(self) -> list[str]:
        """The names of the attacks that it combines."""
        return _names(self.spec)

    @property
    def preserves_texts(self) -> bool:
        """Whether values keep their texts, so that a correct answer stays correct."""
        return all(step.preserves_texts for step in self.steps())

    @property
    def needs_boxes(self) -> bool:
        """Whether it raises an error for forms without boxes."""
        return any(form_attacks.ATTACKS[name].needs_boxes for name in self.parts)

    def apply(self, form: Page) -> Page:
        """The attacked form."""
        return form_attacks.apply(self.spec, form, seed=self.seed, strength=self.strength)

    def acted(self, before: Page, after: Page) -> bool:
        """Whether it applies to a form."""
        return form_attacks.acted(self.spec, before, after)

    def steps(self) -> list[Step]:
        """An identifier of its effect. Two strengths may have the same effect: no probability is above 1."""
        return plan(self.spec, seed=self.seed, strength=self.strength, options={})


def planned(
    attacks: Iterable[AttackSpec] | Mapping[str, AttackSpec] | None,
    combinations: Iterable[Sequence[str]],
    *,
    pairs: bool,
    triples: bool | int,
    strength: float | Mapping[str, float],
    seed: int,
) -> list[Planned]:
    """All attacks of a run, checked, each with a unique name.

    Raises:
        ValueError: if an attack is unknown, if two have the same name, if a name is reserved, or if an attack with a
            strength is not part of the run.
    """
    check_whole("seed", seed, 0)
    specs = _named_specs(form_attacks.names() if attacks is None else attacks)
    more = [*combinations]
    more += form_attacks.combinations(2) if pairs else []
    more += _triples(triples, seed)
    specs += [(_name_of(spec), spec) for spec in more]
    strength_of = dict(strength) if isinstance(strength, Mapping) else {name: strength for name, _ in specs}
    if unknown := strength_of.keys() - {name for name, _ in specs}:
        raise ValueError(f"strength: no attack of this run is called {min(unknown)!r}")
    result = [Planned(name, spec, strength_of.get(name, 1.0), seed) for name, spec in specs]
    _check_names(result)
    for attack in result:
        attack.steps()  # raises if it is not an attack, before any model has answered
    return result


def with_boxes_only(attacks: Sequence[Planned], forms: Iterable[Page]) -> list[Planned]:
    """The attacks without those that need boxes, if a form has none.

    Raises:
        ValueError: if no attack is left.
    """
    if all(form.has_boxes or not form.words for form in forms):
        return [*attacks]
    kept = [attack for attack in attacks if not attack.needs_boxes]
    return _left(kept, attacks, "these attacks need boxes, and not all forms have them")


def _left(kept: list[Planned], attacks: Iterable[Planned], problem: str) -> list[Planned]:
    """The attacks that are kept, with one warning that names the others. Raises ValueError if none is kept."""
    names = ", ".join(attack.name for attack in attacks if attack.name not in {each.name for each in kept})
    if names and not kept:
        raise ValueError(f"no attack is left: {problem}: {names}")
    if names:
        warn(f"{problem}, so they are left out: {names}")
    return kept


def as_severe(attacks: Iterable[Planned], forms: Sequence[Page], severity: Mapping[str, float]) -> list[Planned]:
    """The attacks, each with the strength that reaches a severity on the forms in which it finds something to change.

    Attacks that cannot reach it are left out.

    Raises:
        ValueError: if it is not a severity, or if no attack reaches it.
    """
    if not isinstance(severity, Mapping) or not {*severity} <= {*form_attacks.Severity._fields}:
        raise ValueError(f"severity must be a measure with its value, such as edit_rate=0.1, got {shortened(severity)}")
    asked, strong = [], []
    for attack in attacks:
        asked.append(attack)
        with contextlib.suppress(OutOfReachError):
            found = [form for form in forms if form_attacks.can_act(attack.spec, form)]
            if not found:  # the run reports it as not applicable
                strong.append(attack)
                continue
            strength = form_attacks.strength_for(attack.spec, found, seed=attack.seed, **severity)
            strong.append(attack._replace(strength=strength))
    wanted = ", ".join(f"{figure} {value:g}" for figure, value in severity.items())
    return _left(strong, asked, f"no strength of these attacks reaches {wanted}")


def at_strengths(attacks: Iterable[Planned], strengths: Iterable[float]) -> list[Planned]:
    """The attacks, and each single one at further strengths, unless it has the same effect at another strength.

    Raises:
        ValueError: if it is not a strength, or if two attacks have the same name.
    """
    listed = [*strengths] if isinstance(strengths, Iterable) else None
    if listed is None or not all(isinstance(each, int | float) for each in listed):
        raise ValueError(f"strengths must be a list of numbers, got {shortened(strengths)}")
    result: list[Planned] = []
    for attack in attacks:
        found = {repr(attack.steps()): attack}
        for strength in listed if len(attack.parts) == 1 else ():
            other = attack._replace(name=f"{attack.name}@{strength:g}", strength=strength)
            found.setdefault(repr(other.steps()), other)
        result += found.values()
    _check_names(result)
    return result


def _check_names(attacks: Iterable[Planned]) -> None:
    """Raise ValueError for a reserved name, and if two attacks have the same name."""
    known = set[str]()
    for name in (attack.name for attack in attacks):
        check_attack(name)
        if name == UNATTACKED:
            raise ValueError(f"no attack may be called {UNATTACKED!r}, which is the name of the unattacked forms")
        if name in known:
            raise ValueError(f"two attacks are called {name!r}; give names of your own: attacks={{name: attack}}")
        known.add(name)


def _named_specs(attacks: Iterable[AttackSpec] | Mapping[str, AttackSpec]) -> list[tuple[str, AttackSpec]]:
    if isinstance(attacks, str):
        raise ValueError(f"attacks must be a list, got the text {attacks!r}; write [{attacks!r}]")
    if isinstance(attacks, Mapping):
        return [*attacks.items()]
    return [(_name_of(spec), spec) for spec in attacks]


def _triples(triples: bool | int, seed: int) -> list[tuple[str, ...]]:
    """All triples, none, or a random sample of them."""
    if isinstance(triples, bool):
        return form_attacks.combinations(3) if triples else []
    known = form_attacks.combinations(3)
    check_whole("triples", triples, 0, most=len(known))
    places = sorted(random.Random(f"triples {seed}").sample(range(len(known)), triples))
    return [known[place] for place in places]


def _names(spec: AttackSpec) -> list[str]:
    """The names of the attacks in a spec. Raises ValueError if it is not one."""
    return [step.attack.name for step in plan(spec, seed=0, options={})]


def _name_of(spec: AttackSpec) -> str:
    """The name of a spec: the names of its attacks, joined by +."""
    if not isinstance(spec, str | Sequence) or not spec:
        raise ValueError(f"an attack must be a name, or a list of names, got {shortened(spec)}")
    return "+".join(_names(spec))
