"""Forms: what they are made of, what is none, and the order of words."""

from __future__ import annotations

import dataclasses
import pickle
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from docie.adapters import grouping
from docie.adapters.grouping.documents import Entity
from docie.robustness.form import Field, Page, Word
from docie.robustness.form.page import lines, neighbors, reading_order
from docie.robustness.form.words import fitted, iou

from sizes import examples
from strategies import corners, forms

BOX = (0, 0, 1, 1)
NUMBERS = st.one_of(st.integers(-50, 150), st.floats(-50, 150))


def test_the_parts_of_a_form() -> None:
    fields = [Field("items.name", (1, 0), group=3), Field("items.name", (2,), (3,), group=4), Field("empty", (), (4,))]
    form = Page([Word(text) for text in ("Latte", "Iced", "Tea", "ITEM", "Date:", "Bye")], fields)
    assert form.document() == {"items.name": ["Iced Latte", "Tea"]}  # words in the order of the field
    assert form.entities() == [("items.name", "Iced Latte", None, 3), ("items.name", "Tea", None, 4)]
    document = grouping.by_group_id([Entity(*entity) for entity in form.entities()], ["items"])
    assert document == {"items": [{"items.name": "Iced Latte"}, {"items.name": "Tea"}]}
    assert (form.values, form.keys, form.background) == (frozenset({0, 1, 2}), frozenset({3, 4}), (3, 4, 5))
    assert [word.id for word in form.words] == [0, 1, 2, 3, 4, 5]
    assert (form.has_boxes, form.page) == (False, None)


def test_a_form_without_words_or_fields() -> None:
    form = Page([])
    assert (form.document(), form.entities(), form.background, form.has_boxes) == ({}, [], (), False)
    assert not lines(form)
    assert not reading_order(form)
    assert not neighbors(form)
    assert Page([Word("Ada")]).arranged([]) == form


def test_a_word_that_is_key_and_value_is_no_background() -> None:
    form = Page([Word("Total"), Word("4.50")], [Field("total", (1,), (0,)), Field("title", (0,))])
    assert (form.keys, form.background) == (frozenset(), ())
    assert form.document() == {"total": "4.50", "title": "Total"}


def test_a_form_cannot_be_changed() -> None:
    form = Page([Word("Ada")])
    with pytest.raises(dataclasses.FrozenInstanceError):
        form.id = 3  # type: ignore[misc]
    assert isinstance(form.words, tuple)
    assert pickle.loads(pickle.dumps(form)) == form
    assert hash(form) == hash(Page([Word("Ada")]))


def test_the_key_of_a_form_is_its_id_or_its_words() -> None:
    assert Page([Word("a")], id=7).key == "7"
    assert Page([Word("a")]).key == Page([Word("a")], [Field("x", (0,))]).key != Page([Word("b")]).key
    assert Page([Word("\ud800")]).key


@pytest.mark.parametrize(
    ("parts", "message"),
    [
        ({"words": ["Ada"]}, "form: word 0 must be a Word with a text, got 'Ada'"),
        ({"words": [Word(7)]}, "form: word 0 must be a Word with a text, got Word(text=7, box=None, id=None)"),  # type: ignore[arg-type]
        ({"words": [Word("a")], "id": 1.5}, "form: id must be text or a whole number, got 1.5"),
        ({"words": [Word("a", BOX)]}, "form: words with boxes need a page, width and height"),
        ({"words": [], "page": (0, 5)}, "form: page must be width and height, got (0, 5)"),
        ({"words": [Word("a", (0, 0, 1))], "page": (9, 9)}, "form: box of word 0 must be four numbers, got (0, 0, 1)"),  # type: ignore[arg-type]
        ({"words": [Word("a", (0, 0, float("nan"), 1))], "page": (9, 9)}, "form: box of word 0 must be four numbers, got (0, 0, nan, 1)"),
        ({"words": [Word("a", (0, 0, 0, 1))], "page": (9, 9)}, "form: box of word 0: expected 0 <= x0 < x1 <= 9 and 0 <= y0 < y1 <= 9, got (0, 0, 0, 1)"),
        ({"words": [Word("a", (0, 0, 1, 10))], "page": (9, 9)}, "form: box of word 0: expected 0 <= x0 < x1 <= 9 and 0 <= y0 < y1 <= 9, got (0, 0, 1, 10)"),
        ({"words": [Word("a", BOX), Word("b")], "page": (9, 9)}, "form: all words must have boxes, or none"),
        ({"words": [Word("a", id=1), Word("b", id=1)]}, "form: ids of words must be different whole numbers, or all None"),
        ({"words": [Word("a")], "fields": ["x"]}, "form: field 0 must be a Field with a type, got 'x'"),
        ({"words": [Word("a")], "fields": [Field("x", [0])]}, "form: field 0 ('x'): values and keys must be tuples of positions"),  # type: ignore[arg-type]
        ({"words": [Word("a")], "fields": [Field("x", (0,), (-1,))]}, "form: field 0 ('x'): words must be positions from 0 to 0, got -1"),
        ({"words": [Word("a")], "fields": [Field("x", (0,), (0,))]}, "form: field 0 ('x'): a word stands twice among its keys and values"),
        ({"words": [Word("a")], "fields": [Field("x", (0,), (), "amount")]}, "form: field 0 ('x'): data type must be one of date, number, money, text, got 'amount'"),
    ],
)  # fmt: skip
def test_what_is_no_form(parts: Any, message: str) -> None:
    with pytest.raises(ValueError) as error:  # noqa: PT011 - the whole message is compared
        Page(**parts)
    assert str(error.value) == message


