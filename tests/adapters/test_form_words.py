"""FUNSD's and XFUND's annotation → words with links → forms, whose keys are the linked questions."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from docie import attacks
from docie.adapters import records
from docie.robustness.form import Field, Page

from checkout import needs_package
from sizes import examples

READING: dict[str, Any] = {"types": ["answer"], "key_labels": ["question"]}


def entity(number: int, label: str, text: str, *links: list[int]) -> dict[str, Any]:
    """An entity whose words stand side by side in a line of its own."""
    top = 10 * number
    words = [{"text": word, "box": [20 * place, top, 20 * place + 18, top + 8]} for place, word in enumerate(text.split(" "))]  # fmt: skip
    return {"id": 100 + number, "label": label, "text": text, "linking": [[100 + end for end in link] for link in links], "words": words}  # fmt: skip


FORM = [
    entity(0, "header", "ORDER FORM", [0, 1]),
    entity(1, "question", "Sold to:", [1, 3], [1, 4]),
    entity(2, "question", "Fax:"),
    entity(3, "answer", "Ada Lovelace", [1, 3]),
    entity(4, "answer", "London", [4, 1]),  # either way round
    entity(5, "question", "Price", [5, 7]),
    entity(6, "question", "Tea  pot", [6, 7]),  # a blank word
    entity(7, "answer", "9.00", [5, 7], [6, 7]),
    entity(8, "answer", "approved"),
    entity(9, "other", "page 1"),
]
WORDS = [
    *("ORDER", "FORM", "Sold", "to:", "Fax:", "Ada", "Lovelace", "London", "Price", "Tea", "pot", "9.00"),
    *("approved", "page", "1"),
]


@pytest.mark.parametrize(
    "record",
    [
        {"form": FORM},
        {"form": json.dumps(FORM)},
        {"text_output": json.dumps({"form": FORM})},
        {"document": FORM, "uid": "x"},
        {"document": {name: [each[name] for each in FORM] for name in FORM[0]}},
    ],
)
def test_words_of_an_annotation(record: Any) -> None:
    found = records.words_and_boxes(record)
    assert found["words"] == WORDS
    assert found["boxes"][:3] == [[0, 0, 18, 8], [20, 0, 38, 8], [0, 10, 18, 18]]
    assert found["labels"] == [
        *["header"] * 2, *["question"] * 3, *["answer"] * 3, *["question"] * 3, *["answer"] * 2, *["O"] * 2
    ]  # fmt: skip
    assert found["entities"] == [0, 0, 1, 1, 2, 3, 3, 4, 5, 6, 6, 7, 8, 9, 9]
    assert found["links"] == [[1, 3], [1, 4], [5, 7], [6, 7]]
    assert found["page"] == [58, 98]  # as far as boxes go


def test_the_size_of_the_page() -> None:
    class Picture:
        size = (300, 400)

    assert records.words_and_boxes({"form": FORM, "image": Picture()})["page"] == [300, 400]
    img = {"fname": "x.jpg", "width": 2480, "height": 3508}
    assert records.words_and_boxes({"document": FORM, "img": img})["page"] == [2480, 3508]
    assert records.words_and_boxes({"form": []}) == {
        **{name: [] for name in ("words", "boxes", "labels", "entities", "links")},
        "page": [1000, 1000],
    }


def test_linked_questions_are_the_keys() -> None:
    """The nearest question is not: between "Sold to:" and its answers stands another one."""
    form = Page.from_record(records.words_and_boxes({"form": FORM}), **READING)
    assert form.fields == (
        Field("question", (), (4,)),  # not filled in
        Field("answer", (5, 6), (2, 3)),
        Field("answer", (7,), (2, 3)),
        Field("answer", (11,), (8, 9, 10)),  # the head of a column and that of a row
        Field("answer", (12,)),
    )
    every = Page.from_record(records.words_and_boxes({"form": FORM}))  # all labels are fields, but keys are none
    assert [field.type for field in every.fields] == ["header", "question", *["answer"] * 4]
    assert every.fields[2:] == form.fields[1:]
    assert Page.from_record(records.words_and_boxes({"form": FORM}), types=["answer"]).fields == form.fields[1:]
    questions = Page.from_record(records.words_and_boxes({"form": FORM}), types=["question"])
    assert [field.values for field in questions.fields] == [(2, 3), (4,), (8,), (9, 10)]  # keys of nothing
    without = {name: values for name, values in records.words_and_boxes({"form": FORM}).items() if name != "links"}
    nearest = Page.from_record(without, **READING)
    assert nearest.fields[:3] == (Field("question", (), (2, 3)), Field("answer", (5, 6), (4,)), Field("answer", (7,)))


def test_an_attack_drops_the_linked_questions() -> None:
    form = Page.from_record(records.words_and_boxes({"form": FORM}), **READING)
    dropped = [word.text for word in attacks.apply("key_drop", form, seed=0).words]
    assert dropped == ["ORDER", "FORM", "Ada", "Lovelace", "London", "9.00", "approved", "page", "1"]


@needs_package("faker")
@given(st.sampled_from(attacks.names(own=True)), st.integers(0, 99))
@examples(60)
def test_attacked_records_keep_their_links(name: str, seed: int) -> None:
    """Whoever reads the attacked record finds the attacked form."""
    record: dict[str, Any] = {**records.words_and_boxes({"form": FORM}), "id": "f"}
    attack = attacks.RecordAttack(attack=name, seed=seed, reading=READING)
    before, after = attack.forms(record)
    read = Page.from_record({**record, **attack(record)}, **READING)

    def content(form: Page) -> list[Any]:
        texts = [[sorted(form.words[position].text for position in part) for part in (field.values, field.keys)] for field in form.fields]  # fmt: skip
        return sorted(each for each in texts if any(each))

    assert content(read) == content(after)
    assert after.to_record(record)["links"] == record["links"]
    assert before.to_record(record) == {name: column for name, column in record.items() if name != "id"}


@pytest.mark.parametrize(
    ("links", "message"),
    [
        ("01", "links must be a list, got text"),
        ([[0]], "links must be pairs of entities, got [0] at 0"),
        ([[0, 1], [0, 0.5]], "links must be pairs of entities, got [0, 0.5] at 1"),
        ([7], "links must be pairs of entities, got 7 at 0"),
    ],
)
def test_what_are_no_links(links: Any, message: str) -> None:
    record = {"words": ["a", "b"], "labels": ["q", "a"], "entities": [0, 1], "links": links}
    with pytest.raises(ValueError) as error:  # noqa: PT011 - the whole message is compared
        Page.from_record(record)
    assert str(error.value) == f"record: {message}"


def test_links_name_entities() -> None:
    record = {"words": ["a", "b"], "labels": ["q", "a"], "links": np.array([[0, 1]])}
    with pytest.raises(ValueError, match="^record: links need the column 'entities', whose numbers they name$"):
        Page.from_record(record)
    form = Page.from_record(record | {"entities": np.array([0, 1])})
    assert form.fields == (Field("a", (1,), (0,)),)
    assert Page.from_record(record | {"entities": [5, 1]}).fields == (
        Field("q", (0,)),
        Field("a", (1,)),
    )  # a word that is gone


@pytest.mark.parametrize(
    ("record", "message"),
    [
        ({"form": [{"id": 0, "label": "answer", "text": "x", "linking": []}]}, "FUNSD record 'r1': form 0: field 'words' must be a list of objects, got null"),
        ({"form": [{**FORM[0], "words": [{"text": "x"}]}]}, "FUNSD record 'r1': form 0: field 'box' must be a list of four numbers, got null"),
        ({"form": [{**FORM[0], "words": [{"text": "x", "box": [1, 2, 3]}]}]}, "FUNSD record 'r1': form 0: field 'box' must be a list of four numbers, got [1, 2, 3]"),
        ({"form": [{**FORM[0], "words": [{"text": None, "box": [1, 2, 3, 4]}]}]}, "FUNSD record 'r1': form 0: field 'text' must be text, got null"),
        ({"text_output": "[]"}, "FUNSD record 'r1': field 'text_output' must be an object, got a list"),
        ({"document": FORM, "img": {"width": 5}}, "XFUND record 'r1': field 'height' must be a number, got null"),
        ({"input_ids": [1], "entities": [], "relations": []}, "XFUND record 'r1': tokens are not words; words are in XFUND's own annotation, whose field is 'document'"),
    ],
)  # fmt: skip
def test_annotations_name_record_and_field(record: Any, message: str) -> None:
    with pytest.raises(ValueError) as error:  # noqa: PT011 - the whole message is compared
        records.words_and_boxes({"id": "r1", **record})
    assert str(error.value) == message


def test_columns_of_words_go_before_fields_of_annotations() -> None:
    record = {"words": ["Total"], "labels": ["O"], "document": "invoice 7", "form": "W-2"}
    assert records.form_columns(record) == record
    assert records.form_columns({"tokens": ["Total"], "form": "W-2"})["tokens"] == ["Total"]
    assert records.form_columns({"id": "a", "form": FORM})["id"] == "a"
