"""What each attack does: on forms made for it, and its rates over many."""

from __future__ import annotations

import math
import statistics
from typing import Any

import pytest

from docie import attacks
from docie.robustness.attacks.random_values import data_type_of
from docie.robustness.form import Field, Page, Word
from docie.robustness.form.page import neighbors
from docie.robustness.form.words import iou

from checkout import needs_package

needs_faker = needs_package("faker")
PAGE = (100, 100)


def form_of(
    text: str, fields: dict[str, tuple[int, ...]] | None = None, keys: dict[str, tuple[int, ...]] | None = None
) -> Page:
    """A form of one line."""
    words = [Word(word, (8 * place, 10, 8 * place + 6, 16)) for place, word in enumerate(text.split())]
    return Page(
        words, [Field(name, values, (keys or {}).get(name, ())) for name, values in (fields or {}).items()], PAGE
    )


def texts(form: Page) -> list[str]:
    return [word.text for word in form.words]


def is_near(count: int, total: int, p: float) -> bool:
    """Whether a count of independent events with probability p is within four and a half standard deviations."""
    return abs(count - total * p) <= 4.5 * math.sqrt(total * p * (1 - p)) + 1e-9


# boxes


def sides(form: Page) -> list[tuple[float, float]]:
    return [(box[2] - box[0], box[3] - box[1]) for word in form.words if (box := word.box)]


def test_center_shift_keeps_sizes(invoice_forms: list[Page]) -> None:
    shares = []
    for form in invoice_forms:
        shifted = attacks.apply("center_shift", form, seed=0, sigma=0.2)
        for before, after, size, new in zip(form.words, shifted.words, sides(form), sides(shifted), strict=True):
            assert new == pytest.approx(size)
            shares.append((after.box[0] - before.box[0]) / size[0])  # type: ignore[index]
            shares.append((after.box[1] - before.box[1]) / size[1])  # type: ignore[index]
    assert statistics.mean(shares) == pytest.approx(0, abs=0.01)
    assert statistics.stdev(shares) == pytest.approx(0.2, rel=0.03)


def test_box_stretch_moves_each_edge(invoice_forms: list[Page]) -> None:
    shares: list[list[float]] = [[], [], [], []]
    for form in invoice_forms:
        for before, after, (width, height) in zip(
            form.words, attacks.apply("box_stretch", form, seed=0).words, sides(form), strict=True
        ):
            for edge, size in enumerate((width, height, width, height)):
                shares[edge].append((after.box[edge] - before.box[edge]) / size)  # type: ignore[index]
    for moves in shares:
        assert statistics.mean(moves) == pytest.approx(0, abs=0.01)
        assert statistics.stdev(moves) == pytest.approx(0.1, rel=0.03)
    assert abs(statistics.correlation(shares[0], shares[2])) < 0.05  # each by itself


def test_margin_pad_moves_all_alike(invoice_forms: list[Page]) -> None:
    growth = []
    for form in invoice_forms:
        padded = attacks.apply("margin_pad", form, seed=0)
        assert form.page is not None
        assert padded.page is not None
        assert sides(padded) == sides(form)
        boxes: list[Any] = [(old.box, new.box) for old, new in zip(form.words, padded.words, strict=True)]
        offsets = {(new[0] - old[0], new[1] - old[1]) for old, new in boxes}
        assert len(offsets) == 1
        assert all(isinstance(size, int) for size in padded.page)
        growth += [padded.page[0] / form.page[0] - 1, padded.page[1] / form.page[1] - 1]
    assert min(growth) >= 0
    assert max(growth) <= 0.6 + 0.01
    assert statistics.mean(growth) == pytest.approx(0.3, abs=0.02)


@pytest.mark.parametrize("page", [(1.0, 1.0), (1, 1)])
def test_margins_of_a_page_of_shares(page: Any) -> None:
    form = Page([Word("a", (0.1, 0.1, 0.2, 0.2))], page=page)
    padded = attacks.apply("margin_pad", form, seed=0)
    assert padded.page is not None
    assert 1.05 < padded.page[0] < 1.6
    assert 1.05 < padded.page[1] < 1.6
    assert attacks.severity(form, padded).mean_iou != 1