@given(forms(), st.randoms(use_true_random=False))
@examples(200, 40)
def test_arranged_forms_keep_their_texts(form: Page, rng: Any) -> None:
    order = rng.sample(range(len(form.words)), len(form.words))
    arranged = form.arranged(order)
    assert arranged.document() == form.document()
    assert [word.id for word in arranged.words] == order
    back = sorted(range(len(order)), key=order.__getitem__)
    assert arranged.arranged(back) == form
    assert form.arranged(form.background).document() == {}


def test_blank_words_disappear() -> None:
    form = Page([Word("a"), Word(" "), Word("c")], [Field("x", (2,), (0,))])
    assert form.with_texts({0: ""}) == Page([Word(" ", id=1), Word("c", id=2)], [Field("x", (1,))])
    assert form.with_texts({}) == form


@given(st.tuples(NUMBERS, NUMBERS, NUMBERS, NUMBERS))
@examples(500, 60)
def test_fitted_boxes_lie_on_the_page(box: Any) -> None:
    x0, y0, x1, y1 = fitted(box, (100, 30.5))
    assert 0 <= x0 < x1 <= 100
    assert 0 <= y0 < y1 <= 30.5
    assert fitted((x0, y0, x1, y1), (100, 30.5)) == pytest.approx((x0, y0, x1, y1))


@given(corners(), corners())
@examples(500, 60)
def test_iou_counts_cells(first: Any, second: Any) -> None:
    def cells(box: Any) -> set[tuple[int, int]]:
        return {(x, y) for x in range(box[0], box[2]) for y in range(box[1], box[3])}

    expected = len(cells(first) & cells(second)) / len(cells(first) | cells(second))
    assert iou(first, second) == iou(second, first) == pytest.approx(expected)


@given(forms(with_boxes=True))
@examples(200, 40)
def test_every_word_is_in_one_line(form: Page) -> None:
    found = lines(form)
    assert sorted(position for line in found for position in line) == list(range(len(form.words)))
    assert sorted(reading_order(form)) == list(range(len(form.words)))


def test_right_to_left_text_is_read_from_the_right() -> None:
    words = [Word("שלום", (0, 0, 10, 10)), Word("עולם", (20, 0, 30, 10)), Word("12", (40, 0, 50, 10))]
    form = Page(words, page=(100, 100))
    assert reading_order(form) == [2, 1, 0]
    assert reading_order(form.with_texts({0: "Hello", 1: "world"})) == [0, 1, 2]


def near(form: Page, expand: float, count: int) -> list[set[int]]:
    """A slow textbook of `neighbors`, word by word."""
    width, height = form.page or (0, 0)
    result = []
    for field in form.fields:
        found = set()
        for position in form.background:
            by_order = any(abs(position - value) <= count for value in field.values)
            share = 0.0
            if field.values and form.has_boxes:
                boxes: list[Any] = [form.words[value].box for value in field.values]
                x0, y0 = min(box[0] for box in boxes), min(box[1] for box in boxes)
                x1, y1 = max(box[2] for box in boxes), max(box[3] for box in boxes)
                box: Any = form.words[position].box
                across = min(box[2], x1 + expand * width / 2) - max(box[0], x0 - expand * width / 2)
                down = min(box[3], y1 + expand * height / 2) - max(box[1], y0 - expand * height / 2)
                share = max(across, 0) * max(down, 0) / ((box[2] - box[0]) * (box[3] - box[1]))
            if by_order or share > 0.5:
                found.add(position)
        result.append(found)
    return result


@given(forms(), st.sampled_from([0.0, 0.02, 0.5]), st.integers(0, 3))
@examples(500, 40)
def test_neighbors_are_those_of_the_textbook(form: Page, expand: float, words: int) -> None:
    assert neighbors(form, expand=expand, words=words) == near(form, expand, words)
