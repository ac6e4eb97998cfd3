"""What do forms look like under an attack?"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from docie.adapters.records import form_columns
from docie.core.errors import inside
from docie.core.values.plain import JsonObject
from docie.inputs.row import unzip
from docie.inputs.sources.paths import open_source
from docie.robustness import attacks
from docie.robustness.attacks import RecordAttack
from docie.robustness.form import Page
from docie.show.section import number


class Record(NamedTuple):
    """A record of a file: its place, its number, and its columns of words."""

    place: str
    number: int
    columns: JsonObject


def forms_of(path: str, reading: JsonObject) -> Iterator[Page]:
    """The forms of a file. One without an id has its number as id, so that equal forms are attacked differently.

    Args:
        path: the file.
        reading: how its records are read, as in `Page.from_record`.
    """
    for record in _records(path):
        has_id = record.columns.get("id") is not None
        yield _form(record, record.columns if has_id else {**record.columns, "id": record.number}, reading)


def attack_records(
    path: str,
    attack: Sequence[str],
    reading: JsonObject,
    options: JsonObject,
    each: Callable[[JsonObject], object],
    *,
    seed: int = 0,
    strength: float = 1.0,
    severity: Mapping[str, float] | None = None,
) -> list[str]:
    """Attack the records of a file.

    Args:
        path: the file.
        attack: the names of attacks, made one after the other.
        reading: how records are read, as in `Page.from_record`.
        options: the options of the attack.
        each: what is called with each record as soon as it is attacked.
        seed, strength, severity: how attacks change forms, as in `docie.attacks`.

    Returns:
        list of str: how much was changed, and in how many forms there was nothing to change, a line each.

    Raises:
        ValueError: for what cannot be read or attacked.
    """
    chosen = RecordAttack(attack=[*attack], seed=seed, strength=strength, options=options, reading=reading)
    records: Iterable[Record] = _records(path)
    if severity is not None:  # it is that of all forms, so all are read before the first is attacked
        records = list(records)
        forms = [_form(record, record.columns, reading) for record in records]
        needed = attacks.strength_for(chosen.attack, forms, seed=seed, **severity, **options)
        chosen = dataclasses.replace(chosen, strength=needed)
    acted: list[bool] = []
    found = attacks.severity(*unzip(_attacked(records, chosen, each, acted)))
    changes = {name: value for name, value in found._asdict().items() if value is not None}
    lines = [", ".join(f"{name} {number(value)}" for name, value in changes.items())]
    if missed := acted.count(False):
        where = "these forms" if missed == len(acted) else f"{missed} of {len(acted)} forms"
        lines.append(f"not applicable: {'+'.join(attack)} (nothing to change in {where})")
    return lines


def _attacked(
    records: Iterable[Record], attack: RecordAttack, each: Callable[[JsonObject], object], acted: list[bool]
) -> Iterator[tuple[Page, Page]]:
    """The forms before and after; `acted` says which ones count."""
    for record in records:
        with inside(record.place):
            before, after = attack.forms(record.columns)
            columns = attack.columns_of(record.columns, before, after)
        each({**record.columns, **columns})
        acted.append(attacks.acted(attack.attack, before, after, **attack.options))
        yield before, after


def _form(record: Record, columns: JsonObject, reading: JsonObject) -> Page:
    with inside(record.place):
        return Page.from_record(columns, **reading)


def _records(path: str) -> Iterator[Record]:
    for place, row in enumerate(open_source(path, "reference"), 1):
        with inside(row.place):
            columns = form_columns(row.document)
        yield Record(row.place, place, columns)
