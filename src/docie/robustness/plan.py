"""Which attacks a run makes, and under which names."""

from __future__ import annotations

import random
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from docie import attacks as form_attacks
from docie.errors import shortened
from docie.form import Form
from docie.form_robustness import UNATTACKED, check_attack
from docie.settings import check_whole

Spec = Any
"""What `docie.attacks.apply` takes: the name of an attack, or a list of several."""


class Planned(NamedTuple):
    """An attack of a run.

    Attributes:
        name: its name in results.
        spec: what `docie.attacks.apply` takes.
        strength: how strong it is; 1 is its default.
        seed: of its random numbers.
    """

    name: str
    spec: Spec
    strength: float
    seed: int

    @property
    def parts(self) -> list[str]:
        """The names of the attacks that it combines."""
        return _names(self.spec)

    @property
    def preserves_texts(self) -> bool:
        """Whether the values keep their texts, so that a right answer stays right."""
        return all(form_attacks.ATTACKS[name].preserves_texts for name in self.parts)

    def apply(self, form: Form) -> Form:
        """The attacked form."""
        return form_attacks.apply(self.spec, form, seed=self.seed, strength=self.strength)

    def steps(self) -> list[form_attacks.Step]:
        """What it does. Two strengths do the same if probabilities are 1 at both."""
        return form_attacks.plan(self.spec, seed=self.seed, strength=self.strength, options={})


def planned(
    attacks: Iterable[Spec] | Mapping[str, Spec] | None,
    combinations: Iterable[Sequence[str]],
    *,
    pairs: bool,
    triples: bool | int,
    strength: float | Mapping[str, float],
    strengths: Iterable[float],
    seed: int,
) -> list[Planned]:
    """All attacks of a run, checked, each with a name of its own.

    Raises:
        ValueError: for an unknown attack, for two with the same name, for a name that no attack may have, for a
            strength of an attack that is not asked for, and for what is no strength.
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
    further = _numbers(strengths)
    result: dict[str, Planned] = {}
    for name, spec in specs:
        for attack in _at_strengths(Planned(name, spec, strength_of.get(name, 1.0), seed), further):
            _check_name(attack.name, result)
            result[attack.name] = attack
    return [*result.values()]


def _check_name(name: str, known: Collection[str]) -> None:
    check_attack(name)
    if name == UNATTACKED:
        raise ValueError(f"no attack may be called {UNATTACKED!r}, which is the name of the unattacked forms")
    if name in known:
        raise ValueError(f"two attacks are called {name!r}; give names of your own: attacks={{name: attack}}")


def _at_strengths(attack: Planned, strengths: Collection[float]) -> list[Planned]:
    """An attack, and if it is a single one, the same at further strengths. What does the same as another is left out.

    Raises:
        ValueError: for what is no attack, before any model has answered.
    """
    found = [attack]
    done = [attack.steps()]
    for strength in strengths if len(attack.parts) == 1 else ():
        other = attack._replace(name=f"{attack.name}@{strength:g}", strength=strength)
        if other.steps() not in done:
            found.append(other)
            done.append(other.steps())
    return found


def _numbers(strengths: Any) -> list[float]:
    listed = [*strengths] if isinstance(strengths, Iterable) else [strengths]
    if listed == [strengths] or not all(isinstance(each, int | float) for each in listed):
        raise ValueError(f"strengths must be a list of numbers, got {shortened(strengths)}")
    return listed


def _named_specs(attacks: Iterable[Spec] | Mapping[str, Spec]) -> list[tuple[str, Spec]]:
    if isinstance(attacks, str):
        raise ValueError(f"attacks must be a list, got the text {attacks!r}; write [{attacks!r}]")
    if isinstance(attacks, Mapping):
        return [*attacks.items()]
    return [(_name_of(spec), spec) for spec in attacks]


def _triples(triples: bool | int, seed: int) -> list[tuple[str, ...]]:
    """All triples, none, or so many at random."""
    if isinstance(triples, bool):
        return form_attacks.combinations(3) if triples else []
    known = form_attacks.combinations(3)
    check_whole("triples", triples, 0, most=len(known))
    places = sorted(random.Random(f"triples {seed}").sample(range(len(known)), triples))
    return [known[place] for place in places]


def _names(spec: Spec) -> list[str]:
    """The names of the attacks in a spec."""
    if isinstance(spec, str):
        return [spec]
    return [each if isinstance(each, str) else each[0] for each in spec]


def _name_of(spec: Spec) -> str:
    """The name of a spec: the names of its attacks, joined by +."""
    if not isinstance(spec, str | Sequence) or not spec:
        raise ValueError(f"an attack must be a name, or a list of names, got {shortened(spec)}")
    names = _names(spec)
    if not all(isinstance(name, str) for name in names):
        raise ValueError(f"an attack must be a name, or a list of names, got {shortened(spec)}")
    return "+".join(names)