def test_margins_begin_at_one_pixel() -> None:
    """As in the paper: between 1 and a share of the page. Pages of 30 pixels have margins of 1 to 9 on each side."""
    word = Word("a", (0, 0, 9, 9))
    forms = [Page([word], page=(30, 30), id=number) for number in range(300)]
    padded = [attacks.apply("margin_pad", form, seed=0) for form in forms]
    left = [form.words[0].box[0] for form in padded if form.words[0].box]
    right = [form.page[0] - 30 - margin for form, margin in zip(padded, left, strict=True) if form.page]
    assert {*left} == {*right} == {*range(1, 10)}
    assert attacks.apply("margin_pad", forms[0], seed=0, strength=0) == forms[0]


# order


def test_global_shuffle_gives_every_order() -> None:
    orders = set()
    for number in range(200):
        form = form_of("a b c")
        orders.add(tuple(texts(attacks.apply("global_shuffle", Page(form.words, (), PAGE, number), seed=0))))
    assert len(orders) == 6


def test_the_neighbor_shuffles_share_the_background(invoice_forms: list[Page]) -> None:
    for form in invoice_forms:
        near = set[int]().union(*neighbors(form))
        by_neighbors, by_others = (
            attacks.apply(name, form, seed=0) for name in ("neighbor_shuffle", "non_neighbor_shuffle")
        )
        for position, word in enumerate(form.words):
            if position not in near:
                assert by_neighbors.words[position] == word
            if position in near or position in form.values:
                assert by_others.words[position] == word


def test_neighbor_shuffle_stays_with_each_value() -> None:
    form = form_of("a b V c d e f g W h", {"v": (2,), "w": (8,)})
    assert neighbors(form) == [{0, 1, 3, 4}, {6, 7, 9}]
    for seed in range(50):
        shuffled = texts(attacks.apply("neighbor_shuffle", form, seed=seed))
        assert (shuffled[2], shuffled[5], shuffled[8]) == ("V", "e", "W")
        assert set(shuffled[:5]) == set("abVcd")


def test_line_order_shuffle_keeps_lines_together() -> None:
    words = [Word(text, (10 * column, 20 * row, 10 * column + 8, 20 * row + 9)) for row, line in enumerate(("a b", "c d e", "f")) for column, text in enumerate(line.split())]  # fmt: skip
    seen = {
        " ".join(texts(attacks.apply("line_order_shuffle", Page(words, page=PAGE), seed=seed))) for seed in range(60)
    }
    assert seen == {"a b c d e f", "a b f c d e", "c d e a b f", "c d e f a b", "f a b c d e", "f c d e a b"}


# background


@pytest.mark.parametrize("p", [0.1, 0.13, 0.5])
def test_bg_drop_drops_its_share(p: float, invoice_forms: list[Page]) -> None:
    total = sum(len(form.background) for form in invoice_forms)
    dropped = sum(len(form.words) - len(attacks.apply("bg_drop", form, seed=1, p=p).words) for form in invoice_forms)
    assert is_near(dropped, total, p)


def test_neighbors_and_keys_are_dropped_altogether(invoice_forms: list[Page]) -> None:
    for form in invoice_forms:
        near = {form.words[position].id for position in set[int]().union(*neighbors(form))}
        keys = {form.words[position].id for position in form.keys}
        every = {word.id for word in form.words}
        assert {word.id for word in attacks.apply("neighbor_bg_drop", form, seed=0).words} == every - near
        assert {word.id for word in attacks.apply("key_drop", form, seed=0).words} == every - keys


def test_a_key_that_is_a_value_too_stays() -> None:
    form = form_of("Total 4.50", {"total": (1,), "title": (0,)}, {"total": (0,)})
    assert attacks.apply("key_drop", form, seed=0) == form


