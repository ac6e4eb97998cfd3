"""What the words of a form are, and what an attack did to them: what there is to draw of a form.

`docie.robustness.form_picture` draws it.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from docie.robustness.form.page import Page
from docie.robustness.form.words import Box

CHANGES = ("replaced", "dropped", "moved", "at another place in the order")
"""How an attack may have changed a word."""
LONGEST = 60
"""Characters of a word that are drawn at most."""


class Mark(NamedTuple):
    """A word, and how it changed.

    Attributes:
        kind: "value", "key" or "background".
        fields: the types of the fields that it belongs to.
        text: its text; of a dropped word the one it had.
        box: its box; of a dropped word the one it had.
        is_dropped: whether it is gone.
        old_text: its text before, if it is another one.
        old_box: its box before, if it is another one.
        place: its place in the order of the words that are left, from 1, if it is another one; otherwise 0.
        old_place: the one before.
    """

    kind: str
    fields: tuple[str, ...]
    text: str
    box: Box | None
    is_dropped: bool = False
    old_text: str | None = None
    old_box: Box | None = None
    place: int = 0
    old_place: int = 0

    @property
    def changes(self) -> list[str]:
        """How it changed, from `CHANGES`; nothing for an unchanged word."""
        happened = (self.old_text is not None, self.is_dropped, self.old_box is not None, bool(self.place))
        return [name for name, has in zip(CHANGES, happened, strict=True) if has]

    @property
    def shown_text(self) -> str:
        """Its text, as long as it can be drawn."""
        return _cut(self.text)

    @property
    def shown_old_text(self) -> str:
        """The text before, as long as it can be drawn; empty if it is the same."""
        return _cut(self.old_text or "")

    @property
    def note(self) -> str:
        """What it is and how it changed, in words."""
        parts = [f"{self.kind}{' of ' if self.fields else ''}{', '.join(self.fields)}: {self.text}"]
        parts += ["dropped"] if self.is_dropped else []
        parts += [f"was {self.old_text}"] if self.old_text is not None else []
        parts += ["moved"] if self.old_box is not None else []
        parts += [f"place {self.place} in the order, was {self.old_place}"] if self.place else []
        return "; ".join(parts)


def marks_of(form: Page, before: Page | None = None) -> list[Mark]:
    """What there is to draw of a form: its words in order. A dropped word follows the one that it stood behind.

    Args:
        form (Page): the form.
        before (Page): the form before an attack; None if there is nothing to compare with.

    Returns:
        list of Mark: the words.

    Raises:
        ValueError: if the form has words that the form before does not have.

    >>> from docie.robustness.form import Word
    >>> form = Page([Word("Total"), Word("4.50")])
    >>> [mark.note for mark in marks_of(form.with_texts({0: "Totla"}).arranged([0]), form)]
    ['background: Totla; was Total', 'background: 4.50; dropped']
    """
    kinds, fields = _kinds(form), _fields(form)
    plain = [
        Mark(kind, types, word.text, word.box) for kind, types, word in zip(kinds, fields, form.words, strict=True)
    ]
    return plain if before is None else _compared(plain, form, before)


def most_telling(marks: Sequence[Mark], most: int) -> list[Mark]:
    """At most so many words, in their order: changed ones go first, then those of fields.

    Args:
        marks (list of Mark): the words.
        most (int): the number.

    Returns:
        list of Mark: as many or fewer.

    >>> from docie.robustness.form import Field, Word
    >>> form = Page([Word("Total"), Word("4.50"), Word("Thanks")], [Field("total", (1,))])
    >>> [mark.text for mark in most_telling(marks_of(form), 1)]
    ['4.50']
    """
    order = sorted(range(len(marks)), key=lambda number: (not marks[number].changes, not marks[number].fields))
    return [marks[number] for number in sorted(order[:most])]


def _compared(plain: Sequence[Mark], form: Page, before: Page) -> list[Mark]:
    """The words beside those of the form before."""
    positions = {word.id: position for position, word in enumerate(before.words)}
    kept = {word.id for word in form.words}
    if not kept <= positions.keys():
        raise ValueError("the form has words that the form before does not have")
    places = {word.id: place for place, word in enumerate((each for each in before.words if each.id in kept), 1)}
    dropped = _dropped(before, kept)
    result = [*dropped[None]]
    for place, (mark, word) in enumerate(zip(plain, form.words, strict=True), 1):
        old = before.words[positions[word.id]]
        result.append(
            mark._replace(
                old_text=old.text if old.text != word.text else None,
                old_box=old.box if old.box != word.box else None,
                place=place if places[word.id] != place else 0,
                old_place=places[word.id] if places[word.id] != place else 0,
            )
        )
        result += dropped[word.id]
    return result


def _dropped(before: Page, kept: Iterable[int | None]) -> defaultdict[int | None, list[Mark]]:
    """The words that are gone, by the word that is left and stood before them; None for the beginning."""
    left, last = {*kept}, None
    result: defaultdict[int | None, list[Mark]] = defaultdict(list)
    for word, kind, types in zip(before.words, _kinds(before), _fields(before), strict=True):
        if word.id in left:
            last = word.id
        else:
            result[last].append(Mark(kind, types, word.text, word.box, is_dropped=True))
    return result


def _kinds(form: Page) -> list[str]:
    return [
        "value" if position in form.values else "key" if position in form.keys else "background"
        for position in range(len(form.words))
    ]


def _fields(form: Page) -> list[tuple[str, ...]]:
    """The types of the fields that each word belongs to."""
    types: list[dict[str, None]] = [{} for _ in form.words]
    for field in form.fields:
        for position in (*field.values, *field.keys):
            types[position][field.type] = None
    return [tuple(each) for each in types]


def _cut(text: str) -> str:
    return text if len(text) <= LONGEST else f"{text[: LONGEST - 1]}…"
