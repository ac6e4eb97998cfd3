"""What a protocol says, read from its file."""

from __future__ import annotations

import dataclasses
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from docie.core.errors import inside, with_close_names
from docie.core.family import Family, options_of, settings_of
from docie.core.family import get as family_named
from docie.core.scores import rounded
from docie.inputs.config import Config, reading_of
from docie.inputs.reading import Reading

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

FOLDER = Path(__file__).parent / "published"
Entry = TypeVar("Entry", bound="DataclassInstance")


@dataclass(frozen=True, kw_only=True)
class Reference:
    """Where a score was defined: the paper, and the program that computes it, with its version, address and licence."""

    paper: str
    url: str
    program: str = ""
    licence: str = ""


@dataclass(frozen=True, kw_only=True)
class Published:
    """A published score of a system on a data set, on the scale of the protocol, with its source."""

    system: str
    data: str
    score: float
    source: str


@dataclass(frozen=True, kw_only=True)
class Fault:
    """A known fault of the original, and its effect on scores: here, or where it is left out, there."""

    text: str
    effect: str


@dataclass(frozen=True, kw_only=True)
class Compared:
    """With what the scores were compared, on how many documents of which data, how many differ and why."""

    reference: str
    data: str
    documents: int
    differences: int
    why: str = ""


@dataclass(frozen=True, kw_only=True)
class Protocol:
    """How a published score is made.

    Attributes:
        name: its name, that of its file.
        title: what it is, in one line.
        missing: what is missing where it cannot be made yet; it then has no more than a reference.
        family, scorer: what computes it: a family of metrics, or a module of `docie.protocols.scorers`.
        settings: the options of the family that are not at their defaults.
        asks: options that users have to give, such as the schema of each document.
        reading: how files are read, with the keys of a `docie.toml`.
        quoted: the score that is quoted, by its name in results, and `called`, what papers call it.
        scale: what a perfect score is published as: 1 or 100.
        reference, published, faults, compared: its source, scores, known faults, and what it was compared with.
    """

    name: str
    title: str
    missing: str = ""
    family: str = ""
    scorer: str = ""
    settings: Mapping[str, Any] = field(default_factory=dict)
    asks: Sequence[str] = ()
    reading: Mapping[str, Any] = field(default_factory=dict)
    quoted: str = ""
    called: str = ""
    scale: int = 1
    reference: Reference
    published: Sequence[Published] = ()
    faults: Sequence[Fault] = ()
    compared: Sequence[Compared] = ()

    def __post_init__(self) -> None:
        if sum(map(bool, (self.family, self.scorer, self.missing))) != 1:
            raise ValueError("expected exactly one of family, scorer and missing")
        if self.metric and not (self.quoted and self.called and self.scale in (1, 100)):
            raise ValueError("expected quoted, called, and a scale of 1 or 100")

    @property
    def metric(self) -> str:
        """The name of the family or the scorer that computes it; empty for one that waits."""
        return self.family or self.scorer

    @property
    def computed_by(self) -> Family:
        """The family or the scorer, as functions of the corpus take it."""
        return family_named(self.metric)

    def with_options(self, options: Mapping[str, Any]) -> dict[str, Any]:
        """All options of the family: its settings, and those that users give.

        Raises:
            ValueError: for an option that contradicts the protocol, and for one that it needs.
        """
        asked = {name: options[name] for name in self.asks if options.get(name) is not None}
        for name in self.asks:
            if name not in asked:
                raise ValueError(f"{name}: protocol {self.name} needs it")
        own, others = {**self.settings, **asked}, {**self.settings, **options}
        if options.keys() - asked.keys():
            mine, theirs = (settings_of(self.computed_by, each) for each in (own, others))
            for name in options_of(self.computed_by):
                if getattr(mine, name) != getattr(theirs, name):
                    raise ValueError(f"{name}: protocol {self.name} has {getattr(mine, name)!r}, got {options[name]!r}")
        return own

    def with_config(self, config: Config) -> Reading:
        """How files are read: as the protocol does, and as the configuration of a user says beside that.

        Raises:
            ValueError: for an option that contradicts the protocol.
        """
        own, given = reading_of(self.reading), reading_of(config)
        if given.values or given.normalize_by is not None:
            raise ValueError(f"config: protocol {self.name} says when values are equal, and [values] does too")
        for name, value in own.options.items():
            if given.options.get(name, value) != value:
                raise ValueError(f"config: protocol {self.name} has {name}={value!r}, got {given.options[name]!r}")
        rest = {name: value for name, value in own.options.items() if name not in given.options}
        return dataclasses.replace(given.with_options(rest), values=own.values, protocol={self.metric: self.name})

    def said(self, systems: Mapping[str, Mapping[str, Any]]) -> str:
        """The quoted score of systems by their names, on its scale; "" names the only one.

        >>> get("docvqa").said({"": {"anls_star": 0.7125}})
        'docvqa: ANLS 71.25 (of 100)'
        """
        digits = 2 if self.scale == 100 else 4
        values = [
            f"{system} {rounded(self.scale * figures[self.quoted], digits, whole=self.scale)}".strip()
            for system, figures in systems.items()
        ]
        return f"{self.name}: {self.called} {', '.join(values)}{' (of 100)' if self.scale == 100 else ''}"

    def quoted_of(self, figures: Mapping[str, Any]) -> dict[str, Any]:
        """The quoted score for JSON: the protocol's name, what the score is called, its value on the scale."""
        value = self.scale * figures[self.quoted]
        return {"name": self.name, "score": self.called, "value": value, "scale": self.scale}

    def check(self) -> None:
        """Raise ValueError for what only its family knows to be wrong: settings, how files are read, the score."""
        if self.missing:
            return
        family = self.computed_by
        with inside(f"protocol {self.name}"):
            settings_of(family, self.settings)
            reading_of(self.reading)
            if not any(score.names(self.quoted) for score in family.SCORES):
                raise ValueError(f"quoted: {family.NAME} has no score {self.quoted!r}")
            if unknown := {*self.asks} - {*options_of(family)}:
                raise ValueError(f"asks: {family.NAME} has no option {min(unknown)!r}")