@pytest.mark.parametrize("p", [0.1, 0.6])
def test_bg_typo_changes_its_share_by_one_character(p: float, invoice_forms: list[Page]) -> None:
    total = sum(len(form.background) for form in invoice_forms)
    changed = 0
    for form in invoice_forms:
        after = {word.id: word.text for word in attacks.apply("bg_typo", form, seed=1, p=p).words}
        for word in form.words:
            text = after.get(word.id, "")
            if text != word.text:
                changed += 1
                assert abs(len(text) - len(word.text)) <= 1
                assert len(word.text) == 1 or text
                assert (
                    sorted(text) == sorted(word.text)
                    or sum(a != b for a, b in zip(text, word.text, strict=False)) <= 1
                    or len(text) != len(word.text)
                )
    assert is_near(changed, total, p)


@pytest.mark.parametrize(
    ("kinds", "character", "text", "expected"),
    [
        (["delete"], "t", "Total", {"Toal"}),
        (["swap"], "T", "Total", {"oTtal"}),
        (["swap"], None, "aa", {"aa"}),
        (["swap"], None, "x", {"x"}),
        (["delete"], None, "x", set()),
        (["delete"], "q", "Total", {"Total"}),
        (["delete"], None, "ab", {"a", "b"}),
    ],
)
def test_kinds_and_places_of_typos(kinds: list[str], character: str | None, text: str, expected: set[str]) -> None:
    seen = [
        texts(attacks.apply("bg_typo", form_of(text), seed=seed, p=1.0, kinds=kinds, character=character))
        for seed in range(20)
    ]
    assert {word for words in seen for word in words} == expected


def test_a_typo_that_cannot_be_made_is_no_other_one() -> None:
    """Every word gets one kind of typo at random. A swap of equal characters changes nothing, so the word stays."""
    seen = [texts(attacks.apply("bg_typo", form_of("00"), seed=seed, p=1.0))[0] for seed in range(2000)]
    by_length = {length: sum(len(text) == length for text in seen) for length in (1, 2, 3)}
    assert is_near(seen.count("00"), 2000, 1 / 4), "of a swap"
    assert is_near(by_length[1], 2000, 1 / 4), "of a deletion"
    assert is_near(by_length[2], 2000, 1 / 2), "of a swap or a replacement"
    assert is_near(by_length[3], 2000, 1 / 4), "of an insertion"


@pytest.mark.parametrize(
    ("text", "letters"), [("שלום", "֐-׿"), ("합계", "가-힣"), ("סה״כ", "֐-׿"), ("итого", "Ѐ-ӿ"), ("المجموع", "؀-ۿ")]
)
def test_typos_stay_in_the_script(text: str, letters: str) -> None:
    first, last = letters[0], letters[-1]
    for seed in range(30):
        [word] = texts(attacks.apply("bg_typo", form_of(text), seed=seed, p=1.0))
        assert word != text
        assert all(first <= character <= last for character in word)


def test_bg_adversarial_never_touches_neighbors(invoice_forms: list[Page]) -> None:
    replaced: list[str] = []
    total = 0
    for form in invoice_forms:
        near = set[int]().union(*neighbors(form))
        after = attacks.apply("bg_adversarial", form, seed=0, p=0.3)
        total += len(form.background) - len(near)
        for position, word in enumerate(form.words):
            if after.words[position] != word:
                assert position not in near
                assert position not in form.values
                replaced.append(after.words[position].text)
    assert is_near(len(replaced), total, 0.3)
    types = [data_type_of(text) for text in replaced]
    assert all(is_near(types.count(name), len(types), 1 / 3) for name in ("date", "number", "money"))


def test_ocr_confusion_has_its_rate_and_its_side(invoice_forms: list[Page]) -> None:
    form = form_of("Total corner l0 € Café", {"x": (4,)})
    seen = {texts(attacks.apply("ocr_confusion", form, seed=seed, p=1.0, on="all"))[4] for seed in range(60)}
    assert seen == {"Cafe", "Cafd", "Caf6"} or "Cafe" in seen
    for seed in range(10):
        on_values = attacks.apply("ocr_confusion", form, seed=seed, p=1.0, on="values")
        assert on_values.words[:4] == form.words[:4]
        assert on_values.words[4] != form.words[4]
        assert attacks.apply("ocr_confusion", form, seed=seed, p=1.0).words[3:] == form.words[3:]  # € is no letter


