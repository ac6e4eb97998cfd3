"""The words and fields of a page, boxes around them, and their checks: an invalid page is a one-line error."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from docie.core.errors import in_json, shortened
from docie.core.values.plain import is_list, is_number
from docie.documents.boxes import area, shared_area

Box = tuple[float, float, float, float]
PageSize = tuple[float, float]
LEAST = 1 / 1000
"""The smallest width and height of a box, as a share of the page: one unit of the grid on which LayoutLM puts boxes."""


def fitted(box: Box, page: PageSize) -> Box:
    """The nearest box with an area that lies on the page.

    Reversed edges are exchanged, parts beyond the page are cut off, and a box without width or height becomes a
    thousandth of the page wide or high.

    Args:
        box (tuple of float): x0, y0, x1, y1.
        page (tuple of float): width and height of the page.

    Returns:
        tuple of float: the box, with 0 <= x0 < x1 <= width and 0 <= y0 < y1 <= height.

    >>> fitted((-5, 20, 30, 10), (100, 200)), fitted((100, 7, 120, 7), (100, 200))
    ((0, 10, 30, 20), (99.9, 7, 100.0, 7.2))
    """
    x0, x1 = _span(box[0], box[2], page[0])
    y0, y1 = _span(box[1], box[3], page[1])
    return x0, y0, x1, y1


def _span(first: float, second: float, size: float) -> tuple[float, float]:
    start, end = (first, second) if first <= second else (second, first)
    start, end = (start if start > 0 else 0), (end if end < size else size)
    least = size * LEAST
    if end - start >= least:
        return start, end
    if end <= least:
        return 0, least
    start = min(start, size - least)
    return start, min(start + least, size)


def iou(first: Box, second: Box) -> float:
    """Intersection over union of two boxes.

    Args:
        first (tuple of float): a box with an area.
        second (tuple of float): another box with an area.

    Returns:
        float: between 0 (disjoint) and 1 (equal).

    >>> iou((0, 0, 2, 2), (1, 0, 3, 2)), iou((0, 0, 2, 2), (0, 0, 2, 2)), iou((0, 0, 1, 1), (1, 1, 2, 2))
    (0.3333333333333333, 1.0, 0.0)
    """
    if first == second:
        return 1.0
    shared = shared_area(first, second)
    return shared / (area(first) + area(second) - shared)


DATA_TYPES = ("date", "number", "money", "text")
"""The possible values of a field's data type. "number" includes codes with digits, such as INV-0012."""


class Word(NamedTuple):
    """A word on a page.

    Attributes:
        text (str): the text of the word.
        box (tuple of float): x0, y0, x1, y1 in the unit of the page; None if the form has no boxes.
        id (int): the number of the word in the original form. The word keeps it, wherever an attack moves it. None: the
            form numbers its words.
    """

    text: str
    box: Box | None = None
    id: int | None = None


class Field(NamedTuple):
    """A field with its value and its keys ("Invoice No."), as positions in the words of the form, in text order.

    Attributes:
        type (str): the entity type.
        values (tuple of int): the words of the value; empty for a field that was not filled in.
        keys (tuple of int): the words that name the field.
        data_type (str): one of `DATA_TYPES`. None: it is inferred from the text of the value.
        group (str or int): the group that the field belongs to, such as a line item; None for none.
    """

    type: str
    values: tuple[int, ...]
    keys: tuple[int, ...] = ()
    data_type: str | None = None
    group: str | int | None = None


def check_page(
    words: Iterable[Word], fields: Iterable[Field], page: PageSize | None, form_id: object
) -> tuple[tuple[Word, ...], tuple[Field, ...], PageSize | None]:
    """The words, numbered if they were not, the fields and the page. Raises ValueError if they are not a valid form."""
    if isinstance(form_id, bool) or not isinstance(form_id, str | int | None):
        raise ValueError(f"form: id must be text or a whole number, got {in_json(form_id)}")
    place = "form" if form_id is None else f"form {shortened(form_id)}"
    words, fields = tuple(words), tuple(fields)
    _check_size(place, page)
    for position, word in enumerate(words):
        _check_word(place, position, word, page)
    if any(word.box is None for word in words) and any(word.box is not None for word in words):
        raise ValueError(f"{place}: all words must have boxes, or none")
    words = _numbered(place, words)
    for number, field in enumerate(fields):
        _check_field(place, number, field, len(words))
    return words, fields, None if page is None else (page[0], page[1])


def _check_size(place: str, page: object) -> None:
    if page is None:
        return
    if not is_list(page) or len(page) != 2 or not all(is_number(size) and size > 0 for size in page):
        raise ValueError(f"{place}: page must be width and height, got {shortened(page)}")


def _check_word(place: str, position: int, word: object, page: PageSize | None) -> None:
    if not isinstance(word, Word) or not isinstance(word.text, str):
        raise ValueError(f"{place}: word {position} must be a Word with a text, got {shortened(word)}")
    if word.box is None:
        return
    if page is None:
        raise ValueError(f"{place}: words with boxes need a page, width and height")
    if not isinstance(word.box, tuple) or len(word.box) != 4 or not all(map(is_number, word.box)):
        raise ValueError(f"{place}: box of word {position} must be four numbers, got {shortened(word.box)}")
    x0, y0, x1, y1 = word.box
    if not (0 <= x0 < x1 <= page[0] and 0 <= y0 < y1 <= page[1]):
        expected = f"0 <= x0 < x1 <= {page[0]} and 0 <= y0 < y1 <= {page[1]}"
        raise ValueError(f"{place}: box of word {position}: expected {expected}, got {shortened(word.box)}")


def _numbered(place: str, words: tuple[Word, ...]) -> tuple[Word, ...]:
    """Words with ids: their own, or else their positions."""
    if all(word.id is None for word in words):
        return tuple(word._replace(id=position) for position, word in enumerate(words))
    if not all(isinstance(word.id, int) for word in words) or len({word.id for word in words}) < len(words):
        raise ValueError(f"{place}: ids of words must be different whole numbers, or all None")
    return words


def _check_field(place: str, number: int, field: object, words: int) -> None:
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


def check_labels(name: str, labels: object) -> list[str]:
    """The labels in an option. Raises ValueError if it is not a list of texts."""
    listed = [] if isinstance(labels, str) or not isinstance(labels, Iterable) else list(labels)
    if not isinstance(labels, Iterable) or isinstance(labels, str) or not all(isinstance(each, str) for each in listed):
        raise ValueError(f"{name} must be a list of texts, got {shortened(labels)}")
    return listed
