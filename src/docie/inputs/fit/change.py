"""A change of how rows are read, and when it is worth telling."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from docie.inputs.config import entries_of
from docie.inputs.fit.sample import Sample

LEAST = 3
"""A change must give a counterpart to at least so many values, and to at least half of those that it concerns."""
OF_TEXTS = 0.25
"""What is the same words is told from this share on: more than half of what a poor system reads may be wrong."""
NEARLY_ALL = 0.9
"""What holds for this share holds for all but slips. Of changes that gain as much, the simplest is found."""
LISTED = 3
"""The number of names, and of examples, that a sentence lists."""
RISE = 0.02
"""For formats, the F1 of an entity type must rise by at least this, too; for failures and placeholders, F1 of all."""


@dataclass(frozen=True)
class Change:
    """A change that was found.

    Attributes:
        kind: "join", "unwrap", "leaf", "beside", "rename", "records", "format", "failures", "contains", "alone" or
            "ambiguous".
        reading: the options of a reading that ask for it, by their names.
        values: the number of values that it concerns.
        gained: the number of these that find a counterpart that they had not.
        text: what differs, in a sentence.
        sample: the sample with the change made.
        normalize, match: the normalizers, or the match rules, that ask for it, by entity type.
        is_certain: whether it makes no values equal that may differ.
        is_applied: whether the changes after it are searched, and scored, with it.
        example: a predicted text, and the one of the references that it then equals; empty without one.
    """

    kind: str
    reading: Mapping[str, Any]
    values: int
    gained: int
    text: str
    sample: Sample
    normalize: Mapping[str, Sequence[str]] = field(default_factory=dict)
    match: Mapping[str, str] = field(default_factory=dict)
    is_certain: bool = True
    is_applied: bool = True
    example: tuple[str, ...] = ()

    @property
    def options(self) -> dict[str, Any]:
        """What asks for it, by the names that `docie.toml` has for options."""
        formats = {"values.normalize": self.normalize, "values.match": self.match}
        return {**self.reading, **{name: value for name, value in formats.items() if value}}

    @property
    def number_of_options(self) -> int:
        """How many options ask for it; the same one of both sides counts once."""
        entries = entries_of(self.options)
        return len({entry.removeprefix("references.").removeprefix("predictions.") for entry in entries})


def is_found(gained: int, concerned: int, least: float = 0.5) -> bool:
    """Whether enough of the values that a change concerns find a counterpart: this share of them at least."""
    return gained >= LEAST and gained >= least * concerned


def arguments_of(options: Mapping[str, Any]) -> list[str]:
    """The arguments of the command line that ask for options, by the names that `docie.toml` has for them.

    >>> arguments_of({"predictions.rename": {"lines": "items"}, "values.normalize": {"day": ["date"]}})
    ['--config', 'predictions.rename.lines=items', '--config', 'values.normalize.day=date']
    """
    return [part for entry in entries_of(options) for part in ("--config", entry)]


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