# values


@needs_faker
def test_value_text_augment_keeps_word_counts_and_types(invoice_forms: list[Page]) -> None:
    replaced: dict[str, int] = {}
    for form in invoice_forms:
        after = attacks.apply("value_text_augment", form, seed=0)
        for old, new in zip(form.fields, after.fields, strict=True):
            assert len(new.values) == len(old.values)
            texts_before, texts_after = form.text_of(old), after.text_of(new)
            replaced[old.type] = replaced.get(old.type, 0) + (texts_before != texts_after)
            assert data_type_of(texts_after) == old.data_type
            if old.type == "total_tax":
                total = next(form.text_of(field) for field in form.fields if field.type == "total_amount")
                assert 0 <= cents(texts_after) <= 0.15 * cents(total)
    assert (replaced["total_amount"], replaced["amount_due"]) == (0, 0)  # they must add up
    assert all(
        replaced[name] >= 58 for name in ("invoice_number", "purchase_order", "invoice_date", "due_date", "total_tax")
    )
    assert replaced["vendor"] > 30  # where Faker has a company of so many words


def cents(text: str) -> int:
    digits = "".join(character for character in text if character.isdigit())
    return int(digits)


@needs_faker
def test_value_text_augment_on_cord(cord_forms: list[Page]) -> None:
    for form in cord_forms:
        after = attacks.apply("value_text_augment", form, seed=0, keep=())
        for old, new in zip(form.fields, after.fields, strict=True):
            if old.values:
                assert data_type_of(after.text_of(new)) == data_type_of(form.text_of(old)), (
                    form.text_of(old),
                    after.text_of(new),
                )


@needs_faker
def test_annotated_types_and_named_fields() -> None:
    fields = [Field("a", (0,), (), "date"), Field("g.address", (1, 2)), Field("c", (3,)), Field("d", (3,))]
    form = Page([Word(text) for text in ("soon", "Mill", "Street", "77")], fields)
    after = attacks.apply("value_text_augment", form, seed=0)
    assert data_type_of(after.words[0].text) == "date"
    assert texts(after)[1:3] == ["Mill", "Street"]  # no address has two words
    assert after.words[3].text.isdigit()  # a word of two fields is replaced once
    assert attacks.apply("value_text_augment", form, seed=0, only=["a"]).words[1:] == form.words[1:]
    assert attacks.apply("value_text_augment", form, seed=0, keep=["a", "address", "c", "d"]) == form
    for total in ("infinity", "nan", "much"):
        no_total = Page([Word("4.50"), Word(total)], [Field("tax", (0,)), Field("total", (1,))])
        assert attacks.apply("value_text_augment", no_total, seed=0) == no_total  # nothing says how large a tax may be


@pytest.mark.parametrize("name", ["amount_due", "items.amount", "subtotal", "cashprice"])
def test_a_tax_is_a_share_of_the_total_only(name: str) -> None:
    """What is due, paid or asked for one item is another amount: the paper takes 0 to 15 % of the total."""
    without = Page([Word("4.50"), Word("100.00")], [Field("total_tax", (0,)), Field(name, (1,))])
    assert attacks.apply("value_text_augment", without, seed=0, only=["total_tax"]) == without
    words = [*without.words, Word("1,000.00")]
    form = Page([word._replace(id=None) for word in words], [*without.fields, Field("total_amount", (2,))])
    taxes = [
        float(texts(attacks.apply("value_text_augment", form, seed=seed, only=["total_tax"]))[0]) for seed in range(300)
    ]
    assert 0 <= min(taxes) < 5
    assert 145 < max(taxes) <= 150


