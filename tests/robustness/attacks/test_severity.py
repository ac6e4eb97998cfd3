"""How much an attack did, and how strong it must be."""

from __future__ import annotations

import math
from importlib.util import find_spec
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from docie import attacks
from docie.robustness.attacks.application import OutOfReachError
from docie.robustness.form import Field, Page, Word
from docie.robustness.form.words import iou

from sizes import examples
from strategies import forms

NAMES = [name for name in attacks.names(own=True) if name != "value_text_augment" or find_spec("faker")]


def distance(first: str, second: str) -> int:
    """Levenshtein's distance, as textbooks have it."""
    row = list(range(len(second) + 1))
    for number, one in enumerate(first, 1):
        before, row = row, [number]
        for place, other in enumerate(second):
            row.append(min(before[place] + (one != other), before[place + 1] + 1, row[-1] + 1))
    return row[-1]


def textbook(before: Page, after: Page) -> tuple[Any, ...]:
    """The figures, word by word."""
    new = {word.id: word for word in after.words}
    overlaps: list[float] = []
    edits = moved = dropped = replaced = 0
    for word in before.words:
        if word.id not in new:
            dropped += 1
            edits += len(word.text)
            continue
        other = new[word.id]
        edits += distance(word.text, other.text)
        replaced += word.text != other.text
        if word.box and other.box:
            moved += word.box != other.box
            pages: Any = (before.page, after.page)
            boxes: Any = [[box[0] / page[0], box[1] / page[1], box[2] / page[0], box[3] / page[1]] for box, page in zip((word.box, other.box), pages, strict=True)]  # fmt: skip
            overlaps.append(iou(*map(tuple, boxes)))
    left = [word.id for word in before.words if word.id in new]
    reordered = sum(first != second.id for first, second in zip(left, after.words, strict=True))
    words = len(before.words) or 1
    characters = sum(len(word.text) for word in before.words) or 1
    mean = sum(overlaps) / len(overlaps) if overlaps else None
    shift = shift_of_values(before, after)
    return mean, edits / characters, moved / words, reordered / words, dropped / words, replaced / words, shift


def shift_of_values(before: Page, after: Page) -> float | None:
    """How far the centres of the values moved, in diagonals of the page."""
    new = {word.id: word for word in after.words}
    shifts = []
    for field in before.fields:
        words = [before.words[position] for position in field.values]
        pairs: list[Any] = [(word.box, new[word.id].box) for word in words if word.id in new and word.box]
        if pairs:
            centres = []
            for side, page in enumerate((before.page, after.page)):
                assert page is not None
                boxes = [pair[side] for pair in pairs]
                x = min(box[0] for box in boxes) + max(box[2] for box in boxes)
                y = min(box[1] for box in boxes) + max(box[3] for box in boxes)
                centres.append((x / 2 / page[0], y / 2 / page[1]))
            shifts.append(math.dist(*centres) / 2**0.5)
    return sum(shifts) / len(shifts) if shifts else None


@given(st.sampled_from(NAMES), forms(with_boxes=True))
@examples(600, 60)
def test_figures_are_those_of_the_textbook(name: str, form: Page) -> None:
    after = attacks.apply(name, form, seed=0)
    assert attacks.severity(form, after) == pytest.approx(textbook(form, after))
    assert attacks.severity(form, form)[1:6] == (0, 0, 0, 0, 0)
    assert attacks.severity(form, form).value_shift in (0, None)


def test_severity_of_several_forms_counts_words() -> None:
    forms = [Page([Word("ab")]), Page([Word("cd"), Word("ef"), Word("gh")])]
    after = [forms[0].with_texts({0: "xb"}), forms[1].arranged([0])]
    figures = attacks.severity(forms, after)
    assert figures == attacks.Severity(None, 5 / 8, 0, 0, 0.5, 0.25, None)
    assert attacks.severity([], []) == attacks.Severity(None, 0, 0, 0, 0, 0, None)


def test_a_move_of_values_is_seen() -> None:
    """One value of a long form goes to the bottom. Of all words hardly any moves; of the values, one by half a page."""
    lines = [Word(str(row), (10, 10 * row, 40, 10 * row + 8)) for row in range(50)]
    beside = Word("Shop", (60, 0, 90, 8))  # no gap is left, so nothing else moves
    form = Page([beside, *lines], [Field("company", (0,)), Field("total", (30,))], (100, 520))
    figures = attacks.severity(form, attacks.apply("value_location_move", form, seed=0))
    assert figures.moved == 1 / 51
    assert figures.mean_iou == pytest.approx(50 / 51)
    assert figures.value_shift == pytest.approx((500 / 520) / 2**0.5 / 2, abs=0.01)
    jitter = attacks.severity(form, attacks.apply("center_shift", form, seed=0)).value_shift
    assert 0 < (jitter or 0) < 0.05 < 0.3 < (figures.value_shift or 0)


def test_what_cannot_be_measured() -> None:
    with pytest.raises(ValueError, match="^expected as many forms before as after$"):
        attacks.severity([Page([])], [])
    with pytest.raises(ValueError, match="^the attacked form has words that the form before does not have$"):
        attacks.severity(Page([Word("a")]), Page([Word("a"), Word("b")]))


