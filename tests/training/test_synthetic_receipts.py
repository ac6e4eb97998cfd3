"""The receipts that training examples learn from: whole, right, and held-out ones new."""

from __future__ import annotations

import doctest
import itertools
from types import ModuleType

import pytest

from docie import corpus, entity_f1, kieval
from docie.adapters import bio, grouping
from docie.adapters.grouping.documents import Entity

from checkout import skip_module_without
from sizes import times

skip_module_without("examples")

import coded_receipts  # noqa: E402
import synthetic_receipts  # noqa: E402
from synthetic_receipts import GROUPS, PARTS, Receipt  # noqa: E402

every_maker = pytest.mark.parametrize("maker", [synthetic_receipts, coded_receipts], ids=["synthetic", "coded"])
COUNT = 1200


def values(receipts: list[Receipt]) -> dict[str, set[str]]:
    """The texts of each entity type."""
    texts: dict[str, set[str]] = {}
    for receipt in receipts:
        for entity in bio.decode(receipt.words, receipt.tags):
            texts.setdefault(entity.type, set()).add(entity.value)
    return texts


@every_maker
def test_the_docstrings(maker: ModuleType) -> None:
    result = doctest.testmod(maker)
    assert result.attempted > 0
    assert result.failed == 0


@every_maker
def test_a_seed_gives_the_same_receipts(maker: ModuleType) -> None:
    for part in PARTS:
        assert maker.receipts(5, 1, part=part) == maker.receipts(9, 1, part=part)[:5]
        assert maker.receipts(5, 1, part=part) != maker.receipts(5, 2, part=part)
    with pytest.raises(ValueError, match="part must be one of train, held_out, got 'test'"):
        maker.receipts(5, 1, part="test")
    assert maker.receipts(0, 1) == []


@every_maker
@pytest.mark.parametrize("part", PARTS)
@times(1200)
def test_tags_groups_and_document_agree(maker: ModuleType, part: str, times: int) -> None:
    for receipt in maker.receipts(times, 3, part=part):
        assert len(receipt.words) == len(receipt.boxes) == len(receipt.tags) == len(receipt.groups)
        entities = bio.decode(receipt.words, receipt.tags, invalid="refuse")
        assert grouping.slot_filling(entities, GROUPS) == receipt.document
        first = [place for place, tag in enumerate(receipt.tags) if tag.startswith("B-")]
        numbered = [
            Entity(entity.type, entity.value, group=receipt.groups[place])
            for entity, place in zip(entities, first, strict=True)
        ]
        assert grouping.by_group_id(numbered, GROUPS) == receipt.document
        for tag, group in zip(receipt.tags, receipt.groups, strict=True):
            assert (group is not None) == (tag[2:].split(".")[0] in GROUPS)


@every_maker
def test_right_tags_score_1(maker: ModuleType) -> None:
    receipts = maker.receipts(50, 3, part="held_out")
    references = [receipt.document for receipt in receipts]
    tagged = [grouping.slot_filling(bio.decode(page.words, page.tags), GROUPS) for page in receipts]
    figures = corpus.evaluate(kieval, tagged, references)
    assert (figures["entity_f1"], figures["group_f1"], figures["corrections"]) == (1.0, 1.0, 0)
    assert corpus.evaluate(entity_f1, tagged, references)["f1"] == 1.0


@every_maker
@pytest.mark.parametrize("part", PARTS)
@times(300)
def test_words_stand_apart_on_the_page_in_reading_order(maker: ModuleType, part: str, times: int) -> None:
    for receipt in maker.receipts(times, 4, part=part):
        width, height = receipt.page
        for x0, y0, x1, y1 in receipt.boxes:
            assert 0 <= x0 < x1 <= width
            assert 0 <= y0 < y1 <= height
        for (_, y0, x1, y1), (next_x0, next_y0, _, _) in itertools.pairwise(receipt.boxes):
            assert next_y0 >= y1 or (next_y0 == y0 and next_x0 >= x1)


@every_maker
def test_held_out_layouts_are_new_and_all_are_used(maker: ModuleType) -> None:
    seen = [{receipt.layout for receipt in maker.receipts(COUNT, 5, part=part)} for part in PARTS]
    assert seen[0].isdisjoint(seen[1])
    assert len(seen[0]) > 2 * len(seen[1]) > 2
    for field in range(3):  # a new combination of choices, not a choice that training knows nothing of
        assert {layout[field] for layout in seen[1]} <= {layout[field] for layout in seen[0]}
    if maker is synthetic_receipts:
        assert [len(layouts) for layouts in seen] == [len(synthetic_receipts.layouts(part)) for part in PARTS]


