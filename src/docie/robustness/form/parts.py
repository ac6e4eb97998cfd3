"""The parts of a form: words and fields."""

from __future__ import annotations

from typing import NamedTuple

from docie.robustness.form.boxes import Box

DATA_TYPES = ("date", "number", "money", "text")
"""What the value of a field may be. "number" are numbers and codes with digits, such as INV-0012."""


class Word(NamedTuple):
    """A word on a page.

    Attributes:
        text (str): the text of the word.
        box (tuple of float): x0, y0, x1, y1 in the unit of the page; None if the form has no boxes.
        id (int): the number of the word in the form that was read. It stays with the word, wherever an attack moves it.
            None: the form numbers its words.
    """

    text: str
    box: Box | None = None
    id: int | None = None


class Field(NamedTuple):
    """A field with its value and its keys ("Invoice No."), as positions in the words of the form, in text order.

    Attributes:
        type (str): the entity type.
        values (tuple of int): the words of the value; empty for a field that was not filled in.
        keys (tuple of int): the words that say which field it is.
        data_type (str): one of `DATA_TYPES`. None: it is inferred from the text of the value.
        group (str or int): the group that the field belongs to, such as a line item; None for none.
    """

    type: str
    values: tuple[int, ...]
    keys: tuple[int, ...] = ()
    data_type: str | None = None
    group: str | int | None = None