def test_currencies_of_their_own_stay() -> None:
    form = Page([Word("Rp"), Word("12.500")], [Field("fee", (0, 1))])
    for seed in range(20):
        currency, amount = texts(attacks.apply("value_text_augment", form, seed=seed))
        assert currency == "Rp"
        assert not amount.startswith("$")


def test_value_location_augment_moves_what_it_can(invoice_forms: list[Page]) -> None:
    eligible = moved = with_keys = 0
    for form in invoice_forms:
        sizes = [(len(field.keys), len(field.values)) for field in form.fields if field.keys]
        after = attacks.apply("value_location_augment", form, seed=0)
        for field, new in zip(form.fields, after.fields, strict=True):
            boxes, places = (
                [each.words[position].box for position in one.values] for each, one in ((form, field), (after, new))
            )
            size = (len(field.keys), len(field.values))
            with_keys += bool(field.keys)
            if field.keys and sizes.count(size) > 1:
                eligible += 1
                moved += boxes != places
            else:
                assert boxes == places
        assert {word.box for word in after.words} == {word.box for word in form.words}
        assert [word.box for word in after.words] == [word.box for word in form.words]  # the order goes with the places
        assert sorted(texts(after)) == sorted(texts(form))
    assert moved == eligible
    assert moved >= 0.75 * eligible
    assert eligible > 0.75 * with_keys


def test_keys_go_along_with_their_values() -> None:
    form = form_of("No. 12 Date 5/6/07 Sum", {"number": (1,), "date": (3,)}, {"number": (0,), "date": (2,)})
    assert texts(attacks.apply("value_location_augment", form, seed=0)) == ["Date", "5/6/07", "No.", "12", "Sum"]
    without = Page(form.words, [field._replace(keys=()) for field in form.fields], PAGE)
    assert attacks.apply("value_location_augment", without, seed=0) == without
    shared = Page(form.words, [*form.fields, Field("again", (3,), (2,))], PAGE)
    assert texts(attacks.apply("value_location_augment", shared, seed=0))[:4] == ["Date", "5/6/07", "No.", "12"]


def test_value_location_move_closes_the_gap() -> None:
    rows = {"Shop": 0, "Mill": 10, "Street": 20, "Total": 30, "4.50": 30, "Bye": 40}
    words = [Word(text, (10, y, 40, y + 8)) for text, y in rows.items()]
    form = Page(words, [Field("company", (0,)), Field("address", (1, 2)), Field("total", (4,), (3,))], (100, 50))
    after = attacks.apply("value_location_move", form, seed=0)
    assert texts(after) == ["Total", "4.50", "Bye", "Shop", "Mill", "Street"]
    boxes: dict[str, Any] = {word.text: word.box for word in after.words}
    # the spaces between lines stay: only the lines of the values are taken out
    assert (boxes["Total"][1], boxes["4.50"][1], boxes["Bye"][1]) == (6, 6, 16)
    assert boxes["Shop"][1] > boxes["Bye"][3]
    assert boxes["Street"][1] - boxes["Mill"][1] == 10
    assert after.page == (100, 54)  # there was no room at the bottom
    assert after.document() == form.document()
    beside = Page(
        [Word("Shop", (0, 0, 20, 8)), Word("No.", (30, 0, 50, 8)), Word("Bye", (0, 20, 9, 28))],
        [Field("company", (0,))],
        PAGE,
    )
    kept = attacks.apply("value_location_move", beside, seed=0)
    assert kept.words[:2] == beside.words[1:]  # a line that others share leaves no gap
    assert not any(iou(first.box, second.box) for first in kept.words for second in kept.words if first.id != second.id)  # type: ignore[arg-type]


def test_what_is_at_the_bottom_already_stays() -> None:
    form = Page([Word("Bye", (0, 0, 9, 8)), Word("Shop", (0, 20, 20, 28))], [Field("company", (1,))], PAGE)
    assert attacks.apply("value_location_move", form, seed=0) == form
    alone = Page([Word("Shop", (0, 20, 20, 28))], [Field("company", (0,))], PAGE)
    assert attacks.apply("value_location_move", alone, seed=0) == alone