@pytest.mark.parametrize(
    ("name", "figure", "wanted"),
    [
        ("center_shift", "mean_iou", 0.6), ("box_stretch", "mean_iou", 0.9), ("margin_pad", "mean_iou", 0.75),
        ("bg_typo", "edit_rate", 0.05), ("bg_drop", "edit_rate", 0.1), ("key_drop", "dropped", 0.1),
        ("center_shift", "value_shift", 0.1), ("value_location_augment", "value_shift", 0.12), ("global_shuffle", "reordered", 0.3), ("value_location_augment", "moved", 0.2), ("ocr_confusion", "edit_rate", 0.02),
    ],
)  # fmt: skip
def test_a_severity_can_be_asked_for(name: str, figure: str, wanted: float, invoice_forms: list[Page]) -> None:
    few = invoice_forms[:8]
    strength = attacks.strength_for(name, few, seed=0, **{figure: wanted})
    found = attacks.severity(few, [attacks.apply(name, form, seed=0, strength=strength) for form in few])
    assert getattr(found, figure) == pytest.approx(wanted, rel=0.1)


def test_a_form_is_attacked_until_it_is_as_severe_as_that(invoice_forms: list[Page]) -> None:
    for form in invoice_forms[:5]:
        shifted = attacks.apply("center_shift", form, seed=0, severity={"mean_iou": 0.75})
        assert attacks.severity(form, shifted).mean_iou == pytest.approx(0.75, abs=0.001)
        strength = attacks.strength_for("center_shift", [form], seed=0, mean_iou=0.75)
        assert shifted == attacks.apply("center_shift", form, seed=0, strength=strength)
    with pytest.raises(OutOfReachError, match="^no strength up to 100 reaches moved 0.5; at 100 it is 0$"):
        attacks.apply("bg_typo", invoice_forms[0], seed=0, severity={"moved": 0.5})
    with pytest.raises(ValueError, match="^give a strength or a severity, not both$"):
        attacks.apply("bg_typo", invoice_forms[0], seed=0, strength=2, severity={"edit_rate": 0.1})
    with pytest.raises(ValueError, match="^name one measure, such as edit_rate=0.1, of mean_iou, "):
        attacks.apply("bg_typo", invoice_forms[0], seed=0, severity={"edit_rate": 0.1, "moved": 0.2})


def test_options_count_where_a_severity_is_asked_for(invoice_forms: list[Page]) -> None:
    """All of them: margin_pad has one that was once the name of the largest strength."""
    few = invoice_forms[:3]
    strengths = [attacks.strength_for("margin_pad", few, seed=0, most=most, mean_iou=0.5) for most in (0.1, 0.2)]
    assert strengths[0] == pytest.approx(2 * strengths[1], rel=0.001)
    with pytest.raises(OutOfReachError, match="^no strength up to 2 reaches mean_iou 0.5; at 2 it is 0.8"):
        attacks.strength_for("center_shift", few, seed=0, sigma=0.03, limit=2, mean_iou=0.5)


def test_a_severity_is_measured_on_forms_that_are_read_once(invoice_forms: list[Page]) -> None:
    strength = attacks.strength_for("bg_drop", iter(invoice_forms[:5]), seed=0, dropped=0.1)  # type: ignore[arg-type]
    assert strength == attacks.strength_for("bg_drop", invoice_forms[:5], seed=0, dropped=0.1)
    with pytest.raises(ValueError, match="^there are no forms to measure a severity on$"):
        attacks.strength_for("bg_drop", [], seed=0, dropped=0.1)


def test_severities_that_no_strength_reaches(invoice_forms: list[Page]) -> None:
    few = invoice_forms[:3]
    with pytest.raises(ValueError, match=r"^no strength up to 100 reaches mean_iou 0.75; at 100 it is 1$"):
        attacks.strength_for("global_shuffle", few, seed=0, mean_iou=0.75)
    with pytest.raises(ValueError, match=r"^no strength up to 100 reaches edit_rate 0.9; at 100 it is 0.[0-9]+$"):
        attacks.strength_for("bg_drop", few, seed=0, edit_rate=0.9)
    with pytest.raises(ValueError, match="^name one measure, such as edit_rate=0.1, of mean_iou, edit_rate, moved, "):
        attacks.strength_for("bg_drop", few, seed=0)
    with pytest.raises(ValueError, match="^edit_rate must be between 0 and 1, got 2$"):
        attacks.strength_for("bg_drop", few, seed=0, edit_rate=2)
    with pytest.raises(ValueError, match="^mean_iou cannot be measured: the forms have no boxes$"):
        attacks.strength_for("bg_drop", [Page([Word("a")])], seed=0, mean_iou=0.5)
    with pytest.raises(ValueError, match="^value_shift cannot be measured: the forms have no values with boxes$"):
        attacks.strength_for("bg_drop", [Page([Word("a")])], seed=0, value_shift=0.5)
