"""A change of how rows are read, and when it is worth telling."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from docie.documents.fit.sample import Sample

LEAST = 3
"""A change must give a counterpart to at least so many values, and to at least half of those that it concerns."""
NEAR = 0.9
"""Of changes that gain this share of what the best one gains, the one with the fewest options is found."""
RISE = 0.02
"""For formats and failures, F1 must rise by at least this, too."""


@dataclass(frozen=True)
class Change:
    """A change that was found.

    Attributes:
        kind: "join", "unwrap", "rename", "records", "form", "failures" or "ambiguous".
        options: the options of the command line that ask for it.
        values: the number of values that it concerns.
        gained: the number of these that find a counterpart that they had not.
        text: what differs, in a sentence.
        sample: the sample with the change made.
    """

    kind: str
    options: tuple[str, ...]
    values: int
    gained: int
    text: str
    sample: Sample

    @property
    def number_of_options(self) -> int:
        """How many options ask for it."""
        return sum(option.startswith("--") for option in self.options)


def is_found(gained: int, concerned: int) -> bool:
    """Whether enough of the values that a change concerns find a counterpart."""
    return gained >= LEAST and 2 * gained >= concerned


def options_of(**options: Any) -> tuple[str, ...]:
    """The arguments of the command line that ask for options of a reading.

    >>> options_of(rename=["lines=items"], id_key="file")
    ('--rename', 'lines=items', '--id-key', 'file')
    """
    arguments: list[str] = []
    for name, value in options.items():
        flag = "--" + name.replace("_", "-")
        if value is True:
            arguments.append(flag)
        else:
            for each in [value] if isinstance(value, str) else value:
                arguments += [flag, each]
    return tuple(arguments)


def asked_for(options: Iterable[str]) -> tuple[dict[str, Any], dict[str, list[str]]]:
    """The options of a reading, and the normalizers by entity type, that arguments of the command line ask for.

    >>> asked_for(["--rename", "lines=items", "--common-ids", "--normalize", "items.price=number"])
    ({'rename': ('lines=items',), 'common_ids': True}, {'items.price': ['number']})
    """
    reading: dict[str, Any] = {}
    normalize: dict[str, list[str]] = {}
    arguments = list(options)
    while arguments:
        name = arguments.pop(0).removeprefix("--").replace("-", "_")
        if name == "common_ids":
            reading[name] = True
            continue
        value = arguments.pop(0)
        if name == "normalize":
            entity_type, _, spec = value.partition("=")
            normalize.setdefault(entity_type, []).append(spec)
        elif name in ("id_key", "missing", "normalize_by"):
            reading[name] = value
        else:
            reading[name] = (*reading.get(name, ()), value)
    return reading, normalize


def changed_values(before: Sample, after: Sample) -> int:
    """The number of values that stand at another place after a change: those of the side that has more of them."""
    return max(
        sum((other - one).total() for one, other in zip(_placed(before, side), _placed(after, side), strict=True))
        for side in (0, 1)
    )


def _placed(sample: Sample, side: int) -> list[Counter[Any]]:
    """The values of each document, with the number of groups of their group type."""
    placed = []
    for pair in sample.values:
        values: Counter[Any] = Counter()
        for name, groups in pair[side].items():
            for group in groups:
                for key, number in group.items():
                    values[len(groups), name, key] += number
        placed.append(values)
    return placed