def names(*, waiting: bool = False) -> list[str]:
    """The names of all protocols.

    Args:
        waiting (bool): those that cannot be made yet, instead of those that can.

    Returns:
        list of str: the names in alphabetical order; `get` takes each of them.

    >>> "kieval" in names(), "grits" in names(waiting=True)
    (True, True)
    """
    return [name for name in _files() if bool(_load(name).missing) == waiting]


def get(name: str) -> Protocol:
    """A protocol by its name.

    Raises:
        ValueError: if there is none of this name.

    >>> get("kieval").family
    'kieval'
    """
    if name not in _files():
        raise ValueError(f"unknown protocol {with_close_names([name], _files())}; docie protocols lists them")
    return _load(name)


@cache
def _files() -> tuple[str, ...]:
    return tuple(sorted(path.stem for path in FOLDER.glob("*.toml")))


@cache
def _load(name: str) -> Protocol:
    path = FOLDER / f"{name}.toml"
    try:
        return read(name, path.read_text(encoding="utf-8"))
    except ValueError as error:
        raise ValueError(f"{path.name}: {error}") from None


def read(name: str, text: str) -> Protocol:
    """The protocol that a file says.

    Raises:
        ValueError: for an unknown key, and for one that is missing.

    >>> read("x", 'title = "X"\\nmissing = "data"\\n[reference]\\npaper = "X"\\nurl = "https://x"\\nlicense = "MIT"')
    Traceback (most recent call last):
    ...
    ValueError: no key 'license' (close: 'licence') in reference
    """
    table = tomllib.loads(text)
    table["reference"] = _entry(Reference, "reference", table.get("reference", {}))
    for key, kind in {"published": Published, "faults": Fault, "compared": Compared}.items():
        table[key] = tuple(_entry(kind, key, each) for each in table.get(key, ()))
    return _entry(Protocol, "protocol", {**table, "name": name})


def _entry(kind: type[Entry], place: str, table: Mapping[str, Any]) -> Entry:
    fields = dataclasses.fields(kind)
    if unknown := [key for key in table if key not in [each.name for each in fields]]:
        raise ValueError(f"no key {with_close_names(unknown[:1], [each.name for each in fields])} in {place}")
    needed = [each.name for each in fields if each.default is each.default_factory is dataclasses.MISSING]
    if missing := [name for name in needed if table.get(name) in (None, "")]:
        raise ValueError(f"{place}: expected the key {missing[0]!r}")
    return kind(**table)
