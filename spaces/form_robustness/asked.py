"""The input of a visitor: the form, the attacks, and the reader. An input that is too large is refused here."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from importlib import resources
from typing import NamedTuple

from docie.adapters import records
from docie.core.values.plain import JsonObject
from docie.robustness.attacks import RecordAttack, acted
from docie.robustness.form import Page

from ..common import inputs
from ..common.examples import text_of
from ..common.limits import RefusedError, refused

READERS = {
    "place": "a rule, line by line",
    "order": "a rule, word by word",
    "answers": "my model: I paste its answers",
}
"""The readers of the form."""
PARAMETER = "attack"
"""The key in the query of links."""
MAX_WORDS = 2_000
"""Of a form: a dense page has about a thousand."""
MAX_TEXT = 100_000
"""Characters of all words."""
MAX_ATTACKS = 5
"""One after another: more leave nothing of a form that could be compared."""
MAX_STRENGTH = 100.0
"""That of `docie.attacks`, too."""


@dataclass(frozen=True, kw_only=True)
class Asked:
    """The input of a visitor.

    Attributes:
        record: the text of a record: words, boxes, labels and so on, as `docie attack` reads it.
        attacks: names of attacks, one after the other.
        strength: their strength.
        seed: the seed of their random numbers.
        reader: a key of `READERS`.
        before, after: a model's answers to the form as it is and to the attacked form, for the reader "answers".
    """

    record: str = ""
    attacks: Sequence[str] = ()
    strength: float = 1.0
    seed: int = 0
    reader: str = "place"
    before: str = ""
    after: str = ""

    @property
    def name(self) -> str:
        """The name of the attacks in results."""
        return "+".join(self.attacks)


class Versions(NamedTuple):
    """A form as it is and attacked.

    Attributes:
        before, after: the forms.
        record, attacked: their records.
        applies: whether the attacks find anything to change in the form.
        notes: notes on the input for the visitor.
    """

    before: Page
    after: Page
    record: JsonObject
    attacked: JsonObject
    applies: bool
    notes: list[str]


def attacked(asked: Asked) -> Versions:
    """Read the form, and attack it as `docie attack` does.

    Raises:
        RefusedError: if it is too large, cannot be read or cannot be attacked like this; it names the field.

    >>> versions = attacked(Asked(record='{"words": ["Total", "9.00"], "labels": ["O", "total"]}', attacks=["bg_typo"]))
    >>> versions.before.document(), versions.attacked["labels"]
    ({'total': '9.00'}, ['O', 'total'])
    """
    attack = _attack(asked)
    rows = [row.document for row in inputs.source_of(asked.record, "record")]
    notes = [f"There are {len(rows):,} forms; the first one is attacked."] if len(rows) > 1 else []
    with refused("record", end="."):
        record: JsonObject = records.form_columns(rows[0])
        before = _form(record)
    with refused("attacks", end="."):
        _, after = attack.forms(record)
        columns = attack.columns_of(record, before, after)
        applies = acted([*asked.attacks], before, after)
    if not any(field.values for field in before.fields):
        notes.append("The form has no values: no label marks words as a value.")
    return Versions(before, after, record, {**record, **columns}, applies, notes)


def _attack(asked: Asked) -> RecordAttack:
    names = asked.attacks
    if isinstance(names, str):  # from a program
        raise RefusedError(f"attacks must be a list, got the text {names!r}.", field="attacks")
    if not names:
        raise RefusedError("Choose an attack.", field="attacks")
    if len(names) > MAX_ATTACKS:
        raise RefusedError(f"At most {MAX_ATTACKS} attacks one after the other, got {len(names)}.", field="attacks")
    with refused("attacks", end="."):
        attack = RecordAttack(attack=[*names], seed=asked.seed, strength=asked.strength)
    if asked.strength > MAX_STRENGTH:
        raise RefusedError(f"strength must be at most {MAX_STRENGTH:g}, got {asked.strength:g}.", field="attacks")
    return attack


def _form(record: JsonObject) -> Page:
    """The form of a record that is not too large."""
    columns = (record.get(name) for name in ("words", "tokens"))
    words: list[object] = next((column for column in columns if isinstance(column, list)), [])
    characters = sum(len(word) for word in words if isinstance(word, str))
    for number, most, what in ((len(words), MAX_WORDS, "words"), (characters, MAX_TEXT, "characters in its words")):
        if number > most:
            message = f"The form has {number:,} {what}; here at most {most:,} are read: `docie attack` has no limit."
            raise RefusedError(message, field="record")
    return Page.from_record(record)


def examples() -> dict[str, str]:
    """The forms by name, as texts for the page's field.

    >>> [*examples()][0]
    'Invoice of Lavas Vokagun'
    """
    file = resources.files("docie.spaces").joinpath("form_robustness", "static", "forms.jsonl")
    records = map(json.loads, file.read_text(encoding="utf-8").splitlines())
    return {f"Invoice of {Page.from_record(each).document()['vendor']}": text_of(each) for each in records}
