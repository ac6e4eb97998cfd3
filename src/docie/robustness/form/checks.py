"""What is no form is an error of one line."""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Any

from docie.core.errors import shortened
from docie.core.values.plain import is_list
from docie.robustness.form.boxes import Page
from docie.robustness.form.parts import DATA_TYPES, Field, Word


def check_form(words: Any, fields: Any, page: Any, form_id: Any) -> tuple[tuple[Word, ...], tuple[Field, ...], Any]:
    """The words, numbered if they were not, the fields and the page. Raises ValueError if they make no form."""
    place = "form" if form_id is None else f"form {shortened(form_id)}"
    if isinstance(form_id, bool) or not isinstance(form_id, str | int | None):
        raise ValueError(f"{place}: id must be text, a whole number or None")
    words, fields = tuple(words), tuple(fields)
    _check_page(place, page)
    for position, word in enumerate(words):
        _check_word(place, position, word, page)
    if any(word.box is None for word in words) and any(word.box is not None for word in words):
        raise ValueError(f"{place}: all words must have boxes, or none")
    words = _numbered(place, words)
    for number, field in enumerate(fields):
        _check_field(place, number, field, len(words))
    return words, fields, None if page is None else tuple(page)


def _check_page(place: str, page: Any) -> None:
    if page is None:
        return
    if not is_list(page) or len(page) != 2 or not all(_is_number(size) and size > 0 for size in page):
        raise ValueError(f"{place}: page must be width and height, got {shortened(page)}")


def _check_word(place: str, position: int, word: Any, page: Page | None) -> None:
    if not isinstance(word, Word) or not isinstance(word.text, str):
        raise ValueError(f"{place}: word {position} must be a Word with a text, got {shortened(word)}")
    if word.box is None:
        return
    if page is None:
        raise ValueError(f"{place}: words with boxes need a page, width and height")
    if not isinstance(word.box, tuple) or len(word.box) != 4 or not all(map(_is_number, word.box)):
        raise ValueError(f"{place}: box of word {position} must be four numbers, got {shortened(word.box)}")
    x0, y0, x1, y1 = word.box
    if not (0 <= x0 < x1 <= page[0] and 0 <= y0 < y1 <= page[1]):
        expected = f"0 <= x0 < x1 <= {page[0]} and 0 <= y0 < y1 <= {page[1]}"
        raise ValueError(f"{place}: box of word {position}: expected {expected}, got {shortened(word.box)}")


def _numbered(place: str, words: tuple[Word, ...]) -> tuple[Word, ...]:
    """Words with ids: those that they have, or else their positions."""
    if all(word.id is None for word in words):
        return tuple(word._replace(id=position) for position, word in enumerate(words))
    if not all(isinstance(word.id, int) for word in words) or len({word.id for word in words}) < len(words):
        raise ValueError(f"{place}: ids of words must be different whole numbers, or all None")
    return words


def _check_field(place: str, number: int, field: Any, words: int) -> None:
    if not isinstance(field, Field) or not isinstance(field.type, str):
        raise ValueError(f"{place}: field {number} must be a Field with a type, got {shortened(field)}")
    place = f"{place}: field {number} ({shortened(field.type)})"
    if not isinstance(field.values, tuple) or not isinstance(field.keys, tuple):
        raise ValueError(f"{place}: values and keys must be tuples of positions")
    positions = (*field.values, *field.keys)
    wrong = [each for each in positions if type(each) is not int or not 0 <= each < words]
    if wrong:
        raise ValueError(f"{place}: words must be positions from 0 to {words - 1}, got {shortened(wrong[0])}")
    if len(set(positions)) < len(positions):
        raise ValueError(f"{place}: a word stands twice among its keys and values")
    if field.data_type is not None and field.data_type not in DATA_TYPES:
        raise ValueError(f"{place}: data type must be one of {', '.join(DATA_TYPES)}, got {shortened(field.data_type)}")


def _is_number(value: Any) -> bool:
    return isinstance(value, float | int) and not isinstance(value, bool) and math.isfinite(value)


def check_labels(name: str, labels: Any) -> list[str]:
    """The labels that an option lists. Raises ValueError for what is no list of texts."""
    listed = [] if isinstance(labels, str) or not isinstance(labels, Iterable) else list(labels)
    if not isinstance(labels, Iterable) or isinstance(labels, str) or not all(isinstance(each, str) for each in listed):
        raise ValueError(f"{name} must be a list of texts, got {shortened(labels)}")
    return listed
