"""Records → forms → the columns of records."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given

from docie.adapters import records
from docie.robustness.form import Field, Page, Word

from sizes import examples
from strategies import forms

NAMES = ["O", "B-total", "I-total", "B-date", "I-date"]
TAGGED: dict[str, Any] = {
    "id": "r-1",
    "tokens": ["Total", "$", "4.50", "May", "5"],
    "bboxes": [[10, 10, 40, 20], [50, 10, 55, 20], [56, 10, 80, 20], [10, 30, 30, 40], [31, 30, 35, 40]],
    "ner_tags": [0, 1, 2, 3, 3],
    "image": "any",
}


def test_tagged_words() -> None:
    form = Page.from_record(TAGGED, names=NAMES, data_types={"total": "money"})
    assert form.fields == (Field("total", (1, 2), (), "money"), Field("date", (3,)), Field("date", (4,)))
    assert (form.page, form.id) == ((1000, 1000), "r-1")
    back = form.to_record(TAGGED, names=NAMES)
    assert back == {name: TAGGED[name] for name in ("tokens", "bboxes", "ner_tags")}


def test_tags_are_written_for_the_new_order() -> None:
    form = Page.from_record(TAGGED, names=NAMES).arranged([2, 0, 1, 4, 3])
    assert form.to_record(TAGGED, names=NAMES)["ner_tags"] == [1, 0, 1, 3, 3]
    texts = {**TAGGED, "ner_tags": [NAMES[tag] for tag in TAGGED["ner_tags"]]}
    form = Page.from_record(texts).arranged([0, 1, 2])
    assert form.to_record(texts)["ner_tags"] == ["O", "B-total", "I-total"]


def test_labels_that_are_tags() -> None:
    record = {"words": ["a", "b", "c"], "labels": ["B-x", "I-x", "O"]}
    form = Page.from_record(record)
    assert form.fields == (Field("x", (0, 1)),)
    assert form.to_record(record) == record


def test_runs_of_labels() -> None:
    record = {
        "words": ["TOTAL", "60", "CASH", "70", "Tea", "Bun", "Bye"],
        "labels": ["total", "total", "total", "total", "menu.nm", "menu.nm", "O"],
        "groups": [1, 1, 1, 1, 2, 3, ""],
        "is_key": [1, 0, 1, 0, 0, 0, 0],
    }
    form = Page.from_record(record)
    assert form.fields == (
        Field("total", (1,), (0,), group=1),
        Field("total", (3,), (2,), group=1),
        Field("menu.nm", (4,), group=2),
        Field("menu.nm", (5,), group=3),
    )
    assert form.to_record(record) == record
    assert Page.from_record(record, types=["total"]).fields == form.fields[:2]


def test_questions_are_keys_of_the_answers_behind_them() -> None:
    record = {
        "tokens": ["Name:", "Ada", "Date", ":", "Sum", "5", "Bye"],
        "bboxes": [[0, 0, 9, 9]] * 7,
        "ner_tags": [3, 5, 3, 4, 3, 5, 1],
    }
    form = Page.from_record(
        record, names=records.FUNSD_TAGS, types=["answer"], key_labels=["question"], data_types={"answer": "text"}
    )
    assert form.fields == (
        Field("answer", (1,), (0,), "text"),
        Field("question", (), (2, 3)),  # not filled in
        Field("answer", (5,), (4,), "text"),
    )
    assert form.background == (0, 2, 3, 4, 6)


def test_boxes_are_fitted_into_the_page() -> None:
    record = {"words": ["a", "b"], "boxes": [[-1, 5, 34, 5], [90, 90, 120, 110]], "page": [100, 100]}
    form = Page.from_record(record)
    assert [word.box for word in form.words] == [(0, 5, 34, 5.1), (90, 90, 100, 100)]
    assert form.to_record(record)["boxes"] == [[0, 5, 34, 6], [90, 90, 100, 100]]  # whole numbers stay whole


def test_boxes_that_are_shares_of_the_page() -> None:
    record = {"words": ["a", "b"], "boxes": [[0.1, 0, 0.25, 0.5], [0, 0, 1, 1]], "page": [1, 1]}
    assert Page.from_record(record).words[0].box == (0.1, 0, 0.25, 0.5)
    small = {"words": ["a"], "boxes": [[0, 0, 1, 1]]}  # whole numbers may be units of the grid
    assert Page.from_record(small).words[0].box == (0, 0, 1, 1)


def test_arrays_and_tuples() -> None:
    record = {
        "words": np.array(["a", "b"]),
        "bboxes": np.array([[0, 0, 5, 5], [5, 0, 9, 5]]),
        "ner_tags": np.array([0, 1]),
    }
    form = Page.from_record(record, names=NAMES)
    assert form.to_record(record, names=NAMES) == {"words": ["a", "b"], "bboxes": [[0, 0, 5, 5], [5, 0, 9, 5]], "ner_tags": [0, 1]}  # fmt: skip


def test_a_page_that_has_grown() -> None:
    form = Page.from_record(TAGGED, names=NAMES)
    grown = form.with_words(form.words, page=(2000, 1000))
    assert grown.to_record(TAGGED, names=NAMES)["bboxes"][0] == [5, 10, 20, 20]  # on the page of [1000, 1000]
    record = {"words": ["a"], "boxes": [[0, 0, 50, 50]], "page": [100, 100]}
    form = Page.from_record(record)
    assert form.with_words(form.words, page=(200, 100)).to_record(record) == {**record, "page": [200, 100]}


def test_further_columns_are_carried_along() -> None:
    record = {**TAGGED, "confidences": [0.1, 0.2, 0.3, 0.4, 0.5]}
    form = Page.from_record(record, names=NAMES).arranged([4, 0])
    assert form.to_record(record, names=NAMES, columns=["confidences"])["confidences"] == [0.5, 0.1]


def test_cord(cord: dict[str, list[Any]]) -> None:
    """Every annotated line is a field, and what goes in comes out."""
    for record in cord["references"]:
        found = records.words_and_boxes(record)
        form = Page.from_record(found)
        back = form.to_record(found)
        kept = {name: column for name, column in found.items() if name != "boxes"}
        assert {name: column for name, column in back.items() if name in kept} == kept
        width, height = found["page"]
        clipped = [[max(x0, 0), max(y0, 0), min(x1, width), min(y1, height)] for x0, y0, x1, y1 in found["boxes"]]
        assert back["boxes"] == clipped
        assert len(form.fields) == found["entities"][-1] + 1
        assert form.keys == {position for position, is_key in enumerate(found["is_key"]) if is_key}


@given(forms())
@examples(300, 60)
def test_columns_without_a_record(form: Page) -> None:
    record = form.to_record()
    assert record["words"] == [word.text for word in form.words]
    shared = len({position for field in form.fields for position in (*field.values, *field.keys)})
    if shared == sum(len(field.values) + len(field.keys) for field in form.fields):  # no word has two labels
        again = Page.from_record(record | {"id": form.id})
        assert sorted(again.document().items()) == sorted(
            Page(form.words, sorted_fields(form), form.page).document().items()
        )


def sorted_fields(form: Page) -> list[Field]:
    """The fields with their words in the order of the form, as columns have them."""
    fields = [field._replace(values=tuple(sorted(field.values))) for field in form.fields]
    return sorted(fields, key=lambda field: min(field.values + field.keys, default=0))


@pytest.mark.parametrize(
    ("record", "options", "message"),
    [
        ([], {}, "record must be an object, got a list"),
        ({"id": 3}, {}, "record 3: column 'words' is missing"),
        ({"words": "a b"}, {}, "record: words must be a list, got text"),
        ({"words": [7]}, {}, "record: words must be texts, got 7"),
        ({"words": ["a"], "boxes": []}, {}, "record: boxes must be as long as the words, got 0 and 1"),
        ({"words": ["a"], "bboxes": [[1, 2, 3]]}, {}, "record: bboxes must be lists of four numbers, got [1, 2, 3] at 0"),
        ({"words": ["a"], "bboxes": [[1001, 2, 1003, 5]]}, {}, "record: bboxes: box 0 is not on the page [1000, 1000], got [1001, 2, 1003, 5]; a column 'page' says its width and height"),
        ({"words": ["a"], "boxes": [[0, 11, 9, 12]], "page": [10, 10]}, {}, "record: boxes: box 0 is not on the page [10, 10], got [0, 11, 9, 12]"),
        ({"words": ["a"], "bbox": [[0.1, 0, 0.25, 1]]}, {}, "record: bbox are shares of a page, from 0 to 1, and not on [1000, 1000]; a column 'page' says its width and height: [1, 1]"),
        ({"words": ["a"], "boxes": [[0, 0, 1, 1]], "page": [0, 1]}, {}, "record: page must be width and height, got [0, 1]"),
        ({"words": ["a"], "ner_tags": [1]}, {}, "record: ner_tags has numbers, whose names must be given as names="),
        ({"words": ["a"], "ner_tags": [5]}, {"names": NAMES}, "record: ner_tags must be from 0 to 4, got 5 at 0"),
        ({"words": ["a"], "labels": [0.5]}, {}, "record: labels must be texts or whole numbers, got 0.5 at 0"),
        ({"words": ["a"], "labels": ["x"]}, {"data_types": {"x": "amount"}}, "record: data_types: 'x' must be one of date, number, money, text, got 'amount'"),
        ({"words": ["a"], "labels": ["x"]}, {"types": "x"}, "record: types must be a list of texts, got 'x'"),
        ({"words": ["a"], "labels": ["x"], "entities": [0.5]}, {}, "record: entities must be numbers, texts or null, got 0.5"),
    ],
)  # fmt: skip
def test_what_is_no_record(record: Any, options: Any, message: str) -> None:
    with pytest.raises(ValueError) as error:  # noqa: PT011 - the whole message is compared
        Page.from_record(record, **options)
    assert str(error.value) == message


def test_the_record_must_be_the_one_that_was_read() -> None:
    form = Page([Word("a"), Word("b")])
    with pytest.raises(ValueError, match="^the form has other words than the record, which has 1$"):
        form.to_record({"words": ["a"]})
    with pytest.raises(ValueError, match="^names: the tag 'B-date', which the new order needs, is not among them$"):
        Page([Word("a")]).to_record({"words": ["a"], "ner_tags": [0]}, names=["I-date"])
    with pytest.raises(ValueError, match="^ner_tags: tags must be IOB2 .B-, I-, O., got 'S-date'$"):
        Page([Word("a")]).to_record({"words": ["a"], "ner_tags": ["S-date"]})


def test_quads_stay_as_annotated_unless_their_words_move() -> None:
    quads = [[[0, 1], [9, 0], [9, 8], [0, 9]], [[20, 0], [29, 0], [29, 9], [20, 9]]]
    record = {"words": ["a", "b"], "boxes": [[0, 0, 9, 9], [20, 0, 29, 9]], "quads": quads, "page": [100, 100]}
    form = Page.from_record(record)
    assert form.arranged([1, 0]).to_record(record)["quads"] == quads[::-1]
    moved = form.with_words([form.words[0]._replace(box=(1, 0, 10, 9)), form.words[1]])
    assert moved.to_record(record)["quads"] == [[[1, 0], [10, 0], [10, 9], [1, 9]], quads[1]]
