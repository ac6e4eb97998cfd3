"""Attacks on records of data sets, and on their pictures."""

from __future__ import annotations

import copy
import pickle
from typing import Any

import pytest
from datasets import Dataset

from docie import attacks
from docie.adapters import records
from docie.robustness.attacks import RecordAttack, redraw
from docie.robustness.form import Page, Word

Image: Any = pytest.importorskip("PIL.Image", reason="pictures need Pillow")
ImageDraw: Any = pytest.importorskip("PIL.ImageDraw")
NAMES = ["O", "B-total", "I-total"]


def tagged(number: int) -> dict[str, Any]:
    """A record of the usual data sets of tagged words."""
    words = ["Receipt", f"No{number}", "Total", "$", f"{number}.50", "Thank", "you", "again"]
    boxes = [[100 * place, 50, 100 * place + 80, 70] for place in range(len(words))]
    return {"id": str(number), "tokens": words, "bboxes": boxes, "ner_tags": [0, 0, 0, 1, 2, 0, 0, 0]}


@pytest.mark.parametrize(
    "attack",
    [
        RecordAttack(attack="bg_drop", seed=0, options={"p": 0.5}, reading={"names": NAMES}),
        RecordAttack(attack=("value_text_augment", "margin_pad", "global_shuffle"), seed=0, options={"keep": ()}, reading={"names": NAMES}),
    ],
)  # fmt: skip
def test_any_number_of_processes_gives_the_same(attack: RecordAttack) -> None:
    dataset = Dataset.from_list([tagged(number) for number in range(12)])
    one, two = (dataset.map(attack, num_proc=processes, load_from_cache_file=False) for processes in (None, 2))
    assert one.to_list() == two.to_list() == [row | attack(row) for row in dataset]
    assert one.to_list() != dataset.to_list()
    assert one.features == dataset.features  # whole numbers stay whole, tags stay numbers
    assert pickle.loads(pickle.dumps(attack)) == attack
    for row in one:
        form = Page.from_record(row, names=NAMES)
        assert all(0 <= number <= 1000 for box in row["bboxes"] for number in box)
        assert len(row["tokens"]) == len(row["ner_tags"]) == len(form.words)


@pytest.mark.parametrize("name", attacks.names(own=True))
def test_labels_stay_with_their_words(name: str, cord: dict[str, list[Any]]) -> None:
    """What a model would be trained on: the words of each label, before and after."""
    for row in cord["references"][:6]:
        record = records.words_and_boxes(row)
        before = copy.deepcopy(record)
        columns = RecordAttack(attack=name, seed=0)(record)
        assert record == before  # the input stays as it is
        assert {
            len(columns[column]) for column in ("words", "boxes", "quads", "labels", "groups", "is_key", "entities")
        } == {len(columns["words"])}
        if attacks.ATTACKS[name].preserves_texts:
            values = [sorted((word, label, group) for word, label, group, is_key in zip(*(each[column] for column in ("words", "labels", "groups", "is_key")), strict=True) if not is_key) for each in (record, columns)]  # fmt: skip
            assert values[0] == values[1]


def test_wrong_attacks_are_refused_at_once() -> None:
    with pytest.raises(ValueError, match="^unknown option 'q', expected one of p$"):
        RecordAttack(attack="bg_drop", seed=0, options={"q": 1})


BOXES = {"Total": (10, 10, 40, 20), "4.50": (60, 10, 90, 20), "Bye": (10, 40, 30, 50)}
COLOURS = {"Total": (200, 0, 0), "4.50": (0, 200, 0), "Bye": (0, 0, 200)}


def page() -> tuple[Image.Image, Page]:
    """A picture whose words are rectangles of a colour each, two pixels a unit, and its form."""
    image = Image.new("RGB", (200, 120), "white")
    for text, box in BOXES.items():
        ImageDraw.Draw(image).rectangle([2 * box[0], 2 * box[1], 2 * box[2] - 1, 2 * box[3] - 1], fill=COLOURS[text])
    return image, Page([Word(text, box) for text, box in BOXES.items()], page=(100, 60))


def colour(image: Image.Image, box: Any) -> Any:
    """The colour of the middle of a box."""
    return image.getpixel((int(box[0] + box[2]), int(box[1] + box[3])))


def test_an_attack_on_the_order_leaves_the_picture() -> None:
    image, form = page()
    for name in ("global_shuffle", "line_order_shuffle", "neighbor_shuffle"):
        assert redraw(image, form, attacks.apply(name, form, seed=0)) == (image, ())


def test_words_that_are_gone_are_blank() -> None:
    image, form = page()
    before = image.tobytes()
    drawn, missing = redraw(image, form, form.arranged([0, 2]))
    assert missing == ()
    assert [colour(drawn, box) for box in BOXES.values()] == [(200, 0, 0), (255, 255, 255), (0, 0, 200)]
    assert image.tobytes() == before


def test_new_texts_are_missing_and_said_to_be() -> None:
    image, form = page()
    drawn, missing = redraw(image, form, form.with_texts({1: "9.99"}))
    assert missing == (1,)
    assert colour(drawn, BOXES["4.50"]) == (255, 255, 255)


def test_words_move_along() -> None:
    image, form = page()
    words = [
        word._replace(box=box)
        for word, box in zip(form.words, [*list(BOXES.values())[1::-1], (50, 40, 70, 55)], strict=True)
    ]
    drawn, missing = redraw(image, form, form.with_words(words))
    assert missing == ()
    assert [colour(drawn, box) for box in BOXES.values()] == [(0, 200, 0), (200, 0, 0), (255, 255, 255)]
    assert colour(drawn, (50, 40, 70, 55)) == (0, 0, 200)


def test_margins_grow_the_picture() -> None:
    image, form = page()
    padded = attacks.apply("margin_pad", form, seed=0)
    drawn, missing = redraw(image, form, padded)
    assert padded.page is not None
    assert (drawn.size, missing) == ((2 * padded.page[0], 2 * padded.page[1]), ())
    assert [colour(drawn, word.box) for word in padded.words] == list(COLOURS.values())


def test_all_words_at_once_can_move_and_go() -> None:
    image, form = page()
    after = attacks.apply(["margin_pad", "center_shift", "bg_drop"], form, seed=3, p=0.4)
    drawn, _ = redraw(image, form, after)
    assert 0 < len(after.words) < 3
    assert [colour(drawn, word.box) for word in after.words] == [COLOURS[word.text] for word in after.words]


def test_pictures_in_records() -> None:
    image, form = page()
    record = form.to_record() | {"image": image}
    columns = RecordAttack(attack="bg_typo", seed=0, options={"p": 1.0, "kinds": ["swap"]}, image="image")(record)
    assert columns["image_missing"] == 3
    with pytest.raises(ValueError, match="^redraw needs boxes, and the form has none$"):
        redraw(image, Page([Word("a")]), Page([Word("a")]))


def test_pictures_in_data_sets() -> None:
    image, form = page()
    dataset = Dataset.from_list([form.to_record() | {"id": str(number)} for number in range(4)])
    dataset = dataset.map(lambda row: {"image": image})
    attacked = dataset.map(RecordAttack(attack=["margin_pad", "bg_drop"], seed=0, options={"p": 0.5}, image="image"))
    assert {size for row in attacked for size in [tuple(row["image"].size)]} == {
        (2 * row["page"][0], 2 * row["page"][1]) for row in attacked
    }
    for row in attacked:
        assert [colour(row["image"], box) for box in row["boxes"]] == [COLOURS[word] for word in row["words"]]