def test_held_out_values_are_new() -> None:
    train, held_out = (values(synthetic_receipts.receipts(COUNT, 6, part=part)) for part in PARTS)
    assert train.keys() == held_out.keys()
    assert train.keys() == {
        *("vendor", "date", "items.name", "items.quantity", "items.amount", "items.option"),
        *("total.subtotal", "total.tax", "total.amount"),
    }
    for entity_type in train:
        assert len(train[entity_type]) > 20
        assert train[entity_type].isdisjoint(held_out[entity_type]), entity_type
    amounts, names = (
        [set().union(*(texts[entity_type] for entity_type in entity_types)) for texts in (train, held_out)]
        for entity_types in (
            ["items.amount", "total.subtotal", "total.tax", "total.amount"],
            ["vendor", "items.name", "items.option"],
        )
    )
    assert amounts[0].isdisjoint(amounts[1])
    words = [{word.lower() for name in part for word in name.split()} for part in names]
    assert words[0].isdisjoint(words[1])


def test_totals_add_up() -> None:
    def cents(amount: str) -> int:
        return int("".join(sign for sign in amount if sign.isdigit()))

    with_tax = 0
    for receipt in synthetic_receipts.receipts(200, 7):
        (total,) = receipt.document["total"]
        items = sum(cents(item["items.amount"]) for item in receipt.document["items"])
        tax = cents(total.get("total.tax", "0"))
        assert cents(total.get("total.subtotal", total["total.amount"])) == items
        assert cents(total["total.amount"]) == items + tax
        with_tax += tax > 0
    assert 50 < with_tax < 150


def test_receipts_are_varied() -> None:
    receipts = synthetic_receipts.receipts(300, 8)
    items = [item for receipt in receipts for item in receipt.document["items"]]
    assert {len(receipt.document["items"]) for receipt in receipts} == {1, 2, 3, 4, 5, 9}
    assert any("items.option" in item for item in items)
    assert any("items.quantity" not in item for item in items)
    assert {len(name.split()) for name in values(receipts)["items.name"]} == {1, 2, 3}


def test_coded_receipts_have_known_words_in_new_combinations() -> None:
    train, held_out = (coded_receipts.receipts(2000, 0, part=part) for part in PARTS)
    known = {word for words in coded_receipts.WORDS.values() for word in words}
    assert {word for receipt in train for word in receipt.words} == known
    assert {word for receipt in held_out for word in receipt.words} == known
    learnt = [receipt.document for receipt in train]
    assert sum(receipt.document in learnt for receipt in held_out) <= 2  # single items, by chance
    assert max(len(receipt.words) for receipt in train + held_out) == 10


def test_a_picture_shows_every_word_in_its_box() -> None:
    pytest.importorskip("PIL", reason="pictures need Pillow")
    from PIL import ImageOps

    for receipt in synthetic_receipts.receipts(20, 9):
        image = ImageOps.invert(synthetic_receipts.picture(receipt).convert("L"))
        assert list(image.size) == receipt.page
        for x0, y0, x1, y1 in receipt.boxes:
            box = (x0 - 1, y0 - 1, x1 + 1, y1 + 1)  # a letter's bow may stand out by a pixel
            assert image.crop(box).getbbox() is not None
            image.paste(0, box)
        assert image.getbbox() is None


def test_a_coded_picture_can_be_read() -> None:
    pytest.importorskip("PIL", reason="pictures need Pillow")
    from PIL import ImageColor

    colours = [ImageColor.getrgb(name) for name in coded_receipts.COLOURS]
    cells: dict[str, set[tuple[object, ...]]] = {}
    for receipt in coded_receipts.receipts(300, 9):
        image = coded_receipts.picture(receipt)
        for word, (x, y, _, _) in zip(receipt.words, receipt.boxes, strict=True):
            squares = [image.getpixel((x + right, y + down)) for down in (1, 5) for right in (1, 5)]
            assert set(squares) <= set(colours)
            cells.setdefault(word, set()).add(tuple(squares))
    codes = [code for (code,) in cells.values()]  # one a word
    assert len(codes) == 55
    for first, second in itertools.combinations(codes, 2):
        assert sum(colour != other for colour, other in zip(first, second, strict=True)) >= 2
