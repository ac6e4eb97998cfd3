"""Attacks on records of data sets, for `datasets.Dataset.map`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from docie.attacks.pictures import redraw
from docie.attacks.registry import apply, plan
from docie.form import Form


@dataclass(frozen=True, kw_only=True)
class RecordAttack:
    """An attack on records, as `dataset.map` takes it with any number of processes: a record in, its new columns out.

    The random numbers depend on the record's `id`, or on its words if it has none.

    Attributes:
        attack (str or list): as in `apply`.
        seed (int): as in `apply`.
        strength (float): as in `apply`.
        options (dict): options of the attack.
        reading (dict): options of `Form.from_record`, such as names= and types=.
        columns (tuple of str): further columns of the record with an element for each word, to carry along.
        image (str): the column of the picture, which is drawn anew as `redraw` does it. A column `<image>_missing` says
            how many words the new picture does not show. None: pictures stay as they are.

    Raises:
        ValueError: for unknown attacks and options.

    >>> record = {"id": "a", "words": ["Total", "4.50"], "labels": ["O", "total"]}
    >>> RecordAttack(attack="bg_drop", seed=0, options={"p": 1.0})(record)
    {'words': ['4.50'], 'labels': ['total']}
    """

    attack: str | Sequence[Any]
    seed: int
    strength: float = 1.0
    options: Mapping[str, Any] = field(default_factory=dict)
    reading: Mapping[str, Any] = field(default_factory=dict)
    columns: Sequence[str] = ()
    image: str | None = None

    def __post_init__(self) -> None:
        plan(self.attack, seed=self.seed, strength=self.strength, options=self.options)

    def __call__(self, record: Mapping[str, Any]) -> dict[str, Any]:
        before, after = self.forms(record)
        return self.columns_of(record, before, after)

    def forms(self, record: Mapping[str, Any]) -> tuple[Form, Form]:
        """The form of a record before and after the attack."""
        before = Form.from_record(record, **self.reading)
        return before, apply(self.attack, before, seed=self.seed, strength=self.strength, **self.options)

    def columns_of(self, record: Mapping[str, Any], before: Form, after: Form) -> dict[str, Any]:
        """The new columns of a record."""
        columns: dict[str, Any] = after.to_record(record, names=self.reading.get("names"), columns=self.columns)
        if self.image is not None:
            redrawn = redraw(record[self.image], before, after)
            columns |= {self.image: redrawn.image, f"{self.image}_missing": len(redrawn.missing)}
        return columns
