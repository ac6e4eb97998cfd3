"""What the words of a form are, and what an attack did to them."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

from docie.form import Box, Form
from docie.report.wording import counted

KINDS = {"value": "of values", "key": "of keys", "background": "of the background"}
"""What a word may be, and how to speak of several."""


class Mark(NamedTuple):
    """A word, and what became of it.

    Attributes:
        kind: one of `KINDS`.
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
    def is_changed(self) -> bool:
        """Whether an attack did anything to it."""
        return any(does(self) for does in CHANGES.values())

    @property
    def note(self) -> str:
        """What it is and what became of it, in words."""
        parts = [f"{self.kind}{' of ' if self.fields else ''}{', '.join(self.fields)}: {self.text}"]
        parts += ["dropped"] if self.is_dropped else []
        parts += [f"was {self.old_text}"] if self.old_text is not None else []
        parts += ["moved"] if self.old_box is not None else []
        parts += [f"place {self.place} in the order, was {self.old_place}"] if self.place else []
        return "; ".join(parts)


CHANGES: dict[str, Callable[[Mark], bool]] = {
    "replaced": lambda mark: mark.old_text is not None,
    "dropped": lambda mark: mark.is_dropped,
    "moved": lambda mark: mark.old_box is not None,
    "at another place in the order": lambda mark: bool(mark.place),
}
"""What may have become of a word."""


def marks_of(form: Form, before: Form | None) -> list[Mark]:
    """The words in order. A dropped word follows the one that it stood behind.

    Raises:
        ValueError: if the form has words that the form before does not have.
    """
    kinds, fields = _kinds(form), _fields(form)
    plain = [
        Mark(kind, types, word.text, word.box) for kind, types, word in zip(kinds, fields, form.words, strict=True)
    ]
    return plain if before is None else _compared(plain, form, before)


def _compared(plain: Sequence[Mark], form: Form, before: Form) -> list[Mark]:
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


def _dropped(before: Form, kept: Iterable[int | None]) -> defaultdict[int | None, list[Mark]]:
    """The words that are gone, by the word that is left and stood before them; None for the beginning."""
    left, last = {*kept}, None
    result: defaultdict[int | None, list[Mark]] = defaultdict(list)
    for word, kind, types in zip(before.words, _kinds(before), _fields(before), strict=True):
        if word.id in left:
            last = word.id
        else:
            result[last].append(Mark(kind, types, word.text, word.box, is_dropped=True))
    return result


def _kinds(form: Form) -> list[str]:
    return [
        "value" if position in form.values else "key" if position in form.keys else "background"
        for position in range(len(form.words))
    ]


def _fields(form: Form) -> list[tuple[str, ...]]:
    """The types of the fields that each word belongs to."""
    types: list[dict[str, None]] = [{} for _ in form.words]
    for field in form.fields:
        for position in (*field.values, *field.keys):
            types[position][field.type] = None
    return [tuple(each) for each in types]


def sentence(marks: Sequence[Mark], form: Form, before: Form | None) -> str:
    """The numbers of words, and what an attack did to them.

    >>> from docie.form import Word
    >>> form = Form([Word("Total"), Word("4.50")])
    >>> attacked = form.with_texts({0: "Totla"}).arranged([0])
    >>> sentence(marks_of(attacked, form), attacked, form)
    '1 word, 1 of the background. By the attack: 1 replaced, 1 dropped.'
    """
    left = [mark for mark in marks if not mark.is_dropped]
    kinds = Counter(mark.kind for mark in left)
    parts = ", ".join(f"{kinds[kind]:,} {name}" for kind, name in KINDS.items() if kinds[kind])
    text = f"{counted(len(left), 'word')}{', ' if parts else ''}{parts}."
    if before is None:
        return text
    numbers = {name: sum(map(does, marks)) for name, does in CHANGES.items()}
    done = [f"{number:,} {name}" for name, number in numbers.items() if number]
    if form.page != before.page and form.page and before.page:
        done.append("the page is now " + " instead of ".join(f"{x:.6g} × {y:.6g}" for x, y in (form.page, before.page)))
    return f"{text} By the attack: {', '.join(done)}." if done else f"{text} The attack changed nothing."
