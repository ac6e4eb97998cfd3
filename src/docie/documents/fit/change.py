"""A change of how rows are read, and when it is worth telling."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from docie.documents.fit.sample import Sample

LEAST = 3
"""A change must give a counterpart to at least so many values, and to at least half of those that it concerns."""
NEAR = 0.9
"""Of changes that gain this share of what the best one gains, the one with the fewest options is found."""
RISE = 0.02
"""For formats, the F1 of an entity type must rise by at least this, too; for failures and placeholders, F1 of all."""


@dataclass(frozen=True)
class Change:
    """A change that was found.

    Attributes:
        kind: "join", "unwrap", "rename", "records", "form", "failures" or "ambiguous".
        reading: the options of a reading that ask for it.
        values: the number of values that it concerns.
        gained: the number of these that find a counterpart that they had not.
        text: what differs, in a sentence.
        sample: the sample with the change made.
        normalize, match: the normalizers, or the match rules, that ask for it, by entity type.
    """

    kind: str
    reading: Mapping[str, Any]
    values: int
    gained: int
    text: str
    sample: Sample
    normalize: Mapping[str, Sequence[str]] = field(default_factory=dict)
    match: Mapping[str, str] = field(default_factory=dict)

    @property
    def options(self) -> list[str]:
        """The arguments of the command line that ask for it."""
        return arguments_of(self.reading) + arguments_of_formats(self.normalize, self.match)

    @property
    def number_of_options(self) -> int:
        """How many options ask for it."""
        return sum(option.startswith("--") for option in self.options)


def is_found(gained: int, concerned: int) -> bool:
    """Whether enough of the values that a change concerns find a counterpart."""
    return gained >= LEAST and 2 * gained >= concerned


def arguments_of(reading: Mapping[str, Any]) -> list[str]:
    """The arguments of the command line that ask for options of a reading.

    >>> arguments_of({"rename": ["lines=items"], "id_key": "file", "common_ids": True})
    ['--rename', 'lines=items', '--id-key', 'file', '--common-ids']
    """
    arguments: list[str] = []
    for name, value in reading.items():
        flag = "--" + name.replace("_", "-")
        if value is True:
            arguments.append(flag)
        elif isinstance(value, Mapping):
            arguments += [flag, json.dumps(value)]
        else:
            for each in [value] if isinstance(value, str) else value:
                arguments += [flag, each]
    return arguments


def arguments_of_formats(normalize: Any, match: Any) -> list[str]:
    """The arguments of the command line that ask for normalizers and match rules, of all entity types or by type.

    >>> arguments_of_formats({"day": ["date"]}, {"total": "same_amount"})
    ['--normalize', 'day=date', '--match', 'total=same_amount']
    >>> arguments_of_formats(["nfkc", "casefold"], None)
    ['--normalize', 'nfkc', '--normalize', 'casefold']
    """
    arguments: list[str] = []
    for flag, specs in (("--normalize", normalize), ("--match", match)):
        by_type = specs if isinstance(specs, Mapping) else {"": specs or ()}
        for name, listed in by_type.items():
            for spec in [listed] if isinstance(listed, str) else listed:
                arguments += [flag, f"{name}={spec}" if name else spec]
    return arguments


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
